//! What stands at the top level of a module: functions, classes, constants, type aliases, tables of options.

use super::value::{Arguments, callee, decorators, definition_of, leaf};
use super::{File, builder, class, function, is_public, table};
use crate::facts::written::{Projection, Written, type_text, without_name};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep conditional blocks are looked into.
const MAX_BLOCKS: usize = 6;

/// Reads the definitions of a module.
pub(super) fn read(file: &File<'_>, root: Node<'_>, sink: &mut FactSink<'_>) {
    let statements = statements(file, root);
    for statement in &statements {
        if let Some(definition) = definition_of(*statement) {
            if definition.kind() == "class_definition" {
                class::read(file, *statement, definition, "", sink);
            } else if !function::is_superseded(file, *statement) {
                function::read(file, *statement, definition, "", &statements, sink);
            }
        } else if statement.kind() == "type_alias_statement" {
            alias_statement(file, *statement, sink);
        } else if let Some(assignment) = statement.child_of_kind("assignment") {
            assigned(file, *statement, assignment, sink);
        }
    }
}

/// The statements of a block, those of conditional blocks included; `if __name__ == …` is left out.
pub(super) fn statements<'t>(file: &File<'_>, block: Node<'t>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    collect(file, block, MAX_BLOCKS, &mut out);
    out
}

fn collect<'t>(file: &File<'_>, block: Node<'t>, depth: usize, out: &mut Vec<Node<'t>>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for statement in block.named() {
        match statement.kind() {
            "if_statement" => {
                let condition = statement.field("condition").map(|c| file.text(c)).unwrap_or_default();
                if !condition.contains("__name__") {
                    collect(file, statement, depth, out);
                }
            }
            "try_statement" | "with_statement" | "block" | "else_clause" | "elif_clause" | "except_clause" | "finally_clause" => {
                collect(file, statement, depth, out);
            }
            "expression_statement"
            | "decorated_definition"
            | "class_definition"
            | "function_definition"
            | "type_alias_statement" => {
                out.push(statement);
            }
            _ => {}
        }
    }
}

/// `type Name = T`.
fn alias_statement(file: &File<'_>, statement: Node<'_>, sink: &mut FactSink<'_>) {
    let (Some(left), Some(right)) = (statement.field("left"), statement.field("right")) else { return };
    let name = file.text(left).split('[').next().unwrap_or_default().trim();
    type_alias(file, name, statement, right, sink);
}

fn type_alias(file: &File<'_>, name: &str, statement: Node<'_>, right: Node<'_>, sink: &mut FactSink<'_>) {
    let public = is_public(name);
    let variants = choices_of_type(file, right);
    let signature = if variants.is_empty() {
        Projection::default().text("type", type_text(right, file.values.text()))
    } else {
        Projection::default().list("variants", variants)
    };
    symbol(file, "type", name, statement, sink);
    sink.push(NewFact::new(FactKind::Signature, &file.owner, name, signature.build(), statement.span()).visible(public));
}

/// `NAME = value`, `NAME: T = value`, `NAME: T`.
fn assigned(file: &File<'_>, statement: Node<'_>, assignment: Node<'_>, sink: &mut FactSink<'_>) {
    let Some(left) = assignment.field("left").filter(|n| n.kind() == "identifier") else { return };
    let name = file.text(left);
    if matches!(name, "__all__" | "_") {
        return;
    }
    let annotation = assignment.field("type");
    let Some(right) = assignment.field("right") else { return };
    if is_type_alias(file, name, annotation, right) {
        return type_alias(file, name, statement, right, sink);
    }
    if class::functional(file, name, statement, right, sink) {
        return;
    }
    symbol(file, "constant", name, statement, sink);
    let type_text = annotation.map(|t| type_text(t, file.values.text())).filter(|t| t != "Final").unwrap_or_default();
    let value = Projection::default().written("value", Some(file.values.read(right))).text("type", type_text);
    sink.push(NewFact::new(FactKind::Constant, &file.owner, name, value.build(), statement.span()).visible(is_public(name)));
    if !builder::read(file, right, sink) {
        table::read(file, name, right, sink);
    }
}

