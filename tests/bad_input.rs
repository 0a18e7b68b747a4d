//! Whatever a repository holds, a run ends with a report or with an error that says why; it never crashes, hangs or skips in silence.
#![allow(clippy::disallowed_methods, reason = "tests write their own repositories")]

mod support;

use std::fmt::Write as _;
use std::path::Path;

use support::program::{Entry, check, commit, git};
use tempfile::TempDir;

const OLD: &[u8] = b"export const MAX_PASSENGERS = 120;\n";
const NEW: &[u8] = b"export const MAX_PASSENGERS = 150;\n";
const README: &[u8] = b"# ferry\n\nAt most `MAX_PASSENGERS` (120) people.\n";
const FILE: &str = "100644";

/// A repository whose second commit changes one constant; both commits also hold other entries.
fn with(others: &[Entry<'_>]) -> TempDir {
    pair(others, others)
}

fn pair(before: &[Entry<'_>], after: &[Entry<'_>]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (code, others) in [(OLD, before), (NEW, after)] {
        let own: [Entry<'_>; 2] = [(FILE, b"src/limits.js", code), (FILE, b"README.md", README)];
        commit(folder.path(), &[&own[..], others].concat());
    }
    folder
}

/// The sidecar of a run, which also must find the one stale sentence.
fn sidecar(folder: &Path) -> serde_json::Value {
    let run = check(folder, &["--base", "HEAD~1", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let documents: Vec<&str> =
        value["findings"].as_array().into_iter().flatten().filter_map(|f| f["assertion"]["document"].as_str()).collect();
    assert!(documents.contains(&"README.md"), "{documents:?}");
    value
}

/// Whether the sidecar says of a path that it was not, or not wholly, looked at.
fn tells_of(sidecar: &serde_json::Value, path: &str, words: &str) -> bool {
    sidecar["notices"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|n| n["path"].as_str() == Some(path) && n["message"].as_str().is_some_and(|m| m.contains(words)))
}

#[test]
fn names_that_are_not_utf8() {
    let folder = with(&[(FILE, b"docs/\xff\xfe.md", README), (FILE, b"src/\xc3\x28.js", b"export const a = 1;\n")]);
    let sidecar = sidecar(folder.path());
    let notices = sidecar["notices"].to_string();
    assert!(notices.contains("not UTF-8"), "{notices}");
}

#[test]
fn documents_and_sources_that_are_not_utf8() {
    let folder = pair(
        &[(FILE, b"docs/latin.md", b"`MAX_PASSENGERS` \xe4\xf6 120\n"), (FILE, b"src/latin.js", b"export const X = '\xe4';\n")],
        &[(FILE, b"docs/latin.md", b"`MAX_PASSENGERS` \xe4\xf6 120\n"), (FILE, b"src/latin.js", b"export const Y = '\xe4';\n")],
    );
    let sidecar = sidecar(folder.path());
    assert!(tells_of(&sidecar, "docs/latin.md", "UTF-8"), "{}", sidecar["notices"]);
    assert!(tells_of(&sidecar, "src/latin.js", "UTF-8"), "{}", sidecar["notices"]);
}

#[test]
fn utf16_with_a_byte_order_mark_and_nul_bytes() {
    let utf16: Vec<u8> = "\u{feff}# ferry\n`MAX_PASSENGERS` 120\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = with(&[(FILE, b"docs/wide.md", &utf16), (FILE, b"docs/nul.md", b"# a\0b\n\n`MAX_PASSENGERS` (120)\n")]);
    sidecar(folder.path());
}

#[test]
fn broken_frontmatter_is_a_notice_and_the_body_is_read() {
    let text = b"---\ntitle: [unclosed\n\tkey: : x\n---\n\n# ferry\n\nAt most `MAX_PASSENGERS` (120) people.\n";
    let sidecar = sidecar(with(&[(FILE, b"docs/a.md", text)]).path());
    assert!(tells_of(&sidecar, "docs/a.md", "frontmatter"), "{}", sidecar["notices"]);
    assert!(sidecar["findings"].to_string().contains("docs/a.md"), "the body still counts");
}

#[test]
fn frontmatter_without_an_end() {
    sidecar(with(&[(FILE, b"docs/a.md", b"---\ntitle: x\n\nAt most `MAX_PASSENGERS` (120) people.\n")]).path());
}

#[test]
fn a_line_of_ten_megabytes() {
    let line = [b"`MAX_PASSENGERS` (120) ".repeat(450_000), b"\n".to_vec()].concat();
    assert!(line.len() > 10_000_000);
    let code = [b"export const A = '".to_vec(), b"x".repeat(10_000_000), b"';\n".to_vec()].concat();
    let folder = pair(
        &[(FILE, b"docs/long.md", &line), (FILE, b"src/long.js", b"\n")],
        &[(FILE, b"docs/long.md", &line), (FILE, b"src/long.js", &code)],
    );
    let sidecar = sidecar(folder.path());
    assert!(tells_of(&sidecar, "docs/long.md", "bytes"), "{}", sidecar["notices"]);
    assert!(tells_of(&sidecar, "src/long.js", "bytes"), "{}", sidecar["notices"]);
}

#[test]
fn a_long_line_below_the_limit() {
    let line = [b"`MAX_PASSENGERS` (120) ".repeat(20_000), b"\n".to_vec()].concat();
    let run = check(with(&[(FILE, b"docs/long.md", &line)]).path(), &["--base", "HEAD~1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.lines().all(|l| l.chars().count() < 500), "a record cuts long lines");
}

/// `open` and `close` ten thousand times around `middle`.
fn nested(open: &str, middle: &str, close: &str) -> Vec<u8> {
    format!("{}{middle}{}\n", open.repeat(10_000), close.repeat(10_000)).into_bytes()
}

#[test]
fn ten_thousand_levels_of_nesting_in_documents() {
    let quotes = nested("> ", "`MAX_PASSENGERS` (120)", "");
    let emphasis = nested("*a ", "`MAX_PASSENGERS` (120)", "*");
    let links = nested("[", "`MAX_PASSENGERS` (120)", "](x)");
    let html = nested("<div>", "`MAX_PASSENGERS` (120)", "</div>");
    let mut items = String::new();
    for depth in 0..1_200 {
        writeln!(items, "{}- x", "  ".repeat(depth)).expect("a string");
    }
    let fence = [b"```json\n".to_vec(), nested("{\"a\":", "1", "}"), b"```\n".to_vec()].concat();
    let folder = with(&[
        (FILE, b"docs/quotes.md", &quotes),
        (FILE, b"docs/emphasis.md", &emphasis),
        (FILE, b"docs/links.md", &links),
        (FILE, b"docs/html.md", &html),
        (FILE, b"docs/items.md", items.as_bytes()),
        (FILE, b"docs/fence.md", &fence),
        (FILE, b"docs/quotes.rst", &quotes),
        (FILE, b"docs/quotes.adoc", &quotes),
    ]);
    sidecar(folder.path());
}

#[test]
fn ten_thousand_levels_of_nesting_in_sources() {
    let paths: [(&[u8], &str, &str); 9] = [
        (b"deep.json", "{\"a\":", "}"),
        (b"deep-list.json", "[", "]"),
        (b"deep.yaml", "{a: ", "}"),
        (b"deep.toml", "a = [", "]"),
        (b"deep.js", "(", ")"),
        (b"deep.py", "(", ")"),
        (b"deep.rs", "{", "}"),
        (b"deep.go", "(", ")"),
        (b"package.json", "{\"scripts\":", "}"),
    ];
    let texts = |middle: &str| paths.map(|(_, open, close)| nested(open, middle, close));
    let (before, after) = (texts("1"), texts("2"));
    let before: Vec<Entry<'_>> = paths.iter().zip(&before).map(|((path, ..), text)| (FILE, *path, text.as_slice())).collect();
    let after: Vec<Entry<'_>> = paths.iter().zip(&after).map(|((path, ..), text)| (FILE, *path, text.as_slice())).collect();
    sidecar(pair(&before, &after).path());
}

#[test]
fn nested_configuration_files_of_refdrift() {
    let deep = nested("{documents: ", "x", "}");
    let folder = with(&[]);
    std::fs::write(folder.path().join("refdrift.yml"), deep).expect("written");
    let run = check(folder.path(), &["--base", "HEAD~1"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.starts_with("error: refdrift.yml"), "{}", run.stderr);
}

#[test]
fn submodules_and_symbolic_links_are_named_and_not_followed() {
    let folder = with(&[
        ("160000", b"vendor/lib", b""),
        ("120000", b"docs/link.md", b"../README.md"),
        ("120000", b"docs/outside.md", b"/etc/passwd"),
        ("120000", b"docs/loop.md", b"loop.md"),
        ("120000", b"bin/latest", b"v2"),
    ]);
    let sidecar = sidecar(folder.path());
    assert!(tells_of(&sidecar, "vendor/lib", "submodule"), "{}", sidecar["notices"]);
    let links = "3 symbolic links are not followed: docs/link.md, docs/loop.md, docs/outside.md";
    assert_eq!(sidecar["notices"][0], serde_json::json!({"code": "symlink", "message": links}), "{}", sidecar["notices"]);
    assert_eq!(sidecar["findings"].as_array().map(Vec::len), Some(1), "a link is not another document");
}

#[test]
fn a_file_that_becomes_a_link_or_a_submodule() {
    let before: [Entry<'_>; 2] = [(FILE, b"docs/a.md", README), (FILE, b"lib/x.js", b"export const a = 1;\n")];
    let after: [Entry<'_>; 2] = [("120000", b"docs/a.md", b"../README.md"), ("160000", b"lib/x.js", b"")];
    sidecar(pair(&before, &after).path());
}

#[test]
fn executable_files_count() {
    let folder = tempfile::tempdir().expect("a folder");
    for code in [OLD, NEW] {
        commit(folder.path(), &[("100755", b"src/limits.js", code), ("100755", b"README.md", README)]);
    }
    sidecar(folder.path());
}

#[test]
fn a_document_that_is_deleted_at_head() {
    let folder = pair(&[(FILE, b"docs/gone.md", README)], &[]);
    let sidecar = sidecar(folder.path());
    assert!(!sidecar["findings"].to_string().contains("docs/gone.md"));
}

#[test]
fn an_empty_tree_on_either_side() {
    let folder = tempfile::tempdir().expect("a folder");
    commit(folder.path(), &[]);
    commit(folder.path(), &[(FILE, b"src/limits.js", OLD), (FILE, b"README.md", README)]);
    commit(folder.path(), &[]);
    for (base, head) in [("HEAD~2", "HEAD~1"), ("HEAD~1", "HEAD"), ("HEAD~2", "HEAD")] {
        let run = check(folder.path(), &["--base", base, "--head", head]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("No stale reference found."), "{}", run.stdout);
    }
}

#[test]
fn a_bare_repository_with_its_configuration() {
    let folder = with(&[(FILE, b".github/refdrift.yml", b"fail-on: warn\n")]);
    let bare = tempfile::tempdir().expect("a folder");
    let from = folder.path().to_str().expect("UTF-8");
    git(bare.path(), &["clone", "--quiet", "--bare", from, "ferry.git"], b"");
    let run = check(&bare.path().join("ferry.git"), &["--base", "HEAD~1"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("1 stale reference"), "{}", run.stdout);
}

#[test]
fn carriage_returns() {
    let crlf = String::from_utf8_lossy(README).replace('\n', "\r\n");
    let folder = tempfile::tempdir().expect("a folder");
    for code in [OLD, NEW] {
        let code = String::from_utf8_lossy(code).replace('\n', "\r\n");
        commit(folder.path(), &[(FILE, b"src/limits.js", code.as_bytes()), (FILE, b"README.md", crlf.as_bytes())]);
    }
    let sidecar = sidecar(folder.path());
    let place = &sidecar["changedFacts"][0]["places"][0];
    assert_eq!((place["line"].as_u64(), place["stale"].as_str()), (Some(3), Some("120")));
    let report = check(folder.path(), &["--base", "HEAD~1"]).stdout;
    assert!(!report.contains('\r'), "{report:?}");
}

#[test]
fn only_line_ends_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let crlf = |text: &[u8]| String::from_utf8_lossy(text).replace('\n', "\r\n").into_bytes();
    commit(folder.path(), &[(FILE, b"src/limits.js", OLD), (FILE, b"README.md", README)]);
    commit(folder.path(), &[(FILE, b"src/limits.js", &crlf(OLD)), (FILE, b"README.md", &crlf(README))]);
    let run = check(folder.path(), &["--base", "HEAD~1"]);
    assert!(run.stdout.contains("No stale reference found."), "{}", run.stdout);
}

#[test]
fn sources_with_syntax_errors() {
    let folder = pair(
        &[(FILE, b"src/a.py", b"def broken(:\n  x = [1,\n"), (FILE, b"src/b.rs", b"fn x( {{{\n")],
        &[(FILE, b"src/a.py", b"def broken(a, :\n  y = }1,\n"), (FILE, b"src/b.rs", b"}}}} fn x\n")],
    );
    sidecar(folder.path());
}

#[test]
fn control_codes_of_a_repository_do_not_reach_the_terminal() {
    let text = b"# ferry\n\n\x1b]0;owned\x07\x1b[2J At most `MAX_PASSENGERS` (120) people. \xe2\x80\xae\n";
    let folder = with(&[(FILE, b"docs/evil.md", text)]);
    let run = check(folder.path(), &["--base", "HEAD~1", "--color", "never"]);
    assert!(run.stdout.contains("docs/evil.md:3"), "{}", run.stdout);
    assert!(run.stdout.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{:?}", run.stdout);
}

#[cfg(unix)]
#[test]
fn a_page_that_became_a_link_is_still_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let git = |words: &[&str]| {
        let status = std::process::Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false"])
            .args(words)
            .current_dir(folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdout(std::process::Stdio::null())
            .status()
            .expect("git");
        assert!(status.success(), "{words:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    std::fs::write(at("history-of-tides.md"), "# Tides\n").expect("written");
    std::fs::write(at("tides.md"), "# Tides\n\nHigh.\n").expect("written");
    std::fs::write(at("README.md"), "See [tides](tides.md).\n").expect("written");
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "one"]);
    std::fs::remove_file(at("tides.md")).expect("removed");
    std::os::unix::fs::symlink("history-of-tides.md", at("tides.md")).expect("a link");
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "two"]);
    let analysis = support::analyze(folder.path());
    assert!(analysis.sidecar.policy.findings.is_empty(), "{:#?}", support::lines(&analysis));
}
