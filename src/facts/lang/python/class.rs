//! Classes: members, methods, enum variants, and their fields as settings.

use serde_json::Value;

use super::module::{choices_of_type, default_of, has_decorator, statements, symbol};
use super::value::{Arguments, callee, class_of, definition_of, leaf};
use super::{File, function, is_public, table};
use crate::facts::written::{Projection, Written, is_upper, type_text};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep classes inside classes are read.
const MAX_NESTING: usize = 4;

/// What a class is, by its bases and decorators.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Enum,
    /// A dataclass, attrs class, model or named tuple: its fields are its constructor's parameters.
    Record,
    Plain,
}

/// Reads a class; `outer` is the qualified name of the class around it.
pub(super) fn read(file: &File<'_>, statement: Node<'_>, definition: Node<'_>, outer: &str, sink: &mut FactSink<'_>) {
    let Some(own) = definition.field("name").map(|n| file.text(n)) else { return };
    let name = if outer.is_empty() { own.to_owned() } else { format!("{outer}.{own}") };
    if name.matches('.').count() >= MAX_NESTING {
        return;
    }
    let shape = shape(file, statement, definition);
    let body = definition.field("body").map(|b| statements(file, b)).unwrap_or_default();
    symbol(file, if shape == Shape::Enum { "enum" } else { "class" }, &name, statement, sink);
    let mut members = Vec::new();
    let mut variants = Vec::new();
    let mut constructors: Vec<Vec<Value>> = Vec::new();
    let mut facts = Vec::new();
    for inner in &body {
        if let Some(class) = class_of(*inner) {
            if !matches!(class.field("name").map(|n| file.text(n)), Some("Meta" | "Config")) {
                facts.push(Inner::Class(*inner, class));
            }
        } else if let Some(method) = definition_of(*inner) {
            if method.field("name").is_some_and(|n| file.text(n) == "__init__") {
                match function::part(file, *inner, &body) {
                    function::Part::Implementation => {}
                    part => constructors.push(function::declared_parameters(file, method, true, &part)),
                }
            } else if !function::is_superseded(file, *inner) {
                facts.push(Inner::Method(*inner, method));
            }
        } else if let Some(assignment) = inner.child_of_kind("assignment") {
            let Some(field) = Field::of(file, assignment, shape) else { continue };
            match field.role {
                Role::Variant => variants.push(Value::from(field.name)),
                Role::Setting => members.push(field.member()),
                Role::Constant => {}
            }
            facts.push(Inner::Field(field, *inner));
        }
    }
    let projection = |parameters: Option<Vec<Value>>| {
        let projection = Projection::default().list("typeParameters", function::type_parameters(file, definition));
        let projection = match parameters {
            Some(parameters) => projection.value("parameters", parameters),
            None if shape == Shape::Record => projection.text("constructor", "members"),
            None => projection,
        };
        projection.value("members", members.clone())
    };
    // A class has as many signatures as its constructor.
    let signatures = match shape {
        Shape::Enum => vec![Projection::default().value("variants", variants)],
        Shape::Record | Shape::Plain if constructors.is_empty() => vec![projection(None)],
        Shape::Record | Shape::Plain => constructors.into_iter().map(|p| projection(Some(p))).collect(),
    };
    let end = definition.field("body").map_or(definition.end_byte(), |b| b.start_byte());
    let head = crate::model::ByteSpan::new(definition.start_byte(), end);
    for signature in signatures {
        sink.push(NewFact::new(FactKind::Signature, &file.owner, &name, signature.build(), head).visible(is_public(&name)));
    }
    for fact in facts {
        match fact {
            Inner::Class(inner, class) => read(file, inner, class, &name, sink),
            Inner::Method(inner, method) => function::read(file, inner, method, &name, &body, sink),
            Inner::Field(field, inner) => field.record(file, &name, inner, sink),
        }
    }
}

enum Inner<'t, 's> {
    Class(Node<'t>, Node<'t>),
    Method(Node<'t>, Node<'t>),
    Field(Field<'t, 's>, Node<'t>),
}

fn shape(file: &File<'_>, statement: Node<'_>, definition: Node<'_>) -> Shape {
    if has_decorator(file, statement, &["dataclass", "define", "frozen", "mutable", "attrs", "s", "attributes"]) {
        return Shape::Record;
    }
    for base in definition.field("superclasses").map(|b| b.named()).unwrap_or_default() {
        let base = leaf(file.text(base));
        match base {
            "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" | "ReprEnum" | "TextChoices" | "IntegerChoices" => {
                return Shape::Enum;
            }
            "TypedDict" if definition.field("superclasses").is_some_and(|b| file.text(b).contains("total=False")) => {}
            "NamedTuple" | "TypedDict" | "BaseModel" | "BaseSettings" | "Struct" => return Shape::Record,
            _ if base.ends_with("Enum") => return Shape::Enum,
            _ => {}
        }
    }
    Shape::Plain
}

/// What a name assigned in a class stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Variant,
    Constant,
    Setting,
}

/// A name assigned or annotated in the body of a class.
struct Field<'t, 's> {
    name: &'s str,
    role: Role,
    annotation: Option<Node<'t>>,
    type_text: String,
    value: Option<Node<'t>>,
    default: Option<Written>,
    required: bool,
}

