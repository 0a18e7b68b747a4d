//! The configuration file: found, parsed strictly, validated. No configuration is needed; every key has a default.

mod file;

use std::path::PathBuf;

use globset::{Glob, GlobMatcher, GlobSet, GlobSetBuilder};
use regex::Regex;

pub use file::{ClassifyRule, ConfigFile, Documents, FactPattern, FailOn, Sources, SuppressRule};

use crate::model::{CATEGORIES, FactKind, RepoPath, Severity};
use crate::value::{canonical, date};

/// Where the file is looked for, in this order.
pub const NAMES: [&str; 4] = [".github/refdrift.yml", ".github/refdrift.yaml", "refdrift.yml", "refdrift.yaml"];

/// Largest configuration file, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {message}", path.display(), line.map_or(String::new(), |l| format!(":{l}{}", column.map_or(String::new(), |c| format!(":{c}")))))]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// The column, from 1, where it is known.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub suggestion: Option<String>,
}

/// One extra fact pattern, compiled.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Which files.
    pub paths: GlobSet,
    /// With groups `name` and `value`.
    pub regex: Regex,
    /// The kind of the facts.
    pub kind: FactKind,
}

/// One classification rule, compiled.
#[derive(Clone, Debug)]
pub struct Classification {
    /// Which documents.
    pub paths: GlobSet,
    /// `active`, `archived` or `historical`.
    pub lifecycle: Option<String>,
    /// As in frontmatter.
    pub audience: Option<String>,
    /// Who writes the documents.
    pub generator: Option<String>,
}

/// One suppression, compiled.
#[derive(Clone, Debug)]
pub struct Suppression {
    /// As written.
    pub rule: SuppressRule,
    /// Which documents; every one without it.
    pub document: Option<GlobMatcher>,
    /// Which facts; every one without it.
    pub fact: Option<GlobMatcher>,
}

/// The validated configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it was read; `None` for the defaults.
    pub path: Option<PathBuf>,
    documents_include: GlobSet,
    documents_exclude: GlobSet,
    sources_include: GlobSet,
    sources_exclude: GlobSet,
    has_documents_include: bool,
    has_sources_include: bool,
    /// Extra classification, first match wins, before the built-in rules.
    pub classify: Vec<Classification>,
    /// Extra facts.
    pub facts: Vec<Pattern>,
    /// Suppressions.
    pub suppress: Vec<Suppression>,
    /// The baseline's path from the repository's root.
    pub baseline: Option<String>,
    /// The least severity that fails a run.
    pub fail_on: FailOn,
    /// Findings below are kept, not shown; `None` for the calibrated default.
    pub min_confidence: Option<f64>,
    severity: std::collections::BTreeMap<String, Severity>,
    raw: ConfigFile,
}

impl Default for Config {
    fn default() -> Self {
        Self::validate(ConfigFile::default(), None, "").expect("invariant: the defaults are valid")
    }
}

impl Config {
    /// Parses and validates a file's text.
    ///
    /// # Errors
    /// Unknown keys, wrong types, bad patterns; with file, line and a suggestion.
    pub fn parse(text: &str, path: PathBuf) -> Result<Self, Error> {
        if text.len() > MAX_BYTES {
            return Err(Error {
                path,
                line: None,
                column: None,
                message: format!("larger than {MAX_BYTES} bytes"),
                suggestion: None,
            });
        }
        let raw = file::read(text, &path)?;
        Self::validate(raw, Some(path), text)
    }

