//! Tags in raw HTML and JSX: where they point (`href`, `src`, `to`), and `<code>` elements. Not a parser of HTML:
//! tags are found one after the other, comments are skipped.

use crate::model::{ByteSpan, Mark, MarkKind};

/// Attributes whose value is a place.
const PLACES: [&str; 4] = ["href", "src", "to", "srcset"];

/// Longest tag that is read.
pub(super) const LONGEST_TAG: usize = 4096;

/// Longest tag that is read once many were tried in vain: keeps hostile text linear.
pub(super) const SHORT_TAG: usize = 128;

/// One tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'t> {
    /// Its name as written; empty for a JSX fragment.
    pub(super) name: &'t str,
    /// Whether it is `</name>`.
    pub(super) closing: bool,
    /// Whether it is `<name/>`.
    pub(super) empty: bool,
    /// What stands between name and end.
    attributes: &'t str,
    /// Bytes of the tag in the text it was read from.
    pub(super) span: ByteSpan,
}

/// Reads the tag that begins at `at`, where `<` stands, looking at most `limit` bytes ahead.
/// Quotes and JSX braces may hold `>`. `Err` gives how many bytes were looked at.
pub(super) fn tag_at(text: &str, at: usize, limit: usize) -> Result<Tag<'_>, usize> {
    let bytes = text.as_bytes();
    let mut i = at + 1;
    let closing = bytes.get(i) == Some(&b'/');
    if closing {
        i += 1;
    }
    let name_start = i;
    while bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':' | b'_')) {
        i += 1;
    }
    let name_end = i;
    let fragment = name_start == name_end && bytes.get(i) == Some(&b'>');
    if !fragment && !bytes.get(name_start).is_some_and(u8::is_ascii_alphabetic) {
        return Err(i - at);
    }
    if !bytes.get(i).is_some_and(|b| matches!(b, b'>' | b'/') || b.is_ascii_whitespace()) {
        return Err(i - at);
    }
    let end = at.saturating_add(limit).min(bytes.len());
    let mut quote = 0u8;
    let mut braces = 0usize;
    while i < end {
        let byte = bytes[i];
        match byte {
            _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
            b'"' | b'\'' | b'`' => quote = byte,
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b'>' if braces == 0 => {
                let empty = i > name_end && bytes[i - 1] == b'/';
                let attributes = &text[name_end..if empty { i - 1 } else { i }];
                let name = &text[name_start..name_end];
                return Ok(Tag { name, closing, empty, attributes, span: ByteSpan::new(at, i + 1) });
            }
            b'<' if braces == 0 => return Err(i - at),
            _ => {}
        }
        i += 1;
    }
    Err(i - at)
}

/// Marks for everything in a stretch of raw HTML: links of its tags and the content of `<code>`.
pub(super) fn marks(text: &str, span: ByteSpan) -> Vec<Mark> {
    let part = span.of(text);
    let mut out = Vec::new();
    let mut code: Option<usize> = None;
    let mut at = 0;
    let mut patience = part.len().saturating_mul(4);
    while let Some(found) = memchr::memchr(b'<', &part.as_bytes()[at..]) {
        at += found;
        if part[at..].starts_with("<!--") {
            at = part[at..].find("-->").map_or(part.len(), |end| at + end + 3);
            continue;
        }
        let tag = match tag_at(part, at, if patience > 0 { LONGEST_TAG } else { SHORT_TAG }) {
            Ok(tag) => tag,
            Err(looked) => {
                patience = patience.saturating_sub(looked);
                at += 1;
                continue;
            }
        };
        let shifted = ByteSpan::new(span.start + tag.span.start, span.start + tag.span.end);
        out.extend(links(&tag).map(|target| Mark { kind: MarkKind::Link { target }, span: shifted }));
        if tag.name.eq_ignore_ascii_case("code") && !tag.empty {
            if !tag.closing {
                code = Some(shifted.end);
            } else if let Some(start) = code.take() {
                out.push(Mark { kind: MarkKind::Code, span: ByteSpan::new(start, shifted.start) });
            }
        }
        at = tag.span.end;
    }
    out
}

