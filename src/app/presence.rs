//! Whether a removed name is really gone from the head tree, and whether a changed fact has a namesake that still has the old
//! value. Absence is proven over the whole tree, not over the diff (`design.md` section 5); looked up for claimed names only.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use rayon::prelude::*;

use super::sources::{MAX_SOURCE_BYTES, counts_as_source};
use super::{containers, places};
use crate::config::Config;
use crate::docs;
use crate::facts;
use crate::findings::Absence;
use crate::git::{FileEntry, Repository};
use crate::model::{Change, ChangeSet, Fact, FactKind, RepoPath};
use crate::syntax::{Grammar, NodeExt, SyntaxTree, parse};
use crate::value::name;

/// Most files that are parsed to prove absence; a name that stands in more is a common word.
const MAX_PARSED: usize = 600;

/// What the head tree says about a claimed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Presence {
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
        if fact.kind.is_path()
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
            let inherits = fact.name.rsplit_once('.').is_some_and(|(container, _)| known.rebased.contains(leaf_of(container)));
            let first = if own {
                Presence::Present
            } else if inherits {
                Presence::Used
            } else {
                Presence::Absent
            };
            out.removed.insert(index, first);
        }
        let names = listed.map_or_else(|| spellings(change), |lost| lost.iter().map(|v| v.to_lowercase()).collect());
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
    let too_many = hits.len() > MAX_PARSED;
    let answers: Vec<Vec<(usize, Presence, Option<Fact>)>> = hits
        .par_iter()
        .take(MAX_PARSED)
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
                    answers.extend(answer(change, want, &probe, &known));
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

/// One file with a name in it, parsed once however many names are asked about.
pub(super) struct Probe<'t> {
    file: &'t FileEntry,
    text: &'t str,
    grammar: Option<Grammar>,
    tree: OnceCell<Option<SyntaxTree<'t>>>,
}

impl<'t> Probe<'t> {
    pub(super) fn new(file: &'t FileEntry, text: &'t str) -> Self {
        let grammar = Grammar::for_path(&facts::read_as(&file.path, text));
        Self { file, text, grammar, tree: OnceCell::new() }
    }

    /// `None` where no grammar reads the file.
    fn tree(&self) -> Option<&SyntaxTree<'t>> {
        self.tree.get_or_init(|| parse(self.grammar?, self.text)).as_ref()
    }
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

