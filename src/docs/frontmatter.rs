//! Frontmatter in YAML between `---` lines or TOML between `+++` lines at the very start.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::model::{ByteSpan, Frontmatter, Notice, NoticeCode, RepoPath};

/// Longest frontmatter that is read, delimiters included.
const MAX_BYTES: usize = 64 * 1024;

/// Most values in one frontmatter: aliases may repeat a value many times.
const MAX_VALUES: usize = 10_000;

/// Deepest nesting of values.
const MAX_DEPTH: usize = 32;

/// Reads the frontmatter; returns it with the byte where the body starts. Broken frontmatter is a notice and counts as
/// none, but its lines are no part of the body: a parser of markup would make a heading of them.
pub(super) fn read(path: &RepoPath, text: &str, notices: &mut Vec<Notice>) -> (Frontmatter, usize) {
    let Some(block) = Block::find(text) else { return (Frontmatter::default(), 0) };
    let values = match block.syntax {
        Syntax::Yaml => yaml(block.inner),
        Syntax::Toml => toml_table(block.inner),
    };
    match values {
        Ok(Some(values)) => (Frontmatter { values, span: Some(ByteSpan::new(0, block.end)) }, block.next),
        // A rule at the top, some text, and another rule.
        Ok(None) => (Frontmatter::default(), 0),
        Err(fault) => {
            let line = fault.line.unwrap_or(1) + 1;
            notices.push(Notice::file(
                NoticeCode::BrokenFrontmatter,
                path,
                format!("frontmatter, line {line}: {}; treated as absent", fault.reason),
            ));
            (Frontmatter::default(), block.next)
        }
    }
}

#[derive(Clone, Copy)]
enum Syntax {
    Yaml,
    Toml,
}

/// The lines of a frontmatter.
struct Block<'t> {
    syntax: Syntax,
    /// What stands between the delimiters.
    inner: &'t str,
    /// One past the closing delimiter.
    end: usize,
    /// Where the body starts.
    next: usize,
}

impl<'t> Block<'t> {
    fn find(text: &'t str) -> Option<Self> {
        let first_end = text.find('\n')?;
        let (syntax, closers): (_, &[&str]) = match text[..first_end].trim_end() {
            "---" => (Syntax::Yaml, &["---", "..."]),
            "+++" => (Syntax::Toml, &["+++"]),
            _ => return None,
        };
        let start = first_end + 1;
        let mut at = start;
        while at < text.len().min(MAX_BYTES) {
            let next = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
            let line = text[at..next].trim_end();
            if closers.contains(&line) {
                return Some(Self { syntax, inner: &text[start..at], end: at + line.len(), next });
            }
            at = next;
        }
        None
    }
}

/// Why frontmatter cannot be read; the line counts from its first line of content.
struct Fault {
    line: Option<usize>,
    reason: String,
}

type Values = BTreeMap<String, Value>;

/// `None` where the YAML is something else than a mapping.
fn yaml(inner: &str) -> Result<Option<Values>, Fault> {
    if inner.trim().is_empty() {
        return Ok(Some(Values::new()));
    }
    if let Some(line) = too_deep(inner) {
        return Err(Fault { line: Some(line), reason: format!("nested more than {MAX_DEPTH} levels deep") });
    }
    let left = Cell::new(MAX_VALUES);
    let bounded = Bounded { left: &left, depth: 0 };
    let value = bounded.deserialize(serde_yaml::Deserializer::from_str(inner)).map_err(|error| Fault {
        line: error.location().map(|at| at.line()),
        // The place stands in front of the sentence already, counted from the top of the file.
        reason: one_line(error.to_string().split(" at line ").next().unwrap_or("not valid YAML")),
    })?;
    match value {
        Value::Object(map) => Ok(Some(map.into_iter().collect())),
        Value::Null => Ok(Some(Values::new())),
        _ => Ok(None),
    }
}

/// The line in which brackets are nested too deep: the YAML parser would accept a lot more.
fn too_deep(inner: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut line = 1;
    for byte in inner.bytes() {
        match byte {
            b'\n' => line += 1,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // Brackets in plain text count as well, so the bound is far above the one for values.
        if depth > 8 * MAX_DEPTH {
            return Some(line);
        }
    }
    None
}

fn toml_table(inner: &str) -> Result<Option<Values>, Fault> {
    let table: toml::Table = toml::from_str(inner).map_err(|error| Fault {
        line: error.span().map(|span| inner.get(..span.start).unwrap_or("").matches('\n').count() + 1),
        reason: one_line(error.message()),
    })?;
    Ok(Some(table.into_iter().map(|(key, value)| (key, from_toml(value, 0))).collect()))
}

fn from_toml(value: toml::Value, depth: usize) -> Value {
    match value {
        _ if depth > MAX_DEPTH => Value::Null,
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(list) => list.into_iter().map(|item| from_toml(item, depth + 1)).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, item)| (key, from_toml(item, depth + 1))).collect())
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect()
}

