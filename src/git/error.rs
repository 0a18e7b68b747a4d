//! What can go wrong while reading a repository, and what to do about it.

use std::path::PathBuf;

/// The job could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No repository here or above.
    #[error("{} is not in a git repository", path.display())]
    NotARepository {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A repository that cannot be read.
    #[error("the git repository at {} cannot be opened", path.display())]
    Open {
        /// Where it lies.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A revision that names nothing.
    #[error("revision `{revision}` cannot be resolved{}", if *shallow { " in this shallow clone" } else { "" })]
    UnknownRevision {
        /// As given.
        revision: String,
        /// Whether history is cut off.
        shallow: bool,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The repository has no commit.
    #[error("the repository has no commit yet")]
    NoCommit,
    /// Base and head share history, but not in this clone.
    #[error("no merge base of `{base}` and `{head}` in this shallow clone")]
    ShallowHistory {
        /// As given.
        base: String,
        /// As given.
        head: String,
    },
    /// Base and head share no history.
    #[error("`{base}` and `{head}` have no common ancestor")]
    UnrelatedHistories {
        /// As given.
        base: String,
        /// As given.
        head: String,
    },
    /// No branch to compare with.
    #[error("no default branch found to compare with (looked for {looked_for})")]
    NoDefaultBranch {
        /// The names that were tried.
        looked_for: String,
    },
    /// An object cannot be read.
    #[error("cannot read {what}")]
    Object {
        /// Which.
        what: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// What the user can do.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::NotARepository { .. } => Some("run inside a repository or name one with --repo DIR".to_owned()),
            Self::Open { .. } | Self::Object { .. } => Some("check the repository with `git fsck`".to_owned()),
            Self::UnknownRevision { shallow: true, .. } | Self::ShallowHistory { .. } => Some(format!(
                "fetch more history: locally `git fetch --unshallow`; in a workflow\n\n{}",
                "      - uses: actions/checkout@v5\n        with:\n          fetch-depth: 0"
            )),
            Self::UnknownRevision { .. } => {
                Some("name a commit, branch or tag of this repository; `git fetch` it first if it is a remote one".to_owned())
            }
            Self::NoCommit => Some("commit something first".to_owned()),
            Self::UnrelatedHistories { .. } => Some("name a base that head was branched from".to_owned()),
            Self::NoDefaultBranch { .. } => Some("name the base with --base REV".to_owned()),
        }
    }

    pub(super) fn object(what: impl Into<String>, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Object { what: what.into(), source: Box::new(source) }
    }
}
