//! From an event to the range: three-dot from the event's commits where the clone has them; on the checked-out merge commit of
//! a pull request its first parent to itself, which is the pull request's effect too; else an error that says what to write.

use super::Error;
use crate::git::{ObjectId, Range, RangeOptions, Repository};
use crate::github::{Event, PullEvent};

/// A range, and the commit whose lines comments are counted in, where that is another one than the range's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EventRange {
    pub(super) range: Range,
    pub(super) lines_of: Option<ObjectId>,
}

impl EventRange {
    fn plain(range: Range) -> Self {
        Self { range, lines_of: None }
    }
}

/// The range of an event; `None` where there is nothing to compare (a deleted branch).
pub(super) fn of_event(repository: &Repository, event: &Event, named: &RangeOptions) -> Result<Option<EventRange>, Error> {
    if named.base.is_some() || named.head.is_some() {
        return Ok(Some(EventRange::plain(repository.range(named)?)));
    }
    Ok(match event {
        Event::Pull(pull) => Some(of_pull(repository, pull)?),
        Event::MergeGroup { base, head } => Some(EventRange::plain(of_commits(repository, base, head)?)),
        Event::Push { after: None, .. } | Event::Unsupported(_) => None,
        Event::Push { before, after: Some(after) } => Some(EventRange::plain(of_push(repository, before.as_deref(), after)?)),
        Event::Manual => Some(EventRange::plain(since_default(repository, "HEAD")?)),
    })
}

fn three_dot(base: &str, head: &str) -> RangeOptions {
    RangeOptions { base: Some(base.to_owned()), head: Some(head.to_owned()) }
}

fn of_pull(repository: &Repository, pull: &PullEvent) -> Result<EventRange, Error> {
    let first = match repository.range(&three_dot(&pull.base, &pull.head)) {
        Ok(range) => return Ok(EventRange::plain(range)),
        Err(error) => error,
    };
    let head = repository.commit("HEAD")?;
    let parents = repository.parents(head)?;
    let merged_head = repository.commit(&pull.head).ok();
    if let [base, merged] = parents.as_slice()
        && *merged.to_string() == *pull.head
        && let Ok(base) = repository.commit(&base.to_string())
    {
        return Ok(EventRange { range: Range { base, head }, lines_of: merged_head });
    }
    if pull.on_base {
        return Err(no_head(pull.number));
    }
    if !repository.is_shallow() {
        return Err(first.into());
    }
    Err(too_shallow(&format!("the base of pull request {}", pull.number), "fetch-depth: 2"))
}

fn of_commits(repository: &Repository, base: &str, head: &str) -> Result<Range, Error> {
    match repository.range(&three_dot(base, head)) {
        Ok(range) => Ok(range),
        // A queue builds its candidate on the base, so both commits are enough.
        Err(error) => match (repository.commit(base), repository.commit(head)) {
            (Ok(base), Ok(head)) => Ok(Range { base, head }),
            _ if repository.is_shallow() => Err(too_shallow("the base of the merge group", "fetch-depth: 0")),
            _ => Err(error.into()),
        },
    }
}

fn of_push(repository: &Repository, before: Option<&str>, after: &str) -> Result<Range, Error> {
    if let Some(before) = before {
        match repository.range(&three_dot(before, after)) {
            Ok(range) => return Ok(range),
            Err(_) if repository.is_shallow() => {
                return Err(too_shallow("the commit before the push", "fetch-depth: 0"));
            }
            // A forced push leaves the old commit behind; a new branch has none.
            Err(error) => tracing::info!(%error, "comparing with the default branch instead"),
        }
    }
    since_default(repository, after)
}

/// Since the default branch was left; on that branch itself, the last commit.
fn since_default(repository: &Repository, head: &str) -> Result<Range, Error> {
    let head_id = repository.commit(head)?;
    let parent = |id: ObjectId| -> Result<Option<ObjectId>, Error> { Ok(repository.parents(id)?.first().copied()) };
    match repository.range(&RangeOptions { base: None, head: Some(head.to_owned()) }) {
        Ok(range) if range.base != range.head => Ok(range),
        other => match parent(head_id)? {
            Some(base) if repository.commit(&base.to_string()).is_ok() => Ok(Range { base, head: head_id }),
            Some(_) => Err(too_shallow("the commit before", "fetch-depth: 0")),
            None => Ok(other?),
        },
    }
}

/// On `pull_request_target` no depth is enough: the base branch is checked out. Commits can be fetched without checking them out.
fn no_head(number: u64) -> Error {
    let fetch = "git fetch --no-tags origin \"+refs/pull/${{ github.event.pull_request.number }}/head\"";
    Error::Invalid {
        message: format!("this clone does not have the commits of pull request {number}"),
        help: Some(format!(
            "write in the job:\n\n      - uses: actions/checkout@v5\n        with:\n          fetch-depth: 0\n      - run: {fetch}\n"
        )),
    }
}

fn too_shallow(what: &str, line: &str) -> Error {
    Error::Invalid {
        message: format!("this clone does not have {what}"),
        help: Some(format!("add to the job:\n\n      - uses: actions/checkout@v5\n        with:\n          {line}\n")),
    }
}
