//! Lines of a text with their bytes, and small cuts that keep positions.

use crate::model::ByteSpan;

/// One line without its line break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte; line feed and carriage return are left out.
    pub(super) end: usize,
    /// First byte of the next line.
    pub(super) next: usize,
}

impl Line {
    /// The line's text.
    pub(super) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Its bytes.
    pub(super) fn span(&self) -> ByteSpan {
        ByteSpan::new(self.start, self.end)
    }
}

/// The lines of a text from a byte on.
pub(super) fn lines(text: &str, from: usize) -> Vec<Line> {
    let mut out = Vec::new();
    let mut start = from;
    while start < text.len() {
        let next = memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |at| start + at + 1);
        let mut end = next;
        if text.as_bytes()[start..end].ends_with(b"\n") {
            end -= 1;
        }
        if text.as_bytes()[start..end].ends_with(b"\r") {
            end -= 1;
        }
        out.push(Line { start, end, next });
        start = next;
    }
    out
}

/// The span without blanks at either end.
pub(super) fn trimmed(text: &str, span: ByteSpan) -> ByteSpan {
    let part = span.of(text);
    let kept = part.trim();
    let start = span.start + (part.len() - part.trim_start().len());
    if kept.is_empty() { ByteSpan::new(span.start, span.start) } else { ByteSpan::new(start, start + kept.len()) }
}

/// Width of a line's indent in columns; a tab reaches the next multiple of `tab`.
pub(super) fn indent(line: &str, tab: usize) -> usize {
    let mut column = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += tab - column % tab,
            _ => break,
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_lines_of_both_kinds() {
        let text = "a\r\n\nb";
        let parts: Vec<&str> = lines(text, 0).iter().map(|l| l.of(text)).collect();
        assert_eq!(parts, ["a", "", "b"]);
        assert!(lines("", 0).is_empty());
    }

    #[test]
    fn measures_indents() {
        assert_eq!((indent("  x", 8), indent(" \tx", 8), indent("\t", 4)), (2, 8, 4));
    }
}
