//! Fields of structs as configuration keys: wire names, defaults from `Default`, serde and constant struct literals.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::attributes::{Item, items, last_segment, string};
use super::literal::Literals;
use super::shapes::{Field, MAX_MODULES, Record, Shapes, default_expression, inner_type, is_serde, tail_expression, wire_names};
use crate::facts::lang::compose::Containers;
use crate::facts::reading::{Object, Reading, fold_text};
use crate::facts::{FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// Deepest nesting of struct literals that is read.
const MAX_NESTING: usize = 12;

/// A default found in a struct literal.
struct Written<'t> {
    value: Reading,
    span: ByteSpan,
    /// The literal's type and the fields from there, for the wire path.
    root: &'t str,
    path: Vec<&'t str>,
}

/// Records the settings of a file.
pub(super) fn extract<'t>(
    source: &Source<'_>,
    root: Node<'t>,
    text: &'t str,
    shapes: &Shapes<'t>,
    literals: &Literals<'t>,
    sink: &mut FactSink<'_>,
) {
    let mut reader = Reader { text, shapes, literals, defaults: BTreeMap::new(), functions: BTreeMap::new() };
    reader.container(root, 0);
    let owner = source.module_owner();
    let containers = containers(shapes);
    for record in &shapes.records {
        let wired = is_wired(record);
        for field in &record.fields {
            let name = format!("{}.{}", record.name, field.name);
            let default = reader.defaults.remove(&name);
            let value = reader.field(record, field, default.map(|d| d.value));
            let mut aliases = Vec::new();
            if wired {
                aliases = wire_names(&record.attributes, &field.attributes, field.name, false);
                let paths = aliases.first().map(|wire| containers.paths(record.name, wire));
                aliases.extend(paths.unwrap_or_default());
            }
            let public = wired || (record.public && field.public);
            sink.push(NewFact::new(FactKind::ConfigKey, &owner, name, value, field.span).visible(public).aliases(aliases));
        }
    }
    for (name, default) in std::mem::take(&mut reader.defaults) {
        let mut value = Object::new();
        default.value.store(&mut value, "default");
        sink.push(NewFact::new(FactKind::ConfigKey, &owner, name, Value::Object(value), default.span).aliases(wire_path(
            shapes,
            default.root,
            &default.path,
        )));
    }
}

/// Which serialised structs of the file hold which others.
fn containers<'t>(shapes: &Shapes<'t>) -> Containers<'t> {
    let mut containers = Containers::default();
    let wired: BTreeSet<&str> = shapes.records.iter().filter(|r| is_wired(r)).map(|r| r.name).collect();
    for record in shapes.records.iter().filter(|r| wired.contains(r.name)) {
        for field in &record.fields {
            let inner = inner_type(field.kind);
            if wired.contains(inner) && !field.attributes.of(&["serde"]).any(|a| a.key == "flatten") {
                let wire = wire_names(&record.attributes, &field.attributes, field.name, false).swap_remove(0);
                containers.add(record.name, wire, inner);
            }
        }
    }
    containers
}

/// Whether a struct has a serialised form.
fn is_wired(record: &Record<'_>) -> bool {
    is_serde(&record.attributes)
        || record.attributes.of(&["serde"]).next().is_some()
        || record.fields.iter().any(|f| f.attributes.of(&["serde"]).next().is_some())
}

/// The serialised path of nested fields, where each type on the way stands in the file.
fn wire_path(shapes: &Shapes<'_>, root: &str, path: &[&str]) -> Option<String> {
    let mut record = shapes.record(root).filter(|r| is_wired(r))?;
    let mut out = Vec::new();
    for (i, name) in path.iter().enumerate() {
        let field = record.fields.iter().find(|f| f.name == *name)?;
        let wire = wire_names(&record.attributes, &field.attributes, field.name, false);
        out.push(wire.into_iter().next().unwrap_or_else(|| field.name.to_owned()));
        if i + 1 < path.len() {
            record = shapes.record(last_segment(inner_type(field.kind)))?;
        }
    }
    Some(out.join("."))
}

struct Reader<'a, 't> {
    text: &'t str,
    shapes: &'a Shapes<'t>,
    literals: &'a Literals<'t>,
    defaults: BTreeMap<String, Written<'t>>,
    /// The value a function without parameters ends in, by name and by `Type::name`.
    functions: BTreeMap<String, Node<'t>>,
}

