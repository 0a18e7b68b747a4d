//! Fields of Go structs as configuration keys: names from tags, defaults from composite literals and `SetDefaults`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::literal::{Literals, base_type, is_exported, names, pairs};
use super::symbols::receiver_type;
use crate::facts::lang::compose::Containers;
use crate::facts::reading::{Object, Reading, fold_text, unescape};
use crate::facts::{FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// Deepest nesting of types and literals.
const MAX_NESTING: usize = 12;
/// Tags that name a field in a configuration file, the one used for paths first.
const TAGS: [&str; 6] = ["yaml", "toml", "mapstructure", "koanf", "json", "hcl"];

/// A field of a struct; fields of unnamed structs inside have dotted names.
struct Field<'t> {
    structure: &'t str,
    name: String,
    kind: &'t str,
    tag: String,
    span: ByteSpan,
    /// The wire names on the way to an unnamed struct.
    outer: Vec<String>,
}

struct Written {
    value: Reading,
    span: ByteSpan,
    root: String,
    path: Vec<String>,
}

/// Records the settings of a file.
pub(super) fn extract<'t>(source: &Source<'_>, root: Node<'t>, text: &'t str, literals: &Literals<'t>, sink: &mut FactSink<'_>) {
    let mut reader = Reader { text, literals, fields: Vec::new(), defaults: BTreeMap::new() };
    for node in root.named() {
        match node.kind() {
            "type_declaration" => reader.types(node),
            "var_declaration" => reader.variables(node),
            "function_declaration" => reader.function(node),
            "method_declaration" => reader.method(node),
            _ => {}
        }
    }
    reader.emit(&source.module_owner(), sink);
}

struct Reader<'a, 't> {
    text: &'t str,
    literals: &'a Literals<'t>,
    fields: Vec<Field<'t>>,
    defaults: BTreeMap<String, Written>,
}

