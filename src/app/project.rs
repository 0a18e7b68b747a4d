//! What the project calls itself at head, read from the manifests nearest to the root.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::sources::{MAX_SOURCE_BYTES, read_text};
use crate::citations::Project;
use crate::facts;
use crate::git::{FileEntry, Repository};
use crate::model::{Fact, FactKind, RepoPath};

/// Most manifests that are read.
const MAX_MANIFESTS: usize = 64;

const MANIFESTS: [&str; 8] =
    ["package.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "go.mod", "composer.json", "pom.xml"];

static SLUG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)github\.com[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?(?:[/#\x22'\s)>]|$)").expect("valid pattern"));
static CLASSIFIER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"Programming Language :: Python :: (\d+\.\d+)\b").expect("valid pattern"));
/// Lines of manifests that say where the project lives.
static HOME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:repository|homepage|url|bugs|module|source|scm|website)\b").expect("valid pattern"));

fn slug(line: &str) -> Option<String> {
    SLUG.captures(line).map(|c| format!("{}/{}", &c[1], &c[2]).to_lowercase())
}

/// A minimum version of a runtime that a manifest at head states.
pub(super) struct Stated {
    /// The manifest's directory.
    pub(super) directory: String,
    pub(super) minimum: String,
    /// Versions that the manifest lists as supported, whatever it requires, or that a job of CI tests.
    pub(super) listed: Vec<String>,
}

/// The minimums of each runtime.
pub(super) type StatedRuntimes = BTreeMap<String, Vec<Stated>>;

/// Adds the names of packages and tools to a project; returns the minimum versions of runtimes that manifests at head
/// state.
pub(super) fn describe(
    project: &mut Project<'_>,
    repository: &Repository,
    files: &[FileEntry],
    changed: &[Fact],
    touched: &[&FileEntry],
) -> StatedRuntimes {
    let local = repository.local();
    let mut manifests: Vec<&FileEntry> = files
        .iter()
        .filter(|f| (MANIFESTS.contains(&f.path.file_name()) || f.path.extension() == "gemspec") && !facts::is_test_path(&f.path))
        .collect();
    manifests.sort_by_key(|f| (f.path.segments().count(), f.path.clone()));
    // Of packages that the change touches it must be known whether they are published.
    let packages = manifests.iter().chain(touched).filter(|f| f.path.file_name() == "package.json");
    for file in packages.filter(|f| !f.path.directory().is_empty()) {
        let folder = format!("{}/", file.path.directory());
        if touched.iter().any(|f| f.path.as_str().starts_with(&folder))
            && read_text(&local, file, MAX_SOURCE_BYTES).is_ok_and(|text| is_private(&text))
        {
            project.unpublished.insert(file.path.directory().to_owned());
        }
    }
    let mut names: Vec<Fact> = Vec::new();
    let mut listed: BTreeMap<RepoPath, Vec<String>> = BTreeMap::new();
    for file in manifests.into_iter().take(MAX_MANIFESTS) {
        if let Ok(text) = read_text(&local, file, MAX_SOURCE_BYTES) {
            let versions: Vec<String> = CLASSIFIER.captures_iter(&text).map(|c| c[1].to_owned()).collect();
            if !versions.is_empty() {
                listed.insert(file.path.clone(), versions);
            }
            if project.slug.is_none() {
                project.slug = text.lines().filter(|l| HOME.is_match(l)).find_map(slug);
            }
            names.extend(facts::extract(&file.path, &text).facts);
        }
    }
    for fact in names.iter().chain(changed) {
        match fact.kind {
            FactKind::Package if fact.value.get("ecosystem").is_some() => {
                let version = fact.value.get("version").and_then(serde_json::Value::as_str);
                project.majors.extend(version.and_then(|v| v.split('.').next()?.parse::<u32>().ok()));
                let name = fact.name.to_lowercase();
                if let Some(last) = name.rsplit(['/', ':']).next() {
                    project.packages.insert(last.to_owned());
                }
                project.packages.insert(name);
            }
            // A manifest declares the tool itself; code also declares its commands.
            FactKind::CliCommand
                if fact.owner.trim_start_matches("command:").is_empty() || MANIFESTS.contains(&fact.path.file_name()) =>
            {
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
    if project.slug.is_none() {
        project.slug = slug_of_readme(&local, files);
    }
    if let Some((_, name)) = project.slug.as_deref().and_then(|s| s.split_once('/')) {
        project.packages.insert(name.to_owned());
    }
    let mut stated = StatedRuntimes::new();
    for fact in names.iter().filter(|f| f.kind == FactKind::Package) {
        if let Some(minimum) = fact.value.get("minimum").and_then(serde_json::Value::as_str) {
            let directory = fact.path.directory().to_owned();
            let listed = listed.remove(&fact.path).filter(|_| fact.name == "python").unwrap_or_default();
            stated.entry(fact.name.clone()).or_default().push(Stated { directory, minimum: minimum.to_owned(), listed });
        }
    }
    if changed.iter().any(is_of_ci) {
        for fact in jobs(&local, files) {
            let listed = fact.listed_versions().into_iter().map(str::to_owned).collect();
            stated.entry(fact.name).or_default().push(Stated { directory: String::new(), minimum: String::new(), listed });
        }
    }
    for (path, listed) in listed {
        let directory = path.directory().to_owned();
        stated.entry("python".to_owned()).or_default().push(Stated { directory, minimum: String::new(), listed });
    }
    stated
}

/// Whether a fact is a version that CI tests.
fn is_of_ci(fact: &Fact) -> bool {
    fact.kind == FactKind::Package && fact.owner.ends_with("#ci")
}

/// The versions that the workflows at head test.
fn jobs(local: &crate::git::LocalRepository, files: &[FileEntry]) -> Vec<Fact> {
    let workflows = files.iter().filter(|f| f.path.directory() == ".github/workflows").take(MAX_MANIFESTS);
    let texts = workflows.filter_map(|f| Some((&f.path, read_text(local, f, MAX_SOURCE_BYTES).ok()?)));
    texts.flat_map(|(path, text)| facts::extract(path, &with_disabled(&text)).facts).filter(is_of_ci).collect()
}

/// A workflow with the versions of its lists that are commented out: what is off for a while is still supported.
fn with_disabled(workflow: &str) -> std::borrow::Cow<'_, str> {
    static DISABLED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?m)^(\s*)#\s*(-\s*['"]?\d+(?:\.\d+)*(?:\.x)?['"]?\s*)$"#).expect("valid pattern"));
    DISABLED.replace_all(workflow, "$1$2")
}

/// Whether a manifest of npm keeps its package from being published.
fn is_private(manifest: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(manifest).is_ok_and(|v| v.get("private") == Some(&serde_json::Value::Bool(true)))
}

/// Without a manifest: the repository that the root README links most, if it does so three times and twice as often as any other.
fn slug_of_readme(local: &crate::git::LocalRepository, files: &[FileEntry]) -> Option<String> {
    let readme = files.iter().find(|f| f.path.directory().is_empty() && f.path.stem().eq_ignore_ascii_case("readme"))?;
    let text = read_text(local, readme, MAX_SOURCE_BYTES).ok()?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for found in SLUG.captures_iter(&text) {
        *counts.entry(format!("{}/{}", &found[1], &found[2]).to_lowercase()).or_default() += 1;
    }
    let mut ranked: Vec<(String, usize)> = counts.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let (name, count) = ranked.first()?.clone();
    let second = ranked.get(1).map_or(0, |r| r.1);
    (count >= 3 && count >= second * 2).then_some(name)
}
