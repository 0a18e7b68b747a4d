//! Sidecars for the tests of delivery.

use serde_json::{Value, json};

use crate::model::{ChangeOp, ChangedFact, Sidecar};
use crate::value::canonical;

/// A fact: its file, its name, and the places that cite it.
pub(super) type Sample<'a> = (&'a str, &'a str, &'a [(&'a str, u32)]);

/// A valid sidecar with a setting for each sample, changed from 30 to 60 on line 10 of its file.
pub(super) fn sidecar(facts: &[Sample<'_>]) -> Sidecar {
    let revision = "a".repeat(40);
    let hash = "0".repeat(64);
    let (mut findings, mut changed) = (Vec::new(), Vec::new());
    for (file, name, cited) in facts {
        let id = format!("config-key:{file}:{}", name.chars().take(300).collect::<String>());
        let mut places: Vec<Value> = Vec::new();
        for (document, line) in *cited {
            let finding = format!("finding:{}", canonical::hash(&json!([id, document])));
            if !places.iter().any(|p| p["finding"] == json!(finding)) {
                findings.push(json!({"type": "finding", "schemaVersion": 1, "id": finding, "category": "changed-reference",
                    "assertion": {"document": document, "key": name}, "evidenceHash": hash, "status": "stale-or-unverified",
                    "layer": "L2", "confidence": 0.9, "severity": "warn", "entities": [],
                    "evidence": [{"source": "documentation", "path": document, "lineStart": line, "lineEnd": line}],
                    "routing": "routed-to-L2", "coverage": [],
                    "provenance": {"repository": "r", "revision": revision, "configurationHash": hash}}));
            }
            places.push(json!({"finding": finding, "document": document, "line": line, "columnStart": 12, "columnEnd": 14,
                "text": format!("{} is 30", name.chars().take(100).collect::<String>()), "stale": "30", "rule": "old-value",
                "form": "prose", "confidence": 0.9}));
        }
        let at = json!({"path": file, "lineStart": 10, "lineEnd": 12});
        changed.push(json!({"id": id, "kind": "config-key", "name": name, "op": "changed", "summary": "30 -> 60", "cause": id,
            "aspects": [{"pointer": "/default", "before": 30, "after": 60}], "candidates": [], "before": at, "after": at,
            "places": places}));
    }
    findings.sort_by_key(|f| f["id"].as_str().map(str::to_owned));
    changed.sort_by_key(|f| f["id"].as_str().map(str::to_owned));
    let count = findings.len();
    let text = json!({"type": "policy-sidecar", "schemaVersion": 1, "tool": {"name": "refdrift", "version": "0.1.0"},
        "repository": "r", "revisions": {"base": "b".repeat(40), "head": revision},
        "pullRequest": {"repository": "o/r", "number": 7, "head": revision, "diffs": []},
        "configuration": {"hash": hash, "minConfidence": 0.5, "failOn": "off"}, "changeSet": {},
        "impact": {"documentsToReview": [], "changedDocumentation": []}, "findings": findings,
        "groups": {"pending": findings.iter().map(|f| f["id"].clone()).collect::<Vec<_>>(), "updatedInThisChange": []},
        "policy": {"enabled": true, "findings": findings, "counts": {"proposed": 0, "excluded": 0, "routed-to-L2": count,
            "pending-version": 0, "generator": 0, "historical": 0, "suppressed": 0, "below-min-confidence": 0}},
        "changedFacts": changed, "suppressions": [], "coverage": [], "notices": []});
    serde_json::from_value(text).expect("a sidecar")
}

/// Turns a changed fact into a removed one.
pub(super) fn remove(fact: &mut ChangedFact) {
    fact.op = ChangeOp::Removed;
    fact.after = None;
    fact.aspects.clear();
    for place in &mut fact.places {
        place.rule = crate::model::ClaimRule::Existence;
        place.stale = fact.name.clone();
    }
}
