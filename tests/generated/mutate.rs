//! Every way to break what a schema says, found by walking the schema beside a record.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// One change of a record that its schema forbids.
pub(crate) struct Mutation {
    /// Which keyword of the schema is broken: `#/$defs/x/maxLength`.
    pub(crate) rule: String,
    /// Where the violation has to be told.
    pub(crate) pointer: String,
    /// What is replaced, by what; nothing removes it.
    at: String,
    new: Option<Value>,
}

impl Mutation {
    pub(crate) fn apply(&self, value: &Value) -> Value {
        let mut out = value.clone();
        if let (Some(new), Some(part)) = (&self.new, out.pointer_mut(&self.at)) {
            *part = new.clone();
            return out;
        }
        let (parent, key) = self.at.rsplit_once('/').expect("a field");
        let map = out.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
        match &self.new {
            Some(new) => map.insert(unescaped(key), new.clone()),
            None => map.shift_remove(&unescaped(key)),
        };
        out
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

/// Calls with every part of a value and its pointer.
pub(crate) fn each(value: &Value, look: &mut dyn FnMut(&str, &Value)) {
    fn walk(value: &Value, pointer: &str, look: &mut dyn FnMut(&str, &Value)) {
        look(pointer, value);
        match value {
            Value::Object(map) => map.iter().for_each(|(k, v)| walk(v, &format!("{pointer}/{}", escaped(k)), look)),
            Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| walk(v, &format!("{pointer}/{i}"), look)),
            _ => {}
        }
    }
    walk(value, "", look);
}

/// The keywords that are broken.
const KEYWORDS: [&str; 12] = [
    "type",
    "const",
    "enum",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minProperties",
    "additionalProperties",
];

/// Whether a keyword forbids anything.
fn is_breakable(key: &str, says: &Value) -> bool {
    match key {
        "additionalProperties" => *says == json!(false),
        "minLength" | "minItems" | "minProperties" => says.as_u64() > Some(0),
        _ => true,
    }
}

/// Whether a bound of tens of thousands belongs to a record inside of another: it is broken where that record stands alone.
fn is_of_a_part(at: &str, key: &str, says: &Value) -> bool {
    key == "maxItems" && says.as_u64() > Some(10_000) && at.starts_with("#/$defs/")
}

/// Every rule of a schema that a mutation breaks; conditions have tests of their own.
pub(crate) fn rules(schema: &Value) -> BTreeSet<String> {
    fn walk(schema: &Value, at: &str, out: &mut BTreeSet<String>) {
        let Some(map) = schema.as_object() else { return };
        for key in KEYWORDS.iter().filter(|k| map.contains_key(**k)) {
            if is_breakable(key, &map[*key]) && (at, *key) != ("#", "type") && !is_of_a_part(at, key, &map[*key]) {
                out.insert(format!("{at}/{key}"));
            }
        }
        for name in map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            out.insert(format!("{at}/required/{name}"));
        }
        for (inner, list) in [("properties", true), ("$defs", true), ("items", false), ("propertyNames", false)] {
            match map.get(inner) {
                Some(Value::Object(parts)) if list => {
                    parts.iter().for_each(|(name, part)| walk(part, &format!("{at}/{inner}/{name}"), out));
                }
                Some(part) => walk(part, &format!("{at}/{inner}"), out),
                None => {}
            }
        }
        if let Some(part) = map.get("additionalProperties").filter(|p| p.is_object()) {
            walk(part, &format!("{at}/additionalProperties"), out);
        }
    }
    let mut out = BTreeSet::new();
    walk(schema, "#", &mut out);
    out
}

/// How often each rule was broken.
pub(crate) type Seen = BTreeMap<String, usize>;

/// Times that one rule is broken; large lists are slow to read.
fn tries(key: &str, says: &Value) -> usize {
    if key == "maxItems" && says.as_u64() > Some(3000) { 1 } else { 2 }
}

/// Mutations of a record for rules that were not broken often enough.
pub(crate) fn some(schema: &Value, value: &Value, seen: &mut Seen) -> Vec<Mutation> {
    let mut walk = Walk { root: schema, seen, out: Vec::new() };
    walk.at(schema, "#", value, "");
    walk.out
}

struct Walk<'w> {
    root: &'w Value,
    seen: &'w mut Seen,
    out: Vec<Mutation>,
}

