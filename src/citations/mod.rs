//! From changed facts to the places in documents that name them, and from those to what the places claim.
//!
//! [`Needles`] finds the names in raw bytes, so that only documents with a hit are parsed; [`resolve`] decides by kind of
//! fact and form of citation whether a place names *this* fact (`design.md` section 6); [`claims`] decides whether it
//! claims a changed aspect (section 7).

mod claim;
mod fence;
mod form;
mod imports;
mod needles;
mod owners;
mod past;
mod place;
mod project;
mod readers;

use std::collections::{BTreeMap, BTreeSet};

pub use claim::{Background, Judgement, Verdict, claims, is_true_of_another, keep_most_exact};
pub use form::member::lost_values;
pub use needles::{Hit, Needles};
pub use past::{is_past_heading, speaks_of_past};
pub use project::{Project, Tables};
pub use readers::is_for_contributors;

use crate::model::{Change, ChangeOp, ChangeSet, Citation, Document, FactKind, Visibility};
use place::Place;

/// Most citations of one document that are looked at.
pub const MAX_CITATIONS: usize = 2_048;
/// Most citations of one change in one region; a region that names it more often says the same again.
const MAX_IN_REGION: usize = 64;

/// The citations of changed facts in one document, in reading order.
pub fn resolve(document: &Document, hits: &[Hit], changes: &ChangeSet, project: &Project<'_>) -> Vec<Citation> {
    let mut out: Vec<Citation> = Vec::new();
    let imported = if hits.is_empty() { BTreeSet::new() } else { imports::foreign(document, project) };
    let mut foreign: BTreeSet<usize> = BTreeSet::new();
    let mut times: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for hit in hits {
        if out.len() >= MAX_CITATIONS {
            break;
        }
        let Some(place) = Place::new(document, hit.span) else { continue };
        let Some(change) = changes.changes.get(hit.change) else { continue };
        let seen = times.entry((place.region_index(), hit.change)).or_default();
        *seen += 1;
        if *seen > MAX_IN_REGION {
            continue;
        }
        // `babel.transform` is the library's that the example imports.
        if place.fence().is_some() && place.qualifiers().first().is_some_and(|q| imported.contains(*q)) {
            continue;
        }
        if let Some((span, form, exact)) = form::resolve(&place, change, project) {
            if matches!(
                change.kind(),
                FactKind::EnvVar | FactKind::Symbol | FactKind::Signature | FactKind::Constant | FactKind::ConfigKey
            ) && (links_elsewhere(&place, project) || imported.contains(place.word()))
            {
                foreign.insert(hit.change);
            }
            let citation = Citation { change: hit.change, region: place.region_index(), span, form, exact };
            if !out.contains(&citation) {
                out.push(citation);
            }
        }
    }
    // A document that links the name to another site means that site's thing, here and wherever it names it again.
    out.retain(|c| !foreign.contains(&c.change));
    owners::drop_unowned(&mut out, document, changes);
    out.sort_by_key(|c| (c.span, c.change));
    drop_parts(&mut out);
    drop_members_of_gone_containers(&mut out, changes, &document.text);
    out
}

/// A name inside a longer name of the same fact (`gusts` in `gusts.ts`) is one citation, the longer.
fn drop_parts(citations: &mut Vec<Citation>) {
    let all: Vec<(usize, crate::model::ByteSpan)> = citations.iter().map(|c| (c.change, c.span)).collect();
    citations.retain(|c| !all.iter().any(|(change, span)| *change == c.change && *span != c.span && span.contains(c.span)));
}

/// Whether the name is the text of a link to a site that is not the project's own repository.
fn links_elsewhere(place: &Place<'_>, project: &Project<'_>) -> bool {
    let Some((_, target, true)) = place.link() else { return false };
    let Some(rest) = target.strip_prefix("https://").or_else(|| target.strip_prefix("http://")) else { return false };
    let mut parts = rest.split('/');
    let host = parts.next().unwrap_or("");
    let own_repository =
        host == "github.com" && parts.next().zip(parts.next()).is_some_and(|(owner, name)| project.is_own_slug(owner, name));
    // The project's own site usually carries its name.
    let own_site = host.contains(project.repository.as_str())
        || project.packages.iter().any(|p| p.len() > 2 && host.contains(p.as_str()))
        || rest.contains(&format!("/{}", project.repository));
    !own_repository && !own_site
}

/// Where a removed container is cited in the same qualified name, its removed members add nothing.
fn drop_members_of_gone_containers(citations: &mut Vec<Citation>, changes: &ChangeSet, text: &str) {
    let removed = |c: &Citation| changes.changes.get(c.change).filter(|change| change.removes_name());
    let containers: BTreeSet<(usize, String)> =
        citations.iter().filter_map(|c| removed(c).map(|change| (c.span.end, change.cited().name.clone()))).collect();
    citations.retain(|c| {
        let Some(change) = removed(c) else { return true };
        let Some((container, _)) = change.cited().name.rsplit_once('.') else { return true };
        let start = c.span.start;
        let separator = ["::", ".", "#"].iter().find(|s| text[..start].ends_with(**s));
        separator.is_none_or(|s| !containers.contains(&(start - s.len(), container.to_owned())))
    });
}

/// Whether a change can make a document wrong at all.
pub fn is_citable(change: &Change) -> bool {
    change.removes_name() || (!change.aspects.is_empty()) || may_be_namesake(change)
}

/// Whether an added definition may give a documented name a second owner: a public one, with a name that documents cite bare.
pub fn may_be_namesake(change: &Change) -> bool {
    let fact = change.cited();
    change.op == ChangeOp::Added
        && fact.kind == FactKind::Symbol
        && fact.visibility == Visibility::Public
        && !fact.name.contains('.')
        && fact.value.get("declared").and_then(|d| d.as_str()) != Some("reexport")
        && crate::value::name::is_distinctive(&fact.name)
}
