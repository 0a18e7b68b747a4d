//! Signatures of functions and methods.

use serde_json::Value;

use super::File;
use crate::facts::written::{Projection, Written, type_text};
use crate::syntax::{Node, NodeExt};

/// The signature of anything with parameters.
pub(super) fn signature(file: &File<'_>, definition: Node<'_>) -> Projection {
    Projection::default()
        .value("parameters", parameters(file, definition))
        .text("returns", definition.field("return_type").map(|t| annotation(file, t)).unwrap_or_default())
        .list("typeParameters", type_parameters(file, definition))
        .yes("async", is_async(definition))
}

fn is_async(definition: Node<'_>) -> bool {
    let mut cursor = definition.walk();
    definition.children(&mut cursor).take(4).any(|child| child.kind() == "async")
}

/// The text of `: T`.
pub(super) fn annotation(file: &File<'_>, node: Node<'_>) -> String {
    type_text(node, file.values.text())
}

/// `<T, U extends V>` of a definition.
pub(super) fn type_parameters(file: &File<'_>, definition: Node<'_>) -> Vec<Value> {
    let list = definition.field("type_parameters").map(|list| list.named()).unwrap_or_default();
    list.into_iter().filter(|n| n.kind() == "type_parameter").map(|t| Value::String(type_text(t, file.values.text()))).collect()
}

/// The parameters; the names of a destructured object are parameters by keyword.
pub(super) fn parameters(file: &File<'_>, definition: Node<'_>) -> Vec<Value> {
    if let Some(only) = definition.field("parameter") {
        return vec![parameter(file.text(only), "positional").build()];
    }
    let mut out = Vec::new();
    // What reads `arguments` takes more than it names.
    let reads = definition.field("body").is_some_and(|body| {
        let own = |n: &Node<'_>| n.kind() == "identifier" && file.text(*n) == "arguments";
        memchr::memmem::find(file.text(body).as_bytes(), b"arguments").is_some() && body.preorder().any(|n| own(&n))
    });
    for node in definition.field("parameters").map(|p| p.named()).unwrap_or_default() {
        let typed = matches!(node.kind(), "required_parameter" | "optional_parameter");
        let (pattern, default) = match node.kind() {
            "assignment_pattern" => (node.field("left"), node.field("right")),
            "required_parameter" | "optional_parameter" => (node.field("pattern"), node.field("value")),
            "comment" | "decorator" => continue,
            _ => (Some(node), None),
        };
        let Some(pattern) = pattern else { continue };
        let type_node = node.field("type").filter(|_| typed);
        match pattern.kind() {
            "this" => {}
            "object_pattern" => destructured(file, pattern, type_node, &mut out),
            "rest_pattern" => {
                let name = file.text(pattern).trim_start_matches('.').trim();
                let kind = type_node.map(|t| annotation(file, t)).unwrap_or_default();
                out.push(parameter(name, "variadic").text("type", kind).build());
            }
            _ => {
                let is_optional = default.is_some() || node.kind() == "optional_parameter";
                out.push(
                    parameter(file.text(pattern), "positional")
                        .text("type", type_node.map(|t| annotation(file, t)).unwrap_or_default())
                        .yes("optional", is_optional)
                        .written("default", default.map(|d| file.values.read(d)))
                        .build(),
                );
            }
        }
    }
    if reads {
        out.push(parameter("arguments", "variadic").build());
    }
    out
}

fn parameter(name: &str, kind: &str) -> Projection {
    Projection::default().text("name", name).text("kind", kind)
}

/// `{ retries = 3, timeout: limit }`, with the types of `: { retries?: number }`.
fn destructured(file: &File<'_>, pattern: Node<'_>, type_node: Option<Node<'_>>, out: &mut Vec<Value>) {
    let members = type_node.and_then(|t| t.child_of_kind("object_type")).map(|t| t.named()).unwrap_or_default();
    for (name, default) in names(file, pattern) {
        let member = members.iter().find(|m| m.field("name").is_some_and(|n| file.text(n) == name));
        let is_optional = default.is_some() || member.is_some_and(|m| super::types::is_optional(*m));
        let kind = member.and_then(|m| m.field("type")).map(|t| annotation(file, t)).unwrap_or_default();
        out.push(parameter(name, "keyword").text("type", kind).yes("optional", is_optional).written("default", default).build());
    }
    if let Some(rest) = pattern.child_of_kind("rest_pattern") {
        let name = file.text(rest).trim_start_matches('.').trim();
        out.push(parameter(name, "keywords").build());
    }
}

/// The keys of an object pattern with their defaults.
pub(super) fn names<'s>(file: &File<'s>, pattern: Node<'_>) -> Vec<(&'s str, Option<Written>)> {
    let mut out = Vec::new();
    for item in pattern.named() {
        let (name, default) = match item.kind() {
            "shorthand_property_identifier_pattern" => (Some(item), None),
            "object_assignment_pattern" => (item.field("left"), item.field("right")),
            "pair_pattern" => {
                let value = item.field("value").filter(|v| v.kind() == "assignment_pattern");
                (item.field("key"), value.and_then(|v| v.field("right")))
            }
            _ => (None, None),
        };
        if let Some(name) = name.filter(|n| n.kind() != "computed_property_name") {
            out.push((file.text(name).trim_matches(['"', '\'']), default.map(|d| file.values.read(d))));
        }
    }
    out
}
