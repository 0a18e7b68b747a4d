//! Paths inside a repository: `/` between segments, no leading `/`, never a file system path.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A path from the repository's root. Git stores bytes; a name that is not UTF-8 is kept with
/// replacement characters and noted where it was read, and objects are looked up by id, not by this text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RepoPath(String);

impl RepoPath {
    /// Wraps a path as git gives it.
    pub fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// The whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last segment without its last extension; a leading dot belongs to the stem.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        match name.rfind('.') {
            Some(at) if at > 0 => &name[..at],
            _ => name,
        }
    }

    /// The last extension, without the dot, as written; empty where there is none.
    pub fn extension(&self) -> &str {
        let name = self.file_name();
        match name.rfind('.') {
            Some(at) if at > 0 => &name[at + 1..],
            _ => "",
        }
    }

    /// The directory the path lies in; empty for the root.
    pub fn directory(&self) -> &str {
        self.0.rfind('/').map_or("", |at| &self.0[..at])
    }

    /// The segments from the root.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|s| !s.is_empty())
    }

    /// Resolves a relative reference (`./x`, `../x`, `x`) against a directory; a leading `/` means the root.
    /// `None` when it climbs above the root or names nothing.
    pub fn resolve(directory: &str, reference: &str) -> Option<Self> {
        let (start, rest) = match reference.strip_prefix('/') {
            Some(rest) => ("", rest),
            None => (directory, reference),
        };
        let mut parts: Vec<&str> = start.split('/').filter(|s| !s.is_empty()).collect();
        for part in rest.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                other => parts.push(other),
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some(Self(parts.join("/")))
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for RepoPath {
    fn from(path: &str) -> Self {
        Self(path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::RepoPath;

    #[test]
    fn splits_names() {
        let p = RepoPath::new("docs/a.b/guide.en.md");
        assert_eq!((p.file_name(), p.stem(), p.extension(), p.directory()), ("guide.en.md", "guide.en", "md", "docs/a.b"));
        let dot = RepoPath::new(".gitignore");
        assert_eq!((dot.stem(), dot.extension(), dot.directory()), (".gitignore", "", ""));
    }

    #[test]
    fn resolves_references() {
        let r = |d, t| RepoPath::resolve(d, t).map(|p| p.0);
        assert_eq!(r("docs/x", "../src/a.rs"), Some("docs/src/a.rs".into()));
        assert_eq!(r("docs", "/src/a.rs"), Some("src/a.rs".into()));
        assert_eq!(r("docs", "./a//b/."), Some("docs/a/b".into()));
        assert_eq!(r("docs", "../../a"), None);
        assert_eq!(r("", "."), None);
    }
}
