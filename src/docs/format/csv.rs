//! Comma-separated tables with the place of every cell.

use super::lines;
use crate::model::ByteSpan;

/// Most cells of one row.
const MAX_COLUMNS: usize = 256;

/// Rows of comma-separated text with their cells; quotes are left out of the cells.
pub(super) fn rows(text: &str, span: ByteSpan, delimiter: u8) -> Vec<(ByteSpan, Vec<ByteSpan>)> {
    let mut out = Vec::new();
    let mut cells = Vec::new();
    let (mut row, mut cell) = (span.start, span.start);
    let mut quoted = false;
    for (at, byte) in (span.start..).zip(span.of(text).bytes().chain(std::iter::once(b'\n'))) {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if at == span.end || !quoted => {
                cells.push(unquoted(text, ByteSpan::new(cell, at)));
                let line = lines::trimmed(text, ByteSpan::new(row, at));
                let done = std::mem::take(&mut cells);
                if !line.is_empty() && done.len() <= MAX_COLUMNS {
                    out.push((line, done));
                }
                (row, cell) = (at + 1, at + 1);
            }
            _ if byte == delimiter && !quoted => {
                cells.push(unquoted(text, ByteSpan::new(cell, at)));
                cell = at + 1;
            }
            _ => {}
        }
    }
    out
}

fn unquoted(text: &str, span: ByteSpan) -> ByteSpan {
    let span = lines::trimmed(text, span);
    let part = span.of(text);
    if part.len() >= 2 && part.starts_with('"') && part.ends_with('"') {
        return lines::trimmed(text, ByteSpan::new(span.start + 1, span.end - 1));
    }
    span
}
