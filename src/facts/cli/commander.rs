//! commander: `program.command("clone <source>").option("-p, --port <n>", "…", 80)`.

use super::declared::{Flag, argument_name, parse_spec};
use super::fluent::{Dialect, Id, Tree, span_of, text_at};
use crate::facts::lang::ecmascript::is_ecmascript;
use crate::facts::lang::ecmascript::value::{Step, Values, arguments, chain, unwrap};
use crate::facts::written::Written;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Commands and options of commander.
pub struct Commander;

impl Extractor for Commander {
    fn name(&self) -> &'static str {
        "commander"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if memchr::memmem::find(source.text().as_bytes(), b"commander").is_none() {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), source.text());
        Tree::read(&values, tree.root(), &Calls).record(sink);
    }
}

struct Calls;

impl Dialect for Calls {
    fn root(&self, values: &Values<'_>, node: Node<'_>) -> Option<String> {
        let text = values.text();
        let class = match node.kind() {
            "new_expression" => node.field("constructor")?,
            "call_expression" => node.field("function")?,
            _ => return None,
        };
        let name = class.text(text).rsplit('.').next().unwrap_or_default();
        matches!(name, "Command" | "createCommand")
            .then(|| arguments(node).first().and_then(|n| values.string(*n)).unwrap_or_default())
    }

    fn is_own(&self, values: &Values<'_>, (method, call): &Step<'_, '_>) -> bool {
        let first = || arguments(*call).first().and_then(|n| values.string(*n)).unwrap_or_default();
        match *method {
            "option" | "requiredOption" => first().starts_with('-'),
            "command" => !first().is_empty(),
            "addOption" | "addCommand" => true,
            _ => false,
        }
    }

    fn step(&self, tree: &mut Tree<'_, '_>, at: Id, step: &Step<'_, '_>) -> Id {
        let first = text_at(tree, step, 0);
        let given = arguments(step.1);
        match (step.0, first) {
            ("name", Some(name)) => {
                if let Some(command) = tree.command(at) {
                    command.name = name;
                }
            }
            ("command", Some(usage)) if !usage.starts_with('*') => {
                let id = tree.subcommand(at, &usage, span_of(step));
                // With a description the command is another program, and the chain goes on with its parent.
                return if text_at(tree, step, 1).is_some() { at } else { id };
            }
            ("alias", Some(alias)) => {
                if let Some(command) = tree.command(at) {
                    command.aliases.push(alias);
                }
            }
            ("aliases", _) => {
                let aliases = given.first().map(|n| tree.values.texts(*n)).unwrap_or_default();
                if let Some(command) = tree.command(at) {
                    command.aliases.extend(aliases);
                }
            }
            ("argument" | "arguments", Some(names)) => {
                if let Some(command) = tree.command(at) {
                    command.arguments.extend(names.split_whitespace().map(argument_name));
                }
            }
            ("addArgument", _) => {
                let name = given.first().and_then(|n| arguments(*n).first().and_then(|n| tree.values.string(*n)));
                if let (Some(name), Some(command)) = (name, tree.command(at)) {
                    command.arguments.push(argument_name(&name));
                }
            }
            ("option" | "requiredOption", Some(spec)) if spec.starts_with('-') => {
                let mut flag = parse_spec(&spec);
                flag.required = step.0 == "requiredOption";
                flag.default = default(tree, given.get(2).copied(), given.get(3).copied());
                tree.flag(at, flag, span_of(step));
            }
            ("version", Some(_)) => {
                let spec = text_at(tree, step, 1).unwrap_or_else(|| "-V, --version".to_owned());
                tree.flag(at, parse_spec(&spec), span_of(step));
            }
            ("helpOption", Some(spec)) => tree.flag(at, parse_spec(&spec), span_of(step)),
            ("addOption", _) => {
                if let Some(flag) = given.first().and_then(|n| option(tree.values, *n)) {
                    tree.flag(at, flag, span_of(step));
                }
            }
            ("addCommand", _) => {
                if let Some(command) = given.first() {
                    tree.attach(at, *command, self);
                }
            }
            _ => {}
        }
        at
    }
}

/// The default of an option: the third argument, or the fourth after a function that reads the value.
fn default(tree: &Tree<'_, '_>, third: Option<Node<'_>>, fourth: Option<Node<'_>>) -> Option<Written> {
    if let Some(fourth) = fourth {
        return Some(tree.values.read(fourth));
    }
    let third = third?;
    let is_function =
        matches!(unwrap(third).kind(), "arrow_function" | "function_expression" | "regex" | "identifier" | "member_expression");
    let written = tree.values.read(third);
    (!is_function || written.literal().is_some()).then_some(written)
}

