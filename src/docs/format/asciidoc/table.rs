//! Tables of `AsciiDoc`: cells in the order they stand in, cut into rows by the number of columns.

use super::super::{csv, lines};
use super::inline;
use super::scan::Scan;
use crate::model::{ByteSpan, RegionKind};

/// Most columns, and most repetitions of one cell.
const MAX_COLUMNS: usize = 256;

/// One cell.
struct Cell {
    /// Where its specification or bar begins.
    start: usize,
    content: ByteSpan,
    /// How many columns it takes.
    width: usize,
    /// How often it stands there.
    times: usize,
}

impl Scan<'_> {
    /// The table between the delimiter in the current line and the line `end`.
    pub(super) fn table(&mut self, delimiter: &str, end: usize) {
        let attributes = std::mem::take(&mut self.attributes);
        let first = self.row + 1;
        let end = end.min(self.lines.len());
        if first >= end {
            return;
        }
        let body = self.rows(first, end);
        let separator = match (delimiter.as_bytes().first(), attributes.format.as_str()) {
            (Some(b','), _) | (_, "csv") => Some(b','),
            (Some(b':'), _) | (_, "dsv") => Some(b':'),
            (_, "tsv") => Some(b'\t'),
            _ => None,
        };
        // Without a word on it, a first row that a blank line follows is the header.
        let has_header = attributes
            .header
            .unwrap_or_else(|| first + 1 < end && !self.line(first).trim().is_empty() && self.line(first + 1).trim().is_empty());
        let rows = if let Some(separator) = separator {
            csv::rows(self.text, body, separator)
        } else {
            let cells = self.cells(first, end);
            let first_line = self.lines[first..end].iter().find(|line| !line.of(self.text).trim().is_empty());
            let limit = first_line.map_or(0, |line| line.next);
            let on_first_line = || cells.iter().take_while(|c| c.start < limit).map(|c| c.width * c.times).sum();
            let columns = attributes.cols.as_deref().map_or_else(on_first_line, column_count).clamp(1, MAX_COLUMNS);
            cut(self.text, &cells, columns)
        };
        let mut header = None;
        for (index, (span, cells)) in rows.into_iter().enumerate() {
            let marks = cells.iter().flat_map(|cell| inline::marks(self.text, *cell)).collect();
            if index == 0 && has_header {
                header = self.outline.push(RegionKind::TableHeader { cells }, span, marks);
            } else {
                self.outline.push(RegionKind::TableRow { header, cells }, span, marks);
            }
        }
    }

    /// The cells in order.
    fn cells(&self, first: usize, end: usize) -> Vec<Cell> {
        let mut out: Vec<Cell> = Vec::new();
        for row in first..end {
            let line = self.lines[row];
            let content = line.of(self.text);
            if content.starts_with("//") && !content.starts_with("///") {
                continue;
            }
            for bar in memchr::memchr_iter(b'|', content.as_bytes()) {
                if content[..bar].ends_with('\\') {
                    continue;
                }
                let (spec, width, times) = specification(&content[..bar]);
                let start = line.start + bar - spec;
                if let Some(previous) = out.last_mut() {
                    previous.content.end = start.max(previous.content.start);
                }
                out.push(Cell { start, content: ByteSpan::new(line.start + bar + 1, line.end), width, times });
            }
            if let Some(last) = out.last_mut() {
                last.content.end = line.end.max(last.content.start);
            }
        }
        for cell in &mut out {
            cell.content = lines::trimmed(self.text, cell.content);
        }
        out
    }
}

/// Cuts cells into rows with their spans.
fn cut(text: &str, cells: &[Cell], columns: usize) -> Vec<(ByteSpan, Vec<ByteSpan>)> {
    let mut out = Vec::new();
    let mut row: Vec<ByteSpan> = Vec::new();
    let mut filled = 0;
    let mut start = None;
    for cell in cells {
        for _ in 0..cell.times {
            start.get_or_insert(cell.start);
            row.push(cell.content);
            filled += cell.width;
            if filled >= columns {
                let from = start.take().unwrap_or(cell.start);
                let to = row.iter().map(|c| c.end).max().unwrap_or(from).max(from + 1);
                out.push((lines::trimmed(text, ByteSpan::new(from, to)), std::mem::take(&mut row)));
                filled = 0;
            }
        }
    }
    if let (Some(from), Some(to)) = (start, row.iter().map(|c| c.end).max()) {
        out.push((lines::trimmed(text, ByteSpan::new(from, to.max(from + 1))), row));
    }
    out
}

/// Bytes of the specification right before a bar (`2+^.>s`, `3*`), and the columns and times it says.
fn specification(before: &str) -> (usize, usize, usize) {
    let length = before
        .bytes()
        .rev()
        .take(16)
        .take_while(|b| {
            b.is_ascii_digit()
                || matches!(b, b'.' | b'+' | b'*' | b'<' | b'>' | b'^' | b'a' | b'd' | b'e' | b'h' | b'l' | b'm' | b's' | b'v')
        })
        .count();
    let spec = &before[before.len() - length..];
    let outside = &before[..before.len() - length];
    if !(outside.is_empty() || outside.ends_with([' ', '\t'])) || spec.is_empty() || !is_specification(spec) {
        return (0, 1, 1);
    }
    let (mut width, mut times) = (1, 1);
    if let Some(factor) = spec.find(['+', '*']) {
        let number = spec[..factor].split('.').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).clamp(1, MAX_COLUMNS);
        if spec.as_bytes()[factor] == b'+' { width = number } else { times = number }
    }
    (length, width, times)
}

/// Factor, alignment and style in this order.
fn is_specification(spec: &str) -> bool {
    let rest = match spec.find(['+', '*']) {
        Some(factor) if spec[..factor].bytes().all(|b| b.is_ascii_digit() || b == b'.') && factor > 0 => &spec[factor + 1..],
        Some(_) => return false,
        None => spec,
    };
    let style = rest.trim_start_matches(['<', '>', '^', '.']);
    style.len() <= 1 && style.bytes().all(|b| b"adehlmsv".contains(&b))
}

/// How many columns `cols` speaks of: `1,2`, `3*`, `2*,1`.
fn column_count(cols: &str) -> usize {
    let parts = cols.split([',', ';']);
    parts.map(|part| part.trim().split_once('*').and_then(|(n, _)| n.parse::<usize>().ok()).unwrap_or(1).min(MAX_COLUMNS)).sum()
}
