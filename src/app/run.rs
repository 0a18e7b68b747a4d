//! From parsed arguments to an outcome: where output goes, atomically written files, errors for people.

use std::io::{IsTerminal, Write};
use std::path::Path;

use super::{CheckOptions, Error, Outcome, check, demo};
use crate::cli::{Check, Cli, Color, Command};
use crate::git::RangeOptions;
use crate::model::Sidecar;
use crate::report::{self, ReportOptions};

/// Starts the log on standard error; `RUST_LOG` wins over the level.
pub fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "refdrift=info",
        _ => "refdrift=debug",
    };
    let filter =
        tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .try_init();
}

/// Writes an error with its causes and advice to standard error.
pub fn print_error(error: &Error) {
    let mut out = anstream::stderr().lock();
    let _ = writeln!(out, "error: {error}");
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let _ = writeln!(out, "  because: {inner}");
        cause = inner.source();
    }
    if let Some(help) = error.help() {
        let _ = writeln!(out, "  help: {help}");
    }
}

/// Runs a command.
///
/// # Errors
/// The job could not be done.
pub fn run(cli: &Cli) -> Result<Outcome, Error> {
    match &cli.command {
        Command::Check(arguments) => run_check(arguments, cli.color),
        Command::Demo => run_demo(cli.color),
        #[cfg(feature = "github")]
        Command::Action(arguments) => super::action(arguments),
        #[cfg(feature = "github")]
        Command::Publish(arguments) => super::publish(arguments),
        Command::Facts(arguments) => print(&super::inspect_facts(&arguments.repo, &arguments.target, arguments.json)?),
        Command::Citations(arguments) => print(&super::inspect_citations(&arguments.repo, &arguments.target, arguments.json)?),
        Command::Explain(arguments) => {
            let options = CheckOptions {
                repository: arguments.repo.clone(),
                range: RangeOptions { base: arguments.base.clone(), head: arguments.head.clone() },
                config: arguments.config.clone(),
                ..CheckOptions::default()
            };
            print(&super::explain(&options, &arguments.target)?)
        }
    }
}

fn run_check(arguments: &Check, color: Color) -> Result<Outcome, Error> {
    let options = CheckOptions {
        repository: arguments.repo.clone(),
        range: RangeOptions { base: arguments.base.clone(), head: arguments.head.clone() },
        config: arguments.config.clone(),
        fail_on: arguments.fail_on,
        min_confidence: arguments.min_confidence,
        no_policy: arguments.no_policy,
    };
    let (analysis, outcome) = check(&options)?;
    if let Some(path) = &arguments.sidecar {
        let mut bytes = Vec::new();
        render("json", &analysis.sidecar, ReportOptions::default(), &mut bytes)?;
        write_file(path, &bytes)?;
    }
    match &arguments.output {
        Some(path) => {
            let mut bytes = Vec::new();
            render(&arguments.format, &analysis.sidecar, ReportOptions::default(), &mut bytes)?;
            write_file(path, &bytes)?;
        }
        None => to_stdout(&arguments.format, &analysis.sidecar, color)?,
    }
    Ok(outcome)
}

fn run_demo(color: Color) -> Result<Outcome, Error> {
    let folder = tempfile::tempdir().map_err(|source| Error::Io { action: "write", path: std::env::temp_dir(), source })?;
    let path = folder.path().join("crate-watch");
    demo(&path)?;
    let options = CheckOptions {
        repository: path,
        range: RangeOptions { base: Some("HEAD~1".to_owned()), head: Some("HEAD".to_owned()) },
        ..CheckOptions::default()
    };
    let (analysis, _) = check(&options)?;
    let mut out = anstream::stdout().lock();
    let intro = "A sample repository: its last commit changes a flag, a default and a name, and leaves the documentation as it was.\n\
                 $ refdrift check --base HEAD~1 --head HEAD\n";
    writeln!(out, "{intro}").map_err(Error::Report)?;
    drop(out);
    to_stdout("text", &analysis.sidecar, color)?;
    Ok(Outcome::Passed)
}

fn render(format: &str, sidecar: &Sidecar, options: ReportOptions, out: &mut dyn Write) -> Result<(), Error> {
    let reporter =
        report::reporter(format).ok_or_else(|| Error::Invalid { message: format!("no report format `{format}`"), help: None })?;
    reporter.render(sidecar, options, out).map_err(Error::Report)
}

fn to_stdout(format: &str, sidecar: &Sidecar, color: Color) -> Result<(), Error> {
    let choice = match color {
        Color::Auto => anstream::AutoStream::choice(&std::io::stdout()),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    let colored = !matches!(choice, anstream::ColorChoice::Never);
    let width = terminal_size::terminal_size().map(|(w, _)| usize::from(w.0));
    let mut bytes = Vec::new();
    render(format, sidecar, ReportOptions { color: colored, width }, &mut bytes)?;
    write_stdout(&bytes)
}

fn print(text: &str) -> Result<Outcome, Error> {
    write_stdout(text.as_bytes())?;
    Ok(Outcome::Passed)
}

fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Error::Report),
    }
}

/// Writes a file whole or not at all: into a temporary file beside it, then renamed.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}
