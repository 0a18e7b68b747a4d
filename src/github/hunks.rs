//! Which lines of a pull request's diff can take a comment. GitHub takes added and context lines on the right and deleted and
//! context lines on the left; context is three lines around an edit.

use std::collections::BTreeMap;

use crate::model::FileDiff;

/// Context lines around an edit.
const CONTEXT: u32 = 3;

/// Which side of the diff a line is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// At base.
    Left,
    /// At head.
    Right,
}

impl Side {
    /// The word of the REST API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "LEFT",
            Self::Right => "RIGHT",
        }
    }
}

/// First and last line, both included.
type Lines = (u32, u32);

#[derive(Clone, Debug, Default)]
struct File {
    path: String,
    edited: [Vec<Lines>; 2],
    shown: [Vec<Lines>; 2],
}

/// The lines of all files of a diff that can take a comment.
#[derive(Clone, Debug, Default)]
pub(super) struct Hunks {
    files: Vec<File>,
    at_head: BTreeMap<String, usize>,
    at_base: BTreeMap<String, usize>,
}

impl Hunks {
    /// Reads the line diffs.
    pub(super) fn new(diffs: &[FileDiff]) -> Self {
        let mut out = Self::default();
        for diff in diffs {
            let index = out.files.len();
            let mut file = File { path: diff.path.clone(), ..File::default() };
            for edit in &diff.edits {
                let sides = [
                    (edit.before_start, edit.before_lines, diff.before_lines),
                    (edit.after_start, edit.after_lines, diff.after_lines),
                ];
                for (side, (start, count, total)) in sides.into_iter().enumerate() {
                    if count > 0 {
                        file.edited[side].push((start, start.saturating_add(count - 1)));
                    }
                    let first = start.saturating_sub(CONTEXT).max(1);
                    let last = start.saturating_add(count).saturating_add(CONTEXT - 1).min(total);
                    if first <= last {
                        file.shown[side].push((first, last));
                    }
                }
            }
            out.at_head.insert(diff.path.clone(), index);
            out.at_base.insert(diff.previous_path.clone().unwrap_or_else(|| diff.path.clone()), index);
            out.files.push(file);
        }
        out
    }

    fn file(&self, side: Side, path: &str) -> Option<&File> {
        let (first, second) = match side {
            Side::Left => (&self.at_base, &self.at_head),
            Side::Right => (&self.at_head, &self.at_base),
        };
        first.get(path).or_else(|| second.get(path)).and_then(|&index| self.files.get(index))
    }

    /// The path a comment on this file is posted under, if the diff has the file.
    pub(super) fn posted_path(&self, side: Side, path: &str) -> Option<&str> {
        self.file(side, path).map(|f| f.path.as_str())
    }

    /// The first file of the diff under a directory.
    pub(super) fn first_under(&self, directory: &str) -> Option<&str> {
        let prefix = format!("{}/", directory.trim_end_matches('/'));
        let found = |paths: &BTreeMap<String, usize>| {
            paths.range(prefix.clone()..).next().filter(|(path, _)| path.starts_with(&prefix)).map(|(_, &index)| index)
        };
        found(&self.at_base).or_else(|| found(&self.at_head)).and_then(|index| self.files.get(index)).map(|f| f.path.as_str())
    }

    /// Whether a line can take a comment.
    pub(super) fn takes(&self, side: Side, path: &str, line: u32) -> bool {
        self.file(side, path).is_some_and(|f| f.shown[side as usize].iter().any(|&(a, b)| a <= line && line <= b))
    }

    /// The line of a span that a comment fits best: the first that was edited, else the first that is shown.
    pub(super) fn best(&self, side: Side, path: &str, span: Lines) -> Option<u32> {
        let file = self.file(side, path)?;
        let first =
            |ranges: &[Lines]| ranges.iter().filter(|&&(a, b)| a <= span.1 && span.0 <= b).map(|&(a, _)| a.max(span.0)).min();
        first(&file.edited[side as usize]).or_else(|| first(&file.shown[side as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LineEdit;

    fn diff(lines: (u32, u32), edits: &[(u32, u32, u32, u32)]) -> Hunks {
        let edits = edits
            .iter()
            .map(|&(a, b, c, d)| LineEdit { before_start: a, before_lines: b, after_start: c, after_lines: d })
            .collect();
        Hunks::new(&[FileDiff {
            path: "new".into(),
            previous_path: Some("old".into()),
            before_lines: lines.0,
            after_lines: lines.1,
            edits,
        }])
    }

    fn taken(hunks: &Hunks, side: Side, path: &str) -> Vec<u32> {
        (0..60).filter(|&line| hunks.takes(side, path, line)).collect()
    }

    #[test]
    fn hunks_at_both_file_edges_do_not_leave_the_file() {
        let hunks = diff((30, 31), &[(1, 1, 1, 1), (30, 1, 30, 2)]);
        assert_eq!(taken(&hunks, Side::Right, "new"), [1, 2, 3, 4, 27, 28, 29, 30, 31]);
        assert_eq!(taken(&hunks, Side::Left, "old"), [1, 2, 3, 4, 27, 28, 29, 30]);
    }

    #[test]
    fn an_insertion_has_context_on_the_left_only() {
        let hunks = diff((10, 12), &[(6, 0, 6, 2)]);
        assert_eq!(taken(&hunks, Side::Left, "new"), [3, 4, 5, 6, 7, 8]);
        assert_eq!(taken(&hunks, Side::Right, "new"), [3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(hunks.best(Side::Right, "new", (1, 20)), Some(6));
        assert_eq!(hunks.best(Side::Left, "old", (8, 20)), Some(8));
        assert_eq!(hunks.best(Side::Left, "old", (9, 20)), None);
    }

    #[test]
    fn a_deleted_file_takes_comments_on_the_left_and_a_pure_rename_on_no_line() {
        let hunks = diff((3, 0), &[(1, 3, 1, 0)]);
        assert_eq!(taken(&hunks, Side::Left, "old"), [1, 2, 3]);
        assert!(taken(&hunks, Side::Right, "new").is_empty());
        let rename = diff((3, 3), &[]);
        assert!(taken(&rename, Side::Left, "old").is_empty());
        assert_eq!(rename.posted_path(Side::Left, "old"), Some("new"));
        assert_eq!(rename.posted_path(Side::Right, "other"), None);
    }

    #[test]
    fn finds_a_file_under_a_directory() {
        let hunks = Hunks::new(&[FileDiff { path: "b/x".into(), previous_path: Some("a/x".into()), ..FileDiff::default() }]);
        assert_eq!((hunks.first_under("a"), hunks.first_under("b/"), hunks.first_under("c")), (Some("b/x"), Some("b/x"), None));
    }
}
