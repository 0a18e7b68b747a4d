//! Ruby: modules, classes, methods, constants, tables of options, environment variables.

pub(crate) mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::facts::environment::{Variable, record};
use crate::facts::written::{Projection, Written, is_option_name, without_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};
use value::{Values, is_environment};

/// Ruby files, scripts of rake and gem specifications included.
pub struct Ruby;

/// How deep modules lie inside modules.
const MAX_NESTING: usize = 12;

/// How deep nested tables are read.
const MAX_TABLES: usize = 6;

impl Extractor for Ruby {
    fn name(&self) -> &'static str {
        "ruby"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ruby(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let values = Values::of_file(tree.root(), source.text());
        let file = File { values, owner: source.module_owner() };
        file.body("", tree.root(), MAX_NESTING, sink);
        file.environment(tree.root(), sink);
    }
}

/// Whether a path is a Ruby file.
pub(crate) fn is_ruby(path: &RepoPath) -> bool {
    matches!(path.extension(), "rb" | "rake" | "gemspec") || matches!(path.file_name(), "Rakefile" | "Gemfile")
}

struct File<'s> {
    values: Values<'s>,
    owner: String,
}

impl File<'_> {
    fn text(&self, node: Node<'_>) -> &str {
        node.text(self.values.text())
    }

    fn symbol(&self, declared: &str, name: &str, own: &str, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        sink.push(
            NewFact::new(FactKind::Symbol, &self.owner, name, Projection::declared(declared), node.span())
                .visible(public)
                .body(&without_name(self.text(node), own)),
        );
    }

    fn signature(&self, name: &str, value: Projection, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        sink.push(NewFact::new(FactKind::Signature, &self.owner, name, value.build(), node.span()).visible(public));
    }

    /// The statements of a module's, class's or file's body. `private` without arguments holds for what follows.
    fn body(&self, scope: &str, body: Node<'_>, depth: usize, sink: &mut FactSink<'_>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let statements = body.named();
        let hidden = self.hidden(&statements);
        let mut public = true;
        for statement in statements {
            match statement.kind() {
                "identifier" => match self.text(statement) {
                    "private" | "protected" => public = false,
                    "public" => public = true,
                    _ => {}
                },
                "module" | "class" => self.container(scope, statement, depth, sink),
                "singleton_class" => {
                    if let Some(inner) = statement.field("body") {
                        self.body(scope, inner, depth, sink);
                    }
                }
                "method" | "singleton_method" => {
                    let is_own = statement.kind() == "method";
                    let is_hidden = statement.field("name").is_some_and(|n| hidden.contains(self.text(n)));
                    self.method(scope, statement, !is_hidden && (public || !is_own), sink);
                }
                "assignment" => self.constant(scope, statement, &hidden, sink),
                "call" => {
                    let first = statement.field("arguments").and_then(|list| list.named_child(0));
                    if let Some(method) = first.filter(|n| matches!(n.kind(), "method" | "singleton_method")) {
                        let mark = statement.field("method").map(|m| self.text(m)).unwrap_or_default();
                        self.method(scope, method, !mark.starts_with("private") && mark != "protected", sink);
                    }
                }
                _ => {}
            }
        }
    }

    /// The names in `private :a`, `private_constant :B`, `private_class_method :c`.
    fn hidden(&self, statements: &[Node<'_>]) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for call in statements.iter().filter(|n| n.kind() == "call") {
            let method = call.field("method").map(|m| self.text(m)).unwrap_or_default();
            if method.starts_with("private") || method == "protected" {
                let given = call.field("arguments").map(|list| list.named()).unwrap_or_default();
                out.extend(given.into_iter().filter_map(|n| self.values.string(n)));
            }
        }
        out
    }

    fn container(&self, scope: &str, node: Node<'_>, depth: usize, sink: &mut FactSink<'_>) {
        let Some(own) = node.field("name").map(|n| self.text(n)) else { return };
        let name = if scope.is_empty() { own.to_owned() } else { format!("{scope}::{own}") };
        let body = node.field("body");
        let statements = body.map(|b| b.named()).unwrap_or_default();
        if node.kind() == "module" {
            self.symbol("module", &name, own, node, true, sink);
        } else {
            self.symbol("class", &name, own, node, true, sink);
            let constructor =
                statements.iter().find(|s| s.kind() == "method" && s.field("name").is_some_and(|n| self.text(n) == "initialize"));
            let value = match constructor {
                Some(constructor) => Projection::default().value("parameters", self.parameters(*constructor)),
                None => Projection::default(),
            };
            self.signature(&name, value.value("members", self.members(&statements)), node, true, sink);
        }
        if let Some(body) = body {
            self.body(&name, body, depth, sink);
        }
    }

    /// The names of `attr_accessor` and its like.
    fn members(&self, statements: &[Node<'_>]) -> Vec<Value> {
        let mut out = Vec::new();
        for call in statements.iter().filter(|n| n.kind() == "call") {
            let method = call.field("method").map(|m| self.text(m)).unwrap_or_default();
            if matches!(method, "attr_accessor" | "attr_reader" | "attr_writer") {
                let given = call.field("arguments").map(|list| list.named()).unwrap_or_default();
                out.extend(
                    given
                        .into_iter()
                        .filter_map(|n| self.values.string(n))
                        .map(|name| Projection::default().text("name", name).build()),
                );
            }
        }
        out
    }

    fn method(&self, scope: &str, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        let Some(own) = node.field("name").map(|n| self.text(n)).filter(|own| *own != "initialize") else { return };
        let (name, declared) = if scope.is_empty() { (own.to_owned(), "function") } else { (format!("{scope}.{own}"), "method") };
        self.symbol(declared, &name, own, node, public, sink);
        let value = Projection::default().value("parameters", self.parameters(node));
        sink.push(NewFact::new(FactKind::Signature, &self.owner, &name, value.build(), node.span()).visible(public));
    }

    fn parameters(&self, method: Node<'_>) -> Vec<Value> {
        let mut out = Vec::new();
        for node in method.field("parameters").map(|p| p.named()).unwrap_or_default() {
            let kind = match node.kind() {
                "identifier" | "optional_parameter" => "positional",
                "splat_parameter" | "forward_parameter" => "variadic",
                "keyword_parameter" => "keyword",
                "hash_splat_parameter" => "keywords",
                _ => continue,
            };
            // `*` and `**` alone pass on what they take.
            let name = if node.kind() == "identifier" { Some(node) } else { node.field("name") }.or(match kind {
                "variadic" | "keywords" => Some(node),
                _ => None,
            });
            let default = node.field("value");
            out.push(
                Projection::default()
                    .text("name", name.map(|n| self.text(n)).unwrap_or_default())
                    .text("kind", kind)
                    .yes("optional", default.is_some())
                    .written("default", default.map(|d| self.values.read(d)))
                    .build(),
            );
        }
        out
    }

    fn constant(&self, scope: &str, node: Node<'_>, hidden: &BTreeSet<String>, sink: &mut FactSink<'_>) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return };
        if left.kind() != "constant" {
            return;
        }
        let own = self.text(left);
        let name = if scope.is_empty() { own.to_owned() } else { format!("{scope}::{own}") };
        let public = !hidden.contains(own);
        self.symbol("constant", &name, own, node, public, sink);
        let value = Projection::default().written("value", Some(self.values.read(right))).build();
        sink.push(NewFact::new(FactKind::Constant, &self.owner, &name, value, node.span()).visible(public));
        let mut rows = Vec::new();
        if let Some(hash) = self.values.hash(right) {
            self.table(&name, hash, MAX_TABLES, &mut rows);
        }
        if !rows.iter().any(|(_, written, _)| written.literal().is_some()) {
            return;
        }
        for (path, written, pair) in rows {
            let value = Projection::default().written("default", Some(written)).build();
            sink.push(NewFact::new(FactKind::ConfigKey, &self.owner, path, value, pair.span()).visible(public));
        }
    }

    fn table<'t>(&self, prefix: &str, hash: Node<'t>, depth: usize, rows: &mut Vec<(String, Written, Node<'t>)>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for pair in hash.named().into_iter().filter(|n| n.kind() == "pair") {
            let (Some(key), Some(value)) = (pair.field("key"), pair.field("value")) else { continue };
            let Some(key) = self.values.key(key).filter(|key| is_option_name(key)) else { continue };
            let path = format!("{prefix}.{key}");
            match self.values.hash(value).filter(|inner| inner.named_child_count() > 0) {
                Some(inner) => self.table(&path, inner, depth, rows),
                None if self.declares_flag(value) => {}
                None => rows.push((path, self.values.read(value), pair)),
            }
        }
    }

    /// Whether a value is the declaration of a flag, `["-H", "--host [HOST]", "…"]`: that is no default.
    fn declares_flag(&self, value: Node<'_>) -> bool {
        value.kind() == "array" && value.named().into_iter().any(|n| self.values.string(n).is_some_and(|s| s.starts_with("--")))
    }

    fn environment(&self, root: Node<'_>, sink: &mut FactSink<'_>) {
        let text = self.values.text();
        if memchr::memmem::find(text.as_bytes(), b"ENV").is_none() {
            return;
        }
        let mut found = Vec::new();
        for node in root.preorder().filter(|n| is_environment(*n, text)) {
            let Some(parent) = node.parent() else { continue };
            let is_left = || parent.field("left").is_some_and(|left| left.id() == node.id());
            let (name, default) = if node.kind() == "element_reference" {
                if parent.kind() == "assignment" && is_left() {
                    continue;
                }
                let is_or = |n: Node<'_>| n.field("operator").is_some_and(|o| matches!(o.kind(), "||" | "or" | "||="));
                let default = (matches!(parent.kind(), "binary" | "operator_assignment") && is_left() && is_or(parent))
                    .then(|| parent.field("right"))
                    .flatten();
                (node.named().get(1).copied(), default)
            } else {
                let method = node.field("method").map(|m| self.text(m)).unwrap_or_default();
                if !matches!(method, "fetch" | "key?" | "has_key?" | "include?") {
                    continue;
                }
                let given = node.field("arguments").map(|list| list.named()).unwrap_or_default();
                (given.first().copied(), given.get(1).copied())
            };
            if let Some(name) = name.and_then(|n| self.values.string(n)) {
                found.push(Variable { name, default: default.map(|d| self.values.read(d)), span: node.span() });
            }
        }
        record(found, sink);
    }
}
