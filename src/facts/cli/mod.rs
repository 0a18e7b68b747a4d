//! Command lines by framework: commands and flags, read from their declarations.

pub mod annotated;
pub mod argparse;
pub mod autoconf;
pub mod c_options;
pub mod cac;
pub mod clap_builder;
pub mod clap_derive;
pub mod click;
pub mod cobra;
pub mod commander;
pub mod compared;
pub(crate) mod declared;
mod fluent;
pub mod go_flag;
pub mod kingpin;
pub mod nox;
pub mod option_parser;
pub mod options_table;
pub mod parse_args;
pub mod rust_flag_table;
pub mod typer;
pub mod urfave;
pub mod yargs;

use serde_json::Value;

use super::reading::Object;
use super::{NewFact, Source};
use crate::model::{ByteSpan, FactKind, RepoPath};

/// A flag under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flag {
    /// `--long` names and `-s` letters with their dashes; the first one is the flag's name.
    pub(crate) spellings: Vec<String>,
    /// Its projection.
    pub(crate) value: Object,
}

impl Flag {
    /// Adds `--name`.
    pub(crate) fn long(&mut self, name: &str) {
        self.spelling("--", name);
    }

    /// Adds `-n`.
    pub(crate) fn short(&mut self, name: &str) {
        self.spelling("-", name);
    }

    fn spelling(&mut self, dashes: &str, name: &str) {
        let name = name.trim_start_matches('-');
        if !name.is_empty() && !name.contains(char::is_whitespace) {
            self.spellings.push(format!("{dashes}{name}"));
        }
    }

    /// Sets a key of the projection.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.value.insert(key.to_owned(), value.into());
    }

    /// Sets a key that is only written where it holds.
    pub(crate) fn mark(&mut self, key: &str, holds: bool) {
        if holds {
            self.set(key, true);
        }
    }

    /// The fact; `None` without a spelling.
    pub(crate) fn fact(self, command: &[String], span: ByteSpan) -> Option<NewFact> {
        let name = self.spellings.iter().find(|s| s.starts_with("--")).or_else(|| self.spellings.first())?.clone();
        Some(NewFact::new(FactKind::CliFlag, owner(command), name, Value::Object(self.value), span).aliases(self.spellings))
    }
}

/// The owner of what belongs to a command: `command:tool sub`.
pub(crate) fn owner(command: &[String]) -> String {
    format!("command:{}", command.join(" "))
}

/// A command's fact: its owner is its parent, or itself where it has none.
pub(crate) fn command(parent: &[String], name: &str, arguments: Vec<String>, span: ByteSpan) -> NewFact {
    let own = [name.to_owned()];
    let parent = if parent.is_empty() { own.as_slice() } else { parent };
    let mut value = Object::new();
    value.insert("arguments".to_owned(), arguments.into());
    NewFact::new(FactKind::CliCommand, owner(parent), name, Value::Object(value), span)
}

/// The command that a file's flags belong to when the file does not name one: the file's stem, or for an entry file
/// the directory it lies in (`cmd/promtool/main.go` is `promtool`).
pub(crate) fn unnamed_command(source: &Source<'_>) -> String {
    stem_command(source.path())
}

fn stem_command(path: &RepoPath) -> String {
    let stem = path.stem();
    if matches!(stem, "main" | "mod" | "lib" | "index") {
        let directories: Vec<&str> = path.directory().split('/').collect();
        if let Some(name) = directories.iter().rev().find(|d| !d.is_empty() && !matches!(**d, "src" | "bin" | "cmd")) {
            return (*name).to_owned();
        }
    }
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_command_of_a_file() {
        for (path, expected) in [
            ("cmd/promtool/main.go", "promtool"),
            ("src/main.rs", "main"),
            ("crates/tool/src/main.rs", "tool"),
            ("src/cli.rs", "cli"),
            ("tool.py", "tool"),
        ] {
            assert_eq!(stem_command(&path.into()), expected, "{path}");
        }
    }
}
