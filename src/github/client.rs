//! The transport: octocrab without its layers. Its retries repeat writes at once, its rate-limit waits are unbounded, its
//! time-outs are off, its user agent cannot be replaced, and its base URL is put in front of the GraphQL URL of GHES too; so
//! requests carry absolute URLs and their own headers here, and waiting and repeating are decided here, within one budget.

use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use http::{HeaderMap, Method};
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::rt::TokioExecutor;
use octocrab::{AuthState, Octocrab, OctocrabBuilder};
use serde_json::Value;

use super::request::{GRAPHQL, Request};
use super::{Error, Token};

/// The one user agent.
const USER_AGENT: &str = concat!("refdrift/", env!("CARGO_PKG_VERSION"));
/// The version of the REST API.
const API_VERSION: &str = "2022-11-28";
/// Time for one request.
const REQUEST_TIME: Duration = Duration::from_secs(30);
/// Time for all of delivery.
pub(super) const TOTAL_TIME: Duration = Duration::from_secs(300);
/// Least time between two writes, as GitHub asks.
const WRITE_GAP: Duration = Duration::from_secs(1);
/// Least wait for a secondary limit that names none.
const SECONDARY_WAIT: u64 = 60;
/// How often a read is tried.
const READ_TRIES: u32 = 4;
/// How often a request waits for a rate limit.
const LIMIT_WAITS: u32 = 4;
/// Most pages of a list.
const MAX_PAGES: usize = 200;
/// Longest message of the server that is kept.
const MAX_MESSAGE: usize = 300;

/// Where time comes from; tests have their own.
pub trait Clock: Send + Sync {
    /// Time since the start.
    fn elapsed(&self) -> Duration;
    /// Waits.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The machine's clock.
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// Where GitHub is and who asks.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The REST root, without a slash at the end.
    pub api: String,
    /// The GraphQL URL.
    pub graphql: String,
    /// The token.
    pub token: Token,
}

/// A client for one run.
pub(super) struct Client {
    http: Octocrab,
    endpoint: Endpoint,
    clock: Box<dyn Clock>,
    last_write: Option<Duration>,
    /// Requests that only read.
    pub reads: usize,
    /// Requests that changed something, or tried to.
    pub writes: usize,
}

impl Client {
    /// A client; it has to be made inside a runtime.
    pub(super) fn new(endpoint: Endpoint, clock: Box<dyn Clock>) -> Self {
        let builder = hyper_rustls::HttpsConnectorBuilder::new();
        // A GHES instance may have a certificate that only the machine knows; an image from scratch has no certificates.
        let connector = match builder.with_native_roots() {
            Ok(native) => native.https_or_http().enable_http1().build(),
            Err(_) => hyper_rustls::HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build(),
        };
        let service = HttpClient::builder(TokioExecutor::new()).build(connector);
        let http = match OctocrabBuilder::new_empty().with_service(service).with_auth(AuthState::None).build() {
            Ok(http) => http,
            Err(never) => match never {},
        };
        Self { http, endpoint, clock, last_write: None, reads: 0, writes: 0 }
    }

