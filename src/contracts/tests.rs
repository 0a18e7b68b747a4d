//! Records of every kind, right and wrong, and the shapes a text may have.

use serde_json::{Value, json};

use super::*;
use crate::value::canonical;

/// Expected: one line per violation.
#[track_caller]
fn check(text: &str, kind: Option<RecordKind>, expected: &[&str]) {
    let report = validate(text, kind);
    let got: Vec<String> = report.violations.iter().map(|v| format!("{:?} {v}", v.kind)).collect();
    assert_eq!(got, expected, "\n{}\n", got.join("\n"));
}

const CONFIRMED: &str = include_str!("../../fixtures/contracts/agent-finding/valid/confirmed.json");
const LEAD: &str = include_str!("../../fixtures/contracts/agent-finding/valid/needs-validation.json");
const REJECTED: &str = include_str!("../../fixtures/contracts/agent-finding/valid/rejected.json");
const REFERENCE: &str = include_str!("../../fixtures/contracts/finding/valid/from-the-reference.json");

fn changed(text: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    change(&mut value);
    serde_json::to_string_pretty(&value).expect("JSON")
}

#[test]
fn every_kind_has_a_row_and_a_schema_that_compiles() {
    for row in &KINDS {
        assert_eq!(row.kind.row().name, row.name);
        assert_eq!(RecordKind::from_name(row.name), Some(row.kind));
        assert!(row.compiled().validator.is_ok(), "{}: {:?}", row.name, row.compiled().validator.as_ref().err());
        assert_eq!(serde_json::to_value(row.kind).expect("JSON"), json!(row.name));
    }
}

#[test]
fn agent_findings_of_the_contract() {
    for text in [CONFIRMED, LEAD, REJECTED] {
        let report = validate(text, None);
        assert!(report.is_valid(), "{:?}", report.violations);
        assert_eq!(report.records, [RecordKind::AgentFinding]);
        let typed: AgentFinding = serde_json::from_str(text).expect("the type reads it");
        let back = serde_json::to_value(&typed).expect("JSON");
        assert_eq!(back, serde_json::from_str::<Value>(text).expect("JSON"));
    }
    check(
        include_str!("../../fixtures/contracts/agent-finding/rejected/confirmed-without-severity.json"),
        None,
        &[
            "Schema 1:1: the record: the field `severity` is missing; expected `severity` in this object: a confirmed finding says how bad it is and how sure the reviewer is",
        ],
    );
    check(
        include_str!("../../fixtures/contracts/agent-finding/rejected/lead-with-severity.json"),
        None,
        &[
            "Schema 25:15: /severity: the field does not belong here; expected the object without it: a lead says what blocked its proof and how to prove it, and has no severity",
        ],
    );
    check(
        include_str!("../../fixtures/contracts/agent-finding/rejected/lead-without-blocker.json"),
        None,
        &[
            "Schema 1:1: the record: the field `blockers` is missing; expected `blockers` in this object: a lead says what blocked its proof and how to prove it, and has no severity",
        ],
    );
    check(
        include_str!("../../fixtures/contracts/agent-finding/rejected/rejected-without-reason.json"),
        None,
        &[
            "Schema 1:1: the record: the field `reason` is missing; expected `reason` in this object: a rejected finding says why it does not stand",
        ],
    );
}

