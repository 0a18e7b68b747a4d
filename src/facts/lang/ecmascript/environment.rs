//! Environment variables that JavaScript code reads.

use super::value::{Values, arguments};
use crate::facts::FactSink;
use crate::facts::environment::{Variable, record};
use crate::facts::written::{Written, is_upper};
use crate::syntax::{Node, NodeExt};

/// Names that bundlers define; they are no variables of the environment.
const BUILT_IN: &[&str] = &["MODE", "DEV", "PROD", "SSR", "BASE_URL"];

/// Records the variables of a file.
pub(super) fn read(values: &Values<'_>, root: Node<'_>, sink: &mut FactSink<'_>) {
    let text = values.text();
    if memchr::memmem::find(text.as_bytes(), b"env").is_none() {
        return;
    }
    let has_alias = root.named().into_iter().any(|statement| is_alias(statement, text));
    let mut found = Vec::new();
    for node in root.preorder() {
        let name = match node.kind() {
            "member_expression" => property(node, text, has_alias),
            "subscript_expression" => subscript(node, values, has_alias),
            "call_expression" => getter(node, values),
            "variable_declarator" => {
                destructured(node, values, &mut found);
                None
            }
            _ => None,
        };
        if let Some(name) = name.filter(|_| !is_written(node)) {
            found.push(Variable { name, default: alternative(node, values), span: node.span() });
        }
    }
    record(found, sink);
}

/// Whether an expression reads a variable.
pub(crate) fn is_read(node: Node<'_>, text: &str) -> bool {
    let object = match node.kind() {
        "member_expression" | "subscript_expression" => node.field("object"),
        "call_expression" => return node.field("function").is_some_and(|f| f.text(text) == "Deno.env.get"),
        _ => None,
    };
    object.is_some_and(|object| is_environment(object, text, true))
}

/// `const env = process.env`, `const { env } = process`, `import { env } from "node:process"`.
fn is_alias(statement: Node<'_>, text: &str) -> bool {
    if statement.byte_range().len() > 400 {
        return false;
    }
    let line = statement.text(text);
    line.contains("env")
        && ((line.contains("= process.env") && (line.contains(" env ") || line.contains(" env:")))
            || (line.contains("{ env }") && line.contains("process"))
            || (line.starts_with("import ") && line.contains("process") && line.contains(" env")))
}

fn is_environment(object: Node<'_>, text: &str, has_alias: bool) -> bool {
    object.byte_range().len() <= 24
        && match object.text(text) {
            "process.env" | "import.meta.env" | "Bun.env" | "globalThis.process.env" | "process?.env" => true,
            "env" => has_alias,
            _ => false,
        }
}

fn property(node: Node<'_>, text: &str, has_alias: bool) -> Option<String> {
    let object = node.field("object").filter(|o| is_environment(*o, text, has_alias))?;
    let name = node.field("property")?.text(text);
    let is_bare = object.kind() == "identifier";
    let is_own = object.text(text) == "import.meta.env" && BUILT_IN.contains(&name);
    (!is_own && (!is_bare || is_upper(name))).then(|| name.to_owned())
}

fn subscript(node: Node<'_>, values: &Values<'_>, has_alias: bool) -> Option<String> {
    node.field("object").filter(|o| is_environment(*o, values.text(), has_alias))?;
    values.string(node.field("index")?)
}

fn getter(node: Node<'_>, values: &Values<'_>) -> Option<String> {
    let function = node.field("function").filter(|f| f.byte_range().len() < 40)?;
    matches!(function.text(values.text()), "Deno.env.get" | "Deno.env.has")
        .then(|| values.string(arguments(node).first().copied()?))
        .flatten()
}

/// Whether a variable is set or deleted, not read.
fn is_written(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "assignment_expression" => is_left(parent, node),
        "unary_expression" => operator(parent) == "delete",
        _ => false,
    }
}

/// What stands in for a variable.
fn alternative(node: Node<'_>, values: &Values<'_>) -> Option<Written> {
    let parent = node.parent()?;
    let is_fallback = match parent.kind() {
        "augmented_assignment_expression" => matches!(operator(parent), "??=" | "||="),
        "binary_expression" => matches!(operator(parent), "??" | "||"),
        _ => false,
    };
    (is_fallback && is_left(parent, node)).then(|| parent.field("right").map(|right| values.read(right))).flatten()
}

fn is_left(parent: Node<'_>, node: Node<'_>) -> bool {
    parent.field("left").is_some_and(|left| left.id() == node.id())
}

fn operator(node: Node<'_>) -> &str {
    node.field("operator").map_or("", |operator| operator.kind())
}

/// `const { PORT = 3000 } = process.env`.
fn destructured(node: Node<'_>, values: &Values<'_>, found: &mut Vec<Variable>) {
    let (Some(pattern), Some(value)) = (node.field("name"), node.field("value")) else { return };
    if pattern.kind() != "object_pattern" || !is_environment(value, values.text(), true) {
        return;
    }
    for item in pattern.named() {
        let (name, default) = match item.kind() {
            "shorthand_property_identifier_pattern" => (Some(item), None),
            "object_assignment_pattern" => (item.field("left"), item.field("right")),
            "pair_pattern" => (item.field("key"), None),
            _ => (None, None),
        };
        if let Some(name) = name {
            let name = name.text(values.text()).to_owned();
            found.push(Variable { name, default: default.map(|d| values.read(d)), span: item.span() });
        }
    }
}
