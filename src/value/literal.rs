//! Literals: how extractors write them, which spellings of a value are equal, and finding them in text.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::name;
use crate::model::ByteSpan;

/// The text extractors give a duration: the largest unit that divides it, `400ms`, `20m`, `1h`; `0s` for none.
pub fn duration_text(nanoseconds: u128) -> String {
    const UNITS: [(&str, u128); 6] =
        [("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];
    if nanoseconds == 0 {
        return "0s".to_owned();
    }
    UNITS
        .iter()
        .find(|(_, size)| nanoseconds.is_multiple_of(*size))
        .map_or_else(|| format!("{nanoseconds}ns"), |(unit, size)| format!("{}{unit}", nanoseconds / size))
}

/// One reading of a value. A text may have several: `"4"` is the text and the number.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// None, null, nil, empty.
    Null,
    /// A truth value in any of its words.
    Bool(bool),
    /// A plain number.
    Number(f64),
    /// A duration in nanoseconds.
    Duration(f64),
    /// A size in bytes.
    Size(f64),
    /// Any other text, as written.
    Text(String),
}

impl Literal {
    fn equals(&self, other: &Literal) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) | (Self::Duration(a), Self::Duration(b)) | (Self::Size(a), Self::Size(b)) => {
                (a - b).abs() <= f64::EPSILON * a.abs().max(b.abs()).max(1.0) * 4.0
            }
            _ => self == other,
        }
    }
}

/// What a number after a unit word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Nanoseconds per unit.
    Time(u64),
    /// Bytes per unit. `MB` and `MiB` are told apart nowhere in practice: a decimal prefix has both readings.
    Bytes(u64, u64),
}

fn unit(word: &str) -> Option<Unit> {
    const K: u64 = 1024;
    let lower = word.to_ascii_lowercase();
    Some(match (word, lower.as_str()) {
        ("M", _) => return None,
        (_, "ns" | "nanosecond" | "nanoseconds" | "nanos") => Unit::Time(1),
        (_, "us" | "µs" | "μs" | "microsecond" | "microseconds" | "micros") => Unit::Time(1_000),
        (_, "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" | "millis") => Unit::Time(1_000_000),
        (_, "s" | "sec" | "secs" | "second" | "seconds") => Unit::Time(1_000_000_000),
        (_, "m" | "min" | "mins" | "minute" | "minutes") => Unit::Time(60_000_000_000),
        (_, "h" | "hr" | "hrs" | "hour" | "hours") => Unit::Time(3_600_000_000_000),
        (_, "d" | "day" | "days") => Unit::Time(86_400_000_000_000),
        (_, "w" | "week" | "weeks") => Unit::Time(604_800_000_000_000),
        (_, "b" | "byte" | "bytes") => Unit::Bytes(1, 1),
        (_, "kb" | "kib" | "kilobyte" | "kilobytes" | "ki") => Unit::Bytes(K, 1_000),
        (_, "mb" | "mib" | "megabyte" | "megabytes" | "mi") => Unit::Bytes(K * K, 1_000_000),
        (_, "gb" | "gib" | "gigabyte" | "gigabytes" | "gi") => Unit::Bytes(K * K * K, 1_000_000_000),
        (_, "tb" | "tib") => Unit::Bytes(K * K * K * K, 1_000_000_000_000),
        _ => return None,
    })
}

/// The unit a key's last word promises: `timeout_ms`, `slice_seconds`, `spill_mb`, `maxBodyBytes`.
fn unit_of_key(key: &str) -> Option<Unit> {
    let words = name::words(key);
    let last = words.last().filter(|_| words.len() > 1)?;
    match last.as_str() {
        "m" | "d" | "h" | "b" | "w" | "mi" | "ki" | "gi" => None,
        word => unit(word),
    }
}

