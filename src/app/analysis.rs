//! The pipeline, one way: range, facts, changes, documents, citations, claims, findings, routing.

use std::collections::{BTreeMap, BTreeSet};

use super::documents::{self, CitingDocument, DocumentHistory};
use super::presence::{self, Presence, Tree};
use super::suppressions::Suppressing;
use super::{Error, classification, places, project, runtimes, sidecar, sources};
use crate::changes::{self, PathChange};
use crate::citations::{self, Judgement, Needles, Project, Verdict};
use crate::config::{Config, FailOn};
use crate::facts;
use crate::findings::{self, Absence, Draft};
use crate::git::{FileEntry, GeneratedAttributes, Ignored, Range, Repository};
use crate::model::{
    ChangeOp, ChangeSet, CitationForm, Claim, ClaimRule, Coverage, Document, Fact, FactKind, Notice, Provenance, RepoPath,
    Sidecar,
};
use crate::policy::{self, RouteOptions, Routed, SuppressionOptions};

/// What shapes an analysis besides the configuration file.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// Findings below are not shown.
    pub min_confidence: f64,
    /// The least severity that fails the run.
    pub fail_on: FailOn,
    /// Whether findings are routed.
    pub policy: bool,
    /// The repository's name in records; the one git knows without it.
    pub repository: Option<String>,
    /// What keeps findings back, besides the comments of documents.
    pub suppressions: SuppressionOptions,
    /// What could not be read of it.
    pub notices: Vec<Notice>,
}

/// One document with everything that was decided about it.
#[derive(Debug)]
pub struct DocumentAnalysis {
    /// The document at head.
    pub document: Document,
    /// Every citation of a changed fact with its verdict.
    pub judgements: Vec<Judgement>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Analysis {
    /// The record.
    pub sidecar: Sidecar,
    /// The fact changes that judgements refer to.
    pub changes: ChangeSet,
    /// The citing documents, for `explain`.
    pub documents: Vec<DocumentAnalysis>,
}

/// Analyses a range.
///
/// # Errors
/// The repository cannot be read. What only concerns one file is a notice.
pub fn analyze(repository: &Repository, range: &Range, config: &Config, options: &AnalysisOptions) -> Result<Analysis, Error> {
    analyze_with(repository, range, config, options, &sources::FactCache::default())
}

/// Analyses a range with the facts that earlier runs read.
pub(super) fn analyze_with(
    repository: &Repository,
    range: &Range,
    config: &Config,
    options: &AnalysisOptions,
    cache: &sources::FactCache,
) -> Result<Analysis, Error> {
    let name = options.repository.clone().unwrap_or_else(|| repository.name());
    let provenance = Provenance {
        repository: name.clone(),
        revision: range.head.to_string(),
        configuration_hash: config.hash(options.min_confidence, options.fail_on, options.policy),
    };
    let mut run = Run::new(repository, range, config, options, provenance, &name, cache)?;
    run.judge();
    Ok(run.finish())
}

struct Run<'a> {
    repository: &'a Repository,
    range: &'a Range,
    config: &'a Config,
    options: &'a AnalysisOptions,
    provenance: Provenance,
    files: Vec<FileEntry>,
    changes: ChangeSet,
    hashes: BTreeMap<(bool, String), String>,
    history: DocumentHistory,
    citing: Vec<CitingDocument>,
    judged: Vec<Vec<Judgement>>,
    tree: Tree,
    /// Names of the project's own tools and packages at head.
    own_names: BTreeSet<String>,
    /// Every name of the project, also those it gives up.
    all_names: BTreeSet<String>,
    tables: citations::Tables,
    /// Classes that are now built on another of their name.
    rebased: BTreeSet<String>,
    /// Minimum versions of runtimes that manifests state: beside them a version that only CI tests says nothing of its own.
    stated_runtimes: project::StatedRuntimes,
    /// Major versions of the project's own packages.
    majors: BTreeSet<u32>,
    /// Files that the change takes away.
    gone: BTreeSet<RepoPath>,
    /// The change brings in a dependency that users get as well.
    dependency_added: bool,
    /// What files take from other packages since this change.
    borrowed: BTreeMap<RepoPath, facts::Borrowed>,
    /// Files of vendored libraries that the change adds or edits.
    brought_in: BTreeSet<RepoPath>,
    notices: Vec<Notice>,
    coverage: Vec<Coverage>,
}

