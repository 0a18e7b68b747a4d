//! What the program does at a command line: help, exit codes, errors with advice, output, colours.
#![allow(clippy::disallowed_methods, reason = "tests read what the program wrote")]

mod support;

use std::path::Path;

use support::program::{check, commit, git, refdrift, run};
use tempfile::TempDir;

const CODE: &str = "src/limits.js";
const OLD: &str = "export const MAX_PASSENGERS = 120;\n";
const NEW: &str = "export const MAX_PASSENGERS = 150;\n";
const README: &str = "# ferry\n\nA ferry takes at most `MAX_PASSENGERS` (120) people.\n";

/// Two commits, of which the second makes one sentence stale.
fn stale() -> TempDir {
    support::pair(&[(CODE, OLD), ("README.md", README)], &[(CODE, NEW), ("README.md", README)])
}

/// Two commits that leave the documentation right.
fn clean() -> TempDir {
    support::pair(&[(CODE, OLD), ("README.md", "# ferry\n")], &[(CODE, NEW), ("README.md", "# ferry\n")])
}

const RANGE: [&str; 2] = ["--base", "HEAD~1"];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    RANGE.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn help_names_every_command_format_and_exit_code() {
    let help = run(&mut refdrift(&["--help"]));
    assert_eq!(help.code, 0);
    let cli = <refdrift::cli::Cli as clap::CommandFactory>::command();
    for command in cli.get_subcommands().map(clap::Command::get_name) {
        assert!(help.stdout.contains(&format!("  {command} ")), "{command} is missing:\n{}", help.stdout);
    }
    let check = run(&mut refdrift(&["check", "--help"]));
    for reporter in refdrift::report::REPORTERS {
        assert!(check.stdout.contains(reporter.name()) && check.stdout.contains(reporter.about()), "{}", reporter.name());
    }
    assert!(check.stdout.contains("Exit code 0"), "{}", check.stdout);
}

#[test]
fn findings_alone_do_not_fail_a_run() {
    let run = check(stale().path(), &RANGE);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("README.md:3:"), "{}", run.stdout);
    assert!(run.stdout.contains("1 stale reference of 1 changed fact"), "{}", run.stdout);
}

#[test]
fn fail_on_makes_exit_code_1() {
    let folder = stale();
    for (level, expected) in [("never", 0), ("info", 1), ("warn", 1), ("error", 0)] {
        assert_eq!(check(folder.path(), &[&RANGE[..], &["--fail-on", level]].concat()).code, expected, "{level}");
    }
    assert_eq!(check(clean().path(), &with(&["--fail-on", "info"])).code, 0);
}

#[test]
fn a_clean_range_says_so() {
    let run = check(clean().path(), &RANGE);
    assert_eq!((run.code, run.stdout.trim()), (0, "No stale reference found."));
}

#[test]
fn unknown_arguments_and_values_are_exit_code_2() {
    for arguments in [&["check", "--frobnicate"][..], &["check", "--format", "xml"], &["check", "--fail-on", "often"], &[]] {
        let run = run(&mut refdrift(arguments));
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{arguments:?}");
    }
    let wrong = check(stale().path(), &with(&["--min-confidence", "7"]));
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("a number from 0 to 1"), "{}", wrong.stderr);
}

#[test]
fn not_a_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = check(folder.path(), &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("error: ") && run.stderr.contains("is not in a git repository"), "{}", run.stderr);
    assert!(run.stderr.contains("--repo DIR"), "{}", run.stderr);
}

