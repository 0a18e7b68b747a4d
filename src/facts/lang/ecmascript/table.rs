//! Constant tables: options with their defaults, error codes, objects of functions.

use super::File;
use super::function::signature;
use super::module::first_text;
use super::value::unwrap;
use crate::facts::written::{Projection, Written, is_option_name, is_upper};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep nested tables are read.
const MAX_TABLES: usize = 6;

/// Records what a constant object declares; keys of one without a name stand alone.
pub(super) fn read(file: &File<'_>, name: &str, value: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
    let Some(object) = file.values.object(value) else { return };
    let mut rows = Vec::new();
    collect(file, name, object, MAX_TABLES, &mut rows);
    let has_default = rows.iter().any(|row| matches!(&row.entry, Entry::Value(Written::Literal(_))));
    for Row { path, node, entry } in rows {
        match entry {
            Entry::Value(written) => {
                if has_default {
                    let value = Projection::default().written("default", Some(written)).build();
                    sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, path, value, node.span()).visible(public));
                }
            }
            Entry::Description(value) => {
                sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, path, value.build(), node.span()).visible(public));
            }
            Entry::Code(code) => file.symbol("constant", &code, node, public, sink),
            Entry::Function(function) => {
                let declared = if name.is_empty() { "function" } else { "method" };
                file.symbol(declared, &path, node, public, sink);
                file.signature(&path, signature(file, function), node, public, sink);
            }
        }
    }
}

/// One entry of a table.
struct Row<'t> {
    path: String,
    node: Node<'t>,
    entry: Entry<'t>,
}

enum Entry<'t> {
    Value(Written),
    /// `{ description: "…", type: "int", default: 80 }`.
    Description(Projection),
    /// `CODE: createError("CODE", …)`.
    Code(String),
    Function(Node<'t>),
}

fn collect<'t>(file: &File<'_>, prefix: &str, object: Node<'t>, depth: usize, rows: &mut Vec<Row<'t>>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for item in object.named() {
        let key = item.field("key").or_else(|| item.field("name"));
        let Some(key) = key.and_then(|k| file.values.key(k)).filter(|k| is_option_name(k)) else { continue };
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        let is_top = depth + 1 == MAX_TABLES;
        if item.kind() == "method_definition" {
            if is_top {
                rows.push(Row { path, node: item, entry: Entry::Function(item) });
            }
            continue;
        }
        let Some(value) = item.field("value").map(unwrap).filter(|_| item.kind() == "pair") else { continue };
        match value.kind() {
            "arrow_function" | "function_expression" | "generator_function" => {
                if is_top {
                    rows.push(Row { path, node: item, entry: Entry::Function(value) });
                }
            }
            "class" => {}
            "call_expression" | "new_expression" if is_upper(&key) && first_text(file, value).as_deref() == Some(&key) => {
                rows.push(Row { path, node: item, entry: Entry::Code(key) });
            }
            _ => match file.values.object(value).filter(|inner| inner.named_child_count() > 0) {
                Some(inner) => match description(file, inner) {
                    Some(projection) => rows.push(Row { path, node: item, entry: Entry::Description(projection) }),
                    None => collect(file, &path, inner, depth, rows),
                },
                None => rows.push(Row { path, node: item, entry: Entry::Value(file.values.read(value)) }),
            },
        }
    }
}

/// The setting that an object describes, if it is a description.
fn description(file: &File<'_>, object: Node<'_>) -> Option<Projection> {
    let entries = file.values.entries(object);
    let get = |names: &[&str]| entries.iter().find(|(key, _)| names.contains(&key.as_str())).map(|(_, value)| *value);
    let is_described = get(&["description", "desc", "describe"])
        .is_some_and(|d| file.values.string(d).is_some() || d.kind() == "template_string");
    if !is_described && (get(&["type"]).is_none() || get(&["default"]).is_none()) {
        return None;
    }
    Some(
        Projection::default()
            .text("type", get(&["type"]).and_then(|t| file.values.string(t)).unwrap_or_default())
            .written("default", get(&["default"]).map(|d| file.values.read(d)))
            .yes("required", get(&["required"]).is_some_and(|r| r.kind() == "true"))
            .list("choices", get(&["choices", "enum"]).map(|c| file.values.items(c)).unwrap_or_default()),
    )
}
