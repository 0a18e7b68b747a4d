//! Environment variables that Go code reads: `os.Getenv`, small functions around it, struct tags.

use serde_json::Value;

use super::literal::{Call, Literals, last_part};
use super::settings::tag_value;
use crate::facts::reading::{Object, Reading};
use crate::facts::{FactSink, NewFact};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// Records the variables of a file.
pub(super) fn extract<'t>(root: Node<'t>, text: &'t str, literals: &Literals<'t>, sink: &mut FactSink<'_>) {
    if !text.contains("env") && !text.contains("Env") {
        return;
    }
    let mut fallbacks: Vec<(ByteSpan, Reading)> = Vec::new();
    for node in root.preorder() {
        match node.kind() {
            "call_expression" => {
                let Some(call) = Call::read(node, text) else { continue };
                if call.function == "cmp.Or"
                    && let [first, .., last] = call.arguments.as_slice()
                {
                    fallbacks.push((first.span(), literals.read(*last)));
                }
                let Some((name, own)) = variable(&call, literals) else { continue };
                let outer = fallbacks.iter().find(|(span, _)| *span == node.span()).map(|(_, reading)| reading.clone());
                push(name, own.or(outer), node.span(), sink);
            }
            "field_declaration" => {
                let Some(tag) = node.field("tag").map(|t| t.text(text)) else { continue };
                for key in ["env", "envconfig"] {
                    let name = tag_value(tag.trim_matches('`'), key).and_then(|v| v.split(',').next()).unwrap_or_default();
                    if is_variable(name) {
                        let default = ["envDefault", "default"].iter().find_map(|k| tag_value(tag.trim_matches('`'), k));
                        push(name.to_owned(), default.map(|d| Reading::Literal(d.into())), node.span(), sink);
                    }
                }
            }
            _ => {}
        }
    }
}

fn push(name: String, default: Option<Reading>, span: ByteSpan, sink: &mut FactSink<'_>) {
    let mut value = Object::new();
    if let Some(default) = default {
        default.store(&mut value, "default");
    }
    sink.push(NewFact::new(FactKind::EnvVar, "env", name, Value::Object(value), span));
}

/// The variable a call reads and the default it is given.
fn variable<'t>(call: &Call<'t>, literals: &Literals<'t>) -> Option<(String, Option<Reading>)> {
    let name = last_part(call.function);
    if matches!(call.function, "os.Getenv" | "os.LookupEnv" | "syscall.Getenv") {
        return Some((literals.string(*call.arguments.first()?)?, None)).filter(|(name, _)| !name.is_empty());
    }
    if name == "BindEnv" {
        let names = call.arguments.get(1).and_then(|a| literals.string(*a));
        return names.filter(|n| is_variable(n)).map(|n| (n, None));
    }
    let lower = name.to_ascii_lowercase();
    if !lower.starts_with("env") && !lower.starts_with("getenv") && !lower.starts_with("lookupenv") {
        return None;
    }
    let variable = literals.string(*call.arguments.first()?).filter(|n| is_variable(n))?;
    let default = call.arguments.get(1).filter(|_| call.arguments.len() == 2).map(|d| literals.read(*d));
    Some((variable, default))
}

/// Whether a name is written as environment variables are.
fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}
