//! Where suppressions come from and go to: rules of the configuration, the decisions file, the baseline, the clock; and how
//! they bear on the findings of a run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::check::inside;
use super::{AnalysisOptions, CheckOptions, Error, check};
use crate::citations::Judgement;
use crate::config::Config;
use crate::contracts::{self, Baseline, BaselineEntry, Decision, DecisionTargetKind, RecordKind};
use crate::findings::{CATEGORIES, Draft};
use crate::git::{ObjectId, Repository};
use crate::model::{ChangeSet, Document, Finding, Notice, NoticeCode, Suppression};
use crate::policy::{
    self, Accepted, Candidate, Named, Routed, Suppressed, SuppressionOptions, SuppressionRule, SuppressionSource, Suppressions,
};
use crate::value::{date, summary};

/// Where decisions are recorded: one record, an array, or one record a line.
pub(super) const DECISIONS: &str = ".github/refdrift-decisions.json";

/// Largest decisions file or baseline, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Most notices about one decisions file.
const MAX_NOTICES: usize = 20;

/// Which baseline holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaselineChoice {
    /// The one the configuration names, if any.
    #[default]
    Configured,
    /// This file.
    File(PathBuf),
    /// None.
    Ignored,
}

/// The visible findings of a range as a baseline. One that already holds is left aside: the new one replaces it.
///
/// # Errors
/// The analysis fails.
pub fn baseline(options: &CheckOptions) -> Result<String, Error> {
    Ok(write_baseline(options)?.text)
}

/// A baseline, and what its writer should know.
pub(super) struct Written {
    pub(super) text: String,
    /// Said where there was nothing to compare.
    pub(super) note: Option<String>,
}

/// As [`baseline`], with a note.
pub(super) fn write_baseline(options: &CheckOptions) -> Result<Written, Error> {
    let options = CheckOptions { baseline: BaselineChoice::Ignored, ..options.clone() };
    let (analysis, _) = check(&options)?;
    let findings: Vec<BaselineEntry> = analysis
        .sidecar
        .findings
        .iter()
        .map(|f| BaselineEntry {
            document: f.assertion.document.clone(),
            category: f.category.clone(),
            key: f.assertion.key.clone(),
            id: f.id.clone(),
            evidence_hash: f.evidence_hash.clone(),
        })
        .collect();
    let file = Baseline::new(findings);
    let text = serde_json::to_string_pretty(&file).map_err(|e| Error::Report(e.into()))?;
    let revisions = &analysis.sidecar.revisions;
    let note = (revisions.base == revisions.head).then(|| {
        let short: String = revisions.head.chars().take(10).collect();
        format!(
            "note: the baseline is empty, for base and head are one commit ({short}): nothing changed in this range\n  \
             help: name an older commit to compare with, for example the last release: `refdrift baseline --base v1.0.0`"
        )
    });
    Ok(Written { text: text + "\n", note })
}

/// Everything that suppresses besides comments. A file that is named and cannot be read is an error; a record that cannot be
/// understood is a notice.
pub(super) fn load(
    config: &Config,
    options: &CheckOptions,
    repository: &Repository,
    head: ObjectId,
) -> Result<(SuppressionOptions, Vec<Notice>), Error> {
    let rules: Vec<SuppressionRule> = config
        .suppress
        .iter()
        .map(|s| SuppressionRule {
            category: s.rule.category.clone(),
            document: s.document.clone(),
            fact: s.fact.clone(),
            reason: s.rule.reason.clone(),
            until: s.rule.until.clone(),
            told: told(&s.rule),
        })
        .collect();
    let mut notices = Vec::new();
    let decisions = match own_file(repository, head, DECISIONS)? {
        Some(text) => decisions(&text, &mut notices),
        None => Vec::new(),
    };
    let baseline = match (&options.baseline, &config.baseline) {
        (BaselineChoice::File(path), _) => read_baseline(&path.display().to_string(), &read(path)?)?,
        (BaselineChoice::Configured, Some(path)) => {
            let missing = || Error::Invalid {
                message: format!("the configuration names the baseline {path}, which is not there"),
                help: Some("`refdrift baseline --output FILE` writes one; paths begin at the repository's root".to_owned()),
            };
            read_baseline(path, &own_file(repository, head, path)?.ok_or_else(missing)?)?
        }
        (BaselineChoice::Configured, None) | (BaselineChoice::Ignored, _) => Vec::new(),
    };
    let today = options.today.clone().or_else(|| rules.iter().any(|r| r.until.is_some()).then(today));
    Ok((SuppressionOptions { categories: &CATEGORIES, rules, decisions, baseline, today }, notices))
}