#[test]
fn an_unknown_revision_comes_with_advice() {
    let run = check(stale().path(), &["--base", "release/9"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("revision `release/9` cannot be resolved"), "{}", run.stderr);
    assert!(run.stderr.contains("git fetch"), "{}", run.stderr);
}

#[test]
fn a_repository_without_commits_and_one_without_a_default_branch() {
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"], b"");
    let none = check(folder.path(), &[]);
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("no commit yet"), "{}", none.stderr);

    let stray = stale();
    git(stray.path(), &["branch", "--quiet", "-m", "topic"], b"");
    let run = check(stray.path(), &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no default branch found") && run.stderr.contains("--base REV"), "{}", run.stderr);
}

#[test]
fn without_arguments_head_is_compared_with_its_merge_base() {
    let folder = stale();
    // `main` goes on without touching what the topic branch touches.
    git(folder.path(), &["branch", "--quiet", "topic"], b"");
    git(folder.path(), &["update-ref", "refs/heads/main", "main~1"], b"");
    git(folder.path(), &["symbolic-ref", "HEAD", "refs/heads/main"], b"");
    commit(folder.path(), &[("100644", b"README.md", b"# other\n")]);
    git(folder.path(), &["symbolic-ref", "HEAD", "refs/heads/topic"], b"");
    let run = check(folder.path(), &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("1 stale reference"), "{}", run.stdout);
}

#[test]
fn a_shallow_clone_without_merge_base_prints_the_yaml_to_add() {
    let origin = stale();
    let topic = git(origin.path(), &["commit-tree", "-m", "topic", "-p", "main~1", "main~1^{tree}"], b"");
    git(origin.path(), &["update-ref", "refs/heads/topic", &topic], b"");
    let clones = tempfile::tempdir().expect("a folder");
    let url = format!("file://{}", origin.path().display());
    git(clones.path(), &["clone", "--quiet", "--bare", "--depth=1", "--no-single-branch", &url, "shallow"], b"");
    let shallow = clones.path().join("shallow");
    for base in ["topic", "main~1"] {
        let run = check(&shallow, &["--base", base]);
        assert_eq!(run.code, 2, "{base}: {}", run.stdout);
        assert!(run.stderr.contains("shallow clone"), "{base}: {}", run.stderr);
        assert!(run.stderr.contains("fetch-depth: 0") && run.stderr.contains("actions/checkout"), "{base}: {}", run.stderr);
    }
}

#[test]
fn unrelated_histories_are_said() {
    let folder = stale();
    git(folder.path(), &["branch", "--quiet", "topic"], b"");
    git(folder.path(), &["update-ref", "-d", "refs/heads/main"], b"");
    git(folder.path(), &["symbolic-ref", "HEAD", "refs/heads/main"], b"");
    commit(folder.path(), &[("100644", b"README.md", b"# other\n")]);
    let run = check(folder.path(), &["--base", "topic"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`topic` and `HEAD` have no common ancestor"), "{}", run.stderr);
}

#[test]
fn a_bad_configuration_names_file_line_and_suggestion() {
    let folder = stale();
    for (text, expected) in [
        (
            "documents:\n  includes: [\"docs/**\"]\n",
            &["refdrift.yml:2", "unknown field `includes`", "did you mean `include`?"][..],
        ),
        ("fail-on: warning\n", &["refdrift.yml:1", "unknown variant `warning`", "did you mean `warn`?"]),
        ("documents:\n  exclude: [\"docs/[\"]\n", &["refdrift.yml:2", "is not a glob"]),
        ("facts:\n  - paths: [\"a\"]\n    pattern: \"(?P<name>x)\"\n", &["refdrift.yml:3", "no group `value`"]),
        ("min-confidence: 3\n", &["refdrift.yml:1", "a number from 0 to 1"]),
    ] {
        std::fs::write(folder.path().join("refdrift.yml"), text).expect("written");
        let run = check(folder.path(), &RANGE);
        assert_eq!(run.code, 2, "{text}");
        for words in expected {
            assert!(run.stderr.contains(words), "{words} is missing of {}", run.stderr);
        }
    }
    let missing = check(folder.path(), &with(&["--config", "nowhere.yml"]));
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("cannot read nowhere.yml"), "{}", missing.stderr);
}

#[test]
fn the_configuration_is_found_from_a_folder_below_the_root() {
    let folder = stale();
    std::fs::create_dir_all(folder.path().join("src")).expect("a folder");
    std::fs::write(folder.path().join("refdrift.yml"), "fail-on: warn\n").expect("written");
    assert_eq!(check(&folder.path().join("src"), &RANGE).code, 1);
}

#[test]
fn every_format_renders_with_and_without_findings() {
    for folder in [stale(), clean()] {
        for reporter in refdrift::report::REPORTERS {
            let run = check(folder.path(), &with(&["--format", reporter.name()]));
            assert_eq!(run.code, 0, "{}: {}", reporter.name(), run.stderr);
            if reporter.name() == "json" {
                let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
                assert_eq!(value["type"], "policy-sidecar");
                assert!(run.stdout.ends_with('\n'));
            }
            let again = check(folder.path(), &with(&["--format", reporter.name()]));
            assert_eq!(run.stdout, again.stdout, "{}", reporter.name());
        }
    }
}

#[test]
fn output_and_sidecar_are_written_to_files() {
    let folder = stale();
    let target = tempfile::tempdir().expect("a folder");
    let (report, sidecar) = (target.path().join("report.txt"), target.path().join("sidecar.json"));
    let path = |p: &Path| p.to_str().expect("UTF-8").to_owned();
    let run = check(folder.path(), &["--base", "HEAD~1", "--output", &path(&report), "--sidecar", &path(&sidecar)]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&report).expect("a report"), check(folder.path(), &RANGE).stdout);
    let json = check(folder.path(), &with(&["--format", "json"])).stdout;
    assert_eq!(std::fs::read_to_string(&sidecar).expect("a sidecar"), json);

    let nowhere = target.path().join("no/such/folder/report.txt");
    let failed = check(folder.path(), &["--base", "HEAD~1", "--output", &path(&nowhere)]);
    assert_eq!(failed.code, 2);
    assert!(failed.stderr.contains("cannot write") && failed.stderr.contains("report.txt"), "{}", failed.stderr);
}

#[cfg(unix)]
#[test]
fn written_files_are_as_readable_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = stale();
    let target = tempfile::tempdir().expect("a folder");
    let (report, plain) = (target.path().join("report.txt"), target.path().join("plain.txt"));
    std::fs::write(&plain, "x").expect("written");
    check(folder.path(), &["--base", "HEAD~1", "--output", report.to_str().expect("UTF-8")]);
    let mode = |path: &Path| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(&report), mode(&plain));
    let names: Vec<_> = std::fs::read_dir(target.path()).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names.len(), 2, "no temporary file is left: {names:?}");
    let piped = check(folder.path(), &["--base", "HEAD~1", "--format", "github", "--output", "/dev/stdout"]);
    assert!(piped.code == 0 && piped.stdout.starts_with("::warning "), "{}{}", piped.stdout, piped.stderr);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = stale();
    let colored = |arguments: &[&'static str], variables: &[(&str, &str)]| {
        let mut command = refdrift(&["check", "--repo"]);
        command.arg(folder.path()).args(with(arguments)).envs(variables.iter().copied());
        run(&mut command).stdout.contains('\u{1b}')
    };
    assert!(!colored(&[], &[]), "a pipe is no terminal");
    assert!(colored(&["--color", "always"], &[]));
    assert!(!colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("NO_COLOR", "1")]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]), "an argument says more than a variable");
}

