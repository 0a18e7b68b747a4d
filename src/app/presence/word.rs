//! Where a word stands in one file: as text, as a member, in code.

use std::cell::OnceCell;

use crate::facts;
use crate::git::FileEntry;
use crate::syntax::{Grammar, NodeExt, SyntaxTree, parse};

/// One file with a name in it, parsed once however many names are asked about.
pub(in crate::app) struct Probe<'t> {
    pub(super) file: &'t FileEntry,
    pub(super) text: &'t str,
    pub(super) grammar: Option<Grammar>,
    tree: OnceCell<Option<SyntaxTree<'t>>>,
}

impl<'t> Probe<'t> {
    pub(in crate::app) fn new(file: &'t FileEntry, text: &'t str) -> Self {
        let grammar = Grammar::for_path(&facts::read_as(&file.path, text));
        Self { file, text, grammar, tree: OnceCell::new() }
    }

    /// `None` where no grammar reads the file.
    fn tree(&self) -> Option<&SyntaxTree<'t>> {
        self.tree.get_or_init(|| parse(self.grammar?, self.text)).as_ref()
    }
}

/// Whether a string of a program is the name, or the name and what it takes: `"build [flags]"`.
pub(super) fn begins_string(probe: &Probe<'_>, name: &str) -> bool {
    ['"', '\'', '`'].iter().any(|quote| {
        probe.text.match_indices(&format!("{quote}{name}")).any(|(at, found)| {
            probe.text[at + found.len()..].chars().next().is_some_and(|c| c == *quote || matches!(c, ' ' | '=' | '<' | '['))
        })
    })
}

/// Whether a whole string of a program is the name.
pub(super) fn is_string(probe: &Probe<'_>, name: &str) -> bool {
    probe.grammar.is_some_and(|g| !g.is_data())
        && ['"', '\'', '`'].iter().any(|quote| probe.text.contains(&format!("{quote}{name}{quote}")))
}

/// Whether the word stands in code as a member, key or text, which may be the setting; locals and parameters of that name are
/// not.
pub(super) fn is_member_somewhere(probe: &Probe<'_>, word: &str) -> bool {
    let text = probe.text;
    let Some(tree) = probe.tree() else { return false };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .filter(|(at, _)| {
            !text[..*at].chars().next_back().is_some_and(is_word) && !text[at + word.len()..].chars().next().is_some_and(is_word)
        })
        .take(64)
        .any(|(at, _)| {
            let Some(node) = tree.root().descendant_for_byte_range(at, at + word.len()) else { return true };
            let kind = node.kind();
            if kind.contains("comment") {
                return false;
            }
            if kind.contains("string") || kind.contains("content") || kind.contains("scalar") {
                return node.text(text).trim_matches(['"', '\'', '`']) == word;
            }
            let member = kind.contains("field") || kind.contains("property") || kind.contains("key");
            let accessed =
                text[..at].ends_with('.') || node.parent().is_some_and(|p| matches!(p.kind(), "keyword_argument" | "attribute"));
            member || accessed
        })
}

/// Whether the exact word stands in code: not in a comment, not inside a longer text.
pub(in crate::app) fn stands_in_code(probe: &Probe<'_>, word: &str, in_program_only: bool) -> bool {
    let text = probe.text;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let places: Vec<usize> = text
        .match_indices(word)
        .filter(|(at, _)| {
            !text[..*at].chars().next_back().is_some_and(is_word) && !text[at + word.len()..].chars().next().is_some_and(is_word)
        })
        .map(|(at, _)| at)
        .take(64)
        .collect();
    if places.is_empty() {
        return false;
    }
    if probe.grammar.is_none() {
        return !in_program_only || is_template(probe.file);
    }
    let Some(tree) = probe.tree() else { return true };
    places.into_iter().any(|at| {
        let Some(node) = tree.root().descendant_for_byte_range(at, at + word.len()) else { return true };
        let kind = node.kind();
        if kind.contains("comment") {
            return false;
        }
        if kind.contains("string") || kind.contains("content") || kind.contains("scalar") {
            return node.text(text).trim_matches(['"', '\'', '`']).split_whitespace().count() <= 3;
        }
        true
    })
}

/// Files without a grammar that still are code.
fn is_template(file: &FileEntry) -> bool {
    matches!(
        file.path.extension(),
        "vue"
            | "svelte"
            | "coffee"
            | "cpp"
            | "cc"
            | "hpp"
            | "cs"
            | "php"
            | "swift"
            | "scala"
            | "groovy"
            | "lua"
            | "tmpl"
            | "tpl"
            | "tt"
            | "erb"
            | "ejs"
            | "hbs"
            | "njk"
            | "j2"
            | "jinja"
            | "in"
            | "am"
            | "ac"
            | "m4"
            | "cmake"
            | "mk"
            | "pl"
    )
}