fn scaled(number: f64, unit: Unit, out: &mut Vec<Literal>) {
    #[expect(clippy::cast_precision_loss, reason = "unit sizes are exact in 53 bits up to a week and a tebibyte")]
    match unit {
        Unit::Time(size) => out.push(Literal::Duration(number * size as f64)),
        Unit::Bytes(binary, decimal) => {
            out.push(Literal::Size(number * binary as f64));
            if decimal != binary {
                out.push(Literal::Size(number * decimal as f64));
            }
        }
    }
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[+-]?(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?)$").expect("valid pattern")
});
static WITH_UNIT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(\d[\d_]*(?:,\d{3})*(?:\.\d+)?)[ \u{a0}-]?([A-Za-zµμ]+)$").expect("valid pattern"));
static COMPOUND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:\d+(?:\.\d+)?(?:h|m|s|ms)){2,}$").expect("valid pattern"));
static COMPOUND_PART: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\d+(?:\.\d+)?)(ms|h|m|s)").expect("valid pattern"));

fn number(text: &str) -> Option<f64> {
    let digits = text.replace(['_', ','], "");
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        #[expect(clippy::cast_precision_loss, reason = "a literal beyond 53 bits only needs to equal itself")]
        return u64::from_str_radix(hex, 16).ok().map(|n| n as f64);
    }
    digits.parse().ok()
}

fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "enabled" | "enable" => Some(true),
        "false" | "no" | "off" | "disabled" | "disable" => Some(false),
        _ => None,
    }
}

fn is_null(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "null" | "none" | "nil" | "undefined" | "unset")
}

/// Readings of a text that stands for one value, quotes already removed.
fn read(text: &str, out: &mut Vec<Literal>) {
    let text = text.trim();
    if NUMBER.is_match(text)
        && let Some(n) = number(text)
    {
        out.push(Literal::Number(n));
    } else if let Some(parts) = WITH_UNIT.captures(text)
        && let (Some(n), Some(unit)) = (number(&parts[1]), unit(&parts[2]))
    {
        scaled(n, unit, out);
    } else if COMPOUND.is_match(text) {
        let total = COMPOUND_PART.captures_iter(text).fold(0.0, |sum, part| {
            let mut one = Vec::new();
            if let (Some(n), Some(unit)) = (number(&part[1]), unit(&part[2])) {
                scaled(n, unit, &mut one);
            }
            sum + one.first().map_or(0.0, |l| if let Literal::Duration(d) = l { *d } else { 0.0 })
        });
        out.push(Literal::Duration(total));
    } else if let Some(value) = truth(text) {
        out.push(Literal::Bool(value));
    } else if is_null(text) {
        out.push(Literal::Null);
    }
}

/// Every reading of a value and how to find it in text.
#[derive(Clone, Debug)]
pub struct Forms {
    literals: Vec<Literal>,
    /// The value as text, where it is one.
    text: Option<String>,
    /// The unit that the key gives to a plain number.
    unit: Option<Unit>,
}

/// A place that states a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The words that state it.
    pub span: ByteSpan,
    /// It stands in code or quotes.
    pub marked: bool,
}

impl Forms {
    /// Readings of a scalar of a projection that belongs to a key. `None` for lists and maps.
    pub fn new(value: &Value, key: &str) -> Option<Self> {
        let unit = unit_of_key(key);
        let mut literals = Vec::new();
        let mut text = None;
        match value {
            Value::Null => literals.push(Literal::Null),
            Value::Bool(b) => literals.push(Literal::Bool(*b)),
            Value::Number(n) => literals.push(Literal::Number(n.as_f64()?)),
            Value::String(s) => {
                read(s, &mut literals);
                literals.push(Literal::Text(s.clone()));
                text = Some(s.clone());
            }
            Value::Array(_) | Value::Object(_) => return None,
        }
        if let (Some(unit), Some(Literal::Number(n))) = (unit, literals.first().cloned()) {
            scaled(n, unit, &mut literals);
        }
        Some(Self { literals, text, unit })
    }

