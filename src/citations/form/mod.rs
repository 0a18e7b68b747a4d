//! Whether a place names a changed fact, by kind of fact, one file each.

mod command;
mod env;
mod flag;
mod key;
pub(super) mod member;
mod package;
mod path;
mod symbol;
mod tree;

use super::Project;
use super::place::Place;
use crate::model::{ByteSpan, Change, CitationForm, Fact, FactKind, RegionKind};

/// The name's span, the form and whether the spelling is exact; `None` where the place does not name the fact.
pub(super) type Resolved = Option<(ByteSpan, CitationForm, bool)>;

/// Decides by kind of fact.
pub(super) fn resolve(place: &Place<'_>, change: &Change, project: &Project<'_>) -> Resolved {
    let fact = change.cited();
    if (place.is_label() || names_documents(place)) && !fact.kind.is_path() {
        return None;
    }
    if let Some(found) = member::resolve(place, change) {
        return Some(found);
    }
    if fact.value.get("declared").and_then(|d| d.as_str()) == Some(Fact::LIST) {
        return None;
    }
    match fact.kind {
        FactKind::Module | FactKind::DocPath => path::resolve(place, fact, project),
        FactKind::Package => package::resolve(place, fact, project),
        FactKind::CliFlag => flag::resolve(place, fact, project),
        FactKind::CliCommand => command::resolve_command(place, fact, project),
        FactKind::Task => command::resolve_task(place, fact, project),
        FactKind::EnvVar => env::resolve(place, fact, project),
        FactKind::ConfigKey | FactKind::ActionInput => key::resolve(place, fact, project),
        // What a script sets for another tool is that tool's.
        FactKind::Constant if fact.path.extension() == "sh" && env::is_foreign(&fact.name) => None,
        FactKind::Symbol | FactKind::Signature | FactKind::Constant => symbol::resolve(place, fact, project),
    }
}

/// Whether the place is in a directive whose entries are documents and files, whatever they are called.
fn names_documents(place: &Place<'_>) -> bool {
    matches!(&place.region.kind, RegionKind::Directive { name, .. }
        if matches!(name.as_str(), "toctree" | "literalinclude" | "include" | "image" | "figure" | "download"))
}
