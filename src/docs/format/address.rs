//! Web addresses in running text, without markup around them.

use crate::model::{ByteSpan, Mark, MarkKind};

/// Length of the address a text begins with; what sentences put behind it is left out.
pub(super) fn length(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"].iter().find(|scheme| text.starts_with(**scheme))?;
    let end = text
        .find(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '`' | '"' | '|' | '\\' | '^' | '{' | '}'))
        .unwrap_or(text.len());
    let mut address = &text[..end];
    let count = |byte: u8| address.bytes().filter(|b| *b == byte).count();
    let mut unopened = count(b')').saturating_sub(count(b'('));
    loop {
        let next = match address.bytes().next_back() {
            Some(b')') if unopened > 0 => {
                unopened -= 1;
                &address[..address.len() - 1]
            }
            Some(b'?' | b'!' | b'.' | b',' | b':' | b';' | b'*' | b'_' | b'~' | b'\'' | b']') => &address[..address.len() - 1],
            _ => break,
        };
        address = next;
    }
    (address.len() > scheme.len()).then_some(address.len())
}

/// Link marks for the addresses in a region that stand in none of the given spans.
pub(super) fn marks(text: &str, region: ByteSpan, mut taken: Vec<ByteSpan>) -> Vec<Mark> {
    let part = region.of(text);
    let mut out: Vec<Mark> = Vec::new();
    if memchr::memmem::find(part.as_bytes(), b"://").is_none() {
        return out;
    }
    taken.sort();
    // One span for those that overlap, so that a search finds the one that may cover a place.
    let mut covered: Vec<ByteSpan> = Vec::with_capacity(taken.len());
    for span in taken {
        match covered.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => covered.push(span),
        }
    }
    let mut free = 0;
    for at in memchr::memmem::find_iter(part.as_bytes(), b"http") {
        let start = region.start + at;
        let next = covered.partition_point(|c| c.start <= start);
        let is_free = at >= free && next.checked_sub(1).is_none_or(|i| covered[i].end <= start);
        let begins = part[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let Some(length) = (is_free && begins).then(|| length(&part[at..])).flatten() else { continue };
        let span = ByteSpan::new(start, start + length);
        free = at + length;
        if covered.get(next).is_none_or(|c| !c.overlaps(span)) {
            out.push(Mark { kind: MarkKind::Link { target: span.of(text).to_owned() }, span });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_where_the_sentence_goes_on() {
        for (text, expected) in [
            ("https://a.b/c_d).", Some("https://a.b/c_d")),
            ("https://a.b/(c)", Some("https://a.b/(c)")),
            ("http://a b", Some("http://a")),
            ("https://a?x=1&y=2, z", Some("https://a?x=1&y=2")),
            ("https://", None),
            ("https://...", None),
            ("httpx://a", None),
        ] {
            assert_eq!(length(text).map(|n| &text[..n]), expected, "{text}");
        }
    }

    #[test]
    fn leaves_what_is_taken() {
        let text = "http://a xhttp://b (http://c) http://d";
        let found = |taken: Vec<ByteSpan>| -> Vec<String> {
            marks(text, ByteSpan::new(0, text.len()), taken).iter().map(|m| m.span.of(text).to_owned()).collect()
        };
        assert_eq!(found(vec![]), ["http://a", "http://c", "http://d"]);
        assert_eq!(found(vec![ByteSpan::new(30, 38), ByteSpan::new(0, 3)]), ["http://c"]);
    }
}
