//! What must hold of every report, whatever the record: the rules of each format, told by hand.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag};
use refdrift::contracts::{self, RecordKind};
use refdrift::model::{Severity, Sidecar};
use serde_json::Value;

use crate::{LINKS, render};

/// Checks every format.
pub(crate) fn check(sidecar: &Sidecar, at: &str) {
    text(&render("text", sidecar, None), at);
    markdown(&render("markdown", sidecar, Some(LINKS)), at);
    markdown(&render("markdown", sidecar, None), at);
    github(&render("github", sidecar, None), sidecar, at);
    sarif(&json(&render("sarif", sidecar, Some(LINKS)), at), sidecar, at);
    rdjson(&json(&render("rdjson", sidecar, None), at), sidecar, at);
    let records = render("agent-finding", sidecar, None);
    agent(&json(&records, at), sidecar, at);
    let report = contracts::validate(&records, Some(RecordKind::AgentFinding));
    assert!(report.is_valid(), "{at}: {:#?}", report.violations);
    lines(&render("agent-finding-ndjson", sidecar, None), &records, at);
    let record: Sidecar = serde_json::from_str(&render("json", sidecar, None)).expect("the record");
    assert!(&record == sidecar, "{at}: the record does not read back");
}

/// One record a line, the same ones.
fn lines(report: &str, records: &str, at: &str) {
    assert!(report.is_empty() || report.ends_with('\n'), "{at}");
    let list: Vec<Value> = report.lines().map(|line| json(&format!("{line}\n"), at)).collect();
    assert_eq!(Value::Array(list), json(records, at), "{at}");
    let report = contracts::validate_lines(report, None);
    assert!(report.is_valid(), "{at}: {:#?}", report.violations);
}

fn json(text: &str, at: &str) -> Value {
    assert!(text.ends_with('\n'), "{at}");
    assert!(text.lines().all(is_tame) && !text.contains("##["), "{at}: {text:?}");
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{at}: {e}"))
}

fn is_tame(text: &str) -> bool {
    !text.chars().any(is_mark)
}

fn text(report: &str, at: &str) {
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    assert!(report.lines().all(|line| is_tame(line) && !is_command(line)), "{at}: {report:?}");
}

/// Repository text stands in code only: our own words have none of the characters that start something, and no link leads
/// anywhere but to the repository.
fn markdown(report: &str, at: &str) {
    assert!(report.len() < 900 * 1024 && !report.contains("##["), "{at}");
    let mut depth = 0_i32;
    for event in Parser::new_ext(report, Options::all()) {
        match event {
            Event::Text(words) => {
                assert!(depth == 0 && !words.contains(['@', '`', '<', '&', '%', '|', '#', '\\', '$', '~']), "{at}: {words:?}");
            }
            Event::Html(tag) | Event::InlineHtml(tag) => {
                let tag = tag.trim();
                let ours = tag == "<details>" || tag == "</details>";
                let title = tag.strip_prefix("<summary>").and_then(|t| t.strip_suffix("</summary>"));
                assert!(ours || title.is_some_and(|t| !t.contains(['<', '`', '@', '&'])), "{at}: {tag:?}");
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(dest_url.starts_with("https://github.com/owner/name/blob/"), "{at}: {dest_url}");
            }
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_) | Tag::Image { .. } | Tag::FootnoteDefinition(_)) => {
                panic!("{at}: {event:?} in\n{report}")
            }
            Event::Code(words) => assert!(is_tame(&words), "{at}: {words:?}"),
            Event::Start(Tag::MetadataBlock(_)) => depth += 1,
            _ => {}
        }
    }
}

