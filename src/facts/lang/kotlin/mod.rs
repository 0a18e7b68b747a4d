//! Kotlin: classes, interfaces, objects, enums, functions, properties and constants, environment variables.

pub(crate) mod value;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::facts::environment::{Variable, record};
use crate::facts::written::{Projection, Written, type_text, without_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};
use value::{Values, arguments, assigned, has_modifier, is_constant, property_name};

/// Kotlin source files and scripts.
pub struct Kotlin;

/// How deep classes lie inside classes.
const MAX_NESTING: usize = 8;

const TYPES: [&str; 7] =
    ["user_type", "nullable_type", "non_nullable_type", "function_type", "parenthesized_type", "dynamic", "type"];

impl Extractor for Kotlin {
    fn name(&self) -> &'static str {
        "kotlin"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension(), "kt" | "kts")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let text = source.text();
        let header = tree.root().child_of_kind("package_header");
        let package = header.and_then(|p| p.child_of_kind("qualified_identifier")).map(|n| n.text(text)).unwrap_or_default();
        let file = File { values: Values::of_file(tree.root(), text), owner: source.module_owner(), package };
        for node in tree.root().named() {
            file.declaration("", node, true, MAX_NESTING, sink);
        }
        file.environment(tree.root(), sink);
    }
}

struct File<'s> {
    values: Values<'s>,
    owner: String,
    package: &'s str,
}

