//! Suppressions from comments, configuration, decisions and baselines: what they keep back, when they end, and what is
//! noticed about them.
#![allow(clippy::disallowed_methods, clippy::panic, reason = "tests write and read their own files")]

mod support;

use std::path::Path;

use refdrift::app::{BaselineChoice, CheckOptions, baseline, check};
use refdrift::contracts::{self, RecordKind};
use refdrift::git::RangeOptions;
use refdrift::model::{NoticeCode, Routing, Sidecar};
use tempfile::TempDir;

const BEFORE: &str = "import os\n\nLIMIT = os.environ[\"QUEUE_DEPTH_LIMIT\"]\nSIZE = os.environ[\"POOL_SIZE_LIMIT\"]\n";
const AFTER: &str = "import os\n";

/// A repository whose last commit removes two variables that a document names.
fn repository(name: &str, document: &str) -> TempDir {
    support::pair(&[("src/app.py", BEFORE), (name, document)], &[("src/app.py", AFTER), (name, document)])
}

fn options(folder: &Path) -> CheckOptions {
    CheckOptions {
        repository: folder.to_owned(),
        range: RangeOptions { base: Some("HEAD~1".to_owned()), head: Some("HEAD".to_owned()) },
        today: Some("2026-06-15".to_owned()),
        ..CheckOptions::default()
    }
}

/// Runs a check, and demands of every record what its contract demands.
fn run(options: &CheckOptions) -> Sidecar {
    let sidecar = check(options).expect("an analysis").0.sidecar;
    let text = serde_json::to_string_pretty(&sidecar).expect("JSON");
    let report = contracts::validate(&text, Some(RecordKind::Sidecar));
    assert!(report.is_valid(), "{:#?}", report.violations);
    sidecar
}

fn shown(sidecar: &Sidecar) -> Vec<String> {
    let mut out: Vec<String> = sidecar.findings.iter().map(|f| f.assertion.key.clone()).collect();
    out.sort();
    out
}

/// The suppressions as `key source: reason`.
fn suppressed(sidecar: &Sidecar) -> Vec<String> {
    let mut out: Vec<String> = sidecar
        .suppressions
        .iter()
        .map(|s| {
            let finding = sidecar.policy.findings.iter().find(|f| f.id == s.finding).expect("its finding");
            assert_eq!(finding.routing, Routing::Excluded);
            let coverage = finding.coverage.last().and_then(|c| c.reason.clone()).unwrap_or_default();
            assert!(coverage.starts_with("Suppressed by ") && coverage.contains(&s.reason), "{coverage}");
            format!("{} {}: {}", finding.assertion.key, s.source, s.reason)
        })
        .collect();
    assert_eq!(sidecar.policy.counts.suppressed, out.len());
    out.sort();
    out
}

fn notices(sidecar: &Sidecar, code: NoticeCode) -> Vec<String> {
    sidecar.notices.iter().filter(|n| n.code == code).map(|n| n.message.clone()).collect()
}

const NAMES: &str = "Set `QUEUE_DEPTH_LIMIT` first.\n\nThen set `POOL_SIZE_LIMIT`.\n";

#[test]
fn a_comment_allows_the_next_block() {
    for (name, comment) in [
        ("docs/a.md", "<!-- refdrift: allow broken-reference kept for old users -->"),
        ("docs/a.md", "<!-- refdrift: allow broken-reference `QUEUE_DEPTH_LIMIT` kept for old users -->"),
        ("docs/a.md", "<!-- refdrift: allow broken-reference QUEUE_DEPTH_LIMIT kept for old users -->"),
        ("docs/a.md", "[//]: # (refdrift: allow broken-reference kept for old users)\n"),
        ("docs/a.mdx", "{/* refdrift: allow broken-reference kept for old users */}\n"),
        ("docs/a.rst", ".. refdrift: allow broken-reference kept for old users\n"),
        ("docs/a.adoc", "// refdrift: allow broken-reference kept for old users"),
    ] {
        let title = if name.ends_with("rst") { "Title\n=====\n\n" } else { "" };
        let names = if name.ends_with("rst") { NAMES.replace('`', "``") } else { NAMES.to_owned() };
        let folder = repository(name, &format!("{title}{comment}\n{names}"));
        let sidecar = run(&options(folder.path()));
        assert_eq!(shown(&sidecar), ["POOL_SIZE_LIMIT"], "{name}: {comment}");
        assert_eq!(suppressed(&sidecar), ["QUEUE_DEPTH_LIMIT comment: kept for old users"], "{name}: {comment}");
        assert!(sidecar.notices.is_empty(), "{:?}", sidecar.notices);
    }
}

