//! Command lines of kingpin: `app.Command("x", "help").Flag("y", "help").Default("z").Bool()`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Flag, command, unnamed_command};
use crate::facts::lang::go::is_go;
use crate::facts::lang::go::literal::{Call, Literals, assignments, last_part, walk};
use crate::facts::reading::{Object, Reading};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Reads kingpin.
pub struct Kingpin;

impl Extractor for Kingpin {
    fn name(&self) -> &'static str {
        "kingpin"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_go(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if !source.text().contains("kingpin") {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let literals = Literals::new(tree.root(), tree.text());
        let mut file = File {
            text: tree.text(),
            literals: &literals,
            unnamed: vec![unnamed_command(source)],
            bound: Vec::new(),
            commands: Vec::new(),
            inner: BTreeSet::new(),
        };
        file.read(tree.root(), sink);
    }
}

/// A chain of calls: the expression it begins with, then each call from the inside out.
struct Chain<'t> {
    base: Option<Node<'t>>,
    calls: Vec<Call<'t>>,
    node: Node<'t>,
}

/// A command: its parent's path, its name and arguments.
struct Command<'t> {
    parent: Vec<String>,
    name: String,
    arguments: Vec<String>,
    aliases: Vec<String>,
    node: Node<'t>,
}

struct File<'a, 't> {
    text: &'t str,
    literals: &'a Literals<'t>,
    unnamed: Vec<String>,
    /// Variable and the path of its command.
    bound: Vec<(&'t str, &'t str, Vec<String>)>,
    commands: Vec<Command<'t>>,
    inner: BTreeSet<usize>,
}

