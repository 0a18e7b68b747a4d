//! Options that code passes to what it calls: `new Client({ retries: 3, timeout: 500 })`. They are the project's own choice of
//! values, which documents repeat; nothing is declared by them.

use super::value::{Values, arguments};
use super::{is_ecmascript, is_minified};
use crate::facts::written::{Written, is_option_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{Fact, FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Fewest literal options that make a call a statement about defaults.
const LEAST: usize = 3;

/// Reads the options of calls.
pub struct CallOptions;

impl Extractor for CallOptions {
    fn name(&self) -> &'static str {
        "call-options"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if is_minified(source.path(), source.text()) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), source.text());
        for node in tree.root().preorder().filter(|n| n.kind() == "object") {
            let Some(callee) = callee(node, source.text()) else { continue };
            let literal: Vec<_> = values
                .entries(node)
                .into_iter()
                .filter_map(|(key, value)| match values.read(value) {
                    Written::Literal(literal) if is_option_name(&key) && !literal.is_object() => Some((key, literal, value)),
                    _ => None,
                })
                .collect();
            if literal.len() < LEAST {
                continue;
            }
            for (key, literal, value) in literal {
                let projection = serde_json::json!({ "declared": Fact::ARGUMENT, "default": literal });
                let name = format!("{callee}.{key}");
                sink.push(NewFact::new(FactKind::ConfigKey, source.module_owner(), name, projection, value.span()).internal());
            }
        }
    }
}

/// What is called with the object, `Object.assign` looked through.
fn callee<'s>(object: Node<'_>, text: &'s str) -> Option<&'s str> {
    let mut at = object;
    for _ in 0..3 {
        let call = at.parent().filter(|p| p.kind() == "arguments")?.parent()?;
        if !arguments(call).iter().any(|a| a.id() == at.id()) {
            return None;
        }
        let function = call.field("function").or_else(|| call.field("constructor"))?.text(text);
        if function == "Object.assign" {
            at = call;
            continue;
        }
        let last = function.rsplit('.').next().unwrap_or(function);
        return (!last.is_empty() && last.len() <= 60 && last.chars().all(|c| c.is_alphanumeric() || c == '_')).then_some(last);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str =
        "const c = new Client(Object.assign({ coerceTypes: true, retries: 3, mode: 'fast', on: f() }, o))\nrun({ a: 1, b: 2 })\n";

    #[test]
    fn reads_options_of_calls() {
        check(
            &CallOptions,
            "a.js",
            FULL,
            &[
                r#"-config-key Client.coerceTypes {"declared":"argument","default":true}"#,
                r#"-config-key Client.retries {"declared":"argument","default":3}"#,
                r#"-config-key Client.mode {"declared":"argument","default":"fast"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&CallOptions, "a.js", FULL);
    }
}
