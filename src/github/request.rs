//! Requests as values: the same ones are sent and printed by `--dry-run`.

use std::fmt::Write;

use serde_json::{Value, json};

use super::comments::Anchor;
use super::plan::{Action, NewComment};

/// A request that changes something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    /// The HTTP method.
    pub method: &'static str,
    /// The path under the REST root; `/graphql` stands for the GraphQL endpoint.
    pub path: String,
    /// The body.
    pub body: Value,
    /// Whether it makes content, of which GitHub takes 80 a minute.
    pub creates: bool,
}

/// Points GitHub counts for a write; 900 a minute are allowed.
const WRITE_POINTS: usize = 5;

/// The path of GraphQL requests.
pub(super) const GRAPHQL: &str = "/graphql";

/// The pull request that actions are for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    /// `owner/name`.
    pub repository: &'a str,
    /// The number.
    pub number: u64,
    /// The commit at its head.
    pub head: &'a str,
}

fn with_anchor(comment: &NewComment) -> Value {
    match &comment.anchor {
        Anchor::Line { path, side, line } => json!({"path": path, "side": side.as_str(), "line": line, "body": comment.body}),
        Anchor::File { path } => json!({"path": path, "subject_type": "file", "body": comment.body}),
    }
}

impl Target<'_> {
    /// One review with comments on lines. GitHub takes or refuses it as a whole.
    pub(super) fn review(&self, intro: &str, comments: &[NewComment]) -> Request {
        Request {
            method: "POST",
            path: format!("/repos/{}/pulls/{}/reviews", self.repository, self.number),
            body: json!({"commit_id": self.head, "event": "COMMENT", "body": intro,
                "comments": comments.iter().map(with_anchor).collect::<Vec<_>>()}),
            creates: true,
        }
    }

    /// A comment on its own, on a file or a line.
    pub(super) fn comment(&self, comment: &NewComment) -> Request {
        let mut body = with_anchor(comment);
        body["commit_id"] = json!(self.head);
        let path = format!("/repos/{}/pulls/{}/comments", self.repository, self.number);
        Request { method: "POST", path, body, creates: true }
    }

    /// The request of an action.
    pub(super) fn request(&self, action: &Action) -> Request {
        let graphql = |mutation: &str, thread: &str| Request {
            method: "POST",
            path: GRAPHQL.to_owned(),
            body: json!({"query": format!("mutation($id: ID!) {{ {mutation}(input: {{threadId: $id}}) {{ thread {{ isResolved }} }} }}"),
                "variables": {"id": thread}}),
            creates: false,
        };
        match action {
            Action::Review { intro, comments } => self.review(intro, comments),
            Action::FileComment(comment) => self.comment(comment),
            Action::Edit { id, body } => Request {
                method: "PATCH",
                path: format!("/repos/{}/pulls/comments/{id}", self.repository),
                body: json!({"body": body}),
                creates: false,
            },
            Action::Resolve { thread } => graphql("resolveReviewThread", thread),
            Action::Unresolve { thread } => graphql("unresolveReviewThread", thread),
        }
    }
}

/// The requests as text, and what they cost of GitHub's limits.
pub(super) fn describe(requests: &[Request], reads: usize) -> String {
    let mut out = String::new();
    for request in requests {
        let body = serde_json::to_string_pretty(&request.body).unwrap_or_default();
        let _ = writeln!(out, "{} {}\n{body}\n", request.method, request.path);
    }
    let creating = requests.iter().filter(|r| r.creates).count();
    let _ = writeln!(
        out,
        "budget: {} writes ({} of 900 points a minute), {creating} of 80 content-creating requests a minute, {reads} reads made",
        requests.len(),
        requests.len() * WRITE_POINTS,
    );
    out
}

#[cfg(test)]
mod tests {
    use super::super::hunks::Side;
    use super::*;

    const TARGET: Target<'_> = Target { repository: "o/r", number: 7, head: "abc" };

    #[test]
    fn a_review_pins_the_head_and_a_file_comment_names_its_subject() {
        let anchor = Anchor::Line { path: "a".into(), side: Side::Left, line: 3 };
        let review = TARGET.review("intro", &[NewComment { key: "k".into(), anchor, body: "b".into() }]);
        assert_eq!(
            review.body,
            json!({"commit_id": "abc", "event": "COMMENT", "body": "intro",
            "comments": [{"path": "a", "side": "LEFT", "line": 3, "body": "b"}]})
        );
        let file = TARGET.comment(&NewComment { key: "k".into(), anchor: Anchor::File { path: "a".into() }, body: "b".into() });
        assert_eq!(file.body, json!({"commit_id": "abc", "path": "a", "subject_type": "file", "body": "b"}));
    }

    #[test]
    fn a_dry_run_shows_requests_and_budget() {
        let requests = [TARGET.request(&Action::Edit { id: 5, body: "x".into() }), TARGET.review("i", &[])];
        let text = describe(&requests, 3);
        assert!(text.contains("PATCH /repos/o/r/pulls/comments/5\n{\n  \"body\": \"x\"\n}"), "{text}");
        assert!(
            text.contains("budget: 2 writes (10 of 900 points a minute), 1 of 80 content-creating requests a minute, 3 reads")
        );
    }
}
