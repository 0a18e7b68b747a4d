//! Text of a repository without what a terminal, a viewer or a reader's eye would obey or miss. The one place that says
//! which characters those are.

/// What stands for a character that is taken out.
pub const TAKEN_OUT: char = '\u{fffd}';

/// Whether a character acts instead of showing: control characters, line ends of every kind, marks that reorder text, and
/// marks of no width that hide text or keep equal-looking texts apart. The joiners of scripts and pictures (U+200C, U+200D)
/// show, in their way.
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text on one line with nothing in it that acts. Tabs become blanks.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if acts(c) => TAKEN_OUT,
            c => c,
        })
        .collect()
}

/// JSON text whose strings hold the same, written so that nothing in it acts: escapes for what [`acts`], and for the mark
/// by which a job's runner knows an older form of its commands (`##[`), which it looks for inside of lines.
pub fn json(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    let mut units = [0; 2];
    for c in text.chars() {
        if c != '\n' && acts(c) {
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    // Outside of strings JSON has no `#`.
    if out.contains("##[") { out.replace("##[", "#\\u0023[") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans() {
        for (text, expected) in [
            ("a\tb", "a b"),
            ("a\nb\r\u{85}\u{2028}c", "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}c"),
            (
                "\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}\u{2060}\u{e0041}x",
                "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}x",
            ),
            ("👩\u{200d}🔬 é ب", "👩\u{200d}🔬 é ب"),
        ] {
            assert_eq!(clean(text), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn json_reads_back(text in "(##\\[|\\\\|\"|\u{202e}|\u{e0041}|\u{9b}|\\PC|\\s){0,12}") {
            let value = serde_json::json!({ "a": [text] });
            let written = json(&serde_json::to_string_pretty(&value).expect("JSON"));
            proptest::prop_assert!(!written.contains("##[") && !written.chars().any(|c| c != '\n' && acts(c)), "{}", written);
            proptest::prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&written).expect("JSON"), value);
        }
    }
}
