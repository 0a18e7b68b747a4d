//! Configuration keys of data files: one for each leaf and each map, under the path of its keys.
//! Lock files, generated files, manifests' own sections and files of other extractors are left out.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::schema;
use super::tree::{self, Entry, Item, MAX_DEPTH, Shape};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind, RepoPath};
use crate::syntax::Grammar;

/// Longest string that is compared as a value; a longer one is prose or a script.
const MAX_TEXT: usize = 1_000;

/// Reads JSON, YAML and TOML files.
pub struct ConfigKeys;

impl Extractor for ConfigKeys {
    fn name(&self) -> &'static str {
        "config-keys"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        Grammar::for_path(path).is_some_and(Grammar::is_data) && !is_lock(path) && !is_elsewhere(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if tree::is_minified(source.text()) {
            return;
        }
        let documents = tree::documents(source);
        if documents.iter().any(is_foreign) {
            return;
        }
        if let [only] = documents.as_slice()
            && schema::is_schema(only)
        {
            schema::extract(source, only, sink);
            return;
        }
        let mut keys = Keys { skipped: manifest_sections(source.path()), found: Vec::new(), by_path: BTreeMap::new() };
        for document in &documents {
            keys.item(document, "", document.span, 0);
        }
        let owner = source.file_owner();
        // What tools read in a manifest of npm is their matter; only an editor's extension declares settings there.
        let npm = source.path().file_name() == "package.json";
        for (name, value, span) in keys.found.into_iter().filter(|(name, ..)| !npm || name.starts_with("contributes.")) {
            sink.push(NewFact::new(FactKind::ConfigKey, &owner, name, value, span));
        }
    }
}

/// Files that tools write to pin versions.
pub(super) fn is_lock(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    path.extension().eq_ignore_ascii_case("lock")
        || name.ends_with(".lock.json")
        || name.ends_with("-lock.json")
        || name.ends_with("-lock.yaml")
        || matches!(name.as_str(), "npm-shrinkwrap.json" | "pipfile" | "deno.lock" | "packages.lock.json" | "go.work.sum")
}

/// Files whose keys say nothing to a reader of documents, or that an extractor of their own reads.
fn is_elsewhere(path: &RepoPath) -> bool {
    let name = path.file_name();
    let whole = path.as_str();
    whole.contains(".github/workflows/")
        || whole.contains(".github/") && path.extension() != "json"
        || whole.contains("node_modules/")
        || whole.contains("/__snapshots__/")
        || matches!(
            name,
            "action.yml" | "action.yaml" | ".travis.yml" | ".pre-commit-config.yaml" | "renovate.json" | ".all-contributorsrc"
        )
        // A catalogue of what a build of Gradle depends on.
        || name.ends_with(".versions.toml")
        || path.directory() == "gradle" && path.extension() == "toml"
        || name.to_ascii_lowercase().starts_with("taskfile.")
        || name.starts_with("rust-toolchain")
        || name.starts_with(".gitlab-ci")
}

/// An API description, or a resource of a cluster: its keys are those of Kubernetes, not the project's.
fn is_foreign(document: &Item) -> bool {
    document.entry("openapi").is_some()
        || document.entry("swagger").is_some()
        || document.entry("apiVersion").is_some() && document.entry("kind").is_some()
}

/// The sections of a manifest that other extractors read, or that only tools read.
fn manifest_sections(path: &RepoPath) -> &'static [&'static str] {
    match path.file_name() {
        "Cargo.toml" => &[
            "package",
            "workspace.package",
            "dependencies",
            "dev-dependencies",
            "build-dependencies",
            "workspace.dependencies",
            "target",
            "features",
            "bin",
            "lib",
            "test",
            "bench",
            "example",
            "badges",
            "patch",
            "workspace.members",
            "workspace.exclude",
        ],
        "composer.json" => &[
            "name",
            "version",
            "description",
            "keywords",
            "homepage",
            "license",
            "authors",
            "support",
            "funding",
            "require",
            "require-dev",
            "autoload",
            "autoload-dev",
            "scripts",
            "bin",
            "type",
        ],
        "pyproject.toml" => &[
            "project",
            "build-system",
            "dependency-groups",
            // How the project uses tools says nothing of what its own readers may set.
            "tool",
        ],
        ".cargo/config.toml" => &["alias"],
        _ => &[],
    }
}

struct Keys {
    skipped: &'static [&'static str],
    found: Vec<(String, Value, ByteSpan)>,
    by_path: BTreeMap<String, usize>,
}

impl Keys {
    fn item(&mut self, item: &Item, path: &str, span: ByteSpan, depth: usize) {
        if depth > MAX_DEPTH || self.skipped.contains(&path) {
            return;
        }
        match &item.shape {
            Shape::Map(entries) => {
                self.push(path, json!({ "type": "object" }), span);
                for Entry { key, item, span } in entries {
                    if !key.is_empty() && key != "$schema" {
                        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                        self.item(item, &path, *span, depth + 1);
                    }
                }
            }
            Shape::Scalar(value) => self.push(path, scalar(value), span),
            Shape::List(items) => {
                let literal = item.literal().filter(|_| items.len() <= 256);
                self.push(path, literal.map_or_else(|| json!({ "type": "array" }), |list| json!({ "value": list })), span);
                for element in items.iter().filter(|i| !matches!(i.shape, Shape::Scalar(_))) {
                    self.element(element, path, depth + 1);
                }
            }
        }
    }

    /// The keys of a map in a list stand under the list's own path.
    fn element(&mut self, element: &Item, path: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for Entry { key, item, span } in element.entries() {
            if !key.is_empty() {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                self.item(item, &path, *span, depth + 1);
            }
        }
        for inner in element.elements() {
            self.element(inner, path, depth + 1);
        }
    }

    fn push(&mut self, path: &str, value: Value, span: ByteSpan) {
        if path.is_empty() {
            return;
        }
        if let Some(at) = self.by_path.get(path) {
            // Elements of a list, or documents of one file, that disagree state no one value.
            let (_, first, _) = &mut self.found[*at];
            if *first != value {
                *first = json!({ "type": kind(first) });
            }
        } else {
            self.by_path.insert(path.to_owned(), self.found.len());
            self.found.push((path.to_owned(), value, span));
        }
    }
}

fn scalar(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > MAX_TEXT => json!({ "type": "string" }),
        value => json!({ "value": value }),
    }
}

fn kind(projection: &Value) -> &str {
    if let Some(kind) = projection["type"].as_str() {
        return match kind {
            "object" => "object",
            "array" => "array",
            _ => "string",
        };
    }
    match &projection["value"] {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
