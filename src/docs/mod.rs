//! Documents: which files are documents, their formats, frontmatter, regions and generated regions.
//! The only user of the document parsers. Knows nothing of facts.

mod comment;
mod format;
mod frontmatter;
mod generated;
mod liquid;
mod remark;

use crate::model::{DocFormat, Document, LineIndex, Notice, RepoPath};

/// Largest document that is read, in bytes (`design.md` section 11).
pub const MAX_DOCUMENT_BYTES: usize = 1_000_000;

/// A parser for one markup language: a unit struct in a file of its own with one line in [`FORMATS`].
pub trait Format: Sync {
    /// The language.
    fn format(&self) -> DocFormat;
    /// Whether the path is a document of the language.
    fn accepts(&self, path: &RepoPath) -> bool;
    /// Whether a text at an accepted path is of the language: for extensions that several languages share.
    fn claims(&self, path: &RepoPath, text: &str) -> bool {
        let _ = text;
        self.accepts(path)
    }
    /// Splits the text (after the frontmatter) into regions. Spans are bytes of the whole text.
    /// Must not panic or recurse without a bound on any text.
    fn regions(&self, text: &str, body_start: usize) -> Vec<crate::model::Region>;
}

/// Every format, most specific first.
pub static FORMATS: &[&dyn Format] = format::ALL;

/// The format of a path, if it is a document. Where several share an extension, the first; [`parse`] looks at the text.
pub fn format_of(path: &RepoPath) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|f| f.accepts(path))
}

/// A parsed document and what could not be read of it.
#[derive(Debug)]
pub struct ParsedDocument {
    /// The document.
    pub document: Document,
    /// Broken frontmatter and the like.
    pub notices: Vec<Notice>,
}

/// Parses a document; `None` where the path is none.
pub fn parse(path: &RepoPath, text: &str) -> Option<ParsedDocument> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
    let format = FORMATS.iter().copied().find(|f| f.claims(path, &text))?;
    let mut notices = Vec::new();
    let (frontmatter, body_start) = frontmatter::read(path, &text, &mut notices);
    let readable =
        if format.format() == DocFormat::Markdown { liquid::as_fences(&text) } else { std::borrow::Cow::Borrowed(text.as_str()) };
    let regions = format.regions(&readable, body_start);
    let comments = comment::find(format.format(), &text, body_start, &regions);
    let generated = generated::find(&text, (&frontmatter, body_start), &comments);
    let remarks = remark::find(&text, &comments, &regions);
    let lines = LineIndex::new(&text);
    Some(ParsedDocument {
        document: Document { path: path.clone(), format: format.format(), text, lines, frontmatter, regions, generated, remarks },
        notices,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses_by_path_and_text() {
        for (path, text, expected) in [
            ("README.md", "", Some(DocFormat::Markdown)),
            ("docs/A.MARKDOWN", "", Some(DocFormat::Markdown)),
            ("docs/a.mdx", "", Some(DocFormat::Mdx)),
            ("docs/a.rst", "", Some(DocFormat::Rst)),
            ("docs/a.txt", ".. note:: x\n", Some(DocFormat::Rst)),
            ("docs/a.txt", "words\n", Some(DocFormat::Plain)),
            ("a.adoc", "", Some(DocFormat::AsciiDoc)),
            ("INSTALL", "", Some(DocFormat::Plain)),
            ("src/main.rs", "", None),
            ("docs/requirements.txt", "", None),
        ] {
            let parsed = parse(&RepoPath::new(path), text);
            assert_eq!(parsed.map(|p| p.document.format), expected, "{path}");
        }
    }

    #[test]
    fn removes_the_byte_order_mark() {
        let parsed = parse(&RepoPath::new("a.md"), "\u{feff}---\na: 1\n---\n# T\n").expect("a document");
        assert_eq!(parsed.document.frontmatter.values.len(), 1);
        assert_eq!(parsed.document.region_text(&parsed.document.regions[0]), "# T");
        assert_eq!(parsed.document.region_at(13), Some(0));
    }
}