impl<'t> File<'_, 't> {
    fn read(&mut self, root: Node<'t>, sink: &mut FactSink<'_>) {
        let text = self.text;
        walk(root, text, |node, function| {
            // The variable is bound before what it is bound to is visited; both come from one chain.
            for (left, right) in assignments(node) {
                let bound = self.chain(right).and_then(|chain| self.target(&chain, function));
                if let Some(path) = bound {
                    self.bound.push((function, left.text(text), path));
                }
            }
            if node.kind() == "call_expression"
                && !self.inner.contains(&node.id())
                && let Some(chain) = self.chain(node)
            {
                self.inner(node);
                self.emit(&chain, function, sink);
            }
        });
        for one in std::mem::take(&mut self.commands) {
            sink.push(command(&one.parent, &one.name, one.arguments, one.node.span()).aliases(one.aliases));
        }
    }

    /// Notes the calls inside a chain, so that they are not read as chains of their own.
    fn inner(&mut self, node: Node<'t>) {
        let mut at = node;
        while let Some(call) = Call::read(at, self.text)
            && let Some(receiver) = call.receiver
        {
            self.inner.insert(receiver.id());
            at = receiver;
        }
    }

    fn chain(&self, node: Node<'t>) -> Option<Chain<'t>> {
        let mut calls = Vec::new();
        let mut at = node;
        let base = loop {
            let Some(call) = Call::read(at, self.text) else { break Some(at) };
            let receiver = call.receiver;
            calls.push(call);
            match receiver {
                Some(receiver) => at = receiver,
                None => break None,
            }
        };
        calls.reverse();
        (!calls.is_empty()).then_some(Chain { base, calls, node })
    }

    /// The command an expression stands for.
    fn base(&self, node: Node<'t>, function: &str) -> Option<Vec<String>> {
        let written = node.text(self.text);
        let own = self.bound.iter().rev().find(|(f, name, _)| *f == function && *name == written);
        let any = own.or_else(|| self.bound.iter().rev().find(|(f, name, _)| f.is_empty() && *name == written));
        if let Some((_, _, path)) = any {
            return Some(path.clone());
        }
        let last = last_part(written).to_ascii_lowercase();
        let sounds = last == "kingpin" || last == "a" || last.contains("app") || last.contains("cmd") || last.contains("command");
        sounds.then(|| self.unnamed.clone())
    }

    /// The command a chain gives: `kingpin.New("x")` or `app.Command("y")`, further calls on it aside.
    fn target(&self, chain: &Chain<'t>, function: &str) -> Option<Vec<String>> {
        let mut path = self.base(chain.base?, function)?;
        let mut found = false;
        for call in &chain.calls {
            match call.name() {
                "New" if call.function.starts_with("kingpin.") => {
                    if let Some(name) = self.first(call) {
                        path = vec![name];
                    }
                    found = true;
                }
                "Command" => {
                    path.push(self.first(call)?);
                    found = true;
                }
                "Flag" | "Arg" => return None,
                _ => {}
            }
        }
        found.then_some(path)
    }

    fn first(&self, call: &Call<'t>) -> Option<String> {
        call.arguments.first().and_then(|a| self.literals.string(*a)).filter(|n| !n.is_empty())
    }

    fn emit(&mut self, chain: &Chain<'t>, function: &str, sink: &mut FactSink<'_>) {
        if let Some(mut path) = chain.base.and_then(|base| self.base(base, function)) {
            for (i, call) in chain.calls.iter().enumerate() {
                let Some(name) = self.first(call) else { continue };
                let rest = &chain.calls[i + 1..];
                match call.name() {
                    "New" if call.function == "kingpin.New" => {
                        path = vec![name.clone()];
                        self.command(Vec::new(), name, rest, chain.node);
                    }
                    "Command" if call.arguments.len() == 2 => {
                        self.command(path.clone(), name.clone(), rest, chain.node);
                        path.push(name);
                    }
                    "Arg" if call.arguments.len() == 2 => self.argument(&path, name),
                    "Flag" if call.arguments.len() == 2 => return self.flag(&path, &name, rest, chain, sink),
                    _ => {}
                }
            }
            return;
        }
        // A function of the file around `Flag`: `serverOnlyFlag(app, "name", "help").Default("x")`.
        if let [call, rest @ ..] = chain.calls.as_slice()
            && call.receiver.is_none()
            && call.name().ends_with("Flag")
            && let [app, name, _] = call.arguments.as_slice()
            && let Some(path) = self.base(*app, function)
            && let Some(name) = self.literals.string(*name).filter(|n| !n.is_empty())
        {
            self.flag(&path, &name, rest, chain, sink);
        }
    }

    fn command(&mut self, parent: Vec<String>, name: String, rest: &[Call<'t>], node: Node<'t>) {
        let aliases = rest.iter().filter(|c| c.name() == "Alias").filter_map(|c| self.first(c)).collect();
        self.commands.push(Command { parent, name, arguments: Vec::new(), aliases, node });
    }

    fn argument(&mut self, path: &[String], name: String) {
        let Some((last, parent)) = path.split_last() else { return };
        let own = |c: &&mut Command<'t>| c.name == *last && c.parent == parent;
        if let Some(command) = self.commands.iter_mut().find(own) {
            command.arguments.push(name);
        }
    }

    fn flag(&self, path: &[String], name: &str, rest: &[Call<'t>], chain: &Chain<'t>, sink: &mut FactSink<'_>) {
        let mut flag = Flag::default();
        flag.long(name);
        let mut takes = true;
        let mut default = None;
        let mut variable = None;
        for call in rest {
            let strings = || call.arguments.iter().filter_map(|a| self.literals.string(*a)).collect::<Vec<_>>();
            match call.name() {
                "Short" => {
                    if let Some(short) = self.first(call) {
                        flag.short(&short);
                    }
                }
                "Default" => default = Some(self.default(call)),
                "Required" => flag.set("required", true),
                "Envar" => variable = self.first(call),
                "Enum" | "Enums" | "EnumVar" | "EnumsVar" => {
                    // The last two are given the variable first.
                    let (choices, skipped) = (strings(), usize::from(call.name().ends_with("Var")));
                    if !choices.is_empty() && choices.len() + skipped == call.arguments.len() {
                        flag.set("choices", choices);
                    }
                }
                "Bool" | "BoolVar" => {
                    takes = false;
                    flag.long(&format!("no-{name}"));
                }
                "Counter" | "CounterVar" => {
                    takes = false;
                    flag.set("multiple", true);
                }
                "Strings" | "StringsVar" | "Ints" | "StringMap" | "StringMapVar" | "ExistingFiles" | "ExistingFilesVar" => {
                    flag.set("multiple", true);
                }
                _ => {}
            }
        }
        flag.set("takesValue", takes);
        // kingpin takes every default as text; that of a switch is a truth value.
        let default = default.map(|default| match default {
            Reading::Literal(Value::String(text)) if !takes && matches!(text.as_str(), "true" | "false") => {
                Reading::Literal(Value::Bool(text == "true"))
            }
            other => other,
        });
        if let Some(variable) = variable {
            let mut value = Object::new();
            if let Some(default) = default.clone() {
                default.store(&mut value, "default");
            }
            sink.push(NewFact::new(FactKind::EnvVar, "env", variable, value.into(), chain.node.span()));
        }
        if let Some(default) = default {
            default.store(&mut flag.value, "default");
        }
        if let Some(fact) = flag.fact(path, chain.node.span()) {
            sink.push(fact);
        }
    }

    fn default(&self, call: &Call<'t>) -> Reading {
        match call.arguments.as_slice() {
            [only] => self.literals.read(*only),
            many => {
                let strings: Option<Vec<String>> = many.iter().map(|a| self.literals.string(*a)).collect();
                strings.map_or_else(
                    || Reading::computed(&many.iter().map(|a| a.text(self.text)).collect::<Vec<_>>().join(", ")),
                    |list| Reading::Literal(list.into()),
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const TOOL: &str = "package main\nimport \"github.com/alecthomas/kingpin/v2\"\nfunc main() {\n\tapp := kingpin.New(filepath.Base(os.Args[0]), \"x\").UsageWriter(os.Stdout)\n\tapp.Flag(\"config.file\", \"help\").Default(\"a.yml\").Short('c').StringVar(&c)\n\tapp.Flag(\"web.on\", \"help\").Default(\"false\").BoolVar(&c)\n\tcheck := app.Command(\"check\", \"x\").Alias(\"chk\")\n\tcfg := check.Command(\"config\", \"x\")\n\tcfg.Arg(\"files\", \"x\").Required().ExistingFiles()\n\tcfg.Flag(\"lint\", \"x\").Default(lint).Envar(\"TOOL_LINT\").Enum(\"all\", \"none\")\n\tserverOnlyFlag(app, \"storage.path\", \"x\").Default(\"data/\").String()\n\tapp.Flag(\"list\", \"x\").Default(\"a\", \"b\").Required().Strings()\n}\nfunc serverOnlyFlag(app *kingpin.Application, name, help string) *kingpin.FlagClause { return app.Flag(name, help) }";

    #[test]
    fn reads_commands_and_flags() {
        check(
            &Kingpin,
            "cmd/promtool/main.go",
            TOOL,
            &[
                r#"cli-flag [command:promtool] --config.file {"takesValue":true,"default":"a.yml"} -c"#,
                r#"cli-flag [command:promtool] --web.on {"takesValue":false,"default":false} --no-web.on"#,
                r#"env-var TOOL_LINT {"defaultExpr":"lint"}"#,
                r#"cli-flag [command:promtool check config] --lint {"choices":["all","none"],"takesValue":true,"defaultExpr":"lint"}"#,
                r#"cli-flag [command:promtool] --storage.path {"takesValue":true,"default":"data/"}"#,
                r#"cli-flag [command:promtool] --list {"required":true,"multiple":true,"takesValue":true,"default":["a","b"]}"#,
                r#"cli-command [command:promtool] check {"arguments":[]} chk"#,
                r#"cli-command [command:promtool check] config {"arguments":["files"]}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Kingpin, "cmd/promtool/main.go", TOOL);
    }
}
