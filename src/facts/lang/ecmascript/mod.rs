//! JavaScript and TypeScript: definitions, signatures, members and tables of options as settings, schemas, re-exports,
//! environment variables.

pub mod call_options;
mod class;
pub(crate) mod environment;
mod export;
mod function;
mod module;
mod schema;
mod table;
mod types;
pub(crate) mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::facts::written::{Projection, without_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};
use value::Values;

/// JavaScript and TypeScript modules, with and without JSX.
pub struct Ecmascript;

impl Extractor for Ecmascript {
    fn name(&self) -> &'static str {
        "ecmascript"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if is_minified(source.path(), source.text()) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let root = tree.root();
        let file = File {
            values: Values::of_module(root, source.text()),
            owner: source.module_owner(),
            exported: export::names(root, source.text()),
            is_ambient: source.path().as_str().ends_with(".d.ts"),
        };
        module::read(&file, root, sink);
        export::read(&file, root, sink);
        environment::read(&file.values, root, sink);
    }
}

/// Whether a path is a JavaScript or TypeScript module.
pub(crate) fn is_ecmascript(path: &RepoPath) -> bool {
    matches!(path.extension(), "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts")
}

/// Whether a text is made by a bundler: nobody's definitions.
pub(crate) fn is_minified(path: &RepoPath, text: &str) -> bool {
    path.file_name().contains(".min.") || (text.len() > 50_000 && text.len() / (text.lines().take(2_000).count() + 1) > 500)
}

/// What every part of the extractor needs of the file.
struct File<'s> {
    values: Values<'s>,
    owner: String,
    /// Local names that the module exports.
    exported: BTreeSet<String>,
    /// A declaration file: what stands in it is there for others.
    is_ambient: bool,
}

impl<'s> File<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        node.text(self.values.text())
    }

    /// Whether a name is for users, by its first segment.
    fn is_public(&self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or(name);
        self.is_ambient || self.exported.contains(first)
    }

    /// Records a symbol with the hash of its definition.
    fn symbol(&self, declared: &str, name: &str, definition: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        let own = name.rsplit('.').next().unwrap_or(name);
        sink.push(
            NewFact::new(FactKind::Symbol, &self.owner, name, Projection::declared(declared), definition.span())
                .visible(public)
                .body(&without_name(self.text(definition), own)),
        );
    }

    /// Records a signature.
    fn signature(&self, name: &str, value: Projection, at: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        sink.push(NewFact::new(FactKind::Signature, &self.owner, name, value.build(), at.span()).visible(public));
    }
}