#[test]
fn a_narrow_terminal_gets_short_lines() {
    let text =
        format!("{README}{}\n", "Then it waits, and `MAX_PASSENGERS` (120) is what the harbour told us long ago. ".repeat(3));
    let folder = support::pair(&[(CODE, OLD), ("README.md", &text)], &[(CODE, NEW), ("README.md", &text)]);
    let analysis = support::analyze(folder.path());
    let reporter = refdrift::report::reporter("text").expect("a reporter");
    let options = refdrift::report::ReportOptions { color: false, width: Some(40), ..Default::default() };
    let mut out = Vec::new();
    reporter.render(&analysis.sidecar, options, &mut out).expect("rendered");
    let out = String::from_utf8(out).expect("UTF-8");
    assert!(out.lines().any(|l| l.contains('^')), "{out}");
    for line in out.lines().filter(|l| l.starts_with("    | ") && !l.contains('^')) {
        assert!(line.chars().count() <= 40, "{line}");
    }
}

#[test]
fn the_report_is_stdout_and_the_log_is_stderr() {
    let run = check(stale().path(), &with(&["-v"]));
    assert!(run.stderr.contains("read the trees"), "{}", run.stderr);
    assert!(!run.stdout.contains("read the trees"));
    assert!(check(stale().path(), &RANGE).stderr.is_empty());
}

#[test]
fn confidence_and_policy_switches() {
    let words = "# ferry\n\nThe default of `max_passengers` suits most ferries.\n";
    let code = |n: u32| format!("DEFAULTS = {{\"max_passengers\": {n}}}\n");
    let (old, new) = (code(120), code(150));
    let folder =
        support::pair(&[("ferry.py", old.as_str()), ("README.md", words)], &[("ferry.py", new.as_str()), ("README.md", words)]);
    let shown = check(folder.path(), &RANGE).stdout;
    assert!(shown.contains("No stale reference found.") && shown.contains("1 below the least confidence"), "{shown}");
    let all = check(folder.path(), &with(&["--min-confidence", "0"])).stdout;
    assert!(all.contains("1 stale reference"), "{all}");

    let changelog = "# Changelog\n\n- at most `MAX_PASSENGERS` (120) people\n";
    let folder = support::pair(&[(CODE, OLD), ("CHANGELOG.md", changelog)], &[(CODE, NEW), ("CHANGELOG.md", changelog)]);
    assert!(check(folder.path(), &RANGE).stdout.contains("1 in historical documents"));
    assert!(check(folder.path(), &with(&["--no-policy"])).stdout.contains("1 stale reference"));
}

