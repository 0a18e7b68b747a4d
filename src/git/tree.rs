//! Trees: every file at head, and what base and head differ in. Symbolic links and submodules are noted and skipped.

use gix::bstr::{BStr, ByteSlice};
use gix::object::tree::diff::ChangeDetached;

use super::{Error, ObjectId, Range, Repository};
use crate::model::{Notice, NoticeCode, RepoPath};

/// Most tree entries that are looked at on one side (`design.md` section 11).
pub const MAX_TREE_ENTRIES: usize = 100_000;

/// Most pairs for rename detection by similarity: above, only exact renames are found.
const RENAME_LIMIT: usize = 400;

/// A file at one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Where.
    pub path: RepoPath,
    /// Its blob.
    pub id: ObjectId,
}

/// Every file at one commit, sorted by path.
#[derive(Clone, Debug, Default)]
pub struct TreeFiles {
    /// The files.
    pub files: Vec<FileEntry>,
    /// Symbolic links: they are not followed, but a reader of their path finds something.
    pub links: Vec<RepoPath>,
    /// Links, submodules, names that are not UTF-8, limits.
    pub notices: Vec<Notice>,
}

/// A file that differs between base and head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file at base; absent for an added file.
    pub before: Option<FileEntry>,
    /// The file at head; absent for a deleted file.
    pub after: Option<FileEntry>,
}

impl FileChange {
    /// Whether git paired two different paths.
    pub fn is_rename(&self) -> bool {
        matches!((&self.before, &self.after), (Some(b), Some(a)) if b.path != a.path)
    }
}

/// The tree diff, sorted by path at head (at base for deletions).
#[derive(Clone, Debug, Default)]
pub struct FileChanges {
    /// The files.
    pub changes: Vec<FileChange>,
    /// Limits that were met.
    pub notices: Vec<Notice>,
}

fn path_of(location: &BStr, notices: &mut Vec<Notice>) -> RepoPath {
    if let Ok(text) = location.to_str() {
        return RepoPath::new(text);
    }
    let path = RepoPath::new(location.to_str_lossy().into_owned());
    notices.push(Notice::file(NoticeCode::PathNotUtf8, &path, "the name is not UTF-8; it is shown with replacement characters"));
    path
}

impl Repository {
    /// Every file of a commit.
    ///
    /// # Errors
    /// A tree object cannot be read.
    pub fn files(&self, commit: ObjectId) -> Result<TreeFiles, Error> {
        let local = self.inner.to_thread_local();
        let what = || format!("the tree of {commit}");
        let tree =
            local.find_commit(commit).map_err(|e| Error::object(what(), e))?.tree().map_err(|e| Error::object(what(), e))?;
        let entries = tree.traverse().breadthfirst.files().map_err(|e| Error::object(what(), e))?;
        let mut out = TreeFiles::default();
        for entry in entries {
            if out.files.len() >= MAX_TREE_ENTRIES {
                out.notices.push(Notice::run(
                    NoticeCode::LimitReached,
                    format!("more than {MAX_TREE_ENTRIES} files; the rest was not looked at"),
                ));
                break;
            }
            let path = path_of(entry.filepath.as_ref(), &mut out.notices);
            if entry.mode.is_blob() {
                out.files.push(FileEntry { path, id: entry.oid });
            } else if entry.mode.is_link() {
                out.links.push(path.clone());
                out.notices.push(Notice::file(NoticeCode::Symlink, &path, "symbolic link, not followed"));
            } else if entry.mode.is_commit() {
                out.notices.push(Notice::file(NoticeCode::Submodule, &path, "submodule, not looked into"));
            }
        }
        out.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(out)
    }

    /// One file of a commit, by path; `None` where there is none, or where it is no file.
    ///
    /// # Errors
    /// A tree object cannot be read.
    pub fn file(&self, commit: ObjectId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let local = self.inner.to_thread_local();
        let what = || format!("the tree of {commit}");
        let tree =
            local.find_commit(commit).map_err(|e| Error::object(what(), e))?.tree().map_err(|e| Error::object(what(), e))?;
        let entry = tree.lookup_entry_by_path(path).map_err(|e| Error::object(what(), e))?;
        Ok(entry.filter(|e| e.mode().is_blob()).and_then(|e| local.find_blob(e.object_id()).ok()).map(|mut b| b.take_data()))
    }

