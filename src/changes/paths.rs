//! Files and directories that a change took away. Kinds: `module` where a grammar for programs reads the path, else `doc-path`.

use std::collections::BTreeSet;

use serde_json::json;

use crate::model::{ByteSpan, Change, ChangeOp, Fact, FactKind, LineNumber, LineSpan, RenameProof, RepoPath, Visibility};
use crate::syntax::Grammar;

/// A file on each side; both for a rename or an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathChange {
    /// The path at base.
    pub before: Option<RepoPath>,
    /// The path at head.
    pub after: Option<RepoPath>,
}

/// The changes of paths: removed and renamed files, and directories of which nothing is left.
///
/// `head` holds every path of the head tree.
pub fn path_changes(files: &[PathChange], head: &BTreeSet<RepoPath>) -> Vec<Change> {
    let mut out = Vec::new();
    let mut directories: BTreeSet<String> = BTreeSet::new();
    for file in files {
        match (&file.before, &file.after) {
            (Some(old), after) if after.as_ref() != Some(old) && !head.contains(old) => {
                for at in old.as_str().match_indices('/').map(|(at, _)| at) {
                    directories.insert(old.as_str()[..at].to_owned());
                }
                out.push(gone(kind_of(old), old, after.as_ref()));
            }
            (None, Some(new)) => out.push(Change {
                op: ChangeOp::Added,
                before: None,
                after: Some(fact(kind_of(new), new)),
                aspects: Vec::new(),
                compatible: true,
                proof: None,
                candidates: Vec::new(),
            }),
            _ => {}
        }
    }
    for directory in directories {
        let prefix = format!("{directory}/");
        let survives = head.range(RepoPath::new(prefix.clone())..).next().is_some_and(|p| p.as_str().starts_with(&prefix));
        if !survives && !head.contains(&RepoPath::new(directory.clone())) {
            let successor = moved_directory(&directory, files);
            out.push(gone(FactKind::DocPath, &RepoPath::new(directory), successor.as_ref()));
        }
    }
    out
}

/// Where a whole directory went, if every renamed file of it went to one place.
fn moved_directory(directory: &str, files: &[PathChange]) -> Option<RepoPath> {
    let prefix = format!("{directory}/");
    let mut target: Option<String> = None;
    for file in files {
        let Some(rest) = file.before.as_ref().and_then(|p| p.as_str().strip_prefix(&prefix)) else { continue };
        let to = file.after.as_ref()?.as_str().strip_suffix(rest)?.strip_suffix('/')?.to_owned();
        if target.as_ref().is_some_and(|t| *t != to) {
            return None;
        }
        target = Some(to);
    }
    target.map(RepoPath::new)
}

fn kind_of(path: &RepoPath) -> FactKind {
    match Grammar::for_path(path) {
        Some(grammar) if !grammar.is_data() => FactKind::Module,
        _ => FactKind::DocPath,
    }
}

fn fact(kind: FactKind, path: &RepoPath) -> Fact {
    let line = LineNumber::from_row(0);
    Fact {
        kind,
        owner: "-".to_owned(),
        name: path.as_str().to_owned(),
        value: json!({"exists": true}),
        path: path.clone(),
        span: ByteSpan::new(0, 0),
        lines: LineSpan { start: line, end: line },
        aliases: Vec::new(),
        visibility: Visibility::Public,
        body_hash: None,
    }
}

fn gone(kind: FactKind, old: &RepoPath, new: Option<&RepoPath>) -> Change {
    Change {
        op: if new.is_some() { ChangeOp::Renamed } else { ChangeOp::Removed },
        before: Some(fact(kind, old)),
        after: new.map(|path| fact(kind, path)),
        aspects: Vec::new(),
        compatible: false,
        proof: new.is_some().then_some(RenameProof::GitRename),
        candidates: Vec::new(),
    }
}
