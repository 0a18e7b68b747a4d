//! Lines and sections about the past: a sentence that says that something was removed is right about a name that is gone.

use std::sync::LazyLock;

use regex::Regex;

static PAST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:drops? support|dropping support|end[- ]of[- ]life)\b|\b(?:removed|renamed|dropped|retired|obsolete[ds]?|deprecat\w+|superseded|discontinued)\b",
        r"|\b(?:no longer|not any ?more|any ?more|formerly|previously|in the past|historically|legacy|antes)\b",
        r"|\b(?:was|were|has been|have been|got|been|is|are) (?:renamed|removed|replaced|moved|extracted|superseded|merged|split|gone|dropped)\b",
        r"|\b(?:replaced|superseded) (?:by|with)\b|\bin favou?r of\b",
        r"|\bthere (?:is|are) no\b|\b(?:does not|doesn't|do not|don't) exist\b|\blast (?:version|release)\b|\b(?:last|latest)\s+\w+\s+(?:supporting|to support|that supports?|with support)\b|\bis now\b|\bold(?:er)? (?:name|spelling|flag|option|behaviou?r|version|api|default)\b",
        r"|\b(?:before|until|up to|prior to|earlier than|since|as of|from|in) (?:version )?v?\d+(?:\.\d+)+\b.*\b(?:was|were|had|used)\b",
        r"|\b(?:became|becomes)\b.{0,80}\b(?:starting (?:with|in|from)|in|with|since) (?:version )?v?\d",
        r"|\bin\W{0,3}v?\d+\.\w[\w.-]*\b.{0,40}\breleases?\b",
        r"|\b(?:it|this|that|these|those|there|we|they|what|you) used to\b|\bused to (?:be|have|live|exist|work|support|default|accept|return|require)\b",
        r"|\b(?:is|are) not (?:allowed|accepted|permitted)\b",
        r"|\bchanged (?:from|in|to)\b|\b(?:was|were) (?:called|named|known)\b|\bmigrat\w+ from\b",
    ))
    .expect("valid pattern")
});

static PAST_HEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^\W*(?:change ?log|(?:recent |latest |major |notable )?changes|release (?:notes?|history|v?\d[\w.]*)|(?:releases|(?:version )?history)$|what'?s new|news|breaking changes?|deprecat\w+|removed|removals|",
        r"migrat\w+|upgrad\w+|unreleased|\[?v?\d+\.\d+[\w.\-]*\]?(?:\s*[\-–—(].*)?)\b",
    ))
    .expect("valid pattern")
});

static TURNED_FROM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b(?:instead of|rather than|replaces|replacing|replacement for|not)\s+(?:the\s+)?[`'\"*]*$"#)
        .expect("valid pattern")
});

/// `old`; use `new` instead.
static TURNED_TO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)^[\w.:#()-]*[`*_'")\s]*[;:,—–-]\s*(?:please |you (?:can|should) |users? (?:may|can|should) )?(?:instead )?(?:use|call|pass|set|prefer)\b[^.]*\binstead\b"#)
        .expect("valid pattern")
});

/// Whether a sentence or line says that what it names is gone or was otherwise; `name_at` is where the name stands in it.
pub fn speaks_of_past(sentence: &str, name_at: usize) -> bool {
    PAST.is_match(sentence)
        || sentence.get(..name_at).is_some_and(|before| TURNED_FROM.is_match(before))
        || sentence.get(name_at..).is_some_and(|from| TURNED_TO.is_match(from))
}

/// Whether a heading opens a section about past versions: a changelog, a migration guide, a version number.
pub fn is_past_heading(heading: &str) -> bool {
    // A title may be underlined, and overlined.
    let line = heading.lines().find(|l| l.contains(char::is_alphanumeric)).unwrap_or("");
    PAST_HEADING.is_match(line.trim_start_matches(['#', '=', ' ']).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_the_past() {
        for (line, expected) in [
            ("The `--insecure` switch was removed in 3.0.", true),
            ("`inspect` was renamed to `describe`, so use that.", true),
            ("There is no option named `--old`.", true),
            ("Until 2.3.1 the default was 30.", true),
            ("Use `--new` instead of `--old`.", true),
            ("Use `--old` instead of a proxy.", false),
            ("Pass `--insecure` on a laptop.", false),
            ("The default is 30 seconds.", false),
            ("It used to read `--old`.", true),
            ("This release drops support for `--old`.", true),
            ("This hook is named `--old` in `3.7.x` and `3.8.0-alpha.x` releases.", true),
            ("`--old` used to be the default.", true),
            ("`--old` is used to read the file.", false),
            ("A flag used to set `--old`.", false),
        ] {
            assert_eq!(speaks_of_past(line, line.rfind("`--").unwrap_or(0)), expected, "{line}");
        }
        assert!(speaks_of_past("`--old`: use `--new` instead.", 1));
        assert!(speaks_of_past("xxxxxxx; you should use `--new` instead.", 0));
        assert!(!speaks_of_past("`--old`, use it with care.", 1));
    }

    #[test]
    fn sections_about_the_past() {
        for (heading, expected) in [
            ("## 2.4.1", true),
            ("Version history\n===============", true),
            ("=======\nHistory\n=======", true),
            ("Recent Changes\n--------------", true),
            ("Recent work", false),
            ("# Changelog", true),
            ("## [1.0.0] - 2024-01-01", true),
            ("## v3.0 (unreleased)", true),
            ("### Breaking changes", true),
            ("## Upgrading from 2.x", true),
            ("## Release 2.3", true),
            ("## Releases", true),
            ("## Release", false),
            ("## Release process", false),
            ("## History file", false),
            ("## Options", false),
            ("## Change the port", false),
        ] {
            assert_eq!(is_past_heading(heading), expected, "{heading}");
        }
    }
}
