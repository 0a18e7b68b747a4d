//! `Gopkg.toml`, the manifest of Go's `dep`: direct requirements.

use super::package::Manifest;
use super::tree::{self, Item};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `Gopkg.toml`.
pub struct Gopkg;

impl Extractor for Gopkg {
    fn name(&self) -> &'static str {
        "gopkg"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "Gopkg.toml"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let mut manifest = Manifest::new(source, sink, "golang");
        for constraint in root.at(&["constraint"]).map(Item::elements).unwrap_or_default() {
            if let Some(name) = constraint.entry("name") {
                let version = constraint.entry("version").and_then(|v| v.item.text());
                manifest.dependency("runtime", name.item.text().unwrap_or_default(), version, name.span);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "[[constraint]]\n  name = \"example.org/a/b\"\n  version = \"1.2.0\"\n\n[[constraint]]\n  branch = \"master\"\n  name = \"example.org/c\"\n\n[prune]\n  go-tests = true\n";

    #[test]
    fn reads_constraints() {
        check(
            &Gopkg,
            "Gopkg.toml",
            FULL,
            &[
                r#"package [file:Gopkg.toml#runtime] example.org/a/b {"constraint":"1.2.0","group":"runtime"}"#,
                r#"package [file:Gopkg.toml#runtime] example.org/c {"group":"runtime"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Gopkg, "Gopkg.toml", FULL);
    }
}
