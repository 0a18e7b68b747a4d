//! CI workflows: which versions of a runtime the project is built with. Steps and jobs are not configuration of the project.

use std::collections::BTreeMap;

use super::package::{Manifest, written};
use super::tree::{self, Entry, Item, MAX_DEPTH, Shape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// Reads `.github/workflows/*.yml`.
pub struct Workflow;

impl Extractor for Workflow {
    fn name(&self) -> &'static str {
        "workflow"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        format!("/{path}").contains("/.github/workflows/") && matches!(path.extension(), "yml" | "yaml")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut found = BTreeMap::new();
        for document in tree::documents(source) {
            walk(&document, source.text(), false, 0, &mut found);
        }
        let mut manifest = Manifest::new(source, sink, "github");
        for (runtime, (versions, span)) in found {
            manifest.builds(runtime, &versions, span);
        }
    }
}

type Found = BTreeMap<&'static str, (Vec<String>, ByteSpan)>;

fn walk(item: &Item, text: &str, matrix: bool, depth: usize, found: &mut Found) {
    if depth > MAX_DEPTH {
        return;
    }
    for inner in item.elements() {
        walk(inner, text, matrix, depth + 1, found);
    }
    for Entry { key, item, span } in item.entries() {
        if let Some(runtime) = runtime(key, matrix) {
            for version in versions(item, text) {
                add(found, runtime, version, *span);
            }
        }
        // `dtolnay/rust-toolchain@1.74` names the version behind the action.
        if key == "uses"
            && let Some((_, version)) = item.text().and_then(|t| t.split_once("/rust-toolchain@"))
        {
            add(found, "rust", version, *span);
        }
        walk(item, text, matrix || key == "matrix", depth + 1, found);
    }
}

fn add(found: &mut Found, runtime: &'static str, version: &str, span: ByteSpan) {
    // `pypy-3.9` and `pypy3.9` in a list of Pythons.
    let (runtime, version) = match version.strip_prefix("pypy") {
        Some(rest) if runtime == "python" => ("pypy", rest.trim_start_matches(['-', 'v'])),
        _ => (runtime, version),
    };
    let number = version.split(['-', '.', 'x']).next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    // A commit id may begin with a digit; a version is short.
    if !number || version.len() > 16 {
        return;
    }
    let (versions, _) = found.entry(runtime).or_insert_with(|| (Vec::new(), span));
    if !versions.iter().any(|v| v == version) {
        versions.push(version.to_owned());
    }
}

fn versions<'t>(item: &Item, text: &'t str) -> Vec<&'t str> {
    match &item.shape {
        Shape::Scalar(_) => written(item, text).split_whitespace().collect(),
        Shape::List(items) => items.iter().filter(|i| matches!(i.shape, Shape::Scalar(_))).map(|i| written(i, text)).collect(),
        Shape::Map(_) => Vec::new(),
    }
}

/// The runtime that a key sets; bare names count inside a matrix only.
fn runtime(key: &str, matrix: bool) -> Option<&'static str> {
    let folded = crate::value::name::fold(key);
    let (name, sure) = match folded.strip_suffix("versions").or_else(|| folded.strip_suffix("version")) {
        Some(name) => (name, true),
        None => (folded.as_str(), false),
    };
    let runtime = match name {
        "python" | "py" => "python",
        "node" | "nodejs" => "node",
        "go" | "golang" => "go",
        "ruby" => "ruby",
        "java" | "jdk" => "java",
        "php" => "php",
        "rust" | "toolchain" | "rusttoolchain" | "msrv" => "rust",
        _ => return None,
    };
    (sure || matrix || matches!(name, "toolchain" | "rusttoolchain" | "msrv")).then_some(runtime)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "jobs:\n  test:\n    strategy:\n      matrix:\n        python: [\"3.9\", '3.10', pypy-3.9, 3.13-dev]\n        node: [20.x, 18.x]\n        include:\n          - java: 17\n    steps:\n      - uses: actions/setup-go@v5\n        with:\n          go-version: 1.20\n      - uses: dtolnay/rust-toolchain@1.74.0\n      - uses: dtolnay/rust-toolchain@stable\n      - with: {python-version: \"${{ matrix.python }}\"}\n        python: setup";

    #[test]
    fn reads_versions_of_runtimes() {
        check(
            &Workflow,
            ".github/workflows/ci.yml",
            FULL,
            &[
                r#"package [file:.github/workflows/ci.yml#ci] go {"minimum":"1.20","constraint":"1.20"}"#,
                r#"package [file:.github/workflows/ci.yml#ci] java {"minimum":"17","constraint":"17"}"#,
                r#"package [file:.github/workflows/ci.yml#ci] node {"minimum":"18","constraint":"20.x, 18.x"}"#,
                r#"package [file:.github/workflows/ci.yml#ci] pypy {"minimum":"3.9","constraint":"3.9"}"#,
                r#"package [file:.github/workflows/ci.yml#ci] python {"minimum":"3.9","constraint":"3.9, 3.10, 3.13-dev"}"#,
                r#"package [file:.github/workflows/ci.yml#ci] rust {"minimum":"1.74.0","constraint":"1.74.0"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Workflow, ".github/workflows/ci.yaml", FULL);
    }
}