#[test]
fn agent_findings_beyond_the_schema() {
    check(
        &changed(CONFIRMED, |v| v["severity"]["impact"] = json!("medium")),
        None,
        &[
            "Consistency 32:25: /severity/overall_severity: the overall severity `high` is above the demonstrated impact `medium`; expected `medium` or lower",
        ],
    );
    check(
        &changed(CONFIRMED, |v| v["fingerprint"] = json!("a.js:The  cache")),
        None,
        &[
            "Identity 3:18: /fingerprint: the text behind the file is not in lower case with single blanks; expected `a.js:the cache`",
        ],
    );
    check(
        &changed(CONFIRMED, |v| v["fingerprint"] = json!("no file")),
        None,
        &["Identity 3:18: /fingerprint: there is no file in front of the text; expected `file:text`"],
    );
    check(
        &changed(CONFIRMED, |v| v["trace"][0]["file"] = json!("../x.js")),
        None,
        &["Consistency 8:15: /trace/0/file: `../x.js` leads out of the repository; expected a path from the repository's root"],
    );
    check(
        &changed(CONFIRMED, |v| v["severty"] = json!(1)),
        None,
        &[
            "Schema 47:14: /severty: `severty` is no field of this record; expected one of `verdict`, `fingerprint`, `title`, `description`, `trace`, `evidence`, `severity`, `confidence`, `remediation`, `claimed_root_cause`, `blockers`, `validation_plan`, `reason`",
        ],
    );
    check(&changed(CONFIRMED, |v| v["evidence"] = json!([])), None, &["Schema 13:15: /evidence: 0 items; expected at least 1"]);
    check(
        &changed(CONFIRMED, |v| v["confidence"]["level"] = json!("certain")),
        None,
        &["Schema 35:14: /confidence/level: `certain` is not allowed; expected one of `low`, `medium`, `high`, `critical`"],
    );
    check(
        &changed(LEAD, |v| v["validation_plan"] = json!({})),
        None,
        &["Schema 27:22: /validation_plan: 0 fields; expected at least 1"],
    );
    check(
        &changed(LEAD, |v| v["title"] = json!("😀".repeat(101))),
        None,
        &["Schema 4:12: /title: 202 characters; expected at most 200"],
    );
    check(&changed(LEAD, |v| v["title"] = json!("😀".repeat(100))), None, &[]);
    check(
        &changed(LEAD, |v| v["trace"][0]["line"] = json!(0)),
        None,
        &["Schema 9:15: /trace/0/line: `0` is too small; expected 1 or more"],
    );
    assert_eq!(fingerprint("a/b.js", "The  cache\nnever Expires"), "a/b.js:the cache never expires");
    assert!(fingerprint("a", &"x".repeat(500)).encode_utf16().count() <= 200);
}

/// A finding as refdrift writes it.
fn own(category: &str) -> Value {
    let (before, after) = ("1".repeat(64), "2".repeat(64));
    let target = "config-key:file:app.yaml:session.timeout";
    let (relevant, status, routing) = match category {
        "broken-reference" => (json!({"removedTargetId": target}), "conflict", "proposed"),
        _ => (
            json!({"changedTargetId": target, "beforeValueHash": before, "afterValueHash": after}),
            "stale-or-unverified",
            "routed-to-L2",
        ),
    };
    let assertion = json!({"document": "docs/a.md", "key": "session.timeout"});
    let id = canonical::hash(&json!({"category": category, "assertion": assertion, "relevantEvidence": relevant}));
    json!({
        "type": "finding",
        "schemaVersion": 1,
        "id": format!("finding:{id}"),
        "category": category,
        "assertion": assertion,
        "evidenceHash": canonical::hash(&relevant),
        "status": status,
        "layer": "L0",
        "confidence": 0.9,
        "severity": "warn",
        "entities": ["document:docs/a.md", target],
        "evidence": [
            {"source": "documentation", "path": "docs/a.md", "lineStart": 3, "lineEnd": 3, "context": "Head citation: says `30`"},
            {"source": "configuration", "path": "app.yaml", "context": format!("Base target valueHash: {before} (default 30)")},
            {"source": "configuration", "path": "app.yaml", "context": format!("Head target valueHash: {after} (default 60)")},
        ],
        "routing": routing,
        "coverage": [],
        "provenance": {"repository": "example", "revision": "abc", "configurationHash": "3".repeat(64)},
    })
}