#[test]
fn a_finding_stays_where_one_of_its_places_is_not_allowed() {
    let text = "<!-- refdrift: allow broken-reference kept -->\nSet `QUEUE_DEPTH_LIMIT`.\n\nAgain: `QUEUE_DEPTH_LIMIT`.\n";
    let folder = repository("docs/a.md", text);
    let sidecar = run(&options(folder.path()));
    assert_eq!(shown(&sidecar), ["QUEUE_DEPTH_LIMIT"]);
    assert!(sidecar.suppressions.is_empty() && sidecar.notices.is_empty());
    let places: Vec<u32> = sidecar.changed_facts.iter().flat_map(|f| &f.places).map(|p| p.line).collect();
    assert_eq!(places, [4]);
    let reasons: Vec<&str> = sidecar.findings[0].coverage.iter().filter_map(|c| c.reason.as_deref()).collect();
    assert!(reasons.iter().any(|r| r.contains("1 citing place is allowed")), "{reasons:?}");
}

#[test]
fn comments_of_no_use_or_no_sense_are_noticed() {
    for (comment, code, words) in [
        ("allow changed-reference kept", NoticeCode::UnusedSuppression, "line 1: `allow changed-reference` suppresses nothing"),
        ("allow broken-reference", NoticeCode::InvalidSuppression, "gives no reason"),
        ("allow broken kept", NoticeCode::InvalidSuppression, "`broken` is no category"),
        ("alow broken-reference kept", NoticeCode::InvalidSuppression, "`refdrift: alow` is not understood"),
    ] {
        let folder = repository("docs/a.md", &format!("<!-- refdrift: {comment} -->\n{NAMES}"));
        let sidecar = run(&options(folder.path()));
        assert_eq!(shown(&sidecar).len(), 2, "{comment}");
        let found = notices(&sidecar, code);
        assert!(found.len() == 1 && found[0].contains(words), "{comment}: {:?}", sidecar.notices);
    }
    // A comment about something that this change leaves alone is no matter of this change.
    let folder = repository("docs/a.md", &format!("{NAMES}\n<!-- refdrift: allow broken-reference kept -->\nNothing here.\n"));
    assert!(run(&options(folder.path())).notices.is_empty());
}

/// A check with a configuration.
fn configured(folder: &Path, text: &str) -> Sidecar {
    std::fs::write(folder.join("refdrift.yml"), text).expect("written");
    run(&options(folder))
}

#[test]
fn the_configuration_suppresses_by_document_fact_and_category() {
    let folder = repository("docs/a.md", NAMES);
    for (rule, expected) in [
        ("document: 'docs/**'", 0),
        ("document: 'guide/**'", 2),
        ("fact: QUEUE_*", 1),
        ("fact: '*_LIMIT'", 0),
        ("category: broken-reference", 0),
        ("category: changed-reference", 2),
        ("fact: QUEUE_*, until: '2026-06-15'", 1),
        ("fact: QUEUE_*, until: '2026-06-14'", 2),
    ] {
        let sidecar = configured(folder.path(), &format!("suppress: [{{{rule}, reason: known}}]\n"));
        assert_eq!(shown(&sidecar).len(), expected, "{rule}");
        assert_eq!(suppressed(&sidecar).len(), 2 - expected, "{rule}");
        let wanted = match rule {
            r if r.ends_with("14'") => Some((NoticeCode::ExpiredSuppression, "held until 2026-06-14")),
            r if r.contains("changed") => {
                Some((NoticeCode::UnusedSuppression, "category `changed-reference` suppresses nothing"))
            }
            _ => None,
        };
        match wanted {
            None => assert!(sidecar.notices.is_empty(), "{rule}: {:?}", sidecar.notices),
            Some((code, words)) => assert!(notices(&sidecar, code)[0].contains(words), "{rule}: {:?}", sidecar.notices),
        }
    }
    let sidecar = configured(folder.path(), "suppress: [{category: broken, reason: known}]\n");
    assert!(notices(&sidecar, NoticeCode::InvalidSuppression)[0].contains("names no category"), "{:?}", sidecar.notices);
    for (rule, words) in [
        ("{fact: x, reason: ' '}", "empty reason"),
        ("{fact: x, reason: y, until: soon}", "`soon` is no day"),
        ("{fact: x, reason: y, until: '2026-02-30'}", "`2026-02-30` is no day"),
        ("{document: 'a[', reason: y}", "is not a glob"),
    ] {
        std::fs::write(folder.path().join("refdrift.yml"), format!("suppress: [{rule}]\n")).expect("written");
        let error = check(&options(folder.path())).expect_err("refused").to_string();
        assert!(error.contains(words), "{rule}: {error}");
    }
}

