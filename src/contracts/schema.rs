//! Schemas of draft 2020-12, generated from the types and tidied: optional fields may be absent but not `null`, unit
//! enums are lists of words, and no format that only Rust knows. Lengths are counted as JavaScript counts them, for the
//! records are shared with readers in that language.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Keyword, ValidationError, Validator};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::json::quoted;
use super::report::{Checks, Rule};

/// The schema of a type as it is published.
pub fn published<T: JsonSchema>(id: &str, title: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let schema: Schema = generator.into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    tidy(&mut schema);
    if let Value::Object(body) = schema {
        let mut out = Map::new();
        out.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        out.insert("$id".to_owned(), json!(id));
        out.insert("title".to_owned(), json!(title));
        out.extend(body.into_iter().filter(|(key, _)| key != "$schema" && key != "title"));
        schema = Value::Object(out);
    }
    schema
}

/// Puts one schema in the place of a property of another; what it defines is added to the other's definitions.
pub(super) fn graft(schema: &mut Value, property: &str, name: &str, mut part: Value) {
    let Some(part_map) = part.as_object_mut() else { return };
    let description = schema.pointer(&format!("/properties/{property}/description")).cloned();
    part_map.remove("$schema");
    part_map.remove("$id");
    let inner = part_map.remove("$defs");
    let Some(root) = schema.as_object_mut() else { return };
    if let Some(defs) = root.entry("$defs").or_insert_with(|| json!({})).as_object_mut() {
        defs.extend(inner.and_then(|d| d.as_object().cloned()).unwrap_or_default());
        defs.insert(name.to_owned(), part);
        defs.sort_keys();
    }
    if let Some(properties) = root.get_mut("properties").and_then(Value::as_object_mut) {
        let mut reference = json!({"$ref": format!("#/$defs/{name}")});
        if let (Some(map), Some(description)) = (reference.as_object_mut(), description) {
            map.insert("description".to_owned(), description);
        }
        properties.insert(property.to_owned(), reference);
    }
}

/// Rewrites what the generator writes for Rust into what the contract says. The schemas are as deep as the types.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(tidy),
        Value::Object(map) => {
            words(map);
            optional(map);
            if map.contains_key("const") {
                map.remove("minimum");
            }
            if let Some(most) = most(map) {
                map.entry("maximum").or_insert(most);
            }
            if map
                .get("format")
                .and_then(Value::as_str)
                .is_some_and(|f| f.starts_with("uint") || f.starts_with("int") || f == "double")
            {
                map.remove("format");
            }
            for (key, value) in map.iter_mut() {
                // What is a value and no schema stays as it is.
                if matches!(key.as_str(), "const" | "enum" | "default" | "examples" | "required") {
                    continue;
                }
                if let Some(whole) = value.as_f64().filter(|n| value.is_f64() && n.fract() == 0.0 && n.abs() < 1e9) {
                    #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
                    let whole = whole as i64;
                    *value = json!(whole);
                }
                tidy(value);
            }
        }
        _ => {}
    }
}

/// The largest number that the type of a field holds; of numbers of 64 bits, the largest that JSON shares exactly.
fn most(map: &Map<String, Value>) -> Option<Value> {
    match map.get("format")?.as_str()? {
        "uint32" => Some(json!(u32::MAX)),
        "uint" | "uint64" => Some(json!(9_007_199_254_740_991_u64)),
        _ => None,
    }
    .filter(|_| !map.contains_key("const"))
}

