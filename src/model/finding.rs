//! `FindingV1`, the record refdrift emits. Fields, bounds and words are those of the seed
//! `finding-v1.md`; the bounds themselves are stated in the schema and checked by `contracts`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Categories refdrift produces.
pub const CATEGORIES: [&str; 3] = ["changed-reference", "broken-reference", "ambiguous-reference"];

/// Knowledge status; routing never changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Re-read and true.
    Confirmed,
    /// Nothing documents it.
    Undocumented,
    /// A candidate that was not proven; always so for changed references.
    StaleOrUnverified,
    /// Proven: the name is gone and the citation survives.
    Conflict,
    /// Several owners.
    Unresolved,
    /// Not looked at.
    NotAnalyzed,
}

/// Review layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Layer {
    /// Deterministic.
    L0,
    /// Advisory.
    L1,
    /// Needs interpretation.
    L2,
}

/// Diagnostic severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Not shown.
    Off,
    /// For information.
    Info,
    /// Should be looked at.
    Warn,
    /// Is wrong.
    Error,
}

impl Severity {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// Where a finding goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Routing {
    /// Shown.
    #[serde(rename = "proposed")]
    Proposed,
    /// Kept and counted, not shown.
    #[serde(rename = "excluded")]
    Excluded,
    /// Shown, for interpretation by a person.
    #[serde(rename = "routed-to-L2")]
    RoutedToL2,
    /// Kept until a release that the document targets.
    #[serde(rename = "pending-version")]
    PendingVersion,
}

impl Routing {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Excluded => "excluded",
            Self::RoutedToL2 => "routed-to-L2",
            Self::PendingVersion => "pending-version",
        }
    }

    /// Whether a finding with this routing is shown.
    pub fn is_visible(self) -> bool {
        matches!(self, Self::Proposed | Self::RoutedToL2)
    }
}

/// Source of a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceSource {
    /// Program text.
    Code,
    /// A configuration file or manifest.
    Configuration,
    /// A document.
    Documentation,
    /// A tool's answer.
    Agent,
    /// Computed from other evidence.
    Derived,
}

/// One piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// Where it comes from.
    pub source: EvidenceSource,
    /// Repository path.
    #[schemars(length(min = 1, max = 512))]
    pub path: String,
    /// First line, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 1))]
    pub line_start: Option<u32>,
    /// Last line, not before the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 1))]
    pub line_end: Option<u32>,
    /// Hash of the file or region it was read from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub content_hash: Option<String>,
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 1024))]
    pub context: Option<String>,
}

/// How completely something was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageStatus {
    /// Wholly.
    Complete,
    /// In part.
    Partial,
    /// Not at all.
    NotAnalyzed,
    /// There is nothing of the kind.
    NotApplicable,
}

/// A statement about coverage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Coverage {
    /// Who looked.
    #[schemars(length(min = 1, max = 128))]
    pub analyzer: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 64))]
    pub analyzer_version: Option<String>,
    /// At what.
    #[schemars(length(min = 1, max = 512))]
    pub scope: String,
    /// How completely.
    pub status: CoverageStatus,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 1024))]
    pub reason: Option<String>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 32))]
    pub evidence: Option<Vec<Evidence>>,
}

/// Which analysis made a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provenance {
    /// The repository's name.
    #[schemars(length(min = 1, max = 512))]
    pub repository: String,
    /// The head revision.
    #[schemars(length(min = 1, max = 128))]
    pub revision: String,
    /// Hash of the effective configuration.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub configuration_hash: String,
}

/// The only value of `documentationUpdate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentationUpdate {
    /// The citing region was edited in the same change.
    UpdatedInThisChange,
}

/// The only value of `priority`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    /// A containing key whose descendants changed.
    Low,
}

/// Which assertion of which document a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assertion {
    /// The document's path.
    #[schemars(length(min = 1, max = 512))]
    pub document: String,
    /// The cited name.
    #[schemars(length(min = 1, max = 512))]
    pub key: String,
}

/// A finding, version 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "FindingV1")]
pub struct Finding {
    /// Always `finding`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "finding"))]
    pub record_type: String,
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub schema_version: u32,
    /// `finding:` and the hash of category, assertion and relevant evidence.
    #[schemars(length(min = 1, max = 128))]
    pub id: String,
    /// `changed-reference`, `broken-reference`, `ambiguous-reference`; an open string.
    #[schemars(length(min = 1, max = 128))]
    pub category: String,
    /// Which assertion.
    pub assertion: Assertion,
    /// Hash of the relevant evidence.
    #[schemars(regex(pattern = r"^[a-f0-9]{64}$"))]
    pub evidence_hash: String,
    /// Knowledge status.
    pub status: Status,
    /// Review layer.
    pub layer: Layer,
    /// 0 to 1, by rule.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// Severity.
    pub severity: Severity,
    /// Ids of the document and the fact.
    #[schemars(length(max = 64), inner(length(min = 1, max = 256)))]
    pub entities: Vec<String>,
    /// What shows it.
    #[schemars(length(min = 1, max = 64))]
    pub evidence: Vec<Evidence>,
    /// Where it goes.
    pub routing: Routing,
    /// Whether the citing region was edited in the same change.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub documentation_update: Option<DocumentationUpdate>,
    /// Low for a containing key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub priority: Option<Priority>,
    /// Descendants of a containing key that changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(max = 64), inner(length(min = 1, max = 512)))]
    pub changed_descendant_paths: Option<Vec<String>>,
    /// Who writes the document, where it is generated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(length(min = 1, max = 512))]
    pub generator: Option<String>,
    /// What routing looked at.
    #[schemars(length(max = 32))]
    pub coverage: Vec<Coverage>,
    /// Which analysis.
    pub provenance: Provenance,
}
