//! Carries a plan out. Nothing here decides what to say; it decides what to do when GitHub says no, and always comes back with
//! what happened instead of an error, because the findings are already in the summary and the sidecar.

use serde_json::Value;

use super::body::{Links, Marker};
use super::checks::{self, CheckRun, Conclusion};
use super::client::{Client, Clock, Endpoint};
use super::comments::{Anchor, wanted};
use super::hunks::Hunks;
use super::plan::{self, Action, NewComment, Plan, Situation};
use super::request::{Target, describe};
use super::{Error, state};
use crate::model::Sidecar;

/// How often a write whose answer was lost is sent again, a review after looking what arrived.
const REVIEW_TRIES: usize = 3;

/// Whether to make a check run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckRunMode {
    /// Where the token may, and where there is something to say.
    #[default]
    Auto,
    /// Always; a failure to is told.
    Always,
    /// Never.
    Never,
}

/// What to deliver.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The result.
    pub sidecar: &'a Sidecar,
    /// `owner/name`.
    pub repository: &'a str,
    /// The pull request; without one only a check run is possible.
    pub pull: Option<u64>,
    /// The commit that check runs and comments are for.
    pub head: &'a str,
    /// The repository that the pull request's branch must be in; two pull requests can have one commit at their heads.
    pub head_repository: Option<&'a str>,
    /// `https://github.com`.
    pub server: &'a str,
    /// How the run ended.
    pub conclusion: Conclusion,
    /// Where the run is shown.
    pub details: Option<&'a str>,
    /// Whether to make a check run.
    pub check_run: CheckRunMode,
    /// Whether to comment.
    pub comments: bool,
    /// Most comments that are open at once.
    pub max_comments: usize,
    /// Only say what would be sent.
    pub dry_run: bool,
    /// Write nothing at all unless GitHub confirms that the result is of the pull request's current head.
    pub strict: bool,
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Whether a check run has the annotations.
    pub check_run: bool,
    /// Comments made.
    pub commented: usize,
    /// Comments edited or struck through.
    pub edited: usize,
    /// Threads resolved or opened again.
    pub threads: usize,
    /// Comments that are not made because of the cap.
    pub left_out: usize,
    /// What did not work, one sentence each.
    pub problems: Vec<String>,
    /// What would be sent, for a dry run.
    pub dry_run: String,
}

/// Delivers a result.
pub(super) async fn deliver(endpoint: Endpoint, clock: Box<dyn Clock>, job: &Job<'_>) -> Delivered {
    let mut run =
        Run { client: Client::new(endpoint, clock), job, out: Delivered::default(), requests: Vec::new(), asked_again: false };
    let current = run.is_current().await;
    if job.strict && !current {
        return run.out;
    }
    if let Err(error) = run.check_run().await {
        run.problem("the check run", &error, "checks: write");
    }
    if current
        && job.comments
        && let Some(number) = job.pull
        && let Err(error) = run.comments(number).await
    {
        run.problem("the review comments", &error, "pull-requests: write");
    }
    if job.dry_run {
        run.out.dry_run = describe(&run.requests, run.client.reads);
    }
    tracing::info!(reads = run.client.reads, writes = run.client.writes, "delivered");
    run.out
}

struct Run<'a> {
    client: Client,
    job: &'a Job<'a>,
    out: Delivered,
    requests: Vec<super::request::Request>,
    /// Whether the pull request was looked at again after a refusal.
    asked_again: bool,
}