impl Walk<'_> {
    /// Whether a rule is wanted once more; counts it.
    fn wants(&mut self, rule: &str, key: &str, says: &Value) -> bool {
        let count = self.seen.entry(rule.to_owned()).or_default();
        *count += 1;
        *count <= tries(key, says)
    }

    fn at(&mut self, schema: &Value, at: &str, value: &Value, pointer: &str) {
        let Some(map) = schema.as_object() else { return };
        if let Some(target) = map.get("$ref").and_then(Value::as_str) {
            let root = self.root;
            let part = root.pointer(target.trim_start_matches('#')).unwrap_or_else(|| panic!("{target}"));
            self.at(part, target, value, pointer);
        }
        for key in KEYWORDS.iter().filter(|k| map.contains_key(**k)) {
            let rule = format!("{at}/{key}");
            // A list in place of a record is a list of records.
            if rule == "#/type"
                || !is_breakable(key, &map[*key])
                || *key == "additionalProperties"
                || !self.wants(&rule, key, &map[*key])
            {
                continue;
            }
            for new in broken(key, &map[*key], value) {
                self.out.push(Mutation {
                    rule: rule.clone(),
                    pointer: pointer.to_owned(),
                    at: pointer.to_owned(),
                    new: Some(new),
                });
            }
        }
        let speaks_of_fields = map.contains_key("properties") || map.contains_key("additionalProperties");
        if let Some(object) = value.as_object().filter(|_| speaks_of_fields) {
            self.fields(map, at, object, pointer);
        }
        if let (Some(list), Some(part)) = (value.as_array(), map.get("items")) {
            for (index, inner) in list.iter().enumerate() {
                self.at(part, &format!("{at}/items"), inner, &format!("{pointer}/{index}"));
            }
        }
    }

    fn fields(&mut self, map: &Map<String, Value>, at: &str, object: &Map<String, Value>, pointer: &str) {
        let says = map.get("additionalProperties");
        if says == Some(&json!(false)) {
            let rule = format!("{at}/additionalProperties");
            if self.wants(&rule, "additionalProperties", &json!(false)) {
                for name in ["unknown", "a/b~c", "Type"] {
                    let field = format!("{pointer}/{}", escaped(name));
                    self.out.push(Mutation { rule: rule.clone(), pointer: field.clone(), at: field, new: Some(json!(1)) });
                }
            }
        }
        for name in map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            let rule = format!("{at}/required/{name}");
            if self.wants(&rule, "required", &Value::Null) {
                self.out.push(Mutation { rule, pointer: pointer.to_owned(), at: format!("{pointer}/{name}"), new: None });
            }
        }
        if let Some(rules) = map.get("propertyNames") {
            let value = object.values().next().cloned().unwrap_or_else(|| json!("1"));
            let most = rules.get("maxLength").and_then(Value::as_u64).unwrap_or(0);
            for (key, name) in
                [("minLength", String::new()), ("maxLength", "k".repeat(usize::try_from(most + 1).expect("small")))]
            {
                let rule = format!("{at}/propertyNames/{key}");
                if rules.get(key).is_some() && self.wants(&rule, key, &Value::Null) {
                    let field = format!("{pointer}/{name}");
                    self.out.push(Mutation { rule, pointer: field.clone(), at: field, new: Some(value.clone()) });
                }
            }
        }
        let properties = map.get("properties").and_then(Value::as_object);
        for (key, inner) in object {
            let field = format!("{pointer}/{}", escaped(key));
            match (properties.and_then(|p| p.get(key)), says) {
                (Some(part), _) => self.at(part, &format!("{at}/properties/{key}"), inner, &field),
                (None, Some(part)) if part.is_object() => self.at(part, &format!("{at}/additionalProperties"), inner, &field),
                (None, _) if says.is_none() => {}
                (None, _) => panic!("{field} is in no schema"),
            }
        }
    }
}

/// Values that a keyword forbids, in place of one that it allows.
fn broken(key: &str, says: &Value, value: &Value) -> Vec<Value> {
    let size = || usize::try_from(says.as_u64().expect("a number")).expect("small");
    match key {
        "type" => {
            let types: Vec<&str> =
                says.as_str().into_iter().chain(says.as_array().into_iter().flatten().filter_map(Value::as_str)).collect();
            let has = |name: &str| types.contains(&name);
            [
                ("null", json!(null)),
                ("string", json!("text")),
                ("boolean", json!(true)),
                ("number", json!(1.5)),
                ("object", json!({})),
                ("array", json!([])),
            ]
            .into_iter()
            .filter(|(name, _)| !has(name))
            .map(|(_, new)| new)
            .collect()
        }
        "const" => vec![says.as_str().map_or_else(|| json!(7), |text| json!(format!("{text}x")))],
        "enum" => vec![json!("no-such-word"), json!("")],
        "pattern" => {
            let text = value.as_str().unwrap_or_default();
            vec![json!(""), json!("!"), json!(format!("{text}\n")), json!(format!(" {text}")), json!(text.to_uppercase() + "G")]
        }
        "minLength" if size() > 0 => vec![json!("x".repeat(size() - 1))],
        "maxLength" => vec![json!("x".repeat(size() + 1)), json!("😀".repeat(size() / 2 + 1))],
        "minimum" => vec![json!(says.as_i64().expect("whole") - 1), json!(-1e9)],
        "maximum" => vec![json!(says.as_i64().expect("whole") + 1), json!(1e300)],
        "minItems" if size() > 0 => vec![json!([])],
        "maxItems" => {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let Some(least) = items.iter().min_by_key(|i| i.to_string().len()) else { return Vec::new() };
            let mut list = items.to_vec();
            list.resize(size() + 1, least.clone());
            vec![Value::Array(list)]
        }
        "minProperties" if size() > 0 => vec![json!({})],
        _ => Vec::new(),
    }
}
