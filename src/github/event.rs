//! What GitHub Actions tells a job: its environment and the event payload. Both are untrusted: sizes are bounded, every value
//! is checked for its form, and nothing is passed on to a shell.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Error;

/// Largest event payload that is read, in bytes.
const MAX_PAYLOAD: u64 = 16 * 1024 * 1024;
/// Longest value of an environment variable.
const MAX_VALUE: usize = 8192;
/// The account of the bot that has read-only tokens.
const DEPENDABOT: &str = "dependabot[bot]";

/// A token. It is shown nowhere: not in logs, not in errors, not in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Wraps a token.
    pub fn new(token: impl Into<String>) -> Self {
        Self(token.into())
    }

    /// A text of somebody else's without the token, should it be in there.
    pub(super) fn redacted(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "***") }
    }

    /// The text, for the one header that needs it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

/// The environment of a job.
#[derive(Clone, Debug)]
pub struct Environment {
    /// `owner/name`.
    pub repository: String,
    /// Name of the event.
    pub event_name: String,
    /// The event payload.
    pub payload: Value,
    /// Base URL of the REST API, without a slash at the end.
    pub api_url: String,
    /// URL of the GraphQL API.
    pub graphql_url: String,
    /// URL of the web pages.
    pub server_url: String,
    /// Who caused the run.
    pub actor: String,
    /// The run's number, for its URL.
    pub run_id: Option<String>,
    /// The directory with the checkout.
    pub workspace: PathBuf,
    /// A directory of the job for its files.
    pub temp: PathBuf,
    /// The file that outputs are appended to.
    pub output: Option<PathBuf>,
    /// The file that the job summary is appended to.
    pub summary: Option<PathBuf>,
    /// The job's token.
    pub token: Option<Token>,
}

impl Environment {
    /// Reads the environment of this process.
    ///
    /// # Errors
    /// A value has not the form it must have, or the payload cannot be read.
    #[expect(clippy::disallowed_methods, reason = "the environment of a job is read here and nowhere else")]
    pub fn read() -> Result<Self, Error> {
        Self::from_lookup(&|name| std::env::var(name).ok())
    }

    /// Reads an environment through a function.
    ///
    /// # Errors
    /// A value has not the form it must have, or the payload cannot be read.
    pub fn from_lookup(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let get = |name: &str| -> Result<Option<String>, Error> {
            let value = lookup(name).filter(|v| !v.is_empty());
            match value {
                Some(v) if v.len() > MAX_VALUE || v.contains(['\n', '\r', '\0']) => {
                    Err(Error::Environment { what: format!("{name} is longer than {MAX_VALUE} bytes or not one line") })
                }
                other => Ok(other),
            }
        };
        let must = |name: &str| {
            get(name)?.ok_or_else(|| Error::Environment { what: format!("{name} is not set: is this a GitHub Actions job?") })
        };
        let url = |name: &str, default: &str| -> Result<String, Error> {
            let value = get(name)?.unwrap_or_else(|| default.to_owned());
            let value = value.trim_end_matches('/').to_owned();
            let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
            let good =
                rest.is_some_and(|r| !r.is_empty() && r.chars().all(|c| c.is_ascii_graphic() && !"\"'<>\\^`{}|@?#".contains(c)));
            if good { Ok(value) } else { Err(Error::Environment { what: format!("{name} is not a plain http(s) URL") }) }
        };
        let repository = must("GITHUB_REPOSITORY")?;
        if !is_repository(&repository) {
            return Err(Error::Environment { what: "GITHUB_REPOSITORY is not of the form owner/name".to_owned() });
        }
        let payload = match get("GITHUB_EVENT_PATH")? {
            Some(path) => read_payload(Path::new(&path))?,
            None => Value::Null,
        };
        let token = get("GITHUB_TOKEN")?;
        if token.as_deref().is_some_and(|t| !t.chars().all(|c| c.is_ascii_graphic())) {
            return Err(Error::Environment { what: "GITHUB_TOKEN has characters that no token has".to_owned() });
        }
        Ok(Self {
            repository,
            event_name: must("GITHUB_EVENT_NAME")?,
            payload,
            api_url: url("GITHUB_API_URL", "https://api.github.com")?,
            graphql_url: url("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql")?,
            server_url: url("GITHUB_SERVER_URL", "https://github.com")?,
            actor: get("GITHUB_ACTOR")?.unwrap_or_default(),
            run_id: get("GITHUB_RUN_ID")?.filter(|id| id.bytes().all(|b| b.is_ascii_digit())),
            workspace: get("GITHUB_WORKSPACE")?.map_or_else(|| PathBuf::from("."), PathBuf::from),
            temp: get("RUNNER_TEMP")?.map_or_else(std::env::temp_dir, PathBuf::from),
            output: get("GITHUB_OUTPUT")?.map(PathBuf::from),
            summary: get("GITHUB_STEP_SUMMARY")?.map(PathBuf::from),
            token: token.map(Token::new),
        })
    }

