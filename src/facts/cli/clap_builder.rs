//! Command lines declared with clap's builder: `Command::new("x").arg(Arg::new("y").long("y"))`, the older `App` and
//! `Arg::with_name`, and `arg!(--flag <X>)`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Flag, command, unnamed_command};
use crate::facts::lang::rust::attributes::last_segment;
use crate::facts::lang::rust::environment::TestCode;
use crate::facts::lang::rust::literal::Literals;
use crate::facts::lang::rust::shapes::Shapes;
use crate::facts::reading::{Object, Reading};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Deepest nesting of subcommands.
const MAX_DEPTH: usize = 16;

/// Reads clap's builder calls.
pub struct ClapBuilder;

impl Extractor for ClapBuilder {
    fn name(&self) -> &'static str {
        "clap-builder"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "rs"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        let hints = ["Arg::", "arg!", "Command::new", "App::new", "SubCommand::"];
        if !text.contains("clap") && !text.contains("Arg::new(") || !hints.iter().any(|hint| text.contains(hint)) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let literals = Literals::new(tree.root(), tree.text());
        let file = File::new(tree.root(), tree.text(), &literals);
        let unnamed = super::clap_derive::only_name(&Shapes::new(tree.root(), tree.text()));
        file.emit(&unnamed.unwrap_or_else(|| unnamed_command(source)), sink);
    }
}

