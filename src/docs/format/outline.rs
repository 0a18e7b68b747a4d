//! Builds a document's regions in reading order and keeps what stands above each.
//! Whatever a format does, the result keeps the contract: spans in bounds and on character boundaries, ordered,
//! not overlapping, marks inside their region.

use crate::model::{ByteSpan, Mark, MarkKind, Region, RegionKind, Scope};

/// Deepest nesting of items that scopes record; text nested deeper belongs to the deepest recorded item.
const MAX_ITEM_DEPTH: usize = 32;

/// An item that later regions stand beneath.
struct OpenItem {
    /// Whether scopes record it.
    recorded: bool,
    /// Headings as they were outside: a heading inside an item ends with the item.
    headings: Vec<(u8, usize)>,
}

/// The builder.
pub(super) struct Outline<'t> {
    text: &'t str,
    regions: Vec<Region>,
    headings: Vec<(u8, usize)>,
    items: Vec<OpenItem>,
    /// Regions of the open items that scopes record.
    above: Vec<usize>,
    /// End of the last region.
    end: usize,
}

impl<'t> Outline<'t> {
    /// An empty outline of a text.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, regions: Vec::new(), headings: Vec::new(), items: Vec::new(), above: Vec::new(), end: 0 }
    }

    /// Adds a heading and makes it stand above what follows.
    pub(super) fn heading(&mut self, level: u8, span: ByteSpan, marks: Vec<Mark>) {
        let level = level.clamp(1, 6);
        while self.headings.last().is_some_and(|(above, _)| *above >= level) {
            self.headings.pop();
        }
        if let Some(index) = self.push(RegionKind::Heading { level }, span, marks) {
            self.headings.push((level, index));
        }
    }

    /// Adds a region; surrounding blanks are cut off. `None` where nothing is left of it.
    pub(super) fn push(&mut self, mut kind: RegionKind, span: ByteSpan, mut marks: Vec<Mark>) -> Option<usize> {
        let keep_indent = matches!(kind, RegionKind::CodeBlock { .. });
        let span = self.tidy(span, keep_indent)?;
        match &mut kind {
            RegionKind::TableHeader { cells } | RegionKind::TableRow { cells, .. } => {
                for cell in cells {
                    *cell = self.within(*cell, span);
                }
            }
            RegionKind::CodeBlock { content: inner, .. } | RegionKind::Directive { argument: inner, .. } => {
                *inner = self.within(*inner, span);
            }
            RegionKind::Heading { .. } | RegionKind::Paragraph | RegionKind::ListItem | RegionKind::Html => {}
        }
        marks.retain(|mark| span.contains(mark.span) && self.on_boundaries(mark.span));
        marks.sort_by(|a, b| (a.span.start, b.span.end, rank(&a.kind)).cmp(&(b.span.start, a.span.end, rank(&b.kind))));
        marks.dedup();
        let scope = Scope { headings: self.headings.iter().map(|(_, region)| *region).collect(), items: self.above.clone() };
        self.end = span.end;
        self.regions.push(Region { kind, span, scope, marks });
        Some(self.regions.len() - 1)
    }

    /// Makes a region stand above what follows until [`Self::leave`].
    pub(super) fn enter(&mut self, region: Option<usize>) {
        let region = region.filter(|_| self.above.len() < MAX_ITEM_DEPTH);
        self.items.push(OpenItem { recorded: region.is_some(), headings: self.headings.clone() });
        self.above.extend(region);
    }

    /// Ends the innermost item.
    pub(super) fn leave(&mut self) {
        if let Some(item) = self.items.pop() {
            self.headings = item.headings;
            if item.recorded {
                self.above.pop();
            }
        }
    }

    /// The regions.
    pub(super) fn finish(self) -> Vec<Region> {
        self.regions
    }

    /// Cuts a span to what is free and not blank.
    fn tidy(&self, span: ByteSpan, keep_indent: bool) -> Option<ByteSpan> {
        let mut start = span.start.max(self.end).min(self.text.len());
        let end = span.end.min(self.text.len());
        while start < end && !self.text.is_char_boundary(start) {
            start += 1;
        }
        let text = self.text.get(start..end)?;
        let kept = text.trim_end_matches(is_blank);
        let mut lead = kept.len() - kept.trim_start_matches(is_blank).len();
        if keep_indent {
            lead = kept[..lead].rfind('\n').map_or(0, |at| at + 1);
        }
        (lead < kept.len()).then(|| ByteSpan::new(start + lead, start + kept.len()))
    }

    /// A part of a region, cut to it; empty where it would cut a character.
    fn within(&self, part: ByteSpan, whole: ByteSpan) -> ByteSpan {
        let part = ByteSpan::new(part.start.clamp(whole.start, whole.end), part.end.clamp(whole.start, whole.end));
        if self.on_boundaries(part) { part } else { ByteSpan::new(whole.start, whole.start) }
    }

    fn on_boundaries(&self, span: ByteSpan) -> bool {
        self.text.is_char_boundary(span.start) && self.text.is_char_boundary(span.end)
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Order of marks that start together and end together: the outer construct first.
fn rank(kind: &MarkKind) -> u8 {
    match kind {
        MarkKind::Link { .. } => 0,
        MarkKind::LinkText => 1,
        MarkKind::Emphasis => 2,
        MarkKind::Strikethrough => 3,
        MarkKind::Html => 4,
        MarkKind::Role { .. } => 5,
        MarkKind::Code => 6,
    }
}
