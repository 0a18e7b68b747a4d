//! Items with the attributes above them, and the arguments inside attributes.
//! The grammar leaves attribute arguments as loose tokens, so they are split here as text.

use crate::facts::reading;
use crate::model::ByteSpan;
use crate::syntax::{Node, NodeExt};

/// A child of a module, type or `impl` with its attributes.
pub(crate) struct Item<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) attributes: Attributes<'t>,
}

/// The children of a node with their attributes, test code left out.
pub(crate) fn items<'t>(parent: Node<'t>, text: &'t str) -> Vec<Item<'t>> {
    let mut out = Vec::new();
    let mut attributes = Attributes::default();
    for node in parent.named() {
        match node.kind() {
            "attribute_item" => attributes.read(node, text),
            "line_comment" | "block_comment" | "inner_attribute_item" => {}
            _ => {
                let item = Item { node, attributes: std::mem::take(&mut attributes) };
                if !item.attributes.is_test() {
                    out.push(item);
                }
            }
        }
    }
    out
}

/// One attribute: `path(arguments)` or `path = value`.
pub(crate) struct Attribute<'t> {
    pub(crate) path: &'t str,
    pub(crate) arguments: Vec<Argument<'t>>,
}

/// One argument: `key`, `key = value` or `key(inner)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Argument<'t> {
    pub(crate) key: &'t str,
    /// What stands behind `=`.
    pub(crate) value: Option<&'t str>,
    /// What stands in parentheses.
    pub(crate) inner: Option<&'t str>,
}

/// The attributes of one item, `cfg_attr` looked into.
#[derive(Default)]
pub(crate) struct Attributes<'t> {
    list: Vec<Attribute<'t>>,
}

impl<'t> Attributes<'t> {
    fn read(&mut self, item: Node<'_>, text: &'t str) {
        let source = item.span().of(text);
        let inner = source.strip_prefix("#[").and_then(|s| s.strip_suffix(']')).unwrap_or("");
        let argument = argument(inner);
        self.add(argument, 0);
    }

    /// One attribute on its own.
    pub(crate) fn single(item: Node<'_>, text: &'t str) -> Self {
        let mut attributes = Self::default();
        attributes.read(item, text);
        attributes
    }

    fn add(&mut self, argument: Argument<'t>, depth: usize) {
        let arguments = argument.inner.map(arguments).unwrap_or_default();
        if argument.key == "cfg_attr" && depth < 4 {
            for nested in arguments.into_iter().skip(1) {
                self.add(nested, depth + 1);
            }
            return;
        }
        self.list.push(Attribute { path: argument.key, arguments });
    }

    /// The arguments of every attribute whose path ends in one of the names.
    pub(crate) fn of<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a Argument<'t>> {
        self.list.iter().filter(|a| names.contains(&last_segment(a.path))).flat_map(|a| a.arguments.iter())
    }

    /// Whether an attribute of the name is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.list.iter().any(|a| last_segment(a.path) == name)
    }

    /// Whether a derive of the name is there.
    pub(crate) fn derives(&self, name: &str) -> bool {
        self.of(&["derive"]).any(|argument| last_segment(argument.key) == name)
    }

    /// The text of a string argument, e.g. `rename` in `#[serde(rename = "x")]`.
    pub(crate) fn string(&self, names: &[&str], key: &str) -> Option<String> {
        self.of(names).filter(|a| a.key == key).find_map(|a| string(a.value?))
    }

    /// Whether the item is test code.
    pub(crate) fn is_test(&self) -> bool {
        self.list.iter().any(|attribute| match last_segment(attribute.path) {
            "test" | "bench" | "rstest" | "test_case" => true,
            "cfg" => attribute.arguments.iter().any(|a| {
                a.key == "test" || (a.key == "all" && a.inner.is_some_and(|i| arguments(i).iter().any(|n| n.key == "test")))
            }),
            _ => false,
        })
    }
}

/// The last segment of a path, without generics.
pub(crate) fn last_segment(path: &str) -> &str {
    let path = path.split('<').next().unwrap_or(path).trim();
    path.rsplit("::").next().unwrap_or(path).trim()
}

