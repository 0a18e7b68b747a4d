//! The document formats, one file or folder each. To add one: a unit struct that implements [`Format`] and a line in [`ALL`].

mod html;
mod lines;
mod markdown;
mod outline;
#[cfg(test)]
mod render;

use super::Format;

pub(super) static ALL: &[&dyn Format] = &[&markdown::Markdown, &markdown::Mdx];
