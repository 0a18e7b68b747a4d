//! Symbols, signatures and constants of a Go file.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::literal::{Literals, base_type, is_exported, names, pairs};
use crate::facts::reading::{Object, Reading, fold_text, without_name};
use crate::facts::{FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// Records the definitions of a file.
pub(super) fn extract<'t>(source: &Source<'_>, root: Node<'t>, text: &'t str, literals: &Literals<'t>, sink: &mut FactSink<'_>) {
    let mut walk = Walk { text, literals, owner: source.module_owner(), variants: BTreeMap::new(), sink };
    for node in root.named().into_iter().filter(|n| n.kind() == "const_declaration") {
        walk.variants(node);
    }
    for node in root.named() {
        match node.kind() {
            "function_declaration" => walk.function(node),
            "method_declaration" => walk.method(node),
            "const_declaration" => walk.constants(node),
            "var_declaration" => {
                for spec in node.preorder().filter(|n| n.kind() == "var_spec").take(crate::facts::MAX_FACTS) {
                    if spec.parent().is_some_and(|p| p == node || p.kind() == "var_spec_list" && p.parent() == Some(node)) {
                        walk.variable(spec);
                    }
                }
            }
            "type_declaration" => {
                for spec in node.named().into_iter().filter(|n| matches!(n.kind(), "type_spec" | "type_alias")) {
                    walk.definition(spec);
                }
            }
            _ => {}
        }
    }
}

struct Walk<'a, 'b, 't> {
    text: &'t str,
    literals: &'a Literals<'t>,
    owner: String,
    /// The values of the constants of each string type.
    variants: BTreeMap<&'t str, Vec<String>>,
    sink: &'a mut FactSink<'b>,
}

impl<'t> Walk<'_, '_, 't> {
    fn symbol(&mut self, name: &str, declared: &str, whole: Node<'t>, own: Node<'t>, public: bool) {
        self.sink.push(
            NewFact::new(FactKind::Symbol, &self.owner, name, json!({ "declared": declared }), whole.span())
                .visible(public)
                .body(&without_name(self.text, whole.span(), own.span())),
        );
    }

    fn signature(&mut self, name: &str, value: Object, span: ByteSpan, public: bool) {
        if !value.is_empty() {
            self.sink.push(NewFact::new(FactKind::Signature, &self.owner, name, Value::Object(value), span).visible(public));
        }
    }

    fn function(&mut self, node: Node<'t>) {
        let Some(own) = node.field("name") else { return };
        let name = own.text(self.text);
        if matches!(name, "init" | "_") {
            return;
        }
        let public = is_exported(name);
        self.symbol(name, "function", node, own, public);
        let value = self.callable(node);
        self.signature(name, value, header(node), public);
    }

    fn method(&mut self, node: Node<'t>) {
        let (Some(own), Some(receiver)) = (node.field("name"), receiver_type(node, self.text)) else { return };
        let method = own.text(self.text);
        let name = format!("{receiver}.{method}");
        let public = is_exported(method) && is_exported(receiver);
        self.symbol(&name, "method", node, own, public);
        let value = self.callable(node);
        self.signature(&name, value, header(node), public);
    }

    fn callable(&self, node: Node<'t>) -> Object {
        let mut value = Object::new();
        let mut parameters = Vec::new();
        for declaration in node.field("parameters").map(|p| p.named()).unwrap_or_default() {
            let kind = match declaration.kind() {
                "parameter_declaration" => "positional",
                "variadic_parameter_declaration" => "variadic",
                _ => continue,
            };
            let of = declaration.field("type").map_or_else(String::new, |t| fold_text(t.text(self.text)));
            let names = names(declaration);
            if names.is_empty() {
                parameters.push(json!({ "kind": kind, "type": of }));
            }
            for name in names {
                parameters.push(json!({ "name": name.text(self.text), "kind": kind, "type": of }));
            }
        }
        value.insert("parameters".to_owned(), parameters.into());
        if let Some(result) = node.field("result") {
            value.insert("returns".to_owned(), fold_text(result.text(self.text)).into());
        }
        self.generics(node, &mut value);
        value
    }

    fn generics(&self, node: Node<'t>, value: &mut Object) {
        if let Some(list) = node.field("type_parameters") {
            let names: Vec<Value> =
                list.named().into_iter().filter(|p| !p.is_extra()).map(|p| fold_text(p.text(self.text)).into()).collect();
            value.insert("typeParameters".to_owned(), names.into());
        }
    }

    /// Notes the strings that constants give a type of their own.
    fn variants(&mut self, node: Node<'t>) {
        for spec in node.named().into_iter().filter(|n| n.kind() == "const_spec") {
            let Some(kind) = spec.field("type").filter(|t| t.kind() == "type_identifier") else { continue };
            for (_, value) in pairs(spec) {
                if let Some(text) = self.literals.string(value) {
                    self.variants.entry(kind.text(self.text)).or_default().push(text);
                }
            }
        }
    }