#[test]
fn explain_tells_each_step() {
    let folder = stale();
    let explain = |target: &str| run(refdrift(&["explain", "--base", "HEAD~1", "--repo"]).arg(folder.path()).arg(target));
    let place = explain("README.md:3");
    assert_eq!(place.code, 0, "{}", place.stderr);
    for words in ["MAX_PASSENGERS", "120 -> 150", "old-value", "routed-to-L2"] {
        assert!(place.stdout.contains(words), "{words} is missing of {}", place.stdout);
    }
    let sidecar: serde_json::Value =
        serde_json::from_str(&check(folder.path(), &with(&["--format", "json"])).stdout).expect("JSON");
    let id = sidecar["findings"][0]["id"].as_str().expect("an id");
    assert!(explain(id).stdout.contains("MAX_PASSENGERS"));
    assert!(explain("README.md:1").stdout.contains("names no fact"));
    let beyond = explain("README.md:999");
    assert_eq!(beyond.code, 2, "{}", beyond.stdout);
    assert!(beyond.stderr.contains("README.md has") && beyond.stderr.contains("not 999"), "{}", beyond.stderr);
}

#[test]
fn explain_reads_a_sidecar_and_says_what_it_does_not_hold() {
    let limits =
        "# Limits\n\n<!-- refdrift: allow changed-reference the guide is of last year -->\nAt most `MAX_PASSENGERS` (120).\n";
    let more = "# More\n\nRaise `MAX_PASSENGERS` where you must.\n";
    let log = "# Changelog\n\n- at most `MAX_PASSENGERS` (120) people\n";
    let tree =
        |code| [(CODE, code), ("README.md", README), ("docs/limits.md", limits), ("docs/more.md", more), ("CHANGELOG.md", log)];
    let folder = support::pair(&tree(OLD), &tree(NEW));
    let target = tempfile::tempdir().expect("a folder");
    let file = target.path().join("sidecar.json").to_str().expect("UTF-8").to_owned();
    check(folder.path(), &["--base", "HEAD~1", "--sidecar", &file]);
    // Nothing but the file is read: there is no repository here.
    let explain = |what: &str| run(refdrift(&["explain", "--sidecar", &file, "--", what]).current_dir(target.path()));
    let expect = |what: &str, words: &[&str]| {
        let told = explain(what);
        assert_eq!(told.code, 0, "{}", told.stderr);
        for word in words {
            assert!(told.stdout.contains(word), "{what}: {word} is missing of {}", told.stdout);
        }
        told.stdout
    };
    expect(
        "README.md:3",
        &[
            "code: src/limits.js:1 -> src/limits.js:1",
            "fact: constant:",
            "change: 120 -> 150 (changed)",
            "citation: README.md:3:41  `120` as inline-code",
            "claim: by rule old-value, confidence 0.9",
            "verdict: stale-or-unverified (finding:",
            "shown: yes, routed-to-L2",
            "A sidecar holds claims only.",
            " -- README.md:3",
        ],
    );
    expect("docs/limits.md:4", &["shown: no, excluded: suppressed by comment: the guide is of last year"]);
    expect("CHANGELOG.md:3", &["shown: no, excluded: Historical documentation"]);
    expect(
        "docs/more.md:3",
        &["has no finding in this sidecar, shown or not", "was not edited, and cites: constant `MAX_PASSENGERS`"],
    );
    expect("README.md:1", &["has no finding in this sidecar", "findings of the page stand at line 3"]);
    let sidecar: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("written")).expect("JSON");
    let id = sidecar["findings"][0]["id"].as_str().expect("an id");
    let whole = expect(id, &["shown: yes"]);
    assert_eq!(expect(&id[8..20], &[]), whole);
    expect("finding:", &["3 findings begin with"]);
    let unknown = explain("finding:ffffffffffff0");
    assert!(unknown.code == 2 && unknown.stderr.contains("holds no finding"), "{}", unknown.stderr);
    let neither = explain("README.md");
    assert!(neither.code == 2 && neither.stderr.contains("neither a finding's id nor PATH:LINE"), "{}", neither.stderr);

    // A file that is not true is not told.
    let text = std::fs::read_to_string(&file).expect("written");
    for (wrong, words) in [
        (text.replace("\"confidence\": 0.9", "\"confidence\": 9"), "too large"),
        (text.replace("120 -> 150)", "a\\u001b[31m -> b)"), "the hash"),
        (text.replacen("\"excluded\": 2", "\"excluded\": 1", 1), "findings are counted"),
        ("[]".to_owned(), "0 records"),
        ("{".to_owned(), "where a key should stand"),
    ] {
        std::fs::write(&file, &wrong).expect("written");
        let refused = explain("README.md:3");
        if words == "the hash" {
            // Words beside the hashes are no part of an identity, but they do not act.
            assert!(refused.code == 0 && !refused.stdout.contains('\u{1b}'), "{}", refused.stdout);
        } else {
            assert!(
                refused.code == 2 && refused.stdout.is_empty() && refused.stderr.contains(words),
                "{words}: {}",
                refused.stderr
            );
            assert!(refused.stderr.contains("refdrift validate --kind sidecar"), "{}", refused.stderr);
        }
    }
    let both = run(&mut refdrift(&["explain", "--sidecar", &file, "--base", "HEAD~1", "README.md:3"]));
    assert!(both.code == 2 && both.stderr.contains("cannot be used with"), "{}", both.stderr);
}

