//! `docs/report-format.md` is true: its examples are reports, its tables are the schemas, its suppressions are understood.
//!
//! `UPDATE_DOCS=1 cargo test --test report_format` writes the examples anew; read the diff before you commit it.
#![allow(clippy::disallowed_methods, clippy::panic, reason = "tests read and write pages of the repository")]

mod support;

use std::fmt::Write as _;
use std::path::PathBuf;

use refdrift::app::{CheckOptions, baseline};
use refdrift::config::Config;
use refdrift::contracts::{self, RecordKind};
use refdrift::docs;
use refdrift::git::RangeOptions;
use refdrift::model::{RepoPath, Sidecar};
use refdrift::report::{REPORTERS, RULES, ReportOptions, reporter};
use serde_json::{Value, json};
use tempfile::TempDir;

const PAGE: &str = "docs/report-format.md";

fn page() -> String {
    std::fs::read_to_string(support::root().join(PAGE)).expect("the page").replace("\r\n", "\n")
}

fn sample() -> TempDir {
    let readme = "# ferry\n\nA ferry takes at most `MAX_PASSENGERS` (120) people.\n";
    let setup = "# Setup\n\n<!-- refdrift: allow broken-reference `FERRY_LOG_LEVEL` readers of old releases look for it -->\n\
                 The variable `FERRY_LOG_LEVEL` has gone.\n";
    let before = "export const MAX_PASSENGERS = 120;\nexport const level = process.env.FERRY_LOG_LEVEL;\n";
    let after = "export const MAX_PASSENGERS = 150;\n";
    support::pair(
        &[("src/limits.js", before), ("README.md", readme), ("docs/setup.md", setup)],
        &[("src/limits.js", after), ("README.md", readme), ("docs/setup.md", setup)],
    )
}

fn record(folder: &TempDir) -> Sidecar {
    let mut sidecar = support::analyze(folder.path()).sidecar;
    // The name of a temporary folder is no part of an example.
    "ferry".clone_into(&mut sidecar.repository);
    for finding in sidecar.findings.iter_mut().chain(&mut sidecar.policy.findings) {
        "ferry".clone_into(&mut finding.provenance.repository);
    }
    sidecar
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("JSON") + "\n"
}

/// What stands in an example: `FORMAT`, or `FORMAT POINTER` or `FORMAT line N` for a part of one.
fn example(what: &str, sidecar: &Sidecar, folder: &TempDir) -> String {
    let (format, pointer) = what.split_once(' ').unwrap_or((what, ""));
    match format {
        "baseline" => {
            let options = CheckOptions {
                repository: folder.path().to_owned(),
                range: RangeOptions { base: Some("HEAD~1".to_owned()), head: Some("HEAD".to_owned()) },
                ..CheckOptions::default()
            };
            baseline(&options).expect("a baseline")
        }
        "decision" => {
            let finding = &sidecar.findings[0];
            pretty(&json!({
                "type": "decision", "schemaVersion": 1, "target": {"kind": "finding", "id": finding.id}, "by": "ana",
                "reason": "not-a-divergence", "evidenceHash": finding.evidence_hash,
            }))
        }
        _ => {
            let mut out = Vec::new();
            let reporter = reporter(format).unwrap_or_else(|| panic!("no format {format}"));
            reporter.render(sidecar, ReportOptions::default(), &mut out).expect("written");
            let text = String::from_utf8(out).expect("UTF-8");
            if pointer.is_empty() {
                return text;
            }
            if let Some(line) = pointer.strip_prefix("line ").and_then(|n| n.parse::<usize>().ok()) {
                let line = text.lines().nth(line - 1).unwrap_or_else(|| panic!("{format} has no {pointer}"));
                return format!("{line}\n");
            }
            let whole: Value = serde_json::from_str(&text).expect("JSON");
            pretty(whole.pointer(pointer).unwrap_or_else(|| panic!("{format} has no {pointer}")))
        }
    }
}

