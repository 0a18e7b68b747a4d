//! reStructuredText: a scanner of lines. It knows the block structure by indent and the common directives of docutils
//! and Sphinx; what it does not know is a directive with a body. It never fails.

mod directive;
mod inline;
mod scan;
mod syntax;
mod table;

use super::super::Format;
use crate::model::{DocFormat, Region, RepoPath};

/// `.rst`, `.rest`, and `.txt` in a documentation folder where the text uses explicit markup.
pub(super) struct Rst;

impl Format for Rst {
    fn format(&self) -> DocFormat {
        DocFormat::Rst
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        match path.extension().to_ascii_lowercase().as_str() {
            "rst" | "rest" => true,
            "txt" => super::is_docs_text(path),
            _ => false,
        }
    }

    fn claims(&self, path: &RepoPath, text: &str) -> bool {
        self.accepts(path) && (!path.extension().eq_ignore_ascii_case("txt") || has_markers(text))
    }

    fn regions(&self, text: &str, body_start: usize) -> Vec<Region> {
        scan::regions(text, body_start)
    }
}

/// Whether a text uses explicit markup: a directive or a target.
fn has_markers(text: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start()
            .strip_prefix(".. ")
            .is_some_and(|rest| rest.starts_with('_') || syntax::directive(rest).is_some_and(|(name, ..)| !name.is_empty()))
    })
}

#[cfg(test)]
mod tests;
