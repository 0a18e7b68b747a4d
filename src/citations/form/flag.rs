//! Flags: `--name`, modulo case style, of one of the project's own tools.

use super::super::fence;
use super::{Place, Project, Resolved};
use crate::model::{ByteSpan, CitationForm, Fact, RegionKind};
use crate::value::name;

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    let text = place.text();
    let start = place.span.start;
    let dashes = text[..start].chars().rev().take_while(|c| *c == '-').count();
    if dashes == 0 || dashes > 2 {
        return None;
    }
    // Every parser answers to these, whether or not a program declares them.
    if matches!(fact.leaf().trim_start_matches('-'), "help" | "version") && fact.value.get("default").is_none_or(|d| d == false) {
        return None;
    }
    let full = ByteSpan::new(start - dashes, place.span.end);
    let before = place.before(full.start);
    // `a--b`, `.--x`: no flag starts here. A slash separates alternatives (`-x/--exec`).
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$' | '#')) {
        return None;
    }
    let rest = &text[place.span.end..];
    let mut following = rest.chars();
    match following.next() {
        Some('-') if following.next().is_some_and(char::is_alphanumeric) => return None,
        Some('_' | '/') if following.next().is_some_and(char::is_alphanumeric) && !rest.starts_with("/-") => return None,
        _ => {}
    }
    let spelled = place.of(full);
    let (exact, known) = fact.spellings().fold((false, false), |(exact, known), s| {
        // `--logfile` and `--log-file` are two flags.
        let same = name::words(s) == name::words(spelled) && s.trim_start_matches('-').len() > 1;
        (exact || s == spelled, known || same)
    });
    // Single-dash long flags are spelled so only where the code does (Go's `flag`, getopt_long_only).
    let single_declared = fact.spellings().any(|s| s.starts_with('-') && !s.starts_with("--") && s.len() > 2);
    if !known || (dashes == 1 && !single_declared) || place.is_hidden() {
        return None;
    }
    let form = if place.fence().is_some() { CitationForm::Shell } else { place.form() };
    match command_before(place, full) {
        Some(command) => own(&command, project).then_some((full, form, exact)),
        None => anchored(place, fact, project).then_some((full, form, exact)),
    }
}

/// The words of the command line in front of the flag, where there is one.
fn command_before(place: &Place<'_>, flag: ByteSpan) -> Option<Vec<String>> {
    let within = place.code().or_else(|| place.fence().map(|(_, content)| content))?;
    if place.fence().is_some_and(|(lang, _)| !fence::is_shell_like(lang)) {
        return None;
    }
    let words = fence::command_words(&place.text()[within.start..flag.start]);
    // A listing of options (`-n, --no-color  text`) has no command in front.
    (words.first().is_some_and(|w| !w.starts_with('-') && !w.ends_with(','))).then_some(words)
}

/// Whether the command is one of the project's own: its word, or what a runner runs.
fn own(words: &[String], project: &Project<'_>) -> bool {
    let first = words.first().map_or("", String::as_str);
    if project.tools.is_empty() && project.packages.is_empty() {
        return !fence::is_foreign_tool(first);
    }
    if project.is_own_tool(first) {
        return true;
    }
    // `cargo install --locked kettle` is about kettle, its flags are the installer's.
    if fence::installs(words) {
        return false;
    }
    if words.iter().any(|w| project.is_own_tool(w)) {
        return true;
    }
    // `./configure --x`, `python setup.py --x`, `cargo run -- --x`, `npm run dev -- --x`
    first.starts_with("./") || first.starts_with("../") || fence::is_runner(first) && !fence::is_foreign_tool(first)
}

/// A flag without a command in front: in a listing of flags or named alone. A short common word is some other tool's as
/// easily as ours, so it needs a tool of ours named in the document.
fn anchored(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    if name::words(fact.leaf()).len() >= 2 {
        return true;
    }
    let listed = matches!(
        place.region.kind,
        RegionKind::TableRow { .. } | RegionKind::Heading { .. } | RegionKind::Directive { prose: false, .. }
    );
    let command = fact.owner.trim_start_matches("command:").to_lowercase();
    let text = place.text();
    let names: Vec<&str> = command.split_whitespace().collect();
    let document = text.to_lowercase();
    let named = names.iter().any(|n| n.len() > 1 && contains_word(&document, n))
        || project.tools.iter().any(|tool| contains_word(&document, tool))
        || contains_word(&document, &project.repository)
        || project.slug.as_deref().and_then(|s| s.split_once('/')).is_some_and(|(_, name)| contains_word(&document, name));
    // `kettle-cli/src/options.rs`: the part of the project that has the flag.
    let part = fact.path.segments().rev().skip(1).filter(|s| s.contains('-') && name::words(s).len() >= 2);
    let named = named || part.map(str::to_lowercase).any(|s| contains_word(&document, &s));
    named || (listed && place.document.path.as_str().to_lowercase().contains("cli"))
}

fn contains_word(text: &str, word: &str) -> bool {
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
            edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next())
        })
}
