//! What stands at the top level of a module or namespace.

use super::File;
use super::function::{annotation, signature};
use super::value::{arguments, unwrap};
use super::{class, export, schema, table, types};
use crate::facts::written::Projection;
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep namespaces are read.
const MAX_NAMESPACES: usize = 4;

/// Reads the definitions of a module.
pub(super) fn read(file: &File<'_>, root: Node<'_>, sink: &mut FactSink<'_>) {
    block(file, "", root, MAX_NAMESPACES, sink);
}

fn block(file: &File<'_>, prefix: &str, block: Node<'_>, depth: usize, sink: &mut FactSink<'_>) {
    for statement in block.named() {
        one(file, prefix, statement, depth, sink);
    }
}

fn one(file: &File<'_>, prefix: &str, statement: Node<'_>, depth: usize, sink: &mut FactSink<'_>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let qualified = |own: &str| if prefix.is_empty() { own.to_owned() } else { format!("{prefix}.{own}") };
    let named = || statement.field("name").map(|n| qualified(file.text(n)));
    match statement.kind() {
        "export_statement" => {
            if let Some(declaration) = statement.field("declaration") {
                one(file, prefix, declaration, depth + 1, sink);
            } else if let Some(value) = statement.field("value") {
                default_export(file, value, sink);
            }
        }
        "ambient_declaration" => {
            for inner in statement.named() {
                if inner.kind() == "statement_block" {
                    block(file, prefix, inner, depth, sink);
                } else {
                    one(file, prefix, inner, depth + 1, sink);
                }
            }
        }
        "module" => {
            // `declare module "x"` adds to another module.
            if let Some(body) = statement.field("body") {
                block(file, prefix, body, depth, sink);
            }
        }
        "internal_module" => {
            let (Some(name), Some(body)) = (named(), statement.field("body")) else { return };
            file.symbol("module", &name, statement, file.is_public(&name), sink);
            block(file, &name, body, depth, sink);
        }
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            let Some(name) = named() else { return };
            function(file, &name, statement, statement, sink);
        }
        "class_declaration" | "abstract_class_declaration" => {
            let Some(name) = named() else { return };
            class::read(file, &name, statement, file.is_public(&name), sink);
        }
        "interface_declaration" => {
            let Some(name) = named() else { return };
            types::interface(file, &name, statement, file.is_public(&name), sink);
        }
        "type_alias_declaration" => {
            let Some(name) = named() else { return };
            types::alias(file, &name, statement, file.is_public(&name), sink);
        }
        "enum_declaration" => {
            let Some(name) = named() else { return };
            types::enumeration(file, &name, statement, file.is_public(&name), sink);
        }
        "lexical_declaration" | "variable_declaration" => {
            for declarator in statement.named().into_iter().filter(|n| n.kind() == "variable_declarator") {
                variable(file, prefix, declarator, sink);
            }
        }
        "expression_statement" => {
            for inner in statement.named() {
                match inner.kind() {
                    "internal_module" => one(file, prefix, inner, depth + 1, sink),
                    "assignment_expression" => assigned(file, inner, sink),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn function(file: &File<'_>, name: &str, definition: Node<'_>, function: Node<'_>, sink: &mut FactSink<'_>) {
    let public = file.is_public(name);
    let declared = if name.contains('.') && definition.kind() == "assignment_expression" { "method" } else { "function" };
    file.symbol(declared, name, definition, public, sink);
    file.signature(name, signature(file, function), definition, public, sink);
}

fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// `const name = …`.
fn variable(file: &File<'_>, prefix: &str, declarator: Node<'_>, sink: &mut FactSink<'_>) {
    let Some(own) = declarator.field("name").filter(|n| n.kind() == "identifier").map(|n| file.text(n)) else { return };
    let name = if prefix.is_empty() { own.to_owned() } else { format!("{prefix}.{own}") };
    let type_node = declarator.field("type");
    let Some(value) = declarator.field("value") else {
        if file.is_ambient {
            file.symbol("constant", &name, declarator, true, sink);
            let value = Projection::default().text("type", type_node.map(|t| annotation(file, t)).unwrap_or_default());
            sink.push(NewFact::new(FactKind::Constant, &file.owner, &name, value.build(), declarator.span()));
        }
        return;
    };
    let inner = unwrap(value);
    if is_function(inner) {
        function(file, &name, declarator, inner, sink);
    } else if inner.kind() == "class" {
        class::read(file, &name, inner, file.is_public(&name), sink);
    } else if !is_import(file, inner) {
        constant(file, &name, declarator, type_node, value, file.is_public(&name), sink);
    }
}

/// Records a constant, and what its value declares: a table or a schema.
pub(super) fn constant(
    file: &File<'_>,
    name: &str,
    definition: Node<'_>,
    type_node: Option<Node<'_>>,
    value: Node<'_>,
    public: bool,
    sink: &mut FactSink<'_>,
) {
    file.symbol("constant", name, definition, public, sink);
    let projection = Projection::default()
        .written("value", Some(file.values.read(value)))
        .text("type", type_node.map(|t| annotation(file, t)).unwrap_or_default());
    sink.push(NewFact::new(FactKind::Constant, &file.owner, name, projection.build(), definition.span()).visible(public));
    if !schema::read(file, name, value, public, sink) {
        table::read(file, name, value, public, sink);
    }
}

/// `require("x")`, also awaited, called or a property of it: another module's.
fn is_import(file: &File<'_>, value: Node<'_>) -> bool {
    let text = file.text(value);
    let text = text.strip_prefix("await ").unwrap_or(text);
    text.starts_with("require(") || text.starts_with("import(") || text.starts_with("__importDefault(")
}

/// `export default …` of something without a name.
fn default_export(file: &File<'_>, value: Node<'_>, sink: &mut FactSink<'_>) {
    table::read(file, "", value, true, sink);
}

/// Assignments at the top level: methods of prototypes and objects, `CommonJS` exports.
fn assigned(file: &File<'_>, assignment: Node<'_>, sink: &mut FactSink<'_>) {
    let (Some(left), Some(right)) = (assignment.field("left"), assignment.field("right")) else { return };
    // `exports = module.exports = x`
    let mut right = unwrap(right);
    for _ in 0..4 {
        if right.kind() == "assignment_expression" {
            right = right.field("right").map_or(right, unwrap);
        }
    }
    if left.kind() != "member_expression" || left.byte_range().len() > 200 {
        return;
    }
    let target = file.text(left);
    if target == "module.exports" {
        match right.kind() {
            "object" => table::read(file, "", right, true, sink),
            "function_expression" | "class" => {
                let Some(name) = right.field("name").map(|n| file.text(n)) else { return };
                if right.kind() == "class" {
                    class::read(file, name, right, true, sink);
                } else {
                    file.symbol("function", name, right, true, sink);
                    file.signature(name, signature(file, right), right, true, sink);
                }
            }
            _ => {}
        }
        return;
    }
    if let Some(name) = export::exported_property(target) {
        if is_function(right) {
            file.symbol("function", name, assignment, true, sink);
            return file.signature(name, signature(file, right), assignment, true, sink);
        }
        if right.kind() == "class" {
            return class::read(file, name, right, true, sink);
        }
        if right.kind() != "identifier" && right.kind() != "member_expression" && !is_import(file, right) {
            constant(file, name, assignment, None, right, true, sink);
        }
        return;
    }
    let name = target.replace(".prototype.", ".");
    if is_function(right) && name.matches('.').count() == 1 && !name.starts_with("this.") && !name.starts_with("module.") {
        function(file, &name, assignment, right, sink);
    }
}

/// The first argument of a call that is a string.
pub(super) fn first_text(file: &File<'_>, call: Node<'_>) -> Option<String> {
    file.values.string(arguments(call).first().copied()?)
}
