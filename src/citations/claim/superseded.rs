//! Places that show an old name beside the one that took its place: a table of old and new, `old` -> `new`.

use std::sync::LazyLock;

use regex::Regex;

use super::Subject;
use crate::model::{ByteSpan, MarkKind, RegionKind};
use crate::value::name;

/// Shortest word that two names have in common because they are names of one thing, in letters.
const MIN_WORD: usize = 3;

/// Whether the place shows the cited name as the former of two.
pub(super) fn is_former(subject: &Subject<'_>) -> bool {
    is_in_old_column(subject) || points_to_new(subject)
}

/// The header of the column that a stretch stands in, and the headers of the whole table.
pub(super) fn columns<'s>(subject: &Subject<'s>, at: ByteSpan) -> Option<(&'s str, Vec<&'s str>)> {
    let RegionKind::TableRow { header: Some(header), cells } = &subject.region().kind else { return None };
    let RegionKind::TableHeader { cells: heads } = &subject.document.regions.get(*header)?.kind else { return None };
    let own = cells.iter().position(|c| c.contains(at)).and_then(|i| heads.get(i))?;
    Some((subject.of(*own), heads.iter().map(|h| subject.of(*h)).collect()))
}

/// Whether the name stands in the column of the old names of a table that has one for the new: `Old name | New name`,
/// `v1 | v2`, `Removed | Use instead`.
fn is_in_old_column(subject: &Subject<'_>) -> bool {
    static OLD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\W*(?:old|before|previous(?:ly)?|former(?:ly)?|legacy|deprecated|removed|renamed|was|from)\b")
            .expect("valid pattern")
    });
    static NEW: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\W*(?:new|after|replacement|replaced|current|now|to|use|instead|successor|alternative)\b")
            .expect("valid pattern")
    });
    let Some((own, all)) = columns(subject, subject.citation.span) else { return false };
    let others = || all.iter().filter(|h| **h != own);
    let paired = OLD.is_match(own) && others().any(|h| NEW.is_match(h));
    let replaced = others().any(|h| h.trim_matches([' ', '`', '*']).eq_ignore_ascii_case("replacement"));
    paired || replaced || others().any(|h| is_later_version(own, h))
}

/// Whether two headers differ in a version alone, and the second is of the later: `v1 import path`, `v2 import path`.
fn is_later_version(own: &str, other: &str) -> bool {
    static VERSION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bv?(\d+)(?:\.(?:\d+|x))*\b").expect("valid pattern"));
    let major = |header: &str| VERSION.captures(header).and_then(|c| c[1].parse::<u32>().ok());
    let rest = |header: &str| VERSION.replace(header, "").to_lowercase();
    major(own).zip(major(other)).is_some_and(|(own, other)| own < other) && rest(own) == rest(other)
}

/// Whether an arrow leads from the name, set as code, to another of the same thing: `` `tea-helper` -> `teahelper` ``.
fn points_to_new(subject: &Subject<'_>) -> bool {
    static ARROW: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*(?:->|=>|→|⇒|-->|becomes|became)\s*`([^`\n]{1,200})`").expect("valid pattern"));
    let text = &subject.document.text;
    let marks = subject.region().marks.iter().filter(|m| matches!(m.kind, MarkKind::Code));
    let Some(code) = marks.map(|m| m.span).find(|s| s.contains(subject.citation.span)) else { return false };
    // The mark may or may not hold its backquotes.
    let old = code.of(text).trim_matches('`');
    let behind = text.get(code.end..).unwrap_or("").trim_start_matches('`');
    let line = behind.lines().next().unwrap_or("");
    ARROW.captures(line).is_some_and(|found| {
        let new = &found[1];
        let words = name::words(new);
        let shared = name::words(old).iter().any(|w| w.len() >= MIN_WORD && words.contains(w));
        old != new && (shared || name::fold(new).contains(&name::fold(old.rsplit('/').next().unwrap_or(old))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_differ_in_a_version() {
        for (own, other, expected) in [
            ("v1 import path", "v2 import path", true),
            ("v2 import path", "v1 import path", false),
            ("Kettle 1.x", "Kettle 2.x", true),
            ("v1 import path", "v2 name", false),
            ("Name", "Meaning", false),
        ] {
            assert_eq!(is_later_version(own, other), expected, "{own} {other}");
        }
    }
}
