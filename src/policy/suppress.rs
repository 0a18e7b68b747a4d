//! Suppressions: findings that people accepted, by a comment in the document, a rule of the configuration, a recorded
//! decision or a baseline. What is suppressed is kept, with the reason, and counted. A suppression speaks of the evidence it
//! was made on: a finding whose evidence changed has another identity and is shown again.

use std::collections::{BTreeMap, BTreeSet};

use globset::GlobMatcher;

use super::allow::{self, Allow};
use super::route;
use crate::model::{ByteSpan, Document, Finding, Notice, NoticeCode, RepoPath, Routing};

/// A rule of the configuration.
#[derive(Clone, Debug)]
pub struct SuppressionRule {
    /// The category; every one without it.
    pub category: Option<String>,
    /// Which documents; every one without it.
    pub document: Option<GlobMatcher>,
    /// Which facts, by name; every one without it.
    pub fact: Option<GlobMatcher>,
    /// Why.
    pub reason: String,
    /// The last day it holds.
    pub until: Option<String>,
    /// The rule in a few words, for notices.
    pub told: String,
}

/// A finding that somebody decided on: of a recorded decision or of a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The finding's id.
    pub id: String,
    /// The evidence that was decided on.
    pub evidence_hash: String,
    /// Category, document and key, where they are known: they tell an ended suppression from one of another change.
    pub place: Option<(String, String, String)>,
    /// Why.
    pub reason: String,
}

/// Where a suppression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressionSource {
    /// A comment in the document.
    Comment,
    /// A rule of the configuration.
    Config,
    /// A recorded decision.
    Decision,
    /// The baseline.
    Baseline,
}

impl SuppressionSource {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Config => "config",
            Self::Decision => "decision",
            Self::Baseline => "baseline",
        }
    }

    fn told(self) -> &'static str {
        match self {
            Self::Comment => "a comment in the document",
            Self::Config => "the configuration",
            Self::Decision => "a recorded decision",
            Self::Baseline => "the baseline",
        }
    }
}

/// Everything that may suppress a finding, besides the comments of documents.
#[derive(Clone, Debug, Default)]
pub struct SuppressionOptions {
    /// Known categories.
    pub categories: &'static [&'static str],
    /// Rules of the configuration.
    pub rules: Vec<SuppressionRule>,
    /// Recorded decisions.
    pub decisions: Vec<Accepted>,
    /// The baseline.
    pub baseline: Vec<Accepted>,
    /// Today; without it nothing expires.
    pub today: Option<String>,
}

/// A finding to look at.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// Every spelling of its fact.
    pub names: &'a [&'a str],
    /// Its document.
    pub document: &'a Document,
    /// Its stale words.
    pub spans: &'a [ByteSpan],
}

/// What becomes of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suppressed {
    /// It stays.
    No,
    /// It stays; these of its places are allowed by comments, by index, rising.
    Places(Vec<usize>),
    /// All of it is suppressed.
    Whole {
        /// By what.
        source: SuppressionSource,
        /// Why.
        reason: String,
    },
}

/// A citation of a changed fact, whatever was decided about it.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// Every spelling of the fact.
    pub names: &'a [&'a str],
    /// Where it is named.
    pub span: ByteSpan,
}

/// The suppressions of a run, and which of them were used.
pub struct Suppressions {
    options: SuppressionOptions,
    allows: BTreeMap<RepoPath, Vec<Allow>>,
    used_allows: BTreeSet<(RepoPath, usize)>,
    used_rules: BTreeSet<usize>,
    touched_rules: BTreeSet<usize>,
    used_baseline: BTreeSet<usize>,
    notices: Vec<Notice>,
}

