//! Reports: a snapshot of each format over sample repositories, checks against the formats' own rules, and properties that
//! hostile text never breaks out of a format.
#![allow(clippy::disallowed_methods, clippy::panic, reason = "tests read what was written; oracles panic")]

mod support;

#[path = "reports/hostile.rs"]
mod hostile;
#[path = "reports/oracle.rs"]
mod oracle;
#[path = "reports/samples.rs"]
mod samples;

use std::fmt::Write as _;

use refdrift::findings::CATEGORIES;
use refdrift::model::{Severity, Sidecar};
use refdrift::report::{Links, REPORTERS, RULES, ReportOptions, reporter};

/// A report as text.
fn render(format: &str, sidecar: &Sidecar, links: Option<Links<'_>>) -> String {
    let mut out = Vec::new();
    let options = ReportOptions { links, ..ReportOptions::default() };
    reporter(format).expect("a reporter").render(sidecar, options, &mut out).expect("written");
    String::from_utf8(out).expect("UTF-8")
}

const LINKS: Links<'static> = Links { server: "https://github.com", repository: "owner/name", commit: None };

#[test]
fn snapshots() {
    for (name, sidecar) in samples::all() {
        for reporter in REPORTERS.iter().filter(|r| !matches!(r.name(), "json" | "agent-finding-ndjson")) {
            let report = render(reporter.name(), &sidecar, Some(LINKS));
            let report = report.replace(env!("CARGO_PKG_VERSION"), "[version]");
            insta::assert_snapshot!(format!("{name}-{}", reporter.name()), report);
        }
    }
}

/// One file for each report: what it says of every fixture. Of JSON the list of findings, one a line; commits are left out, for
/// any edit of a fixture makes others.
#[test]
fn snapshots_of_every_fixture() {
    let all: Vec<(String, Sidecar)> =
        samples::fixtures().into_iter().map(|name| (name.clone(), samples::fixture(&name))).collect();
    for (format, list) in [
        ("text", None),
        ("markdown", None),
        ("github", None),
        ("rdjson", Some("/diagnostics")),
        ("sarif", Some("/runs/0/results")),
        ("agent-finding", Some("")),
    ] {
        let mut out = String::new();
        for (name, sidecar) in &all {
            let mut report = render(format, sidecar, None);
            for revision in [&sidecar.revisions.base, &sidecar.revisions.head] {
                report = report.replace(revision.as_str(), "[commit]");
            }
            if let Some(pointer) = list {
                let value: serde_json::Value = serde_json::from_str(&report).expect("JSON");
                let items = value.pointer(pointer).and_then(serde_json::Value::as_array).expect("a list");
                report = items.iter().map(|item| format!("{item}\n")).collect::<Vec<_>>().concat();
            }
            let _ = write!(out, "==== {name}\n{report}");
        }
        insta::assert_snapshot!(format!("fixtures-{format}"), out);
    }
}

#[test]
fn the_schema_of_sarif_is_looked_at() {
    let sidecar = samples::all().remove(0).1;
    let log: serde_json::Value = serde_json::from_str(&render("sarif", &sidecar, None)).expect("JSON");
    for (pointer, wrong) in [
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", serde_json::json!(0)),
        ("/runs/0/results/0/level", serde_json::json!("warn")),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", serde_json::json!("a b|c")),
        ("/runs/0/tool", serde_json::json!({})),
    ] {
        let mut log = log.clone();
        *log.pointer_mut(pointer).expect("a part") = wrong;
        assert!(!oracle::SARIF.is_valid(&log), "{pointer}");
    }
}

#[test]
fn every_report_keeps_the_rules_of_its_format() {
    for (name, sidecar) in samples::all() {
        oracle::check(&sidecar, name);
    }
}

#[test]
fn every_report_of_every_fixture_keeps_the_rules_of_its_format() {
    for name in samples::fixtures() {
        oracle::check(&samples::fixture(&name), &name);
    }
}

