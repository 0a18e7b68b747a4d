//! Python's typer: flags and arguments from the parameters of functions.

use std::collections::BTreeMap;

use serde_json::Value;

use super::click::spellings;
use super::declared::{Command, Flag, join};
use crate::facts::lang::python::is_python;
use crate::facts::lang::python::value::{Arguments, Values, assignment, callee, class_of, decorators, leaf};
use crate::facts::written::Written;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Commands of typer.
pub struct Typer;

impl Extractor for Typer {
    fn name(&self) -> &'static str {
        "typer"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_python(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if memchr::memmem::find(text.as_bytes(), b"typer").is_none() {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let mut reader = Reader { values: Values::of_module(tree.root(), text), ..Reader::default() };
        for node in tree.root().preorder() {
            match node.kind() {
                "expression_statement" => reader.app(node),
                "call" => reader.attach(node),
                "decorated_definition" => reader.function(node),
                "function_definition" => {
                    if let Some(name) = node.field("name") {
                        reader.functions.insert(name.text(text), node);
                    }
                }
                "class_definition" => reader.choices(node),
                _ => {}
            }
        }
        reader.record(sink);
    }
}

#[derive(Default)]
struct Reader<'s, 't> {
    values: Values<'s>,
    /// Command paths by the variable that holds the application.
    apps: BTreeMap<&'s str, String>,
    entries: Vec<Entry<'s, 't>>,
    functions: BTreeMap<&'s str, Node<'t>>,
    /// Values of the enums of the file.
    enums: BTreeMap<&'s str, Vec<Value>>,
}

/// A function that an application runs.
struct Entry<'s, 't> {
    app: &'s str,
    /// `None` for a callback: its parameters are the application's own.
    name: Option<String>,
    is_named: bool,
    definition: Node<'t>,
}

impl<'s, 't> Reader<'s, 't> {
    fn text(&self, node: Node<'_>) -> &'s str {
        node.text(self.values.text())
    }

    /// `app = typer.Typer(name="x")`.
    fn app(&mut self, statement: Node<'_>) {
        let text = self.values.text();
        let Some((name, value)) = assignment(statement, text) else { return };
        if leaf(callee(value, text)) == "Typer" {
            let program = Arguments::of(value, text).get("name").and_then(|n| self.values.string(n));
            self.apps.insert(name, program.unwrap_or_default());
        }
    }

    /// `app.add_typer(users, name="users")` and `typer.run(main)`.
    fn attach(&mut self, call: Node<'_>) {
        let text = self.values.text();
        let Some((object, method)) = callee(call, text).rsplit_once('.') else { return };
        let arguments = Arguments::of(call, text);
        let Some(first) = arguments.positional.first().map(|n| n.text(text)) else { return };
        if method == "add_typer" {
            let parent = self.apps.get(object).cloned().unwrap_or_default();
            let name = arguments.get("name").and_then(|n| self.values.string(n));
            let name = name.or_else(|| self.apps.get(first).cloned()).unwrap_or_default();
            self.apps.insert(first, join(&parent, &name));
        } else if (object, method) == ("typer", "run")
            && let Some(definition) = self.functions.get(first).copied()
        {
            self.entries.push(Entry { app: "", name: None, is_named: false, definition });
        }
    }

    fn function(&mut self, statement: Node<'t>) {
        let text = self.values.text();
        let Some(definition) = statement.field("definition").filter(|d| d.kind() == "function_definition") else { return };
        let Some(function) = definition.field("name").map(|n| n.text(text)) else { return };
        for decorator in decorators(statement) {
            let Some((app, method)) = callee(decorator, text).rsplit_once('.') else { continue };
            if !self.apps.contains_key(app) && !app.ends_with("app") {
                continue;
            }
            let given = (decorator.kind() == "call")
                .then(|| Arguments::of(decorator, text).nth_or(0, "name"))
                .flatten()
                .and_then(|n| self.values.string(n));
            let is_named = given.is_some();
            match method {
                "command" => {
                    let name = given.unwrap_or_else(|| function.replace('_', "-"));
                    self.entries.push(Entry { app, name: Some(name), is_named, definition });
                }
                "callback" => self.entries.push(Entry { app, name: None, is_named, definition }),
                _ => {}
            }
        }
    }

    fn choices(&mut self, class: Node<'_>) {
        let text = self.values.text();
        let is_enum = class.field("superclasses").is_some_and(|bases| bases.text(text).contains("Enum"));
        let Some(name) = class.field("name").map(|n| n.text(text)).filter(|_| is_enum) else { return };
        let values = class.field("body").map(|b| b.named()).unwrap_or_default();
        let values = values
            .into_iter()
            .filter(|s| class_of(*s).is_none())
            .filter_map(|s| self.values.read(assignment(s, text)?.1).literal().cloned())
            .collect();
        self.enums.insert(name, values);
    }

    fn record(&self, sink: &mut FactSink<'_>) {
        for entry in &self.entries {
            let parent = self.apps.get(entry.app).cloned().unwrap_or_default();
            // An application with one command has no subcommands: the command is the program.
            let is_only = self.entries.iter().filter(|other| other.app == entry.app).count() == 1 && !entry.is_named;
            let name = entry.name.as_deref().filter(|_| !is_only || self.apps.len() > 1);
            let command = name.map_or_else(|| parent.clone(), |name| join(&parent, name));
            let mut arguments = Vec::new();
            for parameter in entry.definition.field("parameters").map(|p| p.named()).unwrap_or_default() {
                match self.parameter(parameter) {
                    Some(Parameter::Flag(flag)) => {
                        flag.record(&command, parameter.span(), self.text(parameter), sink);
                    }
                    Some(Parameter::Argument(name)) => arguments.push(name),
                    None => {}
                }
            }
            let at = entry.definition.field("name").unwrap_or(entry.definition).span();
            match name {
                Some(name) => {
                    Command { parent, name: name.to_owned(), arguments, aliases: Vec::new() }.record(at, sink);
                }
                None if !parent.is_empty() && !parent.contains(' ') => {
                    Command { name: parent, arguments, ..Command::default() }.record(at, sink);
                }
                None => {}
            }
        }
    }

    fn parameter(&self, node: Node<'_>) -> Option<Parameter> {
        let text = self.values.text();
        let name = match node.kind() {
            "identifier" => self.text(node),
            "typed_parameter" => self.text(node.named_child(0).filter(|n| n.kind() == "identifier")?),
            "default_parameter" | "typed_default_parameter" => self.text(node.field("name")?),
            _ => return None,
        };
        let annotation = node.field("type").map(|t| self.text(t)).unwrap_or_default();
        if annotation.ends_with("Context") || matches!(name, "self" | "ctx") {
            return None;
        }
        let value = node.field("value");
        let is_spec = |n: &Node<'_>| matches!(leaf(callee(*n, text)), "Option" | "Argument") && n.kind() == "call";
        let inside = node.field("type").and_then(|t| t.preorder().find(|n| n.kind() == "call" && is_spec(n)));
        let old_style = value.filter(is_spec);
        let spec = inside.or(old_style);
        let arguments = spec.map(|s| Arguments::of(s, text)).unwrap_or_default();
        let default = match (inside, old_style) {
            (None, Some(_)) => arguments.nth_or(0, "default"),
            _ => value,
        };
        let is_argument = spec.map_or(value.is_none(), |s| leaf(callee(s, text)) == "Argument");
        if is_argument {
            return Some(Parameter::Argument(name.to_owned()));
        }
        let kind = annotation.split_once("Annotated[").map_or(annotation, |(_, inner)| inner.split(',').next().unwrap_or(inner));
        let is_switch = kind.contains("bool") || arguments.get("count").is_some();
        let mut flags: Vec<String> =
            arguments.positional.iter().filter_map(|n| self.values.string(*n)).flat_map(|d| spellings(&d)).collect();
        if !flags.iter().any(|f| f.starts_with("--")) && spec.is_none_or(|_| flags.is_empty()) {
            let flag = name.replace('_', "-");
            flags.push(format!("--{flag}"));
            if is_switch && arguments.get("count").is_none() {
                flags.push(format!("--no-{flag}"));
            }
        }
        let is_required = default.is_none_or(|d| d.kind() == "ellipsis");
        let mut choices =
            self.enums.iter().find(|(name, _)| words(kind).any(|w| w == **name)).map(|(_, v)| v.clone()).unwrap_or_default();
        if let (true, Some(at)) = (choices.is_empty(), kind.find("Literal[")) {
            choices = kind[at + 8..]
                .split(']')
                .next()
                .unwrap_or_default()
                .split(',')
                .map(|v| Value::from(v.trim().trim_matches(['"', '\''])))
                .collect();
        }
        Some(Parameter::Flag(Flag {
            spellings: flags,
            takes_value: Some(!is_switch),
            default: default.filter(|_| !is_required).map(|d| self.fallback(d)),
            choices,
            required: is_required,
            multiple: ["List[", "list[", "Sequence["].iter().any(|l| kind.contains(l))
                || annotation.contains("List[")
                || annotation.contains("list["),
        }))
    }

    /// A default; the member of an enum of the file is its value.
    fn fallback(&self, node: Node<'_>) -> Written {
        let text = self.text(node);
        let member = text.strip_suffix(".value").unwrap_or(text);
        match member.split_once('.') {
            Some((class, _)) if self.enums.contains_key(class) => {
                self.values.named(member).map_or_else(|| self.values.read(node), Written::Literal)
            }
            _ => self.values.read(node),
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

enum Parameter {
    Flag(Flag),
    Argument(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    fn check(text: &str, expected: &[&str]) {
        checking::check(&Typer, "tool/cli.py", text, expected);
    }

    #[test]
    fn reads_parameters() {
        check(
            r#"
import typer
from typing import Annotated

app = typer.Typer(name="tool")

class Mode(str, Enum):
    fast = "fast"
    slow = "slow"

@app.command()
def serve(
    ctx: typer.Context,
    directory: str,
    port: int = typer.Option(8000, "--port", "-p", help="x"),
    host: Annotated[str, typer.Option(envvar="HOST")] = "localhost",
    mode: Mode = Mode.fast,
    reload: bool = False,
    force: Annotated[bool, typer.Option("--force")] = False,
    token: str = typer.Option(...),
    tags: list[str] = typer.Option(default=[]),
    log_level: str = "info",
): ...

@app.command("tidy-up")
def tidy(path: str = typer.Argument(".")): ...

@app.callback()
def main(verbose: bool = typer.Option(False, "--verbose/--quiet")): ...
"#,
            &[
                r#"cli-flag [tool serve] --port {"takesValue":true,"default":8000} = -p"#,
                r#"cli-flag [tool serve] --host {"takesValue":true,"default":"localhost"}"#,
                r#"cli-flag [tool serve] --mode {"takesValue":true,"default":"fast","choices":["fast","slow"]}"#,
                r#"cli-flag [tool serve] --reload {"takesValue":false,"default":false} = --no-reload"#,
                r#"cli-flag [tool serve] --force {"takesValue":false,"default":false}"#,
                r#"cli-flag [tool serve] --token {"takesValue":true,"required":true}"#,
                r#"cli-flag [tool serve] --tags {"takesValue":true,"default":[],"multiple":true}"#,
                r#"cli-flag [tool serve] --log-level {"takesValue":true,"default":"info"}"#,
                r#"cli-command [tool] serve {"arguments":["directory"]}"#,
                r#"cli-command [tool] tidy-up {"arguments":["path"]}"#,
                r#"cli-flag [tool] --verbose {"takesValue":false,"default":false} = --quiet"#,
                r#"cli-command [tool] tool {"arguments":[]}"#,
            ],
        );
    }

    #[test]
    fn a_sole_command_is_the_program() {
        check(
            "import typer\ndef main(name: str, times: int = 1): ...\ntyper.run(main)\n",
            &[r#"cli-flag [cli] --times {"takesValue":true,"default":1}"#],
        );
        check(
            "import typer\napp = typer.Typer()\n@app.command()\ndef hello(times: int = 1): ...\n",
            &[r#"cli-flag [cli] --times {"takesValue":true,"default":1}"#],
        );
    }

    #[test]
    fn reads_nested_applications() {
        check(
            r#"
import typer
app = typer.Typer()
users = typer.Typer()
app.add_typer(users, name="users")

@users.command()
def create(admin: bool = False): ...
"#,
            &[
                r#"cli-flag [users create] --admin {"takesValue":false,"default":false} = --no-admin"#,
                r#"cli-command [users] create {"arguments":[]}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &Typer,
            "a.py",
            "import typer\napp = typer.Typer()\n@app.command()\ndef f(é: list[str] = typer.Option([], '--x')): ...\n",
        );
    }
}
