//! cac: `cli.command("build [root]").option("--outDir <dir>", "…", { default: "dist" })`.

use super::declared::parse_spec;
use super::fluent::{Dialect, Id, Tree, span_of, text_at};
use crate::facts::lang::ecmascript::is_ecmascript;
use crate::facts::lang::ecmascript::value::{Step, Values, arguments};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Commands and options of cac.
pub struct Cac;

impl Extractor for Cac {
    fn name(&self) -> &'static str {
        "cac"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if !["cac(", "'cac'", "\"cac\""].iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some()) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), text);
        Tree::read(&values, tree.root(), &Calls).record(sink);
    }
}

struct Calls;

impl Dialect for Calls {
    fn root(&self, values: &Values<'_>, node: Node<'_>) -> Option<String> {
        let name = node.field("function").filter(|_| node.kind() == "call_expression")?.text(values.text());
        matches!(name, "cac" | "CAC").then(|| arguments(node).first().and_then(|n| values.string(*n)).unwrap_or_default())
    }

    fn is_own(&self, values: &Values<'_>, (method, call): &Step<'_, '_>) -> bool {
        let first = arguments(*call).first().and_then(|n| values.string(*n)).unwrap_or_default();
        match *method {
            "option" => first.starts_with('-'),
            "command" => !first.is_empty(),
            _ => false,
        }
    }

    fn step(&self, tree: &mut Tree<'_, '_>, at: Id, step: &Step<'_, '_>) -> Id {
        let Some(first) = text_at(tree, step, 0) else {
            if step.0 == "help" {
                tree.flag(at, parse_spec("-h, --help"), span_of(step));
            }
            return at;
        };
        match step.0 {
            "command" => return tree.subcommand(at, &first, span_of(step)),
            "alias" => {
                if let Some(command) = tree.command(at) {
                    command.aliases.push(first);
                }
            }
            "option" if first.starts_with('-') => {
                let mut flag = parse_spec(&first);
                if let Some(config) = arguments(step.1).get(2) {
                    flag.default = tree.values.entry(*config, "default").map(|d| tree.values.read(d));
                    let kind = tree.values.entry(*config, "type").map(|t| t.text(tree.values.text()));
                    flag.multiple |= matches!(kind, Some("[]" | "[String]" | "[Number]"));
                }
                tree.flag(at, flag, span_of(step));
            }
            "version" => tree.flag(at, parse_spec("-v, --version"), span_of(step)),
            _ => {}
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_commands_and_options() {
        checking::check(
            &Cac,
            "cli.ts",
            r"
import { cac } from 'cac'
const cli = cac('vite')
cli
  .option('-c, --config <file>', `[string] use it`)
  .option('--base <path>', 'x', { default: '/', type: [String] })
cli
  .command('[root]', 'start')
  .alias('serve')
  .alias('dev')
  .option('--host [host]', 'x')
cli.command('build [root]', 'build').option('--no-clean', 'x').action(async () => {})
cli.help()
cli.version('1')
",
            &[
                r#"cli-flag [vite] --config {"takesValue":true} = -c"#,
                r#"cli-flag [vite] --base {"takesValue":true,"default":"/","multiple":true}"#,
                r#"cli-flag [vite] --host {"takesValue":true}"#,
                r#"cli-flag [vite build] --no-clean {"takesValue":false}"#,
                r#"cli-flag [vite] --help {"takesValue":false} = -h"#,
                r#"cli-flag [vite] --version {"takesValue":false} = -v"#,
                r#"cli-command [vite] vite {"arguments":[]}"#,
                r#"cli-command [vite] serve {"arguments":["root"]} = dev"#,
                r#"cli-command [vite] build {"arguments":["root"]}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &Cac,
            "a.ts",
            "const é = cac('é'); é.command('a [b]').option('--é', 'x', { default: [1], type: [] }).help()\n",
        );
    }
}