impl<'s> File<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        node.text(self.values.text())
    }

    fn type_of(&self, node: Option<Node<'_>>) -> String {
        node.map(|n| type_text(n, self.values.text())).unwrap_or_default()
    }

    fn is_public(&self, node: Node<'_>) -> bool {
        !["private", "internal"].iter().any(|modifier| has_modifier(node, modifier, self.values.text()))
    }

    fn symbol(&self, declared: &str, name: &str, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        let own = name.rsplit('.').next().unwrap_or(name);
        let is_type = matches!(declared, "class" | "interface" | "enum" | "type");
        let qualified = (is_type && !self.package.is_empty()).then(|| format!("{}.{name}", self.package));
        sink.push(
            NewFact::new(FactKind::Symbol, &self.owner, name, Projection::declared(declared), node.span())
                .visible(public)
                .aliases(qualified)
                .body(&without_name(self.text(node), own)),
        );
    }

    fn push(&self, kind: FactKind, name: &str, value: Projection, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        sink.push(NewFact::new(kind, &self.owner, name, value.build(), node.span()).visible(public));
    }

    fn declaration(&self, scope: &str, node: Node<'_>, outer: bool, depth: usize, sink: &mut FactSink<'_>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let public = outer && self.is_public(node);
        let qualified = |own: &str| if scope.is_empty() { own.to_owned() } else { format!("{scope}.{own}") };
        match node.kind() {
            "class_declaration" | "object_declaration" => {
                let Some(name) = node.field("name").map(|n| qualified(self.text(n))) else { return };
                self.class(&name, node, public, depth, sink);
            }
            "companion_object" => {
                for member in node.child_of_kind("class_body").map(|b| b.named()).unwrap_or_default() {
                    self.declaration(scope, member, public, depth, sink);
                }
            }
            "function_declaration" => {
                let Some(own) = node.field("name").map(|n| self.text(n)) else { return };
                let name = qualified(own);
                // What overrides is declared, and named, by what it overrides.
                let overrides = has_modifier(node, "override", self.values.text());
                if !overrides {
                    self.symbol(if scope.is_empty() { "function" } else { "method" }, &name, node, public, sink);
                }
                let value = Projection::default()
                    .value("parameters", self.parameters(node))
                    .text("returns", self.type_of(returned(node)))
                    .list("typeParameters", self.type_parameters(node))
                    .yes("async", has_modifier(node, "suspend", self.values.text()))
                    .yes("overrides", overrides);
                // Defaults of what is declared for several platforms stand where it is expected.
                if !has_modifier(node, "actual", self.values.text()) {
                    self.push(FactKind::Signature, &name, value, node, public, sink);
                }
            }
            "property_declaration" => {
                if let Some(own) = property_name(node, self.values.text()) {
                    self.property(scope, &qualified(own), own, node, outer, sink);
                }
            }
            "type_alias" => {
                let Some(name) = node.field("type").map(|n| qualified(self.text(n))) else { return };
                self.symbol("type", &name, node, public, sink);
                let target = node.named().into_iter().next_back();
                self.push(
                    FactKind::Signature,
                    &name,
                    Projection::default().text("type", self.type_of(target)),
                    node,
                    public,
                    sink,
                );
            }
            _ => {}
        }
    }

    fn class(&self, name: &str, node: Node<'_>, public: bool, depth: usize, sink: &mut FactSink<'_>) {
        let text = self.values.text();
        let entries = node.child_of_kind("enum_class_body").map(|b| b.named());
        let body = node.child_of_kind("class_body").map(|b| b.named());
        let is_interface = {
            let mut cursor = node.walk();
            node.children(&mut cursor).any(|child| child.kind() == "interface")
        };
        let declared = if has_modifier(node, "enum", text) {
            "enum"
        } else if is_interface {
            "interface"
        } else {
            "class"
        };
        self.symbol(declared, name, node, public, sink);
        let members = entries.or(body).unwrap_or_default();
        let parameters = node.child_of_kind("primary_constructor").and_then(|c| c.child_of_kind("class_parameters"));
        let parameters = parameters.map(|p| p.named()).unwrap_or_default();
        // A constructor that users cannot call is none to them; they may have others.
        let constructor = node
            .child_of_kind("primary_constructor")
            .filter(|c| !["private", "internal", "protected"].iter().any(|modifier| has_modifier(*c, modifier, text)));
        let value = Projection::default().list("typeParameters", self.type_parameters(node));
        let value = if declared == "enum" {
            let variants = members.iter().filter(|m| m.kind() == "enum_entry").filter_map(|m| m.child_of_kind("identifier"));
            value.value("variants", variants.map(|n| Value::from(self.text(n))).collect::<Vec<_>>())
        } else {
            let value = if constructor.is_some() {
                value.value("parameters", parameters.iter().filter_map(|p| self.class_parameter(*p)).collect::<Vec<_>>())
            } else {
                value
            };
            value.value("members", self.members(&parameters, &members))
        };
        self.push(FactKind::Signature, name, value, node, public, sink);
        for parameter in parameters.into_iter().filter(|p| is_property(*p)) {
            let Some(own) = parameter.child_of_kind("identifier").map(|n| self.text(n)) else { continue };
            let default = assigned(parameter).map(|v| self.values.read(v));
            let value = Projection::default()
                .text("type", self.type_of(type_child(parameter)))
                .yes("required", default.is_none())
                .written("default", default);
            let public = public && self.is_public(parameter);
            self.push(FactKind::ConfigKey, &format!("{name}.{own}"), value, parameter, public, sink);
        }
        for member in members {
            if member.kind() == "enum_entry" {
                if let Some(own) = member.child_of_kind("identifier").map(|n| self.text(n)) {
                    self.symbol("variant", &format!("{name}.{own}"), member, public, sink);
                }
            } else {
                self.declaration(name, member, public, depth, sink);
            }
        }
    }

    /// Properties that users of a class see.
    fn members(&self, parameters: &[Node<'_>], body: &[Node<'_>]) -> Vec<Value> {
        let mut out = Vec::new();
        for node in parameters.iter().filter(|p| is_property(**p)).chain(body) {
            let text = self.values.text();
            let (name, type_node) = match node.kind() {
                "class_parameter" => (node.child_of_kind("identifier").map(|n| self.text(n)), type_child(*node)),
                "property_declaration" => {
                    let variable = node.child_of_kind("variable_declaration");
                    (property_name(*node, text).filter(|name| !is_constant(*node, name, text)), variable.and_then(type_child))
                }
                _ => continue,
            };
            if let Some(name) = name.filter(|_| self.is_public(*node)) {
                out.push(Projection::default().text("name", name).text("type", self.type_of(type_node)).build());
            }
        }
        out
    }

    fn class_parameter(&self, node: Node<'_>) -> Option<Value> {
        let name = self.text(node.child_of_kind("identifier")?);
        let kind = if has_modifier(node, "vararg", self.values.text()) { "variadic" } else { "positional" };
        Some(self.parameter(name, kind, type_child(node), assigned(node)))
    }

    fn parameter(&self, name: &str, kind: &str, type_node: Option<Node<'_>>, default: Option<Node<'_>>) -> Value {
        Projection::default()
            .text("name", name)
            .text("kind", kind)
            .text("type", self.type_of(type_node))
            .yes("optional", default.is_some())
            .written("default", default.map(|d| self.values.read(d)))
            .build()
    }

    /// The parameters of a function: modifiers stand before each one, defaults behind it.
    fn parameters(&self, function: Node<'_>) -> Vec<Value> {
        let list = function.child_of_kind("function_value_parameters").map(|p| p.named()).unwrap_or_default();
        let mut out = Vec::new();
        let mut kind = "positional";
        for (i, node) in list.iter().enumerate() {
            match node.kind() {
                "parameter_modifiers" if self.text(*node).contains("vararg") => kind = "variadic",
                "parameter" => {
                    let name = node.child_of_kind("identifier").map(|n| self.text(n)).unwrap_or_default();
                    let next = list.get(i + 1).filter(|n| !matches!(n.kind(), "parameter" | "parameter_modifiers"));
                    let default = next.filter(|n| !n.kind().ends_with("comment")).copied();
                    out.push(self.parameter(name, kind, type_child(*node), default));
                    kind = "positional";
                }
                _ => {}
            }
        }
        out
    }

    fn type_parameters(&self, node: Node<'_>) -> Vec<Value> {
        let list = node.child_of_kind("type_parameters").map(|list| list.named()).unwrap_or_default();
        list.into_iter().filter(|n| n.kind() == "type_parameter").map(|t| Value::String(self.type_of(Some(t)))).collect()
    }

    /// A constant, or a setting of a class. A property that a configuration delegates to is set from outside, private or not.
    fn property(&self, scope: &str, name: &str, own: &str, node: Node<'_>, outer: bool, sink: &mut FactSink<'_>) {
        let text = self.values.text();
        let type_text = self.type_of(node.child_of_kind("variable_declaration").and_then(type_child));
        let public = outer && self.is_public(node);
        if scope.is_empty() || is_constant(node, own, text) {
            self.symbol("constant", name, node, public, sink);
            let value = assigned(node).map(|v| self.values.read(v));
            let value = Projection::default().written("value", value).text("type", type_text);
            return self.push(FactKind::Constant, name, value, node, public, sink);
        }
        let delegate = node.child_of_kind("property_delegate").and_then(|d| d.named_child(0));
        let (default, is_configured) = match delegate {
            Some(call) => {
                let function = call.named_child(0).map(|n| self.text(n)).unwrap_or_default();
                let is_configured = function.starts_with("config");
                let first =
                    arguments(call, text).into_iter().find(|(name, _)| matches!(*name, None | Some("defaultValue" | "default")));
                let default = first.filter(|_| is_configured).map(|(_, value)| self.values.read(value));
                (default.or_else(|| Some(Written::expression(call, text))), is_configured)
            }
            None => (assigned(node).map(|v| self.values.read(v)), false),
        };
        let value = Projection::default().text("type", type_text).written("default", default);
        self.push(FactKind::ConfigKey, name, value, node, public || (outer && is_configured), sink);
    }

    fn environment(&self, root: Node<'_>, sink: &mut FactSink<'_>) {
        let text = self.values.text();
        if memchr::memmem::find(text.as_bytes(), b"getenv").is_none() {
            return;
        }
        let mut found = Vec::new();
        for node in root.preorder().filter(|n| n.kind() == "call_expression") {
            let function = node.named_child(0).filter(|f| f.byte_range().len() < 40).map(|f| self.text(f)).unwrap_or_default();
            if !matches!(function, "System.getenv" | "System.getenv().get" | "System.getenv().getOrDefault") {
                continue;
            }
            let given = arguments(node, text);
            let Some(name) = given.first().and_then(|(_, n)| self.values.string(*n)) else { continue };
            let elvis = node
                .parent()
                .filter(|p| p.kind() == "binary_expression" && p.field("operator").is_some_and(|o| o.kind() == "?:"));
            let default = given.get(1).map(|(_, d)| *d).or_else(|| elvis.and_then(|p| p.field("right")));
            found.push(Variable { name, default: default.map(|d| self.values.read(d)), span: node.span() });
        }
        record(found, sink);
    }
}

/// The type of a parameter or variable.
fn type_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named().into_iter().find(|child| TYPES.contains(&child.kind()))
}

/// The type a function gives back: it stands behind the parameters.
fn returned(function: Node<'_>) -> Option<Node<'_>> {
    let children = function.named();
    let after = children.iter().skip_while(|n| n.kind() != "function_value_parameters");
    after.into_iter().find(|n| TYPES.contains(&n.kind())).copied()
}

/// Whether a parameter of a constructor is a property too.
fn is_property(parameter: Node<'_>) -> bool {
    let mut cursor = parameter.walk();
    parameter.kind() == "class_parameter" && parameter.children(&mut cursor).any(|c| matches!(c.kind(), "val" | "var"))
}
