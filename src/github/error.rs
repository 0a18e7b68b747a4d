//! What can go wrong while talking to GitHub. None of it ever loses a finding: the caller turns it into a notice.

/// A request that did not do what it should, or input that cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The environment or the event payload is not what GitHub Actions gives.
    #[error("{what}")]
    Environment {
        /// What is wrong.
        what: String,
    },
    /// No answer: refused, reset, or too slow. Whether a write was carried out is unknown.
    #[error("no answer to {request}: {why}")]
    NoAnswer {
        /// Method and path.
        request: String,
        /// Why.
        why: String,
    },
    /// An answer that is no success.
    #[error("{request} was answered with {status}: {message}")]
    Status {
        /// Method and path.
        request: String,
        /// The HTTP status.
        status: u16,
        /// What GitHub says.
        message: String,
    },
    /// An answer that cannot be read.
    #[error("the answer to {request} is not what was expected: {why}")]
    Answer {
        /// Method and path.
        request: String,
        /// Why.
        why: String,
    },
    /// The rate limit asks for a longer wait than the budget has left.
    #[error("{request} has to wait {seconds} s for the rate limit, longer than the time that is left for delivery")]
    RateLimited {
        /// Method and path.
        request: String,
        /// How long.
        seconds: u64,
    },
    /// The time for delivery is used up.
    #[error("the time for delivery was used up before {request}")]
    OutOfTime {
        /// Method and path.
        request: String,
    },
    /// An artifact that is refused.
    #[error("the sidecar is refused: {why}")]
    Refused {
        /// Why.
        why: String,
    },
}

impl Error {
    /// Whether the token may not do this: 401, 403, or 404, which GitHub answers where even the existence is hidden.
    pub fn is_permission(&self) -> bool {
        matches!(self, Self::Status { status: 401 | 403 | 404, .. })
    }

    /// Whether the request itself was refused as invalid.
    pub fn is_invalid(&self) -> bool {
        matches!(self, Self::Status { status: 422, .. })
    }

    /// Whether a write may have been carried out although no success was answered.
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Self::NoAnswer { .. } | Self::Answer { .. } | Self::Status { status: 500..=599, .. })
    }
}
