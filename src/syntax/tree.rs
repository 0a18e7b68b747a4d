//! Parsing and walking. Nothing here recurses: repository text may be nested thousands of levels deep.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tree_sitter::Parser;

use super::Grammar;
use crate::model::ByteSpan;

/// A node of a syntax tree.
pub type Node<'t> = tree_sitter::Node<'t>;

/// A parsed text.
pub struct SyntaxTree<'s> {
    tree: tree_sitter::Tree,
    text: &'s str,
    grammar: Grammar,
}

impl<'s> SyntaxTree<'s> {
    /// The root node.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The text that was parsed.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// The grammar it was parsed with.
    pub fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// Whether the parser met a syntax error.
    pub fn has_error(&self) -> bool {
        self.tree.root_node().has_error()
    }
}

thread_local! {
    static PARSERS: RefCell<BTreeMap<Grammar, Parser>> = const { RefCell::new(BTreeMap::new()) };
}

/// Parses a text; `None` if the grammar does not load or its scanner cannot hold the text's nesting.
/// A syntax error gives a tree with error nodes.
pub fn parse(grammar: Grammar, text: &str) -> Option<SyntaxTree<'_>> {
    if !super::guard::accepts(grammar, text) {
        return None;
    }
    let tree = PARSERS.with_borrow_mut(|parsers| {
        let parser = match parsers.entry(grammar) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let mut parser = Parser::new();
                parser.set_language(&grammar.language()).ok()?;
                entry.insert(parser)
            }
        };
        parser.reset();
        parser.parse(text, None)
    })?;
    Some(SyntaxTree { tree, text, grammar })
}

/// Parses bytes that are UTF-8; `None` where they are not.
pub fn parse_bytes(grammar: Grammar, bytes: &[u8]) -> Option<SyntaxTree<'_>> {
    parse(grammar, std::str::from_utf8(bytes).ok()?)
}

/// Short forms for walking.
pub trait NodeExt<'t>: Sized {
    /// The node's text.
    fn text<'s>(&self, source: &'s str) -> &'s str;
    /// Its bytes.
    fn span(&self) -> ByteSpan;
    /// The child of a field.
    fn field(&self, name: &str) -> Option<Node<'t>>;
    /// Named children, comments included.
    fn named(&self) -> Vec<Node<'t>>;
    /// The first named child of a kind.
    fn child_of_kind(&self, kind: &str) -> Option<Node<'t>>;
    /// The node and everything under it, parents first, without recursion.
    fn preorder(&self) -> Preorder<'t>;
}

impl<'t> NodeExt<'t> for Node<'t> {
    fn text<'s>(&self, source: &'s str) -> &'s str {
        source.get(self.byte_range()).unwrap_or("")
    }

    fn span(&self) -> ByteSpan {
        ByteSpan::new(self.start_byte(), self.end_byte())
    }

    fn field(&self, name: &str) -> Option<Node<'t>> {
        self.child_by_field_name(name)
    }

    fn named(&self) -> Vec<Node<'t>> {
        let mut cursor = self.walk();
        self.named_children(&mut cursor).collect()
    }

    fn child_of_kind(&self, kind: &str) -> Option<Node<'t>> {
        let mut cursor = self.walk();
        self.named_children(&mut cursor).find(|child| child.kind() == kind)
    }

    fn preorder(&self) -> Preorder<'t> {
        Preorder { cursor: self.walk(), done: false }
    }
}

/// Iterator of [`NodeExt::preorder`].
pub struct Preorder<'t> {
    cursor: tree_sitter::TreeCursor<'t>,
    done: bool,
}

impl<'t> Iterator for Preorder<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let node = self.cursor.node();
        if !self.cursor.goto_first_child() {
            loop {
                if self.cursor.goto_next_sibling() {
                    break;
                }
                if !self.cursor.goto_parent() {
                    self.done = true;
                    break;
                }
            }
        }
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_deep_text_without_recursion() {
        let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
        let tree = parse(Grammar::Json, &deep).expect("a tree");
        assert!(tree.root().preorder().count() > 10_000);
    }
}
