//! Classes: their constructor's parameters, members, methods, and fields as settings.

use std::collections::BTreeSet;

use serde_json::Value;

use super::File;
use super::function::{annotation, parameters, signature, type_parameters};
use super::types::{choices, documented_default, is_optional};
use super::value::unwrap;
use super::{module, table};
use crate::facts::written::{Projection, Written, is_option_name, is_upper};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// Records a class under a name.
pub(super) fn read(file: &File<'_>, name: &str, class: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
    file.symbol("class", name, class, public, sink);
    let body = class.field("body").map(|b| b.named()).unwrap_or_default();
    let mut members = Vec::new();
    let mut constructor = None;
    for member in &body {
        let Some(own) = own_name(file, *member) else { continue };
        match member.kind() {
            "method_definition" | "method_signature" if own == "constructor" => {
                constructor = Some(parameters(file, *member));
                members.extend(parameter_properties(file, *member));
            }
            "field_definition" | "public_field_definition" if !is_private(file, *member, &own) && !is_method(*member) => {
                members.push(
                    Projection::default()
                        .text("name", own)
                        .text("type", member.field("type").map(|t| annotation(file, t)).unwrap_or_default())
                        .yes("optional", is_optional(*member))
                        .build(),
                );
            }
            _ => {}
        }
    }
    let value = Projection::default().list("typeParameters", type_parameters(file, class));
    let value = match constructor {
        Some(parameters) => value.value("parameters", parameters),
        None => value,
    };
    file.signature(name, value.value("members", members), class, public, sink);
    // A getter with a setter is a field to its users.
    let settable: BTreeSet<String> = body.iter().filter(|m| is_accessor(**m, "set")).filter_map(|m| own_name(file, *m)).collect();
    let mut comment = None;
    for member in body {
        if member.kind() == "comment" {
            comment = Some(file.text(member));
            continue;
        }
        read_member(file, name, member, (comment.take(), &settable), public, sink);
    }
}

/// Whether React names the method: every component may have it, and what one does in it is its own matter
/// (<https://react.dev/reference/react/Component>).
fn is_lifecycle(name: &str) -> bool {
    matches!(
        name,
        "componentDidCatch"
            | "componentDidMount"
            | "componentDidUpdate"
            | "componentWillMount"
            | "componentWillReceiveProps"
            | "componentWillUnmount"
            | "componentWillUpdate"
            | "getChildContext"
            | "getDerivedStateFromError"
            | "getDerivedStateFromProps"
            | "getSnapshotBeforeUpdate"
            | "shouldComponentUpdate"
    )
}

fn read_member(
    file: &File<'_>,
    class: &str,
    member: Node<'_>,
    (doc, settable): (Option<&str>, &BTreeSet<String>),
    public: bool,
    sink: &mut FactSink<'_>,
) {
    let Some(own) = own_name(file, member).filter(|own| own != "constructor" && !is_lifecycle(own)) else { return };
    let public = public && !is_private(file, member, &own);
    let name = format!("{class}.{}", own.trim_start_matches('#'));
    match member.kind() {
        "method_definition" | "method_signature" | "abstract_method_signature" => {
            if is_accessor(member, "set") {
                return;
            }
            file.symbol("method", &name, member, public, sink);
            let value = if is_accessor(member, "get") {
                Projection::default().text("type", member.field("return_type").map(|t| annotation(file, t)).unwrap_or_default())
            } else {
                signature(file, member)
            };
            file.signature(&name, value, member, public, sink);
            if is_accessor(member, "get") && settable.contains(&own) {
                accessor(file, &name, member, doc, public, sink);
            }
        }
        "field_definition" | "public_field_definition" => {
            let value = member.field("value");
            if let Some(function) = value.map(unwrap).filter(|_| is_method(member)) {
                file.symbol("method", &name, member, public, sink);
                return file.signature(&name, signature(file, function), member, public, sink);
            }
            field(file, &name, &own, member, doc, public, sink);
        }
        _ => {}
    }
}

fn accessor(file: &File<'_>, name: &str, getter: Node<'_>, doc: Option<&str>, public: bool, sink: &mut FactSink<'_>) {
    let type_node = getter.field("return_type");
    let value = Projection::default()
        .text("type", type_node.map(|t| annotation(file, t)).unwrap_or_default())
        .written("default", doc.and_then(documented_default).map(Written::Literal))
        .list("choices", type_node.and_then(|t| choices(file, t.named_child(0)?)).unwrap_or_default());
    sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, name, value.build(), getter.span()).visible(public));
}

fn field(file: &File<'_>, name: &str, own: &str, member: Node<'_>, doc: Option<&str>, public: bool, sink: &mut FactSink<'_>) {
    let type_node = member.field("type");
    let type_text = type_node.map(|t| annotation(file, t)).unwrap_or_default();
    let value = member.field("value");
    if let Some(value) = value.filter(|_| is_upper(own)) {
        return module::constant(file, name, member, type_node, value, public, sink);
    }
    if !is_option_name(own) {
        return;
    }
    let documented = doc.and_then(documented_default).map(Written::Literal);
    let projection = Projection::default()
        .text("type", type_text)
        .written("default", value.map(|v| file.values.read(v)).or(documented))
        .list("choices", type_node.and_then(|t| choices(file, t.named_child(0)?)).unwrap_or_default());
    sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, name, projection.build(), member.span()).visible(public));
    if let Some(value) = value {
        table::read(file, name, value, public, sink);
    }
}

fn own_name(file: &File<'_>, member: Node<'_>) -> Option<String> {
    let name = member.field("name").or_else(|| member.field("property"))?;
    match name.kind() {
        "private_property_identifier" => Some(file.text(name).to_owned()),
        _ => file.values.key(name),
    }
}

/// `private`, `protected`, `#x`, `_x`.
fn is_private(file: &File<'_>, member: Node<'_>, own: &str) -> bool {
    own.starts_with(['#', '_'])
        || member.child_of_kind("accessibility_modifier").is_some_and(|m| matches!(file.text(m), "private" | "protected"))
}

fn is_accessor(member: Node<'_>, which: &str) -> bool {
    let mut cursor = member.walk();
    member.children(&mut cursor).take(5).any(|child| child.kind() == which)
}

/// Whether a field holds a function.
fn is_method(member: Node<'_>) -> bool {
    member.field("value").is_some_and(|v| matches!(unwrap(v).kind(), "arrow_function" | "function_expression"))
}

/// `constructor(readonly name: string)`.
fn parameter_properties(file: &File<'_>, constructor: Node<'_>) -> Vec<Value> {
    let parameters = constructor.field("parameters").map(|p| p.named()).unwrap_or_default();
    parameters
        .into_iter()
        .filter(|p| {
            let mut cursor = p.walk();
            let is_property = p.children(&mut cursor).any(|c| c.kind() == "readonly" || c.kind() == "accessibility_modifier");
            is_property && p.child_of_kind("accessibility_modifier").is_none_or(|m| file.text(m) == "public")
        })
        .filter_map(|p| {
            Some(
                Projection::default()
                    .text("name", file.text(p.field("pattern")?))
                    .text("type", p.field("type").map(|t| annotation(file, t)).unwrap_or_default())
                    .yes("optional", p.kind() == "optional_parameter")
                    .build(),
            )
        })
        .collect()
}
