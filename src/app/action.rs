//! `refdrift action`: what a job of GitHub Actions runs. Sidecar, SARIF, summary and outputs are written before anything is sent,
//! so that a delivery that fails loses nothing; it never changes the exit code either, only `fail-on` does.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::check::check_range;
use super::ranges::{self, EventRange};
use super::run::write_file;
use super::{CheckOptions, Error, Outcome};
use crate::cli;
use crate::config::FailOn;
use crate::git::{RangeOptions, Repository};
use crate::github::{self, CheckRunMode, Conclusion, Delivered, Endpoint, Environment, Event, Job, Level, Outputs, PullEvent};
use crate::model::{PullRequest, Sidecar};
use crate::report::{self, Links, ReportOptions};

/// Most comments without a setting.
const MAX_COMMENTS: usize = 10;
/// Most comments with one.
const MOST_COMMENTS: usize = 50;

/// The arguments, checked. An empty value, as an input that is not set gives it, is the default.
struct Settings {
    config: Option<PathBuf>,
    fail_on: Option<FailOn>,
    min_confidence: Option<f64>,
    range: RangeOptions,
    directory: PathBuf,
    sidecar: PathBuf,
    sarif: Option<PathBuf>,
    summary: bool,
    annotations: bool,
    delivery: DeliverySettings,
}

/// What `action` and `publish` share.
pub(super) struct DeliverySettings {
    pub(super) comments: bool,
    pub(super) max_comments: usize,
    pub(super) check_run: CheckRunMode,
    pub(super) dry_run: bool,
}

fn wrong(name: &str, value: &str, help: &str) -> Error {
    Error::Invalid { message: format!("{name} is `{}`", value.escape_debug()), help: Some(help.to_owned()) }
}

fn switch(name: &str, value: &str, default: bool) -> Result<bool, Error> {
    match value.trim().to_ascii_lowercase().as_str() {
        "" => Ok(default),
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(wrong(name, value, "true or false")),
    }
}

impl DeliverySettings {
    pub(super) fn new(arguments: &cli::Delivery) -> Result<Self, Error> {
        let max = arguments.max_comments.trim();
        let max_comments = if max.is_empty() { Some(MAX_COMMENTS) } else { max.parse().ok().filter(|&n| n <= MOST_COMMENTS) };
        Ok(Self {
            comments: switch("comments", &arguments.comments, true)?,
            max_comments: max_comments.ok_or_else(|| wrong("max-comments", max, "a number from 0 to 50"))?,
            check_run: match arguments.check_run.trim() {
                "" | "auto" => CheckRunMode::Auto,
                "true" => CheckRunMode::Always,
                "false" => CheckRunMode::Never,
                other => return Err(wrong("check-run", other, "auto, true or false")),
            },
            dry_run: switch("dry-run", &arguments.dry_run, false)?,
        })
    }
}

impl Settings {
    fn new(arguments: &cli::Action, environment: &Environment) -> Result<Self, Error> {
        let text = |value: &str| Some(value.trim().to_owned()).filter(|v| !v.is_empty());
        let directory = environment.workspace.join(arguments.working_directory.trim());
        let fail_on = match text(&arguments.fail_on) {
            Some(level) => {
                Some(FailOn::from_str(&level, true).map_err(|_| wrong("fail-on", &level, "never, info, warn or error"))?)
            }
            None => None,
        };
        let min_confidence = match text(&arguments.min_confidence) {
            Some(number) => {
                let parsed = number.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
                Some(parsed.ok_or_else(|| wrong("min-confidence", &number, "a number from 0 to 1"))?)
            }
            None => None,
        };
        Ok(Self {
            config: text(&arguments.config).map(|path| directory.join(path)),
            fail_on,
            min_confidence,
            range: RangeOptions { base: text(&arguments.base), head: text(&arguments.head) },
            sidecar: text(&arguments.sidecar).map_or_else(|| environment.temp.join("refdrift/sidecar.json"), PathBuf::from),
            sarif: text(&arguments.sarif).map(|path| environment.workspace.join(path)),
            directory,
            summary: switch("summary", &arguments.summary, true)?,
            annotations: switch("annotations", &arguments.annotations, true)?,
            delivery: DeliverySettings::new(&arguments.delivery)?,
        })
    }
}

/// Runs the command.
///
/// # Errors
/// The environment, the repository or a setting is wrong. What only concerns delivery is a warning.
pub fn action(arguments: &cli::Action) -> Result<Outcome, Error> {
    let mut log = Log::new();
    let result = Environment::read().map_err(Error::from).and_then(|environment| run(&environment, arguments, &mut log));
    if let Err(error) = &result {
        let help = error.help().map(|h| format!("\n{h}")).unwrap_or_default();
        log.command(&github::message(Level::Error, "refdrift", &format!("{error}{help}")));
    }
    result
}

/// The job's log: text of the repository goes where no workflow command is read.
pub(super) struct Log {
    token: String,
    stopped: bool,
}

