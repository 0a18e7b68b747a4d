//! `DecisionV1`: what a person decided about a finding or a remediation. It holds while the evidence is the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionTargetKind {
    /// A finding: it is suppressed while its evidence is unchanged.
    Finding,
    /// A remediation: the finding stays.
    Remediation,
}

/// Why something was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionReason {
    /// The document is right.
    NotADivergence,
    /// The proposed fix is wrong.
    WrongFix,
    /// The document is right, the code is not.
    CodeShouldChange,
    /// Nothing this project answers for.
    OutOfScope,
}

/// What a decision is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionTarget {
    /// A finding or a remediation.
    pub kind: DecisionTargetKind,
    /// Its id.
    #[schemars(length(min = 1, max = 128))]
    pub id: String,
}

/// A decision, version 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "DecisionV1")]
pub struct Decision {
    /// Always `decision`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "decision"))]
    pub record_type: String,
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub schema_version: u32,
    /// What it is about.
    pub target: DecisionTarget,
    /// Who decided.
    #[schemars(length(min = 1, max = 256))]
    pub by: String,
    /// Why.
    pub reason: DecisionReason,
    /// Hash of the relevant evidence that was decided on.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub evidence_hash: String,
}
