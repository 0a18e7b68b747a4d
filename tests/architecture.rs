//! The dependency rule, who may know which crate, who may do I/O, and that registries and documentation agree.
//! `docs/architecture.md` states these invariants with the names of the tests here.
#![allow(clippy::disallowed_methods, reason = "tests read the sources")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What every stage may use.
const FOUNDATIONS: [&str; 3] = ["model", "syntax", "value"];
/// What sees the stages: the composition root, and the program around it.
const OUTSIDE: [&str; 4] = ["app", "cli", "main", "lib"];

/// Every Rust source with its path below `src/`.
fn sources() -> BTreeMap<String, String> {
    let all = support::read_tree(&support::root().join("src"));
    let out: BTreeMap<String, String> =
        all.into_iter().filter(|(path, _)| Path::new(path).extension().is_some_and(|e| e == "rs")).collect();
    assert!(out.len() > 50, "the sources are not where they were");
    out
}

/// The top module of a source file: `facts` for `facts/cli/click.rs`, `cli` for `cli.rs`.
fn module(path: &str) -> &str {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs")
}

/// Code without comments; text of string literals stays.
fn code(text: &str) -> String {
    text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Code before the unit tests of a file, which stand last.
fn without_tests(text: &str) -> String {
    let code = code(text);
    code.split("#[cfg(test)]\nmod ").next().unwrap_or("").to_owned()
}

/// Whole words of code.
fn names(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        edge(code[..at].chars().next_back()) && edge(code[at + word.len()..].chars().next())
    })
}

/// Modules of the crate that a text names behind `crate::`, single or in braces.
fn imports(code: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let list = match rest.strip_prefix('{') {
            Some(inner) => inner.split('}').next().unwrap_or(""),
            None => rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(""),
        };
        out.extend(
            list.split(',').map(|item| item.trim().split("::").next().unwrap_or("").to_owned()).filter(|item| !item.is_empty()),
        );
    }
    out
}

#[test]
fn a_stage_imports_the_foundations_and_itself_only() {
    for (path, text) in sources() {
        let own = module(&path);
        if OUTSIDE.contains(&own) {
            continue;
        }
        for name in imports(&code(&text)) {
            let foundation = FOUNDATIONS.contains(&name.as_str());
            assert!(name == own || foundation, "src/{path} imports crate::{name}: only `app` knows the stages");
        }
    }
}

#[test]
fn foundations_know_no_stage_and_the_model_knows_nothing() {
    for (path, text) in sources().into_iter().filter(|(path, _)| FOUNDATIONS.contains(&module(path))) {
        let own = module(&path).to_owned();
        for name in imports(&code(&text)) {
            let allowed = name == own || own != "model" && FOUNDATIONS.contains(&name.as_str());
            assert!(allowed, "src/{path} imports crate::{name}");
        }
    }
}

#[test]
fn each_foreign_crate_has_one_home() {
    for (krate, home) in
        [("gix", "git"), ("tree_sitter", "syntax"), ("pulldown_cmark", "docs"), ("octocrab", "github"), ("tokio", "github")]
    {
        for (path, text) in sources() {
            let uses = code(&text).lines().any(|l| l.contains(&format!("{krate}::")) || l.contains(&format!("use {krate}")));
            assert!(!uses || module(&path) == home, "src/{path} names {krate}, which only src/{home}/ knows");
        }
    }
}

/// Where the world is touched: the caller's files and terminal, and delivery.
const IO: [&str; 3] = ["app", "github", "main"];

#[test]
fn stages_read_no_clock_environment_or_file() {
    let banned = ["std::env", "env::var", "SystemTime", "Instant::now", "std::fs", "File::open", "std::net", "std::process"];
    for (path, text) in sources() {
        if IO.contains(&module(&path)) {
            continue;
        }
        let code = without_tests(&text);
        let code: String = code.lines().filter(|l| !l.contains('"')).collect::<Vec<_>>().join("\n");
        for word in banned {
            assert!(!names(&code, word), "src/{path} uses {word}; stages are pure");
        }
    }
}

#[test]
fn nothing_is_printed_but_by_the_program() {
    for (path, text) in sources() {
        let code = without_tests(&text);
        for word in ["println!", "eprintln!", "print!(", "eprint!(", "dbg!"] {
            let found = code.lines().any(|l| l.contains(word) && !l.contains('"'));
            assert!(!found, "src/{path} uses {word}");
        }
    }
}

#[test]
fn every_file_says_what_it_owns() {
    for (path, text) in sources() {
        // A file that only holds the tests of another needs no head of its own.
        if path.ends_with("tests.rs") || path.ends_with("properties.rs") || path.ends_with("render.rs") {
            continue;
        }
        assert!(text.starts_with("//!"), "src/{path} has no head comment");
    }
}

