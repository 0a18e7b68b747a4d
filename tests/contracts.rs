//! What refdrift writes is valid by its own contracts, and what was changed by hand is not.
#![allow(clippy::panic, reason = "tests")]

mod support;

use refdrift::contracts::{RecordKind, validate};
use serde_json::{Value, json};

/// The sidecar of the sample repository.
fn sidecar() -> Value {
    let fixture = support::root().join("fixtures/demo");
    let (before, after) = (support::read_tree(&fixture.join("before")), support::read_tree(&fixture.join("after")));
    let folder = support::repository(&[&before, &after]);
    serde_json::to_value(support::analyze(folder.path()).sidecar).expect("JSON")
}

/// Expected: the start of each violation's line, without its place in the text.
#[track_caller]
fn check(value: &Value, expected: &[&str]) {
    let report = validate(&serde_json::to_string_pretty(value).expect("JSON"), None);
    let plain = |text: &str| match text.split_once("`finding:") {
        Some((before, rest)) if rest.len() == 65 => format!("{before}[id]"),
        _ => text.to_owned(),
    };
    let got: Vec<String> = report.violations.iter().map(|v| format!("{:?} {}: {}", v.kind, v.pointer, plain(&v.wrong))).collect();
    assert_eq!(got, expected, "\n{}\n", got.join("\n"));
}

#[test]
fn the_sample_is_valid() {
    let value = sidecar();
    check(&value, &[]);
    let findings = value["policy"]["findings"].as_array().expect("a list");
    assert!(findings.len() > 2, "the sample has findings");
    let lines: Vec<String> = findings.iter().map(Value::to_string).collect();
    let report = validate(&lines.join("\n"), Some(RecordKind::Finding));
    assert!(report.is_valid(), "{:?}", report.violations);
    assert_eq!(report.records.len(), findings.len());
    check(&value["changeSet"], &[]);
}

#[test]
fn every_fixture_is_valid() {
    let Ok(cases) = std::fs::read_dir(support::root().join("fixtures/repos")) else { return };
    for case in cases.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let (before, after) = (support::read_tree(&case.join("before")), support::read_tree(&case.join("after")));
        let folder = support::repository(&[&before, &after]);
        let text = serde_json::to_string(&support::analyze(folder.path()).sidecar).expect("JSON");
        let report = validate(&text, Some(RecordKind::Sidecar));
        assert!(report.is_valid(), "{}: {:#?}", case.display(), report.violations);
    }
}

#[test]
fn tampering_shows() {
    let original = sidecar();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut value = original.clone();
        change(&mut value);
        value
    };
    check(&with(&|v| v["policy"]["counts"]["excluded"] = json!(40)), &["Count /policy/counts/excluded: 40 findings are counted"]);
    check(
        &with(&|v| drop(v["groups"]["pending"].as_array_mut().expect("a list").pop())),
        &["Count /groups/pending: 5 ids that are not those of the group"],
    );
    check(
        &with(&|v| drop(v["findings"].as_array_mut().expect("a list").pop())),
        &[
            "Consistency /findings: the list is not the visible part of `policy.findings`",
            "Count /groups/pending/5: 6 ids that are not those of the group",
        ],
    );
    check(
        &with(&|v| v["policy"]["findings"].as_array_mut().expect("a list").reverse()),
        &[
            "Consistency /findings/0: the list is not the visible part of `policy.findings`",
            "Order /policy/findings/1: the list is not in canonical order: this entry belongs before the one above it",
        ],
    );
    check(
        &with(&|v| v["policy"]["findings"][0]["provenance"]["revision"] = json!("x")),
        &[
            "Consistency /findings/0/provenance/revision: the list is not the visible part of `policy.findings`",
            "Consistency /policy/findings/0/provenance/revision: `x` is not what the sidecar says",
        ],
    );
    check(
        &with(&|v| v["changeSet"]["changes"][0]["kind"] = json!("task")),
        &["Hash /changeSet/contentHash: the hash is not that of the content"],
    );
    check(
        &with(&|v| v["changedFacts"][0]["places"][0]["finding"] = json!("finding:1")),
        &[
            "Consistency /policy/findings/4/id: no changed fact has a place for [id]",
            "Consistency /changedFacts/0/places/0/finding: there is no finding `finding:1`",
        ],
    );
    check(
        &with(&|v| v["suppressions"] = json!([{"finding": "finding:1", "source": "config", "reason": "x"}])),
        &[
            "Count /policy/counts/suppressed: 0 findings are counted",
            "Consistency /suppressions/0/finding: there is no finding `finding:1`",
        ],
    );
    check(
        &with(&|v| v["changedFacts"][0]["places"][0]["document"] = json!("other.md")),
        &["Consistency /changedFacts/0/places/0/document: the place lies in another document than its finding"],
    );
    check(
        &with(&|v| v["changedFacts"][0]["places"][0]["line"] = json!(999)),
        &["Consistency /changedFacts/0/places/0/line: no evidence of the finding stands on this line"],
    );
    check(
        &with(&|v| v["changedFacts"][0]["name"] = json!("lies")),
        &["Consistency /changedFacts/0/name: the fact has another name than its findings"],
    );
    check(&with(&|v| v["tool"]["extra"] = json!(1)), &["Schema /tool/extra: `extra` is no field of this record"]);
}

/// A list of a hundred thousand things that are no records is refused after the first few, and the report says that there are more.
#[test]
fn a_long_list_of_no_records_is_cut() {
    let text = format!("[{}]", vec!["1"; 100_000].join(","));
    let report = validate(&text, None);
    assert!(report.is_cut && !report.violations.is_empty() && report.violations.len() < 100, "{}", report.violations.len());
    let lines = "x\n".repeat(100_000);
    let report = validate(&lines, None);
    assert!(!report.is_valid());
    let report = refdrift::contracts::validate_lines(&lines, None);
    assert!(report.is_cut && report.violations.len() <= 501, "{}", report.violations.len());
}
