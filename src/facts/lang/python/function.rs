//! Functions and methods: their symbol and signature.

use serde_json::Value;

use super::module::{has_decorator, symbol};
use super::value::definition_of;
use super::{File, is_public};
use crate::facts::written::{Projection, type_text};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// Whether a function is a setter or deleter: its property says what there is to say.
pub(super) fn is_superseded(file: &File<'_>, statement: Node<'_>) -> bool {
    has_decorator(file, statement, &["setter", "deleter"])
}

/// What a function is to others of its name in a block.
pub(super) enum Part<'t> {
    /// The only one.
    Whole,
    /// An `@overload`, with the implementation that follows.
    Overload(Option<Node<'t>>),
    /// The implementation of overloads: what they declare holds, not what it takes.
    Implementation,
}

/// Looks at the definitions of the same name in a block.
pub(super) fn part<'t>(file: &File<'_>, statement: Node<'t>, block: &[Node<'t>]) -> Part<'t> {
    let name = |node: Node<'t>| definition_of(node).and_then(|d| d.field("name")).map(|n| file.text(n));
    let own = name(statement);
    let is_overload = |node: Node<'t>| has_decorator(file, node, &["overload"]);
    let mut others = block.iter().copied().filter(|o| o.start_byte() != statement.start_byte() && name(*o) == own);
    if is_overload(statement) {
        let behind = others.find(|o| o.start_byte() > statement.start_byte() && !is_overload(*o));
        return Part::Overload(behind.and_then(definition_of));
    }
    if others.any(|o| o.start_byte() < statement.start_byte() && is_overload(o)) { Part::Implementation } else { Part::Whole }
}

/// Reads a function, or a method where a class is given.
pub(super) fn read<'t>(
    file: &File<'_>,
    statement: Node<'t>,
    definition: Node<'t>,
    class: &str,
    block: &[Node<'t>],
    sink: &mut FactSink<'_>,
) {
    let Some(own) = definition.field("name").map(|n| file.text(n)) else { return };
    let (name, declared) = if class.is_empty() { (own.to_owned(), "function") } else { (format!("{class}.{own}"), "method") };
    let part = part(file, statement, block);
    if !matches!(part, Part::Overload(Some(_))) {
        symbol(file, declared, &name, statement, sink);
    }
    if matches!(part, Part::Implementation) {
        return;
    }
    let returns = definition.field("return_type").map(|t| type_text(t, file.values.text())).unwrap_or_default();
    let is_property = !class.is_empty() && has_decorator(file, statement, &["property", "cached_property", "hybrid_property"]);
    let value = if is_property {
        Projection::default().text("type", returns)
    } else {
        let is_static = has_decorator(file, statement, &["staticmethod"]);
        Projection::default()
            .value("parameters", declared_parameters(file, definition, !class.is_empty() && !is_static, &part))
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

/// The parameters that a signature declares: an overload's `= ...` stands for the default of the implementation.
pub(super) fn declared_parameters(file: &File<'_>, definition: Node<'_>, is_bound: bool, part: &Part<'_>) -> Vec<Value> {
    let mut own = parameters(file, definition, is_bound);
    let Part::Overload(Some(implementation)) = part else { return own };
    let all = parameters(file, *implementation, is_bound);
    for parameter in &mut own {
        if parameter.get("defaultExpr").and_then(Value::as_str) != Some("...") {
            continue;
        }
        let Some(other) = all.iter().find(|p| p.get("name") == parameter.get("name")) else { continue };
        let (default, computed) = (other.get("default").cloned(), other.get("defaultExpr").cloned());
        let Some(map) = parameter.as_object_mut() else { continue };
        if let Some(default) = default {
            map.remove("defaultExpr");
            map.insert("default".to_owned(), default);
        } else if let Some(computed) = computed {
            map.insert("defaultExpr".to_owned(), computed);
        }
    }
    own
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
