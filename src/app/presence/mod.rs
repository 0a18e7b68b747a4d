//! Whether a removed name is really gone from the head tree, and whether a changed fact has a namesake that still has the old
//! value. Absence is proven over the whole tree, not over the diff (`design.md` section 5); looked up for claimed names only.

mod answer;
mod parser;
pub(super) mod word;

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use rayon::prelude::*;
use word::Probe;

use super::sources::{MAX_SOURCE_BYTES, counts_as_source};
use super::{containers, places};
use crate::config::Config;
use crate::docs;
use crate::facts;
use crate::findings::Absence;
use crate::git::{FileEntry, Repository};
use crate::model::{ChangeSet, Fact, FactKind, RepoPath};

/// Most files that are parsed to prove absence; a name that stands in more is a common word.
const MAX_PARSED: usize = 600;
/// Most bytes of such files, for the same reason.
const MAX_PARSED_BYTES: usize = 48 * 1024 * 1024;

/// What the head tree says about a claimed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Presence {
    /// Nothing declares or accepts the name.
    Absent,
    /// Nothing declares it, but code still uses the word.
    Used,
    /// It is still declared or accepted.
    Present,
}

impl Presence {
    /// For a finding; `None` where there is nothing to find.
    pub(super) fn absence(self) -> Option<Absence> {
        match self {
            Self::Absent => Some(Absence::Proven),
            Self::Used => Some(Absence::Unproven),
            Self::Present => None,
        }
    }
}

/// The answers, by index of the change.
#[derive(Default)]
pub(super) struct Tree {
    removed: BTreeMap<usize, Presence>,
    rivals: BTreeMap<usize, Vec<Fact>>,
}

impl Tree {
    /// Presence of a removed name.
    pub(super) fn presence(&self, change: usize) -> Presence {
        self.removed.get(&change).copied().unwrap_or(Presence::Absent)
    }

    /// Facts of the same kind and name that others own.
    pub(super) fn rivals(&self, change: usize) -> &[Fact] {
        self.rivals.get(&change).map_or(&[], Vec::as_slice)
    }
}

struct Wanted {
    index: usize,
    removed: bool,
}

/// What is known of the project and the change besides the facts.
pub(super) struct Known<'a> {
    /// Names of the project itself, lower case.
    pub(super) own_names: &'a BTreeSet<String>,
    /// Classes that are now built on another of their name.
    pub(super) rebased: &'a BTreeSet<String>,
    /// Files of vendored libraries that the change adds or edits.
    pub(super) brought_in: &'a BTreeSet<RepoPath>,
}

