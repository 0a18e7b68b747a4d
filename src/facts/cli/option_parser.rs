//! Ruby's `OptionParser` and what is built on it: `opts.on("-x", "--long VALUE")`, Mercenary's `c.option "port", "-P", "--port [PORT]"`,
//! and tables of such lists.

use serde_json::Value;

use super::declared::Flag;
use crate::facts::lang::ruby::is_ruby;
use crate::facts::lang::ruby::value::Values;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Options of `OptionParser`.
pub struct OptionParser;

impl Extractor for OptionParser {
    fn name(&self) -> &'static str {
        "option-parser"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ruby(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        let has = |hint: &str| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some();
        if !["\"--", "'--", "\"-", "'-"].iter().any(|hint| has(hint))
            || !["OptionParser", "option", "opts"].iter().any(|hint| has(hint))
        {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_file(tree.root(), text);
        for node in tree.root().preorder() {
            match node.kind() {
                "call" => {
                    let method = node.field("method").map(|m| m.text(text)).unwrap_or_default();
                    if matches!(method, "on" | "on_tail" | "on_head" | "option" | "define" | "switch") {
                        let given = node.field("arguments").map(|list| list.named()).unwrap_or_default();
                        record(&values, node, &given, sink);
                    }
                }
                // `"host" => ["-H", "--host [HOST]", "…"]`
                "pair" => {
                    if let Some(list) = node.field("value").filter(|v| v.kind() == "array") {
                        let given = list.named();
                        if given.iter().any(|n| values.string(*n).is_some_and(|s| s.starts_with("--"))) {
                            record(&values, node, &given, sink);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn record(values: &Values<'_>, node: Node<'_>, given: &[Node<'_>], sink: &mut FactSink<'_>) {
    let mut flag = Flag { takes_value: Some(false), ..Flag::default() };
    for argument in given {
        if let Some(spec) = values.string(*argument).filter(|spec| spec.starts_with('-')) {
            spelling(&mut flag, &spec);
        } else if matches!(argument.kind(), "array" | "string_array" | "symbol_array") {
            flag.choices = values.items(*argument).into_iter().filter(|v| !v.is_null()).collect::<Vec<Value>>();
        }
    }
    flag.record("", node.span(), node.text(values.text()), sink);
}

/// `--[no-]color`, `--out=FILE`, `-p PORT`, `--list a,b,c`.
fn spelling(flag: &mut Flag, spec: &str) {
    let (name, value) = match spec.find(['=', ' ']) {
        Some(at) => (spec[..at].trim_end_matches('['), spec[at..].trim_start_matches(['=', ' '])),
        None => match spec.strip_suffix(']').and_then(|s| s.split_once('[')) {
            Some((name, _)) => (name, "x"),
            None => (spec, ""),
        },
    };
    if !value.is_empty() {
        flag.takes_value = Some(true);
        flag.multiple |= value.contains(",...") || value.contains("...");
    }
    match name.strip_prefix("--[no-]") {
        Some(rest) => flag.spellings.extend([format!("--{rest}"), format!("--no-{rest}")]),
        None => flag.spellings.push(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_options() {
        checking::check(
            &OptionParser,
            "bin/tool.rb",
            r#"
OptionParser.new do |opts|
  opts.on("-x", "--long VALUE", Integer, "help")
  opts.on("--[no-]color", "help") { |v| }
  opts.on("--mode=MODE", %w[a b])
  opts.on_tail("-h", "--help")
  opts.on("--out[=FILE]")
end
c.option "port", "-P", "--port [PORT]", "help"
OPTIONS = { "host" => ["-H", "--host [HOST]", "help"], "other" => ["a"] }
"#,
            &[
                r#"cli-flag [tool] --long {"takesValue":true} = -x"#,
                r#"cli-flag [tool] --color {"takesValue":false} = --no-color"#,
                r#"cli-flag [tool] --mode {"takesValue":true,"choices":["a","b"]}"#,
                r#"cli-flag [tool] --help {"takesValue":false} = -h"#,
                r#"cli-flag [tool] --out {"takesValue":true}"#,
                r#"cli-flag [tool] --port {"takesValue":true} = -P"#,
                r#"cli-flag [tool] --host {"takesValue":true} = -H"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(&OptionParser, "a.rb", "opts.on('-é', '--[no-]é=[X]', [1])\nO = { 'a' => ['--x'] }\n");
    }
}
