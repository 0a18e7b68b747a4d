//! The structs and enums of one file as other readers need them: fields, variants, their names on the wire.

use std::collections::BTreeMap;

use super::attributes::{Attributes, Item, items, last_segment};
use super::case;
use super::literal::Literals;
use crate::model::ByteSpan;
use crate::syntax::{Node, NodeExt};

/// Deepest nesting of inline modules that is read.
pub(crate) const MAX_MODULES: usize = 32;

/// A struct with named fields.
pub(crate) struct Record<'t> {
    pub(crate) name: &'t str,
    pub(crate) public: bool,
    pub(crate) span: ByteSpan,
    pub(crate) attributes: Attributes<'t>,
    pub(crate) fields: Vec<Field<'t>>,
}

/// A named field.
pub(crate) struct Field<'t> {
    pub(crate) name: &'t str,
    pub(crate) kind: &'t str,
    pub(crate) public: bool,
    pub(crate) span: ByteSpan,
    pub(crate) attributes: Attributes<'t>,
}

/// An enum.
pub(crate) struct Enumeration<'t> {
    pub(crate) name: &'t str,
    pub(crate) attributes: Attributes<'t>,
    pub(crate) variants: Vec<Variant<'t>>,
}

/// A variant of an enum.
pub(crate) struct Variant<'t> {
    pub(crate) name: &'t str,
    pub(crate) node: Node<'t>,
    pub(crate) attributes: Attributes<'t>,
}

/// Every struct and enum of a file, inline modules included, test code left out.
#[derive(Default)]
pub(crate) struct Shapes<'t> {
    pub(crate) records: Vec<Record<'t>>,
    pub(crate) enumerations: Vec<Enumeration<'t>>,
    /// Enum name to the variant that `Default` gives.
    pub(crate) defaults: BTreeMap<&'t str, &'t str>,
}

impl<'t> Shapes<'t> {
    /// Reads a file.
    pub(crate) fn new(root: Node<'t>, text: &'t str) -> Self {
        let mut shapes = Self::default();
        shapes.read(root, text, 0);
        shapes
    }

