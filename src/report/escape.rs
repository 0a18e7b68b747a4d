//! Escaping repository text for where it goes. Whatever stands in a name, a line or a message, it stays text.

use std::fmt::Write as _;

pub(super) use crate::value::clean::clean;

/// Text for a line of a terminal or a job's log: clean, and nothing a runner would take for a command (`::error::` at the
/// start of a line, `##[error]` anywhere).
pub(super) fn for_log(text: &str) -> String {
    let text = apart(&clean(text));
    match text.trim_start().strip_prefix("::") {
        Some(rest) => format!(": :{rest}"),
        None => text,
    }
}

/// The older form of commands is looked for inside of lines, too, also where a summary is printed.
fn apart(text: &str) -> String {
    text.replace("##[", "# #[")
}

/// Cuts a text to a number of UTF-16 units, the strictest way in which validators count; never empty.
pub(super) fn bounded(text: &str, max: usize) -> String {
    let mut units = 0;
    let mut cut = false;
    let mut out = String::new();
    for c in text.chars() {
        units += c.len_utf16();
        if units > max {
            cut = true;
            break;
        }
        out.push(c);
    }
    if cut {
        // Room for the mark of the cut, which is one unit.
        while out.encode_utf16().count() + 1 > max && out.pop().is_some() {}
        out.push('…');
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

/// A code span of Markdown that nothing in the text can end. Code spans are where neither mentions, references, entities,
/// links nor HTML count.
pub(super) fn code_span(text: &str) -> String {
    let text = apart(&clean(text));
    let text = text.trim();
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A blank keeps a backtick at either end apart from the fence; the reader does not see it.
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text in a workflow command's message.
pub(super) fn command_data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean_lines(text).chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c => out.push(c),
        }
    }
    apart(&out)
}

/// Text in a workflow command's property.
pub(super) fn command_property(text: &str) -> String {
    command_data(&clean(text)).replace(':', "%3A").replace(',', "%2C")
}

/// As [`clean`], but line feeds stay.
pub(super) fn clean_lines(text: &str) -> String {
    text.split('\n').map(|line| clean(line.trim_end_matches('\r'))).collect::<Vec<_>>().join("\n")
}

/// A repository path as a relative URI reference. Paths of a repository do not begin with a slash; one that does is taken
/// for one of the repository all the same.
pub(super) fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.trim_start_matches('/').bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_hold() {
        for (text, expected) in [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`a", "`` `a ``"),
            ("```", "```` ``` ````"),
            ("a\nb", "`a\u{fffd}b`"),
            ("@team &#64; <b> | *", "`@team &#64; <b> | *`"),
            ("", "(empty)"),
            ("\u{202e}x", "`\u{fffd}x`"),
            ("a ##[error]x", "`a # #[error]x`"),
        ] {
            assert_eq!(code_span(text), expected);
        }
    }

    #[test]
    fn commands_hold() {
        assert_eq!(command_data("a%0A\n::error::x"), "a%250A%0A::error::x");
        assert_eq!(command_property("a,b:c%\n"), "a%2Cb%3Ac%25\u{fffd}");
        assert_eq!(command_data("##[error]x"), "# #[error]x");
    }

    #[test]
    fn uris_hold() {
        assert_eq!(uri("docs/a b%20c#d?e:é.md"), "docs/a%20b%2520c%23d%3Fe%3A%C3%A9.md");
    }

    #[test]
    fn bounds_count_utf16() {
        assert_eq!(bounded("abc", 3), "abc");
        assert_eq!(bounded("abcd", 3), "ab…");
        assert_eq!(bounded("😀😀", 3), "😀…");
        assert_eq!(bounded("", 3), "-");
    }
}
