//! `parseArgs({ options: { verbose: { type: "boolean", short: "v" } } })` of node:util.

use std::collections::BTreeMap;

use super::options_table::describe;
use crate::facts::lang::ecmascript::is_ecmascript;
use crate::facts::lang::ecmascript::value::{Values, arguments};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Options of node's own argument parser.
pub struct ParseArgs;

impl Extractor for ParseArgs {
    fn name(&self) -> &'static str {
        "parse-args"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if memchr::memmem::find(text.as_bytes(), b"parseArgs").is_none() {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), text);
        let mut objects: BTreeMap<&str, Node<'_>> = BTreeMap::new();
        for node in tree.root().preorder() {
            match node.kind() {
                "variable_declarator" => {
                    if let (Some(name), Some(value)) = (node.field("name"), node.field("value"))
                        && let Some(object) = values.object(value)
                    {
                        objects.insert(name.text(text), object);
                    }
                }
                "call_expression" => {
                    let is_own = node.field("function").is_some_and(|f| f.text(text).rsplit('.').next() == Some("parseArgs"));
                    let Some(config) = arguments(node).first().copied().filter(|_| is_own) else { continue };
                    let config = objects.get(config.text(text)).copied().unwrap_or(config);
                    let Some(options) = options(&values, config, &objects) else { continue };
                    for (key, description) in values.entries(options) {
                        let span = description.parent().unwrap_or(description).span();
                        describe(&values, &key, Some(description)).record("", span, span.of(text), sink);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The `options` of a configuration: an object there, or the name of one.
fn options<'t>(values: &Values<'_>, config: Node<'t>, objects: &BTreeMap<&str, Node<'t>>) -> Option<Node<'t>> {
    if let Some(value) = values.entry(config, "options") {
        return values.object(value).or_else(|| objects.get(value.text(values.text())).copied());
    }
    let shorthand =
        config.named().into_iter().any(|n| n.kind() == "shorthand_property_identifier" && n.text(values.text()) == "options");
    objects.get("options").copied().filter(|_| shorthand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_options() {
        checking::check(
            &ParseArgs,
            "cli.mjs",
            r"
import { parseArgs } from 'node:util';
const options = { name: { type: 'string' } };
parseArgs({ options: { verbose: { type: 'boolean', short: 'v', default: false }, file: { type: 'string', multiple: true } } });
parseArgs({ args, options });
",
            &[
                r#"cli-flag [cli] --verbose {"takesValue":false,"default":false} = -v"#,
                r#"cli-flag [cli] --file {"takesValue":true,"multiple":true}"#,
                r#"cli-flag [cli] --name {"takesValue":true}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(&ParseArgs, "a.js", "const options = { é: { type: 'string' } }; parseArgs({ options });\n");
    }
}
