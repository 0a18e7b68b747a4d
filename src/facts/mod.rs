//! Facts from source text: one extractor per language, format or framework behind one trait and one static registry.
//! Extractors read one file at one commit; they know nothing of documents, changes or the other side.

#[cfg(test)]
pub(crate) mod checking;
pub mod cli;
pub mod data;
pub(crate) mod environment;
pub mod lang;
pub(crate) mod reading;
mod source;
#[cfg(test)]
mod testing;
pub(crate) mod written;

pub use source::{FactSink, NewFact, Source};

use crate::model::{Fact, Notice, NoticeCode, RepoPath};

/// Reads facts out of one file.
///
/// An extractor is a unit struct in a file of its own with one line in [`EXTRACTORS`]. It must not recurse over the
/// tree without a bound, must not panic on any text, and states nothing that is not written there: a computed value
/// goes under `<key>Expr`, an unknown construct is left out.
pub trait Extractor: Sync {
    /// Kebab-case name, unique in the registry.
    fn name(&self) -> &'static str;
    /// Whether the file is one it reads. Several extractors may read one file.
    fn accepts(&self, path: &RepoPath) -> bool;
    /// Adds the file's facts to the sink.
    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>);
}

/// Every extractor, in the order they run.
pub static EXTRACTORS: &[&dyn Extractor] = &[
    &cli::annotated::Annotated,
    &cli::argparse::Argparse,
    &cli::cac::Cac,
    &cli::clap_builder::ClapBuilder,
    &cli::clap_derive::ClapDerive,
    &cli::click::Click,
    &cli::cobra::Cobra,
    &cli::commander::Commander,
    &cli::compared::Compared,
    &cli::go_flag::GoFlag,
    &cli::kingpin::Kingpin,
    &cli::nox::Invoke,
    &cli::nox::Nox,
    &cli::option_parser::OptionParser,
    &cli::options_table::OptionsTable,
    &cli::parse_args::ParseArgs,
    &cli::rust_flag_table::RustFlagTable,
    &cli::typer::Typer,
    &cli::urfave::Urfave,
    &cli::yargs::Yargs,
    &data::action::Action,
    &data::cargo::Cargo,
    &data::keys::ConfigKeys,
    &data::npm::Npm,
    &data::python_project::PythonProject,
    &data::workflow::Workflow,
    &lang::ecmascript::Ecmascript,
    &lang::go::Go,
    &lang::java::Java,
    &lang::kotlin::Kotlin,
    &lang::python::Python,
    &lang::ruby::Ruby,
    &lang::rust::Rust,
];

/// Facts of one file, in the order they were found, and what could not be read.
#[derive(Clone, Debug, Default)]
pub struct Extraction {
    /// The facts; two facts never share an id (the first one stays).
    pub facts: Vec<Fact>,
    /// What could not be read.
    pub notices: Vec<Notice>,
}

/// Most facts of one extractor and file (reference, section 7).
pub const MAX_FACTS: usize = 4_096;

/// Whether any extractor reads the file.
pub fn is_source(path: &RepoPath) -> bool {
    EXTRACTORS.iter().any(|e| e.accepts(path))
}

/// Runs every extractor that accepts the file.
pub fn extract(path: &RepoPath, text: &str) -> Extraction {
    let source = Source::new(path, text);
    let mut out = Extraction::default();
    for extractor in EXTRACTORS.iter().filter(|e| e.accepts(path)) {
        let mut sink = FactSink::new(&source);
        extractor.extract(&source, &mut sink);
        let (facts, limited) = sink.finish();
        if limited {
            out.notices.push(Notice::file(
                NoticeCode::LimitReached,
                path,
                format!("more than {MAX_FACTS} facts for {}; the rest was not read", extractor.name()),
            ));
        }
        out.facts.extend(facts);
    }
    let mut seen = std::collections::BTreeSet::new();
    out.facts.retain(|fact| seen.insert((fact.kind, fact.owner.clone(), fact.name.clone())));
    if source.has_syntax_error() {
        out.notices.push(Notice::file(NoticeCode::SyntaxError, path, "syntax error; facts around it may be missing"));
    }
    out
}

/// Whether a path holds tests, fixtures or examples: what stands there proves neither use nor absence.
pub fn is_test_path(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let stem = path.stem().to_ascii_lowercase();
    path.directory().split('/').any(|segment| {
        matches!(
            segment.to_ascii_lowercase().as_str(),
            "test"
                | "tests"
                | "__tests__"
                | "testdata"
                | "test-data"
                | "test_data"
                | "fixtures"
                | "__fixtures__"
                | "spec"
                | "specs"
                | "e2e"
                | "testing"
                | "__mocks__"
                | "snapshots"
                | "__snapshots__"
        )
    }) || stem.ends_with("_test")
        || stem.starts_with("test_")
        || stem.ends_with("_spec")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name == "conftest.py"
}