/// The text of a string literal; `None` where the source is anything else.
pub(crate) fn string(source: &str) -> Option<String> {
    let source = source.trim();
    if let Some(raw) = source.strip_prefix('r') {
        let hashes = raw.bytes().take_while(|b| *b == b'#').count();
        let body = raw.get(hashes..raw.len().checked_sub(hashes)?)?;
        return body.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    }
    let inner = source.strip_prefix('"')?.strip_suffix('"')?;
    Some(reading::unescape(inner))
}

/// Splits attribute arguments.
pub(crate) fn arguments(text: &str) -> Vec<Argument<'_>> {
    split(text, b',').into_iter().map(|part| argument(part.trim())).filter(|a| !a.key.is_empty()).collect()
}

fn argument(text: &str) -> Argument<'_> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '#'))).unwrap_or(text.len());
    let key = text[..end].trim_start_matches("r#");
    let rest = text[end..].trim();
    if let Some(value) = rest.strip_prefix('=') {
        return Argument { key, value: Some(value.trim()), inner: None };
    }
    let inner = rest.strip_prefix(['(', '[']).and_then(|r| r.strip_suffix([')', ']']));
    Argument { key, value: None, inner }
}

/// Splits Rust tokens at a separator that stands outside of strings and brackets.
pub(crate) fn split(text: &str, separator: u8) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut out, mut start, mut depth, mut at) = (Vec::new(), 0, 0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'r' if is_raw_string(bytes, at) => at = raw_string_end(bytes, at),
            b'\'' => at = char_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            byte if byte == separator && depth == 0 => {
                out.push(ByteSpan::new(start, at).of(text));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    out.push(ByteSpan::new(start, text.len()).of(text));
    out
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

fn is_raw_string(bytes: &[u8], at: usize) -> bool {
    let word_before = at.checked_sub(1).is_some_and(|b| bytes[b].is_ascii_alphanumeric() || bytes[b] == b'_');
    let next = bytes[at + 1..].iter().find(|b| **b != b'#');
    !word_before && next == Some(&b'"')
}

fn raw_string_end(bytes: &[u8], start: usize) -> usize {
    let hashes = bytes[start + 1..].iter().take_while(|b| **b == b'#').count();
    let mut at = start + 2 + hashes;
    while at < bytes.len() {
        if bytes[at] == b'"' && bytes[at + 1..].iter().take_while(|b| **b == b'#').count() >= hashes {
            return at + hashes;
        }
        at += 1;
    }
    at
}

/// The end of a character literal; a lifetime ends where it begins.
fn char_end(bytes: &[u8], start: usize) -> usize {
    let body = if bytes.get(start + 1) == Some(&b'\\') { start + 3 } else { start + 2 };
    let limit = (body + 10).min(bytes.len());
    (body..limit).take_while(|at| *at == body || bytes[*at - 1] != b',').find(|at| bytes[*at] == b'\'').unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_arguments() {
        let check = |text: &'static str, expected: &[(&str, Option<&str>, Option<&str>)]| {
            let found: Vec<_> = arguments(text).iter().map(|a| (a.key, a.value, a.inner)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("long, short = 'x'", &[("long", None, None), ("short", Some("'x'"), None)]);
        check("short = ',', a", &[("short", Some("','"), None), ("a", None, None)]);
        check("rename = \"a,b\", alias(x, y)", &[("rename", Some("\"a,b\""), None), ("alias", None, Some("x, y"))]);
        check(
            "value_parser = [\"a\", \"b\"], r#type = r#\"q\"\"#",
            &[("value_parser", Some("[\"a\", \"b\"]"), None), ("type", Some("r#\"q\"\"#"), None)],
        );
        check("help = \"it's \\\" (\", long", &[("help", Some("\"it's \\\" (\""), None), ("long", None, None)]);
        check("'a, b", &[("b", None, None)]);
        check("", &[]);
        check("((((", &[]);
    }

    #[test]
    fn reads_strings() {
        assert_eq!(string("\"a\\n\"").as_deref(), Some("a\n"));
        assert_eq!(string("r#\"a\\n\"#").as_deref(), Some("a\\n"));
        assert_eq!(string("r"), None);
        assert_eq!(string("r#"), None);
        assert_eq!(string("X"), None);
    }
}
