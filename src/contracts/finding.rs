//! What the schema of `FindingV1` cannot say: that identity and evidence hash follow from the content, and which status
//! and routing go with which category.

use serde_json::{Value, json};

use super::json::quoted;
use super::report::{Checks, Rule};
use crate::model::FactKind;
use crate::value::canonical;

/// What the schema cannot say.
pub(super) fn check(value: &Value, checks: &mut Checks) {
    check_of(value, None, checks);
}

/// The fact that a finding speaks of, where something beside the finding knows it whole.
pub(super) struct Known<'v> {
    /// Its id.
    pub(super) id: &'v str,
    /// Possible owners of an ambiguous name.
    pub(super) candidates: Vec<&'v str>,
}

/// As [`check`], of a finding whose fact may be known.
pub(super) fn check_of(value: &Value, fact: Option<&Known<'_>>, checks: &mut Checks) {
    identity(value, fact, checks);
    verdict(value, checks);
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Status, routing and the fields beside them.
fn verdict(value: &Value, checks: &mut Checks) {
    let category = text(value, "/category");
    let status = text(value, "/status");
    let allowed: &[&str] = match category {
        "changed-reference" => &["stale-or-unverified"],
        "broken-reference" => &["conflict", "stale-or-unverified"],
        "ambiguous-reference" => &["unresolved"],
        _ => &[],
    };
    if !allowed.is_empty() && !allowed.contains(&status) {
        let right = allowed.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" or ");
        checks.add(Rule::Consistency, "/status", format!("a {category} is never {}", quoted(status)), right);
    }
    let routing = text(value, "/routing");
    checks.demand(
        !(category == "changed-reference" && routing == "proposed"),
        Rule::Consistency,
        "/routing",
        "a changed-reference is proposed without interpretation",
        "`routed-to-L2`, `excluded` or `pending-version`",
    );
    checks.demand(
        value.get("generator").is_none() || routing == "excluded",
        Rule::Consistency,
        "/routing",
        "a finding in generated text is not excluded",
        "`excluded`",
    );
}

/// Recomputes evidence hash and id where the record holds what they are made of.
fn identity(value: &Value, fact: Option<&Known<'_>>, checks: &mut Checks) {
    let Some(target) = fact.map(|f| f.id).or_else(|| own_target(value)) else { return };
    let category = text(value, "/category");
    let relevant = match (category, fact) {
        ("broken-reference", _) => json!({"removedTargetId": target}),
        ("changed-reference", _) => {
            let missing = canonical::hash(&Value::Null);
            let (before, after) = (value_hash(value, "Base"), value_hash(value, "Head"));
            if fact.is_none() && (before.is_none() || after.is_none()) {
                return;
            }
            json!({
                "changedTargetId": target, "beforeValueHash": before.unwrap_or(&missing), "afterValueHash": after.unwrap_or(&missing),
            })
        }
        ("ambiguous-reference", Some(fact)) => {
            let mut sorted = fact.candidates.clone();
            sorted.sort_unstable();
            sorted.dedup();
            json!({"candidateIds": sorted})
        }
        _ => return,
    };
    let given = text(value, "/evidenceHash");
    let expected = canonical::hash(&relevant);
    if given != expected {
        if given != sidecar_hash(value, target) {
            checks.add(
                Rule::Hash,
                "/evidenceHash",
                "the hash is not that of the relevant evidence (the target with its value hashes)",
                format!("`{expected}`"),
            );
        }
        return;
    }
    let assertion = json!({"document": text(value, "/assertion/document"), "key": text(value, "/assertion/key")});
    let id = canonical::hash(&json!({"category": category, "assertion": assertion, "relevantEvidence": relevant}));
    checks.demand(
        text(value, "/id") == format!("finding:{id}"),
        Rule::Identity,
        "/id",
        "the id is not that of category, assertion and relevant evidence",
        format!("`finding:{id}`"),
    );
}

/// The fact's id, where it is one of `kind:owner:name` that speaks of the assertion, whole.
fn own_target(value: &Value) -> Option<&str> {
    let target = value.pointer("/entities/1")?.as_str()?;
    let (kind, rest) = target.split_once(':')?;
    let owner = rest.strip_suffix(text(value, "/assertion/key"))?.strip_suffix(':')?;
    let known = FactKind::ALL.iter().any(|k| k.as_str() == kind);
    (known && !owner.is_empty() && target.encode_utf16().count() < 256).then_some(target)
}

/// The value hash that the evidence gives for a side.
fn value_hash<'v>(value: &'v Value, side: &str) -> Option<&'v str> {
    let start = format!("{side} target valueHash: ");
    let contexts = value.get("evidence")?.as_array()?.iter().filter_map(|e| e.get("context")?.as_str());
    let hash = contexts.filter_map(|c| c.strip_prefix(&start)).find_map(|rest| rest.get(..64))?;
    hash.bytes().all(|b| b.is_ascii_hexdigit()).then_some(hash)
}

/// The other rule for evidence hashes (reference, section 1): over the diagnostic's id.
fn sidecar_hash(value: &Value, target: &str) -> String {
    let mut relevant = json!({"diagnostic": text(value, "/id"), "target": target});
    if let (Some(before), Some(after), Some(map)) =
        (value_hash(value, "Base"), value_hash(value, "Head"), relevant.as_object_mut())
    {
        map.insert("beforeValueHash".to_owned(), json!(before));
        map.insert("afterValueHash".to_owned(), json!(after));
    }
    canonical::hash(&relevant)
}
