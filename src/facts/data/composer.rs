//! `composer.json`: own version, PHP version, scripts, programs, dependencies.

use super::package::Manifest;
use super::tree::{self, Item};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `composer.json`.
pub struct Composer;

impl Extractor for Composer {
    fn name(&self) -> &'static str {
        "composer"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "composer.json"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let mut manifest = Manifest::new(source, sink, "composer");
        if let Some(name) = root.entry("name") {
            let version = root.entry("version");
            let span = version.map_or(name.span, |v| v.span);
            manifest.own(name.item.text().unwrap_or_default(), version.and_then(|v| v.item.text()), span);
        }
        for item in root.at(&["bin"]).map(Item::elements).unwrap_or_default() {
            let path = item.text().unwrap_or_default();
            manifest.program(path.rsplit('/').next().unwrap_or(path), item.span);
        }
        for entry in root.at(&["scripts"]).map(Item::entries).unwrap_or_default() {
            manifest.task("composer", &entry.key, Some(&entry.item.texts().join("; ")), entry.span);
        }
        for (key, group) in [("require", "runtime"), ("require-dev", "dev")] {
            for entry in root.at(&[key]).map(Item::entries).unwrap_or_default() {
                let constraint = entry.item.text().unwrap_or_default();
                if entry.key == "php" {
                    manifest.runtime("php", constraint, entry.span);
                } else {
                    manifest.dependency(group, &entry.key, Some(constraint), entry.span);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = r#"{"name": "a/tool", "require": {"php": "^8.1 || ^7.4", "x/y": "^1"}, "require-dev": {"z/w": "*"}, "bin": ["bin/tool"], "scripts": {"test": ["a", "b"]}}"#;

    #[test]
    fn reads_a_package() {
        check(
            &Composer,
            "composer.json",
            FULL,
            &[
                r#"package a/tool {"ecosystem":"composer","purl":"pkg:composer/a/tool"}"#,
                "cli-command [command:tool] tool {}",
                r#"task test {"runner":"composer","command":"a; b"}"#,
                r#"package php {"minimum":"7.4","constraint":"^8.1 || ^7.4"}"#,
                r#"package [file:composer.json#runtime] x/y {"constraint":"^1","group":"runtime"}"#,
                r#"package [file:composer.json#dev] z/w {"constraint":"*","group":"dev"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Composer, "composer.json", FULL);
    }
}