#[test]
fn findings() {
    check(REFERENCE, None, &[]);
    for category in ["changed-reference", "broken-reference", "ambiguous-reference"] {
        let mut value = own(category);
        if category == "ambiguous-reference" {
            value["status"] = json!("unresolved");
        }
        check(&value.to_string(), Some(RecordKind::Finding), &[]);
    }
    let text = own("changed-reference").to_string();
    check(
        &changed(&text, |v| v["id"] = json!("finding:0")),
        None,
        &[
            "Identity 4:9: /id: the id is not that of category, assertion and relevant evidence; expected `finding:534a9fef117c747fdf315eb1c535beae53fe31975402d9b093205475e113c887`",
        ],
    );
    check(
        &changed(&text, |v| v["assertion"]["document"] = json!("docs/b.md")),
        None,
        &[
            "Identity 4:9: /id: the id is not that of category, assertion and relevant evidence; expected `finding:a67f0c06a87acbeafe9b26b483ed480aec41f12cb2672fed199cf24550869411`",
        ],
    );
    check(
        &changed(&text, |v| v["evidenceHash"] = json!("4".repeat(64))),
        None,
        &[
            "Hash 10:19: /evidenceHash: the hash is not that of the relevant evidence (the target with its value hashes); expected `9256e771ed9412dbfefd29c2b91bb052ecb1163ee2f17fc3b5a0a78ae7a9b85d`",
        ],
    );
    check(
        &changed(&text, |v| v["status"] = json!("conflict")),
        None,
        &["Consistency 11:13: /status: a changed-reference is never `conflict`; expected `stale-or-unverified`"],
    );
    check(
        &changed(&text, |v| v["routing"] = json!("proposed")),
        None,
        &[
            "Consistency 38:14: /routing: a changed-reference is proposed without interpretation; expected `routed-to-L2`, `excluded` or `pending-version`",
        ],
    );
    check(
        &changed(&text, |v| v["generator"] = json!("x")),
        None,
        &["Consistency 38:14: /routing: a finding in generated text is not excluded; expected `excluded`"],
    );
    check(
        &changed(&text, |v| v["evidence"][0]["lineEnd"] = json!(2)),
        None,
        &["Consistency 24:18: /evidence/0/lineEnd: the last line 2 is before the first line 3; expected 3 or more"],
    );
    check(
        &changed(&text, |v| v["priority"] = Value::Null),
        None,
        &[
            "Schema 45:15: /priority: `null` has the wrong type; expected string",
            "Schema 45:15: /priority: `null` is not allowed; expected one of `low`",
        ],
    );
    check(
        &changed(&text, |v| v["confidence"] = json!(1.5)),
        None,
        &["Schema 13:17: /confidence: `1.5` is too large; expected 1 or less"],
    );
    check(
        &changed(&text, |v| v["evidenceHash"] = json!("XYZ")),
        None,
        &["Schema 10:19: /evidenceHash: `XYZ` does not match; expected text that matches `^[a-f0-9]{64}$`"],
    );
    check(
        &changed(&text, |v| v["schemaVersion"] = json!(2)),
        None,
        &["Schema 3:20: /schemaVersion: `2` is not allowed; expected `1`"],
    );
    check(
        &changed(&text, |v| v["entities"] = json!(vec!["x"; 65])),
        None,
        &["Schema 15:15: /entities: 65 items; expected at most 64"],
    );
}

fn change_set() -> Value {
    let identity = |name: &str, hash: &str| json!({"id": format!("config-key:a:{name}"), "name": name, "valueHash": hash.repeat(64), "evidence": []});
    let mut set = json!({
        "type": "change-set",
        "schemaVersion": 1,
        "repository": {"name": "example"},
        "analysis": {
            "base": {"configurationHash": "1".repeat(64), "pipelineVersion": "1", "analyzerVersions": {}},
            "head": {"configurationHash": "1".repeat(64), "pipelineVersion": "1", "analyzerVersions": {"go": "1"}},
        },
        "baseRevision": "a",
        "headRevision": "b",
        "release": {"state": "unreleased"},
        "packages": [],
        "changes": [
            {"kind": "env-var", "op": "added", "after": identity("x", "1")},
            {"kind": "config-key", "op": "changed", "before": identity("k", "1"), "after": identity("k", "2"),
             "aspects": [{"pointer": "/default", "before": 30, "after": null}]},
            {"kind": "task", "op": "removed", "before": identity("t", "1"), "candidates": ["u"]},
        ],
        "contentHashAlgo": "sha256-semantic-v1",
        "coverage": [],
    });
    set["changes"].as_array_mut().expect("a list").sort_by_cached_key(canonical::to_string);
    set["contentHash"] = json!(content_hash(&set));
    set
}

