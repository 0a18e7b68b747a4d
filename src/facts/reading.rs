//! What extractors share when they read expressions: literal or computed, numbers, escapes, folded source text.
//! It knows no language; each language maps its own nodes onto these.

use serde_json::{Map, Number, Value};

use crate::model::ByteSpan;

/// Longest source text that stands for a computed value.
const MAX_EXPRESSION: usize = 200;

/// A projection under construction.
pub(crate) type Object = Map<String, Value>;

/// What an expression gives without running anything.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reading {
    /// A literal, looked through simple constructors.
    Literal(Value),
    /// Anything else, as folded source text.
    Computed(String),
}

impl Reading {
    /// The source text of an expression that is not a literal.
    pub(crate) fn computed(text: &str) -> Self {
        Self::Computed(fold_text(text))
    }

    /// Writes the value under `key`, or the source text under `<key>Expr`.
    pub(crate) fn store(self, object: &mut Object, key: &str) {
        match self {
            Self::Literal(value) => object.insert(key.to_owned(), value),
            Self::Computed(text) => object.insert(format!("{key}Expr"), Value::String(text)),
        };
    }
}

/// Source text with white space folded, at most 200 characters.
pub(crate) fn fold_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_EXPRESSION));
    let mut count = 0;
    for word in text.split_whitespace() {
        if count > 0 {
            out.push(' ');
            count += 1;
        }
        for c in word.chars() {
            if count >= MAX_EXPRESSION {
                out.truncate(out.trim_end().len());
                return out;
            }
            out.push(c);
            count += 1;
        }
    }
    out
}

/// A definition's text without its own name.
pub(crate) fn without_name(text: &str, whole: ByteSpan, name: ByteSpan) -> String {
    let before = ByteSpan::new(whole.start, name.start.clamp(whole.start, whole.end));
    let after = ByteSpan::new(name.end.clamp(whole.start, whole.end), whole.end);
    format!("{} {}", before.of(text), after.of(text))
}

/// A JSON number from the spelling of a number: digit separators and type suffixes are dropped, radix prefixes read.
pub(crate) fn number(text: &str) -> Option<Value> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let plain: String = digits.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    let value = [("0x", 16), ("0o", 8), ("0b", 2)]
        .iter()
        .find_map(|(prefix, radix)| plain.strip_prefix(prefix).map(|rest| (rest, *radix)))
        .map_or_else(|| decimal(&plain), |(rest, radix)| integer(without_suffix(rest, radix), radix))?;
    Some(if negative { negated(&value)? } else { value })
}

fn decimal(text: &str) -> Option<Value> {
    let body = without_suffix(text, 10);
    if let Some(value) = integer(body, 10) {
        // Forms such as 012 are octal in some languages and strings in others; they stay unread.
        return (body == "0" || !body.starts_with('0')).then_some(value);
    }
    let float: f64 = body.parse().ok()?;
    Number::from_f64(float).map(Value::Number)
}

fn without_suffix(text: &str, radix: u32) -> &str {
    const SUFFIXES: [&str; 16] =
        ["usize", "isize", "u128", "i128", "u64", "i64", "u32", "i32", "u16", "i16", "f64", "f32", "u8", "i8", "n", "l"];
    SUFFIXES
        .iter()
        .filter(|suffix| radix != 16 || !suffix.starts_with('f'))
        .find_map(|suffix| text.strip_suffix(suffix))
        .unwrap_or(text)
}

fn integer(digits: &str, radix: u32) -> Option<Value> {
    if digits.is_empty() || digits.starts_with(['+', '-']) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok().map(Value::from)
}

/// The negative of a JSON number.
pub(crate) fn negated(value: &Value) -> Option<Value> {
    if let Some(n) = value.as_u64() {
        return i64::try_from(-i128::from(n)).ok().map(Value::from);
    }
    if let Some(n) = value.as_i64() {
        return n.checked_neg().map(Value::from);
    }
    value.as_f64().and_then(|n| Number::from_f64(-n)).map(Value::Number)
}

/// Reads the backslash escapes that C, Rust, Go, JSON, YAML and TOML share. A broken escape stays as it is.
pub(crate) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let Some(c) = tail.chars().next() else {
            out.push('\\');
            return out;
        };
        let after = &tail[c.len_utf8()..];
        rest = match c {
            'n' => push(&mut out, '\n', after),
            't' => push(&mut out, '\t', after),
            'r' => push(&mut out, '\r', after),
            '0' => push(&mut out, '\0', after),
            'a' => push(&mut out, '\u{7}', after),
            'b' => push(&mut out, '\u{8}', after),
            'f' => push(&mut out, '\u{c}', after),
            'v' => push(&mut out, '\u{b}', after),
            'e' => push(&mut out, '\u{1b}', after),
            '\n' | '\r' => after.trim_start(),
            'x' => code_point(&mut out, after, 2).unwrap_or(after),
            'u' if after.starts_with('{') => braced(&mut out, after).unwrap_or(after),
            'u' => code_point(&mut out, after, 4).unwrap_or(after),
            'U' => code_point(&mut out, after, 8).unwrap_or(after),
            other => push(&mut out, other, after),
        };
    }
    out.push_str(rest);
    out
}

