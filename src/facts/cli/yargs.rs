//! yargs: `.option("port", { alias: "p", default: 80 })`, `.options({…})`, `.command("serve [port]", …)`.

use super::declared::{Command, Flag, join, parse_usage};
use super::options_table::{dashed, describe};
use crate::facts::lang::ecmascript::is_ecmascript;
use crate::facts::lang::ecmascript::value::{Step, Values, arguments, chain, unwrap};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Commands and options of yargs.
pub struct Yargs;

/// Most calls of one chain that are looked at.
const MAX_CHAIN: usize = 400;

impl Extractor for Yargs {
    fn name(&self) -> &'static str {
        "yargs"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if memchr::memmem::find(text.as_bytes(), b"yargs").is_none() {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), text);
        let mut reader = Reader { values, scopes: Vec::new(), flags: Vec::new(), commands: Vec::new() };
        let mut seen = std::collections::BTreeSet::new();
        for node in tree.root().preorder() {
            if node.kind() == "call_expression" && !seen.contains(&node.id()) {
                let (root, steps) = chain(node, text, MAX_CHAIN);
                seen.extend(steps.iter().map(|(_, call)| call.id()));
                if let Some(root) = root {
                    reader.chain(root, &steps);
                }
            }
        }
        for (owner, flag, span) in reader.flags {
            flag.record(&owner, span, span.of(text), sink);
        }
        for (command, span) in reader.commands {
            command.record(span, sink);
        }
    }
}

/// A function that builds a command: the name of its parameter, where it stands, and the command's path.
struct Scope<'s> {
    parameter: &'s str,
    span: ByteSpan,
    path: String,
}

struct Reader<'s> {
    values: Values<'s>,
    scopes: Vec<Scope<'s>>,
    flags: Vec<(String, Flag, ByteSpan)>,
    commands: Vec<(Command, ByteSpan)>,
}

impl<'s> Reader<'s> {
    fn chain(&mut self, root: Node<'_>, steps: &[Step<'_, 's>]) {
        let text = self.values.text();
        let root_text = if root.byte_range().len() < 200 { root.text(text) } else { "" };
        let scope = self.scopes.iter().rev().find(|s| s.span.contains(root.span()) && s.parameter == root_text);
        let is_known = scope.is_some() || root_text.contains("yargs");
        let is_own = |(method, call): &Step<'_, '_>| match *method {
            "option" | "options" | "positional" => {
                let given = arguments(*call);
                given.last().is_some_and(|last| self.values.object(*last).is_some())
            }
            "scriptName" | "demandCommand" => true,
            _ => false,
        };
        if !is_known && !steps.iter().any(is_own) {
            return;
        }
        let mut path = scope.map(|s| s.path.clone()).unwrap_or_default();
        for step in steps {
            self.step(&mut path, step);
        }
    }

    fn step(&mut self, path: &mut String, (method, call): &Step<'_, 's>) {
        let given = arguments(*call);
        let Some(first) = given.first().copied() else { return };
        let span = first.span();
        match *method {
            "scriptName" => {
                if let Some(name) = self.values.string(first) {
                    path.clone_from(&name);
                    self.commands.push((Command { name, ..Command::default() }, span));
                }
            }
            "option" | "options" => match self.values.string(first) {
                Some(key) => {
                    let flag = describe(&self.values, &key, given.get(1).copied());
                    self.flags.push((path.clone(), flag, (*call).span_of_arguments()));
                }
                None => self.table(path, first),
            },
            "boolean" | "count" | "string" | "number" | "array" => {
                for key in self.values.texts(first) {
                    let flag = Flag {
                        spellings: vec![dashed(&key)],
                        takes_value: Some(!matches!(*method, "boolean" | "count")),
                        multiple: *method == "array",
                        ..Flag::default()
                    };
                    self.amend(path, &key, flag, span, |known| known.takes_value = Some(!matches!(*method, "boolean" | "count")));
                }
            }
            "default" => {
                if let (Some(key), Some(value)) = (self.values.string(first), given.get(1)) {
                    let default = self.values.read(*value);
                    let flag = Flag { spellings: vec![dashed(&key)], default: Some(default.clone()), ..Flag::default() };
                    self.amend(path, &key, flag, span, |known| known.default = Some(default));
                }
            }
            "alias" => {
                if let (Some(key), Some(names)) = (self.values.string(first), given.get(1)) {
                    let aliases: Vec<String> = self.values.texts(*names).iter().map(|name| dashed(name)).collect();
                    let spellings = std::iter::once(dashed(&key)).chain(aliases.clone()).collect();
                    let flag = Flag { spellings, ..Flag::default() };
                    self.amend(path, &key, flag, span, |known| known.spellings.extend(aliases));
                }
            }
            "command" => self.command(path, &given),
            _ => {}
        }
    }

