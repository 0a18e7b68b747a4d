//! Python's argparse, and what declares options the same way: optparse, pytest's `addoption`, tox' `add_command`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::declared::{Command, Flag, join, split};
use crate::facts::lang::python::is_python;
use crate::facts::lang::python::value::{Arguments, Values, callee, leaf};
use crate::facts::written::{MAX_DEPTH, Written};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Parsers, subparsers and arguments of argparse.
pub struct Argparse;

const HINTS: [&str; 4] = ["add_argument", "add_parser", "addoption", "add_option"];

impl Extractor for Argparse {
    fn name(&self) -> &'static str {
        "argparse"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_python(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if !HINTS.iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some()) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), text);
        let fallback = management_command(source.path());
        let mut reader = Reader { values, parsers: BTreeMap::new(), commands: Vec::new(), fallback };
        for node in tree.root().preorder() {
            match node.kind() {
                "assignment" => reader.assign(node),
                "call" => reader.call(node, sink),
                _ => {}
            }
        }
        for (command, span) in reader.commands {
            command.record(span, sink);
        }
    }
}

/// The name of a Django management command, from its path.
fn management_command(path: &RepoPath) -> String {
    if path.directory().ends_with("management/commands") { path.stem().to_owned() } else { String::new() }
}

struct Reader<'s> {
    values: Values<'s>,
    /// Command paths by the expression that holds the parser, group or set of subparsers.
    parsers: BTreeMap<&'s str, String>,
    commands: Vec<(Command, ByteSpan)>,
    fallback: String,
}