#[test]
fn the_examples_are_reports() {
    let folder = sample();
    let sidecar = record(&folder);
    let page = page();
    let mut parts = page.split("<!-- example: ");
    let mut right = parts.next().unwrap_or_default().to_owned();
    let mut seen = Vec::new();
    for part in parts {
        let (what, rest) = part.split_once(" -->\n").expect("the end of the comment");
        let (fence, rest) = rest.split_once('\n').expect("a fence");
        let (_, rest) = rest.split_once("```\n").expect("the end of the fence");
        let text = example(what, &sidecar, &folder);
        assert!(!text.contains("```"), "{what}");
        let _ = write!(right, "<!-- example: {what} -->\n{fence}\n{text}```\n{rest}");
        seen.push(what.split(' ').next().unwrap_or_default().to_owned());
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(support::root().join(PAGE), &right).expect("written");
    } else {
        assert!(page == right, "{PAGE} is stale; run `UPDATE_DOCS=1 cargo test --test report_format` and read the diff");
    }
    for reporter in REPORTERS {
        assert!(seen.iter().any(|s| s == reporter.name()), "{PAGE} has no example of {}", reporter.name());
        assert!(page.contains(&format!("### `{}`", reporter.name())), "{PAGE} does not describe {}", reporter.name());
    }
    for rule in RULES {
        assert!(page.contains(&format!("`{}`", rule.id)), "{PAGE} does not name {}", rule.id);
    }
}

/// The part of the page under a heading, up to the next one.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{PAGE} has no section {heading}"));
    rest.split("\n## ").next().and_then(|r| r.split("\n### ").next()).unwrap_or_default()
}

#[test]
fn the_tables_are_the_schemas() {
    let page = page();
    let schema = contracts::schema(RecordKind::Sidecar);
    let mut all: Vec<(String, &Value)> = vec![("## The policy sidecar".to_owned(), &schema)];
    let definitions = schema["$defs"].as_object().expect("definitions");
    all.extend(definitions.iter().filter(|(_, d)| d.get("properties").is_some()).map(|(name, d)| (format!("### `{name}`"), d)));
    for (heading, definition) in &all {
        let mut expected: Vec<&str> = definition["properties"].as_object().expect("fields").keys().map(String::as_str).collect();
        let mut told: Vec<&str> = section(&page, heading)
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.split_once(" | "))
            .flat_map(|(names, _)| names.split(", "))
            .filter_map(|name| name.strip_prefix('`')?.strip_suffix('`'))
            .collect();
        expected.sort_unstable();
        told.sort_unstable();
        assert_eq!(told, expected, "{heading}");
    }
    for (name, definition) in definitions {
        let of = |list: &Value, key: &str| -> Vec<String> {
            let item = |v: &Value| if key.is_empty() { v.clone() } else { v[key].clone() };
            list.as_array().into_iter().flatten().filter_map(|v| item(v).as_str().map(str::to_owned)).collect()
        };
        // The kinds of facts have a page of their own.
        for word in
            of(&definition["enum"], "").into_iter().chain(of(&definition["oneOf"], "const")).filter(|_| name != "FactKind")
        {
            assert!(page.contains(&format!("`{word}`")), "{PAGE} does not name `{word}` of {name}");
        }
    }
}

/// The fenced blocks of a language.
fn fences(page: &str, language: &str) -> Vec<String> {
    let open = format!("\n```{language}\n");
    page.split(&open).skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0.to_owned() + "\n")).collect()
}

#[test]
fn the_suppressions_are_understood() {
    let page = page();
    for (language, name) in [("markdown", "a.md"), ("mdx", "a.mdx"), ("rst", "a.rst"), ("asciidoc", "a.adoc")] {
        let blocks = fences(&page, language);
        assert!(!blocks.is_empty(), "{language}");
        for text in blocks {
            let document = docs::parse(&RepoPath::new(name), &text).expect("a document").document;
            let [remark] = document.remarks.as_slice() else { panic!("{language}: {:?}", document.remarks) };
            let category = remark.words.split(' ').nth(1).unwrap_or_default();
            assert!(remark.words.starts_with("allow ") && RULES.iter().any(|r| r.id == category), "{}", remark.words);
            assert!(remark.block.is_some_and(|b| !b.of(&document.text).contains("refdrift")), "{language}");
        }
    }
    for text in fences(&page, "yaml") {
        let config = Config::parse(&text, PathBuf::from("refdrift.yml")).expect("a configuration");
        assert!(config.suppress.len() == 1 && config.baseline.is_some());
    }
    let folder = sample();
    let decision = example("decision", &record(&folder), &folder);
    assert!(contracts::validate(&decision, Some(RecordKind::Decision)).is_valid());
}

#[test]
fn the_commands_parse() {
    use clap::Parser;
    for text in fences(&page(), "sh") {
        for line in text.lines() {
            refdrift::cli::Cli::try_parse_from(line.split_whitespace()).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
    }
}
