//! A pull request in memory behind the API's requests, for tests: it keeps reviews, comments, threads and check runs, refuses
//! what GitHub refuses, pages its lists, and can be told to fail. It listens on 127.0.0.1 only.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// A failure to answer with.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The method.
    pub(crate) method: &'static str,
    /// A part of the path.
    pub(crate) path: &'static str,
    /// The status.
    pub(crate) status: u16,
    /// Headers of the answer.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The message.
    pub(crate) message: &'static str,
    /// Whether the request is carried out all the same.
    pub(crate) carried_out: bool,
    /// How often.
    pub(crate) times: usize,
}

/// A failure with a status and a message, for ever.
pub(crate) fn fault(method: &'static str, path: &'static str, status: u16, message: &'static str) -> Fault {
    Fault { method, path, status, headers: Vec::new(), message, carried_out: false, times: usize::MAX }
}

/// What the pull request holds.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The commit at its head.
    pub(crate) head: String,
    /// `open` or `closed`.
    pub(crate) pull_is: String,
    /// What GraphQL calls the asking account.
    pub(crate) viewer: String,
    /// Review comments as REST shows them.
    pub(crate) comments: Vec<Value>,
    /// Reviews as posted.
    pub(crate) reviews: Vec<Value>,
    /// Check runs with all their annotations.
    pub(crate) check_runs: Vec<Value>,
    /// First comments of resolved threads.
    pub(crate) resolved: BTreeSet<u64>,
    /// Lines that take no comment.
    pub(crate) bad_lines: BTreeSet<(String, u64)>,
    /// Whether comments on files are known.
    pub(crate) no_file_comments: bool,
    /// Entries on a page.
    pub(crate) page: usize,
    /// A push that comes in just before a request whose path has this part: the new head.
    pub(crate) push: Option<(&'static str, String)>,
    /// `owner/name` of the repository with the branch.
    pub(crate) head_repository: Value,
    /// What fails.
    pub(crate) faults: Vec<Fault>,
    /// Every request: method, path, body.
    pub(crate) log: Vec<(String, String, Value)>,
    /// The user agents of every request.
    pub(crate) agents: Vec<Vec<String>>,
    /// What was sent as authorization.
    pub(crate) tokens: BTreeSet<String>,
    next: u64,
}

impl State {
    /// Adds a review comment by someone.
    pub(crate) fn comment(&mut self, login: &str, body: &str, in_reply_to: Option<u64>) -> u64 {
        self.next += 1;
        let kind = if login.ends_with("[bot]") { "Bot" } else { "User" };
        let mut comment = json!({"id": self.next, "body": body, "user": {"login": login, "type": kind}});
        if let Some(first) = in_reply_to {
            comment["in_reply_to_id"] = json!(first);
        }
        self.comments.push(comment);
        self.next
    }

    /// The requests that are no reads.
    pub(crate) fn writes(&self) -> Vec<&(String, String, Value)> {
        let reads = |body: &Value| body["query"].as_str().is_some_and(|q| q.starts_with("query"));
        self.log.iter().filter(|(method, _, body)| method != "GET" && !reads(body)).collect()
    }

    fn invalid(&self, comment: &Value) -> bool {
        let text = |name: &str| comment[name].as_str().unwrap_or_default();
        let file = comment.get("subject_type").is_some();
        let place = (text("path").to_owned(), comment["line"].as_u64().unwrap_or(0));
        let on_line = place.1 > 0 && matches!(text("side"), "LEFT" | "RIGHT") && !self.bad_lines.contains(&place);
        let on_file = text("subject_type") == "file" && !self.no_file_comments;
        text("path").is_empty()
            || text("body").is_empty()
            || text("body").chars().count() > 65_536
            || if file { !on_file } else { !on_line }
    }

    fn answer(&mut self, method: &str, path: &str, query: &str, body: &Value) -> (u16, Value) {
        let refused = |why: &str| (422, json!({"message": "Validation Failed", "errors": [{"message": why}]}));
        let author = if self.viewer.ends_with("[bot]") { self.viewer.clone() } else { format!("{}[bot]", self.viewer) };
        if path.ends_with("/graphql") {
            return self.graphql(body);
        }
        match (method, path.split('/').next_back().unwrap_or_default()) {
            ("GET", "comments") => (200, json!(self.comments)),
            ("GET", "check-runs") => {
                assert!(query.contains("check_name=refdrift"), "asks for its own check runs");
                (200, json!({"total_count": self.check_runs.len(), "check_runs": self.check_runs}))
            }
            ("GET", _) => (
                200,
                json!({"number": 7, "state": self.pull_is, "head": {"sha": self.head, "repo": self.head_repository},
                    "base": {"repo": {"full_name": "o/r"}}}),
            ),
            ("POST", "reviews") => {
                let comments = body["comments"].as_array().cloned().unwrap_or_default();
                if body["event"] != "COMMENT" || body["commit_id"] != json!(self.head) || comments.iter().any(|c| self.invalid(c))
                {
                    return refused("line must be part of the diff");
                }
                if comments.iter().any(|c| c.get("subject_type").is_some()) {
                    return refused("subject_type is not a permitted key");
                }
                self.reviews.push(body.clone());
                for comment in &comments {
                    self.comment(&author, comment["body"].as_str().unwrap_or_default(), None);
                }
                (200, json!({"id": 1}))
            }
            ("POST", "comments") => {
                if body["commit_id"] != json!(self.head) || self.invalid(body) {
                    return refused("the comment is invalid");
                }
                let id = self.comment(&author, body["body"].as_str().unwrap_or_default(), None);
                (201, json!({"id": id}))
            }
            ("POST", "check-runs") | ("PATCH", _) if path.contains("/check-runs") => {
                let annotations = body["output"]["annotations"].as_array().cloned().unwrap_or_default();
                if annotations.len() > 50 {
                    return refused("No more than 50 items are allowed");
                }
                if method == "POST" {
                    let mut run = body.clone();
                    run["id"] = json!(self.check_runs.len() + 1);
                    self.check_runs.push(run.clone());
                    return (201, run);
                }
                let id: usize = path.rsplit('/').next().and_then(|id| id.parse().ok()).unwrap_or(0);
                let Some(run) = self.check_runs.get_mut(id.wrapping_sub(1)) else {
                    return (404, json!({"message": "Not Found"}));
                };
                if let Some(list) = run["output"]["annotations"].as_array_mut() {
                    list.extend(annotations);
                }
                (200, run.clone())
            }
            ("PATCH", id) => {
                let id: u64 = id.parse().unwrap_or(0);
                match self.comments.iter_mut().find(|c| c["id"] == json!(id)) {
                    Some(comment) => {
                        comment["body"] = body["body"].clone();
                        (200, comment.clone())
                    }
                    None => (404, json!({"message": "Not Found"})),
                }
            }
            _ => (404, json!({"message": "Not Found"})),
        }
    }

