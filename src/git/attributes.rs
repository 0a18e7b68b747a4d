//! `.gitattributes` at head: which paths GitHub Linguist is told are generated or vendored.

use std::path::PathBuf;

use gix::attrs::StateRef;
use gix::attrs::search::{MetadataCollection, Outcome};
use gix::bstr::ByteSlice;

use super::{FileEntry, Repository};
use crate::model::RepoPath;

/// Most attribute files that are read; more is not looked at.
const MAX_FILES: usize = 256;
/// Largest attribute file that is read, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Answers whether a path is marked `linguist-generated` or `linguist-vendored`.
pub struct GeneratedAttributes {
    search: gix::attrs::Search,
    collection: MetadataCollection,
    empty: bool,
}

impl GeneratedAttributes {
    /// Reads every `.gitattributes` among the files, the root's first.
    pub fn read(repository: &Repository, files: &[FileEntry]) -> Self {
        let local = repository.local();
        let mut search = gix::attrs::Search::default();
        let mut collection = MetadataCollection::default();
        let mut found: Vec<&FileEntry> = files.iter().filter(|f| f.path.file_name() == ".gitattributes").collect();
        found.sort_by_key(|f| (f.path.segments().count(), f.path.clone()));
        let mut empty = true;
        for file in found.into_iter().take(MAX_FILES) {
            let Some(bytes) = local.blob(file.id).filter(|b| b.len() <= MAX_BYTES) else { continue };
            if bytes.find(b"linguist-").is_none() {
                continue;
            }
            empty = false;
            let _ = search.add_patterns_buffer(
                &bytes,
                PathBuf::from(file.path.as_str()),
                Some(&PathBuf::new()),
                &mut collection,
                true,
            );
        }
        Self { search, collection, empty }
    }

    /// The attribute that marks the path, if one does.
    pub fn mark(&self, path: &RepoPath) -> Option<&'static str> {
        if self.empty {
            return None;
        }
        let names = ["linguist-generated", "linguist-vendored"];
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&self.collection, names);
        self.search.pattern_matching_relative_path(
            path.as_str().as_bytes().as_bstr(),
            gix::glob::pattern::Case::Sensitive,
            Some(false),
            &mut outcome,
        );
        outcome.iter_selected().find_map(|hit| {
            let set = match hit.assignment.state {
                StateRef::Set => true,
                StateRef::Value(value) => value.as_bstr() == "true",
                StateRef::Unset | StateRef::Unspecified => false,
            };
            names.into_iter().find(|name| set && hit.assignment.name.as_str() == *name)
        })
    }
}
