//! `ChangeSetV1`: the fact changes of a range. Fields and bounds are those of the reference, with further kinds and
//! optional fields on a change (`aspects`, `renameProof`, `candidates`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::order;
use super::report::{Checks, Rule};
use crate::model::{ChangeOp, Coverage, Evidence, FactKind, RenameProof, present};
use crate::value::canonical;

/// Which repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeSetRepository {
    /// Its name.
    #[schemars(length(min = 1, max = 128))]
    pub name: String,
    /// Its folder, where it is part of a larger one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 512))]
    pub root: Option<String>,
}

/// Which analysis read one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalysisIdentity {
    /// Hash of the effective configuration.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub configuration_hash: String,
    /// Version of the pipeline.
    #[schemars(length(min = 1, max = 64))]
    pub pipeline_version: String,
    /// Version of each analyzer.
    #[schemars(schema_with = "analyzer_versions")]
    pub analyzer_versions: BTreeMap<String, String>,
}

fn analyzer_versions(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "propertyNames": {"minLength": 1, "maxLength": 128},
        "additionalProperties": {"type": "string", "maxLength": 64}
    })
}

/// Which analysis read the two sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalysisPair {
    /// At base.
    pub base: AnalysisIdentity,
    /// At head.
    pub head: AnalysisIdentity,
}

/// Whether the head was released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseState {
    /// Not yet.
    Unreleased,
    /// As a version of a package.
    Released,
}

/// The release a change set belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("allOf" = release_rules()))]
pub struct Release {
    /// Whether it is released.
    pub state: ReleaseState,
    /// The version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 256))]
    pub version: Option<String>,
    /// What released it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 256))]
    pub event_id: Option<String>,
    /// The package.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 5, max = 512))]
    pub purl: Option<String>,
}

fn release_rules() -> Value {
    json!([
        {
            "$comment": "a release has a version, an event and a package",
            "if": {"properties": {"state": {"const": "released"}}, "required": ["state"]},
            "then": {"required": ["version", "eventId", "purl"]},
        },
        {
            "$comment": "what is not released has no version, event or package",
            "if": {"properties": {"state": {"const": "unreleased"}}, "required": ["state"]},
            "then": {"properties": {"version": false, "eventId": false, "purl": false}},
        },
    ])
}

/// A package of the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackageIdentity {
    /// Its id.
    #[schemars(length(min = 1, max = 256))]
    pub id: String,
    /// Its package URL.
    #[schemars(length(min = 1, max = 512))]
    pub purl: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 256))]
    pub version: Option<String>,
}

/// A fact on one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FactIdentity {
    /// Its id.
    #[schemars(length(min = 1, max = 256))]
    pub id: String,
    /// Id of its owner.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 256))]
    pub owner_id: Option<String>,
    /// Its name.
    #[schemars(length(min = 1, max = 256))]
    pub name: String,
    /// Hash of its projection.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub value_hash: Option<String>,
    /// Where it stands.
    #[schemars(length(max = 64))]
    pub evidence: Vec<Evidence>,
}

/// A change that no use notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Compatibility {
    /// Every use that was right at base is right at head.
    Compatible,
}

/// One part of a projection that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeAspect {
    /// JSON pointer into the projection.
    #[schemars(length(max = 1024))]
    pub pointer: String,
    /// The value at base; absent where the part is new. `null` is a value.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub before: Option<Value>,
    /// The value at head; absent where the part is gone. `null` is a value.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub after: Option<Value>,
}

/// One fact change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("allOf" = change_rules()))]
pub struct ChangeRecord {
    /// What kind of fact.
    pub kind: FactKind,
    /// How it changed.
    pub op: ChangeOp,
    /// The fact at base.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<FactIdentity>,
    /// The fact at head.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<FactIdentity>,
    /// Set where no use notices; only for changed signatures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compatibility: Option<Compatibility>,
    /// What differs, in pointer order.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 64))]
    pub aspects: Option<Vec<ChangeAspect>>,
    /// Why two facts are taken for one; only for renames.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rename_proof: Option<RenameProof>,
    /// Names at head that may be the successor, unproven.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 64), inner(length(min = 1, max = 1024)))]
    pub candidates: Option<Vec<String>>,
}

fn change_rules() -> Value {
    let when = |ops: &[&str]| json!({"properties": {"op": {"enum": ops}}, "required": ["op"]});
    json!([
        {
            "$comment": "an added fact is only at head",
            "if": when(&["added"]),
            "then": {"required": ["after"], "properties": {"before": false}},
        },
        {
            "$comment": "a removed fact was only at base",
            "if": when(&["removed"]),
            "then": {"required": ["before"], "properties": {"after": false}},
        },
        {
            "$comment": "a changed or renamed fact is at both",
            "if": when(&["changed", "renamed"]),
            "then": {"required": ["before", "after"]},
        },
        {
            "$comment": "compatibility is proven for changed signatures only",
            "if": {"required": ["compatibility"]},
            "then": {"properties": {"kind": {"const": "signature"}, "op": {"const": "changed"}}},
        },
        {
            "$comment": "only a rename has a proof",
            "if": {"required": ["renameProof"]},
            "then": {"properties": {"op": {"const": "renamed"}}},
        },
    ])
}