/// `oneOf` documented constants becomes an enum; what each word means goes into the description.
fn words(map: &mut Map<String, Value>) {
    let Some(list) = map.get("oneOf").and_then(Value::as_array) else { return };
    let mut names = Vec::new();
    let mut meanings = Vec::new();
    for choice in list {
        let plain =
            choice.get("enum").and_then(Value::as_array).cloned().or_else(|| choice.get("const").map(|c| vec![c.clone()]));
        let Some(plain) = plain.filter(|_| choice.get("type").and_then(Value::as_str) == Some("string")) else { return };
        if let (Some(meaning), [word]) = (choice.get("description").and_then(Value::as_str), plain.as_slice()) {
            meanings.push(format!("`{}`: {}", word.as_str().unwrap_or_default(), meaning));
        }
        names.extend(plain);
    }
    map.remove("oneOf");
    map.insert("type".to_owned(), json!("string"));
    if !meanings.is_empty() {
        let above = map.get("description").and_then(Value::as_str).unwrap_or_default();
        let all = [above.to_owned(), meanings.join(" ")].join(" ").trim().to_owned();
        map.insert("description".to_owned(), json!(all));
    }
    map.insert("enum".to_owned(), Value::Array(names));
}

/// An optional property may be absent; `null` is no value of it.
fn optional(map: &mut Map<String, Value>) {
    let required: Vec<String> = map
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|r| r.as_str().map(str::to_owned))
        .collect();
    let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties.iter_mut().filter(|(name, _)| !required.contains(name)) {
        let Some(property) = property.as_object_mut() else { continue };
        if property.get("default") == Some(&Value::Null) {
            property.remove("default");
        }
        if let Some(types) = property.get_mut("type").and_then(Value::as_array_mut) {
            types.retain(|t| t != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                property.insert("type".to_owned(), only);
            }
        }
        let choices = property.get("anyOf").and_then(Value::as_array);
        if let Some([one, null]) = choices.map(Vec::as_slice)
            && null == &json!({"type": "null"})
            && let Some(one) = one.as_object().cloned()
        {
            property.remove("anyOf");
            property.extend(one);
        }
        debug_assert!(!name.is_empty(), "invariant: properties have names");
    }
}

/// Compiles a schema.
pub(super) fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::draft202012::options()
        .with_keyword("maxLength", |_, limit, _| Ok(Box::new(Length { limit: units(limit), is_most: true })))
        .with_keyword("minLength", |_, limit, _| Ok(Box::new(Length { limit: units(limit), is_most: false })))
        .build(schema)
        .map_err(|error| error.to_string())
}

fn units(limit: &Value) -> usize {
    limit.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX)
}

/// Length of a text in UTF-16 units.
struct Length {
    limit: usize,
    is_most: bool,
}

impl Length {
    fn fits(&self, text: &str) -> bool {
        let length = text.encode_utf16().count();
        if self.is_most { length <= self.limit } else { length >= self.limit }
    }
}

impl<'i> Keyword<'i> for Length {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            return Ok(());
        }
        let (side, length) =
            (if self.is_most { "at most" } else { "at least" }, instance.as_str().unwrap_or("").encode_utf16().count());
        Err(ValidationError::custom(format!("{length} characters\n{side} {}", self.limit)))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(|text| self.fits(text))
    }
}

/// Adds what a schema says against a value.
pub(super) fn check(validator: &Validator, schema: &Value, value: &Value, checks: &mut Checks) {
    for error in validator.iter_errors(value) {
        report(&error, schema, value, checks);
    }
}