    /// Where the run is shown on the web.
    pub fn run_url(&self) -> Option<String> {
        self.run_id.as_ref().map(|id| format!("{}/{}/actions/runs/{id}", self.server_url, self.repository))
    }

    /// The event.
    ///
    /// # Errors
    /// The payload lacks what the event must have.
    pub fn event(&self) -> Result<Event, Error> {
        event(&self.event_name, &self.payload, &self.actor)
    }
}

/// Whether a text is `owner/name` as GitHub writes it.
pub(super) fn is_repository(text: &str) -> bool {
    let part = |p: &str| {
        !p.is_empty()
            && p.len() <= 100
            && p != "."
            && p != ".."
            && p.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    text.split_once('/').is_some_and(|(owner, name)| part(owner) && part(name))
}

/// Whether a text is a full commit id.
pub(super) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn read_payload(path: &Path) -> Result<Value, Error> {
    let failed = |why: String| Error::Environment { what: format!("the event payload cannot be read: {why}") };
    let file = std::fs::File::open(path).map_err(|e| failed(e.to_string()))?;
    let mut text = String::new();
    let read = file.take(MAX_PAYLOAD + 1).read_to_string(&mut text).map_err(|e| failed(e.to_string()))?;
    if read as u64 > MAX_PAYLOAD {
        return Err(failed(format!("it is larger than {MAX_PAYLOAD} bytes")));
    }
    serde_json::from_str(&text).map_err(|e| failed(e.to_string()))
}

/// A pull request as an event names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullEvent {
    /// Its number.
    pub number: u64,
    /// The commit at its head.
    pub head: String,
    /// The tip of its base branch when the event was made.
    pub base: String,
    /// Whether the job runs on the base branch (`pull_request_target`), whose checkout does not have the head.
    pub on_base: bool,
    /// Why the job's token cannot write, where the event says so.
    pub read_only: Option<&'static str>,
}

/// What made the job run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `pull_request` and `pull_request_target`.
    Pull(PullEvent),
    /// `merge_group`: a queue's candidate.
    MergeGroup {
        /// What it is built on.
        base: String,
        /// The candidate.
        head: String,
    },
    /// `push`.
    Push {
        /// The commit before; absent where the ref is new.
        before: Option<String>,
        /// The commit after; absent where the ref was deleted.
        after: Option<String>,
    },
    /// `workflow_dispatch` and `schedule`: no range of its own.
    Manual,
    /// Anything else.
    Unsupported(String),
}

