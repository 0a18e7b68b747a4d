//! Delivery against a pull request in memory: every case that other bots have got wrong.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

use super::apply::deliver;
use super::client::Clock;
use super::fake::{Fake, Fault, fault};
use super::*;
use crate::model::{FileDiff, LineEdit, Sidecar};

const HEAD: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const SECRET: &str = "ghs_verysecret";

/// A clock on which waiting takes no time.
#[derive(Clone, Default)]
struct Hurried(Arc<Mutex<Vec<Duration>>>);

impl Hurried {
    fn waits(&self) -> Vec<u64> {
        self.0.lock().expect("not poisoned").iter().map(Duration::as_secs).filter(|&s| s > 1).collect()
    }
}

impl Clock for Hurried {
    fn elapsed(&self) -> Duration {
        self.0.lock().expect("not poisoned").iter().sum()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.0.lock().expect("not poisoned").push(time);
        Box::pin(std::future::ready(()))
    }
}

fn result(facts: &[sample::Sample<'_>]) -> Sidecar {
    let mut sidecar = sample::sidecar(facts);
    let edit = LineEdit { before_start: 10, before_lines: 1, after_start: 10, after_lines: 1 };
    let pull = sidecar.pull_request.as_mut().expect("a pull request");
    pull.diffs = ["a.js", "b.js", "c.js", "d.js"]
        .iter()
        .map(|p| FileDiff { path: (*p).into(), previous_path: None, before_lines: 30, after_lines: 30, edits: vec![edit] })
        .collect();
    sidecar
}

fn job(sidecar: &Sidecar) -> Job<'_> {
    Job {
        sidecar,
        repository: "o/r",
        pull: Some(7),
        head: HEAD,
        head_repository: None,
        server: "https://github.com",
        conclusion: Conclusion::Neutral,
        details: None,
        check_run: CheckRunMode::Never,
        comments: true,
        max_comments: 10,
        dry_run: false,
        strict: false,
    }
}

async fn run_timed(fake: &Fake, job: &Job<'_>, clock: &Hurried) -> Delivered {
    let endpoint =
        Endpoint { api: fake.server.uri(), graphql: format!("{}/graphql", fake.server.uri()), token: Token::new(SECRET) };
    deliver(endpoint, Box::new(clock.clone()), job).await
}

async fn run(fake: &Fake, job: &Job<'_>) -> Delivered {
    run_timed(fake, job, &Hurried::default()).await
}

const TWO: &[sample::Sample<'_>] = &[("a.js", "timeout", &[("README.md", 3)]), ("b.js", "retries", &[("README.md", 5)])];

#[tokio::test]
async fn one_review_per_run_and_none_when_nothing_changed() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    let first = run(&fake, &job(&sidecar)).await;
    assert_eq!((first.commented, first.problems.len()), (2, 0), "{first:?}");
    assert_eq!(fake.state().reviews.len(), 1);
    assert_eq!(fake.state().reviews[0]["commit_id"], HEAD);
    let second = run(&fake, &job(&sidecar)).await;
    assert_eq!(second, Delivered::default());
    assert_eq!(fake.state().writes().len(), 1);
}

#[tokio::test]
async fn nothing_is_posted_when_there_is_nothing_to_say() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(&[]));
    let clean = Job { check_run: CheckRunMode::Auto, conclusion: Conclusion::Success, ..job(&sidecar) };
    assert_eq!(run(&fake, &clean).await, Delivered::default());
    assert!(fake.state().writes().is_empty());
    // A required check always gets its result.
    assert!(run(&fake, &Job { check_run: CheckRunMode::Always, ..clean }).await.check_run);
    assert_eq!(fake.state().check_runs[0]["conclusion"], "success");
}