fn rehashed(change: impl FnOnce(&mut Value)) -> String {
    let mut set = change_set();
    change(&mut set);
    set["contentHash"] = json!(content_hash(&set));
    set.to_string()
}

#[test]
fn change_sets() {
    check(&change_set().to_string(), None, &[]);
    let moved = changed(&change_set().to_string(), |v| v["headRevision"] = json!("c"));
    check(&moved, None, &[]);
    let reused = json!({"analyzer": "repository", "scope": "reused-entities", "status": "complete"});
    check(&changed(&change_set().to_string(), |v| v["coverage"] = json!([reused])), None, &[]);
    let typed: ChangeSetRecord = serde_json::from_value(change_set()).expect("the type reads it");
    assert_eq!(canonical::to_string(&typed), canonical::to_string(&change_set()));
    check(
        &changed(&change_set().to_string(), |v| v["repository"]["name"] = json!("other")),
        None,
        &[
            "Hash 77:18: /contentHash: the hash is not that of the content; expected `0ef5a94f6f8bd8f6eef993517e56525ffdb4afac70dde5fc2ff9243345c48d7e`",
        ],
    );
    check(
        &rehashed(|v| v["changes"].as_array_mut().expect("a list").reverse()),
        None,
        &[
            "Order 1:656: /changes/1: the list is not in canonical order: this entry belongs before the one above it; expected entries sorted by canonical JSON",
        ],
    );
    check(
        &rehashed(|v| v["changes"][1]["before"] = v["changes"][0]["before"].clone()),
        None,
        &[
            "Schema 1:1015: /changes/1/before: the field does not belong here; expected the object without it: an added fact is only at head",
        ],
    );
    check(
        &rehashed(|v| v["changes"][2]["compatibility"] = json!("compatible")),
        None,
        &[
            "Schema 1:1015: /changes/2/kind: `task` is not allowed; expected `signature`: compatibility is proven for changed signatures only",
            "Schema 1:1027: /changes/2/op: `removed` is not allowed; expected `changed`: compatibility is proven for changed signatures only",
        ],
    );
    check(
        &rehashed(|v| v["release"] = json!({"state": "released", "version": "1"})),
        None,
        &[
            "Schema 1:421: /release: the field `eventId` is missing; expected `eventId` in this object: a release has a version, an event and a package",
            "Schema 1:421: /release: the field `purl` is missing; expected `purl` in this object: a release has a version, an event and a package",
        ],
    );
    check(
        &rehashed(|v| v["release"]["version"] = json!("1")),
        None,
        &[
            "Schema 1:453: /release/version: the field does not belong here; expected the object without it: what is not released has no version, event or package",
        ],
    );
    check(
        &rehashed(|v| v["changes"][0]["after"]["valueHash"] = json!("1".repeat(64))),
        None,
        &["Consistency 1:696: /changes/0/after/valueHash: a changed fact has the same hash on both sides; expected two hashes"],
    );
    check(
        &rehashed(|v| v["changes"][0]["aspects"][0] = json!({"pointer": "default"})),
        None,
        &[
            "Consistency 1:789: /changes/0/aspects/0: an aspect without a value; expected `before`, `after` or both",
            "Consistency 1:800: /changes/0/aspects/0/pointer: `default` is no JSON pointer; expected an empty text, or one that begins with `/`",
        ],
    );
    check(
        &rehashed(|v| v["changes"][0]["op"] = json!("renamed")),
        None,
        &["Consistency 1:656: /changes/0/after/id: a renamed fact has the same id on both sides; expected two ids"],
    );
    check(
        &rehashed(|v| v["changes"][0]["kind"] = json!("colour")),
        None,
        &[
            "Schema 1:477: /changes/0/kind: `colour` is not allowed; expected one of `symbol`, `signature`, `constant`, `cli-command`, `cli-flag`, `config-key`, `env-var`, `task`, `action-input`, `package`, `module`, `doc-path`",
        ],
    );
}

