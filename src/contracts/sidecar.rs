//! What the schema of the sidecar cannot say: that its parts are records of their own, that lists are sorted, counts add
//! up, and every id leads somewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::finding::{self, Known};
use super::json::{escaped, quoted};
use super::report::{Checks, Rule};
use super::{change_set, order};
use crate::model::{Coverage, Notice, Suppression};

/// Fact ids of this length may be cut.
const MAX_FACT_ID: usize = 1024;

/// What the schema cannot say.
pub(super) fn check(value: &Value, checks: &mut Checks) {
    if let Some(set) = value.get("changeSet") {
        checks.within("/changeSet", |checks| change_set::check(set, checks));
    }
    let all = list(value, "/policy/findings");
    let facts = facts_of_findings(value);
    for (index, item) in all.iter().enumerate() {
        let fact = facts.get(text(item, "/id"));
        checks.within(&format!("/policy/findings/{index}"), |checks| finding::check_of(item, fact, checks));
    }
    for pointer in ["/policy/findings", "/findings", "/changedFacts"] {
        let ids: Vec<&str> = list(value, pointer).iter().map(|item| text(item, "/id")).collect();
        order::sorted(&ids, pointer, "by id", checks);
    }
    visible(value, all, checks);
    groups(value, checks);
    counts(value, all, checks);
    references(value, all, checks);
    provenance(value, all, checks);
    told(value, all, checks);
    changes(value, checks);
    ordered(value, checks);
}

/// The fact of each finding, where the record holds its id whole.
fn facts_of_findings(value: &Value) -> BTreeMap<&str, Known<'_>> {
    let mut out = BTreeMap::new();
    for fact in list(value, "/changedFacts") {
        let id = text(fact, "/id");
        for place in list(fact, "/places").iter().filter(|_| id.chars().count() < MAX_FACT_ID) {
            let candidates = list(fact, "/candidates").iter().filter_map(Value::as_str).collect();
            out.entry(text(place, "/finding")).or_insert(Known { id, candidates });
        }
    }
    out
}

/// On which sides a changed fact stands, and what goes with a rename.
fn changes(value: &Value, checks: &mut Checks) {
    for (index, fact) in list(value, "/changedFacts").iter().enumerate() {
        let op = text(fact, "/op");
        let mut demand = |holds: bool, name: &str, wrong: String, right: &str| {
            checks.demand(holds, Rule::Consistency, &format!("/changedFacts/{index}{name}"), wrong, right);
        };
        for (side, absent) in [("before", "added"), ("after", "removed")] {
            let is_there = fact.get(side).is_some();
            let name = if is_there { format!("/{side}") } else { String::new() };
            let wrong = format!("a fact that was {op} has {} `{side}`", if is_there { "a" } else { "no" });
            demand(is_there != (op == absent), &name, wrong, "where it stands, on the sides on which it is");
        }
        for name in ["renamedTo", "proof"] {
            let holds = fact.get(name).is_none() || op == "renamed";
            demand(holds, &format!("/{name}"), format!("a fact that was {op} has `{name}`"), "the object without it");
        }
        let kind = text(fact, "/kind");
        let holds = text(fact, "/id").strip_prefix(kind).is_some_and(|rest| rest.starts_with(':'));
        demand(holds, "/kind", format!("{} is not the kind of the id", quoted(kind)), "the first part of the id");
    }
}

/// Lists that have an order of their own.
fn ordered(value: &Value, checks: &mut Checks) {
    fn typed<T: serde::de::DeserializeOwned>(list: &[Value]) -> Vec<T> {
        list.iter().filter_map(|item| serde_json::from_value(item.clone()).ok()).collect()
    }
    for name in ["documentsToReview", "changedDocumentation"] {
        let pointer = format!("/impact/{name}");
        let paths: Vec<&str> = list(value, &pointer).iter().map(|d| text(d, "/path")).collect();
        order::sorted(&paths, &pointer, "by path", checks);
    }
    order::sorted(&typed::<Suppression>(list(value, "/suppressions")), "/suppressions", "by finding", checks);
    // One file may say the same of two of its parts.
    order::in_order(&typed::<Coverage>(list(value, "/coverage")), "/coverage", "by analyzer and scope", checks);
    order::sorted(&typed::<Notice>(list(value, "/notices")), "/notices", "by code and path", checks);
    for (index, fact) in list(value, "/changedFacts").iter().enumerate() {
        let number = |place: &Value, name: &str| place.get(name).and_then(Value::as_u64).unwrap_or_default();
        let places: Vec<_> =
            list(fact, "/places").iter().map(|p| (text(p, "/document"), number(p, "line"), number(p, "columnStart"))).collect();
        order::in_order(&places, &format!("/changedFacts/{index}/places"), "by document, line and column", checks);
    }
}

fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn is_visible(finding: &Value) -> bool {
    matches!(text(finding, "/routing"), "proposed" | "routed-to-L2")
}

