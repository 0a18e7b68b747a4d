//! Python's click: commands, groups, options and arguments declared by decorators.

use std::collections::BTreeMap;

use serde_json::Value;

use super::declared::{Command, Flag, join, split};
use crate::facts::lang::python::is_python;
use crate::facts::lang::python::value::{Arguments, Values, callee, decorators, leaf};
use crate::facts::written::Written;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Commands of click and what extends it.
pub struct Click;

/// Function names that say nothing about the program.
const GENERIC: &[&str] = &["main", "cli", "app", "run", "entry_point", "entrypoint", "root", "group", "command", "wrapper"];

/// How many groups deep a command may lie.
const MAX_GROUPS: usize = 8;

impl Extractor for Click {
    fn name(&self) -> &'static str {
        "click"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_python(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if memchr::memmem::find(text.as_bytes(), b"click").is_none() {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let mut reader = Reader {
            values: Values::of_module(tree.root(), text),
            commands: BTreeMap::new(),
            order: Vec::new(),
            choices: BTreeMap::new(),
        };
        let mut options = Vec::new();
        for node in tree.root().preorder() {
            match node.kind() {
                "decorated_definition" => reader.command(node),
                "assignment" => reader.choice(node),
                "call" => match leaf(callee(node, text)) {
                    "add_command" => reader.attach(node),
                    "option" | "version_option" => options.push(node),
                    _ => {}
                },
                _ => {}
            }
        }
        reader.record(&options, sink);
    }
}

/// A function that click runs.
struct Declared<'t> {
    parent: Option<String>,
    /// The program's or command's name; empty where only the caller knows it.
    name: String,
    is_named: bool,
    statement: Node<'t>,
    arguments: Vec<String>,
}

struct Reader<'s, 't> {
    values: Values<'s>,
    commands: BTreeMap<String, Declared<'t>>,
    order: Vec<String>,
    /// `LEVELS = click.Choice([…])`, by name.
    choices: BTreeMap<String, Vec<Value>>,
}

impl<'t> Reader<'_, 't> {
    fn text(&self, node: Node<'_>) -> &str {
        node.text(self.values.text())
    }

    fn command(&mut self, statement: Node<'t>) {
        let text = self.values.text();
        let Some(function) = statement.field("definition").and_then(|d| d.field("name")).map(|n| n.text(text)) else { return };
        let decorators = decorators(statement);
        let Some(declaration) = decorators.iter().find(|d| matches!(leaf(callee(**d, text)), "command" | "group")) else {
            return;
        };
        let (object, _) = callee(*declaration, text).rsplit_once('.').unwrap_or_default();
        let is_top = matches!(object, "" | "click" | "asyncclick" | "rich_click" | "rclick");
        let arguments = Arguments::of(*declaration, text);
        let given = arguments.nth_or(0, "name").filter(|_| declaration.kind() == "call").and_then(|n| self.values.string(n));
        let is_named = given.is_some();
        let name =
            given.unwrap_or_else(|| if is_top && GENERIC.contains(&function) { String::new() } else { command_name(function) });
        let arguments = decorators
            .iter()
            .filter(|d| leaf(callee(**d, text)) == "argument")
            .filter_map(|d| self.values.string(Arguments::of(*d, text).positional.first().copied()?))
            .collect();
        let parent = (!is_top).then(|| object.to_owned());
        self.order.push(function.to_owned());
        self.commands.insert(function.to_owned(), Declared { parent, name, is_named, statement, arguments });
    }

    /// `group.add_command(command, name="x")`.
    fn attach(&mut self, call: Node<'_>) {
        let text = self.values.text();
        let Some((group, _)) = callee(call, text).rsplit_once('.') else { return };
        let arguments = Arguments::of(call, text);
        let name = arguments.nth_or(1, "name").and_then(|n| self.values.string(n));
        let Some(command) = arguments.nth_or(0, "cmd").map(|c| c.text(text)) else { return };
        if let Some(declared) = self.commands.get_mut(command) {
            declared.parent = Some(group.to_owned());
            if let Some(name) = name {
                declared.name = name;
            } else if declared.name.is_empty() && !declared.is_named {
                declared.name = command_name(command);
            }
        }
    }

    fn path(&self, function: &str) -> String {
        let mut names = Vec::new();
        let mut at = Some(function);
        for _ in 0..MAX_GROUPS {
            let Some(declared) = at.and_then(|name| self.commands.get(name)) else { break };
            names.push(declared.name.as_str());
            at = declared.parent.as_deref();
        }
        names.iter().rev().fold(String::new(), |path, name| join(&path, name))
    }

    fn record(&self, options: &[Node<'_>], sink: &mut FactSink<'_>) {
        let mut owners: BTreeMap<usize, String> = BTreeMap::new();
        for function in &self.order {
            let Some(declared) = self.commands.get(function) else { continue };
            let path = self.path(function);
            for decorator in decorators(declared.statement) {
                owners.insert(decorator.start_byte(), path.clone());
            }
            let (parent, name) = split(&path);
            if !declared.name.is_empty() {
                let command = Command {
                    parent: parent.to_owned(),
                    name: name.to_owned(),
                    arguments: declared.arguments.clone(),
                    aliases: Vec::new(),
                };
                let at = declared.statement.field("definition").and_then(|d| d.field("name")).unwrap_or(declared.statement);
                command.record(at.span(), sink);
            }
        }
        for option in options {
            let owner = owners.get(&option.start_byte()).map(String::as_str).unwrap_or_default();
            if let Some(flag) = self.flag(*option) {
                flag.record(owner, option.span(), self.text(*option), sink);
            }
        }
    }

    fn flag(&self, call: Node<'_>) -> Option<Flag> {
        let text = self.values.text();
        let arguments = Arguments::of(call, text);
        let declared: Vec<String> = arguments.positional.iter().filter_map(|n| self.values.string(*n)).collect();
        let mut spellings: Vec<String> = declared.iter().flat_map(|d| spellings(d)).collect();
        if leaf(callee(call, text)) == "version_option" {
            if spellings.is_empty() {
                spellings.push("--version".to_owned());
            }
            return Some(Flag { spellings, takes_value: Some(false), ..Flag::default() });
        }
        let is_true = |key: &str| arguments.get(key).is_some_and(|n| n.text(text) == "True");
        let has_off = declared.iter().any(|d| d.trim_start().starts_with('-') && d.contains('/'));
        let is_switch = is_true("is_flag") || is_true("count") || has_off || arguments.get("flag_value").is_some();
        let default = arguments.get("default").map(|d| self.values.read(d));
        let implied = (has_off || is_true("is_flag")) && arguments.get("flag_value").is_none();
        let choices = arguments.get("type").map(|t| self.choices(t)).unwrap_or_default();
        Some(Flag {
            spellings,
            takes_value: Some(!is_switch),
            default: default.or(implied.then_some(Written::Literal(Value::Bool(false)))),
            choices,
            required: is_true("required"),
            multiple: is_true("multiple") || is_true("count"),
        })
        .filter(|flag| !flag.spellings.is_empty())
    }

    fn choice(&mut self, assignment: Node<'_>) {
        let (Some(left), Some(right)) = (assignment.field("left"), assignment.field("right")) else { return };
        let choices = if right.kind() == "call" { self.choices(right) } else { Vec::new() };
        if !choices.is_empty() {
            self.choices.insert(left.text(self.values.text()).to_owned(), choices);
        }
    }

    /// The values of `click.Choice([…])`, also by the name of a constant.
    fn choices(&self, node: Node<'_>) -> Vec<Value> {
        let text = self.values.text();
        if node.kind() == "identifier" {
            return self.choices.get(node.text(text)).cloned().unwrap_or_default();
        }
        if leaf(callee(node, text)) != "Choice" {
            return Vec::new();
        }
        Arguments::of(node, text).nth_or(0, "choices").map(|c| self.values.items(c)).unwrap_or_default()
    }
}

