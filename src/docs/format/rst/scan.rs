//! Blocks of reStructuredText, line by line. Nesting is a stack of bodies that end by indent; nothing recurses.

use super::super::lines::{self, Line};
use super::super::outline::Outline;
use super::inline::{self, Targets};
use super::syntax::{self, TAB};
use crate::model::{ByteSpan, Mark, MarkKind, Region, RegionKind};

/// The regions of a text from `body_start` on.
pub(super) fn regions(text: &str, body_start: usize) -> Vec<Region> {
    let lines = lines::lines(text, body_start);
    let indents = lines
        .iter()
        .map(|line| {
            let content = line.of(text);
            if content.trim().is_empty() { usize::MAX } else { lines::indent(content, TAB) }
        })
        .collect();
    let targets = targets(text, &lines);
    let mut scan = Scan {
        text,
        lines,
        indents,
        targets,
        outline: Outline::new(text),
        bodies: Vec::new(),
        adornments: Vec::new(),
        highlight: String::new(),
        row: 0,
        resume: None,
    };
    scan.run();
    scan.outline.finish()
}

/// State of the scanner; directives and tables use it too.
pub(super) struct Scan<'t> {
    pub(super) text: &'t str,
    pub(super) lines: Vec<Line>,
    /// Indent of each line in columns; `usize::MAX` for a blank line.
    pub(super) indents: Vec<usize>,
    pub(super) targets: Targets,
    pub(super) outline: Outline<'t>,
    /// Open bodies: each ends at a line that is indented no more than this.
    bodies: Vec<usize>,
    /// Title adornments by order of appearance: character, and whether there is an overline.
    adornments: Vec<(u8, bool)>,
    /// Default language of literal blocks.
    pub(super) highlight: String,
    pub(super) row: usize,
    /// Byte and column in the current line where the next block begins, if it is not the line's first character.
    resume: Option<(usize, usize)>,
}

/// One block's first line.
#[derive(Clone, Copy)]
pub(super) struct At<'t> {
    /// First byte.
    pub(super) start: usize,
    /// Column of the first byte.
    pub(super) column: usize,
    /// The line from there on.
    pub(super) rest: &'t str,
}

impl<'t> Scan<'t> {
    fn run(&mut self) {
        while self.row < self.lines.len() {
            let line = self.lines[self.row];
            let content = line.of(self.text);
            let (start, column) = self
                .resume
                .take()
                .unwrap_or_else(|| (line.start + (content.len() - content.trim_start().len()), lines::indent(content, TAB)));
            let rest = self.text.get(start..line.end).unwrap_or("").trim_end();
            if rest.is_empty() {
                self.row += 1;
                continue;
            }
            self.close_bodies(column);
            self.block(At { start, column, rest });
        }
    }

    fn close_bodies(&mut self, column: usize) {
        while self.bodies.last().is_some_and(|outer| column <= *outer) {
            self.bodies.pop();
            self.outline.leave();
        }
    }

    /// Makes a region stand above what follows with more indent than `outer`.
    pub(super) fn enter(&mut self, region: Option<usize>, outer: usize) {
        self.outline.enter(region);
        self.bodies.push(outer);
    }

    fn block(&mut self, at: At<'t>) {
        if let Some(after) = at.rest.strip_prefix("..").filter(|after| after.is_empty() || after.starts_with([' ', '\t'])) {
            return self.explicit(at, after);
        }
        if at.rest == ">>>" || at.rest.starts_with(">>> ") {
            return self.doctest(at);
        }
        if at.column == 0 && (self.overlined_title(at) || self.title(at)) {
            return;
        }
        if syntax::adornment(at.rest).is_some() && at.rest.len() >= 4 && self.is_blank(self.row + 1) {
            self.row += 1;
            return;
        }
        if syntax::is_grid_border(at.rest) && self.grid_table(at) {
            return;
        }
        if syntax::is_simple_border(at.rest) && self.simple_table(at) {
            return;
        }
        if let Some(marker) = self.marker(at) {
            return self.item(at, marker);
        }
        if let Some(rest) = at.rest.strip_prefix("__ ") {
            let end = self.paragraph_end(at.column);
            let span = self.span_to(at.start, end);
            let target = inline::written(rest);
            self.outline.push(RegionKind::Paragraph, span, vec![Mark { kind: MarkKind::Link { target }, span }]);
            self.row = end;
            return;
        }
        if self.indent(self.row + 1) > at.column && !self.is_blank(self.row + 1) && !at.rest.ends_with("::") {
            return self.term(at);
        }
        self.paragraph(at);
    }