#[test]
fn without_the_policy_nothing_is_kept_back() {
    let folder = repository("docs/a.md", &format!("<!-- refdrift: allow broken-reference kept -->\n{NAMES}"));
    let sidecar = run(&CheckOptions { no_policy: true, ..options(folder.path()) });
    assert_eq!((shown(&sidecar).len(), sidecar.suppressions.len()), (2, 0));
}

#[test]
fn a_decision_holds_while_the_evidence_is_the_same() {
    let folder = repository("docs/a.md", NAMES);
    let first = run(&options(folder.path())).findings[0].clone();
    let decision = |hash: &str, reason: &str| {
        serde_json::json!({
            "type": "decision", "schemaVersion": 1, "target": {"kind": "finding", "id": first.id},
            "by": "ana", "reason": reason, "evidenceHash": hash,
        })
        .to_string()
    };
    let file = folder.path().join(".github/refdrift-decisions.json");
    std::fs::create_dir_all(folder.path().join(".github")).expect("a folder");
    let decided = |text: &str| {
        std::fs::write(&file, text).expect("written");
        run(&options(folder.path()))
    };
    let right = decision(&first.evidence_hash, "not-a-divergence");
    let later = decision(&first.evidence_hash, "code-should-change");
    for (text, reason) in [
        (right.clone(), "not-a-divergence"),
        (format!("[{right}]"), "not-a-divergence"),
        (format!("{right}\n{later}\n"), "code-should-change"),
    ] {
        let sidecar = decided(&text);
        assert_eq!(shown(&sidecar).len(), 1, "{text}");
        assert_eq!(suppressed(&sidecar), [format!("{} decision: {reason}, decided by ana", first.assertion.key)]);
        assert!(sidecar.notices.is_empty(), "{:?}", sidecar.notices);
    }
    let sidecar = decided(&decision(&"0".repeat(64), "out-of-scope"));
    assert_eq!(shown(&sidecar).len(), 2);
    assert!(notices(&sidecar, NoticeCode::ExpiredSuppression)[0].contains("has changed"), "{:?}", sidecar.notices);
    let twice = right.replacen('{', "{\"by\":\"eve\",", 1);
    for broken in ["{", "{\"type\": \"decision\"}", &right.replace("not-a-divergence", "because"), &twice] {
        let sidecar = decided(broken);
        assert_eq!(shown(&sidecar).len(), 2, "{broken}");
        assert_eq!(notices(&sidecar, NoticeCode::InvalidSuppression).len(), 1, "{broken}: {:?}", sidecar.notices);
    }
    let remediation = right.replace("\"kind\":\"finding\"", "\"kind\":\"remediation\"");
    assert_eq!(shown(&decided(&remediation)).len(), 2, "a remediation that was turned down leaves its finding");
}

