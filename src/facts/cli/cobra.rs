//! Commands of cobra: `&cobra.Command{Use: "issue SUBJECT"}`, and how they hang together in one file.

use std::collections::BTreeMap;

use super::{command, unnamed_command};
use crate::facts::lang::go::is_go;
use crate::facts::lang::go::literal::{Call, Literals, assignments, composite, element, last_part, walk};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Deepest nesting of commands.
const MAX_DEPTH: usize = 16;

/// Reads commands of cobra. Their flags are those of pflag, read elsewhere.
pub struct Cobra;

impl Extractor for Cobra {
    fn name(&self) -> &'static str {
        "cobra"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_go(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if !source.text().contains("cobra.") {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let literals = Literals::new(tree.root(), tree.text());
        let commands = Commands::new(tree.root(), tree.text(), &literals, &unnamed_command(source));
        for one in &commands.list {
            let Some(name) = &one.name else { continue };
            let parent = one.parent.map(|p| commands.path(p)).unwrap_or_default();
            sink.push(command(&parent, name, one.arguments.clone(), one.node.span()).aliases(one.aliases.iter().cloned()));
        }
    }
}

/// One command.
struct Command<'t> {
    node: Node<'t>,
    name: Option<String>,
    arguments: Vec<String>,
    aliases: Vec<String>,
    parent: Option<usize>,
}

/// The commands of a file.
pub(crate) struct Commands<'t> {
    text: &'t str,
    unnamed: String,
    list: Vec<Command<'t>>,
    /// Function (empty at the top level) and variable as written: the command.
    bound: BTreeMap<(&'t str, &'t str), usize>,
    /// The same without the function, where every function means one command by it.
    shared: BTreeMap<&'t str, Option<usize>>,
    /// Functions that make exactly one command.
    makers: BTreeMap<&'t str, Option<usize>>,
}

impl<'t> Commands<'t> {
    /// Reads a file.
    pub(crate) fn new(root: Node<'t>, text: &'t str, literals: &Literals<'t>, unnamed: &str) -> Self {
        let mut commands = Self {
            text,
            unnamed: unnamed.to_owned(),
            list: Vec::new(),
            bound: BTreeMap::new(),
            shared: BTreeMap::new(),
            makers: BTreeMap::new(),
        };
        if !text.contains("cobra.") {
            return commands;
        }
        let mut made: BTreeMap<usize, usize> = BTreeMap::new();
        let mut calls = Vec::new();
        walk(root, text, |node, function| match node.kind() {
            "composite_literal" if node.field("type").is_some_and(|t| t.text(text) == "cobra.Command") => {
                let index = commands.list.len();
                commands.list.push(read(node, text, literals));
                made.insert(node.id(), index);
                let maker = commands.makers.entry(function).or_insert(Some(index));
                if *maker != Some(index) {
                    *maker = None;
                }
            }
            "call_expression" => {
                if let Some(call) = Call::read(node, text).filter(|c| c.name() == "AddCommand") {
                    calls.push((function, call));
                }
            }
            _ => {}
        });
        walk(root, text, |node, function| {
            for (left, right) in assignments(node) {
                let index = match composite(right) {
                    Some(literal) => made.get(&literal.id()).copied(),
                    None => commands.find(right, function),
                };
                if let Some(index) = index {
                    let name = left.text(text);
                    commands.bound.insert((function, name), index);
                    let shared = commands.shared.entry(name).or_insert(Some(index));
                    if *shared != Some(index) {
                        *shared = None;
                    }
                }
            }
        });
        for (function, call) in calls {
            let Some(parent) = call.receiver.and_then(|r| commands.find(r, function)) else { continue };
            for argument in call.arguments {
                if let Some(child) = commands.find(argument, function).filter(|c| *c != parent) {
                    commands.list[child].parent.get_or_insert(parent);
                }
            }
        }
        commands
    }

    /// The command an expression stands for: a variable, a function that makes one, a field of either.
    fn find(&self, node: Node<'t>, function: &str) -> Option<usize> {
        if node.kind() == "call_expression" {
            let name = last_part(node.field("function")?.text(self.text));
            return self.makers.get(name).copied().flatten().filter(|_| !name.is_empty());
        }
        let written = node.text(self.text);
        if let Some(index) = self.bound.get(&(function, written)).or_else(|| self.bound.get(&("", written))) {
            return Some(*index);
        }
        if node.kind() == "selector_expression" {
            // `newX().cmd`, or a field that one function fills and another uses.
            let operand = node.field("operand")?;
            if operand.kind() == "call_expression" {
                return self.find(operand, function);
            }
            return self.shared.get(written).copied().flatten();
        }
        None
    }

