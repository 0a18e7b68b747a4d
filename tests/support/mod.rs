//! What integration tests share: fixture folders as repositories, and findings as compact lines.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::disallowed_methods,
    reason = "each test crate uses its own part; tests read their own fixtures"
)]

pub mod program;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use refdrift::app::{Analysis, CheckOptions, check};
use refdrift::git::{RangeOptions, write_sample};
use tempfile::TempDir;

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of a folder: path with `/`, text.
pub fn read_tree(folder: &Path) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_string_lossy().replace('\\', "/");
                out.insert(name, std::fs::read_to_string(&path).expect("a text file"));
            }
        }
    }
    out
}

/// A repository with one commit for each set of files.
pub fn repository(commits: &[&BTreeMap<String, String>]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let commits: Vec<(&str, Vec<(&str, &str)>)> =
        commits.iter().map(|files| ("commit", files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect())).collect();
    write_sample(folder.path(), &commits).expect("a repository");
    folder
}

/// A repository of two commits from pairs of path and text.
pub fn pair(before: &[(&str, &str)], after: &[(&str, &str)]) -> TempDir {
    let tree = |files: &[(&str, &str)]| files.iter().map(|(p, t)| ((*p).to_owned(), (*t).to_owned())).collect::<BTreeMap<_, _>>();
    repository(&[&tree(before), &tree(after)])
}

/// Checks the last commit of a repository against the one before.
pub fn analyze(folder: &Path) -> Analysis {
    analyze_range(folder, "HEAD~1", "HEAD")
}

/// Checks a range.
pub fn analyze_range(folder: &Path, base: &str, head: &str) -> Analysis {
    let options = CheckOptions {
        repository: folder.to_owned(),
        range: RangeOptions { base: Some(base.to_owned()), head: Some(head.to_owned()) },
        ..CheckOptions::default()
    };
    check(&options).expect("an analysis").0
}

/// Findings as lines: `category routing confidence document:line key | stale words | rule`, sorted.
pub fn lines(analysis: &Analysis) -> Vec<String> {
    let sidecar = &analysis.sidecar;
    let mut out = Vec::new();
    for fact in &sidecar.changed_facts {
        for place in &fact.places {
            let finding = sidecar.policy.findings.iter().find(|f| f.id == place.finding).expect("every place has its finding");
            let update = if finding.documentation_update.is_some() { " edited" } else { "" };
            let generator = finding.generator.as_deref().map(|g| format!(" by {g}")).unwrap_or_default();
            let renamed = fact.renamed_to.as_deref().map(|n| format!(" => {n}")).unwrap_or_default();
            out.push(format!(
                "{}:{} {} `{}`{renamed}: {} | {} | {} {} {}{update}{generator}",
                place.document,
                place.line,
                fact.kind.as_str(),
                finding.assertion.key,
                place.stale,
                place.rule.as_str(),
                finding.category,
                finding.routing.as_str(),
                place.confidence,
            ));
        }
    }
    out.sort();
    out
}