/// The spellings of one declaration: `--shout/--no-shout`, `-s`, ` /-S`.
pub(super) fn spellings(declaration: &str) -> Vec<String> {
    let declaration = declaration.trim();
    if !declaration.starts_with(['-', '/']) {
        return Vec::new();
    }
    declaration.split(['/', ';']).map(str::trim).filter(|s| s.starts_with('-')).map(str::to_owned).collect()
}

/// The name click gives the command of a function.
fn command_name(function: &str) -> String {
    let name = ["_command", "_cmd", "_group", "_grp"]
        .iter()
        .find_map(|suffix| function.strip_suffix(suffix).filter(|rest| !rest.is_empty()))
        .unwrap_or(function);
    name.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    fn check(text: &str, expected: &[&str]) {
        checking::check(&Click, "tool/cli.py", text, expected);
    }

    #[test]
    fn reads_the_options_of_a_program() {
        check(
            r#"
import click
LENGTH = 88
MODES = click.Choice(["a", "b"])

@click.command(context_settings={})
@click.option("-l", "--line-length", type=int, default=LENGTH, show_default=True)
@click.option("--shout/--no-shout", " /-S", default=True)
@click.option("--fast", is_flag=True)
@click.option("-v", "--verbose", count=True)
@click.option("--mode", type=MODES, required=True, multiple=True)
@click.option("--target", "target_name", default=compute)
@click.version_option("1.0")
@click.argument("src", nargs=-1)
def main(ctx): ...
"#,
            &[
                r#"cli-flag [cli] --line-length {"takesValue":true,"default":88} = -l"#,
                r#"cli-flag [cli] --shout {"takesValue":false,"default":true} = --no-shout -S"#,
                r#"cli-flag [cli] --fast {"takesValue":false,"default":false}"#,
                r#"cli-flag [cli] --verbose {"takesValue":false,"multiple":true} = -v"#,
                r#"cli-flag [cli] --mode {"takesValue":true,"choices":["a","b"],"required":true,"multiple":true}"#,
                r#"cli-flag [cli] --target {"takesValue":true,"defaultExpr":"compute"}"#,
                r#"cli-flag [cli] --version {"takesValue":false}"#,
            ],
        );
    }

    #[test]
    fn reads_groups() {
        check(
            r#"
import click

@click.group()
def celery(): ...

@celery.group("user")
def user_group(): ...

@user_group.command()
@click.argument("name")
@click.option("--admin", is_flag=True)
def add_one(name): ...

@click.command()
@click.option("--x")
def purge(): ...

celery.add_command(purge, name="clean")

shared = click.option("--shared")
"#,
            &[
                r#"cli-command [celery] celery {"arguments":[]}"#,
                r#"cli-command [celery] user {"arguments":[]}"#,
                r#"cli-command [celery user] add-one {"arguments":["name"]}"#,
                r#"cli-command [celery] clean {"arguments":[]}"#,
                r#"cli-flag [celery user add-one] --admin {"takesValue":false,"default":false}"#,
                r#"cli-flag [celery clean] --x {"takesValue":true}"#,
                r#"cli-flag [cli] --shared {"takesValue":true}"#,
            ],
        );
    }

    #[test]
    fn ignores_what_is_not_click() {
        check("import other\n@other.option('--x')\ndef f(): ...\n", &[]);
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &Click,
            "a.py",
            "import click\n@click.group()\n@click.option('--é', default=[1])\ndef f(): pass\nf.add_command(f)\n",
        );
    }
}
