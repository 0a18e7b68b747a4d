//! Environment variables: the exact name as a whole word. A name of two words or more almost never collides
//! (`corpus/README.md`, case 7); a single word needs code markup and the word "environment" or an assignment nearby.

use super::{Place, Resolved};
use crate::model::Fact;

pub(super) fn resolve(place: &Place<'_>, fact: &Fact) -> Resolved {
    if place.word() != fact.name || place.is_hyphenated() || place.is_hidden() {
        return None;
    }
    let (before, after) = (place.before(place.span.start), place.after(place.span.end));
    if matches!(before, Some('.' | '/')) && !place.qualifiers().iter().any(|q| matches!(*q, "env" | "environ" | "ENV")) {
        return None;
    }
    if !fact.name.contains('_') {
        let line = place.of(place.line()).to_lowercase();
        let assigned = after == Some('=') || before == Some('$') || line.contains("export ");
        let named = line.contains("environment")
            || line.contains("env var")
            || place.scope_texts().any(|t| t.to_lowercase().contains("environment"));
        if !(place.is_code() && (assigned || named)) {
            return None;
        }
    }
    Some((place.span, place.form(), true))
}