    fn read(&mut self, parent: Node<'t>, text: &'t str, depth: usize) {
        if depth > MAX_MODULES {
            return;
        }
        for item in items(parent, text) {
            match item.node.kind() {
                "struct_item" => self.records.extend(record(item, text)),
                "enum_item" => self.enumeration(item, text),
                "impl_item" => self.default_variant(item.node, text),
                "mod_item" => {
                    if let Some(body) = item.node.field("body") {
                        self.read(body, text, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn enumeration(&mut self, item: Item<'t>, text: &'t str) {
        let (Some(name), Some(body)) = (item.node.field("name"), item.node.field("body")) else { return };
        let name = name.text(text);
        let mut variants = Vec::new();
        for member in items(body, text) {
            let Some(variant) = member.node.field("name").filter(|_| member.node.kind() == "enum_variant") else { continue };
            if member.attributes.has("default") {
                self.defaults.insert(name, variant.text(text));
            }
            variants.push(Variant { name: variant.text(text), node: member.node, attributes: member.attributes });
        }
        self.enumerations.push(Enumeration { name, attributes: item.attributes, variants });
    }

    /// `impl Default for Mode { fn default() -> Self { Mode::Auto } }`.
    fn default_variant(&mut self, node: Node<'t>, text: &'t str) {
        let Some((subject, value)) = default_expression(node, text) else { return };
        if value.kind() == "scoped_identifier"
            && let (Some(path), Some(name)) = (value.field("path"), value.field("name"))
            && matches!(last_segment(path.text(text)), path if path == "Self" || path == subject)
        {
            self.defaults.insert(subject, name.text(text));
        }
    }

    /// The record of a name.
    pub(crate) fn record(&self, name: &str) -> Option<&Record<'t>> {
        self.records.iter().find(|r| r.name == name)
    }

    /// The enum of a name.
    pub(crate) fn enumeration_of(&self, name: &str) -> Option<&Enumeration<'t>> {
        self.enumerations.iter().find(|e| e.name == name)
    }

    /// Teaches a reader the variants under the names that `wire` gives them.
    pub(crate) fn teach(&self, literals: &mut Literals<'t>, wire: impl Fn(&Enumeration<'t>, &Variant<'t>) -> Option<String>) {
        for enumeration in &self.enumerations {
            for variant in &enumeration.variants {
                let Some(name) = wire(enumeration, variant) else { continue };
                literals.name_variant(enumeration.name, variant.name, &name);
                if self.defaults.get(enumeration.name) == Some(&variant.name) {
                    literals.name_variant(enumeration.name, "default", &name);
                }
            }
        }
    }
}

fn record<'t>(item: Item<'t>, text: &'t str) -> Option<Record<'t>> {
    let name = item.node.field("name")?.text(text);
    let body = item.node.field("body").filter(|b| b.kind() == "field_declaration_list")?;
    let fields = fields(body, text);
    Some(Record { name, public: is_public(item.node, text), span: item.node.span(), attributes: item.attributes, fields })
}

/// The named fields of a struct or of a struct variant.
pub(crate) fn fields<'t>(body: Node<'t>, text: &'t str) -> Vec<Field<'t>> {
    items(body, text)
        .into_iter()
        .filter_map(|member| {
            let name = member.node.field("name").filter(|_| member.node.kind() == "field_declaration")?;
            Some(Field {
                name: name.text(text).trim_start_matches("r#"),
                kind: member.node.field("type")?.text(text),
                public: is_public(member.node, text),
                span: member.node.span(),
                attributes: member.attributes,
            })
        })
        .collect()
}

/// Whether an item is `pub` without a restriction.
pub(crate) fn is_public(node: Node<'_>, text: &str) -> bool {
    node.child_of_kind("visibility_modifier").is_some_and(|v| v.text(text) == "pub")
}

/// For `impl Default for X`: the type's name and the expression that `default` ends in.
pub(crate) fn default_expression<'t>(node: Node<'t>, text: &'t str) -> Option<(&'t str, Node<'t>)> {
    if last_segment(node.field("trait")?.text(text)) != "Default" {
        return None;
    }
    let subject = last_segment(node.field("type")?.text(text));
    let function = items(node.field("body")?, text)
        .into_iter()
        .find(|i| i.node.kind() == "function_item" && i.node.field("name").is_some_and(|n| n.text(text) == "default"))?;
    Some((subject, tail_expression(function.node.field("body")?)?))
}

/// The value a block ends in.
pub(crate) fn tail_expression(block: Node<'_>) -> Option<Node<'_>> {
    let last = block.named().into_iter().rfind(|n| !n.is_extra())?;
    match last.kind() {
        "expression_statement" => last.named_child(0).filter(|e| e.kind() == "return_expression")?.named_child(0),
        "return_expression" => last.named_child(0),
        kind if kind.ends_with("_declaration") || kind.ends_with("_item") => None,
        _ => Some(last),
    }
}

/// A type inside the wrappers that stand for "one, none or many of it": `Option<Vec<T>>` gives `T`.
pub(crate) fn inner_type(kind: &str) -> &str {
    let mut kind = kind.trim();
    for _ in 0..8 {
        let Some((outer, rest)) = kind.split_once('<') else { break };
        if !matches!(last_segment(outer), "Option" | "Vec" | "Box" | "Arc" | "Rc" | "BTreeSet" | "HashSet" | "VecDeque") {
            break;
        }
        let Some(inner) = rest.trim_end().strip_suffix('>') else { break };
        kind = inner.trim().trim_end_matches(',');
    }
    kind
}

/// Whether serde reads or writes the type.
pub(crate) fn is_serde(attributes: &Attributes<'_>) -> bool {
    attributes.derives("Deserialize")
        || attributes.derives("Serialize")
        || attributes.derives("DeserializeFromStr")
        || attributes.derives("Facet")
}

/// The names a field or variant has in serialised form: the written one first, then those that are read as well.
pub(crate) fn wire_names(container: &Attributes<'_>, attributes: &Attributes<'_>, ident: &str, is_variant: bool) -> Vec<String> {
    let by_rule = || {
        let rule = rename(container, "rename_all")?;
        if is_variant { case::variant(&rule, ident) } else { case::field(&rule, ident) }
    };
    let mut names = vec![rename(attributes, "rename").or_else(by_rule).unwrap_or_else(|| ident.to_owned())];
    names.extend(attributes.of(&["serde"]).filter(|a| a.key == "alias").filter_map(|a| super::attributes::string(a.value?)));
    names
}

/// `rename = "x"`, or the reading side of `rename(deserialize = "x")`.
fn rename(attributes: &Attributes<'_>, key: &str) -> Option<String> {
    attributes.of(&["serde"]).filter(|a| a.key == key).find_map(|a| {
        if let Some(value) = a.value {
            return super::attributes::string(value);
        }
        let sides = super::attributes::arguments(a.inner?);
        sides.iter().find(|s| s.key == "deserialize").and_then(|s| super::attributes::string(s.value?))
    })
}

/// The name a variant has in serialised form, where serde knows the enum.
pub(crate) fn wire_variant(enumeration: &Enumeration<'_>, variant: &Variant<'_>) -> Option<String> {
    if !is_serde(&enumeration.attributes) || variant.node.field("body").is_some() {
        return None;
    }
    wire_names(&enumeration.attributes, &variant.attributes, variant.name, true).into_iter().next()
}
