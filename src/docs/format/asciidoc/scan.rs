//! Blocks of `AsciiDoc`, line by line. Lists nest by their markers, which are kept on a stack; nothing recurses.

use super::super::html;
use super::super::lines::{self, Line};
use super::super::outline::Outline;
use super::inline;
use super::syntax::{self, Attributes, Delimiter};
use crate::model::{ByteSpan, Mark, MarkKind, Region, RegionKind};

/// Deepest nesting of blocks that is followed.
const MAX_BLOCKS: usize = 64;

/// The regions of a text from `body_start` on.
pub(super) fn regions(text: &str, body_start: usize) -> Vec<Region> {
    let mut scan = Scan {
        text,
        lines: lines::lines(text, body_start),
        outline: Outline::new(text),
        row: 0,
        markers: Vec::new(),
        blocks: Vec::new(),
        attributes: Attributes::default(),
        attached: false,
        blanks: 0,
        source_language: String::new(),
        in_header: false,
    };
    scan.run();
    scan.outline.finish()
}

/// State of the scanner; tables use it too.
pub(super) struct Scan<'t> {
    pub(super) text: &'t str,
    pub(super) lines: Vec<Line>,
    pub(super) outline: Outline<'t>,
    pub(super) row: usize,
    /// Marker of each open list item, outermost first.
    markers: Vec<String>,
    /// Open transparent blocks: delimiter, and how many items were open outside.
    blocks: Vec<(&'t str, usize)>,
    /// What the lines above say of the next block.
    pub(super) attributes: Attributes,
    /// Whether the next block belongs to the open item.
    attached: bool,
    /// Blank lines since the last block.
    blanks: usize,
    source_language: String,
    /// Whether the lines belong to the document's header, where attributes end running text.
    in_header: bool,
}

impl<'t> Scan<'t> {
    fn run(&mut self) {
        while self.row < self.lines.len() {
            let line = self.line(self.row);
            if line.trim().is_empty() {
                self.blanks += 1;
                self.in_header = false;
                self.row += 1;
                continue;
            }
            self.block(line);
            self.blanks = 0;
        }
    }