impl Log {
    pub(super) fn new() -> Self {
        Self { token: github::stop_token(), stopped: false }
    }

    fn write(text: &str) {
        let mut out = std::io::stdout().lock();
        // A log that cannot be written is nothing to fail for.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    pub(super) fn text(&mut self, text: &str) {
        if !self.stopped {
            Self::write(&format!("::stop-commands::{}\n", self.token));
            self.stopped = true;
        }
        Self::write(text);
    }

    pub(super) fn command(&mut self, text: &str) {
        if self.stopped {
            Self::write(&format!("\n::{}::\n", self.token));
            self.stopped = false;
        }
        Self::write(text);
    }
}

fn run(environment: &Environment, arguments: &cli::Action, log: &mut Log) -> Result<Outcome, Error> {
    let settings = Settings::new(arguments, environment)?;
    let event = environment.event()?;
    let repository = Repository::open(&settings.directory)?;
    let Some(found) = ranges::of_event(&repository, &event, &settings.range)? else {
        let what = match &event {
            Event::Unsupported(name) => format!(
                "nothing to do on `{name}`; refdrift looks at pull requests, merge groups, pushes and manual or scheduled runs"
            ),
            _ => "nothing to compare: the branch was deleted".to_owned(),
        };
        log.command(&github::message(Level::Notice, "refdrift", &what));
        write_outputs(environment, None, Conclusion::Success, &settings, false)?;
        return Ok(Outcome::Passed);
    };

    let options = CheckOptions {
        config: settings.config.clone(),
        fail_on: settings.fail_on,
        min_confidence: settings.min_confidence,
        ..CheckOptions::default()
    };
    let (analysis, outcome) = check_range(&repository, &found.range, &options)?;
    let mut sidecar = analysis.sidecar;
    if let Event::Pull(pull) = &event {
        sidecar.pull_request = Some(record(&repository, &found, pull, environment, &sidecar)?);
    }
    let conclusion = Conclusion::new(sidecar.findings.len(), outcome == Outcome::Failed);

    if let Some(folder) = settings.sidecar.parent() {
        std::fs::create_dir_all(folder).map_err(|source| Error::Io { action: "write", path: folder.to_owned(), source })?;
    }
    write_file(&settings.sidecar, render("json", &sidecar, None)?.as_deref().unwrap_or_default().as_bytes())?;
    let sarif = write_sarif(&settings, &sidecar, log)?;
    write_outputs(environment, Some(&sidecar), conclusion, &settings, sarif)?;
    let delivers = settings.delivery.comments || settings.delivery.check_run != CheckRunMode::Never;
    let notes = notes(&event, &sidecar, delivers, arguments.artifact.trim());
    if settings.summary
        && let Some(path) = &environment.summary
    {
        let commit = sidecar.pull_request.as_ref().map(|p| p.head.as_str());
        let links = Links { server: &environment.server_url, repository: &environment.repository, commit };
        let report =
            render("markdown", &sidecar, Some(links))?.map_or_else(|| render("text", &sidecar, None), |text| Ok(Some(text)))?;
        append(path, &github::summary(&report.unwrap_or_default(), &notes))?;
    }
    log.text(&render("text", &sidecar, None)?.unwrap_or_default());

    let delivered = deliver(environment, &event, &sidecar, conclusion, &settings.delivery, log);
    if settings.annotations
        && !delivered.check_run
        && let Some(lines) = render("github", &sidecar, None)?
    {
        log.command(&lines);
    }
    tell(&delivered, log);
    for note in &notes {
        log.command(&github::message(Level::Notice, "refdrift", note));
    }
    log.command("");
    Ok(outcome)
}

/// What is said about delivery before it is tried.
fn notes(event: &Event, sidecar: &Sidecar, delivers: bool, artifact: &str) -> Vec<String> {
    let Event::Pull(PullEvent { read_only: Some(why), .. }) = event else { return Vec::new() };
    if sidecar.findings.is_empty() || !delivers {
        return Vec::new();
    }
    let how = if artifact.is_empty() { "set the input `artifact` and post them" } else { "they can be posted" };
    vec![format!("No review comments: {why}. The findings are here; {how} from a `workflow_run` job with the `publish` action.")]
}

fn deliver(
    environment: &Environment,
    event: &Event,
    sidecar: &Sidecar,
    conclusion: Conclusion,
    settings: &DeliverySettings,
    log: &mut Log,
) -> Delivered {
    let (pull, head) = match event {
        Event::Pull(pull) if pull.read_only.is_some() => return Delivered::default(),
        Event::Pull(pull) => (Some(pull.number), pull.head.clone()),
        Event::MergeGroup { head, .. } => (None, head.clone()),
        Event::Push { .. } | Event::Manual | Event::Unsupported(_) => (None, sidecar.revisions.head.clone()),
    };
    let details = environment.run_url();
    let nothing = !(settings.comments && pull.is_some()) && settings.check_run == CheckRunMode::Never;
    let job = Job {
        sidecar,
        repository: &environment.repository,
        pull,
        head: &head,
        head_repository: None,
        server: &environment.server_url,
        conclusion,
        details: details.as_deref(),
        check_run: settings.check_run,
        comments: settings.comments,
        max_comments: settings.max_comments,
        dry_run: settings.dry_run,
        strict: false,
    };
    if nothing { Delivered::default() } else { send(environment, &job, log) }
}

