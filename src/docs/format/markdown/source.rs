//! Where content stands in the source: the parser's ranges are those of whole constructs, and its text may differ from
//! the source (escaped bars in tables, line breaks in code spans).

use super::super::lines;
use crate::model::ByteSpan;

/// The code of a code span: without its backticks and the one blank on each side that Markdown takes away.
pub(super) fn code_content(text: &str, span: ByteSpan) -> ByteSpan {
    let raw = span.of(text);
    let ticks = raw.bytes().take_while(|b| *b == b'`').count();
    let Some(inner) = raw.get(ticks..raw.len().saturating_sub(ticks)) else { return span };
    let start = span.start + ticks;
    let blank = |c: char| matches!(c, ' ' | '\n');
    let padded = inner.len() > 2 && inner.starts_with(blank) && inner.ends_with(blank) && !inner.trim().is_empty();
    let cut = usize::from(padded);
    ByteSpan::new(start + cut, start + inner.len() - cut)
}

/// A cell without bars and blanks. A bar after a backslash is content.
pub(super) fn cell_content(text: &str, span: ByteSpan) -> ByteSpan {
    let mut span = lines::trimmed(text, span);
    if span.of(text).starts_with('|') {
        span = lines::trimmed(text, ByteSpan::new(span.start + 1, span.end));
    }
    let part = span.of(text);
    if part.ends_with('|') && !part.ends_with("\\|") {
        span = lines::trimmed(text, ByteSpan::new(span.start, span.end - 1));
    }
    span
}

/// The marker of an item: a bullet, or a number with its delimiter.
pub(super) fn marker_span(text: &str, at: usize) -> ByteSpan {
    let rest = text.get(at..).unwrap_or("");
    let blanks = rest.len() - rest.trim_start().len();
    let digits = rest[blanks..].bytes().take_while(u8::is_ascii_digit).count();
    ByteSpan::new(at + blanks, (at + blanks + digits + 1).min(text.len()))
}

/// Language and meta of a fence's info string: `rust,no_run`, `{.yaml title="x"}`, `ts{1,3}`, `{code-block} python`.
pub(super) fn fence_words(words: &str) -> (String, String) {
    let words = words.trim();
    let (first, rest) = if let Some(braced) = words.strip_prefix('{') {
        let (inside, after) = braced.split_once('}').unwrap_or((braced, ""));
        let (first, rest) = cut(inside.trim().trim_start_matches('.'));
        match first {
            "code-block" | "code" | "sourcecode" | "code-cell" => cut(after.trim()),
            _ => (first, if rest.is_empty() { after.trim() } else { rest }),
        }
    } else {
        cut(words)
    };
    (first.to_lowercase(), rest.trim().trim_end_matches('}').trim_start_matches(',').trim().to_owned())
}

fn cut(words: &str) -> (&str, &str) {
    let end = words.find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | ':' | ';')).unwrap_or(words.len());
    (&words[..end], &words[end..])
}

/// Block and code of a fence. The code is whole lines, so that every line of it has the same indent or quote marks.
pub(super) fn fenced_content(text: &str, span: ByteSpan) -> (ByteSpan, ByteSpan) {
    let span = lines::trimmed(text, span);
    let raw = span.of(text);
    let fence = raw.bytes().next().unwrap_or(b'`');
    let ticks = raw.bytes().take_while(|b| *b == fence).count();
    let Some(first) = raw.find('\n') else { return (span, ByteSpan::new(span.end, span.end)) };
    let last = raw.rfind('\n').unwrap_or(first);
    let tail = raw[last..].trim_start_matches(|c: char| c.is_whitespace() || c == '>');
    let closed = tail.len() >= ticks && tail.bytes().all(|b| b == fence);
    let end = if closed { last } else { raw.len() };
    let start = (first + 1).min(end);
    let code = raw[start..end].trim_end_matches(['\r', '\n']);
    (span, ByteSpan::new(span.start + start, span.start + start + code.len()))
}

/// Block and code of an indented block: from the start of its first line.
pub(super) fn indented_content(text: &str, span: ByteSpan) -> (ByteSpan, ByteSpan) {
    let before = text.get(..span.start).unwrap_or("");
    let start = before.trim_end_matches([' ', '\t']).len();
    let kept = text.get(start..span.end).unwrap_or("").trim_end();
    let span = ByteSpan::new(start, start + kept.len());
    (span, span)
}
