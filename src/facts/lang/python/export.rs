//! Names that a module hands on: imports of a package's `__init__`, and `__all__`.

use super::module::statements;
use super::{File, is_public};
use crate::facts::written::Projection;
use crate::facts::{FactSink, NewFact};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Records re-exports.
pub(super) fn read(file: &File<'_>, root: Node<'_>, path: &RepoPath, sink: &mut FactSink<'_>) {
    if matches!(path.file_name(), "__init__.py" | "__init__.pyi") {
        for statement in root.preorder_imports() {
            for name in imported(file, statement) {
                push(file, name, statement, sink);
            }
        }
    }
    for statement in statements(file, root) {
        let Some(inner) = statement.named_child(0).filter(|n| matches!(n.kind(), "assignment" | "augmented_assignment")) else {
            continue;
        };
        let is_all = inner.field("left").is_some_and(|left| file.text(left) == "__all__");
        let Some(right) = inner.field("right").filter(|_| is_all) else { continue };
        for item in right.named() {
            if let Some(name) = file.values.string(item).filter(|_| item.kind() == "string") {
                push(file, &name, item, sink);
            }
        }
    }
}

fn push(file: &File<'_>, name: &str, node: Node<'_>, sink: &mut FactSink<'_>) {
    sink.push(
        NewFact::new(FactKind::Symbol, &file.owner, name, Projection::declared("reexport"), node.span()).visible(is_public(name)),
    );
}

/// The local names of `from .x import a, b as c`.
fn imported<'s>(file: &File<'s>, statement: Node<'_>) -> Vec<&'s str> {
    let mut cursor = statement.walk();
    let names: Vec<Node<'_>> = statement.children_by_field_name("name", &mut cursor).collect();
    names
        .into_iter()
        .filter_map(|node| match node.kind() {
            "aliased_import" => node.field("alias").map(|alias| file.text(alias)),
            _ => Some(file.text(node)),
        })
        .collect()
}

trait Imports<'t> {
    /// Relative imports at the top level, those in conditional blocks included.
    fn preorder_imports(&self) -> Vec<Node<'t>>;
}

impl<'t> Imports<'t> for Node<'t> {
    fn preorder_imports(&self) -> Vec<Node<'t>> {
        let mut out = Vec::new();
        let mut blocks = vec![(*self, 0)];
        while let Some((block, depth)) = blocks.pop() {
            let mut inner = Vec::new();
            for child in block.named() {
                match child.kind() {
                    "import_from_statement" if child.field("module_name").is_some_and(|m| m.kind() == "relative_import") => {
                        out.push(child);
                    }
                    "if_statement" | "try_statement" | "block" | "else_clause" | "except_clause" if depth < 6 => {
                        inner.push((child, depth + 1));
                    }
                    _ => {}
                }
            }
            blocks.extend(inner);
        }
        out.sort_by_key(Node::start_byte);
        out
    }
}