/// A rule in a few words.
fn told(rule: &crate::config::SuppressRule) -> String {
    let parts: Vec<String> = [("category", &rule.category), ("document", &rule.document), ("fact", &rule.fact)]
        .into_iter()
        .filter_map(|(name, value)| value.as_ref().map(|v| format!("{name} `{v}`")))
        .collect();
    if parts.is_empty() { "everything".to_owned() } else { parts.join(", ") }
}

#[expect(clippy::disallowed_methods, reason = "the one place where the day is read, and only where a suppression has a last day")]
fn today() -> String {
    let elapsed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    date::day_of(elapsed.map_or(0, |e| e.as_secs()))
}

#[expect(clippy::disallowed_methods, reason = "the caller's own files are read in app")]
fn read(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Io { action: "read", path: path.to_owned(), source };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > MAX_BYTES {
        return Err(Error::Invalid { message: format!("{} is larger than {MAX_BYTES} bytes", path.display()), help: None });
    }
    std::fs::read_to_string(path).map_err(failed)
}

/// A file of the repository: of the work tree, else of the head commit (a bare repository has no work tree).
fn own_file(repository: &Repository, head: ObjectId, name: &str) -> Result<Option<String>, Error> {
    if let Some(path) = repository.work_tree().and_then(|root| inside(&root, name)) {
        return read(&path).map(Some);
    }
    let bytes = repository.file(head, name)?;
    let too_large = |b: &Vec<u8>| u64::try_from(b.len()).is_ok_and(|n| n > MAX_BYTES);
    if bytes.as_ref().is_some_and(too_large) {
        return Err(Error::Invalid { message: format!("{name} is larger than {MAX_BYTES} bytes"), help: None });
    }
    Ok(bytes.map(|b| String::from_utf8_lossy(&b).into_owned()))
}

fn read_baseline(path: &str, text: &str) -> Result<Vec<Accepted>, Error> {
    let invalid = |message: String| Error::Invalid {
        message: format!("{path} is no baseline: {message}"),
        help: Some("`refdrift baseline --output FILE` writes one".to_owned()),
    };
    let report = contracts::validate(text, Some(RecordKind::Baseline));
    // A merge may leave the list out of order; it says the same.
    if let Some(first) = report.violations.iter().find(|v| v.kind != contracts::Rule::Order) {
        return Err(invalid(first.to_string()));
    }
    let file: Baseline = serde_json::from_str(text).map_err(|e| invalid(e.to_string()))?;
    let accepted = file.findings.into_iter().map(|entry| Accepted {
        id: entry.id,
        evidence_hash: entry.evidence_hash,
        place: Some((entry.category, entry.document, entry.key)),
        reason: "known before and accepted".to_owned(),
    });
    Ok(accepted.collect())
}