/// As a runner reads it: each line is one of our commands or our own words.
fn github(report: &str, sidecar: &Sidecar, at: &str) {
    let mut annotations = 0;
    for line in report.split_terminator('\n') {
        assert!(is_tame(line) && !line.contains("##["), "{at}: {line:?}");
        let Some(command) = line.strip_prefix("::") else {
            assert!(line.starts_with("refdrift: 10 of "), "{at}: {line}");
            continue;
        };
        annotations += 1;
        let (head, message) = command.split_once("::").expect("a command");
        let (level, properties) = head.split_once(' ').expect("properties");
        assert!(["error", "warning", "notice"].contains(&level), "{at}: {level}");
        let keys: Vec<&str> = properties.split(',').map(|p| p.split_once('=').expect("a property").0).collect();
        assert_eq!(keys, ["file", "line", "endLine", "col", "endColumn", "title"], "{at}: {line}");
        assert!(!message.trim().is_empty(), "{at}");
        for (index, _) in line.match_indices('%') {
            assert!(["25", "0D", "0A", "3A", "2C"].contains(&&line[index + 1..index + 3]), "{at}: {line}");
        }
        let file = unescape(properties.split(',').next().and_then(|p| p.strip_prefix("file=")).expect("a file"));
        let known = sidecar.changed_facts.iter().flat_map(|f| &f.places).any(|p| tamed(&p.document) == file);
        assert!(known, "{at}: {file}");
    }
    let visible = sidecar.findings.iter().filter(|f| f.severity != Severity::Off).count();
    assert!(annotations >= visible.min(10), "{at}");
}

pub(crate) fn unescape(text: &str) -> String {
    text.replace("%2C", ",").replace("%3A", ":").replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
}

/// A path as annotations give it.
fn tamed(path: &str) -> String {
    let one_line: String = path.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
    let tame: String = one_line.chars().map(|c| if is_mark(c) { '\u{fffd}' } else { c }).collect();
    tame.replace("##[", "# #[")
}

/// Told by hand: what acts on a terminal, reorders text or hides in it.
fn is_mark(c: char) -> bool {
    let ranges = ['\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}', '\u{e0000}'..='\u{e007f}', '\u{fff9}'..='\u{fffb}'];
    c.is_control()
        || ranges.iter().any(|r| r.contains(&c))
        || ['\u{ad}', '\u{61c}', '\u{180e}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{feff}'].contains(&c)
}

/// The published schema of SARIF 2.1.0, formats included.
pub(crate) static SARIF: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    // The schema's pattern for languages, which no report has, is no regular expression by the rules of its own draft.
    let text = include_str!("sarif/sarif-schema-2.1.0.json").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::draft7::options().should_validate_formats(true).build(&schema).expect("a schema")
});

/// The schema of 2.1.0, and what its text demands besides.
fn sarif(log: &Value, sidecar: &Sidecar, at: &str) {
    let errors: Vec<String> = SARIF.iter_errors(log).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{at}: {errors:#?}");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "refdrift");
    let rules = driver["rules"].as_array().expect("rules");
    let ids: BTreeSet<&str> = rules.iter().map(|r| r["id"].as_str().expect("an id")).collect();
    assert_eq!(ids.len(), rules.len(), "rules are unique");
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[key]["text"].as_str().is_some_and(|t| !t.is_empty()), "{at}: {key}");
        }
        assert!(is_level(&rule["defaultConfiguration"]["level"]));
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let notifications = invocation["toolExecutionNotifications"].as_array().expect("notifications");
    assert_eq!(notifications.len(), sidecar.notices.len(), "{at}");
    for notification in notifications {
        assert!(is_level(&notification["level"]));
        message(&notification["message"], at);
    }
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), sidecar.policy.findings.len(), "{at}: every finding, shown or not");
    let mut prints = BTreeSet::new();
    for (result, finding) in results.iter().zip(&sidecar.policy.findings) {
        assert_eq!(result["ruleId"], finding.category.as_str());
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(is_level(&result["level"]));
        message(&result["message"], at);
        let print = result["partialFingerprints"]["refdriftFinding/v1"].as_str().expect("a fingerprint");
        assert!(finding.id.ends_with(print) && prints.insert(print.to_owned()), "{at}: {print}");
        let suppressions = result["suppressions"].as_array().expect("on every result");
        assert_eq!(suppressions.is_empty(), finding.routing.is_visible(), "{at}");
        for suppression in suppressions {
            assert!(["inSource", "external"].contains(&suppression["kind"].as_str().expect("a kind")));
            assert!(suppression["justification"].as_str().is_some_and(|t| !t.is_empty()));
        }
        let rank = result["rank"].as_f64().expect("a rank");
        assert!((0.0..=100.0).contains(&rank));
        let locations = result["locations"].as_array().expect("a location");
        assert_eq!(locations.len(), 1);
        let related = result["relatedLocations"].as_array().map_or(&[][..], Vec::as_slice);
        assert!(!related.is_empty(), "{at}: the changed code is related");
        let numbers: Vec<u64> = related.iter().map(|r| r["id"].as_u64().expect("an id")).collect();
        assert!(numbers.iter().copied().eq(1..=related.len() as u64), "{at}");
        for location in locations.iter().chain(related) {
            physical(&location["physicalLocation"], at);
        }
        for location in related {
            message(&location["message"], at);
        }
    }
}