    fn validate(raw: ConfigFile, path: Option<PathBuf>, text: &str) -> Result<Self, Error> {
        let origin = path.clone().unwrap_or_default();
        let at = |needle: &str, message: String, suggestion: Option<String>| Error {
            path: origin.clone(),
            line: text.lines().position(|l| l.contains(needle)).map(|i| i + 1),
            column: None,
            message,
            suggestion,
        };
        let globs = |patterns: &[String]| -> Result<GlobSet, Error> {
            let mut builder = GlobSetBuilder::new();
            for pattern in patterns {
                let glob = Glob::new(pattern).map_err(|e| {
                    at(
                        pattern,
                        format!("`{pattern}` is not a glob: {}", e.kind()),
                        Some("globs match repository paths: `docs/**/*.md`".to_owned()),
                    )
                })?;
                builder.add(glob);
            }
            builder.build().map_err(|e| at("", format!("the globs cannot be combined: {e}"), None))
        };
        let mut facts = Vec::new();
        for pattern in &raw.facts {
            let regex = Regex::new(&pattern.pattern)
                .map_err(|e| at(&pattern.pattern, format!("`{}` is not a regular expression: {e}", pattern.pattern), None))?;
            let names: Vec<&str> = regex.capture_names().flatten().collect();
            for group in ["name", "value"] {
                if !names.contains(&group) {
                    return Err(at(
                        &pattern.pattern,
                        format!("the pattern has no group `{group}`"),
                        Some(format!("write `(?P<{group}>...)` around the {group}")),
                    ));
                }
            }
            facts.push(Pattern { paths: globs(&pattern.paths)?, regex, kind: pattern.kind });
        }
        let mut classify = Vec::new();
        for rule in &raw.classify {
            if let Some(lifecycle) = rule.lifecycle.as_deref().filter(|l| !matches!(*l, "active" | "archived" | "historical")) {
                return Err(at(
                    lifecycle,
                    format!("`{lifecycle}` is no lifecycle"),
                    Some("one of `active`, `archived`, `historical`".to_owned()),
                ));
            }
            classify.push(Classification {
                paths: globs(&rule.paths)?,
                lifecycle: rule.lifecycle.clone(),
                audience: rule.audience.clone(),
                generator: rule.generator.clone(),
            });
        }
        let glob = |pattern: &str| -> Result<GlobMatcher, Error> {
            let glob = Glob::new(pattern).map_err(|e| {
                at(
                    pattern,
                    format!("`{pattern}` is not a glob: {}", e.kind()),
                    Some("for example `docs/**` or `--old-*`".to_owned()),
                )
            })?;
            Ok(glob.compile_matcher())
        };
        let mut suppress = Vec::new();
        for rule in &raw.suppress {
            if rule.reason.trim().is_empty() {
                return Err(at(
                    "suppress",
                    "a suppression has an empty reason".to_owned(),
                    Some("say why it is right as it stands".to_owned()),
                ));
            }
            if let Some(until) = rule.until.as_deref().filter(|u| !date::is_day(u)) {
                return Err(at(
                    until,
                    format!("`{until}` is no day"),
                    Some("`until` is the last day it holds: `2030-12-31`".to_owned()),
                ));
            }
            let document = rule.document.as_deref().map(glob).transpose()?;
            let fact = rule.fact.as_deref().map(glob).transpose()?;
            suppress.push(Suppression { rule: rule.clone(), document, fact });
        }
        if let Some(confidence) = raw.min_confidence.filter(|c| !(0.0..=1.0).contains(c)) {
            return Err(at(
                "min-confidence",
                format!("`min-confidence` is {confidence}"),
                Some("a number from 0 to 1".to_owned()),
            ));
        }
        if let Some(category) = raw.severity.keys().find(|c| !CATEGORIES.contains(&c.as_str())) {
            let list = CATEGORIES.map(|c| format!("`{c}`")).join(", ");
            return Err(at(category, format!("`{category}` is no category"), Some(format!("one of {list}"))));
        }
        Ok(Self {
            documents_include: globs(&raw.documents.include)?,
            documents_exclude: globs(&raw.documents.exclude)?,
            sources_include: globs(&raw.sources.include)?,
            sources_exclude: globs(&raw.sources.exclude)?,
            has_documents_include: !raw.documents.include.is_empty(),
            has_sources_include: !raw.sources.include.is_empty(),
            classify,
            facts,
            suppress,
            baseline: raw.baseline.clone(),
            fail_on: raw.fail_on.unwrap_or(FailOn::Never),
            min_confidence: raw.min_confidence,
            severity: raw.severity.clone(),
            path,
            raw,
        })
    }

    /// Whether a document is looked at.
    pub fn includes_document(&self, path: &RepoPath) -> bool {
        (!self.has_documents_include || self.documents_include.is_match(path.as_str()))
            && !self.documents_exclude.is_match(path.as_str())
    }

    /// Whether a source file is looked at.
    pub fn includes_source(&self, path: &RepoPath) -> bool {
        (!self.has_sources_include || self.sources_include.is_match(path.as_str()))
            && !self.sources_exclude.is_match(path.as_str())
    }

    /// Severity of a category: the configured one, else a warning.
    pub fn severity(&self, category: &str) -> Severity {
        self.severity.get(category).copied().unwrap_or(Severity::Warn)
    }

    /// Hash of the effective settings.
    pub fn hash(&self, min_confidence: f64, fail_on: FailOn, policy: bool) -> String {
        canonical::hash(&serde_json::json!({
            "file": self.raw, "minConfidence": min_confidence, "failOn": fail_on, "policy": policy,
        }))
    }
}

#[cfg(test)]
mod tests;