impl Run<'_> {
    fn problem(&mut self, what: &str, error: &Error, permission: &str) {
        let advice = if error.is_permission() { format!(" (the token needs `{permission}`)") } else { String::new() };
        self.out.problems.push(format!("{what}: {error}{advice}"));
    }

    /// Whether the result is still about the pull request; told where it is not.
    async fn is_current(&mut self) -> bool {
        let Some(number) = self.job.pull else { return !self.job.strict };
        let now = match state::pull(&mut self.client, self.job.repository, number).await {
            Ok(now) => now,
            Err(error) => {
                self.problem("the pull request", &error, "pull-requests: read");
                return false;
            }
        };
        let why = if !now.repository.eq_ignore_ascii_case(self.job.repository) {
            "it is another repository's"
        } else if !now.open {
            "it is closed"
        } else if self.job.head_repository.is_some_and(|own| !now.head_repository.is_some_and(|r| r.eq_ignore_ascii_case(own))) {
            "its branch is not in the repository that the run was for"
        } else if now.head != self.job.head {
            "it has a newer commit, which has a run of its own"
        } else {
            return true;
        };
        self.out.problems.push(format!("nothing is posted on pull request {number}: {why}"));
        false
    }

    async fn check_run(&mut self) -> Result<(), Error> {
        let job = self.job;
        let silent = job.check_run == CheckRunMode::Auto && job.sidecar.findings.is_empty();
        if job.check_run == CheckRunMode::Never || silent {
            return Ok(());
        }
        let run = checks::check_run(job.repository, job.head, job.sidecar, job.conclusion, job.details);
        let there = match state::check_runs(&mut self.client, job.repository, job.head).await {
            Ok(there) => there,
            // Whoever may not even read check runs may not write them.
            Err(error) if error.is_permission() && job.check_run == CheckRunMode::Auto => return Ok(()),
            Err(error) => return Err(error),
        };
        if there.contains(&run.external_id) {
            self.out.check_run = true;
            return Ok(());
        }
        if job.dry_run {
            self.requests.push(run.create);
            self.requests.extend(run.further.iter().map(|body| CheckRun::append(job.repository, 0, body)));
            return Ok(());
        }
        let made = match self.client.write(&run.create).await {
            Ok(made) => made,
            Err(error) if error.is_permission() && job.check_run == CheckRunMode::Auto => {
                tracing::info!(%error, "no check run");
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let id = made.get("id").and_then(Value::as_u64);
        let id = id.ok_or_else(|| Error::Answer { request: "POST check-runs".to_owned(), why: "it has no id".to_owned() })?;
        for body in &run.further {
            self.client.write(&CheckRun::append(job.repository, id, body)).await?;
        }
        // Not before all are there: else the annotations are workflow commands.
        self.out.check_run = true;
        Ok(())
    }

    async fn comments(&mut self, number: u64) -> Result<(), Error> {
        let job = self.job;
        let diffs = job.sidecar.pull_request.as_ref().map(|p| p.diffs.as_slice()).unwrap_or_default();
        let links = Links { server: job.server.to_owned(), repository: job.repository.to_owned(), head: job.head.to_owned() };
        let asked = wanted(job.sidecar, &Hunks::new(diffs), &links);
        let login = state::login(&mut self.client).await?;
        let existing = state::comments(&mut self.client, job.repository, number, &login).await?;
        let mut situation =
            Situation { asked: &asked, existing: &existing, threads: &[], max_comments: job.max_comments, head: job.head };
        let mut threads = Vec::new();
        if plan::needs_threads(&situation) {
            match state::threads(&mut self.client, job.repository, number).await {
                Ok(list) => threads = list,
                // Without threads comments are still struck through.
                Err(error) => tracing::info!(%error, "threads are not known"),
            }
            situation.threads = &threads;
        }
        let plan = plan::plan(&situation);
        self.out.left_out = plan.left_out;
        let target = Target { repository: job.repository, number, head: job.head };
        if job.dry_run {
            self.requests.extend(plan.actions.iter().map(|action| target.request(action)));
            return Ok(());
        }
        self.carry_out(&plan, &target, &login).await
    }

    async fn carry_out(&mut self, plan: &Plan, target: &Target<'_>, login: &str) -> Result<(), Error> {
        let mut first_failure = None;
        for action in &plan.actions {
            let result = match action {
                Action::Review { intro, comments } => self.review(target, intro, comments.clone(), login).await,
                Action::FileComment(comment) => self.single(target, comment, login).await,
                Action::Edit { .. } => self.edit(&target.request(action)).await,
                Action::Resolve { .. } | Action::Unresolve { .. } => match self.client.write(&target.request(action)).await {
                    Ok(_) => {
                        self.out.threads += 1;
                        Ok(())
                    }
                    // Struck through is enough; resolving needs a permission that most jobs do not have.
                    Err(error) => {
                        tracing::info!(%error, "the thread stays as it is");
                        Ok(())
                    }
                },
            };
            match result {
                Ok(()) => {}
                // A push came in between, and nothing more is about the pull request as it is; that is told already.
                Err(error) if error.is_invalid() && self.moved_on().await => return Ok(()),
                // Nothing more will work.
                Err(error @ (Error::OutOfTime { .. } | Error::RateLimited { .. })) => return Err(error),
                Err(error) if error.is_permission() && !matches!(error, Error::Status { status: 404, .. }) => return Err(error),
                Err(error) => first_failure = first_failure.or(Some(error)),
            }
        }
        first_failure.map_or(Ok(()), Err)
    }

    /// Whether the pull request has moved on since; asked once, where GitHub refuses what it should take.
    async fn moved_on(&mut self) -> bool {
        !std::mem::replace(&mut self.asked_again, true) && !self.is_current().await
    }

    /// Changes a comment; the same change twice is one, so a lost answer is no reason to ask first.
    async fn edit(&mut self, request: &super::request::Request) -> Result<(), Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.client.write(request).await {
                Ok(_) => self.out.edited += 1,
                // Somebody has deleted it in the meantime.
                Err(Error::Status { status: 404, .. }) => tracing::info!(path = request.path, "the comment is gone"),
                Err(error) if error.is_ambiguous() && tries < REVIEW_TRIES => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }

    /// Posts a review. One that is refused is halved until the comment that is at fault stands alone; that one goes on its file.
    async fn review(&mut self, target: &Target<'_>, intro: &str, comments: Vec<NewComment>, login: &str) -> Result<(), Error> {
        let mut open = vec![comments];
        let mut last = None;
        while let Some(mut batch) = open.pop() {
            let mut tries = 0;
            let result = loop {
                tries += 1;
                match self.client.write(&target.review(intro, &batch)).await {
                    Err(error) if error.is_ambiguous() && tries < REVIEW_TRIES => {
                        let before = batch.len();
                        self.drop_posted(target, &mut batch, login).await?;
                        self.out.commented += before - batch.len();
                        if batch.is_empty() {
                            break Ok(());
                        }
                    }
                    other => break other.map(|_| self.out.commented += batch.len()),
                }
            };
            match result {
                Ok(()) => {}
                Err(error) if error.is_invalid() && self.moved_on().await => {
                    tracing::info!(%error, "the pull request has moved on");
                    return Ok(());
                }
                Err(error) if error.is_invalid() && batch.len() > 1 => {
                    let half = batch.split_off(batch.len() / 2);
                    open.push(half);
                    open.push(batch);
                }
                Err(error) if error.is_invalid() => {
                    for comment in &batch {
                        let anchor = Anchor::File { path: comment.anchor.path().to_owned() };
                        let moved = NewComment { anchor, ..comment.clone() };
                        if let Err(error) = self.single(target, &moved, login).await {
                            last = Some(error);
                        }
                    }
                }
                Err(error) => return Err(error),
            }
        }
        last.map_or(Ok(()), Err)
    }

    /// Posts one comment on a file; where the server does not know such comments (GHES before 3.7), it goes on the first line.
    async fn single(&mut self, target: &Target<'_>, comment: &NewComment, login: &str) -> Result<(), Error> {
        let result = self.client.write(&target.comment(comment)).await;
        match result {
            Ok(_) => {}
            Err(error) if error.is_invalid() && matches!(comment.anchor, Anchor::File { .. }) => {
                let anchor = Anchor::Line { path: comment.anchor.path().to_owned(), side: super::hunks::Side::Right, line: 1 };
                self.client.write(&target.comment(&NewComment { anchor, ..comment.clone() })).await?;
            }
            Err(error) if error.is_ambiguous() => {
                let mut batch = vec![comment.clone()];
                self.drop_posted(target, &mut batch, login).await?;
                if !batch.is_empty() {
                    self.client.write(&target.comment(comment)).await?;
                }
            }
            Err(error) => return Err(error),
        }
        self.out.commented += 1;
        Ok(())
    }

    /// Removes from a batch what arrived although its answer was lost.
    async fn drop_posted(&mut self, target: &Target<'_>, batch: &mut Vec<NewComment>, login: &str) -> Result<(), Error> {
        let there = state::comments(&mut self.client, target.repository, target.number, login).await?;
        let keys: Vec<String> = there.iter().filter(|c| c.own).filter_map(|c| Marker::parse(&c.body)).map(|m| m.key).collect();
        batch.retain(|comment| !keys.contains(&comment.key));
        Ok(())
    }
}
