//! C: functions, macros, types with their fields, enum members, constants, environment variables.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::environment::{Variable, record};
use crate::facts::written::{MAX_DEPTH, Projection, Written, negate, number, operate, type_text, unescape, without_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// C sources and headers.
pub struct C;

/// How deep conditional sections lie inside each other.
const MAX_SECTIONS: usize = 12;

impl Extractor for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension(), "c" | "h")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let file = File {
            text: source.text(),
            owner: source.module_owner(),
            macros: macros(tree.root(), source.text()),
            is_header: source.path().extension() == "h",
        };
        file.section(tree.root(), MAX_SECTIONS, sink);
        file.environment(tree.root(), sink);
    }
}

/// The macros of a file that stand for a literal; one that is defined twice in different ways stands for none.
fn macros(root: Node<'_>, text: &str) -> BTreeMap<String, Value> {
    let mut out: BTreeMap<String, Option<Value>> = BTreeMap::new();
    for node in root.preorder().filter(|n| n.kind() == "preproc_def") {
        let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else { continue };
        let value = token(value.text(text));
        out.entry(name.text(text).to_owned())
            .and_modify(|known| {
                if *known != value {
                    *known = None;
                }
            })
            .or_insert(value);
    }
    out.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The literal that the text of a macro is.
fn token(text: &str) -> Option<Value> {
    let text = text.split("/*").next().unwrap_or(text).split("//").next().unwrap_or(text).trim();
    let text = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text).trim();
    if let Some(inside) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        return (!inside.contains('"')).then(|| Value::String(unescape(inside)));
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
    let value = is_number.then(|| number(digits)).flatten()?;
    if text.starts_with('-') { negate(&value) } else { Some(value) }
}

struct File<'s> {
    text: &'s str,
    owner: String,
    macros: BTreeMap<String, Value>,
    is_header: bool,
}

