//! Symbols, signatures and constants of a Rust file.

use serde_json::{Value, json};

use super::attributes::{self, Attributes, Item, items, last_segment};
use super::case;
use super::literal::Literals;
use super::shapes::{self, MAX_MODULES, is_public};
use crate::facts::reading::{Object, fold_text, without_name};
use crate::facts::{FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// Where an item stands: the prefix of its name, and whether what is around it is public.
#[derive(Clone)]
struct Scope {
    prefix: String,
    method: bool,
    /// For members of traits and of `impl Trait for`, whose visibility is not their own.
    public: Option<bool>,
}

impl Scope {
    fn name(&self, name: &str) -> String {
        let name = name.trim_start_matches("r#");
        if self.prefix.is_empty() { name.to_owned() } else { format!("{}.{name}", self.prefix) }
    }
}

/// Records the definitions of a file.
pub(super) fn extract<'t>(source: &Source<'_>, root: Node<'t>, text: &'t str, literals: &Literals<'t>, sink: &mut FactSink<'_>) {
    let walk = Walk { text, literals, owner: source.module_owner() };
    walk.container(root, &Scope { prefix: String::new(), method: false, public: None }, 0, sink);
}

struct Walk<'a, 't> {
    text: &'t str,
    literals: &'a Literals<'t>,
    owner: String,
}

