//! What the tests of extractors share: facts as compact lines, and texts that no extractor may stumble over.

use super::{Extractor, FactSink, Source};
use crate::model::{RepoPath, Visibility};

/// The facts of one extractor, one a line: `kind name value`, then aliases after `=`, then `internal`.
/// CLI facts open with their owner.
pub(crate) fn lines(extractor: &dyn Extractor, path: &str, text: &str) -> Vec<String> {
    let path = RepoPath::new(path);
    assert!(extractor.accepts(&path), "{} does not read {path}", extractor.name());
    let source = Source::new(&path, text);
    let mut sink = FactSink::new(&source);
    extractor.extract(&source, &mut sink);
    let mut seen = std::collections::BTreeSet::new();
    let (facts, _) = sink.finish();
    facts
        .into_iter()
        .filter(|fact| seen.insert(fact.id()))
        .map(|fact| {
            let owner = fact.owner.strip_prefix("command:").map_or_else(String::new, |owner| format!("[{owner}] "));
            let mut line = format!("{} {owner}{} {}", fact.kind.as_str(), fact.name, fact.value);
            if !fact.aliases.is_empty() {
                line = format!("{line} = {}", fact.aliases.join(" "));
            }
            if fact.visibility == Visibility::Internal {
                line.push_str(" internal");
            }
            line
        })
        .collect()
}

/// Asserts the facts of the kinds that the expected lines name, all of them and in order; of every kind where none is
/// expected.
pub(crate) fn check(extractor: &dyn Extractor, path: &str, text: &str, expected: &[&str]) {
    let kind = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let kinds: Vec<String> = expected.iter().map(|line| kind(line)).collect();
    let found: Vec<String> =
        lines(extractor, path, text).into_iter().filter(|line| kinds.is_empty() || kinds.contains(&kind(line))).collect();
    let (found, expected) = (found.join("\n"), expected.join("\n"));
    assert!(found == expected, "in:\n{text}\nfound:\n{found}\n\nexpected:\n{expected}\n");
}

/// Runs an extractor over every prefix and many suffixes of a text and over deep nesting; it may find anything, but returns.
pub(crate) fn survives(extractor: &dyn Extractor, path: &str, text: &str) {
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let step = (cuts.len() / 100).max(1);
    for at in cuts.into_iter().step_by(step) {
        lines(extractor, path, &text[..at]);
        lines(extractor, path, &text[at..]);
    }
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{", "}"), ("{a:", "}"), ("f(", ")"), ("x = {'a': ", "}"), ("-", ""), ("a.", "")]
    {
        let bomb = format!("{}1{}", open.repeat(800), close.repeat(800));
        lines(extractor, path, &format!("{text}\nx = {bomb}\n"));
        lines(extractor, path, &open.repeat(800));
    }
}
