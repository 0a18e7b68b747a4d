//! `refdrift publish`: the trusted half for forks. It takes a sidecar that another job made, checks it, and posts from it with
//! the token that job did not have. Nothing is checked out, no repository is read, nothing of the artifact is executed.

use super::action::{DeliverySettings, Log, send, tell};
use super::{Error, Outcome};
use crate::cli;
use crate::contracts::{self, RecordKind};
use crate::github::{self, Conclusion, Environment, Job, Level};
use crate::model::Severity;

/// Runs the command.
///
/// # Errors
/// The sidecar is refused, or the environment or a setting is wrong. What only concerns delivery is a warning.
pub fn publish(arguments: &cli::Publish) -> Result<Outcome, Error> {
    let mut log = Log::new();
    let result = run(arguments, &mut log);
    if let Err(error) = &result {
        log.command(&github::message(Level::Error, "refdrift", &error.to_string()));
    }
    result
}

fn run(arguments: &cli::Publish, log: &mut Log) -> Result<Outcome, Error> {
    let settings = DeliverySettings::new(&arguments.delivery)?;
    let environment = Environment::read()?;
    let (sidecar, text) = github::read_artifact(&arguments.sidecar)?;
    // Recomputed ids and hashes, order, counts: what `validate` looks at too.
    let report = contracts::validate(&text, Some(RecordKind::Sidecar));
    if let Some(violation) = report.violations.first() {
        let why = format!("{}: {}", violation.pointer, violation.wrong).chars().take(300).collect();
        return Err(github::Error::Refused { why }.into());
    }
    let Some(pull) = github::claim(&sidecar, &environment.repository, &environment.payload)?.cloned() else {
        log.command(&github::message(Level::Notice, "refdrift", "the sidecar is not of a pull request: nothing to publish"));
        return Ok(Outcome::Passed);
    };
    let threshold = sidecar.configuration.fail_on;
    let failed = threshold != Severity::Off && sidecar.findings.iter().any(|f| f.severity >= threshold);
    let details = environment.payload.pointer("/workflow_run/id").and_then(serde_json::Value::as_u64);
    let details = details.map(|id| format!("{}/{}/actions/runs/{id}", environment.server_url, environment.repository));
    let head_repository = environment.payload.pointer("/workflow_run/head_repository/full_name");
    let job = Job {
        sidecar: &sidecar,
        repository: &environment.repository,
        pull: Some(pull.number),
        head: &pull.head,
        head_repository: head_repository.and_then(serde_json::Value::as_str),
        server: &environment.server_url,
        conclusion: Conclusion::new(sidecar.findings.len(), failed),
        details: details.as_deref(),
        check_run: settings.check_run,
        comments: settings.comments,
        max_comments: settings.max_comments,
        dry_run: settings.dry_run,
        strict: true,
    };
    let delivered = send(&environment, &job, log);
    tell(&delivered, log);
    log.command("");
    Ok(Outcome::Passed)
}
