//! The published side of records: their schemas, and validation with the place of every fault. A record is checked
//! against its schema and then against what no schema can say: recomputed ids and hashes, order, counts, verdicts.
//!
//! To add a kind of record: a type with a schema, a file with its `check`, a variant of [`RecordKind`] and a line in
//! [`KINDS`].

mod agent_finding;
mod baseline;
mod change_set;
mod decision;
mod finding;
mod json;
mod order;
mod report;
mod schema;
mod sidecar;

use std::sync::OnceLock;

use serde::Serialize;
use serde_json::{Map, Value};

pub use agent_finding::{
    AgentConfidence, AgentEvidence, AgentFinding, AgentRemediation, AgentSeverity, CodeChange, EvidenceKind, Level, Location,
    ValidationPlan, Verdict,
};
pub use baseline::{Baseline, BaselineEntry};
pub use change_set::{
    AnalysisIdentity, AnalysisPair, ChangeAspect, ChangeRecord, ChangeSetRecord, ChangeSetRepository, Compatibility,
    ContentHashAlgo, FactIdentity, PackageIdentity, Release, ReleaseState, content_hash,
};
pub use decision::{Decision, DecisionReason, DecisionTarget, DecisionTargetKind};
pub use report::{Report, Rule, Violation};
pub use schema::published;

pub use crate::value::fingerprint::fingerprint;

use crate::model::{Finding, LineIndex, Sidecar};
use report::Checks;

/// Largest text that is validated, in bytes. Callers look at a file's size before they read it.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// A kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordKind {
    /// `FindingV1`.
    Finding,
    /// `ChangeSetV1`.
    ChangeSet,
    /// The policy sidecar.
    Sidecar,
    /// `DecisionV1`.
    Decision,
    /// `agent.finding@1`.
    AgentFinding,
    /// The baseline.
    Baseline,
}

/// What there is to know of a kind.
pub struct KindRow {
    /// The kind.
    pub kind: RecordKind,
    /// Its name on the command line.
    pub name: &'static str,
    /// Its file under `schemas/`.
    pub file: &'static str,
    schema: fn() -> Value,
    recognises: fn(&Map<String, Value>) -> bool,
    check: fn(&Value, &mut Checks),
    compiled: OnceLock<Compiled>,
}

/// A schema, and the same ready for use.
struct Compiled {
    schema: Value,
    validator: Result<jsonschema::Validator, String>,
}

/// Every kind, one line each.
pub static KINDS: [KindRow; 6] = [
    row(RecordKind::Finding, "finding", "finding.v1.json", finding_schema, |r| is_type(r, "finding"), finding::check),
    row(
        RecordKind::ChangeSet,
        "change-set",
        "change-set.v1.json",
        change_set_schema,
        |r| is_type(r, "change-set"),
        change_set::check,
    ),
    row(
        RecordKind::Sidecar,
        "sidecar",
        "policy-sidecar.v1.json",
        sidecar_schema,
        |r| is_type(r, "policy-sidecar"),
        sidecar::check,
    ),
    row(RecordKind::Decision, "decision", "decision.v1.json", decision_schema, |r| is_type(r, "decision"), |_, _| {}),
    row(
        RecordKind::AgentFinding,
        "agent-finding",
        "agent.finding.v1.json",
        agent_finding_schema,
        is_agent_finding,
        agent_finding::check,
    ),
    row(RecordKind::Baseline, "baseline", "baseline.v1.json", baseline_schema, |r| is_type(r, "baseline"), baseline::check),
];

const fn row(
    kind: RecordKind,
    name: &'static str,
    file: &'static str,
    schema: fn() -> Value,
    recognises: fn(&Map<String, Value>) -> bool,
    check: fn(&Value, &mut Checks),
) -> KindRow {
    KindRow { kind, name, file, schema, recognises, check, compiled: OnceLock::new() }
}

fn is_type(record: &Map<String, Value>, word: &str) -> bool {
    record.get("type").and_then(Value::as_str) == Some(word)
}