/// `new Option("--x <n>").choices([…]).default(…)`.
fn option(values: &Values<'_>, node: Node<'_>) -> Option<Flag> {
    let (root, steps) = chain(node, values.text(), 32);
    let root = root?;
    let class = root.field("constructor").or_else(|| root.field("function"))?.text(values.text());
    if !class.ends_with("Option") {
        return None;
    }
    let mut flag = parse_spec(&values.string(arguments(root).first().copied()?)?);
    for (method, call) in steps {
        let first = arguments(call).first().copied();
        match (method, first) {
            ("default", Some(value)) => flag.default = Some(values.read(value)),
            ("choices", Some(list)) => flag.choices = values.items(list),
            ("makeOptionMandatory", first) => flag.required = first.is_none_or(|n| n.kind() != "false"),
            _ => {}
        }
    }
    Some(flag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    fn check(text: &str, expected: &[&str]) {
        checking::check(&Commander, "src/cli.ts", text, expected);
    }

    #[test]
    fn reads_options() {
        check(
            r"
import { program, Option } from 'commander';
const PORT = 80;
program
  .name('tool')
  .version('1.0')
  .argument('<file>', 'x')
  .option('-p, --port <n>', 'desc', PORT)
  .option('--size <n>', 'desc', parseInt)
  .option('--ratio <n>', 'desc', parseFloat, 0.5)
  .option('-v, --verbose', 'desc')
  .option('--no-color', 'desc')
  .option('--files <names...>', 'desc')
  .requiredOption('--token [t]', 'desc')
  .addOption(new Option('-l, --level <l>', 'd').choices(['a', 'b']).default('a').makeOptionMandatory());
",
            &[
                r#"cli-flag [tool] --version {"takesValue":false} = -V"#,
                r#"cli-flag [tool] --port {"takesValue":true,"default":80} = -p"#,
                r#"cli-flag [tool] --size {"takesValue":true}"#,
                r#"cli-flag [tool] --ratio {"takesValue":true,"default":0.5}"#,
                r#"cli-flag [tool] --verbose {"takesValue":false} = -v"#,
                r#"cli-flag [tool] --no-color {"takesValue":false}"#,
                r#"cli-flag [tool] --files {"takesValue":true,"multiple":true}"#,
                r#"cli-flag [tool] --token {"takesValue":true,"required":true}"#,
                r#"cli-flag [tool] --level {"takesValue":true,"default":"a","choices":["a","b"],"required":true} = -l"#,
                r#"cli-command [tool] tool {"arguments":["file"]}"#,
            ],
        );
    }

    #[test]
    fn reads_commands() {
        check(
            r"
const { Command } = require('commander');
const program = new Command('tool');
program.command('clone <source> [directory]').alias('c').option('--depth <n>', 'd').action(() => {});
const build = program.command('build').aliases(['b', 'make']);
build.option('--watch');
program.command('other', 'runs another program').command('last').option('--x');
const free = new Command('free').option('--y');
program.addCommand(free);
program.addCommand(new Command('inline').option('--w'));
export function register(cli) { cli.option('--z'); }
",
            &[
                r#"cli-flag [tool clone] --depth {"takesValue":true}"#,
                r#"cli-flag [tool build] --watch {"takesValue":false}"#,
                r#"cli-flag [tool last] --x {"takesValue":false}"#,
                r#"cli-flag [tool free] --y {"takesValue":false}"#,
                r#"cli-flag [tool inline] --w {"takesValue":false}"#,
                r#"cli-flag [cli] --z {"takesValue":false}"#,
                r#"cli-command [tool] tool {"arguments":[]}"#,
                r#"cli-command [tool] clone {"arguments":["source","directory"]} = c"#,
                r#"cli-command [tool] build {"arguments":[]} = b make"#,
                r#"cli-command [tool] other {"arguments":[]}"#,
                r#"cli-command [tool] last {"arguments":[]}"#,
                r#"cli-command [tool] free {"arguments":[]}"#,
                r#"cli-command [tool] inline {"arguments":[]}"#,
            ],
        );
    }

    #[test]
    fn ignores_other_frameworks() {
        check("program.option('--x')", &[]);
    }

    #[test]
    fn survives_broken_text() {
        let text = "import 'commander'; const é = new Command('é'); é.command('a <b>').option('-é, --é [x]', [1]).addCommand(é).addOption(new Option('--z').default(1));\n";
        checking::survives(&Commander, "a.ts", text);
        let long = format!("import 'commander'; program{}", ".option('--x')".repeat(3_000));
        checking::lines(&Commander, "a.js", &long);
    }
}
