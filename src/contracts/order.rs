//! Canonical order of lists. Change sets of other tools are sorted by the locale rules of JavaScript, so both that order (as
//! far as ASCII goes) and the order of bytes are accepted in them.

use std::cmp::Ordering;

use serde_json::Value;

use super::report::{Checks, Rule};
use crate::value::canonical;

/// Checks that a list is sorted by canonical JSON and holds nothing twice.
pub(super) fn by_canonical_json(list: &[Value], pointer: &str, checks: &mut Checks) {
    let keys: Vec<String> = list.iter().map(canonical::to_string).collect();
    check(&keys, pointer, "by canonical JSON", checks);
}

/// Checks that a list is sorted by the order of its type.
pub(super) fn in_order<T: Ord>(keys: &[T], pointer: &str, rule: &str, checks: &mut Checks) {
    if let Some(at) = keys.windows(2).position(|pair| pair[0] > pair[1]) {
        misplaced(&format!("{pointer}/{}", at + 1), rule, checks);
    }
}

/// Checks that a list is sorted by the order of its type and holds nothing twice.
pub(super) fn sorted<T: Ord>(keys: &[T], pointer: &str, rule: &str, checks: &mut Checks) {
    in_order(keys, pointer, rule, checks);
    if let Some(at) = keys.windows(2).position(|pair| pair[0] == pair[1]) {
        checks.add(Rule::Order, &format!("{pointer}/{}", at + 1), "the entry stands twice", "each entry once");
    }
}

fn misplaced(pointer: &str, rule: &str, checks: &mut Checks) {
    checks.add(
        Rule::Order,
        pointer,
        "the list is not in canonical order: this entry belongs before the one above it",
        format!("entries sorted {rule}"),
    );
}

fn check(keys: &[String], pointer: &str, rule: &str, checks: &mut Checks) {
    let breaks =
        |compare: fn(&str, &str) -> Ordering| keys.windows(2).position(|pair| compare(&pair[0], &pair[1]) == Ordering::Greater);
    let by_bytes = breaks(Ord::cmp);
    if let (Some(at), Some(_)) = (by_bytes, breaks(by_locale)) {
        misplaced(&format!("{pointer}/{}", at + 1), rule, checks);
    }
    if let Some(at) = keys.windows(2).position(|pair| pair[0] == pair[1]) {
        checks.add(Rule::Order, &format!("{pointer}/{}", at + 1), "the entry stands twice", "each entry once");
    }
}

/// Punctuation and digits in the order of the Unicode collation's root, for ASCII.
const COLLATION: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// Compares as `localeCompare` does for ASCII: punctuation, digits, then letters whose case only breaks ties.
fn by_locale(a: &str, b: &str) -> Ordering {
    let primary = |c: char| match COLLATION.find(c) {
        Some(at) => u32::try_from(at + 1).unwrap_or(u32::MAX),
        None if c.is_whitespace() => 0,
        None => 1_000 + u32::from(c.to_ascii_lowercase()),
    };
    a.chars().map(primary).cmp(b.chars().map(primary)).then_with(|| {
        let upper = |text: &str| text.chars().map(|c| c.is_ascii_uppercase()).collect::<Vec<_>>();
        upper(a).cmp(&upper(b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_both_orders() {
        let found = |keys: &[&str]| {
            let mut checks = Checks::new("");
            check(&keys.iter().map(|k| (*k).to_owned()).collect::<Vec<_>>(), "", "", &mut checks);
            checks.is_clean()
        };
        assert!(found(&["A", "B", "a", "b"]));
        assert!(found(&["a", "A", "b", "B"]));
        assert!(found(&["x/a", "x1", "xa"]));
        assert!(!found(&["b", "a"]));
        assert!(!found(&["a", "a"]));
    }
}
