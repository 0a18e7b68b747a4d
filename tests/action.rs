//! `refdrift action` and `refdrift publish` as a job runs them: real repositories, a real event, a pull request in memory.
#![cfg(feature = "github")]
#![allow(clippy::disallowed_methods, clippy::panic, reason = "tests read their own files")]

#[path = "../src/github/fake.rs"]
#[allow(dead_code, reason = "each test crate uses its own part")]
mod fake;
mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fake::{Fake, fault};
use serde_json::{Value, json};
use tempfile::TempDir;

type Files = BTreeMap<String, String>;

/// A folder with repositories in it.
struct World {
    folder: TempDir,
}

/// The commits of a pull request.
struct Commits {
    base: String,
    head: String,
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("HOME", "/nonexistent")])
        .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@example.invalid"), ("GIT_AUTHOR_DATE", "1767225600 +0000")])
        .envs([("GIT_COMMITTER_NAME", "a"), ("GIT_COMMITTER_EMAIL", "a@example.invalid")])
        .env("GIT_COMMITTER_DATE", "1767225600 +0000")
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn commit(directory: &Path, files: &Files, message: &str) -> String {
    for (path, text) in files {
        let path = directory.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    git(directory, &["add", "--all"]);
    git(directory, &["commit", "--quiet", "--message", message]);
    git(directory, &["rev-parse", "HEAD"])
}

fn tree(name: &str) -> Files {
    support::read_tree(&support::root().join("fixtures/demo").join(name))
}

impl World {
    /// A repository whose `topic` branch makes the change of the demo, while `main` has moved on; checked out at its merge.
    fn new(before: &Files, after: &Files) -> (Self, Commits) {
        // What lands on the base branch since is not the pull request's doing.
        let newer =
            [("lib/newer.js", "export function newer(limit = 3) { return limit; }\n"), ("NEWER.md", "`newer(limit = 3)`\n")];
        Self::beside(before, after, &newer.map(|(p, t)| (p.to_owned(), t.to_owned())).into())
    }

    /// The same, with these files on the base branch since.
    fn beside(before: &Files, after: &Files, newer: &Files) -> (Self, Commits) {
        let world = Self { folder: tempfile::tempdir().expect("a folder") };
        let at = world.origin();
        std::fs::create_dir_all(&at).expect("made");
        git(&at, &["init", "--quiet", "--initial-branch", "main"]);
        commit(&at, before, "before");
        git(&at, &["checkout", "--quiet", "-b", "topic"]);
        // What is no longer there after the change is not there.
        for gone in before.keys().filter(|path| path.starts_with("lib/old") && !after.contains_key(*path)) {
            std::fs::remove_file(at.join(gone)).expect("removed");
        }
        let head = commit(&at, after, "after");
        git(&at, &["checkout", "--quiet", "main"]);
        let base = commit(&at, newer, "newer");
        git(&at, &["checkout", "--quiet", "--detach", "main"]);
        git(&at, &["merge", "--quiet", "--no-ff", "--message", "merge", "topic"]);
        git(&at, &["branch", "merged"]);
        (world, Commits { base, head })
    }

    fn demo() -> (Self, Commits) {
        Self::new(&tree("before"), &tree("after"))
    }

    fn origin(&self) -> PathBuf {
        self.folder.path().join("origin")
    }

    /// A clone of the merge commit with so much history.
    fn shallow(&self, depth: &str) -> PathBuf {
        let to = self.folder.path().join(format!("depth-{depth}"));
        let from = format!("file://{}", self.origin().display());
        let to_text = to.to_string_lossy().into_owned();
        git(self.folder.path(), &["clone", "--quiet", "--depth", depth, "--branch", "merged", &from, &to_text]);
        to
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn outputs(&self) -> BTreeMap<String, String> {
        let text = self.read("output");
        let mut lines = text.lines();
        let mut out = BTreeMap::new();
        while let Some((name, end)) = lines.next().and_then(|l| l.split_once("<<")) {
            let value: Vec<&str> = lines.by_ref().take_while(|l| *l != end).collect();
            out.insert(name.to_owned(), value.join("\n"));
        }
        out
    }

    /// Runs the program as a job.
    fn run(&self, fake: &Fake, workspace: &Path, event: (&str, &Value), arguments: &[&str]) -> Output {
        let folder = self.folder.path();
        std::fs::write(folder.join("event.json"), event.1.to_string()).expect("written");
        for name in ["output", "summary"] {
            let _ = std::fs::remove_file(folder.join(name));
        }
        let url = fake.server.uri();
        let file = |name: &str| folder.join(name).into_os_string();
        Command::new(env!("CARGO_BIN_EXE_refdrift"))
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .envs([("GITHUB_EVENT_NAME", event.0), ("GITHUB_REPOSITORY", "o/r"), ("GITHUB_TOKEN", "ghs_verysecret")])
            .envs([("GITHUB_ACTOR", event.1["actor"].as_str().unwrap_or("ada")), ("GITHUB_RUN_ID", "42")])
            .env("GITHUB_API_URL", format!("{url}/api/v3"))
            .env("GITHUB_GRAPHQL_URL", format!("{url}/api/graphql"))
            .env("GITHUB_WORKSPACE", workspace)
            .env("GITHUB_EVENT_PATH", file("event.json"))
            .env("GITHUB_OUTPUT", file("output"))
            .env("GITHUB_STEP_SUMMARY", file("summary"))
            .env("RUNNER_TEMP", file("temp"))
            .envs([("REFDRIFT_FAIL_ON", ""), ("REFDRIFT_COMMENTS", ""), ("REFDRIFT_MAX_COMMENTS", "")])
            .output()
            .expect("refdrift runs")
    }
}

fn pull(commits: &Commits, head_repository: &Value) -> Value {
    json!({"action": "synchronize", "number": 7, "sender": {"login": "ada"}, "pull_request": {"number": 7,
        "head": {"sha": commits.head, "repo": head_repository}, "base": {"sha": commits.base, "repo": {"full_name": "o/r"}}}})
}

fn own(commits: &Commits) -> Value {
    pull(commits, &json!({"full_name": "o/r"}))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[tokio::test]
async fn a_pull_request_gets_outputs_summary_and_one_review() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let done = world.run(&fake, &world.origin(), ("pull_request", &own(&commits)), &["action", "--check-run=false"]);
    assert_eq!(code(&done), 0, "{}", text(&done));
    let outputs = world.outputs();
    let findings: usize = outputs["findings"].parse().expect("a number");
    assert!(findings > 0);
    assert_eq!(outputs["conclusion"], "neutral");
    assert_eq!(outputs["report-url"], "https://github.com/o/r/actions/runs/42");
    let sidecar: Value = serde_json::from_str(&std::fs::read_to_string(&outputs["sidecar"]).expect("a sidecar")).expect("JSON");
    assert_eq!(sidecar["pullRequest"]["number"], 7);
    assert!(world.read("summary").len() > 50);
    assert!(!text(&done).contains("ghs_verysecret") && !sidecar.to_string().contains("verysecret"));
    let state = fake.state();
    assert_eq!(state.reviews.len(), 1, "{}", text(&done));
    let comments = state.reviews[0]["comments"].as_array().expect("comments");
    assert!(!comments.is_empty() && comments.iter().all(|c| c["line"].as_u64().is_some_and(|l| l > 0)));
    // The base branch moved on: its new function is not the pull request's.
    assert!(!sidecar.to_string().contains("newer") && !state.reviews[0].to_string().contains("newer"));
}

#[tokio::test]
async fn a_merge_commit_of_depth_two_is_enough_and_gives_the_same() {
    let (world, commits) = World::demo();
    let event = own(&commits);
    let run = async |workspace: PathBuf| {
        let fake = Fake::start(&commits.head).await;
        let done = world.run(&fake, &workspace, ("pull_request", &event), &["action"]);
        assert_eq!(code(&done), 0, "{}", text(&done));
        let mut posted: Vec<String> = fake.state().comments.iter().map(|c| c["body"].to_string()).collect();
        posted.sort();
        let places: Vec<(Value, Value)> = fake.state().reviews[0]["comments"]
            .as_array()
            .map(|l| l.iter().map(|c| (c["path"].clone(), c["line"].clone())).collect())
            .unwrap_or_default();
        (world.outputs()["findings"].clone(), posted, places)
    };
    let full = run(world.origin()).await;
    assert!(!world.origin().join(".git/shallow").exists(), "a full clone is left whole");
    assert_eq!(run(world.shallow("2")).await, full);
    // Where the branches conflict there is no merge commit; the event's commits are enough.
    git(&world.origin(), &["checkout", "--quiet", "main"]);
    assert_eq!(run(world.origin()).await, full);
}

#[tokio::test]
async fn lines_that_the_base_moved_are_not_taken_for_the_heads() {
    let (before, after) = (tree("before"), tree("after"));
    let moved = format!("// A line that only the base branch has.\n{}", before["src/cli.js"]);
    let (world, commits) = World::beside(&before, &after, &[("src/cli.js".to_owned(), moved)].into());
    let fake = Fake::start(&commits.head).await;
    let done = world.run(&fake, &world.shallow("2"), ("pull_request", &own(&commits)), &["action"]);
    assert_eq!(code(&done), 0, "{}", text(&done));
    let state = fake.state();
    let in_review = |path: &str| state.reviews[0]["comments"].as_array().is_some_and(|l| l.iter().any(|c| c["path"] == path));
    let on_file = state.writes().iter().any(|(_, _, body)| body["path"] == "src/cli.js" && body["subject_type"] == "file");
    assert!(on_file && !in_review("src/cli.js") && in_review("src/fetch.js"), "{}", text(&done));
}

#[tokio::test]
async fn depth_one_is_an_error_that_says_what_to_write() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let done = world.run(&fake, &world.shallow("1"), ("pull_request", &own(&commits)), &["action"]);
    assert_eq!(code(&done), 2);
    assert!(text(&done).contains("fetch-depth: 2"), "{}", text(&done));
    assert!(text(&done).contains("::error title=refdrift::"));
    assert!(fake.state().writes().is_empty());
}

#[tokio::test]
async fn a_job_on_the_base_branch_is_told_to_fetch_the_head() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let at = world.folder.path().join("base");
    let from = format!("file://{}", world.origin().display());
    let to = at.to_string_lossy().into_owned();
    git(&world.origin(), &["update-ref", "refs/pull/7/head", &commits.head]);
    git(world.folder.path(), &["clone", "--quiet", "--single-branch", "--branch", "main", &from, &to]);
    let event = pull(&commits, &json!({"full_name": "x/r"}));
    let done = world.run(&fake, &at, ("pull_request_target", &event), &["action"]);
    assert!(code(&done) == 2 && text(&done).contains("git fetch --no-tags origin"), "{}", text(&done));
    // Done as told, a fork's pull request gets its review: the token is the base repository's.
    git(&at, &["fetch", "--quiet", "--no-tags", "origin", "+refs/pull/7/head"]);
    let done = world.run(&fake, &at, ("pull_request_target", &event), &["action"]);
    assert_eq!((code(&done), fake.state().reviews.len()), (0, 1), "{}", text(&done));
    assert_eq!(git(&at, &["rev-parse", "HEAD"]), commits.base, "nothing is checked out");
}

