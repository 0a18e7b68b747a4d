//! Facts from source text: one extractor per language, format or framework behind one trait and one static registry.
//! Extractors read one file at one commit; they know nothing of documents, changes or the other side.

mod borrowed;
#[cfg(test)]
pub(crate) mod checking;
pub mod cli;
pub mod data;
pub(crate) mod environment;
mod heritage;
pub mod lang;
pub(crate) mod reading;
mod source;
#[cfg(test)]
mod testing;
mod words;
pub(crate) mod written;

pub use borrowed::{Borrowed, hands_on_everything, may_be_borrowed};
pub use heritage::Heritage;
pub use source::{FactSink, NewFact, Source};
pub use words::Words;

use std::borrow::Cow;

use crate::model::{Fact, FactKind, Notice, NoticeCode, RepoPath};

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
    &cli::autoconf::Autoconf,
    &cli::c_options::COptions,
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
    &data::composer::Composer,
    &data::dockerfile::Dockerfile,
    &data::gemspec::Gemspec,
    &data::go_mod::GoMod,
    &data::gopkg::Gopkg,
    &data::gradle::Gradle,
    &data::gruntfile::Gruntfile,
    &data::justfile::Justfile,
    &data::keys::ConfigKeys,
    &data::makefile::Makefile,
    &data::maven::Maven,
    &data::npm::Npm,
    &data::pins::Pins,
    &data::python_project::PythonProject,
    &data::rakefile::Rakefile,
    &data::requirements::Requirements,
    &data::setup_cfg::SetupCfg,
    &data::setup_py::SetupPy,
    &data::taskfile::Taskfile,
    &data::tox::Tox,
    &data::workflow::Workflow,
    &lang::c::C,
    &lang::ecmascript::call_options::CallOptions,
    &lang::ecmascript::Ecmascript,
    &lang::go::Go,
    &lang::java::Java,
    &lang::kotlin::Kotlin,
    &lang::lists::Lists,
    &lang::python::Python,
    &lang::ruby::Ruby,
    &lang::rust::Rust,
    &lang::setting_reads::SettingReads,
    &lang::shell::Shell,
];

/// Facts of one file, in the order they were found, and what could not be read.
#[derive(Clone, Debug, Default)]
pub struct Extraction {
    /// The facts; two facts never share an id (the first one stays).
    pub facts: Vec<Fact>,
    /// Names that stand in it as text or as a key.
    pub words: Words,
    /// What its classes are built on.
    pub heritage: Heritage,
    /// What it takes from other packages.
    pub borrowed: Borrowed,
    /// What could not be read.
    pub notices: Vec<Notice>,
}

/// Most facts of one extractor and file (reference, section 7).
pub const MAX_FACTS: usize = 4_096;

/// The path by which a file's language is told: its own, or for a script without an extension one with that of the program
/// which its first line names.
pub fn read_as<'p>(path: &'p RepoPath, text: &str) -> Cow<'p, RepoPath> {
    let script = path.extension().is_empty() && text.starts_with("#!") && !is_source(path);
    match text.lines().next().filter(|_| script).and_then(extension_of) {
        Some(extension) => Cow::Owned(RepoPath::new(format!("{path}.{extension}"))),
        None => Cow::Borrowed(path),
    }
}

/// The extension of what a program reads: `#!/usr/bin/env -S node --flag`.
fn extension_of(shebang: &str) -> Option<&'static str> {
    let words = shebang.trim_start_matches("#!").split_whitespace().map(|w| w.rsplit('/').next().unwrap_or(w));
    let program = words.filter(|w| *w != "env" && !w.starts_with('-')).find(|w| !w.contains('='))?;
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "python" | "pypy" => Some("py"),
        "node" | "nodejs" | "bun" => Some("js"),
        "deno" | "tsx" | "ts-node" => Some("ts"),
        "ruby" => Some("rb"),
        "sh" | "bash" | "zsh" | "dash" | "ksh" => Some("sh"),
        _ => None,
    }
}

/// Whether any extractor reads the file.
pub fn is_source(path: &RepoPath) -> bool {
    EXTRACTORS.iter().any(|e| e.accepts(path))
}