impl<'t> Reader<'_, 't> {
    fn container(&mut self, parent: Node<'t>, depth: usize) {
        if depth > MAX_MODULES {
            return;
        }
        for Item { node, .. } in items(parent, self.text) {
            match node.kind() {
                "impl_item" => self.implementation(node),
                "const_item" | "static_item" => self.constant(node),
                "function_item" => self.function(node, ""),
                "mod_item" => {
                    if let Some(body) = node.field("body") {
                        self.container(body, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, node: Node<'t>, subject: &str) {
        let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else { return };
        if node.field("parameters").is_none_or(|p| p.named_child_count() > 0) {
            return;
        }
        let name = name.text(self.text);
        let name = if subject.is_empty() { name.to_owned() } else { format!("{subject}::{name}") };
        if let Some(value) = tail_expression(body).filter(|_| body.named().iter().filter(|n| !n.is_extra()).count() == 1) {
            self.functions.entry(name).or_insert(value);
        }
    }

    fn implementation(&mut self, node: Node<'t>) {
        if let Some((subject, value)) = default_expression(node, self.text)
            && let Some((kind, body)) = struct_literal(value, self.text)
            && (kind == "Self" || kind == subject)
        {
            self.literal(subject, &mut Vec::new(), subject, subject, body);
        }
        let (Some(subject), Some(body)) = (node.field("type"), node.field("body")) else { return };
        let subject = last_segment(subject.text(self.text));
        for Item { node, .. } in items(body, self.text) {
            match node.kind() {
                "function_item" => self.function(node, subject),
                "const_item" => self.constant(node),
                _ => {}
            }
        }
    }

    /// `const DEFAULT: Config = Config { .. }` states defaults of `Config`; any other constant is a table of its own.
    fn constant(&mut self, node: Node<'t>) {
        let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else { return };
        let Some((kind, body)) = struct_literal(value, self.text) else { return };
        let name = name.text(self.text);
        if name.to_ascii_uppercase().contains("DEFAULT") && kind != "Self" {
            self.literal(kind, &mut Vec::new(), kind, kind, body);
        } else if self.shapes.record(kind).is_some() {
            self.literal(name, &mut Vec::new(), kind, kind, body);
        }
    }

    /// Reads a struct literal: `prefix` names it, `root` and `path` lead to it through types, `kind` is its own type.
    fn literal(&mut self, prefix: &str, path: &mut Vec<&'t str>, root: &'t str, kind: &'t str, body: Node<'t>) {
        if path.len() > MAX_NESTING {
            return;
        }
        for field in body.named() {
            let (Some(name), Some(value)) = (field.field("field"), field.field("value")) else { continue };
            let ident = name.text(self.text).trim_start_matches("r#");
            path.push(ident);
            if let Some((inner, nested)) = struct_literal(value, self.text) {
                self.literal(prefix, path, root, inner, nested);
            } else if let Some(reading) = self.value(kind, ident, value) {
                let full = format!("{prefix}.{}", path.join("."));
                let default = Written { value: reading, span: field.span(), root, path: path.clone() };
                self.defaults.entry(full).or_insert(default);
            }
            path.pop();
        }
    }

    fn value(&self, kind: &str, ident: &str, value: Node<'t>) -> Option<Reading> {
        if value.text(self.text).trim_end() == "Default::default()" {
            let record = self.shapes.record(kind)?;
            let field = record.fields.iter().find(|f| f.name == ident)?;
            return self.type_default(field);
        }
        Some(self.literals.read(value))
    }

    /// What `Default` gives a field of an enum of this file.
    fn type_default(&self, field: &Field<'t>) -> Option<Reading> {
        match self.literals.read_text(&format!("{}::default()", field.kind)) {
            Reading::Literal(value) => Some(Reading::Literal(value)),
            Reading::Computed(_) => None,
        }
    }

    fn field(&self, record: &Record<'t>, field: &Field<'t>, default: Option<Reading>) -> Value {
        let mut value = Object::new();
        value.insert("type".to_owned(), fold_text(field.kind).into());
        let serde: Vec<_> = field.attributes.of(&["serde"]).collect();
        let whole = record.attributes.of(&["serde"]).any(|a| a.key == "default");
        let marked = serde.iter().find(|a| a.key == "default");
        let own = marked.and_then(|a| string(a.value?)).map(|path| self.called(&path, record));
        let derived = (marked.is_some() || record.attributes.derives("Default")).then(|| self.type_default(field)).flatten();
        if let Some(reading) = own.or(default).or(derived) {
            reading.store(&mut value, "default");
        }
        if record.attributes.derives("Deserialize") {
            let skipped = serde.iter().any(|a| matches!(a.key, "skip" | "skip_deserializing" | "flatten"));
            if !skipped && !whole && marked.is_none() && !field.kind.starts_with("Option<") {
                value.insert("required".to_owned(), true.into());
            }
        }
        if let Some(enumeration) = self.shapes.enumeration_of(last_segment(inner_type(field.kind))) {
            let names: Option<Vec<String>> =
                enumeration.variants.iter().map(|v| super::shapes::wire_variant(enumeration, v)).collect();
            if let Some(names) = names.filter(|n| !n.is_empty()) {
                value.insert("choices".to_owned(), names.into());
            }
        }
        Value::Object(value)
    }

    /// The value of `#[serde(default = "path")]`.
    fn called(&self, path: &str, record: &Record<'t>) -> Reading {
        let local = path.strip_prefix("Self::").map(|rest| format!("{}::{rest}", record.name));
        let key = local.as_deref().unwrap_or_else(|| path.trim_start_matches("self::"));
        self.functions.get(key).map_or_else(|| Reading::computed(&format!("{path}()")), |value| self.literals.read(*value))
    }
}

/// A struct literal, looked at through `Some`, `Box::new` and the like: its type's last segment and its fields.
fn struct_literal<'t>(node: Node<'t>, text: &'t str) -> Option<(&'t str, Node<'t>)> {
    let mut node = node;
    for _ in 0..4 {
        match node.kind() {
            "struct_expression" => return Some((last_segment(node.field("name")?.text(text)), node.field("body")?)),
            "reference_expression" => node = node.field("value")?,
            "call_expression" => {
                let function = last_segment(node.field("function")?.text(text));
                let arguments = node.field("arguments")?;
                if !matches!(function, "Some" | "new" | "from") || arguments.named_child_count() != 1 {
                    return None;
                }
                node = arguments.named_child(0)?;
            }
            _ => return None,
        }
    }
    None
}
