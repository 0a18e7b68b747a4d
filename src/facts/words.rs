//! Names that a program hands to others as text or as a key: `"retry-policy"`, `{ retryPolicy: 3 }`, `connect(retry_policy=3)`.
//! None of them is a definition, yet documents cite them; that one is gone from the whole tree is a fact like any other.

use std::collections::BTreeMap;

use super::Source;
use crate::model::{ByteSpan, LineSpan, RepoPath};
use crate::syntax::{Grammar, Node, NodeExt};
use crate::value::name;

/// Most names of one file.
const MAX_WORDS: usize = 2_000;
/// Lengths that a name may have, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=60;

/// Names with the first place where each stands.
pub type Words = BTreeMap<String, (ByteSpan, LineSpan)>;

/// The names in a program.
pub(super) fn read(source: &Source<'_>) -> Words {
    let mut out = BTreeMap::new();
    if !is_program(source.path()) {
        return out;
    }
    let Some(tree) = source.tree() else { return out };
    let text = source.text();
    for node in tree.root().preorder() {
        if out.len() >= MAX_WORDS {
            break;
        }
        let span = if is_text(node) {
            whole(node, text)
        } else if is_key(node) {
            Some(node.span())
        } else {
            None
        };
        let Some(span) = span.filter(|s| LENGTHS.contains(&s.len())) else { continue };
        let word = span.of(text);
        if is_telling(word) && !is_imported(node) {
            out.entry(word.to_owned()).or_insert_with(|| (span, source.lines().lines(span)));
        }
    }
    out
}

fn is_program(path: &RepoPath) -> bool {
    Grammar::for_path(path).is_some_and(|g| !g.is_data() && g != Grammar::Bash)
}

/// A string without escapes or substitutions.
fn is_text(node: Node<'_>) -> bool {
    node.named_child_count() == 0
        && matches!(
            node.kind(),
            "string_fragment" | "string_content" | "interpreted_string_literal_content" | "raw_string_literal_content"
        )
}

/// The content of a string that is one piece.
fn whole(node: Node<'_>, text: &str) -> Option<ByteSpan> {
    let outer = node.parent()?;
    let inside = outer.text(text).trim_matches(['"', '\'', '`']);
    (inside == node.text(text)).then(|| node.span())
}

/// The name in front of a value: an object's key, a keyword argument, a field of a literal.
fn is_key(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let first = parent.named_child(0).is_some_and(|c| c.id() == node.id());
    first
        && matches!(parent.kind(), "pair" | "keyword_argument" | "keyed_element" | "field_initializer")
        && matches!(node.kind(), "property_identifier" | "identifier" | "field_identifier" | "hash_key_symbol")
}

/// Two words or more, joined by `-` or `_` or by a capital; no prose, path, address or constant.
fn is_telling(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.ends_with(|c: char| c.is_ascii_alphanumeric())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && name::words(word).len() >= 2
        && name::is_distinctive(word)
}

fn is_imported(node: Node<'_>) -> bool {
    let mut at = node.parent();
    for _ in 0..4 {
        let Some(parent) = at else { return false };
        if parent.kind().contains("import") || parent.kind().contains("export") || parent.kind().contains("use_") {
            return true;
        }
        at = parent.parent();
    }
    false
}
