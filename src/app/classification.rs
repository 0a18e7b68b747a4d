//! What a document is: what it says of itself, what the configuration says of its path, what its path and its text show.

use std::collections::BTreeSet;

use crate::config::Config;
use crate::git::{FileEntry, GeneratedAttributes};
use crate::model::{Document, RepoPath};
use crate::policy::{self, Classified, Lifecycle, classify};

/// What the repository tells of a page besides its text.
pub(super) struct Surroundings<'a> {
    /// Files at head.
    pub(super) files: &'a [FileEntry],
    /// Names of the project's own tools and packages at head.
    pub(super) own_names: &'a BTreeSet<String>,
    /// Major versions of the project's own packages.
    pub(super) majors: &'a BTreeSet<u32>,
    /// Documents that claim something untrue.
    pub(super) claiming: &'a BTreeSet<RepoPath>,
}

/// Classifies a document. What the page or the configuration says of it wins over its path, and its path over its text.
pub(super) fn of(
    document: &Document,
    config: &Config,
    attributes: &GeneratedAttributes,
    around: &Surroundings<'_>,
) -> Classified {
    let configured = config
        .classify
        .iter()
        .find(|c| c.paths.is_match(document.path.as_str()))
        .map(|c| (c.lifecycle.clone(), c.audience.clone(), c.generator.clone()));
    let mut classified = classify(&document.path, &document.frontmatter, configured.as_ref());
    // What the page or the configuration says of itself wins over its path.
    let stated = document.frontmatter.values.get("lifecycle").and_then(|v| v.as_str());
    let declared = [stated, configured.as_ref().and_then(|c| c.0.as_deref())];
    let declared = declared.into_iter().flatten().any(|l| l.trim().eq_ignore_ascii_case("active"));
    if classified.lifecycle == Lifecycle::Active
        && !declared
        && let Some(reason) = around
            .older_major(&document.path)
            .or_else(|| policy::is_log(document).then_some("a log of changes by its entries"))
            .or_else(|| policy::says_that_it_is_stale(document).then_some("the page says that it is kept as it was"))
    {
        classified.lifecycle = Lifecycle::Historical;
        reason.clone_into(&mut classified.reason);
    }
    if classified.generator.is_none() {
        let marked = attributes.mark(&document.path).map(str::to_owned);
        classified.generator = marked.or_else(|| around.source_of(&document.path).map(|p| p.as_str().to_owned()));
    }
    classified
}

impl Surroundings<'_> {
    /// The document that a README is put together from, where it has the name that a tool gives it: `.README/README.md` of
    /// gitdown, `.verb.md` of verb. `None` where the source claims something untrue itself: then both are
    /// to be corrected.
    fn source_of(&self, page: &RepoPath) -> Option<&RepoPath> {
        if !page.stem().eq_ignore_ascii_case("readme") {
            return None;
        }
        let sources = [".README/README.md", ".verb.md"];
        let sources: Vec<RepoPath> = sources.iter().filter_map(|s| RepoPath::resolve(page.directory(), s)).collect();
        let source = self.files.iter().map(|f| &f.path).find(|p| sources.contains(p))?;
        let folder = source.directory();
        let parts = |p: &RepoPath| p == source || folder.ends_with(".README") && p.directory() == folder;
        (!self.claiming.iter().any(parts)).then_some(source)
    }

    /// Why a page is of an older major version: its folder (`v1`) stands beside that of a later one, or the project's own package
    /// has passed it (`module example.org/tool/v3`); or it is called `manual-v4.md` and every package of the project is later.
    fn older_major(&self, page: &RepoPath) -> Option<&'static str> {
        let major = |segment: &str| segment.strip_prefix('v').and_then(|n| n.parse::<u32>().ok());
        let by_folder = page.as_str().match_indices('/').any(|(at, _)| {
            let folder = &page.as_str()[..at];
            let (parent, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            // Versions of an interface live side by side.
            let Some(own) = major(name).filter(|_| !parent.to_lowercase().ends_with("api")) else { return false };
            let prefix = if parent.is_empty() { String::new() } else { format!("{parent}/") };
            let later = self.files.iter().filter_map(|f| f.path.as_str().strip_prefix(prefix.as_str())?.split_once('/'));
            let beside = later.filter_map(|(segment, _)| major(segment)).any(|other| other > own);
            beside || self.own_names.iter().filter_map(|n| major(n)).any(|current| current > own)
        });
        let named = page.stem().rsplit_once(['-', '_']).and_then(|(_, last)| major(last));
        let by_name = named.is_some_and(|own| self.majors.first().is_some_and(|least| *least > own));
        match (by_folder, by_name) {
            (true, _) => Some("its folder holds the pages of an older major version"),
            (_, true) => Some("its name says an older major version"),
            _ => None,
        }
    }
}