impl<'a> Run<'a> {
    fn new(
        repository: &'a Repository,
        range: &'a Range,
        config: &'a Config,
        options: &'a AnalysisOptions,
        provenance: Provenance,
        name: &str,
        cache: &sources::FactCache,
    ) -> Result<Self, Error> {
        let span = tracing::info_span!("git").entered();
        let diff = repository.changes(range)?;
        let tree = if diff.changes.is_empty() { crate::git::TreeFiles::default() } else { repository.files(range.head)? };
        tracing::info!(changed = diff.changes.len(), files = tree.files.len(), "read the trees");
        drop(span);

        let facts = sources::read(repository, &diff.changes, config, cache);
        tracing::info!(base = facts.base.len(), head = facts.head.len(), "read the facts of changed files");
        let head_paths: BTreeSet<RepoPath> =
            tree.files.iter().map(|f| f.path.clone()).chain(tree.links.iter().cloned()).collect();
        let path_pairs: Vec<PathChange> = diff
            .changes
            .iter()
            .map(|c| PathChange {
                before: c.before.as_ref().map(|f| f.path.clone()),
                after: c.after.as_ref().map(|f| f.path.clone()),
            })
            .collect();
        let mut base_paths = head_paths.clone();
        for pair in &path_pairs {
            if let Some(new) = pair.after.as_ref().filter(|new| pair.before.as_ref() != Some(new)) {
                base_paths.remove(new);
            }
        }
        base_paths.extend(path_pairs.iter().filter_map(|p| p.before.clone()));

        let mut changes = changes::diff(&facts.base, &facts.head, &facts.renamed);
        changes.changes.extend(changes::path_changes(&path_pairs, &head_paths));
        changes.changes.extend(facts.vanished.into_iter().map(changes::removed));
        changes.changes.sort_by_key(|c| (c.cited().id(), c.op));
        let mut project = Project::new(name, &base_paths, &head_paths);
        let changed_facts: Vec<_> = facts
            .base
            .iter()
            .chain(&facts.head)
            .filter(|f| matches!(f.kind, FactKind::CliCommand | FactKind::Package))
            .cloned()
            .collect();
        project.add_siblings(facts.base.iter().chain(&facts.head));
        project.moved = facts.renamed.keys().cloned().collect();
        let gone_paths = || changes.changes.iter().filter(|c| c.kind().is_path() && c.removes_name()).map(|c| &c.cited().path);
        if gone_paths().next().is_some() {
            let ignored = Ignored::read(repository, &tree.files);
            // A page may be made in another format than that which it was kept in.
            let made = |p: &&RepoPath| {
                ignored.contains(p)
                    || crate::docs::format_of(p).is_some()
                        && ["md", "rst", "mdx"].iter().any(|e| {
                            let stem = p.as_str().rsplit_once('.').map_or(p.as_str(), |(stem, _)| stem);
                            ignored.contains(&RepoPath::new(format!("{stem}.{e}")))
                        })
            };
            project.ignored = gone_paths().filter(made).cloned().collect();
        }
        let needles = Needles::new(&changes);
        let stated_runtimes = if needles.is_empty() {
            BTreeMap::new()
        } else {
            let touched: Vec<&FileEntry> = diff.changes.iter().filter_map(|c| c.before.as_ref()).collect();
            project::describe(&mut project, repository, &tree.files, &changed_facts, &touched)
        };
        let (mut citing, document_notices) = documents::find(repository, &tree.files, config, &needles, &changes, &project);
        keep_cited_words(&mut changes, &mut citing);
        tracing::info!(
            documents = citing.len(),
            citations = citing.iter().map(|d| d.citations.len()).sum::<usize>(),
            "resolved citations"
        );
        let history = DocumentHistory::read(repository, &diff.changes);

        // A tool that the change takes away is known by its declaration at base only.
        let gone: BTreeSet<String> = changes
            .changes
            .iter()
            .filter(|c| c.kind() == FactKind::CliCommand && c.removes_name())
            .map(|c| c.cited().name.to_lowercase())
            .collect();
        let own_names = project.tools.difference(&gone).chain(&project.packages).cloned().collect();
        let all_names = project.names();
        let brought_in = path_pairs.iter().filter_map(|p| p.after.as_ref()).filter(|p| places::is_vendored(p)).cloned().collect();
        let gone = path_pairs.iter().filter(|p| p.after.is_none()).filter_map(|p| p.before.clone()).collect();
        let dependency_added = changes.changes.iter().any(|c| {
            c.op == ChangeOp::Added
                && c.kind() == FactKind::Package
                && c.cited().value.get("group").is_some_and(|g| g == "runtime")
        });
        let majors = std::mem::take(&mut project.majors);
        let tables = std::mem::take(&mut project.tables);
        let mut notices = diff.notices;
        notices.extend(tree.notices);
        notices.extend(facts.notices);
        notices.extend(document_notices);
        Ok(Self {
            repository,
            range,
            config,
            options,
            provenance,
            files: tree.files,
            changes,
            hashes: facts.hashes,
            history,
            citing,
            judged: Vec::new(),
            tree: Tree::default(),
            own_names,
            all_names,
            tables,
            rebased: facts.rebased,
            stated_runtimes,
            gone,
            dependency_added,
            borrowed: facts.borrowed,
            brought_in,
            majors,
            notices,
            coverage: facts.coverage,
        })
    }

