//! `package.json`: own version, engines, programs, scripts, dependencies.

use super::package::Manifest;
use super::tree::{self, Item, Shape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `package.json`.
pub struct Npm;

impl Extractor for Npm {
    fn name(&self) -> &'static str {
        "npm"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "package.json"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let mut manifest = Manifest::new(source, sink, "npm");
        let name = root.entry("name").filter(|n| n.item.text().is_some());
        if let Some(entry) = name {
            let version = root.entry("version");
            let span = version.map_or(entry.span, |v| v.span);
            manifest.own(entry.item.text().unwrap_or_default(), version.and_then(|v| v.item.text()), span);
        }
        for entry in root.at(&["engines"]).map(Item::entries).unwrap_or_default() {
            if let Some(constraint) = entry.item.text() {
                manifest.runtime(&entry.key, constraint, entry.span);
            }
        }
        if let Some(bin) = root.entry("bin") {
            match &bin.item.shape {
                Shape::Map(entries) => entries.iter().for_each(|e| manifest.program(&e.key, e.span)),
                _ => {
                    if let Some(name) = name.and_then(|n| n.item.text()) {
                        manifest.program(name.rsplit('/').next().unwrap_or(name), bin.span);
                    }
                }
            }
        }
        for entry in root.at(&["scripts"]).map(Item::entries).unwrap_or_default() {
            manifest.task("npm", &entry.key, entry.item.text(), entry.span);
        }
        let groups = [
            ("dependencies", "runtime"),
            ("devDependencies", "dev"),
            ("peerDependencies", "peer"),
            ("optionalDependencies", "optional"),
        ];
        for (key, group) in groups {
            for entry in root.at(&[key]).map(Item::entries).unwrap_or_default() {
                manifest.dependency(group, &entry.key, entry.item.text(), entry.span);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = r#"{"name": "@scope/tool", "version": "1.2.3", "engines": {"node": "^18.0.0 || >=20", "npm": "*"}, "bin": "cli.js",
 "scripts": {"build": "tsc -p .", "check:types": "x"}, "dependencies": {"a": "^1"}, "devDependencies": {"b": "~2"}, "peerDependencies": {"c": "3"}, "optionalDependencies": {"d": "*"}}"#;

    #[test]
    fn reads_a_package() {
        check(
            &Npm,
            "package.json",
            FULL,
            &[
                r#"package @scope/tool {"ecosystem":"npm","version":"1.2.3","purl":"pkg:npm/%40scope/tool@1.2.3"}"#,
                r#"package node {"minimum":"18.0.0","constraint":"^18.0.0 || >=20"}"#,
                r#"package npm {"constraint":"*"}"#,
                "cli-command [command:tool] tool {}",
                r#"task build {"runner":"npm","command":"tsc -p ."}"#,
                r#"task check:types {"runner":"npm","command":"x"}"#,
                r#"package [file:package.json#runtime] a {"constraint":"^1","group":"runtime"}"#,
                r#"package [file:package.json#dev] b {"constraint":"~2","group":"dev"}"#,
                r#"package [file:package.json#peer] c {"constraint":"3","group":"peer"}"#,
                r#"package [file:package.json#optional] d {"constraint":"*","group":"optional"}"#,
            ],
        );
        check(
            &Npm,
            "package.json",
            r#"{"bin": {"x": "a.js", "y": "b.js"}}"#,
            &["cli-command [command:x] x {}", "cli-command [command:y] y {}"],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Npm, "package.json", FULL);
    }
}