/// Recorded decisions on findings.
fn decisions(text: &str, notices: &mut Vec<Notice>) -> Vec<Accepted> {
    let mut notice = |message: String| {
        let path = crate::model::RepoPath::new(DECISIONS);
        if notices.len() < MAX_NOTICES {
            notices.push(Notice::file(NoticeCode::InvalidSuppression, &path, summary::clip(&message, 500)));
        }
    };
    let records: Vec<Value> = match serde_json::from_str(text) {
        Ok(Value::Array(list)) => list,
        Ok(one) => vec![one],
        Err(whole) => {
            let lines: Result<Vec<Value>, _> = text.lines().filter(|l| !l.trim().is_empty()).map(serde_json::from_str).collect();
            let Ok(list) = lines else {
                notice(format!("the decisions cannot be read: {whole}"));
                return Vec::new();
            };
            list
        }
    };
    // A key that stands twice would be read as either.
    let report = contracts::validate(text, Some(RecordKind::Decision));
    if let Some(twice) = report.violations.iter().find(|v| v.kind == contracts::Rule::DuplicateKey) {
        notice(format!("the decisions cannot be read: {twice}"));
        return Vec::new();
    }
    let mut out = Vec::new();
    for (index, record) in records.into_iter().enumerate() {
        let report = contracts::validate(&record.to_string(), Some(RecordKind::Decision));
        if let Some(first) = report.violations.first() {
            notice(format!("decision {}: {}", index + 1, first.wrong));
            continue;
        }
        let Ok(decision) = serde_json::from_value::<Decision>(record.clone()) else { continue };
        // A remediation that was turned down leaves its finding.
        if decision.target.kind == DecisionTargetKind::Finding {
            let reason = record.get("reason").and_then(Value::as_str).unwrap_or_default();
            out.push(Accepted {
                id: decision.target.id,
                evidence_hash: decision.evidence_hash,
                place: None,
                reason: format!("{reason}, decided by {}", decision.by),
            });
        }
    }
    out
}

/// The suppressions of one run with what they did.
pub(super) struct Suppressing {
    suppressions: Suppressions,
    is_on: bool,
    records: Vec<Suppression>,
    notices: Vec<Notice>,
}

impl Suppressing {
    pub(super) fn new(options: &AnalysisOptions) -> Self {
        Self {
            suppressions: Suppressions::new(options.suppressions.clone()),
            is_on: options.policy,
            records: Vec::new(),
            notices: options.notices.clone(),
        }
    }

    pub(super) fn read(&mut self, document: &Document) {
        if self.is_on {
            self.suppressions.read(document);
        }
    }

    /// What suppressions say of a finding. Places that a comment allows are left out where others remain.
    pub(super) fn look(&mut self, draft: &mut Draft, document: &Document, changes: &ChangeSet) -> Suppressed {
        let Some(change) = changes.changes.get(draft.change).filter(|_| self.is_on) else { return Suppressed::No };
        let names: Vec<&str> = change.cited().spellings().collect();
        let candidate = Candidate { finding: &draft.finding, names: &names, document, spans: &draft.spans };
        let verdict = self.suppressions.apply(candidate);
        if let Suppressed::Places(allowed) = &verdict {
            draft.keep_places(|index| allowed.binary_search(&index).is_err());
        }
        verdict
    }

    /// Applies the verdict to a routed finding.
    pub(super) fn settle(&mut self, finding: &mut Finding, routed: Routed, verdict: Suppressed) -> Routed {
        match verdict {
            Suppressed::No => routed,
            Suppressed::Places(allowed) => {
                policy::note_allowed_places(finding, allowed.len());
                routed
            }
            Suppressed::Whole { source, reason } => self.keep_back(finding, routed, source, &reason),
        }
    }

    fn keep_back(&mut self, finding: &mut Finding, routed: Routed, source: SuppressionSource, reason: &str) -> Routed {
        if !policy::keep_back(finding, source, reason) {
            return routed;
        }
        self.records.push(Suppression {
            finding: finding.id.clone(),
            source: source.as_str().to_owned(),
            reason: summary::clip(reason, 1024),
        });
        Routed::Suppressed
    }

    pub(super) fn touch(&mut self, document: &Document, judgements: &[Judgement], changes: &ChangeSet) {
        if !self.is_on {
            return;
        }
        let names: Vec<Vec<&str>> = judgements
            .iter()
            .map(|j| changes.changes.get(j.citation.change).map(|c| c.cited().spellings().collect()).unwrap_or_default())
            .collect();
        let named: Vec<Named<'_>> =
            judgements.iter().zip(&names).map(|(j, names)| Named { names, span: j.citation.span }).collect();
        self.suppressions.touch(document, &named);
    }

    pub(super) fn finish(mut self) -> (Vec<Suppression>, Vec<Notice>) {
        if self.is_on {
            self.notices.extend(self.suppressions.finish());
        }
        (self.records, self.notices)
    }
}
