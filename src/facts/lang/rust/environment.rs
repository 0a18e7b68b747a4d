//! Environment variables that Rust code reads, with the literal that stands in for a missing one.

use serde_json::Value;

use super::attributes::{Attributes, last_segment};
use super::literal::Literals;
use crate::facts::reading::{Object, Reading};
use crate::facts::{FactSink, NewFact};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// The spans of test code in a file, in order.
pub(crate) struct TestCode(Vec<ByteSpan>);

impl TestCode {
    /// Finds what stands under `#[cfg(test)]` or `#[test]`.
    pub(crate) fn new(root: Node<'_>, text: &str) -> Self {
        let mut spans = Vec::new();
        if text.contains("test") {
            for node in root.preorder().filter(|n| n.kind() == "attribute_item") {
                let covered = spans.last().is_some_and(|last: &ByteSpan| last.end > node.start_byte());
                if covered || !Attributes::single(node, text).is_test() {
                    continue;
                }
                let mut next = node.next_named_sibling();
                while let Some(sibling) = next.filter(|n| n.kind() == "attribute_item" || n.is_extra()) {
                    next = sibling.next_named_sibling();
                }
                spans.extend(next.map(|item| item.span()));
            }
        }
        Self(spans)
    }

    /// Whether an offset lies in test code.
    pub(crate) fn covers(&self, offset: usize) -> bool {
        let before = self.0.partition_point(|span| span.start <= offset);
        before.checked_sub(1).is_some_and(|at| self.0[at].end > offset)
    }
}

/// Records the variables of a file.
pub(super) fn extract<'t>(root: Node<'t>, text: &'t str, literals: &Literals<'t>, sink: &mut FactSink<'_>) {
    if !text.contains("env") {
        return;
    }
    let tests = TestCode::new(root, text);
    // Calls are met from the outside in, so what stands behind `env::var` is met before it.
    let mut fallbacks: Vec<(ByteSpan, Reading)> = Vec::new();
    for node in root.preorder() {
        let found = match node.kind() {
            "call_expression" => {
                if let Some(fallback) = fallback(node, text, literals) {
                    fallbacks.push(fallback);
                }
                call(node, text, literals)
            }
            "macro_invocation" => macro_call(node, text),
            _ => None,
        };
        let Some(name) = found.filter(|n| is_name(n) && !tests.covers(node.start_byte())) else { continue };
        let mut value = Object::new();
        if let Some((_, reading)) = fallbacks.iter().find(|(span, _)| *span == node.span()) {
            reading.clone().store(&mut value, "default");
        }
        sink.push(NewFact::new(FactKind::EnvVar, "env", name, Value::Object(value), node.span()));
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn call<'t>(node: Node<'t>, text: &'t str, literals: &Literals<'t>) -> Option<String> {
    let function = node.field("function")?;
    let argument = node.field("arguments")?.named_child(0)?;
    let written = function.field("field").filter(|_| function.kind() == "field_expression").unwrap_or(function).text(text);
    let mut segments = written.rsplit("::");
    let name = segments.next()?;
    let module = segments.next().unwrap_or_default();
    if matches!(module, "env" | "dotenv" | "dotenvy") && matches!(name, "var" | "var_os") {
        return literals.string(argument);
    }
    // Small functions around `env::var`, known by their name and an argument written as variables are.
    let around = ["get_env", "getenv", "read_env", "env_var", "env_or"].iter().any(|prefix| name.starts_with(prefix));
    let variable = around.then(|| literals.string(argument)).flatten()?;
    (variable.len() > 2 && variable == variable.to_ascii_uppercase()).then_some(variable)
}

fn macro_call(node: Node<'_>, text: &str) -> Option<String> {
    if !matches!(last_segment(node.field("macro")?.text(text)), "env" | "option_env") {
        return None;
    }
    let tokens = node.child_of_kind("token_tree")?;
    let first = tokens.named_child(0).filter(|t| t.kind() == "string_literal")?;
    super::attributes::string(first.text(text))
}

/// For `<read>.ok().unwrap_or("x")`: the span of the innermost call that is read, and the literal behind it.
fn fallback<'t>(node: Node<'t>, text: &'t str, literals: &Literals<'t>) -> Option<(ByteSpan, Reading)> {
    let function = node.field("function").filter(|f| f.kind() == "field_expression")?;
    let method = function.field("field")?.text(text);
    let argument = node.field("arguments")?.named().into_iter().rfind(|a| !a.is_extra());
    let reading = match method {
        "unwrap_or" => literals.read(argument?),
        "unwrap_or_else" => {
            let closure = argument.filter(|a| a.kind() == "closure_expression")?;
            literals.read(closure.field("body")?)
        }
        _ => return None,
    };
    let mut inner = function.field("value")?;
    for _ in 0..8 {
        inner = match inner.kind() {
            "call_expression" => match inner.field("function").filter(|f| f.kind() == "field_expression") {
                Some(f) if matches!(f.field("field")?.text(text), "ok" | "as_deref" | "as_ref" | "filter" | "clone") => {
                    f.field("value")?
                }
                Some(_) => return None,
                None => return Some((inner.span(), reading)),
            },
            "macro_invocation" => return Some((inner.span(), reading)),
            "reference_expression" => inner.field("value")?,
            _ => return None,
        };
    }
    None
}
