//! `AsciiDoc`: a scanner of lines for the blocks, lists and tables that documents use. Preprocessor conditions are
//! skipped, both of their branches are read; attributes stay as written.

mod inline;
mod scan;
mod syntax;
mod table;

use super::super::Format;
use crate::model::{DocFormat, Region, RepoPath};

/// `.adoc`, `.asciidoc`.
pub(super) struct AsciiDoc;

impl Format for AsciiDoc {
    fn format(&self) -> DocFormat {
        DocFormat::AsciiDoc
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension().to_ascii_lowercase().as_str(), "adoc" | "asciidoc")
    }

    fn regions(&self, text: &str, body_start: usize) -> Vec<Region> {
        scan::regions(text, body_start)
    }
}

#[cfg(test)]
mod tests;