fn report(error: &ValidationError<'_>, schema: &Value, value: &Value, checks: &mut Checks) {
    let pointer = error.instance_path().to_string();
    let here = value.pointer(&pointer);
    let shown = here.map_or_else(String::new, show);
    let mut add = |pointer: &str, wrong: String, right: String| checks.add(Rule::Schema, pointer, wrong, right);
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = known_properties(error, schema);
            for name in unexpected {
                let at = format!("{pointer}/{}", super::json::escaped(name));
                add(&at, format!("{} is no field of this record", quoted(name)), format!("one of {known}"));
            }
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            add(
                &pointer,
                format!("the field {} is missing", quoted(name)),
                condition(error, schema, &format!("{} in this object", quoted(name))),
            );
        }
        ValidationErrorKind::FalseSchema => {
            add(&pointer, "the field does not belong here".to_owned(), condition(error, schema, "the object without it"));
        }
        ValidationErrorKind::Type { .. } => add(&pointer, format!("{shown} has the wrong type"), keyword(error, schema)),
        ValidationErrorKind::Enum { options } => {
            add(&pointer, format!("{shown} is not allowed"), format!("one of {}", list(options)));
        }
        ValidationErrorKind::Constant { expected_value } => {
            add(&pointer, format!("{shown} is not allowed"), condition(error, schema, &show(expected_value)));
        }
        ValidationErrorKind::Pattern { pattern } => {
            add(&pointer, format!("{shown} does not match"), format!("text that matches `{pattern}`"));
        }
        ValidationErrorKind::Minimum { limit } => add(&pointer, format!("{shown} is too small"), format!("{limit} or more")),
        ValidationErrorKind::Maximum { limit } => add(&pointer, format!("{shown} is too large"), format!("{limit} or less")),
        ValidationErrorKind::MinItems { limit } => add(&pointer, format!("{} items", size(here)), format!("at least {limit}")),
        ValidationErrorKind::MaxItems { limit } => add(&pointer, format!("{} items", size(here)), format!("at most {limit}")),
        ValidationErrorKind::MinProperties { limit } => {
            add(&pointer, format!("{} fields", size(here)), format!("at least {limit}"));
        }
        ValidationErrorKind::PropertyNames { error: inner } => {
            let key = inner.instance().as_str().unwrap_or_default();
            let text = inner.to_string();
            let (wrong, right) = text.split_once('\n').unwrap_or((&text, ""));
            let at = format!("{pointer}/{}", super::json::escaped(key));
            add(&at, format!("the key {}: {wrong}", quoted(key)), format!("a key of {right} characters"));
        }
        ValidationErrorKind::Custom { message, .. } => {
            let (wrong, right) = message.split_once('\n').unwrap_or((message, ""));
            add(&pointer, wrong.to_owned(), right.to_owned());
        }
        _ => add(&pointer, error.to_string(), keyword(error, schema)),
    }
}

/// What a condition of the schema demands, in its own words (`$comment` beside `then`), else the plain demand.
fn condition(error: &ValidationError<'_>, schema: &Value, plain: &str) -> String {
    let path = error.schema_path().to_string();
    let rule = path.find("/then").and_then(|at| part(schema, &path[..at]));
    match rule.and_then(|rule| rule.get("$comment")).and_then(Value::as_str) {
        Some(comment) => format!("{plain}: {comment}"),
        None => plain.to_owned(),
    }
}

/// The part of a schema that a path of evaluation leads to; references are followed.
fn part<'s>(schema: &'s Value, path: &str) -> Option<&'s Value> {
    let mut current = schema;
    for segment in path.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let next = match current {
            Value::Array(list) => list.get(segment.parse::<usize>().ok()?),
            _ if segment == "$ref" => Some(current),
            _ => current.get(&segment),
        };
        current = next?;
        if let Some(target) = current.get("$ref").and_then(Value::as_str) {
            let target = schema.pointer(target.strip_prefix('#')?)?;
            // What stands beside a reference is looked at first.
            if current.as_object().is_some_and(|map| map.len() <= 2) {
                current = target;
            }
        }
    }
    Some(current)
}

/// What the broken keyword asks for.
fn keyword(error: &ValidationError<'_>, schema: &Value) -> String {
    part(schema, &error.schema_path().to_string()).map(list).unwrap_or_default()
}

/// The fields an object may have.
fn known_properties(error: &ValidationError<'_>, schema: &Value) -> String {
    let path = error.schema_path().to_string();
    let above = path.rfind('/').map_or("", |at| &path[..at]);
    let properties = part(schema, above).and_then(|s| s.get("properties")).and_then(Value::as_object);
    properties.map(|p| p.keys().map(|k| quoted(k)).collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

/// A value in few words.
fn show(value: &Value) -> String {
    match value {
        Value::Object(_) => "the object".to_owned(),
        Value::Array(_) => "the list".to_owned(),
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

/// The values of a list, or the one value.
fn list(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().map(show).collect::<Vec<_>>().join(", "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn size(value: Option<&Value>) -> usize {
    value.map_or(0, |v| v.as_array().map_or_else(|| v.as_object().map_or(0, Map::len), Vec::len))
}