impl<'t> Reader<'_, 't> {
    fn types(&mut self, node: Node<'t>) {
        for spec in node.named().into_iter().filter(|n| n.kind() == "type_spec") {
            if let (Some(name), Some(kind)) = (spec.field("name"), spec.field("type"))
                && kind.kind() == "struct_type"
            {
                self.structure(name.text(self.text), "", &[], kind, 0);
            }
        }
    }

    fn structure(&mut self, structure: &'t str, prefix: &str, outer: &[String], node: Node<'t>, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        let list = node.child_of_kind("field_declaration_list").map(|l| l.named()).unwrap_or_default();
        for declaration in list.into_iter().filter(|n| n.kind() == "field_declaration") {
            let Some(kind) = declaration.field("type") else { continue };
            let tag = declaration.field("tag").map_or_else(String::new, |t| tag_text(t.text(self.text)));
            let names: Vec<&'t str> = names(declaration).into_iter().map(|n| n.text(self.text)).collect();
            for name in names.into_iter().filter(|n| *n != "_") {
                let full = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
                if kind.kind() == "struct_type" {
                    let mut path = outer.to_vec();
                    path.push(wire_name(&tag, name));
                    self.structure(structure, &full, &path, kind, depth + 1);
                }
                self.fields.push(Field {
                    structure,
                    name: full,
                    kind: kind.text(self.text),
                    tag: tag.clone(),
                    span: declaration.span(),
                    outer: outer.to_vec(),
                });
            }
        }
    }

    fn variables(&mut self, node: Node<'t>) {
        for spec in node.preorder().filter(|n| n.kind() == "var_spec") {
            for (name, value) in pairs(spec) {
                if is_default_name(name.text(self.text)) {
                    self.composite(value, None);
                }
            }
        }
    }

    /// `func DefaultConfig() Config { .. }`: the literals of the type that it returns.
    fn function(&mut self, node: Node<'t>) {
        let (Some(name), Some(body), Some(result)) = (node.field("name"), node.field("body"), node.field("result")) else {
            return;
        };
        if !is_default_name(name.text(self.text)) {
            return;
        }
        let result =
            if result.kind() == "parameter_list" { result.named_child(0).and_then(|p| p.field("type")) } else { Some(result) };
        let Some(expected) = result.map(|r| base_type(r.text(self.text))) else { return };
        let mut end = 0;
        for literal in body.preorder().filter(|n| n.kind() == "composite_literal") {
            if literal.start_byte() >= end {
                end = literal.end_byte();
                self.composite(literal, Some(expected));
            }
        }
    }

    /// `func (c *Config) SetDefaults() { c.Port = 80 }`, also behind a check for the zero value.
    fn method(&mut self, node: Node<'t>) {
        let (Some(name), Some(body), Some(kind)) = (node.field("name"), node.field("body"), receiver_type(node, self.text))
        else {
            return;
        };
        if !is_default_name(name.text(self.text)) {
            return;
        }
        self.function(node);
        let receiver = node.field("receiver").and_then(|r| r.named_child(0)).and_then(|r| r.field("name"));
        let Some(receiver) = receiver.map(|r| r.text(self.text)) else { return };
        for statement in statements(body) {
            match statement.kind() {
                "assignment_statement" => self.assignment(statement, receiver, kind, None),
                "if_statement" => {
                    let checked = statement.field("condition").filter(|c| c.kind() == "binary_expression");
                    let Some(left) = checked.and_then(|c| c.field("left")).map(|l| l.text(self.text)) else { continue };
                    for inner in statement.field("consequence").map(statements).unwrap_or_default() {
                        if inner.kind() == "assignment_statement" {
                            self.assignment(inner, receiver, kind, Some(left));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn assignment(&mut self, node: Node<'t>, receiver: &str, kind: &'t str, checked: Option<&str>) {
        let single = |field: &str| node.field(field).filter(|l| l.named_child_count() == 1).and_then(|l| l.named_child(0));
        let (Some(left), Some(right)) = (single("left"), single("right")) else { return };
        if node.field("operator").is_some_and(|o| o.text(self.text) != "=") {
            return;
        }
        let target = left.text(self.text);
        let path = target.strip_prefix(receiver).and_then(|rest| rest.strip_prefix('.'));
        let Some(path) = path.filter(|p| p.split('.').all(is_identifier)) else { return };
        if checked.is_none_or(|c| c == target) {
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            self.value(kind, kind, &path, right, node.span(), 0);
        }
    }

    fn composite(&mut self, node: Node<'t>, expected: Option<&str>) {
        let node = if node.kind() == "unary_expression" { node.field("operand").unwrap_or(node) } else { node };
        let Some(kind) = node.field("type").filter(|_| node.kind() == "composite_literal") else { return };
        if !matches!(kind.kind(), "type_identifier" | "qualified_type" | "generic_type") {
            return;
        }
        let name = base_type(kind.text(self.text));
        if name.is_empty() || expected.is_some_and(|e| e != name) {
            return;
        }
        self.elements(name, name, &[], node, 0);
    }

    fn elements(&mut self, prefix: &str, root: &str, path: &[String], literal: Node<'t>, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        for element in literal.field("body").map(|b| b.named()).unwrap_or_default() {
            let (Some(key), Some(value)) = (element.field("key"), element.field("value")) else { continue };
            let Some(key) = key.named_child(0).filter(|k| k.kind() == "identifier") else { continue };
            let Some(value) = value.named_child(0) else { continue };
            let mut path = path.to_vec();
            path.push(key.text(self.text).to_owned());
            self.value(prefix, root, &path, value, element.span(), depth);
        }
    }

    fn value(&mut self, prefix: &str, root: &str, path: &[String], value: Node<'t>, span: ByteSpan, depth: usize) {
        let inner = if value.kind() == "unary_expression" { value.field("operand").unwrap_or(value) } else { value };
        let nested = inner.kind() == "composite_literal"
            && inner.field("type").is_some_and(|t| matches!(t.kind(), "type_identifier" | "qualified_type" | "struct_type"));
        if nested {
            self.elements(prefix, root, path, inner, depth + 1);
            return;
        }
        let written = Written { value: self.literals.read(value), span, root: root.to_owned(), path: path.to_vec() };
        self.defaults.entry(format!("{prefix}.{}", path.join("."))).or_insert(written);
    }

    fn emit(mut self, owner: &str, sink: &mut FactSink<'_>) {
        let mut containers = Containers::default();
        let known: BTreeSet<&str> = self.fields.iter().map(|f| f.structure).collect();
        for field in self.fields.iter().filter(|f| f.outer.is_empty()) {
            let inner = base_type(field.kind);
            if has_tag(&field.tag) && !field.kind.contains('.') && known.contains(inner) {
                containers.add(field.structure, wire_name(&field.tag, &field.name), inner);
            }
        }
        for field in &self.fields {
            let name = format!("{}.{}", field.structure, field.name);
            let mut value = Object::new();
            value.insert("type".to_owned(), fold_text(field.kind).into());
            let tagged =
                ["default", "envDefault"].iter().find_map(|key| tag_value(&field.tag, key)).map(|v| Reading::Literal(v.into()));
            if let Some(default) = self.defaults.remove(&name).map(|d| d.value).or(tagged) {
                default.store(&mut value, "default");
            }
            let leaf = field.name.rsplit('.').next().unwrap_or(&field.name);
            let mut aliases: Vec<String> = Vec::new();
            if has_tag(&field.tag) {
                let wire = wire_name(&field.tag, leaf);
                if field.outer.is_empty() {
                    aliases.push(wire.clone());
                    aliases.extend(tag_names(&field.tag));
                    aliases.extend(containers.paths(field.structure, &wire));
                } else {
                    aliases.push(format!("{}.{wire}", field.outer.join(".")));
                }
            }
            let public = !aliases.is_empty() || is_exported(leaf) && is_exported(field.structure);
            sink.push(
                NewFact::new(FactKind::ConfigKey, owner, name, Value::Object(value), field.span).visible(public).aliases(aliases),
            );
        }
        for (name, written) in std::mem::take(&mut self.defaults) {
            let alias = self.wire_path(&written.root, &written.path);
            let mut value = Object::new();
            written.value.store(&mut value, "default");
            sink.push(NewFact::new(FactKind::ConfigKey, owner, name, Value::Object(value), written.span).aliases(alias));
        }
    }

    /// The path of tags to a nested field, where each type on the way stands in the file.
    fn wire_path(&self, root: &str, path: &[String]) -> Option<String> {
        let mut structure = root;
        let mut out = Vec::new();
        for name in path {
            let field = self.fields.iter().find(|f| f.structure == structure && f.name == *name)?;
            if !has_tag(&field.tag) {
                return None;
            }
            out.push(wire_name(&field.tag, name));
            structure = if field.kind.contains('.') { "" } else { base_type(field.kind) };
        }
        Some(out.join("."))
    }
}

/// The statements of a block.
fn statements(block: Node<'_>) -> Vec<Node<'_>> {
    block.child_of_kind("statement_list").map_or_else(|| block.named(), |list| list.named())
}

fn is_default_name(name: &str) -> bool {
    name.to_ascii_lowercase().contains("default")
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn tag_text(source: &str) -> String {
    source.strip_prefix('`').and_then(|s| s.strip_suffix('`')).map_or_else(|| unescape(source.trim_matches('"')), str::to_owned)
}

/// The value of one key of a tag: `yaml:"x,omitempty"`.
pub(super) fn tag_value<'t>(tag: &'t str, key: &str) -> Option<&'t str> {
    let mut rest = tag;
    while let Some((name, after)) = rest.split_once(":\"") {
        let end = after.find('"')?;
        if name.trim() == key {
            return Some(&after[..end]);
        }
        rest = &after[end + 1..];
    }
    None
}

fn tag_names(tag: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for key in TAGS {
        let name = tag_value(tag, key).and_then(|v| v.split(',').next()).unwrap_or_default();
        if !matches!(name, "" | "-") && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn has_tag(tag: &str) -> bool {
    TAGS.iter().any(|key| tag_value(tag, key).is_some_and(|v| v != "-"))
}

/// The name for paths: the first tag's, else the field's in lower case, as the decoders of Go take it.
fn wire_name(tag: &str, field: &str) -> String {
    tag_names(tag).into_iter().next().unwrap_or_else(|| field.to_lowercase())
}