    /// Reads one answer.
    ///
    /// # Errors
    /// No success after the tries that a read has.
    pub(super) async fn get(&mut self, path: &str) -> Result<(Value, bool), Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.send(&Method::GET, path, None).await {
                Err(error) if error.is_ambiguous() && tries < READ_TRIES => {
                    let wait = Duration::from_secs(1 << (tries - 1));
                    self.pause(wait, path).await?;
                }
                other => return other,
            }
        }
    }

    /// Reads all pages of a list; `key` names the list inside the answer, where there is one.
    ///
    /// # Errors
    /// A page cannot be read.
    pub(super) async fn list(&mut self, path: &str, key: Option<&str>) -> Result<Vec<Value>, Error> {
        let mut out = Vec::new();
        let joint = if path.contains('?') { '&' } else { '?' };
        // The URL of the next page is not followed, only counted: a foreign one would be sent the token.
        for page in 1..=MAX_PAGES {
            let (value, more) = self.get(&format!("{path}{joint}per_page=100&page={page}")).await?;
            let list = key.map_or(Some(&value), |k| value.get(k)).and_then(Value::as_array);
            let list = list.ok_or_else(|| Error::Answer { request: format!("GET {path}"), why: "it is no list".to_owned() })?;
            out.extend(list.iter().cloned());
            if !more {
                break;
            }
        }
        Ok(out)
    }

    /// Asks GraphQL. An answer with errors is an error.
    ///
    /// # Errors
    /// No success.
    pub(super) async fn query(&mut self, body: &Value) -> Result<Value, Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.send(&Method::POST, GRAPHQL, Some(body)).await {
                Err(error) if error.is_ambiguous() && tries < READ_TRIES => {
                    self.pause(Duration::from_secs(1 << (tries - 1)), GRAPHQL).await?;
                }
                Ok((value, _)) => return graphql_answer(value, &self.endpoint.token),
                Err(error) => return Err(error),
            }
        }
    }

    /// Carries out a request once. Only an answer that says it was not carried out (a rate limit) makes it go out again.
    ///
    /// # Errors
    /// No success; [`Error::is_ambiguous`] tells whether it may have been carried out.
    pub(super) async fn write(&mut self, request: &Request) -> Result<Value, Error> {
        if let Some(last) = self.last_write {
            let wait = WRITE_GAP.saturating_sub(self.clock.elapsed().saturating_sub(last));
            if !wait.is_zero() {
                self.pause(wait, &request.path).await?;
            }
        }
        let method = if request.method == "PATCH" { Method::PATCH } else { Method::POST };
        self.writes += 1;
        let result = self.send(&method, &request.path, Some(&request.body)).await;
        self.last_write = Some(self.clock.elapsed());
        let (value, _) = result?;
        if request.path == GRAPHQL { graphql_answer(value, &self.endpoint.token) } else { Ok(value) }
    }

    async fn pause(&self, time: Duration, path: &str) -> Result<(), Error> {
        if self.clock.elapsed() + time > TOTAL_TIME {
            return Err(Error::OutOfTime { request: path.to_owned() });
        }
        self.clock.sleep(time).await;
        Ok(())
    }

    /// Sends a request, and again after each rate limit that the budget allows to wait for.
    async fn send(&mut self, method: &Method, path: &str, body: Option<&Value>) -> Result<(Value, bool), Error> {
        let name = format!("{method} {path}");
        let url = if path == GRAPHQL { self.endpoint.graphql.clone() } else { format!("{}{path}", self.endpoint.api) };
        let mut waits = 0;
        loop {
            if self.clock.elapsed() >= TOTAL_TIME {
                return Err(Error::OutOfTime { request: name });
            }
            let token = self.endpoint.token.clone();
            let no_answer = |why: String| Error::NoAnswer { request: name.clone(), why: plain(&why, &token) };
            let builder = http::request::Builder::new()
                .method(method.clone())
                .uri(&url)
                .header(http::header::USER_AGENT, USER_AGENT)
                .header(http::header::ACCEPT, "application/vnd.github+json")
                .header("x-github-api-version", API_VERSION)
                .header(http::header::AUTHORIZATION, format!("Bearer {}", self.endpoint.token.expose()));
            let request = self.http.build_request(builder, body).map_err(|e| no_answer(e.to_string()))?;
            if *method == Method::GET {
                self.reads += 1;
            }
            let answer = async {
                let response = self.http.execute(request).await.map_err(|e| no_answer(cause(&e)))?;
                let (status, headers) = (response.status().as_u16(), response.headers().clone());
                let text = self.http.body_to_string(response).await.map_err(|e| no_answer(cause(&e)))?;
                Ok((status, headers, text))
            };
            let answered = tokio::time::timeout(REQUEST_TIME, answer).await;
            let (status, headers, text) = answered.map_err(|_| no_answer(format!("none in {} s", REQUEST_TIME.as_secs())))??;
            if (200..300).contains(&status) {
                let value = if text.trim().is_empty() { Ok(Value::Null) } else { serde_json::from_str(&text) };
                let value = value.map_err(|e| Error::Answer { request: name.clone(), why: e.to_string() })?;
                return Ok((value, has_next(&headers)));
            }
            let message = plain(&message(&text), &self.endpoint.token);
            if let Some(wait) = limit_wait(status, &headers, &message) {
                waits += 1;
                let left = TOTAL_TIME.saturating_sub(self.clock.elapsed());
                if waits > LIMIT_WAITS || Duration::from_secs(wait) > left {
                    return Err(Error::RateLimited { request: name, seconds: wait });
                }
                tracing::warn!(seconds = wait, "waiting for the rate limit");
                self.clock.sleep(Duration::from_secs(wait)).await;
                continue;
            }
            return Err(Error::Status { request: name, status, message });
        }
    }
}

