//! Reading Go expressions without running them: literals, conversions of one, durations, constants of the file.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::facts::reading::{self, Reading};
use crate::syntax::{Node, NodeExt};
use crate::value::literal::duration_text;

/// Deepest nesting of an expression that is read.
const MAX_DEPTH: usize = 16;

/// Calls of one argument whose result reads as the argument, by the last part of their name.
const CONVERSIONS: &[&str] = &[
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "string",
    "bool",
    "byte",
    "rune",
    "Duration",
    "To",
    "Pointer",
    "ptr",
    "pointer",
    "PtrTo",
    "String",
    "Bool",
    "Int",
    "Int32",
    "Int64",
    "Uint",
    "Float64",
    "PointerTo",
    "pointerTo",
    "ptrTo",
];

/// Reads the expressions of one file.
pub(crate) struct Literals<'t> {
    text: &'t str,
    constants: BTreeMap<&'t str, Node<'t>>,
    types: BTreeSet<&'t str>,
}

impl<'t> Literals<'t> {
    /// Gathers the constants and type names of a file.
    pub(crate) fn new(root: Node<'t>, text: &'t str) -> Self {
        let (mut constants, mut types) = (BTreeMap::new(), BTreeSet::new());
        for node in root.named() {
            match node.kind() {
                "const_declaration" => {
                    for spec in node.named().into_iter().filter(|n| n.kind() == "const_spec") {
                        for (name, value) in pairs(spec) {
                            constants.entry(name.text(text)).or_insert(value);
                        }
                    }
                }
                "type_declaration" => {
                    types.extend(node.named().iter().filter_map(|spec| spec.field("name")).map(|name| name.text(text)));
                }
                _ => {}
            }
        }
        Self { text, constants, types }
    }

    /// Reads an expression.
    pub(crate) fn read(&self, node: Node<'t>) -> Reading {
        self.literal(node, 0).map_or_else(|| Reading::computed(node.text(self.text)), Reading::Literal)
    }