fn spellings(change: &Change) -> Vec<String> {
    let fact = change.cited();
    // Of a definition that stays, only the qualified names it lost are asked about.
    let lost: Vec<String> = change
        .aspects
        .iter()
        .filter(|a| matches!(fact.kind, FactKind::Symbol | FactKind::Signature) && a.pointer.starts_with("/spellings/"))
        .filter_map(|a| a.segments().get(1).filter(|s| s.contains('.')).map(|s| s.to_lowercase()))
        .collect();
    if !change.removes_name() && !lost.is_empty() {
        return lost;
    }
    let mut out: Vec<String> = match fact.kind {
        FactKind::CliFlag | FactKind::ConfigKey | FactKind::ActionInput => {
            let mut list = name::search_variants(fact.leaf().trim_start_matches('-'));
            for alias in &fact.aliases {
                let tail = alias.rsplit('.').next().unwrap_or(alias).trim_start_matches('-');
                if tail.len() > 1 {
                    list.extend(name::search_variants(tail));
                }
            }
            if fact.kind == FactKind::CliFlag {
                list.extend(without_prefix(fact.leaf().trim_start_matches('-')).map(str::to_lowercase));
            }
            list
        }
        // A program may put a prefix of its own before every variable it reads.
        FactKind::EnvVar => {
            std::iter::once(fact.name.as_str()).chain(without_prefix(&fact.name)).map(str::to_lowercase).collect()
        }
        FactKind::CliCommand | FactKind::Task | FactKind::Package => vec![fact.name.to_lowercase()],
        _ if fact.is_word() => name::search_variants(&fact.name),
        _ => std::iter::once(fact.leaf().to_owned()).chain(bean_property(fact)).map(|s| s.to_lowercase()).collect(),
    };
    out.sort();
    out.dedup();
    out.retain(|s| s.len() >= 2);
    out
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

fn answer(change: &Change, want: &Wanted, probe: &Probe<'_>, known: &[Fact]) -> Option<(usize, Presence, Option<Fact>)> {
    let fact = change.cited();
    if !want.removed {
        let rival = known.iter().find(|other| same_kind(fact, other) && same_name(fact, other) && !is_side_of(change, other));
        return rival.map(|r| (want.index, Presence::Absent, Some(r.clone())));
    }
    if fact.is_value_only() {
        // A value that left one list and still stands in code may be meant as before.
        let kept = crate::citations::lost_values(change).into_iter().flatten();
        return kept.into_iter().any(|v| is_string(probe, v) || is_member_somewhere(probe, v)).then_some((
            want.index,
            Presence::Used,
            None,
        ));
    }
    if fact.is_word() {
        // Of such a name nothing may be left, in whatever style it is written.
        return Some((want.index, Presence::Present, None));
    }
    let dropped: Vec<String> = change
        .aspects
        .iter()
        .filter(|a| a.pointer.starts_with("/spellings/"))
        .filter_map(|a| a.segments().get(1).cloned())
        .collect();
    let declared = known.iter().any(|other| {
        accepts_kind(fact.kind, other.kind)
            && (fact.kind != FactKind::Task || fact.value.get("runner") == other.value.get("runner"))
            && if dropped.is_empty() {
                same_name(fact, other)
                    && (fact.kind == other.kind
                        || fact.leaf().trim_start_matches('-') == other.leaf().trim_start_matches('-')
                        || other.kind == FactKind::CliFlag)
            } else {
                other.spellings().any(|s| dropped.iter().any(|d| name::fold(d) == name::fold(s)))
            }
    });
    if declared
        || bean_property(fact).is_some_and(|p| known.iter().any(|other| other.path.extension() == "kt" && other.leaf() == p))
    {
        return Some((want.index, Presence::Present, None));
    }
    if let Some(path) = dropped.iter().find(|d| matches!(fact.kind, FactKind::Symbol | FactKind::Signature) && d.contains('.')) {
        // A qualified name is gone when nothing spells it out, whatever else has its last word.
        return stands_in_code(probe, path, true).then_some((want.index, Presence::Used, None));
    }
    let presence = match fact.kind {
        // Where code names the file, users have one of that name; this says nothing of a cited path.
        FactKind::Module | FactKind::DocPath => is_string(probe, fact.leaf()).then_some(Presence::Used)?,
        // A framework that is no longer read: the command's name still stands where it was declared.
        FactKind::CliCommand => (probe.file.path == fact.path && begins_string(probe, fact.leaf())).then_some(Presence::Used)?,
        FactKind::Task | FactKind::ActionInput => return None,
        FactKind::CliFlag if quoted(probe, fact, "--") || is_negation(probe, fact, known) => Presence::Present,
        FactKind::CliFlag => {
            (quoted(probe, fact, "") || names_in_table(probe, fact) || is_put_together(probe, fact)).then_some(Presence::Used)?
        }
        FactKind::EnvVar if stands_in_code(probe, &fact.name, false) => Presence::Present,
        FactKind::EnvVar => without_prefix(&fact.name)
            .is_some_and(|rest| is_string(probe, rest) || is_made_of_option(probe, &fact.name, rest))
            .then_some(Presence::Used)?,
        FactKind::Package => stands_in_code(probe, &fact.name, true).then_some(Presence::Present)?,
        // The fact stays; only the spelling that it dropped may still be in use.
        _ if !dropped.is_empty() => dropped.iter().any(|s| stands_in_code(probe, leaf_of(s), true)).then_some(Presence::Used)?,
        FactKind::ConfigKey => is_member_somewhere(probe, fact.leaf()).then_some(Presence::Used)?,
        _ => stands_in_code(probe, fact.leaf(), true).then_some(Presence::Used)?,
    };
    Some((want.index, presence, None))
}

/// The property that an accessor of Java stands for; Kotlin declares the property and Java still calls the accessor.
fn bean_property(fact: &Fact) -> Option<String> {
    if fact.path.extension() != "java" || !matches!(fact.kind, FactKind::Symbol | FactKind::Signature) {
        return None;
    }
    let leaf = fact.leaf();
    let name = ["get", "set", "is"].iter().find_map(|prefix| leaf.strip_prefix(prefix))?;
    let first = name.chars().next().filter(char::is_ascii_uppercase)?;
    Some(format!("{}{}", first.to_ascii_lowercase(), &name[1..]))
}

/// A name without its first word: `CACHE_DIR` of `TOOL_CACHE_DIR`, `cert-dir` of `dest-cert-dir`.
fn without_prefix(name: &str) -> Option<&str> {
    name.split_once(['_', '-']).map(|(_, rest)| rest).filter(|rest| rest.len() >= 3)
}

fn leaf_of(spelling: &str) -> &str {
    spelling.rsplit('.').next().unwrap_or(spelling)
}

/// Kinds that keep a name of a kind alive.
fn accepts_kind(gone: FactKind, other: FactKind) -> bool {
    use FactKind::{ActionInput, CliFlag, ConfigKey, Constant, Signature, Symbol};
    match gone {
        Symbol | Signature | Constant => matches!(other, Symbol | Signature | Constant | ConfigKey),
        ConfigKey => matches!(other, ConfigKey | ActionInput | Symbol | CliFlag),
        kind => kind == other,
    }
}

fn same_kind(a: &Fact, b: &Fact) -> bool {
    let group = |kind: FactKind| match kind {
        FactKind::Symbol | FactKind::Signature => 0,
        FactKind::Constant => 1,
        FactKind::ConfigKey => 2,
        other => 10 + other as u8,
    };
    group(a.kind) == group(b.kind) && a.kind == b.kind && a.owner.split(':').next() == b.owner.split(':').next()
}

/// Whether two facts share the name by which documents cite them. A plain leaf of a qualified name needs its container.
fn same_name(a: &Fact, b: &Fact) -> bool {
    if matches!(a.kind, FactKind::Symbol | FactKind::Signature | FactKind::Constant) {
        return a.leaf() == b.leaf();
    }
    let plain = |fact: &Fact| fact.name.split(['.', ' ']).count() > 1 && !name::is_distinctive(fact.leaf());
    // One letter is never cited, and often outlives the long spelling it stood beside.
    let letter = |spelling: &str| spelling.trim_start_matches('-').len() < 2;
    let short_only = a.spellings().all(letter);
    a.spellings().filter(|x| short_only || !letter(x)).any(|x| {
        b.spellings().any(|y| {
            let (xs, ys) = (name::segments(x), name::segments(y));
            let (Some(lx), Some(ly)) = (xs.last(), ys.last()) else { return false };
            if name::fold(lx) != name::fold(ly) {
                return false;
            }
            if !plain(a) || xs.len() < 2 || ys.len() < 2 {
                return true;
            }
            name::fold(xs[xs.len() - 2]) == name::fold(ys[ys.len() - 2])
        })
    })
}

fn is_side_of(change: &Change, other: &Fact) -> bool {
    [&change.before, &change.after].into_iter().flatten().any(|side| side.owner == other.owner && side.name == other.name)
}

/// A string literal that is the flag, or starts with it: hand-written parsers, wrappers and macros accept it. `dashes` is what
/// stands in front of the name.
fn quoted(probe: &Probe<'_>, fact: &Fact, dashes: &str) -> bool {
    let text = probe.text;
    if probe.grammar.is_none_or(Grammar::is_data) {
        return false;
    }
    // A table of options that a program hands to its parser: `exact: { type: "boolean" }`.
    let scripted = matches!(probe.grammar, Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    let described = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let behind = text[at + name.len()..].trim_start_matches(['"', '\'']).trim_start();
            let starts = text[..at].trim_end_matches(['"', '\'']).ends_with([' ', '\t', '\n', '{', ',']);
            starts && behind.strip_prefix(':').is_some_and(|t| t.trim_start().starts_with('{'))
        })
    };
    fact.spellings().filter_map(|s| s.strip_prefix("--")).any(|name| {
        dashes.is_empty() && scripted && described(name)
            // `"-p, --port <port>"`: a table of options that a program hands over.
            || !dashes.is_empty() && text.match_indices(&format!(", {dashes}{name}")).any(|(at, found)| {
                let short = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
                    && text[..at - 1].ends_with('-')
                    && text[..at - 2].ends_with(['"', '\'', '`']);
                short && text[at + found.len()..].chars().next().is_some_and(|c| matches!(c, '=' | ' ' | '"' | '\'' | '`'))
            })
            || ['"', '\'', '`'].iter().any(|quote| {
                text.match_indices(&format!("{quote}{dashes}{name}")).any(|(at, found)| {
                    let next = text[at + found.len()..].chars().next();
                    next.is_none_or(|c| c == *quote || !dashes.is_empty() && matches!(c, '=' | ' ' | ','))
                })
            })
    })
}

