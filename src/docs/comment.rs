//! Comments of each document format, the delimiters left out. What stands in code is a quotation and no comment.

use crate::model::{ByteSpan, DocFormat, MarkKind, Region, RegionKind};

/// A comment with its text, the delimiters left out.
pub(super) struct Comment<'t> {
    pub(super) span: ByteSpan,
    pub(super) text: &'t str,
}

/// Every comment of the body, in order.
pub(super) fn find<'t>(format: DocFormat, text: &'t str, from: usize, regions: &[Region]) -> Vec<Comment<'t>> {
    comments(format, text, from).into_iter().filter(|c| !is_quoted(regions, c.span)).collect()
}

/// Whether a comment stands in code, where it is quoted.
fn is_quoted(regions: &[Region], span: ByteSpan) -> bool {
    let next = regions.partition_point(|r| r.span.start <= span.start);
    let Some(region) = next.checked_sub(1).map(|i| &regions[i]) else { return false };
    region.span.overlaps(span)
        && (matches!(region.kind, RegionKind::CodeBlock { .. })
            || region.marks.iter().any(|m| m.kind == MarkKind::Code && m.span.contains(span)))
}

fn comments(format: DocFormat, text: &str, from: usize) -> Vec<Comment<'_>> {
    match format {
        DocFormat::Markdown => {
            let mut out = delimited(text, from, "<!--", "-->");
            out.extend(link_comments(text, from));
            out.sort_by_key(|c| c.span.start);
            out
        }
        DocFormat::Mdx => {
            let mut out = delimited(text, from, "<!--", "-->");
            out.extend(delimited(text, from, "{/*", "*/}"));
            out.sort_by_key(|c| c.span.start);
            out
        }
        DocFormat::Rst => rst_comments(text, from),
        DocFormat::AsciiDoc => asciidoc_comments(text, from),
        DocFormat::Plain => Vec::new(),
    }
}

fn delimited<'t>(text: &'t str, from: usize, open: &str, close: &str) -> Vec<Comment<'t>> {
    let mut out = Vec::new();
    let mut at = from;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(open)).map(|found| at + found) {
        let inner = start + open.len();
        let Some(length) = text.get(inner..).and_then(|rest| rest.find(close)) else { break };
        at = inner + length + close.len();
        out.push(Comment { span: ByteSpan::new(start, at), text: &text[inner..inner + length] });
    }
    out
}

/// `[//]: # (text)` and `[comment]: <> (text)`, the comments of Markdown without HTML.
fn link_comments(text: &str, from: usize) -> Vec<Comment<'_>> {
    each_line(text, from)
        .filter_map(|(start, line)| {
            let rest = line.strip_prefix("[//]:").or_else(|| line.strip_prefix("[comment]:"))?;
            let inner = rest.trim().strip_prefix('#').or_else(|| rest.trim().strip_prefix("<>"))?;
            let span = ByteSpan::new(start, start + line.len());
            Some(Comment { span, text: inner.trim().trim_matches(['(', ')', '"']) })
        })
        .collect()
}

/// `.. text` that is no directive, target, footnote or substitution, with the indented lines below.
fn rst_comments(text: &str, from: usize) -> Vec<Comment<'_>> {
    let mut out = Vec::new();
    let mut lines = each_line(text, from).peekable();
    while let Some((start, line)) = lines.next() {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        let is_comment = content == ".."
            || content.strip_prefix(".. ").is_some_and(|rest| {
                let rest = rest.trim_start();
                let word = rest.split_whitespace().next().unwrap_or("");
                !rest.starts_with(['_', '[', '|']) && !word.ends_with("::")
            });
        if !is_comment {
            continue;
        }
        let mut end = start + line.len();
        while let Some((next, below)) = lines.peek().copied() {
            let blank = below.trim().is_empty();
            if !blank && below.len() - below.trim_start().len() <= indent {
                break;
            }
            if !blank {
                end = next + below.len();
            }
            lines.next();
        }
        out.push(Comment { span: ByteSpan::new(start, end), text: text[start + indent..end].trim_start_matches('.') });
    }
    out
}

/// `// text` and blocks between `////` lines.
fn asciidoc_comments(text: &str, from: usize) -> Vec<Comment<'_>> {
    let mut out = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (start, line) in each_line(text, from) {
        let line = line.trim_end();
        let is_fence = line.len() >= 4 && line.bytes().all(|b| b == b'/');
        let end = start + line.len();
        match open {
            Some((begin, fence)) if is_fence && line == fence => {
                out.push(Comment { span: ByteSpan::new(begin, end), text: text[begin..end].trim_matches('/') });
                open = None;
            }
            None if is_fence => open = Some((start, line)),
            None if line.starts_with("//") => {
                out.push(Comment { span: ByteSpan::new(start, end), text: line.trim_start_matches('/') });
            }
            Some(_) | None => {}
        }
    }
    out
}

fn each_line(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = from;
    text.get(from..).unwrap_or("").split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}