#[tokio::test]
async fn fixed_findings_are_struck_and_resolved_and_changed_ones_edited() {
    let fake = Fake::start(HEAD).await;
    run(&fake, &job(&result(TWO))).await;
    let fixed = run(&fake, &job(&result(&[("a.js", "timeout", &[("README.md", 3), ("docs/x.md", 1)])]))).await;
    assert_eq!((fixed.edited, fixed.threads, fixed.commented), (2, 1, 0), "{fixed:?}");
    let state = fake.state();
    let bodies: Vec<&str> = state.comments.iter().filter_map(|c| c["body"].as_str()).collect();
    assert!(bodies.iter().any(|b| b.contains("docs/x.md") && !b.contains("~~")), "{bodies:?}");
    assert!(bodies.iter().any(|b| b.contains("Resolved as of aaaaaaaaaaaa") && b.contains("~~")), "{bodies:?}");
    assert_eq!(state.resolved.len(), 1);
}

#[tokio::test]
async fn resolving_needs_a_permission_that_the_default_path_does_without() {
    let fake = Fake::start(HEAD).await;
    run(&fake, &job(&result(TWO))).await;
    fake.state().faults.push(fault("POST", "/graphql", 403, "Resource not accessible by integration"));
    let fixed = run(&fake, &job(&result(&[]))).await;
    assert_eq!((fixed.edited, fixed.threads, fixed.problems.len()), (2, 0, 0), "{fixed:?}");
}

#[tokio::test]
async fn a_thread_with_replies_is_kept_open() {
    let fake = Fake::start(HEAD).await;
    run(&fake, &job(&result(&TWO[..1]))).await;
    fake.state().comment("ada", "on purpose", Some(1));
    let fixed = run(&fake, &job(&result(&[]))).await;
    assert_eq!((fixed.edited, fixed.threads), (1, 0));
    assert_eq!(fake.state().comments.len(), 2, "nothing is deleted");
}

#[tokio::test]
async fn own_comments_are_found_on_the_third_page_and_strangers_markers_are_ignored() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    run(&fake, &job(&sidecar)).await;
    let own = std::mem::take(&mut fake.state().comments);
    for number in 0..230 {
        fake.state().comment("ada", &format!("remark {number}"), None);
    }
    fake.state().comments.extend(own.clone());
    assert_eq!(run(&fake, &job(&sidecar)).await, Delivered::default());
    // The same words by someone else are not ours: they are neither edited nor counted.
    fake.state().comments.retain(|c| c["user"]["login"] == "ada");
    let forged: Vec<String> = own.iter().filter_map(|c| c["body"].as_str().map(str::to_owned)).collect();
    for body in &forged {
        fake.state().comment("mallory", body, None);
    }
    assert_eq!(run(&fake, &job(&sidecar)).await.commented, 2);
    run(&fake, &job(&result(&[]))).await;
    let state = fake.state();
    assert!(state.comments.iter().filter(|c| c["user"]["login"] == "mallory").all(|c| !c["body"].to_string().contains("~~")));
}

#[tokio::test]
async fn a_bad_line_does_not_take_the_other_comments_with_it() {
    let fake = Fake::start(HEAD).await;
    let facts: Vec<sample::Sample<'_>> =
        ["a.js", "b.js", "c.js", "d.js"].map(|f| (f, "timeout", &[("README.md", 3)][..])).to_vec();
    fake.state().bad_lines.insert(("c.js".to_owned(), 10));
    let delivered = run(&fake, &job(&result(&facts))).await;
    assert_eq!((delivered.commented, delivered.problems.len()), (4, 0), "{delivered:?}");
    assert_eq!(fake.state().comments.len(), 4);
    let state = fake.state();
    let on_file: Vec<_> = state.writes().into_iter().filter(|(_, p, _)| p.ends_with("/7/comments")).collect();
    assert_eq!((on_file.len(), &on_file[0].2["path"], &on_file[0].2["subject_type"]), (1, &json!("c.js"), &json!("file")));
}

