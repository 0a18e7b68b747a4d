//! What one file says of a claimed name: declared, accepted, used or nothing.

use super::parser::{is_made_of_factors, is_made_of_option, is_negation, is_put_together, names_in_table, quoted};
use super::word::{Probe, begins_string, is_member_somewhere, is_string, stands_in_code};
use super::{Presence, Wanted};
use crate::model::{Change, Fact, FactKind};
use crate::value::name;

/// The texts by which a file may have a changed name, lower case.
pub(super) fn spellings(change: &Change) -> Vec<String> {
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
        // An environment of tox may be put together from the parts of its name.
        FactKind::Task if fact.value.get("runner").is_some_and(|r| r == "tox") => {
            fact.name.rsplit('-').take(1).chain([fact.name.as_str()]).map(str::to_lowercase).collect()
        }
        FactKind::CliCommand | FactKind::Task | FactKind::Package => vec![fact.name.to_lowercase()],
        FactKind::DocPath | FactKind::Module => vec![fact.path.file_name().to_lowercase()],
        _ if fact.is_word() => name::search_variants(&fact.name),
        _ => std::iter::once(fact.leaf().to_owned()).chain(bean_property(fact)).map(|s| s.to_lowercase()).collect(),
    };
    out.sort();
    out.dedup();
    out.retain(|s| s.len() >= 2);
    out
}

/// The answer of one file to one question; a namesake that keeps the old value besides.
pub(super) fn ask(change: &Change, want: &Wanted, probe: &Probe<'_>, known: &[Fact]) -> Option<(usize, Presence, Option<Fact>)> {
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
        FactKind::Module | FactKind::DocPath => is_string(probe, fact.path.file_name()).then_some(Presence::Used)?,
        // A framework that is no longer read: the command's name still stands where it was declared.
        FactKind::CliCommand => (probe.file.path == fact.path && begins_string(probe, fact.leaf())).then_some(Presence::Used)?,
        FactKind::Task if is_made_of_factors(probe, fact) => Presence::Used,
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
pub(super) fn without_prefix(name: &str) -> Option<&str> {
    name.split_once(['_', '-']).map(|(_, rest)| rest).filter(|rest| rest.len() >= 3)
}

pub(super) fn leaf_of(spelling: &str) -> &str {
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