/// A chain of calls on one expression, from the inside out.
struct Chain<'t> {
    kind: Kind<'t>,
    calls: Vec<(&'t str, Vec<Node<'t>>)>,
    node: Node<'t>,
    /// The function it stands in.
    function: Option<&'t str>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind<'t> {
    /// `Command::new(name)`.
    Command(Option<Node<'t>>),
    /// `Arg::new(id)`.
    Argument(Option<Node<'t>>),
    /// `arg!(..)`.
    Macro(Node<'t>),
    /// Calls on a variable that may hold a command.
    Variable(&'t str),
}

/// What a chain is an argument of.
#[derive(Clone, Copy)]
enum Place<'t> {
    Expression(usize),
    Function(&'t str),
}

struct File<'a, 't> {
    text: &'t str,
    literals: &'a Literals<'t>,
    chains: Vec<Chain<'t>>,
    /// The chain whose `.arg(..)` or `.subcommand(..)` an expression or a function's result is given to.
    parents: BTreeMap<usize, usize>,
    functions: BTreeMap<&'t str, usize>,
    /// Whether arguments take no value unless they say so (clap 2 and 3).
    old: bool,
}

impl<'a, 't> File<'a, 't> {
    fn new(root: Node<'t>, text: &'t str, literals: &'a Literals<'t>) -> Self {
        let mut file = Self {
            text,
            literals,
            chains: Vec::new(),
            parents: BTreeMap::new(),
            functions: BTreeMap::new(),
            old: text.contains("with_name(") || text.contains(".takes_value("),
        };
        let tests = TestCode::new(root, text);
        let all_clap = text.contains("App::new") || text.contains("SubCommand::");
        let mut inner = BTreeSet::new();
        let mut bound = BTreeMap::new();
        let mut enclosing: Vec<(ByteSpan, &str)> = Vec::new();
        for node in root.preorder() {
            match node.kind() {
                "function_item" => {
                    enclosing.retain(|(span, _)| span.end > node.start_byte());
                    if let Some(name) = node.field("name") {
                        enclosing.push((node.span(), name.text(text)));
                    }
                }
                "call_expression" | "macro_invocation" if !inner.contains(&node.id()) && !tests.covers(node.start_byte()) => {
                    let function = enclosing.iter().rev().find(|(span, _)| span.contains(node.span())).map(|(_, name)| *name);
                    if let Some(chain) = unroll(node, function, text, &mut inner)
                        && (!matches!(chain.kind, Kind::Command(_)) || all_clap || is_clap(&chain, text))
                    {
                        file.chains.push(chain);
                    }
                }
                "let_declaration" => {
                    if let (Some(name), Some(value)) = (node.field("pattern"), node.field("value")) {
                        bound.insert(value.id(), name.text(text));
                    }
                }
                _ => {}
            }
        }
        file.link(&bound);
        file
    }

    /// Notes which expressions each command takes in.
    fn link(&mut self, bound: &BTreeMap<usize, &'t str>) {
        let mut commands = BTreeMap::new();
        for (at, chain) in self.chains.iter().enumerate() {
            if let (Kind::Command(_), Some(name)) = (chain.kind, bound.get(&chain.node.id())) {
                commands.entry((chain.function, *name)).or_insert(at);
            }
        }
        for (at, chain) in self.chains.iter().enumerate() {
            // A chain gives its arguments to itself, or to the command that its variable was bound to.
            let index = match chain.kind {
                Kind::Command(_) => at,
                Kind::Variable(name) => match commands.get(&(chain.function, name)) {
                    Some(index) => *index,
                    None => continue,
                },
                Kind::Argument(_) | Kind::Macro(_) => continue,
            };
            for (method, arguments) in &chain.calls {
                if !matches!(*method, "arg" | "args" | "subcommand" | "subcommands") {
                    continue;
                }
                for place in arguments.iter().flat_map(|a| places(*a, self.text)) {
                    match place {
                        Place::Expression(id) => {
                            self.parents.insert(id, index);
                        }
                        Place::Function(name) => {
                            self.functions.entry(name).or_insert(index);
                        }
                    }
                }
            }
        }
    }

    fn parent(&self, index: usize) -> Option<usize> {
        let chain = &self.chains[index];
        let by_function = || chain.function.and_then(|name| self.functions.get(name));
        self.parents.get(&chain.node.id()).or_else(by_function).copied().filter(|parent| *parent != index)
    }

    /// The path of a command, outermost first.
    fn path(&self, index: usize, unnamed: &str) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = Some(index);
        while let Some(index) = at.filter(|_| path.len() < MAX_DEPTH) {
            if let Kind::Command(name) = self.chains[index].kind {
                path.push(name.and_then(|n| self.literals.string(n)).unwrap_or_else(|| unnamed.to_owned()));
            }
            at = self.parent(index);
        }
        path.reverse();
        path
    }

    fn emit(&self, unnamed: &str, sink: &mut FactSink<'_>) {
        let roots: Vec<usize> = (0..self.chains.len())
            .filter(|i| matches!(self.chains[*i].kind, Kind::Command(_)) && self.parent(*i).is_none())
            .collect();
        let alone = match roots.as_slice() {
            [only] => self.path(*only, unnamed),
            _ => vec![unnamed.to_owned()],
        };
        let mut children: BTreeMap<usize, Vec<&Chain<'t>>> = BTreeMap::new();
        for (index, chain) in self.chains.iter().enumerate() {
            if let Some(parent) = self.parent(index) {
                children.entry(parent).or_default().push(chain);
            }
        }
        for (index, chain) in self.chains.iter().enumerate() {
            match chain.kind {
                Kind::Command(name) => {
                    let Some(name) = name.and_then(|n| self.literals.string(n)) else { continue };
                    let parent = self.parent(index).map(|p| self.path(p, unnamed)).unwrap_or_default();
                    let fact = command(
                        &parent,
                        &name,
                        self.positionals(children.get(&index).map_or(&[], Vec::as_slice)),
                        chain.node.span(),
                    );
                    sink.push(fact.aliases(self.texts(chain, &["alias", "visible_alias", "aliases", "visible_aliases"])));
                }
                Kind::Variable(_) => {}
                Kind::Argument(_) | Kind::Macro(_) => {
                    let owner = self.parent(index).map_or_else(|| alone.clone(), |p| self.path(p, unnamed));
                    self.argument(chain, &owner, sink);
                }
            }
        }
    }

    /// The names of those chains in a command that are positional arguments.
    fn positionals(&self, inside: &[&Chain<'t>]) -> Vec<String> {
        let positional = inside.iter().filter_map(|chain| Some((chain, self.flag(chain)?)));
        positional
            .filter(|(_, described)| described.flag.spellings.is_empty())
            .filter_map(|(chain, described)| self.texts(chain, &["value_name"]).into_iter().next().or(described.id))
            .collect()
    }

    fn argument(&self, chain: &Chain<'t>, owner: &[String], sink: &mut FactSink<'_>) {
        let Some(Described { flag, default, .. }) = self.flag(chain) else { return };
        for name in self.texts(chain, &["env"]) {
            let mut value = Object::new();
            if let Some(default) = default.clone() {
                default.store(&mut value, "default");
            }
            sink.push(NewFact::new(FactKind::EnvVar, "env", name, Value::Object(value), chain.node.span()));
        }
        if let Some(fact) = flag.fact(owner, chain.node.span()) {
            sink.push(fact);
        }
    }

    fn flag(&self, chain: &Chain<'t>) -> Option<Described> {
        let mut flag = Flag::default();
        let mut id = None;
        let mut takes = match chain.kind {
            Kind::Argument(name) => {
                id = name.and_then(|n| self.literals.string(n));
                !self.old
            }
            Kind::Macro(tokens) => macro_flag(tokens.text(self.text), &mut flag, &mut id),
            Kind::Command(_) | Kind::Variable(_) => return None,
        };
        self.texts(chain, &["long"]).iter().for_each(|name| flag.long(name));
        self.texts(chain, &["short"]).iter().for_each(|name| flag.short(name));
        if !flag.spellings.is_empty() {
            self.texts(chain, &["alias", "aliases", "visible_alias", "visible_aliases"]).iter().for_each(|name| flag.long(name));
            self.texts(chain, &["short_alias", "visible_short_alias"]).iter().for_each(|name| flag.short(name));
        }
        let mut default = None;
        let mut counts = false;
        for (method, arguments) in &chain.calls {
            let first = arguments.first().copied();
            let source = first.map_or("", |a| a.text(self.text));
            match (*method, last_segment(source)) {
                ("action", "SetTrue" | "SetFalse" | "Help" | "HelpShort" | "HelpLong" | "Version")
                | ("num_args" | "number_of_values", "0") => takes = false,
                ("action", "Count") => (takes, counts) = (false, true),
                ("action", "Append") => (takes, counts) = (true, true),
                ("action", _) => takes = true,
                ("takes_value", value) => takes = value == "true",
                ("multiple" | "multiple_values" | "multiple_occurrences", "true") => counts = true,
                ("required", "true") => flag.set("required", true),
                ("value_parser" | "possible_values", _) => self.choices(first, &mut flag),
                ("default_value" | "default_value_os" | "default_values", _) => {
                    takes = true;
                    default = first.map(|a| self.literals.read(a));
                }
                ("value_name" | "value_names" | "num_args" | "number_of_values" | "min_values", _) if self.old => takes = true,
                _ => {}
            }
        }
        takes |= flag.value.contains_key("choices");
        flag.set("takesValue", takes);
        flag.mark("multiple", counts);
        if let Some(default) = default.clone() {
            default.store(&mut flag.value, "default");
        }
        Some(Described { flag, id, default })
    }

    fn choices(&self, argument: Option<Node<'t>>, flag: &mut Flag) {
        let Some(mut list) = argument else { return };
        if list.kind() == "call_expression"
            && let Some(inner) = list.field("arguments").and_then(|a| a.named_child(0))
        {
            list = inner;
        }
        if let Reading::Literal(Value::Array(names)) = self.literals.read(list)
            && names.iter().all(Value::is_string)
        {
            flag.set("choices", names);
        }
    }

    /// The strings given to methods of a chain, lists included.
    fn texts(&self, chain: &Chain<'t>, methods: &[&str]) -> Vec<String> {
        let calls = chain.calls.iter().filter(|(method, _)| methods.contains(method));
        let values = calls.filter_map(|(_, arguments)| match self.literals.read(*arguments.first()?) {
            Reading::Literal(value) => Some(value),
            Reading::Computed(_) => None,
        });
        values
            .flat_map(|value| match value {
                Value::String(one) => vec![one],
                Value::Array(many) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                _ => Vec::new(),
            })
            .collect()
    }
}

struct Described {
    flag: Flag,
    id: Option<String>,
    default: Option<Reading>,
}

/// Follows a chain of method calls to the expression it begins with, and notes the calls on the way as seen.
fn unroll<'t>(outer: Node<'t>, function: Option<&'t str>, text: &'t str, inner: &mut BTreeSet<usize>) -> Option<Chain<'t>> {
    let mut calls = Vec::new();
    let mut node = outer;
    loop {
        if node.kind() == "macro_invocation" {
            let name = last_segment(node.field("macro")?.text(text));
            let tokens = node.child_of_kind("token_tree")?;
            calls.reverse();
            return (name == "arg").then_some(Chain { kind: Kind::Macro(tokens), calls, node: outer, function });
        }
        if node.kind() == "identifier" {
            let takes = calls.iter().any(|(method, _)| matches!(*method, "arg" | "args" | "subcommand" | "subcommands"));
            calls.reverse();
            return takes.then_some(Chain { kind: Kind::Variable(node.text(text)), calls, node: outer, function });
        }
        if node.kind() != "call_expression" {
            return None;
        }
        let callee = node.field("function")?;
        let arguments: Vec<_> = node.field("arguments")?.named().into_iter().filter(|a| !a.is_extra()).collect();
        if callee.kind() == "field_expression" {
            calls.push((callee.field("field")?.text(text), arguments));
            node = callee.field("value")?;
            inner.insert(node.id());
            continue;
        }
        let path = callee.text(text);
        let mut segments = path.rsplit("::");
        let (last, owner) = (segments.next()?, segments.next()?);
        let kind = match (owner, last) {
            ("Arg", "new" | "with_name") => Kind::Argument(arguments.first().copied()),
            ("Command" | "App", "new") | ("SubCommand", "with_name") => Kind::Command(arguments.first().copied()),
            _ => return None,
        };
        calls.reverse();
        return Some(Chain { kind, calls, node: outer, function });
    }
}

/// Whether a `Command::new` is clap's and not that of `std::process`; `App` leaves no doubt.
fn is_clap(chain: &Chain<'_>, text: &str) -> bool {
    chain.calls.iter().any(|(method, arguments)| match *method {
        "about"
        | "subcommand"
        | "subcommands"
        | "subcommand_required"
        | "version"
        | "author"
        | "long_about"
        | "alias"
        | "aliases"
        | "visible_alias"
        | "visible_aliases"
        | "arg_required_else_help"
        | "after_help"
        | "long_version"
        | "override_usage"
        | "disable_help_flag"
        | "disable_version_flag"
        | "group"
        | "bin_name"
        | "display_order"
        | "next_help_heading"
        | "propagate_version" => true,
        "arg" => arguments.first().is_some_and(|a| {
            let source = a.text(text);
            source.starts_with("Arg::") || source.starts_with("clap::") || source.starts_with("arg!")
        }),
        _ => false,
    })
}

/// The expressions given as an argument: itself, the elements of a list, or a function of the file that is called.
fn places<'t>(argument: Node<'t>, text: &'t str) -> Vec<Place<'t>> {
    let mut node = argument;
    if node.kind() == "reference_expression"
        && let Some(value) = node.field("value")
    {
        node = value;
    }
    let elements = if node.kind() == "array_expression" { node.named() } else { vec![node] };
    elements
        .into_iter()
        .map(|element| {
            let callee =
                element.field("function").filter(|f| element.kind() == "call_expression" && f.kind() != "field_expression");
            match callee.map(|f| f.text(text)) {
                Some(path) if !["Arg::", "Command::", "App::", "SubCommand::"].iter().any(|p| path.contains(p)) => {
                    Place::Function(last_segment(path))
                }
                _ => Place::Expression(element.id()),
            }
        })
        .collect()
}

/// Reads the inside of `arg!(name: -s --long <VALUE> "help")`; gives whether it takes a value.
fn macro_flag(tokens: &str, flag: &mut Flag, id: &mut Option<String>) -> bool {
    let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or("");
    let inner = inner.split('"').next().unwrap_or("");
    let mut takes = false;
    let mut shorts = Vec::new();
    for word in inner.split_whitespace() {
        let plain = word.trim_end_matches("...").trim_end_matches(',');
        if let Some(name) = plain.strip_suffix(':') {
            *id = Some(name.to_owned());
        } else if let Some(long) = plain.strip_prefix("--") {
            let (name, value) = long.split_once(['=', '<', '[']).map_or((long, false), |(name, _)| (name, true));
            takes |= value;
            flag.long(name);
        } else if let Some(short) = plain.strip_prefix('-') {
            shorts.push(short.trim_matches('\'').to_owned());
        } else if plain.starts_with(['<', '[']) {
            takes = true;
            id.get_or_insert_with(|| plain.trim_matches(['<', '>', '[', ']']).to_owned());
        }
    }
    for short in shorts {
        flag.short(&short);
    }
    takes
}

#[cfg(test)]
#[path = "clap_builder_tests.rs"]
mod tests;