#[tokio::test]
async fn a_server_without_comments_on_files_gets_them_on_a_line() {
    let fake = Fake::start(HEAD).await;
    fake.state().no_file_comments = true;
    let mut sidecar = result(&TWO[..1]);
    sidecar.pull_request.as_mut().expect("one").diffs[0].edits.clear();
    assert_eq!(run(&fake, &job(&sidecar)).await.commented, 1);
    assert_eq!(fake.state().writes()[1].2["line"], 1);
}

#[tokio::test]
async fn a_lost_answer_makes_no_duplicates() {
    for carried_out in [true, false] {
        let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
        fake.state().faults.push(Fault { carried_out, times: 1, ..fault("POST", "/reviews", 502, "bad gateway") });
        let delivered = run(&fake, &job(&sidecar)).await;
        assert_eq!((delivered.commented, delivered.problems.len()), (2, 0), "{delivered:?}");
        assert_eq!(fake.state().comments.len(), 2, "carried out: {carried_out}");
    }
}

#[tokio::test]
async fn missing_permissions_are_told_and_nothing_is_fatal() {
    for (status, message) in [(403, "Resource not accessible by integration"), (404, "Not Found"), (401, "Bad credentials")] {
        let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
        fake.state().faults.push(fault("POST", "/repos", status, message));
        let always = Job { check_run: CheckRunMode::Always, ..job(&sidecar) };
        let delivered = run(&fake, &always).await;
        assert_eq!((delivered.commented, delivered.check_run, delivered.problems.len()), (0, false, 2), "{delivered:?}");
        assert!(delivered.problems[0].contains("checks: write") && delivered.problems[1].contains("pull-requests: write"));
        // Not told where the check run was only tried.
        assert_eq!(run(&fake, &Job { check_run: CheckRunMode::Auto, ..always }).await.problems.len(), 1);
    }
}

#[tokio::test]
async fn limits_are_waited_for_within_the_budget() {
    let limited = |headers: Vec<(&'static str, String)>, times| Fault {
        headers,
        times,
        ..fault("POST", "/reviews", 403, "You have exceeded a secondary rate limit. Please wait a few minutes.")
    };
    let sidecar = result(TWO);
    for (headers, waits) in [(vec![("retry-after", "7".to_owned())], 7), (Vec::new(), 60)] {
        let (fake, clock) = (Fake::start(HEAD).await, Hurried::default());
        fake.state().faults.push(limited(headers, 1));
        let delivered = run_timed(&fake, &job(&sidecar), &clock).await;
        assert_eq!((delivered.commented, clock.waits()), (2, vec![waits]));
        assert_eq!(fake.state().comments.len(), 2);
    }
    // An hour is not waited for.
    let (fake, clock) = (Fake::start(HEAD).await, Hurried::default());
    fake.state().faults.push(limited(vec![("retry-after", "3600".to_owned())], usize::MAX));
    let delivered = run_timed(&fake, &job(&sidecar), &clock).await;
    assert!(delivered.problems[0].contains("3600 s"), "{delivered:?}");
    assert!(clock.waits().is_empty());
    // Nor for ever.
    fake.state().faults[0].headers.clear();
    let clock = Hurried::default();
    assert_eq!(run_timed(&fake, &job(&sidecar), &clock).await.problems.len(), 1);
    assert!(clock.waits().len() <= 4 && clock.elapsed() <= Duration::from_secs(300));
}

#[tokio::test]
async fn writes_are_a_second_apart() {
    let (fake, clock) = (Fake::start(HEAD).await, Hurried::default());
    run(&fake, &job(&result(TWO))).await;
    run_timed(&fake, &job(&result(&[])), &clock).await;
    assert!(clock.elapsed() > Duration::from_secs(2), "{:?}", clock.elapsed());
}

