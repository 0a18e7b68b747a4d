//! The policy sidecar: one versioned envelope with everything a run found, shown or not. Reporters and the trusted half of
//! delivery read nothing else.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ChangeOp, CitationForm, ClaimRule, Coverage, FactKind, Finding, Notice, RenameProof, Severity};

/// Which tool wrote the sidecar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tool {
    /// `refdrift`.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
    /// Its version.
    #[schemars(length(min = 1, max = 64))]
    pub version: String,
}

/// The two commits that were compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Revisions {
    /// The merge base.
    #[schemars(length(min = 1, max = 128))]
    pub base: String,
    /// The head.
    #[schemars(length(min = 1, max = 128))]
    pub head: String,
}

/// The settings that shaped the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EffectiveConfiguration {
    /// Hash of all of them.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub hash: String,
    /// Findings below are kept, not shown.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min_confidence: f64,
    /// The least severity that fails the run; `off` for never.
    pub fail_on: Severity,
    /// Hash of the baseline's entries, where there are any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub baseline_hash: Option<String>,
    /// Hash of the recorded decisions on findings, where there are any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub decisions_hash: Option<String>,
    /// The day by which suppressions expired, where one has a last day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub day: Option<String>,
}

/// A document and why it is listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImpactedDocument {
    /// Its path.
    #[schemars(length(min = 1, max = 512))]
    pub path: String,
    /// The cited facts, sorted.
    #[schemars(length(max = 4096))]
    pub because: String,
}

/// Documents that a change touches or speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Impact {
    /// Unchanged documents that cite changed facts, mentions included.
    pub documents_to_review: Vec<ImpactedDocument>,
    /// Documents that the change edits.
    pub changed_documentation: Vec<ImpactedDocument>,
}

/// Ids of the visible findings, by whether their region was edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Groups {
    /// Nothing at the citing place was edited.
    pub pending: Vec<String>,
    /// The citing region was edited in the same change, and still claims the old fact.
    pub updated_in_this_change: Vec<String>,
}

/// How many findings went where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Shown.
    pub proposed: usize,
    /// Kept, not shown.
    pub excluded: usize,
    /// Shown, for interpretation.
    #[serde(rename = "routed-to-L2")]
    pub routed_to_l2: usize,
    /// Kept until a release.
    #[serde(rename = "pending-version")]
    pub pending_version: usize,
    /// Of the excluded: in generated text.
    pub generator: usize,
    /// Of the excluded: in historical or archived text.
    pub historical: usize,
    /// Of the excluded: suppressed.
    pub suppressed: usize,
    /// Of the excluded: below the least confidence.
    #[serde(rename = "below-min-confidence")]
    pub below_min_confidence: usize,
}

/// The policy's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Policy {
    /// Whether routing was applied.
    pub enabled: bool,
    /// Every finding, sorted by id.
    pub findings: Vec<Finding>,
    /// How many went where.
    pub counts: Counts,
}

/// A place in the code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CodeLocation {
    /// Its path.
    #[schemars(length(min = 1, max = 512))]
    pub path: String,
    /// First line, from 1.
    #[schemars(range(min = 1))]
    pub line_start: u32,
    /// Last line.
    #[schemars(range(min = 1))]
    pub line_end: u32,
}

/// Reads a key that is there: a `null` stands for a value of the code, not for a missing one.
pub(crate) fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// One part of a fact that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AspectRecord {
    /// JSON pointer into the projection.
    #[schemars(length(max = 1024))]
    pub pointer: String,
    /// Value at base; `null` is one, and other than none.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub before: Option<Value>,
    /// Value at head; `null` is one, and other than none.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub after: Option<Value>,
}

/// A place in a document that claims the old fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CitedPlace {
    /// Its finding.
    #[schemars(length(min = 1, max = 128))]
    pub finding: String,
    /// The document.
    #[schemars(length(min = 1, max = 512))]
    pub document: String,
    /// The line of the stale words, from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// First column of the stale words, in characters from 1.
    #[schemars(range(min = 1))]
    pub column_start: u32,
    /// One past their last column.
    #[schemars(range(min = 1))]
    pub column_end: u32,
    /// The line, cut around the stale words where it is long.
    #[schemars(length(max = 400))]
    pub text: String,
    /// The stale words.
    #[schemars(length(min = 1, max = 200))]
    pub stale: String,
    /// The line of the cited name, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 1))]
    pub name_line: Option<u32>,
    /// By which rule.
    pub rule: ClaimRule,
    /// How the fact is named.
    pub form: CitationForm,
    /// How sure.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