/// Sends a job off; whatever goes wrong is told, not returned.
pub(super) fn send(environment: &Environment, job: &Job<'_>, log: &mut Log) -> Delivered {
    let Some(token) = environment.token.clone() else {
        let text = "no token: GITHUB_TOKEN is not set, so nothing is posted".to_owned();
        return Delivered { problems: vec![text], ..Delivered::default() };
    };
    let endpoint = Endpoint { api: environment.api_url.clone(), graphql: environment.graphql_url.clone(), token };
    match github::deliver(endpoint, job) {
        Ok(delivered) => {
            if job.dry_run {
                log.text(&delivered.dry_run);
            }
            delivered
        }
        Err(error) => Delivered { problems: vec![format!("nothing could be sent: {error}")], ..Delivered::default() },
    }
}

/// Tells what did not work.
pub(super) fn tell(delivered: &Delivered, log: &mut Log) {
    for problem in &delivered.problems {
        log.command(&github::message(Level::Warning, "refdrift: delivery", problem));
    }
    if delivered.left_out > 0 {
        let text =
            format!("{} further comments were not made (max-comments); the job summary has all findings", delivered.left_out);
        log.command(&github::message(Level::Notice, "refdrift", &text));
    }
}

/// What delivery needs to know of the pull request: which lines of the files in question its diff has.
fn record(
    repository: &Repository,
    found: &EventRange,
    pull: &PullEvent,
    environment: &Environment,
    sidecar: &Sidecar,
) -> Result<PullRequest, Error> {
    let mut out = PullRequest {
        repository: environment.repository.clone(),
        number: pull.number,
        head: pull.head.clone(),
        diffs: Vec::new(),
    };
    let facts = &sidecar.changed_facts;
    let in_code = facts.iter().flat_map(|f| [&f.before, &f.after]).flatten().map(|at| at.path.as_str());
    let paths: BTreeSet<&str> = in_code.chain(facts.iter().flat_map(|f| &f.places).map(|p| p.document.as_str())).collect();
    if paths.is_empty() {
        return Ok(out);
    }
    let about = |path: &str| {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        paths.contains(path) || folders.any(|folder| paths.contains(folder))
    };
    // On the merge commit a file that both sides changed has other lines than at the pull request's head.
    let same = match found.lines_of {
        None => None,
        Some(commit) => Some(repository.files(commit)?.files.into_iter().map(|f| (f.path, f.id)).collect::<BTreeSet<_>>()),
    };
    for change in &repository.changes(&found.range)?.changes {
        let sides = [change.before.as_ref(), change.after.as_ref()];
        if !sides.iter().flatten().any(|f| about(f.path.as_str())) {
            continue;
        }
        let mut diff = repository.hunks(change);
        let moved = |file: &crate::git::FileEntry| same.as_ref().is_some_and(|s| !s.contains(&(file.path.clone(), file.id)));
        if change.after.as_ref().is_some_and(moved) {
            diff.edits.clear();
        }
        out.diffs.push(diff);
    }
    out.diffs.truncate(4096);
    Ok(out)
}

fn render(format: &str, sidecar: &Sidecar, links: Option<Links<'_>>) -> Result<Option<String>, Error> {
    let Some(reporter) = report::reporter(format) else { return Ok(None) };
    let mut bytes = Vec::new();
    reporter.render(sidecar, ReportOptions { links, ..ReportOptions::default() }, &mut bytes).map_err(Error::Report)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn write_sarif(settings: &Settings, sidecar: &Sidecar, log: &mut Log) -> Result<bool, Error> {
    let Some(path) = &settings.sarif else { return Ok(false) };
    let Some(text) = render("sarif", sidecar, None)? else {
        log.command(&github::message(Level::Warning, "refdrift", "this build has no SARIF report"));
        return Ok(false);
    };
    write_file(path, text.as_bytes())?;
    Ok(true)
}

fn write_outputs(
    environment: &Environment,
    sidecar: Option<&Sidecar>,
    conclusion: Conclusion,
    settings: &Settings,
    sarif: bool,
) -> Result<(), Error> {
    let Some(path) = &environment.output else { return Ok(()) };
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let outputs = Outputs {
        sidecar,
        conclusion,
        sidecar_path: &if sidecar.is_some() { shown(&settings.sidecar) } else { String::new() },
        sarif_path: &settings.sarif.as_deref().filter(|_| sarif).map(shown).unwrap_or_default(),
        report_url: &environment.run_url().unwrap_or_default(),
    };
    append(path, &outputs.text())
}

/// Appends to a file of the runner, which other steps write to as well.
fn append(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}
