//! Facts of the changed files, on both sides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::places;
use crate::config::Config;
use crate::facts;
use crate::git::{FileChange, FileEntry, ObjectId, Repository};
use crate::model::{ByteSpan, Coverage, CoverageStatus, Fact, FactKind, LineIndex, Notice, NoticeCode, RepoPath, Visibility};
use crate::syntax::Grammar;
use crate::value::{canonical, name};

/// Largest source file that is read, in bytes (`design.md` section 11).
pub(super) const MAX_SOURCE_BYTES: usize = 4_000_000;
/// A longer line makes a file minified: every name stands on it.
const MAX_LINE_BYTES: usize = 20_000;

/// Facts of both sides of a change.
#[derive(Default)]
pub(super) struct ChangedFacts {
    pub(super) base: Vec<Fact>,
    pub(super) head: Vec<Fact>,
    /// Names that stood in a changed program and stand in none of them at head.
    pub(super) vanished: Vec<Fact>,
    /// Classes that are now built on another of their name, or on one of another package.
    pub(super) rebased: BTreeSet<String>,
    /// What files take from other packages since this change.
    pub(super) borrowed: BTreeMap<RepoPath, facts::Borrowed>,
    /// Paths that git paired, base to head.
    pub(super) renamed: BTreeMap<RepoPath, RepoPath>,
    /// Hash of each file's text, by side (`true` is base) and path.
    pub(super) hashes: BTreeMap<(bool, String), String>,
    pub(super) notices: Vec<Notice>,
    pub(super) coverage: Vec<Coverage>,
}

/// Facts by blob and path, for runs over many ranges: most files are the same from one change to the next.
#[derive(Default)]
pub(super) struct FactCache {
    sides: Mutex<BTreeMap<(ObjectId, RepoPath), Arc<Side>>>,
}

/// Most blobs that a cache remembers.
const MAX_CACHED: usize = 20_000;

impl FactCache {
    fn get_or_read(&self, file: &FileEntry, read: impl FnOnce() -> Side) -> Arc<Side> {
        let key = (file.id, file.path.clone());
        if let Some(side) = self.sides.lock().ok().and_then(|map| map.get(&key).cloned()) {
            return side;
        }
        let side = Arc::new(read());
        if let Ok(mut map) = self.sides.lock()
            && map.len() < MAX_CACHED
        {
            map.insert(key, Arc::clone(&side));
        }
        side
    }
}

#[derive(Clone, Default)]
struct Side {
    facts: Vec<Fact>,
    words: facts::Words,
    heritage: facts::Heritage,
    borrowed: facts::Borrowed,
    hash: Option<String>,
    /// A file that cannot be read as what it was, or at all: what it holds is not known.
    broken: bool,
    notices: Vec<Notice>,
}

/// Whether what stands in a file is a fact about the project: not tests, not vendored code, not what the configuration excludes.
pub(super) fn counts_as_source(path: &RepoPath, config: &Config) -> bool {
    config.includes_source(path) && !facts::is_test_path(path) && !places::is_vendored(path) && !places::is_example(path)
}

/// Text of a blob, or the notice why not.
pub(super) fn read_text(repository: &crate::git::LocalRepository, file: &FileEntry, max: usize) -> Result<String, Notice> {
    match repository.blob_size(file.id) {
        None => return Err(Notice::file(NoticeCode::MissingObject, &file.path, "the object is not in this clone")),
        Some(size) if size > max as u64 => {
            return Err(Notice::file(NoticeCode::TooLarge, &file.path, format!("{size} bytes, more than {max}")));
        }
        Some(_) => {}
    }
    let bytes = repository
        .blob(file.id)
        .ok_or_else(|| Notice::file(NoticeCode::MissingObject, &file.path, "the object cannot be read"))?;
    String::from_utf8(bytes).map_err(|_| Notice::file(NoticeCode::NotUtf8, &file.path, "not UTF-8"))
}

