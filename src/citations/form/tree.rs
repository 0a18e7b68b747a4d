//! Directory trees drawn in code blocks (`├── name`), or indented lists of paths under a directory line.

use crate::model::ByteSpan;

/// What a line of a drawn tree stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    /// The name with those above it.
    pub(super) path: String,
    /// The tree begins with a line that names its root.
    pub(super) rooted: bool,
}

/// The path that a line of a drawn tree stands for; `None` where the line is not drawn.
pub(super) fn path_at(text: &str, content: ByteSpan, name: ByteSpan) -> Option<Drawn> {
    let block = content.of(text);
    if !block.contains(['├', '└', '│']) && !block.contains("|--") && !block.contains("+--") {
        return None;
    }
    let mut stack: Vec<(usize, String)> = Vec::new();
    let mut offset = content.start;
    for line in block.split_inclusive('\n') {
        let end = offset + line.len();
        let trimmed = line.trim_end();
        let glyphs = trimmed
            .chars()
            .take_while(|c| matches!(c, '├' | '└' | '│' | '─' | '|' | '-' | '+' | '`' | ' ' | '\t' | '\u{a0}'))
            .count();
        let entry: String =
            trimmed.chars().skip(glyphs).take_while(|c| !c.is_whitespace() && !matches!(c, '#' | '(' | '←')).collect();
        if !entry.is_empty() {
            while stack.last().is_some_and(|(depth, _)| *depth >= glyphs) {
                stack.pop();
            }
            stack.push((glyphs, entry.trim_end_matches('/').to_owned()));
        }
        if (offset..end).contains(&name.start) {
            let last = stack.last()?;
            // The name must be the line's entry, not a remark behind it.
            if !last.1.contains(name.of(text)) {
                return None;
            }
            let parts: Vec<&str> = stack.iter().map(|(_, n)| n.as_str()).filter(|n| *n != ".").collect();
            let rooted = stack.first().is_some_and(|(depth, _)| *depth == 0);
            return Some(Drawn { path: parts.join("/"), rooted });
        }
        offset = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composes_paths() {
        let text = "client/src/\n├── index.ts\n├── deep\n│   └── retry.ts  # again\n└── session.ts\n";
        let at = |needle: &str| {
            let start = text.find(needle).expect("in the text");
            path_at(text, ByteSpan::new(0, text.len()), ByteSpan::new(start, start + needle.len())).map(|d| d.path)
        };
        assert_eq!(at("retry").as_deref(), Some("client/src/deep/retry.ts"));
        assert_eq!(at("session.ts").as_deref(), Some("client/src/session.ts"));
        assert_eq!(at("again"), None);
    }
}
