//! Reports: one reporter per file behind one trait and one static registry. A reporter reads the sidecar and nothing else, and
//! escapes repository text for where it goes.

mod json;
mod text;

use std::io::{self, Write};

pub use text::TextStyle;

use crate::model::Sidecar;

/// How a report is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportOptions {
    /// Colours, for reporters that have them.
    pub color: bool,
    /// Columns of the terminal, for reporters that wrap.
    pub width: Option<usize>,
}

/// Renders a sidecar: a unit struct in a file of its own with one line in [`REPORTERS`].
pub trait Reporter: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// One line for the help.
    fn about(&self) -> &'static str;
    /// Writes the report. An empty result is a valid document.
    ///
    /// # Errors
    /// Writing fails.
    fn render(&self, sidecar: &Sidecar, options: ReportOptions, out: &mut dyn Write) -> io::Result<()>;
}

/// Every reporter.
pub static REPORTERS: &[&dyn Reporter] = &[&json::Json, &text::Text];

/// The reporter of a name.
pub fn reporter(name: &str) -> Option<&'static dyn Reporter> {
    REPORTERS.iter().copied().find(|r| r.name() == name)
}