#[test]
fn explain_says_why_a_page_was_not_looked_at() {
    let folder = stale();
    let explain = |target: &str| run(refdrift(&["explain", "--base", "HEAD~1", "--repo"]).arg(folder.path()).arg(target)).stdout;
    assert!(explain("docs/none.md:1").contains("is no file at head"));
    assert!(explain("src/limits.js:1").contains("is no document that refdrift reads"));
    std::fs::write(folder.path().join("refdrift.yml"), "documents:\n  exclude: [\"README.md\"]\n").expect("written");
    assert!(explain("README.md:3").contains("the configuration leaves out"), "{}", explain("README.md:3"));
}

#[test]
fn a_baseline_of_nothing_says_so() {
    let folder = stale();
    let baseline = |more: &[&str]| run(refdrift(&["baseline", "--repo"]).arg(folder.path()).args(more));
    let nothing = baseline(&[]);
    assert_eq!(nothing.code, 0);
    assert!(nothing.stderr.contains("the baseline is empty, for base and head are one commit"), "{}", nothing.stderr);
    assert!(nothing.stderr.contains("refdrift baseline --base v1.0.0"), "{}", nothing.stderr);
    let something = baseline(&RANGE);
    assert!(something.stderr.is_empty() && something.stdout.contains("\"key\": \"MAX_PASSENGERS\""), "{}", something.stderr);
    let target = tempfile::tempdir().expect("a folder");
    let file = target.path().join("known.json");
    std::fs::write(&file, &something.stdout).expect("written");
    for more in [&[][..], &["--kind", "baseline"]] {
        let valid = run(refdrift(&["validate"]).args(more).arg(&file));
        assert_eq!((valid.code, valid.stdout.as_str()), (0, "1 record checked, 0 violations\n"), "{}", valid.stderr);
    }
    std::fs::write(&file, something.stdout.replace("finding:", "Finding:")).expect("written");
    let wrong = run(refdrift(&["validate"]).arg(&file));
    assert!(wrong.code == 1 && wrong.stdout.contains(":9:13: /findings/0/id: "), "{}", wrong.stdout);
    let used = check(folder.path(), &["--base", "HEAD~1", "--baseline", file.to_str().expect("UTF-8")]);
    assert!(used.code == 2 && used.stderr.contains("is no baseline: 9:13: /findings/0/id: "), "{}", used.stderr);
}

