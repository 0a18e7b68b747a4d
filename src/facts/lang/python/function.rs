//! Functions and methods: their symbol and signature.

use serde_json::Value;

use super::module::{has_decorator, symbol};
use super::value::definition_of;
use super::{File, is_public};
use crate::facts::written::{Projection, type_text};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// Whether a function is an `@overload`, a setter or deleter, and the definition it belongs to follows in the block.
pub(super) fn is_superseded(file: &File<'_>, statement: Node<'_>, block: &[Node<'_>]) -> bool {
    if has_decorator(file, statement, &["setter", "deleter"]) {
        return true;
    }
    if !has_decorator(file, statement, &["overload"]) {
        return false;
    }
    let name = definition_of(statement).and_then(|d| d.field("name")).map(|n| file.text(n));
    block.iter().any(|other| {
        other.start_byte() > statement.start_byte()
            && definition_of(*other).and_then(|d| d.field("name")).map(|n| file.text(n)) == name
            && !has_decorator(file, *other, &["overload"])
    })
}

/// Reads a function, or a method where a class is given.
pub(super) fn read(file: &File<'_>, statement: Node<'_>, definition: Node<'_>, class: &str, sink: &mut FactSink<'_>) {
    let Some(own) = definition.field("name").map(|n| file.text(n)) else { return };
    let (name, declared) = if class.is_empty() { (own.to_owned(), "function") } else { (format!("{class}.{own}"), "method") };
    symbol(file, declared, &name, statement, sink);
    let returns = definition.field("return_type").map(|t| type_text(t, file.values.text())).unwrap_or_default();
    let is_property = !class.is_empty() && has_decorator(file, statement, &["property", "cached_property", "hybrid_property"]);
    let value = if is_property {
        Projection::default().text("type", returns)
    } else {
        let is_static = has_decorator(file, statement, &["staticmethod"]);
        Projection::default()
            .value("parameters", parameters(file, definition, !class.is_empty() && !is_static))
            .text("returns", returns)
            .list("typeParameters", type_parameters(file, definition))
            .yes("async", definition.child(0).is_some_and(|n| n.kind() == "async"))
    };
    sink.push(NewFact::new(FactKind::Signature, &file.owner, &name, value.build(), head(definition)).visible(is_public(&name)));
}

/// From the definition's first word to its body.
fn head(definition: Node<'_>) -> crate::model::ByteSpan {
    let end = definition.field("body").and_then(|body| body.prev_sibling()).map_or(definition.end_byte(), |n| n.end_byte());
    crate::model::ByteSpan::new(definition.start_byte(), end)
}

/// `[T, *Ts]` of a definition.
pub(super) fn type_parameters(file: &File<'_>, definition: Node<'_>) -> Vec<Value> {
    definition
        .field("type_parameters")
        .map(|list| list.named().into_iter().map(|t| Value::String(type_text(t, file.values.text()))).collect())
        .unwrap_or_default()
}

/// The parameters of a function; a bound method's first one is left out.
pub(super) fn parameters(file: &File<'_>, definition: Node<'_>, is_bound: bool) -> Vec<Value> {
    let mut out = Vec::new();
    let mut kind = "positional";
    let mut is_first = true;
    for node in definition.field("parameters").map(|p| p.named()).unwrap_or_default() {
        match node.kind() {
            "comment" | "positional_separator" => continue,
            "keyword_separator" => {
                kind = "keyword";
                continue;
            }
            _ => {}
        }
        let target = node.field("name").or_else(|| node.named_child(0)).unwrap_or(node);
        let is_pattern = |k: &str| node.kind() == k || target.kind() == k;
        let own_kind = if is_pattern("dictionary_splat_pattern") {
            "keywords"
        } else if is_pattern("list_splat_pattern") {
            "variadic"
        } else {
            kind
        };
        let text = if node.kind() == "identifier" { file.text(node) } else { file.text(target) };
        let name = text.trim_start_matches('*');
        let skip = is_first && own_kind == "positional" && (is_bound || matches!(name, "self" | "cls"));
        is_first = false;
        if own_kind == "variadic" {
            kind = "keyword";
        }
        if skip || name.is_empty() {
            continue;
        }
        let default = node.field("value");
        out.push(
            Projection::default()
                .text("name", name)
                .text("kind", own_kind)
                .text("type", node.field("type").map(|t| type_text(t, file.values.text())).unwrap_or_default())
                .yes("optional", default.is_some())
                .written("default", default.map(|d| file.values.read(d)))
                .build(),
        );
    }
    out
}
