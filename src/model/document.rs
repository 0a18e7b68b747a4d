//! Documents as the citation stage sees them: regions in reading order, with what stands above each as scope.

use std::collections::BTreeMap;

use super::{ByteSpan, LineIndex, LineSpan, RepoPath};

/// The markup language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocFormat {
    /// `CommonMark` with the GFM extensions.
    Markdown,
    /// Markdown with JSX and ESM.
    Mdx,
    /// reStructuredText.
    Rst,
    /// `AsciiDoc`.
    AsciiDoc,
    /// No markup: README, INSTALL, `.txt`.
    Plain,
}

/// What a stretch of a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A heading of level 1 to 6. Its own level's scope does not contain it.
    Heading {
        /// 1 is the title.
        level: u8,
    },
    /// Running text. Consecutive lines of one paragraph are one region.
    Paragraph,
    /// The first text of a list item (or the term of a definition list). Further paragraphs of the item are
    /// `Paragraph`s with the item in their scope.
    ListItem,
    /// The header row of a table.
    TableHeader {
        /// Content of each cell, without the bars and surrounding blanks.
        cells: Vec<ByteSpan>,
    },
    /// A body row of a table.
    TableRow {
        /// Index of the table's header region, if it has one.
        header: Option<usize>,
        /// Content of each cell, without the bars and surrounding blanks.
        cells: Vec<ByteSpan>,
    },
    /// A code block, fenced, indented, literal or by directive: one region for the whole block.
    CodeBlock {
        /// First word of the info string, lower case (`sh`, `python`); empty if there is none.
        lang: String,
        /// The rest of the info string or the directive's options as written.
        meta: String,
        /// The code itself, without the fences. Indented blocks keep their indent.
        content: ByteSpan,
    },
    /// Raw HTML or JSX.
    Html,
    /// A directive of reStructuredText or a macro of `AsciiDoc` whose argument names something
    /// (`autofunction`, `literalinclude`, `option`, `envvar`, `include`).
    Directive {
        /// Its name without the colons.
        name: String,
        /// Its argument; empty if there is none.
        argument: ByteSpan,
        /// Whether the argument is running text, as a note's is.
        prose: bool,
    },
}

/// Markup inside a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Inline code; the span is the code without its delimiters.
    Code,
    /// A link or image or HTML `src`/`href`; the span is the whole construct.
    Link {
        /// Where it points, entities and escapes decoded, as written otherwise.
        target: String,
    },
    /// The text of a link; the span is the text without brackets.
    LinkText,
    /// Emphasis or strong; the span is the inner text.
    Emphasis,
    /// A role of reStructuredText or an inline macro (`func`, `option`, `ref`); the span is its content.
    Role {
        /// Name without colons or domain (`py:func` is `func`).
        name: String,
    },
    /// Text that is struck through.
    Strikethrough,
    /// An inline HTML or JSX tag; the span is the tag.
    Html,
}

/// One piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Where, in bytes of the document.
    pub span: ByteSpan,
}

/// What stands above a region, as indexes into `Document::regions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The enclosing headings, outermost first.
    pub headings: Vec<usize>,
    /// The enclosing list items (or directives with a body), outermost first.
    pub items: Vec<usize>,
}

/// A stretch of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// The source text, without surrounding blank lines; markup is included.
    pub span: ByteSpan,
    /// What stands above.
    pub scope: Scope,
    /// Markup inside, by start.
    pub marks: Vec<Mark>,
}

/// Text that a program wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedRegion {
    /// Where; the whole document for a file marker.
    pub span: ByteSpan,
    /// Who wrote it, as far as the marker says: `apidump`, `scripts/dump.py`; `unknown` if it does not.
    pub generator: String,
}

/// A comment that speaks to refdrift: `refdrift: allow broken-reference …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The comment.
    pub span: ByteSpan,
    /// Its words behind `refdrift:`, with single blanks.
    pub words: String,
    /// The block it speaks of: the one it stands in, else the next one; absent at the end of a document.
    pub block: Option<ByteSpan>,
}

/// What stands before the text in YAML (`---`) or TOML (`+++`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frontmatter {
    /// Top-level keys with their values; nested maps are JSON objects.
    pub values: BTreeMap<String, serde_json::Value>,
    /// Where it stands, delimiters included.
    pub span: Option<ByteSpan>,
}

/// A parsed document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it lies at head.
    pub path: RepoPath,
    /// Its markup language.
    pub format: DocFormat,
    /// The text, a byte order mark removed.
    pub text: String,
    /// Lines of the text.
    pub lines: LineIndex,
    /// Frontmatter; empty where there is none.
    pub frontmatter: Frontmatter,
    /// Regions in reading order; they do not overlap, except that a table row's cells belong to its row.
    pub regions: Vec<Region>,
    /// Text that a program wrote.
    pub generated: Vec<GeneratedRegion>,
    /// Comments that speak to refdrift.
    pub remarks: Vec<Remark>,
}

impl Document {
    /// The source text of a region.
    pub fn region_text(&self, region: &Region) -> &str {
        region.span.of(&self.text)
    }

    /// The lines of a span.
    pub fn lines_of(&self, span: ByteSpan) -> LineSpan {
        self.lines.lines(span)
    }

    /// The region a byte lies in.
    pub fn region_at(&self, offset: usize) -> Option<usize> {
        let next = self.regions.partition_point(|r| r.span.start <= offset);
        (0..next).rev().find(|&i| offset < self.regions[i].span.end)
    }
}
