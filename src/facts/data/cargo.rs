//! `Cargo.toml` and `.cargo/config.toml`: own version, `rust-version`, features, programs, dependencies, aliases.

use serde_json::Value;

use super::package::Manifest;
use super::tree::{self, Entry, Item, Shape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads what Cargo reads.
pub struct Cargo;

impl Extractor for Cargo {
    fn name(&self) -> &'static str {
        "cargo"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "Cargo.toml" || path.as_str().ends_with(".cargo/config.toml")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let mut manifest = Manifest::new(source, sink, "cargo");
        if source.path().file_name() == "config.toml" {
            for entry in root.at(&["alias"]).map(Item::entries).unwrap_or_default() {
                manifest.task("cargo", &entry.key, Some(&entry.item.texts().join(" ")), entry.span);
            }
            return;
        }
        package(&root, &mut manifest);
        for entry in root.at(&["features"]).map(Item::entries).unwrap_or_default() {
            let value = entry.item.literal().unwrap_or(Value::Null);
            manifest.key(&format!("features.{}", entry.key), value, entry.span);
        }
        for bin in root.at(&["bin"]).map(Item::elements).unwrap_or_default() {
            if let Some(entry) = bin.entry("name") {
                manifest.program(entry.item.text().unwrap_or_default(), entry.span);
            }
        }
        dependencies(&root, &mut manifest);
        if let Some(workspace) = root.at(&["workspace"]) {
            dependencies(workspace, &mut manifest);
        }
        for target in root.at(&["target"]).map(Item::entries).unwrap_or_default() {
            dependencies(&target.item, &mut manifest);
        }
    }
}

fn package(root: &Item, manifest: &mut Manifest<'_, '_>) {
    let own = root.at(&["package"]);
    let shared = root.at(&["workspace", "package"]);
    let find = |key: &str| {
        let written = |item: Option<&'_ Item>| item.and_then(|i| i.entry(key)).filter(|e| e.item.text().is_some()).cloned();
        written(own).or_else(|| written(shared))
    };
    let version = find("version");
    if let Some(name) = own.and_then(|p| p.entry("name")) {
        let span = version.as_ref().map_or(name.span, |v| v.span);
        let kept = own.and_then(|p| p.entry("publish")).and_then(|e| e.item.value()) == Some(&Value::Bool(false));
        manifest.own_or_kept(name.item.text().unwrap_or_default(), version.as_ref().and_then(|v| v.item.text()), kept, span);
    } else if let Some(version) = &version {
        manifest.shared_version(version.item.text().unwrap_or_default(), version.span);
    }
    if let Some(Entry { item, span, .. }) = find("rust-version") {
        manifest.runtime("rust", item.text().unwrap_or_default(), span);
    }
}

fn dependencies(root: &Item, manifest: &mut Manifest<'_, '_>) {
    for (key, group) in [("dependencies", "runtime"), ("dev-dependencies", "dev"), ("build-dependencies", "build")] {
        for Entry { key, item, span } in root.at(&[key]).map(Item::entries).unwrap_or_default() {
            let (constraint, optional) = match &item.shape {
                Shape::Map(_) => (
                    item.at(&["version"]).and_then(Item::text),
                    item.at(&["optional"]).and_then(Item::value) == Some(&Value::Bool(true)),
                ),
                _ => (item.text(), false),
            };
            manifest.dependency(if optional { "optional" } else { group }, key, constraint, *span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "[package]\nname = \"tool\"\nversion = \"0.3.0\"\nrust-version = \"1.85\"\n[features]\ndefault = [\"a\"]\na = []\n[[bin]]\nname = \"rg\"\n[dependencies]\nserde = \"1\"\nclap = { version = \"4.5\", optional = true }\nlocal = { path = \"x\" }\nanyhow.workspace = true\n[dev-dependencies]\ninsta = \"1\"\n[target.'cfg(unix)'.build-dependencies]\ncc = \"1.0\"";

    #[test]
    fn reads_a_manifest() {
        check(
            &Cargo,
            "Cargo.toml",
            FULL,
            &[
                r#"package tool {"ecosystem":"cargo","version":"0.3.0","purl":"pkg:cargo/tool@0.3.0"}"#,
                r#"package rust {"minimum":"1.85","constraint":"1.85"}"#,
                r#"config-key features.default {"value":["a"]}"#,
                r#"config-key features.a {"value":[]}"#,
                "cli-command [command:rg] rg {}",
                r#"package [file:Cargo.toml#runtime] serde {"constraint":"1","group":"runtime"}"#,
                r#"package [file:Cargo.toml#optional] clap {"constraint":"4.5","group":"optional"}"#,
                r#"package [file:Cargo.toml#runtime] local {"group":"runtime"}"#,
                r#"package [file:Cargo.toml#runtime] anyhow {"group":"runtime"}"#,
                r#"package [file:Cargo.toml#dev] insta {"constraint":"1","group":"dev"}"#,
                r#"package [file:Cargo.toml#build] cc {"constraint":"1.0","group":"build"}"#,
            ],
        );
    }

    #[test]
    fn reads_a_workspace_and_aliases() {
        check(
            &Cargo,
            "Cargo.toml",
            "[workspace.package]\nversion = \"1.0.0\"\nrust-version = \"1.80.1\"\n[workspace.dependencies]\nserde = \"1\"",
            &[
                r#"package workspace {"ecosystem":"cargo","version":"1.0.0"}"#,
                r#"package rust {"minimum":"1.80.1","constraint":"1.80.1"}"#,
                r#"package [file:Cargo.toml#runtime] serde {"constraint":"1","group":"runtime"}"#,
            ],
        );
        check(
            &Cargo,
            "Cargo.toml",
            "[package]\nname = \"m\"\nversion.workspace = true\nrust-version.workspace = true",
            &[r#"package m {"ecosystem":"cargo","purl":"pkg:cargo/m"}"#],
        );
        check(
            &Cargo,
            ".cargo/config.toml",
            "[alias]\nxtask = \"run --package xtask --\"\nb = [\"build\", \"--release\"]",
            &[
                r#"task xtask {"runner":"cargo","command":"run --package xtask --"}"#,
                r#"task b {"runner":"cargo","command":"build --release"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Cargo, "Cargo.toml", FULL);
    }
}
