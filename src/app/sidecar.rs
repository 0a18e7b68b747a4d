//! Assembles the sidecar: the record of everything a run found, in canonical order.

use std::collections::{BTreeMap, BTreeSet};

use super::AnalysisOptions;
use super::change_set;
use super::documents::DocumentHistory;
use crate::citations::Judgement;
use crate::findings::Draft;
use crate::git::Range;
use crate::model::{
    AspectRecord, Change, ChangeOp, ChangeSet, ChangedFact, CitedPlace, CodeLocation, Coverage, Document, EffectiveConfiguration,
    Fact, FactKind, Finding, Groups, Impact, ImpactedDocument, Notice, NoticeCode, Policy, Provenance, RepoPath, Revisions,
    Sidecar, Suppression, Tool,
};
use crate::policy::{self, Accepted, Routed};
use crate::value::{canonical, summary};
use crate::{docs, facts};

/// Everything the sidecar is made of.
pub(super) struct Parts<'a> {
    pub(super) range: &'a Range,
    pub(super) options: &'a AnalysisOptions,
    pub(super) provenance: &'a Provenance,
    pub(super) changes: &'a ChangeSet,
    pub(super) routed: Vec<(Draft, Routed)>,
    pub(super) judged: Vec<(&'a Document, &'a [Judgement])>,
    pub(super) history: &'a DocumentHistory,
    pub(super) suppressed: Vec<Suppression>,
    pub(super) coverage: Vec<Coverage>,
    pub(super) notices: Vec<Notice>,
}

pub(super) fn assemble(parts: Parts<'_>) -> Sidecar {
    let Parts { range, options, provenance, changes, mut routed, judged, history, mut suppressed, coverage, mut notices } = parts;
    routed.sort_by(|a, b| a.0.finding.id.cmp(&b.0.finding.id));
    routed.dedup_by(|a, b| a.0.finding.id == b.0.finding.id);
    let counts = policy::counts(routed.iter().map(|(draft, outcome)| (&draft.finding, *outcome)));
    let all: Vec<Finding> = routed.iter().map(|(draft, _)| draft.finding.clone()).collect();
    let visible: Vec<Finding> = all.iter().filter(|f| f.routing.is_visible()).cloned().collect();
    let ids =
        |updated: bool| visible.iter().filter(|f| f.documentation_update.is_some() == updated).map(|f| f.id.clone()).collect();
    let groups = Groups { pending: ids(false), updated_in_this_change: ids(true) };
    suppressed.sort();
    suppressed.dedup();
    one_notice_for_links(&mut notices);
    notices.sort();
    notices.dedup();
    let coverage = {
        let mut list = coverage;
        list.sort();
        list
    };
    Sidecar {
        record_type: "policy-sidecar".to_owned(),
        schema_version: 1,
        tool: Tool { name: "refdrift".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        repository: provenance.repository.clone(),
        revisions: Revisions { base: range.base.to_string(), head: range.head.to_string() },
        pull_request: None,
        configuration: EffectiveConfiguration {
            hash: provenance.configuration_hash.clone(),
            min_confidence: options.min_confidence,
            fail_on: options.fail_on.threshold(),
            baseline_hash: accepted_hash(&options.suppressions.baseline),
            decisions_hash: accepted_hash(&options.suppressions.decisions),
            day: options.suppressions.today.clone(),
        },
        change_set: change_set::record(changes, range, provenance, &coverage),
        impact: impact(changes, &judged, history),
        findings: visible,
        groups,
        policy: Policy { enabled: options.policy, findings: all, counts },
        changed_facts: changed_facts(changes, &routed),
        suppressions: suppressed,
        coverage,
        notices,
    }
}

/// Hash of what was accepted, as it is understood: the form of the file does not matter, the order of decisions does.
fn accepted_hash(list: &[Accepted]) -> Option<String> {
    let parts: Vec<_> = list.iter().map(|a| (&a.id, &a.evidence_hash, &a.place, &a.reason)).collect();
    (!parts.is_empty()).then(|| canonical::hash(&parts))
}

/// Links that would have been read if they were files, in one notice. Their targets are read where they lie.
fn one_notice_for_links(notices: &mut Vec<Notice>) {
    let mut links: Vec<String> = Vec::new();
    notices.retain(|notice| {
        let is_link = notice.code == NoticeCode::Symlink;
        if let Some(path) = notice.path.clone().filter(|p| is_link && is_read(p)) {
            links.push(path);
        }
        !is_link
    });
    links.sort();
    links.dedup();
    let notice = match links.as_slice() {
        [] => return,
        [one] => Notice { code: NoticeCode::Symlink, path: Some(one.clone()), message: "symbolic link, not followed".to_owned() },
        several => {
            let shown: Vec<String> = several.iter().take(5).map(|path| summary::clip(path, 120)).collect();
            let more = if several.len() > shown.len() { " and others" } else { "" };
            let message = format!("{} symbolic links are not followed: {}{more}", several.len(), shown.join(", "));
            Notice::run(NoticeCode::Symlink, message)
        }
    };
    notices.push(notice);
}

/// Whether a file of this name is a document or a source.
fn is_read(path: &str) -> bool {
    let path = RepoPath::new(path);
    docs::parse(&path, "").is_some() || facts::is_source(&path)
}

fn impact(changes: &ChangeSet, judged: &[(&Document, &[Judgement])], history: &DocumentHistory) -> Impact {
    let mut because: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (document, judgements) in judged {
        let reasons = because.entry(document.path.as_str().to_owned()).or_default();
        for judgement in *judgements {
            if let Some(change) = changes.changes.get(judgement.citation.change) {
                reasons.insert(format!("{} `{}`", change.kind().as_str(), summary::clip(&change.cited().name, 120)));
            }
        }
    }
    let mut out = Impact::default();
    for path in history.changed_paths() {
        let reasons = because.remove(path.as_str()).unwrap_or_default();
        out.changed_documentation
            .push(ImpactedDocument { path: path.as_str().to_owned(), because: joined(&reasons, "documentation changed") });
    }
    for (path, reasons) in because {
        out.documents_to_review.push(ImpactedDocument { path, because: joined(&reasons, "cites a changed fact") });
    }
    out
}

fn joined(reasons: &BTreeSet<String>, fallback: &str) -> String {
    if reasons.is_empty() {
        return fallback.to_owned();
    }
    let text = reasons.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
    text.chars().take(4096).collect()
}

fn location(fact: &Fact) -> CodeLocation {
    CodeLocation {
        path: fact.path.as_str().chars().take(512).collect(),
        line_start: fact.lines.start.get(),
        line_end: fact.lines.end.get(),
    }
}

fn changed_facts(changes: &ChangeSet, routed: &[(Draft, Routed)]) -> Vec<ChangedFact> {
    let mut places: BTreeMap<usize, Vec<CitedPlace>> = BTreeMap::new();
    for (draft, _) in routed {
        places.entry(draft.change).or_default().extend(draft.places.iter().cloned());
    }
    let causes = Causes::new(changes);
    let mut out: Vec<ChangedFact> = places
        .into_iter()
        .filter_map(|(index, mut places)| {
            let change = changes.changes.get(index)?;
            places.sort_by(|a, b| (&a.document, a.line, a.column_start).cmp(&(&b.document, b.line, b.column_start)));
            let fact = change.cited();
            Some(ChangedFact {
                id: fact.id().chars().take(1024).collect(),
                kind: fact.kind,
                name: fact.name.chars().take(512).collect(),
                op: change.op,
                summary: summary::clip(&summary::change(change), 512),
                cause: causes.of(change).chars().take(1024).collect(),
                aspects: change
                    .aspects
                    .iter()
                    .take(64)
                    .map(|a| AspectRecord {
                        pointer: a.pointer.chars().take(1024).collect(),
                        before: a.before.clone(),
                        after: a.after.clone(),
                    })
                    .collect(),
                renamed_to: (change.op == ChangeOp::Renamed)
                    .then(|| change.after.as_ref().map(|a| a.name.chars().take(512).collect()))
                    .flatten(),
                proof: change.proof,
                candidates: change.candidates.clone(),
                before: change.before.as_ref().map(location),
                after: change.after.as_ref().map(location),
                places,
            })
        })
        .collect();
    out.sort_by(|a, b| a.id.cmp(&b.id));
    out
}

/// What several changes may have in common: directories that moved, paths and definitions that are gone.
struct Causes<'a> {
    moved: Vec<&'a Fact>,
    /// Paths that are gone, by name.
    paths: BTreeMap<&'a str, &'a Fact>,
    /// Definitions that are gone, by owner and name.
    definitions: BTreeMap<(&'a str, &'a str), &'a Fact>,
}

