//! Tables of reStructuredText: grid, simple, `list-table`, `csv-table`.

use unicode_width::UnicodeWidthChar;

use super::super::{csv, lines};
use super::inline;
use super::scan::{At, Scan};
use super::syntax;
use crate::model::{ByteSpan, Mark, RegionKind};

/// Most columns that are told apart.
const MAX_COLUMNS: usize = 256;

impl<'t> Scan<'t> {
    /// Adds a row; `parts` are the pieces of text in it that carry markup.
    fn row_region(&mut self, span: ByteSpan, cells: Vec<ByteSpan>, parts: &[ByteSpan], head: Head) -> Option<usize> {
        let marks: Vec<Mark> = parts.iter().flat_map(|part| inline::marks(self.text, *part, &self.targets)).collect();
        let kind = match head {
            Head::Header => RegionKind::TableHeader { cells },
            Head::Row(header) => RegionKind::TableRow { header, cells },
        };
        self.outline.push(kind, span, marks)
    }

    /// A grid table; `false` where there is none after all.
    pub(super) fn grid_table(&mut self, at: At<'t>) -> bool {
        let first = self.row;
        let mut end = first + 1;
        while !self.is_blank(end) && self.line(end).trim_start().starts_with(['+', '|']) {
            end += 1;
        }
        let columns: Vec<usize> =
            at.rest.bytes().enumerate().filter(|(_, b)| *b == b'+').map(|(i, _)| at.column + i).take(MAX_COLUMNS).collect();
        if columns.len() < 2 || end - first < 3 {
            return false;
        }
        let separator = (first..end).find(|row| is_border(self.line(*row)) && self.line(*row).contains('='));
        let mut header = None;
        let mut start = first + 1;
        for row in first + 1..end {
            if !is_border(self.line(row)) {
                continue;
            }
            if start < row {
                let is_head = separator.is_some_and(|s| row <= s);
                let region = self.grid_row(start, row, &columns, if is_head { Head::Header } else { Head::Row(header) });
                if is_head {
                    header = region.or(header);
                }
            }
            start = row + 1;
        }
        self.row = end;
        true
    }

    fn grid_row(&mut self, first: usize, end: usize, columns: &[usize], head: Head) -> Option<usize> {
        let mut grid = Vec::new();
        for row in first..end {
            let line = self.lines[row];
            let places = bytes_of_columns(line.of(self.text), columns);
            let content = line.of(self.text).as_bytes();
            let mut cells = vec![ByteSpan::new(line.start, line.start); columns.len() - 1];
            let mut open = 0;
            for column in 1..columns.len() {
                // A bar that is missing joins two columns.
                let place = places[column];
                if column + 1 < columns.len() && !content.get(place).is_some_and(|b| matches!(b, b'|' | b'+')) {
                    continue;
                }
                let span = ByteSpan::new(line.start + (places[open] + 1).min(place), line.start + place);
                cells[open] = lines::trimmed(self.text, span);
                open = column;
            }
            grid.push(cells);
        }
        let span = self.rows_span(first, end);
        self.joined_row(span, &grid, head)
    }

    /// A simple table; `false` where there is none after all.
    pub(super) fn simple_table(&mut self, at: At<'t>) -> bool {
        let first = self.row;
        let mut borders = vec![first];
        let mut row = first + 1;
        let mut end = None;
        while row < self.lines.len() {
            if syntax::is_simple_border(self.line(row)) {
                borders.push(row);
                if self.is_blank(row + 1) || borders.len() == 3 {
                    end = Some(row + 1);
                    break;
                }
            } else if !self.is_blank(row) && self.indent(row) < at.column {
                break;
            }
            row += 1;
        }
        let Some(end) = end else { return false };
        let starts = column_starts(at);
        let head_end = if borders.len() >= 3 { borders[1] } else { first };
        let mut header = None;
        let mut group: Option<(usize, usize)> = None;
        for row in first + 1..=end {
            let content = self.line(row);
            let is_rule = row + 1 >= end
                || syntax::is_simple_border(content)
                || (content.trim_start().starts_with("--") && content.trim().bytes().all(|b| matches!(b, b'-' | b' ')));
            let continues = group.is_some()
                && !is_rule
                && (self.is_blank(row) || self.simple_cells(row, &starts).first().is_some_and(ByteSpan::is_empty));
            if continues {
                if let Some((_, last)) = &mut group
                    && !self.is_blank(row)
                {
                    *last = row + 1;
                }
                continue;
            }
            if let Some((from, to)) = group.take() {
                let is_head = from < head_end;
                let grid: Vec<Vec<ByteSpan>> = (from..to).map(|r| self.simple_cells(r, &starts)).collect();
                let span = self.rows_span(from, to);
                let region = self.joined_row(span, &grid, if is_head { Head::Header } else { Head::Row(header) });
                if is_head {
                    header = region.or(header);
                }
            }
            if !is_rule && !self.is_blank(row) {
                group = Some((row, row + 1));
            }
        }
        self.row = end;
        true
    }

    /// The cells of one line of a simple table; the last reaches to the end of the line.
    fn simple_cells(&self, row: usize, starts: &[usize]) -> Vec<ByteSpan> {
        let Some(line) = self.lines.get(row) else { return Vec::new() };
        let content = line.of(self.text);
        let mut places = bytes_of_columns(content, starts);
        for place in places.iter_mut().skip(1) {
            // Text that runs over its column's end moves the next cell.
            let blank = |at: usize| content.as_bytes().get(at).is_none_or(u8::is_ascii_whitespace);
            if !blank(*place) && !blank(*place - 1) {
                *place = content[*place..].find([' ', '\t']).map_or(content.len(), |at| *place + at);
            }
        }
        for i in 1..places.len() {
            places[i] = places[i].max(places[i - 1]);
        }
        (0..starts.len())
            .map(|i| {
                let end = places.get(i + 1).copied().unwrap_or(content.len());
                lines::trimmed(self.text, ByteSpan::new(line.start + places[i], line.start + end))
            })
            .collect()
    }