    /// The path of a command, outermost first.
    fn path(&self, index: usize) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = Some(index);
        while let Some(index) = at.filter(|_| path.len() < MAX_DEPTH) {
            path.push(self.list[index].name.clone().unwrap_or_else(|| self.unnamed.clone()));
            at = self.list[index].parent;
        }
        path.reverse();
        path
    }

    /// The path of the command an expression stands for.
    pub(crate) fn path_of(&self, node: Node<'t>, function: &str) -> Option<Vec<String>> {
        self.find(node, function).map(|index| self.path(index))
    }

    /// Where flags go whose command is not shown: the file's only command, else the file.
    pub(crate) fn fallback(&self, function: &str) -> Vec<String> {
        if let Some(Some(index)) = self.makers.get(function).filter(|_| !function.is_empty()) {
            return self.path(*index);
        }
        match self.list.as_slice() {
            [_] => self.path(0),
            _ => vec![self.unnamed.clone()],
        }
    }
}

fn read<'t>(node: Node<'t>, text: &'t str, literals: &Literals<'t>) -> Command<'t> {
    let usage = element(node, "Use", text).and_then(|u| literals.string(u)).unwrap_or_default();
    let mut words = usage_words(usage.lines().next().unwrap_or_default()).into_iter();
    let name = words.next().filter(|name| !name.is_empty());
    let aliases = element(node, "Aliases", text).map(|a| literals.strings(a)).unwrap_or_default();
    let arguments = words
        .map(|word| word.trim_matches(['[', ']', '<', '>', '.', '{', '}', '(', ')']).trim().to_owned())
        .filter(|word| {
            !word.is_empty() && !word.starts_with('-') && !matches!(word.as_str(), "flags" | "options" | "command" | "OPTIONS")
        })
        .collect();
    Command { node, name, arguments, aliases, parent: None }
}

/// The words of a usage line; what stands in brackets is one word.
fn usage_words(usage: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0_usize;
    for c in usage.trim().chars() {
        match c {
            '[' | '<' | '{' | '(' => depth += 1,
            ']' | '>' | '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            if words.last().is_some_and(|w| !w.is_empty()) {
                words.push(String::new());
            }
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const TOOL: &str = "package cmd\nimport \"github.com/spf13/cobra\"\nvar rootCmd = &cobra.Command{Use: \"tool [event name] [flags]\", Short: \"x\"}\nvar issueCmd = &cobra.Command{\n\tUse: \"issue SUBJECT <file>...\",\n\tAliases: []string{\"i\", \"is\"},\n}\nfunc init() {\n\trootCmd.AddCommand(issueCmd, newBuild().cmd)\n\tissueCmd.AddCommand(&cobra.Command{Use: name()})\n}\nfunc newBuild() *build {\n\troot := &build{}\n\tcmd := &cobra.Command{Use: \"build\"}\n\troot.cmd = cmd\n\treturn root\n}\nfunc other() { c.cmd = &cobra.Command{Use: \"deep\"} }\nfunc another() { newBuild().cmd.AddCommand(c.cmd) }";

    #[test]
    fn reads_commands() {
        check(
            &Cobra,
            "cmd/root.go",
            TOOL,
            &[
                r#"cli-command [command:tool] tool {"arguments":["event name"]}"#,
                r#"cli-command [command:tool] issue {"arguments":["SUBJECT","file"]} i,is"#,
                r#"cli-command [command:tool] build {"arguments":[]}"#,
                r#"cli-command [command:tool build] deep {"arguments":[]}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Cobra, "cmd/root.go", TOOL);
        let circle = "package a\nvar a = &cobra.Command{Use: \"a\"}\nvar b = &cobra.Command{Use: \"b\"}\nfunc init() { a.AddCommand(b); b.AddCommand(a) }";
        assert_eq!(crate::facts::testing::lines(&Cobra, "a.go", circle).len(), 2);
    }
}
