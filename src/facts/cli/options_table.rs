//! Flags declared as a table of option descriptions: yargs' `.options({…})`, `parseArgs({ options: {…} })`.

use serde_json::Value;

use super::declared::{Flag, kebab};
use crate::facts::lang::ecmascript::value::Values;
use crate::syntax::Node;

/// Reads one description: `{ alias: "p", type: "number", default: 80, choices: […] }`.
pub(super) fn describe(values: &Values<'_>, key: &str, description: Option<Node<'_>>) -> Flag {
    let entries = description.map(|d| values.entries(d)).unwrap_or_default();
    let get = |names: &[&str]| entries.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| *value);
    let is_true = |names: &[&str]| get(names).is_some_and(|n| n.kind() == "true" || n.kind() == "string");
    let mut spellings = vec![dashed(key)];
    for alias in get(&["alias", "short", "shortFlag", "char"]).map(|n| values.texts(n)).unwrap_or_default() {
        spellings.push(dashed(&alias));
    }
    let kebab = kebab(key);
    if key.len() > 1 && kebab != key {
        spellings.push(dashed(&kebab));
    }
    let kind = get(&["type"]).and_then(|t| values.string(t));
    let default = get(&["default"]).map(|d| values.read(d));
    let is_bool = default.as_ref().and_then(|d| d.literal()).is_some_and(Value::is_boolean);
    let is_switch = match kind.as_deref() {
        Some("boolean" | "count") => true,
        Some(_) => false,
        None => is_true(&["boolean", "count"]) || is_bool,
    };
    Flag {
        spellings,
        takes_value: Some(!is_switch),
        default,
        choices: get(&["choices"]).map(|c| values.items(c)).unwrap_or_default(),
        required: is_true(&["demandOption", "demand", "required", "isRequired", "require"]),
        multiple: kind.as_deref() == Some("array") || is_true(&["array", "multiple", "isMultiple"]),
    }
}

/// A name with the dashes it is called by.
pub(super) fn dashed(name: &str) -> String {
    if name.starts_with('-') {
        name.to_owned()
    } else if name.chars().count() == 1 {
        format!("-{name}")
    } else {
        format!("--{name}")
    }
}