    /// A line without blanks at its end; empty past the end.
    pub(super) fn line(&self, row: usize) -> &'t str {
        self.lines.get(row).map_or("", |line| line.of(self.text).trim_end())
    }

    fn block(&mut self, line: &'t str) {
        if line.starts_with("//") && syntax::delimiter(line) != Some(Delimiter::Comment) {
            self.row += 1;
            return;
        }
        if line == "+" {
            // Each blank line before it goes one item up.
            let keep = self.markers.len().saturating_sub(self.blanks).max(usize::from(!self.markers.is_empty()));
            self.close_items(keep.max(self.base()));
            self.attached = !self.markers.is_empty();
            self.row += 1;
            return;
        }
        if let Some(delimiter) = syntax::delimiter(line) {
            return self.delimited(line, delimiter);
        }
        if syntax::is_attribute_list(line) {
            self.attributes.read(&line[1..line.len() - 1]);
            self.row += 1;
            return;
        }
        if let Some((level, words)) = syntax::heading(line) {
            self.attributes = Attributes::default();
            self.close_items(0);
            let span = self.lines[self.row].span();
            let start = span.start + line.len() - words.len();
            let marks = inline::marks(self.text, ByteSpan::new(start, span.start + line.len()));
            self.outline.heading(level, span, marks);
            self.in_header = level == 1;
            self.row += 1;
            return;
        }
        if let Some(level) = syntax::underline(line, self.line(self.row + 1)).filter(|_| self.may_be_title(line)) {
            self.close_items(0);
            let span = ByteSpan::new(self.lines[self.row].start, self.lines[self.row + 1].end);
            let marks = inline::marks(self.text, self.lines[self.row].span());
            self.outline.heading(level, span, marks);
            self.row += 2;
            return;
        }
        if let Some((name, value)) = syntax::attribute(line) {
            return self.attribute_entry(name, value);
        }
        if let Some((name, target, _)) = syntax::block_macro(line) {
            return self.block_macro(line, name, target);
        }
        if matches!(line, "'''" | "<<<" | "---" | "***") {
            self.row += 1;
            return;
        }
        if let Some(title) = line.strip_prefix('.').filter(|t| !t.starts_with([' ', '.', '\t']) && !t.is_empty()) {
            self.make_room();
            let start = self.lines[self.row].start + line.len() - title.len();
            let span = ByteSpan::new(start, start + title.len());
            let marks = inline::marks(self.text, span);
            self.outline.push(RegionKind::Paragraph, self.lines[self.row].span(), marks);
            // A title belongs to the block below it.
            self.attached |= !self.markers.is_empty();
            self.row += 1;
            return;
        }
        let content = line.trim_start();
        if self.is_verbatim_style() {
            return self.verbatim_paragraph();
        }
        if let Some((marker, length)) = syntax::item(content) {
            return self.item(line, content, marker, length);
        }
        if let Some((marker, end, start)) = syntax::term(content) {
            return self.term(line, content, marker, (end, start));
        }
        if content.len() < line.len() && (self.blanks > 0 || self.row == 0) && !self.awaits_text() {
            return self.literal_paragraph();
        }
        self.paragraph();
    }

    /// Whether a line may be the first of a two-line heading.
    fn may_be_title(&self, line: &str) -> bool {
        let closes_block = self.blocks.last().is_some_and(|(open, _)| *open == self.line(self.row + 1));
        (self.blanks > 0 || self.row == 0) && !closes_block && syntax::item(line).is_none()
    }

    /// How many items are open outside of the innermost block.
    fn base(&self) -> usize {
        self.blocks.last().map_or(0, |(_, items)| *items)
    }

    fn close_items(&mut self, keep: usize) {
        while self.markers.len() > keep {
            self.markers.pop();
            self.outline.leave();
        }
    }

    /// Whether the open item is a term that has no text yet.
    fn awaits_text(&self) -> bool {
        self.markers.last().is_some_and(|marker| marker.ends_with('?'))
    }

    /// Ends the open items where the next block is not attached to them.
    pub(super) fn make_room(&mut self) {
        if self.awaits_text() {
            if let Some(marker) = self.markers.last_mut() {
                marker.pop();
            }
        } else if !self.attached {
            self.close_items(self.base());
        }
        self.attached = false;
    }

    fn is_verbatim_style(&self) -> bool {
        matches!(self.attributes.style.as_str(), "source" | "listing" | "literal" | "plantuml" | "mermaid" | "ditaa")
            || (self.attributes.style.is_empty() && !self.attributes.second.is_empty())
    }

    /// Language and meta of a listing, from its attributes.
    fn listing(&mut self) -> (String, String) {
        let attributes = std::mem::take(&mut self.attributes);
        let lang = match attributes.style.as_str() {
            "source" | "" if !attributes.second.is_empty() => attributes.second,
            "source" => self.source_language.clone(),
            "" | "listing" | "literal" => String::new(),
            style if style.chars().all(|c| c.is_ascii_lowercase() || c == '-') => style.to_owned(),
            _ => String::new(),
        };
        (lang.to_lowercase(), attributes.rest)
    }

    fn delimited(&mut self, line: &'t str, delimiter: Delimiter) {
        match delimiter {
            Delimiter::Comment => self.row = self.closing(line) + 1,
            Delimiter::Transparent => {
                self.attributes = Attributes::default();
                if self.blocks.last().is_some_and(|(open, _)| *open == line) {
                    let items = self.base();
                    self.close_items(items);
                    self.blocks.pop();
                    self.attached = false;
                } else if self.blocks.len() < MAX_BLOCKS {
                    self.make_room();
                    self.blocks.push((line, self.markers.len()));
                }
                self.row += 1;
            }
            Delimiter::Verbatim => {
                self.make_room();
                let (mut lang, mut meta) = self.listing();
                if let Some(words) = line.strip_prefix("```").map(str::trim).filter(|words| !words.is_empty()) {
                    let (first, rest) = words.split_once([' ', ',']).unwrap_or((words, ""));
                    lang = first.to_lowercase();
                    rest.trim().clone_into(&mut meta);
                }
                let fence = if line.starts_with("```") { "```" } else { line };
                let end = self.closing(fence);
                self.code(lang, meta, (self.row, self.row + 1), end);
                self.row = end + 1;
            }
            Delimiter::Pass => {
                self.make_room();
                self.attributes = Attributes::default();
                let end = self.closing(line);
                let span = self.rows(self.row, end + 1);
                let marks = html::marks(self.text, span);
                self.outline.push(RegionKind::Html, span, marks);
                self.row = end + 1;
            }
            Delimiter::Table => {
                self.make_room();
                let end = self.closing(line);
                self.table(line, end);
                self.row = end + 1;
            }
        }
    }

    /// The line that closes a block that opens in the current line; one past the last line where none does.
    fn closing(&self, delimiter: &str) -> usize {
        (self.row + 1..self.lines.len()).find(|row| self.line(*row) == delimiter).unwrap_or(self.lines.len())
    }

    /// A code block whose first line, first line of code and closing line are given.
    fn code(&mut self, lang: String, meta: String, (first, code): (usize, usize), end: usize) {
        let span = self.rows(first, (end + 1).min(self.lines.len()));
        let content = if code < end { self.rows(code, end) } else { ByteSpan::new(span.end, span.end) };
        let marks = self.inclusions(code, end);
        self.outline.push(RegionKind::CodeBlock { lang, meta, content }, span, marks);
    }

    /// `include::` lines in code.
    fn inclusions(&self, first: usize, end: usize) -> Vec<Mark> {
        let mut out = Vec::new();
        for row in first..end.min(self.lines.len()) {
            if let Some(("include", target, _)) = syntax::block_macro(self.line(row)) {
                let start = self.lines[row].start;
                let span = ByteSpan::new(start, start + self.line(row).len());
                out.push(Mark { kind: MarkKind::Link { target: target.to_owned() }, span });
            }
        }
        out
    }

    /// Code without delimiters, by its style: to the next blank line.
    fn verbatim_paragraph(&mut self) {
        self.make_room();
        let (lang, meta) = self.listing();
        let end = self.text_end(|_| false);
        self.code(lang, meta, (self.row, self.row), end);
        self.row = end;
    }

    /// Indented lines. They stay with the open item.
    fn literal_paragraph(&mut self) {
        let end = self.text_end(|_| false);
        let content = self.rows(self.row, end);
        let kind = RegionKind::CodeBlock { lang: String::new(), meta: String::new(), content };
        self.outline.push(kind, content, Vec::new());
        self.attributes = Attributes::default();
        self.row = end;
    }

    fn attribute_entry(&mut self, name: &str, value: &str) {
        let first = self.row;
        if name == "source-language" {
            value.clone_into(&mut self.source_language);
        }
        while self.line(self.row).ends_with(" \\") && self.row + 1 < self.lines.len() {
            self.row += 1;
        }
        self.row += 1;
        let span = self.rows(first, self.row);
        let marks = inline::marks(self.text, span);
        self.outline.push(RegionKind::Paragraph, span, marks);
    }

    fn block_macro(&mut self, line: &'t str, name: &str, target: &str) {
        self.row += 1;
        if matches!(name, "ifdef" | "ifndef" | "ifeval" | "endif" | "toc") {
            return;
        }
        self.make_room();
        self.attributes = Attributes::default();
        let start = self.lines[self.row - 1].start;
        let argument_start = start + name.len() + 2;
        let argument = ByteSpan::new(argument_start, argument_start + target.len());
        let is_place = matches!(name, "include" | "image" | "video" | "audio" | "link" | "xref");
        let marks = if is_place && !target.is_empty() {
            vec![Mark { kind: MarkKind::Link { target: target.to_owned() }, span: argument }]
        } else {
            Vec::new()
        };
        let span = ByteSpan::new(start, start + line.len());
        self.outline.push(RegionKind::Directive { name: name.to_owned(), argument, prose: false }, span, marks);
    }

    fn item(&mut self, line: &'t str, content: &str, marker: String, length: usize) {
        self.attributes = Attributes::default();
        self.open_level(marker);
        let end = self.text_end(breaks_item);
        let start = self.lines[self.row].start + (line.len() - content.len());
        let span = self.span_to(start, end);
        let marks = inline::marks(self.text, self.span_to(start + length, end));
        let region = self.outline.push(RegionKind::ListItem, span, marks);
        self.outline.enter(region);
        self.attached = false;
        self.row = end;
    }

    fn term(&mut self, line: &'t str, content: &str, marker: &str, (end, start): (usize, usize)) {
        self.attributes = Attributes::default();
        self.open_level(marker.to_owned());
        let base = self.lines[self.row].start + (line.len() - content.len());
        let marks = inline::marks(self.text, ByteSpan::new(base, base + end - marker.len()));
        let region = self.outline.push(RegionKind::ListItem, ByteSpan::new(base, base + end), marks);
        self.outline.enter(region);
        self.attached = false;
        if start >= content.len() {
            if let Some(open) = self.markers.last_mut() {
                // The text of the term may stand below, also behind blank lines.
                open.push('?');
            }
            self.row += 1;
            return;
        }
        let last = self.text_end(breaks_item);
        let span = self.span_to(base + start, last);
        let marks = inline::marks(self.text, span);
        self.outline.push(RegionKind::Paragraph, span, marks);
        self.row = last;
    }

    /// Ends items down to the level of a marker, and opens that level; the caller enters the item.
    fn open_level(&mut self, marker: String) {
        let base = self.base();
        if marker == "<1>" {
            self.close_items(base);
        }
        let same = self.markers.iter().skip(base).position(|open| open.trim_end_matches('?') == marker).map(|at| base + at);
        match same {
            Some(level) => self.close_items(level),
            None if self.markers.len() >= MAX_BLOCKS => self.close_items(base),
            None => {
                if self.awaits_text()
                    && let Some(open) = self.markers.last_mut()
                {
                    open.pop();
                }
            }
        }
        self.markers.push(marker);
    }

    fn paragraph(&mut self) {
        let in_item = self.blanks == 0 && !self.markers.is_empty();
        self.attached |= in_item && !self.awaits_text() && self.markers.len() > self.base();
        self.make_room();
        self.attributes = Attributes::default();
        let end = self.text_end(|line| in_item && breaks_item(line));
        let line = self.lines[self.row];
        let span = self.span_to(line.start, end);
        let marks = inline::marks(self.text, span);
        self.outline.push(RegionKind::Paragraph, span, marks);
        self.row = end;
    }

    /// One past the last line of the text that begins in the current line.
    fn text_end(&self, breaks: impl Fn(&str) -> bool) -> usize {
        let mut end = self.row + 1;
        while end < self.lines.len() {
            let line = self.line(end);
            let stops = line.is_empty()
                || syntax::delimiter(line).is_some()
                || syntax::is_attribute_list(line)
                || (self.in_header && syntax::attribute(line).is_some())
                || (line == "+" && !self.markers.is_empty())
                || syntax::block_macro(line)
                    .is_some_and(|(name, ..)| matches!(name, "include" | "ifdef" | "ifndef" | "endif" | "ifeval" | "image"))
                || breaks(line);
            if stops {
                break;
            }
            end += 1;
        }
        end
    }

    /// From a byte to the end of the line before `end`.
    fn span_to(&self, start: usize, end: usize) -> ByteSpan {
        let last = end.checked_sub(1).and_then(|row| self.lines.get(row)).map_or(start, |line| line.end);
        lines::trimmed(self.text, ByteSpan::new(start, last))
    }

    /// Whole lines, without the last line break.
    pub(super) fn rows(&self, first: usize, end: usize) -> ByteSpan {
        let last = end.min(self.lines.len()).checked_sub(1).and_then(|row| self.lines.get(row));
        match (self.lines.get(first), last) {
            (Some(a), Some(b)) => ByteSpan::new(a.start, b.end),
            _ => ByteSpan::new(self.text.len(), self.text.len()),
        }
    }
}

/// Whether a line ends the text of a list item.
fn breaks_item(line: &str) -> bool {
    let content = line.trim_start();
    syntax::item(content).is_some() || syntax::term(content).is_some() || line.starts_with("//")
}