/// Looks for the names of the given changes in every source file at head.
pub(super) fn look_up(
    repository: &Repository,
    files: &[FileEntry],
    config: &Config,
    changes: &ChangeSet,
    claimed: &BTreeSet<usize>,
    known: &Known<'_>,
) -> Tree {
    let mut table: BTreeMap<String, Vec<Wanted>> = BTreeMap::new();
    let mut out = Tree::default();
    for &index in claimed {
        let Some(change) = changes.changes.get(index) else { continue };
        let fact = change.cited();
        // A file of the root that programs read by its name is one that users have.
        let named = fact.kind == FactKind::DocPath && fact.path.directory().is_empty() && docs::format_of(&fact.path).is_none();
        if fact.kind.is_path() && !named
            || matches!(fact.kind, FactKind::Package if fact.value.get("minimum").is_some() || fact.value.get("version").is_some())
        {
            continue;
        }
        let listed = crate::citations::lost_values(change).filter(|_| fact.is_value_only());
        let removed =
            listed.is_some() || change.removes_name() || change.aspects.iter().any(|a| a.pointer.starts_with("/spellings/"));
        if removed {
            // A tool that the project still has under another declaration: a package's own binary.
            let own = fact.kind == FactKind::CliCommand && known.own_names.contains(&fact.name.to_lowercase());
            // A class that is now built on its namesake inherits what it no longer writes down.
            let inherits = fact
                .name
                .rsplit_once('.')
                .is_some_and(|(container, _)| container.split('.').any(|class| known.rebased.contains(class)));
            let first = if own {
                Presence::Present
            } else if inherits {
                Presence::Used
            } else {
                Presence::Absent
            };
            out.removed.insert(index, first);
        }
        let names = listed.map_or_else(|| answer::spellings(change), |lost| lost.iter().map(|v| v.to_lowercase()).collect());
        for spelling in names {
            table.entry(spelling).or_default().push(Wanted { index, removed });
        }
    }
    if table.is_empty() {
        return out;
    }
    let (patterns, wanted): (Vec<String>, Vec<Vec<Wanted>>) = table.into_iter().unzip();
    let Ok(automaton) = AhoCorasickBuilder::new().ascii_case_insensitive(true).build(&patterns) else { return out };

    // A library that is vendored may read a variable that the project no longer reads itself.
    let envs = out.removed.keys().any(|&index| changes.changes[index].kind() == FactKind::EnvVar);
    let sources: Vec<&FileEntry> = files
        .iter()
        // What moved into a library that the change brings in is still there.
        .filter(|f| {
            counts_as_source(&f.path, config) || known.brought_in.contains(&f.path) || envs && places::is_vendored(&f.path)
        })
        .filter(|f| docs::format_of(&f.path).is_none() && !is_opaque(f))
        .collect();
    let hits: Vec<(&FileEntry, String, BTreeSet<usize>)> = sources
        .par_iter()
        .map_init(
            || repository.local(),
            |local, file| {
                let size = local.blob_size(file.id)?;
                if size > MAX_SOURCE_BYTES as u64 {
                    return None;
                }
                let bytes = local.blob(file.id)?;
                let found = words(&automaton, &bytes);
                if found.is_empty() {
                    return None;
                }
                Some((*file, String::from_utf8(bytes).ok()?, found))
            },
        )
        .flatten()
        .collect();

    let in_library = known.brought_in;
    // In the order of paths, so that the same files are asked each time.
    let mut bytes = 0;
    let asked = hits.iter().take(MAX_PARSED).take_while(|(_, text, _)| {
        bytes += text.len();
        bytes <= MAX_PARSED_BYTES
    });
    let asked = asked.count();
    let too_many = hits.len() > asked;
    let answers: Vec<Vec<(usize, Presence, Option<Fact>)>> = hits
        .par_iter()
        .take(asked)
        .map(|(file, text, found)| {
            let mut known = facts::extract(&file.path, text).facts;
            known.retain(|f| !f.is_value_only());
            let probe = Probe::new(file, text);
            let mut answers = Vec::new();
            for &pattern in found {
                for want in &wanted[pattern] {
                    let change = &changes.changes[want.index];
                    let another = places::is_vendored(&file.path) && !in_library.contains(&file.path);
                    if another && change.kind() != FactKind::EnvVar {
                        continue;
                    }
                    answers.extend(answer::ask(change, want, &probe, &known));
                }
            }
            answers
        })
        .collect();
    for (index, presence, rival) in answers.into_iter().flatten() {
        if let Some(seen) = out.removed.get_mut(&index) {
            *seen = (*seen).max(presence);
        }
        if let Some(fact) = rival {
            out.rivals.entry(index).or_default().push(fact);
        }
    }
    if too_many {
        for seen in out.removed.values_mut() {
            *seen = (*seen).max(Presence::Used);
        }
    }
    containers::ask(repository, files, config, changes, &mut out.removed);
    for list in out.rivals.values_mut() {
        list.sort_by_key(Fact::id);
        list.dedup_by_key(|f| f.id());
    }
    out
}

/// Files that prove nothing: locks and binary formats.
pub(super) fn is_opaque(file: &FileEntry) -> bool {
    let name = file.path.file_name();
    matches!(
        file.path.extension().to_ascii_lowercase().as_str(),
        "lock"
            | "png"
            | "jpg"
            | "jpeg"
            | "gif"
            | "svg"
            | "ico"
            | "woff"
            | "woff2"
            | "ttf"
            | "pdf"
            | "zip"
            | "gz"
            | "jar"
            | "snap"
            | "map"
            | "po"
            | "pot"
            | "mo"
            | "csv"
            | "1"
            | "5"
            | "8"
    ) || matches!(
        name,
        "package-lock.json" | "pnpm-lock.yaml" | "yarn.lock" | "go.sum" | "Cargo.lock" | "poetry.lock" | ".all-contributorsrc"
    )
}

/// Patterns that stand in the bytes as whole words.
pub(super) fn words(automaton: &AhoCorasick, bytes: &[u8]) -> BTreeSet<usize> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    automaton
        .find_overlapping_iter(bytes)
        .filter(|m| (m.start() == 0 || !is_word(bytes[m.start() - 1])) && (m.end() == bytes.len() || !is_word(bytes[m.end()])))
        .map(|m| m.pattern().as_usize())
        .collect()
}
