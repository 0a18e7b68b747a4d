//! Citations and the claims they make.

use serde::{Deserialize, Serialize};

use super::{Aspect, ByteSpan};

/// The construct by which a document names code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CitationForm {
    /// `code` in running text.
    InlineCode,
    /// The target of a link, image, include or HTML attribute.
    LinkTarget,
    /// The text of a link.
    LinkText,
    /// A heading.
    Heading,
    /// A cell of a table.
    TableCell,
    /// Program text in a code block.
    FencedCode,
    /// A command line in a code block or inline code.
    Shell,
    /// A key in a configuration example.
    ConfigExample,
    /// A tree of files drawn in a code block.
    DirectoryTree,
    /// A role or directive of reStructuredText, a macro of `AsciiDoc`.
    Directive,
    /// Running text without markup.
    Prose,
}

impl CitationForm {
    /// The name in records and explanations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InlineCode => "inline-code",
            Self::LinkTarget => "link-target",
            Self::LinkText => "link-text",
            Self::Heading => "heading",
            Self::TableCell => "table-cell",
            Self::FencedCode => "fenced-code",
            Self::Shell => "shell",
            Self::ConfigExample => "config-example",
            Self::DirectoryTree => "directory-tree",
            Self::Directive => "directive",
            Self::Prose => "prose",
        }
    }
}

/// A place in a document that names a changed fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Index of the change in the change set.
    pub change: usize,
    /// Index of the region that the name stands in.
    pub region: usize,
    /// The name, in bytes of the document.
    pub span: ByteSpan,
    /// How it is named.
    pub form: CitationForm,
    /// The name is spelled as the code spells it (not a case variant, not a leaf under an anchor).
    pub exact: bool,
}

/// How sure a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// Speaks of the changed aspect without a value.
    Weak,
    /// States the old value, spells out the old form, or names something that is gone.
    Strong,
}

/// The rule by which a citation claims something that is no longer so (`design.md` section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimRule {
    /// Cites a name or path that is gone.
    Existence,
    /// States the old value next to the name.
    OldValue,
    /// Spells out the old signature, members or allowed values.
    SpelledOut,
    /// An example that the change makes wrong.
    Example,
    /// Speaks of the changed aspect in words.
    AspectInWords,
    /// States the old minimum version in prose.
    MinimumVersion,
    /// Pins the old version in an install command.
    VersionPin,
    /// Several owners now; none is named.
    Ambiguous,
    /// Lists a set in full, without what the set gained.
    Incomplete,
}

impl ClaimRule {
    /// Every rule.
    pub const ALL: [ClaimRule; 9] = [
        Self::Existence,
        Self::OldValue,
        Self::SpelledOut,
        Self::Example,
        Self::AspectInWords,
        Self::MinimumVersion,
        Self::VersionPin,
        Self::Ambiguous,
        Self::Incomplete,
    ];

    /// The kebab-case id.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Existence => "existence",
            Self::OldValue => "old-value",
            Self::SpelledOut => "spelled-out",
            Self::Example => "example",
            Self::AspectInWords => "aspect-in-words",
            Self::MinimumVersion => "minimum-version",
            Self::VersionPin => "version-pin",
            Self::Ambiguous => "ambiguous",
            Self::Incomplete => "incomplete",
        }
    }
}

/// What a citing place says that the change makes untrue.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The citation.
    pub citation: Citation,
    /// By which rule.
    pub rule: ClaimRule,
    /// How sure.
    pub strength: Strength,
    /// The words that are stale: the old value, the old name, the old signature.
    pub stale: ByteSpan,
    /// The aspect it speaks of; `None` for existence.
    pub aspect: Option<Aspect>,
}
