//! JSON Schema: what it says of each property, under the property's path. References inside the file are followed.

use serde_json::Value;

use super::tree::{Item, Shape};
use crate::facts::reading::{Object, Reading};
use crate::facts::{FactSink, MAX_FACTS, NewFact, Source};
use crate::model::{ByteSpan, FactKind};

/// Deepest nesting of properties and references.
const MAX_DEPTH: usize = 12;

/// Whether a document is a schema and not a file that follows one.
pub(super) fn is_schema(document: &Item) -> bool {
    let meta = document.at(&["$schema"]).and_then(Item::text).is_some_and(|s| s.contains("json-schema.org/"));
    let object = document.at(&["type"]).and_then(Item::text) == Some("object")
        || document.entry("definitions").is_some()
        || document.entry("$defs").is_some();
    meta || (object && document.at(&["properties"]).is_some_and(|p| matches!(p.shape, Shape::Map(_))))
}

/// Records the properties of a schema.
pub(super) fn extract(source: &Source<'_>, root: &Item, sink: &mut FactSink<'_>) {
    let mut walk = Walk { root, text: source.text(), owner: source.file_owner(), stack: Vec::new(), visits: 0 };
    let target = walk.resolve(root);
    walk.properties(target, "", sink);
}

struct Walk<'i> {
    root: &'i Item,
    text: &'i str,
    owner: String,
    /// The schemas whose properties are being read: a schema that contains itself is not followed again.
    stack: Vec<ByteSpan>,
    visits: usize,
}

impl<'i> Walk<'i> {
    fn properties(&mut self, schema: &'i Item, path: &str, sink: &mut FactSink<'_>) {
        self.visits += 1;
        if self.stack.len() >= MAX_DEPTH || self.visits > MAX_FACTS || self.stack.contains(&schema.span) {
            return;
        }
        self.stack.push(schema.span);
        let required = schema.at(&["required"]).map(Item::texts).unwrap_or_default();
        for entry in schema.at(&["properties"]).map(Item::entries).unwrap_or_default() {
            let path = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
            let target = self.resolve(&entry.item);
            let value = self.describe(&entry.item, target, required.contains(&entry.key));
            sink.push(NewFact::new(FactKind::ConfigKey, &self.owner, &path, Value::Object(value), entry.span));
            self.properties(target, &path, sink);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            for part in schema.at(&[key]).map(Item::elements).unwrap_or_default() {
                let target = self.resolve(part);
                self.properties(target, path, sink);
            }
        }
        if let Some(items) = schema.at(&["items"]) {
            let target = self.resolve(items);
            self.properties(target, path, sink);
        }
        if let Some(values) = schema.at(&["additionalProperties"]).filter(|_| !path.is_empty()) {
            let target = self.resolve(values);
            self.properties(target, &format!("{path}.*"), sink);
        }
        self.stack.pop();
    }

    /// The schema behind references inside the file.
    fn resolve(&self, schema: &'i Item) -> &'i Item {
        let mut schema = schema;
        for _ in 0..MAX_DEPTH {
            let Some(pointer) = schema.at(&["$ref"]).and_then(Item::text).and_then(|r| r.strip_prefix('#')) else { break };
            let keys: Vec<String> =
                pointer.split('/').filter(|k| !k.is_empty()).map(|k| k.replace("~1", "/").replace("~0", "~")).collect();
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let Some(target) = self.root.at(&keys) else { break };
            schema = target;
        }
        schema
    }

    /// What a property's schema says; `own` is what stands beside a reference.
    fn describe(&self, own: &'i Item, target: &'i Item, required: bool) -> Object {
        let mut value = Object::new();
        let find = |key: &str| own.at(&[key]).or_else(|| target.at(&[key]));
        if let Some(kind) = find("type").map(Item::texts).filter(|t| !t.is_empty()) {
            value.insert("type".to_owned(), kind.join(" | ").into());
        }
        if let Some(default) = find("default") {
            let reading = default.literal().map_or_else(|| Reading::computed(default.span.of(self.text)), Reading::Literal);
            reading.store(&mut value, "default");
        }
        let choices = self.choices(target, 0).unwrap_or_default();
        if !choices.is_empty() {
            value.insert("choices".to_owned(), choices.into());
        }
        if required {
            value.insert("required".to_owned(), true.into());
        }
        value
    }

    /// The values a schema lets in, where it lists them all; `null` aside.
    fn choices(&self, schema: &'i Item, depth: usize) -> Option<Vec<Value>> {
        if depth > MAX_DEPTH / 2 {
            return None;
        }
        if let Some(list) = schema.at(&["enum"]) {
            let values: Option<Vec<Value>> = list.elements().iter().map(|i| i.value().cloned()).collect();
            return values.map(|v| v.into_iter().filter(|v| !v.is_null()).collect());
        }
        if let Some(constant) = schema.at(&["const"]) {
            return constant.value().map(|v| vec![v.clone()]);
        }
        if schema.at(&["type"]).and_then(Item::text) == Some("null") {
            return Some(Vec::new());
        }
        let parts = ["oneOf", "anyOf", "allOf"].iter().find_map(|key| schema.at(&[key]).map(Item::elements))?;
        if parts.len() > 256 {
            return None;
        }
        let lists: Option<Vec<Vec<Value>>> = parts.iter().map(|p| self.choices(self.resolve(p), depth + 1)).collect();
        lists.map(|l| l.into_iter().flatten().collect())
    }
}
