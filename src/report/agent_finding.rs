//! `agent-finding`: every finding as an `agent.finding@1` record. The verdict is the evidence bar: proven broken references
//! are `confirmed`; what a person has to read is `needs_validation`, with what blocks the proof and a plan, and no severity;
//! what the policy keeps back is `rejected`, with the reason.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::escape::{bounded, clean, clean_lines};
use super::view::{self, Case};
use super::{ReportOptions, Reporter, write_json};
use crate::model::{ChangedFact, CodeLocation, Finding, Routing, Severity, Sidecar, Status};
use crate::value::fingerprint::fingerprint;
use crate::value::summary;

/// Most items of a list.
const MAX_ITEMS: usize = 50;

/// For reviews by agents and people who keep one list of findings.
pub(super) struct AgentFindings;

impl Reporter for AgentFindings {
    fn name(&self) -> &'static str {
        "agent-finding"
    }

    fn about(&self) -> &'static str {
        "agent.finding@1 records, as a JSON array"
    }

    fn render(&self, sidecar: &Sidecar, _options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_json(&Value::Array(records(sidecar).collect()), out)
    }
}

/// Every finding as a record, in the order of the sidecar.
pub(super) fn records(sidecar: &Sidecar) -> impl Iterator<Item = Value> {
    view::cases(sidecar).into_iter().map(|case| record(sidecar, &case))
}

fn record(sidecar: &Sidecar, case: &Case<'_>) -> Value {
    let finding = case.finding;
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    let verdict = verdict(finding);
    put("verdict", json!(verdict));
    put("fingerprint", json!(fingerprint(&finding.assertion.document, &identity_text(case))));
    put("title", json!(bounded(&title(case), 200)));
    put("description", json!(bounded(&description(case), 4000)));
    put("trace", Value::Array(trace(case)));
    put("evidence", Value::Array(evidence(sidecar, case)));
    match verdict {
        "confirmed" => {
            let sure = sureness(finding);
            let (likelihood, impact) = (sure, impact(finding.severity));
            put(
                "severity",
                json!({"likelihood": likelihood.word(), "impact": impact.word(), "overall_severity": likelihood.min(impact).word()}),
            );
            let places = view::plural(case.places.len(), "place");
            let context = if finding.routing == Routing::RoutedToL2 {
                " Words of a migration stand near it: what the passage should say instead needs a reader."
            } else {
                ""
            };
            let reason = format!(
                "The name is declared and accepted nowhere in the code at head, and the document cites it at {places}.{context}"
            );
            put("confidence", json!({"level": sure.word(), "reason": reason}));
            put("remediation", remediation(case));
        }
        "needs_validation" => {
            put("claimed_root_cause", json!(bounded(&root_cause(case), 2000)));
            put("blockers", json!([bounded(&blocker(finding), 500)]));
            put("validation_plan", json!({"local": bounded(&plan(sidecar, case), 4000)}));
        }
        _ => put("reason", json!(bounded(&clean(view::reason(sidecar, finding)), 2000))),
    }
    Value::Object(out)
}

fn verdict(finding: &Finding) -> &'static str {
    match finding.routing {
        Routing::Excluded => "rejected",
        Routing::Proposed | Routing::RoutedToL2 if finding.severity == Severity::Off => "rejected",
        Routing::Proposed | Routing::RoutedToL2
            if finding.category == "broken-reference" && finding.status == Status::Conflict =>
        {
            "confirmed"
        }
        Routing::Proposed | Routing::RoutedToL2 | Routing::PendingVersion => "needs_validation",
    }
}

/// The three steps of likelihood, impact and confidence that refdrift can show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Low,
    Medium,
    High,
}