/// The innermost reason of an error of the transport.
fn cause(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

/// What the server says is wrong, with the reasons of a validation.
fn message(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let mut out = value.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned();
    for error in value.get("errors").and_then(Value::as_array).into_iter().flatten().take(5) {
        let reason = error.as_str().or_else(|| error.get("message").and_then(Value::as_str)).unwrap_or_default();
        let _ = write!(out, "; {reason}");
    }
    out
}

/// Somebody else's words in one short line, without the token.
fn plain(text: &str, token: &Token) -> String {
    token.redacted(text).chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_MESSAGE).collect()
}

fn graphql_answer(value: Value, token: &Token) -> Result<Value, Error> {
    let Some(error) = value.get("errors").and_then(Value::as_array).and_then(|e| e.first()) else { return Ok(value) };
    let kind = error.get("type").and_then(Value::as_str).unwrap_or_default();
    let status = if matches!(kind, "FORBIDDEN" | "INSUFFICIENT_SCOPES" | "NOT_FOUND") { 403 } else { 422 };
    let message = plain(error.get("message").and_then(Value::as_str).unwrap_or(kind), token);
    Err(Error::Status { request: format!("POST {GRAPHQL}"), status, message })
}

fn has_next(headers: &HeaderMap) -> bool {
    headers.get_all(http::header::LINK).iter().filter_map(|v| v.to_str().ok()).any(|v| v.contains("rel=\"next\""))
}

/// Seconds to wait where the answer is a rate limit: what it says itself; else until the primary limit is reset; else, for a
/// secondary limit, a minute. A reset in the past counts as a minute too.
fn limit_wait(status: u16, headers: &HeaderMap, message: &str) -> Option<u64> {
    if !matches!(status, 403 | 429) {
        return None;
    }
    let number = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).and_then(|v| v.trim().parse::<u64>().ok());
    if let Some(seconds) = number("retry-after") {
        return Some(seconds.max(1));
    }
    if number("x-ratelimit-remaining") == Some(0) {
        let now = headers.get(http::header::DATE).and_then(|v| v.to_str().ok()).and_then(epoch);
        let wait = number("x-ratelimit-reset").zip(now).map_or(0, |(reset, now)| reset.saturating_sub(now));
        return Some(if wait == 0 { SECONDARY_WAIT } else { wait + 1 });
    }
    let lower = message.to_ascii_lowercase();
    (status == 429 || lower.contains("rate limit") || lower.contains("abuse detection")).then_some(SECONDARY_WAIT)
}

/// Seconds since 1970 of an HTTP date (`Sun, 06 Nov 1994 08:49:37 GMT`). The server's own clock is what its reset refers to.
fn epoch(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = date.split([' ', ':']).skip(1);
    let day: u64 = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|m| *m == name)? as u64 + 1;
    let year: u64 = parts.next()?.parse().ok()?;
    let (hour, minute, second): (u64, u64, u64) =
        (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    // Days from the civil date, counting years from March.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = (365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day).checked_sub(719_469)?;
    Some(days * 86_400 + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(n, v)| (http::HeaderName::from_static(n), v.parse().expect("a header"))).collect()
    }

    #[test]
    fn waits_as_github_asks() {
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(limit_wait(403, &headers(&[("retry-after", "7")]), ""), Some(7));
        assert_eq!(limit_wait(403, &headers(&[]), "You have exceeded a secondary rate limit"), Some(60));
        assert_eq!(limit_wait(429, &headers(&[]), ""), Some(60));
        let limited = |reset| headers(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", reset), date]);
        assert_eq!(limit_wait(403, &limited("784111797"), ""), Some(21));
        assert_eq!(limit_wait(403, &limited("784111700"), ""), Some(60), "a reset in the past");
        assert_eq!(limit_wait(403, &headers(&[("x-ratelimit-remaining", "9")]), "Resource not accessible by integration"), None);
        assert_eq!(limit_wait(422, &headers(&[("retry-after", "7")]), ""), None);
        assert_eq!(epoch("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(epoch("Fri, 29 Feb 2036 23:59:59 GMT"), Some(2_087_942_399));
    }

    #[test]
    fn reads_messages() {
        let text = r#"{"message":"Validation Failed","errors":[{"message":"line must be part of the diff"},"other"]}"#;
        assert_eq!(message(text), "Validation Failed; line must be part of the diff; other");
        assert_eq!(message("<html>"), "no message");
    }
}
