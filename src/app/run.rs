//! From parsed arguments to an outcome: where output goes, atomically written files, errors for people.

use std::io::{IsTerminal, Write};
use std::path::Path;

use super::suppressions::write_baseline;
use super::{BaselineChoice, CheckOptions, Error, Outcome, check, demo};
use crate::cli::{Baseline, Check, Cli, Color, Command, ReplayFormat};
use crate::git::RangeOptions;
use crate::model::Sidecar;
use crate::report::{self, Links, ReportOptions};

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
    // Messages may quote the repository: its configuration, its paths.
    let one_line = |text: String| report::log_lines(&text.replace(['\n', '\r'], " "));
    let _ = writeln!(out, "error: {}", one_line(error.to_string()));
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let _ = writeln!(out, "  because: {}", one_line(inner.to_string()));
        cause = inner.source();
    }
    if let Some(help) = error.help() {
        let _ = writeln!(out, "  help: {}", report::log_lines(&help));
    }
}

/// Runs a command.
///
/// # Errors
/// The job could not be done.
pub fn run(cli: &Cli) -> Result<Outcome, Error> {
    match &cli.command {
        Command::Check(arguments) => run_check(arguments, cli.color),
        Command::Baseline(arguments) => run_baseline(arguments),
        Command::Demo => run_demo(cli.color),
        #[cfg(feature = "github")]
        Command::Action(arguments) => super::action(arguments),
        #[cfg(feature = "github")]
        Command::Publish(arguments) => super::publish(arguments),
        Command::Facts(arguments) => print(&super::inspect_facts(&arguments.repo, &arguments.target, arguments.json)?),
        Command::Citations(arguments) => print(&super::inspect_citations(&arguments.repo, &arguments.target, arguments.json)?),
        Command::Replay(arguments) => run_replay(arguments),
        Command::Validate(arguments) => super::validate(arguments),
        Command::Explain(arguments) => {
            if let Some(path) = &arguments.sidecar {
                return print(&super::explain_sidecar(path, &arguments.target)?);
            }
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

fn run_replay(arguments: &crate::cli::Replay) -> Result<Outcome, Error> {
    let since = arguments.since.as_deref().map(day).transpose()?;
    let options = CheckOptions {
        repository: arguments.repo.clone(),
        range: RangeOptions { base: None, head: arguments.head.clone() },
        config: arguments.config.clone(),
        min_confidence: arguments.min_confidence,
        ..CheckOptions::default()
    };
    let terminal = std::io::stderr().is_terminal();
    let mut progress = |done: usize, total: usize| {
        if terminal {
            let width = 30;
            let filled = (done * width).checked_div(total).unwrap_or(width);
            let _ = write!(anstream::stderr(), "\r[{}{}] {done}/{total}", "#".repeat(filled), " ".repeat(width - filled));
        }
    };
    let result = super::replay(&options, super::ReplayOptions { last: arguments.last, since }, &mut progress)?;
    if terminal {
        let _ = write!(anstream::stderr(), "\r{}\r", " ".repeat(60));
    }
    let text = match arguments.format {
        ReplayFormat::Text => report::log_lines(&super::replay_text(&result)),
        ReplayFormat::Markdown => report::log_lines(&super::replay_markdown(&result)),
        ReplayFormat::Json => report::json_text(&result).map_err(Error::Report)?,
    };
    print(&text)
}

/// Second of the epoch at which a day begins, UTC (days from civil date, proleptic Gregorian calendar).
fn day(text: &str) -> Result<i64, Error> {
    let invalid = || Error::Invalid { message: format!("`{text}` is no date"), help: Some("write it as YYYY-MM-DD".to_owned()) };
    let parts: Vec<i64> = text.split('-').map(|p| p.parse().map_err(|_| invalid())).collect::<Result<_, _>>()?;
    let &[year, month, day] = parts.as_slice() else { return Err(invalid()) };
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return Err(invalid());
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era_year = year % 400;
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let days = (year / 400) * 146_097 + era_year * 365 + era_year / 4 - era_year / 100 + day_of_year - 719_468;
    Ok(days * 86_400)
}

fn run_check(arguments: &Check, color: Color) -> Result<Outcome, Error> {
    let options = CheckOptions {
        repository: arguments.repo.clone(),
        range: RangeOptions { base: arguments.base.clone(), head: arguments.head.clone() },
        config: arguments.config.clone(),
        fail_on: arguments.fail_on,
        min_confidence: arguments.min_confidence,
        no_policy: arguments.no_policy,
        baseline: arguments.baseline.clone().map_or(BaselineChoice::Configured, BaselineChoice::File),
        today: None,
    };
    let (analysis, outcome) = check(&options)?;
    let links = match (&arguments.link_server, &arguments.link_repository) {
        (Some(server), Some(repository)) => Some(Links { server, repository, commit: None }),
        _ => None,
    };
    let options = ReportOptions { links, ..ReportOptions::default() };
    let to_file = |format: &str, path: &Path| {
        let mut bytes = Vec::new();
        render(format, &analysis.sidecar, options, &mut bytes)?;
        write_file(path, &bytes)
    };
    if let Some(path) = &arguments.sidecar {
        to_file("json", path)?;
    }
    for report in &arguments.reports {
        to_file(&report.format, &report.path)?;
    }
    match &arguments.output {
        Some(path) => to_file(&arguments.format, path)?,
        None => to_stdout(&arguments.format, &analysis.sidecar, color, options)?,
    }
    Ok(outcome)
}

fn run_baseline(arguments: &Baseline) -> Result<Outcome, Error> {
    let options = CheckOptions {
        repository: arguments.repo.clone(),
        range: RangeOptions { base: arguments.base.clone(), head: arguments.head.clone() },
        config: arguments.config.clone(),
        ..CheckOptions::default()
    };
    let written = write_baseline(&options)?;
    match &arguments.output {
        Some(path) => write_file(path, written.text.as_bytes())?,
        None => write_stdout(written.text.as_bytes())?,
    }
    if let Some(note) = written.note {
        let _ = writeln!(anstream::stderr(), "{}", report::log_lines(&note));
    }
    Ok(Outcome::Passed)
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
    to_stdout("text", &analysis.sidecar, color, ReportOptions::default())?;
    Ok(Outcome::Passed)
}

fn render(format: &str, sidecar: &Sidecar, options: ReportOptions<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let reporter =
        report::reporter(format).ok_or_else(|| Error::Invalid { message: format!("no report format `{format}`"), help: None })?;
    reporter.render(sidecar, options, out).map_err(Error::Report)
}

fn to_stdout(format: &str, sidecar: &Sidecar, color: Color, options: ReportOptions<'_>) -> Result<(), Error> {
    let choice = match color {
        Color::Auto => anstream::AutoStream::choice(&std::io::stdout()),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    let colored = !matches!(choice, anstream::ColorChoice::Never);
    let width = terminal_size::terminal_size().map(|(w, _)| usize::from(w.0));
    let mut bytes = Vec::new();
    render(format, sidecar, ReportOptions { color: colored, width, ..options }, &mut bytes)?;
    write_stdout(&bytes)
}

pub(super) fn print(text: &str) -> Result<Outcome, Error> {
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

/// Writes a file whole or not at all: into a temporary file beside it, then renamed. What is there and is no regular file (a
/// pipe, `/dev/stdout`) is written to as it is.
#[expect(clippy::disallowed_methods, reason = "the caller's own files are written here")]
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(path, bytes).map_err(failed);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary().tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}

/// Temporary files that others may read as any new file, as far as the process lets them: another step of a job, which may
/// be another user, goes on with them.
fn temporary() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "permissions are those of the folder"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn reads_days() {
        for (text, expected) in [("1970-01-01", 0), ("2000-03-01", 951_868_800), ("2026-11-30", 1_795_996_800)] {
            assert_eq!(day(text).ok(), Some(expected), "{text}");
        }
        assert!(day("2026-13-01").is_err() && day("yesterday").is_err());
    }
}
