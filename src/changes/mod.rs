//! Base facts against head facts: what was added, removed, changed or renamed, and in which aspects.
//! Pure; knows nothing of git or documents.

mod aspects;
mod compatible;
mod material;
mod overloads;
mod paths;
mod rename;

use std::collections::BTreeMap;

pub use aspects::{aspects, is_value_pointer};
pub use paths::{PathChange, path_changes};

use crate::model::{Change, ChangeOp, ChangeSet, Fact, FactKind, RepoPath};

type Identity = (FactKind, String, String);

fn identity(fact: &Fact) -> Identity {
    (fact.kind, fact.owner.clone(), fact.name.clone())
}

/// Compares the facts of all changed files.
///
/// `renamed` maps a path at base to its path at head where git paired the two: the owner of a fact follows its file.
/// A name that left one file and arrived, alone of its kind, in another has moved and is compared as one fact.
pub fn diff(base: &[Fact], head: &[Fact], renamed: &BTreeMap<RepoPath, RepoPath>) -> ChangeSet {
    let follow = |fact: &Fact| -> Identity {
        let mut id = identity(fact);
        if let Some(new) = renamed.get(&fact.path) {
            id.1 = id.1.replace(fact.path.as_str(), new.as_str());
        }
        id
    };
    let mut before: BTreeMap<Identity, &Fact> = BTreeMap::new();
    for fact in base {
        before.entry(follow(fact)).or_insert(fact);
    }
    let mut after: BTreeMap<Identity, &Fact> = BTreeMap::new();
    for fact in head {
        after.entry(identity(fact)).or_insert(fact);
    }

    let mut changes = Vec::new();
    let mut removed = Vec::new();
    for (id, old) in &before {
        match after.remove(id) {
            Some(new) => changes.extend(changed(old, new)),
            None => removed.push(*old),
        }
    }
    let mut added: Vec<&Fact> = after.into_values().collect();
    // A rule for every target that is not written out still runs the one that was.
    let catches_all = |owner: &str| head.iter().any(|f| f.kind == FactKind::Task && f.owner == owner && f.name == "%");
    removed.retain(|f| !(f.is_value_only() || f.kind == FactKind::Task && catches_all(&f.owner)));
    added.retain(|f| !f.is_value_only());

    for (old, new) in rename::respelled(&mut removed, &mut added) {
        changes.extend(changed(old, new));
    }
    for (old, new) in rename::moved(&mut removed, &mut added) {
        changes.extend(changed(old, new));
    }
    for (old, new) in rename::proven(&mut removed, &mut added) {
        changes.push(Change {
            op: ChangeOp::Renamed,
            before: Some(old.clone()),
            after: Some(new.clone()),
            aspects: Vec::new(),
            compatible: false,
            proof: Some(crate::model::RenameProof::EqualBody),
            candidates: Vec::new(),
        });
    }
    // A definition that is gone takes its signature and value with it: one removal, told by the symbol.
    let symbols: std::collections::BTreeSet<(String, String)> =
        removed.iter().filter(|f| f.kind == FactKind::Symbol).map(|f| (f.owner.clone(), f.name.clone())).collect();
    removed.retain(|f| {
        !matches!(f.kind, FactKind::Signature | FactKind::Constant) || !symbols.contains(&(f.owner.clone(), f.name.clone()))
    });
    // What an inline type had is still there where its key has the type by name now.
    let head_keys: BTreeMap<(&str, &str), &Fact> =
        head.iter().filter(|f| f.kind == FactKind::ConfigKey).map(|f| ((f.owner.as_str(), f.name.as_str()), f)).collect();
    removed.retain(|f| {
        let ancestors = f.name.match_indices('.').map(|(at, _)| &f.name[..at]);
        let owner = follow(f).1;
        let nearest = ancestors.filter_map(|name| head_keys.get(&(owner.as_str(), name))).next_back();
        !(f.kind == FactKind::ConfigKey && nearest.is_some_and(|key| is_type_by_name(key)))
    });
    for old in &removed {
        let candidates = rename::candidates(old, &removed, &added);
        changes.push(Change { candidates, ..self::removed((*old).clone()) });
    }
    for new in added {
        changes.push(Change {
            op: ChangeOp::Added,
            before: None,
            after: Some(new.clone()),
            aspects: Vec::new(),
            compatible: true,
            proof: None,
            candidates: Vec::new(),
        });
    }
    changes.sort_by_key(|a| (identity(a.cited()), a.op));
    ChangeSet { changes }
}

/// Whether a setting's type is written by its name: `PotPacket['lid']`, not `{ lid: string }` or `object`.
fn is_type_by_name(key: &Fact) -> bool {
    let written = key.value.get("type").and_then(serde_json::Value::as_str);
    key.owner.starts_with("module:")
        && written.is_some_and(|t| t.starts_with(char::is_uppercase) && !matches!(t, "Object" | "Record" | "Function"))
}

/// The removal of a fact.
pub fn removed(fact: Fact) -> Change {
    Change {
        op: ChangeOp::Removed,
        before: Some(fact),
        after: None,
        aspects: Vec::new(),
        compatible: false,
        proof: None,
        candidates: Vec::new(),
    }
}

fn changed(old: &Fact, new: &Fact) -> Option<Change> {
    let mut aspects = match overloads::changed(&old.value, &new.value) {
        Some((before, after)) => aspects(&before, &after),
        None if overloads::any(&old.value, &new.value) => Vec::new(),
        None => aspects(&old.value, &new.value),
    };
    material::retain(new, &mut aspects);
    aspects::add_spellings(old, new, &mut aspects);
    if aspects.is_empty() {
        return None;
    }
    Some(Change {
        op: ChangeOp::Changed,
        compatible: compatible::is_compatible(old, new, &aspects),
        before: Some(old.clone()),
        after: Some(new.clone()),
        aspects,
        proof: None,
        candidates: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
