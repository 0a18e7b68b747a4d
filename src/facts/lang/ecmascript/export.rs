//! What a module exports: which local names, and which names of other modules it hands on.

use std::collections::BTreeSet;

use super::File;
use super::value::unwrap;
use crate::facts::written::Projection;
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// The name in `module.exports.name` and `exports.name`.
pub(super) fn exported_property(target: &str) -> Option<&str> {
    let name = target.strip_prefix("module.exports.").or_else(|| target.strip_prefix("exports."))?;
    (!name.contains('.') && !matches!(name, "default" | "__esModule")).then_some(name)
}

/// The local names a module exports, by any syntax.
pub(super) fn names(root: Node<'_>, text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for statement in root.named() {
        match statement.kind() {
            "export_statement" => exported_names(statement, text, &mut out),
            "expression_statement" | "lexical_declaration" | "variable_declaration" => commonjs_names(statement, text, &mut out),
            _ => {}
        }
    }
    out
}

fn exported_names(statement: Node<'_>, text: &str, out: &mut BTreeSet<String>) {
    if let Some(declaration) = statement.field("declaration") {
        declared_names(declaration, text, out);
    } else if let Some(value) = statement.field("value") {
        if value.kind() == "identifier" {
            out.insert(value.text(text).to_owned());
        }
    } else if let Some(clause) = statement.child_of_kind("export_clause") {
        if statement.field("source").is_none() {
            out.extend(clause.named().iter().filter_map(|s| s.field("name")).map(|n| n.text(text).to_owned()));
        }
    } else if let Some(name) = statement.child_of_kind("identifier") {
        // `export = name`
        out.insert(name.text(text).to_owned());
    }
}

fn declared_names(declaration: Node<'_>, text: &str, out: &mut BTreeSet<String>) {
    match declaration.kind() {
        "lexical_declaration" | "variable_declaration" => {
            for declarator in declaration.named() {
                out.extend(declarator.field("name").map(|n| n.text(text).to_owned()));
            }
        }
        "ambient_declaration" => {
            for inner in declaration.named() {
                if inner.kind() != "ambient_declaration" {
                    declared_names(inner, text, out);
                }
            }
        }
        _ => out.extend(declaration.field("name").map(|n| n.text(text).to_owned())),
    }
}

/// `module.exports = name`, `module.exports = { a, b: c }`, `exports.a = b`, `var app = exports = module.exports = {}`.
fn commonjs_names(statement: Node<'_>, text: &str, out: &mut BTreeSet<String>) {
    for inner in statement.named() {
        let (left, right) = match inner.kind() {
            "assignment_expression" => (inner.field("left"), inner.field("right")),
            "variable_declarator" => (inner.field("name"), inner.field("value")),
            _ => continue,
        };
        let (Some(left), Some(right)) = (left, right) else { continue };
        let mut targets = vec![left];
        let mut value = unwrap(right);
        for _ in 0..4 {
            if value.kind() == "assignment_expression" {
                targets.extend(value.field("left"));
                value = value.field("right").map_or(value, unwrap);
            }
        }
        let is_export = targets.iter().any(|t| {
            t.byte_range().len() < 100
                && (matches!(t.text(text), "module.exports" | "exports")
                    || t.text(text).starts_with("module.exports.")
                    || t.text(text).starts_with("exports."))
        });
        if !is_export {
            continue;
        }
        out.extend(targets.iter().filter(|t| t.kind() == "identifier").map(|t| t.text(text).to_owned()));
        match value.kind() {
            "identifier" => {
                out.insert(value.text(text).to_owned());
            }
            "object" => {
                for item in value.named() {
                    let local = match item.kind() {
                        "shorthand_property_identifier" => Some(item),
                        "pair" => item.field("value").filter(|v| v.kind() == "identifier"),
                        _ => None,
                    };
                    out.extend(local.map(|n| n.text(text).to_owned()));
                }
            }
            _ => {}
        }
    }
}

/// Records the names a module hands on under its own.
pub(super) fn read(file: &File<'_>, root: Node<'_>, sink: &mut FactSink<'_>) {
    for statement in root.named() {
        match statement.kind() {
            "export_statement" => {
                if let Some(clause) = statement.child_of_kind("export_clause") {
                    for specifier in clause.named().into_iter().filter(|n| n.kind() == "export_specifier") {
                        let name = specifier.field("alias").or_else(|| specifier.field("name"));
                        push(file, name, specifier, sink);
                    }
                }
                let namespace = statement.child_of_kind("namespace_export").and_then(|n| n.named_child(0));
                push(file, namespace, statement, sink);
            }
            "expression_statement" => {
                for assignment in statement.named().into_iter().filter(|n| n.kind() == "assignment_expression") {
                    commonjs(file, assignment, sink);
                }
            }
            _ => {}
        }
    }
}

fn commonjs(file: &File<'_>, assignment: Node<'_>, sink: &mut FactSink<'_>) {
    let (Some(left), Some(right)) = (assignment.field("left"), assignment.field("right")) else { return };
    if left.byte_range().len() > 200 {
        return;
    }
    let target = file.text(left);
    if exported_property(target).is_some() && matches!(right.kind(), "identifier" | "member_expression" | "call_expression") {
        return push(file, left.field("property"), assignment, sink);
    }
    let mut right = unwrap(right);
    for _ in 0..4 {
        if right.kind() == "assignment_expression" {
            right = right.field("right").map_or(right, unwrap);
        }
    }
    if !matches!(target, "module.exports" | "exports") || right.kind() != "object" {
        return;
    }
    for item in right.named() {
        match item.kind() {
            "shorthand_property_identifier" => push(file, Some(item), item, sink),
            "pair" => {
                let is_name = item
                    .field("value")
                    .is_some_and(|v| matches!(v.kind(), "identifier" | "member_expression" | "call_expression"));
                push(file, item.field("key").filter(|_| is_name), item, sink);
            }
            _ => {}
        }
    }
}

/// Records a re-export, unless the name is not plain.
fn push(file: &File<'_>, name: Option<Node<'_>>, at: Node<'_>, sink: &mut FactSink<'_>) {
    let Some(name) = name.and_then(|n| file.values.key(n)).filter(|n| n != "default") else { return };
    sink.push(NewFact::new(FactKind::Symbol, &file.owner, name, Projection::declared("reexport"), at.span()));
}
