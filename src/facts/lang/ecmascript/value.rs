//! JavaScript expressions as values: literals, names of literal constants, wrappers around one literal; and the call
//! chains by which builders and command lines are declared.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::written::{MAX_DEPTH, MAX_LIST, Written, negate, number, operate, unescape};
use crate::syntax::{Node, NodeExt};

/// Functions and classes that wrap the one literal they are given.
const WRAPPERS: &[&str] =
    &["Object.freeze", "String", "Number", "Boolean", "BigInt", "URL", "Set", "ms", "ref", "Array.from", "path.normalize"];

/// The literal constants of a file, by which names are resolved.
#[derive(Debug, Default)]
pub(crate) struct Values<'s> {
    text: &'s str,
    constants: BTreeMap<String, Value>,
}

impl<'s> Values<'s> {
    /// Reads the top-level constants of a module, the entries of its tables and the members of its enums included.
    pub(crate) fn of_module(root: Node<'_>, text: &'s str) -> Self {
        let mut values = Self { text, constants: BTreeMap::new() };
        for statement in root.named() {
            let inner = if statement.kind() == "export_statement" { statement.field("declaration") } else { Some(statement) };
            match inner {
                Some(declaration) if matches!(declaration.kind(), "lexical_declaration" | "variable_declaration") => {
                    values.learn(declaration);
                }
                Some(declaration) if declaration.kind() == "enum_declaration" => values.learn_enum(declaration),
                _ => {}
            }
        }
        values
    }

    fn learn(&mut self, declaration: Node<'_>) {
        let is_const = declaration.field("kind").is_some_and(|k| k.kind() == "const");
        for declarator in declaration.named().into_iter().filter(|n| n.kind() == "variable_declarator") {
            let (Some(name), Some(value)) = (declarator.field("name"), declarator.field("value")) else { continue };
            let name = name.text(self.text);
            if !is_const && !crate::facts::written::is_upper(name) {
                continue;
            }
            if let Some(value) = self.literal(value, MAX_DEPTH) {
                self.constants.entry(name.to_owned()).or_insert(value);
            } else {
                for (key, value) in self.entries(value).into_iter().take(MAX_LIST) {
                    if let Some(value) = self.literal(value, MAX_DEPTH) {
                        self.constants.entry(format!("{name}.{key}")).or_insert(value);
                    }
                }
            }
        }
    }

    fn learn_enum(&mut self, declaration: Node<'_>) {
        let Some(name) = declaration.field("name").map(|n| n.text(self.text)) else { return };
        for member in declaration.field("body").map(|b| b.named()).unwrap_or_default() {
            if let (Some(key), Some(value)) = (member.field("name"), member.field("value"))
                && let Some(value) = self.literal(value, MAX_DEPTH)
            {
                self.constants.insert(format!("{name}.{}", key.text(self.text)), value);
            }
        }
    }

