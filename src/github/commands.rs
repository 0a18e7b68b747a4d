//! Workflow commands: lines that the runner reads from the log. Text of the repository and of errors is escaped, so that it
//! never becomes a command of its own.

use std::hash::{BuildHasher, Hasher, RandomState};

/// How loud a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For information.
    Notice,
    /// Should be looked at.
    Warning,
    /// Is wrong.
    Error,
}

/// Escapes the message of a command.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A message of the run.
pub fn message(level: Level, title: &str, text: &str) -> String {
    let name = match level {
        Level::Notice => "notice",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let title = escape(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{name} title={title}::{}\n", escape(text))
}

/// A word that nobody can guess, to switch commands off with.
pub fn stop_token() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("refdrift-{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_a_command() {
        let line = message(Level::Warning, "a:b,c", "x\n::set-output name=y::z\r%0A");
        assert_eq!(line, "::warning title=a%3Ab%2Cc::x%0A::set-output name=y::z%0D%250A\n");
        assert_ne!(stop_token(), stop_token());
    }
}
