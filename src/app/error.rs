//! Why a command could not do its job, with advice.

/// The job could not be done (exit code 2).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading the repository.
    #[error(transparent)]
    Git(#[from] crate::git::Error),
    /// Reading the configuration.
    #[error(transparent)]
    Config(#[from] crate::config::Error),
    /// The environment of a job, or an artifact that is refused.
    #[cfg(feature = "github")]
    #[error(transparent)]
    Github(#[from] crate::github::Error),
    /// Reading or writing a file of the caller.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// Which file.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Writing a report.
    #[error("cannot write the report")]
    Report(#[source] std::io::Error),
    /// Anything that says itself what is wrong.
    #[error("{message}")]
    Invalid {
        /// What.
        message: String,
        /// What would be right.
        help: Option<String>,
    },
}

impl Error {
    /// What the user can do.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Git(error) => error.help(),
            Self::Config(error) => error.suggestion.clone(),
            Self::Invalid { help, .. } => help.clone(),
            #[cfg(feature = "github")]
            Self::Github(_) => None,
            Self::Io { .. } | Self::Report(_) => None,
        }
    }
}
