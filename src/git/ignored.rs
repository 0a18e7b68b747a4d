//! `.gitignore` at head: files that the repository does not keep and a build or a reader makes.

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::glob::pattern::Case;
use gix::ignore::search::Ignore;

use super::{FileEntry, Repository};
use crate::model::RepoPath;

/// Most ignore files that are read; more is not looked at.
const MAX_FILES: usize = 256;
/// Largest ignore file that is read, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Answers whether git ignores a path at head.
#[derive(Default)]
pub struct Ignored {
    search: gix::ignore::Search,
    empty: bool,
}

impl Ignored {
    /// Reads every `.gitignore` among the files, the root's first.
    pub fn read(repository: &Repository, files: &[FileEntry]) -> Self {
        let local = repository.local();
        let mut out = Self { search: gix::ignore::Search::default(), empty: true };
        let mut found: Vec<&FileEntry> = files.iter().filter(|f| f.path.file_name() == ".gitignore").collect();
        found.sort_by_key(|f| (f.path.segments().count(), f.path.clone()));
        for file in found.into_iter().take(MAX_FILES) {
            let Some(bytes) = local.blob(file.id).filter(|b| b.len() <= MAX_BYTES) else { continue };
            let source = PathBuf::from(file.path.as_str());
            let added = out.search.add_patterns_buffer(&bytes, source, Some(Path::new("")), Ignore::default());
            out.empty &= added.is_err();
        }
        out
    }

    /// Whether git leaves the file out, by a pattern for it or for a folder above it.
    pub fn contains(&self, path: &RepoPath) -> bool {
        let whole = path.as_str();
        let folders = whole.match_indices('/').map(|(at, _)| (&whole[..at], true));
        !self.empty
            && folders.chain([(whole, false), (whole, true)]).any(|(path, is_folder)| {
                let found =
                    self.search.pattern_matching_relative_path(path.as_bytes().as_bstr(), Some(is_folder), Case::Sensitive);
                found.is_some_and(|m| !m.pattern.is_negative())
            })
    }
}