    /// Judges every citation, then asks the head tree about what is claimed.
    fn judge(&mut self) {
        let history = &self.history;
        let changes = &self.changes;
        let (own_names, tables) = (&self.all_names, &self.tables);
        self.judged = self
            .citing
            .iter()
            .map(|c| {
                let is_new = |line: &str| history.is_new_line(&c.document.path, line);
                let background = citations::Background { is_new: &is_new, own_names, tables };
                citations::claims(&c.document, &c.citations, changes, background)
            })
            .collect();
        let claimed: BTreeSet<usize> =
            self.judged.iter().flatten().filter(|j| matches!(j.verdict, Verdict::Claims(_))).map(|j| j.citation.change).collect();
        let known = presence::Known { own_names: &self.own_names, rebased: &self.rebased, brought_in: &self.brought_in };
        self.tree = presence::look_up(self.repository, &self.files, self.config, &self.changes, &claimed, &known);
        let added: BTreeSet<String> =
            self.changes.changes.iter().filter(|c| c.op == ChangeOp::Added).map(|c| c.cited().id()).collect();
        let mut candidates: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (citing, judgements) in self.citing.iter().zip(&mut self.judged) {
            for judgement in judgements.iter_mut() {
                let index = judgement.citation.change;
                let Verdict::Claims(claims) = &mut judgement.verdict else { continue };
                let presence = self.tree.presence(index);
                if self.changes.changes[index].kind().is_path() && presence != Presence::Absent {
                    // A bare file name that code names is the users' file, unless it is said to those who work on the project; a
                    // path is ours.
                    let ours = citations::is_for_contributors(&citing.document.path);
                    claims.retain(|c| {
                        ours || c.stale.of(&citing.document.text).contains('/')
                            || matches!(
                                c.citation.form,
                                CitationForm::DirectoryTree | CitationForm::LinkTarget | CitationForm::Directive
                            )
                    });
                }
                claims.retain(|c| c.rule != ClaimRule::Existence || presence != Presence::Present);
                if self.changes.changes[index].cited().is_value_only() && presence != Presence::Absent {
                    claims.clear();
                }
                if claims.is_empty() {
                    judgement.verdict = Verdict::StillAccepted;
                    continue;
                }
                let change = &self.changes.changes[index];
                let fact = change.cited();
                if change.op == ChangeOp::Added {
                    // One owner before, several now: the others, which this change did not add, must be exactly one.
                    let older: Vec<&Fact> = self
                        .tree
                        .rivals(index)
                        .iter()
                        .filter(|r| r.name == fact.name && !added.contains(&r.id()) && !is_reexport(r))
                        .collect();
                    match older.as_slice() {
                        [older] if shares_language(older, fact) => {
                            candidates.insert(index, vec![older.id(), fact.id()]);
                        }
                        _ => judgement.verdict = Verdict::Mention,
                    }
                    continue;
                }
                let stated = self.stated_runtimes.get(&fact.name).map_or(&[][..], Vec::as_slice);
                if !runtimes::is_for(change, stated, &citing.document.path) {
                    judgement.verdict = Verdict::TrueOfAnother;
                    continue;
                }
                let rivals = self.tree.rivals(index);
                claims.retain(|c| !citations::is_true_of_another(&citing.document, c, change, rivals));
                if claims.is_empty() {
                    judgement.verdict = Verdict::TrueOfAnother;
                }
            }
            citations::keep_most_exact(judgements, &self.changes);
        }
        for (index, owners) in candidates {
            self.changes.changes[index].candidates = owners;
        }
    }

