//! The check run: its conclusion and its annotations on the stale lines, which may lie outside the diff.

use std::fmt::Write;

use serde_json::{Value, json};

use super::body;
use super::comments::groups;
use super::request::Request;
use crate::model::Sidecar;
use crate::value::canonical;

/// The name of the check.
pub(super) const NAME: &str = "refdrift";
/// Most annotations of one request.
const BATCH: usize = 50;
/// GitHub takes 65,535 characters.
const MAX_SUMMARY: usize = 60_000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Nothing to show.
    Success,
    /// Findings below the fail level.
    Neutral,
    /// Findings at or above it.
    Failure,
}

impl Conclusion {
    /// From what is shown and whether it fails the run.
    pub fn new(shown: usize, failed: bool) -> Self {
        match (shown, failed) {
            (_, true) => Self::Failure,
            (0, false) => Self::Success,
            (_, false) => Self::Neutral,
        }
    }

    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Neutral => "neutral",
            Self::Failure => "failure",
        }
    }
}

/// A check run as requests: the first makes it, the others add to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CheckRun {
    /// Hash of what it says; a run that says it already is not made again.
    pub external_id: String,
    /// Makes the run, with the first annotations.
    pub create: Request,
    /// Bodies that append further annotations, 50 at a time.
    pub further: Vec<Value>,
}

impl CheckRun {
    /// The request for one further batch.
    pub(super) fn append(repository: &str, id: u64, body: &Value) -> Request {
        Request { method: "PATCH", path: format!("/repos/{repository}/check-runs/{id}"), body: body.clone(), creates: false }
    }
}

/// The check run of a result.
pub(super) fn check_run(
    repository: &str,
    head: &str,
    sidecar: &Sidecar,
    conclusion: Conclusion,
    details: Option<&str>,
) -> CheckRun {
    let mut annotations: Vec<Value> = Vec::new();
    for (_, facts) in groups(sidecar) {
        for (fact, places) in facts {
            for (place, finding) in places {
                let (title, message) = body::annotation(fact, place);
                annotations.push(json!({"path": place.document, "start_line": place.line, "end_line": place.line,
                    "start_column": place.column_start, "end_column": place.column_end.max(place.column_start),
                    "annotation_level": body::level(finding.severity), "title": title, "message": message}));
            }
        }
    }
    let shown = sidecar.findings.len();
    let title = match shown {
        0 => "No stale reference found".to_owned(),
        1 => "1 stale reference".to_owned(),
        n => format!("{n} stale references"),
    };
    let summary = summary(sidecar, details);
    let external_id = canonical::hash(&json!([conclusion.as_str(), annotations]))[..32].to_owned();
    let output = |batch: &[Value]| json!({"title": title, "summary": summary, "annotations": batch});
    let mut batches = annotations.chunks(BATCH);
    let mut create = json!({"name": NAME, "head_sha": head, "status": "completed", "conclusion": conclusion.as_str(),
        "external_id": external_id, "output": output(batches.next().unwrap_or_default())});
    if let Some(url) = details {
        create["details_url"] = json!(url);
    }
    CheckRun {
        external_id,
        create: Request { method: "POST", path: format!("/repos/{repository}/check-runs"), body: create, creates: true },
        further: batches.map(|batch| json!({"output": output(batch)})).collect(),
    }
}

fn summary(sidecar: &Sidecar, details: Option<&str>) -> String {
    let mut out = String::new();
    for (_, facts) in groups(sidecar) {
        for (fact, places) in facts {
            let _ = writeln!(out, "- {}: {} places", body::title(fact), places.len());
        }
    }
    if out.is_empty() {
        out.push_str("Nothing in the documentation was made untrue.\n");
    }
    let closing = details.map(|url| format!("\nThe whole report is in the [job summary]({url}).")).unwrap_or_default();
    let room = MAX_SUMMARY - closing.len().min(MAX_SUMMARY);
    super::escape::clip_lines(&out, room, "Further changes are in the job summary.") + &closing
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn sixty_annotations_go_in_two_batches() {
        let names: Vec<String> = (0..60).map(|i| format!("docs/{i:02}.md")).collect();
        let places: Vec<(&str, u32)> = names.iter().map(|n| (n.as_str(), 3)).collect();
        let sidecar = sample::sidecar(&[("a.js", "timeout", &places)]);
        let run = check_run("o/r", "abc", &sidecar, Conclusion::Neutral, None);
        let count = |body: &Value| body["output"]["annotations"].as_array().map_or(0, Vec::len);
        assert_eq!((count(&run.create.body), run.further.iter().map(count).collect::<Vec<_>>()), (50, vec![10]));
        assert_eq!(run.create.body["conclusion"], "neutral");
        assert_eq!(run.create.body["output"]["annotations"][0]["annotation_level"], "warning");
        assert_eq!(check_run("o/r", "abc", &sidecar, Conclusion::Neutral, None), run);
    }

    #[test]
    fn the_conclusion_follows_the_fail_level() {
        let word = |shown, failed| Conclusion::new(shown, failed).as_str();
        assert_eq!((word(0, false), word(2, false), word(2, true)), ("success", "neutral", "failure"));
    }
}
