//! YAML as [`super::tree`]: several documents, anchors and aliases, merge keys, block and flow style, every quoting.

use std::collections::BTreeMap;

use serde_json::Value;

use super::tree::{Entry, Item, MAX_DEPTH, MAX_ITEMS, Shape};
use crate::facts::reading;
use crate::syntax::{Node, NodeExt};

pub(super) fn read(root: Node<'_>, text: &str) -> Vec<Item> {
    let mut reader = Reader { text, anchors: BTreeMap::new(), count: 0 };
    root.named()
        .into_iter()
        .filter(|n| n.kind() == "document")
        .filter_map(|document| {
            reader.anchors.clear();
            let node = document.named().into_iter().find(|n| matches!(n.kind(), "block_node" | "flow_node"))?;
            reader.item(node, 0)
        })
        .collect()
}

struct Reader<'t> {
    text: &'t str,
    anchors: BTreeMap<&'t str, Item>,
    count: usize,
}

impl Reader<'_> {
    fn item(&mut self, node: Node<'_>, depth: usize) -> Option<Item> {
        self.count += 1;
        if depth > MAX_DEPTH || self.count > MAX_ITEMS {
            return None;
        }
        let mut anchor = None;
        let mut tagged_text = false;
        let mut content = None;
        for child in node.named() {
            match child.kind() {
                "anchor" => anchor = child.child_of_kind("anchor_name").map(|n| n.text(self.text)),
                "tag" => tagged_text = child.text(self.text) == "!!str",
                "comment" => {}
                _ => content = Some(child),
            }
        }
        let Some(content) = content else {
            return Some(Item::scalar(Value::Null, node.span()));
        };
        let mut item = self.content(content, depth)?;
        if tagged_text && content.kind() == "plain_scalar" {
            item = Item::scalar(content.text(self.text), item.span);
        }
        if let Some(name) = anchor {
            self.anchors.insert(name, item.clone());
        }
        Some(item)
    }

    fn content(&mut self, node: Node<'_>, depth: usize) -> Option<Item> {
        let (span, source) = (node.span(), node.text(self.text));
        let shape = match node.kind() {
            "block_mapping" | "flow_mapping" => Shape::Map(self.entries(node, depth)),
            "block_sequence" => Shape::List(
                node.named()
                    .into_iter()
                    .filter(|n| n.kind() == "block_sequence_item")
                    .filter_map(|n| {
                        let inner = n.named().into_iter().find(|c| matches!(c.kind(), "block_node" | "flow_node"));
                        inner.map_or_else(|| Some(Item::scalar(Value::Null, n.span())), |c| self.item(c, depth + 1))
                    })
                    .collect(),
            ),
            "flow_sequence" => Shape::List(
                node.named()
                    .into_iter()
                    .filter_map(|n| match n.kind() {
                        "flow_node" => self.item(n, depth + 1),
                        "flow_pair" => {
                            let entry = self.entry(n, depth + 1)?;
                            Some(Item { shape: Shape::Map(vec![entry]), span: n.span() })
                        }
                        _ => None,
                    })
                    .collect(),
            ),
            "plain_scalar" => Shape::Scalar(plain(node, source)),
            "double_quote_scalar" => Shape::Scalar(double_quoted(source).into()),
            "single_quote_scalar" => {
                let inner = source.strip_prefix('\'').and_then(|s| s.strip_suffix('\'')).unwrap_or(source);
                Shape::Scalar(folded(&inner.replace("''", "'")).into())
            }
            "block_scalar" => Shape::Scalar(block(source).into()),
            "alias" => {
                let name = node.child_of_kind("alias_name")?.text(self.text);
                let target = self.anchors.get(name)?;
                let (items, levels) = measure(target);
                self.count += items;
                if self.count > MAX_ITEMS || depth + levels > MAX_DEPTH {
                    return None;
                }
                // An alias stands where it is written, not where its anchor is.
                return Some(Item { shape: target.shape.clone(), span });
            }
            _ => return None,
        };
        Some(Item { shape, span })
    }

    fn entries(&mut self, node: Node<'_>, depth: usize) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut merged = Vec::new();
        for child in node.named() {
            let entry = match child.kind() {
                "block_mapping_pair" | "flow_pair" => self.entry(child, depth),
                "flow_node" => self.key(child).map(|key| {
                    let span = child.span();
                    Entry { key, item: Item::scalar(Value::Null, span), span }
                }),
                _ => None,
            };
            let Some(entry) = entry else { continue };
            if entry.key == "<<" {
                match entry.item.shape {
                    Shape::Map(inner) => merged.extend(inner),
                    Shape::List(items) => merged.extend(items.into_iter().flat_map(|i| match i.shape {
                        Shape::Map(inner) => inner,
                        _ => Vec::new(),
                    })),
                    Shape::Scalar(_) => {}
                }
            } else if !entries.iter().rev().take(64).any(|e| e.key == entry.key) {
                entries.push(entry);
            }
        }
        for entry in merged {
            if !entries.iter().any(|e| e.key == entry.key) {
                entries.push(entry);
            }
        }
        entries
    }

    fn entry(&mut self, pair: Node<'_>, depth: usize) -> Option<Entry> {
        let key = self.key(pair.field("key")?)?;
        let item = match pair.field("value") {
            Some(value) => self.item(value, depth + 1)?,
            None => Item::scalar(Value::Null, pair.span()),
        };
        Some(Entry { key, item, span: pair.span() })
    }

    fn key(&self, node: Node<'_>) -> Option<String> {
        let scalar = node.named().into_iter().find(|n| n.kind().ends_with("_scalar"))?;
        let source = scalar.text(self.text);
        Some(match scalar.kind() {
            "double_quote_scalar" => double_quoted(source),
            "single_quote_scalar" => source.trim_matches('\'').replace("''", "'"),
            "plain_scalar" => source.to_owned(),
            _ => return None,
        })
    }
}

/// How many items an item holds, and how deep. The recursion is as deep as items are, which is bounded.
fn measure(item: &Item) -> (usize, usize) {
    let children: Vec<(usize, usize)> = match &item.shape {
        Shape::Scalar(_) => Vec::new(),
        Shape::List(items) => items.iter().map(measure).collect(),
        Shape::Map(entries) => entries.iter().map(|e| measure(&e.item)).collect(),
    };
    children.iter().fold((1, 1), |(items, levels), (i, l)| (items + i, levels.max(l + 1)))
}

fn plain(node: Node<'_>, source: &str) -> Value {
    match node.named_child(0).map(|n| n.kind()) {
        Some("integer_scalar" | "float_scalar") => reading::number(source).unwrap_or_else(|| source.into()),
        Some("boolean_scalar") => match source.to_ascii_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => source.into(),
        },
        Some("null_scalar") => Value::Null,
        _ => folded(source).into(),
    }
}

fn double_quoted(source: &str) -> String {
    let inner = source.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap_or(source);
    reading::unescape(&folded(inner))
}

/// A flow scalar over several lines: each line break reads as a blank.
fn folded(text: &str) -> String {
    if text.contains('\n') { text.lines().map(str::trim).collect::<Vec<_>>().join(" ") } else { text.to_owned() }
}

/// A block scalar, its indentation taken off. Trailing line feeds are dropped whatever the header says.
fn block(source: &str) -> String {
    let (header, body) = source.split_once('\n').unwrap_or((source, ""));
    let indent = body
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = body.lines().map(|line| line.get(indent..).unwrap_or("")).collect();
    let joined = if header.starts_with('>') { lines.join(" ") } else { lines.join("\n") };
    joined.trim_end().to_owned()
}
