//! One occurrence of a name in a document: the word and qualified name around it, and the markup it stands in.

use crate::model::{ByteSpan, CitationForm, Document, MarkKind, Region, RegionKind};

/// An occurrence inside a region.
pub(super) struct Place<'d> {
    pub(super) document: &'d Document,
    pub(super) region: &'d Region,
    pub(super) span: ByteSpan,
    index: usize,
}

fn is_ident(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

impl<'d> Place<'d> {
    /// `None` where the span lies in no region (frontmatter, separators).
    pub(super) fn new(document: &'d Document, span: ByteSpan) -> Option<Self> {
        let index = document.region_at(span.start)?;
        Some(Self { document, region: &document.regions[index], span, index })
    }

    pub(super) fn region_index(&self) -> usize {
        self.index
    }

    pub(super) fn text(&self) -> &'d str {
        &self.document.text
    }

    /// The document text under a span.
    pub(super) fn of(&self, span: ByteSpan) -> &'d str {
        span.of(&self.document.text)
    }

    /// The name as written.
    pub(super) fn word(&self) -> &'d str {
        self.of(self.span)
    }

    /// The character before a byte.
    pub(super) fn before(&self, at: usize) -> Option<char> {
        self.text().get(..at)?.chars().next_back()
    }

    /// The character at a byte.
    pub(super) fn after(&self, at: usize) -> Option<char> {
        self.text().get(at..)?.chars().next()
    }

    /// Whether the name is part of a longer hyphenated word.
    pub(super) fn is_hyphenated(&self) -> bool {
        let text = self.text();
        let left = text[..self.span.start].strip_suffix('-').is_some_and(|t| t.chars().next_back().is_some_and(is_ident));
        let right = text[self.span.end..].strip_prefix('-').is_some_and(|t| t.chars().next().is_some_and(is_ident));
        left || right
    }

    /// The qualifiers in front of the name, outermost first: `a`, `b` of `a.b.name`; calls and indexes end the chain.
    pub(super) fn qualifiers(&self) -> Vec<&'d str> {
        let text = self.text();
        let mut out = Vec::new();
        let mut at = self.span.start;
        while out.len() < 12 {
            let Some(separator) = ["::", "->", ".", "#"].iter().find(|s| text[..at].ends_with(**s)) else { break };
            let mut end = at - separator.len();
            // A call chain goes on over lines in code.
            if *separator == "." && self.fence().is_some() {
                end = text[..end].trim_end().len().max(self.region.span.start);
            }
            let start =
                text[..end].char_indices().rev().take_while(|(_, c)| is_ident(*c) || *c == '-').last().map_or(end, |(i, _)| i);
            if start == end {
                // `foo().name` and `.name`: something is in front, its name is not.
                out.push("");
                break;
            }
            out.push(&text[start..end]);
            at = start;
        }
        out.reverse();
        out
    }

    /// Whether the name goes on behind: `name.other`.
    pub(super) fn is_qualifier(&self) -> bool {
        let rest = &self.text()[self.span.end..];
        ["::", "->", ".", "#"].iter().any(|s| rest.strip_prefix(s).is_some_and(|t| t.chars().next().is_some_and(is_ident)))
    }

    /// The innermost inline code or role around the name.
    pub(super) fn code(&self) -> Option<ByteSpan> {
        self.mark(|kind| matches!(kind, MarkKind::Code | MarkKind::Role { .. })).map(|(span, _)| span)
    }

    /// The role around the name.
    pub(super) fn role(&self) -> Option<&'d str> {
        self.mark(|kind| matches!(kind, MarkKind::Role { .. })).and_then(|(_, kind)| match kind {
            MarkKind::Role { name } => Some(name.as_str()),
            _ => None,
        })
    }

    /// The innermost mark of a sort around the name.
    pub(super) fn mark(&self, wanted: impl Fn(&MarkKind) -> bool) -> Option<(ByteSpan, &'d MarkKind)> {
        self.region
            .marks
            .iter()
            .filter(|m| m.span.contains(self.span) && wanted(&m.kind))
            .map(|m| (m.span, &m.kind))
            .min_by_key(|(s, _)| s.len())
    }

    /// The link around the name: its span and target, and whether the name stands in the text of the link.
    pub(super) fn link(&self) -> Option<(ByteSpan, &'d str, bool)> {
        let (span, kind) = self.mark(|kind| matches!(kind, MarkKind::Link { .. }))?;
        let MarkKind::Link { target } = kind else { return None };
        let in_text = self.mark(|kind| matches!(kind, MarkKind::LinkText)).is_some();
        Some((span, target, in_text))
    }

    /// Language and content of the code block.
    pub(super) fn fence(&self) -> Option<(&'d str, ByteSpan)> {
        match &self.region.kind {
            RegionKind::CodeBlock { lang, content, .. } => Some((lang, *content)),
            _ => None,
        }
    }

    /// The line the name stands on, inside the region.
    pub(super) fn line(&self) -> ByteSpan {
        let line = self.document.lines.span_of(self.document.lines.line(self.span.start));
        ByteSpan::new(line.start.max(self.region.span.start), line.end.min(self.region.span.end).max(self.span.end))
    }

    /// The construct the name stands in, apart from what the kind of fact makes of it.
    pub(super) fn form(&self) -> CitationForm {
        match &self.region.kind {
            RegionKind::CodeBlock { .. } => CitationForm::FencedCode,
            RegionKind::Directive { prose: false, .. } => CitationForm::Directive,
            RegionKind::Heading { .. } => CitationForm::Heading,
            RegionKind::TableRow { .. } | RegionKind::TableHeader { .. } => CitationForm::TableCell,
            RegionKind::Paragraph | RegionKind::ListItem | RegionKind::Html | RegionKind::Directive { .. } => {
                if self.role().is_some() {
                    CitationForm::Directive
                } else if self.code().is_some() {
                    CitationForm::InlineCode
                } else if let Some((_, _, in_text)) = self.link() {
                    if in_text { CitationForm::LinkText } else { CitationForm::LinkTarget }
                } else {
                    CitationForm::Prose
                }
            }
        }
    }

    /// Whether the name is a label or page that a role refers to.
    pub(super) fn is_label(&self) -> bool {
        self.role()
            .is_some_and(|role| matches!(role, "ref" | "numref" | "doc" | "term" | "issue" | "pr" | "user" | "cite" | "eq"))
    }

    /// Whether the name is set apart as code: inline code, a role, a code block, a directive's argument.
    pub(super) fn is_code(&self) -> bool {
        self.code().is_some()
            || matches!(self.region.kind, RegionKind::CodeBlock { .. } | RegionKind::Directive { prose: false, .. })
    }

    /// Whether the name stands in a link's target or an inline tag, not in text a reader sees.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.link(), Some((_, _, false))) || self.mark(|kind| matches!(kind, MarkKind::Html)).is_some()
    }

    /// Index and span of the table cell.
    pub(super) fn cell(&self) -> Option<(usize, ByteSpan)> {
        match &self.region.kind {
            RegionKind::TableRow { cells, .. } => cells.iter().copied().enumerate().find(|(_, c)| c.contains(self.span)),
            _ => None,
        }
    }

    /// Texts of what stands above: headings and parent items, outermost first.
    pub(super) fn scope_texts(&self) -> impl Iterator<Item = &'d str> {
        let document = self.document;
        let scope = &self.region.scope;
        scope
            .headings
            .iter()
            .chain(&scope.items)
            .filter_map(move |&i| document.regions.get(i))
            .map(move |r| document.region_text(r))
    }
}
