//! Program text as trees: which grammar a path or a fence has, parsing, and walking with a bounded depth.
//! The only user of tree-sitter.

mod grammar;
mod guard;
mod tree;

pub use grammar::Grammar;
pub use tree::{Node, NodeExt, SyntaxTree, parse, parse_bytes};
