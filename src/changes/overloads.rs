//! Definitions with several signatures: an added overload changes no old call, and only where one signature gave way to
//! another is there a change to speak of.

use serde_json::Value;

fn list(value: &Value) -> Vec<Value> {
    let single = |value: &Value| {
        let mut copy = value.clone();
        if let Some(map) = copy.as_object_mut() {
            map.remove("overloads");
        }
        copy
    };
    match value.get("overloads").and_then(Value::as_array) {
        Some(overloads) => overloads.iter().map(single).collect(),
        None => vec![single(value)],
    }
}

/// Whether either side has overloads.
pub(super) fn any(before: &Value, after: &Value) -> bool {
    before.get("overloads").is_some() || after.get("overloads").is_some()
}

/// The one signature that gave way and the one that took its place; `None` where it is not one to one.
pub(super) fn changed(before: &Value, after: &Value) -> Option<(Value, Value)> {
    if !any(before, after) {
        return None;
    }
    let (old, new) = (list(before), list(after));
    let mut gone = old.iter().filter(|o| !new.contains(o));
    let mut fresh = new.iter().filter(|n| !old.contains(n));
    match (gone.next(), gone.next(), fresh.next(), fresh.next()) {
        (Some(b), None, Some(a), None) if is_another_version(b, a) => Some((b.clone(), a.clone())),
        (Some(_), _, Some(_), _) => shared(&old, &new),
        _ => None,
    }
}

/// What all signatures say of their parameters alike, on each side, where several changed at once: a parameter that none has
/// any more, a default that is another one in all.
fn shared(old: &[Value], new: &[Value]) -> Option<(Value, Value)> {
    let list = |value: &Value| value.get("parameters").and_then(Value::as_array).cloned().unwrap_or_default();
    let name = |p: &Value| p.get("name").and_then(Value::as_str).unwrap_or("").to_owned();
    let alike = |all: &[Value]| -> Vec<Value> {
        let mut lists = all.iter().map(list);
        let mut first = lists.next().unwrap_or_default();
        for other in lists {
            first.retain(|p| other.contains(p));
        }
        first
    };
    let (mut before, mut after) = (alike(old), alike(new));
    let somewhere: Vec<String> = new.iter().flat_map(list).map(|p| name(&p)).collect();
    before.retain(|p| !somewhere.contains(&name(p)) || after.iter().any(|a| name(a) == name(p)));
    after.retain(|p| before.iter().any(|b| name(b) == name(p)));
    (before != after).then(|| (serde_json::json!({ "parameters": before }), serde_json::json!({ "parameters": after })))
}

/// Whether one signature may be a later form of the other: of its parameters it has lost some or gained some, not both.
fn is_another_version(before: &Value, after: &Value) -> bool {
    let names = |value: &Value| -> Vec<String> {
        let list = value.get("parameters").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|p| Some(p.get("name")?.as_str()?.to_owned())).collect()
    };
    let (old, new) = (names(before), names(after));
    old.iter().all(|n| new.contains(n)) || new.iter().all(|n| old.contains(n))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_added_overload_is_no_change() {
        let one = json!({"returns": "a"});
        let two = json!({"returns": "a", "overloads": [{"returns": "a"}, {"returns": "b"}]});
        assert_eq!(changed(&one, &two), None);
        assert!(any(&one, &two));
        let other = json!({"returns": "a", "overloads": [{"returns": "a"}, {"returns": "c"}]});
        assert_eq!(changed(&two, &other), Some((json!({"returns": "b"}), json!({"returns": "c"}))));
    }

    #[test]
    fn what_all_overloads_lose_is_a_change() {
        let f = |names: &[&str], returns: &str| {
            let list: Vec<Value> = names.iter().map(|n| json!({ "name": n })).collect();
            json!({ "parameters": list, "returns": returns })
        };
        let both = |a: Value, b: Value| json!({ "overloads": [a, b] });
        let parameters = |names: &[&str]| json!({ "parameters": names.iter().map(|n| json!({ "name": n })).collect::<Vec<_>>() });
        let old = both(f(&["x", "y"], "a"), f(&["x", "y"], "b"));
        assert_eq!(changed(&old, &both(f(&["x"], "a"), f(&["x"], "b"))), Some((parameters(&["x", "y"]), parameters(&["x"]))));
        assert_eq!(changed(&old, &both(f(&["x"], "a"), f(&["x", "y", "z"], "b"))), None);
    }
}