#[tokio::test]
async fn the_same_commit_on_both_sides_is_silent() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let same = Commits { base: commits.head.clone(), head: commits.head.clone() };
    let done = world.run(&fake, &world.origin(), ("pull_request", &own(&same)), &["action", "--fail-on", "info"]);
    assert_eq!((code(&done), world.outputs()["findings"].as_str(), world.outputs()["conclusion"].as_str()), (0, "0", "success"));
    assert!(fake.state().writes().is_empty());
}

#[tokio::test]
async fn forks_dependabot_and_deleted_forks_still_get_the_verdict() {
    let (world, commits) = World::demo();
    let mut dependabot = own(&commits);
    dependabot["actor"] = json!("dependabot[bot]");
    for (event, why) in [
        (pull(&commits, &json!({"full_name": "x/r"})), "a fork"),
        (pull(&commits, &Value::Null), "is gone"),
        (dependabot, "Dependabot"),
    ] {
        let fake = Fake::start(&commits.head).await;
        let done = world.run(&fake, &world.origin(), ("pull_request", &event), &["action"]);
        assert_eq!(code(&done), 0, "{}", text(&done));
        assert!(fake.state().log.is_empty(), "nothing is even tried");
        assert_ne!(world.outputs()["findings"], "0");
        assert!(world.read("summary").contains(why) && text(&done).contains(why), "{why}: {}", text(&done));
    }
}

