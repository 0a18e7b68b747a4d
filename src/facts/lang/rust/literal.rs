//! Reading Rust expressions without running them: literals, simple constructors around one, constants of the file.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::attributes::{self, Item, items, last_segment};
use crate::facts::reading::{self, Reading};
use crate::syntax::{Grammar, Node, NodeExt, parse};
use crate::value::literal::duration_text;

/// Deepest nesting of an expression that is read.
const MAX_DEPTH: usize = 16;

/// Calls of one argument whose result reads as the argument.
const CONSTRUCTORS: [&str; 12] = [
    "Some",
    "Box::new",
    "Arc::new",
    "Rc::new",
    "Path::new",
    "OsStr::new",
    "Cow::Borrowed",
    "Cow::from",
    "Cell::new",
    "RefCell::new",
    "Mutex::new",
    "Ok",
];

/// Methods that leave the value what it is.
const TRANSPARENT: [&str; 20] = [
    "into",
    "to_string",
    "to_owned",
    "to_vec",
    "clone",
    "into_owned",
    "into_boxed_str",
    "as_str",
    "as_ref",
    "unwrap",
    "expect",
    "parse",
    "iter",
    "into_iter",
    "collect",
    "cloned",
    "copied",
    "to_path_buf",
    "as_bytes",
    "try_into",
];

/// Reads the expressions of one file.
pub(crate) struct Literals<'t> {
    text: &'t str,
    constants: BTreeMap<String, Node<'t>>,
    variants: BTreeMap<String, String>,
}

impl<'t> Literals<'t> {
    /// Gathers the constants of a file: `NAME` at the top level, `Type::NAME` in an `impl`.
    pub(crate) fn new(root: Node<'t>, text: &'t str) -> Self {
        let mut constants = BTreeMap::new();
        for item in items(root, text) {
            add_constant(&mut constants, &item, "", text);
            if item.node.kind() == "impl_item"
                && let (Some(subject), Some(body)) = (item.node.field("type"), item.node.field("body"))
            {
                let subject = last_segment(subject.text(text));
                for member in items(body, text) {
                    add_constant(&mut constants, &member, subject, text);
                }
            }
        }
        Self { text, constants, variants: BTreeMap::new() }
    }

    /// Lets `Type::Variant` read as the variant's name in configuration or on the command line.
    pub(crate) fn name_variant(&mut self, enumeration: &str, variant: &str, name: &str) {
        self.variants.insert(format!("{enumeration}::{variant}"), name.to_owned());
    }

    /// Reads an expression of the file.
    pub(crate) fn read(&self, node: Node<'t>) -> Reading {
        self.literal(node, self.text, 0).map_or_else(|| Reading::computed(node.text(self.text)), Reading::Literal)
    }

    /// Reads an expression that stands as text, e.g. in an attribute.
    pub(crate) fn read_text(&self, expression: &str) -> Reading {
        self.parsed(expression, 0).map_or_else(|| Reading::computed(expression), Reading::Literal)
    }

    /// The text of an expression that is a string or stands for one.
    pub(crate) fn string(&self, node: Node<'t>) -> Option<String> {
        match self.literal(node, self.text, 0)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    fn parsed(&self, expression: &str, depth: usize) -> Option<Value> {
        let source = format!("const X: X = {expression};");
        let tree = parse(Grammar::Rust, &source)?;
        let item = tree.root().named_child(0)?;
        if tree.has_error() || tree.root().named_child_count() != 1 {
            return None;
        }
        self.literal(item.field("value")?, &source, depth)
    }

    fn literal(&self, node: Node<'_>, text: &str, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        let source = node.text(text);
        match node.kind() {
            "integer_literal" | "float_literal" => reading::number(source),
            "boolean_literal" => Some(Value::Bool(source == "true")),
            "string_literal" | "raw_string_literal" => string_literal(source).map(Value::String),
            "char_literal" => {
                Some(Value::String(reading::unescape(source.trim_start_matches('b').strip_prefix('\'')?.strip_suffix('\'')?)))
            }
            "unary_expression" if source.starts_with('-') => {
                reading::negated(&self.literal(node.named_child(0)?, text, depth + 1)?)
            }
            "unary_expression" if source.starts_with('*') => self.literal(node.named_child(0)?, text, depth + 1),
            "parenthesized_expression" => self.literal(node.named_child(0)?, text, depth + 1),
            "reference_expression" | "type_cast_expression" => self.literal(node.field("value")?, text, depth + 1),
            "array_expression" if node.field("length").is_none() => self.list(node, text, depth),
            "block" | "unsafe_block" if node.named_child_count() == 1 => self.literal(node.named_child(0)?, text, depth + 1),
            "call_expression" => self.call(node, text, depth),
            "macro_invocation" => self.macro_call(node, text, depth),
            "identifier" | "scoped_identifier" => self.name(source, depth),
            _ => None,
        }
    }

    fn list(&self, node: Node<'_>, text: &str, depth: usize) -> Option<Value> {
        node.named()
            .into_iter()
            .filter(|child| !child.is_extra())
            .map(|child| self.literal(child, text, depth + 1))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array)
    }