impl<'t> Walk<'_, 't> {
    fn container(&self, parent: Node<'t>, scope: &Scope, depth: usize, sink: &mut FactSink<'_>) {
        if depth > MAX_MODULES {
            return;
        }
        for item in items(parent, self.text) {
            self.item(&item, scope, depth, sink);
        }
    }

    fn item(&self, item: &Item<'t>, scope: &Scope, depth: usize, sink: &mut FactSink<'_>) {
        let node = item.node;
        match node.kind() {
            "function_item" | "function_signature_item" => {
                let declared = if scope.method { "method" } else { "function" };
                if let Some(name) = self.symbol(item, scope, declared, sink) {
                    self.fact(FactKind::Signature, name, Value::Object(self.function(node)), header(node), item, scope, sink);
                }
            }
            "struct_item" | "union_item" => {
                if let Some(name) = self.symbol(item, scope, "class", sink) {
                    let value = self.structure(node);
                    self.fact(FactKind::Signature, name, value, node.span(), item, scope, sink);
                }
            }
            "enum_item" => self.enumeration(item, scope, sink),
            "trait_item" => {
                if let Some(name) = self.symbol(item, scope, "interface", sink)
                    && let Some(body) = node.field("body")
                {
                    let inside = Scope { prefix: name, method: true, public: Some(self.visible(node, scope)) };
                    self.container(body, &inside, depth + 1, sink);
                }
            }
            "impl_item" => self.implementation(node, scope, depth, sink),
            "type_item" => {
                if let Some(name) = self.symbol(item, scope, "type", sink)
                    && let Some(target) = node.field("type")
                {
                    let mut value = self.generics(node);
                    value.insert("type".to_owned(), fold_text(target.text(self.text)).into());
                    self.fact(FactKind::Signature, name, Value::Object(value), node.span(), item, scope, sink);
                }
            }
            "associated_type" => {
                self.symbol(item, scope, "type", sink);
            }
            "const_item" | "static_item" => self.constant(item, scope, sink),
            "mod_item" => {
                if let Some(name) = self.symbol(item, scope, "module", sink)
                    && let Some(body) = node.field("body")
                {
                    self.container(body, &Scope { prefix: name, method: false, public: None }, depth + 1, sink);
                }
            }
            "macro_definition" => self.macro_rules(item, scope, sink),
            "foreign_mod_item" => {
                if let Some(body) = node.field("body") {
                    self.container(body, scope, depth + 1, sink);
                }
            }
            "use_declaration" => self.reexports(item, scope, sink),
            _ => {}
        }
    }

    fn visible(&self, node: Node<'t>, scope: &Scope) -> bool {
        scope.public.unwrap_or_else(|| is_public(node, self.text))
    }

    /// Records the symbol of an item and gives its full name.
    fn symbol(&self, item: &Item<'t>, scope: &Scope, declared: &str, sink: &mut FactSink<'_>) -> Option<String> {
        let name = item.node.field("name")?;
        let full = scope.name(name.text(self.text));
        let body = without_name(self.text, item.node.span(), name.span());
        sink.push(
            NewFact::new(FactKind::Symbol, &self.owner, &full, json!({ "declared": declared }), item.node.span())
                .visible(self.visible(item.node, scope))
                .body(&body),
        );
        Some(full)
    }

    #[expect(clippy::too_many_arguments, reason = "one call per part of a fact, all different in type")]
    fn fact(
        &self,
        kind: FactKind,
        name: String,
        value: Value,
        span: ByteSpan,
        item: &Item<'t>,
        scope: &Scope,
        sink: &mut FactSink<'_>,
    ) {
        if value.as_object().is_none_or(serde_json::Map::is_empty) {
            return;
        }
        sink.push(NewFact::new(kind, &self.owner, name, value, span).visible(self.visible(item.node, scope)));
    }

    fn generics(&self, node: Node<'t>) -> Object {
        let mut value = Object::new();
        if let Some(list) = node.field("type_parameters") {
            let names: Vec<Value> =
                list.named().into_iter().filter(|p| !p.is_extra()).map(|p| fold_text(p.text(self.text)).into()).collect();
            if !names.is_empty() {
                value.insert("typeParameters".to_owned(), names.into());
            }
        }
        value
    }

    fn function(&self, node: Node<'t>) -> Object {
        let mut value = Object::new();
        let mut parameters = Vec::new();
        for parameter in node.field("parameters").map(|p| p.named()).unwrap_or_default() {
            match parameter.kind() {
                "parameter" => {
                    let pattern = parameter.field("pattern").map_or("_", |p| p.text(self.text));
                    let kind = parameter.field("type").map_or("", |t| t.text(self.text));
                    parameters.push(json!({ "name": fold_text(pattern), "kind": "positional", "type": fold_text(kind) }));
                }
                "variadic_parameter" => parameters.push(json!({ "name": "...", "kind": "variadic" })),
                _ => {}
            }
        }
        value.insert("parameters".to_owned(), parameters.into());
        if let Some(returns) = node.field("return_type") {
            value.insert("returns".to_owned(), fold_text(returns.text(self.text)).into());
        }
        value.extend(self.generics(node));
        if node.child_of_kind("function_modifiers").is_some_and(|m| m.text(self.text).split_whitespace().any(|w| w == "async")) {
            value.insert("async".to_owned(), true.into());
        }
        value
    }

    fn structure(&self, node: Node<'t>) -> Value {
        let mut value = Object::new();
        if let Some(body) = node.field("body").filter(|b| b.kind() == "field_declaration_list") {
            let members: Vec<Value> = shapes::fields(body, self.text)
                .iter()
                .map(|field| {
                    let mut member = json!({ "name": field.name, "type": fold_text(field.kind) });
                    if is_option(field.kind) {
                        member["optional"] = true.into();
                    }
                    member
                })
                .collect();
            value.insert("members".to_owned(), members.into());
        }
        value.extend(self.generics(node));
        Value::Object(value)
    }

    fn enumeration(&self, item: &Item<'t>, scope: &Scope, sink: &mut FactSink<'_>) {
        let Some(name) = self.symbol(item, scope, "enum", sink) else { return };
        let mut names = Vec::new();
        let mut default = None;
        for member in item.node.field("body").map(|b| items(b, self.text)).unwrap_or_default() {
            let Some(variant) = member.node.field("name").filter(|_| member.node.kind() == "enum_variant") else { continue };
            let ident = variant.text(self.text);
            // What documentation does not show is no part of what it lists.
            if !member.attributes.of(&["doc"]).any(|a| a.key == "hidden") {
                names.push(Value::from(ident));
            }
            if member.attributes.has("default") {
                default = Some(ident);
            }
            let value = json!({ "declared": "variant" });
            let mut fact = NewFact::new(FactKind::Symbol, &self.owner, format!("{name}.{ident}"), value, member.node.span())
                .visible(self.visible(item.node, scope))
                .aliases(variant_names(&item.attributes, &member.attributes, ident));
            // A unit variant says nothing apart from its name: no body, so no rename is ever proven by it.
            if member.node.field("body").is_some() || member.node.field("value").is_some() {
                fact = fact.body(&without_name(self.text, member.node.span(), variant.span()));
            }
            sink.push(fact);
        }
        let mut value = Object::new();
        value.insert("variants".to_owned(), names.into());
        if let Some(default) = default {
            value.insert("default".to_owned(), default.into());
        }
        value.extend(self.generics(item.node));
        self.fact(FactKind::Signature, name, Value::Object(value), item.node.span(), item, scope, sink);
    }

    fn implementation(&self, node: Node<'t>, scope: &Scope, depth: usize, sink: &mut FactSink<'_>) {
        let (Some(subject), Some(body)) = (node.field("type"), node.field("body")) else { return };
        let subject = last_segment(subject.text(self.text).trim_start_matches(['&', '(', '[']));
        if subject.is_empty() || !subject.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return;
        }
        // Members of `impl Trait for` are as visible as the trait; that is not known here, so they count as reachable.
        let public = node.field("trait").map(|_| true);
        self.container(body, &Scope { prefix: scope.name(subject), method: true, public }, depth + 1, sink);
    }

    fn constant(&self, item: &Item<'t>, scope: &Scope, sink: &mut FactSink<'_>) {
        if item.node.field("name").is_none_or(|n| n.text(self.text) == "_") {
            return;
        }
        let Some(name) = self.symbol(item, scope, "constant", sink) else { return };
        let mut value = Object::new();
        if let Some(expression) = item.node.field("value") {
            self.literals.read(expression).store(&mut value, "value");
        }
        if let Some(kind) = item.node.field("type") {
            value.insert("type".to_owned(), fold_text(kind.text(self.text)).into());
        }
        self.fact(FactKind::Constant, name, Value::Object(value), item.node.span(), item, scope, sink);
    }

    fn macro_rules(&self, item: &Item<'t>, scope: &Scope, sink: &mut FactSink<'_>) {
        let Some(name) = item.node.field("name") else { return };
        let body = without_name(self.text, item.node.span(), name.span());
        sink.push(
            NewFact::new(
                FactKind::Symbol,
                &self.owner,
                scope.name(name.text(self.text)),
                json!({ "declared": "macro" }),
                item.node.span(),
            )
            .visible(item.attributes.has("macro_export"))
            .body(&body),
        );
    }

    fn reexports(&self, item: &Item<'t>, scope: &Scope, sink: &mut FactSink<'_>) {
        if !is_public(item.node, self.text) {
            return;
        }
        let Some(argument) = item.node.field("argument") else { return };
        let mut pending = vec![(argument, String::new(), 0)];
        let mut found = Vec::new();
        while let Some((node, path, depth)) = pending.pop() {
            let joined = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
            match node.kind() {
                "scoped_use_list" if depth < MAX_MODULES => {
                    let inner = node.field("path").map_or_else(|| path.clone(), |p| joined(p.text(self.text)));
                    if let Some(list) = node.field("list") {
                        pending.push((list, inner, depth + 1));
                    }
                }
                "use_list" if depth < MAX_MODULES => {
                    pending.extend(node.named().into_iter().map(|n| (n, path.clone(), depth + 1)));
                }
                "use_as_clause" => {
                    if let (Some(target), Some(alias)) = (node.field("path"), node.field("alias")) {
                        found.push((node.span(), alias.text(self.text).to_owned(), joined(target.text(self.text))));
                    }
                }
                "identifier" | "scoped_identifier" => {
                    let whole = joined(node.text(self.text));
                    found.push((node.span(), last_segment(&whole).to_owned(), whole));
                }
                "self" => found.push((node.span(), last_segment(&path).to_owned(), path.clone())),
                _ => {}
            }
        }
        found.sort_by_key(|(span, _, _)| *span);
        for (span, name, path) in found.into_iter().filter(|(_, name, _)| name != "_") {
            let value = json!({ "declared": "reexport" });
            sink.push(NewFact::new(FactKind::Symbol, &self.owner, scope.name(&name), value, span).body(&path));
        }
    }
}