#[tokio::test]
async fn only_fail_on_decides_the_exit_code() {
    let (world, commits) = World::demo();
    for (status, message) in [(403, "Resource not accessible by integration"), (500, "oops"), (404, "Not Found")] {
        let fake = Fake::start(&commits.head).await;
        fake.state().faults.push(fault("POST", "/repos", status, message));
        for (level, expected) in [("never", 0), ("info", 1)] {
            let arguments = ["action", "--fail-on", level, "--check-run", "true"];
            let done = world.run(&fake, &world.origin(), ("pull_request", &own(&commits)), &arguments);
            assert_eq!(code(&done), expected, "{}", text(&done));
            assert!(text(&done).contains("::warning title=refdrift%3A delivery::"), "{}", text(&done));
            assert_eq!(world.outputs()["conclusion"], if expected == 1 { "failure" } else { "neutral" });
            assert!(world.read("summary").len() > 50);
        }
    }
}

#[tokio::test]
async fn other_events_gate_or_are_a_notice() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let merged = git(&world.origin(), &["rev-parse", "merged"]);
    let parent = git(&world.origin(), &["rev-parse", "merged^1"]);
    let group = json!({"action": "checks_requested", "merge_group": {"base_sha": parent, "head_sha": merged}});
    let run = |name: &str, event: &Value, arguments: &[&str]| {
        let done = world.run(&fake, &world.origin(), (name, event), arguments);
        (code(&done), world.outputs().get("findings").cloned().unwrap_or_default(), text(&done))
    };
    let gate = ["action", "--fail-on", "info", "--check-run", "false"];
    assert_eq!(run("merge_group", &group, &gate).0, 1);
    let zero = "0".repeat(40);
    for before in [&parent, &zero, &"d".repeat(40)] {
        let (exit, findings, log) = run("push", &json!({"before": before, "after": merged}), &gate);
        assert_eq!((exit, findings == "0"), (1, false), "{before}: {log}");
    }
    assert_eq!(run("workflow_dispatch", &json!({}), &gate).0, 1);
    let (exit, findings, log) = run("push", &json!({"before": merged, "after": zero}), &gate);
    assert_eq!((exit, findings.as_str(), log.contains("::notice")), (0, "0", true));
    let (exit, findings, log) = run("issue_comment", &json!({}), &gate);
    assert_eq!((exit, findings.as_str(), log.contains("nothing to do on `issue_comment`")), (0, "0", true));
    assert!(fake.state().log.is_empty(), "no comments without a pull request");
}