    /// A row of one or more lines. A cell reaches over several lines only where it is the only one to go on.
    fn joined_row(&mut self, span: ByteSpan, grid: &[Vec<ByteSpan>], head: Head) -> Option<usize> {
        let mut cells = grid.first()?.clone();
        for line in grid.iter().skip(1) {
            let mut filled = line.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
            if let (Some((column, cell)), None) = (filled.next(), filled.next())
                && let Some(above) = cells.get_mut(column)
            {
                *above = if above.is_empty() { *cell } else { ByteSpan::new(above.start, cell.end) };
            }
        }
        let parts: Vec<ByteSpan> = grid.iter().flatten().copied().collect();
        self.row_region(span, cells, &parts, head)
    }

    /// The body of a `list-table`: a list of lists.
    pub(super) fn list_table(&mut self, first: usize, end: usize, header_rows: usize) {
        let mut header = None;
        let mut count = 0;
        let mut row = first;
        while row < end {
            let Some(cells_column) = self.row_start(row) else {
                row += 1;
                continue;
            };
            let outer = self.indent(row);
            let mut cells: Vec<ByteSpan> = Vec::new();
            let start = self.lines[row].start + self.offset_of_column(row, outer);
            let mut open = Some(self.lines[row].start + self.offset_of_column(row, cells_column) + 1);
            let mut last = row + 1;
            for next in row + 1..=end {
                let is_cell =
                    next < end && self.indent(next) == cells_column && syntax::bullet(self.line(next).trim_start()).is_some();
                let is_row = next >= end || (!self.is_blank(next) && self.indent(next) <= outer);
                if (is_cell || is_row)
                    && let Some(from) = open.take()
                {
                    cells.push(self.span_to(from, last));
                }
                if is_row {
                    row = next;
                    break;
                }
                if is_cell {
                    open = Some(self.lines[next].start + self.offset_of_column(next, cells_column) + 1);
                }
                if !self.is_blank(next) {
                    last = next + 1;
                }
            }
            let span = self.span_to(start, last);
            let parts = cells.clone();
            let is_head = count < header_rows;
            let region = self.row_region(span, cells, &parts, if is_head { Head::Header } else { Head::Row(header) });
            if is_head {
                header = region.or(header);
            }
            count += 1;
            row = row.max(last);
        }
    }

    /// The column of the first cell's bullet where a line begins a row (`* - cell`).
    fn row_start(&self, row: usize) -> Option<usize> {
        let content = self.line(row);
        let rest = content.trim_start();
        let marker = syntax::bullet(rest)?;
        syntax::bullet(&rest[marker..])?;
        Some(self.indent(row) + rest[..marker].chars().count())
    }

    fn offset_of_column(&self, row: usize, column: usize) -> usize {
        bytes_of_columns(self.line(row), &[column])[0]
    }

    /// The body of a `csv-table`; `titles` is its `:header:`.
    pub(super) fn csv_table(
        &mut self,
        (first, end): (usize, usize),
        header_rows: usize,
        titles: Option<ByteSpan>,
        delimiter: &str,
    ) {
        let delimiter = match delimiter {
            "tab" => b'\t',
            "space" => b' ',
            other => other.bytes().next().unwrap_or(b','),
        };
        let mut header = None;
        if let Some(span) = titles.filter(|span| !span.is_empty()) {
            for (span, cells) in csv::rows(self.text, span, delimiter) {
                let parts = cells.clone();
                header = self.row_region(span, cells, &parts, Head::Header).or(header);
            }
        }
        if first >= end {
            return;
        }
        let body = self.rows_span(first, end);
        for (count, (span, cells)) in csv::rows(self.text, body, delimiter).into_iter().enumerate() {
            let parts = cells.clone();
            let is_head = count < header_rows;
            let region = self.row_region(span, cells, &parts, if is_head { Head::Header } else { Head::Row(header) });
            if is_head {
                header = region.or(header);
            }
        }
    }
}

/// What a row is.
#[derive(Clone, Copy)]
enum Head {
    Header,
    Row(Option<usize>),
}

/// Whether a line of a grid table separates rows, also where a cell reaches over it.
fn is_border(line: &str) -> bool {
    let line = line.trim();
    line.contains("+-") && (line.starts_with('+') || line.ends_with('+')) || syntax::is_grid_border(line)
}

/// First column of each column of a simple table.
fn column_starts(at: At<'_>) -> Vec<usize> {
    let bytes = at.rest.as_bytes();
    (0..bytes.len())
        .filter(|i| bytes[*i] == b'=' && (*i == 0 || bytes[i - 1] == b' '))
        .map(|i| at.column + i)
        .take(MAX_COLUMNS)
        .collect()
}

/// The byte of each column in a line, in order; the line's end where it is too short.
fn bytes_of_columns(line: &str, columns: &[usize]) -> Vec<usize> {
    let mut out = Vec::with_capacity(columns.len());
    let mut column = 0;
    for (at, c) in line.char_indices() {
        while out.len() < columns.len() && columns[out.len()] <= column {
            out.push(at);
        }
        column += if c == '\t' { syntax::TAB - column % syntax::TAB } else { c.width().unwrap_or(0) };
    }
    out.resize(columns.len(), line.len());
    out
}
