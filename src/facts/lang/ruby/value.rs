//! Ruby expressions as values: literals, names of literal constants, wrappers around one literal.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::written::{MAX_DEPTH, MAX_LIST, Written, negate, number, operate, unescape};
use crate::syntax::{Node, NodeExt};
use crate::value::literal::duration_text;

/// The literal constants of a file, by which names are resolved.
#[derive(Debug, Default)]
pub(crate) struct Values<'s> {
    text: &'s str,
    constants: BTreeMap<&'s str, Value>,
}

impl<'s> Values<'s> {
    /// Reads the constants of a file, wherever they stand; a name that is assigned twice stands for nothing.
    pub(crate) fn of_file(root: Node<'_>, text: &'s str) -> Self {
        let mut values = Self { text, constants: BTreeMap::new() };
        let mut seen = std::collections::BTreeSet::new();
        for node in root.preorder().filter(|n| n.kind() == "assignment") {
            let Some(left) = node.field("left").filter(|l| l.kind() == "constant") else { continue };
            let name = left.text(text);
            if !seen.insert(name) {
                values.constants.remove(name);
            } else if let Some(value) = node.field("right").and_then(|right| values.literal(right, MAX_DEPTH)) {
                values.constants.insert(name, value);
            }
        }
        values
    }

    /// The file's text.
    pub(crate) fn text(&self) -> &'s str {
        self.text
    }

    /// What an expression says.
    pub(crate) fn read(&self, node: Node<'_>) -> Written {
        self.literal(node, MAX_DEPTH).map_or_else(|| Written::expression(node, self.text), Written::Literal)
    }

    /// The text of a string or symbol, also by the name of a constant.
    pub(crate) fn string(&self, node: Node<'_>) -> Option<String> {
        match self.literal(node, MAX_DEPTH)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list of literals.
    pub(crate) fn items(&self, node: Node<'_>) -> Vec<Value> {
        match self.literal(node, MAX_DEPTH) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        }
    }

    /// The hash of an expression: a literal one, also frozen or copied, or in the brackets of a class (`Configuration[{…}]`).
    pub(crate) fn hash<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut node = node;
        for _ in 0..4 {
            match node.kind() {
                "hash" => return Some(node),
                "call" => {
                    let method = node.field("method")?.text(self.text);
                    if !matches!(
                        method,
                        "freeze"
                            | "dup"
                            | "with_indifferent_access"
                            | "deep_freeze"
                            | "each_with_object"
                            | "merge"
                            | "transform_values"
                            | "to_h"
                            | "tap"
                    ) {
                        return None;
                    }
                    node = node.field("receiver")?;
                }
                "element_reference" => node = node.child_of_kind("hash")?,
                "parenthesized_statements" => node = node.named_child(0)?,
                _ => return None,
            }
        }
        None
    }

    /// The plain text of a hash's key.
    pub(crate) fn key(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            "hash_key_symbol" => Some(node.text(self.text).to_owned()),
            "string" | "simple_symbol" => self.string(node),
            _ => None,
        }
    }

    fn literal(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let text = node.text(self.text);
        match node.kind() {
            "integer" | "float" => number(text),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "nil" => Some(Value::Null),
            "simple_symbol" => Some(Value::String(text.trim_start_matches(':').to_owned())),
            "string" => self.quoted(node).map(Value::String),
            "chained_string" => {
                let parts: Option<Vec<String>> = node.named().into_iter().map(|n| self.quoted(n)).collect();
                parts.map(|parts| Value::String(parts.concat()))
            }
            "string_array" | "symbol_array" => {
                let items = node.named();
                (items.len() <= MAX_LIST).then(|| items.iter().map(|n| Value::from(n.text(self.text))).collect::<Vec<_>>().into())
            }
            "array" => {
                let items: Vec<Node<'_>> = node.named().into_iter().filter(|n| n.kind() != "comment").collect();
                if items.len() > MAX_LIST {
                    return None;
                }
                items
                    .into_iter()
                    .map(|n| self.literal(n, depth).filter(|v| !v.is_array()))
                    .collect::<Option<Vec<_>>>()
                    .map(Value::Array)
            }
            "parenthesized_statements" if node.named_child_count() == 1 => self.literal(node.named_child(0)?, depth),
            "unary" => {
                let value = self.literal(node.field("operand")?, depth)?;
                if node.field("operator")?.text(self.text) == "-" { negate(&value) } else { None }
            }
            "binary" => {
                let operator = node.field("operator")?.text(self.text);
                if matches!(operator, "||" | "or") {
                    let is_variable = node.field("left").is_some_and(|left| is_environment(left, self.text));
                    return if is_variable { self.literal(node.field("right")?, depth) } else { None };
                }
                let left = self.literal(node.field("left")?, depth)?;
                operate(&left, operator, &self.literal(node.field("right")?, depth)?)
            }
            "constant" | "scope_resolution" => self.constants.get(text).cloned(),
            "call" => self.called(node, depth),
            _ => None,
        }
    }

    fn called(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let method = node.field("method")?.text(self.text);
        let receiver = node.field("receiver")?;
        let given = node.field("arguments").map(|list| list.named()).unwrap_or_default();
        match (method, given.as_slice()) {
            ("freeze" | "dup" | "to_sym" | "to_s", []) => self.literal(receiver, depth),
            ("new", [only]) => {
                matches!(receiver.text(self.text), "Pathname" | "Set" | "String").then(|| self.literal(*only, depth))?
            }
            ("fetch", [_, default]) if receiver.text(self.text) == "ENV" => self.literal(*default, depth),
            (unit, []) => {
                let size: u128 = match unit.trim_end_matches('s') {
                    "second" => 1_000_000_000,
                    "minute" => 60_000_000_000,
                    "hour" => 3_600_000_000_000,
                    "day" => 86_400_000_000_000,
                    "week" => 604_800_000_000_000,
                    _ => return None,
                };
                let count = u128::from(self.literal(receiver, depth)?.as_u64()?);
                Some(Value::String(duration_text(count.checked_mul(size)?)))
            }
            _ => None,
        }
    }

    /// The text of a string without a hole.
    fn quoted(&self, node: Node<'_>) -> Option<String> {
        let parts = node.named();
        if parts.iter().any(|n| n.kind() == "interpolation") {
            return None;
        }
        let inside: String = parts.iter().map(|n| n.text(self.text)).collect();
        Some(if node.text(self.text).starts_with('\'') { inside.replace("\\'", "'") } else { unescape(&inside) })
    }
}

/// Whether an expression reads the environment.
pub(crate) fn is_environment(node: Node<'_>, text: &str) -> bool {
    match node.kind() {
        "element_reference" => node.field("object").is_some_and(|o| o.text(text) == "ENV"),
        "call" => node.field("receiver").is_some_and(|o| o.text(text) == "ENV"),
        _ => false,
    }
}