/// The main list is the visible part of the whole.
fn visible(value: &Value, all: &[Value], checks: &mut Checks) {
    let is_routed = value.pointer("/policy/enabled").and_then(Value::as_bool).unwrap_or(true);
    let expected: Vec<&Value> = all.iter().filter(|f| !is_routed || is_visible(f)).collect();
    let shown = list(value, "/findings");
    let differs = (0..expected.len().max(shown.len())).find(|i| expected.get(*i).copied() != shown.get(*i));
    if let Some(index) = differs {
        let pointer = match (shown.get(index), expected.get(index)) {
            (None, _) => "/findings".to_owned(),
            (Some(given), Some(right)) if text(given, "/id") == text(right, "/id") => {
                format!("/findings/{index}{}", difference(given, right))
            }
            (Some(given), _) if !expected.iter().any(|f| text(f, "/id") == text(given, "/id")) => format!("/findings/{index}/id"),
            (Some(_), _) => format!("/findings/{index}"),
        };
        checks.add(
            Rule::Consistency,
            &pointer,
            "the list is not the visible part of `policy.findings`",
            "the findings that are proposed or routed to L2, unchanged",
        );
    }
}

/// Pointer to the first part in which two values differ. Records are as deep as their schemas.
fn difference(a: &Value, b: &Value) -> String {
    let keys: Vec<String> = match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => a.keys().map(|k| escaped(k)).collect(),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => (0..a.len()).map(|i| i.to_string()).collect(),
        _ => return String::new(),
    };
    let differs = |key: &String| a.pointer(&format!("/{key}")) != b.pointer(&format!("/{key}"));
    keys.into_iter().find(differs).map_or_else(String::new, |key| {
        let pointer = format!("/{key}");
        let inner = a.pointer(&pointer).zip(b.pointer(&pointer)).map_or_else(String::new, |(a, b)| difference(a, b));
        pointer + &inner
    })
}

/// Every visible finding is in one group.
fn groups(value: &Value, checks: &mut Checks) {
    let ids = |updated: bool| -> Vec<&str> {
        let shown = list(value, "/findings").iter();
        shown.filter(|f| f.get("documentationUpdate").is_some() == updated).map(|f| text(f, "/id")).collect()
    };
    for (name, updated) in [("pending", false), ("updatedInThisChange", true)] {
        let pointer = format!("/groups/{name}");
        let given: Vec<&str> = list(value, &pointer).iter().filter_map(Value::as_str).collect();
        let expected = ids(updated);
        let differs = given.iter().enumerate().find(|(at, id)| expected.get(*at) != Some(id)).map(|(at, _)| at);
        let place = differs.map_or_else(|| pointer.clone(), |at| format!("{pointer}/{at}"));
        checks.demand(
            given == expected,
            Rule::Count,
            &place,
            format!("{} ids that are not those of the group", given.len()),
            format!(
                "the ids of the {} visible findings whose region was{} edited, in order",
                expected.len(),
                if updated { "" } else { " not" }
            ),
        );
    }
}

fn counts(value: &Value, all: &[Value], checks: &mut Checks) {
    let count = |name: &str| value.pointer(&format!("/policy/counts/{name}")).and_then(Value::as_u64).unwrap_or_default();
    let number = |test: &dyn Fn(&Value) -> bool| all.iter().filter(|f| test(f)).count() as u64;
    for name in ["proposed", "excluded", "routed-to-L2", "pending-version"] {
        let right = number(&|f| text(f, "/routing") == name);
        checks.demand(
            count(name) == right,
            Rule::Count,
            &format!("/policy/counts/{name}"),
            format!("{} findings are counted", count(name)),
            format!("{right}, as in `policy.findings`"),
        );
    }
    let generated = number(&|f| f.get("generator").is_some());
    checks.demand(
        count("generator") == generated,
        Rule::Count,
        "/policy/counts/generator",
        format!("{} findings are counted", count("generator")),
        format!("{generated}, as in `policy.findings`"),
    );
    let suppressed: BTreeSet<&str> = list(value, "/suppressions").iter().map(|s| text(s, "/finding")).collect();
    checks.demand(
        count("suppressed") == suppressed.len() as u64,
        Rule::Count,
        "/policy/counts/suppressed",
        format!("{} findings are counted", count("suppressed")),
        format!("{}, as in `suppressions`", suppressed.len()),
    );
    // Which of the rest are records of the past and which are not sure enough, the record does not say.
    let excluded = number(&|f| text(f, "/routing") == "excluded");
    let rest = excluded.saturating_sub(generated + suppressed.len() as u64);
    let told = count("historical").saturating_add(count("below-min-confidence"));
    for name in ["historical", "below-min-confidence"] {
        checks.demand(
            told == rest,
            Rule::Count,
            &format!("/policy/counts/{name}"),
            format!("{told} excluded findings are historical or below the least confidence"),
            format!("{rest}: all that are excluded, and neither generated nor suppressed"),
        );
    }
}