/// A fact that changed and is claimed somewhere, with every claiming place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangedFact {
    /// The fact's id.
    #[schemars(length(min = 1, max = 1024))]
    pub id: String,
    /// Its kind.
    pub kind: FactKind,
    /// Its name.
    #[schemars(length(min = 1, max = 512))]
    pub name: String,
    /// What happened.
    pub op: ChangeOp,
    /// In words: `default 30 -> 60`.
    #[schemars(length(max = 512))]
    pub summary: String,
    /// Facts with one cause share it: the directory that moved or is gone, the file or type that is gone, else the fact's id.
    #[schemars(length(min = 1, max = 1024))]
    pub cause: String,
    /// The parts that changed.
    pub aspects: Vec<AspectRecord>,
    /// The new name, where it is proven.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 512))]
    pub renamed_to: Option<String>,
    /// How it is proven.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proof: Option<RenameProof>,
    /// Possible successors, unproven.
    pub candidates: Vec<String>,
    /// Where it stood at base.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<CodeLocation>,
    /// Where it stands at head.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<CodeLocation>,
    /// The claiming places of all its findings, shown or not.
    pub places: Vec<CitedPlace>,
}

/// Why a finding is not shown although its routing would show it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Suppression {
    /// The finding.
    #[schemars(length(min = 1, max = 128))]
    pub finding: String,
    /// Where the suppression stands: `comment`, `config`, `decision`, `baseline`.
    #[schemars(extend("enum" = ["comment", "config", "decision", "baseline"]))]
    pub source: String,
    /// The reason given.
    #[schemars(length(max = 1024))]
    pub reason: String,
}

/// Lines that one edit replaces. Starts are 1-based; an empty side starts at the line it would stand at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LineEdit {
    /// First line at base.
    #[schemars(range(min = 1))]
    pub before_start: u32,
    /// Lines at base.
    pub before_lines: u32,
    /// First line at head.
    #[schemars(range(min = 1))]
    pub after_start: u32,
    /// Lines at head.
    pub after_lines: u32,
}

/// The line diff of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileDiff {
    /// The path at head; at base for a deleted file.
    #[schemars(length(min = 1, max = 4096))]
    pub path: String,
    /// The path at base, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 4096))]
    pub previous_path: Option<String>,
    /// Lines at base.
    pub before_lines: u32,
    /// Lines at head.
    pub after_lines: u32,
    /// The edits, in order; none where the lines of the pull request's head are not known, or there are too many.
    #[schemars(length(max = 4096))]
    pub edits: Vec<LineEdit>,
}

/// The pull request a run belongs to: what delivery needs and the analysis does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PullRequest {
    /// `owner/name` of the repository the pull request is opened in.
    #[schemars(length(min = 3, max = 256))]
    pub repository: String,
    /// Its number.
    #[schemars(range(min = 1))]
    pub number: u64,
    /// The commit at its head, which is not the merge commit that a workflow checks out.
    #[schemars(regex(pattern = r"^[a-f0-9]{40,64}$"))]
    pub head: String,
    /// The diffs of the files that changed facts and their citations stand in.
    #[schemars(length(max = 4096))]
    pub diffs: Vec<FileDiff>,
}

/// The envelope, version 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sidecar {
    /// Always `policy-sidecar`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "policy-sidecar"))]
    pub record_type: String,
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub schema_version: u32,
    /// The tool.
    pub tool: Tool,
    /// The repository's name.
    #[schemars(length(min = 1, max = 512))]
    pub repository: String,
    /// The range.
    pub revisions: Revisions,
    /// The pull request, where the run was for one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pull_request: Option<PullRequest>,
    /// The settings.
    pub configuration: EffectiveConfiguration,
    /// All fact changes.
    pub change_set: Value,
    /// Documents that are concerned.
    pub impact: Impact,
    /// The visible findings, sorted by id.
    pub findings: Vec<Finding>,
    /// The same by whether their region was edited.
    pub groups: Groups,
    /// Every finding and the counts.
    pub policy: Policy,
    /// The facts that findings speak of, sorted by id.
    pub changed_facts: Vec<ChangedFact>,
    /// What is suppressed, and why.
    pub suppressions: Vec<Suppression>,
    /// What was looked at.
    pub coverage: Vec<Coverage>,
    /// What could not be looked at.
    pub notices: Vec<Notice>,
}