/// Where a tag points.
pub(super) fn links<'t>(tag: &Tag<'t>) -> impl Iterator<Item = String> + use<'t> {
    attributes(tag.attributes).filter(|(name, _)| PLACES.iter().any(|p| p.eq_ignore_ascii_case(name))).filter_map(
        |(name, value)| {
            let first = if name.eq_ignore_ascii_case("srcset") { value.split([' ', ',']).next().unwrap_or("") } else { value };
            Some(decode(first.trim())).filter(|target| !target.is_empty())
        },
    )
}

/// The attributes with a value; a JSX expression counts as its first quoted text.
fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
            let name_end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '/' | '{'))?;
            let name = &rest[..name_end];
            rest = rest[name_end..].trim_start();
            let Some(after) = rest.strip_prefix('=') else {
                if let Some(expression) = rest.strip_prefix('{') {
                    rest = expression;
                }
                continue;
            };
            let after = after.trim_start();
            let (value, tail) = value(after);
            rest = tail;
            if !name.is_empty() {
                return Some((name, value));
            }
        }
    })
}

/// One attribute value and what follows it.
fn value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            let end = inner.find(quote).unwrap_or(inner.len());
            return (&inner[..end], inner.get(end + 1..).unwrap_or(""));
        }
    }
    if text.starts_with('{') {
        let mut depth = 0usize;
        let end = text
            .bytes()
            .position(|b| {
                depth = if b == b'{' { depth + 1 } else { depth - usize::from(b == b'}') };
                depth == 0
            })
            .map_or(text.len(), |at| at + 1);
        let inner = &text[1..end.max(1)];
        let quoted = inner.find(['"', '\'', '`']).map_or("", |at| {
            let quote = char::from(inner.as_bytes()[at]);
            inner[at + 1..].split(quote).next().unwrap_or("")
        });
        return (quoted, &text[end..]);
    }
    let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
    (&text[..end], &text[end..])
}

/// Character references resolved; unknown ones stay as written.
pub(super) fn decode(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|b| b == b';');
        if let Some((c, end)) = end.and_then(|end| Some((reference(&rest[1..end])?, end))) {
            out.push(c);
            rest = &rest[end + 1..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let got: Vec<String> = marks(html, ByteSpan::new(0, html.len()))
            .iter()
            .map(|mark| match &mark.kind {
                MarkKind::Link { target } => format!("{target} <- {}", mark.span.of(html)),
                _ => format!("`{}`", mark.span.of(html)),
            })
            .collect();
        assert_eq!(got, expected, "{html}");
    }

    #[test]
    fn reads_places() {
        check("<a href=\"x.md?a=1&amp;b=2\">t</a>", &["x.md?a=1&b=2 <- <a href=\"x.md?a=1&amp;b=2\">"]);
        check("<img alt='a > b' src=pic.png />", &["pic.png <- <img alt='a > b' src=pic.png />"]);
        check(
            "<source media=\"(x)\" srcset=\"a.png 2x, b.png\">",
            &["a.png <- <source media=\"(x)\" srcset=\"a.png 2x, b.png\">"],
        );
        check("<Link to={'/docs'} disabled>", &["/docs <- <Link to={'/docs'} disabled>"]);
        check("<img src={require(\"./a.png\").default}/>", &["./a.png <- <img src={require(\"./a.png\").default}/>"]);
        check("<!-- <a href='x'> --><b>", &[]);
        check("<td><code>--flag</code></td>", &["`--flag`"]);
        check("a < b <c", &[]);
        check("<a {...props} href='x'>", &["x <- <a {...props} href='x'>"]);
        check("<a href=''>", &[]);
    }

    #[test]
    fn decodes_references() {
        for (text, expected) in [("a&#x2F;b&#47;c", "a/b/c"), ("&nope; & &amp", "&nope; & &amp"), ("&#0;", "&#0;")] {
            assert_eq!(decode(text), expected);
        }
    }

    #[test]
    fn stays_fast_on_hostile_text() {
        for unit in ["<a ", "<a {", "<a \"", "<", "<!--", "<a b={{"] {
            let text = unit.repeat(200_000 / unit.len());
            let _ = marks(&text, ByteSpan::new(0, text.len()));
        }
    }
}