    fn constants(&mut self, node: Node<'t>) {
        // A specification without a value repeats the one before it.
        let mut repeated: Option<(Vec<Node<'t>>, Option<Node<'t>>)> = None;
        for spec in node.named().into_iter().filter(|n| n.kind() == "const_spec") {
            let own =
                spec.field("value").map(|v| (v.named().into_iter().filter(|n| !n.is_extra()).collect(), spec.field("type")));
            let own_value = own.is_some();
            repeated = own.or(repeated);
            for (i, name) in names(spec).into_iter().enumerate() {
                let ident = name.text(self.text);
                if ident == "_" {
                    continue;
                }
                let value = repeated.as_ref().and_then(|(values, _)| values.get(i).copied());
                let kind = repeated.as_ref().and_then(|(_, kind)| *kind);
                let public = is_exported(ident);
                let mut fact = NewFact::new(FactKind::Symbol, &self.owner, ident, json!({ "declared": "constant" }), spec.span())
                    .visible(public);
                if own_value {
                    fact = fact.body(&without_name(self.text, spec.span(), name.span()));
                }
                self.sink.push(fact);
                self.constant(ident, value, kind, spec.span(), public);
            }
        }
    }

    fn constant(&mut self, name: &str, value: Option<Node<'t>>, kind: Option<Node<'t>>, span: ByteSpan, public: bool) {
        let Some(expression) = value else { return };
        let mut value = Object::new();
        self.literals.read(expression).store(&mut value, "value");
        if let Some(kind) = kind {
            value.insert("type".to_owned(), fold_text(kind.text(self.text)).into());
        }
        self.sink.push(NewFact::new(FactKind::Constant, &self.owner, name, Value::Object(value), span).visible(public));
    }

    fn variable(&mut self, spec: Node<'t>) {
        let values = pairs(spec);
        for name in names(spec) {
            let ident = name.text(self.text);
            if ident == "_" {
                continue;
            }
            let public = is_exported(ident);
            self.symbol(ident, "constant", spec, name, public);
            let value = values.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
            // A variable's computed start says little; its literal start is what documents quote.
            let literal = value.filter(|v| matches!(self.literals.read(*v), Reading::Literal(_)));
            self.constant(ident, literal, spec.field("type"), spec.span(), public);
        }
    }

    fn definition(&mut self, spec: Node<'t>) {
        let (Some(own), Some(kind)) = (spec.field("name"), spec.field("type")) else { return };
        let name = own.text(self.text);
        let public = is_exported(name);
        let declared = match kind.kind() {
            "struct_type" => "class",
            "interface_type" => "interface",
            _ => "type",
        };
        self.symbol(name, declared, spec, own, public);
        let mut value = Object::new();
        match kind.kind() {
            "struct_type" => {
                value.insert("members".to_owned(), self.members(kind).into());
            }
            "interface_type" => {
                let methods: Vec<_> = kind.named().into_iter().filter(|n| n.kind() == "method_elem").collect();
                let members: Vec<Value> = methods.iter().filter_map(|m| self.method_member(*m)).collect();
                value.insert("members".to_owned(), members.into());
                for method in methods {
                    let Some(inner) = method.field("name") else { continue };
                    let ident = inner.text(self.text);
                    let full = format!("{name}.{ident}");
                    let public = public && is_exported(ident);
                    self.symbol(&full, "method", method, inner, public);
                    let callable = self.callable(method);
                    self.signature(&full, callable, method.span(), public);
                }
            }
            _ => {
                value.insert("type".to_owned(), fold_text(kind.text(self.text)).into());
            }
        }
        if let Some(variants) = self.variants.get(name) {
            value.insert("variants".to_owned(), variants.clone().into());
        }
        self.generics(spec, &mut value);
        self.signature(name, value, spec.span(), public);
    }

    fn method_member(&self, method: Node<'t>) -> Option<Value> {
        let name = method.field("name")?;
        let rest = ByteSpan::new(name.end_byte(), method.end_byte()).of(self.text);
        Some(json!({ "name": name.text(self.text), "type": fold_text(rest) }))
    }

    fn members(&self, structure: Node<'t>) -> Vec<Value> {
        let list = structure.child_of_kind("field_declaration_list").map(|l| l.named()).unwrap_or_default();
        let mut members = Vec::new();
        for field in list.into_iter().filter(|n| n.kind() == "field_declaration") {
            let kind = field.field("type").map_or("", |t| t.text(self.text));
            let names: Vec<_> = names(field).into_iter().map(|n| n.text(self.text)).collect();
            if names.is_empty() {
                members.push(json!({ "name": base_type(kind), "type": fold_text(kind) }));
            }
            members.extend(names.into_iter().map(|name| json!({ "name": name, "type": fold_text(kind) })));
        }
        members
    }
}

/// The type a method belongs to.
pub(super) fn receiver_type<'t>(node: Node<'t>, text: &'t str) -> Option<&'t str> {
    let declaration = node.field("receiver")?.named().into_iter().find(|n| n.kind() == "parameter_declaration")?;
    Some(base_type(declaration.field("type")?.text(text))).filter(|name| !name.is_empty())
}

/// A function without its body.
fn header(node: Node<'_>) -> ByteSpan {
    ByteSpan::new(node.start_byte(), node.field("body").map_or(node.end_byte(), |b| b.start_byte()))
}
