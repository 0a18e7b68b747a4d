//! Texts that a grammar's scanner cannot hold. The scanners of YAML and Python keep a stack of indentations and save it in
//! 1,024 bytes: beyond that tree-sitter ends the process (`length <= 1024`). Such texts are not parsed.

use super::Grammar;

/// Two bytes for kind and two for column, ten for the rest: 253 levels fit.
const YAML_LEVELS: usize = 240;
/// Two bytes for each level beside the open string delimiters, of which there may be 255.
const PYTHON_LEVELS: usize = 370;

/// Whether the text may be given to the grammar's parser.
pub(super) fn accepts(grammar: Grammar, text: &str) -> bool {
    match grammar {
        Grammar::Yaml => !is_deeper(text, YAML_LEVELS, true),
        Grammar::Python => !is_deeper(text, PYTHON_LEVELS, false),
        _ => true,
    }
}

/// Whether indentation may nest deeper than `levels`. With `compact`, a line may open several levels (`- - a: b`),
/// and a list may stand in the column of its parent.
fn is_deeper(text: &str, levels: usize, compact: bool) -> bool {
    let mut columns: Vec<usize> = Vec::new();
    for line in text.lines() {
        let content = line.trim_start_matches([' ', '\t']);
        if content.is_empty() {
            continue;
        }
        let indent = line.len() - content.len();
        columns.truncate(columns.partition_point(|column| *column < indent));
        columns.push(indent);
        if compact {
            // What a line opens stays open for lines that are indented as far as its content.
            let mut column = indent;
            for word in content.split_inclusive([' ', '\t']) {
                if !matches!(word.trim_end(), "" | "-" | "?" | ":") || columns.len() > levels {
                    break;
                }
                column += word.len();
                columns.push(column);
            }
        }
        let here = if compact { 2 * columns.len() } else { columns.len() };
        if here > levels {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn staircase(levels: usize, line: &str) -> String {
        let lines: Vec<String> = (0..levels).map(|i| format!("{}{line}", " ".repeat(i))).collect();
        lines.join("\n")
    }

    #[test]
    fn refuses_what_would_end_the_process() {
        for text in [staircase(400, "a:"), "- ".repeat(400), "? ".repeat(400), staircase(260, "- a:")] {
            assert!(!accepts(Grammar::Yaml, &text));
            assert!(parse(Grammar::Yaml, &text).is_none());
        }
        assert!(!accepts(Grammar::Python, &staircase(600, "if x:")));
    }

    #[test]
    fn parses_what_people_write() {
        for text in [
            staircase(60, "a:"),
            staircase(50, "- a:"),
            "a: ".repeat(2_000),
            "a: b: c: d\n".repeat(500),
            format!("x: {{{}}}", "\"a\": 1, ".repeat(400)),
            format!("{}# far\na: 1", " ".repeat(300)),
        ] {
            assert!(parse(Grammar::Yaml, &text).is_some(), "{text}");
        }
        assert!(parse(Grammar::Python, &staircase(80, "if x:")).is_some());
        assert!(parse(Grammar::Json, &"[".repeat(3_000)).is_some());
    }
}
