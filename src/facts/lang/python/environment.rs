//! Environment variables that Python code reads, and those that name the fields of a settings class.

use super::File;
use super::module::default_of;
use super::value::{Arguments, assignment, callee, class_of, leaf};
use crate::facts::FactSink;
use crate::facts::environment::{Variable, record};
use crate::syntax::{Node, NodeExt};

/// Records the variables of a file, each once: the first read that shows a default, else the first one.
pub(super) fn read(file: &File<'_>, root: Node<'_>, sink: &mut FactSink<'_>) {
    let text = file.values.text();
    if !["env", "ENV"].iter().any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some()) {
        return;
    }
    let mut found: Vec<Variable> = Vec::new();
    for node in root.preorder() {
        match node.kind() {
            "subscript" => subscript(file, node, &mut found),
            "call" => call(file, node, &mut found),
            "comparison_operator" => membership(file, node, &mut found),
            "class_definition" => settings(file, node, &mut found),
            _ => {}
        }
    }
    record(found, sink);
}

fn is_environ(text: &str) -> bool {
    matches!(leaf(text), "environ" | "environb")
}

fn push(file: &File<'_>, name: Node<'_>, default: Option<Node<'_>>, at: Node<'_>, found: &mut Vec<Variable>) {
    if let Some(name) = file.values.string(name) {
        found.push(Variable { name, default: default.map(|d| file.values.read(d)), span: at.span() });
    }
}

/// `os.environ["X"]`, unless it is assigned or deleted.
fn subscript(file: &File<'_>, node: Node<'_>, found: &mut Vec<Variable>) {
    if !node.field("value").is_some_and(|v| is_environ(file.text(v))) {
        return;
    }
    let is_target = node.parent().is_some_and(|p| {
        p.kind() == "delete_statement" || (p.kind() == "assignment" && p.field("left").is_some_and(|l| l.id() == node.id()))
    });
    if let (Some(key), false) = (node.field("subscript"), is_target) {
        push(file, key, None, node, found);
    }
}

/// `"X" in os.environ`.
fn membership(file: &File<'_>, node: Node<'_>, found: &mut Vec<Variable>) {
    if let [left, right] = node.named().as_slice()
        && is_environ(file.text(*right))
        && left.kind() == "string"
    {
        push(file, *left, None, node, found);
    }
}

fn call(file: &File<'_>, node: Node<'_>, found: &mut Vec<Variable>) {
    let text = file.values.text();
    let name = callee(node, text);
    let arguments = Arguments::of(node, text);
    if let Some(names) = arguments.get("envvar") {
        let names = file.values.string(names).map_or_else(|| file.values.items(names), |name| vec![name.into()]);
        for name in names.iter().filter_map(|v| v.as_str()) {
            found.push(Variable { name: name.to_owned(), default: None, span: node.span() });
        }
    }
    let (object, method) = name.rsplit_once('.').unwrap_or(("", name));
    let reads = match method {
        "get" | "pop" | "setdefault" => is_environ(object),
        "getenv" | "env" => true,
        "str" | "bool" | "int" | "float" | "list" | "json" | "url" | "path" | "dict" | "tuple" | "db" | "cache" | "decimal"
        | "timedelta" => leaf(object) == "env",
        "config" => object.is_empty() && text.contains("decouple"),
        _ => false,
    };
    let Some(first) = arguments.positional.first().copied().filter(|_| reads) else { return };
    if method == "env" && file.values.string(first).is_none_or(|name| name.chars().any(char::is_lowercase)) {
        return;
    }
    let by_object = matches!(method, "get" | "pop" | "setdefault" | "getenv" | "env");
    let default = if by_object {
        arguments.nth_or(1, "default")
    } else {
        arguments.get("default").or_else(|| arguments.positional.get(1).copied())
    };
    push(file, first, default.or_else(|| alternative(node)), node, found);
}

/// `d` of `os.environ.get("X") or d`.
fn alternative(node: Node<'_>) -> Option<Node<'_>> {
    let parent = node.parent().filter(|p| p.kind() == "boolean_operator")?;
    let is_left = parent.field("left").is_some_and(|l| l.id() == node.id());
    let is_or = parent.field("operator").is_some_and(|o| o.kind() == "or");
    parent.field("right").filter(|_| is_left && is_or)
}

/// The fields of a pydantic settings class with `env_prefix`.
fn settings(file: &File<'_>, class: Node<'_>, found: &mut Vec<Variable>) {
    let Some(body) = class.field("body") else { return };
    let statements = body.named();
    let Some(prefix) = statements.iter().find_map(|statement| prefix(file, *statement)) else { return };
    for statement in statements {
        let Some(field) = statement.child_of_kind("assignment") else { continue };
        let (Some(left), Some(_)) = (field.field("left"), field.field("type")) else { continue };
        let name = file.text(left);
        if left.kind() != "identifier" || name.starts_with('_') || name == "model_config" {
            continue;
        }
        let default = field.field("right").and_then(|right| default_of(file, right).0);
        let name = format!("{prefix}{name}").to_uppercase();
        found.push(Variable { name, default, span: field.span() });
    }
}

/// `model_config = SettingsConfigDict(env_prefix="X_")`, or `env_prefix = "X_"` in `class Config`.
fn prefix(file: &File<'_>, statement: Node<'_>) -> Option<String> {
    let text = file.values.text();
    if let Some(("model_config", value)) = assignment(statement, text) {
        if value.kind() == "dictionary" {
            let pair = value
                .named()
                .into_iter()
                .find(|p| p.field("key").is_some_and(|k| file.values.string(k).as_deref() == Some("env_prefix")))?;
            return file.values.string(pair.field("value")?);
        }
        return file.values.string(Arguments::of(value, text).get("env_prefix")?);
    }
    let config = class_of(statement).filter(|c| c.field("name").is_some_and(|n| file.text(n) == "Config"))?;
    config.field("body")?.named().into_iter().find_map(|inner| match assignment(inner, text) {
        Some(("env_prefix", value)) => file.values.string(value),
        _ => None,
    })
}
