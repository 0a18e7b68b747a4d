//! Interfaces, type aliases, enums: members, variants, and each field as a setting.

use serde_json::Value;

use super::File;
use super::function::{annotation, signature, type_parameters};
use crate::facts::written::{Projection, Written, is_option_name, number, type_text};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep object types inside object types are read.
const MAX_NESTING: usize = 5;

/// `interface X { … }`.
pub(super) fn interface(file: &File<'_>, name: &str, declaration: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
    file.symbol("interface", name, declaration, public, sink);
    let Some(body) = declaration.field("body") else { return };
    let value =
        Projection::default().list("typeParameters", type_parameters(file, declaration)).value("members", members(file, body));
    file.signature(name, value, declaration, public, sink);
    fields(file, name, body, public, MAX_NESTING, sink);
}

/// `type X = …`.
pub(super) fn alias(file: &File<'_>, name: &str, declaration: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
    file.symbol("type", name, declaration, public, sink);
    let Some(value) = declaration.field("value") else { return };
    let projection = Projection::default().list("typeParameters", type_parameters(file, declaration));
    let bodies = bodies(value);
    let choices = choices(file, value);
    let projection = if !bodies.is_empty() {
        let members: Vec<Value> = bodies.iter().flat_map(|body| members(file, *body)).collect();
        let projection = projection.value("members", members);
        if value.kind() == "object_type" { projection } else { projection.text("type", type_text(value, file.values.text())) }
    } else if let Some(choices) = choices {
        projection.value("variants", choices.iter().map(variant).collect::<Vec<_>>())
    } else {
        projection.text("type", type_text(value, file.values.text()))
    };
    file.signature(name, projection, declaration, public, sink);
    for body in bodies {
        fields(file, name, body, public, MAX_NESTING, sink);
    }
}

/// The object types that an alias is made of: itself, or the parts of an intersection.
fn bodies(value: Node<'_>) -> Vec<Node<'_>> {
    match value.kind() {
        "object_type" => vec![value],
        "intersection_type" => parts(value, "intersection_type").into_iter().filter(|n| n.kind() == "object_type").collect(),
        _ => Vec::new(),
    }
}

/// The operands of a type that nests to the left, in order.
fn parts<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut rest = vec![node];
    while let Some(node) = rest.pop() {
        if node.kind() == kind && out.len() < 512 {
            rest.extend(node.named().into_iter().filter(|n| n.kind() != "comment").rev());
        } else {
            out.push(node);
        }
    }
    out
}

fn variant(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.clone()),
        other => Value::String(other.to_string()),
    }
}

/// The values a type allows where it is a union of literals; `None` where it allows others.
pub(super) fn choices(file: &File<'_>, node: Node<'_>) -> Option<Vec<Value>> {
    if let Some(list) = elements_of(file, node) {
        return Some(list);
    }
    let mut out = Vec::new();
    for part in parts(node, "union_type") {
        let text = file.text(part);
        match part.kind() {
            "literal_type" => match part.named_child(0).map(|n| (n.kind(), file.values.read(n))) {
                Some(("null" | "undefined", _)) => {}
                Some((_, Written::Literal(value))) => out.push(value),
                _ => return None,
            },
            "predefined_type" if text == "boolean" => out.extend([Value::Bool(true), Value::Bool(false)]),
            _ if matches!(text, "undefined" | "null" | "(string & {})" | "(string & Record<never, never>)") => {}
            _ => return None,
        }
    }
    out.iter().any(|v| v.is_string() || v.is_number()).then_some(out)
}

/// `(typeof modes)[number]` of a constant list.
fn elements_of(file: &File<'_>, node: Node<'_>) -> Option<Vec<Value>> {
    let text = file.text(node).strip_suffix("[number]")?.trim_matches(['(', ')']);
    match file.values.named(text.strip_prefix("typeof ")?.trim())? {
        Value::Array(items) => Some(items.clone()),
        _ => None,
    }
}

/// Whether a member has a `?`.
pub(super) fn is_optional(member: Node<'_>) -> bool {
    let mut cursor = member.walk();
    member.children(&mut cursor).take(8).any(|child| child.kind() == "?")
}

