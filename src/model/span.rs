//! Positions: half-open byte spans, and 1-based lines, built in one place only.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// A half-open range of UTF-8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ByteSpan {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl ByteSpan {
    /// A span; an end before the start is taken as empty.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Whether `other` lies wholly inside.
    pub fn contains(&self, other: ByteSpan) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a byte.
    pub fn overlaps(&self, other: ByteSpan) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The text under the span; empty where it is out of bounds or cuts a character.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there is no byte in it.
    pub fn is_empty(&self) -> bool {
        self.end == self.start
    }
}

/// A 1-based line number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineNumber(NonZeroU32);

impl LineNumber {
    /// From a 0-based row.
    pub fn from_row(row: usize) -> Self {
        let n = u32::try_from(row).unwrap_or(u32::MAX - 1).saturating_add(1);
        Self(NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN))
    }

    /// The number, 1 or more.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

/// First and last line, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineSpan {
    /// First line.
    pub start: LineNumber,
    /// Last line, never before the first.
    pub end: LineNumber,
}

/// Where each line of a text begins. `\n` ends a line; a `\r` before it belongs to the line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Reads the line starts of a text.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        Self { starts, len: text.len() }
    }

    /// The line of a byte offset.
    pub fn line(&self, offset: usize) -> LineNumber {
        LineNumber::from_row(self.starts.partition_point(|&s| s <= offset).saturating_sub(1))
    }

    /// The lines of a span; an empty span lies on one line, and a span that ends with a line feed ends on that line.
    pub fn lines(&self, span: ByteSpan) -> LineSpan {
        let start = self.line(span.start);
        let end = self.line(span.end.saturating_sub(1).max(span.start));
        LineSpan { start, end }
    }

    /// The bytes of a line, without its line feed.
    pub fn span_of(&self, line: LineNumber) -> ByteSpan {
        let row = line.get() as usize - 1;
        let start = self.starts.get(row).copied().unwrap_or(self.len);
        let end = self.starts.get(row + 1).map_or(self.len, |next| next - 1);
        ByteSpan::new(start, end)
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The 0-based byte column of an offset in its line.
    pub fn column(&self, offset: usize) -> usize {
        offset - self.span_of(self.line(offset)).start.min(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_lines() {
        let text = "a\nbb\r\n\nc";
        let index = LineIndex::new(text);
        let line = |at| index.line(at).get();
        assert_eq!((line(0), line(1), line(2), line(6), line(7)), (1, 1, 2, 3, 4));
        assert_eq!(index.span_of(LineNumber::from_row(1)).of(text), "bb\r");
        assert_eq!(index.span_of(LineNumber::from_row(3)).of(text), "c");
        let whole = index.lines(ByteSpan::new(0, 2));
        assert_eq!((whole.start.get(), whole.end.get()), (1, 1));
    }
}
