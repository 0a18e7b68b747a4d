//! `sarif`: SARIF 2.1.0. One result for each finding at its most telling place, also for those that are not shown: they carry
//! a suppression. The finding's id is the fingerprint, so an alert survives moved lines.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::rules::{self, RULES};
use super::view::{self, Case};
use super::{ReportOptions, Reporter, escape, write_json};
use crate::model::{CitedPlace, CodeLocation, Notice, NoticeCode, Severity, Sidecar};
use crate::value::summary;

/// Results of one run that code scanning keeps; a file with many more is refused as a whole.
const MAX_RESULTS: usize = 5_000;

/// Places besides the first that one result lists.
const MAX_RELATED: usize = 50;

/// For code scanning and other readers of SARIF.
pub(super) struct Sarif;

impl Reporter for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn about(&self) -> &'static str {
        "SARIF 2.1.0, for code scanning"
    }

    fn render(&self, sidecar: &Sidecar, options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut cases = view::cases(sidecar);
        let mut notifications: Vec<Value> = sidecar.notices.iter().map(notification).collect();
        if cases.len() > MAX_RESULTS {
            let text = format!("{MAX_RESULTS} of {} findings are listed; the policy sidecar has all of them", cases.len());
            notifications.push(notification(&Notice::run(NoticeCode::LimitReached, text)));
            // What is shown goes first, then the surer one; equal ones keep the order of their ids.
            cases.sort_by(|a, b| {
                let key = |c: &Case<'_>| (!c.finding.routing.is_visible(), -c.finding.confidence);
                let ((hidden_a, sure_a), (hidden_b, sure_b)) = (key(a), key(b));
                hidden_a.cmp(&hidden_b).then(sure_a.total_cmp(&sure_b))
            });
            cases.truncate(MAX_RESULTS);
        }
        let results: Vec<Value> = cases.iter().map(|case| result(sidecar, case)).collect();
        let mut run = Map::new();
        run.insert(
            "tool".to_owned(),
            json!({"driver": {"name": "refdrift", "version": sidecar.tool.version, "rules": rule_list()}}),
        );
        run.insert("columnKind".to_owned(), json!("unicodeCodePoints"));
        run.insert(
            "originalUriBaseIds".to_owned(),
            json!({"%SRCROOT%": {"description": {"text": "The root of the repository."}}}),
        );
        if let Some(url) = options.links.and_then(view::repository_url) {
            let provenance = json!([{"repositoryUri": url, "revisionId": sidecar.revisions.head}]);
            run.insert("versionControlProvenance".to_owned(), provenance);
        }
        run.insert("invocations".to_owned(), json!([{"executionSuccessful": true, "toolExecutionNotifications": notifications}]));
        run.insert("results".to_owned(), Value::Array(results));
        let log = json!({
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        });
        write_json(&log, out)
    }
}

fn rule_list() -> Vec<Value> {
    RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "name": rule.name,
                "shortDescription": {"text": rule.short},
                "fullDescription": {"text": rule.full},
                "help": {"text": rule.help, "markdown": rule.help},
                "defaultConfiguration": {"level": level(rule.severity)},
                "properties": {"tags": ["documentation"], "precision": "high"},
            })
        })
        .collect()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warn => "warning",
        Severity::Info => "note",
        Severity::Off => "none",
    }
}

/// Text of a message. Readers turn `[text](target)` into a link; repository text must not become one.
fn message(text: &str) -> Value {
    let text = if text.trim().is_empty() { "-" } else { text };
    json!({"text": text.replace("](", "] (")})
}

fn result(sidecar: &Sidecar, case: &Case<'_>) -> Value {
    let finding = case.finding;
    let hash = finding.id.strip_prefix("finding:").unwrap_or(&finding.id);
    let mut out = Map::new();
    out.insert("ruleId".to_owned(), json!(finding.category));
    if let Some(index) = rules::index_of(&finding.category) {
        out.insert("ruleIndex".to_owned(), json!(index));
    }
    out.insert("level".to_owned(), json!(level(finding.severity)));
    out.insert("message".to_owned(), message(&told(case)));
    out.insert("locations".to_owned(), json!([primary(case)]));
    let related = related(case);
    if !related.is_empty() {
        out.insert("relatedLocations".to_owned(), Value::Array(related));
    }
    let short: String = hash.chars().take(16).collect();
    out.insert(
        "partialFingerprints".to_owned(),
        json!({"refdriftFinding/v1": hash, "primaryLocationLineHash": format!("{short}:1")}),
    );
    // The property is on every result or on none.
    out.insert("suppressions".to_owned(), Value::Array(suppressions(sidecar, case)));
    out.insert("rank".to_owned(), json!((finding.confidence * 1000.0).round() / 10.0));
    out.insert(
        "properties".to_owned(),
        json!({
            "routing": finding.routing, "status": finding.status, "confidence": finding.confidence,
            "evidenceHash": finding.evidence_hash,
        }),
    );
    Value::Object(out)
}