#[tokio::test]
async fn three_thousand_files_pure_renames_and_odd_line_ends() {
    let (mut before, mut after) = (tree("before"), tree("after"));
    for number in 0..3050 {
        before.insert(format!("many/{number}.txt"), format!("{number}\n"));
        after.insert(format!("many/{number}.txt"), format!("{number} changed\n"));
    }
    before.insert("guide/a`b @team.md".to_owned(), "Run with `--interval`, which is `5` by default.\r\n".to_owned());
    before.insert("lib/old.js".to_owned(), "export const kept = 1;\n".to_owned());
    before.insert("guide/old.md".to_owned(), "The code is in [lib](../lib/old.js).\r\n".to_owned());
    after.insert("lib/new.js".to_owned(), "export const kept = 1;\n".to_owned());
    let (world, commits) = World::new(&before, &after);
    let fake = Fake::start(&commits.head).await;
    let done = world.run(&fake, &world.origin(), ("pull_request", &own(&commits)), &["action"]);
    assert_eq!(code(&done), 0, "{}", text(&done));
    let on_file =
        |path: &str| fake.state().writes().iter().any(|(_, _, body)| body["path"] == path && body["subject_type"] == "file");
    assert!(on_file("lib/new.js"), "a pure rename has no line: {}", text(&done));
    assert!(!fake.state().reviews.is_empty());
    assert!(fake.state().log.iter().all(|(_, path, _)| !path.ends_with("/files")), "hunks are computed here");
}

