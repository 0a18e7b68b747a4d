//! Repository text in Markdown for GitHub. Everything that comes from the repository stands in a code span: there neither HTML,
//! entities, mentions, issue numbers nor Markdown are read, so the only things to get right are the fence and line ends.

/// A code span that shows the text and nothing else. Line ends and control characters are shown as pictures, marks that
/// reorder text are dropped, and the fence is longer than any run of backticks inside.
pub(crate) fn code(text: &str, max: usize) -> String {
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count >= max {
            shown.push('…');
            break;
        }
        match c {
            '\n' | '\u{2028}' | '\u{2029}' | '\u{85}' => shown.push('\u{2424}'),
            '\r' => shown.push('\u{240d}'),
            '\t' => shown.push(' '),
            c if c.is_control() => shown.push('\u{fffd}'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => {}
            c => shown.push(c),
        }
    }
    if shown.trim().is_empty() {
        return "` `".to_owned();
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A blank at both ends is taken off by the reader; without it a backtick there would join the fence.
    let pad = if shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

/// A path as part of a URL: every byte but the unreserved ones and `/` is encoded.
pub(crate) fn url_path(path: &str) -> String {
    use std::fmt::Write;
    path.bytes().fold(String::with_capacity(path.len()), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

/// The text cut to a number of bytes at the end of a line, with a closing sentence where something was cut.
pub(crate) fn clip_lines(text: &str, max_bytes: usize, closing: &str) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let mut end = max_bytes.saturating_sub(closing.len() + 2);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').unwrap_or(end);
    format!("{}\n\n{closing}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a `CommonMark` reader makes of the text, as HTML.
    fn html(markdown: &str) -> String {
        let mut out = String::new();
        pulldown_cmark::html::push_html(&mut out, pulldown_cmark::Parser::new(markdown));
        out.trim().to_owned()
    }

    #[test]
    fn nothing_leaves_the_code_span() {
        for text in [
            "a`b",
            "``",
            "`",
            "@team",
            "&#64;team",
            "<img src=x>",
            "a\nb",
            "%0A",
            "<!-- refdrift:1 -->",
            "a``b`c",
            " x ",
            "#12",
            "](x)",
        ] {
            let shown = html(&code(text, 200));
            let inner = shown.strip_prefix("<p><code>").and_then(|s| s.strip_suffix("</code></p>"));
            let inner = inner.unwrap_or_else(|| panic!("{text:?} became {shown}"));
            assert!(!inner.contains('<'), "{text:?} became {shown}");
            let plain = inner.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
            assert_eq!(plain.trim(), text.replace('\n', "\u{2424}").trim(), "{text:?}");
        }
    }

    #[test]
    fn paths_are_encoded() {
        assert_eq!(url_path("a b/`@x`%0A\n.md"), "a%20b/%60%40x%60%250A%0A.md");
        assert_eq!(code("\u{202e}evil\u{0}", 100), "`evil\u{fffd}`");
        assert_eq!(code("abcdef", 3), "`abc…`");
    }

    #[test]
    fn cuts_at_a_line() {
        assert_eq!(clip_lines("aaaa\nbbbb\ncccc dddd", 16, "(cut)"), "aaaa\n\n(cut)");
        assert_eq!(clip_lines("short", 16, "(cut)"), "short");
        assert!(clip_lines(&"é\n".repeat(1000), 101, "(cut)").len() <= 101);
    }
}
