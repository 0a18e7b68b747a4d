//! Keys in code blocks: at their place in data, as members in programs, in listings by line.

use super::super::super::fence;
use super::super::{Place, Project, Resolved};
use super::anchor::{among_siblings, names_file};
use super::{Match, family, matches, spellings};
use crate::model::{ByteSpan, CitationForm, Fact, FactKind};
use crate::syntax::Grammar;
use crate::value::name;

pub(super) fn in_fence(place: &Place<'_>, fact: &Fact, project: &Project<'_>, lang: &str, content: ByteSpan) -> Resolved {
    // The info string belongs to the region and names nothing.
    if !content.contains(place.span) {
        return None;
    }
    let grammar = Grammar::for_fence(lang);
    match grammar {
        Some(Grammar::Bash) => None,
        Some(g) if g.is_data() => in_data(place, fact, project, g, content),
        Some(g) => in_program(place, fact, g),
        None if matches!(
            lang,
            "" | "text" | "txt" | "ini" | "cfg" | "conf" | "config" | "properties" | "dotenv" | "hcl" | "tf"
        ) =>
        {
            in_listing(place, fact)
        }
        None => None,
    }
}

/// A key at its place in YAML, JSON or TOML: the path above it must fit.
fn in_data(place: &Place<'_>, fact: &Fact, project: &Project<'_>, grammar: Grammar, content: ByteSpan) -> Resolved {
    let text = content.of(place.text());
    let at = ByteSpan::new(place.span.start - content.start, place.span.end - content.start);
    if fact.kind == FactKind::ActionInput {
        let used = step_of(text, at.start)
            .is_some_and(|target| target.starts_with("./") || target.split(['@', '/']).any(|part| project.is_own_tool(part)));
        let under_with = fence::keys(grammar, text).into_iter().any(|k| k.key.overlaps(at) && k.path.iter().any(|p| p == "with"));
        return (used && under_with && place.word() == fact.name).then_some((place.span, CitationForm::ConfigExample, true));
    }
    // The keys of a manifest for Kubernetes are those of Kubernetes, unless the code calls them settings.
    let manifest = text.contains("apiVersion:") && text.contains("kind:");
    let setting = fact.name.rsplit_once('.').is_none_or(|(container, _)| name::holds_settings(container));
    let of_cluster = matches!(place.word(), "apiVersion" | "kind" | "metadata" | "spec");
    if manifest && (of_cluster || !setting && fact.owner.starts_with("module:")) {
        return None;
    }
    let Some(found) = fence::keys(grammar, text).into_iter().find(|k| k.key.overlaps(at)) else {
        // Commented-out settings (`# key: value`) are read by line.
        return in_listing(place, fact);
    };
    let level = spellings(fact).filter_map(|s| matches(&found.path, &s, fact)).max()?;
    let exact = place.word() == fact.leaf() || fact.aliases.iter().any(|a| a.rsplit('.').next() == Some(place.word()));
    let accepted = match level {
        Match::Qualified => true,
        Match::TellingLeaf => exact || !fact.owner.starts_with("file:"),
        // A file's own top-level key in an example of that file.
        Match::PlainLeaf => exact && found.path.len() == 1 && (names_file(place, fact) || among_siblings(fact, text, project)),
    };
    accepted.then_some((place.span, CitationForm::ConfigExample, exact))
}

/// The action that the step around a byte of a workflow uses. A step is an item of its list.
fn step_of(text: &str, at: usize) -> Option<&str> {
    let opens = |line: &str| line.trim_start().starts_with("- ");
    let (above, below) = text.split_at_checked(at)?;
    let before = above.lines().rev().scan(false, |done, line| {
        let seen = std::mem::replace(done, *done || opens(line));
        (!seen).then_some(line)
    });
    let behind = below.lines().skip(1).take_while(|line| !opens(line));
    let line = before.chain(behind).find(|l| l.trim_start().trim_start_matches("- ").trim_start().starts_with("uses:"))?;
    line.split_once("uses:").map(|(_, target)| target.trim().trim_matches(['"', '\'']))
}

/// An object key or a keyword in program text: `key: value`, `key = value`, `.key(value)`, a field of a type literal.
fn in_program(place: &Place<'_>, fact: &Fact, grammar: Grammar) -> Resolved {
    let leaf_fits = spellings(fact).any(|s| s.last().is_some_and(|o| o == place.word()));
    if !leaf_fits || !name::is_distinctive(place.word()) {
        return None;
    }
    let rest = place.text()[place.span.end..].trim_start();
    let before = place.before(place.span.start);
    let as_key = rest.starts_with(':') && !rest.starts_with("::") && !rest.starts_with(":=")
        || rest.starts_with("?:")
        || (rest.starts_with('=') && !rest.starts_with("=="));
    let as_method = before == Some('.') && rest.starts_with('(');
    // `Other.key`: a member of another type.
    let of_another = place.qualifiers().last().is_some_and(|q| {
        q.starts_with(char::is_uppercase) && fact.name.rsplit_once('.').is_some_and(|(c, _)| name::fold(c) != name::fold(q))
    });
    if of_another {
        return None;
    }
    let as_member = before == Some('.') && !place.text()[..place.span.start].ends_with("..");
    let same_family = family(Grammar::for_path(&fact.path)) == family(Some(grammar));
    ((as_key || as_member) && (same_family || fact.path.extension().is_empty() || as_key) || as_method).then_some((
        place.span,
        CitationForm::FencedCode,
        true,
    ))
}

/// A line of a listing: `key = value`, `key: value`, `[ key: <type> | default = x ]`.
fn in_listing(place: &Place<'_>, fact: &Fact) -> Resolved {
    let word = place.word();
    let telling = name::is_distinctive(word);
    let fits = spellings(fact).any(|s| s.last().is_some_and(|o| name::fold(o) == name::fold(word)));
    let rest = place.text()[place.span.end..].trim_start_matches(['"', '\'']).trim_start();
    let line = place.line();
    let lead = place.text()[line.start..place.span.start].trim();
    let leads = lead.chars().all(|c| matches!(c, '#' | '[' | '-' | '/' | ';' | '"' | '\'' | ' '));
    (fits && telling && leads && rest.starts_with([':', '=', '?'])).then_some((
        place.span,
        CitationForm::ConfigExample,
        word == fact.leaf(),
    ))
}

#[cfg(test)]
mod tests {
    use super::step_of;

    #[test]
    fn steps_of_a_workflow() {
        let text = "steps:\n- uses: a/one@v1\n  with:\n    x: 1\n- with:\n    y: 2\n  uses: \"a/two\"\n- run: z\n";
        let of = |key: &str| step_of(text, text.find(key).unwrap_or(0));
        assert_eq!(of("x:"), Some("a/one@v1"));
        assert_eq!(of("y:"), Some("a/two"));
        assert_eq!(of("z"), None);
        assert_eq!(step_of("uses: a/b@v1\nwith:\n  x: 1\n", 25), Some("a/b@v1"));
    }
}
