//! Inline markup of reStructuredText: literals, roles, references, emphasis, bare addresses.

use std::collections::BTreeMap;

use super::super::address;
use super::syntax;
use crate::model::{ByteSpan, Mark, MarkKind};

/// Explicit targets of a document: normalised name to address.
pub(super) type Targets = BTreeMap<String, String>;

/// The marks in a stretch of text.
pub(super) fn marks(text: &str, span: ByteSpan, targets: &Targets) -> Vec<Mark> {
    let part = span.of(text);
    let mut scan = Scan { part, base: span.start, targets, exhausted: Vec::new(), out: Vec::new() };
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'\\' => at + 2,
            b'`' => scan.backquote(at),
            b'*' => scan.emphasis(at),
            b':' => scan.role(at),
            b'_' => scan.reference(at),
            b'h' if opens(part, at) => scan.address(at),
            _ => at + 1,
        };
    }
    scan.out
}

struct Scan<'t> {
    part: &'t str,
    base: usize,
    targets: &'t Targets,
    /// Closing delimiters that do not occur any more: keeps hostile text linear.
    exhausted: Vec<&'static str>,
    out: Vec<Mark>,
}

/// Whether markup may begin at a byte: after the start, a blank or an opening punctuation character.
fn opens(part: &str, at: usize) -> bool {
    part.get(..at).is_some_and(|before| {
        before.chars().next_back().is_none_or(|c| c.is_whitespace() || "'\"([{<-/:|=,\u{201c}\u{2018}\u{ab}".contains(c))
    })
}

/// Whether markup may end before a byte.
fn closes(part: &str, at: usize) -> bool {
    part.get(at..).is_some_and(|after| after.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '`'))
}

