//! Turns the parser's events into regions and marks.

use std::collections::VecDeque;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::super::outline::Outline;
use super::super::{address, html};
use super::prepare::Prepared;
use super::{include, source};
use crate::model::{ByteSpan, Mark, MarkKind, Region, RegionKind};

/// The regions of a prepared text; spans are bytes of `text`.
pub(super) fn regions(text: &str, prepared: &Prepared<'_>) -> Vec<Region> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM;
    let events = Parser::new_ext(&prepared.text, options).into_offset_iter();
    let mut aside: Vec<Aside> = prepared
        .raw
        .iter()
        .map(|raw| Aside { kind: RegionKind::Html, span: raw.span, marks: raw.marks.clone() })
        .chain(events.reference_definitions().iter().map(|(_, definition)| {
            let span = prepared.original(&definition.span);
            let target = definition.dest.to_string();
            Aside { kind: RegionKind::Paragraph, span, marks: vec![Mark { kind: MarkKind::Link { target }, span }] }
        }))
        .collect();
    aside.sort_by_key(|a| (a.span.start, a.span.end));
    let mut walk = Walk {
        text,
        prepared,
        outline: Outline::new(text),
        aside: aside.into(),
        run: None,
        frames: Vec::new(),
        items: Vec::new(),
        terms: Vec::new(),
        header: None,
        block: None,
        inline_code: None,
    };
    for (event, range) in events {
        walk.event(event, &range);
    }
    walk.flush();
    walk.put_aside_before(usize::MAX);
    walk.outline.finish()
}

/// A region that the parser gives no event for.
struct Aside {
    kind: RegionKind,
    span: ByteSpan,
    marks: Vec<Mark>,
}

/// What inline text becomes.
#[derive(Clone)]
enum RunKind {
    Paragraph,
    /// First text of an item.
    Item,
    /// Term of a definition list.
    Term,
    Heading(u8),
    Row {
        head: bool,
        cells: Vec<ByteSpan>,
    },
}

/// Inline text that is being collected.
struct Run {
    kind: RunKind,
    start: usize,
    end: usize,
    marks: Vec<Mark>,
}

/// An inline container that is open: what it is and the extent of what is inside.
struct Frame {
    kind: Option<MarkKind>,
    link: Option<(String, bool)>,
    span: ByteSpan,
    inner: Option<ByteSpan>,
}

/// A list item before and after its first region.
#[derive(Clone, Copy)]
enum Item {
    Fresh { marker: usize },
    Entered,
}

struct Walk<'t, 'p> {
    text: &'t str,
    prepared: &'p Prepared<'p>,
    outline: Outline<'t>,
    aside: VecDeque<Aside>,
    run: Option<Run>,
    frames: Vec<Frame>,
    items: Vec<Item>,
    /// For each open definition list: whether a term is open.
    terms: Vec<bool>,
    header: Option<usize>,
    /// A code block that is open: language, meta, whether fenced.
    block: Option<(String, String, bool)>,
    /// End of an inline `<code>` tag.
    inline_code: Option<usize>,
}