impl Step {
    fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

fn step(confidence: f64) -> Step {
    match confidence {
        c if c >= 0.85 => Step::High,
        c if c >= 0.6 => Step::Medium,
        _ => Step::Low,
    }
}

/// How sure a confirmed finding is. Near words of a migration the name is as gone, but the passage may know it.
fn sureness(finding: &Finding) -> Step {
    let most = if finding.routing == Routing::RoutedToL2 { Step::Medium } else { Step::High };
    step(finding.confidence).min(most)
}

fn impact(severity: Severity) -> Step {
    match severity {
        Severity::Error => Step::High,
        Severity::Warn => Step::Medium,
        Severity::Info | Severity::Off => Step::Low,
    }
}

/// The text whose change makes another finding: category, fact and what happened to it; no line, no revision. Names from
/// the code are case-sensitive and the fingerprint is not, so the record's own identity takes part.
fn identity_text(case: &Case<'_>) -> String {
    let finding = case.finding;
    let hash: String = finding.id.strip_prefix("finding:").unwrap_or(&finding.id).chars().take(16).collect();
    format!("{} {} #{hash}", finding.category, clean(&finding.assertion.key))
}

fn title(case: &Case<'_>) -> String {
    let key = summary::clip(&clean(&case.finding.assertion.key), 80);
    let document = clean(&case.finding.assertion.document);
    match case.finding.category.as_str() {
        "broken-reference" => format!("`{key}` is gone, and {document} still names it"),
        "changed-reference" => format!("`{key}` changed, and {document} says what it was"),
        "ambiguous-reference" => format!("`{key}` has several owners now, and {document} does not say which"),
        other => format!("{}: `{key}` in {document}", clean(other)),
    }
}

fn description(case: &Case<'_>) -> String {
    let mut lines = vec![format!("{}.", title(case))];
    if let Some(fact) = case.fact {
        lines.push(format!("Change: {}.", changed(fact)));
        for place in case.places.iter().take(10) {
            let says = view::says(fact, place).plain();
            lines.push(format!("Line {}: `{}`: {says}.", place.line, summary::clip(&clean(&place.stale), 120)));
        }
        if case.places.len() > 10 {
            lines.push(format!("And {}.", view::plural(case.places.len() - 10, "more place")));
        }
    }
    lines.join("\n")
}

/// The fact and what happened to it.
fn changed(fact: &ChangedFact) -> String {
    let name = summary::clip(&clean(&fact.name), 200);
    format!("`{name}`, {}", view::change(fact).plain())
}

/// A repository path that no reader takes for one of a home directory, a drive or another root.
fn relative(path: &str) -> String {
    let path = clean(path);
    let looks_foreign = path.starts_with(['~', '\\', '/']) || path.as_bytes().get(1) == Some(&b':');
    if looks_foreign { format!("./{}", path.trim_start_matches('/')) } else { path }
}

fn location(file: &str, line: Option<u32>, symbol: Option<&str>) -> Value {
    let mut out = json!({"file": bounded(&relative(file), 512)});
    if let Some(line) = line {
        out["line"] = json!(line.max(1));
    }
    if let Some(symbol) = symbol.map(clean).filter(|s| !s.trim().is_empty()) {
        out["symbol"] = json!(bounded(symbol.trim(), 200));
    }
    out
}

fn trace(case: &Case<'_>) -> Vec<Value> {
    let key = case.finding.assertion.key.as_str();
    let code = case.fact.map_or_else(Vec::new, |fact| {
        let at = |at: &CodeLocation| location(&at.path, (!fact.kind.is_path()).then_some(at.line_start), Some(&fact.name));
        fact.after.as_ref().or(fact.before.as_ref()).map(at).into_iter().collect()
    });
    let mut out: Vec<Value> = case
        .places
        .iter()
        .take(MAX_ITEMS - code.len())
        .map(|place| location(&place.document, Some(place.line), Some(key)))
        .collect();
    if out.is_empty() {
        out.push(location(&case.finding.assertion.document, None, Some(key)));
    }
    out.extend(code);
    out
}

fn evidence(sidecar: &Sidecar, case: &Case<'_>) -> Vec<Value> {
    let mut out: Vec<Value> = case
        .finding
        .evidence
        .iter()
        .take(MAX_ITEMS - 1)
        .map(|item| {
            let text =
                item.context.as_deref().map(clean).filter(|t| !t.trim().is_empty()).unwrap_or_else(|| "The source.".to_owned());
            json!({"kind": "source", "summary": bounded(&text, 1000), "location": location(&item.path, item.line_start, None)})
        })
        .collect();
    out.push(json!({
        "kind": "command",
        "summary": "refdrift compared the two revisions.",
        "command": format!("refdrift check {} --format json", range(sidecar)),
    }));
    out
}

fn range(sidecar: &Sidecar) -> String {
    format!("--base {} --head {}", quoted(&sidecar.revisions.base), quoted(&sidecar.revisions.head))
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    shlex::try_quote(&clean(word)).map_or_else(|_| "''".to_owned(), std::borrow::Cow::into_owned)
}

fn remediation(case: &Case<'_>) -> Value {
    let key = summary::clip(&clean(&case.finding.assertion.key), 200);
    let renamed = case.fact.and_then(|f| f.renamed_to.as_deref()).map(|n| summary::clip(&clean(n), 200));
    let (strategy, change) = match renamed {
        Some(name) => (format!("Name `{name}` instead of `{key}`."), format!("Replace `{key}` by `{name}`.")),
        None => (
            format!("Name what takes the place of `{key}`, or remove the passage."),
            format!("Correct or remove the places that name `{key}`."),
        ),
    };
    json!({
        "strategy": bounded(&strategy, 2000),
        "code_changes": [{"file": bounded(&relative(&case.finding.assertion.document), 512), "change": bounded(&change, 2000)}],
    })
}

fn root_cause(case: &Case<'_>) -> String {
    match case.fact {
        Some(fact) => format!("This change altered {} and left the passage as it was.", changed(fact)),
        None => "This change altered what the passage names and left the passage as it was.".to_owned(),
    }
}

/// Why the claim could not be proven by comparing the two revisions.
fn blocker(finding: &Finding) -> String {
    let routed = || finding.coverage.iter().rev().find_map(|c| c.reason.as_deref()).map(clean).unwrap_or_default();
    match (finding.routing, finding.category.as_str()) {
        (Routing::PendingVersion, _) => format!("The page waits for a release: {}", routed()),
        (_, "broken-reference") => {
            "The name is declared nowhere at head, but the word still stands in code; whether it is still accepted is not proven."
                .to_owned()
        }
        (_, "ambiguous-reference") => "Which of the definitions the passage means cannot be read from its text.".to_owned(),
        _ => "Whether the passage is wrong after the change is a question of its meaning, which comparing values cannot answer."
            .to_owned(),
    }
}

fn plan(sidecar: &Sidecar, case: &Case<'_>) -> String {
    let target = match case.places.first() {
        Some(place) => format!("{}:{}", place.document, place.line),
        None => case.finding.id.clone(),
    };
    let command = format!("refdrift explain {} -- {}", range(sidecar), quoted(&target));
    let change = case.fact.map(|fact| format!(" The change is {}.", changed(fact))).unwrap_or_default();
    clean_lines(&format!(
        "Run `{command}` and read the passage beside the code at head.{change} The finding stands if the passage states, of the present, what held before the change."
    ))
}
