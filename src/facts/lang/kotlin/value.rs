//! Kotlin expressions as values: literals, names of literal constants, durations, wrappers around one literal.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::lang::java::value::duration;
use crate::facts::written::{MAX_DEPTH, MAX_LIST, Written, negate, number, operate, unescape};
use crate::syntax::{Node, NodeExt};

/// The literal constants of a file, by which names are resolved.
#[derive(Debug, Default)]
pub(crate) struct Values<'s> {
    text: &'s str,
    constants: BTreeMap<String, Value>,
}

impl<'s> Values<'s> {
    /// Reads the constants of a file: `const val`, and `val` in capitals. A name that stands for two values stands for none.
    pub(crate) fn of_file(root: Node<'_>, text: &'s str) -> Self {
        let mut values = Self { text, constants: BTreeMap::new() };
        let mut ambiguous = Vec::new();
        for node in root.preorder().filter(|n| n.kind() == "property_declaration") {
            let Some(name) = property_name(node, text) else { continue };
            if !is_constant(node, name, text) {
                continue;
            }
            let Some(value) = assigned(node).and_then(|v| values.literal(v, MAX_DEPTH)) else { continue };
            if values.constants.get(name).is_some_and(|known| *known != value) {
                ambiguous.push(name);
            }
            values.constants.insert(name.to_owned(), value);
        }
        for name in ambiguous {
            values.constants.remove(name);
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

    /// The texts of a string, or of a list of strings.
    pub(crate) fn texts(&self, node: Node<'_>) -> Vec<String> {
        match self.literal(node, MAX_DEPTH) {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }

    /// The text of a string.
    pub(crate) fn string(&self, node: Node<'_>) -> Option<String> {
        self.texts(node).into_iter().next()
    }

    fn literal(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let text = node.text(self.text);
        match node.kind() {
            "number_literal" | "float_literal" => number(text),
            "string_literal" => self.quoted(node).map(|inside| Value::String(unescape(&inside))),
            "multiline_string_literal" => self.quoted(node).map(Value::String),
            "character_literal" => Some(Value::String(unescape(text.trim_matches('\'')))),
            "identifier" => match text {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                "null" => Some(Value::Null),
                _ => self.constants.get(text).cloned(),
            },
            "parenthesized_expression" => self.literal(node.named_child(0)?, depth),
            "unary_expression" => {
                let value = self.literal(node.field("argument")?, depth)?;
                match node.field("operator")?.kind() {
                    "-" => negate(&value),
                    "!" => value.as_bool().map(|b| Value::Bool(!b)),
                    _ => None,
                }
            }
            "binary_expression" => {
                let operator = node.field("operator")?.kind();
                if operator == "?:" {
                    let is_variable = node.field("left").is_some_and(|l| l.text(self.text).starts_with("System.getenv"));
                    return if is_variable { self.literal(node.field("right")?, depth) } else { None };
                }
                let left = self.literal(node.field("left")?, depth)?;
                operate(&left, operator, &self.literal(node.field("right")?, depth)?)
            }
            "collection_literal" => self.list(node.named(), depth),
            "navigation_expression" => {
                let parts = node.named();
                let (first, last) = (*parts.first()?, *parts.last()?);
                let unit = last.text(self.text);
                if let Some(count) = self.literal(first, depth).and_then(|v| v.as_u64()) {
                    return duration(unit, count);
                }
                let is_class = first.kind() == "identifier" && first.text(self.text).starts_with(char::is_uppercase);
                self.constants.get(unit).filter(|_| is_class).cloned()
            }
            "call_expression" => self.called(node, depth),
            _ => None,
        }
    }

    fn called(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let function = node.named_child(0)?;
        let name = if function.byte_range().len() < 60 { function.text(self.text) } else { "" };
        let given: Vec<Node<'_>> = arguments(node, self.text).into_iter().map(|(_, value)| value).collect();
        match (name, given.as_slice()) {
            ("listOf" | "setOf" | "arrayOf" | "intArrayOf" | "mutableListOf" | "valuesWithReason", _) => self.list(given, depth),
            ("emptyList" | "emptySet" | "emptyArray", []) => Some(Value::Array(Vec::new())),
            ("Path" | "File" | "Regex" | "URI" | "Path.of" | "Paths.get", [only]) => self.literal(*only, depth),
            (_, [only]) => duration(name.strip_prefix("Duration.")?, self.literal(*only, depth)?.as_u64()?),
            _ => None,
        }
    }

    fn list(&self, items: Vec<Node<'_>>, depth: usize) -> Option<Value> {
        if items.len() > MAX_LIST {
            return None;
        }
        let items = items.into_iter().filter(|n| !n.kind().ends_with("comment"));
        items.map(|n| self.literal(n, depth).filter(|v| !v.is_array())).collect::<Option<Vec<_>>>().map(Value::Array)
    }

    fn quoted(&self, node: Node<'_>) -> Option<String> {
        let parts = node.named();
        let is_plain = parts.iter().all(|n| n.kind() != "interpolation");
        is_plain.then(|| parts.iter().map(|n| n.text(self.text)).collect())
    }
}

/// The arguments of a call or constructor, with their names where they are named.
pub(crate) fn arguments<'t, 's>(call: Node<'t>, text: &'s str) -> Vec<(Option<&'s str>, Node<'t>)> {
    let Some(list) = call.child_of_kind("value_arguments") else { return Vec::new() };
    let given = list.named().into_iter().filter(|n| n.kind() == "value_argument");
    given
        .filter_map(|argument| {
            let mut cursor = argument.walk();
            let is_named = argument.children(&mut cursor).any(|child| child.kind() == "=");
            let parts = argument.named();
            let name = parts.first().filter(|_| is_named).map(|n| n.text(text));
            parts.last().map(|value| (name, *value))
        })
        .collect()
}

/// What stands after `=`.
pub(crate) fn assigned(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor).skip_while(|child| child.kind() != "=");
    children.find(Node::is_named)
}

/// The name of a property.
pub(crate) fn property_name<'s>(property: Node<'_>, text: &'s str) -> Option<&'s str> {
    Some(property.child_of_kind("variable_declaration")?.child_of_kind("identifier")?.text(text))
}

/// Whether a property is a constant by `const` or by its name.
pub(crate) fn is_constant(property: Node<'_>, name: &str, text: &str) -> bool {
    has_modifier(property, "const", text)
        || (crate::facts::written::is_upper(name) && property.child_of_kind("property_delegate").is_none())
}

/// Whether a declaration has a modifier.
pub(crate) fn has_modifier(node: Node<'_>, modifier: &str, text: &str) -> bool {
    node.child_of_kind("modifiers").is_some_and(|list| list.named().into_iter().any(|m| m.text(text) == modifier))
}

/// The annotations of a declaration: name, and the constructor call where there is one.
pub(crate) fn annotations<'t, 's>(node: Node<'t>, text: &'s str) -> Vec<(&'s str, Option<Node<'t>>)> {
    let modifiers = node.child_of_kind("modifiers").map(|m| m.named()).unwrap_or_default();
    modifiers
        .into_iter()
        .filter(|m| m.kind() == "annotation")
        .filter_map(|annotation| match annotation.child_of_kind("constructor_invocation") {
            Some(call) => Some((call.child_of_kind("user_type")?.text(text), Some(call))),
            None => Some((annotation.child_of_kind("user_type")?.text(text), None)),
        })
        .collect()
}
