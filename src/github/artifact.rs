//! The sidecar as an artifact of a job that nobody may trust: read with a bound, checked against the schema and for sense,
//! and only used for the pull request it says it is from, which the caller compares with what GitHub says.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use super::Error;
use super::event::{is_commit, is_repository};
use crate::model::{Finding, PullRequest, Sidecar};

/// Largest sidecar that is read, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Most findings.
const MAX_FINDINGS: usize = 20_000;

/// Reads a sidecar and checks everything that can be checked without asking GitHub.
///
/// # Errors
/// It is refused.
pub fn read(path: &Path) -> Result<Sidecar, Error> {
    let refused = |why: String| Error::Refused { why };
    let file = std::fs::File::open(path).map_err(|e| refused(format!("it cannot be read: {e}")))?;
    let mut text = String::new();
    let read = file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(|e| refused(format!("it cannot be read: {e}")))?;
    if read as u64 > MAX_BYTES {
        return Err(refused(format!("it is larger than {MAX_BYTES} bytes")));
    }
    parse(&text)
}

/// Checks the text of a sidecar.
///
/// # Errors
/// It is refused.
pub(super) fn parse(text: &str) -> Result<Sidecar, Error> {
    let refused = |why: String| Error::Refused { why };
    let value: Value = serde_json::from_str(text).map_err(|e| refused(format!("it is no JSON: {e}")))?;
    let schema = schemars::schema_for!(Sidecar).to_value();
    let validator = jsonschema::draft202012::options().build(&schema).map_err(|e| refused(format!("no schema: {e}")))?;
    if let Some(error) = validator.iter_errors(&value).next() {
        let why: String = error.to_string().chars().take(200).collect();
        return Err(refused(format!("{} does not match the schema: {why}", error.instance_path())));
    }
    let sidecar: Sidecar = serde_json::from_value(value).map_err(|e| refused(e.to_string()))?;
    sense(&sidecar).map_err(refused)?;
    Ok(sidecar)
}

fn sense(sidecar: &Sidecar) -> Result<(), String> {
    let must = |good: bool, why: &str| if good { Ok(()) } else { Err(why.to_owned()) };
    must(sidecar.tool.name == "refdrift", "another tool wrote it")?;
    must(is_commit(&sidecar.revisions.base) && is_commit(&sidecar.revisions.head), "its revisions are no commit ids")?;
    must(sidecar.policy.findings.len() <= MAX_FINDINGS, "it has too many findings")?;
    let all: BTreeSet<&str> = sidecar.policy.findings.iter().map(|f| f.id.as_str()).collect();
    must(all.len() == sidecar.policy.findings.len(), "two findings have one id")?;
    let visible: Vec<&Finding> = sidecar.policy.findings.iter().filter(|f| f.routing.is_visible()).collect();
    must(
        visible.iter().map(|f| &f.id).eq(sidecar.findings.iter().map(|f| &f.id)),
        "the shown findings are not those of the policy",
    )?;
    must(visible.iter().zip(&sidecar.findings).all(|(a, b)| **a == *b), "a shown finding differs from the policy's")?;
    let counts = &sidecar.policy.counts;
    let sum = [counts.proposed, counts.excluded, counts.routed_to_l2, counts.pending_version]
        .iter()
        .fold(0usize, |sum, n| sum.saturating_add(*n));
    must(sum == sidecar.policy.findings.len(), "the counts do not add up")?;
    for fact in &sidecar.changed_facts {
        for at in [&fact.before, &fact.after].into_iter().flatten() {
            must(is_path(&at.path) && at.line_start <= at.line_end, "a place in the code is no place")?;
        }
        for place in &fact.places {
            must(all.contains(place.finding.as_str()), "a place belongs to no finding")?;
            must(is_path(&place.document), "a document's path is no path inside the repository")?;
        }
    }
    for finding in &sidecar.policy.findings {
        let kebab = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        must(kebab(&finding.category), "a category is no word")?;
    }
    if let Some(pull) = &sidecar.pull_request {
        must(is_repository(&pull.repository) && is_commit(&pull.head) && pull.number > 0, "its pull request is none")?;
        for diff in &pull.diffs {
            let ordered = diff.edits.iter().all(|e| {
                let end = |start: u32, count: u32| start.checked_add(count).is_some_and(|end| end < u32::MAX);
                end(e.before_start, e.before_lines) && end(e.after_start, e.after_lines)
            });
            must(ordered && is_path(&diff.path) && diff.previous_path.as_deref().is_none_or(is_path), "a diff is none")?;
        }
    }
    Ok(())
}