    /// Adds the plain number of a duration or size in the unit that the surrounding text names, as in a row that says "in
    /// milliseconds".
    #[must_use]
    pub fn in_unit_of(mut self, surroundings: &str) -> Self {
        let named = surroundings.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 1).find_map(unit);
        let number = match (named, self.literals.first()) {
            (Some(Unit::Time(size)), Some(Literal::Duration(ns))) =>
            {
                #[expect(clippy::cast_precision_loss, reason = "unit sizes are exact in 53 bits")]
                Some(ns / size as f64)
            }
            (Some(Unit::Bytes(size, _)), Some(Literal::Size(bytes))) =>
            {
                #[expect(clippy::cast_precision_loss, reason = "unit sizes are exact in 53 bits")]
                Some(bytes / size as f64)
            }
            _ => None,
        };
        self.literals.extend(number.map(Literal::Number));
        self
    }

    /// Whether some reading of the two is equal.
    pub fn equals(&self, other: &Forms) -> bool {
        self.literals.iter().any(|a| other.literals.iter().any(|b| a.equals(b)))
    }

    /// Whether the value is so common that only a word next to it makes it a statement: small numbers, truth values,
    /// null, short words.
    pub fn is_common(&self) -> bool {
        match self.literals.first() {
            Some(Literal::Number(n)) => n.abs() <= 10.0,
            Some(Literal::Bool(_) | Literal::Null) => true,
            Some(Literal::Text(t)) => t.len() < 4 || t.chars().all(|c| c.is_ascii_lowercase()),
            _ => false,
        }
    }

    /// Whether a truth value or nothing.
    pub fn is_truth(&self) -> bool {
        matches!(self.literals.first(), Some(Literal::Bool(_) | Literal::Null))
    }

    /// Places in a text that state the value, in order. `bare` allows plain words for text values.
    pub fn find(&self, text: &str, bare: bool) -> Vec<Stated> {
        let mut out: Vec<Stated> = values_in(text)
            .into_iter()
            .filter(|(_, literals, _)| {
                let mut readings = literals.clone();
                if let (Some(unit), [Literal::Number(n)]) = (self.unit, literals.as_slice()) {
                    scaled(*n, unit, &mut readings);
                }
                readings.iter().any(|a| self.literals.iter().any(|b| a.equals(b)))
            })
            .map(|(span, _, marked)| Stated { span, marked })
            .collect();
        if let Some(own) = &self.text {
            for span in words_of(text, own) {
                let marked = is_marked(text, span);
                if (marked || bare) && !out.iter().any(|s| s.span.overlaps(span)) {
                    out.push(Stated { span, marked });
                }
            }
        }
        out.sort_by_key(|s| s.span);
        out
    }
}

/// Whole-word occurrences of a text; the first letter may be a capital where a sentence starts.
fn words_of(text: &str, own: &str) -> Vec<ByteSpan> {
    if own.trim().is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let inner = |c: char| is_word(c) || c == '-' || c == '/';
    let mut search = |needle: &str| {
        for (at, _) in text.match_indices(needle) {
            let end = at + needle.len();
            let before = text[..at].chars().next_back();
            let mut rest = text[end..].chars();
            let after = rest.next();
            let starts = needle.chars().next().is_some_and(is_word);
            let ends = needle.chars().next_back().is_some_and(is_word);
            let left = !starts || !before.is_some_and(|c| inner(c) || c == '.' || c == '$');
            // `blue\|green` in a table is one value.
            let escaped = after == Some('\\') && text[end + 1..].starts_with('|') && text[end + 2..].starts_with(is_word);
            let right = !ends
                || !escaped
                    && !after.is_some_and(|c| inner(c) || (matches!(c, '.' | ':' | '|') && rest.next().is_some_and(is_word)));
            if left && right {
                out.push(ByteSpan::new(at, end));
            }
        }
    };
    search(own);
    // In a table a bar is written with a backslash.
    if own.contains('|') {
        search(&own.replace('|', "\\|"));
    }
    let mut chars = own.chars();
    if let Some(first) = chars.next().filter(char::is_ascii_lowercase) {
        search(&format!("{}{}", first.to_ascii_uppercase(), chars.as_str()));
    }
    out.sort();
    out
}