/// Whether a flag only turns off one that is declared: parsers of Node take `--no-x` for every `--x`. Commander does not.
fn is_negation(probe: &Probe<'_>, fact: &Fact, known: &[Fact]) -> bool {
    let scripted = matches!(probe.grammar, Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    scripted
        && !probe.text.contains("commander")
        && fact.spellings().filter_map(|s| s.strip_prefix("--no-")).any(|rest| {
            known
                .iter()
                .filter(|f| f.kind == FactKind::CliFlag)
                .any(|f| f.spellings().any(|s| s.strip_prefix("--") == Some(rest)))
        })
}

/// Whether a program puts the flag's name together from a prefix and the rest: `prefix + "cert-dir"`.
fn is_put_together(probe: &Probe<'_>, fact: &Fact) -> bool {
    fact.spellings().filter_map(|s| without_prefix(s.strip_prefix("--")?)).any(|rest| {
        ["\"", "'", "`"].iter().any(|quote| {
            probe
                .text
                .match_indices(&format!("{quote}{rest}{quote}"))
                .any(|(at, _)| probe.text[..at].trim_end().ends_with(['+', '.']))
        })
    })
}

/// Whether a string of a program is the flag's name in another case style: a table of options from which flags are made.
fn names_in_table(probe: &Probe<'_>, fact: &Fact) -> bool {
    fact.spellings().filter_map(|s| s.strip_prefix("--")).any(|name| {
        name.contains('-') && [name.replace('-', "_"), name.replace('-', ".")].iter().any(|variant| is_string(probe, variant))
    })
}

/// Whether a string of a program is the name, or the name and what it takes: `"build [flags]"`.
fn begins_string(probe: &Probe<'_>, name: &str) -> bool {
    ['"', '\'', '`'].iter().any(|quote| {
        probe.text.match_indices(&format!("{quote}{name}")).any(|(at, found)| {
            probe.text[at + found.len()..].chars().next().is_some_and(|c| c == *quote || matches!(c, ' ' | '=' | '<' | '['))
        })
    })
}

/// Whether a whole string of a program is the name.
fn is_string(probe: &Probe<'_>, name: &str) -> bool {
    probe.grammar.is_some_and(|g| !g.is_data())
        && ['"', '\'', '`'].iter().any(|quote| probe.text.contains(&format!("{quote}{name}{quote}")))
}

/// Whether the word stands in code as a member, key or text, which may be the setting; locals and parameters of that name are
/// not.
fn is_member_somewhere(probe: &Probe<'_>, word: &str) -> bool {
    let text = probe.text;
    let Some(tree) = probe.tree() else { return false };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .filter(|(at, _)| {
            !text[..*at].chars().next_back().is_some_and(is_word) && !text[at + word.len()..].chars().next().is_some_and(is_word)
        })
        .take(64)
        .any(|(at, _)| {
            let Some(node) = tree.root().descendant_for_byte_range(at, at + word.len()) else { return true };
            let kind = node.kind();
            if kind.contains("comment") {
                return false;
            }
            if kind.contains("string") || kind.contains("content") || kind.contains("scalar") {
                return node.text(text).trim_matches(['"', '\'', '`']) == word;
            }
            let member = kind.contains("field") || kind.contains("property") || kind.contains("key");
            let accessed =
                text[..at].ends_with('.') || node.parent().is_some_and(|p| matches!(p.kind(), "keyword_argument" | "attribute"));
            member || accessed
        })
}

/// Whether a program names a prefix and an option from which a framework makes the variable: `FLASK` and `--app`.
fn is_made_of_option(probe: &Probe<'_>, name: &str, rest: &str) -> bool {
    let prefix = name.split('_').next().unwrap_or(name);
    is_string(probe, prefix) && is_string(probe, &format!("--{}", rest.to_lowercase().replace('_', "-")))
}

/// Whether the exact word stands in code: not in a comment, not inside a longer text.
pub(super) fn stands_in_code(probe: &Probe<'_>, word: &str, in_program_only: bool) -> bool {
    let text = probe.text;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let places: Vec<usize> = text
        .match_indices(word)
        .filter(|(at, _)| {
            !text[..*at].chars().next_back().is_some_and(is_word) && !text[at + word.len()..].chars().next().is_some_and(is_word)
        })
        .map(|(at, _)| at)
        .take(64)
        .collect();
    if places.is_empty() {
        return false;
    }
    if probe.grammar.is_none() {
        return !in_program_only || is_template(probe.file);
    }
    let Some(tree) = probe.tree() else { return true };
    places.into_iter().any(|at| {
        let Some(node) = tree.root().descendant_for_byte_range(at, at + word.len()) else { return true };
        let kind = node.kind();
        if kind.contains("comment") {
            return false;
        }
        if kind.contains("string") || kind.contains("content") || kind.contains("scalar") {
            return node.text(text).trim_matches(['"', '\'', '`']).split_whitespace().count() <= 3;
        }
        true
    })
}

/// Files without a grammar that still are code.
fn is_template(file: &FileEntry) -> bool {
    matches!(
        file.path.extension(),
        "vue"
            | "svelte"
            | "cpp"
            | "cc"
            | "hpp"
            | "cs"
            | "php"
            | "swift"
            | "scala"
            | "groovy"
            | "lua"
            | "tmpl"
            | "tpl"
            | "in"
            | "am"
            | "ac"
            | "m4"
            | "cmake"
            | "mk"
            | "pl"
    )
}