fn is_agent_finding(record: &Map<String, Value>) -> bool {
    let has = |key: &str| record.contains_key(key);
    !has("type") && (has("verdict") || (has("fingerprint") && has("trace")))
}

fn finding_schema() -> Value {
    published::<Finding>("urn:refdrift:schema:finding:1", "FindingV1")
}

fn change_set_schema() -> Value {
    published::<ChangeSetRecord>("urn:refdrift:schema:change-set:1", "ChangeSetV1")
}

fn sidecar_schema() -> Value {
    let mut schema = published::<Sidecar>("urn:refdrift:schema:policy-sidecar:1", "PolicySidecarV1");
    schema::graft(&mut schema, "changeSet", "ChangeSetV1", change_set_schema());
    schema
}

fn decision_schema() -> Value {
    published::<Decision>("urn:refdrift:schema:decision:1", "DecisionV1")
}

fn baseline_schema() -> Value {
    published::<Baseline>("urn:refdrift:schema:baseline:1", "BaselineV1")
}

fn agent_finding_schema() -> Value {
    published::<AgentFinding>("https://openvibe.network/contracts/agent/finding.v1.json", "AgentFinding")
}

impl KindRow {
    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let schema = (self.schema)();
            let validator = schema::compile(&schema);
            Compiled { schema, validator }
        })
    }
}

impl RecordKind {
    /// The row of the kind.
    ///
    /// # Panics
    /// Never: a test demands a row for every kind.
    pub fn row(self) -> &'static KindRow {
        KINDS.iter().find(|row| row.kind == self).expect("invariant: every kind has a row")
    }

    /// The kind of a name on the command line.
    pub fn from_name(name: &str) -> Option<Self> {
        KINDS.iter().find(|row| row.name == name).map(|row| row.kind)
    }
}

/// The published schema of a kind.
pub fn schema(kind: RecordKind) -> Value {
    kind.row().compiled().schema.clone()
}

/// Validates a text: one record, an array of records, or one record a line (NDJSON). Without a kind, each record says
/// itself what it is.
pub fn validate(text: &str, kind: Option<RecordKind>) -> Report {
    let mut report = Report::default();
    if is_too_large(text, &mut report) {
        return report;
    }
    let lines = LineIndex::new(text);
    match json::value_at(text, 0) {
        Ok((value, end)) if text[end..].trim().is_empty() => one_or_many(text, &lines, 0, &value, kind, &mut report),
        Ok((_, end)) if is_first_line(text, end) => each_line(text, &lines, kind, &mut report),
        Ok((_, end)) => {
            let at = end + (text[end..].len() - text[end..].trim_start().len());
            trailing(text, &lines, at, &mut report);
        }
        Err(fault) => syntax(text, &lines, fault, &mut report),
    }
    report
}

/// Validates a text that is known to hold one record a line (NDJSON). No line is no record, and nothing is wrong with it.
pub fn validate_lines(text: &str, kind: Option<RecordKind>) -> Report {
    let mut report = Report::default();
    if !is_too_large(text, &mut report) {
        each_line(text, &LineIndex::new(text), kind, &mut report);
    }
    report
}

fn is_too_large(text: &str, report: &mut Report) -> bool {
    let is_too_large = text.len() > MAX_BYTES;
    if is_too_large {
        let parts = (String::new(), format!("{} bytes", text.len()), format!("at most {MAX_BYTES}"));
        report.violations.push(report::violation("", &LineIndex::new(""), 0, Rule::Size, parts));
    }
    is_too_large
}

fn each_line(text: &str, lines: &LineIndex, kind: Option<RecordKind>, report: &mut Report) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if report.is_full() {
            break;
        }
        if !line.trim().is_empty() {
            one_line(text, lines, (start, start + line.len()), kind, report);
        }
        start += line.len();
    }
}

