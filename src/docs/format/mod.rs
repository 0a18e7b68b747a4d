//! The document formats, one file or folder each. To add one: a unit struct that implements [`Format`] and a line in [`ALL`].

mod address;
mod asciidoc;
mod csv;
mod html;
mod lines;
mod markdown;
mod outline;
mod plain;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod render;
mod rst;

use super::Format;
use crate::model::RepoPath;

pub(super) static ALL: &[&dyn Format] = &[&markdown::Markdown, &markdown::Mdx, &rst::Rst, &asciidoc::AsciiDoc, &plain::Plain];

/// Whether a `.txt` lies where documents lie and is none of the lists that tools keep there.
fn is_docs_text(path: &RepoPath) -> bool {
    let in_docs = path
        .directory()
        .split('/')
        .any(|segment| matches!(segment.to_ascii_lowercase().as_str(), "docs" | "doc" | "documentation" | "manual" | "man"));
    let stem = path.stem().to_ascii_lowercase();
    let is_list = ["requirements", "constraints", "wordlist", "spelling", "cmakelists", "robots", "dictionary"]
        .iter()
        .any(|list| stem.contains(list));
    in_docs && !is_list
}
