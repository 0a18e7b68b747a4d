//! What is already on the pull request: its own state, comments, threads, check runs, and who is asking.

use serde_json::{Value, json};

use super::Error;
use super::client::Client;
use super::plan::{Existing, Thread};

/// The account of a job's own token.
const ACTIONS_BOT: &str = "github-actions[bot]";
/// Most pages of threads.
const MAX_PAGES: usize = 50;

/// A pull request as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pull {
    /// The commit at its head.
    pub head: String,
    /// Whether it is open.
    pub open: bool,
    /// `owner/name` of the repository it is opened in.
    pub repository: String,
    /// `owner/name` of the repository its branch is in; none where that is gone.
    pub head_repository: Option<String>,
}

/// The pull request.
///
/// # Errors
/// It cannot be read.
pub(super) async fn pull(client: &mut Client, repository: &str, number: u64) -> Result<Pull, Error> {
    let (value, _) = client.get(&format!("/repos/{repository}/pulls/{number}")).await?;
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Pull {
        head: text("/head/sha"),
        open: text("/state") == "open",
        repository: text("/base/repo/full_name"),
        head_repository: value.pointer("/head/repo/full_name").and_then(Value::as_str).map(str::to_owned),
    })
}

/// The login the token writes under, as REST shows it.
///
/// # Errors
/// GitHub does not answer. That it does not tell is no error: then it is a job's own token.
pub(super) async fn login(client: &mut Client) -> Result<String, Error> {
    match client.query(&json!({"query": "query { viewer { login } }"})).await {
        Ok(value) => {
            let login = value.pointer("/data/viewer/login").and_then(Value::as_str).filter(|l| !l.is_empty());
            Ok(login.unwrap_or(ACTIONS_BOT).to_owned())
        }
        Err(Error::Status { .. }) => Ok(ACTIONS_BOT.to_owned()),
        Err(error) => Err(error),
    }
}

/// Every review comment, all pages.
///
/// # Errors
/// They cannot be read.
pub(super) async fn comments(client: &mut Client, repository: &str, number: u64, login: &str) -> Result<Vec<Existing>, Error> {
    let list = client.list(&format!("/repos/{repository}/pulls/{number}/comments"), None).await?;
    Ok(list
        .iter()
        .filter_map(|comment| {
            let author = comment.pointer("/user/login").and_then(Value::as_str).unwrap_or_default();
            let bot = comment.pointer("/user/type").and_then(Value::as_str) == Some("Bot");
            // GraphQL may name an app's account without the ending that REST gives it.
            let own = author == login || (bot && author.strip_suffix("[bot]") == Some(login));
            Some(Existing {
                id: comment.get("id").and_then(Value::as_u64)?,
                own,
                body: comment.get("body").and_then(Value::as_str).unwrap_or_default().to_owned(),
                in_reply_to: comment.get("in_reply_to_id").and_then(Value::as_u64),
            })
        })
        .collect())
}

/// Every thread, all pages.
///
/// # Errors
/// They cannot be read.
pub(super) async fn threads(client: &mut Client, repository: &str, number: u64) -> Result<Vec<Thread>, Error> {
    const QUERY: &str = "query($owner: String!, $name: String!, $number: Int!, $after: String) { \
        repository(owner: $owner, name: $name) { pullRequest(number: $number) { reviewThreads(first: 100, after: $after) { \
        pageInfo { hasNextPage endCursor } nodes { id isResolved viewerCanResolve viewerCanUnresolve \
        comments(first: 1) { nodes { databaseId } } } } } } }";
    let (owner, name) = repository.split_once('/').unwrap_or((repository, ""));
    let mut out = Vec::new();
    let mut after = Value::Null;
    for _ in 0..MAX_PAGES {
        let variables = json!({"owner": owner, "name": name, "number": number, "after": after});
        let value = client.query(&json!({"query": QUERY, "variables": variables})).await?;
        let page = value.pointer("/data/repository/pullRequest/reviewThreads").cloned().unwrap_or_default();
        for node in page.get("nodes").and_then(Value::as_array).into_iter().flatten() {
            let flag = |name: &str| node.get(name).and_then(Value::as_bool).unwrap_or(false);
            let first = node.pointer("/comments/nodes/0/databaseId").and_then(Value::as_u64);
            if let (Some(id), Some(first)) = (node.get("id").and_then(Value::as_str), first) {
                out.push(Thread {
                    id: id.to_owned(),
                    first,
                    resolved: flag("isResolved"),
                    can_resolve: flag("viewerCanResolve"),
                    can_unresolve: flag("viewerCanUnresolve"),
                });
            }
        }
        if page.pointer("/pageInfo/hasNextPage").and_then(Value::as_bool) != Some(true) {
            break;
        }
        after = page.pointer("/pageInfo/endCursor").cloned().unwrap_or_default();
    }
    Ok(out)
}

/// Whether a check run that says the same is already there; and whether there is any of this name.
///
/// # Errors
/// They cannot be read.
pub(super) async fn check_runs(client: &mut Client, repository: &str, head: &str) -> Result<Vec<String>, Error> {
    let path = format!("/repos/{repository}/commits/{head}/check-runs?check_name={}", super::checks::NAME);
    let list = client.list(&path, Some("check_runs")).await?;
    Ok(list.iter().map(|run| run.get("external_id").and_then(Value::as_str).unwrap_or_default().to_owned()).collect())
}