    /// Bytes of a list marker with the blanks after it, and of what in it is code.
    fn marker(&self, at: At<'t>) -> Option<(usize, usize)> {
        if let Some(length) = syntax::bullet(at.rest) {
            return Some((length, 0));
        }
        if let Some(length) = syntax::enumerator(at.rest) {
            // "A. Miller wrote" in running text is no list: the next line tells.
            let next = self.row + 1;
            let fits = self.is_blank(next)
                || self.indent(next) != at.column
                || syntax::enumerator(self.line(next).trim_start()).is_some()
                || !at.rest.starts_with(|c: char| c.is_ascii_alphabetic());
            return fits.then_some((length, 0));
        }
        if let Some(length) = syntax::field(at.rest) {
            let blanks = at.rest[length..].len() - at.rest[length..].trim_start().len();
            return Some((length + blanks, 0));
        }
        let (options, length) = syntax::option(at.rest)?;
        let described = length < at.rest.len() || (!self.is_blank(self.row + 1) && self.indent(self.row + 1) > at.column);
        described.then_some((length, options))
    }

    /// A list item of any kind: its marker and first text, then its body.
    fn item(&mut self, at: At<'t>, (marker, code): (usize, usize)) {
        let start = at.start + marker.min(at.rest.len());
        let rest = self.text.get(start..at.start + at.rest.len()).unwrap_or("");
        let mut marks = Vec::new();
        if code > 0 {
            marks.push(Mark { kind: MarkKind::Code, span: ByteSpan::new(at.start, at.start + code) });
        }
        let column = at.column + self.text.get(at.start..start).map_or(0, |marker| marker.chars().count());
        let inner = At { start, column, rest };
        if rest.is_empty() || begins_block(inner) {
            let region = self.outline.push(RegionKind::ListItem, ByteSpan::new(at.start, start), marks);
            self.enter(region, at.column);
            if rest.is_empty() {
                self.row += 1;
            } else {
                self.resume = Some((start, column));
            }
            return;
        }
        let mut end = self.paragraph_end(at.column + 1);
        // A deeper bullet ends the text even where the blank line before it was forgotten.
        let is_deeper = |row: &usize| self.indent(*row) > column && syntax::bullet(self.line(*row).trim()).is_some_and(|n| n > 1);
        if let Some(row) = (self.row + 1..end).find(is_deeper) {
            end = row;
        }
        let text_span = self.span_to(start, end);
        marks.extend(inline::marks(self.text, text_span, &self.targets));
        let region = self.outline.push(RegionKind::ListItem, self.span_to(at.start, end), marks);
        self.enter(region, at.column);
        let literal = text_span.of(self.text).ends_with("::");
        self.row = end;
        if literal {
            // The text's own column decides what is literal.
            self.literal(column.min(self.indent_of_rows(end).unwrap_or(column)));
        }
    }

    /// A definition list's term.
    fn term(&mut self, at: At<'t>) {
        let span = ByteSpan::new(at.start, at.start + at.rest.len());
        let marks = inline::marks(self.text, span, &self.targets);
        let region = self.outline.push(RegionKind::ListItem, span, marks);
        self.enter(region, at.column);
        self.row += 1;
    }

    fn paragraph(&mut self, at: At<'t>) {
        let end = if at.rest.ends_with("::") && self.indent(self.row + 1) > at.column {
            self.row + 1
        } else {
            let end = self.paragraph_end(at.column);
            // A list right below "such as:" is one even where the blank line was forgotten.
            let is_list = |row: &usize| {
                syntax::bullet(self.line(*row).trim()).is_some_and(|n| n > 1) && self.line(*row - 1).trim_end().ends_with(':')
            };
            (self.row + 1..end).find(is_list).unwrap_or(end)
        };
        let span = self.span_to(at.start, end);
        let words = span.of(self.text);
        let literal = words.ends_with("::");
        if words != "::" {
            let marks = inline::marks(self.text, span, &self.targets);
            self.outline.push(RegionKind::Paragraph, span, marks);
        }
        self.row = end;
        if literal {
            self.literal(at.column);
        }
    }