/// The members of a body: fields, and methods by the text of their type.
fn members(file: &File<'_>, body: Node<'_>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for member in body.named() {
        let Some(name) = member.field("name").and_then(|n| file.values.key(n)) else { continue };
        let kind = match member.kind() {
            "property_signature" => member.field("type").map(|t| annotation(file, t)).unwrap_or_default(),
            "method_signature" => method_type(file, member),
            _ => continue,
        };
        out.push(Projection::default().text("name", name).text("type", kind).yes("optional", is_optional(member)).build());
    }
    out
}

fn method_type(file: &File<'_>, member: Node<'_>) -> String {
    let parameters = member.field("parameters").map(|p| type_text(p, file.values.text())).unwrap_or_default();
    let returns = member.field("return_type").map_or_else(|| "any".to_owned(), |t| annotation(file, t));
    format!("{parameters} => {returns}")
}

/// Records the fields of a body as settings, and its methods as symbols.
fn fields(file: &File<'_>, prefix: &str, body: Node<'_>, public: bool, depth: usize, sink: &mut FactSink<'_>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let mut comment = None;
    for member in body.named() {
        if member.kind() == "comment" {
            comment = Some(file.text(member));
            continue;
        }
        let doc = comment.take();
        let Some(own) = member.field("name").and_then(|n| file.values.key(n)).filter(|n| is_option_name(n)) else { continue };
        let name = format!("{prefix}.{own}");
        match member.kind() {
            "property_signature" => {
                let type_node = member.field("type");
                let inner = type_node.and_then(|t| t.named_child(0));
                let value = Projection::default()
                    .text("type", type_node.map(|t| annotation(file, t)).unwrap_or_default())
                    .written("default", doc.and_then(documented_default).map(Written::Literal))
                    .yes("required", !is_optional(member))
                    .list("choices", inner.and_then(|t| choices(file, t)).unwrap_or_default());
                sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, &name, value.build(), member.span()).visible(public));
                for body in inner.map(bodies).unwrap_or_default() {
                    fields(file, &name, body, public, depth, sink);
                }
            }
            "method_signature" if depth + 1 == MAX_NESTING => {
                file.symbol("method", &name, member, public, sink);
                file.signature(&name, signature(file, member), member, public, sink);
            }
            _ => {}
        }
    }
}

/// The literal after `@default` or `@defaultValue` in a comment.
pub(super) fn documented_default(comment: &str) -> Option<Value> {
    let mut lines = comment.lines().skip_while(|line| !line.contains("@default"));
    let first = lines.next()?;
    let rest = first.split_once("@defaultValue").or_else(|| first.split_once("@default"))?.1;
    let mut text = rest.trim().trim_end_matches("*/").trim();
    if text.is_empty() {
        // The value may stand on the next line.
        text = lines.next()?.trim().trim_start_matches('*').trim_end_matches("*/").trim();
    }
    let text = text.trim_end_matches(['.', ';']);
    let text = text.strip_prefix('`').and_then(|t| t.strip_suffix('`')).unwrap_or(text);
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        "null" | "undefined" => return Some(Value::Null),
        "" => return None,
        _ => {}
    }
    for quote in ['\'', '"'] {
        if let Some(inside) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) {
            return (!inside.contains(quote)).then(|| Value::String(inside.to_owned()));
        }
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
    let value = is_number.then(|| number(digits)).flatten()?;
    if text.starts_with('-') { crate::facts::written::negate(&value) } else { Some(value) }
}

/// `enum X { A = "a" }`.
pub(super) fn enumeration(file: &File<'_>, name: &str, declaration: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
    file.symbol("enum", name, declaration, public, sink);
    let mut variants = Vec::new();
    let mut found = Vec::new();
    for member in declaration.field("body").map(|b| b.named()).unwrap_or_default() {
        let key = member.field("name").unwrap_or(member);
        if let Some(own) = file.values.key(key) {
            variants.push(Value::String(own.clone()));
            found.push((format!("{name}.{own}"), member));
        }
    }
    file.signature(name, Projection::default().value("variants", variants), declaration, public, sink);
    for (name, member) in found {
        file.symbol("variant", &name, member, public, sink);
        if let Some(value) = member.field("value") {
            let value = Projection::default().written("value", Some(file.values.read(value))).build();
            sink.push(NewFact::new(FactKind::Constant, &file.owner, &name, value, member.span()).visible(public));
        }
    }
}
