//! Command lines declared with the derive macros of clap (and structopt): `Parser`, `Args`, `Subcommand`, `ValueEnum`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Flag, command, unnamed_command};
use crate::facts::lang::rust::attributes::{Argument, Attributes, last_segment, string};
use crate::facts::lang::rust::case;
use crate::facts::lang::rust::literal::Literals;
use crate::facts::lang::rust::shapes::{self, Enumeration, Field, Record, Shapes, Variant, inner_type};
use crate::facts::lang::rust::symbols::{clap_names, strings};
use crate::facts::reading::{Object, Reading};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::NodeExt;

/// Deepest nesting of subcommands and flattened structs.
const MAX_DEPTH: usize = 8;
/// Most structs and enums visited: a struct may be flattened into many commands.
const MAX_VISITS: usize = 1_000;

const ARGUMENT: [&str; 3] = ["arg", "clap", "structopt"];
const COMMAND: [&str; 3] = ["command", "clap", "structopt"];

/// Reads clap's derive attributes.
pub struct ClapDerive;

impl Extractor for ClapDerive {
    fn name(&self) -> &'static str {
        "clap-derive"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "rs"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if !["Parser", "Args", "Subcommand", "StructOpt", "Clap"].iter().any(|word| text.contains(word)) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let shapes = Shapes::new(tree.root(), tree.text());
        let mut literals = Literals::new(tree.root(), tree.text());
        shapes.teach(&mut literals, |enumeration, variant| {
            is_value_enum(enumeration).then(|| clap_names(&enumeration.attributes, &variant.attributes, variant.name).remove(0))
        });
        let mut reader =
            Reader { text: tree.text(), shapes: &shapes, literals: &literals, seen: BTreeSet::new(), visits: 0, sink };
        reader.file(&unnamed_command(source));
    }
}

/// The program's name, where one parser of the file states it.
pub(crate) fn only_name(shapes: &Shapes<'_>) -> Option<String> {
    let mut names = shapes.records.iter().filter(|r| r.attributes.derives("Parser")).filter_map(|r| root_name(&r.attributes));
    names.next().filter(|_| names.next().is_none())
}

fn is_declared(record: &Record<'_>) -> bool {
    derives(&record.attributes, &["Args", "Parser", "StructOpt", "Clap"])
}

fn derives(attributes: &Attributes<'_>, names: &[&str]) -> bool {
    names.iter().any(|name| attributes.derives(name))
}

fn is_value_enum(enumeration: &Enumeration<'_>) -> bool {
    derives(&enumeration.attributes, &["ValueEnum", "ArgEnum"])
}

/// The value of an argument, written `key = value` or `key(value)`.
fn written<'t>(argument: &Argument<'t>) -> Option<&'t str> {
    argument.value.or(argument.inner)
}

fn find<'t>(attributes: &Attributes<'t>, names: &[&str], key: &str) -> Option<&'t str> {
    attributes.of(names).filter(|a| a.key == key).find_map(written)
}

fn has(attributes: &Attributes<'_>, names: &[&str], key: &str) -> bool {
    attributes.of(names).any(|a| a.key == key)
}

/// The spellings under `alias`, `aliases` and their visible forms.
fn aliases(attributes: &Attributes<'_>, names: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    for argument in attributes.of(names) {
        let Some(value) = written(argument) else { continue };
        match argument.key {
            "alias" | "visible_alias" => out.extend(string(value)),
            "aliases" | "visible_aliases" => out.extend(strings(value)),
            _ => {}
        }
    }
    out
}

struct Reader<'a, 'b, 't> {
    text: &'t str,
    shapes: &'a Shapes<'t>,
    literals: &'a Literals<'t>,
    /// Types that some command of the file has taken in.
    seen: BTreeSet<&'t str>,
    visits: usize,
    sink: &'a mut FactSink<'b>,
}

