//! Which changes leave every use that was right at base right at head (reference, section 6; issue of compatibility):
//! added optional parameters at the end, added members, variants, choices and spellings, a parameter that became optional.

use serde_json::Value;

use crate::model::{Aspect, Fact, FactKind};
use crate::value::widened::is_widened;

/// Whether all aspects are compatible.
pub(super) fn is_compatible(old: &Fact, new: &Fact, aspects: &[Aspect]) -> bool {
    matches!(old.kind, FactKind::Signature | FactKind::ConfigKey | FactKind::CliFlag | FactKind::CliCommand)
        && aspects.iter().all(|aspect| compatible_aspect(old, new, aspect))
}

fn flag(value: Option<&Value>, key: &str) -> bool {
    value.and_then(|v| v.get(key)).and_then(Value::as_bool).unwrap_or(false)
}

fn compatible_aspect(old: &Fact, new: &Fact, aspect: &Aspect) -> bool {
    let segments = aspect.segments();
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["parameters", name] if aspect.before.is_none() => {
            let parameter = aspect.after.as_ref();
            let keyword = parameter.and_then(|p| p.get("kind")).and_then(Value::as_str).is_some_and(|k| k != "positional");
            let optional = flag(parameter, "optional")
                || parameter.is_some_and(|p| p.get("default").is_some() || p.get("defaultExpr").is_some());
            (optional || keyword && parameter.and_then(|p| p.get("kind")).and_then(Value::as_str) != Some("keyword"))
                && (keyword || comes_last(old, new, name))
        }
        ["parameters", _, "optional"] => aspect.after == Some(Value::Bool(true)),
        // Giving a parameter its first default makes it optional.
        ["parameters", _, "default"] | ["variants" | "choices", _] => aspect.before.is_none(),
        ["parameters", _, "type"] => {
            let (before, after) = (aspect.before.as_ref().and_then(Value::as_str), aspect.after.as_ref().and_then(Value::as_str));
            before.zip(after).is_some_and(|(before, after)| is_widened(before, after))
        }
        // `names string` that became `names ...string`.
        ["parameters", name, "kind"] => {
            is_go(old) && aspect.after.as_ref().and_then(Value::as_str) == Some("variadic") && is_last(new, name)
        }
        // A literal of Go need not name every field.
        ["members", _] if is_go(old) => aspect.before.is_none() && !is_method(aspect.after.as_ref()),
        ["members", _] => aspect.before.is_none() && flag(aspect.after.as_ref(), "optional"),
        ["required"] => aspect.after == Some(Value::Bool(false)) || aspect.after.is_none(),
        _ => false,
    }
}

fn is_last(fact: &Fact, name: &str) -> bool {
    let list = fact.value.get("parameters").and_then(Value::as_array);
    list.and_then(|l| l.last()).and_then(|p| p.get("name")).and_then(Value::as_str) == Some(name)
}

fn is_go(fact: &Fact) -> bool {
    fact.path.extension() == "go"
}

/// A method of an interface, whose type begins with its parameters.
fn is_method(member: Option<&Value>) -> bool {
    member.and_then(|m| m.get("type")).and_then(Value::as_str).is_some_and(|t| t.starts_with('('))
}

/// An added positional parameter changes nothing for old calls only behind all old ones.
fn comes_last(old: &Fact, new: &Fact, name: &str) -> bool {
    let names = |fact: &Fact| -> Vec<String> {
        let list = fact.value.get("parameters").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|p| Some(p.get("name")?.as_str()?.to_owned())).collect()
    };
    let old = names(old);
    let new = names(new);
    let at = new.iter().position(|n| n == name);
    at.is_some_and(|at| new.iter().enumerate().all(|(i, n)| !old.contains(n) || i < at))
}