#[test]
fn decisions() {
    let decision = json!({
        "type": "decision", "schemaVersion": 1, "target": {"kind": "finding", "id": "finding:1"}, "by": "someone",
        "reason": "out-of-scope", "evidenceHash": "1".repeat(64),
    });
    check(&decision.to_string(), None, &[]);
    check(
        &changed(&decision.to_string(), |v| v["reason"] = json!("because")),
        None,
        &[
            "Schema 9:13: /reason: `because` is not allowed; expected one of `not-a-divergence`, `wrong-fix`, `code-should-change`, `out-of-scope`",
        ],
    );
    check(
        &changed(&decision.to_string(), |v| v["target"]["kind"] = json!("person")),
        None,
        &["Schema 5:13: /target/kind: `person` is not allowed; expected one of `finding`, `remediation`"],
    );
}

#[test]
fn baselines() {
    let entry = |document: &str, id: &str| {
        json!({"document": document, "category": "broken-reference", "key": "x", "id": format!("finding:{}", id.repeat(64)),
            "evidenceHash": "1".repeat(64)})
    };
    let baseline = |findings: Vec<Value>| json!({"type": "baseline", "schemaVersion": 1, "findings": findings}).to_string();
    check(&baseline(vec![]), None, &[]);
    check(&baseline(vec![entry("a.md", "1"), entry("a.md", "2"), entry("b.md", "0")]), Some(RecordKind::Baseline), &[]);
    check(
        &baseline(vec![entry("b.md", "1"), entry("a.md", "2")]),
        None,
        &[
            "Order 1:272: /findings/1: the list is not in canonical order: this entry belongs before the one above it; expected entries sorted by document, category, key, id and hash",
        ],
    );
    check(
        &baseline(vec![entry("a.md", "1"), entry("a.md", "1")]),
        None,
        &["Order 1:272: /findings/1: the entry stands twice; expected each entry once"],
    );
    check(
        &baseline(vec![entry("a.md", "1"), entry("b.md", "1")]),
        None,
        &[
            "Order 1:336: /findings/1/id: the finding `finding:1111111111111111111111111111111111111111111111111111111111111111` stands twice; expected each finding once",
        ],
    );
    check(
        &baseline(vec![entry("a.md", "G")]),
        None,
        &[
            "Schema 1:114: /findings/0/id: `finding:GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG` does not match; expected text that matches `^finding:[a-f0-9]{64}$`",
        ],
    );
}

#[test]
fn lines_of_a_file_that_is_known_to_hold_them() {
    assert!(validate_lines("", None).is_valid() && validate_lines("\n \n", None).records.is_empty());
    let report = validate_lines("not JSON\n{\"verdict\": 1}\n", None);
    let lines: Vec<u32> = report.violations.iter().map(|v| v.line).collect();
    assert!(lines.first() == Some(&1) && lines.contains(&2), "{lines:?}");
}