    /// What differs between the two commits of a range. Renames are paired by content, exactly and by similarity.
    ///
    /// # Errors
    /// A tree object cannot be read.
    pub fn changes(&self, range: &Range) -> Result<FileChanges, Error> {
        if range.base == range.head {
            return Ok(FileChanges::default());
        }
        let mut local = self.inner.to_thread_local();
        local.object_cache_size_if_unset(16 * 1024 * 1024);
        let tree = |commit: ObjectId| {
            let what = || format!("the tree of {commit}");
            local.find_commit(commit).map_err(|e| Error::object(what(), e))?.tree().map_err(|e| Error::object(what(), e))
        };
        let (old, new) = (tree(range.base)?, tree(range.head)?);
        let plain = gix::diff::Options::default().with_rewrites(None);
        let raw = local.diff_tree_to_tree(&old, &new, plain).map_err(|e| Error::object("the tree diff", e))?;
        let (added, deleted) = raw.iter().fold((0usize, 0usize), |(a, d), change| match change {
            ChangeDetached::Addition { entry_mode, .. } if entry_mode.is_blob() => (a + 1, d),
            ChangeDetached::Deletion { entry_mode, .. } if entry_mode.is_blob() => (a, d + 1),
            _ => (a, d),
        });
        let mut out = FileChanges::default();
        let raw = if added > 0 && deleted > 0 {
            // Similarity compares each deleted with each added file; beyond the bound only identical content is paired.
            let similar = added.saturating_mul(deleted) <= RENAME_LIMIT * RENAME_LIMIT;
            if !similar {
                out.notices.push(Notice::run(
                    NoticeCode::RenameLimit,
                    format!("{deleted} deleted and {added} added files; only exact renames were paired"),
                ));
            }
            let rewrites = gix::diff::Rewrites {
                copies: None,
                percentage: similar.then_some(0.5),
                limit: RENAME_LIMIT * RENAME_LIMIT,
                ..Default::default()
            };
            let options = gix::diff::Options::default().with_rewrites(Some(rewrites));
            match local.diff_tree_to_tree(&old, &new, options) {
                Ok(paired) => paired,
                // A clone without every file can be compared all the same: what is missing is paired by its name only.
                Err(error) => {
                    tracing::debug!(%error, "renames by similarity cannot be looked for");
                    let what = "a file that renames would be looked for in is not in this clone; only exact renames were paired";
                    out.notices.push(Notice::run(NoticeCode::MissingObject, what.to_owned()));
                    let exact = gix::diff::Rewrites { copies: None, percentage: None, limit: 0, ..Default::default() };
                    let options = gix::diff::Options::default().with_rewrites(Some(exact));
                    local.diff_tree_to_tree(&old, &new, options).or_else(|_| Ok::<_, Error>(raw))?
                }
            }
        } else {
            raw
        };
        for change in raw {
            let notices = &mut out.notices;
            let (before, after) =
                match change {
                    ChangeDetached::Addition { entry_mode, location, id, .. } if entry_mode.is_blob() => {
                        (None, Some(FileEntry { path: path_of(location.as_ref(), notices), id }))
                    }
                    ChangeDetached::Deletion { entry_mode, location, id, .. } if entry_mode.is_blob() => {
                        (Some(FileEntry { path: path_of(location.as_ref(), notices), id }), None)
                    }
                    ChangeDetached::Modification { previous_entry_mode, previous_id, entry_mode, location, id } => {
                        let path = path_of(location.as_ref(), notices);
                        let side =
                            |mode: gix::object::tree::EntryMode, id| mode.is_blob().then(|| FileEntry { path: path.clone(), id });
                        (side(previous_entry_mode, previous_id), side(entry_mode, id))
                    }
                    ChangeDetached::Rewrite {
                        source_location, source_id, source_entry_mode, entry_mode, location, id, ..
                    } if entry_mode.is_blob() && source_entry_mode.is_blob() => (
                        Some(FileEntry { path: path_of(source_location.as_ref(), notices), id: source_id }),
                        Some(FileEntry { path: path_of(location.as_ref(), notices), id }),
                    ),
                    _ => continue,
                };
            if before.is_some() || after.is_some() {
                out.changes.push(FileChange { before, after });
            }
        }
        out.changes.sort_by(|a, b| {
            let key = |c: &FileChange| c.after.as_ref().or(c.before.as_ref()).map(|e| e.path.clone());
            key(a).cmp(&key(b))
        });
        Ok(out)
    }
}
