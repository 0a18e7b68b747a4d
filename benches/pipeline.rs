//! The whole pipeline over a generated repository: many files, a small change. `cargo bench --bench pipeline`.
//!
//! The repository has 2,000 files in three languages and 200 pages; the change touches three of them. What is measured is what
//! `refdrift check` does between opening the repository and having the sidecar.
#![allow(missing_docs, reason = "a bench has no readers of its interface")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use refdrift::app::{CheckOptions, check};
use refdrift::git::{RangeOptions, write_sample};
use tempfile::TempDir;

const SOURCES: usize = 1_800;
const PAGES: usize = 200;

fn main() {
    divan::main();
}

/// The files at base (`changed` false) or head.
fn files(changed: bool) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    out.insert("package.json".to_owned(), "{ \"name\": \"archipelago\", \"version\": \"1.0.0\" }\n".to_owned());
    for i in 0..SOURCES {
        let value = if changed && i < 3 { i + 1_000 } else { i };
        let (path, text) = match i % 3 {
            0 => (
                format!("src/island{i}/ferry{i}.ts"),
                format!(
                    "export const FERRY_LIMIT_{i} = {value};\n\nexport function boardFerry{i}(name: string, count = {value}): number {{\n  return count + name.length;\n}}\n"
                ),
            ),
            1 => (
                format!("py/island{i}/tide_{i}.py"),
                format!("TIDE_LIMIT_{i} = {value}\n\n\ndef read_tide_{i}(path, window={value}):\n    return path\n"),
            ),
            _ => (
                format!("crates/island{i}/src/lib.rs"),
                format!(
                    "/// Deepest.\npub const DEPTH_LIMIT_{i}: u32 = {value};\n\n/// Goes down.\npub fn dive_to_{i}(metres: u32) -> u32 {{\n    metres\n}}\n"
                ),
            ),
        };
        out.insert(path, text);
    }
    for page in 0..PAGES {
        let mut text = format!("# Page {page}\n\n");
        for i in (page * 9)..(page * 9 + 9) {
            let name = ["FERRY_LIMIT", "TIDE_LIMIT", "DEPTH_LIMIT"][i % 3];
            writeln!(text, "`{name}_{i}` is {i} unless somebody says otherwise; see [the sources](../src).\n").expect("a string");
        }
        out.insert(format!("docs/page{page}.md"), text);
    }
    out
}

fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (before, after) = (files(false), files(true));
    let commit = |message: &'static str, map: &'static BTreeMap<String, String>| {
        (message, map.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect::<Vec<_>>())
    };
    let (before, after) = (Box::leak(Box::new(before)), Box::leak(Box::new(after)));
    write_sample(folder.path(), &[commit("before", before), commit("after", after)]).expect("a repository");
    folder
}

fn options(folder: &TempDir, base: &str) -> CheckOptions {
    CheckOptions {
        repository: folder.path().to_owned(),
        range: RangeOptions { base: Some(base.to_owned()), head: Some("HEAD".to_owned()) },
        ..CheckOptions::default()
    }
}

#[divan::bench(sample_count = 20)]
fn small_change_in_2000_files(bencher: divan::Bencher<'_, '_>) {
    let folder = repository();
    let options = options(&folder, "HEAD~1");
    bencher.bench(|| {
        let (analysis, _) = check(&options).expect("an analysis");
        assert_eq!(analysis.sidecar.findings.len(), 3);
        analysis.sidecar.findings.len()
    });
}

#[divan::bench(sample_count = 20)]
fn no_change_in_2000_files(bencher: divan::Bencher<'_, '_>) {
    let folder = repository();
    let options = options(&folder, "HEAD");
    bencher.bench(|| check(&options).expect("an analysis").0.sidecar.findings.len());
}
