//! Which parts of two projections differ, as JSON pointers.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::model::{Aspect, Fact};

/// Deepest level of a projection that is compared part by part; below it a difference is one aspect.
const MAX_DEPTH: usize = 32;

/// Keys that say how the rest is to be read, and are no part of what a document could state: other names of allowed values,
/// whether a method overrides one, whether a version is published.
const REMARKS: [&str; 3] = ["choiceAliases", "overrides", "published"];

/// The differing parts of two projections, in pointer order.
///
/// Arrays of objects that have a `name` are compared by name, and a new order of the names is an aspect at the array's own
/// pointer; arrays of scalars are compared as sets. A value that is computed on either side (`defaultExpr`) makes no
/// aspect: what it is at run time is not known, and a guess is worse than silence.
pub fn aspects(before: &Value, after: &Value) -> Vec<Aspect> {
    let mut out = Vec::new();
    compare("", before, after, 0, &mut out);
    // A value that is taken by its old name as well is not gone.
    let aliases = after.get("choiceAliases").and_then(Value::as_array);
    let taken = |value: &Value| aliases.is_some_and(|list| list.contains(value));
    out.retain(|a| a.after.is_some() || !a.pointer.starts_with("/choices/") || !a.before.as_ref().is_some_and(taken));
    out.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    out
}

/// Whether a pointer addresses a literal value: a default, a constant's value, a version.
pub fn is_value_pointer(pointer: &str) -> bool {
    matches!(pointer.rsplit('/').next(), Some("default" | "value" | "minimum" | "version"))
}

/// A spelling of a flag or command that is no longer accepted is an aspect `/spellings/<spelling>`.
pub(super) fn add_spellings(old: &Fact, new: &Fact, out: &mut Vec<Aspect>) {
    for spelling in old.spellings() {
        if !new.spellings().any(|s| s == spelling) {
            out.push(Aspect {
                pointer: format!("/spellings/{}", escape(spelling)),
                before: Some(Value::String(spelling.to_owned())),
                after: None,
            });
        }
    }
}

fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn push(pointer: &str, before: Option<&Value>, after: Option<&Value>, out: &mut Vec<Aspect>) {
    out.push(Aspect { pointer: pointer.to_owned(), before: before.cloned(), after: after.cloned() });
}

fn compare(pointer: &str, before: &Value, after: &Value, depth: usize, out: &mut Vec<Aspect>) {
    if before == after {
        return;
    }
    if depth >= MAX_DEPTH {
        push(pointer, Some(before), Some(after), out);
        return;
    }
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).filter(|k| !REMARKS.contains(&k.as_str())).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                if key.ends_with("Expr") {
                    continue;
                }
                let computed = format!("{key}Expr");
                if old.contains_key(&computed) || new.contains_key(&computed) {
                    continue;
                }
                let at = format!("{pointer}/{}", escape(key));
                match (old.get(key), new.get(key)) {
                    (Some(b), Some(a)) => compare(&at, b, a, depth + 1, out),
                    (b, a) => push(&at, b, a, out),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            if let (Some(b), Some(a)) = (by_name(old), by_name(new)) {
                compare_named(pointer, &b, &a, depth, out);
            } else if old.iter().chain(new).all(is_scalar) {
                for gone in old.iter().filter(|v| !new.contains(v)) {
                    push(&format!("{pointer}/{}", escape(&scalar_text(gone))), Some(gone), None, out);
                }
                for fresh in new.iter().filter(|v| !old.contains(v)) {
                    push(&format!("{pointer}/{}", escape(&scalar_text(fresh))), None, Some(fresh), out);
                }
            } else {
                push(pointer, Some(before), Some(after), out);
            }
        }
        _ => push(pointer, Some(before), Some(after), out),
    }
}

fn compare_named(pointer: &str, before: &[(&str, &Value)], after: &[(&str, &Value)], depth: usize, out: &mut Vec<Aspect>) {
    let old: BTreeMap<&str, &Value> = before.iter().copied().collect();
    let new: BTreeMap<&str, &Value> = after.iter().copied().collect();
    for (name, value) in &old {
        let at = format!("{pointer}/{}", escape(name));
        match new.get(name) {
            Some(other) => compare(&at, value, other, depth + 1, out),
            None => push(&at, Some(value), None, out),
        }
    }
    for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        push(&format!("{pointer}/{}", escape(name)), None, Some(value), out);
    }
    let order = |list: &[(&str, &Value)], other: &BTreeMap<&str, &Value>| -> Vec<Value> {
        list.iter().filter(|(n, _)| other.contains_key(n)).map(|(n, _)| Value::String((*n).to_owned())).collect()
    };
    let (b, a) = (order(before, &new), order(after, &old));
    if b != a {
        push(pointer, Some(&Value::Array(b)), Some(&Value::Array(a)), out);
    }
}

fn by_name(list: &[Value]) -> Option<Vec<(&str, &Value)>> {
    list.iter().map(|v| Some((v.get("name")?.as_str()?, v))).collect()
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(before: &Value, after: &Value, expected: &[&str]) {
        let text = |v: &Option<Value>| v.as_ref().map_or("-".to_owned(), Value::to_string);
        let found: Vec<String> =
            aspects(before, after).iter().map(|a| format!("{} {} -> {}", a.pointer, text(&a.before), text(&a.after))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn compares_parts() {
        check(&json!({"default": 30, "type": "int"}), &json!({"default": 60, "type": "int"}), &["/default 30 -> 60"]);
        check(
            &json!({"choices": ["a", "b"]}),
            &json!({"choices": ["b", "c"]}),
            &["/choices/a \"a\" -> -", "/choices/c - -> \"c\""],
        );
        check(
            &json!({"parameters": [{"name": "a"}, {"name": "b", "default": 1}]}),
            &json!({"parameters": [{"name": "b", "default": 2}, {"name": "a"}, {"name": "c"}]}),
            &[
                "/parameters [\"a\",\"b\"] -> [\"b\",\"a\"]",
                "/parameters/b/default 1 -> 2",
                "/parameters/c - -> {\"name\":\"c\"}",
            ],
        );
        check(
            &json!({"members": [{"name": "a/b", "type": "x"}]}),
            &json!({"members": []}),
            &["/members/a~1b {\"name\":\"a/b\",\"type\":\"x\"} -> -"],
        );
    }

    #[test]
    fn computed_values_make_no_aspect() {
        check(&json!({"default": 30}), &json!({"defaultExpr": "limit()"}), &[]);
        check(&json!({"defaultExpr": "a()"}), &json!({"defaultExpr": "b()"}), &[]);
    }
}