fn is_level(value: &Value) -> bool {
    ["none", "note", "warning", "error"].contains(&value.as_str().unwrap_or(""))
}

fn message(message: &Value, at: &str) {
    let text = message["text"].as_str().expect("a text");
    assert!(!text.is_empty() && is_tame(text) && !text.contains("]("), "{at}: {text:?}");
}

fn physical(location: &Value, at: &str) {
    let uri = location["artifactLocation"]["uri"].as_str().expect("a URI");
    assert_eq!(location["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    assert!(!uri.starts_with('/'), "{at}: {uri}");
    assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b)), "{at}: {uri}");
    let region = &location["region"];
    let number = |key: &str| region[key].as_u64();
    let (start, end) = (number("startLine").expect("a line"), number("endLine"));
    assert!(start >= 1 && end.is_none_or(|e| e >= start), "{at}");
    if let (Some(from), Some(to)) = (number("startColumn"), number("endColumn")) {
        assert!(from >= 1 && to > from, "{at}");
    }
}

fn rdjson(result: &Value, sidecar: &Sidecar, at: &str) {
    assert_eq!(result["source"]["name"], "refdrift");
    let places: Vec<_> = sidecar.changed_facts.iter().flat_map(|f| &f.places).collect();
    for diagnostic in result["diagnostics"].as_array().expect("diagnostics") {
        assert!(["ERROR", "WARNING", "INFO"].contains(&diagnostic["severity"].as_str().expect("a severity")));
        let range = &diagnostic["location"]["range"];
        let line = range["start"]["line"].as_u64().expect("a line");
        markdown(diagnostic["message"].as_str().expect("a message"), at);
        let (Some(start), Some(end)) = (range["start"]["column"].as_u64(), range["end"]["column"].as_u64()) else { continue };
        let bytes = usize::try_from(start - 1).expect("small")..usize::try_from(end - 1).expect("small");
        // The bytes at the region are the cited words, as far as the record holds them.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = places.iter().any(|p| {
            let region = p.text.get(bytes.clone()).map(words);
            u64::from(p.line) == line && region.is_some_and(|r| words(&p.stale).trim_end_matches('…').starts_with(r.as_str()))
        });
        assert!(found, "{at}: {diagnostic}");
    }
}