impl<'a> Causes<'a> {
    fn new(changes: &'a ChangeSet) -> Self {
        let removed = || changes.changes.iter().filter(|c| c.op == ChangeOp::Removed).map(Change::cited);
        let moved = changes.changes.iter().filter(|c| c.op == ChangeOp::Renamed && c.kind() == FactKind::DocPath);
        Self {
            moved: moved.map(Change::cited).collect(),
            paths: removed().filter(|f| f.kind.is_path()).map(|f| (f.name.as_str(), f)).collect(),
            definitions: removed()
                .filter(|f| matches!(f.kind, FactKind::Symbol | FactKind::CliCommand))
                .map(|f| ((f.owner.as_str(), f.name.as_str()), f))
                .collect(),
        }
    }

    /// The outermost directory that moved or is gone with a path, the type or file that is gone with a definition, else the
    /// fact itself: findings of one cause are one group.
    fn of(&self, change: &Change) -> String {
        let fact = change.cited();
        if fact.kind.is_path() {
            let within = |m: &&&Fact| fact.name == m.name || fact.name.starts_with(&format!("{}/", m.name));
            let outer = self.moved.iter().filter(within).min_by_key(|m| m.name.len());
            if let Some(outer) = outer {
                return outer.id();
            }
        }
        if change.op != ChangeOp::Removed {
            return fact.id();
        }
        if fact.kind.is_path() {
            return self.outermost(&fact.name).unwrap_or(fact).id();
        }
        if let Some(outer) = self.outermost(fact.path.as_str()) {
            return outer.id();
        }
        let mut containers = fact.name.match_indices('.').map(|(at, _)| &fact.name[..at]);
        let outer = containers.find_map(|name| self.definitions.get(&(fact.owner.as_str(), name)));
        outer.copied().unwrap_or(fact).id()
    }

    /// The outermost path that is gone with all in it.
    fn outermost(&self, path: &str) -> Option<&'a Fact> {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        folders.chain([path]).find_map(|p| self.paths.get(p)).copied()
    }
}