#[test]
fn the_text_at_every_region_is_the_cited_text() {
    let mut compared = 0;
    for name in samples::fixtures() {
        let tree = support::read_tree(&support::root().join("fixtures/repos").join(&name).join("after"));
        compared += oracle::regions(&samples::fixture(&name), &tree, &name);
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn several_reports_are_written_at_once() {
    let folder = samples::demo_repository();
    let at = |name: &str| folder.path().join(name);
    let (sarif, summary, sidecar) = (at("a.sarif"), at("summary.md"), at("sidecar.json"));
    let given = |format: &str, path: &std::path::Path| format!("{format}={}", path.display());
    let reports = [given("sarif", &sarif), given("markdown", &summary)];
    let run = support::program::check(
        &samples::demo_folder(&folder),
        &[
            "--base",
            "HEAD~1",
            "--format",
            "github",
            "--report",
            &reports[0],
            "--report",
            &reports[1],
            "--sidecar",
            sidecar.to_str().expect("UTF-8"),
        ],
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.lines().all(|l| l.starts_with("::warning file=")), "{}", run.stdout);
    let read = |path: &std::path::Path| std::fs::read_to_string(path).expect("written");
    assert!(read(&summary).starts_with("## 6 stale references of 6 changed facts"));
    assert!(read(&sarif).contains("\"version\": \"2.1.0\""));
    let report = refdrift::contracts::validate(&read(&sidecar), Some(refdrift::contracts::RecordKind::Sidecar));
    assert!(report.is_valid(), "{:#?}", report.violations);
    for (wrong, words) in
        [("sarif", "wanted FORMAT=FILE"), ("tap=x", "no report format `tap`"), ("sarif=", "the file is missing")]
    {
        let run = support::program::check(&samples::demo_folder(&folder), &["--report", wrong]);
        assert!(run.code == 2 && run.stderr.contains(words), "{wrong}: {}", run.stderr);
    }
}

#[test]
fn links_need_a_server_and_a_repository() {
    let folder = samples::demo_repository();
    let run = |more: &[&str]| {
        let arguments = [&["--base", "HEAD~1", "--format", "markdown"], more].concat();
        support::program::check(&samples::demo_folder(&folder), &arguments).stdout
    };
    assert!(!run(&[]).contains("http"));
    assert!(!run(&["--link-server", "https://code.example"]).contains("http"));
    let linked = run(&["--link-server", "https://code.example/", "--link-repository", "team/tool"]);
    assert!(linked.contains("](https://code.example/team/tool/blob/"), "{linked}");
    let hostile = run(&["--link-server", "https://code.example/) [x](http://y", "--link-repository", "team/tool"]);
    assert!(!hostile.contains("http"), "{hostile}");
}

#[test]
fn a_baseline_is_written_and_holds() {
    let folder = samples::demo_repository();
    let (repository, known) = (samples::demo_folder(&folder), folder.path().join("known.json"));
    let at = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let arguments = ["baseline", "--repo", &at(&repository), "--base", "HEAD~1", "--output", &at(&known)];
    let written = support::program::run(&mut support::program::refdrift(&arguments));
    assert_eq!((written.code, written.stdout.as_str()), (0, ""), "{}", written.stderr);
    let run = support::program::check(&repository, &["--base", "HEAD~1", "--fail-on", "info", "--baseline", &at(&known)]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert_eq!(run.stdout, "No stale reference found.\nNot shown: 6 suppressed.\n");
    let missing = support::program::check(&repository, &["--base", "HEAD~1", "--baseline", "no-such-file.json"]);
    assert!(missing.code == 2 && missing.stderr.contains("cannot read no-such-file.json"), "{}", missing.stderr);
}

/// The verdict is the evidence bar: proof decides between the first two, the policy over the third, and words of a migration
/// over neither.
#[test]
fn the_verdict_of_an_agent_finding_follows_proof_and_policy() {
    use refdrift::model::{Routing, Status};
    let original = samples::fixture("routing-migration-context");
    let broken = original.policy.findings.iter().find(|f| f.category == "broken-reference").expect("near words of migration");
    assert_eq!((broken.routing, broken.status), (Routing::RoutedToL2, Status::Conflict));
    for (category, status, routing, severity, expected) in [
        ("broken-reference", Status::Conflict, Routing::Proposed, Severity::Warn, "confirmed high"),
        ("broken-reference", Status::Conflict, Routing::RoutedToL2, Severity::Warn, "confirmed medium"),
        ("broken-reference", Status::Conflict, Routing::RoutedToL2, Severity::Error, "confirmed medium"),
        ("broken-reference", Status::StaleOrUnverified, Routing::Proposed, Severity::Warn, "needs_validation"),
        ("broken-reference", Status::StaleOrUnverified, Routing::RoutedToL2, Severity::Warn, "needs_validation"),
        ("broken-reference", Status::Conflict, Routing::PendingVersion, Severity::Warn, "needs_validation"),
        ("changed-reference", Status::StaleOrUnverified, Routing::RoutedToL2, Severity::Error, "needs_validation"),
        ("ambiguous-reference", Status::Unresolved, Routing::Proposed, Severity::Error, "needs_validation"),
        ("broken-reference", Status::Conflict, Routing::Excluded, Severity::Error, "rejected"),
        ("broken-reference", Status::Conflict, Routing::Proposed, Severity::Off, "rejected"),
        ("changed-reference", Status::StaleOrUnverified, Routing::Excluded, Severity::Warn, "rejected"),
    ] {
        let mut sidecar = original.clone();
        let mut finding = broken.clone();
        (finding.category, finding.status, finding.routing, finding.severity) = (category.to_owned(), status, routing, severity);
        sidecar.policy.findings = vec![finding];
        let text = render("agent-finding", &sidecar, None);
        let report = refdrift::contracts::validate(&text, Some(refdrift::contracts::RecordKind::AgentFinding));
        assert!(report.is_valid(), "{:#?}", report.violations);
        let records: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let record = &records[0];
        let level = record["confidence"]["level"].as_str().map(|l| format!(" {l}")).unwrap_or_default();
        let at = format!("{category} {status:?} {routing:?} {severity:?}");
        assert_eq!(format!("{}{level}", record["verdict"].as_str().expect("a verdict")), expected, "{at}");
        assert_eq!(record.get("severity").is_some(), expected.starts_with("confirmed"), "{at}");
        let context = record["confidence"]["reason"].as_str().is_some_and(|r| r.contains("Words of a migration"));
        assert_eq!(context, expected == "confirmed medium", "{at}");
    }
}

#[test]
fn an_empty_result_is_a_valid_document_in_each_format() {
    let sidecar = samples::empty();
    assert!(sidecar.policy.findings.is_empty());
    oracle::check(&sidecar, "empty");
    assert_eq!(render("agent-finding", &sidecar, None), "[]\n");
    assert_eq!(render("agent-finding-ndjson", &sidecar, None), "");
    assert_eq!(render("github", &sidecar, None), "");
    assert_eq!(render("markdown", &sidecar, None), "## No stale reference found\n");
    assert_eq!(render("text", &sidecar, None), "No stale reference found.\n");
}

#[test]
fn every_category_has_a_rule() {
    let rules: Vec<&str> = RULES.iter().map(|r| r.id).collect();
    let mut categories = CATEGORIES.to_vec();
    categories.sort_unstable();
    let mut sorted = rules.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, categories);
}

#[test]
fn annotations_are_capped_and_counted() {
    let mut sidecar = samples::all().remove(0).1;
    let place = sidecar.changed_facts.iter().find(|f| !f.places.is_empty()).expect("a place").places[0].clone();
    let fact = sidecar.changed_facts.iter_mut().find(|f| f.places.contains(&place)).expect("its fact");
    for line in 1..=36 {
        fact.places.push(refdrift::model::CitedPlace { line: 1000 + line, ..place.clone() });
    }
    for finding in &mut sidecar.findings {
        finding.severity = Severity::Error;
    }
    let total: usize = sidecar.changed_facts.iter().map(|f| f.places.len()).sum();
    let report = render("github", &sidecar, None);
    assert_eq!(report.lines().filter(|l| l.starts_with("::error ")).count(), 10);
    assert!(report.contains(&format!("refdrift: 10 of {total} errors are shown")), "{report}");
}

#[test]
fn a_category_that_is_off_is_shown_nowhere() {
    let mut sidecar = samples::all().remove(0).1;
    for finding in sidecar.findings.iter_mut().chain(&mut sidecar.policy.findings) {
        finding.severity = Severity::Off;
    }
    assert_eq!(render("text", &sidecar, None), "No stale reference found.\nNot shown: 6 of a category that is off.\n");
    assert_eq!(render("github", &sidecar, None), "");
    let summary = render("markdown", &sidecar, None);
    assert!(summary.starts_with("## No stale reference found\n"), "{summary}");
    assert!(summary.contains("`the configuration switches the category off`"), "{summary}");
    oracle::check(&sidecar, "off");
}

#[test]
fn sarif_holds_what_code_scanning_keeps() {
    let mut sidecar = samples::all().remove(1).1;
    let hidden = sidecar.policy.findings.iter().filter(|f| !f.routing.is_visible()).count();
    assert_eq!(hidden, 1);
    let finding = sidecar.findings[0].clone();
    for number in 0..5_000 {
        let mut finding = finding.clone();
        finding.id = format!("finding:{number:064}");
        sidecar.policy.findings.push(finding);
    }
    let log: serde_json::Value = serde_json::from_str(&render("sarif", &sidecar, None)).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 5_000);
    assert!(results.iter().all(|r| r["suppressions"].as_array().is_some_and(Vec::is_empty)), "what is shown goes first");
    let notice = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(notice.as_str().is_some_and(|t| t.starts_with("5000 of 5004 findings")), "{notice}");
}

#[test]
fn a_large_summary_is_cut_between_groups() {
    let mut sidecar = samples::all().remove(1).1;
    let (fact, finding) = (sidecar.changed_facts[0].clone(), sidecar.findings[0].clone());
    for number in 0..600 {
        let id = format!("finding:{number:064}");
        let mut place = fact.places[0].clone();
        place.finding.clone_from(&id);
        let mut finding = finding.clone();
        finding.id = id;
        sidecar.findings.push(finding);
        let mut fact = fact.clone();
        fact.id = format!("{}{number}", fact.id);
        fact.places = (1..=8).map(|line| refdrift::model::CitedPlace { line, text: "é ".repeat(200), ..place.clone() }).collect();
        sidecar.changed_facts.push(fact);
    }
    let report = render("markdown", &sidecar, Some(LINKS));
    assert!(report.len() < 900 * 1024, "{}", report.len());
    let total = sidecar.findings.len();
    let shown: usize = report
        .lines()
        .find_map(|l| l.strip_prefix("**")?.split_once(&format!(" of {total} shown.**")).map(|(n, _)| n.parse().ok()))
        .flatten()
        .expect("the line about the cut");
    assert!(shown > 100 && shown < total, "{shown}");
    assert!(report.trim_end().ends_with("</details>"), "the folded part is kept");
}
