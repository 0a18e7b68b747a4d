//! What sort of document a path and its frontmatter make: frontmatter wins over configuration, configuration over the path.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Frontmatter, RepoPath};

/// Whether a document still speaks of the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// It does.
    Active,
    /// It is kept for the record: archive, decision record, changelog, release notes.
    Historical,
}

/// A document's classification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    /// Whether it speaks of the present.
    pub lifecycle: Lifecycle,
    /// Why.
    pub reason: String,
    /// The program that writes it, where that is known.
    pub generator: Option<String>,
}

/// Rules from the configuration, as the caller compiled them: lifecycle, audience, generator.
pub(super) type Configured = (Option<String>, Option<String>, Option<String>);

static RECORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(^|/)(adrs?/|decisions/|architecture-decisions/|rfcs?/|rfds?/|proposals?/|enhancements?/|(?:s|p|k|n|r|j|d)eps?/|change-?logs?([-_./]|$)|changes(\.|/|$)|(?:(?:version|release|revision)[-_]?)?history(\.|$)|news(\.|/|$)|",
        r"release[-_]?notes?(\.|/|$|-)|releases(\.|/)|_posts/.*released|what'?s?[-_]?(?:new|different|changed)([-_./]|$)|blog/|newsletters?/|announcements?/|[^/]*\d[^/]*announcement|changesets?/|\.changeset/)",
    ))
    .expect("valid pattern")
});

/// What a blog keeps by the day it was written.
static DATED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(^|/)(_posts/|[^/]*(?:19|20)\d\d-\d\d-\d\d|(?:19|20)\d\d(?:0[1-9]|1[0-2])-[^/]*$)").expect("valid pattern")
});

/// A frontmatter value as text; only strings count.
fn text<'a>(frontmatter: &'a Frontmatter, key: &str) -> Option<&'a str> {
    frontmatter.values.get(key).and_then(|v| v.as_str()).map(str::trim)
}

/// Classifies a document.
pub fn classify(path: &RepoPath, frontmatter: &Frontmatter, configured: Option<&Configured>) -> Classified {
    let declared = text(frontmatter, "lifecycle").map(str::to_lowercase);
    let audience = text(frontmatter, "audience")
        .or_else(|| text(frontmatter, "type").filter(|t| t.eq_ignore_ascii_case("archive")))
        .map(str::to_lowercase)
        .or_else(|| configured.and_then(|c| c.1.clone()));
    let generator = configured.and_then(|c| c.2.clone());
    let historical =
        |reason: &str| Classified { lifecycle: Lifecycle::Historical, reason: reason.to_owned(), generator: generator.clone() };
    let active =
        || Classified { lifecycle: Lifecycle::Active, reason: "Eligible for review".to_owned(), generator: generator.clone() };
    match declared.as_deref() {
        Some("active") => return active(),
        Some("archived" | "historical" | "deprecated" | "superseded") => {
            return historical("the frontmatter says that it is archived");
        }
        _ => {}
    }
    if audience.as_deref() == Some("archive") {
        return historical("the frontmatter says that it is for the archive");
    }
    match configured.and_then(|c| c.0.as_deref()) {
        Some("active") => return active(),
        Some(_) => return historical("the configuration says that it is archived"),
        None => {}
    }
    if super::log::is_release_note(frontmatter) {
        return historical("a note for a release tool by its frontmatter");
    }
    if is_kept_copy(path) {
        return historical("kept as it was, by its name");
    }
    if is_plan(path) {
        return historical("a plan or an inventory made for one piece of work");
    }
    if RECORD.is_match(path.as_str()) || is_folder_of_records(path) || is_of_one_release(path) {
        return historical("a record of the past by its path: decision record, changelog or release notes");
    }
    // Some sites number the pages of their manual so.
    let manual = text(frontmatter, "layout").is_some_and(|l| l.to_lowercase().starts_with("doc"));
    if DATED.is_match(path.as_str()) && !manual {
        return historical("a post by its path");
    }
    let archived = path.segments().rev().skip(1).any(|s| {
        matches!(
            s.to_lowercase().as_str(),
            "previous-versions"
                | "old-versions"
                | "archive"
                | "archived"
                | "archives"
                | "historical"
                | "docs-archive"
                | "legacy-docs"
                | "old-docs"
                | "attic"
                | "obsolete"
        )
    });
    if archived {
        return historical("archived by its path");
    }
    active()
}

