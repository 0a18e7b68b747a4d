//! Minimum versions of runtimes: which document a changed one is for.

use serde_json::Value;

use super::project::Stated;
use crate::citations;
use crate::model::{Change, RepoPath};
use crate::value::version;

/// Whether a changed minimum version holds for a document: the package that the document lies in states it, if it states one;
/// what CI tests holds where a manifest agrees.
pub(super) fn is_for(change: &Change, stated: &[Stated], document: &RepoPath) -> bool {
    // What those who work on the project install is no more a promise than what CI tests.
    let fact = change.cited();
    let pinned =
        matches!(fact.path.file_name(), ".nvmrc" | ".node-version" | ".python-version" | ".ruby-version" | ".tool-versions");
    if pinned && !citations::is_for_contributors(document) {
        return false;
    }
    let ci = pinned || fact.owner.ends_with("#ci");
    // What a manifest still lists is supported, whether or not CI can test it.
    let old = change.before.as_ref().and_then(|f| f.value.get("minimum")).and_then(Value::as_str);
    if ci && old.is_some_and(|old| stated.iter().any(|s| s.listed.iter().any(|v| version::states(v, old, 2) || v == old))) {
        return false;
    }
    let stated: Vec<&Stated> = stated.iter().filter(|s| !s.minimum.is_empty()).collect();
    let holds = |s: &&&Stated| document.as_str().starts_with(&format!("{}/", s.directory));
    // A crate or module at the root has the pages that lie in no other.
    let root = matches!(fact.path.file_name(), "Cargo.toml" | "go.mod") && !fact.path.directory().is_empty();
    let near = stated.iter().filter(|s| if s.directory.is_empty() { root } else { holds(s) });
    let nearest = near.max_by_key(|s| s.directory.len());
    if let Some(own) = nearest {
        return agrees(change, &own.minimum);
    }
    !ci || stated.is_empty() || stated.iter().any(|s| agrees(change, &s.minimum))
}

/// Whether a manifest's minimum version is the one that a change moves to.
fn agrees(change: &Change, minimum: &str) -> bool {
    let new = change.after.as_ref().and_then(|f| f.value.get("minimum")).and_then(Value::as_str);
    new.is_some_and(|new| version::states(minimum, new, 1))
}