#[tokio::test]
async fn the_trusted_half_posts_what_the_fork_could_not() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let fork = pull(&commits, &json!({"full_name": "x/r"}));
    world.run(&fake, &world.origin(), ("pull_request", &fork), &["action"]);
    let sidecar = world.outputs()["sidecar"].clone();
    let run_of = |head: &str| {
        json!({"workflow_run": {"id": 41, "head_sha": head, "event": "pull_request", "pull_requests": [],
            "head_repository": {"full_name": "x/r"}}})
    };
    let empty = world.folder.path().join("empty");
    std::fs::create_dir_all(&empty).expect("made");
    let publish = |file: &str, event: &Value| {
        world.run(&fake, &empty, ("workflow_run", event), &["publish", "--sidecar", file, "--check-run", "true"])
    };
    let good = run_of(&commits.head);

    // Tampered, foreign, of another commit, too large: refused, and nothing written.
    let original = std::fs::read_to_string(&sidecar).expect("a sidecar");
    let bad = world.folder.path().join("bad.json");
    let bad_text = bad.to_string_lossy().into_owned();
    let change = |pointer: &str, value: Value| {
        let mut tampered: Value = serde_json::from_str(&original).expect("JSON");
        *tampered.pointer_mut(pointer).expect("there") = value;
        tampered.to_string()
    };
    for refused in [
        change("/pullRequest/repository", json!("o/other")),
        change("/pullRequest/head", json!("d".repeat(40))),
        change("/findings", json!([])),
        change("/schemaVersion", json!(9)),
        change("/policy/findings/0/evidenceHash", json!("0".repeat(64))),
        change("/changedFacts/0/places/0/finding", json!("finding:other")),
        " ".repeat(17 * 1024 * 1024),
    ] {
        std::fs::write(&bad, refused).expect("written");
        let done = publish(&bad_text, &good);
        assert_eq!(code(&done), 2, "{}", text(&done));
    }
    assert_eq!(code(&publish(&sidecar, &run_of(&"e".repeat(40)))), 2);
    // Another fork's pull request with the same commit at its head: the artifact may not speak for it.
    let foreign = publish(&sidecar, &good);
    assert!(code(&foreign) == 0 && text(&foreign).contains("branch is not in the repository"), "{}", text(&foreign));
    fake.state().head_repository = json!({"full_name": "x/r"});
    // Stale: the pull request has moved on since, which is nobody's fault.
    "f".repeat(40).clone_into(&mut fake.state().head);
    let stale = publish(&sidecar, &good);
    assert!(code(&stale) == 0 && text(&stale).contains("newer commit"), "{}", text(&stale));
    assert!(fake.state().writes().is_empty());

    commits.head.clone_into(&mut fake.state().head);
    let done = publish(&sidecar, &good);
    assert_eq!(code(&done), 0, "{}", text(&done));
    let writes = {
        let state = fake.state();
        assert_eq!((state.reviews.len(), state.check_runs.len()), (1, 1), "{}", text(&done));
        assert_eq!(state.check_runs[0]["details_url"], "https://github.com/o/r/actions/runs/41");
        state.writes().len()
    };
    assert_eq!(code(&publish(&sidecar, &good)), 0);
    assert_eq!(fake.state().writes().len(), writes, "a second run posts nothing");
}

#[tokio::test]
async fn a_dry_run_of_the_whole_action_sends_nothing() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    let done = world.run(&fake, &world.origin(), ("pull_request", &own(&commits)), &["action", "--dry-run"]);
    assert!(code(&done) == 0 && text(&done).contains("POST /repos/o/r/pulls/7/reviews"), "{}", text(&done));
    assert!(text(&done).contains("budget: "));
    assert!(fake.state().writes().is_empty());
}

#[tokio::test]
async fn wrong_inputs_are_told() {
    let (world, commits) = World::demo();
    let fake = Fake::start(&commits.head).await;
    for (flag, value) in [("--fail-on", "sometimes"), ("--max-comments", "1000"), ("--check-run", "x"), ("--min-confidence", "2")]
    {
        let done = world.run(&fake, &world.origin(), ("pull_request", &own(&commits)), &["action", flag, value]);
        assert!(code(&done) == 2 && text(&done).contains(&flag[2..]), "{}", text(&done));
    }
}
