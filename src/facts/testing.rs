//! Facts as compact lines, for the tests of extractors.

use super::{Extractor, FactSink, Source};
use crate::model::{FactKind, RepoPath, Visibility};

/// The facts that one extractor finds in a text, one line each: `kind name value aliases`. An owner other than the
/// file's own module or file stands in brackets before the name; `-` before the kind marks an internal name.
pub(crate) fn lines(extractor: &dyn Extractor, path: &str, text: &str) -> Vec<String> {
    let path = RepoPath::new(path);
    assert!(extractor.accepts(&path), "{} does not read {path}", extractor.name());
    let source = Source::new(&path, text);
    let mut sink = FactSink::new(&source);
    extractor.extract(&source, &mut sink);
    let (facts, _) = sink.finish();
    facts
        .iter()
        .map(|fact| {
            assert!(text.get(fact.span.start..fact.span.end).is_some(), "span of {} out of bounds", fact.id());
            let mark = if fact.visibility == Visibility::Internal { "-" } else { "" };
            let plain = fact.owner == source.module_owner() || fact.owner == source.file_owner() || fact.kind == FactKind::EnvVar;
            let owner = if plain { String::new() } else { format!("[{}] ", fact.owner) };
            let aliases = if fact.aliases.is_empty() { String::new() } else { format!(" {}", fact.aliases.join(",")) };
            format!("{mark}{} {owner}{} {}{aliases}", fact.kind.as_str(), fact.name, fact.value)
        })
        .collect()
}

/// Asserts that the lines of a text are exactly these.
#[track_caller]
pub(crate) fn check(extractor: &dyn Extractor, path: &str, text: &str, expected: &[&str]) {
    let found = lines(extractor, path, text);
    assert_eq!(found, expected, "in {path}:\n{text}\nfound:\n{}", found.join("\n"));
}

/// Runs an extractor over every prefix of a text, and over the text among thousands of brackets.
pub(crate) fn survives(extractor: &dyn Extractor, path: &str, text: &str) {
    for (at, _) in text.char_indices().step_by((text.len() / 60).max(1)) {
        lines(extractor, path, &text[..at]);
        lines(extractor, path, &text[at..]);
    }
    for bracket in ["(", "[", "{", "<", "[{", "{\"a\":", "a: [", "- ", "&", "Some(", "x(|| ", "a.b("] {
        lines(extractor, path, &bracket.repeat(3_000));
        let few = bracket.repeat(300);
        lines(extractor, path, &format!("{text}\n{few}"));
        lines(extractor, path, &format!("{few}\n{text}"));
    }
    let staircase: Vec<String> = (0..400).map(|i| format!("{}a:", " ".repeat(i))).collect();
    lines(extractor, path, &staircase.join("\n"));
}