/// Whether a page is about one release, or one step between two, by its name: `release_2.5.rst`, `6-to-7-change-summary.md`.
fn is_of_one_release(path: &RepoPath) -> bool {
    static RELEASE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^(?:release|api|changes|version|notes|whatsnew|reference|manual|docs|v)?[-_]?v?\d+\.\d+(?:\.(?:\d+|x))*$|(?:^|[-_])change-?summary$|(?:^|[-_])release[-_]log$|^decisions?(?:[-_]log)?$")
            .expect("valid pattern")
    });
    // A guide from one release to the next is for those who take the step.
    let folder = path.directory().to_lowercase();
    RELEASE.is_match(path.stem()) && !folder.contains("upgrad") && !folder.contains("migrat")
}

/// Whether a folder holds one piece for each decision or change: `proposals-accepted/`, `.changes/`, `changelog.d/`.
fn is_folder_of_records(path: &RepoPath) -> bool {
    // `design/012-cache.md`: numbered as decisions are.
    let numbered = path.stem().split(['-', '_']).next().is_some_and(|n| n.len() >= 3 && n.chars().all(|c| c.is_ascii_digit()));
    let designs = path.segments().rev().skip(1).any(|s| s.to_lowercase().split(['-', '_']).any(|w| w == "design"));
    if numbered && designs {
        return true;
    }
    // Issues that are kept as files, not pages on issues.
    // `full_changelog.md`.
    let stem = path.stem().to_lowercase();
    let words: Vec<&str> = stem.split(['-', '_', '.']).collect();
    if words.len() <= 3
        && matches!(words.last(), Some(&("changelog" | "changelogs")))
        && !words.iter().any(|w| w.starts_with("writ"))
    {
        return true;
    }
    let kept = path.directory().to_lowercase().starts_with(".github/issues");
    kept || path.segments().rev().skip(1).any(|segment| {
        let segment = segment.to_lowercase();
        matches!(segment.trim_start_matches(['.', '_']), "changes" | "changelog" | "newsfragments" | "designs" | "design-docs")
            || segment.split(['-', '_', '.']).any(|word| {
                matches!(
                    word,
                    "proposal" | "proposals" | "rfc" | "rfcs" | "adr" | "adrs" | "changelog" | "changelogs" | "changesets"
                )
            })
    })
}

/// Whether a name says that the page is the one there was before: `README_orig.md`, `guide.old.md`.
fn is_kept_copy(path: &RepoPath) -> bool {
    let stem = path.stem().to_lowercase();
    let last = stem.rsplit_once(['-', '_', '.']).map(|(_, last)| last);
    matches!(last, Some("orig" | "original" | "old" | "bak" | "backup"))
}

