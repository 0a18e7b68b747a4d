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
    // Asking a node for its parent is slow in wide trees, so each node is met as the child of its parent.
    let mut imported = 0;
    for parent in tree.root().preorder() {
        let kind = parent.kind();
        if kind.contains("import") || kind.contains("export_s") || kind.contains("use_d") {
            imported = imported.max(parent.end_byte());
        }
        if out.len() >= MAX_WORDS {
            break;
        }
        for (index, node) in parent.named().into_iter().enumerate() {
            let span =
                if is_text(node) { whole(parent, node, text) } else { (index == 0 && is_key(parent, node)).then(|| node.span()) };
            let Some(span) = span.filter(|s| LENGTHS.contains(&s.len()) && s.start >= imported) else { continue };
            if is_telling(span.of(text)) {
                out.entry(span.of(text).to_owned()).or_insert_with(|| (span, source.lines().lines(span)));
            }
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
fn whole(outer: Node<'_>, node: Node<'_>, text: &str) -> Option<ByteSpan> {
    let inside = outer.text(text).trim_matches(['"', '\'', '`']);
    (inside == node.text(text)).then(|| node.span())
}

/// The name in front of a value: an object's key, a keyword argument, a field of a literal.
fn is_key(parent: Node<'_>, node: Node<'_>) -> bool {
    matches!(parent.kind(), "pair" | "keyword_argument" | "keyed_element" | "field_initializer")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_in_text_and_keys() {
        for (path, text, expected) in [
            (
                "a.py",
                "import x_module\nrun(retry_policy=3, other='queue-name')\nd = {'dict-key': 'two words'}\n",
                "dict-key queue-name retry_policy",
            ),
            ("a.js", "import y from 'some-package'\nconst o = { maxRetries: 3, 'kebab-key': `a${b}` }\n", "kebab-key maxRetries"),
            ("a.rs", "fn f() { g(\"header-name\"); S { field_name: 1 } }", "field_name header-name"),
            ("a.go", "package a\nvar x = T{FieldName: \"value-name\"}\n", "value-name"),
            ("a.json", "{\"some-key\": 1}", ""),
        ] {
            let path = RepoPath::from(path);
            let found: Vec<String> = read(&Source::new(&path, text)).into_keys().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