/// Whether a text can be a path inside a repository. Names with odd characters are legal; climbing is not.
fn is_path(path: &str) -> bool {
    !path.is_empty() && !path.contains('\0') && path.split('/').all(|s| !s.is_empty() && s != "." && s != "..")
}

/// Compares what the artifact says with the job that runs: only its own repository's, only the run that made it.
///
/// # Errors
/// It is another's.
pub fn claim<'a>(sidecar: &'a Sidecar, repository: &str, run: &Value) -> Result<Option<&'a PullRequest>, Error> {
    let Some(pull) = &sidecar.pull_request else { return Ok(None) };
    let refused = |why: String| Err(Error::Refused { why });
    if !pull.repository.eq_ignore_ascii_case(repository) {
        return refused(format!("it is for {}, not for {repository}", pull.repository));
    }
    let text = |pointer: &str| run.pointer(pointer).and_then(Value::as_str);
    if let Some(head) = text("/workflow_run/head_sha")
        && head != pull.head
    {
        return refused("the run it comes from was for another commit".to_owned());
    }
    if let Some(event) = text("/workflow_run/event")
        && !matches!(event, "pull_request" | "pull_request_target")
    {
        return refused("the run it comes from was not for a pull request".to_owned());
    }
    Ok(Some(pull))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample;
    use super::*;

    fn valid() -> Value {
        serde_json::to_value(sample::sidecar(&[("a.js", "timeout", &[("README.md", 3)])])).expect("JSON")
    }

    fn why(change: &dyn Fn(&mut Value)) -> String {
        let mut value = valid();
        change(&mut value);
        parse(&value.to_string()).expect_err("refused").to_string()
    }

    #[test]
    fn a_good_one_is_taken() {
        assert!(parse(&valid().to_string()).is_ok());
    }

    #[test]
    fn tampering_is_refused() {
        assert!(why(&|v| v["extra"] = json!(1)).contains("schema"));
        assert!(why(&|v| v["schemaVersion"] = json!(2)).contains("schema"));
        assert!(why(&|v| v["changedFacts"][0]["places"][0]["line"] = json!(0)).contains("schema"));
        assert!(why(&|v| v["changedFacts"][0]["places"][0]["document"] = json!("../x")).contains("inside"));
        assert!(why(&|v| v["changedFacts"][0]["places"][0]["finding"] = json!("finding:x")).contains("no finding"));
        assert!(why(&|v| v["findings"] = json!([])).contains("not those of the policy"));
        assert!(why(&|v| v["findings"][0]["confidence"] = json!(1)).contains("differs"));
        assert!(why(&|v| v["policy"]["counts"]["proposed"] = json!(9)).contains("add up"));
        assert!(why(&|v| v["tool"]["name"] = json!("other")).contains("another tool"));
        assert!(why(&|v| v["pullRequest"]["repository"] = json!("o/r/x")).contains("pull request"));
        assert!(why(&|v| v["pullRequest"]["head"] = json!("main")).contains("schema"));
        assert!(parse("{").is_err());
    }

    #[test]
    fn an_oversized_one_is_refused() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        file.as_file().set_len(MAX_BYTES + 1).expect("a large file");
        assert!(read(file.path()).expect_err("refused").to_string().contains("larger"));
    }

    #[test]
    fn a_foreign_one_is_refused() {
        let sidecar = parse(&valid().to_string()).expect("valid");
        let run = |head: &str, event: &str| json!({"workflow_run": {"head_sha": head, "event": event}});
        let own = "a".repeat(40);
        assert!(claim(&sidecar, "o/r", &run(&own, "pull_request")).expect("taken").is_some());
        assert!(claim(&sidecar, "o/other", &run(&own, "pull_request")).is_err());
        assert!(claim(&sidecar, "o/r", &run(&"b".repeat(40), "pull_request")).is_err());
        assert!(claim(&sidecar, "o/r", &run(&own, "push")).is_err());
    }
}