    fn call(&self, node: Node<'_>, text: &str, depth: usize) -> Option<Value> {
        let function = node.field("function")?;
        let arguments: Vec<_> = node.field("arguments")?.named().into_iter().filter(|a| !a.is_extra()).collect();
        if function.kind() == "field_expression" {
            let method = function.field("field")?.text(text);
            return TRANSPARENT.contains(&method).then(|| self.literal(function.field("value")?, text, depth + 1)).flatten();
        }
        let function = if function.kind() == "generic_function" { function.field("function")? } else { function };
        let path = plain_path(function.text(text));
        let call = tail(&path, 2);
        match arguments.as_slice() {
            [] => match call {
                "String::new" | "PathBuf::new" | "OsString::new" => Some(Value::String(String::new())),
                "Vec::new" => Some(Value::Array(Vec::new())),
                _ => self.variants.get(call).cloned().map(Value::String),
            },
            [only] => {
                if call.starts_with("Duration::from_") {
                    return duration(call, *only, text);
                }
                let constructor = CONSTRUCTORS.contains(&call) || call.ends_with("::from") || is_number_wrapper(call);
                constructor.then(|| self.literal(*only, text, depth + 1)).flatten()
            }
            [seconds, nanoseconds] if call == "Duration::new" => {
                let (s, n) = (product(*seconds, text, 0)?, product(*nanoseconds, text, 0)?);
                Some(duration_text(s.checked_mul(1_000_000_000)?.checked_add(n)?).into())
            }
            _ => None,
        }
    }

    fn macro_call(&self, node: Node<'_>, text: &str, depth: usize) -> Option<Value> {
        let name = last_segment(node.field("macro")?.text(text));
        if name != "vec" {
            return None;
        }
        let inside = node.child_of_kind("token_tree")?.text(text);
        let inner = inside.get(1..inside.len().checked_sub(1)?)?;
        self.parsed(&format!("[{inner}]"), depth + 1)
    }

    fn name(&self, path: &str, depth: usize) -> Option<Value> {
        let path = plain_path(path);
        if path == "None" || path == "Option::None" {
            return Some(Value::Null);
        }
        if tail(&path, 2) == "Duration::ZERO" {
            return Some(duration_text(0).into());
        }
        if let Some(name) = self.variants.get(tail(&path, 2)) {
            return Some(Value::String(name.clone()));
        }
        let local = path.strip_prefix("self::").or_else(|| path.strip_prefix("super::")).unwrap_or(&path);
        let constant = self.constants.get(local)?;
        self.literal(*constant, self.text, depth + 1)
    }
}

fn add_constant<'t>(constants: &mut BTreeMap<String, Node<'t>>, item: &Item<'t>, subject: &str, text: &'t str) {
    if !matches!(item.node.kind(), "const_item" | "static_item") {
        return;
    }
    let (Some(name), Some(value)) = (item.node.field("name"), item.node.field("value")) else { return };
    let name = name.text(text);
    if subject.is_empty() {
        constants.entry(name.to_owned()).or_insert(value);
        return;
    }
    constants.entry(format!("{subject}::{name}")).or_insert(value);
    // `Self::NAME` is one value only while a single type of the file has it.
    match constants.entry(format!("Self::{name}")) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(value);
        }
        std::collections::btree_map::Entry::Occupied(entry) => {
            entry.remove();
        }
    }
}

/// A path without generics and blanks.
fn plain_path(path: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 && !c.is_whitespace() => out.push(c),
            _ => {}
        }
    }
    out.replace("::::", "::")
}

/// The last segments of a path.
fn tail(path: &str, segments: usize) -> &str {
    path.rmatch_indices("::").nth(segments - 1).map_or(path, |(at, _)| &path[at + 2..])
}

fn is_number_wrapper(call: &str) -> bool {
    call.starts_with("NonZero") && call.ends_with("::new") || call.starts_with("Atomic") && call.ends_with("::new")
}

fn string_literal(source: &str) -> Option<String> {
    attributes::string(source.trim_start_matches(['b', 'c']))
}