fn is_marked(text: &str, span: ByteSpan) -> bool {
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    let quote = |c: char| matches!(c, '`' | '"' | '\'' | '“' | '”' | '‘' | '’' | '*' | '«' | '»' | '+');
    before.is_some_and(quote) && after.is_some_and(quote)
}

static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?P<hex>0[xX][0-9a-fA-F_]+)",
        r"|(?P<num>\d[\d_]*(?:,\d{3})*(?:\.\d+)?)(?:[ \u{a0}-]?(?P<unit>[A-Za-zµμ]+))?",
        r"|(?P<word>\b(?i:true|false|yes|no|on|off|enabled|disabled|null|none|nil|undefined|unset|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)(?:[ \u{a0}](?P<wordunit>[a-z]+))?",
    ))
    .expect("valid pattern")
});

fn spelled(word: &str) -> Option<f64> {
    const NAMES: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let lower = word.to_ascii_lowercase();
    #[expect(clippy::cast_precision_loss, reason = "at most twelve")]
    NAMES.iter().position(|n| *n == lower).map(|n| n as f64)
}

/// Numbers, durations, sizes, truth values and nulls in a text, with their readings and whether they are in code or quotes.
fn values_in(text: &str) -> Vec<(ByteSpan, Vec<Literal>, bool)> {
    let mut out = Vec::new();
    for found in VALUE.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        let before = text[..whole.start()].chars().next_back();
        // Part of an identifier, a version or a fraction: not a value of its own.
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.' || c == '$') {
            continue;
        }
        let mut literals = Vec::new();
        let mut end = whole.end();
        if let Some(hex) = found.name("hex") {
            literals.extend(number(hex.as_str()).map(Literal::Number));
        } else if let Some(digits) = found.name("num") {
            let Some(n) = number(digits.as_str()) else { continue };
            let unit_word = found.name("unit");
            match unit_word.map(|w| (w, unit(w.as_str()))) {
                Some((_, Some(unit))) => {
                    scaled(n, unit, &mut literals);
                    // `3 m...` in running text may be the number alone; a plain reading stays possible.
                    literals.push(Literal::Number(n));
                }
                Some((word, None)) => {
                    // `10px`, `3rd`: glued to letters, no number of ours; `10 rows`: the number.
                    if word.start() == digits.end() {
                        let glued = &text[digits.start()..];
                        let token: String = glued.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
                        read(&token, &mut literals);
                        end = digits.start() + token.len();
                        if literals.is_empty() {
                            continue;
                        }
                    } else {
                        end = digits.end();
                        literals.push(Literal::Number(n));
                    }
                }
                None => literals.push(Literal::Number(n)),
            }
            let after = text[digits.end()..].chars().next();
            let next = text[digits.end()..].chars().nth(1);
            // `1.2.3` and `10:30` are no numbers; a full stop at the end of a sentence is fine.
            if unit_word.is_none() && matches!(after, Some('.' | ':' | '_')) && next.is_some_and(|c| c.is_ascii_digit()) {
                continue;
            }
        } else if let Some(word) = found.name("word") {
            end = word.end();
            if let Some(n) = spelled(word.as_str()) {
                literals.push(Literal::Number(n));
                if let Some(unit_word) = found.name("wordunit")
                    && let Some(unit) = unit(unit_word.as_str()).filter(|_| unit_word.as_str().len() > 2)
                {
                    scaled(n, unit, &mut literals);
                    end = unit_word.end();
                }
            } else if let Some(value) = truth(word.as_str()) {
                literals.push(Literal::Bool(value));
            } else {
                literals.push(Literal::Null);
            }
            let after = text[word.end()..].chars().next();
            if after.is_some_and(|c| c == '-' || c == '_') || before == Some('-') {
                continue;
            }
        }
        let mut span = ByteSpan::new(whole.start(), end);
        // A sign belongs to the number.
        if before == Some('-') && !matches!(literals.first(), Some(Literal::Bool(_) | Literal::Null)) {
            let earlier = text[..whole.start() - 1].chars().next_back();
            if !earlier.is_some_and(|c| c.is_alphanumeric() || c == '-') {
                span.start -= 1;
                for literal in &mut literals {
                    if let Literal::Number(n) | Literal::Duration(n) | Literal::Size(n) = literal {
                        *n = -*n;
                    }
                }
            } else if earlier.is_some_and(char::is_alphabetic) {
                continue;
            }
        }
        let marked = is_marked(text, span);
        out.push((span, literals, marked));
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_durations() {
        for (ns, text) in
            [(0, "0s"), (400_000_000, "400ms"), (1_200_000_000_000, "20m"), (3_600_000_000_000, "1h"), (1_500_000_000, "1500ms")]
        {
            assert_eq!(duration_text(ns), text);
        }
    }

    fn stated(value: &Value, key: &str, text: &str) -> Vec<String> {
        let forms = Forms::new(value, key).expect("a scalar");
        forms.find(text, true).into_iter().map(|s| s.span.of(text).to_owned()).collect()
    }

    #[test]
    fn finds_equal_forms() {
        for (value, key, text, expected) in [
            (json!("20m"), "idle_timeout", "after 20 minutes without", vec!["20 minutes"]),
            (json!("5s"), "dial_timeout", "when (5000 ms) has passed", vec!["5000 ms"]),
            (json!("200ms"), "flush_interval", "flushes every 0.2 s (", vec!["0.2 s"]),
            (json!("1h"), "ttl", "lives for one hour, (default: 1h)", vec!["one hour", "1h"]),
            (json!(1_048_576), "max_body_bytes", "| 1,048,576 | 1 MiB |", vec!["1,048,576", "1 MiB"]),
            (json!(65536), "MAX_FRAME", "(64 KiB, 65536 bytes) 0x10000", vec!["65536 bytes", "0x10000"]),
            (json!(30), "timeout_ms", "30 ms, 30, 30 s", vec!["30 ms", "30", "30 s"]),
            (json!(false), "isolate", "Off by default; non-off; `false`", vec!["Off", "false"]),
            (json!("true"), "cache", "enabled", vec!["enabled"]),
            (json!("gzip"), "compression", "`gzip`, gzipped, pigz-gzip", vec!["gzip"]),
            (json!("plain"), "style", "Plain is the default", vec!["Plain"]),
            (json!("4"), "workers", "`4` of 14, 4.5, v4, 4px", vec!["4"]),
            (json!(10), "rounds", "10. 10.0 10.0.1 1:10 10:30", vec!["10", "10.0", "10"]),
            (json!(null), "x", "none", vec!["none"]),
            (json!(-1), "limit", "is -1, not 1 or a-1", vec!["-1"]),
            (json!("/var/spool/p"), "dir", "in `/var/spool/p` and /var/spool/p/x", vec!["/var/spool/p"]),
            (json!(16_777_216), "n", "16777216", vec!["16777216"]),
        ] {
            assert_eq!(stated(&value, key, text), expected, "{value} in {text}");
        }
    }

    #[test]
    fn takes_the_unit_of_the_surroundings() {
        let forms =
            Forms::new(&json!("400ms"), "idle_timeout").expect("a scalar").in_unit_of("Time in milliseconds since the last key");
        assert_eq!(forms.find("`400`", true).len(), 1);
        assert_eq!(forms.find("`250`", true).len(), 0);
    }

    #[test]
    fn compares() {
        let equal = |a: Value, b: Value| Forms::new(&a, "k").expect("a").equals(&Forms::new(&b, "k").expect("b"));
        assert!(equal(json!("60s"), json!("1m")));
        assert!(equal(json!("4"), json!(4)));
        assert!(equal(json!("90m"), json!("1h30m")));
        assert!(!equal(json!("a"), json!("b")));
    }
}