impl<'s> File<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        node.text(self.text)
    }

    fn symbol(&self, declared: &str, name: &str, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        let own = name.rsplit('.').next().unwrap_or(name);
        sink.push(
            NewFact::new(FactKind::Symbol, &self.owner, name, Projection::declared(declared), node.span())
                .visible(public)
                .body(&without_name(self.text(node), own)),
        );
    }

    fn push(&self, kind: FactKind, name: &str, value: Projection, node: Node<'_>, public: bool, sink: &mut FactSink<'_>) {
        sink.push(NewFact::new(kind, &self.owner, name, value.build(), node.span()).visible(public));
    }

    /// The definitions of a file, those of its conditional sections included.
    fn section(&self, section: Node<'_>, depth: usize, sink: &mut FactSink<'_>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for node in section.named() {
            match node.kind() {
                // What the grammar cannot place, `extern "C" {` between two conditions, still holds definitions.
                "preproc_if"
                | "preproc_ifdef"
                | "preproc_else"
                | "preproc_elif"
                | "ERROR"
                | "linkage_specification"
                | "declaration_list" => {
                    self.section(node, depth, sink);
                }
                "preproc_def" | "preproc_function_def" => self.macro_definition(node, sink),
                "function_definition" => self.function(node, node.field("declarator"), sink),
                "declaration" => self.declaration(node, sink),
                "type_definition" => {
                    let name = node.field("declarator").and_then(innermost).map(|n| self.text(n));
                    self.types(node, name, sink);
                }
                "struct_specifier" | "union_specifier" | "enum_specifier" => self.type_definition(node, None, sink),
                _ => {}
            }
        }
    }

    fn macro_definition(&self, node: Node<'_>, sink: &mut FactSink<'_>) {
        let Some(name) = node.field("name").map(|n| self.text(n)) else { return };
        // The guard of a header says nothing.
        let Some(value) = node.field("value") else { return };
        self.symbol("macro", name, node, true, sink);
        if let Some(parameters) = node.field("parameters") {
            let names = parameters
                .named()
                .into_iter()
                .map(|p| Projection::default().text("name", self.text(p)).text("kind", "positional").build());
            let value = Projection::default().value("parameters", names.collect::<Vec<_>>());
            return self.push(FactKind::Signature, name, value, node, true, sink);
        }
        let text = self.text(value);
        let literal = token(text).or_else(|| self.macros.get(text.trim()).cloned());
        let value = literal.map_or_else(|| Written::expression(value, self.text), Written::Literal);
        self.push(FactKind::Constant, name, Projection::default().written("value", Some(value)), node, true, sink);
    }

    fn is_static(&self, node: Node<'_>) -> bool {
        node.named().into_iter().any(|n| n.kind() == "storage_class_specifier" && self.text(n) == "static")
    }

    fn function(&self, node: Node<'_>, declarator: Option<Node<'_>>, sink: &mut FactSink<'_>) {
        let Some(declarator) = declarator else { return };
        let Some(function) = find(declarator, "function_declarator") else { return };
        let Some(name) = function.field("declarator").filter(|n| n.kind() == "identifier").map(|n| self.text(n)) else { return };
        let public = !self.is_static(node) || self.is_header;
        self.symbol("function", name, node, public, sink);
        let stars = "*".repeat(self.text(declarator).chars().take_while(|c| *c == '*').count());
        let returns = node.field("type").map(|t| type_text(t, self.text)).unwrap_or_default();
        let value = Projection::default()
            .value("parameters", self.parameters(function))
            .text("returns", format!("{returns} {stars}").trim().to_owned());
        self.push(FactKind::Signature, name, value, node, public, sink);
    }

    fn parameters(&self, function: Node<'_>) -> Vec<Value> {
        let mut out = Vec::new();
        for node in function.field("parameters").map(|p| p.named()).unwrap_or_default() {
            if node.kind() == "variadic_parameter" {
                out.push(Projection::default().text("name", "...").text("kind", "variadic").build());
                continue;
            }
            if node.kind() != "parameter_declaration" || self.text(node) == "void" {
                continue;
            }
            let name = node.field("declarator").and_then(innermost).map(|n| self.text(n)).unwrap_or_default();
            let whole = type_text(node, self.text);
            let kind = without_name(&whole, name);
            out.push(
                Projection::default().text("name", name).text("kind", "positional").text("type", kind.trim().to_owned()).build(),
            );
        }
        out
    }

    /// Prototypes, and constants with a value.
    fn declaration(&self, node: Node<'_>, sink: &mut FactSink<'_>) {
        if let Some(specifier) = node.field("type").filter(|t| t.field("body").is_some()) {
            self.type_definition(specifier, None, sink);
        }
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            if declarator.kind() == "init_declarator" {
                let is_const = node.named().into_iter().any(|n| n.kind() == "type_qualifier" && self.text(n) == "const");
                let name = declarator.field("declarator").and_then(innermost);
                let (Some(name), Some(value), true) = (name, declarator.field("value"), is_const) else { continue };
                let name = self.text(name);
                let public = !self.is_static(node);
                self.symbol("constant", name, declarator, public, sink);
                let value = Projection::default()
                    .written("value", Some(self.read(value)))
                    .text("type", node.field("type").map(|t| type_text(t, self.text)).unwrap_or_default());
                self.push(FactKind::Constant, name, value, declarator, public, sink);
            } else if self.is_header {
                self.function(node, Some(declarator), sink);
            }
        }
    }

    /// The struct, union or enum of a `typedef`, under the name that it gets.
    fn types(&self, node: Node<'_>, name: Option<&str>, sink: &mut FactSink<'_>) {
        let Some(inner) = node.field("type") else { return };
        if inner.field("body").is_some() {
            self.type_definition(inner, name, sink);
        } else if let Some(name) = name {
            self.symbol("type", name, node, true, sink);
            let value = Projection::default().text("type", type_text(inner, self.text));
            self.push(FactKind::Signature, name, value, node, true, sink);
        }
    }

    fn type_definition(&self, node: Node<'_>, alias: Option<&str>, sink: &mut FactSink<'_>) {
        let Some(body) = node.field("body") else { return };
        let tag = node.field("name").map(|n| self.text(n));
        let name = alias.or(tag).unwrap_or_default();
        if node.kind() == "enum_specifier" {
            return self.enumeration(node, body, name, sink);
        }
        if name.is_empty() {
            return;
        }
        let mut members = Vec::new();
        for field in body.named().into_iter().filter(|n| n.kind() == "field_declaration") {
            let kind = field.field("type").map(|t| type_text(t, self.text)).unwrap_or_default();
            let mut cursor = field.walk();
            for declarator in field.children_by_field_name("declarator", &mut cursor) {
                let own = innermost(declarator).map(|n| self.text(n)).unwrap_or_default();
                let stars = "*".repeat(self.text(declarator).chars().take_while(|c| *c == '*').count());
                members.push(
                    Projection::default().text("name", own).text("type", format!("{kind} {stars}").trim().to_owned()).build(),
                );
            }
        }
        self.symbol("class", name, node, true, sink);
        self.push(FactKind::Signature, name, Projection::default().value("members", members), node, true, sink);
    }

    /// The members of an enum are names of their own; one without a name still declares them.
    fn enumeration(&self, node: Node<'_>, body: Node<'_>, name: &str, sink: &mut FactSink<'_>) {
        let enumerators: Vec<Node<'_>> = body.preorder().filter(|n| n.kind() == "enumerator").collect();
        if !name.is_empty() {
            self.symbol("enum", name, node, true, sink);
            let variants = enumerators.iter().filter_map(|e| e.field("name")).map(|n| Value::from(self.text(n)));
            self.push(
                FactKind::Signature,
                name,
                Projection::default().value("variants", variants.collect::<Vec<_>>()),
                node,
                true,
                sink,
            );
        }
        for enumerator in enumerators {
            let Some(own) = enumerator.field("name").map(|n| self.text(n)) else { continue };
            self.symbol("variant", own, enumerator, true, sink);
            if let Some(value) = enumerator.field("value") {
                let value = Projection::default().written("value", Some(self.read(value)));
                self.push(FactKind::Constant, own, value, enumerator, true, sink);
            }
        }
    }

    fn read(&self, node: Node<'_>) -> Written {
        self.literal(node, MAX_DEPTH).map_or_else(|| Written::expression(node, self.text), Written::Literal)
    }

    fn literal(&self, node: Node<'_>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let text = self.text(node);
        match node.kind() {
            "number_literal" => number(text),
            "string_literal" => Some(Value::String(unescape(text.trim_matches('"')))),
            "char_literal" => Some(Value::String(unescape(text.trim_matches('\'')))),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            "identifier" => self.macros.get(text).cloned(),
            "parenthesized_expression" => self.literal(node.named_child(0)?, depth),
            "cast_expression" => self.literal(node.field("value")?, depth),
            "unary_expression" if text.starts_with('-') => negate(&self.literal(node.field("argument")?, depth)?),
            "binary_expression" => {
                let left = self.literal(node.field("left")?, depth)?;
                operate(&left, node.field("operator")?.kind(), &self.literal(node.field("right")?, depth)?)
            }
            _ => None,
        }
    }

    fn environment(&self, root: Node<'_>, sink: &mut FactSink<'_>) {
        if memchr::memmem::find(self.text.as_bytes(), b"getenv").is_none() {
            return;
        }
        let mut found = Vec::new();
        for node in root.preorder().filter(|n| n.kind() == "call_expression") {
            let is_read = node.field("function").is_some_and(|f| self.text(f).ends_with("getenv"));
            let first = node.field("arguments").filter(|_| is_read).and_then(|a| a.named_child(0));
            if let Some(Value::String(name)) = first.and_then(|n| self.literal(n, MAX_DEPTH)) {
                found.push(Variable { name, default: None, span: node.span() });
            }
        }
        record(found, sink);
    }
}