    /// The literal block after `::`: what is indented more than `column`, or quoted lines at that column.
    fn literal(&mut self, column: usize) {
        let mut first = self.row;
        while first < self.lines.len() && self.is_blank(first) {
            first += 1;
        }
        if first >= self.lines.len() {
            return;
        }
        let end = if self.indent(first) > column {
            self.body_end(first, column)
        } else {
            let quote = self.line(first).trim_start().chars().next().filter(char::is_ascii_punctuation);
            let Some(quote) = quote.filter(|_| first > self.row && self.indent(first) == column) else { return };
            let mut end = first;
            while end < self.lines.len() && self.line(end).trim_start().starts_with(quote) {
                end += 1;
            }
            end
        };
        let content = self.rows_span(first, end);
        let kind = RegionKind::CodeBlock { lang: self.highlight.clone(), meta: String::new(), content };
        self.outline.push(kind, content, Vec::new());
        self.row = end;
    }

    fn doctest(&mut self, at: At<'t>) {
        let mut end = self.row;
        while end < self.lines.len() && !self.is_blank(end) && (end == self.row || self.indent(end) >= at.column) {
            end += 1;
        }
        let content = ByteSpan::new(at.start, self.lines[end - 1].end);
        let kind = RegionKind::CodeBlock { lang: "pycon".to_owned(), meta: String::new(), content };
        self.outline.push(kind, content, Vec::new());
        self.row = end;
    }

    fn overlined_title(&mut self, at: At<'t>) -> bool {
        let Some(character) = syntax::adornment(at.rest) else { return false };
        let title = self.line(self.row + 1).trim_end();
        let under = self.line(self.row + 2).trim_end();
        let fits = !title.trim().is_empty()
            && syntax::adornment(title).is_none()
            && syntax::adornment(under) == Some(character)
            && at.rest.len() >= 3
            && under.len() >= 3;
        if fits {
            self.heading((character, true), 3);
        }
        fits
    }

    fn title(&mut self, at: At<'t>) -> bool {
        let under = self.line(self.row + 1);
        let fits = !under.is_empty() && syntax::adornment(at.rest).is_none() && syntax::underlines(at.rest, under);
        if fits && let Some(character) = syntax::adornment(under) {
            self.heading((character, false), 2);
        }
        fits
    }

    fn heading(&mut self, style: (u8, bool), rows: usize) {
        let level = self.adornments.iter().position(|known| *known == style).unwrap_or_else(|| {
            self.adornments.push(style);
            self.adornments.len() - 1
        });
        let span = self.rows_span(self.row, self.row + rows);
        let words = self.lines[self.row + rows - 2].span();
        let marks = inline::marks(self.text, words, &self.targets);
        self.outline.heading(u8::try_from(level + 1).unwrap_or(6), span, marks);
        self.row += rows;
    }

    /// What begins with `..`.
    fn explicit(&mut self, at: At<'t>, after: &'t str) {
        let rest = after.trim_start();
        let end = self.body_end(self.row + 1, at.column);
        if rest.is_empty() {
            // `..` alone takes the block below it, unless a blank line follows.
            self.row = if self.is_blank(self.row + 1) { self.row + 1 } else { end };
            return;
        }
        if rest.starts_with('|') {
            self.row = end;
            return;
        }
        if rest.starts_with('[')
            && let Some(close) = rest.find(']')
        {
            let words = rest[close + 1..].trim_start();
            let start = at.start + at.rest.len() - words.len();
            let last = self.paragraph_end(at.column + 1);
            let span = self.span_to(start, last);
            let marks = inline::marks(self.text, span, &self.targets);
            self.outline.push(RegionKind::Paragraph, span, marks);
            self.row = last;
            return;
        }
        if let Some((name, first)) = syntax::target(rest) {
            let last = self.paragraph_end(at.column + 1);
            let text = self.text.get(at.start + at.rest.len() - first.len()..self.lines[last - 1].end).unwrap_or("");
            let target = inline::written(text);
            if !target.is_empty() && !target.ends_with('_') {
                let span = self.span_to(at.start, last);
                self.outline.push(RegionKind::Paragraph, span, vec![Mark { kind: MarkKind::Link { target }, span }]);
            }
            self.row = if name.is_empty() || first.trim().is_empty() { self.row + 1 } else { last };
            return;
        }
        match syntax::directive(rest) {
            Some((name, _, argument)) => self.directive(at, name, argument),
            None => self.row = end,
        }
    }

