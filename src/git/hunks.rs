//! Line diffs of changed files, by the algorithm that git and GitHub use. The whole content is compared, so that neither a
//! large pull request nor a large file is cut off as the platform's own listing is.

use gix::diff::blob::{Algorithm, InternedInput, diff_with_slider_heuristics};

use super::{FileChange, Repository};
use crate::model::{FileDiff, LineEdit};

/// Largest file that is compared, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Most edits of one file that are kept; a file with more has none.
const MAX_EDITS: usize = 4096;
/// Bytes in which a zero byte makes a file binary, as git has it.
const BINARY_PROBE: usize = 8000;

impl Repository {
    /// The line diff of a changed file. A binary, absent or very large file has no edits.
    pub fn hunks(&self, change: &FileChange) -> FileDiff {
        let local = self.local();
        let text = |side: Option<&super::FileEntry>| match side {
            None => Some(Vec::new()),
            Some(file) => local.blob(file.id).filter(|b| b.len() <= MAX_BYTES && !b.iter().take(BINARY_PROBE).any(|&c| c == 0)),
        };
        let path = change.after.as_ref().or(change.before.as_ref()).map(|f| f.path.as_str().to_owned()).unwrap_or_default();
        let previous_path = change.before.as_ref().map(|f| f.path.as_str().to_owned()).filter(|p| *p != path);
        let mut out = FileDiff { path, previous_path, ..FileDiff::default() };
        let (Some(before), Some(after)) = (text(change.before.as_ref()), text(change.after.as_ref())) else { return out };
        let input = InternedInput::new(before.as_slice(), after.as_slice());
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        out.before_lines = number(input.before.len());
        out.after_lines = number(input.after.len());
        let diff = diff_with_slider_heuristics(Algorithm::Myers, &input);
        let edits: Vec<LineEdit> = diff
            .hunks()
            .map(|hunk| LineEdit {
                before_start: hunk.before.start + 1,
                before_lines: hunk.before.len().try_into().unwrap_or(u32::MAX),
                after_start: hunk.after.start + 1,
                after_lines: hunk.after.len().try_into().unwrap_or(u32::MAX),
            })
            .take(MAX_EDITS + 1)
            .collect();
        if edits.len() <= MAX_EDITS {
            out.edits = edits;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::{RangeOptions, write_sample};

    fn diffs(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<FileDiff> {
        let folder = tempfile::tempdir().expect("a folder");
        write_sample(folder.path(), &[("a", before.to_vec()), ("b", after.to_vec())]).expect("a repository");
        let repository = Repository::open(folder.path()).expect("opens");
        let range = repository.range(&RangeOptions { base: Some("HEAD~1".into()), head: Some("HEAD".into()) }).expect("a range");
        repository.changes(&range).expect("changes").changes.iter().map(|c| repository.hunks(c)).collect()
    }

    fn edit(before: (u32, u32), after: (u32, u32)) -> LineEdit {
        LineEdit { before_start: before.0, before_lines: before.1, after_start: after.0, after_lines: after.1 }
    }

    #[test]
    fn compares_lines() {
        let changed = diffs(&[("a", "1\n2\n3\n")], &[("a", "0\n1\n2\nthree")]);
        assert_eq!(changed[0].edits, [edit((1, 0), (1, 1)), edit((3, 1), (4, 1))]);
        assert_eq!((changed[0].before_lines, changed[0].after_lines), (3, 4));
    }

    #[test]
    fn knows_deleted_renamed_and_binary_files() {
        let deleted = diffs(&[("a", "1\n2\n"), ("k", "")], &[("k", "")]);
        assert_eq!(deleted[0].edits, [edit((1, 2), (1, 0))]);
        let renamed = diffs(&[("a", "1\n2\n3\n")], &[("b", "1\n2\n3\n")]);
        assert_eq!((renamed[0].path.as_str(), renamed[0].previous_path.as_deref()), ("b", Some("a")));
        assert!(renamed[0].edits.is_empty());
        assert!(diffs(&[("a", "1\0")], &[("a", "2\0")])[0].edits.is_empty());
    }
}
