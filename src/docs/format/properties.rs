//! What holds for every format and any text: spans are in bounds, on character boundaries, ordered, and marks lie in
//! their region (`render::sound`); and parsing a document never fails.

use proptest::prelude::*;

use super::super::{FORMATS, parse};
use super::render::sound;
use crate::model::RepoPath;

/// Pieces that mean something to one format or another.
const PIECES: &[&str] = &[
    "# ",
    "== ",
    "=== \"t\"",
    "\n===\n",
    "\n---\n",
    "- ",
    "* ",
    "1. ",
    ". ",
    "> ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "`",
    "``",
    "```\n",
    "```sh x\n",
    "~~~\n",
    "|",
    "|a|b|\n|-|-|\n",
    "|===\n",
    "----\n",
    "....\n",
    "====\n",
    "+\n",
    "--\n",
    "[",
    "](",
    ")",
    "]: x\n",
    "![",
    "<a href='x'>",
    "<Tab>\n",
    "</Tab>\n",
    "<!-- ",
    " -->\n",
    "{/* ",
    " */}",
    "import X from './x'\n",
    "export const a = {\n",
    ":::tip\n",
    "!!! note\n",
    "--8<-- \"x\"\n",
    "{{#include x}}",
    ".. ",
    "::\n",
    ".. note::",
    ".. code-block:: py\n",
    ".. list-table::\n",
    ".. csv-table::\n   :header: a,b\n\n",
    ".. _a: b\n",
    "* - ",
    "   ",
    ":a: ",
    ":r:`x`",
    "a_ ",
    "<b>`_",
    "-a  ",
    "=== ===\n",
    "+--+--+\n",
    "a::",
    "[source,rb]\n",
    "include::x[]\n",
    "<<x>>",
    "link:a[b]",
    "http://a.b[",
    "*",
    "**",
    "_",
    "~~",
    "+",
    "\\",
    "\"",
    ",",
    "&amp;",
    "[^1]",
    "[^1]: ",
    "é",
    "日本",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "x",
    "word ",
    "@generated ",
    "BEGIN GENERATED ",
    ": d",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn regions_are_sound(text in text()) {
        for format in FORMATS {
            sound(*format, &text);
        }
    }

    #[test]
    fn documents_are_sound(head in prop_oneof![Just(""), Just("---\n"), Just("+++\n"), Just("---\na: 1\n---\n")], text in text()) {
        for name in ["a.md", "a.mdx", "a.rst", "docs/a.txt", "a.adoc", "README"] {
            let source = format!("{head}{text}");
            let parsed = parse(&RepoPath::new(name), &source).expect("a document");
            let body = parsed.document.frontmatter.span.map_or(0, |span| span.end);
            prop_assert!(parsed.document.regions.iter().all(|region| region.span.start >= body));
            prop_assert!(parsed.document.generated.iter().all(|g| parsed.document.text.get(g.span.start..g.span.end).is_some()));
            let lines = parsed.document.lines.count();
            prop_assert!(parsed.document.regions.iter().all(|r| parsed.document.lines_of(r.span).end.get() as usize <= lines));
        }
    }
}
