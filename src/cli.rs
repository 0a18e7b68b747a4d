//! The command line: clap types only.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::FailOn;

/// Tells a pull request which sentences of the documentation it has just made untrue.
#[derive(Debug, Parser)]
#[command(name = "refdrift", version, about, max_term_width = 100, propagate_version = true)]
pub struct Cli {
    /// Log more, to standard error; twice for even more.
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// When to colour the report.
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN")]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare two revisions and report the documentation that went stale.
    ///
    /// Without arguments: HEAD against its merge base with the default branch. Exit code 0: nothing at or above --fail-on;
    /// 1: something; 2: the job could not be done.
    Check(Check),
    /// Tell each step from the change to the verdict at a place, or of a finding.
    Explain(Explain),
    /// Tell what each of the last changes of first-parent history would have reported.
    Replay(Replay),
    /// Print the facts that are seen in a file.
    Facts(Inspect),
    /// Print the regions and names that are seen in a document.
    Citations(Inspect),
    /// Check records against their schemas and everything that a schema cannot say.
    ///
    /// Findings, change sets, sidecars, decisions, baselines and agent findings; single records, arrays and NDJSON. And the
    /// configuration file. Exit code 1 if a
    /// record is wrong, 2 if a file cannot be read.
    Validate(Validate),
    /// Write the findings of a range to a file; `check --baseline FILE` then keeps them back until their evidence changes.
    Baseline(Baseline),
    /// Check what made this job of GitHub Actions run, and deliver: summary, outputs, annotations, review comments.
    ///
    /// Each flag is also an input of the action and an environment variable; an empty value is the default.
    #[cfg(feature = "github")]
    Action(Action),
    /// Post from the sidecar of a job whose token could not: the trusted half for forks. Checks nothing out.
    #[cfg(feature = "github")]
    Publish(Publish),
    /// Build a small sample repository in a temporary folder and check it.
    Demo,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The repository, bare or not.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
    /// Compare with the merge base of this revision and head; the default branch without it.
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// The revision to check; HEAD without it.
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// The configuration file; `.github/refdrift.yml` or `refdrift.yml` without it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The form of the report.
    #[arg(long, default_value = "text", value_parser = report_names())]
    pub format: String,
    /// Write the report to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write a report to a file; may be given several times: `--report sarif=refdrift.sarif --report markdown=summary.md`.
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report_file)]
    pub reports: Vec<ReportFile>,
    /// Also write the policy sidecar to a file.
    #[arg(long, value_name = "FILE")]
    pub sidecar: Option<PathBuf>,
    /// Exit with 1 if a finding is at or above this severity.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub fail_on: Option<FailOn>,
    /// Do not show findings below this confidence (0 to 1).
    #[arg(long, value_name = "N")]
    pub min_confidence: Option<f64>,
    /// Keep the findings of this file back; `refdrift baseline` writes it. Overrides `baseline:` of the configuration.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Show everything: no classification, no routing, no suppressions.
    #[arg(long)]
    pub no_policy: bool,
    /// The server that links in reports lead to.
    #[arg(long, value_name = "URL", env = "GITHUB_SERVER_URL", hide_env_values = true)]
    pub link_server: Option<String>,
    /// The repository on that server; reports have links where both are given.
    #[arg(long, value_name = "OWNER/NAME", env = "GITHUB_REPOSITORY", hide_env_values = true)]
    pub link_repository: Option<String>,
}

/// A report and the file it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Name of the reporter.
    pub format: String,
    /// The file.
    pub path: PathBuf,
}

fn report_file(text: &str) -> Result<ReportFile, String> {
    let (format, path) =
        text.split_once('=').ok_or_else(|| "wanted FORMAT=FILE, for example `sarif=refdrift.sarif`".to_owned())?;
    if crate::report::reporter(format).is_none() {
        let names: Vec<&str> = crate::report::REPORTERS.iter().map(|r| r.name()).collect();
        return Err(format!("no report format `{format}`; one of {}", names.join(", ")));
    }
    if path.is_empty() {
        return Err("the file is missing behind `=`".to_owned());
    }
    Ok(ReportFile { format: format.to_owned(), path: PathBuf::from(path) })
}

/// Arguments of `baseline`.
#[derive(Debug, Args)]
pub struct Baseline {
    /// The repository, bare or not.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
    /// As in `check`.
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// As in `check`.
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// As in `check`.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Write to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A finding's id (or its beginning), or `PATH:LINE` of a document.
    #[arg(value_name = "ID|PATH:LINE")]
    pub target: String,
    /// Read the steps from the sidecar of a run instead of analysing again; it does not hold places that claim nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "head", "config"])]
    pub sidecar: Option<PathBuf>,
    /// The repository, bare or not.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
    /// As in `check`.
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// As in `check`.
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// As in `check`.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct Validate {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The kind of the records; recognised without it.
    #[arg(long, value_name = "KIND", value_parser = record_kinds())]
    pub kind: Option<String>,
    /// Print the violations as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The kind of the configuration file, which is no record but has a schema, too.
pub const CONFIG: &str = "config";

fn record_kinds() -> clap::builder::PossibleValuesParser {
    let names = crate::contracts::KINDS.iter().map(|row| row.name).chain([CONFIG]);
    names.map(clap::builder::PossibleValue::new).collect::<Vec<_>>().into()
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// How many changes.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub last: usize,
    /// Only changes since this day, `YYYY-MM-DD` (UTC).
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// The repository, bare or not.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
    /// The newest revision; HEAD without it.
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// As in `check`.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// As in `check`.
    #[arg(long, value_name = "N")]
    pub min_confidence: Option<f64>,
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = ReplayFormat::Text)]
    pub format: ReplayFormat,
}