impl<'a, 't> Reader<'a, '_, 't> {
    fn file(&mut self, unnamed: &str) {
        const PARSERS: [&str; 3] = ["Parser", "StructOpt", "Clap"];
        let shapes = self.shapes;
        let taken = self.taken();
        for record in shapes.records.iter().filter(|r| derives(&r.attributes, &PARSERS) && !taken.contains(r.name)) {
            let name = root_name(&record.attributes);
            if let Some(name) = &name {
                let arguments = self.positionals(&record.attributes, &record.fields, 0);
                self.sink.push(command(&[], name, arguments, record.span));
            }
            self.record(record, &[name.unwrap_or_else(|| unnamed.to_owned())], 0);
        }
        for enumeration in shapes
            .enumerations
            .iter()
            .filter(|e| derives(&e.attributes, &PARSERS) && !is_value_enum(e) && !taken.contains(e.name))
        {
            let name = root_name(&enumeration.attributes);
            self.enumeration(enumeration, &[name.unwrap_or_else(|| unnamed.to_owned())], 0);
        }
        let path = [unnamed.to_owned()];
        for record in shapes.records.iter().filter(|r| is_declared(r)) {
            if !self.seen.contains(record.name) {
                self.record(record, &path, 0);
            }
        }
        for enumeration in shapes
            .enumerations
            .iter()
            .filter(|e| derives(&e.attributes, &["Subcommand", "StructOpt", "Clap"]) && !is_value_enum(e))
        {
            if !self.seen.contains(enumeration.name) {
                self.enumeration(enumeration, &path, 0);
            }
        }
    }

    /// Types that other types of the file take in as subcommands or flattened.
    fn taken(&self) -> BTreeSet<&'t str> {
        let fields = self.shapes.records.iter().flat_map(|r| &r.fields);
        let nested = fields.filter(|f| is_nested(&f.attributes)).map(|f| last_segment(inner_type(f.kind)));
        let variants = self.shapes.enumerations.iter().flat_map(|e| &e.variants);
        nested.chain(variants.filter_map(|v| tuple_type(v, self.text))).collect()
    }

    fn enter(&mut self, name: &'t str, depth: usize) -> bool {
        self.seen.insert(name);
        self.visits += 1;
        depth <= MAX_DEPTH && self.visits <= MAX_VISITS
    }

    fn record(&mut self, record: &'a Record<'t>, path: &[String], depth: usize) {
        if self.enter(record.name, depth) {
            self.fields(&record.attributes, &record.fields, path, depth);
        }
    }

    fn fields(&mut self, container: &Attributes<'t>, fields: &[Field<'t>], path: &[String], depth: usize) {
        for field in fields {
            if has(&field.attributes, &ARGUMENT, "skip") {
                continue;
            }
            if is_nested(&field.attributes) {
                self.take(last_segment(inner_type(field.kind)), path, depth);
            } else {
                self.flag(container, field, path);
            }
        }
    }

    /// Takes in a type of the file under a command.
    fn take(&mut self, name: &str, path: &[String], depth: usize) {
        let shapes = self.shapes;
        if let Some(record) = shapes.record(name).filter(|r| is_declared(r)) {
            self.record(record, path, depth + 1);
        } else if let Some(enumeration) = shapes.enumeration_of(name) {
            self.enumeration(enumeration, path, depth + 1);
        }
    }

    fn enumeration(&mut self, enumeration: &'a Enumeration<'t>, path: &[String], depth: usize) {
        if !self.enter(enumeration.name, depth) {
            return;
        }
        let rule = find(&enumeration.attributes, &COMMAND, "rename_all").and_then(string).unwrap_or_default();
        for variant in &enumeration.variants {
            let attributes = &variant.attributes;
            if has(attributes, &COMMAND, "skip") || has(attributes, &COMMAND, "external_subcommand") {
                continue;
            }
            let inner = tuple_type(variant, self.text);
            if has(attributes, &COMMAND, "flatten") {
                if let Some(inner) = inner {
                    self.take(inner, path, depth);
                }
                continue;
            }
            let name = find(attributes, &COMMAND, "name").and_then(string).unwrap_or_else(|| case::clap(&rule, variant.name));
            let mut own = path.to_vec();
            own.push(name.clone());
            let body = variant.node.field("body").filter(|b| b.kind() == "field_declaration_list");
            let fields = body.map(|b| shapes::fields(b, self.text)).unwrap_or_default();
            let record = inner.and_then(|name| self.shapes.record(name)).filter(|r| is_declared(r));
            let arguments = match record {
                Some(record) => self.positionals(&record.attributes, &record.fields, depth),
                None => self.positionals(attributes, &fields, depth),
            };
            let mut names = aliases(attributes, &COMMAND);
            if let Some(record) = record {
                names.extend(aliases(&record.attributes, &COMMAND));
            }
            self.sink.push(command(path, &name, arguments, variant.node.span()).aliases(names));
            self.fields(attributes, &fields, &own, depth);
            if let Some(inner) = inner {
                self.take(inner, &own, depth);
            }
        }
    }

    /// The positional arguments of a command, flattened structs included.
    fn positionals(&self, container: &Attributes<'_>, fields: &[Field<'_>], depth: usize) -> Vec<String> {
        let mut out = Vec::new();
        if depth > MAX_DEPTH {
            return out;
        }
        for field in fields.iter().filter(|f| !has(&f.attributes, &ARGUMENT, "skip")) {
            let attributes = &field.attributes;
            if has(attributes, &["command", "clap", "structopt"], "flatten") {
                if let Some(record) = self.shapes.record(last_segment(inner_type(field.kind))).filter(|r| is_declared(r)) {
                    out.extend(self.positionals(&record.attributes, &record.fields, depth + 1));
                }
            } else if !is_nested(attributes) && !has(attributes, &ARGUMENT, "long") && !has(attributes, &ARGUMENT, "short") {
                let shown = find(attributes, &ARGUMENT, "value_name").and_then(string);
                out.push(shown.unwrap_or_else(|| id(container, field)));
            }
        }
        out
    }

    fn flag(&mut self, container: &Attributes<'t>, field: &Field<'t>, path: &[String]) {
        let mut flag = Flag::default();
        // A name that stands behind `long` is that of the value alone.
        let own = field.attributes.of(&ARGUMENT).take_while(|a| !matches!(a.key, "long" | "short")).any(|a| a.key == "name");
        let id = if own || !has(&field.attributes, &ARGUMENT, "name") { id(container, field) } else { own_id(container, field) };
        for argument in field.attributes.of(&ARGUMENT) {
            match argument.key {
                "long" => flag.long(&written(argument).and_then(string).unwrap_or_else(|| id.clone())),
                "short" => flag.short(&written(argument).map_or_else(|| id.chars().take(1).collect(), letter)),
                _ => {}
            }
        }
        let positional = flag.spellings.is_empty();
        for argument in field.attributes.of(&ARGUMENT) {
            let Some(value) = written(argument) else { continue };
            match argument.key {
                "alias" | "visible_alias" => flag.long(&string(value).unwrap_or_default()),
                "aliases" | "visible_aliases" => strings(value).iter().for_each(|name| flag.long(name)),
                "short_alias" | "visible_short_alias" => flag.short(&letter(value)),
                _ => {}
            }
        }
        let default = self.describe(field, &mut flag);
        self.environment(container, field, default.as_ref());
        if !positional && let Some(fact) = flag.fact(path, field.span) {
            self.sink.push(fact);
        }
    }

    /// Writes the projection of an argument; gives its default.
    fn describe(&self, field: &Field<'t>, flag: &mut Flag) -> Option<Reading> {
        let attributes = &field.attributes;
        let outer = last_segment(field.kind);
        let action = find(attributes, &ARGUMENT, "action").map_or("", last_segment);
        let number = find(attributes, &ARGUMENT, "num_args").map(|n| n.replace(' ', ""));
        let counts = action == "Count" || has(attributes, &ARGUMENT, "parse") && attributes_count(attributes);
        let switch = match action {
            "SetTrue" | "SetFalse" | "Count" | "Help" | "HelpShort" | "HelpLong" | "Version" => true,
            "Set" | "Append" => false,
            _ => counts || matches!(outer, "bool" | "()") && number.is_none(),
        } || number.as_deref() == Some("0");
        flag.set("takesValue", !switch);
        let default = self.default(field);
        if let Some(default) = default.clone() {
            default.store(&mut flag.value, "default");
        }
        let (choices, others) = self.choices(field);
        if !choices.is_empty() {
            flag.set("choices", choices);
        }
        if !others.is_empty() {
            flag.set("choiceAliases", others);
        }
        let stated = find(attributes, &ARGUMENT, "required").map(|r| r == "true");
        let optional = matches!(outer, "Option" | "Vec" | "bool" | "()")
            || switch
            || default.is_some()
            || number.as_deref().is_some_and(|n| n.starts_with('0'))
            || attributes.of(&ARGUMENT).any(|a| a.key.starts_with("required_") || a.key == "default_value_if");
        flag.mark("required", stated.unwrap_or(!optional));
        let many = number.as_deref().is_some_and(|n| !matches!(n, "0" | "1" | "0..=1" | "1..=1" | "0..1"));
        flag.mark("multiple", counts || many || action == "Append" || is_list(field.kind));
        default
    }

    fn default(&self, field: &Field<'t>) -> Option<Reading> {
        for argument in field.attributes.of(&ARGUMENT) {
            match (argument.key, written(argument)) {
                ("default_value" | "default_value_t" | "default_value_os_t" | "default_value_os", Some(value)) => {
                    return Some(self.literals.read_text(value));
                }
                ("default_values" | "default_values_t", Some(value)) => return Some(self.literals.read_text(value)),
                ("default_value_t" | "default_value", None) => return Some(self.type_default(field)),
                _ => {}
            }
        }
        None
    }

    /// What `Default` gives: the default variant of an enum of this file, else no literal.
    fn type_default(&self, field: &Field<'t>) -> Reading {
        match self.literals.read_text(&format!("{}::default()", field.kind)) {
            Reading::Literal(value) => Reading::Literal(value),
            Reading::Computed(_) => Reading::computed("Default::default()"),
        }
    }

    /// The values that an argument allows, and the other spellings that it takes for them.
    fn choices(&self, field: &Field<'t>) -> (Vec<String>, Vec<String>) {
        let (mut named, mut more, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for argument in field.attributes.of(&ARGUMENT) {
            let Some(value) = written(argument) else { continue };
            match argument.key {
                "value_parser" | "possible_values" if named.is_empty() => {
                    let list = value.find('[').and_then(|at| Some(&value[at..=value.rfind(']')?])).unwrap_or(value);
                    named = strings(list);
                }
                // `PossibleValue::new("auto").alias("any")`
                "possible_value" => {
                    let mut texts = value.split('"').skip(1).step_by(2).map(str::to_owned);
                    more.extend(texts.next());
                    others.extend(texts);
                }
                _ => {}
            }
        }
        named.extend(more);
        if !named.is_empty() {
            return (named, others);
        }
        let Some(enumeration) = self.shapes.enumeration_of(last_segment(inner_type(field.kind))) else { return (named, others) };
        if !is_value_enum(enumeration) {
            return (named, others);
        }
        let variants = enumeration.variants.iter().filter(|v| !has(&v.attributes, &["value", "clap"], "skip"));
        for variant in variants {
            let mut names = clap_names(&enumeration.attributes, &variant.attributes, variant.name).into_iter();
            named.extend(names.next());
            others.extend(names);
        }
        (named, others)
    }

    fn environment(&mut self, container: &Attributes<'_>, field: &Field<'t>, default: Option<&Reading>) {
        let Some(argument) = field.attributes.of(&ARGUMENT).find(|a| a.key == "env") else { return };
        let name = if let Some(value) = written(argument) {
            let Reading::Literal(Value::String(name)) = self.literals.read_text(value) else { return };
            name
        } else {
            let rule = find(container, &COMMAND, "rename_all_env").and_then(string);
            case::clap(rule.as_deref().unwrap_or("SCREAMING_SNAKE_CASE"), field.name)
        };
        let mut value = Object::new();
        if let Some(default) = default {
            default.clone().store(&mut value, "default");
        }
        self.sink.push(NewFact::new(FactKind::EnvVar, "env", name, Value::Object(value), field.span));
    }
}