    /// Changes a flag that is known, or adds it.
    fn amend(&mut self, path: &str, key: &str, flag: Flag, span: ByteSpan, change: impl FnOnce(&mut Flag)) {
        let spelling = dashed(key);
        match self.flags.iter_mut().find(|(owner, known, _)| owner == path && known.spellings.contains(&spelling)) {
            Some((_, known, _)) => change(known),
            None => self.flags.push((path.to_owned(), flag, span)),
        }
    }

    fn table(&mut self, path: &str, object: Node<'_>) {
        for (key, description) in self.values.entries(object) {
            let span = description.parent().unwrap_or(description).span();
            self.flags.push((path.to_owned(), describe(&self.values, &key, Some(description)), span));
        }
    }

    /// `.command("serve [port]", "…", builder, handler)` and `.command({ command, aliases, builder })`.
    fn command(&mut self, path: &str, given: &[Node<'_>]) {
        let Some(first) = given.first().copied() else { return };
        let (usages, builder) = if self.values.object(first).is_some() {
            let mut usages = self.values.entry(first, "command").map(|c| self.values.texts(c)).unwrap_or_default();
            usages.extend(self.values.entry(first, "aliases").map(|a| self.values.texts(a)).unwrap_or_default());
            let builder = self.values.entry(first, "builder").or_else(|| {
                first.named().into_iter().find(|n| {
                    n.kind() == "method_definition" && n.field("name").is_some_and(|n| n.text(self.values.text()) == "builder")
                })
            });
            (usages, builder)
        } else {
            (self.values.texts(first), given.get(2).copied())
        };
        let mut usages = usages.into_iter();
        let Some(usage) = usages.next() else { return };
        let (name, arguments) = parse_usage(&usage);
        let name = if matches!(name.as_str(), "$0" | "*") { String::new() } else { name };
        let inner = join(path, &name);
        let aliases = usages.map(|usage| parse_usage(&usage).0).filter(|alias| !matches!(alias.as_str(), "$0" | "*")).collect();
        self.commands.push((Command { parent: path.to_owned(), name, arguments, aliases }, first.span()));
        let Some(builder) = builder.map(unwrap) else { return };
        if builder.kind() == "object" {
            return self.table(&inner, builder);
        }
        let parameter = builder
            .field("parameter")
            .or_else(|| builder.field("parameters").and_then(|p| p.named_child(0)))
            .map(|p| p.field("pattern").unwrap_or(p));
        if let Some(parameter) = parameter.filter(|p| p.kind() == "identifier") {
            self.scopes.push(Scope { parameter: parameter.text(self.values.text()), span: builder.span(), path: inner });
        }
    }
}

trait Declaration {
    /// The span of a call's arguments.
    fn span_of_arguments(&self) -> ByteSpan;
}

impl Declaration for Node<'_> {
    fn span_of_arguments(&self) -> ByteSpan {
        self.field("arguments").map_or_else(|| self.span(), |list| list.span())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_options_and_commands() {
        checking::check(
            &Yargs,
            "cli.ts",
            r"
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
yargs(hideBin(process.argv))
  .scriptName('tool')
  .option('port', { alias: 'p', default: 80, choices: [80, 81], type: 'number' })
  .options({ verbose: { alias: ['v', 'loud'], type: 'boolean' }, outDir: { demandOption: true, array: true } })
  .boolean('quick')
  .default('quick', true)
  .command('serve [port]', 'start', (y) => y.option('host', { default: '::' }), (argv) => {})
  .command({ command: 'build', aliases: ['b'], builder: { watch: { boolean: true } } })
  .argv;
function build(argv: yargs.Argv) { return argv.option('x', { type: 'string' }); }
",
            &[
                r#"cli-flag [tool] --port {"takesValue":true,"default":80,"choices":[80,81]} = -p"#,
                r#"cli-flag [tool] --verbose {"takesValue":false} = -v --loud"#,
                r#"cli-flag [tool] --outDir {"takesValue":true,"required":true,"multiple":true} = --out-dir"#,
                r#"cli-flag [tool] --quick {"takesValue":false,"default":true}"#,
                r#"cli-flag [tool build] --watch {"takesValue":false}"#,
                r#"cli-flag [tool serve] --host {"takesValue":true,"default":"::"}"#,
                r#"cli-flag [cli] -x {"takesValue":true}"#,
                r#"cli-command [tool] tool {"arguments":[]}"#,
                r#"cli-command [tool] serve {"arguments":["port"]}"#,
                r#"cli-command [tool] build {"arguments":[]} = b"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &Yargs,
            "a.js",
            "yargs.scriptName('é').option('é', { alias: [] }).command('a [b]', 'c', y => y.option('d', {})).options({ e: { f: 1 } })\n",
        );
    }
}
