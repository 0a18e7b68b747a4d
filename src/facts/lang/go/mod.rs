//! Go: definitions, settings types with their defaults, environment variables. Command lines are read in `facts::cli`.

mod environment;
pub(crate) mod literal;
mod settings;
mod symbols;
#[cfg(test)]
mod tests;

use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `*.go`, tests aside.
pub struct Go;

impl Extractor for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_go(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let (root, text) = (tree.root(), tree.text());
        let literals = literal::Literals::new(root, text);
        symbols::extract(source, root, text, &literals, sink);
        settings::extract(source, root, text, &literals, sink);
        environment::extract(root, text, &literals, sink);
    }
}

/// Whether the Go toolchain builds the file outside of tests.
pub(crate) fn is_go(path: &RepoPath) -> bool {
    path.extension() == "go" && !path.stem().ends_with("_test")
}