/// Records a symbol with the hash of its definition.
pub(super) fn symbol(file: &File<'_>, declared: &str, name: &str, definition: Node<'_>, sink: &mut FactSink<'_>) {
    let own = leaf(name);
    sink.push(
        NewFact::new(FactKind::Symbol, &file.owner, name, Projection::declared(declared), definition.span())
            .visible(is_public(name))
            .body(&without_name(file.text(definition), own)),
    );
}

fn is_type_alias(file: &File<'_>, name: &str, annotation: Option<Node<'_>>, right: Node<'_>) -> bool {
    if annotation.is_some_and(|t| leaf(file.text(t)) == "TypeAlias") {
        return true;
    }
    if annotation.is_some() || !name.starts_with(|c: char| c.is_uppercase() || c == '_') {
        return false;
    }
    match right.kind() {
        "subscript" => {
            let base = right.field("value").map(|v| leaf(file.text(v))).unwrap_or_default();
            matches!(
                base,
                "Union"
                    | "Optional"
                    | "Literal"
                    | "Callable"
                    | "Dict"
                    | "List"
                    | "Tuple"
                    | "Set"
                    | "Type"
                    | "Iterable"
                    | "Sequence"
                    | "Mapping"
                    | "Annotated"
                    | "Awaitable"
                    | "dict"
                    | "list"
                    | "tuple"
                    | "set"
                    | "type"
                    | "MutableMapping"
                    | "Iterator"
                    | "AsyncIterator"
                    | "Coroutine"
            )
        }
        "call" => callee(right, file.values.text()).rsplit('.').next() == Some("NewType"),
        _ => false,
    }
}

/// The allowed values that a type names: those of `Literal[…]`, also inside `Optional[…]` and `… | None`.
pub(super) fn choices_of_type(file: &File<'_>, annotation: Node<'_>) -> Vec<serde_json::Value> {
    let text = file.text(annotation);
    if !text.contains("Literal[") || text.len() > 4_000 {
        return Vec::new();
    }
    let mut out = Vec::new();
    for node in annotation.preorder() {
        let is_literal = match node.kind() {
            "generic_type" => node.named_child(0).is_some_and(|n| leaf(file.text(n)) == "Literal"),
            "subscript" => node.field("value").is_some_and(|n| leaf(file.text(n)) == "Literal"),
            _ => false,
        };
        if is_literal {
            out.extend(node.preorder().filter_map(|n| match n.kind() {
                "string" | "integer" | "true" | "false" => file.values.read(n).literal().cloned(),
                _ => None,
            }));
            break;
        }
    }
    out
}

/// What an assigned value is as a default: the `default` of a field's call, the value itself otherwise. The second part
/// tells whether a value must be given.
pub(super) fn default_of(file: &File<'_>, right: Node<'_>) -> (Option<Written>, bool) {
    if right.kind() == "ellipsis" {
        return (None, true);
    }
    if right.kind() != "call" {
        return (Some(file.values.read(right)), false);
    }
    let name = leaf(callee(right, file.values.text()));
    let arguments = Arguments::of(right, file.values.text());
    let is_field =
        matches!(name, "field" | "Field" | "ib" | "attrib" | "PrivateAttr" | "Query" | "Header" | "Body" | "Cookie" | "Form")
            || name.ends_with("Field")
            || name == "Column"
            || name == "mapped_column";
    let given = arguments.get("default").or_else(|| {
        matches!(name, "Field" | "Query" | "Header" | "Body" | "Cookie" | "Form" | "PrivateAttr")
            .then(|| arguments.positional.first().copied())
            .flatten()
    });
    if let Some(given) = given {
        return if given.kind() == "ellipsis" { (None, true) } else { (Some(file.values.read(given)), false) };
    }
    if let Some(factory) = arguments.get("default_factory").or_else(|| arguments.get("factory")) {
        return (Some(file.values.read(factory)), false);
    }
    if is_field { (None, true) } else { (Some(file.values.read(right)), false) }
}

/// Whether a statement has a decorator of that last name.
pub(super) fn has_decorator(file: &File<'_>, statement: Node<'_>, names: &[&str]) -> bool {
    decorators(statement).into_iter().any(|d| names.contains(&leaf(callee(d, file.values.text()))))
}
