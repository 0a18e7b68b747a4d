//! Moves and renames among removed and added facts. No proof, no rename: then it is a removal, perhaps with candidates.

use std::collections::BTreeMap;

use crate::model::{Fact, FactKind};
use crate::value::{canonical, name};

/// Most pairs of a removed and an added fact among which candidates are looked for.
const MAX_PAIRS: usize = 60_000;

/// Most candidates that are offered for one removal.
const MAX_CANDIDATES: usize = 3;

fn take<'f>(list: &mut Vec<&'f Fact>, picked: &[*const Fact]) -> Vec<&'f Fact> {
    let (out, rest) = list.iter().partition(|f| picked.contains(&std::ptr::from_ref(**f)));
    *list = rest;
    out
}

fn pair<'f, K: Ord>(
    removed: &mut Vec<&'f Fact>,
    added: &mut Vec<&'f Fact>,
    key: impl Fn(&Fact) -> Option<K>,
) -> Vec<(&'f Fact, &'f Fact)> {
    let group = |list: &[&'f Fact]| {
        let mut out: BTreeMap<K, Vec<&'f Fact>> = BTreeMap::new();
        for fact in list {
            if let Some(k) = key(fact) {
                out.entry(k).or_default().push(fact);
            }
        }
        out
    };
    let (old, mut new) = (group(removed), group(added));
    let mut pairs = Vec::new();
    for (k, olds) in old {
        if let (&[a], Some(&[b])) = (olds.as_slice(), new.remove(&k).as_deref()) {
            pairs.push((a, b));
        }
    }
    take(removed, &pairs.iter().map(|p| std::ptr::from_ref(p.0)).collect::<Vec<_>>());
    take(added, &pairs.iter().map(|p| std::ptr::from_ref(p.1)).collect::<Vec<_>>());
    pairs
}

/// Facts of one owner whose old name is still accepted by exactly one new fact: a flag that got a new first spelling.
pub(super) fn respelled<'f>(removed: &mut Vec<&'f Fact>, added: &mut Vec<&'f Fact>) -> Vec<(&'f Fact, &'f Fact)> {
    let mut pairs = Vec::new();
    for &old in removed.iter() {
        let mut heirs =
            added.iter().filter(|new| new.kind == old.kind && new.owner == old.owner && new.aliases.contains(&old.name));
        if let (Some(new), None) = (heirs.next(), heirs.next()) {
            pairs.push((old, *new));
        }
    }
    take(removed, &pairs.iter().map(|p| std::ptr::from_ref(p.0)).collect::<Vec<_>>());
    take(added, &pairs.iter().map(|p| std::ptr::from_ref(p.1)).collect::<Vec<_>>());
    pairs
}

/// Facts that kept kind and name and changed their owner: one on each side.
pub(super) fn moved<'f>(removed: &mut Vec<&'f Fact>, added: &mut Vec<&'f Fact>) -> Vec<(&'f Fact, &'f Fact)> {
    pair(removed, added, |fact| (!fact.kind.is_path()).then(|| (fact.kind, fact.name.clone())))
}

/// Facts with another name and an equal projection and body: one on each side.
pub(super) fn proven<'f>(removed: &mut Vec<&'f Fact>, added: &mut Vec<&'f Fact>) -> Vec<(&'f Fact, &'f Fact)> {
    pair(removed, added, |fact| {
        let body = fact.body_hash.clone()?;
        Some((fact.kind, canonical::hash(&fact.value), body))
    })
}

/// Names at head that may be the successor of a removed fact, most likely first: the same kind in the same place, with an
/// equal projection if that singles one out, else with a similar name.
pub(super) fn candidates(old: &Fact, removed: &[&Fact], added: &[&Fact]) -> Vec<String> {
    // In a change of thousands of names a guess helps nobody, and would cost the square of their number.
    if removed.len().saturating_mul(added.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let same_place = |a: &Fact, b: &Fact| a.kind == b.kind && (a.owner == b.owner || a.kind == FactKind::EnvVar);
    let near: Vec<&&Fact> = added.iter().filter(|new| same_place(old, new)).collect();
    let equal: Vec<&&&Fact> = near.iter().filter(|new| new.value == old.value).collect();
    let rivals = removed.iter().filter(|other| same_place(old, other) && other.value == old.value).count();
    if let ([only], 1) = (equal.as_slice(), rivals) {
        return vec![only.name.clone()];
    }
    let mut scored: Vec<(f64, &str)> = near
        .iter()
        .map(|new| (strsim::jaro_winkler(&name::fold(old.leaf()), &name::fold(new.leaf())), new.name.as_str()))
        .filter(|(score, _)| *score >= 0.82)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(MAX_CANDIDATES).map(|(_, name)| name.to_owned()).collect()
}