fn read_side(repository: &crate::git::LocalRepository, file: &FileEntry, config: &Config) -> Side {
    let mut side = Side::default();
    let patterns: Vec<_> = config.facts.iter().filter(|p| p.paths.is_match(file.path.as_str())).collect();
    // A script without an extension tells its language in its first line.
    if !facts::is_source(&file.path) && patterns.is_empty() && !file.path.extension().is_empty() {
        return side;
    }
    let text = match read_text(repository, file, MAX_SOURCE_BYTES) {
        Ok(text) => text,
        Err(notice) => {
            side.notices.extend(Some(notice).filter(|_| facts::is_source(&file.path) || !patterns.is_empty()));
            side.broken = true;
            return side;
        }
    };
    if !facts::is_source(&facts::read_as(&file.path, &text)) && patterns.is_empty() {
        // It may have been a script that no longer tells its language.
        side.broken = true;
        return side;
    }
    side.hash = Some(canonical::hash(&text));
    if text.lines().any(|l| l.len() > MAX_LINE_BYTES) {
        side.notices.push(Notice::file(
            NoticeCode::TooLarge,
            &file.path,
            "a line is longer than 20,000 bytes: minified or generated",
        ));
        side.broken = true;
        return side;
    }
    let extraction = facts::extract(&file.path, &text);
    side.facts = extraction.facts;
    let data = Grammar::for_path(&file.path).is_some_and(Grammar::is_data);
    side.broken = data && extraction.notices.iter().any(|n| n.code == NoticeCode::SyntaxError);
    if !places::configures_another_tool(&file.path) {
        side.words = extraction.words;
    }
    side.heritage = extraction.heritage;
    side.borrowed = extraction.borrowed;
    if places::is_documentation_folder(&file.path) || places::configures_another_tool(&file.path) {
        // Data files beside documents are examples and navigation, not settings of the project.
        side.facts.retain(|f| {
            !matches!(f.kind, FactKind::ConfigKey | FactKind::Package)
                || f.owner.starts_with("module:") && !places::configures_another_tool(&file.path)
                || f.owner.ends_with("#ci")
                // A linter's file may say which compiler the project supports.
                || !places::is_documentation_folder(&file.path) && f.value.get("minimum").is_some()
        });
    }
    if places::is_own_use(&file.path) {
        for key in side.facts.iter_mut().filter(|f| f.kind == FactKind::ConfigKey) {
            key.value = serde_json::json!({});
        }
    }
    if places::is_site(&file.path) || places::is_build_script(&file.path) || places::is_benchmark(&file.path) {
        side.facts
            .retain(|f| !matches!(f.kind, FactKind::Symbol | FactKind::Signature | FactKind::Constant | FactKind::ConfigKey));
        side.words = facts::Words::default();
    }
    if places::is_site(&file.path) {
        side.facts.retain(|f| !matches!(f.kind, FactKind::CliCommand | FactKind::CliFlag | FactKind::EnvVar));
    }
    if let Some(line) = text.lines().take(8).find(|l| l.contains("Code generated") && l.contains("DO NOT EDIT")) {
        // Doubles for tests are nobody's interface.
        let line = line.to_ascii_lowercase();
        if ["mock", "moq", "counterfeiter"].iter().any(|w| line.contains(w)) {
            side.facts.clear();
        }
        // Fields of generated code follow what they are generated from.
        side.facts.retain(|f| f.kind != FactKind::ConfigKey);
        side.words = facts::Words::default();
    }
    if places::is_side_project(&file.path) {
        side.facts.retain(|f| f.kind != FactKind::Package || f.value.get("minimum").is_none());
    }
    side.notices.extend(extraction.notices);
    for pattern in patterns {
        side.facts.extend(by_pattern(&file.path, &text, pattern));
    }
    side
}

/// Facts that the configuration describes by a regular expression.
fn by_pattern(path: &RepoPath, text: &str, pattern: &crate::config::Pattern) -> Vec<Fact> {
    let lines = LineIndex::new(text);
    let captures = pattern.regex.captures_iter(text).take(facts::MAX_FACTS);
    captures
        .filter_map(|found| {
            let (name, value, whole) = (found.name("name")?, found.name("value")?, found.get(0)?);
            let span = ByteSpan::new(whole.start(), whole.end());
            Some(Fact {
                kind: pattern.kind,
                owner: format!("file:{path}"),
                name: name.as_str().to_owned(),
                value: serde_json::json!({ "value": value.as_str() }),
                path: path.clone(),
                span,
                lines: lines.lines(span),
                aliases: Vec::new(),
                visibility: Visibility::Public,
                body_hash: None,
            })
        })
        .collect()
}

