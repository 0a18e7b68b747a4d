//! Markdown and MDX. Line-level constructs that `CommonMark` does not know (containers, tabs, admonitions, JSX blocks)
//! are resolved by `prepare` before the parser runs; `walk` turns the parser's events into regions.

mod include;
mod jsx;
mod prepare;
mod source;
mod walk;

use super::super::Format;
use crate::model::{DocFormat, Region, RepoPath};

/// `.md`, `.markdown`, `.mkd`.
pub(super) struct Markdown;

impl Format for Markdown {
    fn format(&self) -> DocFormat {
        DocFormat::Markdown
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension().to_ascii_lowercase().as_str(), "md" | "markdown" | "mkd" | "mkdn" | "mdown")
    }

    fn regions(&self, text: &str, body_start: usize) -> Vec<Region> {
        walk::regions(text, &prepare::markdown(text, body_start))
    }
}

/// `.mdx`.
pub(super) struct Mdx;

impl Format for Mdx {
    fn format(&self) -> DocFormat {
        DocFormat::Mdx
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension().eq_ignore_ascii_case("mdx")
    }

    fn regions(&self, text: &str, body_start: usize) -> Vec<Region> {
        walk::regions(text, &prepare::mdx(text, body_start))
    }
}

#[cfg(test)]
mod tests;
