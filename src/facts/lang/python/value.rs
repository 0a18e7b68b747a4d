//! Python expressions as values: literals, names of literal constants, constructors around one literal.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::written::{MAX_DEPTH, MAX_LIST, Written, negate, number, operate, unescape};
use crate::syntax::{Node, NodeExt};
use crate::value::literal::duration_text;

/// Constructors that wrap the one literal they are given.
const WRAPPERS: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "PurePosixPath",
    "Decimal",
    "Fraction",
    "Version",
    "SecretStr",
    "SecretBytes",
    "AnyUrl",
    "HttpUrl",
    "URL",
    "Timeout",
    "Option",
    "Setting",
    "str",
    "int",
    "float",
    "bool",
    "bytes",
    "frozenset",
    "set",
    "tuple",
    "list",
    "Default",
    "ByteSize",
    "mark_safe",
    "_",
    "gettext",
    "gettext_lazy",
];

/// The literal constants of a file, by which names are resolved.
#[derive(Debug, Default)]
pub(crate) struct Values<'s> {
    text: &'s str,
    constants: BTreeMap<String, Value>,
}

impl<'s> Values<'s> {
    /// Reads the constants of a module: names that are assigned once, at the top level or in the body of a class.
    pub(crate) fn of_module(root: Node<'_>, text: &'s str) -> Self {
        let mut values = Self { text, constants: BTreeMap::new() };
        let mut assigned: BTreeMap<String, usize> = BTreeMap::new();
        for statement in root.named() {
            if let Some((name, value)) = assignment(statement, text) {
                values.learn(&mut assigned, name.to_owned(), value);
            } else if let Some(class) = class_of(statement) {
                let Some(class_name) = class.field("name").map(|n| n.text(text)) else { continue };
                for inner in class.field("body").map(|body| body.named()).unwrap_or_default() {
                    if let Some((name, value)) = assignment(inner, text) {
                        values.learn(&mut assigned, format!("{class_name}.{name}"), value);
                    }
                }
            }
        }
        values
    }

    fn learn(&mut self, assigned: &mut BTreeMap<String, usize>, name: String, value: Node<'_>) {
        let times = assigned.entry(name.clone()).or_default();
        *times += 1;
        match (*times, self.read(value)) {
            (1, Written::Literal(value)) => {
                self.constants.insert(name, value);
            }
            (1, Written::Expression(_)) => {}
            _ => {
                self.constants.remove(&name);
            }
        }
    }

    /// The file's text.
    pub(crate) fn text(&self) -> &'s str {
        self.text
    }

    /// The literal that a constant's name stands for, `Class.NAME` of a class of the file.
    pub(crate) fn named(&self, name: &str) -> Option<Value> {
        self.constants.get(name).cloned()
    }

    /// What an expression says.
    pub(crate) fn read(&self, node: Node<'_>) -> Written {
        self.literal(node, MAX_DEPTH).map_or_else(|| Written::expression(node, self.text), Written::Literal)
    }

    /// The text of an expression that is a string, also by the name of a constant.
    pub(crate) fn string(&self, node: Node<'_>) -> Option<String> {
        match self.literal(node, MAX_DEPTH)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list, tuple or set that are literals; a single literal is one element.
    pub(crate) fn items(&self, node: Node<'_>) -> Vec<Value> {
        match self.literal(node, MAX_DEPTH) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        }
    }

    fn literal(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "integer" | "float" => number(node.text(self.text)),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "none" => Some(Value::Null),
            "string" => string_text(node, self.text).map(Value::String),
            "concatenated_string" => {
                let parts: Option<Vec<String>> =
                    node.named().into_iter().filter(|n| n.kind() == "string").map(|n| string_text(n, self.text)).collect();
                parts.map(|parts| Value::String(parts.concat()))
            }
            "parenthesized_expression" => self.literal(sole(node)?, depth),
            "list" | "tuple" | "set" => {
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
            "unary_operator" => {
                let value = self.literal(node.field("argument")?, depth)?;
                match node.field("operator")?.text(self.text) {
                    "-" => negate(&value),
                    "+" => value.is_number().then_some(value),
                    _ => None,
                }
            }
            "not_operator" => self.literal(node.field("argument")?, depth)?.as_bool().map(|b| Value::Bool(!b)),
            "binary_operator" => {
                let left = self.literal(node.field("left")?, depth)?;
                let right = self.literal(node.field("right")?, depth)?;
                operate(&left, node.field("operator")?.text(self.text), &right)
            }
            "identifier" | "attribute" => self.constants.get(node.text(self.text)).cloned(),
            "lambda" => self.literal(node.field("body")?, depth),
            "call" => self.constructed(node, depth),
            _ => None,
        }
    }

    fn constructed(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let name = node.field("function")?.text(self.text);
        let leaf = name.rsplit('.').next().unwrap_or(name);
        let arguments = Arguments::of(node, self.text);
        if leaf == "timedelta" {
            return self.duration(&arguments, depth);
        }
        if leaf == "cast" && arguments.positional.len() == 2 {
            return self.literal(arguments.positional[1], depth);
        }
        if matches!(name, "os.environ.get" | "environ.get" | "os.getenv" | "getenv") {
            return self.literal(arguments.nth_or(1, "default")?, depth);
        }
        match (WRAPPERS.contains(&leaf) && !name.starts_with("typing."), arguments.positional.as_slice()) {
            (true, [only]) => self.literal(*only, depth),
            _ => None,
        }
    }

    fn duration(&self, arguments: &Arguments<'_, '_>, depth: usize) -> Option<Value> {
        const UNITS: [(&str, u128); 7] = [
            ("days", 86_400_000_000_000),
            ("seconds", 1_000_000_000),
            ("microseconds", 1_000),
            ("milliseconds", 1_000_000),
            ("minutes", 60_000_000_000),
            ("hours", 3_600_000_000_000),
            ("weeks", 604_800_000_000_000),
        ];
        let mut total: u128 = 0;
        let positional = arguments.positional.iter().zip(UNITS).map(|(node, (_, size))| Some((*node, size)));
        let named = arguments
            .keywords
            .iter()
            .map(|(name, node)| UNITS.iter().find(|(unit, _)| unit == name).map(|(_, size)| (*node, *size)));
        for part in positional.chain(named) {
            let (node, size) = part?;
            total = total.checked_add(u128::from(self.literal(node, depth)?.as_u64()?).checked_mul(size)?)?;
        }
        Some(Value::String(duration_text(total)))
    }
}

