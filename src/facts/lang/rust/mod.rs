//! Rust: definitions, settings types with their defaults, environment variables. Command lines are read in
//! `facts::cli`, which shares the readers of this folder.

pub(crate) mod attributes;
pub(crate) mod case;
pub(crate) mod environment;
pub(crate) mod literal;
mod settings;
pub(crate) mod shapes;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;

use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `*.rs`.
pub struct Rust;

impl Extractor for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "rs"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let (root, text) = (tree.root(), tree.text());
        let shapes = shapes::Shapes::new(root, text);
        let mut literals = literal::Literals::new(root, text);
        shapes.teach(&mut literals, shapes::wire_variant);
        symbols::extract(source, root, text, &literals, sink);
        settings::extract(source, root, text, &shapes, &literals, sink);
        environment::extract(root, text, &literals, sink);
    }
}
