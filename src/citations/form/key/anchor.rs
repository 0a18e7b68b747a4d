//! Whether a plain name is anchored: what has it is named above, or stands around it.

use super::super::{Place, Project};
use super::is_output;
use crate::model::{Fact, FactKind, RegionKind, Visibility};
use crate::value::name;

/// Whether the owner of a plain word is named where the word stands: its container in a heading, a parent item, the table's
/// key column or the same sentence; or its file by name.
pub(super) fn anchored(place: &Place<'_>, fact: &Fact) -> bool {
    let containers: Vec<String> = container_names(fact);
    let named = |text: &str| {
        let tokens: Vec<String> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .filter(|t| !t.is_empty())
            .map(name::fold)
            .collect();
        containers.iter().any(|c| tokens.iter().any(|t| t == c))
    };
    let file = fact.path.file_name();
    let mut above: Vec<&str> = place.scope_texts().collect();
    let line = place.of(place.line());
    above.push(line);
    if above.iter().any(|t| named(t) || t.contains(file)) {
        return true;
    }
    if fact.kind == FactKind::ActionInput {
        let head = table_head(place);
        return head.is_some_and(|h| h.to_lowercase().contains(if is_output(fact) { "output" } else { "input" }))
            || above.iter().any(|t| {
                let t = t.to_lowercase();
                t.contains(if is_output(fact) { "output" } else { "input" })
                    || (t.contains("parameter") && place.region.scope.headings.len() < 3)
            });
    }
    false
}

fn table_head<'d>(place: &Place<'d>) -> Option<&'d str> {
    match &place.region.kind {
        RegionKind::TableRow { header: Some(header), .. } => {
            place.document.regions.get(*header).map(|r| place.document.region_text(r))
        }
        _ => None,
    }
}

/// Folded names of what holds the key: the segments before the leaf, also without a trailing `Config`/`Settings`/`Options`.
fn container_names(fact: &Fact) -> Vec<String> {
    let mut out = Vec::new();
    for spelling in fact.spellings() {
        let parts = name::segments(spelling);
        for part in parts.iter().rev().skip(1) {
            let folded = name::fold(part);
            for suffix in ["config", "configuration", "settings", "options", "opts"] {
                if let Some(stem) = folded.strip_suffix(suffix).filter(|s| s.len() > 2) {
                    out.push(stem.to_owned());
                }
            }
            if folded.len() > 2 && !is_general(&folded) || fact.visibility == Visibility::Public && parts.len() == 2 {
                out.push(folded);
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

/// Names that any type may have: that one stands above says nothing.
fn is_general(container: &str) -> bool {
    matches!(
        container,
        "config"
            | "options"
            | "settings"
            | "defaults"
            | "default"
            | "request"
            | "response"
            | "input"
            | "output"
            | "params"
            | "args"
            | "data"
            | "item"
            | "entry"
            | "result"
            | "body"
            | "message"
            | "event"
    )
}

/// Whether a text shows the table that the key belongs to: at least three other keys of it stand there as keys.
pub(super) fn among_siblings(fact: &Fact, text: &str, project: &Project<'_>) -> bool {
    let Some(siblings) = project.tables.get(&Project::table_of(fact)) else { return false };
    let keys = text.lines().filter_map(|line| {
        let line = line.trim_start_matches([' ', '#', '-', '"', '\'', '|', '`', '*']);
        let key: String = line.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
        (!key.is_empty()).then(|| name::fold(&key))
    });
    let own = name::fold(fact.leaf());
    let mut found: Vec<String> = keys.filter(|k| *k != own && siblings.contains_key(k)).collect();
    found.sort();
    found.dedup();
    found.len() >= 3
}

/// Whether the rows of the table around a place name at least three other keys of the fact's own table.
pub(super) fn in_table_of_siblings(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    if place.cell().is_none_or(|(index, _)| index != 0) {
        return false;
    }
    let rows = |step: fn(usize) -> Option<usize>| {
        let mut at = place.region_index();
        let mut out = Vec::new();
        while let Some(region) =
            step(at).and_then(|i| place.document.regions.get(i)).filter(|r| matches!(r.kind, RegionKind::TableRow { .. }))
        {
            out.push(place.document.region_text(region));
            if out.len() > 40 {
                break;
            }
            at = step(at).unwrap_or(at);
        }
        out
    };
    let mut text = rows(|i| i.checked_sub(1));
    text.extend(rows(|i| Some(i + 1)));
    among_siblings(fact, &text.join("\n"), project)
}

/// Whether the place is a heading that is the key alone, beside at least three headings of its level that are other keys of the
/// fact's own table.
pub(super) fn among_sibling_headings(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    let RegionKind::Heading { level, .. } = place.region.kind else { return false };
    let title =
        |region| place.document.region_text(region).trim_matches(['#', '=', '-', '~', '^', '`', '*', '"', ' ', '\n']).to_owned();
    if title(place.region) != place.word() {
        return false;
    }
    let Some(siblings) = project.tables.get(&Project::table_of(fact)) else { return false };
    let peers = place.document.regions.iter().filter(|r| matches!(r.kind, RegionKind::Heading { level: l, .. } if l == level));
    let mut found: Vec<String> = peers.map(|r| name::fold(&title(r))).filter(|t| siblings.contains_key(t)).collect();
    found.sort();
    found.dedup();
    found.len() >= 4
}

/// Whether the example says which file it shows: in its info string, first comment, or the text just above.
pub(super) fn names_file(place: &Place<'_>, fact: &Fact) -> bool {
    let file = fact.path.file_name();
    let above = place
        .region_index()
        .checked_sub(1)
        .and_then(|i| place.document.regions.get(i))
        .map_or("", |r| place.document.region_text(r));
    let own = place.document.region_text(place.region).lines().next().unwrap_or("");
    above.contains(file) || own.contains(file) || place.scope_texts().any(|t| t.contains(file))
}