/// Reads a value of bounded size and depth, aliases included.
#[derive(Clone, Copy)]
struct Bounded<'c> {
    left: &'c Cell<usize>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1);
        let left = left.ok_or_else(|| D::Error::custom(format!("more than {MAX_VALUES} values")))?;
        self.left.set(left);
        if self.depth > MAX_DEPTH {
            return Err(D::Error::custom(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let inner = Self { depth: self.depth + 1, ..self };
        let mut out = Vec::new();
        while let Some(item) = list.next_element_seed(inner)? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let inner = Self { depth: self.depth + 1, ..self };
        let mut out = Map::new();
        while let Some(key) = map.next_key_seed(inner)? {
            let key = match key {
                Value::String(key) => key,
                other => other.to_string(),
            };
            let value = map.next_value_seed(inner)?;
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }

    fn visit_enum<A: serde::de::EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        // A YAML tag (`!name value`): the value counts.
        let ((), content) = tagged.variant_seed(Tag)?;
        serde::de::VariantAccess::newtype_variant_seed(content, Self { depth: self.depth + 1, ..self })
    }
}

/// The name of a YAML tag; it is not kept.
struct Tag;

impl<'de> DeserializeSeed<'de> for Tag {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        String::deserialize(deserializer).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, values: &str, body: &str, notice: Option<&str>) {
        let mut notices = Vec::new();
        let (frontmatter, start) = read(&RepoPath::new("a.md"), text, &mut notices);
        let shown = serde_json::to_string(&frontmatter.values).expect("JSON");
        assert_eq!(shown, values, "{text}");
        assert_eq!(&text[start..], body, "{text}");
        assert_eq!(notices.first().map(|n| n.message.as_str()), notice, "{text}");
        if let Some(span) = frontmatter.span {
            assert!(text.is_char_boundary(span.end));
        }
    }

    #[test]
    fn reads_both_syntaxes() {
        check("---\na: 1\nb: {c: [x, 2.5, ~]}\n---\nbody", r#"{"a":1,"b":{"c":["x",2.5,null]}}"#, "body", None);
        check("---\r\na: é\r\n---  \r\nbody", r#"{"a":"é"}"#, "body", None);
        check(
            "---\na: &x [1]\nb: *x\n1: y\nd: 2020-01-01\n...\nbody",
            r#"{"1":"y","a":[1],"b":[1],"d":"2020-01-01"}"#,
            "body",
            None,
        );
        check(
            "+++\ntitle = \"t\"\n[x]\ny = [1, 2020-01-01]\n+++\nbody",
            r#"{"title":"t","x":{"y":[1,"2020-01-01"]}}"#,
            "body",
            None,
        );
        check("---\n---\nbody", "{}", "body", None);
        check("---\n# only a comment\n---", "{}", "", None);
        check("---\na: !tag 1\n---\n", r#"{"a":1}"#, "", None);
    }

    #[test]
    fn leaves_what_is_none() {
        for text in ["", "---", "---\n", "---\na: 1\n", "text\n---\na: 1\n---\n", "----\na: 1\n----\n", "---\njust words\n---\nx"]
        {
            check(text, "{}", text, None);
        }
    }

    #[test]
    fn notes_what_is_broken() {
        check(
            "---\nok: 1\na: b: c\n---\nbody",
            "{}",
            "body",
            Some("frontmatter, line 3: mapping values are not allowed in this context; treated as absent"),
        );
        check(
            "+++\na = 1\nb = \n+++\nbody",
            "{}",
            "body",
            Some("frontmatter, line 3: string values must be quoted, expected literal string; treated as absent"),
        );
    }

    #[test]
    fn bounds_size_and_depth() {
        let mut notices = Vec::new();
        let mut read_all = |text: &str| {
            notices.clear();
            let _ = read(&RepoPath::new("a.md"), text, &mut notices);
            notices.first().map(|n| n.message.clone())
        };
        let aliases = format!("---\na: &a [{}]\nb: [{}]\n---\n", "x,".repeat(2_000), "*a,".repeat(2_000));
        assert!(read_all(&aliases).expect("a notice").contains("more than 10000 values"));
        let bomb: String = (1..30).map(|i| format!("a{i}: &a{i} [*a{0}, *a{0}, *a{0}]\n", i - 1)).collect::<Vec<_>>().concat();
        assert!(read_all(&format!("---\na0: &a0 [x]\n{bomb}---\n")).expect("a notice").contains("treated as absent"));
        let deep = format!("---\na: {}1{}\n---\n", "[".repeat(30_000), "]".repeat(30_000));
        assert!(read_all(&deep).expect("a notice").contains("levels deep"));
        let blocks =
            format!("---\n{}x: 1\n---\n", (0..200).map(|i| format!("{}k:\n", " ".repeat(i))).collect::<Vec<_>>().concat());
        assert!(read_all(&blocks).expect("a notice").contains("treated as absent"));
        assert_eq!(read_all(&format!("---\na: {}\n---\n", "x".repeat(MAX_BYTES))), None);
    }
}