/// The bounds and verdict rules of `agent.finding@1`.
fn agent(records: &Value, sidecar: &Sidecar, at: &str) {
    let records = records.as_array().expect("an array");
    assert_eq!(records.len(), sidecar.policy.findings.len());
    let mut prints = BTreeSet::new();
    let length = |value: &Value| value.as_str().map_or(0, |t| t.chars().count());
    for (record, finding) in records.iter().zip(&sidecar.policy.findings) {
        let has = |key: &str| record.get(key).is_some();
        let print = record["fingerprint"].as_str().expect("a fingerprint");
        let (_, text) = print.split_once(':').expect("file and text");
        assert!(text.to_lowercase() == text && text.split_whitespace().collect::<Vec<_>>().join(" ") == text, "{at}: {print:?}");
        assert!(prints.insert(print), "{at}: {print} twice");
        for (key, max) in [("fingerprint", 200), ("title", 200), ("description", 4000)] {
            assert!((1..=max).contains(&length(&record[key])), "{at}: {key}");
        }
        for key in ["trace", "evidence"] {
            assert!((1..=50).contains(&record[key].as_array().map_or(0, Vec::len)), "{at}: {key}");
        }
        match record["verdict"].as_str().expect("a verdict") {
            "confirmed" => {
                assert_eq!(finding.category, "broken-reference", "{at}");
                let rank =
                    |key: &str| ["low", "medium", "high"].iter().position(|w| record["severity"][key] == *w).expect("a step");
                assert!(rank("overall_severity") <= rank("impact"), "{at}");
                assert!(record["confidence"]["reason"].is_string() && !has("reason") && !has("blockers"), "{at}");
            }
            "needs_validation" => {
                assert!(!has("severity") && !has("confidence") && !has("reason"), "{at}: a lead has no severity");
                let blockers = record["blockers"].as_array().expect("blockers");
                assert!(!blockers.is_empty() && blockers.iter().all(|b| (1..=500).contains(&length(b))), "{at}");
                assert!((1..=2000).contains(&length(&record["claimed_root_cause"])), "{at}");
                assert!(
                    record["validation_plan"]["local"].as_str().is_some_and(|p| p.contains("`refdrift explain --base ")),
                    "{at}"
                );
            }
            "rejected" => {
                assert!(!finding.routing.is_visible() || finding.severity == Severity::Off, "{at}");
                assert!((1..=2000).contains(&length(&record["reason"])) && !has("severity"), "{at}");
            }
            other => panic!("{at}: {other}"),
        }
    }
}

/// The words at every region are those that a report says are there: in SARIF by its snippets, in annotations by their
/// messages. Gives how many were compared.
pub(crate) fn regions(sidecar: &Sidecar, tree: &std::collections::BTreeMap<String, String>, at: &str) -> usize {
    let words = |path: &str, line: usize, from: usize, to: usize| -> String {
        let text = tree.get(path).unwrap_or_else(|| panic!("{at}: no {path}"));
        let line = text.lines().nth(line - 1).unwrap_or_else(|| panic!("{at}: {path} has no line {line}"));
        assert!(to - 1 <= line.chars().count(), "{at}: column {to} of {line:?}");
        line.chars().skip(from - 1).take(to - from).collect()
    };
    let mut compared = 0;
    let log = json(&render("sarif", sidecar, None), at);
    for result in log["runs"][0]["results"].as_array().expect("results") {
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for location in result["locations"].as_array().expect("locations").iter().chain(related) {
            let physical = &location["physicalLocation"];
            let number = |key: &str| physical["region"][key].as_u64().and_then(|n| usize::try_from(n).ok());
            let Some(snippet) = physical["region"]["snippet"]["text"].as_str() else { continue };
            let (line, from, to) = (number("startLine"), number("startColumn"), number("endColumn"));
            let (Some(line), Some(from), Some(to)) = (line, from, to) else { panic!("{at}: {physical}") };
            assert_eq!(words(physical["artifactLocation"]["uri"].as_str().expect("a URI"), line, from, to), snippet, "{at}");
            compared += 1;
        }
    }
    for command in render("github", sidecar, None).lines().filter_map(|l| l.strip_prefix("::")) {
        let (head, message) = command.split_once("::").expect("a command");
        let property = |key: &str| {
            let start = format!("{key}=");
            let found = head.split([',', ' ']).find_map(|p| p.strip_prefix(&start)).expect("a property");
            unescape(found)
        };
        let number = |key: &str| property(key).parse::<usize>().expect("a number");
        let found = words(&property("file"), number("line"), number("col"), number("endColumn") + 1);
        let said = unescape(message);
        let stale = said.strip_prefix('`').and_then(|m| m.split("`: ").next()).expect("the stale words").trim_end_matches('…');
        let blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(blanks(&found).starts_with(&blanks(stale)), "{at}: {found:?} is not {stale:?}");
        compared += 1;
    }
    compared
}
