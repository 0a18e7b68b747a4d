//! What each category of findings means: the one table behind rule metadata and help texts.

use crate::model::Severity;

/// One category in words.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The category, as in findings and in `allow` comments.
    pub id: &'static str,
    /// A name without separators, for formats that want one.
    pub name: &'static str,
    /// One sentence.
    pub short: &'static str,
    /// What it means.
    pub full: &'static str,
    /// What to do.
    pub help: &'static str,
    /// Severity without configuration.
    pub severity: Severity,
}

/// Every category.
pub const RULES: &[Rule] = &[
    Rule {
        id: "broken-reference",
        name: "BrokenReference",
        short: "The documentation names something that this change removed or renamed.",
        full: "A flag, setting, symbol, task, file or other name that the documentation cites existed at the base of the range \
               and no longer exists at its head. The citing place was left as it was.",
        help: "Name what takes its place, or remove the passage. If the passage is right as it stands, keep it with \
               `<!-- refdrift: allow broken-reference NAME why -->` in front of the block.",
        severity: Severity::Warn,
    },
    Rule {
        id: "changed-reference",
        name: "ChangedReference",
        short: "The documentation states what this change altered.",
        full: "A default, value, signature, list of choices or version that the documentation states was altered between the \
               base and the head of the range. The place still says what was true at the base.",
        help: "Compare the passage with the new value and correct it where it speaks of the present. If it is right as it \
               stands, keep it with `<!-- refdrift: allow changed-reference NAME why -->` in front of the block.",
        severity: Severity::Warn,
    },
    Rule {
        id: "ambiguous-reference",
        name: "AmbiguousReference",
        short: "The documentation names something that now has several owners.",
        full: "A name that the documentation cites belonged to one definition at the base of the range and to several at its \
               head. The passage does not say which one it means.",
        help: "Say which definition is meant: qualify the name or name the file. If the passage is right as it stands, keep it \
               with `<!-- refdrift: allow ambiguous-reference NAME why -->` in front of the block.",
        severity: Severity::Warn,
    },
];

/// The rule of a category; categories are an open set.
pub(super) fn index_of(category: &str) -> Option<usize> {
    RULES.iter().position(|r| r.id == category)
}
