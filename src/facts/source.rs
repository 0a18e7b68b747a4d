//! What an extractor reads from and writes to.

use std::cell::OnceCell;

use serde_json::Value;

use super::MAX_FACTS;
use crate::model::{ByteSpan, Fact, FactKind, LineIndex, RepoPath, Visibility};
use crate::syntax::{Grammar, SyntaxTree, parse};
use crate::value::canonical;

/// One file at one commit, parsed once for all extractors.
pub struct Source<'s> {
    path: &'s RepoPath,
    text: &'s str,
    lines: OnceCell<LineIndex>,
    tree: OnceCell<Option<SyntaxTree<'s>>>,
}

impl<'s> Source<'s> {
    /// A file.
    pub fn new(path: &'s RepoPath, text: &'s str) -> Self {
        Self { path, text, lines: OnceCell::new(), tree: OnceCell::new() }
    }

    /// Where it lies.
    pub fn path(&self) -> &'s RepoPath {
        self.path
    }

    /// What it says.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// Its lines.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(self.text))
    }

    /// Its syntax tree; `None` where no grammar reads it.
    pub fn tree(&self) -> Option<&SyntaxTree<'s>> {
        self.tree.get_or_init(|| parse(Grammar::for_path(self.path)?, self.text)).as_ref()
    }

    pub(super) fn has_syntax_error(&self) -> bool {
        self.tree.get().and_then(Option::as_ref).is_some_and(SyntaxTree::has_error)
    }

    /// `module:<path>`, the owner of definitions.
    pub fn module_owner(&self) -> String {
        format!("module:{}", self.path)
    }

    /// `file:<path>`, the owner of configuration keys.
    pub fn file_owner(&self) -> String {
        format!("file:{}", self.path)
    }
}

/// A fact about to be recorded.
#[derive(Clone, Debug)]
pub struct NewFact {
    fact: Fact,
}

impl NewFact {
    /// A public fact with its projection, standing at a span of the file.
    pub fn new(kind: FactKind, owner: impl Into<String>, name: impl Into<String>, value: Value, span: ByteSpan) -> Self {
        let line = crate::model::LineNumber::from_row(0);
        Self {
            fact: Fact {
                kind,
                owner: owner.into(),
                name: name.into(),
                value,
                path: RepoPath::new(""),
                span,
                lines: crate::model::LineSpan { start: line, end: line },
                aliases: Vec::new(),
                visibility: Visibility::Public,
                body_hash: None,
            },
        }
    }

    /// Further spellings the code accepts; empty ones and the name itself are dropped.
    #[must_use]
    pub fn aliases<S: Into<String>>(mut self, aliases: impl IntoIterator<Item = S>) -> Self {
        for alias in aliases {
            let alias = alias.into();
            if !alias.is_empty() && alias != self.fact.name && !self.fact.aliases.contains(&alias) {
                self.fact.aliases.push(alias);
            }
        }
        self
    }

    /// Not for users of the code.
    #[must_use]
    pub fn internal(mut self) -> Self {
        self.fact.visibility = Visibility::Internal;
        self
    }

    /// Public or not, as the flag says.
    #[must_use]
    pub fn visible(mut self, public: bool) -> Self {
        self.fact.visibility = if public { Visibility::Public } else { Visibility::Internal };
        self
    }

    /// What the definition says apart from its own name; white space is folded before hashing. A text without a word says
    /// nothing by which a definition could be recognised, and is not kept.
    #[must_use]
    pub fn body(mut self, text: &str) -> Self {
        if !text.contains(char::is_alphanumeric) {
            return self;
        }
        let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.fact.body_hash = Some(canonical::sha256_hex(folded.as_bytes()));
        self
    }
}

/// Whether a text can be a flag: dashes, then a word that neither begins nor ends with one.
fn is_flag(name: &str) -> bool {
    let word = name.trim_start_matches('-');
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '?' | '@');
    word.len() < name.len() && word.starts_with(plain) && word.ends_with(plain)
}

/// Collects the facts of one file and extractor, bounded.
pub struct FactSink<'a> {
    source: &'a Source<'a>,
    facts: Vec<Fact>,
    limited: bool,
}

impl<'a> FactSink<'a> {
    pub(super) fn new(source: &'a Source<'a>) -> Self {
        Self { source, facts: Vec::new(), limited: false }
    }

    /// The file whose facts it collects.
    pub(crate) fn path(&self) -> &RepoPath {
        self.source.path()
    }

    /// Records a fact. Names of 0 or more than 256 characters and everything past [`MAX_FACTS`] are dropped.
    pub fn push(&mut self, new: NewFact) {
        let mut fact = new.fact;
        if fact.name.is_empty() || fact.name.chars().count() > 256 {
            return;
        }
        if fact.kind == FactKind::CliFlag && !is_flag(&fact.name) {
            return;
        }
        if self.facts.len() >= MAX_FACTS {
            self.limited = true;
            return;
        }
        fact.path = self.source.path().clone();
        fact.lines = self.source.lines().lines(fact.span);
        self.facts.push(fact);
    }

    pub(super) fn finish(self) -> (Vec<Fact>, bool) {
        (self.facts, self.limited)
    }
}