impl Suppressions {
    /// Reads the rules; what is expired or not understood becomes a notice and suppresses nothing.
    pub fn new(mut options: SuppressionOptions) -> Self {
        let mut notices = Vec::new();
        let categories = options.categories;
        let today = options.today.clone();
        options.rules.retain(|rule| {
            let notice = |code, message: String| Notice::run(code, clipped(&message));
            if let Some(category) = rule.category.as_deref().filter(|c| !categories.contains(c)) {
                let message = format!("the suppression of {} names no category: `{category}`", rule.told);
                notices.push(notice(NoticeCode::InvalidSuppression, message));
                return false;
            }
            match (&rule.until, &today) {
                (Some(until), Some(today)) if until < today => {
                    let message = format!("the suppression of {} held until {until}", rule.told);
                    notices.push(notice(NoticeCode::ExpiredSuppression, message));
                    false
                }
                _ => true,
            }
        });
        Self {
            options,
            allows: BTreeMap::new(),
            used_allows: BTreeSet::new(),
            used_rules: BTreeSet::new(),
            touched_rules: BTreeSet::new(),
            used_baseline: BTreeSet::new(),
            notices,
        }
    }

    /// Reads the comments of a document that names changed facts.
    pub fn read(&mut self, document: &Document) {
        let mut allows = Vec::new();
        for remark in &document.remarks {
            match allow::parse(remark, self.options.categories) {
                Ok(allow) => allows.push(allow),
                Err(wrong) => {
                    let line = document.lines.line(remark.span.start).get();
                    let message = clipped(&format!("line {line}: {wrong}"));
                    self.notices.push(Notice::file(NoticeCode::InvalidSuppression, &document.path, message));
                }
            }
        }
        if !allows.is_empty() {
            self.allows.insert(document.path.clone(), allows);
        }
    }

    /// What becomes of a finding. The nearest suppression gives the reason: a comment, then the configuration, then a
    /// decision, then the baseline.
    pub fn apply(&mut self, candidate: Candidate<'_>) -> Suppressed {
        let (covered, reason) = self.by_comment(candidate);
        if let Some(reason) = reason.filter(|_| covered.len() == candidate.spans.len()) {
            return Suppressed::Whole { source: SuppressionSource::Comment, reason };
        }
        if let Some(whole) =
            self.by_rule(candidate).or_else(|| self.by_decision(candidate)).or_else(|| self.by_baseline(candidate))
        {
            return whole;
        }
        if covered.is_empty() { Suppressed::No } else { Suppressed::Places(covered) }
    }

    fn by_comment(&mut self, candidate: Candidate<'_>) -> (Vec<usize>, Option<String>) {
        let Candidate { finding, names, document, spans } = candidate;
        let mut covered = Vec::new();
        let mut reason = None;
        for (place, span) in spans.iter().enumerate() {
            for (index, allow) in self.allows.get(&document.path).into_iter().flatten().enumerate() {
                let Some(why) = allow.reason_for(&finding.category, names, *span) else { continue };
                self.used_allows.insert((document.path.clone(), index));
                reason.get_or_insert(why);
                if covered.last() != Some(&place) {
                    covered.push(place);
                }
            }
        }
        (covered, reason)
    }

    fn by_rule(&mut self, candidate: Candidate<'_>) -> Option<Suppressed> {
        let Candidate { finding, names, document, .. } = candidate;
        let matches = |rule: &SuppressionRule| {
            rule.category.as_ref().is_none_or(|c| *c == finding.category) && rule.speaks_of(&document.path, names)
        };
        let index = self.options.rules.iter().position(matches)?;
        self.used_rules.insert(index);
        Some(Suppressed::Whole { source: SuppressionSource::Config, reason: self.options.rules[index].reason.clone() })
    }

    fn by_decision(&mut self, candidate: Candidate<'_>) -> Option<Suppressed> {
        let finding = candidate.finding;
        // A later decision on the same finding replaces an earlier one.
        let decision = self.options.decisions.iter().rev().find(|d| d.id == finding.id)?;
        if decision.evidence_hash != finding.evidence_hash {
            self.notices.push(ended("a decision", finding));
            return None;
        }
        Some(Suppressed::Whole { source: SuppressionSource::Decision, reason: decision.reason.clone() })
    }

