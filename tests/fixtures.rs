//! Every folder of `fixtures/repos`: `before` to `after` gives what `expected/findings.txt` says, and the same tree against
//! itself gives nothing. Every finding is checked by an oracle besides.
//!
//! `UPDATE_FIXTURES=1 cargo test --test fixtures` writes the expectation anew; read the diff before you commit it.
#![allow(clippy::disallowed_methods, clippy::panic, reason = "tests read their own fixtures")]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use refdrift::app::Analysis;
use refdrift::findings::{Relevant, evidence_hash, finding_id};
use refdrift::model::FactKind;

fn cases() -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = std::fs::read_dir(support::root().join("fixtures/repos"))
        .expect("fixtures")
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    out.sort();
    assert!(out.len() > 1, "no fixtures found");
    out
}

#[test]
fn before_to_after_gives_what_is_expected() {
    let update = std::env::var_os("UPDATE_FIXTURES").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let (before, after) = (support::read_tree(&case.join("before")), support::read_tree(&case.join("after")));
        let folder = support::repository(&[&before, &after]);
        let analysis = support::analyze(folder.path());
        oracle(&analysis, &after, &case);
        let found = support::lines(&analysis).join("\n") + "\n";
        let expected_file = case.join("expected/findings.txt");
        if update {
            std::fs::create_dir_all(case.join("expected")).expect("a folder");
            std::fs::write(&expected_file, &found).expect("written");
        }
        let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
        if found.trim() != expected.trim() {
            wrong.push(format!("{}\n--- expected\n{expected}--- found\n{found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{} fixtures differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_same_tree_is_silent() {
    for case in cases() {
        for side in ["before", "after"] {
            let files = support::read_tree(&case.join(side));
            let mut moved = files.clone();
            moved.insert("unrelated.bin".to_owned(), "x".to_owned());
            let folder = support::repository(&[&files, &moved]);
            for (base, head) in [("HEAD", "HEAD"), ("HEAD~1", "HEAD")] {
                let analysis = support::analyze_range(folder.path(), base, head);
                assert!(
                    analysis.sidecar.policy.findings.is_empty(),
                    "{} {side}: {:#?}",
                    case.display(),
                    support::lines(&analysis)
                );
            }
        }
    }
}

#[test]
fn equal_inputs_give_equal_bytes() {
    for case in cases().into_iter().step_by(5) {
        let (before, after) = (support::read_tree(&case.join("before")), support::read_tree(&case.join("after")));
        let folder = support::repository(&[&before, &after]);
        let text = || serde_json::to_string(&support::analyze(folder.path()).sidecar).expect("JSON");
        assert_eq!(text(), text(), "{}", case.display());
    }
}

#[test]
fn identity_survives_moved_lines_and_line_ends() {
    for case in cases() {
        let (before, after) = (support::read_tree(&case.join("before")), support::read_tree(&case.join("after")));
        let ids = |after: &BTreeMap<String, String>, before: &BTreeMap<String, String>| {
            let folder = support::repository(&[before, after]);
            support::analyze(folder.path()).sidecar.policy.findings.iter().map(|f| f.id.clone()).collect::<Vec<_>>()
        };
        let plain = ids(&after, &before);
        let crlf = |files: &BTreeMap<String, String>| {
            let turned = |path: &String, text: &String| if is_markdown(path) { text.replace('\n', "\r\n") } else { text.clone() };
            files.iter().map(|(p, t)| (p.clone(), turned(p, t))).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(ids(&crlf(&after), &crlf(&before)), plain, "CRLF in {}", case.display());
        let pushed = |files: &BTreeMap<String, String>| {
            let turned = |path: &String, text: &String| {
                let shift = is_markdown(path) && !text.starts_with("---") && !text.starts_with("<!--");
                if shift { format!("\n\n{text}") } else { text.clone() }
            };
            files.iter().map(|(p, t)| (p.clone(), turned(p, t))).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(ids(&pushed(&after), &pushed(&before)), plain, "moved lines in {}", case.display());
    }
}

fn is_markdown(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "md")
}

/// What must hold of every finding, whatever the fixture.
fn oracle(analysis: &Analysis, after: &BTreeMap<String, String>, case: &std::path::Path) {
    let sidecar = &analysis.sidecar;
    let at = case.display();
    assert_eq!(sidecar.findings.len(), sidecar.policy.findings.iter().filter(|f| f.routing.is_visible()).count(), "{at}");
    let counts = &sidecar.policy.counts;
    assert_eq!(
        counts.proposed + counts.excluded + counts.routed_to_l2 + counts.pending_version,
        sidecar.policy.findings.len(),
        "{at}"
    );
    for fact in &sidecar.changed_facts {
        for place in &fact.places {
            let text = &after[&place.document];
            let line = text.lines().nth(place.line as usize - 1).unwrap_or_default();
            let words: String = line
                .chars()
                .skip(place.column_start as usize - 1)
                .take((place.column_end - place.column_start) as usize)
                .collect();
            let stale = place.stale.trim_end_matches('…');
            assert!(
                stale.starts_with(words.split_whitespace().collect::<Vec<_>>().join(" ").trim()) && !words.trim().is_empty(),
                "{at}: {}:{} holds `{words}`, not `{}`",
                place.document,
                place.line,
                place.stale
            );
        }
    }
    for finding in &sidecar.policy.findings {
        let fact = sidecar
            .changed_facts
            .iter()
            .find(|fact| fact.places.iter().any(|p| p.finding == finding.id))
            .unwrap_or_else(|| panic!("{at}: {} has no place", finding.id));
        let change = analysis.changes.changes.iter().find(|c| c.cited().id() == fact.id).expect("its change");
        let hash = |side: Option<&refdrift::model::Fact>| refdrift::findings::value_hash(side);
        let relevant = match finding.category.as_str() {
            "broken-reference" => Relevant::Removed { target: fact.id.clone() },
            "changed-reference" => Relevant::Changed {
                target: fact.id.clone(),
                before: hash(change.before.as_ref()),
                after: hash(change.after.as_ref()),
            },
            "ambiguous-reference" => Relevant::Ambiguous { candidates: change.candidates.clone() },
            other => panic!("{at}: unexpected category {other}"),
        };
        assert_eq!(finding.evidence_hash, evidence_hash(&relevant), "{at}");
        assert_eq!(finding.id, finding_id(&finding.category, &finding.assertion, &relevant), "{at}");
        if finding.category == "changed-reference" && finding.routing.is_visible() {
            assert_eq!(finding.routing.as_str(), "routed-to-L2", "{at}: changed references go to a person");
        }
        let heads =
            finding.evidence.iter().filter(|e| e.context.as_deref().is_some_and(|c| c.starts_with("Head citation"))).count();
        assert!(heads >= 1, "{at}: no head citation");
        if change.before.is_some() && change.kind() != FactKind::DocPath && change.kind() != FactKind::Module {
            assert!(
                finding.evidence.iter().any(|e| e.context.as_deref().is_some_and(|c| c.starts_with("Base target valueHash: "))),
                "{at}"
            );
        }
    }
}
