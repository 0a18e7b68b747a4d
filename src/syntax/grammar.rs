//! Which grammar reads which path or fence.

use tree_sitter::Language;

use crate::model::RepoPath;

/// A language or data format refdrift can parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grammar {
    /// JavaScript with JSX.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Java.
    Java,
    /// Kotlin, also as a Gradle script.
    Kotlin,
    /// Ruby.
    Ruby,
    /// C.
    C,
    /// Shell.
    Bash,
    /// JSON, also with comments.
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
}

/// One row: grammar, file extensions, whole file names, fence languages.
type Row = (Grammar, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

const ROWS: &[Row] = &[
    (Grammar::JavaScript, &["js", "jsx", "mjs", "cjs"], &[], &["js", "jsx", "javascript", "mjs", "cjs", "node"]),
    (Grammar::TypeScript, &["ts", "mts", "cts"], &[], &["ts", "typescript", "mts", "cts"]),
    (Grammar::Tsx, &["tsx"], &[], &["tsx"]),
    (Grammar::Python, &["py", "pyi"], &["SConstruct"], &["py", "python", "python3", "pycon", "py3"]),
    (Grammar::Rust, &["rs"], &[], &["rust", "rs"]),
    (Grammar::Go, &["go"], &[], &["go", "golang"]),
    (Grammar::Java, &["java"], &[], &["java"]),
    (Grammar::Kotlin, &["kt", "kts"], &[], &["kotlin", "kt", "kts"]),
    (Grammar::Ruby, &["rb", "gemspec", "rake"], &["Rakefile", "Gemfile"], &["ruby", "rb"]),
    (Grammar::C, &["c", "h"], &[], &["c"]),
    (
        Grammar::Bash,
        &["sh", "bash", "zsh"],
        &[],
        &[
            "sh",
            "bash",
            "shell",
            "zsh",
            "console",
            "shell-session",
            "shellsession",
            "terminal",
            "sh-session",
            "bash-session",
            "fish",
        ],
    ),
    (Grammar::Json, &["json", "jsonc", "json5"], &[".babelrc", ".eslintrc", ".prettierrc"], &["json", "jsonc", "json5"]),
    (Grammar::Yaml, &["yaml", "yml"], &[], &["yaml", "yml"]),
    (Grammar::Toml, &["toml"], &["Cargo.lock", "Pipfile", "poetry.lock"], &["toml"]),
];

impl Grammar {
    /// Every grammar, in the order of the table.
    pub fn all() -> impl Iterator<Item = Grammar> {
        ROWS.iter().map(|row| row.0)
    }

    /// The grammar of a file, by name and extension.
    pub fn for_path(path: &RepoPath) -> Option<Self> {
        let name = path.file_name();
        let extension = path.extension().to_ascii_lowercase();
        ROWS.iter()
            .find(|row| row.2.contains(&name) || (!extension.is_empty() && row.1.contains(&extension.as_str())))
            .map(|row| row.0)
    }

    /// The grammar of a fence, by the first word of its info string.
    pub fn for_fence(lang: &str) -> Option<Self> {
        let lang = lang.to_ascii_lowercase();
        ROWS.iter().find(|row| row.3.contains(&lang.as_str())).map(|row| row.0)
    }

    /// Whether the text is data: keys and values, no definitions.
    pub fn is_data(self) -> bool {
        matches!(self, Self::Json | Self::Yaml | Self::Toml)
    }

    pub(super) fn language(self) -> Language {
        match self {
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            Self::Kotlin => tree_sitter_kotlin_ng::LANGUAGE.into(),
            Self::Ruby => tree_sitter_ruby::LANGUAGE.into(),
            Self::C => tree_sitter_c::LANGUAGE.into(),
            Self::Bash => tree_sitter_bash::LANGUAGE.into(),
            Self::Json => tree_sitter_json::LANGUAGE.into(),
            Self::Yaml => tree_sitter_yaml::LANGUAGE.into(),
            Self::Toml => tree_sitter_toml_ng::LANGUAGE.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grammar_loads() {
        for grammar in Grammar::all() {
            assert!(super::super::parse(grammar, "").is_some(), "{grammar:?}");
        }
    }

    #[test]
    fn finds_by_path_and_fence() {
        assert_eq!(Grammar::for_path(&"a/b.TSX".into()), Some(Grammar::Tsx));
        assert_eq!(Grammar::for_path(&"Rakefile".into()), Some(Grammar::Ruby));
        assert_eq!(Grammar::for_path(&"a/b".into()), None);
        assert_eq!(Grammar::for_fence("Console"), Some(Grammar::Bash));
    }
}
