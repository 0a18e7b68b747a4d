//! Values as code writes them: a literal, or the source text of an expression; and the JSON objects built of them.
//! What the languages share; each language reads its own syntax.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use crate::syntax::{Node, NodeExt};

/// Most characters of source text that stand for a computed value.
const MAX_EXPRESSION: usize = 200;

/// Most elements of a list that is recorded as a literal.
pub(crate) const MAX_LIST: usize = 128;

/// How deep a reader follows nested expressions; what lies deeper is an expression.
pub(crate) const MAX_DEPTH: usize = 24;

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Written {
    /// A scalar or a list of scalars.
    Literal(Value),
    /// Normalised source text of what is computed.
    Expression(String),
}

impl Written {
    /// A computed value, by its source text.
    pub(crate) fn expression(node: Node<'_>, text: &str) -> Self {
        Self::Expression(fold_code(&without_comments(node, text), MAX_EXPRESSION))
    }

    /// The literal, if it is one.
    pub(crate) fn literal(&self) -> Option<&Value> {
        match self {
            Self::Literal(value) => Some(value),
            Self::Expression(_) => None,
        }
    }
}

/// A JSON object in the making; empty parts are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projection(Map<String, Value>);

impl Projection {
    /// `{"declared": declared}`.
    pub(crate) fn declared(declared: &str) -> Value {
        Self::default().text("declared", declared).build()
    }

    /// A text; an empty one is left out.
    pub(crate) fn text(mut self, key: &str, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.0.insert(key.to_owned(), Value::String(text));
        }
        self
    }

    /// Any value.
    pub(crate) fn value(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// `true`, or nothing.
    pub(crate) fn yes(self, key: &str, holds: bool) -> Self {
        if holds { self.value(key, true) } else { self }
    }

    /// A list; an empty one is left out.
    pub(crate) fn list(self, key: &str, items: Vec<Value>) -> Self {
        if items.is_empty() { self } else { self.value(key, items) }
    }

    /// A written value: under the key if literal, under `<key>Expr` if computed.
    pub(crate) fn written(mut self, key: &str, written: Option<Written>) -> Self {
        match written {
            None => {}
            Some(Written::Literal(value)) => {
                self.0.insert(key.to_owned(), value);
            }
            Some(Written::Expression(text)) => {
                self.0.insert(format!("{key}Expr"), Value::String(text));
            }
        }
        self
    }

    /// The object.
    pub(crate) fn build(self) -> Value {
        Value::Object(self.0)
    }
}

/// The text of a type, its white space folded, without comments and what sets it off from a name (`:`, a leading `|`).
pub(crate) fn type_text(node: Node<'_>, text: &str) -> String {
    let folded = fold_code(&without_comments(node, text), usize::MAX);
    folded.trim_start_matches([':', '|', ' ']).replace("< ", "<").replace(" >", ">").replace(",>", ">")
}

/// The text of a node without the comments in it.
fn without_comments<'s>(node: Node<'_>, text: &'s str) -> Cow<'s, str> {
    let whole = node.text(text);
    if !["//", "/*", "#"].iter().any(|open| whole.contains(open)) {
        return Cow::Borrowed(whole);
    }
    let mut out = String::with_capacity(whole.len());
    let mut kept = node.start_byte();
    for comment in node.preorder().filter(|n| matches!(n.kind(), "comment" | "line_comment" | "block_comment")) {
        out.push_str(text.get(kept..comment.start_byte()).unwrap_or_default());
        out.push(' ');
        kept = comment.end_byte();
    }
    out.push_str(text.get(kept..node.end_byte()).unwrap_or_default());
    Cow::Owned(out)
}