/// Whether a value that ends at `end` is all of the first line that is not blank, and an object.
fn is_first_line(text: &str, end: usize) -> bool {
    let value = text[..end].trim_start();
    let rest = text[end..].trim_start_matches([' ', '\t', '\r']);
    value.starts_with('{') && !value.contains('\n') && rest.starts_with('\n')
}

fn one_line(text: &str, lines: &LineIndex, (start, end): (usize, usize), kind: Option<RecordKind>, report: &mut Report) {
    // What stands behind the line is no part of it.
    let upto = &text[..end];
    match json::value_at(upto, start) {
        Ok((value, after)) if upto[after..].trim().is_empty() => record(upto, lines, start, ("", &value), kind, report),
        Ok((_, after)) => trailing(upto, lines, after + (upto[after..].len() - upto[after..].trim_start().len()), report),
        Err(fault) => syntax(upto, lines, fault, report),
    }
}

fn trailing(text: &str, lines: &LineIndex, at: usize, report: &mut Report) {
    let parts = (String::new(), "there is text behind the record".to_owned(), "nothing, or one record a line".to_owned());
    report.violations.push(report::violation(text, lines, at, Rule::Syntax, parts));
}

fn syntax(text: &str, lines: &LineIndex, fault: json::Fault, report: &mut Report) {
    let kind = if fault.is_duplicate { Rule::DuplicateKey } else { Rule::Syntax };
    report.violations.push(report::violation(text, lines, fault.at, kind, (fault.pointer, fault.wrong, fault.right)));
}

fn one_or_many(text: &str, lines: &LineIndex, start: usize, value: &Value, kind: Option<RecordKind>, report: &mut Report) {
    match value {
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                if report.is_full() {
                    break;
                }
                record(text, lines, start, (&format!("/{index}"), item), kind, report);
            }
        }
        _ => record(text, lines, start, ("", value), kind, report),
    }
}

/// Validates one record at a pointer of the value that begins at `start`.
fn record(
    text: &str,
    lines: &LineIndex,
    start: usize,
    (pointer, value): (&str, &Value),
    kind: Option<RecordKind>,
    report: &mut Report,
) {
    let mut checks = Checks::new(pointer);
    let own = value.as_object().and_then(|map| KINDS.iter().find(|row| (row.recognises)(map)));
    match kind.map(RecordKind::row).or(own) {
        None => {
            let names: Vec<String> = KINDS.iter().map(|row| format!("`{}`", row.name)).collect();
            checks.add(
                Rule::Kind,
                "",
                "this is no record of a known kind",
                format!("an object with a `type` or `verdict`: {}", names.join(", ")),
            );
        }
        Some(row) => {
            report.records.push(row.kind);
            let compiled = row.compiled();
            match &compiled.validator {
                Ok(validator) => schema::check(validator, &compiled.schema, value, &mut checks),
                Err(fault) => checks.add(Rule::Schema, "", format!("the schema does not compile: {fault}"), ""),
            }
            let fits_schema = checks.is_clean();
            lines_in_order(value, &mut checks);
            // What the schema forbids would only be told twice.
            if fits_schema {
                (row.check)(value, &mut checks);
            }
        }
    }
    checks.place(text, lines, start, report);
}

/// `lineEnd` is never before `lineStart`, wherever the two stand.
fn lines_in_order(value: &Value, checks: &mut Checks) {
    match value {
        Value::Object(map) => {
            let line = |name: &str| map.get(name).and_then(Value::as_f64);
            if let (Some(start), Some(end)) = (line("lineStart"), line("lineEnd")) {
                checks.demand(
                    end >= start,
                    Rule::Consistency,
                    "/lineEnd",
                    format!("the last line {end} is before the first line {start}"),
                    format!("{start} or more"),
                );
            }
            for (key, inner) in map.iter().filter(|(_, inner)| inner.is_object() || inner.is_array()) {
                checks.within(&format!("/{}", json::escaped(key)), |checks| lines_in_order(inner, checks));
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                checks.within(&format!("/{index}"), |checks| lines_in_order(inner, checks));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
