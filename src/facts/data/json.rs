//! JSON, also with comments and trailing commas, as [`super::tree`].

use serde_json::Value;

use super::tree::{Entry, Item, MAX_DEPTH, MAX_ITEMS, Shape};
use crate::facts::reading;
use crate::syntax::{Node, NodeExt};

pub(super) fn read(root: Node<'_>, text: &str) -> Option<Item> {
    let value = root.named().into_iter().find(|n| matches!(n.kind(), "object" | "array"))?;
    item(value, text, 0, &mut 0)
}

fn item(node: Node<'_>, text: &str, depth: usize, count: &mut usize) -> Option<Item> {
    *count += 1;
    if depth > MAX_DEPTH || *count > MAX_ITEMS {
        return None;
    }
    let span = node.span();
    let shape = match node.kind() {
        "object" => Shape::Map(
            node.named().into_iter().filter(|n| n.kind() == "pair").filter_map(|n| entry(n, text, depth, count)).collect(),
        ),
        "array" => Shape::List(node.named().into_iter().filter_map(|n| item(n, text, depth + 1, count)).collect()),
        "string" => Shape::Scalar(Value::String(string(node, text))),
        "number" => Shape::Scalar(reading::number(node.text(text))?),
        "true" => Shape::Scalar(Value::Bool(true)),
        "false" => Shape::Scalar(Value::Bool(false)),
        "null" => Shape::Scalar(Value::Null),
        _ => return None,
    };
    Some(Item { shape, span })
}

fn entry(pair: Node<'_>, text: &str, depth: usize, count: &mut usize) -> Option<Entry> {
    let key = pair.field("key").filter(|k| k.kind() == "string")?;
    let value = item(pair.field("value")?, text, depth + 1, count)?;
    Some(Entry { key: string(key, text), item: value, span: pair.span() })
}

fn string(node: Node<'_>, text: &str) -> String {
    let source = node.text(text);
    reading::unescape(source.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap_or(source))
}
