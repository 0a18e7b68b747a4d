//! Which text around a citation may speak of it: its sentence, its table row, the items and paragraphs beneath it.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{ByteSpan, Citation, Document, MarkKind, Region, RegionKind};

/// A stretch of text that may state a value of the cited name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) span: ByteSpan,
    /// The text speaks of nothing but the cited name, so that a value in it is the name's: a table cell, the text under a
    /// heading that is the name.
    pub(super) owned: bool,
    /// A value counts only in a sentence that speaks of a default.
    pub(super) default_only: bool,
    /// The header of the column, or the wording, promises the default.
    pub(super) promises_default: bool,
}

static DEFAULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\bdefaults?\b|\bdefaulting\b|\bunless\b|\bout of the box\b|\b(?:if|when) (?:it is |it's )?(?:not |un|omitted|absent|missing|left out)",
        r"|\b(?:if|when) (?:you |one )?(?:leave|leaves|omit|omits)\b",
        r"|\botherwise\b|\bas long as\b|\binitial(?:ly)?\b|\bby convention\b|\bstandard value\b|\bpredefined\b",
    ))
    .expect("valid pattern")
});
static DEFAULT_COLUMN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bdefaults?\b|\binitial\b|\bpreset\b|默认|既定|Standard").expect("valid pattern"));
static CONTINUES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:It|Its|This|They|Their|These|That|Those|The default|Defaults?|By default|The value)\b")
        .expect("valid pattern")
});
/// "It is 30 seconds", "Its value is 5": what the name is, as against what it does ("It takes 3 people").
static EQUATES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(?:It|This|That|They|These|Those) (?:is|are|equals)|(?:Its|Their|The) (?:\w+ ){1,2}(?:is|are))\b")
        .expect("valid pattern")
});

/// Whether a text speaks of a default.
pub(super) fn speaks_of_default(text: &str) -> bool {
    DEFAULT.is_match(text)
}

/// Bytes of one sentence, to each side of a name, that are looked at. A longer sentence is no sentence.
const MAX_REACH: usize = 2_000;

/// Most regions beneath a heading, item or directive that still speak of it.
const MAX_BENEATH: usize = 12;

/// The windows of a citation, nearest first. None in code blocks: those have rules of their own.
pub(super) fn windows(document: &Document, citation: &Citation) -> Vec<Window> {
    let region = &document.regions[citation.region];
    match &region.kind {
        RegionKind::TableRow { header, cells } => row(document, citation, *header, cells),
        RegionKind::Heading { .. } => beneath_heading(document, citation.region),
        RegionKind::Directive { prose: false, .. } => beneath_item(document, citation.region),
        RegionKind::ListItem => {
            let mut out = vec![];
            if leads(document, region, citation.span) {
                let rest = ByteSpan::new(citation.span.end, region.span.end);
                out.push(Window {
                    span: rest,
                    owned: names_between(document, region, citation.span, rest).is_empty(),
                    default_only: false,
                    promises_default: false,
                });
            } else {
                out.extend(around(document, citation));
            }
            out.extend(beneath_item(document, citation.region));
            out
        }
        RegionKind::Paragraph | RegionKind::Html | RegionKind::TableHeader { .. } | RegionKind::Directive { .. } => {
            let mut out = around(document, citation);
            // A paragraph that is the name alone (a term) is explained by what is nested in it.
            if region.span.len() < citation.span.len() + 8 {
                out.extend(beneath_item(document, citation.region));
            }
            out
        }
        RegionKind::CodeBlock { .. } => Vec::new(),
    }
}

/// Other names set as code in a stretch of a region.
fn names_between(document: &Document, region: &Region, own: ByteSpan, within: ByteSpan) -> Vec<ByteSpan> {
    region
        .marks
        .iter()
        .filter(|m| matches!(m.kind, MarkKind::Code | MarkKind::Role { .. }) && within.contains(m.span) && !m.span.overlaps(own))
        .map(|m| m.span)
        .filter(|s| is_name(s.of(&document.text)))
        .collect()
}

