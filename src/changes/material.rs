//! Differences in how a declaration is written that no caller and no reader of a document can tell: quotes around a type, names
//! of parameters that are passed by place alone.

use serde_json::Value;

use crate::model::{Aspect, Fact};
use crate::syntax::Grammar;
use crate::value::go_type;

/// Drops the aspects that say the same in other words.
pub(super) fn retain(old: &Fact, new: &Fact, aspects: &mut Vec<Aspect>) {
    let grammar = Grammar::for_path(&new.path);
    let same = types(&old.value).is_some_and(|list| Some(list) == types(&new.value)) && !moves(&old.value, &new.value);
    if grammar == Some(Grammar::Go) && same {
        aspects.retain(|a| a.segments().first().is_none_or(|s| s != "parameters"));
    }
    aspects.retain(|aspect| {
        let segments = aspect.segments();
        let is_type = segments.last().is_some_and(|s| matches!(s.as_str(), "type" | "returns"));
        let (Some(before), Some(after)) = (text(aspect.before.as_ref()), text(aspect.after.as_ref())) else { return true };
        !is_type || plain(before, grammar) != plain(after, grammar)
    });
}

fn text(value: Option<&Value>) -> Option<&str> {
    value?.as_str()
}

fn plain(kind: &str, grammar: Option<Grammar>) -> String {
    match grammar {
        // An annotation may stand in quotes until its class is defined.
        Some(Grammar::Python) => kind.replace(['"', '\''], ""),
        Some(Grammar::Go) => go_type::unnamed(kind),
        _ => kind.replace('\'', "\""),
    }
}

/// Whether a parameter stands at another place than before: then callers pass something else there.
fn moves(old: &Value, new: &Value) -> bool {
    let names = |value: &'_ Value| -> Vec<String> {
        let list = value.get("parameters").and_then(Value::as_array);
        list.into_iter().flatten().map(|p| p.get("name").and_then(Value::as_str).unwrap_or("").to_owned()).collect()
    };
    let (old, new) = (names(old), names(new));
    old.iter().enumerate().any(|(at, name)| !name.is_empty() && new.get(at) != Some(name) && new.contains(name))
}

/// Kind and type of each parameter, in order.
fn types(value: &Value) -> Option<Vec<(Option<&str>, Option<String>)>> {
    let list = value.get("parameters")?.as_array()?;
    let part = |p: &'_ Value, key: &str| p.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(
        list.iter()
            .map(|p| {
                let kind = p.get("kind").and_then(Value::as_str);
                (kind, part(p, "type").map(|t| go_type::unnamed(&t)))
            })
            .collect(),
    )
}