impl<'s> Reader<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        node.text(self.values.text())
    }

    fn assign(&mut self, node: Node<'_>) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return };
        if right.kind() == "call"
            && left.byte_range().len() < 100
            && let Some(path) = self.path(right, MAX_DEPTH)
        {
            self.parsers.insert(self.text(left), path);
        }
    }

    /// The command that an expression's parser belongs to.
    fn path(&self, node: Node<'_>, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if node.kind() != "call" {
            return (node.byte_range().len() < 100).then(|| self.parsers.get(self.text(node)).cloned()).flatten();
        }
        let function = node.field("function")?;
        let arguments = Arguments::of(node, self.values.text());
        let name = leaf(callee(node, self.values.text()));
        if name.ends_with("ArgumentParser") || name == "OptionParser" || name == "ArgParser" {
            let prog = arguments.get("prog").or_else(|| arguments.positional.first().copied());
            return Some(prog.and_then(|p| self.values.string(p)).unwrap_or_else(|| self.fallback.clone()));
        }
        let receiver = || function.field("object");
        match function.field("attribute").map(|a| self.text(a))? {
            "add_subparsers" | "add_argument_group" | "add_mutually_exclusive_group" | "getgroup" | "add_option_group" => {
                Some(self.path(receiver()?, depth).unwrap_or_else(|| self.fallback.clone()))
            }
            "add_parser" | "add_command" => {
                let parent = self.path(receiver()?, depth).unwrap_or_default();
                Some(join(&parent, &self.values.string(arguments.nth_or(0, "name")?)?))
            }
            _ => None,
        }
    }

    fn call(&mut self, node: Node<'_>, sink: &mut FactSink<'_>) {
        let Some(function) = node.field("function") else { return };
        if function.kind() != "attribute" {
            if leaf(self.text(function)).ends_with("ArgumentParser") {
                self.program(node);
            }
            return;
        }
        let Some(method) = function.field("attribute").map(|a| self.text(a)) else { return };
        match method {
            "add_argument" | "addoption" | "_addoption" | "add_option" => {
                let owner = function.field("object").and_then(|o| self.path(o, MAX_DEPTH));
                self.argument(node, &owner.unwrap_or_else(|| self.fallback.clone()), sink);
            }
            "add_parser" | "add_command" => {
                let Some(path) = self.path(node, MAX_DEPTH) else { return };
                let (parent, name) = split(&path);
                let arguments = Arguments::of(node, self.values.text());
                let aliases = arguments.nth_or(1, "aliases").map(|a| self.texts(a)).unwrap_or_default();
                let command = Command { parent: parent.to_owned(), name: name.to_owned(), aliases, ..Command::default() };
                self.commands.push((command, node.span()));
            }
            _ if method.ends_with("ArgumentParser") => self.program(node),
            _ => {}
        }
    }

    fn program(&mut self, node: Node<'_>) {
        if let Some(name) = self.path(node, MAX_DEPTH).filter(|name| !name.is_empty()) {
            self.commands.push((Command { name, ..Command::default() }, node.span()));
        }
    }

    fn texts(&self, node: Node<'_>) -> Vec<String> {
        self.values.items(node).iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    fn argument(&mut self, node: Node<'_>, command: &str, sink: &mut FactSink<'_>) {
        let arguments = Arguments::of(node, self.values.text());
        let spellings: Vec<String> = arguments.positional.iter().filter_map(|n| self.values.string(*n)).collect();
        let Some(first) = spellings.first() else { return };
        if !first.starts_with('-') {
            let (parent, name) = split(command);
            let known = self.commands.iter_mut().rev().find(|(known, _)| known.parent == parent && known.name == name);
            if let Some((known, _)) = known {
                known.arguments.push(first.clone());
            }
            return;
        }
        let action = arguments.get("action").map(|a| self.values.string(a).unwrap_or_else(|| leaf(self.text(a)).to_owned()));
        let action = action.as_deref().unwrap_or("store");
        let nargs = arguments.get("nargs").and_then(|n| self.values.read(n).literal().cloned());
        let is_switch = matches!(
            action,
            "store_true"
                | "store_false"
                | "store_const"
                | "append_const"
                | "count"
                | "help"
                | "version"
                | "BooleanOptionalAction"
        ) || nargs == Some(Value::from(0));
        let mut flag = Flag { spellings, takes_value: Some(!is_switch), ..Flag::default() };
        if action == "BooleanOptionalAction" {
            let negated: Vec<String> =
                flag.spellings.iter().filter_map(|s| s.strip_prefix("--")).map(|s| format!("--no-{s}")).collect();
            flag.spellings.extend(negated);
        }
        let given = arguments.get("default").filter(|d| leaf(self.text(*d)) != "SUPPRESS");
        flag.default = given.map(|d| self.values.read(d)).or(match action {
            "store_true" => Some(Written::Literal(Value::Bool(false))),
            "store_false" => Some(Written::Literal(Value::Bool(true))),
            _ => None,
        });
        flag.choices = arguments.get("choices").map(|c| self.values.items(c)).unwrap_or_default();
        flag.required = arguments.get("required").is_some_and(|r| self.text(r) == "True");
        flag.multiple = matches!(action, "append" | "append_const" | "extend" | "count")
            || nargs.is_some_and(|n| match n {
                Value::String(text) => matches!(text.as_str(), "*" | "+"),
                Value::Number(n) => n.as_i64().is_some_and(|n| n > 1),
                _ => false,
            });
        flag.record(command, node.span(), self.text(node), sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    fn check(text: &str, expected: &[&str]) {
        checking::check(&Argparse, "tool/cli.py", text, expected);
    }

    #[test]
    fn reads_flags_of_parsers_and_groups() {
        check(
            r#"
DEFAULT = 4
parser = argparse.ArgumentParser(prog="tool")
parser.add_argument("-p", "--port", type=int, default=80_00, required=True)
parser.add_argument("--workers", default=DEFAULT, choices=["a", "b"])
parser.add_argument("-v", "--verbose", action="store_true", help="more")
parser.add_argument("--cache", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--quiet", action="store_false")
parser.add_argument("--tag", action="append", default=argparse.SUPPRESS)
parser.add_argument("-q", nargs="*", default=compute( 1 ))
group = parser.add_mutually_exclusive_group()
group.add_argument("--fast")
parser.add_argument_group("x").add_argument("--slow")
parser.add_argument("path")
"#,
            &[
                r#"cli-flag [tool] --port {"takesValue":true,"default":8000,"required":true} = -p"#,
                r#"cli-flag [tool] --workers {"takesValue":true,"default":4,"choices":["a","b"]}"#,
                r#"cli-flag [tool] --verbose {"takesValue":false,"default":false} = -v"#,
                r#"cli-flag [tool] --cache {"takesValue":false,"default":true} = --no-cache"#,
                r#"cli-flag [tool] --quiet {"takesValue":false,"default":true}"#,
                r#"cli-flag [tool] --tag {"takesValue":true,"multiple":true}"#,
                r#"cli-flag [tool] -q {"takesValue":true,"defaultExpr":"compute(1)","multiple":true}"#,
                r#"cli-flag [tool] --fast {"takesValue":true}"#,
                r#"cli-flag [tool] --slow {"takesValue":true}"#,
                r#"cli-command [tool] tool {"arguments":["path"]}"#,
            ],
        );
    }

    #[test]
    fn reads_subcommands() {
        check(
            r#"
def build(self):
    self.parser = ArgumentParser("tool")
    sub = self.parser.add_subparsers(dest="command")
    p = sub.add_parser("serve", aliases=["s"])
    p.add_argument("directory")
    p.add_argument("--host", default="::")
    p = sub.add_parser("build")
    p.add_argument("--out")

def more(parser):
    parser.add_argument("--free")
"#,
            &[
                r#"cli-flag [tool serve] --host {"takesValue":true,"default":"::"}"#,
                r#"cli-flag [tool build] --out {"takesValue":true}"#,
                r#"cli-flag [cli] --free {"takesValue":true}"#,
                r#"cli-command [tool] tool {"arguments":[]}"#,
                r#"cli-command [tool] serve {"arguments":["directory"]} = s"#,
                r#"cli-command [tool] build {"arguments":[]}"#,
            ],
        );
    }

    #[test]
    fn reads_the_options_of_plugins_and_management_commands() {
        check(
            r#"
our = parser.add_command("devenv", ["d"], "help", devenv)
our.add_argument("path")
"#,
            &[r#"cli-command [devenv] devenv {"arguments":["path"]} = d"#],
        );
        check(
            r#"group.addoption("--cov", action="store_true")"#,
            &[r#"cli-flag [cli] --cov {"takesValue":false,"default":false}"#],
        );
        checking::check(
            &Argparse,
            "app/management/commands/load.py",
            r#"
class Command:
    def add_arguments(self, parser):
        parser.add_argument("--dry-run", action="store_true")
"#,
            &[r#"cli-flag [load] --dry-run {"takesValue":false,"default":false}"#],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &Argparse,
            "a.py",
            "p = ArgumentParser('x')\np.add_argument('--é', default=[1, (2)])\nq.add_parser('z')\n",
        );
    }
}
