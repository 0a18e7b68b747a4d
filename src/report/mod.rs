//! Reports: one reporter per file behind one trait and one static registry. A reporter reads the sidecar and nothing else, and
//! escapes repository text for where it goes.

mod agent_finding;
mod agent_finding_lines;
mod escape;
mod github;
mod json;
mod markdown;
mod rdjson;
mod rules;
mod sarif;
mod text;
mod view;

use std::io::{self, Write};

pub use rules::{RULES, Rule};
pub use text::TextStyle;

use crate::model::Sidecar;
use crate::value::clean;

/// How a report is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportOptions<'a> {
    /// Colours, for reporters that have them.
    pub color: bool,
    /// Columns of the terminal, for reporters that wrap.
    pub width: Option<usize>,
    /// Where the repository can be browsed, for reporters that link.
    pub links: Option<Links<'a>>,
}

/// Where the repository can be browsed. What does not look like a server, a repository or a commit gives no link.
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    /// `https://github.com`, or another server of the kind.
    pub server: &'a str,
    /// `owner/name`.
    pub repository: &'a str,
    /// The commit that links show; the head of the range without it.
    pub commit: Option<&'a str>,
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
    fn render(&self, sidecar: &Sidecar, options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()>;
}

/// Every reporter.
pub static REPORTERS: &[&dyn Reporter] = &[
    &text::Text,
    &json::Json,
    &markdown::Markdown,
    &github::GitHub,
    &sarif::Sarif,
    &rdjson::RdJson,
    &agent_finding::AgentFindings,
    &agent_finding_lines::AgentFindingLines,
];

/// The reporter of a name.
pub fn reporter(name: &str) -> Option<&'static dyn Reporter> {
    REPORTERS.iter().copied().find(|r| r.name() == name)
}

/// Pretty JSON with a line feed at the end.
fn write_json<T: serde::Serialize>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(json_text(value)?.as_bytes())
}

/// Pretty JSON with a line feed at the end, written so that nothing in its strings acts on a terminal or a runner.
///
/// # Errors
/// The value is none that JSON can hold.
pub fn json_text<T: serde::Serialize>(value: &T) -> io::Result<String> {
    Ok(clean::json(&serde_json::to_string_pretty(value)?) + "\n")
}

/// Several lines of text with repository content for a terminal or a job's log: without control characters and marks that
/// reorder text, and with nothing that a runner would take for a command.
pub fn log_lines(text: &str) -> String {
    text.split('\n').map(escape::for_log).collect::<Vec<_>>().join("\n")
}
