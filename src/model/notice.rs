//! Notices: what the tool could not look at. Never a finding, never an error.

use serde::{Deserialize, Serialize};

use super::RepoPath;

/// Why something was not analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeCode {
    /// Larger than the read limit.
    TooLarge,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The path's bytes are not UTF-8.
    PathNotUtf8,
    /// The parser met a syntax error; what could be read was read.
    SyntaxError,
    /// Frontmatter that is not valid YAML or TOML.
    BrokenFrontmatter,
    /// More entries than the bound; the rest was not looked at.
    LimitReached,
    /// A symbolic link; its target was not followed.
    Symlink,
    /// A submodule; its content is another repository's.
    Submodule,
    /// The object is not in the clone (partial or damaged).
    MissingObject,
    /// A construct whose value cannot be read statically.
    NotStatic,
    /// Renames by similarity were not looked for: too many candidates.
    RenameLimit,
    /// A suppression that matched nothing.
    UnusedSuppression,
    /// A suppression past its date.
    ExpiredSuppression,
    /// A suppression that cannot be understood.
    InvalidSuppression,
    /// An event or setting that asks for nothing refdrift does.
    UnsupportedEvent,
    /// Something about delivery.
    Delivery,
}

/// One thing that was not, or not wholly, analysed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Notice {
    /// Why.
    pub code: NoticeCode,
    /// Which file; absent where it concerns the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// One sentence for people.
    #[schemars(length(min = 1, max = 1024))]
    pub message: String,
}

impl Notice {
    /// A notice about a file.
    pub fn file(code: NoticeCode, path: &RepoPath, message: impl Into<String>) -> Self {
        Self { code, path: Some(path.as_str().to_owned()), message: message.into() }
    }

    /// A notice about the run.
    pub fn run(code: NoticeCode, message: impl Into<String>) -> Self {
        Self { code, path: None, message: message.into() }
    }
}