fn root_name(attributes: &Attributes<'_>) -> Option<String> {
    find(attributes, &COMMAND, "name").or_else(|| find(attributes, &COMMAND, "bin_name")).and_then(string)
}

/// Whether a field stands for arguments of another type.
fn is_nested(attributes: &Attributes<'_>) -> bool {
    const PLACES: [&str; 4] = ["command", "clap", "structopt", "arg"];
    has(attributes, &PLACES, "flatten") || has(attributes, &PLACES, "subcommand")
}

/// The type of a variant of one unnamed field.
fn tuple_type<'t>(variant: &Variant<'t>, text: &'t str) -> Option<&'t str> {
    let body = variant.node.field("body").filter(|b| b.kind() == "ordered_field_declaration_list")?;
    Some(last_segment(inner_type(body.field("type")?.text(text))))
}

/// The name an argument has without further words: its `id`, or the field's name in kebab-case.
fn id(container: &Attributes<'_>, field: &Field<'_>) -> String {
    let written = find(&field.attributes, &ARGUMENT, "id").or_else(|| find(&field.attributes, &ARGUMENT, "name"));
    written.and_then(string).unwrap_or_else(|| own_id(container, field))
}

/// The field's name in the case that the command asks for.
fn own_id(container: &Attributes<'_>, field: &Field<'_>) -> String {
    let rule = find(container, &COMMAND, "rename_all").and_then(string).unwrap_or_default();
    case::clap(&rule, field.name)
}

/// The letter of `'x'` or `"x"`.
fn letter(source: &str) -> String {
    source.trim().trim_matches(['\'', '"']).to_owned()
}

fn is_list(kind: &str) -> bool {
    kind.split('<').take(2).any(|outer| last_segment(outer) == "Vec")
}

/// structopt's way to count: `parse(from_occurrences)`.
fn attributes_count(attributes: &Attributes<'_>) -> bool {
    find(attributes, &ARGUMENT, "parse").is_some_and(|p| p.contains("from_occurrences"))
}

#[cfg(test)]
#[path = "clap_derive_tests.rs"]
mod tests;