/// Whether inline code is a name rather than a value: an identifier of more than one word, a flag, a call.
pub(super) fn is_name(code: &str) -> bool {
    let code = code.trim();
    let word = code.trim_start_matches('-');
    let identifier =
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '(' | ')' | '/'));
    let starts = word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let telling = code.starts_with('-')
        || code.ends_with(')')
        || word.contains(['_', '.'])
        || crate::value::name::words(word).len() > 1
        || word.chars().all(|c| c.is_ascii_uppercase());
    identifier && starts && telling && !word.starts_with('/')
}

fn leads(document: &Document, region: &Region, name: ByteSpan) -> bool {
    let before = ByteSpan::new(region.span.start, name.start).of(&document.text);
    before.chars().all(|c| !c.is_alphanumeric())
        // `-w`, `--watch`: further spellings of the same thing may stand in front.
        || before.split(|c: char| c.is_whitespace() || c == ',' || c == '/').all(|w| w.chars().all(|c| !c.is_alphanumeric()) || w.trim_matches(['`', '*', '|']).starts_with('-'))
}

fn row(document: &Document, citation: &Citation, header: Option<usize>, cells: &[ByteSpan]) -> Vec<Window> {
    let own = cells.iter().position(|c| c.contains(citation.span));
    let heads: Vec<&str> = match header.and_then(|h| document.regions.get(h)).map(|r| &r.kind) {
        Some(RegionKind::TableHeader { cells }) => cells.iter().map(|c| c.of(&document.text)).collect(),
        _ => Vec::new(),
    };
    let key_cell = own
        .is_some_and(|i| i == 0 || cells[i].of(&document.text).trim_matches(['`', '*', ' ']) == citation.span.of(&document.text));
    if !key_cell {
        return around(document, citation);
    }
    let default_column = heads.iter().position(|h| DEFAULT_COLUMN.is_match(h));
    let mut out = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        if Some(i) == own {
            // `--flag (default: 3)` in the key cell itself
            out.push(Window {
                span: ByteSpan::new(citation.span.end.min(cell.end), cell.end),
                owned: true,
                default_only: true,
                promises_default: false,
            });
            continue;
        }
        let promised = default_column == Some(i);
        let short = cell.len() <= 40;
        out.push(Window {
            span: *cell,
            owned: true,
            default_only: !promised && (default_column.is_some() || !short),
            promises_default: promised,
        });
    }
    // The promised column speaks first, and alone where it says anything.
    out.sort_by_key(|w| !w.promises_default);
    out
}

fn beneath_heading(document: &Document, index: usize) -> Vec<Window> {
    let mut out = vec![];
    for region in document.regions.iter().skip(index + 1).take(MAX_BENEATH) {
        if matches!(region.kind, RegionKind::Heading { .. }) {
            break;
        }
        out.extend(explaining(document, region));
    }
    out
}

fn beneath_item(document: &Document, index: usize) -> Vec<Window> {
    let mut out = vec![];
    for region in document.regions.iter().skip(index + 1).take(MAX_BENEATH) {
        if !region.scope.items.contains(&index) {
            break;
        }
        out.extend(explaining(document, region));
    }
    out
}