    fn graphql(&mut self, body: &Value) -> (u16, Value) {
        let query = body["query"].as_str().unwrap_or_default();
        let thread = body["variables"]["id"].as_str().and_then(|id| id.strip_prefix('T')).and_then(|id| id.parse::<u64>().ok());
        let data = if query.contains("viewer {") {
            json!({"viewer": {"login": self.viewer}})
        } else if query.contains("reviewThreads") {
            let firsts = self.comments.iter().filter(|c| c.get("in_reply_to_id").is_none()).filter_map(|c| c["id"].as_u64());
            let all: Vec<u64> = firsts.collect();
            let from = body["variables"]["after"].as_str().and_then(|c| c.parse::<usize>().ok()).unwrap_or(0);
            let end = all.len().min(from + self.page);
            let nodes: Vec<Value> = all[from..end]
                .iter()
                .map(|id| {
                    let resolved = self.resolved.contains(id);
                    json!({"id": format!("T{id}"), "isResolved": resolved, "viewerCanResolve": !resolved,
                        "viewerCanUnresolve": resolved, "comments": {"nodes": [{"databaseId": id}]}})
                })
                .collect();
            let page = json!({"hasNextPage": end < all.len(), "endCursor": end.to_string()});
            json!({"repository": {"pullRequest": {"reviewThreads": {"pageInfo": page, "nodes": nodes}}}})
        } else if let Some(id) = thread {
            if query.contains("unresolveReviewThread") {
                self.resolved.remove(&id);
            } else {
                self.resolved.insert(id);
            }
            json!({"thread": {"isResolved": true}})
        } else {
            return (200, json!({"errors": [{"type": "NOT_FOUND", "message": "what?"}]}));
        };
        (200, json!({"data": data}))
    }
}

/// The fake, with its server.
pub(crate) struct Fake {
    /// The server.
    pub(crate) server: MockServer,
    state: Arc<Mutex<State>>,
}

struct Responder(Arc<Mutex<State>>);

impl Respond for Responder {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let mut state = self.0.lock().expect("not poisoned");
        let method = request.method.as_str().to_owned();
        let path = request.url.path().to_owned();
        let query = request.url.query().unwrap_or_default().to_owned();
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        state.log.push((method.clone(), path.clone(), body.clone()));
        let values = |name: &str| {
            request.headers.get_all(name).iter().map(|v| v.to_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        state.agents.push(values("user-agent"));
        state.tokens.extend(values("authorization"));
        if let Some((_, head)) = state.push.take_if(|(part, _)| path.contains(*part)) {
            state.head = head;
        }
        let failing = state.faults.iter_mut().find(|f| f.times > 0 && f.method == method && path.contains(f.path));
        let failing = failing.map(|f| {
            f.times -= 1;
            f.clone()
        });
        if let Some(fault) = failing {
            if fault.carried_out {
                state.answer(&method, &path, &query, &body);
            }
            let mut answer = ResponseTemplate::new(fault.status).set_body_json(json!({"message": fault.message}));
            for (name, value) in &fault.headers {
                answer = answer.insert_header(*name, value.as_str());
            }
            return answer;
        }
        let (status, value) = state.answer(&method, &path, &query, &body);
        paged(request.url.as_ref(), &query, state.page, status, value)
    }
}

/// One page of a list, with a link to the next.
fn paged(url: &str, query: &str, page: usize, status: u16, value: Value) -> ResponseTemplate {
    let Value::Array(list) = value else { return ResponseTemplate::new(status).set_body_json(value) };
    let number = query.split('&').find_map(|p| p.strip_prefix("page=")).and_then(|p| p.parse::<usize>().ok()).unwrap_or(1);
    let part: Vec<Value> = list.iter().skip((number - 1) * page).take(page).cloned().collect();
    let answer = ResponseTemplate::new(status).set_body_json(part);
    if number * page < list.len() { answer.insert_header("link", format!("<{url}>; rel=\"next\"").as_str()) } else { answer }
}

impl Fake {
    /// A pull request without comments.
    pub(crate) async fn start(head: &str) -> Self {
        let state = State {
            head: head.to_owned(),
            pull_is: "open".to_owned(),
            viewer: "github-actions[bot]".to_owned(),
            page: 100,
            head_repository: json!({"full_name": "o/r"}),
            ..State::default()
        };
        let state = Arc::new(Mutex::new(state));
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(Responder(Arc::clone(&state))).mount(&server).await;
        Self { server, state }
    }

    /// What it holds.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("not poisoned")
    }
}