impl Scan<'_> {
    fn push(&mut self, kind: MarkKind, start: usize, end: usize) {
        if start < end {
            self.out.push(Mark { kind, span: ByteSpan::new(self.base + start, self.base + end) });
        }
    }

    /// Where the closing delimiter stands for markup whose content begins at `from`.
    fn close(&mut self, delimiter: &'static str, from: usize) -> Option<usize> {
        if self.exhausted.contains(&delimiter) || self.part.get(from..)?.starts_with(char::is_whitespace) {
            return None;
        }
        let bytes = self.part.as_bytes();
        let mut at = from;
        while let Some(found) = self.part.get(at..).and_then(|rest| rest.find(delimiter)).map(|f| at + f) {
            let after = found + delimiter.len();
            let escaped = delimiter != "``" && found > 0 && bytes[found - 1] == b'\\';
            let blank_before = found > 0 && bytes[found - 1].is_ascii_whitespace();
            let fits = match delimiter {
                "``" => closes(self.part, after) || bytes.get(after) == Some(&b'`'),
                "`" => true,
                _ => closes(self.part, after),
            };
            if found > from && !escaped && !blank_before && fits {
                // A literal may end with a backquote.
                let extra = if delimiter == "``" { bytes[after..].iter().take_while(|b| **b == b'`').count() } else { 0 };
                return Some(found + extra);
            }
            at = found + 1;
            while !self.part.is_char_boundary(at) {
                at += 1;
            }
        }
        self.exhausted.push(delimiter);
        None
    }

    fn backquote(&mut self, at: usize) -> usize {
        if self.part[at..].starts_with("``") {
            if let Some(end) = self.close("``", at + 2) {
                self.push(MarkKind::Code, at + 2, end);
                return end + 2;
            }
            return at + 2;
        }
        if !opens(self.part, at) {
            return at + 1;
        }
        let Some(end) = self.close("`", at + 1) else { return at + 1 };
        let after = &self.part[end + 1..];
        if let Some(underscores) = after.strip_prefix('_') {
            let whole_end = end + 2 + usize::from(underscores.starts_with('_'));
            self.hyperlink(at, end, whole_end);
            return whole_end;
        }
        if let Some((name, length)) = role_name(after)
            && closes(self.part, end + 1 + length)
        {
            self.content(name, at + 1, end);
            return end + 1 + length;
        }
        // The default role: what people write for code.
        self.push(MarkKind::Code, at + 1, end);
        end + 1
    }

    /// `` `text <target>`_ `` and `` `name`_ ``; `at` is the opening backquote, `end` the closing one.
    fn hyperlink(&mut self, at: usize, end: usize, whole_end: usize) {
        let inner = &self.part[at + 1..end];
        let embedded = inner.strip_suffix('>').and_then(|rest| rest.rfind('<'));
        if let Some(open) = embedded {
            let target = &inner[open + 1..inner.len() - 1];
            let target = match target.strip_suffix('_').filter(|name| !name.ends_with('\\') && !name.contains('/')) {
                Some(name) => self.targets.get(&syntax::normalized(name.trim_matches('`'))).cloned(),
                None => Some(written(target)),
            };
            if let Some(target) = target {
                self.push(MarkKind::Link { target }, at, whole_end);
            }
            let words = inner[..open].trim_end();
            self.push(MarkKind::LinkText, at + 1, at + 1 + words.len());
        } else {
            if let Some(target) = self.targets.get(&syntax::normalized(inner)).cloned() {
                self.push(MarkKind::Link { target }, at, whole_end);
            }
            self.push(MarkKind::LinkText, at + 1, end);
        }
    }

    /// `:name:` before a backquote.
    fn role(&mut self, at: usize) -> usize {
        let Some((name, length)) = role_name(&self.part[at..]) else { return at + 1 };
        let quote = at + length;
        if !opens(self.part, at) || self.part.as_bytes().get(quote) != Some(&b'`') || self.part[quote..].starts_with("``") {
            return at + length.max(1) - usize::from(length > 1);
        }
        let Some(end) = self.close("`", quote + 1) else { return quote + 1 };
        self.content(name, quote + 1, end);
        end + 1
    }

    /// The content of a role: the target part, without `~` and `!`.
    fn content(&mut self, name: &str, start: usize, end: usize) {
        let inner = &self.part[start..end];
        let (mut from, mut to) = (start, end);
        if let Some(open) = inner.strip_suffix('>').and_then(|rest| rest.rfind('<')).filter(|open| *open > 0) {
            from = start + open + 1;
            to = end - 1;
            let words = inner[..open].trim_end();
            self.push(MarkKind::LinkText, start, start + words.len());
        }
        let inner = &self.part[from..to];
        from += inner.len() - inner.trim_start_matches(['~', '!']).len();
        self.push(MarkKind::Role { name: name.to_owned() }, from, to);
    }

    fn emphasis(&mut self, at: usize) -> usize {
        let delimiter = if self.part[at..].starts_with("**") { "**" } else { "*" };
        let from = at + delimiter.len();
        if !opens(self.part, at) {
            return from;
        }
        match self.close(delimiter, from) {
            Some(end) => {
                self.push(MarkKind::Emphasis, from, end);
                end + delimiter.len()
            }
            None => from,
        }
    }

    /// `name_` and `name__`, where the name has a target.
    fn reference(&mut self, at: usize) -> usize {
        let run = self.part[at..].bytes().take_while(|b| *b == b'_').count();
        let after = at + run;
        if run > 2 || !closes(self.part, after) {
            return after;
        }
        let before = &self.part[..at];
        // A name is short: looking back is bounded.
        let start = before
            .char_indices()
            .rev()
            .take(128)
            .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '+'))
            .last()
            .map(|(start, _)| start);
        if let Some(start) = start
            && opens(self.part, start)
            && let Some(target) = self.targets.get(&syntax::normalized(&before[start..])).cloned()
        {
            self.push(MarkKind::Link { target }, start, after);
            self.push(MarkKind::LinkText, start, at);
        }
        after
    }

    fn address(&mut self, at: usize) -> usize {
        let Some(length) = address::length(&self.part[at..]) else { return at + 1 };
        self.push(MarkKind::Link { target: self.part[at..at + length].to_owned() }, at, at + length);
        at + length
    }
}

/// `:domain:name:` at the start of a text: the last part of the name, and how many bytes it takes.
fn role_name(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix(':')?;
    let end = rest.bytes().take(64).take_while(|b| b.is_ascii_alphanumeric() || b"-_.+:".contains(b)).count();
    let name = rest[..end].strip_suffix(':')?;
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    starts_well.then(|| (name.rsplit(':').next().unwrap_or(name), end + 1))
}

/// An address as written in a target: blanks are line breaks, escapes go.
pub(super) fn written(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect()
}