fn push<'t>(out: &mut String, c: char, rest: &'t str) -> &'t str {
    out.push(c);
    rest
}

fn code_point<'t>(out: &mut String, text: &'t str, digits: usize) -> Option<&'t str> {
    let code = u32::from_str_radix(text.get(..digits)?, 16).ok()?;
    let rest = &text[digits..];
    // A high surrogate takes the low one behind it.
    if (0xd800..0xdc00).contains(&code) {
        let low = rest.strip_prefix("\\u").and_then(|r| r.get(..4)).and_then(|d| u32::from_str_radix(d, 16).ok());
        if let Some(low) = low.filter(|l| (0xdc00..0xe000).contains(l)) {
            out.push(char::from_u32(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00))?);
            return rest.get(6..);
        }
    }
    out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(rest)
}

fn braced<'t>(out: &mut String, text: &'t str) -> Option<&'t str> {
    let end = text.find('}')?;
    out.push(char::from_u32(u32::from_str_radix(text.get(1..end)?, 16).ok()?)?);
    text.get(end + 1..)
}

/// Text between the first and the last quotation mark of one kind; the whole text where it is not quoted.
pub(crate) fn unquoted(text: &str) -> &str {
    for quote in ['"', '\'', '`'] {
        if let (Some(start), Some(end)) = (text.find(quote), text.rfind(quote))
            && start == 0
            && end > start
        {
            return &text[1..end];
        }
    }
    text
}

/// Digits and dots of the smallest version that a constraint lets in: the first version of it that is no upper bound.
/// `>=3.8,<4` gives `3.8`, `^18.0.0 || >=20` gives `18.0.0`, `<3` gives none.
pub(crate) fn minimum_version(constraint: &str) -> Option<String> {
    let mut best: Option<String> = None;
    for alternative in constraint.split("||") {
        if let Some(found) = lower_bound(alternative)
            && best.as_deref().is_none_or(|b| version_key(&found) < version_key(b))
        {
            best = Some(found);
        }
    }
    best
}

fn lower_bound(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let operator = rest[..at].trim_end_matches(|c: char| c.is_whitespace() || matches!(c, 'v' | '"' | '\''));
        let tail = &rest[at..];
        let end = tail.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(tail.len());
        if operator.ends_with('>') && !operator.ends_with("~>") {
            // `>3.7` does not contain its own version: there is no smallest one to state.
            return None;
        }
        if !operator.ends_with('<') && !operator.ends_with("<=") && !operator.ends_with("!=") {
            return Some(tail[..end].trim_end_matches('.').to_owned());
        }
        let skip = tail[end..].find([',', ' ', '|']).map_or(tail.len(), |n| end + n);
        rest = &tail[skip..];
    }
    None
}

/// The numbers of a version, for ordering.
pub(crate) fn version_key(version: &str) -> Vec<u64> {
    version.split('.').map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_numbers() {
        for (text, expected) in [
            ("1_000u64", json!(1000)),
            ("0xFF", json!(255)),
            ("0x1f32", json!(0x1f32)),
            ("0b11", json!(3)),
            ("-5", json!(-5)),
            ("2.5", json!(2.5)),
            ("1e3", json!(1000.0)),
            ("3f32", json!(3)),
            ("18446744073709551615", json!(u64::MAX)),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in ["abc", "", "-", "012", "1.2.3", "0x", "inf"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn reads_escapes() {
        for (text, expected) in [
            (r"a\n\t\\\x41", "a\n\t\\A"),
            (r"\u{1F600}\u00e9\U0001F600", "😀é😀"),
            (r"\ud83d\ude00 \ud83d", "😀 \u{fffd}"),
            (r"\", "\\"),
            (r"\u{zz}\xZ", "{zz}Z"),
        ] {
            assert_eq!(unescape(text), expected, "{text}");
        }
    }

    #[test]
    fn folds_and_cuts() {
        assert_eq!(fold_text("  a \n  b\t"), "a b");
        assert_eq!(fold_text(&"xé".repeat(300)).chars().count(), 200);
        assert_eq!(without_name("fn foo() {}", ByteSpan::new(0, 11), ByteSpan::new(3, 6)), "fn  () {}");
        assert_eq!(unquoted("\"a'b\""), "a'b");
    }

    #[test]
    fn finds_minimum_versions() {
        for (constraint, expected) in [
            (">=3.8", Some("3.8")),
            (">=3.8,<4", Some("3.8")),
            ("<4,>=3.9", Some("3.9")),
            ("^18.0.0 || >=20.0.0", Some("18.0.0")),
            ("^20.19.0 || ^18.1.0", Some("18.1.0")),
            ("~> 2.7", Some("2.7")),
            (">= v14", Some("14")),
            ("<3", None),
            ("*", None),
            (">3.7", None),
            ("1.85.0", Some("1.85.0")),
        ] {
            assert_eq!(minimum_version(constraint).as_deref(), expected, "{constraint}");
        }
    }
}
