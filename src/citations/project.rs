//! What the project calls itself and which paths it has: context that resolution needs besides the changes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::model::{Fact, FactKind, RepoPath};
use crate::value::name;

/// Configuration keys by table or type: folded leaf, and the value at base where it is a literal.
pub type Tables = BTreeMap<String, BTreeMap<String, Option<Value>>>;

/// The project at head.
#[derive(Clone, Debug)]
pub struct Project<'a> {
    /// Names of its command line tools, lower case.
    pub tools: BTreeSet<String>,
    /// Names of its packages, lower case.
    pub packages: BTreeSet<String>,
    /// The repository's own name, lower case.
    pub repository: String,
    /// Every path at head.
    pub head: &'a BTreeSet<RepoPath>,
    /// Every path at base.
    pub base: &'a BTreeSet<RepoPath>,
    /// `owner/name` on the forge, lower case, where a manifest says it.
    pub slug: Option<String>,
    /// The configuration keys of each table or type of the changed files.
    pub tables: Tables,
    /// Names of directories and of files without their extension, on both sides.
    pub parts: BTreeSet<&'a str>,
    /// Directory names at head.
    pub head_directories: BTreeSet<&'a str>,
    /// File names at head, for files cited without a directory.
    pub head_names: BTreeSet<&'a str>,
    /// Major versions of the project's own packages.
    pub majors: BTreeSet<u32>,
    /// Paths of base that git finds elsewhere at head.
    pub moved: BTreeSet<RepoPath>,
    /// Paths of base that are gone and that git ignores at head: a build or a reader makes them.
    pub ignored: BTreeSet<RepoPath>,
    /// Directories of packages that are not published, besides the root.
    pub unpublished: BTreeSet<String>,
}

impl<'a> Project<'a> {
    /// A project with its paths on both sides.
    pub fn new(repository: &str, base: &'a BTreeSet<RepoPath>, head: &'a BTreeSet<RepoPath>) -> Self {
        Self {
            tools: BTreeSet::new(),
            packages: BTreeSet::new(),
            repository: repository.to_lowercase(),
            head,
            base,
            slug: None,
            tables: Tables::new(),
            parts: base.iter().chain(head).flat_map(|p| p.directory().split('/').chain([p.stem()])).collect(),
            head_directories: head.iter().flat_map(|p| p.directory().split('/')).collect(),
            head_names: head.iter().map(RepoPath::file_name).collect(),
            majors: BTreeSet::new(),
            moved: BTreeSet::new(),
            ignored: BTreeSet::new(),
            unpublished: BTreeSet::new(),
        }
    }

    /// Which table or type a configuration key belongs to.
    pub fn table_of(fact: &Fact) -> String {
        let container = fact.name.rsplit_once('.').map_or("", |(container, _)| container);
        format!("{}:{container}", fact.owner)
    }

    /// Records the configuration keys of changed files; the first value of a key counts, so facts of base come first.
    pub fn add_siblings<'f>(&mut self, facts: impl IntoIterator<Item = &'f Fact>) {
        for fact in facts.into_iter().filter(|f| f.kind == FactKind::ConfigKey) {
            let value = fact.value.get("default").or_else(|| fact.value.get("value")).cloned();
            self.tables.entry(Self::table_of(fact)).or_default().entry(name::fold(fact.leaf())).or_insert(value);
        }
    }

    /// Every name of the project itself, lower case.
    pub fn names(&self) -> BTreeSet<String> {
        self.tools.iter().chain(&self.packages).chain([&self.repository]).cloned().collect()
    }

    /// Whether a repository on the forge is this one.
    pub fn is_own_slug(&self, owner: &str, repository: &str) -> bool {
        match &self.slug {
            Some(slug) => *slug == format!("{owner}/{repository}").to_lowercase() || self.repository == repository.to_lowercase(),
            None => self.repository == repository.to_lowercase(),
        }
    }

    /// Whether a file or directory exists at head.
    pub fn exists(&self, path: &RepoPath) -> bool {
        exists(self.head, path)
    }

    /// Whether a file or directory existed at base.
    pub fn existed(&self, path: &RepoPath) -> bool {
        exists(self.base, path)
    }

    /// Whether a file belongs to a package that is not published and the document lies outside of it.
    pub fn is_unpublished(&self, file: &RepoPath, document: &RepoPath) -> bool {
        let within = |path: &RepoPath, folder: &str| path.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        self.unpublished.iter().any(|folder| within(file, folder) && !within(document, folder))
    }

    /// Whether a command word names one of the project's own tools.
    pub fn is_own_tool(&self, word: &str) -> bool {
        let word = word.rsplit('/').next().unwrap_or(word).to_lowercase();
        let word = word.split('@').next().unwrap_or(&word);
        self.tools.contains(word) || self.packages.contains(word) || self.repository == word
    }
}

fn exists(paths: &BTreeSet<RepoPath>, path: &RepoPath) -> bool {
    if paths.contains(path) {
        return true;
    }
    let prefix = format!("{path}/");
    paths.range(RepoPath::new(prefix.clone())..).next().is_some_and(|p| p.as_str().starts_with(&prefix))
}
