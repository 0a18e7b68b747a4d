//! A value of a list that lost it, where a document names it among the other values of that list.

use super::{Place, Resolved};
use crate::model::{Change, MarkKind, Region, RegionKind};

/// Fewest other values that a document must name beside it.
const LEAST: usize = 2;
/// Rows or items that are looked at in each direction.
const MAX_AROUND: usize = 40;

/// Values that a change takes out of a list, and those the list had besides.
pub(in super::super) fn lost(change: &Change) -> Option<(Vec<&str>, Vec<&str>)> {
    let gone: Vec<&str> = change
        .aspects
        .iter()
        .filter(|a| a.after.is_none() && (a.pointer.starts_with("/variants/") || a.pointer.starts_with("/choices/")))
        .filter_map(|a| a.before.as_ref()?.as_str())
        .collect();
    let before = &change.before.as_ref()?.value;
    let all = before.get("variants").or_else(|| before.get("choices"))?.as_array()?;
    let rest: Vec<&str> = all.iter().filter_map(|v| v.as_str()).filter(|v| !gone.contains(v)).collect();
    // A list that keeps less than half of its values is another list.
    (!gone.is_empty() && rest.len() >= LEAST && rest.len() >= gone.len()).then_some((gone, rest))
}

/// The values that a change takes out of a list.
pub fn lost_values(change: &Change) -> Option<Vec<&str>> {
    lost(change).map(|(gone, _)| gone)
}

pub(super) fn resolve(place: &Place<'_>, change: &Change) -> Resolved {
    let (gone, rest) = lost(change)?;
    if !gone.contains(&place.word()) || place.is_hidden() || is_within(place) {
        return None;
    }
    let document = place.document;
    let near: Vec<&Region> = match &place.region.kind {
        RegionKind::TableRow { .. } | RegionKind::ListItem => {
            let same = |r: &&Region| std::mem::discriminant(&r.kind) == std::mem::discriminant(&place.region.kind);
            let at = place.region_index();
            let before = document.regions[..at].iter().rev().take_while(same).take(MAX_AROUND);
            let behind = document.regions[at..].iter().take_while(same).take(MAX_AROUND);
            before.chain(behind).collect()
        }
        RegionKind::Paragraph | RegionKind::TableHeader { .. } => vec![place.region],
        _ => return None,
    };
    // Values of one list stand alike: each in the same paragraph, or each at the head of its row or item.
    let leads = |region: &Region| {
        region.marks.iter().find(|m| matches!(m.kind, MarkKind::Code)).map(|m| m.span).filter(|s| {
            let before = crate::model::ByteSpan::new(region.span.start, s.start);
            place.of(before).chars().all(|c| !c.is_alphanumeric())
        })
    };
    let own = place.code()?;
    let leading = leads(place.region).is_some_and(|s| s == own);
    let mut named: Vec<&str> = near
        .iter()
        .flat_map(|region| {
            let one = std::ptr::eq(*region, place.region);
            let marks = region.marks.iter().filter(|m| matches!(m.kind, MarkKind::Code)).map(|m| m.span);
            marks.filter(|s| one && !leading || leads(region) == Some(*s)).collect::<Vec<_>>()
        })
        .map(|s| place.of(s).trim_matches(['`', ' ', '"', '\'']))
        .filter(|text| rest.contains(text))
        .collect();
    named.sort_unstable();
    named.dedup();
    (named.len() >= LEAST && named.len() * 2 >= rest.len()).then(|| (place.span, place.form(), false))
}

/// Whether the value is only part of what is set as code.
fn is_within(place: &Place<'_>) -> bool {
    place.code().is_none_or(|code| place.of(code).trim_matches(['`', ' ', '"', '\'']) != place.word())
}
