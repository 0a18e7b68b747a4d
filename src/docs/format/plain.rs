//! Text without markup: paragraphs between blank lines, indented lines as code.

use super::super::Format;
use super::lines;
use super::outline::Outline;
use crate::model::{ByteSpan, DocFormat, Mark, MarkKind, Region, RegionKind, RepoPath};

/// Names of documents that come without an extension.
const NAMES: [&str; 16] = [
    "readme",
    "install",
    "installing",
    "contributing",
    "usage",
    "hacking",
    "building",
    "upgrading",
    "changes",
    "changelog",
    "news",
    "history",
    "faq",
    "manual",
    "getting-started",
    "quickstart",
];

/// README, INSTALL and the like without extension or as `.txt`, and other `.txt` in a documentation folder.
pub(super) struct Plain;

impl Format for Plain {
    fn format(&self) -> DocFormat {
        DocFormat::Plain
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        let extension = path.extension().to_ascii_lowercase();
        let is_named = || NAMES.contains(&path.stem().to_ascii_lowercase().as_str());
        match extension.as_str() {
            "" => is_named(),
            "txt" => is_named() || super::is_docs_text(path),
            _ => false,
        }
    }

    fn regions(&self, text: &str, body_start: usize) -> Vec<Region> {
        let mut outline = Outline::new(text);
        let mut block: Option<Block> = None;
        for line in lines::lines(text, body_start) {
            let content = line.of(text);
            let kind = match (&block, lines::indent(content, 8)) {
                _ if content.trim().is_empty() => {
                    // Blank lines belong to code that goes on behind them.
                    if block.as_ref().is_some_and(|b| !b.code) {
                        put(text, &mut outline, block.take().as_ref());
                    }
                    continue;
                }
                (Some(open), _) if !open.code => false,
                (_, indent) => indent >= 4,
            };
            match &mut block {
                Some(open) if open.code == kind => open.span.end = line.end,
                _ => {
                    put(text, &mut outline, block.take().as_ref());
                    block = Some(Block { code: kind, span: line.span() });
                }
            }
        }
        put(text, &mut outline, block.as_ref());
        outline.finish()
    }
}

/// Lines that belong together.
#[derive(Clone, Copy)]
struct Block {
    code: bool,
    span: ByteSpan,
}

fn put(text: &str, outline: &mut Outline<'_>, block: Option<&Block>) {
    let Some(Block { code, span }) = block.copied() else { return };
    if code {
        let kind = RegionKind::CodeBlock { lang: String::new(), meta: String::new(), content: span };
        outline.push(kind, span, Vec::new());
    } else {
        outline.push(RegionKind::Paragraph, span, quoted(text, span));
    }
}

/// What stands between backquotes in one line: people write them in plain text too.
fn quoted(text: &str, span: ByteSpan) -> Vec<Mark> {
    let mut out = Vec::new();
    for line in lines::lines(span.of(text), 0) {
        let mut open: Option<usize> = None;
        for at in memchr::memchr_iter(b'`', line.of(span.of(text)).as_bytes()) {
            let at = span.start + line.start + at;
            match open.take() {
                Some(start) if start < at => {
                    out.push(Mark { kind: MarkKind::Code, span: ByteSpan::new(start, at) });
                }
                _ => open = Some(at + 1),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::render::{check, sound};
    use super::*;

    #[test]
    fn splits_paragraphs_and_code() {
        check(
            &Plain,
            "TITLE\n=====\n\nRun `make` now\nor later.\n\n    make\n\n      install\n\nend\n    hang\n",
            &["p 1-2", "p 4-5 | `make", "code 7-9  \"    make\\\\n\\\\n      install\"", "p 11-12"],
        );
        check(&Plain, "a ``b`` ` c\r\n\r\n\tx\r\n", &["p 1 | `b | ` ", "code 3  \"\\tx\""]);
    }

    #[test]
    fn knows_its_names() {
        for (path, expected) in [
            ("README", true),
            ("docs/INSTALL", true),
            ("Readme.txt", true),
            ("docs/a/guide.txt", true),
            ("docs/requirements.txt", false),
            ("CMakeLists.txt", false),
            ("LICENSE", false),
            ("src/data.txt", false),
            ("Makefile", false),
        ] {
            assert_eq!(Plain.accepts(&path.into()), expected, "{path}");
        }
    }

    #[test]
    fn survives_hostile_text() {
        for text in ["`".repeat(100_000), "\n    ".repeat(50_000), "x".repeat(1_000_000)] {
            sound(&Plain, &text);
        }
    }
}