#[tokio::test]
async fn sixty_annotations_arrive_and_a_second_run_adds_no_check_run() {
    let names: Vec<String> = (0..60).map(|i| format!("docs/{i:02}.md")).collect();
    let places: Vec<(&str, u32)> = names.iter().map(|n| (n.as_str(), 3)).collect();
    let (fake, sidecar) = (Fake::start(HEAD).await, result(&[("a.js", "timeout", &places)]));
    let auto = Job { check_run: CheckRunMode::Auto, comments: false, ..job(&sidecar) };
    assert!(run(&fake, &auto).await.check_run);
    assert!(run(&fake, &auto).await.check_run);
    let state = fake.state();
    assert_eq!(state.check_runs.len(), 1);
    assert_eq!(state.check_runs[0]["output"]["annotations"].as_array().map(Vec::len), Some(60));
    assert_eq!((&state.check_runs[0]["conclusion"], &state.check_runs[0]["head_sha"]), (&json!("neutral"), &json!(HEAD)));
}

#[tokio::test]
async fn a_pull_request_that_moved_on_or_is_closed_gets_no_comments() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    fake.state().head = "c".repeat(40);
    assert!(run(&fake, &job(&sidecar)).await.problems[0].contains("newer commit"));
    fake.state().head = HEAD.to_owned();
    fake.state().pull_is = "closed".to_owned();
    assert!(run(&fake, &job(&sidecar)).await.problems[0].contains("closed"));
    assert!(fake.state().writes().is_empty());
}

#[tokio::test]
async fn a_strict_job_writes_nothing_unless_the_head_is_confirmed() {
    let sidecar = result(TWO);
    let strict = Job { strict: true, check_run: CheckRunMode::Always, ..job(&sidecar) };
    for case in ["moved", "closed", "unknown", "foreign"] {
        let fake = Fake::start(HEAD).await;
        match case {
            "moved" => fake.state().head = "c".repeat(40),
            "closed" => "closed".clone_into(&mut fake.state().pull_is),
            "unknown" => fake.state().faults.push(fault("GET", "/pulls/7", 404, "Not Found")),
            _ => {}
        }
        let other = Job { repository: if case == "foreign" { "o/other" } else { "o/r" }, ..strict.clone() };
        let delivered = run(&fake, &other).await;
        assert_eq!(delivered.problems.len(), 1, "{case}: {delivered:?}");
        assert!(fake.state().writes().is_empty(), "{case}");
    }
}

#[tokio::test]
async fn one_user_agent_and_no_token_in_what_is_told() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    fake.state().faults.push(fault("POST", "/reviews", 403, "no"));
    let delivered = run(&fake, &job(&sidecar)).await;
    {
        let state = fake.state();
        assert!(state.agents.iter().all(|a| a.len() == 1 && a[0].starts_with("refdrift/")), "{:?}", state.agents);
        assert_eq!(state.tokens.iter().collect::<Vec<_>>(), [&format!("Bearer {SECRET}")]);
    }
    assert!(!format!("{delivered:?}").contains(SECRET));
    let gone =
        Endpoint { api: "http://127.0.0.1:9".into(), graphql: "http://127.0.0.1:9/graphql".into(), token: Token::new(SECRET) };
    assert!(!format!("{gone:?}").contains(SECRET));
    let delivered = deliver(gone, Box::new(Hurried::default()), &job(&sidecar)).await;
    assert!(delivered.problems[0].contains("no answer to GET") && !format!("{delivered:?}").contains(SECRET), "{delivered:?}");
}

#[tokio::test]
async fn base_urls_of_an_enterprise_server_are_kept() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    let endpoint = Endpoint {
        api: format!("{}/api/v3", fake.server.uri()),
        graphql: format!("{}/api/graphql", fake.server.uri()),
        token: Token::new(SECRET),
    };
    let delivered = deliver(endpoint, Box::new(Hurried::default()), &job(&sidecar)).await;
    assert_eq!(delivered.commented, 2);
    let state = fake.state();
    assert!(state.log.iter().all(|(_, p, _)| p.starts_with("/api/v3/repos/o/r/") || p == "/api/graphql"), "{:?}", state.log);
}

