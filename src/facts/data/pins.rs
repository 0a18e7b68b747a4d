//! Files that pin the version of one runtime: `.nvmrc`, `.python-version`, `rust-toolchain.toml`, `.travis.yml` and the like.

use super::package::{Manifest, lines, written};
use super::tree::{self, Item, Shape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads version pins.
pub struct Pins;

impl Extractor for Pins {
    fn name(&self) -> &'static str {
        "pins"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(
            path.file_name(),
            ".nvmrc"
                | ".node-version"
                | ".python-version"
                | ".ruby-version"
                | ".java-version"
                | ".go-version"
                | ".tool-versions"
                | ".travis.yml"
                | "rust-toolchain"
                | "rust-toolchain.toml"
                | "clippy.toml"
                | ".clippy.toml"
        )
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut manifest = Manifest::new(source, sink, "generic");
        match source.path().file_name() {
            ".nvmrc" | ".node-version" => plain(source, "node", &mut manifest),
            ".python-version" => plain(source, "python", &mut manifest),
            ".ruby-version" => plain(source, "ruby", &mut manifest),
            ".java-version" => plain(source, "java", &mut manifest),
            ".go-version" => plain(source, "go", &mut manifest),
            ".tool-versions" => tool_versions(source, &mut manifest),
            ".travis.yml" => travis(source, &mut manifest),
            "rust-toolchain" if !source.text().contains('[') => plain(source, "rust", &mut manifest),
            "rust-toolchain" => {
                // The older name may hold the newer format, which its name does not tell the parser.
                for (span, line) in lines(source.text()) {
                    if let Some(channel) = line.trim().strip_prefix("channel").and_then(|l| l.trim_start().strip_prefix('=')) {
                        pin("rust", channel.trim().trim_matches('"'), span, &mut manifest);
                    }
                }
            }
            "rust-toolchain.toml" => table(source, &["toolchain", "channel"], &mut manifest),
            _ => table(source, &["msrv"], &mut manifest),
        }
    }
}

fn pin(runtime: &str, version: &str, span: crate::model::ByteSpan, manifest: &mut Manifest<'_, '_>) {
    if version.starts_with(|c: char| c.is_ascii_digit()) {
        manifest.runtime(runtime, version, span);
    }
}

/// A version on a line of its own.
fn plain(source: &Source<'_>, runtime: &str, manifest: &mut Manifest<'_, '_>) {
    let line = lines(source.text()).find(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
    if let Some((span, line)) = line {
        let version = line.trim().trim_start_matches("ruby-").trim_start_matches("python-").trim_start_matches('v');
        pin(runtime, version, span, manifest);
    }
}

fn tool_versions(source: &Source<'_>, manifest: &mut Manifest<'_, '_>) {
    for (span, line) in lines(source.text()) {
        let mut words = line.split_whitespace();
        if let (Some(tool), Some(version)) = (words.next(), words.next()) {
            let runtime = match tool {
                "nodejs" => "node",
                "golang" => "go",
                other => other,
            };
            pin(runtime, version, span, manifest);
        }
    }
}

fn table(source: &Source<'_>, path: &[&str], manifest: &mut Manifest<'_, '_>) {
    if let Some(item) = tree::document(source).as_ref().and_then(|root| root.at(path)) {
        pin("rust", item.text().unwrap_or_default(), item.span, manifest);
    }
}

fn travis(source: &Source<'_>, manifest: &mut Manifest<'_, '_>) {
    const KEYS: [(&str, &str); 7] = [
        ("python", "python"),
        ("node_js", "node"),
        ("go", "go"),
        ("rvm", "ruby"),
        ("rust", "rust"),
        ("php", "php"),
        ("jdk", "java"),
    ];
    let Some(root) = tree::document(source) else { return };
    // The jobs that a matrix adds one by one.
    let included: Vec<&Item> = ["matrix", "jobs"]
        .into_iter()
        .filter_map(|key| root.at(&[key, "include"]))
        .filter_map(|item| match &item.shape {
            Shape::List(items) => Some(items),
            _ => None,
        })
        .flatten()
        .collect();
    for (key, runtime) in KEYS {
        let mut items: Vec<&Item> = included.iter().filter_map(|job| job.entry(key)).map(|entry| &entry.item).collect();
        let mut span = items.first().map(|item| item.span);
        if let Some(entry) = root.entry(key) {
            span = Some(entry.span);
            match &entry.item.shape {
                Shape::List(list) => items.extend(list),
                _ => items.push(&entry.item),
            }
        }
        let Some(span) = span else { continue };
        let versions: Vec<String> = items
            .iter()
            .filter(|i| matches!(i.shape, Shape::Scalar(_)))
            .map(|i| written(i, source.text()).trim_start_matches(['v', '^', '~']).trim_end_matches(".x").to_owned())
            .filter(|v| v.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        if !versions.is_empty() {
            manifest.builds(runtime, &versions, span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    #[test]
    fn reads_pins() {
        for (path, text, expected) in [
            (".nvmrc", "v18.16\n", r#"package node {"minimum":"18.16","constraint":"18.16"}"#),
            (".python-version", "# c\n3.10.4\n", r#"package python {"minimum":"3.10.4","constraint":"3.10.4"}"#),
            (".ruby-version", "ruby-3.2.0", r#"package ruby {"minimum":"3.2.0","constraint":"3.2.0"}"#),
            ("rust-toolchain", "1.70.0", r#"package rust {"minimum":"1.70.0","constraint":"1.70.0"}"#),
            ("rust-toolchain", "[toolchain]\nchannel = \"1.71\"", r#"package rust {"minimum":"1.71","constraint":"1.71"}"#),
            ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.72\"", r#"package rust {"minimum":"1.72","constraint":"1.72"}"#),
            ("clippy.toml", "msrv = \"1.65\"", r#"package rust {"minimum":"1.65","constraint":"1.65"}"#),
            (".tool-versions", "nodejs 20.1\n", r#"package node {"minimum":"20.1","constraint":"20.1"}"#),
            (
                ".travis.yml",
                "language: python\npython:\n  - \"3.8\"\n  - 3.10\n  - nightly\n",
                r#"package [file:.travis.yml#ci] python {"minimum":"3.8","constraint":"3.8, 3.10"}"#,
            ),
        ] {
            check(&Pins, path, text, &[expected]);
        }
        check(&Pins, ".nvmrc", "lts/*", &[]);
        check(&Pins, "rust-toolchain", "stable", &[]);
    }

    #[test]
    fn survives_broken_text() {
        for path in [".nvmrc", ".travis.yml", "rust-toolchain", "clippy.toml", ".tool-versions"] {
            survives(&Pins, path, "python:\n  - 3.8\nmsrv = \"1.6é\"");
        }
    }
}
