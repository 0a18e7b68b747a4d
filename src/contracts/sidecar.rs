//! What the schema of the sidecar cannot say: that its parts are records of their own, that lists are sorted, counts add
//! up, and every id leads somewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::json::quoted;
use super::report::{Checks, Rule};
use super::{change_set, finding, order};

/// What the schema cannot say.
pub(super) fn check(value: &Value, checks: &mut Checks) {
    if let Some(set) = value.get("changeSet") {
        checks.within("/changeSet", |checks| change_set::check(set, checks));
    }
    let all = list(value, "/policy/findings");
    for (index, item) in all.iter().enumerate() {
        checks.within(&format!("/policy/findings/{index}"), |checks| finding::check(item, checks));
    }
    order::by_id(all, "/policy/findings", checks);
    order::by_id(list(value, "/findings"), "/findings", checks);
    order::by_id(list(value, "/changedFacts"), "/changedFacts", checks);
    visible(value, all, checks);
    groups(value, checks);
    counts(value, all, checks);
    references(value, all, checks);
    provenance(value, all, checks);
    told(value, all, checks);
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
        let pointer = if index < shown.len() { format!("/findings/{index}") } else { "/findings".to_owned() };
        checks.add(
            Rule::Consistency,
            &pointer,
            "the list is not the visible part of `policy.findings`",
            "the findings that are proposed or routed to L2, unchanged",
        );
    }
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
        checks.demand(
            given == expected,
            Rule::Count,
            &pointer,
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
    for name in ["generator", "historical", "suppressed", "below-min-confidence"] {
        checks.demand(
            count(name) <= count("excluded"),
            Rule::Count,
            &format!("/policy/counts/{name}"),
            format!("{} of {} excluded findings", count(name), count("excluded")),
            "no more than are excluded",
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
        let _ = finding;
        checks.add(
            Rule::Consistency,
            &format!("/policy/findings/{index}"),
            "no changed fact has a place for this finding",
            "a place",
        );
    }
}