/// Reads every changed file that an extractor or a configured pattern reads.
pub(super) fn read(repository: &Repository, changes: &[FileChange], config: &Config, cache: &FactCache) -> ChangedFacts {
    let sides: Vec<[Option<Arc<Side>>; 2]> = changes
        .par_iter()
        .map_init(
            || repository.local(),
            |local, change| {
                let side = |file: &Option<FileEntry>| {
                    file.as_ref()
                        .filter(|f| counts_as_source(&f.path, config))
                        .map(|f| cache.get_or_read(f, || read_side(local, f, config)))
                };
                // What moved to where nothing counts, to the examples or the tests, is still there.
                let out_of_scope = change.after.as_ref().is_some_and(|f| !counts_as_source(&f.path, config));
                let before = if out_of_scope { None } else { side(&change.before) };
                [before, side(&change.after)]
            },
        )
        .collect();
    let mut out = ChangedFacts::default();
    for (change, [before, after]) in changes.iter().zip(&sides) {
        if let (Some(b), Some(a)) = (&change.before, &change.after)
            && b.path != a.path
        {
            out.renamed.insert(b.path.clone(), a.path.clone());
        }
        if let (Some(file), Some(b), Some(a)) = (&change.before, before, after) {
            let mut taken: facts::Borrowed = a.borrowed.difference(&b.borrowed).cloned().collect();
            // What another package has may have been hidden by a definition of the file's own.
            if facts::hands_on_everything(&a.borrowed) {
                taken.clone_from(&a.borrowed);
            }
            if !taken.is_empty() {
                out.borrowed.insert(file.path.clone(), taken);
            }
        }
        // What a file lost by a slip of the pen is still meant.
        let broken = after.as_ref().is_some_and(|a| a.broken) && change.before.is_some();
        for (base, file, side) in [(true, &change.before, before), (false, &change.after, after)] {
            let (Some(file), Some(side)) = (file, side.as_ref()) else { continue };
            if let Some(hash) = &side.hash {
                out.hashes.insert((base, file.path.as_str().to_owned()), hash.clone());
            }
            if broken {
                // Its notice stays.
            } else if base {
                out.base.extend(side.facts.iter().cloned());
            } else {
                out.head.extend(side.facts.iter().cloned());
            }
            out.notices.extend(side.notices.iter().cloned());
        }
    }
    out.rebased = rebased(&sides);
    out.vanished = vanished(changes, &sides, &out.rebased);
    out.notices.sort();
    out.notices.dedup();
    for change in changes {
        let Some(file) = change.after.as_ref().or(change.before.as_ref()) else { continue };
        let unread = Grammar::for_path(&file.path).is_none() && is_program(&file.path) && !facts::is_source(&file.path);
        if unread && out.coverage.len() < 200 {
            out.coverage.push(Coverage {
                analyzer: "facts".to_owned(),
                analyzer_version: None,
                scope: file.path.as_str().chars().take(512).collect(),
                status: CoverageStatus::NotAnalyzed,
                reason: Some("no extractor reads this language".to_owned()),
                evidence: None,
            });
        }
    }
    out
}