#[test]
fn the_configuration_is_validated_too() {
    let target = tempfile::tempdir().expect("a folder");
    let validate = |name: &str, text: &str, more: &[&str]| {
        let file = target.path().join(name);
        std::fs::write(&file, text).expect("written");
        run(refdrift(&["validate"]).args(more).arg(file))
    };
    let valid = validate("refdrift.yml", "fail-on: warn\n", &[]);
    assert_eq!((valid.code, valid.stdout.as_str()), (0, "1 record checked, 0 violations\n"), "{}", valid.stderr);
    let wrong = validate("refdrift.yaml", "\nfail-on: warning\n", &[]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stdout.contains("refdrift.yaml:2:10: ") && wrong.stdout.contains("did you mean `warn`?"), "{}", wrong.stdout);
    let named = validate("settings.txt", "colour: red\n", &["--kind", "config", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&named.stdout).expect("JSON");
    assert_eq!(told[0]["report"]["violations"][0]["line"], 1, "{told}");
    assert_eq!(named.code, 1);
    let root = validate("x.json", "{\"type\": \"thing\"}", &[]);
    assert!(root.stdout.contains("x.json:1:1: the record: "), "{}", root.stdout);
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_read_to_the_end() {
    let endless = run(&mut refdrift(&["validate", "/dev/zero"]));
    assert!(endless.code == 2 && endless.stderr.contains("is larger than"), "{}", endless.stderr);
}

#[test]
fn exported_findings_are_valid_in_both_forms() {
    let folder = stale();
    let target = tempfile::tempdir().expect("a folder");
    for (format, name) in [
        ("agent-finding", "a.json"),
        ("agent-finding-ndjson", "a.ndjson"),
        ("agent-finding-ndjson", "a.txt"),
        ("agent-finding-ndjson", "a.jsonl"),
    ] {
        let file = target.path().join(name);
        check(folder.path(), &["--base", "HEAD~1", "--format", format, "--output", file.to_str().expect("UTF-8")]);
        let valid = run(refdrift(&["validate", "--kind", "agent-finding"]).arg(&file));
        assert_eq!((valid.code, valid.stdout.as_str()), (0, "1 record checked, 0 violations\n"), "{name}: {}", valid.stderr);
    }
    let empty = target.path().join("empty.ndjson");
    check(clean().path(), &["--base", "HEAD~1", "--format", "agent-finding-ndjson", "--output", empty.to_str().expect("UTF-8")]);
    let valid = run(refdrift(&["validate"]).arg(&empty));
    assert_eq!((valid.code, valid.stdout.as_str()), (0, "0 records checked, 0 violations\n"), "{}", valid.stderr);
}

#[test]
fn facts_and_citations_show_what_is_seen() {
    let folder = stale();
    let facts = run(refdrift(&["facts", "--repo"]).arg(folder.path()).arg(format!("{CODE}@HEAD~1")));
    assert!(facts.stdout.contains("MAX_PASSENGERS") && facts.stdout.contains("120"), "{}", facts.stdout);
    let json = run(refdrift(&["facts", "--json", "--repo"]).arg(folder.path()).arg(CODE));
    serde_json::from_str::<serde_json::Value>(&json.stdout).expect("JSON");
    let citations = run(refdrift(&["citations", "--repo"]).arg(folder.path()).arg("README.md"));
    assert!(citations.stdout.contains("MAX_PASSENGERS"), "{}", citations.stdout);
    let json = run(refdrift(&["citations", "--json", "--repo"]).arg(folder.path()).arg("README.md"));
    let seen: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let mark = &seen["regions"][1]["marks"][0];
    let bytes = |name: &str| usize::try_from(mark[name].as_u64().expect("a byte")).expect("small");
    assert_eq!(&README[bytes("byteStart")..bytes("byteEnd")], mark["text"].as_str().expect("text"), "{mark}");
    let scoped = support::pair(&[("packages/@scope/a.js", OLD)], &[("packages/@scope/a.js", NEW)]);
    for (target, value) in [("packages/@scope/a.js", "150"), ("./packages/@scope/a.js@HEAD~1", "120")] {
        let facts = run(refdrift(&["facts", "--repo"]).arg(scoped.path()).arg(target));
        assert!(facts.stdout.contains(value), "{target}: {}{}", facts.stdout, facts.stderr);
    }
    let nothing = run(refdrift(&["facts", "--repo"]).arg(folder.path()).arg("src/nothing.js"));
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("src/nothing.js"), "{}", nothing.stderr);
}

#[test]
fn demo_shows_the_command_and_the_report() {
    let run = run(&mut refdrift(&["demo"]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("$ refdrift check --base HEAD~1 --head HEAD"), "{}", run.stdout);
    assert!(run.stdout.contains("`15` now"), "{}", run.stdout);
}