#[test]
fn a_baseline_keeps_what_it_knows_back_until_the_evidence_changes() {
    let folder = repository("docs/a.md", NAMES);
    let text = baseline(&options(folder.path())).expect("a baseline");
    assert!(!text.contains("\"line") && !text.contains("HEAD"), "{text}");
    std::fs::write(folder.path().join("known.json"), &text).expect("written");
    let with =
        |folder: &Path, path: &Path| run(&CheckOptions { baseline: BaselineChoice::File(path.to_owned()), ..options(folder) });
    let known = folder.path().join("known.json");
    let sidecar = with(folder.path(), &known);
    assert_eq!((shown(&sidecar).len(), suppressed(&sidecar).len()), (0, 2));
    assert!(suppressed(&sidecar)[0].contains("baseline: known before and accepted"));
    // Writing it again does not lose what it holds, and the configuration can name it.
    std::fs::write(folder.path().join("refdrift.yml"), "baseline: known.json\n").expect("written");
    assert_eq!(baseline(&options(folder.path())).expect("a baseline"), text);
    assert!(shown(&run(&options(folder.path()))).is_empty());

    // Lines and other text move: the same identity.
    let moved = repository("docs/a.md", &format!("# Title\n\nMore words.\n\n{NAMES}"));
    assert!(shown(&with(moved.path(), &known)).is_empty());

    // One of the two is gone from the text: its entry is of no use.
    let fixed = repository("docs/a.md", "Set `QUEUE_DEPTH_LIMIT` first.\n");
    let sidecar = with(fixed.path(), &known);
    assert!(notices(&sidecar, NoticeCode::UnusedSuppression)[0].starts_with("1 entry of the baseline"), "{:?}", sidecar.notices);

    std::fs::write(&known, "{}").expect("written");
    let options = CheckOptions { baseline: BaselineChoice::File(known), ..options(folder.path()) };
    assert!(check(&options).expect_err("refused").to_string().contains("is no baseline"));
}

#[test]
fn changed_evidence_ends_an_entry_of_the_baseline() {
    let document = "`queue_depth` is 5 by default: `queue_depth = 5`.\n";
    let at = |value: &str| {
        support::pair(
            &[("settings.toml", "queue_depth = 5\n"), ("README.md", document)],
            &[("settings.toml", &format!("queue_depth = {value}\n")), ("README.md", document)],
        )
    };
    let first = at("6");
    let text = baseline(&options(first.path())).expect("a baseline");
    assert!(text.contains("\"changed-reference\""), "{text}");
    let second = at("7");
    let known = second.path().join("known.json");
    std::fs::write(&known, &text).expect("written");
    let sidecar = run(&CheckOptions { baseline: BaselineChoice::File(known), ..options(second.path()) });
    assert_eq!(shown(&sidecar).len(), 1, "another value is another finding");
    assert!(notices(&sidecar, NoticeCode::ExpiredSuppression)[0].contains("has changed"), "{:?}", sidecar.notices);
}

#[test]
fn what_was_accepted_is_part_of_the_settings() {
    let document = "# a\n\n`QUEUE_DEPTH_LIMIT` and `POOL_SIZE_LIMIT` are read.\n";
    let folder = repository("a.md", document);
    let plain = run(&options(folder.path()));
    let settings = |s: &Sidecar| (s.configuration.baseline_hash.clone(), s.configuration.decisions_hash.clone());
    assert_eq!(settings(&plain), (None, None));
    let known = folder.path().join("known.json");
    let with = |text: &str| {
        std::fs::write(&known, text).expect("written");
        run(&CheckOptions { baseline: BaselineChoice::File(known.clone()), ..options(folder.path()) })
    };
    let whole = baseline(&options(folder.path())).expect("a baseline");
    let all = with(&whole);
    assert!(all.configuration.baseline_hash.is_some());
    // Another form is the same baseline, another content is another one.
    let value: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    assert_eq!(settings(&with(&value.to_string())), settings(&all));
    let mut less = value.clone();
    less["findings"].as_array_mut().expect("a list").pop();
    assert_ne!(settings(&with(&less.to_string())), settings(&all));
    // A list that a merge left out of order says the same; what is no baseline says nothing.
    let mut turned = value;
    turned["findings"].as_array_mut().expect("a list").reverse();
    assert_eq!(shown(&with(&turned.to_string())), Vec::<String>::new());
}
