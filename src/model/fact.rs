//! Facts: one statement about the code at one commit.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ByteSpan, LineSpan, RepoPath};

/// What a fact speaks of. The kebab-case names are those of the change set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// A definition: function, class, type, constant, method, enum variant. Owner: its module.
    Symbol,
    /// Parameters, return type, members, variants of a definition. Owner: its module.
    Signature,
    /// The literal value of a constant. Owner: its module.
    Constant,
    /// A command or subcommand. Owner: the tool or parent command.
    CliCommand,
    /// A flag. Owner: its command.
    CliFlag,
    /// A key of a configuration file, or a field of a settings type. Owner: the file or module.
    ConfigKey,
    /// An environment variable that the code reads.
    EnvVar,
    /// A script, target or environment that people run by name.
    Task,
    /// An input or output of an `action.yml`.
    ActionInput,
    /// A manifest's statement: own version, minimum version of a runtime, a dependency.
    Package,
    /// A source file exists at a path.
    Module,
    /// A document, directory or other file exists at a path.
    DocPath,
}

impl FactKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [FactKind; 12] = [
        Self::Symbol,
        Self::Signature,
        Self::Constant,
        Self::CliCommand,
        Self::CliFlag,
        Self::ConfigKey,
        Self::EnvVar,
        Self::Task,
        Self::ActionInput,
        Self::Package,
        Self::Module,
        Self::DocPath,
    ];

    /// The name in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Symbol => "symbol",
            Self::Signature => "signature",
            Self::Constant => "constant",
            Self::CliCommand => "cli-command",
            Self::CliFlag => "cli-flag",
            Self::ConfigKey => "config-key",
            Self::EnvVar => "env-var",
            Self::Task => "task",
            Self::ActionInput => "action-input",
            Self::Package => "package",
            Self::Module => "module",
            Self::DocPath => "doc-path",
        }
    }

    /// Whether the fact is about a path, not about what stands in a file.
    pub fn is_path(self) -> bool {
        matches!(self, Self::Module | Self::DocPath)
    }
}

/// Who may use a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Exported, `pub`, capitalised in Go, without a leading underscore in Python.
    Public,
    /// Anything else.
    Internal,
}

/// One statement about the code at one commit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it speaks of.
    pub kind: FactKind,
    /// Who owns the name, e.g. `module:src/a.ts`, `command:tool serve`, `file:config/app.yaml`.
    pub owner: String,
    /// The name as documents cite it: `Class.method`, `--flag`, `session.idle_timeout`, `PORT`.
    pub name: String,
    /// The projection: what of the code the fact states, as JSON (`design.md` section 5).
    /// Literal values stand as JSON scalars; durations as text with a unit (`20m`). A value that is computed
    /// stands under `<key>Expr` instead of `<key>` and takes part in no value comparison.
    pub value: Value,
    /// The file.
    pub path: RepoPath,
    /// Where in the file the statement stands.
    pub span: ByteSpan,
    /// The same in lines.
    pub lines: LineSpan,
    /// Further spellings under which the code accepts the name: aliases, short flags, serde aliases, tags.
    pub aliases: Vec<String>,
    /// Who may use it.
    pub visibility: Visibility,
    /// Hash of what the definition says apart from its own name: with an equal projection it proves a rename.
    pub body_hash: Option<String>,
}

impl Fact {
    /// What the projection of a name says that no definition declares: it stands in code as text or as a key.
    pub const WORD: &'static str = "word";

    /// What the projection of a list of texts says: documents may repeat it, and never name it.
    pub const LIST: &'static str = "list";

    /// What the projection of an option says that code passes to what it calls.
    pub const ARGUMENT: &'static str = "argument";

    /// Whether the fact is a value that nothing declares: when it goes, no name goes with it.
    pub fn is_value_only(&self) -> bool {
        matches!(self.value.get("declared").and_then(Value::as_str), Some(Self::LIST | Self::ARGUMENT))
    }

    /// Whether the fact is a name that no definition declares.
    pub fn is_word(&self) -> bool {
        self.value.get("declared").and_then(Value::as_str) == Some(Self::WORD)
    }

    /// `kind:owner:name`, the identity across commits.
    pub fn id(&self) -> String {
        format!("{}:{}:{}", self.kind.as_str(), self.owner, self.name)
    }

    /// The versions that a constraint lists, as a job of CI does: `3.9, 3.10`; one where it lists none but that.
    pub fn listed_versions(&self) -> Vec<&str> {
        let constraint = self.value.get("constraint").and_then(Value::as_str).unwrap_or("");
        constraint.split(", ").filter(|v| !v.is_empty()).collect()
    }

    /// The last segment of the name: `timeout` of `session.timeout`, `read` of `File::read`.
    pub fn leaf(&self) -> &str {
        if self.kind.is_path() {
            return self.name.rsplit('/').next().unwrap_or(&self.name);
        }
        let tail = self.name.rsplit("::").next().unwrap_or(&self.name);
        if self.kind == FactKind::CliFlag {
            return tail;
        }
        tail.rsplit(['.', ' ', '#']).next().filter(|leaf| !leaf.is_empty()).unwrap_or(tail)
    }

    /// The name and every further spelling.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}
