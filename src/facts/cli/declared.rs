//! Commands and flags as the frameworks' extractors gather them, and how they become facts.

use serde_json::Value;

use crate::facts::written::{Projection, Written, without_name};
use crate::facts::{FactSink, NewFact};
use crate::model::{ByteSpan, FactKind, RepoPath};

/// Fewest words of a declaration by which a flag is recognised under another name.
const MIN_WORDS: usize = 6;

/// A flag in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flag {
    /// As written, dashes included, in order.
    pub(crate) spellings: Vec<String>,
    /// Whether a value follows; `None` where that is not written.
    pub(crate) takes_value: Option<bool>,
    /// What holds when it is not given.
    pub(crate) default: Option<Written>,
    /// The allowed values, where they are literal.
    pub(crate) choices: Vec<Value>,
    /// Whether it must be given.
    pub(crate) required: bool,
    /// Whether it may be given, or take values, more than once.
    pub(crate) multiple: bool,
}

impl Flag {
    /// Records the flag of a command; `text` is its declaration. Without a command the file stands for it. A declaration of a
    /// few words (no help) is like others and proves no rename.
    pub(crate) fn record(self, command: &str, span: ByteSpan, text: &str, sink: &mut FactSink<'_>) {
        let Some(name) = self.name() else { return };
        let command = if command.is_empty() { unnamed(sink.path()) } else { command.to_owned() };
        let value = match self.takes_value {
            Some(takes_value) => Projection::default().value("takesValue", takes_value),
            None => Projection::default(),
        };
        let value = value
            .written("default", self.default)
            .list("choices", self.choices)
            .yes("required", self.required)
            .yes("multiple", self.multiple)
            .build();
        let body = if text.split_whitespace().count() < MIN_WORDS { String::new() } else { without_name(text, &name) };
        sink.push(
            NewFact::new(FactKind::CliFlag, format!("command:{command}"), &name, value, span)
                .body(&body)
                .aliases(self.spellings.into_iter().filter(|s| is_flag(s))),
        );
    }

    /// The first long spelling that is no negation, else the first long one, else the first.
    fn name(&self) -> Option<String> {
        let flags = || self.spellings.iter().filter(|s| is_flag(s));
        flags()
            .find(|s| s.starts_with("--") && !s.starts_with("--no-"))
            .or_else(|| flags().find(|s| s.starts_with("--")))
            .or_else(|| flags().next())
            .cloned()
    }
}

/// Whether a text is a flag's spelling: dashes, then a letter or digit, then no blanks, quotes or `=`.
pub(crate) fn is_flag(text: &str) -> bool {
    let body = text.strip_prefix("--").or_else(|| text.strip_prefix('-')).unwrap_or_default();
    body.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '?' | '@' | '#'))
        && body.len() <= 100
        && body.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '?' | '@' | '#' | '+'))
}

/// The spellings of a declaration such as `-p, --port <n>`, whether a value follows, and whether several may.
pub(crate) fn parse_spec(spec: &str) -> Flag {
    let end = spec.find(['<', '[', '=']).unwrap_or(spec.len());
    let (names, value) = spec.split_at(end);
    let spellings = names.split([',', '|', ' ']).filter(|name| is_flag(name)).map(str::to_owned).collect();
    Flag { spellings, takes_value: Some(!value.is_empty()), multiple: value.contains("..."), ..Flag::default() }
}

/// The name and positional arguments of a declaration such as `clone <source> [directory]`.
pub(crate) fn parse_usage(usage: &str) -> (String, Vec<String>) {
    let mut words = usage.split_whitespace().peekable();
    let name = words.next_if(|word| !word.starts_with(['<', '['])).unwrap_or_default().to_owned();
    let arguments =
        words.filter(|word| word.starts_with(['<', '['])).map(argument_name).filter(|name| !name.is_empty()).collect();
    (name, arguments)
}

/// `source` of `<source>`, `[source...]` or `[...source]`.
pub(crate) fn argument_name(word: &str) -> String {
    word.trim_matches(['<', '>', '[', ']', '.', ' ']).to_owned()
}

/// A command in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Command {
    /// The path of the command it belongs to; empty where the file does not show it.
    pub(crate) parent: String,
    /// Its name; a command without one is not recorded.
    pub(crate) name: String,
    /// Its positional arguments, in order.
    pub(crate) arguments: Vec<String>,
    /// Further names.
    pub(crate) aliases: Vec<String>,
}

impl Command {
    /// Records the command. One whose parent is not known is its own owner, as a program is.
    pub(crate) fn record(self, span: ByteSpan, sink: &mut FactSink<'_>) {
        let owner = if self.parent.is_empty() { &self.name } else { &self.parent };
        let owner = format!("command:{owner}");
        let arguments = self.arguments.into_iter().map(Value::String).collect::<Vec<_>>();
        let value = Projection::default().value("arguments", arguments).build();
        sink.push(NewFact::new(FactKind::CliCommand, owner, self.name, value, span).aliases(self.aliases));
    }
}

/// The command that a file's flags belong to where the file does not name one: the file's stem, or for an entry file the
/// directory it lies in.
fn unnamed(path: &RepoPath) -> String {
    let stem = path.stem();
    if !matches!(stem, "main" | "mod" | "lib" | "index" | "__main__" | "__init__") {
        return stem.to_owned();
    }
    let mut directories = path.segments().rev().skip(1);
    directories.find(|d| !matches!(*d, "src" | "bin" | "cmd" | "lib")).unwrap_or(stem).to_owned()
}

/// The path of a command under another: `tool serve`.
pub(crate) fn join(parent: &str, name: &str) -> String {
    match (parent.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => parent.to_owned(),
        _ => format!("{parent} {name}"),
    }
}

/// The path and name of a command, from its whole path.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once(' ').unwrap_or(("", path))
}

/// `camelCase` as a flag is spelled.
pub(crate) fn kebab(name: &str) -> String {
    crate::value::name::words(name).join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_a_flag_by_its_first_long_spelling() {
        for (spellings, expected) in [
            (vec!["-p", "--port"], Some("--port")),
            (vec!["--no-color", "--color"], Some("--color")),
            (vec!["--no-color"], Some("--no-color")),
            (vec!["-v"], Some("-v")),
            (vec!["port", "--"], None),
        ] {
            let flag = Flag { spellings: spellings.iter().map(|s| (*s).to_owned()).collect(), ..Flag::default() };
            assert_eq!(flag.name().as_deref(), expected);
        }
    }

    #[test]
    fn names_the_command_of_a_file() {
        for (path, expected) in [
            ("src/black/__init__.py", "black"),
            ("uvicorn/main.py", "uvicorn"),
            ("packages/tool/src/index.ts", "tool"),
            ("src/main.py", "main"),
            ("bin/run.js", "run"),
        ] {
            assert_eq!(unnamed(&path.into()), expected, "{path}");
        }
    }

    #[test]
    fn joins_and_splits_paths() {
        assert_eq!(join("tool", "serve"), "tool serve");
        assert_eq!(join("", "serve"), "serve");
        assert_eq!(split("tool serve"), ("tool", "serve"));
        assert_eq!(split("tool"), ("", "tool"));
    }
}
