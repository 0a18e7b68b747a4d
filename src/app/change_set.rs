//! The change set as a record (reference, section 3), with our additional kinds and optional fields.

use serde_json::{Map, Value, json};

use crate::findings::value_hash;
use crate::git::Range;
use crate::model::{Change, ChangeOp, ChangeSet, Coverage, Fact, FactKind, Provenance};
use crate::value::canonical;

/// Most changes in a record; what documents cite is listed in `changedFacts` in any case.
const MAX_CHANGES: usize = 20_000;

pub(super) fn record(changes: &ChangeSet, range: &Range, provenance: &Provenance, coverage: &[Coverage]) -> Value {
    let analysis = json!({
        "configurationHash": provenance.configuration_hash,
        "pipelineVersion": env!("CARGO_PKG_VERSION"),
        "analyzerVersions": {},
    });
    let mut list: Vec<Value> = changes.changes.iter().take(MAX_CHANGES).map(change).collect();
    list.sort_by_cached_key(canonical::to_string);
    let mut coverage: Vec<Value> = coverage.iter().filter_map(|c| serde_json::to_value(c).ok()).collect();
    if changes.changes.len() > MAX_CHANGES {
        coverage.push(json!({"analyzer": "changes", "scope": "limits:changes", "status": "partial",
            "reason": format!("{} changes; {MAX_CHANGES} are listed", changes.changes.len())}));
    }
    coverage.sort_by_cached_key(canonical::to_string);
    let mut record = json!({
        "type": "change-set",
        "schemaVersion": 1,
        "repository": {"name": provenance.repository.chars().take(128).collect::<String>()},
        "analysis": {"base": analysis.clone(), "head": analysis},
        "baseRevision": range.base.to_string(),
        "headRevision": range.head.to_string(),
        "release": {"state": "unreleased"},
        "packages": [],
        "changes": list,
        "contentHashAlgo": "sha256-semantic-v1",
        "coverage": coverage,
    });
    let hash = content_hash(&record);
    if let Some(map) = record.as_object_mut() {
        map.insert("contentHash".to_owned(), Value::String(hash));
    }
    record
}

/// Hash of the record without its hash and revisions (reference, section 3).
fn content_hash(record: &Value) -> String {
    let mut copy = record.clone();
    if let Some(map) = copy.as_object_mut() {
        for key in ["contentHash", "baseRevision", "headRevision"] {
            map.remove(key);
        }
    }
    canonical::hash(&copy)
}

fn bounded(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}

fn identity(fact: &Fact) -> Value {
    let mut evidence = Map::new();
    evidence.insert("source".to_owned(), json!(if fact.kind == FactKind::DocPath { "documentation" } else { "code" }));
    evidence.insert("path".to_owned(), json!(bounded(fact.path.as_str(), 512)));
    if !fact.kind.is_path() {
        evidence.insert("lineStart".to_owned(), json!(fact.lines.start.get()));
        evidence.insert("lineEnd".to_owned(), json!(fact.lines.end.get()));
    }
    json!({
        "id": bounded(&fact.id(), 256),
        "ownerId": bounded(&fact.owner, 256),
        "name": bounded(&fact.name, 256),
        "valueHash": value_hash(Some(fact)),
        "evidence": [evidence],
    })
}

fn change(change: &Change) -> Value {
    let mut out = Map::new();
    out.insert("kind".to_owned(), json!(change.kind()));
    out.insert("op".to_owned(), json!(change.op));
    if let Some(before) = &change.before {
        out.insert("before".to_owned(), identity(before));
    }
    if let Some(after) = &change.after {
        out.insert("after".to_owned(), identity(after));
    }
    if change.compatible && change.op == ChangeOp::Changed && change.kind() == FactKind::Signature {
        out.insert("compatibility".to_owned(), json!("compatible"));
    }
    if !change.aspects.is_empty() {
        let aspects: Vec<Value> = change
            .aspects
            .iter()
            .take(64)
            .map(|a| {
                let mut aspect = Map::new();
                aspect.insert("pointer".to_owned(), json!(bounded(&a.pointer, 1024)));
                if let Some(before) = &a.before {
                    aspect.insert("before".to_owned(), before.clone());
                }
                if let Some(after) = &a.after {
                    aspect.insert("after".to_owned(), after.clone());
                }
                Value::Object(aspect)
            })
            .collect();
        out.insert("aspects".to_owned(), Value::Array(aspects));
    }
    if let Some(proof) = change.proof {
        out.insert("renameProof".to_owned(), json!(proof));
    }
    if !change.candidates.is_empty() {
        out.insert("candidates".to_owned(), json!(change.candidates));
    }
    Value::Object(out)
}
