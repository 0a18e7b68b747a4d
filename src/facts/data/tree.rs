//! JSON, YAML and TOML as one shape: maps, lists and scalars with spans. Depth and size are bounded.

use serde_json::Value;

use super::{json, toml, yaml};
use crate::facts::Source;
use crate::model::ByteSpan;
use crate::syntax::{Grammar, SyntaxTree};

/// Deepest nesting that is read; what lies deeper is left out.
pub(super) const MAX_DEPTH: usize = 48;
/// Most items of one file, aliases of YAML expanded.
pub(super) const MAX_ITEMS: usize = 20_000;

/// A value with the place where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) shape: Shape,
    pub(crate) span: ByteSpan,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Scalar(Value),
    List(Vec<Item>),
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) item: Item,
    /// Key and value.
    pub(crate) span: ByteSpan,
}

impl Item {
    pub(super) fn map(span: ByteSpan) -> Self {
        Self { shape: Shape::Map(Vec::new()), span }
    }

    pub(super) fn scalar(value: impl Into<Value>, span: ByteSpan) -> Self {
        Self { shape: Shape::Scalar(value.into()), span }
    }

    /// The entries of a map; none of anything else.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.shape {
            Shape::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of a list; none of anything else.
    pub(crate) fn elements(&self) -> &[Item] {
        match &self.shape {
            Shape::List(items) => items,
            _ => &[],
        }
    }

    /// The entry of a key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The value under a path of keys.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Item> {
        path.iter().try_fold(self, |item, key| item.entry(key).map(|entry| &entry.item))
    }

    /// The scalar.
    pub(crate) fn value(&self) -> Option<&Value> {
        match &self.shape {
            Shape::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<&str> {
        self.value().and_then(Value::as_str)
    }

    /// The scalar as text: numbers and booleans as they are written in JSON.
    pub(crate) fn plain(&self) -> Option<String> {
        match self.value()? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }

    /// Every string of a list, or the one string.
    pub(crate) fn texts(&self) -> Vec<String> {
        match &self.shape {
            Shape::Scalar(_) => self.plain().into_iter().collect(),
            Shape::List(items) => items.iter().filter_map(Item::plain).collect(),
            Shape::Map(_) => Vec::new(),
        }
    }

    /// The scalar, or a list of nothing but scalars.
    pub(crate) fn literal(&self) -> Option<Value> {
        match &self.shape {
            Shape::Scalar(value) => Some(value.clone()),
            Shape::List(items) => items.iter().map(|i| i.value().cloned()).collect::<Option<Vec<_>>>().map(Value::Array),
            Shape::Map(_) => None,
        }
    }
}

/// The values of a file, one for each document of YAML; none where no data grammar reads it.
pub(crate) fn documents(source: &Source<'_>) -> Vec<Item> {
    source.tree().map(read).unwrap_or_default()
}

/// The first value of a file.
pub(crate) fn document(source: &Source<'_>) -> Option<Item> {
    documents(source).into_iter().next()
}

fn read(tree: &SyntaxTree<'_>) -> Vec<Item> {
    match tree.grammar() {
        Grammar::Json => json::read(tree.root(), tree.text()).into_iter().collect(),
        Grammar::Toml => vec![toml::read(tree.root(), tree.text())],
        Grammar::Yaml => yaml::read(tree.root(), tree.text()),
        _ => Vec::new(),
    }
}

/// Whether any line is so long that people did not write it.
pub(crate) fn is_minified(text: &str) -> bool {
    const LONGEST: usize = 5_000;
    text.len() > LONGEST && text.lines().any(|line| line.len() > LONGEST)
}