#[test]
fn shapes_of_texts() {
    let one = |text: &str| serde_json::from_str::<Value>(text).expect("JSON").to_string();
    let lines = format!("{}\n\n{}\r\n", one(CONFIRMED), own("broken-reference"));
    let report = validate(&lines, None);
    assert!(report.is_valid(), "{:?}", report.violations);
    assert_eq!(report.records, [RecordKind::AgentFinding, RecordKind::Finding]);
    let array = format!("[{LEAD},{}]", own("changed-reference"));
    assert_eq!(validate(&array, None).records, [RecordKind::AgentFinding, RecordKind::Finding]);
    check(
        &format!("[{REJECTED},{{}}, 1]"),
        None,
        &[
            "Kind 25:2: /1: this is no record of a known kind; expected an object with a `type` or `verdict`: `finding`, `change-set`, `sidecar`, `decision`, `agent-finding`, `baseline`",
            "Kind 25:6: /2: this is no record of a known kind; expected an object with a `type` or `verdict`: `finding`, `change-set`, `sidecar`, `decision`, `agent-finding`, `baseline`",
        ],
    );
    check(
        &format!("{}\n{{\"verdict\": \"maybe\"}}\n{{\"a\":1,\"a\":2}}\n{{}} x\n", one(CONFIRMED)),
        None,
        &[
            "Schema 2:1: the record: the field `fingerprint` is missing; expected `fingerprint` in this object",
            "Schema 2:1: the record: the field `title` is missing; expected `title` in this object",
            "Schema 2:1: the record: the field `description` is missing; expected `description` in this object",
            "Schema 2:1: the record: the field `trace` is missing; expected `trace` in this object",
            "Schema 2:1: the record: the field `evidence` is missing; expected `evidence` in this object",
            "Schema 2:13: /verdict: `maybe` is not allowed; expected one of `confirmed`, `needs_validation`, `rejected`",
            "DuplicateKey 3:8: /a: the key `a` stands twice; expected each key once: readers differ in which of two they take",
            "Syntax 4:4: the record: there is text behind the record; expected nothing, or one record a line",
        ],
    );
    check(
        &format!("{CONFIRMED} trailing"),
        None,
        &["Syntax 48:2: the record: there is text behind the record; expected nothing, or one record a line"],
    );
    check(
        "",
        None,
        &[
            "Syntax 1:1: the record: the end of the text is no JSON value; expected an object, array, string, number, `true`, `false` or `null`",
        ],
    );
    check(
        "{\"verdict\": NaN}",
        None,
        &["Syntax 1:13: /verdict: `NaN` is no JSON value; expected an object, array, string, number, `true`, `false` or `null`"],
    );
    check(
        "{\n  \"a\": {\"b\": 1,\n        \"b\": 2}\n}",
        None,
        &["DuplicateKey 3:9: /a/b: the key `b` stands twice; expected each key once: readers differ in which of two they take"],
    );
    check(
        &"[".repeat(200),
        None,
        &[
            "Syntax 1:129: /0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0: more than 128 levels of nesting; expected a record of moderate depth",
        ],
    );
    check(
        "{\"type\": \"thing\"}",
        None,
        &[
            "Kind 1:1: the record: this is no record of a known kind; expected an object with a `type` or `verdict`: `finding`, `change-set`, `sidecar`, `decision`, `agent-finding`, `baseline`",
        ],
    );
    check("[]", None, &[]);
    check(
        "{\"type\": \"finding\"}",
        Some(RecordKind::Decision),
        &[
            "Schema 1:1: the record: the field `schemaVersion` is missing; expected `schemaVersion` in this object",
            "Schema 1:1: the record: the field `target` is missing; expected `target` in this object",
            "Schema 1:1: the record: the field `by` is missing; expected `by` in this object",
            "Schema 1:1: the record: the field `reason` is missing; expected `reason` in this object",
            "Schema 1:1: the record: the field `evidenceHash` is missing; expected `evidenceHash` in this object",
            "Schema 1:10: /type: `finding` is not allowed; expected `decision`",
        ],
    );
    let many = validate(&json!(vec![json!({"verdict": "confirmed"}); 100]).to_string(), None);
    assert!(many.violations.len() <= 100 * 10);
    let deep = validate(
        &format!("{{\"verdict\":\"confirmed\",{}}}", (0..500).map(|i| format!("\"k{i}\":1")).collect::<Vec<_>>().join(",")),
        None,
    );
    assert!(deep.is_cut);
}
