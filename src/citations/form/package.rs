//! Packages: a runtime named beside a version in running text, the project's own package pinned in a command.

use std::sync::LazyLock;

use regex::Regex;

use super::super::needles::{is_runtime, runtime_words};
use super::{Place, Project, Resolved};
use crate::model::{CitationForm, Fact, RegionKind};

static PIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^(?:==|~=|>=|@\^?~?|\s*=\s*"[\^~=]?|\s*=\s*\{\s*version\s*=\s*"[\^~=]?|:)v?\d"#).expect("valid pattern")
});

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    if is_runtime(fact) {
        return runtime(place, fact);
    }
    if fact.value.get("version").is_some() {
        return pin(place, fact);
    }
    dependency(place, fact, project)
}

/// The runtime's word, not as part of an identifier, a path or a command (`python -m x`, `go build`).
fn runtime(place: &Place<'_>, fact: &Fact) -> Resolved {
    let word = place.word().to_lowercase();
    let words = runtime_words(&fact.name);
    if !(words.contains(&word.as_str()) || word == fact.name.to_lowercase()) || place.is_hyphenated() || place.fence().is_some() {
        return None;
    }
    let before = place.before(place.span.start);
    let after = place.after(place.span.end);
    if matches!(before, Some('.' | '/' | '@' | '-' | '_')) || matches!(after, Some('/' | '@' | '_' | '(')) || place.is_hidden() {
        return None;
    }
    Some((place.span, if place.is_code() { CitationForm::InlineCode } else { CitationForm::Prose }, true))
}

/// `name@1.2.3`, `name==1.2.3`, `name = "1.2.3"`.
fn pin(place: &Place<'_>, fact: &Fact) -> Resolved {
    if place.word() != fact.name || !PIN.is_match(&place.text()[place.span.end..]) {
        return None;
    }
    let before = place.before(place.span.start);
    if matches!(before, Some('/' | '-' | '_' | '.' | '@')) {
        return None;
    }
    let form = if place.fence().is_some() { CitationForm::Shell } else { place.form() };
    Some((place.span, form, true))
}

/// A dependency by name, as code or link text, where the name is no ordinary word.
fn dependency(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    let distinctive = fact.name.contains(['/', '@', '-', '_', '.']) || crate::value::name::is_distinctive(&fact.name);
    if place.word() != fact.name
        || !distinctive
        || place.is_hyphenated()
        || fact.value.get("group").and_then(|g| g.as_str()) == Some("dev")
    {
        return None;
    }
    if let Some(found) = linked_in_list(place, fact).filter(|_| !is_of_the_same_owner(fact, project)) {
        return Some(found);
    }
    if matches!(place.before(place.span.start), Some('/' | '.' | '@'))
        || matches!(place.after(place.span.end), Some('/' | '.' | '('))
    {
        return None;
    }
    place.is_code().then(|| (place.span, place.form(), true))
}

/// Whether a package lives beside the project, under the same owner: what a document says of it is no word on a dependency.
fn is_of_the_same_owner(fact: &Fact, project: &Project<'_>) -> bool {
    let owner = project.slug.as_deref().and_then(|s| s.split('/').next());
    owner.is_some_and(|owner| fact.name.split('/').nth(1).is_some_and(|o| o.eq_ignore_ascii_case(owner)))
}

/// A list's or table's link to where the dependency lives, as Go names its packages. In running text such a link is a reference.
fn linked_in_list(place: &Place<'_>, fact: &Fact) -> Resolved {
    let (_, target, in_text) = place.link()?;
    let listed = matches!(place.region.kind, RegionKind::ListItem | RegionKind::TableRow { .. });
    let home = fact.name.matches('/').count() >= 2 && fact.name.split('/').next().is_some_and(|host| host.contains('.'));
    let path = target.strip_prefix("https://").or_else(|| target.strip_prefix("http://"))?.trim_end_matches('/');
    (listed && home && !in_text && path == fact.name).then_some((place.span, CitationForm::LinkTarget, true))
}