/// Classes that are now built on another of their name, or on one of another package: what they lost moved there.
fn rebased(sides: &[[Option<Arc<Side>>; 2]]) -> BTreeSet<String> {
    let all = |at: usize| {
        let mut out = facts::Heritage::new();
        for (class, bases) in sides.iter().filter_map(|s| s[at].as_ref()).flat_map(|s| &s.heritage) {
            out.entry(class.clone()).or_default().extend(bases.iter().cloned());
        }
        out
    };
    let old = all(0);
    let namesake = |class: &str, base: &str| {
        let (class, base) = (name::fold(class), name::fold(base.rsplit('.').next().unwrap_or(base)));
        base == class || base.strip_prefix("base").or_else(|| base.strip_suffix("base")) == Some(class.as_str())
    };
    let rebased = |class: &String, bases: &BTreeSet<String>| {
        let known = old.get(class);
        bases.iter().any(|base| namesake(class, base) && known.is_none_or(|before| !before.contains(base)))
    };
    let mut out: BTreeSet<String> =
        all(1).into_iter().filter(|(class, bases)| rebased(class, bases)).map(|(class, _)| class).collect();
    // A base that is new to a class and comes from another package.
    for side in sides.iter().filter_map(|[_, after]| after.as_ref()) {
        let known = |class: &String, base: &String| old.get(class).is_some_and(|bases| bases.contains(base));
        let taken = |class: &String, base: &String| side.borrowed.contains(base) && !known(class, base);
        let gained = side.heritage.iter().filter(|(class, bases)| bases.iter().any(|base| taken(class, base)));
        out.extend(gained.map(|(class, _)| class.clone()));
    }
    // A base that is new to a type and has what the type no longer writes down.
    let of = |at: usize| sides.iter().filter_map(move |s| s[at].as_ref()).flat_map(|s| &s.facts);
    let has: BTreeSet<(&str, &str)> = of(1).filter_map(|f| f.name.split_once('.')).collect();
    let mut lost: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (class, member) in of(0).filter_map(|f| f.name.split_once('.')).filter(|pair| !has.contains(pair)) {
        lost.entry(class).or_default().push(member.split('.').next().unwrap_or(member));
    }
    let now = all(1);
    for (class, bases) in &now {
        let Some(members) = lost.get(class.as_str()) else { continue };
        let known = old.get(class);
        let gained = bases.iter().filter(|base| known.is_none_or(|before| !before.contains(*base)));
        let moved = |base: &String| members.iter().any(|m| has.contains(&(base.as_str(), *m)));
        if gained.into_iter().any(moved) {
            out.insert(class.clone());
        }
    }
    out
}

/// Names of changed programs at base that no changed program has at head. A name that is a fact of its own is left to it.
fn vanished(changes: &[FileChange], sides: &[[Option<Arc<Side>>; 2]], rebased: &BTreeSet<String>) -> Vec<Fact> {
    let at = |base: bool| sides.iter().filter_map(move |[b, a]| if base { b.as_ref() } else { a.as_ref() });
    let kept: BTreeSet<String> = at(false).flat_map(|s| s.words.keys().map(|w| name::fold(w))).collect();
    let known: BTreeSet<String> = at(true).chain(at(false)).flat_map(|s| &s.facts).map(|f| name::fold(f.leaf())).collect();
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for (change, [side, after]) in changes.iter().zip(sides) {
        let (Some(file), Some(side)) = (&change.before, side) else { continue };
        // What went into a base class of another package took its names along.
        if after.as_ref().is_some_and(|a| a.heritage.keys().any(|class| rebased.contains(class))) {
            continue;
        }
        for (word, (span, lines)) in &side.words {
            let folded = name::fold(word);
            if kept.contains(&folded) || known.contains(&folded) || !seen.insert(folded) {
                continue;
            }
            out.push(Fact {
                kind: FactKind::Symbol,
                owner: format!("module:{}", file.path),
                name: word.clone(),
                value: serde_json::json!({ "declared": Fact::WORD }),
                path: file.path.clone(),
                span: *span,
                lines: *lines,
                aliases: Vec::new(),
                visibility: Visibility::Internal,
                body_hash: None,
            });
        }
    }
    out
}

/// Extensions of programs that no extractor reads yet; a change there is said to be not analysed.
fn is_program(path: &RepoPath) -> bool {
    matches!(
        path.extension(),
        "cpp"
            | "cc"
            | "cxx"
            | "hpp"
            | "cs"
            | "php"
            | "swift"
            | "scala"
            | "lua"
            | "ex"
            | "exs"
            | "erl"
            | "hs"
            | "ml"
            | "clj"
            | "dart"
            | "zig"
            | "nim"
            | "r"
            | "jl"
            | "pl"
            | "pm"
            | "vue"
            | "svelte"
            | "m"
            | "mm"
            | "fs"
            | "vb"
            | "groovy"
            | "sql"
            | "proto"
    )
}