    // What the blocks share.

    /// A line's text; empty past the end.
    pub(super) fn line(&self, row: usize) -> &'t str {
        self.lines.get(row).map_or("", |line| line.of(self.text))
    }

    /// Whether a line is blank or past the end.
    pub(super) fn is_blank(&self, row: usize) -> bool {
        self.indents.get(row).is_none_or(|indent| *indent == usize::MAX)
    }

    /// Indent of a line; 0 where it is blank or past the end.
    pub(super) fn indent(&self, row: usize) -> usize {
        self.indents.get(row).copied().filter(|indent| *indent != usize::MAX).unwrap_or(0)
    }

    /// One past the last line of a paragraph that begins in the current line, its lines indented by at least `least`.
    pub(super) fn paragraph_end(&self, least: usize) -> usize {
        let mut end = self.row + 1;
        while end < self.lines.len() && !self.is_blank(end) && self.indent(end) >= least {
            end += 1;
        }
        end
    }

    /// One past the last line from `first` on that is indented more than `outer`; blank lines at the end are left out.
    pub(super) fn body_end(&self, first: usize, outer: usize) -> usize {
        let mut end = first;
        let mut row = first;
        while row < self.lines.len() && (self.is_blank(row) || self.indent(row) > outer) {
            row += 1;
            if !self.is_blank(row - 1) {
                end = row;
            }
        }
        end
    }

    /// From a byte to the end of the line before `end`.
    pub(super) fn span_to(&self, start: usize, end: usize) -> ByteSpan {
        let last = end.checked_sub(1).and_then(|row| self.lines.get(row)).map_or(start, |line| line.end);
        lines::trimmed(self.text, ByteSpan::new(start, last))
    }

    /// Whole lines, without the last line break.
    pub(super) fn rows_span(&self, first: usize, end: usize) -> ByteSpan {
        let last = end.checked_sub(1).and_then(|row| self.lines.get(row));
        match (self.lines.get(first), last) {
            (Some(a), Some(b)) => ByteSpan::new(a.start, b.end),
            _ => ByteSpan::new(self.text.len(), self.text.len()),
        }
    }

    /// Indent of the last line before a row, where the line is not the one a marker stands in.
    fn indent_of_rows(&self, end: usize) -> Option<usize> {
        (end > self.row + 1).then(|| self.indent(end - 1))
    }
}

/// Whether what follows a marker is a construct of its own and no running text.
fn begins_block(at: At<'_>) -> bool {
    at.rest.starts_with(".. ")
        || at.rest.starts_with(">>> ")
        || at.rest == "::"
        || syntax::is_grid_border(at.rest)
        || syntax::bullet(at.rest).is_some()
        || syntax::field(at.rest).is_some()
        || (syntax::enumerator(at.rest).is_some() && at.rest.starts_with(|c: char| c.is_ascii_digit() || c == '#'))
}

/// The explicit targets that point somewhere, by normalised name.
fn targets(text: &str, lines: &[Line]) -> Targets {
    let mut out = Targets::new();
    let mut indirect = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let content = line.of(text);
        let Some(rest) = content.trim_start().strip_prefix(".. ") else { continue };
        let Some((name, first)) = syntax::target(rest.trim_start()) else { continue };
        let indent = lines::indent(content, TAB);
        let mut written = first.to_owned();
        for below in lines[row + 1..].iter().take(8) {
            let more = below.of(text);
            if first.trim().is_empty() || more.trim().is_empty() || lines::indent(more, TAB) <= indent {
                break;
            }
            written.push_str(more);
        }
        let target = inline::written(&written);
        match target.strip_suffix('_') {
            Some(other) => indirect.push((syntax::normalized(name), syntax::normalized(other))),
            None if !target.is_empty() => {
                out.entry(syntax::normalized(name)).or_insert(target);
            }
            None => {}
        }
    }
    for (name, other) in indirect {
        if let Some(target) = out.get(&other).cloned() {
            out.entry(name).or_insert(target);
        }
    }
    out
}