#[tokio::test]
async fn a_dry_run_prints_the_requests_it_would_send() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    let dry = Job { dry_run: true, check_run: CheckRunMode::Always, ..job(&sidecar) };
    let delivered = run(&fake, &dry).await;
    assert!(fake.state().writes().is_empty());
    for part in ["POST /repos/o/r/check-runs\n", "POST /repos/o/r/pulls/7/reviews\n", "\"commit_id\"", "budget: 2 writes"] {
        assert!(delivered.dry_run.contains(part), "{part}: {}", delivered.dry_run);
    }
    // What is then sent is exactly that.
    run(&fake, &Job { dry_run: false, ..dry }).await;
    for (_, path, body) in fake.state().writes() {
        let text = format!("POST {path}\n{}", serde_json::to_string_pretty(body).expect("JSON"));
        assert!(delivered.dry_run.contains(&text), "{text}");
    }
}

#[tokio::test]
async fn hostile_names_and_huge_bodies_are_taken() {
    let name = "a`b\n@team &#64;org %0A";
    let places: Vec<(String, u32)> = (1..2000).map(|i| (format!("docs/{}-{i}.md", "x".repeat(60)), i)).collect();
    let borrowed: Vec<(&str, u32)> = places.iter().map(|(d, l)| (d.as_str(), *l)).collect();
    let (fake, sidecar) = (Fake::start(HEAD).await, result(&[("a.js", name, &borrowed)]));
    let delivered = run(&fake, &job(&sidecar)).await;
    assert_eq!((delivered.commented, delivered.problems.len()), (1, 0), "{delivered:?}");
    assert_eq!(run(&fake, &job(&sidecar)).await, Delivered::default());
}

#[tokio::test]
async fn own_threads_are_found_on_the_third_page() {
    let fake = Fake::start(HEAD).await;
    for number in 0..230 {
        fake.state().comment("ada", &format!("remark {number}"), None);
    }
    run(&fake, &job(&result(&TWO[..1]))).await;
    let fixed = run(&fake, &job(&result(&[]))).await;
    assert_eq!((fixed.edited, fixed.threads, fixed.problems.len()), (1, 1, 0), "{fixed:?}");
    assert_eq!(fake.state().resolved.iter().copied().collect::<Vec<_>>(), [231]);
}

#[tokio::test]
async fn a_push_in_between_stops_the_run() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    fake.state().push = Some(("/reviews", "c".repeat(40)));
    let delivered = run(&fake, &job(&sidecar)).await;
    assert_eq!((delivered.commented, delivered.problems.len()), (0, 1), "{delivered:?}");
    assert!(delivered.problems[0].contains("newer commit"), "{delivered:?}");
    let state = fake.state();
    assert_eq!((state.writes().len(), state.comments.len()), (1, 0), "nothing is tried line by line");
}

#[tokio::test]
async fn a_comment_that_is_deleted_in_between_is_no_problem() {
    let fake = Fake::start(HEAD).await;
    run(&fake, &job(&result(TWO))).await;
    fake.state().faults.push(Fault { times: 1, ..fault("PATCH", "/pulls/comments", 404, "Not Found") });
    let fixed = run(&fake, &job(&result(&[]))).await;
    assert_eq!((fixed.edited, fixed.problems.len()), (1, 0), "{fixed:?}");
    // One that the server is too busy to change is changed at the second try.
    let fake = Fake::start(HEAD).await;
    run(&fake, &job(&result(TWO))).await;
    fake.state().faults.push(Fault { times: 1, ..fault("PATCH", "/pulls/comments", 502, "bad gateway") });
    assert_eq!(run(&fake, &job(&result(&[]))).await.edited, 2);
}

