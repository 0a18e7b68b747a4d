//! Logs of changes, by what they say: an entry tells what one change did and names its request, or begins as such entries do.
//! Projects call these pages what they like; the entries are alike everywhere.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Document, Frontmatter, Region, RegionKind};

/// Fewest entries that make a log of a page.
const LEAST: usize = 8;
/// Longest item that is read, in bytes; an entry is short.
const MAX_ITEM: usize = 1_200;

/// `Added the …`, `**BREAKING** Removed …`.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:[-*+•]|\d+[.)])?\s*(?:\[[^\]]{0,40}\]\s*|\*\*[^*]{1,40}\*\*:?\s*|[A-Z]{2,8}:\s+)*",
        r"(?:`[0-9a-f]{7,40}`|Added|Removed|Fixed|Changed|Renamed|Deprecated|Improved|Updated|Refactored|Bumped|Dropped|Replaced|Moved|Introduced|Reverted|Corrected|Rewrote|Reworked)(?:\s|:)",
    ))
    .expect("valid pattern")
});
/// `(#123)`, `:pr:123`, `…/pull/123`, `(PR by …)`.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s(\[`,])#\d{1,6}\b|:(?:pr|pull|gh|issue|bug):`\d|/pull/\d+|/commit/[0-9a-f]{7}|\((?:PR|patch|contributed|thanks)\b[^)]{0,60}\)|\bby @[\w-]+")
        .expect("valid pattern")
});

/// Whether an item of a list is an entry of a log: it begins as one, or ends with the request that it tells of.
pub(super) fn is_entry(document: &Document, region: &Region) -> bool {
    let text = document.region_text(region);
    if !matches!(region.kind, RegionKind::ListItem) || text.len() > MAX_ITEM {
        return false;
    }
    let tail = text.char_indices().rev().nth(160).map_or(text, |(at, _)| &text[at..]);
    BEGINS.is_match(text) || REQUEST.is_match(tail)
}

/// Whether half of the items of a page are entries.
pub fn is_log(document: &Document) -> bool {
    let items = document.regions.iter().filter(|r| matches!(r.kind, RegionKind::ListItem));
    let (mut all, mut entries) = (0usize, 0usize);
    for item in items {
        all += 1;
        entries += usize::from(is_entry(document, item));
    }
    entries >= LEAST && entries * 2 >= all
}

/// Whether a page says in its first lines that it is kept as it was: `This tutorial is tied to an older version`.
pub fn says_that_it_is_stale(document: &Document) -> bool {
    /// Regions of a page that are its head.
    const HEAD: usize = 8;
    static STALE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(?i)\bth(?:is|ese) (?:page|tutorial|document|documentation|guide|readme|article|doc|docs|file)\b.{0,40}\b(?:(?:is|are|may be|has become) (?:now |very |badly )?",
            r"(?:out[- ]of[- ]date|outdated|stale|obsolete|archived|deprecated|no longer (?:maintained|updated))|tied to an? (?:older|old|previous) version)\b",
        ))
        .expect("valid pattern")
    });
    document.regions.iter().take(HEAD).any(|region| {
        let text = document.region_text(region);
        text.len() <= MAX_ITEM && STALE.is_match(&text.split_whitespace().collect::<Vec<_>>().join(" ").replace("**", ""))
    })
}

/// Whether the frontmatter is that of a note for a release tool: packages, each with the part of its version that rises.
pub(super) fn is_release_note(frontmatter: &Frontmatter) -> bool {
    let bump = |value: &serde_json::Value| {
        let part = value.as_str().and_then(|v| v.split(':').next()).unwrap_or("");
        matches!(part, "major" | "minor" | "patch")
    };
    !frontmatter.values.is_empty() && frontmatter.values.values().all(bump)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        for (text, expected) in [
            ("- Fix: documentation of simrank (#3954)", true),
            ("- Bump the minimum to 3.9 (`#6634 <https://example.org/pull/6634>`_).", true),
            ("* **BREAKING** Removed the ``spawn()`` method", true),
            ("- Added `steep()` (PR by A. Tea)", true),
            ("- MAINT: Changed the loop", true),
            ("* `7e56d45`: Re-implement `tea()` with a hash", true),
            ("- Add `steep` to the configuration.", false),
            ("- [Fixed](fixed.md) sizes", false),
            ("- see [the option](options.md#2)", false),
            ("- `updated`: when it was", false),
        ] {
            let tail = text;
            assert_eq!(BEGINS.is_match(text) || REQUEST.is_match(tail), expected, "{text}");
        }
    }
}
