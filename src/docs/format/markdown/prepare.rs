//! Makes the text the parser reads: container lines become blank, the indent that mkdocs and JSX blocks add is taken
//! away, and every byte of the result knows its place in the document.

use std::borrow::Cow;

use super::super::lines::{self, Line};
use super::jsx;
use crate::model::{ByteSpan, Mark};

/// The text for the parser, with places.
pub(super) struct Prepared<'t> {
    /// What the parser reads.
    pub(super) text: Cow<'t, str>,
    /// Start of each line in `text` and in the document; empty where the two differ by `offset` alone.
    lines: Vec<(usize, usize)>,
    offset: usize,
    /// Stretches that were taken out and are regions of raw HTML of their own.
    pub(super) raw: Vec<Raw>,
}

/// A stretch of JSX or ESM.
pub(super) struct Raw {
    /// Where, in the document.
    pub(super) span: ByteSpan,
    /// What is in it.
    pub(super) marks: Vec<Mark>,
}

impl Prepared<'_> {
    /// The place in the document of a span the parser gave.
    pub(super) fn original(&self, range: &std::ops::Range<usize>) -> ByteSpan {
        let start = self.place(range.start);
        if range.end <= range.start {
            return ByteSpan::new(start, start);
        }
        ByteSpan::new(start, self.place(range.end - 1) + 1)
    }

    fn place(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(start, _)| *start <= at);
        match line.checked_sub(1).map(|i| self.lines[i]) {
            Some((start, original)) => original + (at - start),
            None => self.offset + at,
        }
    }
}

/// Prepares Markdown.
pub(super) fn markdown(text: &str, body_start: usize) -> Prepared<'_> {
    let all = lines::lines(text, body_start);
    let mut fence = Fence::default();
    let mut blocks = IndentBlocks::default();
    let edits = all
        .iter()
        .map(|line| {
            let content = line.of(text);
            let in_fence = fence.step(content);
            let strip = blocks.step(content, in_fence);
            let blank = !in_fence && (is_container(content) || opens_block(content).is_some());
            Edit { strip, blank }
        })
        .collect::<Vec<_>>();
    build(text, body_start, &all, &edits, Vec::new())
}

/// Prepares MDX.
pub(super) fn mdx(text: &str, body_start: usize) -> Prepared<'_> {
    let all = lines::lines(text, body_start);
    let (mut edits, raw) = jsx::take_out(text, &all);
    let mut fence = Fence::default();
    for (line, edit) in all.iter().zip(&mut edits) {
        let in_fence = fence.step(line.of(text));
        edit.blank |= !in_fence && is_container(line.of(text));
    }
    build(text, body_start, &all, &edits, raw)
}

/// What happens to a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edit {
    /// Columns of indent to take away.
    pub(super) strip: usize,
    /// Whether the line is made blank.
    pub(super) blank: bool,
}

fn build<'t>(text: &'t str, body_start: usize, all: &[Line], edits: &[Edit], raw: Vec<Raw>) -> Prepared<'t> {
    if edits.iter().all(|edit| !edit.blank && edit.strip == 0) {
        let body = text.get(body_start..).unwrap_or("");
        return Prepared { text: Cow::Borrowed(body), lines: Vec::new(), offset: body_start, raw };
    }
    let mut out = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(all.len());
    for (line, edit) in all.iter().zip(edits) {
        let start = if edit.blank { line.end } else { line.start + strip_bytes(line.of(text), edit.strip) };
        places.push((out.len(), start));
        out.push_str(text.get(start..line.next).unwrap_or(""));
    }
    Prepared { text: Cow::Owned(out), lines: places, offset: body_start, raw }
}

/// How many bytes of indent cover the columns; never more than there are.
fn strip_bytes(line: &str, columns: usize) -> usize {
    let mut column = 0;
    for (at, byte) in line.bytes().enumerate() {
        if column >= columns {
            return at;
        }
        match byte {
            b' ' => column += 1,
            b'\t' => column += 4 - column % 4,
            _ => return at,
        }
    }
    line.len()
}

/// Follows fenced code line by line.
#[derive(Default)]
pub(super) struct Fence {
    open: Option<(u8, usize)>,
}

impl Fence {
    /// Whether a line belongs to fenced code, its fences included.
    pub(super) fn step(&mut self, line: &str) -> bool {
        let content = without_markers(line);
        let byte = content.bytes().next().unwrap_or(b' ');
        let count = content.bytes().take_while(|b| *b == byte).count();
        let is_fence = matches!(byte, b'`' | b'~') && count >= 3;
        if let Some((open, least)) = self.open {
            if is_fence && byte == open && count >= least && content[count..].trim().is_empty() {
                self.open = None;
            }
            return true;
        }
        let opens = is_fence && !(byte == b'`' && content[count..].contains('`'));
        if opens {
            self.open = Some((byte, count));
        }
        opens
    }
}

/// A line without indent, quote marks and list markers.
fn without_markers(line: &str) -> &str {
    let mut rest = line.trim_start();
    for _ in 0..16 {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = if (1..10).contains(&digits) {
            rest[digits..].strip_prefix(['.', ')']).filter(|r| r.starts_with([' ', '\t']))
        } else if let Some(quote) = rest.strip_prefix('>') {
            Some(quote)
        } else {
            rest.strip_prefix(['-', '*', '+']).filter(|r| r.starts_with([' ', '\t']))
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    rest
}

/// `:::tip Title`, `::::`, `:::{note}`, and `/// note | Title` of pymdown.
fn is_container(line: &str) -> bool {
    let content = line.trim_start();
    content.starts_with(":::") || content.strip_prefix("///").is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Blocks whose content is indented by four columns: `!!! note`, `??? tip`, `=== "Tab"`.
#[derive(Default)]
struct IndentBlocks {
    /// Indent of each open block's first line, in columns of the document.
    open: Vec<usize>,
}

impl IndentBlocks {
    /// Columns to take away from a line.
    fn step(&mut self, line: &str, in_fence: bool) -> usize {
        if line.trim().is_empty() {
            return self.open.len() * 4;
        }
        let indent = lines::indent(line, 4);
        while self.open.last().is_some_and(|opener| indent < opener + 4) {
            self.open.pop();
        }
        let strip = self.open.len() * 4;
        if !in_fence
            && self.open.len() < 16
            && let Some(opener) = opens_block(line)
        {
            self.open.push(opener);
        }
        strip
    }
}

/// The indent of a line that opens an indented block.
fn opens_block(line: &str) -> Option<usize> {
    let content = line.trim_start();
    let rest = ["!!!", "???", "==="].iter().find_map(|marker| content.strip_prefix(marker))?;
    let rest = rest.strip_prefix(['+', '!']).unwrap_or(rest);
    let word = rest.strip_prefix([' ', '\t'])?.trim_start().chars().next()?;
    let fits = if content.starts_with("===") { word == '"' || word == '\'' } else { word.is_alphabetic() || word == '"' };
    fits.then(|| lines::indent(line, 4))
}
