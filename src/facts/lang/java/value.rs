//! Java expressions as values: literals, names of literal constants, durations, wrappers around one literal.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::written::{MAX_DEPTH, MAX_LIST, Written, negate, number, operate, unescape};
use crate::syntax::{Node, NodeExt};
use crate::value::literal::duration_text;

/// The literal constants of a file, by which names are resolved.
#[derive(Debug, Default)]
pub(crate) struct Values<'s> {
    text: &'s str,
    constants: BTreeMap<String, Value>,
}

impl<'s> Values<'s> {
    /// Reads the `static final` fields of a file. A name that two classes give different values stands for nothing.
    pub(crate) fn of_file(root: Node<'_>, text: &'s str) -> Self {
        let mut values = Self { text, constants: BTreeMap::new() };
        let mut ambiguous = Vec::new();
        for node in root.preorder().filter(|n| matches!(n.kind(), "field_declaration" | "constant_declaration")) {
            if node.kind() == "field_declaration" && !is_constant(node, text) {
                continue;
            }
            for declarator in node.named().into_iter().filter(|n| n.kind() == "variable_declarator") {
                let (Some(name), Some(value)) = (declarator.field("name"), declarator.field("value")) else { continue };
                let Some(value) = values.literal(value, MAX_DEPTH) else { continue };
                let name = name.text(text).to_owned();
                if values.constants.get(&name).is_some_and(|known| *known != value) {
                    ambiguous.push(name.clone());
                }
                values.constants.insert(name, value);
            }
        }
        for name in ambiguous {
            values.constants.remove(&name);
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
            "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal"
            | "decimal_floating_point_literal" => number(text),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null_literal" => Some(Value::Null),
            "string_literal" if !text.starts_with("\"\"\"") => Some(Value::String(unescape(text.trim_matches('"')))),
            "character_literal" => Some(Value::String(unescape(text.trim_matches('\'')))),
            "parenthesized_expression" => self.literal(node.named_child(0)?, depth),
            "cast_expression" => self.literal(node.field("value")?, depth),
            "unary_expression" => {
                let value = self.literal(node.field("operand")?, depth)?;
                match node.field("operator")?.kind() {
                    "-" => negate(&value),
                    "!" => value.as_bool().map(|b| Value::Bool(!b)),
                    _ => None,
                }
            }
            "binary_expression" => {
                let left = self.literal(node.field("left")?, depth)?;
                let right = self.literal(node.field("right")?, depth)?;
                operate(&left, node.field("operator")?.kind(), &right)
            }
            "identifier" => self.constants.get(text).cloned(),
            "field_access" => {
                let object = node.field("object").filter(|o| o.kind() == "identifier")?;
                let is_class = object.text(self.text).starts_with(char::is_uppercase);
                self.constants.get(node.field("field")?.text(self.text)).filter(|_| is_class).cloned()
            }
            "array_initializer" | "element_value_array_initializer" => self.list(node.named(), depth),
            "method_invocation" => {
                let object = node.field("object").map(|o| o.text(self.text)).unwrap_or_default();
                let method = node.field("name")?.text(self.text);
                let given = node.field("arguments")?.named();
                match (object, method) {
                    ("Duration", _) => duration(method, self.literal(sole(&given)?, depth)?.as_u64()?),
                    ("List" | "Set", "of") | ("Arrays", "asList") => self.list(given, depth),
                    ("Collections", "emptyList" | "emptySet") => Some(Value::Array(Vec::new())),
                    ("Optional", "of") | (_, "valueOf") | ("Paths" | "Path", "get" | "of") | ("URI", "create") => {
                        self.literal(sole(&given)?, depth)
                    }
                    _ => None,
                }
            }
            "object_creation_expression" => {
                let class = node.field("type")?.text(self.text);
                let given = node.field("arguments")?.named();
                matches!(class, "File" | "String" | "Integer" | "Long" | "BigDecimal" | "URI")
                    .then(|| self.literal(sole(&given)?, depth))?
            }
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
}

fn sole<'t>(nodes: &[Node<'t>]) -> Option<Node<'t>> {
    match nodes {
        [only] => Some(*only),
        _ => None,
    }
}

/// `Duration.ofSeconds(60)` and its like, by the method's name.
pub(crate) fn duration(method: &str, count: u64) -> Option<Value> {
    let size: u128 = match method {
        "ofNanos" | "nanoseconds" => 1,
        "ofMillis" | "milliseconds" => 1_000_000,
        "ofSeconds" | "seconds" => 1_000_000_000,
        "ofMinutes" | "minutes" => 60_000_000_000,
        "ofHours" | "hours" => 3_600_000_000_000,
        "ofDays" | "days" => 86_400_000_000_000,
        _ => return None,
    };
    u128::from(count).checked_mul(size).map(|total| Value::String(duration_text(total)))
}

/// Whether a field is `static final`.
pub(crate) fn is_constant(declaration: Node<'_>, text: &str) -> bool {
    has_modifier(declaration, "static", text) && has_modifier(declaration, "final", text)
}

/// Whether a declaration has a modifier.
pub(crate) fn has_modifier(declaration: Node<'_>, modifier: &str, text: &str) -> bool {
    declaration.child_of_kind("modifiers").is_some_and(|modifiers| {
        let mut cursor = modifiers.walk();
        modifiers.children(&mut cursor).any(|child| !child.is_named() && child.text(text) == modifier)
    })
}