/// Source text on one line, independent of how it was wrapped: runs of white space are one space, none stands inside
/// round or square brackets' edges, no comma before a closing bracket. Text in quotes is kept. Cut at `limit` characters.
pub(crate) fn fold_code(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut gap = false;
    for c in text.chars() {
        if count >= limit {
            break;
        }
        if let Some(open) = quote {
            out.push(c);
            count += 1;
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == open {
                quote = None;
            }
            continue;
        }
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        if matches!(c, ')' | ']' | '}') && out.ends_with(',') {
            out.pop();
            count -= 1;
        }
        let last = out.chars().next_back();
        let is_member = c == '.' && last.is_some_and(|l| l.is_alphanumeric() || matches!(l, ')' | ']'));
        let tight = is_member || matches!(c, ')' | ']' | ',' | ';') || matches!(last, None | Some('(' | '['));
        if gap && !tight {
            out.push(' ');
            count += 1;
        }
        gap = false;
        if matches!(c, '"' | '\'' | '`') {
            quote = Some(c);
        }
        out.push(c);
        count += 1;
    }
    out
}

/// A number as written in any of the languages, without digit separators and suffixes. A decimal one that opens with a zero
/// (an octal one in some languages) and one that is out of range stay text.
pub(crate) fn number(text: &str) -> Option<Value> {
    let clean: String = text.chars().filter(|c| !matches!(c, '_' | '\'')).collect::<String>().to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = clean.strip_prefix(prefix) {
            let digits = digits.trim_end_matches(['l', 'u', 'n']);
            return Some(u64::from_str_radix(digits, radix).map_or_else(|_| Value::String(clean.clone()), Value::from));
        }
    }
    let digits = clean.trim_end_matches(['l', 'u', 'n', 'f', 'd']);
    if digits.is_empty() || clean.ends_with('j') {
        return None;
    }
    decimal(digits)
}

fn decimal(digits: &str) -> Option<Value> {
    let is_whole = digits.bytes().all(|b| b.is_ascii_digit());
    if is_whole && digits.len() > 1 && digits.starts_with('0') {
        return Some(Value::String(digits.to_owned()));
    }
    if is_whole {
        return Some(digits.parse::<u64>().map_or_else(|_| Value::String(digits.to_owned()), Value::from));
    }
    digits.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number)
}

fn integer(value: &Value) -> Option<i128> {
    value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from))
}

/// The value of an operator between two literals: whole numbers, and texts that are joined.
pub(crate) fn operate(left: &Value, operator: &str, right: &Value) -> Option<Value> {
    if let (Some(a), Some(b)) = (integer(left), integer(right)) {
        let result = match operator {
            "*" => a.checked_mul(b)?,
            "+" => a.checked_add(b)?,
            "-" => a.checked_sub(b)?,
            "<<" => a.checked_mul(1_i128.checked_shl(u32::try_from(b).ok()?).filter(|_| b < 64)?)?,
            "**" => a.checked_pow(u32::try_from(b).ok()?)?,
            _ => return None,
        };
        return i64::try_from(result).map(Value::from).or_else(|_| u64::try_from(result).map(Value::from)).ok();
    }
    match (left, operator, right) {
        (Value::String(a), "+", Value::String(b)) => Some(Value::String(format!("{a}{b}"))),
        _ => None,
    }
}

/// A number with its sign turned.
pub(crate) fn negate(value: &Value) -> Option<Value> {
    match value {
        Value::Number(n) => n
            .as_i64()
            .and_then(i64::checked_neg)
            .map(Value::from)
            .or_else(|| n.as_f64().and_then(|f| Number::from_f64(-f)).map(Value::Number)),
        _ => None,
    }
}

/// The text of a quoted literal's inside, the escapes that C, Python, JavaScript, Java, Kotlin and Ruby share resolved;
/// an unknown escape stays as written.
pub(crate) fn unescape(inside: &str) -> String {
    if !inside.contains('\\') {
        return inside.to_owned();
    }
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        let after = &rest[c.len_utf8()..];
        rest = match c {
            'n' => plain(&mut out, '\n', after),
            't' => plain(&mut out, '\t', after),
            'r' => plain(&mut out, '\r', after),
            '0' => plain(&mut out, '\0', after),
            'e' => plain(&mut out, '\u{1b}', after),
            '\n' => after,
            '\\' | '"' | '\'' | '`' | '/' | '$' | '#' => plain(&mut out, c, after),
            'x' => hex(&mut out, after, 2).unwrap_or_else(|| kept(&mut out, rest)),
            'u' => match after.strip_prefix('{').and_then(|tail| tail.split_once('}')) {
                Some((digits, tail)) if digits.len() <= 6 && hex(&mut out, digits, digits.len()).is_some() => tail,
                _ => hex(&mut out, after, 4).unwrap_or_else(|| kept(&mut out, rest)),
            },
            _ => kept(&mut out, rest),
        };
    }
    out.push_str(rest);
    out
}

