//! Scores refdrift on labelled changes of your own history: recall by kind, false alarms, and how often a confidence keeps
//! its word.
//!
//! ```sh
//! REFDRIFT_CASES=cases.jsonl REFDRIFT_REPOS=clones cargo bench --bench labelled
//! ```
//!
//! A case is one JSON object a line: `id`, `repo` (`owner/name`), `base`, `head` (revisions), `kind`, `fact`, `expected`
//! (`changed-reference`, `broken-reference` or `none`) and `docs` (`path` and, for a stale line, `line`). Clones lie at
//! `owner+name/repo`, `owner+name` or `owner/name` below the folder. A positive is hit when a visible finding cites a line
//! within three of the labelled one, or has the fact as its key; a negative is a false alarm when a visible finding of the
//! document has the fact as its key.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a measuring program reads its own input and prints")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use refdrift::app::{CheckOptions, check};
use refdrift::git::RangeOptions;
use refdrift::model::{Finding, Sidecar};
use serde_json::Value;

fn main() {
    let setting = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    let (Some(cases), Some(repos)) = (setting("REFDRIFT_CASES"), setting("REFDRIFT_REPOS")) else {
        println!("set REFDRIFT_CASES to a file of labelled cases and REFDRIFT_REPOS to the folder of their clones");
        return;
    };
    match run(Path::new(&cases), Path::new(&repos)) {
        Ok(tally) => tally.print(),
        Err(message) => println!("{message}"),
    }
}

/// Hits and misses, and how often a confidence was right.
#[derive(Default)]
struct Tally {
    by_kind: BTreeMap<String, (usize, usize)>,
    positives: (usize, usize),
    category: usize,
    negatives: (usize, usize),
    unavailable: usize,
    confidence: BTreeMap<u32, (usize, usize)>,
}

fn run(cases: &Path, repos: &Path) -> Result<Tally, String> {
    let text = std::fs::read_to_string(cases).map_err(|e| format!("cannot read {}: {e}", cases.display()))?;
    let mut tally = Tally::default();
    let mut runs: BTreeMap<(PathBuf, String, String), Option<Sidecar>> = BTreeMap::new();
    for (row, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).map_err(|e| format!("{}:{}: {e}", cases.display(), row + 1))?;
        let field = |name: &str| case.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(folder) = folder(repos, &field("repo")) else {
            tally.unavailable += 1;
            continue;
        };
        let key = (folder.clone(), field("base"), field("head"));
        let sidecar = runs.entry(key).or_insert_with(|| {
            let options = CheckOptions {
                repository: folder,
                range: RangeOptions { base: Some(field("base")), head: Some(field("head")) },
                ..CheckOptions::default()
            };
            check(&options).ok().map(|(analysis, _)| analysis.sidecar)
        });
        match sidecar {
            Some(sidecar) => tally.score(&case, &field("kind"), &field("fact"), &field("expected"), sidecar),
            None => tally.unavailable += 1,
        }
    }
    Ok(tally)
}

fn folder(repos: &Path, slug: &str) -> Option<PathBuf> {
    let (owner, name) = slug.split_once('/')?;
    [format!("{owner}+{name}/repo"), format!("{owner}+{name}"), format!("{owner}/{name}")]
        .into_iter()
        .map(|candidate| repos.join(candidate))
        .find(|path| path.is_dir())
}

fn names(finding: &Finding, fact: &str) -> bool {
    let plain = |text: &str| text.trim_start_matches('-').replace('_', "-").to_lowercase();
    let (key, fact) = (plain(&finding.assertion.key), plain(fact));
    key == fact || key.ends_with(&format!(".{fact}")) || fact.ends_with(&format!(".{key}"))
}

fn cites(finding: &Finding, line: u64) -> bool {
    let heads =
        finding.evidence.iter().filter(|e| e.path == finding.assertion.document && e.context.as_deref() != Some("Base citation"));
    heads.filter_map(|e| e.line_start).any(|start| u64::from(start).abs_diff(line) <= 3)
}

impl Tally {
    fn score(&mut self, case: &Value, kind: &str, fact: &str, expected: &str, sidecar: &Sidecar) {
        let docs: Vec<(&str, u64)> = case
            .get("docs")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|d| Some((d.get("path")?.as_str()?, d.get("line").and_then(Value::as_u64).unwrap_or(0))))
            .collect();
        let hit = sidecar.findings.iter().find(|finding| {
            let here = docs.iter().filter(|(path, _)| finding.assertion.document == *path);
            let mut near = here.clone().map(|(_, line)| *line);
            if docs.is_empty() {
                names(finding, fact)
            } else {
                here.count() > 0 && (names(finding, fact) || expected != "none" && near.any(|l| cites(finding, l)))
            }
        });
        if let Some(finding) = hit {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a confidence is between 0 and 1")]
            let bucket = (finding.confidence * 100.0).round() as u32;
            let entry = self.confidence.entry(bucket).or_default();
            entry.1 += 1;
            entry.0 += usize::from(expected != "none");
        }
        if expected == "none" {
            self.negatives.1 += 1;
            self.negatives.0 += usize::from(hit.is_some());
            return;
        }
        let entry = self.by_kind.entry(kind.to_owned()).or_default();
        entry.1 += 1;
        entry.0 += usize::from(hit.is_some());
        self.positives.1 += 1;
        self.positives.0 += usize::from(hit.is_some());
        self.category += usize::from(hit.is_some_and(|f| f.category == expected));
    }

    fn print(&self) {
        println!("recall {}/{}, right category {}/{}", self.positives.0, self.positives.1, self.category, self.positives.0);
        for (kind, (hits, all)) in &self.by_kind {
            println!("  {kind:<16} {hits}/{all}");
        }
        println!("false alarms {}/{} negatives, {} cases unavailable", self.negatives.0, self.negatives.1, self.unavailable);
        println!("confidence claimed: right of labelled");
        for (bucket, (right, all)) in &self.confidence {
            println!("  {:.2}: {right}/{all}", f64::from(*bucket) / 100.0);
        }
    }
}
