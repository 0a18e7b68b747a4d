//! The file as written: strict serde types, and errors with a place and a suggestion.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Error;
use crate::model::{FactKind, Severity};

/// `refdrift.yml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ConfigFile {
    /// Which documents are looked at.
    pub documents: Documents,
    /// Which source files are looked at.
    pub sources: Sources,
    /// Extra classification of documents; the first match wins, before the built-in rules. Frontmatter wins over both.
    pub classify: Vec<ClassifyRule>,
    /// Severity by category (`changed-reference`, `broken-reference`, `ambiguous-reference`); a warning by default.
    pub severity: BTreeMap<String, Severity>,
    /// The least severity that makes a run fail; never by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<FailOn>,
    /// Findings below are kept in the sidecar, not shown. From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min_confidence: Option<f64>,
    /// Extra facts, by pattern.
    pub facts: Vec<FactPattern>,
    /// Findings that are accepted.
    pub suppress: Vec<SuppressRule>,
    /// A file that `refdrift baseline` wrote, by its path from the repository's root: its findings are accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
}

/// Which documents are looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Documents {
    /// Globs; none means every document.
    pub include: Vec<String>,
    /// Globs that are left out.
    pub exclude: Vec<String>,
}

/// Which source files are looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Sources {
    /// Globs; none means every source file.
    pub include: Vec<String>,
    /// Globs that are left out.
    pub exclude: Vec<String>,
}

/// A rule of classification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ClassifyRule {
    /// Globs of the documents.
    pub paths: Vec<String>,
    /// `active`, `archived` or `historical`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lifecycle: Option<String>,
    /// As in frontmatter: `human`, `agent`, `archive` and so on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audience: Option<String>,
    /// The documents are written by this program.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generator: Option<String>,
}

/// An extra fact by pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FactPattern {
    /// Globs of the files.
    pub paths: Vec<String>,
    /// A regular expression with the groups `name` and `value`.
    pub pattern: String,
    /// The kind of the facts; `config-key` by default.
    #[serde(default = "default_kind")]
    pub kind: FactKind,
}

fn default_kind() -> FactKind {
    FactKind::ConfigKey
}

/// An accepted finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SuppressRule {
    /// The category; every one without it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    /// A glob of documents; every one without it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub document: Option<String>,
    /// A glob of fact names; every one without it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fact: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day it holds, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<String>,
}

/// When a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Never.
    Never,
    /// On any finding.
    Info,
    /// On warnings and errors.
    Warn,
    /// On errors.
    Error,
}

impl FailOn {
    /// Whether a finding of a severity fails the run.
    pub fn is_met_by(self, severity: Severity) -> bool {
        match self {
            Self::Never => false,
            Self::Info => severity >= Severity::Info,
            Self::Warn => severity >= Severity::Warn,
            Self::Error => severity >= Severity::Error,
        }
    }

    /// The threshold as a severity; `off` for never.
    pub fn threshold(self) -> Severity {
        match self {
            Self::Never => Severity::Off,
            Self::Info => Severity::Info,
            Self::Warn => Severity::Warn,
            Self::Error => Severity::Error,
        }
    }
}

/// Deepest nesting of brackets; the file's own form needs three.
const MAX_BRACKETS: usize = 64;

/// The line in which brackets are nested too deep: the YAML parser would take a time that grows with the square of the depth.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (row, line) in text.lines().enumerate() {
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_BRACKETS {
                return Some(row + 1);
            }
        }
    }
    None
}

pub(super) fn read(text: &str, path: &Path) -> Result<ConfigFile, Error> {
    if text.lines().all(|l| l.trim().is_empty() || l.trim_start().starts_with('#')) {
        return Ok(ConfigFile::default());
    }
    if let Some(line) = too_deep(text) {
        return Err(Error {
            path: path.to_owned(),
            line: Some(line),
            column: None,
            message: format!("brackets nested more than {MAX_BRACKETS} levels deep"),
            suggestion: None,
        });
    }
    serde_yaml::from_str(text).map_err(|error| {
        let full = error.to_string();
        let location = error.location();
        let message = full.split(" at line ").next().unwrap_or(&full).to_owned();
        let suggestion = suggest(&message);
        Error {
            path: path.to_owned(),
            line: location.as_ref().map(serde_yaml::Location::line),
            column: location.as_ref().map(serde_yaml::Location::column),
            message,
            suggestion,
        }
    })
}

/// For "unknown field `x`, expected one of `a`, `b`": the nearest of them.
fn suggest(message: &str) -> Option<String> {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let (given, expected) = names.split_first()?;
    if !message.contains("unknown field") && !message.contains("unknown variant") {
        return None;
    }
    let best = expected.iter().map(|e| (strsim::jaro_winkler(given, e), e)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.7).then(|| format!("did you mean `{}`?", best.1))
}