    fn by_baseline(&mut self, candidate: Candidate<'_>) -> Option<Suppressed> {
        let finding = candidate.finding;
        let accepted = |a: &Accepted| a.id == finding.id && a.evidence_hash == finding.evidence_hash;
        if let Some(index) = self.options.baseline.iter().position(accepted) {
            self.used_baseline.insert(index);
            let reason = self.options.baseline[index].reason.clone();
            return Some(Suppressed::Whole { source: SuppressionSource::Baseline, reason });
        }
        let same_place = |a: &Accepted| {
            a.place.as_ref().is_some_and(|(category, document, key)| {
                *category == finding.category && *document == finding.assertion.document && *key == finding.assertion.key
            })
        };
        if let Some(index) = self.options.baseline.iter().position(same_place) {
            self.used_baseline.insert(index);
            self.notices.push(ended("the baseline", finding));
        }
        None
    }

    /// Looks at what a document names, to tell suppressions that this change put to the test from those of other changes.
    pub fn touch(&mut self, document: &Document, named: &[Named<'_>]) {
        for (index, rule) in self.options.rules.iter().enumerate() {
            if named.iter().any(|n| rule.speaks_of(&document.path, n.names)) {
                self.touched_rules.insert(index);
            }
        }
        for (index, allow) in self.allows.get(&document.path).into_iter().flatten().enumerate() {
            let is_touched = named.iter().any(|n| allow.speaks_of(n.names, n.span));
            if is_touched && !self.used_allows.contains(&(document.path.clone(), index)) {
                let line = document.lines.line(allow.span.start).get();
                let message = clipped(&format!(
                    "line {line}: `allow {}` suppresses nothing, although this change concerns what the block names",
                    allow.category
                ));
                self.notices.push(Notice::file(NoticeCode::UnusedSuppression, &document.path, message));
            }
        }
    }

    /// Notices about suppressions that are expired, not understood, ended or of no use. A suppression that speaks of nothing
    /// this change concerns is no matter of this change.
    pub fn finish(mut self) -> Vec<Notice> {
        for index in self.touched_rules.difference(&self.used_rules) {
            let message = format!(
                "the suppression of {} suppresses nothing, although this change concerns what it names",
                self.options.rules[*index].told
            );
            self.notices.push(Notice::run(NoticeCode::UnusedSuppression, clipped(&message)));
        }
        let unused = self.options.baseline.len() - self.used_baseline.len();
        if unused > 0 {
            let entries = if unused == 1 { "1 entry".to_owned() } else { format!("{unused} entries") };
            let message = format!("{entries} of the baseline match no finding of this range");
            self.notices.push(Notice::run(NoticeCode::UnusedSuppression, message));
        }
        self.notices
    }
}

/// Keeps a finding back that would be shown, now or after a release. Returns whether it did.
pub fn keep_back(finding: &mut Finding, source: SuppressionSource, reason: &str) -> bool {
    if finding.routing == Routing::Excluded {
        return false;
    }
    finding.routing = Routing::Excluded;
    route::push_coverage(finding, &format!("Suppressed by {}: {reason}", source.told()));
    true
}

/// Notes that some places of a finding are allowed and left out.
pub fn note_allowed_places(finding: &mut Finding, allowed: usize) {
    let places = if allowed == 1 { "1 citing place is".to_owned() } else { format!("{allowed} citing places are") };
    route::push_coverage(finding, &format!("{places} allowed by a comment in the document and left out"));
}

impl SuppressionRule {
    fn speaks_of(&self, document: &RepoPath, names: &[&str]) -> bool {
        self.document.as_ref().is_none_or(|glob| glob.is_match(document.as_str()))
            && self.fact.as_ref().is_none_or(|glob| names.iter().any(|name| glob.is_match(name)))
    }
}

fn ended(what: &str, finding: &Finding) -> Notice {
    let path = RepoPath::new(finding.assertion.document.as_str());
    let message = format!("what {what} accepted about `{}` has changed: the suppression has ended", finding.assertion.key);
    Notice::file(NoticeCode::ExpiredSuppression, &path, clipped(&message))
}

/// Messages of notices are bounded.
fn clipped(message: &str) -> String {
    crate::value::summary::clip(message, 500)
}