fn told(case: &Case<'_>) -> String {
    let key = view::Sentence::default().code(summary::clip(&case.finding.assertion.key, 200));
    let sentence = match (case.fact, case.places.first()) {
        (Some(fact), Some(place)) => view::Sentence::default()
            .code(summary::clip(&place.stale, 200))
            .words(": ")
            .then(view::says(fact, place))
            .words(". Changed: ")
            .then(key)
            .words(", ")
            .then(view::change(fact))
            .words("."),
        _ => key.words(format!(" is cited as it was before this change ({}).", escape::clean(&case.finding.category))),
    };
    sentence.plain()
}

fn artifact(path: &str) -> Value {
    json!({"uri": escape::uri(path), "uriBaseId": "%SRCROOT%"})
}

fn at_place(place: &CitedPlace) -> Value {
    let mut region = json!({
        "startLine": place.line, "startColumn": place.column_start, "endLine": place.line, "endColumn": place.column_end,
    });
    // Where the words were cut for the record they are not the region's text.
    let width = place.column_end.saturating_sub(place.column_start) as usize;
    if place.stale.chars().count() == width && !place.stale.ends_with('…') {
        region["snippet"] = json!({"text": place.stale});
    }
    json!({"artifactLocation": artifact(&place.document), "region": region})
}

fn primary(case: &Case<'_>) -> Value {
    match case.places.first() {
        Some(place) => json!({"physicalLocation": at_place(place)}),
        None => {
            json!({"physicalLocation": {"artifactLocation": artifact(&case.finding.assertion.document), "region": {"startLine": 1}}})
        }
    }
}

fn related(case: &Case<'_>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    let mut push = |text: String, physical: Value| {
        out.push(json!({"id": out.len() + 1, "message": message(&text), "physicalLocation": physical}));
    };
    if let Some(fact) = case.fact {
        let code = |at: &CodeLocation| json!({"artifactLocation": artifact(&at.path), "region": {"startLine": at.line_start, "endLine": at.line_end.max(at.line_start)}});
        match (&fact.before, &fact.after) {
            (_, Some(after)) => push("The changed code".to_owned(), code(after)),
            (Some(before), None) => push("Where it stood before the change".to_owned(), code(before)),
            (None, None) => {}
        }
    }
    if let (Some(fact), Some((_, more))) = (case.fact, case.places.split_first()) {
        for place in more.iter().take(MAX_RELATED) {
            let sentence =
                view::Sentence::default().code(summary::clip(&place.stale, 200)).words(": ").then(view::says(fact, place));
            push(sentence.plain(), at_place(place));
        }
    }
    out
}

fn suppressions(sidecar: &Sidecar, case: &Case<'_>) -> Vec<Value> {
    if case.finding.routing.is_visible() {
        return Vec::new();
    }
    let in_source = sidecar.suppressions.iter().any(|s| s.finding == case.finding.id && s.source == "comment");
    vec![json!({
        "kind": if in_source { "inSource" } else { "external" },
        "status": "accepted",
        "justification": escape::clean(view::reason(sidecar, case.finding)),
    })]
}

fn notification(notice: &Notice) -> Value {
    let code = serde_json::to_value(notice.code).unwrap_or_default();
    let level = match notice.code {
        NoticeCode::InvalidSuppression | NoticeCode::LimitReached | NoticeCode::MissingObject => "warning",
        _ => "note",
    };
    let mut out = json!({"descriptor": {"id": code}, "level": level, "message": message(&escape::clean(&notice.message))});
    if let Some(path) = &notice.path {
        out["locations"] = json!([{"physicalLocation": {"artifactLocation": artifact(path)}}]);
    }
    out
}
