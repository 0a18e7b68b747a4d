//! How lines of reStructuredText begin: markers, adornments, directives, fields. Everything here looks at one line.

use std::sync::LazyLock;

use regex::Regex;
use unicode_width::UnicodeWidthStr;

/// Columns of a tab.
pub(super) const TAB: usize = 8;

/// The character of a line that consists of one repeated punctuation character.
pub(super) fn adornment(line: &str) -> Option<u8> {
    let line = line.trim_end();
    let first = line.bytes().next().filter(u8::is_ascii_punctuation)?;
    line.bytes().all(|b| b == first).then_some(first)
}

/// Whether `under` underlines `title`.
pub(super) fn underlines(title: &str, under: &str) -> bool {
    let length = under.trim_end().len();
    adornment(under).is_some() && !matches!(under.trim_end(), "::" | "..") && (length >= 4 || length >= title.trim_end().width())
}

/// Bytes of a bullet with the blanks after it.
pub(super) fn bullet(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix(['-', '*', '+', '•', '‣', '⁃'])?;
    marker_end(rest, after)
}

/// Bytes of an enumerator (`1.`, `a)`, `(iv)`, `#.`) with the blanks after it.
pub(super) fn enumerator(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('(');
    let body = inner.unwrap_or(rest);
    let token = body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '#')).map_or(body, |end| &body[..end]);
    let is_counter = token == "#"
        || (token.len() == 1 && token.bytes().all(|b| b.is_ascii_alphabetic()))
        || ((1..=9).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_digit()))
        || ((2..=8).contains(&token.len()) && token.bytes().all(|b| b"ivxlcdmIVXLCDM".contains(&b)));
    if !is_counter {
        return None;
    }
    let after = &body[token.len()..];
    let after = if inner.is_some() { after.strip_prefix(')')? } else { after.strip_prefix(['.', ')'])? };
    marker_end(rest, after)
}

fn marker_end(rest: &str, after: &str) -> Option<usize> {
    if !(after.is_empty() || after.starts_with([' ', '\t'])) {
        return None;
    }
    let blanks = after.len() - after.trim_start().len();
    Some(rest.len() - after.len() + blanks)
}

/// Bytes of a field's name with its colons (`:param x:`).
pub(super) fn field(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b':') || !bytes.get(1).is_some_and(|b| !matches!(b, b' ' | b'\t' | b':')) {
        return None;
    }
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'`' if at == 1 || bytes[at - 1] == b':' => return None,
            b':' if bytes.get(at + 1).is_none_or(|b| matches!(b, b' ' | b'\t')) => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

static OPTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let argument = r"(?:[ =](?:<[^<>]+>|[A-Za-z][\w-]*)|\[[^\]]+\])?";
    let option = format!(r"(?:-[A-Za-z0-9]|--?[A-Za-z0-9][\w-]*|/[A-Z?]){argument}");
    Regex::new(&format!(r"^({option}(?:, {option})*)(?:  +|$)")).ok()
});

/// Bytes of the options of an option list, and with the blanks after them.
pub(super) fn option(rest: &str) -> Option<(usize, usize)> {
    if !rest.starts_with(['-', '/']) {
        return None;
    }
    let captures = OPTION.as_ref()?.captures(rest)?;
    Some((captures.get(1)?.end(), captures.get(0)?.end()))
}

/// A directive after `.. `: its name without domain, the name as written, and what stands behind the colons.
pub(super) fn directive(rest: &str) -> Option<(&str, &str, &str)> {
    let end = rest.find("::")?;
    let name = rest[..end].trim_end();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+' | b'.' | b':'));
    let after = &rest[end + 2..];
    if !is_name || !(after.is_empty() || after.starts_with([' ', '\t'])) {
        return None;
    }
    Some((name.rsplit(':').next().unwrap_or(name), name, after))
}

/// A hyperlink target after `.. `: name and what it points to; both may be empty.
pub(super) fn target(rest: &str) -> Option<(&str, &str)> {
    let body = rest.strip_prefix('_')?;
    if let Some(quoted) = body.strip_prefix('`') {
        let end = quoted.find("`:")?;
        return Some((&quoted[..end], &quoted[end + 2..]));
    }
    let bytes = body.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b':' if bytes.get(at + 1).is_none_or(|b| matches!(b, b' ' | b'\t')) => return Some((&body[..at], &body[at + 1..])),
            _ => {}
        }
        at += 1;
    }
    None
}

/// A reference name as docutils compares it: lower case, single blanks, no escapes.
pub(super) fn normalized(name: &str) -> String {
    name.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a line is the border of a grid table.
pub(super) fn is_grid_border(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.starts_with('+') && line.ends_with('+') && line.bytes().all(|b| matches!(b, b'+' | b'-' | b'='))
}

/// Whether a line is a border of a simple table: two or more columns of `=`.
pub(super) fn is_simple_border(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('=') && line.contains(' ') && line.bytes().all(|b| matches!(b, b'=' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        for (line, expected) in [("- x", Some(2)), ("*", Some(1)), ("*x*", None), ("•  x", Some(5)), ("--", None)] {
            assert_eq!(bullet(line), expected, "{line}");
        }
        for (line, expected) in
            [("1. x", Some(3)), ("#. x", Some(3)), ("(a) x", Some(4)), ("iv) x", Some(4)), ("1.5 x", None), ("word. x", None)]
        {
            assert_eq!(enumerator(line), expected, "{line}");
        }
        for (line, expected) in
            [(":a b: c", Some(5)), (":ref:`x`", None), (":a:", Some(3)), (": x", None), (":a\\:b: c", Some(6)), (":x", None)]
        {
            assert_eq!(field(line), expected, "{line}");
        }
        for (line, expected) in [
            ("-a", Some((2, 2))),
            ("--flag=<x>, -f X  text", Some((16, 18))),
            ("--long text", Some((11, 11))),
            ("--long some text", None),
            ("-  x", None),
            ("--color[=WHEN]  text", Some((14, 16))),
        ] {
            assert_eq!(option(line), expected, "{line}");
        }
    }

    #[test]
    fn explicit_markup() {
        assert_eq!(directive("py:function:: f(a)"), Some(("function", "py:function", " f(a)")));
        assert_eq!(directive("note::"), Some(("note", "note", "")));
        assert_eq!(directive("see a::b"), None);
        assert_eq!(directive("a::b"), None);
        assert_eq!(target("_a b: http://x"), Some(("a b", " http://x")));
        assert_eq!(target("_`q: r`: y"), Some(("q: r", " y")));
        assert_eq!(target("_a:b"), None);
        assert_eq!(normalized("  A\\ b\n C "), "a b c");
    }
}
