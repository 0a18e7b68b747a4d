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

/// Most objects of one call.
const MAX_OBJECTS: usize = 8;
const ASSIGN: &str = "Object.assign";

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
        for (callee, object) in tree.root().preorder().flat_map(|call| objects(call, source.text())) {
            let literal: Vec<_> = values
                .entries(object)
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

/// The objects that a call passes, with what is called; `Object.assign` among its arguments is looked through.
fn objects<'t, 's>(call: Node<'t>, text: &'s str) -> Vec<(&'s str, Node<'t>)> {
    let Some(callee) = callee(call, text).filter(|c| *c != ASSIGN) else { return Vec::new() };
    let last = callee.rsplit('.').next().unwrap_or(callee);
    if last.is_empty() || last.len() > 60 || !last.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Vec::new();
    }
    let passed = arguments(call).into_iter().flat_map(|a| if callee_is_assign(a, text) { arguments(a) } else { vec![a] });
    passed.filter(|n| n.kind() == "object").take(MAX_OBJECTS).map(|object| (last, object)).collect()
}

fn callee_is_assign(node: Node<'_>, text: &str) -> bool {
    callee(node, text) == Some(ASSIGN)
}

fn callee<'s>(call: Node<'_>, text: &'s str) -> Option<&'s str> {
    let field = match call.kind() {
        "call_expression" => "function",
        "new_expression" => "constructor",
        _ => return None,
    };
    call.field(field).map(|n| n.text(text))
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