impl<'t, 's> Field<'t, 's> {
    fn of(file: &File<'s>, assignment: Node<'t>, shape: Shape) -> Option<Self> {
        let left = assignment.field("left").filter(|n| n.kind() == "identifier")?;
        let name = file.text(left);
        if matches!(name, "model_config" | "_") || (name.starts_with("__") && name.ends_with("__")) {
            return None;
        }
        let annotation = assignment.field("type");
        let value = assignment.field("right");
        let type_text = annotation.map(|t| type_text(t, file.values.text())).unwrap_or_default();
        let is_fixed = type_text.starts_with("ClassVar") || type_text.starts_with("Final") || type_text.contains(".ClassVar[");
        let role = match (shape, annotation, value) {
            (Shape::Enum, None, Some(_)) if !name.starts_with('_') => Role::Variant,
            (_, None, _) if is_upper(name) => Role::Constant,
            _ if is_fixed || (is_upper(name) && shape == Shape::Plain && value.is_some()) => Role::Constant,
            _ => Role::Setting,
        };
        let (default, required) = match value {
            Some(value) => default_of(file, value),
            None => (None, shape == Shape::Record && !type_text.starts_with("NotRequired") && !type_text.starts_with("Optional")),
        };
        Some(Self { name, role, annotation, type_text, value, default, required })
    }

    fn member(&self) -> Value {
        Projection::default()
            .text("name", self.name)
            .text("type", self.type_text.as_str())
            .yes("optional", self.value.is_some() && !self.required || self.type_text.starts_with("NotRequired"))
            .build()
    }

    fn record(self, file: &File<'s>, class: &str, statement: Node<'t>, sink: &mut FactSink<'_>) {
        let name = format!("{class}.{}", self.name);
        let public = is_public(&name);
        match self.role {
            Role::Variant | Role::Constant => {
                let declared = if self.role == Role::Variant { "variant" } else { "constant" };
                symbol(file, declared, &name, statement, sink);
                let is_auto = self.value.is_some_and(|v| leaf(callee(v, file.values.text())) == "auto");
                let Some(value) = self.value.filter(|_| !is_auto) else { return };
                let value = Projection::default().written("value", Some(file.values.read(value))).text("type", self.type_text);
                sink.push(NewFact::new(FactKind::Constant, &file.owner, &name, value.build(), statement.span()).visible(public));
                if let (Role::Constant, Some(right)) = (self.role, self.value) {
                    table::read(file, &name, right, sink);
                }
            }
            Role::Setting => {
                let arguments = self.value.map(|v| Arguments::of(v, file.values.text())).unwrap_or_default();
                let mut choices = self.annotation.map(|t| choices_of_type(file, t)).unwrap_or_default();
                if let (true, Some(list)) = (choices.is_empty(), arguments.get("choices")) {
                    choices = file.values.items(list);
                }
                let aliases = ["alias", "validation_alias", "serialization_alias"]
                    .into_iter()
                    .filter_map(|key| arguments.get(key))
                    .flat_map(|node| aliases(file, node));
                let value = Projection::default()
                    .text("type", self.type_text)
                    .written("default", self.default)
                    .yes("required", self.required)
                    .list("choices", choices);
                let qualified: Vec<String> = aliases.map(|alias| format!("{class}.{alias}")).collect();
                sink.push(
                    NewFact::new(FactKind::ConfigKey, &file.owner, &name, value.build(), statement.span())
                        .aliases(qualified)
                        .visible(public),
                );
                if let Some(value) = self.value {
                    table::read(file, &name, value, sink);
                }
            }
        }
    }
}

/// The spellings of `alias="x"` and `AliasChoices("x", "y")`.
fn aliases(file: &File<'_>, node: Node<'_>) -> Vec<String> {
    if let Some(text) = file.values.string(node) {
        return vec![text];
    }
    if leaf(callee(node, file.values.text())) == "AliasChoices" {
        return Arguments::of(node, file.values.text()).positional.into_iter().filter_map(|n| file.values.string(n)).collect();
    }
    Vec::new()
}

/// `Name = namedtuple("Name", …)`, `NamedTuple`, `TypedDict`, `Enum("Name", …)`. Tells whether it was one.
pub(super) fn functional(file: &File<'_>, name: &str, statement: Node<'_>, right: Node<'_>, sink: &mut FactSink<'_>) -> bool {
    if right.kind() != "call" {
        return false;
    }
    let arguments = Arguments::of(right, file.values.text());
    let Some(spec) = arguments.positional.get(1).copied() else { return false };
    let (declared, key) = match leaf(callee(right, file.values.text())) {
        "namedtuple" | "NamedTuple" | "TypedDict" => ("class", "members"),
        "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" => ("enum", "variants"),
        _ => return false,
    };
    let fields: Vec<(String, String)> = match spec.kind() {
        "string" | "concatenated_string" => file
            .values
            .string(spec)
            .unwrap_or_default()
            .split([',', ' ', '\n'])
            .filter(|part| !part.is_empty())
            .map(|part| (part.to_owned(), String::new()))
            .collect(),
        "list" | "tuple" => spec.named().into_iter().filter_map(|item| pair(file, item)).collect(),
        "dictionary" => spec
            .named()
            .into_iter()
            .filter_map(|p| Some((file.values.string(p.field("key")?)?, type_text(p.field("value")?, file.values.text()))))
            .collect(),
        _ => return false,
    };
    symbol(file, declared, name, statement, sink);
    let items = fields
        .into_iter()
        .map(|(field, kind)| match key {
            "variants" => Value::String(field),
            _ => Projection::default().text("name", field).text("type", kind).build(),
        })
        .collect::<Vec<_>>();
    let value = Projection::default().value(key, items).build();
    sink.push(NewFact::new(FactKind::Signature, &file.owner, name, value, statement.span()).visible(is_public(name)));
    true
}

fn pair(file: &File<'_>, item: Node<'_>) -> Option<(String, String)> {
    if item.kind() == "tuple" {
        let kind = item.named_child(1).map(|t| type_text(t, file.values.text())).unwrap_or_default();
        return Some((file.values.string(item.named_child(0)?)?, kind));
    }
    Some((file.values.string(item)?, String::new()))
}
