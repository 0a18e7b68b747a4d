//! Fingerprints of `agent.finding@1`: `file:text`, the text in lower case with single blanks, within a bound and without
//! collisions.

use super::canonical;
use super::clean;

/// Longest fingerprint, in UTF-16 units, the strictest way in which validators count.
pub const MAX_FINGERPRINT: usize = 200;

/// Most of a marked fingerprint that the file may take.
const MAX_FILE: usize = 120;

/// Stands in front of the hash of a marked fingerprint.
const MARK: &str = " …#";

/// Hex digits of the hash of a marked fingerprint.
const HASH_DIGITS: usize = 16;

/// The text as it stands in a fingerprint: lower case, single blanks.
pub fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a file is a path from the repository's root, as a contract without a repository at hand can tell.
pub fn is_relative(file: &str) -> bool {
    !file.starts_with(['/', '\\', '~'])
        && !file.contains("://")
        && file.as_bytes().get(1) != Some(&b':')
        && !file.split(['/', '\\']).any(|segment| segment == "..")
}

/// The fingerprint of a finding: file and text.
///
/// Where `file:text` is not the whole truth (it is too long, the file holds a colon or characters that do not show, or the
/// text looks like what this function itself makes of such a case) it is shortened, and ` …#` with a hash of file and text
/// ends it: two findings have one fingerprint only if they are of one file and one normalised text, or their hashes collide.
pub fn fingerprint(file: &str, text: &str) -> String {
    let text = normalized(text);
    let whole = format!("{file}:{text}");
    let is_plain = !file.trim().is_empty()
        && !text.is_empty()
        && !file.contains(':')
        && clean::clean(file) == file
        && clean::clean(&text) == text
        && is_relative(file)
        && !is_marked(&whole);
    if is_plain && units(&whole) <= MAX_FINGERPRINT {
        return whole;
    }
    let hash: String = canonical::hash(&[file, text.as_str()]).chars().take(HASH_DIGITS).collect();
    let file = cut(&shown_file(file), MAX_FILE);
    let room = MAX_FINGERPRINT - units(&file) - 1 - units(MARK) - HASH_DIGITS;
    // The mark begins with a blank, and single blanks are the rule.
    let text = normalized(&cut(&normalized(&clean::clean(&text)), room));
    if text.is_empty() { format!("{file}:{}{hash}", MARK.trim_start()) } else { format!("{file}:{text}{MARK}{hash}") }
}

/// Whether a fingerprint ends as marked ones do.
fn is_marked(print: &str) -> bool {
    print.rsplit_once(MARK.trim_start()).is_some_and(|(_, hash)| {
        hash.len() == HASH_DIGITS && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    })
}

/// The file without a colon, which would end it, and as a path that leads out of no repository.
fn shown_file(file: &str) -> String {
    let shown = clean::clean(file).replace(':', "%3A");
    let shown = shown.split('/').map(|s| if s == ".." { "%2E%2E" } else { s }).collect::<Vec<_>>().join("/");
    let shown = if shown.contains("..") && !is_relative(&shown) { shown.replace('\\', "%5C") } else { shown };
    let shown = if shown.trim().is_empty() { "-".to_owned() } else { shown };
    if is_relative(&shown) { shown } else { format!("./{}", shown.trim_start_matches('/')) }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The beginning of a text, within a number of units.
fn cut(text: &str, max: usize) -> String {
    let mut length = 0;
    text.chars()
        .take_while(|c| {
            length += c.len_utf16();
            length <= max
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_ones_are_file_and_text() {
        for (file, text, expected) in [
            ("server/x.js", "The  cache\n never Expires", "server/x.js:the cache never expires"),
            ("a.md", "x #0123456789abcdef", "a.md:x #0123456789abcdef"),
            ("a b.md", "a: b", "a b.md:a: b"),
        ] {
            assert_eq!(fingerprint(file, text), expected);
        }
    }

    #[test]
    fn others_are_marked() {
        let long = "x ".repeat(300);
        let (a, b) = (fingerprint("a.md", &format!("{long}1")), fingerprint("a.md", &format!("{long}2")));
        assert!(a != b && is_marked(&a) && units(&a) <= MAX_FINGERPRINT, "{a}");
        let deep = "d/".repeat(300);
        let c = fingerprint(&deep, "The Text");
        assert!(units(&c) <= MAX_FINGERPRINT && c.contains(":the text …#"), "{c}");
        // What the function makes is no way to make the same again.
        let (file, text) = a.split_once(':').expect("file and text");
        assert_ne!(fingerprint(file, text), a);
        assert_ne!(fingerprint("a:b", "c"), fingerprint("a", "b:c"));
        assert_ne!(fingerprint("a:b", "c"), fingerprint("a%3Ab", "c"));
        assert_ne!(fingerprint("a\tb", "c"), fingerprint("a b", "c"));
        for file in ["", " ", "/etc/passwd", "~/x", "C:/x", "..", "a/../b", "\\x", "..\\x", "http://x", "a\\..\\b"] {
            for text in ["", "\u{200b}", "text"] {
                let print = fingerprint(file, text);
                let (file, text) = print.split_once(':').expect("file and text");
                assert!(is_relative(file) && !file.trim().is_empty() && text == normalized(text) && !text.is_empty(), "{print}");
            }
        }
    }

    /// Files and texts of few letters, so that equal and nearly equal ones meet.
    fn part() -> impl Strategy<Value = String> {
        prop_oneof![
            "[aA:%./~\\\\ …#]{0,8}",
            "[aAbB ]{0,3}".prop_map(|tail| format!("{}{tail}", "ab".repeat(120))),
            "\\PC{0,4}",
            "[\u{200b}\u{202e}\t\n a:]{0,4}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn bounded_valid_and_without_collisions(pairs in proptest::collection::vec((part(), part()), 1..40)) {
            let mut seen: BTreeMap<String, (String, String)> = BTreeMap::new();
            let mut pairs = pairs;
            // What was made is made an input, too.
            for (file, text) in pairs.clone() {
                if let Some((file, text)) = fingerprint(&file, &text).split_once(':') {
                    pairs.push((file.to_owned(), text.to_owned()));
                }
            }
            for (file, text) in pairs {
                let print = fingerprint(&file, &text);
                prop_assert!((1..=MAX_FINGERPRINT).contains(&units(&print)), "{print}");
                let (shown, words) = print.split_once(':').expect("file and text");
                prop_assert!(is_relative(shown) && !shown.trim().is_empty(), "{:?}", print);
                prop_assert!(!words.is_empty() && normalized(words) == words, "{:?}", print);
                prop_assert_eq!(clean::clean(&print), print.clone());
                let meant = (file, normalized(&text));
                if let Some(other) = seen.insert(print.clone(), meant.clone()) {
                    prop_assert_eq!(other, meant, "both are {:?}", print);
                }
            }
        }
    }
}