/// The arguments of a call, split into positional and keyword ones; splats are left out.
#[derive(Debug, Default)]
pub(crate) struct Arguments<'t, 's> {
    /// In order.
    pub(crate) positional: Vec<Node<'t>>,
    /// By name, in order.
    pub(crate) keywords: Vec<(&'s str, Node<'t>)>,
}

impl<'t, 's> Arguments<'t, 's> {
    /// Reads the arguments of a `call` node.
    pub(crate) fn of(call: Node<'t>, text: &'s str) -> Self {
        let mut out = Self::default();
        for child in call.field("arguments").map(|list| list.named()).unwrap_or_default() {
            match child.kind() {
                "keyword_argument" => {
                    if let (Some(name), Some(value)) = (child.field("name"), child.field("value")) {
                        out.keywords.push((name.text(text), value));
                    }
                }
                "comment" | "list_splat" | "dictionary_splat" => {}
                _ => out.positional.push(child),
            }
        }
        out
    }

    /// The keyword argument of a name.
    pub(crate) fn get(&self, name: &str) -> Option<Node<'t>> {
        self.keywords.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// A positional argument, or the keyword of the same meaning.
    pub(crate) fn nth_or(&self, index: usize, name: &str) -> Option<Node<'t>> {
        self.positional.get(index).copied().or_else(|| self.get(name))
    }
}

/// The only child of brackets.
pub(crate) fn sole(node: Node<'_>) -> Option<Node<'_>> {
    let inner: Vec<Node<'_>> = node.named().into_iter().filter(|n| n.kind() != "comment").collect();
    match inner.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The text of a string node; `None` for an f-string with a hole.
fn string_text(node: Node<'_>, text: &str) -> Option<String> {
    let start = node.child(0).filter(|n| n.kind() == "string_start")?;
    let mut out = String::new();
    for child in node.named() {
        match child.kind() {
            "string_content" => out.push_str(child.text(text)),
            "interpolation" => return None,
            _ => {}
        }
    }
    let prefix = start.text(text).to_ascii_lowercase();
    Some(if prefix.contains('r') { out } else { unescape(&out) })
}

/// The name and value of `name = value` or `name: T = value`.
pub(crate) fn assignment<'t, 's>(statement: Node<'t>, text: &'s str) -> Option<(&'s str, Node<'t>)> {
    let node = if statement.kind() == "expression_statement" { statement.named_child(0)? } else { statement };
    if node.kind() != "assignment" {
        return None;
    }
    let left = node.field("left").filter(|n| n.kind() == "identifier")?;
    Some((left.text(text), node.field("right")?))
}

/// The class a statement defines, with or without decorators.
pub(crate) fn class_of(statement: Node<'_>) -> Option<Node<'_>> {
    definition_of(statement).filter(|n| n.kind() == "class_definition")
}

/// The definition under a statement's decorators.
pub(crate) fn definition_of(statement: Node<'_>) -> Option<Node<'_>> {
    match statement.kind() {
        "decorated_definition" => statement.field("definition"),
        "class_definition" | "function_definition" => Some(statement),
        _ => None,
    }
}

/// The decorator expressions of a statement, outermost first.
pub(crate) fn decorators(statement: Node<'_>) -> Vec<Node<'_>> {
    if statement.kind() != "decorated_definition" {
        return Vec::new();
    }
    statement.named().into_iter().filter(|n| n.kind() == "decorator").filter_map(|n| n.named_child(0)).collect()
}

/// The dotted name of a decorator or callee, without its call: `click.option` of `click.option("--x")`.
pub(crate) fn callee<'s>(node: Node<'_>, text: &'s str) -> &'s str {
    let target = if node.kind() == "call" { node.field("function").unwrap_or(node) } else { node };
    if matches!(target.kind(), "identifier" | "attribute") { target.text(text) } else { "" }
}

/// The last segment of a dotted name.
pub(crate) fn leaf(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
