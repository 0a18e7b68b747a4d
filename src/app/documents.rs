//! The documents of the head tree: which are read, which name a changed fact, and what changed in them.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::sources::read_text;
use crate::citations::{Needles, Project};
use crate::config::Config;
use crate::docs;
use crate::git::{FileChange, FileEntry, Repository};
use crate::model::{ChangeSet, Citation, Document, Notice, RepoPath};

/// A document with citations of changed facts.
pub(super) struct CitingDocument {
    pub(super) document: Document,
    pub(super) citations: Vec<Citation>,
}

/// Every document that names a changed fact, sorted by path.
pub(super) fn find(
    repository: &Repository,
    files: &[FileEntry],
    config: &Config,
    needles: &Needles,
    changes: &ChangeSet,
    project: &Project<'_>,
) -> (Vec<CitingDocument>, Vec<Notice>) {
    if needles.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let candidates: Vec<&FileEntry> = files
        .iter()
        .filter(|f| docs::format_of(&f.path).is_some() && config.includes_document(&f.path) && !is_foreign(&f.path))
        .collect();
    let found: Vec<(Option<CitingDocument>, Vec<Notice>)> = candidates
        .par_iter()
        .map_init(
            || repository.local(),
            |local, file| {
                let text = match read_text(local, file, docs::MAX_DOCUMENT_BYTES) {
                    Ok(text) => text,
                    Err(notice) => return (None, vec![notice]),
                };
                if !needles.any(text.as_bytes()) {
                    return (None, Vec::new());
                }
                let Some(parsed) = docs::parse(&file.path, &text) else { return (None, Vec::new()) };
                let hits = needles.hits(&parsed.document.text);
                let citations = crate::citations::resolve(&parsed.document, &hits, changes, project);
                let citing = (!citations.is_empty()).then_some(CitingDocument { document: parsed.document, citations });
                (citing, parsed.notices)
            },
        )
        .collect();
    let mut documents = Vec::new();
    let mut notices = Vec::new();
    for (document, more) in found {
        documents.extend(document);
        notices.extend(more);
    }
    (documents, notices)
}

/// Documents of others or of tests: vendored packages, fixtures.
fn is_foreign(path: &RepoPath) -> bool {
    // Beside tests only what introduces them is written for readers; a manual may have a chapter on tests.
    let introduces =
        matches!(path.stem().to_lowercase().as_str(), "readme" | "contributing" | "index" | "testing" | "agents" | "claude");
    let mut above =
        path.directory().split('/').take_while(|s| !matches!(*s, "docs" | "doc" | "documentation" | "website" | "content"));
    let of_tests = above.any(|s| matches!(s, "test" | "tests" | "__tests__"));
    of_tests && !introduces
        || path.directory().split('/').any(|s| {
            matches!(
                s,
                "node_modules"
                    | "vendor"
                    | "_vendor"
                    | "vendored"
                    | "_vendored"
                    | "third_party"
                    | "testdata"
                    | "fixtures"
                    | "__fixtures__"
                    | "test-fixtures"
                    | "snapshots"
                    | "__snapshots__"
            )
        })
}

/// What the documents said at base, as far as this change touches them.
#[derive(Default)]
pub(super) struct DocumentHistory {
    /// Normalised lines of all documents at base that the change edits, moves or deletes.
    lines: BTreeSet<String>,
    /// Head paths of edited, moved and added documents, with their text at base where there is one.
    changed: BTreeMap<RepoPath, Option<String>>,
}

fn normalise(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl DocumentHistory {
    /// Reads the base side of every changed document.
    pub(super) fn read(repository: &Repository, changes: &[FileChange]) -> Self {
        let local = repository.local();
        let mut out = Self::default();
        for change in changes {
            let document = |file: &Option<FileEntry>| file.as_ref().filter(|f| docs::format_of(&f.path).is_some()).cloned();
            let (before, after) = (document(&change.before), document(&change.after));
            let text = before.and_then(|file| read_text(&local, &file, docs::MAX_DOCUMENT_BYTES).ok());
            if let Some(text) = &text {
                out.lines.extend(text.lines().map(normalise));
            }
            if let Some(file) = after {
                out.changed.insert(file.path, text);
            }
        }
        out
    }

    /// Whether the change edits, moves or adds the document.
    pub(super) fn is_changed(&self, path: &RepoPath) -> bool {
        self.changed.contains_key(path)
    }

    /// Head paths of the documents that the change touches.
    pub(super) fn changed_paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.changed.keys()
    }

    /// Whether a line of a document was written in this change: no edited, moved or deleted document said it before.
    pub(super) fn is_new_line(&self, path: &RepoPath, line: &str) -> bool {
        self.is_changed(path) && !line.trim().is_empty() && !self.lines.contains(&normalise(line))
    }

    /// Whether any line of a region is new.
    pub(super) fn is_new_region(&self, path: &RepoPath, region: &str) -> bool {
        self.is_changed(path) && region.lines().any(|line| self.is_new_line(path, line))
    }

    /// The line at base that says what a line at head says.
    pub(super) fn base_line(&self, document: &Document, line: u32) -> Option<u32> {
        let Some(base) = self.changed.get(&document.path) else { return Some(line) };
        let base = base.as_deref()?;
        let wanted = normalise(document.lines.span_of(crate::model::LineNumber::from_row(line as usize - 1)).of(&document.text));
        let rows = base.lines().enumerate().filter(|(_, l)| normalise(l) == wanted).map(|(row, _)| row);
        let nearest = rows.min_by_key(|row| row.abs_diff(line as usize - 1))?;
        u32::try_from(nearest + 1).ok()
    }
}
