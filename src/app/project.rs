//! What the project calls itself at head, read from the manifests nearest to the root.

use std::collections::BTreeSet;

use super::sources::{MAX_SOURCE_BYTES, read_text};
use crate::citations::Project;
use crate::facts;
use crate::git::{FileEntry, Repository};
use crate::model::{Fact, FactKind};

/// Most manifests that are read.
const MAX_MANIFESTS: usize = 64;

const MANIFESTS: [&str; 8] =
    ["package.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "go.mod", "composer.json", "pom.xml"];

/// Adds the names of packages and tools to a project.
pub(super) fn describe(project: &mut Project<'_>, repository: &Repository, files: &[FileEntry], changed: &[Fact]) {
    let local = repository.local();
    let mut manifests: Vec<&FileEntry> = files
        .iter()
        .filter(|f| (MANIFESTS.contains(&f.path.file_name()) || f.path.extension() == "gemspec") && !facts::is_test_path(&f.path))
        .collect();
    manifests.sort_by_key(|f| (f.path.segments().count(), f.path.clone()));
    let mut names: Vec<Fact> = Vec::new();
    for file in manifests.into_iter().take(MAX_MANIFESTS) {
        if let Ok(text) = read_text(&local, file, MAX_SOURCE_BYTES) {
            names.extend(facts::extract(&file.path, &text).facts);
        }
    }
    for fact in names.iter().chain(changed) {
        match fact.kind {
            FactKind::Package if fact.value.get("ecosystem").is_some() => {
                let name = fact.name.to_lowercase();
                if let Some(last) = name.rsplit('/').next() {
                    project.packages.insert(last.to_owned());
                }
                project.packages.insert(name);
            }
            FactKind::CliCommand if fact.owner.trim_start_matches("command:").is_empty() => {
                project.tools.extend(fact.spellings().map(str::to_lowercase));
            }
            _ => {}
        }
    }
    for file in files {
        let segments: Vec<&str> = file.path.segments().collect();
        match segments.as_slice() {
            ["cmd", name, _, ..] | ["bin" | "exe", name] => {
                project.tools.insert((*name).to_lowercase());
            }
            [.., "src", "bin", name] => {
                project.tools.insert(name.trim_end_matches(".rs").to_lowercase());
            }
            _ => {}
        }
    }
    // Words that are other tools' or no tool's.
    for word in [
        "test", "tests", "main", "cli", "lib", "app", "docs", "example", "examples", "go", "node", "python", "git", "npm",
        "cargo",
    ] {
        project.tools.remove(word);
        project.packages.remove(word);
    }
    let _: &BTreeSet<String> = &project.tools;
}