/// Further names of a variant: those of serde, clap and strum.
fn variant_names(container: &Attributes<'_>, attributes: &Attributes<'_>, ident: &str) -> Vec<String> {
    let mut names = shapes::wire_names(container, attributes, ident, true);
    if container.derives("ValueEnum") && !attributes.of(&["value", "clap"]).any(|a| a.key == "skip") {
        names.extend(clap_names(container, attributes, ident));
    }
    for key in ["serialize", "to_string"] {
        names.extend(attributes.of(&["strum"]).filter(|a| a.key == key).filter_map(|a| attributes::string(a.value?)));
    }
    if let Some(rule) = container.string(&["strum"], "serialize_all") {
        names.push(case::clap(&rule, ident));
    }
    names.retain(|name| name != ident);
    names
}

/// The names clap gives a variant or accepts for it, the shown one first.
pub(crate) fn clap_names(container: &Attributes<'_>, attributes: &Attributes<'_>, ident: &str) -> Vec<String> {
    const OWN: [&str; 2] = ["value", "clap"];
    let rule = container.string(&["value", "clap"], "rename_all").unwrap_or_default();
    let mut names = vec![attributes.string(&OWN, "name").unwrap_or_else(|| case::clap(&rule, ident))];
    for argument in attributes.of(&OWN) {
        match (argument.key, argument.value) {
            ("alias", Some(value)) => names.extend(attributes::string(value)),
            ("aliases", Some(value)) => names.extend(strings(value)),
            _ => {}
        }
    }
    names
}

/// The strings of a bracketed list in an attribute: `["a", "b"]`, also behind `&`.
pub(crate) fn strings(list: &str) -> Vec<String> {
    let inner = list.trim().trim_start_matches('&').strip_prefix(['[', '(']).and_then(|l| l.strip_suffix([']', ')']));
    inner.map(|i| attributes::split(i, b',').into_iter().filter_map(attributes::string).collect()).unwrap_or_default()
}

fn is_option(kind: &str) -> bool {
    kind.split_once('<').is_some_and(|(outer, _)| last_segment(outer) == "Option")
}

/// A function without its body.
fn header(node: Node<'_>) -> ByteSpan {
    let end = node.field("body").map_or(node.end_byte(), |b| b.start_byte());
    ByteSpan::new(node.start_byte(), end)
}