/// The identifier that a declarator declares.
fn innermost(declarator: Node<'_>) -> Option<Node<'_>> {
    declarator.preorder().take(64).find(|n| matches!(n.kind(), "identifier" | "field_identifier" | "type_identifier"))
}

fn find<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut at = node;
    for _ in 0..8 {
        if at.kind() == kind {
            return Some(at);
        }
        at = at.field("declarator")?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_macros_and_constants() {
        checking::check(
            &C,
            "src/a.c",
            "#ifndef GUARD\n#define GUARD\n#define SIZE 0x10 /* x */\n#define NAME \"a\\n\"\n#define TWICE(a) ((a)*2)\n#define MADE (1 << SIZE)\n#define SAME SIZE\n#define FLAG (-1)\n#endif\nstatic const int limit = SIZE * 2;\nconst char *const title = \"t\";\nint counter = 0;\n",
            &[
                r#"constant SIZE {"value":16}"#,
                r#"constant NAME {"value":"a\n"}"#,
                r#"constant MADE {"valueExpr":"(1 << SIZE)"}"#,
                r#"constant SAME {"value":16}"#,
                r#"constant FLAG {"value":-1}"#,
                r#"constant limit {"value":32,"type":"int"} internal"#,
                r#"constant title {"value":"t","type":"char"}"#,
            ],
        );
    }

    #[test]
    fn reads_functions_and_types() {
        checking::check(
            &C,
            "src/a.h",
            r"
#define TWICE(a) ((a)*2)
extern const char *get(int a, char *const b, ...);
static inline int inner(void) { return 1; }
enum color { RED, GREEN = 2 };
struct point { int x, y; char *name[3]; };
typedef struct { int q; } thing_t;
typedef unsigned long size;
",
            &[
                r#"symbol TWICE {"declared":"macro"}"#,
                r#"signature TWICE {"parameters":[{"name":"a","kind":"positional"}]}"#,
                r#"symbol get {"declared":"function"}"#,
                r#"signature get {"parameters":[{"name":"a","kind":"positional","type":"int"},{"name":"b","kind":"positional","type":"char *const"},{"name":"...","kind":"variadic"}],"returns":"char *"}"#,
                r#"symbol inner {"declared":"function"}"#,
                r#"signature inner {"parameters":[],"returns":"int"}"#,
                r#"symbol color {"declared":"enum"}"#,
                r#"signature color {"variants":["RED","GREEN"]}"#,
                r#"symbol RED {"declared":"variant"}"#,
                r#"symbol GREEN {"declared":"variant"}"#,
                r#"symbol point {"declared":"class"}"#,
                r#"signature point {"members":[{"name":"x","type":"int"},{"name":"y","type":"int"},{"name":"name","type":"char *"}]}"#,
                r#"symbol thing_t {"declared":"class"}"#,
                r#"signature thing_t {"members":[{"name":"q","type":"int"}]}"#,
                r#"symbol size {"declared":"type"}"#,
                r#"signature size {"type":"unsigned long"}"#,
            ],
        );
        checking::check(
            &C,
            "src/a.c",
            "static int f(void) { return 1; }\nint g(int a) { return a; }\nint prototype(int a);\n",
            &[r#"symbol f {"declared":"function"} internal"#, r#"symbol g {"declared":"function"}"#],
        );
    }

    #[test]
    fn reads_environment_variables() {
        checking::check(
            &C,
            "a.c",
            "#define VAR \"BY_MACRO\"\nint f() { getenv(\"ONE\"); curl_getenv(VAR); }\n",
            &[r"env-var ONE {}", r"env-var BY_MACRO {}"],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &C,
            "a.c",
            "#define É(a) a\n#define X 5\nstruct s { int a[X]; };\nenum { A = 1 };\nstatic const char *f(int (*g)(void), ...) { return getenv(\"X\"); }\n",
        );
    }
}