impl Walk<'_, '_> {
    fn event(&mut self, event: Event<'_>, range: &Range<usize>) {
        let span = self.prepared.original(range);
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag, span),
            Event::Text(_) if self.block.is_some() => {}
            Event::Code(_) => {
                self.inline(span);
                let content = source::code_content(self.text, span);
                self.mark(MarkKind::Code, content);
            }
            Event::InlineHtml(_) => {
                self.inline(span);
                self.inline_html(span);
            }
            Event::Text(_) | Event::FootnoteReference(_) | Event::TaskListMarker(_) => self.inline(span),
            Event::Rule => {
                self.flush();
                self.begin_item();
            }
            Event::Html(_) | Event::SoftBreak | Event::HardBreak | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, span: ByteSpan) {
        match tag {
            Tag::Paragraph => self.open_text(span),
            Tag::Heading { level, .. } => {
                self.flush();
                self.begin_item();
                self.run = Some(run(RunKind::Heading(level_of(level)), span));
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.begin_item();
                self.block = Some(match kind {
                    CodeBlockKind::Fenced(words) => {
                        let (lang, meta) = source::fence_words(&words);
                        (lang, meta, true)
                    }
                    CodeBlockKind::Indented => (String::new(), String::new(), false),
                });
            }
            Tag::Item => {
                self.flush();
                self.begin_item();
                self.items.push(Item::Fresh { marker: span.start });
            }
            Tag::DefinitionList => {
                self.flush();
                self.begin_item();
                self.terms.push(false);
            }
            Tag::DefinitionListTitle => {
                self.flush();
                if let Some(open) = self.terms.last_mut()
                    && std::mem::take(open)
                {
                    self.outline.leave();
                }
                self.run = Some(run(RunKind::Term, span));
            }
            Tag::Table(_) => {
                self.flush();
                self.begin_item();
                self.header = None;
            }
            Tag::TableHead => self.run = Some(run(RunKind::Row { head: true, cells: Vec::new() }, span)),
            Tag::TableRow => self.run = Some(run(RunKind::Row { head: false, cells: Vec::new() }, span)),
            Tag::TableCell => {
                let cell = source::cell_content(self.text, span);
                if let Some(Run { kind: RunKind::Row { cells, .. }, .. }) = &mut self.run {
                    cells.push(cell);
                }
            }
            Tag::HtmlBlock => {
                self.flush();
                self.begin_item();
            }
            Tag::BlockQuote(_)
            | Tag::List(_)
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {
                self.flush();
                if !matches!(tag, Tag::DefinitionListDefinition | Tag::MetadataBlock(_)) {
                    self.begin_item();
                }
            }
            Tag::Emphasis | Tag::Strong => self.open_frame(Some(MarkKind::Emphasis), None, span),
            Tag::Strikethrough => self.open_frame(Some(MarkKind::Strikethrough), None, span),
            Tag::Superscript | Tag::Subscript => self.open_frame(None, None, span),
            Tag::Link { link_type, dest_url, .. } => {
                let bare = matches!(link_type, LinkType::Autolink | LinkType::Email);
                self.open_frame(None, Some((dest_url.to_string(), !bare)), span);
            }
            Tag::Image { dest_url, .. } => self.open_frame(None, Some((dest_url.to_string(), false)), span),
        }
    }

    fn end(&mut self, tag: TagEnd, span: ByteSpan) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => self.close_frame(),
            TagEnd::TableCell => {}
            TagEnd::CodeBlock => self.code_block(span),
            TagEnd::HtmlBlock => {
                let marks = html::marks(self.text, span);
                self.push(RegionKind::Html, span, marks);
            }
            TagEnd::Item => {
                self.flush();
                self.begin_item();
                self.items.pop();
                self.outline.leave();
            }
            TagEnd::DefinitionList => {
                self.flush();
                if self.terms.pop() == Some(true) {
                    self.outline.leave();
                }
            }
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::MetadataBlock(_) => self.flush(),
        }
    }

    /// Begins running text: the first text of an item that has none yet, else a paragraph.
    fn open_text(&mut self, span: ByteSpan) {
        self.flush();
        self.run = Some(match self.items.last() {
            Some(Item::Fresh { marker }) => run(RunKind::Item, ByteSpan::new(*marker, span.end)),
            _ => run(RunKind::Paragraph, span),
        });
    }

    /// Gives an item without text a region: its marker.
    fn begin_item(&mut self) {
        if let Some(Item::Fresh { marker }) = self.items.last().copied() {
            let region = self.push(RegionKind::ListItem, source::marker_span(self.text, marker), Vec::new());
            self.outline.enter(region);
            if let Some(item) = self.items.last_mut() {
                *item = Item::Entered;
            }
        }
    }

    /// Inline text in a tight item or elsewhere without a paragraph of its own.
    fn inline(&mut self, span: ByteSpan) {
        if self.run.is_none() {
            self.open_text(span);
        }
        if let Some(run) = &mut self.run {
            run.end = run.end.max(span.end);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.inner = Some(join(frame.inner, span));
        }
    }

    fn mark(&mut self, kind: MarkKind, span: ByteSpan) {
        if let Some(run) = &mut self.run
            && !span.is_empty()
        {
            run.marks.push(Mark { kind, span });
        }
    }

    fn inline_html(&mut self, span: ByteSpan) {
        self.mark(MarkKind::Html, span);
        for mark in html::marks(self.text, span) {
            self.mark(mark.kind, mark.span);
        }
        match span.of(self.text).to_ascii_lowercase().as_str() {
            "<code>" => self.inline_code = Some(span.end),
            "</code>" => {
                if let Some(start) = self.inline_code.take() {
                    self.mark(MarkKind::Code, ByteSpan::new(start, span.start));
                }
            }
            _ => {}
        }
    }

    fn open_frame(&mut self, kind: Option<MarkKind>, link: Option<(String, bool)>, span: ByteSpan) {
        if self.run.is_none() {
            self.open_text(span);
        }
        self.frames.push(Frame { kind, link, span, inner: None });
    }

    fn close_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if let (Some(kind), Some(inner)) = (frame.kind, frame.inner) {
            self.mark(kind, inner);
        }
        if let Some((target, has_text)) = frame.link {
            self.mark(MarkKind::Link { target }, frame.span);
            if let (true, Some(inner)) = (has_text, frame.inner) {
                self.mark(MarkKind::LinkText, inner);
            }
        }
        self.inline(frame.span);
    }

    fn code_block(&mut self, span: ByteSpan) {
        let Some((lang, meta, fenced)) = self.block.take() else { return };
        let (span, content) =
            if fenced { source::fenced_content(self.text, span) } else { source::indented_content(self.text, span) };
        self.push(RegionKind::CodeBlock { lang, meta, content }, span, Vec::new());
    }

    /// Ends the running text.
    fn flush(&mut self) {
        self.frames.clear();
        self.inline_code = None;
        let Some(run) = self.run.take() else { return };
        let span = ByteSpan::new(run.start, run.end);
        match run.kind {
            RunKind::Paragraph => {
                self.push(RegionKind::Paragraph, span, run.marks);
            }
            RunKind::Heading(level) => {
                self.put_aside_before(span.start);
                let marks = self.with_found(true, span, run.marks);
                self.outline.heading(level, span, marks);
            }
            RunKind::Item => {
                let region = self.push(RegionKind::ListItem, span, run.marks);
                self.outline.enter(region);
                if let Some(item) = self.items.last_mut() {
                    *item = Item::Entered;
                }
            }
            RunKind::Term => {
                let region = self.push(RegionKind::ListItem, span, run.marks);
                self.outline.enter(region);
                match self.terms.last_mut() {
                    Some(open) => *open = true,
                    None => self.outline.leave(),
                }
            }
            RunKind::Row { head: true, cells } => {
                self.header = self.push(RegionKind::TableHeader { cells }, span, run.marks);
            }
            RunKind::Row { head: false, cells } => {
                self.push(RegionKind::TableRow { header: self.header, cells }, span, run.marks);
            }
        }
    }

    fn push(&mut self, kind: RegionKind, span: ByteSpan, marks: Vec<Mark>) -> Option<usize> {
        self.put_aside_before(span.start);
        let is_text = !matches!(kind, RegionKind::Html | RegionKind::CodeBlock { .. });
        let marks = self.with_found(is_text, span, marks);
        self.outline.push(kind, span, marks)
    }

    /// Adds what the parser does not know: inclusions, and bare addresses in running text.
    fn with_found(&self, is_text: bool, span: ByteSpan, mut marks: Vec<Mark>) -> Vec<Mark> {
        if is_text {
            let markup = |kind: &MarkKind| matches!(kind, MarkKind::Link { .. } | MarkKind::Code | MarkKind::Html);
            let taken = marks.iter().filter(|m| markup(&m.kind)).map(|m| m.span).collect();
            marks.extend(address::marks(self.text, span, taken));
        }
        let code: Vec<ByteSpan> = marks.iter().filter(|m| m.kind == MarkKind::Code).map(|m| m.span).collect();
        marks.extend(include::marks(self.text, span, &code));
        marks
    }

    /// Adds the regions without events that stand before a place.
    fn put_aside_before(&mut self, at: usize) {
        while self.aside.front().is_some_and(|aside| aside.span.start < at) {
            if let Some(aside) = self.aside.pop_front() {
                self.outline.push(aside.kind, aside.span, aside.marks);
            }
        }
    }
}

fn run(kind: RunKind, span: ByteSpan) -> Run {
    Run { kind, start: span.start, end: span.end, marks: Vec::new() }
}

fn join(a: Option<ByteSpan>, b: ByteSpan) -> ByteSpan {
    a.map_or(b, |a| ByteSpan::new(a.start.min(b.start), a.end.max(b.end)))
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
