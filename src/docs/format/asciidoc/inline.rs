//! Inline markup of `AsciiDoc`: monospace, emphasis, links, cross references, macros.

use crate::model::{ByteSpan, Mark, MarkKind};

/// The marks in a stretch of text.
pub(super) fn marks(text: &str, span: ByteSpan) -> Vec<Mark> {
    let part = span.of(text);
    let mut scan = Scan { part, base: span.start, closers: Vec::new(), out: Vec::new() };
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'\\' => at + 2,
            b'`' => scan.monospace(at),
            b'+' => scan.pass(at),
            b'*' | b'_' => scan.emphasis(at),
            b'#' => scan.highlight(at),
            b'<' => scan.reference(at),
            b'[' if part[at..].starts_with("[[") => scan.close("]]", at + 2).map_or(at + 2, |end| end + 2),
            b':' => scan.macro_at(at),
            _ => at + 1,
        };
    }
    scan.out
}

struct Scan<'t> {
    part: &'t str,
    base: usize,
    /// Where the next closing delimiter of each kind stands, as far as it was looked for; `None` where there is no
    /// more: keeps hostile text linear.
    closers: Vec<(&'static str, Option<usize>)>,
    out: Vec<Mark>,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Scan<'_> {
    fn push(&mut self, kind: MarkKind, start: usize, end: usize) {
        if start < end {
            self.out.push(Mark { kind, span: ByteSpan::new(self.base + start, self.base + end) });
        }
    }

    fn before(&self, at: usize) -> Option<char> {
        self.part.get(..at)?.chars().next_back()
    }

    fn after(&self, at: usize) -> Option<char> {
        self.part.get(at..)?.chars().next()
    }

    /// Where the content that begins at `from` ends: at the next delimiter that may close.
    fn close(&mut self, delimiter: &'static str, from: usize) -> Option<usize> {
        let constrained = delimiter.len() == 1;
        if constrained && self.after(from).is_none_or(char::is_whitespace) {
            return None;
        }
        let known = self.closers.iter().position(|(known, _)| *known == delimiter);
        match known.map(|i| self.closers[i].1) {
            Some(None) => return None,
            Some(Some(at)) if at > from => return Some(at),
            _ => {}
        }
        let mut at = from + self.after(from).map_or(1, char::len_utf8);
        let found = loop {
            let Some(found) = self.part.get(at..).and_then(|rest| rest.find(delimiter)).map(|f| at + f) else { break None };
            let end = found + delimiter.len();
            if !constrained || (!self.before(found).is_none_or(char::is_whitespace) && !self.after(end).is_some_and(is_word)) {
                break Some(found);
            }
            at = found + 1;
        };
        match known {
            Some(i) => self.closers[i].1 = found,
            None => self.closers.push((delimiter, found)),
        }
        found
    }

    /// Tries the doubled delimiter anywhere and the single one between words; gives content and end.
    fn delimited(&mut self, at: usize, double: &'static str, single: &'static str) -> Result<(usize, usize, usize), usize> {
        if self.part[at..].starts_with(double) {
            let from = at + 2;
            return self.close(double, from).map(|end| (from, end, end + 2)).ok_or(from);
        }
        if self.before(at).is_some_and(|c| is_word(c) || matches!(c, ';' | '}')) {
            return Err(at + 1);
        }
        self.close(single, at + 1).map(|end| (at + 1, end, end + 1)).ok_or(at + 1)
    }

    fn monospace(&mut self, at: usize) -> usize {
        match self.delimited(at, "``", "`") {
            Ok((mut start, mut end, next)) => {
                let inner = &self.part[start..end];
                if inner.len() > 2 && inner.starts_with('+') && inner.ends_with('+') {
                    (start, end) = (start + 1, end - 1);
                }
                self.push(MarkKind::Code, start, end);
                next
            }
            Err(next) => next,
        }
    }

    /// `+code+`; `+++raw+++` and a lone `+` are nothing.
    fn pass(&mut self, at: usize) -> usize {
        let run = self.part[at..].bytes().take_while(|b| *b == b'+').count();
        if run >= 3 {
            return self.part[at + run..].find("+++").map_or(at + run, |end| at + run + end + 3);
        }
        match self.delimited(at, "++", "+") {
            Ok((start, end, next)) if !self.part[start..end].contains('\n') => {
                self.push(MarkKind::Code, start, end);
                next
            }
            Ok(_) => at + run,
            Err(next) => next,
        }
    }

    fn emphasis(&mut self, at: usize) -> usize {
        let found = if self.part.as_bytes()[at] == b'*' { self.delimited(at, "**", "*") } else { self.delimited(at, "__", "_") };
        match found {
            Ok((start, end, _)) => {
                self.push(MarkKind::Emphasis, start, end);
                // What is inside may be code or a link.
                start
            }
            Err(next) => next,
        }
    }

    /// `[line-through]#text#`; other highlights are nothing.
    fn highlight(&mut self, at: usize) -> usize {
        let struck =
            self.part.get(..at).is_some_and(|before| before.ends_with("[line-through]") || before.ends_with("[.line-through]"));
        if !struck {
            return at + 1;
        }
        match self.close("#", at + 1) {
            Some(end) => {
                self.push(MarkKind::Strikethrough, at + 1, end);
                at + 1
            }
            None => at + 1,
        }
    }

    /// `<<target,text>>` and `<https://…>`.
    fn reference(&mut self, at: usize) -> usize {
        let rest = &self.part[at..];
        let Some(inner) = rest.strip_prefix("<<") else { return at + 1 };
        let end = memchr::memchr(b'>', &inner.as_bytes()[..inner.len().min(512)]);
        let Some(end) = end.filter(|end| inner[*end..].starts_with(">>") && *end > 0) else { return at + 2 };
        let (target, words) = inner[..end].split_once(',').unwrap_or((&inner[..end], ""));
        let whole_end = at + end + 4;
        self.push(MarkKind::Link { target: place(target.trim()) }, at, whole_end);
        let words = words.trim();
        if !words.is_empty() {
            let start = whole_end - 2 - (inner[..end].len() - inner[..end].rfind(words).unwrap_or(0));
            self.push(MarkKind::LinkText, start, start + words.len());
        }
        whole_end
    }

    /// `name:target[text]` and bare addresses, found at their colon.
    fn macro_at(&mut self, colon: usize) -> usize {
        let before = &self.part[..colon];
        let name_start = before
            .char_indices()
            .rev()
            .take(16)
            .take_while(|(_, c)| c.is_ascii_alphabetic())
            .last()
            .map_or(colon, |(start, _)| start);
        let name = &before[name_start..];
        if name.is_empty() || before[..name_start].ends_with(is_word) || before[..name_start].ends_with('\\') {
            return colon + 1;
        }
        match name {
            "http" | "https" | "ftp" | "irc" => self.address(name_start, colon),
            "link" | "xref" | "image" | "icon" | "mailto" => self.link(name, name_start, colon),
            "kbd" | "btn" | "menu" | "footnote" | "pass" | "stem" => self.role(name, colon),
            _ => colon + 1,
        }
    }

    fn address(&mut self, start: usize, colon: usize) -> usize {
        let rest = &self.part[start..];
        if !self.part[colon..].starts_with("://") {
            return colon + 1;
        }
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '[' | '<' | '>' | '"' | '`' | '|')).unwrap_or(rest.len());
        if rest[end..].starts_with('[')
            && let Some(close) = closing_bracket(&rest[end..])
        {
            let whole_end = start + end + close + 1;
            self.push(MarkKind::Link { target: rest[..end].to_owned() }, start, whole_end);
            self.words(start + end + 1, start + end + close);
            return start + end + 1;
        }
        let address = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '\'', '*', '_', '+']);
        if address.len() <= colon - start + 3 {
            return colon + 3;
        }
        self.push(MarkKind::Link { target: address.to_owned() }, start, start + address.len());
        start + address.len()
    }

    fn link(&mut self, name: &str, start: usize, colon: usize) -> usize {
        let rest = &self.part[colon + 1..];
        // The block form (`image::`) is no inline macro.
        let end = rest.find(['[', '\n', '<', '>', '"', '`']).unwrap_or(rest.len());
        let target = &rest[..end];
        if target.is_empty() || target.starts_with(':') || target.starts_with(' ') || !rest[end..].starts_with('[') {
            return colon + 1;
        }
        let Some(close) = closing_bracket(&rest[end..]) else { return colon + 1 };
        let whole_end = colon + 1 + end + close + 1;
        let target = target.trim_start_matches('+').trim_end_matches('+').trim_start_matches("pass:");
        let target = if name == "xref" { place(target) } else { target.to_owned() };
        if name != "mailto" && name != "icon" {
            self.push(MarkKind::Link { target }, start, whole_end);
        }
        if name != "image" && name != "icon" {
            self.words(colon + 1 + end + 1, whole_end - 1);
        }
        // What is inside may be code.
        colon + 1 + end + 1
    }

    /// The text of a link, without attributes and the caret that opens a window.
    fn words(&mut self, start: usize, end: usize) {
        let inner = &self.part[start..end];
        let inner = match inner.find(',') {
            Some(comma) if inner[comma..].contains('=') => &inner[..comma],
            _ => inner,
        };
        let inner = inner.trim_end_matches('^');
        let lead = inner.len() - inner.trim_start_matches('"').len();
        let inner = inner.trim_matches('"');
        self.push(MarkKind::LinkText, start + lead, start + lead + inner.len());
    }

    fn role(&mut self, name: &str, colon: usize) -> usize {
        let rest = &self.part[colon + 1..];
        let open = rest.bytes().take(64).position(|b| b == b'[');
        let Some(open) = open.filter(|open| !rest[..*open].contains([' ', '\n'])) else { return colon + 1 };
        let Some(close) = closing_bracket(&rest[open..]) else { return colon + 1 };
        let (start, end) = (colon + 1 + open + 1, colon + 1 + open + close);
        match name {
            "kbd" | "btn" | "menu" => {
                self.push(MarkKind::Role { name: name.to_owned() }, start, end);
                end + 1
            }
            "footnote" => start,
            _ => end + 1,
        }
    }
}

/// Where the bracket that opens a text closes, in the same paragraph; a backslash keeps one from closing.
fn closing_bracket(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().take(1_024) {
        match byte {
            b'[' if at == 0 || bytes[at - 1] != b'\\' => depth += 1,
            b']' if bytes[at - 1] != b'\\' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a cross reference points: a bare name is an anchor of the same document.
fn place(target: &str) -> String {
    if target.contains(['.', '/', '#']) { target.to_owned() } else { format!("#{target}") }
}
