//! Command lines that JavaScript declares by chains of calls on an object: the commands and flags gathered on the way.
//! commander and cac differ in what starts a chain and in how an option's call is read.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{Command, Flag, join, parse_usage};
use crate::facts::FactSink;
use crate::facts::lang::ecmascript::value::{Step, Values, arguments, chain, unwrap};
use crate::model::ByteSpan;
use crate::syntax::{Node, NodeExt};

/// Most calls of one chain that are looked at.
const MAX_CHAIN: usize = 400;

/// How deep commands lie inside commands.
const MAX_COMMANDS: usize = 8;

/// Index of a command in [`Tree`].
pub(super) type Id = usize;

/// What one framework's calls mean.
pub(super) trait Dialect {
    /// The program or command that an expression makes, by its name (which may be empty).
    fn root(&self, values: &Values<'_>, node: Node<'_>) -> Option<String>;
    /// Applies one call to a command; gives the command that the chain goes on with.
    fn step(&self, tree: &mut Tree<'_, '_>, at: Id, step: &Step<'_, '_>) -> Id;
    /// Whether a call of that name on an unknown object belongs to the framework.
    fn is_own(&self, values: &Values<'_>, step: &Step<'_, '_>) -> bool;
}

/// A command under way.
struct Entry {
    parent: Option<Id>,
    command: Command,
    span: ByteSpan,
    /// Recorded as a command, not only the owner of flags.
    is_declared: bool,
}

/// The commands and flags of a file.
pub(super) struct Tree<'v, 's> {
    /// The file's constants.
    pub(super) values: &'v Values<'s>,
    entries: Vec<Entry>,
    flags: Vec<(Id, Flag, ByteSpan)>,
    variables: BTreeMap<String, Id>,
    /// Calls that were applied, as part of a longer chain or an argument.
    seen: BTreeSet<usize>,
}

impl<'v, 's> Tree<'v, 's> {
    /// Walks a file.
    pub(super) fn read(values: &'v Values<'s>, root: Node<'_>, dialect: &dyn Dialect) -> Self {
        let mut tree = Self { values, entries: Vec::new(), flags: Vec::new(), variables: BTreeMap::new(), seen: BTreeSet::new() };
        for node in root.preorder() {
            match node.kind() {
                "variable_declarator" | "assignment_expression" => {
                    let target = node.field("name").or_else(|| node.field("left"));
                    let value = node.field("value").or_else(|| node.field("right"));
                    let (Some(target), Some(value)) = (target, value) else { continue };
                    if let Some(id) = tree.chain(value, dialect)
                        && target.byte_range().len() < 100
                    {
                        tree.variables.insert(target.text(values.text()).to_owned(), id);
                    }
                }
                "call_expression" => {
                    tree.chain(node, dialect);
                }
                _ => {}
            }
        }
        tree
    }

    /// Applies a chain; gives the command it ends with.
    fn chain(&mut self, node: Node<'_>, dialect: &dyn Dialect) -> Option<Id> {
        let node = unwrap(node);
        if self.seen.contains(&node.id()) {
            return None;
        }
        let text = self.values.text();
        let (root, steps) = chain(node, text, MAX_CHAIN);
        let root = root?;
        let id = if let Some(name) = dialect.root(self.values, root) {
            Some(self.add(None, &name, Vec::new(), root.span()))
        } else {
            let known = (root.byte_range().len() < 100).then(|| self.variables.get(root.text(text)).copied()).flatten();
            known.or_else(|| steps.iter().any(|step| dialect.is_own(self.values, step)).then(|| self.unknown(root, text)))
        };
        self.seen.extend(steps.iter().map(|(_, call)| call.id()));
        self.seen.insert(root.id());
        let mut at = id?;
        for step in &steps {
            at = dialect.step(self, at, step);
        }
        Some(at)
    }

    /// The command of an object the file does not make: its flags belong to a command the file does not name.
    fn unknown(&mut self, root: Node<'_>, text: &str) -> Id {
        let id = self.add(None, "", Vec::new(), root.span());
        if root.byte_range().len() < 100 {
            self.variables.insert(root.text(text).to_owned(), id);
        }
        id
    }

    fn add(&mut self, parent: Option<Id>, name: &str, arguments: Vec<String>, span: ByteSpan) -> Id {
        let command = Command { name: name.to_owned(), arguments, ..Command::default() };
        self.entries.push(Entry { parent, command, span, is_declared: true });
        self.entries.len() - 1
    }

    /// A subcommand, from `clone <source> [directory]`.
    pub(super) fn subcommand(&mut self, parent: Id, usage: &str, span: ByteSpan) -> Id {
        let (name, arguments) = parse_usage(usage);
        self.add(Some(parent), &name, arguments, span)
    }

    /// Makes a command that a variable or an expression holds a subcommand of another.
    pub(super) fn attach(&mut self, parent: Id, node: Node<'_>, dialect: &dyn Dialect) {
        let known = self.variables.get(node.text(self.values.text())).copied();
        let child = known.or_else(|| self.chain(node, dialect));
        if let Some(entry) = child.filter(|child| *child != parent).and_then(|child| self.entries.get_mut(child)) {
            entry.parent = Some(parent);
        }
    }

    /// The command's own declaration, to complete.
    pub(super) fn command(&mut self, id: Id) -> Option<&mut Command> {
        self.entries.get_mut(id).map(|entry| &mut entry.command)
    }

    /// A flag of a command.
    pub(super) fn flag(&mut self, id: Id, flag: Flag, span: ByteSpan) {
        self.flags.push((id, flag, span));
    }

    fn path(&self, id: Option<Id>) -> String {
        let mut names = Vec::new();
        let mut at = id;
        for _ in 0..MAX_COMMANDS {
            let Some(entry) = at.and_then(|id| self.entries.get(id)) else { break };
            names.push(entry.command.name.as_str());
            at = entry.parent;
        }
        names.iter().rev().fold(String::new(), |path, name| join(&path, name))
    }

    /// Records everything.
    pub(super) fn record(self, sink: &mut FactSink<'_>) {
        let paths: Vec<String> = (0..self.entries.len()).map(|id| self.path(Some(id))).collect();
        let parents: Vec<String> = self.entries.iter().map(|entry| self.path(entry.parent)).collect();
        for (id, flag, span) in self.flags {
            let owner = paths.get(id).map(String::as_str).unwrap_or_default();
            flag.record(owner, span, span.of(self.values.text()), sink);
        }
        for (entry, parent) in self.entries.into_iter().zip(parents) {
            let mut command = entry.command;
            if command.name.is_empty() && !command.aliases.is_empty() {
                // A default command is called by its aliases.
                command.name = command.aliases.remove(0);
            }
            if entry.is_declared {
                Command { parent, ..command }.record(entry.span, sink);
            }
        }
    }
}

/// The string at a position among the arguments of a step.
pub(super) fn text_at(tree: &Tree<'_, '_>, step: &Step<'_, '_>, index: usize) -> Option<String> {
    tree.values.string(arguments(step.1).get(index).copied()?)
}

/// Where a step stands: its method and arguments, without the chain before.
pub(super) fn span_of(step: &Step<'_, '_>) -> ByteSpan {
    let start = step.1.field("function").and_then(|f| f.field("property")).map_or(step.1.start_byte(), |p| p.start_byte());
    ByteSpan::new(start, step.1.end_byte())
}