/// Forms of a replay's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// For people.
    Text,
    /// A JSON record.
    Json,
    /// Tables.
    Markdown,
}

/// Arguments of `facts` and `citations`.
#[derive(Debug, Args)]
pub struct Inspect {
    /// A path from the repository's root, with `@REV` for another revision than HEAD.
    #[arg(value_name = "PATH[@REV]")]
    pub target: String,
    /// The repository, bare or not.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Where and how much is posted; empty values are the defaults.
#[cfg(feature = "github")]
#[derive(Debug, Args)]
pub struct Delivery {
    /// Post review comments: `true` (default) or `false`.
    #[arg(long, env = "REFDRIFT_COMMENTS", value_name = "BOOL", default_value = "", hide_default_value = true, hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub comments: String,
    /// Most review comments that are open at once, 10 by default; the rest is in the summary.
    #[arg(
        long,
        env = "REFDRIFT_MAX_COMMENTS",
        value_name = "N",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub max_comments: String,
    /// Make a check run: `auto` (default: where the token may and there is something to say), `true` or `false`.
    #[arg(
        long,
        env = "REFDRIFT_CHECK_RUN",
        value_name = "WHEN",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub check_run: String,
    /// Print the requests instead of sending them: `true` or `false` (default).
    #[arg(long, env = "REFDRIFT_DRY_RUN", value_name = "BOOL", default_value = "", hide_default_value = true, hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub dry_run: String,
}

/// Arguments of `action`; empty values are the defaults.
#[cfg(feature = "github")]
#[derive(Debug, Args)]
pub struct Action {
    /// The configuration file, from the working directory; discovered without it.
    #[arg(
        long,
        env = "REFDRIFT_CONFIG",
        value_name = "FILE",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub config: String,
    /// Fail the job on findings at or above this severity: `never` (default), `info`, `warn` or `error`.
    #[arg(
        long,
        env = "REFDRIFT_FAIL_ON",
        value_name = "LEVEL",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub fail_on: String,
    /// Do not show findings below this confidence (0 to 1).
    #[arg(
        long,
        env = "REFDRIFT_MIN_CONFIDENCE",
        value_name = "N",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub min_confidence: String,
    /// Compare with the merge base of this revision and head; from the event without it.
    #[arg(
        long,
        env = "REFDRIFT_BASE",
        value_name = "REV",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub base: String,
    /// The revision to check; from the event without it.
    #[arg(
        long,
        env = "REFDRIFT_HEAD",
        value_name = "REV",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub head: String,
    /// The directory of the repository, from the workspace.
    #[arg(
        long,
        env = "REFDRIFT_WORKING_DIRECTORY",
        value_name = "DIR",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub working_directory: String,
    /// Where to write the policy sidecar; into the job's temporary directory without it.
    #[arg(
        long,
        env = "REFDRIFT_SIDECAR",
        value_name = "FILE",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub sidecar: String,
    /// Also write a SARIF file here, from the workspace.
    #[arg(
        long,
        env = "REFDRIFT_SARIF",
        value_name = "FILE",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub sarif: String,
    /// Write the job summary: `true` (default) or `false`.
    #[arg(long, env = "REFDRIFT_SUMMARY", value_name = "BOOL", default_value = "", hide_default_value = true, hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub summary: String,
    /// Annotate the stale lines where no check run does: `true` (default) or `false`.
    #[arg(long, env = "REFDRIFT_ANNOTATIONS", value_name = "BOOL", default_value = "", hide_default_value = true, hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub annotations: String,
    /// The name under which the action uploads the sidecar; only told, not used.
    #[arg(
        long,
        env = "REFDRIFT_ARTIFACT",
        value_name = "NAME",
        default_value = "",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub artifact: String,
    /// Where and how much is posted.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// Arguments of `publish`.
#[cfg(feature = "github")]
#[derive(Debug, Args)]
pub struct Publish {
    /// The sidecar, as downloaded from the artifact of the other run.
    #[arg(long, env = "REFDRIFT_SIDECAR", value_name = "FILE")]
    pub sidecar: PathBuf,
    /// Where and how much is posted.
    #[command(flatten)]
    pub delivery: Delivery,
}

fn report_names() -> clap::builder::PossibleValuesParser {
    crate::report::REPORTERS
        .iter()
        .map(|r| clap::builder::PossibleValue::new(r.name()).help(r.about()))
        .collect::<Vec<_>>()
        .into()
}