/// Every id leads to a finding.
fn references(value: &Value, all: &[Value], checks: &mut Checks) {
    let known: BTreeSet<&str> = all.iter().map(|f| text(f, "/id")).collect();
    let mut demand = |id: &str, pointer: String| {
        checks.demand(
            known.contains(id),
            Rule::Consistency,
            &pointer,
            format!("there is no finding {}", quoted(id)),
            "an id of `policy.findings`",
        );
    };
    for (index, suppression) in list(value, "/suppressions").iter().enumerate() {
        demand(text(suppression, "/finding"), format!("/suppressions/{index}/finding"));
    }
    for (index, fact) in list(value, "/changedFacts").iter().enumerate() {
        for (at, place) in list(fact, "/places").iter().enumerate() {
            demand(text(place, "/finding"), format!("/changedFacts/{index}/places/{at}/finding"));
        }
    }
    for (index, fact) in list(value, "/changedFacts").iter().enumerate() {
        for (at, place) in list(fact, "/places").iter().enumerate() {
            let column = |name: &str| place.get(name).and_then(Value::as_u64).unwrap_or_default();
            checks.demand(
                column("columnEnd") >= column("columnStart"),
                Rule::Consistency,
                &format!("/changedFacts/{index}/places/{at}/columnEnd"),
                "the end stands before the start",
                format!("{} or more", column("columnStart")),
            );
        }
    }
}

/// One run, one repository, one configuration.
fn provenance(value: &Value, all: &[Value], checks: &mut Checks) {
    let said: BTreeMap<&str, &str> = [
        ("repository", text(value, "/repository")),
        ("revision", text(value, "/revisions/head")),
        ("configurationHash", text(value, "/configuration/hash")),
    ]
    .into();
    for (index, item) in all.iter().enumerate() {
        for (name, expected) in &said {
            let given = text(item, &format!("/provenance/{name}"));
            checks.demand(
                given == *expected,
                Rule::Consistency,
                &format!("/policy/findings/{index}/provenance/{name}"),
                format!("{} is not what the sidecar says", quoted(given)),
                quoted(expected),
            );
        }
    }
    let hash = text(value, "/configuration/hash");
    for side in ["base", "head"] {
        let given = text(value, &format!("/changeSet/analysis/{side}/configurationHash"));
        checks.demand(
            given == hash,
            Rule::Hash,
            "/configuration/hash",
            format!("{} is not the hash at {side} of the change set", quoted(hash)),
            quoted(given),
        );
    }
    for (name, side) in [("baseRevision", "base"), ("headRevision", "head")] {
        let (given, expected) = (text(value, &format!("/changeSet/{name}")), text(value, &format!("/revisions/{side}")));
        checks.demand(
            given == expected,
            Rule::Consistency,
            &format!("/changeSet/{name}"),
            format!("{} is not what the sidecar says", quoted(given)),
            quoted(expected),
        );
    }
}

/// What reports show is what the findings say: every place lies in its finding's document at a line of its evidence, every
/// finding has a place, and a fact is named as its findings name it.
fn told(value: &Value, all: &[Value], checks: &mut Checks) {
    let findings: BTreeMap<&str, &Value> = all.iter().map(|f| (text(f, "/id"), f)).collect();
    let mut placed: BTreeSet<&str> = BTreeSet::new();
    for (index, fact) in list(value, "/changedFacts").iter().enumerate() {
        for (at, place) in list(fact, "/places").iter().enumerate() {
            let Some(finding) = findings.get(text(place, "/finding")) else { continue };
            placed.insert(text(place, "/finding"));
            let pointer = format!("/changedFacts/{index}/places/{at}");
            let document = text(finding, "/assertion/document");
            checks.demand(
                text(place, "/document") == document,
                Rule::Consistency,
                &format!("{pointer}/document"),
                "the place lies in another document than its finding",
                quoted(document),
            );
            let line = place.get("line").and_then(Value::as_u64);
            let evidence = list(finding, "/evidence");
            let shown =
                evidence.iter().any(|e| e.get("lineStart").and_then(Value::as_u64) == line && text(e, "/path") == document);
            // Evidence is bounded; what it left out cannot be compared.
            checks.demand(
                shown || evidence.len() >= 40,
                Rule::Consistency,
                &format!("{pointer}/line"),
                "no evidence of the finding stands on this line",
                "a line of its head citations",
            );
            let key = text(finding, "/assertion/key");
            checks.demand(
                text(fact, "/name") == key,
                Rule::Consistency,
                &format!("/changedFacts/{index}/name"),
                "the fact has another name than its findings",
                quoted(key),
            );
            let id: String = text(fact, "/id").chars().take(200).collect();
            let named = list(finding, "/entities").iter().any(|e| e.as_str().is_some_and(|e| e.starts_with(&id)));
            checks.demand(
                named,
                Rule::Consistency,
                &format!("/changedFacts/{index}/id"),
                "the finding's entities do not name this fact",
                "the id among `entities`",
            );
        }
    }
    for (index, finding) in all.iter().enumerate().filter(|(_, f)| !placed.contains(text(f, "/id"))) {
        let id = text(finding, "/id");
        checks.add(
            Rule::Consistency,
            &format!("/policy/findings/{index}/id"),
            format!("no changed fact has a place for {}", quoted(id)),
            "the finding of a place in `changedFacts`",
        );
    }
}