#[test]
fn banned_names_are_not_used() {
    let banned = ["manager", "helper", "util", "utils", "common", "processor", "info", "handle"];
    for path in sources().keys() {
        for part in path.split('/') {
            let stem = part.trim_end_matches(".rs");
            assert!(!banned.contains(&stem), "src/{path}: `{stem}` says nothing");
        }
    }
}

fn document(name: &str) -> String {
    std::fs::read_to_string(support::root().join(name)).expect(name)
}

#[test]
fn every_extractor_is_documented() {
    let page = document("docs/facts.md");
    let mut seen = BTreeSet::new();
    for extractor in refdrift::facts::EXTRACTORS {
        assert!(seen.insert(extractor.name()), "two extractors are called {}", extractor.name());
        assert!(page.contains(&format!("| `{}` |", extractor.name())), "docs/facts.md has no row for {}", extractor.name());
    }
}

#[test]
fn every_reporter_and_format_is_documented() {
    let readme = document("README.md");
    for reporter in refdrift::report::REPORTERS {
        assert!(readme.contains(&format!("`{}`", reporter.name())), "README.md does not name {}", reporter.name());
    }
    let page = document("docs/architecture.md");
    for format in refdrift::docs::FORMATS {
        let name = format!("{:?}", format.format());
        assert!(page.contains(&name), "docs/architecture.md does not name the format {name}");
    }
}

#[test]
fn every_kind_rule_and_category_is_documented() {
    let page = document("docs/findings.md");
    for category in refdrift::findings::CATEGORIES {
        assert!(page.contains(&format!("`{category}`")), "docs/findings.md does not name {category}");
    }
    // The rules by what fixtures show of them, and the three that need a name of their own.
    for rule in expected_words(5).iter().chain(&BTreeSet::from(["aspect-in-words".to_owned(), "ambiguous".to_owned()])) {
        assert!(page.contains(&format!("`{rule}`")), "docs/findings.md does not name the rule {rule}");
    }
    let facts = document("docs/facts.md");
    for kind in expected_words(1) {
        assert!(facts.contains(&format!("`{kind}`")), "docs/facts.md does not name the kind {kind}");
    }
}

/// The words that stand at one place of every line of every expectation: `place kind name: stale | rule | outcome`.
fn expected_words(column: usize) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (path, text) in support::read_tree(&support::root().join("fixtures/repos")) {
        if !path.ends_with("expected/findings.txt") {
            continue;
        }
        for line in text.lines().filter(|l| !l.is_empty()) {
            let word = if column == 1 { line.split(' ').nth(1) } else { line.rsplit(" | ").nth(1) };
            out.insert(word.expect("a full line").to_owned());
        }
    }
    assert!(!out.is_empty());
    out
}

#[test]
fn every_setting_is_documented() {
    let page = document("docs/configuration.md");
    let file = refdrift::config::ConfigFile {
        fail_on: Some(refdrift::config::FailOn::Warn),
        min_confidence: Some(0.5),
        ..refdrift::config::ConfigFile::default()
    };
    let value = serde_json::to_value(file).expect("JSON");
    for key in value.as_object().expect("a map").keys() {
        assert!(page.contains(&format!("`{key}`")), "docs/configuration.md does not name `{key}`");
    }
    for name in refdrift::config::NAMES {
        assert!(page.contains(name), "docs/configuration.md does not name {name}");
    }
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let page = document("docs/architecture.md");
    let tests = support::read_tree(&support::root().join("tests"));
    let sources = sources();
    let mut count = 0;
    for name in page.split('`').skip(1).step_by(2).filter_map(|code| code.strip_suffix("()")) {
        count += 1;
        let defined = tests.values().chain(sources.values()).any(|text| text.contains(&format!("fn {name}()")));
        assert!(defined, "docs/architecture.md names the test `{name}`, which does not exist");
    }
    assert!(count >= 10, "the invariants name their tests as `name()`");
}

#[test]
fn every_fixture_is_complete() {
    let folder = support::root().join("fixtures/repos");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("fixtures").flatten() {
        let case = entry.path();
        let name = case.file_name().and_then(|n| n.to_str()).unwrap_or("").to_owned();
        let sentence = std::fs::read_to_string(case.join("README.md")).unwrap_or_default();
        assert_eq!(sentence.trim().lines().count(), 1, "{name}: README.md is one sentence");
        for part in ["before", "after", "expected/findings.txt"] {
            assert!(case.join(part).exists(), "{name} has no {part}");
        }
        assert!(name.contains('-'), "{name}: <area>-<case>");
        count += 1;
    }
    assert!(count > 100);
}
