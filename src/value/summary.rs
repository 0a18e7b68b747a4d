//! Short texts for people: a value, an aspect, a whole change. Bounded, on one line, never escaped here.

use serde_json::Value;

use crate::model::{Aspect, Change, ChangeOp, ChangedFact, CitedPlace, FactKind};

/// Longest value that is shown, in characters.
const MAX_VALUE: usize = 80;

/// The text on one line and no longer than a bound, cut at a character.
pub fn clip(text: &str, max: usize) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() <= max {
        return one_line;
    }
    let mut out: String = one_line.chars().take(max.saturating_sub(1)).collect();
    out.push('…');
    out
}

/// A value as code would write it.
pub fn value(value: &Value) -> String {
    match value {
        Value::String(s) if s.is_empty() => "\"\"".to_owned(),
        Value::String(s) => clip(s, MAX_VALUE),
        Value::Object(map) => match map.get("name").and_then(Value::as_str) {
            Some(name) => clip(name, MAX_VALUE),
            None => clip(&value_json(value), MAX_VALUE),
        },
        Value::Array(list) if list.iter().all(Value::is_string) => {
            clip(&list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "), MAX_VALUE)
        }
        other => clip(&value_json(other), MAX_VALUE),
    }
}

fn value_json(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// `30 -> 60`, `sink added`, `gzip removed`.
pub fn aspect(aspect: &Aspect) -> String {
    let segments = aspect.segments();
    let label = match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["value" | "version"] | ["variants" | "choices" | "members" | "spellings", _] => String::new(),
        ["default"] => "default ".to_owned(),
        ["minimum"] => "minimum ".to_owned(),
        ["parameters", name, "default"] => format!("{name} = "),
        ["parameters", name, leaf] => format!("{name} {leaf} "),
        ["parameters"] => "parameter order ".to_owned(),
        ["parameters", _] => "parameter ".to_owned(),
        other => other.last().map_or(String::new(), |leaf| format!("{leaf} ")),
    };
    match (&aspect.before, &aspect.after) {
        (Some(b), Some(a)) => format!("{label}{} -> {}", value(b), value(a)),
        (Some(b), None) => format!("{label}{} removed", value(b)),
        (None, Some(a)) => format!("{label}{} added", value(a)),
        (None, None) => label,
    }
}

/// What a change did to its fact: `default 30 -> 60`, `removed`, `renamed to x`.
pub fn change(change: &Change) -> String {
    match (change.op, &change.after) {
        (ChangeOp::Renamed, Some(after)) => {
            let moved = if change.kind().is_path() { "moved to" } else { "renamed to" };
            format!("{moved} {}", after.name)
        }
        (ChangeOp::Removed | ChangeOp::Renamed, _) => "removed".to_owned(),
        (ChangeOp::Added, _) => "added".to_owned(),
        (ChangeOp::Changed, _) => clip(&change.aspects.iter().take(4).map(aspect).collect::<Vec<_>>().join(", "), 240),
    }
}

/// Most missing values that are told.
const MAX_MISSING: usize = 4;

/// The values that the code has gained and the line of a place does not name.
pub fn missing(fact: &ChangedFact, place: &CitedPlace) -> Vec<String> {
    let all: Vec<String> = fact
        .aspects
        .iter()
        .filter(|a| a.before.is_none())
        .filter_map(|a| a.after.as_ref())
        .map(value)
        .take(MAX_MISSING)
        .collect();
    let absent: Vec<String> = all.iter().filter(|name| !place.text.contains(name.as_str())).cloned().collect();
    if absent.is_empty() { all } else { absent }
}

/// The kind in words.
pub fn kind(kind: FactKind) -> &'static str {
    match kind {
        FactKind::Symbol => "symbol",
        FactKind::Signature => "signature",
        FactKind::Constant => "constant",
        FactKind::CliCommand => "command",
        FactKind::CliFlag => "flag",
        FactKind::ConfigKey => "setting",
        FactKind::EnvVar => "environment variable",
        FactKind::Task => "task",
        FactKind::ActionInput => "action input",
        FactKind::Package => "version",
        FactKind::Module => "file",
        FactKind::DocPath => "path",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tells_aspects() {
        let a = |pointer: &str, before: Option<Value>, after: Option<Value>| {
            aspect(&Aspect { pointer: pointer.to_owned(), before, after })
        };
        assert_eq!(a("/default", Some(json!(30)), Some(json!(60))), "default 30 -> 60");
        assert_eq!(a("/parameters/sink", None, Some(json!({"name": "sink"}))), "parameter sink added");
        assert_eq!(a("/parameters/x/default", Some(json!("a")), Some(json!(""))), "x = a -> \"\"");
        assert_eq!(a("/choices/gzip", Some(json!("gzip")), None), "gzip removed");
        assert_eq!(clip("a\n  b", 10), "a b");
        assert_eq!(clip("abcdef", 4), "abc…");
    }
}