#[tokio::test]
async fn a_pull_request_of_another_fork_with_the_same_commit_gets_nothing() {
    let (fake, sidecar) = (Fake::start(HEAD).await, result(TWO));
    let strict = Job { strict: true, head_repository: Some("mallory/r"), check_run: CheckRunMode::Always, ..job(&sidecar) };
    for there in [json!({"full_name": "victim/r"}), json!(null)] {
        fake.state().head_repository = there;
        assert!(run(&fake, &strict).await.problems[0].contains("branch is not in"));
    }
    assert!(fake.state().writes().is_empty());
    fake.state().head_repository = json!({"full_name": "Mallory/r"});
    assert_eq!(run(&fake, &strict).await.commented, 2);
}

#[tokio::test]
async fn a_check_run_that_is_not_whole_leaves_the_annotations_to_the_log() {
    let names: Vec<String> = (0..60).map(|i| format!("docs/{i:02}.md")).collect();
    let places: Vec<(&str, u32)> = names.iter().map(|n| (n.as_str(), 3)).collect();
    let (fake, sidecar) = (Fake::start(HEAD).await, result(&[("a.js", "timeout", &places)]));
    fake.state().faults.push(fault("PATCH", "/check-runs/", 403, "Resource not accessible by integration"));
    let delivered = run(&fake, &Job { check_run: CheckRunMode::Auto, comments: false, ..job(&sidecar) }).await;
    assert_eq!((delivered.check_run, delivered.problems.len()), (false, 1), "{delivered:?}");
}

/// Each request fails in each way, once and for good: no panic, no endless wait, no token in what is told, no comment twice; and
/// once GitHub is well again, the next run makes it right.
#[tokio::test]
async fn every_request_may_fail_in_every_way() {
    let requests = [
        ("GET", "/pulls/7"),
        ("GET", "/7/comments"),
        ("GET", "/check-runs"),
        ("POST", "/graphql"),
        ("POST", "/check-runs"),
        ("POST", "/reviews"),
        ("POST", "/7/comments"),
        ("PATCH", "/pulls/comments"),
    ];
    let secondary = "You have exceeded a secondary rate limit for ghs_verysecret";
    let ways = [
        (401, "Bad credentials ghs_verysecret"),
        (403, "no"),
        (403, secondary),
        (404, "Not Found"),
        (422, "no"),
        (429, "slow"),
        (500, "oops ghs_verysecret"),
        (502, ""),
        (301, "moved"),
    ];
    let (mut before, now) = (result(TWO), result(&[TWO[1], ("c.js", "limit", &[("README.md", 8)])]));
    before.pull_request.as_mut().expect("one").diffs[0].edits.clear();
    for (method, path) in requests {
        for (status, message) in ways {
            for (times, carried_out) in [(1, false), (1, true), (usize::MAX, false)] {
                // A refusal is not carried out.
                if carried_out && status < 500 {
                    continue;
                }
                let (fake, clock) = (Fake::start(HEAD).await, Hurried::default());
                run(&fake, &job(&before)).await;
                fake.state().faults.push(Fault { carried_out, times, ..fault(method, path, status, message) });
                let always = Job { check_run: CheckRunMode::Always, ..job(&now) };
                let failing = run_timed(&fake, &always, &clock).await;
                let what = format!("{method} {path} {status} {times}: {failing:?}");
                assert!(!what.contains(SECRET), "{what}");
                assert!(clock.elapsed() <= Duration::from_secs(301), "{what}");
                fake.state().faults.clear();
                let well = run(&fake, &always).await;
                assert!(well.problems.is_empty() && well.check_run, "{what}\n{well:?}");
                let state = fake.state();
                let open: Vec<&str> =
                    state.comments.iter().filter_map(|c| c["body"].as_str()).filter(|b| !b.contains("~~")).collect();
                let about = |name: &str| open.iter().filter(|b| b.contains(name)).count();
                assert_eq!((about("`timeout`"), about("`retries`"), about("`limit`")), (0, 1, 1), "{what}\n{open:?}");
            }
        }
    }
}