fn explaining(document: &Document, region: &Region) -> Vec<Window> {
    match region.kind {
        RegionKind::Paragraph | RegionKind::ListItem => sentences(document, region)
            .into_iter()
            .map(|span| Window {
                span,
                owned: true,
                default_only: true,
                promises_default: speaks_of_default(span.of(&document.text)),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The sentence of the citation, and the one behind it where it goes on about the same thing.
fn around(document: &Document, citation: &Citation) -> Vec<Window> {
    let region = &document.regions[citation.region];
    let all = sentences(document, region);
    let Some(at) = all.iter().position(|s| s.contains(citation.span) || s.overlaps(citation.span)) else { return Vec::new() };
    let own = near(&document.text, all[at], citation.span);
    let mut out = vec![Window { span: own, owned: false, default_only: false, promises_default: false }];
    // "By default it takes `x`. You can change that with `name`."
    if let Some(previous) = at
        .checked_sub(1)
        .map(|i| all[i])
        .filter(|s| speaks_of_default(s.of(&document.text)) && names_between(document, region, citation.span, *s).is_empty())
    {
        out.push(Window { span: previous, owned: true, default_only: true, promises_default: false });
    }
    let goes_on = |s: &&ByteSpan| {
        let text = s.of(&document.text).trim_start();
        CONTINUES.is_match(text) && (speaks_of_default(text) || EQUATES.is_match(text))
    };
    if let Some(next) = all.get(at + 1).filter(goes_on) {
        out.push(Window {
            span: *next,
            owned: names_between(document, region, citation.span, *next).is_empty(),
            default_only: true,
            promises_default: true,
        });
    }
    out
}

/// A stretch of text, cut to what is near enough to a name to speak of it.
fn near(text: &str, span: ByteSpan, name: ByteSpan) -> ByteSpan {
    let mut start = span.start.max(name.start.saturating_sub(MAX_REACH));
    let mut end = span.end.min(name.end + MAX_REACH);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    ByteSpan::new(start, end)
}

/// The sentence a citation stands in; the row of a table, the line of a code block.
pub(super) fn sentence(document: &Document, citation: &Citation) -> ByteSpan {
    let region = &document.regions[citation.region];
    match region.kind {
        RegionKind::Paragraph | RegionKind::ListItem | RegionKind::Html => {
            sentences(document, region).into_iter().find(|s| s.overlaps(citation.span)).unwrap_or(region.span)
        }
        RegionKind::CodeBlock { .. } => document.lines.span_of(document.lines.line(citation.span.start)),
        _ => region.span,
    }
}

/// Spans in order, those that overlap made one.
fn merged(spans: impl Iterator<Item = ByteSpan>) -> Vec<ByteSpan> {
    let mut sorted: Vec<ByteSpan> = spans.collect();
    sorted.sort_unstable();
    let mut out: Vec<ByteSpan> = Vec::new();
    for span in sorted {
        match out.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// Splits a region's text into sentences. Full stops inside code, abbreviations and versions do not end one; a blank line
/// or a hard line of a list does.
pub(super) fn sentences(document: &Document, region: &Region) -> Vec<ByteSpan> {
    let text = &document.text;
    let quoted = merged(
        region
            .marks
            .iter()
            .filter_map(|m| matches!(m.kind, MarkKind::Code | MarkKind::Role { .. } | MarkKind::Link { .. }).then_some(m.span)),
    );
    let inside = |at: usize| {
        let next = quoted.partition_point(|s| s.start <= at);
        next.checked_sub(1).is_some_and(|i| at < quoted[i].end)
    };
    let mut out = Vec::new();
    let mut start = region.span.start;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate().take(region.span.end).skip(region.span.start) {
        if !matches!(byte, b'.' | b'!' | b'?') || inside(at) {
            continue;
        }
        let closing = text.get(at + 1..region.span.end).map_or("", |t| t);
        let rest = closing.trim_start_matches(['"', '\'', ')', '*', '_', '`', ']']);
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let next = rest.trim_start().chars().next();
        let starts = next.is_none_or(|c| !c.is_lowercase());
        let before = text.get(start..at).unwrap_or("");
        let abbreviation =
            ["e.g", "i.e", "etc", "vs", "cf", " al", "resp", "approx", "incl", "No", "Fig"].iter().any(|a| before.ends_with(a));
        if ends && starts && !abbreviation {
            let end = at + 1 + (closing.len() - rest.len());
            out.push(ByteSpan::new(start, end));
            start = end;
        }
    }
    if start < region.span.end {
        out.push(ByteSpan::new(start, region.span.end));
    }
    out
}
