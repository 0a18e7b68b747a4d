//! Java: classes, interfaces, enums, records, annotations, their methods, fields and constants, environment variables.

pub(crate) mod value;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::facts::environment::{Variable, record};
use crate::facts::written::{Projection, type_text, without_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};
use value::{Values, has_modifier, is_constant};

/// Java source files.
pub struct Java;

/// How deep types lie inside types.
const MAX_NESTING: usize = 8;

impl Extractor for Java {
    fn name(&self) -> &'static str {
        "java"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "java"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let text = source.text();
        let package = tree.root().child_of_kind("package_declaration").and_then(|p| p.named().pop()).map(|n| n.text(text));
        let file = File {
            values: Values::of_file(tree.root(), text),
            owner: source.module_owner(),
            package: package.unwrap_or_default(),
        };
        for node in tree.root().named() {
            file.declaration("", node, true, false, MAX_NESTING, sink);
        }
        file.environment(tree.root(), sink);
    }
}

struct File<'s> {
    values: Values<'s>,
    owner: String,
    package: &'s str,
}

impl File<'_> {
    fn text(&self, node: Node<'_>) -> &str {
        node.text(self.values.text())
    }

    fn type_of(&self, node: Option<Node<'_>>) -> String {
        node.map(|n| type_text(n, self.values.text())).unwrap_or_default()
    }

    /// Whether a declaration is for users; what stands in an interface is, without saying so.
    fn is_public(&self, node: Node<'_>, in_interface: bool) -> bool {
        let is = |modifier| has_modifier(node, modifier, self.values.text());
        (in_interface && !is("private")) || is("public") || is("protected")
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

    fn declaration(&self, scope: &str, node: Node<'_>, outer: bool, in_interface: bool, depth: usize, sink: &mut FactSink<'_>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let declared = match node.kind() {
            "class_declaration" | "record_declaration" => "class",
            "interface_declaration" | "annotation_type_declaration" => "interface",
            "enum_declaration" => "enum",
            _ => return,
        };
        let Some(own) = node.field("name").map(|n| self.text(n)) else { return };
        let name = if scope.is_empty() { own.to_owned() } else { format!("{scope}.{own}") };
        let public = outer && self.is_public(node, in_interface);
        self.symbol(declared, &name, node, public, sink);
        let body = node.field("body").map(members_of).unwrap_or_default();
        self.push(FactKind::Signature, &name, self.signature(node, declared, &body), node, public, sink);
        if node.kind() == "record_declaration" {
            for parameter in node.field("parameters").map(|p| p.named()).unwrap_or_default() {
                let Some(field) = parameter.field("name") else { continue };
                let value = Projection::default().text("type", self.type_of(parameter.field("type"))).yes("required", true);
                self.push(FactKind::ConfigKey, &format!("{name}.{}", self.text(field)), value, parameter, public, sink);
            }
        }
        let in_interface = declared == "interface";
        for member in body {
            match member.kind() {
                "method_declaration" => self.method(&name, member, public && self.is_public(member, in_interface), sink),
                "field_declaration" | "constant_declaration" => self.fields(&name, member, public, in_interface, sink),
                "annotation_type_element_declaration" => self.element(&name, member, public, sink),
                "enum_constant" => {
                    let Some(constant) = member.field("name") else { continue };
                    self.symbol("variant", &format!("{name}.{}", self.text(constant)), member, public, sink);
                }
                _ => self.declaration(&name, member, public, in_interface, depth, sink),
            }
        }
    }

    fn signature(&self, node: Node<'_>, declared: &str, body: &[Node<'_>]) -> Projection {
        let projection = Projection::default().list("typeParameters", self.type_parameters(node));
        if declared == "enum" {
            let constants = body.iter().filter(|m| m.kind() == "enum_constant").filter_map(|m| m.field("name"));
            return projection.value("variants", constants.map(|n| Value::from(self.text(n))).collect::<Vec<_>>());
        }
        let constructor = body.iter().find(|m| m.kind() == "constructor_declaration" && self.is_public(**m, false));
        let projection = match constructor.copied().or((node.kind() == "record_declaration").then_some(node)) {
            Some(constructor) => projection.value("parameters", self.parameters(constructor)),
            None => projection,
        };
        let text = self.values.text();
        let mut members = Vec::new();
        for field in body.iter().filter(|m| m.kind() == "field_declaration" && !has_modifier(**m, "static", text)) {
            for declarator in field.named().into_iter().filter(|n| n.kind() == "variable_declarator") {
                let name = declarator.field("name").map(|n| self.text(n)).unwrap_or_default();
                members.push(Projection::default().text("name", name).text("type", self.type_of(field.field("type"))).build());
            }
        }
        for element in body.iter().filter(|m| m.kind() == "annotation_type_element_declaration") {
            members.push(
                Projection::default()
                    .text("name", element.field("name").map(|n| self.text(n)).unwrap_or_default())
                    .text("type", self.type_of(element.field("type")))
                    .yes("optional", element.field("value").is_some())
                    .build(),
            );
        }
        projection.value("members", members)
    }

    fn type_parameters(&self, node: Node<'_>) -> Vec<Value> {
        let list = node.field("type_parameters").map(|list| list.named()).unwrap_or_default();
        list.into_iter().map(|t| Value::String(self.type_of(Some(t)))).collect()
    }

    fn parameters(&self, definition: Node<'_>) -> Vec<Value> {
        let mut out = Vec::new();
        for node in definition.field("parameters").map(|p| p.named()).unwrap_or_default() {
            let (name, kind, type_node) = match node.kind() {
                "formal_parameter" => (node.field("name"), "positional", node.field("type")),
                "spread_parameter" => {
                    let declarator = node.child_of_kind("variable_declarator");
                    let type_node = node.named().into_iter().find(|n| !matches!(n.kind(), "modifiers" | "variable_declarator"));
                    (declarator.and_then(|d| d.field("name")), "variadic", type_node)
                }
                _ => continue,
            };
            let name = name.map(|n| self.text(n)).unwrap_or_default();
            out.push(Projection::default().text("name", name).text("kind", kind).text("type", self.type_of(type_node)).build());
        }
        out
    }

    fn method(&self, class: &str, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        let Some(own) = node.field("name").map(|n| self.text(n)) else { return };
        // What overrides is declared, and named, by what it overrides.
        let modifiers = node.child_of_kind("modifiers").map(|m| self.text(m)).unwrap_or_default();
        let name = format!("{class}.{own}");
        let overrides = modifiers.split_whitespace().any(|m| m == "@Override");
        if !overrides {
            self.symbol("method", &name, node, public, sink);
        }
        let value = Projection::default()
            .value("parameters", self.parameters(node))
            .text("returns", self.type_of(node.field("type")))
            .list("typeParameters", self.type_parameters(node))
            .yes("overrides", overrides);
        self.push(FactKind::Signature, &name, value, node, public, sink);
    }

    /// Constants, and fields as settings: those are private and set through methods, so the class decides who sees them.
    fn fields(&self, class: &str, node: Node<'_>, public: bool, in_interface: bool, sink: &mut FactSink<'_>) {
        let text = self.values.text();
        let type_text = self.type_of(node.field("type"));
        for declarator in node.named().into_iter().filter(|n| n.kind() == "variable_declarator") {
            let Some(own) = declarator.field("name").map(|n| self.text(n)) else { continue };
            let name = format!("{class}.{own}");
            let value = declarator.field("value").map(|v| self.values.read(v));
            if in_interface || is_constant(node, text) {
                let public = public && self.is_public(node, in_interface);
                self.symbol("constant", &name, declarator, public, sink);
                let projection = Projection::default().written("value", value).text("type", type_text.as_str());
                self.push(FactKind::Constant, &name, projection, declarator, public, sink);
            } else if !has_modifier(node, "static", text) {
                let projection = Projection::default().text("type", type_text.as_str()).written("default", value);
                self.push(FactKind::ConfigKey, &name, projection, declarator, public, sink);
            }
        }
    }

    /// `int retries() default 3;` of an annotation.
    fn element(&self, class: &str, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        let Some(own) = node.field("name").map(|n| self.text(n)) else { return };
        let default = node.field("value").map(|v| self.values.read(v));
        let value = Projection::default().text("type", self.type_of(node.field("type"))).yes("required", default.is_none());
        self.push(FactKind::ConfigKey, &format!("{class}.{own}"), value.written("default", default), node, public, sink);
    }

    fn environment(&self, root: Node<'_>, sink: &mut FactSink<'_>) {
        let text = self.values.text();
        if memchr::memmem::find(text.as_bytes(), b"getenv").is_none() {
            return;
        }
        let mut found = Vec::new();
        for node in root.preorder().filter(|n| n.kind() == "method_invocation") {
            let object = node.field("object").filter(|o| o.byte_range().len() < 40).map(|o| self.text(o)).unwrap_or_default();
            let method = node.field("name").map(|n| self.text(n)).unwrap_or_default();
            let is_read = match method {
                "getenv" => object == "System",
                "get" | "getOrDefault" | "containsKey" => object == "System.getenv()",
                _ => false,
            };
            let given = node.field("arguments").filter(|_| is_read).map(|a| a.named()).unwrap_or_default();
            if let Some(name) = given.first().and_then(|n| self.values.string(*n)) {
                found.push(Variable { name, default: given.get(1).map(|d| self.values.read(*d)), span: node.span() });
            }
        }
        record(found, sink);
    }
}

/// The members of a body; those of an enum stand one level deeper.
fn members_of(body: Node<'_>) -> Vec<Node<'_>> {
    let mut out = Vec::new();
    for member in body.named() {
        if member.kind() == "enum_body_declarations" {
            out.extend(member.named());
        } else {
            out.push(member);
        }
    }
    out
}
