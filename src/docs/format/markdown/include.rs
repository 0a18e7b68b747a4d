//! Files that a document pulls in: `{{#include path}}` of mdBook, `--8<-- "path"` of pymdown, `<<< path` of `VitePress`.

use crate::model::{ByteSpan, Mark, MarkKind};

use super::super::lines;

/// Longest inclusion that is read.
const MAX_LENGTH: usize = 1024;

/// Link marks for every inclusion in a region. Code spans (given in order) are left out: there the words are quoted.
pub(super) fn marks(text: &str, region: ByteSpan, code: &[ByteSpan]) -> Vec<Mark> {
    let part = region.of(text);
    let mut out = Vec::new();
    if memchr::memmem::find(part.as_bytes(), b"{{#").is_some() {
        mdbook(part, &mut out);
    }
    if memchr::memmem::find(part.as_bytes(), b"--8<--").is_some() {
        snippets(part, &mut out);
    }
    if memchr::memmem::find(part.as_bytes(), b"<<<").is_some() {
        vitepress(part, &mut out);
    }
    let shift = |span: ByteSpan| ByteSpan::new(region.start + span.start, region.start + span.end);
    out.into_iter()
        .map(|(target, span)| Mark { kind: MarkKind::Link { target: target.to_owned() }, span: shift(span) })
        .filter(|mark| {
            let next = code.partition_point(|c| c.start <= mark.span.start);
            !next.checked_sub(1).is_some_and(|i| code[i].contains(mark.span))
        })
        .collect()
}

type Found<'t> = (&'t str, ByteSpan);

/// `{{#include path:lines}}`, `{{#rustdoc_include …}}`, `{{#playground …}}`; not after a backslash.
fn mdbook<'t>(part: &'t str, out: &mut Vec<Found<'t>>) {
    for at in memchr::memmem::find_iter(part.as_bytes(), b"{{#") {
        if part[..at].ends_with('\\') {
            continue;
        }
        let inner = &part.as_bytes()[at + 3..];
        let inner = &inner[..inner.len().min(MAX_LENGTH)];
        let Some(end) = memchr::memmem::find(inner, b"}}").filter(|end| !inner[..*end].contains(&b'\n')) else { continue };
        let mut words = part[at + 3..at + 3 + end].split_whitespace();
        let word = words.next().unwrap_or("");
        if !matches!(word, "include" | "rustdoc_include" | "playground" | "playpen") {
            continue;
        }
        if let Some(path) = words.next().and_then(|p| p.split(':').next()).filter(|p| !p.is_empty()) {
            out.push((path, ByteSpan::new(at, at + 3 + end + 2)));
        }
    }
}

/// `--8<-- "path:section"`, and the block form with one path a line. A `;` before it switches it off.
fn snippets<'t>(part: &'t str, out: &mut Vec<Found<'t>>) {
    let mut in_block = false;
    for line in lines::lines(part, 0) {
        let content = line.of(part).trim();
        let path = match content.find("--8<--") {
            Some(at) if content[..at].ends_with(';') => continue,
            Some(at) => {
                let rest = content[at + 6..].trim_start_matches('-').trim();
                if rest.is_empty() {
                    in_block = !in_block;
                    continue;
                }
                rest.trim_matches(['"', '\''])
            }
            None if in_block && !content.starts_with(';') => content,
            None => continue,
        };
        let path = if path.contains("://") { path } else { path.split(':').next().unwrap_or("") };
        if !path.is_empty() {
            out.push((path, lines::trimmed(part, line.span())));
        }
    }
}

/// `<<< @/path{lines}` and `<<< path#region`.
fn vitepress<'t>(part: &'t str, out: &mut Vec<Found<'t>>) {
    for line in lines::lines(part, 0) {
        let Some(rest) = line.of(part).trim_start().strip_prefix("<<<") else { continue };
        let path = rest.trim().split(['{', '#', '[', ' ', '<']).next().unwrap_or("");
        if !path.is_empty() {
            out.push((path, lines::trimmed(part, line.span())));
        }
    }
}