fn duration(call: &str, argument: Node<'_>, text: &str) -> Option<Value> {
    let unit = match call.strip_prefix("Duration::from_")? {
        "nanos" => 1,
        "micros" => 1_000,
        "millis" => 1_000_000,
        "secs" | "secs_f32" | "secs_f64" => 1_000_000_000,
        "mins" | "minutes" => 60_000_000_000,
        "hours" => 3_600_000_000_000,
        "days" => 86_400_000_000_000,
        _ => return None,
    };
    if let Some(count) = product(argument, text, 0) {
        return Some(duration_text(count.checked_mul(unit)?).into());
    }
    if argument.kind() == "float_literal" {
        let number = reading::number(argument.text(text))?;
        return nanoseconds(&number).map(|n| duration_text(n).into());
    }
    None
}

/// Nanoseconds of a number of seconds, exact to the digits written.
fn nanoseconds(seconds: &Value) -> Option<u128> {
    let written = seconds.as_number().map(Number::to_string)?;
    let (whole, fraction) = written.split_once('.').unwrap_or((written.as_str(), ""));
    if fraction.len() > 9 {
        return None;
    }
    let whole: u128 = whole.parse().ok()?;
    let fraction: u128 = format!("{fraction:0<9}").parse().ok()?;
    whole.checked_mul(1_000_000_000)?.checked_add(fraction)
}

/// A whole number or a product of whole numbers: `60 * 60`.
fn product(node: Node<'_>, text: &str, depth: usize) -> Option<u128> {
    if depth > MAX_DEPTH {
        return None;
    }
    match node.kind() {
        "integer_literal" => reading::number(node.text(text))?.as_u64().map(u128::from),
        "parenthesized_expression" => product(node.named_child(0)?, text, depth + 1),
        "binary_expression" if node.field("operator")?.text(text) == "*" => {
            product(node.field("left")?, text, depth + 1)?.checked_mul(product(node.field("right")?, text, depth + 1)?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(expression: &str, expected: &Value) {
        let text = "const MAX: u32 = 1_000; const A: u8 = B; const B: u8 = A;\nimpl T { const N: usize = 3; }";
        let tree = parse(Grammar::Rust, text).expect("a tree");
        let mut literals = Literals::new(tree.root(), text);
        literals.name_variant("Mode", "SmartCase", "smart-case");
        let found = match literals.read_text(expression) {
            Reading::Literal(value) => value,
            Reading::Computed(source) => json!({ "expr": source }),
        };
        assert_eq!(&found, expected, "{expression}");
    }

    #[test]
    fn reads_literals() {
        for (expression, expected) in [
            ("1_000u64", json!(1000)),
            ("-5", json!(-5)),
            ("2.50", json!(2.5)),
            ("true", json!(true)),
            ("\"a\\n\"", json!("a\n")),
            ("r#\"a\"b\"#", json!("a\"b")),
            ("b\"x\"", json!("x")),
            ("'c'", json!("c")),
            ("b'c'", json!("c")),
            ("'\\''", json!("'")),
            ("Some(5)", json!(5)),
            ("None", json!(null)),
            ("Some(\"x\".to_string())", json!("x")),
            ("String::from(\"x\")", json!("x")),
            ("PathBuf::from(\"x\").into()", json!("x")),
            ("String::new()", json!("")),
            ("Duration::from_millis(400)", json!("400ms")),
            ("std::time::Duration::from_secs(60 * 60)", json!("1h")),
            ("Duration::from_secs_f64(0.25)", json!("250ms")),
            ("Duration::new(1, 500_000_000)", json!("1500ms")),
            ("vec![1, 2]", json!([1, 2])),
            ("vec![\"a\".into(), \"b\".to_owned()]", json!(["a", "b"])),
            ("&[\"a\", \"b\"]", json!(["a", "b"])),
            ("MAX", json!(1000)),
            ("self::MAX as usize", json!(1000)),
            ("T::N", json!(3)),
            ("Self::N", json!(3)),
            ("Mode::SmartCase", json!("smart-case")),
            ("NonZeroUsize::new(4).unwrap()", json!(4)),
            ("\"127.0.0.1\".parse().unwrap()", json!("127.0.0.1")),
        ] {
            check(expression, &expected);
        }
    }

    #[test]
    fn leaves_the_rest_as_source() {
        for expression in [
            "A",
            "1 + 1",
            "num_cpus::get()",
            "vec![0; 5]",
            "[0; 5]",
            "\"a\".trim()",
            "x",
            "format!(\"a{x}\")",
            "Foo { a: 1 }",
            "1;",
            "((",
        ] {
            check(expression, &json!({ "expr": expression }));
        }
    }

    #[test]
    fn survives_deep_expressions() {
        let deep = format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000));
        let tree = parse(Grammar::Rust, "").expect("a tree");
        assert!(matches!(Literals::new(tree.root(), "").read_text(&deep), Reading::Computed(_)));
    }
}