    /// The text of an expression that is a string or stands for one.
    pub(crate) fn string(&self, node: Node<'t>) -> Option<String> {
        match self.literal(node, 0)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Every string of a list of strings.
    pub(crate) fn strings(&self, node: Node<'t>) -> Vec<String> {
        match self.literal(node, 0) {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }

    fn literal(&self, node: Node<'t>, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let source = node.text(self.text);
        match node.kind() {
            "int_literal" | "float_literal" => reading::number(source),
            "interpreted_string_literal" => Some(reading::unescape(source.strip_prefix('"')?.strip_suffix('"')?).into()),
            "raw_string_literal" => Some(source.strip_prefix('`')?.strip_suffix('`')?.into()),
            "rune_literal" => Some(reading::unescape(source.strip_prefix('\'')?.strip_suffix('\'')?).into()),
            "true" | "false" => Some(Value::Bool(source == "true")),
            "nil" => Some(Value::Null),
            "parenthesized_expression" | "literal_element" => self.literal(node.named_child(0)?, depth + 1),
            "unary_expression" => {
                let operand = self.literal(node.field("operand")?, depth + 1)?;
                match source.chars().next()? {
                    '-' => reading::negated(&operand),
                    '&' | '+' => Some(operand),
                    '!' => operand.as_bool().map(|b| Value::Bool(!b)),
                    _ => None,
                }
            }
            "binary_expression" | "selector_expression" => {
                let (nanoseconds, true) = self.duration(node, depth)? else { return None };
                Some(duration_text(nanoseconds).into())
            }
            "identifier" => self.literal(*self.constants.get(source)?, depth + 1),
            "call_expression" => {
                let mut arguments = node.field("arguments")?.named().into_iter().filter(|a| !a.is_extra());
                let (only, None) = (arguments.next()?, arguments.next()) else { return None };
                let name = last_part(node.field("function")?.text(self.text));
                // The grammar takes the argument of `new(true)` for a type.
                if name == "new" {
                    return match only.text(self.text) {
                        "true" => Some(Value::Bool(true)),
                        "false" => Some(Value::Bool(false)),
                        _ => None,
                    };
                }
                let conversion = CONVERSIONS.contains(&name) || name.ends_with("Ptr") || self.types.contains(name);
                conversion.then(|| self.literal(only, depth + 1)).flatten()
            }
            "type_conversion_expression" => self.literal(node.field("operand")?, depth + 1),
            "composite_literal" => {
                if !matches!(node.field("type")?.kind(), "slice_type" | "array_type" | "implicit_length_array_type") {
                    return None;
                }
                let elements = node.field("body")?.named().into_iter().filter(|e| !e.is_extra());
                elements
                    .map(|e| if e.kind() == "literal_element" { self.literal(e, depth + 1) } else { None })
                    .collect::<Option<Vec<_>>>()
                    .map(Value::Array)
            }
            _ => None,
        }
    }

    /// The number an expression of integers and units of time gives, and whether a unit is in it.
    fn duration(&self, node: Node<'t>, depth: usize) -> Option<(u128, bool)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let source = node.text(self.text);
        match node.kind() {
            "int_literal" => Some((u128::from(reading::number(source)?.as_u64()?), false)),
            "parenthesized_expression" => self.duration(node.named_child(0)?, depth + 1),
            "identifier" => self.duration(*self.constants.get(source)?, depth + 1),
            "call_expression" if last_part(node.field("function")?.text(self.text)) == "Duration" => {
                self.duration(node.field("arguments")?.named_child(0)?, depth + 1)
            }
            "selector_expression" => Some((
                match source {
                    "time.Nanosecond" => 1,
                    "time.Microsecond" => 1_000,
                    "time.Millisecond" => 1_000_000,
                    "time.Second" => 1_000_000_000,
                    "time.Minute" => 60_000_000_000,
                    "time.Hour" => 3_600_000_000_000,
                    _ => return None,
                },
                true,
            )),
            "binary_expression" if node.field("operator")?.text(self.text) == "*" => {
                let (left, left_unit) = self.duration(node.field("left")?, depth + 1)?;
                let (right, right_unit) = self.duration(node.field("right")?, depth + 1)?;
                if left_unit && right_unit { None } else { Some((left.checked_mul(right)?, left_unit || right_unit)) }
            }
            _ => None,
        }
    }
}

/// A call: its function as written, what the function is selected from, and the arguments.
pub(crate) struct Call<'t> {
    pub(crate) function: &'t str,
    pub(crate) receiver: Option<Node<'t>>,
    pub(crate) arguments: Vec<Node<'t>>,
}

impl<'t> Call<'t> {
    /// Reads a call; `None` for any other node.
    pub(crate) fn read(node: Node<'t>, text: &'t str) -> Option<Self> {
        let function = node.field("function").filter(|_| node.kind() == "call_expression")?;
        let receiver = function.field("operand").filter(|_| function.kind() == "selector_expression");
        let arguments = node.field("arguments")?.named().into_iter().filter(|a| !a.is_extra()).collect();
        Some(Self { function: function.text(text), receiver, arguments })
    }

    /// The method or function without what it is selected from.
    pub(crate) fn name(&self) -> &'t str {
        last_part(self.function)
    }
}

/// The value of a key in a composite literal.
pub(crate) fn element<'t>(literal: Node<'t>, key: &str, text: &str) -> Option<Node<'t>> {
    let body = if literal.kind() == "literal_value" { literal } else { literal.field("body")? };
    body.named().into_iter().find_map(|element| {
        let name = element.field("key")?;
        (name.text(text) == key).then(|| element.field("value")?.named_child(0))?
    })
}

