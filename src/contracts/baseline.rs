//! The baseline: findings that were known before and accepted. It holds no line and no revision, so it stays as it is while
//! the text moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::json::quoted;
use super::order;
use super::report::{Checks, Rule};

/// One accepted finding. The order of the fields is the order of the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BaselineEntry {
    /// The document's path.
    #[schemars(length(min = 1, max = 512))]
    pub document: String,
    /// The finding's category.
    #[schemars(length(min = 1, max = 128))]
    pub category: String,
    /// The cited name.
    #[schemars(length(min = 1, max = 512))]
    pub key: String,
    /// The finding's id.
    #[schemars(regex(pattern = r"^finding:[a-f0-9]{64}$"))]
    pub id: String,
    /// Hash of the relevant evidence that was accepted.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub evidence_hash: String,
}

/// A baseline, version 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "BaselineV1")]
pub struct Baseline {
    /// Always `baseline`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "baseline"))]
    pub record_type: String,
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub schema_version: u32,
    /// What is accepted, sorted by document, category, key, id and hash; each finding once.
    #[schemars(length(max = 50_000))]
    pub findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// The baseline of some findings, in canonical order.
    pub fn new(mut findings: Vec<BaselineEntry>) -> Self {
        findings.sort();
        findings.dedup();
        Self { record_type: "baseline".to_owned(), schema_version: 1, findings }
    }
}

/// What the schema cannot say.
pub(super) fn check(value: &Value, checks: &mut Checks) {
    let list = value.get("findings").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let entries: Vec<BaselineEntry> = list.iter().filter_map(|e| serde_json::from_value(e.clone()).ok()).collect();
    order::sorted(&entries, "/findings", "by document, category, key, id and hash", checks);
    let mut seen = std::collections::BTreeSet::new();
    for (index, entry) in entries.iter().enumerate() {
        // Equal neighbours were told already.
        let is_equal = index > 0 && entries[index - 1] == *entry;
        checks.demand(
            seen.insert(entry.id.as_str()) || is_equal,
            Rule::Order,
            &format!("/findings/{index}/id"),
            format!("the finding {} stands twice", quoted(&entry.id)),
            "each finding once",
        );
    }
}
