//! Which changes leave every use that was right at base right at head (reference, section 6; issue of compatibility):
//! added optional parameters at the end, added members, variants, choices and spellings, a parameter that became optional.

use serde_json::Value;

use crate::model::{Aspect, Fact, FactKind};

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
        ["members", _] => aspect.before.is_none() && flag(aspect.after.as_ref(), "optional"),
        ["required"] => aspect.after == Some(Value::Bool(false)) || aspect.after.is_none(),
        _ => false,
    }
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
