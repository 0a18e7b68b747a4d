//! Python: definitions, signatures, constants, fields and option tables as settings, re-exports, environment variables.

mod builder;
mod class;
mod environment;
mod export;
mod function;
mod module;
mod table;
pub(crate) mod value;

#[cfg(test)]
mod tests;

use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::Node;
use value::Values;

/// Python modules and stubs.
pub struct Python;

impl Extractor for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_python(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let file = File { values: Values::of_module(tree.root(), source.text()), owner: source.module_owner() };
        module::read(&file, tree.root(), sink);
        builder::registered(&file, tree.root(), sink);
        export::read(&file, tree.root(), source.path(), sink);
        environment::read(&file, tree.root(), sink);
    }
}

/// Whether a path is a Python module or stub.
pub(crate) fn is_python(path: &RepoPath) -> bool {
    matches!(path.extension(), "py" | "pyi")
}

/// What every part of the extractor needs of the file.
struct File<'s> {
    values: Values<'s>,
    owner: String,
}

impl<'s> File<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        use crate::syntax::NodeExt;
        node.text(self.values.text())
    }
}

/// Whether a name is for users: no segment opens with an underscore, `__init__` and its like apart.
fn is_public(name: &str) -> bool {
    name.split('.').all(|segment| !segment.starts_with('_') || (segment.starts_with("__") && segment.ends_with("__")))
}
