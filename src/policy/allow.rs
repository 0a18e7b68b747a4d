//! `refdrift: allow CATEGORY [FACT] REASON`, the words of a comment, understood.

use crate::model::{ByteSpan, Remark};
use crate::value::name;

/// A comment that allows findings of a category in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Allow {
    pub(super) span: ByteSpan,
    pub(super) block: ByteSpan,
    pub(super) category: String,
    /// The word behind the category. Without markup it may be a fact or the reason's first word.
    first: String,
    /// The word stands in backticks or is written as only names are.
    is_name: bool,
    rest: String,
}

/// Reads a remark.
pub(super) fn parse(remark: &Remark, categories: &[&str]) -> Result<Allow, String> {
    let (verb, rest) = split(&remark.words);
    if verb != "allow" {
        return Err(format!("`refdrift: {verb}` is not understood; `refdrift: allow CATEGORY [FACT] REASON` is"));
    }
    let (category, rest) = split(rest);
    if !categories.contains(&category) {
        let known: Vec<String> = categories.iter().map(|c| format!("`{c}`")).collect();
        return Err(format!("`{category}` is no category; one of {}", known.join(", ")));
    }
    let quoted = rest.strip_prefix('`').and_then(|r| r.split_once('`')).filter(|(name, _)| !name.trim().is_empty());
    let (first, rest, is_name) = if let Some((name, rest)) = quoted {
        (name, rest.trim(), true)
    } else {
        let (first, rest) = split(rest);
        (first, rest, looks_like_a_name(first))
    };
    if first.is_empty() || (is_name && rest.is_empty()) {
        return Err(format!("`allow {category}` gives no reason"));
    }
    let Some(block) = remark.block else { return Err(format!("`allow {category}` stands in front of no block")) };
    Ok(Allow { span: remark.span, block, category: category.to_owned(), first: first.to_owned(), is_name, rest: rest.to_owned() })
}

fn split(words: &str) -> (&str, &str) {
    words.split_once(' ').map_or((words, ""), |(first, rest)| (first, rest.trim()))
}

/// Whether a word is written as names are and words of a reason are not: `--flag`, `snake_case`, `a::b`, `a/b`, `a.b`,
/// `camelCase`.
fn looks_like_a_name(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', ':', ';']);
    let is_dotted = || {
        let parts: Vec<&str> = word.split('.').collect();
        parts.len() > 1 && parts.iter().all(|p| p.chars().count() > 1)
    };
    word.starts_with("--")
        || word.contains(['_', '/'])
        || word.contains("::")
        || word.ends_with("()")
        || is_dotted()
        || word.chars().skip(1).zip(word.chars()).any(|(c, before)| c.is_uppercase() && before.is_lowercase())
}

impl Allow {
    /// Whether the word behind the category is one of the names.
    fn names(&self, names: &[&str]) -> bool {
        let plain = |text: &str| text.trim_end_matches("()").to_owned();
        let word = plain(&self.first);
        names.iter().any(|n| {
            let n = plain(n);
            n == word || name::segments(&n).last().is_some_and(|leaf| *leaf == word)
        })
    }

    /// Whether the comment is about a name at a place, whatever the category.
    pub(super) fn speaks_of(&self, names: &[&str], span: ByteSpan) -> bool {
        self.block.overlaps(span) && (!self.is_name || self.names(names))
    }

    /// The reason, where the comment allows a finding at a place.
    pub(super) fn reason_for(&self, category: &str, names: &[&str], span: ByteSpan) -> Option<String> {
        if self.category != category || !self.speaks_of(names, span) {
            return None;
        }
        let names_the_fact = self.is_name || (self.names(names) && !self.rest.is_empty());
        let reason = if names_the_fact { self.rest.clone() } else { format!("{} {}", self.first, self.rest) };
        Some(reason.trim().trim_start_matches([':', '-', '–']).trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CATEGORIES: &[&str] = &["broken-reference", "changed-reference"];

    fn remark(words: &str) -> Remark {
        Remark { span: ByteSpan::new(0, 1), words: words.to_owned(), block: Some(ByteSpan::new(10, 20)) }
    }

    /// The reason for a broken reference to `--old-flag` in the block.
    fn check(words: &str, expected: Result<Option<&str>, &str>) {
        let names = ["--old-flag", "tool::oldFlag"];
        let got = parse(&remark(words), CATEGORIES).map(|a| a.reason_for("broken-reference", &names, ByteSpan::new(12, 15)));
        match (got, expected) {
            (Ok(got), Ok(expected)) => assert_eq!(got.as_deref(), expected, "{words}"),
            (Err(got), Err(expected)) => assert!(got.contains(expected), "{words}: {got}"),
            (got, _) => panic!("{words}: {got:?}"),
        }
    }

    #[test]
    fn understands() {
        check("allow broken-reference kept for old users", Ok(Some("kept for old users")));
        check("allow broken-reference --old-flag kept for old users", Ok(Some("kept for old users")));
        check("allow broken-reference `--old-flag`: kept", Ok(Some("kept")));
        check("allow broken-reference oldFlag kept", Ok(Some("kept")));
        check("allow broken-reference --other kept", Ok(None));
        check("allow broken-reference `kept` for old users", Ok(None));
        check("allow changed-reference kept", Ok(None));
        check("allow broken-reference", Err("no reason"));
        check("allow broken-reference --old-flag", Err("no reason"));
        check("allow broken kept", Err("`broken` is no category"));
        check("ignore broken-reference kept", Err("`refdrift: ignore` is not understood"));
        let last = Remark { block: None, ..remark("allow broken-reference kept") };
        assert!(parse(&last, CATEGORIES).is_err_and(|e| e.contains("no block")));
    }

    proptest::proptest! {
        /// Any words are understood or refused with a reason, and an allowance always has a reason of its own.
        #[test]
        fn any_words_are_understood_or_refused(words in "(allow )?(broken-reference )?[ `a-z_.:/()-]{0,20}\\PC{0,20}", name in "\\PC{1,12}") {
            match parse(&remark(&words), CATEGORIES) {
                Ok(allow) => {
                    let reason = allow.reason_for(&allow.category, &[&name, &allow.first], ByteSpan::new(12, 13));
                    proptest::prop_assert!(reason.is_some(), "{words:?}");
                }
                Err(wrong) => proptest::prop_assert!(!wrong.is_empty()),
            }
        }
    }

    #[test]
    fn holds_for_its_block_only() {
        let allow = parse(&remark("allow broken-reference kept"), CATEGORIES).expect("understood");
        assert_eq!(allow.reason_for("broken-reference", &["x"], ByteSpan::new(20, 22)), None);
        assert!(allow.reason_for("broken-reference", &["x"], ByteSpan::new(19, 22)).is_some());
    }
}
