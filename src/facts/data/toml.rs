//! TOML as [`super::tree`]: tables, arrays of tables, dotted keys and inline tables become nested maps and lists.

use serde_json::Value;

use super::tree::{Entry, Item, MAX_DEPTH, MAX_ITEMS, Shape};
use crate::facts::reading;
use crate::model::ByteSpan;
use crate::syntax::{Node, NodeExt};

pub(super) fn read(root: Node<'_>, text: &str) -> Item {
    let mut whole = Item::map(root.span());
    let mut count = 0;
    for node in root.named() {
        match node.kind() {
            "pair" => pair(&mut whole, node, text, 0, &mut count),
            "table" | "table_array_element" if count < MAX_ITEMS => {
                count += 1;
                let mut children = node.named().into_iter();
                let Some(path) = children.find(|n| n.kind().ends_with("key")).map(|n| keys(n, text)) else { continue };
                let Some(table) = place(&mut whole, &path, node.span(), node.kind() == "table_array_element") else { continue };
                for child in children.filter(|n| n.kind() == "pair") {
                    pair(table, child, text, path.len(), &mut count);
                }
            }
            _ => {}
        }
    }
    whole
}

/// The table under a path, made where it is missing. In a list of tables the last one is meant, or a new one.
fn place<'i>(whole: &'i mut Item, path: &[String], span: ByteSpan, append: bool) -> Option<&'i mut Item> {
    if path.len() > MAX_DEPTH {
        return None;
    }
    let mut at = whole;
    for (i, key) in path.iter().enumerate() {
        let last = i + 1 == path.len();
        let Shape::Map(entries) = &mut at.shape else { return None };
        let index = entries.iter().position(|e| e.key == *key).unwrap_or_else(|| {
            let shape = if last && append { Shape::List(Vec::new()) } else { Shape::Map(Vec::new()) };
            entries.push(Entry { key: key.clone(), item: Item { shape, span }, span });
            entries.len() - 1
        });
        let next = &mut entries.get_mut(index)?.item;
        at = if matches!(next.shape, Shape::List(_)) {
            let Shape::List(items) = &mut next.shape else { return None };
            if last && append {
                items.push(Item::map(span));
            }
            items.last_mut()?
        } else {
            next
        };
    }
    Some(at)
}

fn pair(table: &mut Item, node: Node<'_>, text: &str, depth: usize, count: &mut usize) {
    let mut children = node.named().into_iter().filter(|n| !n.is_extra());
    let (Some(key), Some(value)) = (children.next(), children.next()) else { return };
    let mut path = keys(key, text);
    let Some(last) = path.pop() else { return };
    let depth = depth + path.len() + 1;
    let Some(value) = item(value, text, depth, count) else { return };
    let Some(Item { shape: Shape::Map(entries), .. }) = place(table, &path, node.span(), false) else { return };
    if !entries.iter().any(|e| e.key == last) {
        entries.push(Entry { key: last, item: value, span: node.span() });
    }
}

fn keys(node: Node<'_>, text: &str) -> Vec<String> {
    match node.kind() {
        // A dotted key nests to the left, one level for each dot.
        "dotted_key" => node.preorder().filter(|n| matches!(n.kind(), "bare_key" | "quoted_key")).map(|n| key(n, text)).collect(),
        _ => vec![key(node, text)],
    }
}

fn key(node: Node<'_>, text: &str) -> String {
    if node.kind() == "quoted_key" { string(node.text(text)) } else { node.text(text).to_owned() }
}

fn item(node: Node<'_>, text: &str, depth: usize, count: &mut usize) -> Option<Item> {
    *count += 1;
    if depth > MAX_DEPTH || *count > MAX_ITEMS {
        return None;
    }
    let (span, source) = (node.span(), node.text(text));
    let shape = match node.kind() {
        "string" => Shape::Scalar(Value::String(string(source))),
        "integer" | "float" => Shape::Scalar(reading::number(source).unwrap_or_else(|| source.into())),
        "boolean" => Shape::Scalar(Value::Bool(source == "true")),
        "array" => Shape::List(
            node.named().into_iter().filter(|n| !n.is_extra()).filter_map(|n| item(n, text, depth + 1, count)).collect(),
        ),
        "inline_table" => {
            let mut table = Item::map(span);
            for child in node.named().into_iter().filter(|n| n.kind() == "pair") {
                pair(&mut table, child, text, depth, count);
            }
            table.shape
        }
        kind if kind.contains("date") || kind.contains("time") => Shape::Scalar(source.into()),
        _ => return None,
    };
    Some(Item { shape, span })
}

fn string(source: &str) -> String {
    for (quotes, literal) in [("\"\"\"", false), ("'''", true), ("\"", false), ("'", true)] {
        let inner = source.strip_prefix(quotes).and_then(|s| s.strip_suffix(quotes));
        if let Some(inner) = inner {
            let inner = if quotes.len() == 3 { inner.strip_prefix('\n').unwrap_or(inner) } else { inner };
            return if literal { inner.to_owned() } else { reading::unescape(inner) };
        }
    }
    source.to_owned()
}