    /// The findings of one document, each where it goes.
    fn route(
        &self,
        document: &Document,
        claims: &[Claim],
        attributes: &GeneratedAttributes,
        around: &classification::Surroundings<'_>,
        suppressions: &mut Suppressing,
    ) -> Vec<(Draft, Routed)> {
        let context = findings::Context {
            provenance: self.provenance.clone(),
            severity: &|category| self.config.severity(category),
            code_hash: &|base, path| self.hashes.get(&(base, path.to_owned())).cloned(),
            base_line: &|document, line| self.history.base_line(document, line),
            absence: &|index| {
                let path = self.changes.changes[index].kind().is_path();
                if path { Absence::Proven } else { self.tree.presence(index).absence().unwrap_or(Absence::Unproven) }
            },
            gone: &self.gone,
            may_have_moved: &|fact| {
                self.dependency_added && self.gone.contains(&fact.path)
                    || self.borrowed.get(&fact.path).is_some_and(|b| facts::may_be_borrowed(fact, b))
            },
        };
        let drafts = findings::diagnose(document, claims, &self.changes, &context);
        let classified = classification::of(document, self.config, attributes, around);
        drafts
            .into_iter()
            .map(|mut draft| {
                let verdict = suppressions.look(&mut draft, document, &self.changes);
                let options = RouteOptions {
                    document,
                    classified: &classified,
                    min_confidence: self.options.min_confidence,
                    enabled: self.options.policy,
                    is_past_heading: &citations::is_past_heading,
                    is_new_region: &|text| self.history.is_new_region(&document.path, text),
                };
                let outcome = policy::route(&mut draft.finding, &draft.spans, &draft.regions, &options);
                let outcome = suppressions.settle(&mut draft.finding, outcome, verdict);
                (draft, outcome)
            })
            .collect()
    }

    /// What the repository tells of a page.
    fn surroundings<'s>(&'s self, claiming: &'s BTreeSet<RepoPath>) -> classification::Surroundings<'s> {
        classification::Surroundings { files: &self.files, own_names: &self.own_names, majors: &self.majors, claiming }
    }

    fn finish(self) -> Analysis {
        let attributes = GeneratedAttributes::read(self.repository, &self.files);
        let claims = |judgements: &[Judgement]| judgements.iter().any(|j| matches!(j.verdict, Verdict::Claims(_)));
        let judged = self.citing.iter().zip(&self.judged);
        let claiming = judged.filter(|(_, j)| claims(j)).map(|(c, _)| c.document.path.clone()).collect();
        let around = self.surroundings(&claiming);
        let mut suppressions = Suppressing::new(self.options);
        let mut routed: Vec<(Draft, Routed)> = Vec::new();
        for (citing, judgements) in self.citing.iter().zip(&self.judged) {
            let document = &citing.document;
            suppressions.read(document);
            let claims: Vec<Claim> = judgements
                .iter()
                .filter_map(|j| match &j.verdict {
                    Verdict::Claims(claims) => Some(claims.clone()),
                    _ => None,
                })
                .flatten()
                // What a comment says to refdrift is no statement about the code.
                .filter(|c| !document.remarks.iter().any(|r| r.span.contains(c.stale)))
                .collect();
            if !claims.is_empty() {
                routed.extend(self.route(document, &claims, &attributes, &around, &mut suppressions));
            }
            suppressions.touch(document, judgements, &self.changes);
        }
        let (suppressed, suppression_notices) = suppressions.finish();
        let mut notices = self.notices;
        notices.extend(suppression_notices);
        let sidecar = sidecar::assemble(sidecar::Parts {
            range: self.range,
            options: self.options,
            provenance: &self.provenance,
            changes: &self.changes,
            routed,
            judged: self.citing.iter().map(|c| &c.document).zip(self.judged.iter().map(Vec::as_slice)).collect(),
            history: &self.history,
            suppressed,
            coverage: self.coverage,
            notices,
        });
        let documents = self
            .citing
            .into_iter()
            .zip(self.judged)
            .map(|(c, judgements)| DocumentAnalysis { document: c.document, judgements })
            .collect();
        Analysis { sidecar, changes: self.changes, documents }
    }
}

/// Drops names in code that no document cites: alone they are no facts.
fn keep_cited_words(changes: &mut ChangeSet, citing: &mut [CitingDocument]) {
    let cited: BTreeSet<usize> = citing.iter().flat_map(|d| &d.citations).map(|c| c.change).collect();
    let mut moved = BTreeMap::new();
    let mut index = 0;
    let mut kept = 0;
    changes.changes.retain(|change| {
        let keep = !change.cited().is_word() || cited.contains(&index);
        if keep {
            moved.insert(index, kept);
            kept += 1;
        }
        index += 1;
        keep
    });
    for citation in citing.iter_mut().flat_map(|d| &mut d.citations) {
        if let Some(new) = moved.get(&citation.change) {
            citation.change = *new;
        }
    }
}

fn is_reexport(fact: &Fact) -> bool {
    fact.value.get("declared").and_then(|d| d.as_str()) == Some("reexport")
}

/// Whether two definitions are written in languages that share names; documents about one are not about the other otherwise.
fn shares_language(a: &Fact, b: &Fact) -> bool {
    a.path.extension() == b.path.extension()
}