fn plain<'s>(out: &mut String, c: char, after: &'s str) -> &'s str {
    out.push(c);
    after
}

fn kept<'s>(out: &mut String, rest: &'s str) -> &'s str {
    out.push('\\');
    rest
}

fn hex<'s>(out: &mut String, text: &'s str, digits: usize) -> Option<&'s str> {
    let number = u32::from_str_radix(text.get(..digits)?, 16).ok()?;
    out.push(char::from_u32(number)?);
    text.get(digits..)
}

/// The text of a definition without its own name, wherever that stands in it as a whole word: what two spellings of one
/// definition have in common.
pub(crate) fn without_name(text: &str, name: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for (at, _) in text.match_indices(name) {
        let before = text[..at].chars().next_back().is_some_and(is_word);
        let after = text[at + name.len()..].chars().next().is_some_and(is_word);
        if at >= kept && !before && !after {
            out.push_str(&text[kept..at]);
            kept = at + name.len();
        }
    }
    out.push_str(&text[kept..]);
    out
}

/// Whether a key of a table reads as the name of an option.
pub(crate) fn is_option_name(key: &str) -> bool {
    key.len() <= 100
        && key.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Whether a name is written in capitals.
pub(crate) fn is_upper(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn folds_code_whatever_its_wrapping() {
        for (text, expected) in [
            ("Union[\n    A,\n    B,\n]", "Union[A, B]"),
            ("f( a,\n  'x  y' )", "f(a, 'x  y')"),
            ("{ a: string;\n b }", "{ a: string; b }"),
            ("a\n  .b(1)\n  .c", "a.b(1).c"),
            ("é", "é"),
        ] {
            assert_eq!(fold_code(text, 200), expected);
        }
        assert_eq!(fold_code(&"x".repeat(500), 200).len(), 200);
    }

    #[test]
    fn reads_numbers() {
        for (text, expected) in [
            ("1_000", json!(1000)),
            ("10L", json!(10)),
            ("0.5f", json!(0.5)),
            ("0o644", json!(420)),
            ("0xFF", json!(255)),
            ("0644", json!("0644")),
            ("0", json!(0)),
            ("1e3", json!(1000.0)),
            ("18446744073709551616", json!("18446744073709551616")),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        assert_eq!(number("3j"), None);
    }

    #[test]
    fn folds_whole_numbers() {
        assert_eq!(operate(&json!(1024), "*", &json!(1024)), Some(json!(1_048_576)));
        assert_eq!(operate(&json!(16), "+", &json!(1)), Some(json!(17)));
        assert_eq!(operate(&json!(1), "<<", &json!(20)), Some(json!(1_048_576)));
        assert_eq!(operate(&json!(1), "<<", &json!(200)), None);
        assert_eq!(operate(&json!(9), "**", &json!(900)), None);
        assert_eq!(operate(&json!("a"), "+", &json!("b")), Some(json!("ab")));
    }

    #[test]
    fn resolves_escapes() {
        for (text, expected) in
            [(r"a\n", "a\n"), (r"\x41\u0042\u{43}", "ABC"), (r"\d\", r"\d\"), (r"\xé", r"\xé"), (r"\uD800", r"\uD800")]
        {
            assert_eq!(unescape(text), expected);
        }
    }

    #[test]
    fn cuts_the_own_name_out() {
        assert_eq!(without_name("def f(x): return f(x) + off", "f"), "def (x): return (x) + off");
        assert_eq!(without_name("aaa", "aa"), "aaa");
    }
}
