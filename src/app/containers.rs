//! Members whose type the project no longer declares but still uses: the type comes from a dependency now, or is another name for
//! one that does, and what it has cannot be known from here.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasickBuilder;
use rayon::prelude::*;

use super::presence::word::{Probe, stands_in_code};
use super::presence::{Presence, is_opaque, words};
use super::sources::{MAX_SOURCE_BYTES, counts_as_source};
use crate::config::Config;
use crate::docs;
use crate::facts;
use crate::git::{FileEntry, Repository};
use crate::model::{ChangeSet, Fact, FactKind};

/// Most files that are parsed; a type that is named in more has a common name.
const MAX_PARSED: usize = 200;

/// What one file says of a type.
struct Said {
    container: usize,
    declares: bool,
}

/// Turns members that are absent into used ones where their type is.
pub(super) fn ask(
    repository: &Repository,
    files: &[FileEntry],
    config: &Config,
    changes: &ChangeSet,
    removed: &mut BTreeMap<usize, Presence>,
) {
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (&index, _) in removed.iter().filter(|(_, presence)| **presence == Presence::Absent) {
        let Some(fact) = changes.changes.get(index).map(crate::model::Change::cited) else { continue };
        let Some(container) = container(fact) else { continue };
        if is_given_up(changes, fact, container) {
            members.entry(container.rsplit('.').next().unwrap_or(container)).or_default().push(index);
        }
    }
    if members.is_empty() {
        return;
    }
    let (names, members): (Vec<&str>, Vec<Vec<usize>>) = members.into_iter().unzip();
    let Ok(automaton) = AhoCorasickBuilder::new().build(&names) else { return };
    let hits: Vec<(&FileEntry, String, BTreeSet<usize>)> = files
        .par_iter()
        .filter(|f| counts_as_source(&f.path, config) && docs::format_of(&f.path).is_none() && !is_opaque(f))
        .map_init(
            || repository.local(),
            |local, file| {
                if local.blob_size(file.id)? > MAX_SOURCE_BYTES as u64 {
                    return None;
                }
                let bytes = local.blob(file.id)?;
                let found = words(&automaton, &bytes);
                (!found.is_empty()).then(|| Some((file, String::from_utf8(bytes).ok()?, found))).flatten()
            },
        )
        .flatten()
        .collect();
    if hits.len() > MAX_PARSED {
        return;
    }
    let said: Vec<Said> = hits
        .par_iter()
        .flat_map_iter(|(file, text, found)| {
            let own = facts::extract(&file.path, text).facts;
            let probe = Probe::new(file, text);
            let said = |&container: &usize| {
                let declares = own.iter().any(|f| f.leaf() == names[container] && has_members(f));
                (declares || stands_in_code(&probe, names[container], true)).then_some(Said { container, declares })
            };
            found.iter().filter_map(said).collect::<Vec<_>>()
        })
        .collect();
    for (at, indexes) in members.iter().enumerate() {
        let of_it: Vec<&Said> = said.iter().filter(|s| s.container == at).collect();
        if !of_it.is_empty() && of_it.iter().all(|s| !s.declares) {
            for index in indexes {
                removed.insert(*index, Presence::Used);
            }
        }
    }
}

/// The type that a fact is a member of.
fn container(fact: &Fact) -> Option<&str> {
    let member = matches!(fact.kind, FactKind::Symbol | FactKind::ConfigKey) && fact.owner.starts_with("module:");
    fact.name.rsplit_once('.').map(|(container, _)| container).filter(|_| member)
}

/// Whether a change takes all members off a type: it is gone, or only another name for something.
fn is_given_up(changes: &ChangeSet, member: &Fact, container: &str) -> bool {
    changes.changes.iter().any(|change| {
        let own = change.before.as_ref().is_some_and(|f| {
            matches!(f.kind, FactKind::Symbol | FactKind::Signature) && f.name == container && f.owner == member.owner
        });
        own && !change.after.as_ref().is_some_and(has_members)
    })
}

/// Whether a fact says which members a type has.
fn has_members(fact: &Fact) -> bool {
    let listed = |key: &str| fact.value.get(key).and_then(serde_json::Value::as_array).is_some_and(|l| !l.is_empty());
    fact.kind == FactKind::Signature && (listed("members") || listed("variants") || listed("parameters"))
        || fact
            .value
            .get("declared")
            .and_then(serde_json::Value::as_str)
            .is_some_and(|d| matches!(d, "class" | "struct" | "trait" | "enum"))
}
