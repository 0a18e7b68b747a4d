//! A member cited by its bare name belongs to its type only in a document that speaks of the type: `zip_safe=False` in a page
//! about another tool is that tool's.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::model::{ChangeSet, Citation, Document, Fact, FactKind};
use crate::value::name;

/// Drops bare citations of members whose type the document never names.
pub(super) fn drop_unowned(citations: &mut Vec<Citation>, document: &Document, changes: &ChangeSet) {
    let spoken = LazyCell::new(|| Spoken::read(&[document.text.as_str(), document.path.as_str()]));
    citations.retain(|citation| {
        let Some(container) = changes.changes.get(citation.change).and_then(|change| owner(change.cited())) else { return true };
        is_receiver(&document.text[..citation.span.start], container) || spoken.names(container)
    });
}

/// Whether what stands in front of a member is its type, or a variable that is called like it: `reader` of `JsonReader`. What
/// the document calls otherwise may be anything: `event.waitUntil`.
fn is_receiver(before: &str, container: &str) -> bool {
    let Some(before) = before.strip_suffix(['.', '#', '>', ':']).map(|b| b.trim_end_matches([':', '-', '?'])) else {
        return false;
    };
    let start =
        before.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric() || *c == '_').last().map_or(before.len(), |(i, _)| i);
    let receiver = &before[start..];
    let words = name::words(container);
    receiver.is_empty()
        || matches!(receiver, "self" | "this" | "cls" | "super")
        || name::fold(receiver) == name::fold(container)
        || name::words(receiver).iter().any(|w| words.contains(w))
}

/// The type that a document must name; none where the members stand for themselves: keys that are written in files, fields
/// of a type that holds settings.
fn owner(fact: &Fact) -> Option<&str> {
    let (container, _) = fact.name.rsplit_once('.')?;
    let container = container.rsplit('.').next().unwrap_or(container);
    let member = match fact.kind {
        FactKind::Symbol | FactKind::Signature => !fact.is_value_only(),
        // A constant is known by its own name, whatever class it has to stand in.
        FactKind::ConfigKey => fact.aliases.is_empty() && !fact.is_value_only() && !name::holds_settings(container),
        _ => false,
    };
    (member && fact.owner.starts_with("module:")).then_some(container)
}

/// The words of a document, folded: as written, and one by one.
struct Spoken {
    tokens: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Spoken {
    fn read(texts: &[&str]) -> Self {
        let mut out = Self { tokens: BTreeSet::new(), words: BTreeSet::new() };
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for text in texts {
            for token in text.split(|c| !is_part(c)).filter(|t| !t.is_empty()) {
                if out.tokens.insert(name::fold(token)) {
                    out.words.extend(name::words(token));
                }
            }
        }
        out
    }

    /// Whether the document names a type: as one word, or by all the words of its name.
    fn names(&self, container: &str) -> bool {
        // What a class is built as, a document need not say: `KettleExtension` is what users know as `kettle`.
        let built = |w: &String| {
            matches!(
                w.as_str(),
                "extension" | "impl" | "base" | "abstract" | "interface" | "mixin" | "trait" | "class" | "object"
            )
        };
        let words: Vec<String> = name::words(container).into_iter().filter(|w| !built(w)).collect();
        self.tokens.contains(&name::fold(container))
            || !words.is_empty() && words.iter().all(|w| self.words.contains(w) || self.tokens.contains(w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers() {
        for (before, container, expected) in [
            ("reader.", "JsonReader", true),
            ("JsonReader::", "JsonReader", true),
            ("self.", "Screen", true),
            ("make().", "Screen", true),
            ("event.", "RequestContext", false),
            ("the ", "Screen", false),
        ] {
            assert_eq!(is_receiver(before, container), expected, "{before} {container}");
        }
    }

    #[test]
    fn names_of_types() {
        let spoken = Spoken::read(&["Use a `RetryPolicy` here. The web of sockets.", "docs/wheel.md"]);
        for (container, expected) in [
            ("RetryPolicy", true),
            ("retry_policy", true),
            ("PolicyRetry", true),
            ("RetryPolicyImpl", true),
            ("BaseImpl", false),
            ("Wheel", true),
            ("WebSocket", false),
            ("Store", false),
        ] {
            assert_eq!(spoken.names(container), expected, "{container}");
        }
    }
}
