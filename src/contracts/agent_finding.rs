//! `agent.finding@1`: one finding of a review with its verdict. The verdict is the evidence bar: what a record must and
//! must not carry depends on it, and the schema says so with conditions. The fields and their bounds are given by the
//! contract; the shapes under `$defs` are those of its examples, and fields they do not show are let through.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::report::{Checks, Rule};
use crate::value::fingerprint::{is_relative, normalized};

/// How far a finding is shown to be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Reproduced or re-read; carries severity and confidence.
    Confirmed,
    /// A lead that could not be proven here; carries blockers and a plan, never a severity.
    NeedsValidation,
    /// Refuted; carries the reason.
    Rejected,
}

/// A step of likelihood, impact or confidence, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "level")]
pub enum Level {
    /// Low.
    Low,
    /// Medium.
    Medium,
    /// High.
    High,
    /// Critical.
    Critical,
}

/// A place in the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "location")]
pub struct Location {
    /// Path from the repository's root.
    #[schemars(length(min = 1, max = 1000))]
    pub file: String,
    /// Line, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 1))]
    pub line: Option<u32>,
    /// The function, key or heading.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 500))]
    pub symbol: Option<String>,
}

/// What kind of thing shows a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum EvidenceKind {
    /// The source was read.
    Source,
    /// A command was run.
    Command,
    /// A service answered.
    Response,
    /// A picture was taken.
    Screenshot,
    /// A test was run.
    Test,
}

/// One thing that shows the fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "evidence")]
pub struct AgentEvidence {
    /// What kind of thing.
    pub kind: EvidenceKind,
    /// What it shows.
    #[schemars(length(min = 1, max = 4000))]
    pub summary: String,
    /// Where it was read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub location: Option<Location>,
    /// The command that was run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 4000))]
    pub command: Option<String>,
    /// What came back.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 20_000))]
    pub output: Option<String>,
}

/// How bad it is. `overall_severity` may not exceed `impact`: a schema cannot rank words, a validator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "severity")]
pub struct AgentSeverity {
    /// How likely it happens.
    pub likelihood: Level,
    /// How bad it is when it happens, as shown by the evidence.
    pub impact: Level,
    /// Both together; never above the impact.
    pub overall_severity: Level,
}

/// How sure the reviewer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "confidence")]
pub struct AgentConfidence {
    /// How sure.
    pub level: Level,
    /// Why.
    #[schemars(length(min = 1, max = 2000))]
    pub reason: String,
}

/// One change that would help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct CodeChange {
    /// Path from the repository's root.
    #[schemars(length(min = 1, max = 1000))]
    pub file: String,
    /// What to change.
    #[schemars(length(min = 1, max = 4000))]
    pub change: String,
}

/// What would help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "remediation")]
pub struct AgentRemediation {
    /// In words.
    #[schemars(length(min = 1, max = 4000))]
    pub strategy: String,
    /// File by file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 50))]
    pub code_changes: Option<Vec<CodeChange>>,
}

/// How the claim can be proven or refuted; at least one of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "validation_plan", extend("minProperties" = 1))]
pub struct ValidationPlan {
    /// On a developer's machine.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 4000))]
    pub local: Option<String>,
    /// Where it is deployed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 4000))]
    pub deployment: Option<String>,
}

/// One finding of a review, a hunt or a security pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgentFinding", extend("allOf" = verdict_rules()))]
pub struct AgentFinding {
    /// The evidence bar.
    pub verdict: Verdict,
    /// The stable id: repository-relative file, a colon, and the finding's text in lower case with single blanks.
    #[schemars(length(min = 1, max = 200))]
    pub fingerprint: String,
    /// One line.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// What is wrong, in plain words; no severity claim beyond the evidence.
    #[schemars(length(min = 1, max = 4000))]
    pub description: String,
    /// Where the issue lives, most specific first.
    #[schemars(length(min = 1, max = 50))]
    pub trace: Vec<Location>,
    /// What shows the fact.
    #[schemars(length(min = 1, max = 50))]
    pub evidence: Vec<AgentEvidence>,
    /// How bad it is; for confirmed findings.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub severity: Option<AgentSeverity>,
    /// How sure the reviewer is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub confidence: Option<AgentConfidence>,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub remediation: Option<AgentRemediation>,
    /// The suspected cause of a lead, stated as a claim to test.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 2000))]
    pub claimed_root_cause: Option<String>,
    /// The exact reasons why the claim could not be proven here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 20), inner(length(min = 1, max = 500)))]
    pub blockers: Option<Vec<String>>,
    /// How the claim can be proven.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub validation_plan: Option<ValidationPlan>,
    /// Why a rejected claim does not stand.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 2000))]
    pub reason: Option<String>,
}

/// What each verdict demands and forbids.
fn verdict_rules() -> Value {
    let rule = |verdict: &str, comment: &str, then: Value| {
        json!({
            "$comment": comment,
            "if": {"properties": {"verdict": {"const": verdict}}, "required": ["verdict"]},
            "then": then,
        })
    };
    json!([
        rule(
            "confirmed",
            "a confirmed finding says how bad it is and how sure the reviewer is",
            json!({"required": ["severity", "confidence"]})
        ),
        rule(
            "needs_validation",
            "a lead says what blocked its proof and how to prove it, and has no severity",
            json!({"required": ["blockers", "validation_plan"], "properties": {"severity": false}})
        ),
        rule("rejected", "a rejected finding says why it does not stand", json!({"required": ["reason"]})),
    ])
}

/// What the schema cannot say.
pub(super) fn check(value: &Value, checks: &mut Checks) {
    let rank = |name: &str| -> Option<Level> { serde_json::from_value(value.get("severity")?.get(name)?.clone()).ok() };
    if let (Some(overall), Some(impact)) = (rank("overall_severity"), rank("impact"))
        && overall > impact
    {
        let shown =
            |level: Level| serde_json::to_value(level).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
        checks.add(
            Rule::Consistency,
            "/severity/overall_severity",
            format!("the overall severity `{}` is above the demonstrated impact `{}`", shown(overall), shown(impact)),
            format!("`{}` or lower", shown(impact)),
        );
    }
    if let Some(print) = value.get("fingerprint").and_then(Value::as_str) {
        match print.split_once(':') {
            Some((file, text)) if !file.trim().is_empty() => {
                checks.demand(
                    text == normalized(text) && !text.is_empty(),
                    Rule::Identity,
                    "/fingerprint",
                    "the text behind the file is not in lower case with single blanks",
                    format!("`{file}:{}`", normalized(text)),
                );
                relative(file, "/fingerprint", checks);
            }
            _ => checks.add(Rule::Identity, "/fingerprint", "there is no file in front of the text", "`file:text`"),
        }
    }
    let files = [("trace", "/file"), ("evidence", "/location/file")];
    for (list, inner) in files {
        for (index, item) in value.get(list).and_then(Value::as_array).into_iter().flatten().enumerate() {
            if let Some(file) = item.pointer(inner).and_then(Value::as_str) {
                relative(file, &format!("/{list}/{index}{inner}"), checks);
            }
        }
    }
}

/// Paths are relative to the repository and stay inside.
fn relative(file: &str, pointer: &str, checks: &mut Checks) {
    checks.demand(
        is_relative(file),
        Rule::Consistency,
        pointer,
        format!("`{file}` leads out of the repository"),
        "a path from the repository's root",
    );
}