    /// The file's text.
    pub(crate) fn text(&self) -> &'s str {
        self.text
    }

    /// The literal that a constant's name stands for.
    pub(crate) fn named(&self, name: &str) -> Option<&Value> {
        self.constants.get(name)
    }

    /// What an expression says.
    pub(crate) fn read(&self, node: Node<'_>) -> Written {
        self.literal(node, MAX_DEPTH).map_or_else(|| Written::expression(unwrap(node), self.text), Written::Literal)
    }

    /// The text of an expression that is a string, also by the name of a constant.
    pub(crate) fn string(&self, node: Node<'_>) -> Option<String> {
        match self.literal(node, MAX_DEPTH)? {
            Value::String(text) if node.kind() != "number" => Some(text),
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

    /// The texts of a list of strings, or of one string.
    pub(crate) fn texts(&self, node: Node<'_>) -> Vec<String> {
        match self.literal(node, MAX_DEPTH) {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }

    /// The entries of an object literal whose keys are plain, in order; wrappers such as `Object.freeze` are looked through.
    pub(crate) fn entries<'t>(&self, node: Node<'t>) -> Vec<(String, Node<'t>)> {
        let Some(object) = self.object(node) else { return Vec::new() };
        let pairs = object.named().into_iter().filter(|n| n.kind() == "pair");
        pairs.filter_map(|pair| Some((self.key(pair.field("key")?)?, pair.field("value")?))).collect()
    }

    /// The value of an object literal's key.
    pub(crate) fn entry<'t>(&self, node: Node<'t>, key: &str) -> Option<Node<'t>> {
        self.entries(node).into_iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The object literal of an expression.
    pub(crate) fn object<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut node = unwrap(node);
        for _ in 0..4 {
            match node.kind() {
                "object" => return Some(node),
                "call_expression" => {
                    let name = node.field("function")?.text(self.text);
                    if !matches!(name, "Object.freeze" | "Object.seal" | "deepFreeze" | "reactive" | "markRaw") {
                        return None;
                    }
                    node = unwrap(arguments(node).first().copied()?);
                }
                _ => return None,
            }
        }
        None
    }

    /// The plain text of a key; `None` where it is computed.
    pub(crate) fn key(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            "property_identifier" | "number" | "identifier" | "shorthand_property_identifier" => {
                Some(node.text(self.text).to_owned())
            }
            "string" => Some(inside(node, self.text)),
            _ => None,
        }
    }

    fn literal(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "number" => number(node.text(self.text)),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" | "undefined" => Some(Value::Null),
            "string" => Some(Value::String(inside(node, self.text))),
            "template_string" => {
                let is_plain = node.named().iter().all(|n| n.kind() != "template_substitution");
                is_plain.then(|| Value::String(inside(node, self.text)))
            }
            "array" => {
                let items: Vec<Node<'_>> = node.named().into_iter().filter(|n| n.kind() != "comment").collect();
                if items.len() > MAX_LIST {
                    return None;
                }
                items
                    .into_iter()
                    .map(|item| self.literal(item, depth).filter(|v| !v.is_array()))
                    .collect::<Option<Vec<_>>>()
                    .map(Value::Array)
            }
            "parenthesized_expression" | "as_expression" | "satisfies_expression" | "non_null_expression" => {
                self.literal(node.named_child(0)?, depth)
            }
            "type_assertion" => self.literal(node.named().into_iter().next_back()?, depth),
            "unary_expression" => {
                let argument = node.field("argument")?;
                match node.field("operator")?.kind() {
                    "-" => negate(&self.literal(argument, depth)?),
                    "+" => self.literal(argument, depth).filter(Value::is_number),
                    "!" => match self.literal(argument, depth)? {
                        Value::Bool(b) => Some(Value::Bool(!b)),
                        // `!0` and `!1` of minified code.
                        Value::Number(n) => n.as_i64().map(|n| Value::Bool(n == 0)),
                        _ => None,
                    },
                    "void" => Some(Value::Null),
                    _ => None,
                }
            }
            "binary_expression" => {
                let operator = node.field("operator")?.kind();
                if matches!(operator, "??" | "||") {
                    let is_variable = node.field("left").is_some_and(|left| super::environment::is_read(left, self.text));
                    return if is_variable { self.literal(node.field("right")?, depth) } else { None };
                }
                let left = self.literal(node.field("left")?, depth)?;
                let right = self.literal(node.field("right")?, depth)?;
                operate(&left, operator, &right)
            }
            "identifier" | "member_expression" => {
                (node.byte_range().len() < 200).then(|| self.constants.get(node.text(self.text)).cloned()).flatten()
            }
            "call_expression" | "new_expression" => {
                let name = node.field("function").or_else(|| node.field("constructor"))?;
                if name.byte_range().len() > 40 || !WRAPPERS.contains(&name.text(self.text)) {
                    return None;
                }
                match arguments(node).as_slice() {
                    [only] => self.literal(*only, depth),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The text between the quotes, escapes resolved.
fn inside(node: Node<'_>, text: &str) -> String {
    let raw = node.text(text);
    let mut chars = raw.chars();
    let quote = chars.next();
    let body = chars.as_str();
    unescape(quote.and_then(|q| body.strip_suffix(q)).unwrap_or(body))
}

/// An expression without its brackets, `as`, `satisfies` and `!`.
pub(crate) fn unwrap(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    for _ in 0..8 {
        let inner = match node.kind() {
            "parenthesized_expression" | "as_expression" | "satisfies_expression" | "non_null_expression" => node.named_child(0),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The arguments of a call, spreads and comments left out.
pub(crate) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let Some(list) = call.field("arguments").filter(|list| list.kind() == "arguments") else { return Vec::new() };
    list.named().into_iter().filter(|n| !matches!(n.kind(), "comment" | "spread_element")).collect()
}

/// One step of a chain: the method and its call.
pub(crate) type Step<'t, 's> = (&'s str, Node<'t>);

/// A chain of calls `root.a(…).b(…)`: its root, and the steps in the order they run. Longer chains than `limit` are cut at
/// their beginning and have no root.
pub(crate) fn chain<'t, 's>(node: Node<'t>, text: &'s str, limit: usize) -> (Option<Node<'t>>, Vec<Step<'t, 's>>) {
    let mut steps = Vec::new();
    let mut at = unwrap(node);
    while at.kind() == "call_expression" {
        let Some(function) = at.field("function").filter(|f| f.kind() == "member_expression") else { break };
        let (Some(object), Some(property)) = (function.field("object"), function.field("property")) else { break };
        if steps.len() >= limit {
            steps.reverse();
            return (None, steps);
        }
        steps.push((property.text(text), at));
        at = unwrap(object);
    }
    steps.reverse();
    (Some(at), steps)
}