/// The assignments and declarations of one node: left and right sides in pairs.
pub(crate) fn assignments(node: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    match node.kind() {
        "var_spec" | "const_spec" => pairs(node),
        "short_var_declaration" | "assignment_statement" => {
            let sides = |field: &str| node.field(field).map(|l| l.named()).unwrap_or_default();
            let (left, right) = (sides("left"), sides("right"));
            if left.len() == right.len() { left.into_iter().zip(right).collect() } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// The composite literal that an expression is or points to.
pub(crate) fn composite(node: Node<'_>) -> Option<Node<'_>> {
    let node = if node.kind() == "unary_expression" { node.field("operand")? } else { node };
    (node.kind() == "composite_literal").then_some(node)
}

/// Walks a file and tells for each node which function it stands in.
pub(crate) fn walk<'t>(root: Node<'t>, text: &'t str, mut visit: impl FnMut(Node<'t>, &'t str)) {
    let (mut function, mut end) = ("", 0);
    for node in root.preorder() {
        if node.start_byte() >= end {
            function = "";
        }
        if matches!(node.kind(), "function_declaration" | "method_declaration")
            && let Some(name) = node.field("name")
        {
            (function, end) = (name.text(text), node.end_byte());
        }
        visit(node, function);
    }
}

/// The names of a constant or variable specification with their values; names without one are left out.
pub(crate) fn pairs(spec: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    let values = spec.field("value").map(|v| v.named()).unwrap_or_default();
    names(spec).into_iter().zip(values.into_iter().filter(|v| !v.is_extra())).collect()
}

/// The names that a declaration gives to one type.
pub(crate) fn names(declaration: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = declaration.walk();
    declaration.children_by_field_name("name", &mut cursor).filter(Node::is_named).collect()
}

/// The last part of a dotted name, without type arguments.
pub(crate) fn last_part(name: &str) -> &str {
    let name = name.split('[').next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name).trim()
}

/// A type's own name: no pointer, package, list or type arguments.
pub(crate) fn base_type(kind: &str) -> &str {
    let plain = kind.trim_start_matches(['*', '&', '[', ']']);
    if plain.contains('{') || plain.contains(' ') || plain.contains('(') { "" } else { last_part(plain) }
}

/// Whether a name is exported.
pub(crate) fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::syntax::{Grammar, parse};

    fn check(expression: &str, expected: &Value) {
        let text =
            format!("package p\nconst Max = 1_000\nconst wait = 5 * time.Second\ntype Level string\nvar x = {expression}\n");
        let tree = parse(Grammar::Go, &text).expect("a tree");
        let literals = Literals::new(tree.root(), &text);
        let value = tree.root().preorder().filter(|n| n.kind() == "var_spec").find_map(|n| n.field("value")?.named_child(0));
        let found = match literals.read(value.expect("a value")) {
            Reading::Literal(value) => value,
            Reading::Computed(source) => json!({ "expr": source }),
        };
        assert_eq!(&found, expected, "{expression}");
    }

    #[test]
    fn reads_literals() {
        for (expression, expected) in [
            ("1_000", json!(1000)),
            ("-2.5", json!(-2.5)),
            ("\"a\\n\"", json!("a\n")),
            ("`a\\n`", json!("a\\n")),
            ("'x'", json!("x")),
            ("true", json!(true)),
            ("nil", json!(null)),
            ("5 * time.Second", json!("5s")),
            ("time.Minute", json!("1m")),
            ("time.Duration(90) * time.Second", json!("90s")),
            ("24 * 60 * time.Minute", json!("24h")),
            ("model.Duration(5 * time.Millisecond)", json!("5ms")),
            ("wait", json!("5s")),
            ("2 * wait", json!("10s")),
            ("Max", json!(1000)),
            ("int64(Max)", json!(1000)),
            ("ptr.To(true)", json!(true)),
            ("new(false)", json!(false)),
            ("Level(\"debug\")", json!("debug")),
            ("[]string{\"a\", \"b\"}", json!(["a", "b"])),
            ("[]string{}", json!([])),
            ("[]byte(\"x\")", json!("x")),
        ] {
            check(expression, &expected);
        }
    }

    #[test]
    fn leaves_the_rest_as_source() {
        for expression in [
            "1 << 20",
            "10 * 1024",
            "f(\"x\")",
            "strings.ToUpper(\"x\")",
            "x.Y",
            "map[string]int{\"a\": 1}",
            "time.Second * time.Second",
        ] {
            check(expression, &json!({ "expr": expression }));
        }
    }
}