fn event(name: &str, payload: &Value, actor: &str) -> Result<Event, Error> {
    let commit = |pointer: &str| -> Result<String, Error> {
        let text = payload.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        if is_commit(text) {
            Ok(text.to_owned())
        } else {
            Err(Error::Environment { what: format!("the {name} event has no commit id at {pointer}") })
        }
    };
    let present = |pointer: &str| commit(pointer).map(|id| (!id.bytes().all(|b| b == b'0')).then_some(id));
    Ok(match name {
        "pull_request" | "pull_request_target" => {
            let number = payload.pointer("/pull_request/number").and_then(Value::as_u64).filter(|&n| n > 0);
            let number =
                number.ok_or_else(|| Error::Environment { what: format!("the {name} event has no pull request number") })?;
            let text = |pointer: &str| payload.pointer(pointer).and_then(Value::as_str);
            let head_repository = text("/pull_request/head/repo/full_name");
            let fork = head_repository.is_none() || head_repository != text("/pull_request/base/repo/full_name");
            let read_only = match name {
                // The trusted variant runs with the base repository's token.
                "pull_request_target" => None,
                _ if head_repository.is_none() => Some("the fork that the pull request comes from is gone"),
                _ if fork => Some("a pull request from a fork gets a read-only token"),
                _ if actor == DEPENDABOT || text("/sender/login") == Some(DEPENDABOT) => {
                    Some("a run caused by Dependabot gets a read-only token")
                }
                _ => None,
            };
            Event::Pull(PullEvent {
                number,
                head: commit("/pull_request/head/sha")?,
                base: commit("/pull_request/base/sha")?,
                on_base: name == "pull_request_target",
                read_only,
            })
        }
        "merge_group" => Event::MergeGroup { base: commit("/merge_group/base_sha")?, head: commit("/merge_group/head_sha")? },
        "push" => Event::Push { before: present("/before")?, after: present("/after")? },
        "workflow_dispatch" | "schedule" => Event::Manual,
        other => Event::Unsupported(other.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(64).collect()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    fn pull(head_repo: &Value) -> Value {
        json!({"action": "synchronize", "sender": {"login": "ada"}, "pull_request": {"number": 7,
            "head": {"sha": A, "repo": head_repo}, "base": {"sha": B, "repo": {"full_name": "o/r"}}}})
    }

    fn read_only(name: &str, payload: &Value, actor: &str) -> Option<&'static str> {
        match event(name, payload, actor).expect("an event") {
            Event::Pull(pull) => pull.read_only,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn tells_who_can_write() {
        let own = pull(&json!({"full_name": "o/r"}));
        assert_eq!(read_only("pull_request", &own, "ada"), None);
        assert!(read_only("pull_request", &own, "dependabot[bot]").is_some_and(|w| w.contains("Dependabot")));
        assert!(read_only("pull_request", &pull(&json!({"full_name": "x/r"})), "x").is_some_and(|w| w.contains("a fork")));
        assert!(read_only("pull_request", &pull(&Value::Null), "x").is_some_and(|w| w.contains("is gone")));
        assert_eq!(read_only("pull_request_target", &pull(&json!({"full_name": "x/r"})), "x"), None);
    }

    #[test]
    fn odd_payloads_are_errors_or_events_and_never_more() {
        let good = pull(&json!({"full_name": "o/r"}));
        let odd = [json!(null), json!(-7), json!(7.5), json!("7"), json!(u64::MAX), json!(""), json!([]), json!({}), json!(true)];
        for pointer in
            ["/pull_request", "/pull_request/number", "/pull_request/head", "/pull_request/head/sha", "/pull_request/base/sha"]
        {
            for value in &odd {
                let mut payload = good.clone();
                *payload.pointer_mut(pointer).expect("there") = value.clone();
                let read = event("pull_request", &payload, "ada");
                // Any whole number above zero can be a pull request's.
                let fine = pointer == "/pull_request/number" && *value == json!(u64::MAX);
                assert_eq!(read.is_ok(), fine, "{pointer}: {value}");
            }
        }
        for sha in [A.to_uppercase(), format!("{A}\n"), format!("-{}", &A[1..]), A[..39].to_owned(), "0".repeat(65)] {
            let mut payload = good.clone();
            payload["pull_request"]["head"]["sha"] = json!(sha);
            assert!(event("pull_request", &payload, "").is_err(), "{sha:?}");
        }
        // Who cannot be told from a fork is one; a draft is a pull request like another.
        for (pointer, value) in
            [("/pull_request/head/repo", json!(7)), ("/pull_request/head/repo", json!({"full_name": ["o/r"]}))]
        {
            let mut payload = good.clone();
            *payload.pointer_mut(pointer).expect("there") = value;
            assert!(read_only("pull_request", &payload, "ada").is_some());
        }
        let mut draft = good;
        draft["pull_request"]["draft"] = json!(true);
        assert_eq!(read_only("pull_request", &draft, "ada"), None);
        // A fork whose repository and branch have the same names.
        let mut fork = pull(&json!({"full_name": "x/r"}));
        fork["pull_request"]["head"]["ref"] = json!("topic");
        assert!(read_only("pull_request", &fork, "x").is_some());
        for (name, payload) in [("push", json!({"before": 1, "after": A})), ("merge_group", json!({})), ("push", json!([]))] {
            assert!(event(name, &payload, "").is_err(), "{name}");
        }
        assert_eq!(event("x\n::error::", &Value::Null, "").expect("an event"), Event::Unsupported("xerror".into()));
    }

    #[test]
    fn reads_every_event() {
        let zero = "0".repeat(40);
        let read = |name: &str, payload: Value| event(name, &payload, "");
        assert_eq!(
            read("merge_group", json!({"merge_group": {"base_sha": B, "head_sha": A}})).expect("an event"),
            Event::MergeGroup { base: B.into(), head: A.into() }
        );
        assert_eq!(
            read("push", json!({"before": zero, "after": A})).expect("an event"),
            Event::Push { before: None, after: Some(A.into()) }
        );
        assert_eq!(read("schedule", Value::Null).expect("an event"), Event::Manual);
        assert_eq!(read("issue_comment", Value::Null).expect("an event"), Event::Unsupported("issue_comment".into()));
        assert!(read("pull_request", json!({"pull_request": {"number": 7, "head": {"sha": "main; rm"}}})).is_err());
        assert!(read("pull_request", json!({"pull_request": {"number": "7"}})).is_err());
    }

    #[test]
    fn refuses_an_environment_that_is_not_plain() {
        let base = |name: &str| match name {
            "GITHUB_REPOSITORY" => Some("o/r".to_owned()),
            "GITHUB_EVENT_NAME" => Some("push".to_owned()),
            "GITHUB_TOKEN" => Some("ghs_secret".to_owned()),
            "GITHUB_API_URL" => Some("https://ghes.example/api/v3/".to_owned()),
            _ => None,
        };
        let good = Environment::from_lookup(&base).expect("an environment");
        assert_eq!(good.api_url, "https://ghes.example/api/v3");
        assert!(!format!("{good:?}").contains("secret"), "the token is not shown");
        for (name, value) in [
            ("GITHUB_REPOSITORY", "o/r/x"),
            ("GITHUB_REPOSITORY", "../r"),
            ("GITHUB_API_URL", "https://user@host"),
            ("GITHUB_API_URL", "file:///x"),
            ("GITHUB_TOKEN", "a\nb"),
            ("GITHUB_EVENT_PATH", "/nowhere/at/all"),
        ] {
            let bad = |n: &str| if n == name { Some(value.to_owned()) } else { base(n) };
            assert!(Environment::from_lookup(&bad).is_err(), "{name}={value}");
        }
    }
}