/// How the content hash is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ContentHashAlgo {
    /// Hash of the canonical record without its hash and revisions.
    #[serde(rename = "sha256-semantic-v1")]
    Sha256SemanticV1,
}

/// A change set, version 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ChangeSetV1")]
pub struct ChangeSetRecord {
    /// Always `change-set`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "change-set"))]
    pub record_type: String,
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub schema_version: u32,
    /// Which repository.
    pub repository: ChangeSetRepository,
    /// Which analysis.
    pub analysis: AnalysisPair,
    /// Which branch.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 256))]
    pub branch: Option<String>,
    /// The commit at base.
    #[schemars(length(min = 1, max = 128))]
    pub base_revision: String,
    /// The commit at head.
    #[schemars(length(min = 1, max = 128))]
    pub head_revision: String,
    /// The release.
    pub release: Release,
    /// The packages of the repository.
    #[schemars(length(max = 50_000))]
    pub packages: Vec<PackageIdentity>,
    /// What changed, in canonical order.
    #[schemars(length(max = 100_000))]
    pub changes: Vec<ChangeRecord>,
    /// Hash of everything but itself and the revisions.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub content_hash: String,
    /// How it is made.
    pub content_hash_algo: ContentHashAlgo,
    /// What was looked at, in canonical order.
    #[schemars(length(max = 2100))]
    pub coverage: Vec<Coverage>,
}

/// The content hash of a change set as JSON (reference, section 3).
pub fn content_hash(record: &Value) -> String {
    hashed(record, true)
}

fn hashed(record: &Value, sort: bool) -> String {
    let mut copy = record.clone();
    if let Some(map) = copy.as_object_mut() {
        for key in ["contentHash", "baseRevision", "headRevision"] {
            map.shift_remove(key);
        }
        if let Some(coverage) = map.get_mut("coverage").and_then(Value::as_array_mut) {
            let reused = |c: &Value| c["analyzer"] == "repository" && c["scope"] == "reused-entities";
            coverage.retain(|entry| !reused(entry));
            if sort {
                coverage.sort_by_cached_key(canonical::to_string);
            }
        }
    }
    canonical::hash(&copy)
}

/// What the schema cannot say.
pub(super) fn check(value: &Value, checks: &mut Checks) {
    let given = value.get("contentHash").and_then(Value::as_str).unwrap_or_default();
    let expected = hashed(value, true);
    // A list that another tool sorted by its own rules is hashed as it stands.
    if given != expected && given != hashed(value, false) {
        checks.add(Rule::Hash, "/contentHash", "the hash is not that of the content", format!("`{expected}`"));
    }
    for list in ["changes", "coverage"] {
        let entries = value.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        order::by_canonical_json(entries, &format!("/{list}"), checks);
    }
    for (index, change) in value.get("changes").and_then(Value::as_array).into_iter().flatten().enumerate() {
        checks.within(&format!("/changes/{index}"), |checks| one(change, checks));
    }
}

fn one(change: &Value, checks: &mut Checks) {
    let id = |side: &str| change.pointer(&format!("/{side}/id")).and_then(Value::as_str);
    let hash = |side: &str| change.pointer(&format!("/{side}/valueHash")).and_then(Value::as_str);
    match change.get("op").and_then(Value::as_str) {
        Some("changed") => {
            if let (Some(before), Some(after)) = (hash("before"), hash("after")) {
                checks.demand(
                    before != after,
                    Rule::Consistency,
                    "/after/valueHash",
                    "a changed fact has the same hash on both sides",
                    "two hashes",
                );
            }
        }
        Some("renamed") => {
            checks.demand(
                id("before") != id("after"),
                Rule::Consistency,
                "/after/id",
                "a renamed fact has the same id on both sides",
                "two ids",
            );
        }
        _ => {}
    }
    let aspects = change.get("aspects").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (index, aspect) in aspects.iter().enumerate() {
        let pointer = aspect.get("pointer").and_then(Value::as_str).unwrap_or_default();
        let at = format!("/aspects/{index}");
        checks.demand(
            pointer.is_empty() || pointer.starts_with('/'),
            Rule::Consistency,
            &format!("{at}/pointer"),
            format!("`{pointer}` is no JSON pointer"),
            "an empty text, or one that begins with `/`",
        );
        checks.demand(
            aspect.get("before").is_some() || aspect.get("after").is_some(),
            Rule::Consistency,
            &at,
            "an aspect without a value",
            "`before`, `after` or both",
        );
    }
}