/// Documents that say what is to be done and what there was when they were written; done, nobody keeps them up.
fn is_plan(path: &RepoPath) -> bool {
    let stem = path.stem().to_lowercase();
    let words: Vec<&str> = stem.split(['-', '_', ' ']).collect();
    let plan = |w: &str| {
        matches!(
            w,
            "plan"
                | "plans"
                | "triage"
                | "prd"
                | "inventory"
                | "proposal"
                | "roadmap"
                | "todo"
                | "postmortem"
                | "retrospective"
                | "audit"
        )
    };
    // `design` alone is a document of its own; at the end of a longer name it is the design of one piece of work.
    let last = words.last().copied().unwrap_or("");
    // A checklist of a release is used again, one of a removal is not.
    let once = last == "checklist" && words.iter().any(|w| w.starts_with("remov") || w.starts_with("migrat"));
    plan(last)
        || once
        || words.len() > 1 && last == "design"
        || path.segments().rev().skip(1).any(|s| matches!(s, "plans" | "roadmaps"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(path: &str, frontmatter: &[(&str, serde_json::Value)], expected: Lifecycle) {
        let values = frontmatter.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        assert_eq!(classify(&path.into(), &Frontmatter { values, span: None }, None).lifecycle, expected, "{path}");
    }

    #[test]
    fn classifies() {
        use Lifecycle::{Active, Historical};
        check("docs/guide.md", &[], Active);
        check("docs/adr/0001-x.md", &[], Historical);
        check("CHANGELOG.md", &[], Historical);
        check("docs/changelog.rst", &[], Historical);
        check("README_orig.md", &[], Historical);
        check("docs/guide.old.md", &[], Historical);
        check("docs/threshold.md", &[], Active);
        check("docs/changelogging.md", &[], Active);
        check(".github/full_changelog.md", &[], Historical);
        check("docs/writing-a-changelog.md", &[], Active);
        check("docs/archive/x.md", &[], Historical);
        check("docs/archive/x.md", &[("lifecycle", json!("active"))], Active);
        check("docs/x.md", &[("lifecycle", json!("Archived"))], Historical);
        check("docs/x.md", &[("lifecycle", json!(1))], Active);
        check("docs/x.md", &[("audience", json!("archive"))], Historical);
        check("docs-archive/x.md", &[("audience", json!("human")), ("lifecycle", json!("active"))], Active);
        check("docs/whatsnew-3.0.rst", &[], Historical);
        check("docs/whats_new.md", &[], Historical);
        check("docs/versionhistory.rst", &[], Historical);
        check("docs/shell-history.md", &[], Active);
        check("docs/What's-different-in-2.0.md", &[], Historical);
        check("website/content/2016-05-26-exploring.md", &[], Historical);
        check("site/_posts/first.md", &[], Historical);
        check("site/_posts/2012-07-01-configuration.md", &[("layout", json!("docs"))], Active);
        check("docs/rfc3339-2020.md", &[], Active);
        check("sep/sep-008.rst", &[], Historical);
        check("docs/proposals/0001-cache.md", &[], Historical);
        check("docs/steps/one.md", &[], Active);
        check("docs/dev/phase-2-execution-plan.md", &[], Historical);
        check("docs/dev/cache-design.md", &[], Historical);
        check("docs/release/remove-v1-checklist.md", &[], Historical);
        check("docs/release/checklist.md", &[], Active);
        check("docs/proposals-accepted/query.md", &[], Historical);
        check(".changes/tray.md", &[], Historical);
        check("designs/cache.md", &[], Historical);
        check("docs/design/012-cache.md", &[], Historical);
        check("docs/_newsfragments/12.feature.rst", &[], Historical);
        check("docs/design/cache.md", &[], Active);
        check(".github/ISSUES/01-fix.md", &[], Historical);
        check("docs/issues/slow.md", &[], Active);
        check("changelog.d/123.md", &[], Historical);
        check("docs/notes/202108-metrics.md", &[], Historical);
        check("content/perf/2024-11-28-threading/index.md", &[], Historical);
        check("docs/202100-metrics.md", &[], Active);
        check("notes/tea.md", &[("kettle", json!("minor")), ("@kettle/api", json!("patch:feat"))], Historical);
        check("notes/tea.md", &[("kettle", json!("minor")), ("title", json!("Tea"))], Active);
        check("doc/release/release_2.5.rst", &[], Historical);
        check("doc/release/api_1.6.rst", &[], Historical);
        check("doc/reference_3.1.md", &[], Historical);
        check("legacy-docs/pots.md", &[], Historical);
        check("doc/release/old_release_log.rst", &[], Historical);
        check("docs/6-to-7-change-summary.md", &[], Historical);
        check("docs/DECISIONS.md", &[], Historical);
        check("docs/release.md", &[], Active);
        check("docs/upgrade_guides/5.0.md", &[], Active);
        check("docs/http2.md", &[], Active);
        check("docs/openapi-3.0.md", &[], Active);
        check("docs/design.md", &[], Active);
        check("docs/plants.md", &[], Active);
    }
}