/// Runs every extractor that accepts the file.
pub fn extract(path: &RepoPath, text: &str) -> Extraction {
    let named = read_as(path, text);
    let source = Source::new(&named, text);
    let mut out = Extraction::default();
    for extractor in EXTRACTORS.iter().filter(|e| e.accepts(&named)) {
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
    let flags: Vec<Fact> = out.facts.iter().filter_map(|fact| flag_of_constant(fact, path)).collect();
    out.facts.extend(flags);
    merge_overloads(&mut out.facts);
    let mut seen = std::collections::BTreeSet::new();
    out.facts.retain(|fact| seen.insert((fact.kind, fact.owner.clone(), fact.name.clone())));
    if *named != *path {
        let (module, file) = (source.module_owner(), source.file_owner());
        for fact in &mut out.facts {
            fact.path = path.clone();
            if fact.owner == module {
                fact.owner = format!("module:{path}");
            } else if fact.owner == file {
                fact.owner = format!("file:{path}");
            }
        }
    }
    out.words = words::read(&source);
    out.heritage = heritage::read(&source);
    out.borrowed = borrowed::read(&source);
    // A definition under a name that the file tries to import stands in for it where it is missing.
    let tried = borrowed::tried(&source);
    out.facts.retain(|f| !matches!(f.kind, FactKind::Symbol | FactKind::Signature) || !tried.contains(&f.name));
    if source.has_syntax_error() {
        out.notices.push(Notice::file(NoticeCode::SyntaxError, path, "syntax error; facts around it may be missing"));
    }
    out
}

/// Several signatures of one name are overloads: the first one carries them all, sorted, under `overloads`.
fn merge_overloads(facts: &mut [Fact]) {
    let mut all: std::collections::BTreeMap<(String, String), Vec<usize>> = std::collections::BTreeMap::new();
    for (index, fact) in facts.iter().enumerate().filter(|(_, f)| f.kind == FactKind::Signature) {
        all.entry((fact.owner.clone(), fact.name.clone())).or_default().push(index);
    }
    for list in all.into_values().filter(|list| list.len() > 1) {
        let mut overloads: Vec<serde_json::Value> = list.iter().map(|&i| facts[i].value.clone()).collect();
        overloads.sort_by_cached_key(crate::value::canonical::to_string);
        overloads.dedup();
        if let Some(map) = facts[list[0]].value.as_object_mut().filter(|_| overloads.len() > 1) {
            map.insert("overloads".to_owned(), serde_json::Value::Array(overloads));
        }
    }
}

/// A constant whose text is a flag declares the flag: `const OUTPUT = "--output"`.
fn flag_of_constant(fact: &Fact, path: &RepoPath) -> Option<Fact> {
    let text = fact.value.get("value").filter(|_| fact.kind == FactKind::Constant)?.as_str()?;
    let name = text.strip_prefix("--")?;
    let plain = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    plain.then(|| Fact {
        kind: FactKind::CliFlag,
        owner: format!("command:{}", path.stem()),
        name: text.to_owned(),
        value: serde_json::json!({}),
        aliases: Vec::new(),
        body_hash: None,
        ..fact.clone()
    })
}

/// Whether a path holds tests, fixtures or examples: what stands there proves neither use nor absence.
pub fn is_test_path(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let stem = path.stem().to_ascii_lowercase();
    // In Go a folder of any name is a package that others import.
    if path.extension() == "go" {
        // What lies under `internal` nobody else can.
        let internal = || path.directory().split('/').skip_while(|s| *s != "internal");
        return stem.ends_with("_test")
            || path.directory().split('/').any(|s| s == "testdata")
            || internal().any(|s| matches!(s, "fixtures" | "test" | "tests" | "mock" | "mocks"));
    }
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
                | "testsuite"
                | "test-suite"
                | "test_suite"
                | "__mocks__"
                | "snapshots"
                | "__snapshots__"
        )
    }) || path
        .directory()
        .split('/')
        .any(|s| crate::value::name::is_test_folder(s) || s.ends_with("Test") || s.ends_with("Tests") || s.ends_with("-tests"))
        || stem.ends_with("_test")
        || stem == "tests"
        || stem.ends_with("-tests")
        || stem.ends_with("_tests")
        || stem.starts_with("test_")
        || stem.ends_with("_spec")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name == "conftest.py"
}
