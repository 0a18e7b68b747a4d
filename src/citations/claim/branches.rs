//! Branches over an enum that named every variant at base and have none for one that was added: a `match` of Rust or a `when` of
//! Kotlin without a branch for the rest no longer compiles.

use serde_json::Value;

use super::{Subject, Verdict};
use crate::model::{ByteSpan, Claim, ClaimRule, RegionKind, Strength};
use crate::syntax::Grammar;

/// Longest block of branches that is read, in bytes.
const MAX_LENGTH: usize = 8_000;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let RegionKind::CodeBlock { content, .. } = subject.region().kind else { return Verdict::Mention };
    let (Some(before), Some(after)) = (&subject.change.before, &subject.change.after) else { return Verdict::Mention };
    let (keyword, arrow) = match Grammar::for_path(&before.path) {
        Some(Grammar::Rust) => ("match", "=>"),
        Some(Grammar::Kotlin) => ("when", "->"),
        _ => return Verdict::Mention,
    };
    let (old, new) = (variants(&before.value), variants(&after.value));
    let added: Vec<&str> = new.iter().filter(|v| !old.contains(v)).copied().collect();
    if old.len() < 2 || added.is_empty() || old.iter().any(|v| !new.contains(v)) {
        return Verdict::Mention;
    }
    let text = subject.of(content);
    let at = subject.citation.span.start - content.start;
    let Some((start, body)) = block(text, at, keyword) else { return Verdict::Mention };
    let patterns = patterns(body, arrow);
    let named = |variant: &&str| patterns.iter().any(|p| has_word(p, variant));
    let rest = patterns.iter().any(|p| is_rest(p));
    if rest || !old.iter().all(named) || added.iter().any(named) {
        return Verdict::Mention;
    }
    let pointer = format!("/variants/{}", added[0]);
    let aspect = subject.change.aspects.iter().find(|a| a.pointer == pointer).or_else(|| subject.change.aspects.first());
    let end = text[start..].find('{').map_or(start + keyword.len(), |i| start + i);
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::Example,
        strength: Strength::Strong,
        stale: ByteSpan::new(content.start + start, content.start + start + text[start..end].trim_end().len()),
        aspect: aspect.cloned(),
    }])
}

fn variants(value: &Value) -> Vec<&str> {
    let list = value.get("variants").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|v| v.as_str().or_else(|| v.get("name")?.as_str())).collect()
}

/// The last block of branches that opens before a byte and closes behind it: where its keyword stands, and what its braces hold.
fn block<'t>(text: &'t str, at: usize, keyword: &str) -> Option<(usize, &'t str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..at)?;
    before.rmatch_indices(keyword).take(16).find_map(|(start, _)| {
        let apart = !before[..start].chars().next_back().is_some_and(is_word)
            && before[start + keyword.len()..].chars().next().is_some_and(|c| !is_word(c));
        let open = start + text[start..].find('{')?;
        if !apart || open >= at {
            return None;
        }
        let mut depth = 0usize;
        for (i, c) in text[open..].char_indices().take(MAX_LENGTH) {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.checked_sub(1)?,
                _ => continue,
            }
            if depth == 0 {
                return (open + i > at).then(|| (start, &text[open + 1..open + i]));
            }
        }
        None
    })
}

/// What stands before the arrow of each branch, at the block's own depth.
fn patterns<'t>(body: &'t str, arrow: &str) -> Vec<&'t str> {
    let mut out = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    let mut in_pattern = true;
    for (at, c) in body.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => {
                depth = depth.saturating_sub(1);
                // A branch in braces needs no comma.
                if depth == 0 && !in_pattern && c == '}' {
                    in_pattern = true;
                    start = at + 1;
                }
            }
            ',' | '\n' if depth == 0 && !in_pattern && (c == ',' || arrow == "->") => {
                in_pattern = true;
                start = at + 1;
            }
            _ if depth == 0 && in_pattern && body[at..].starts_with(arrow) => {
                out.push(body[start..at].trim().trim_start_matches(',').trim_start());
                in_pattern = false;
            }
            _ => {}
        }
    }
    out
}

/// Whether a branch takes whatever is left: `_`, `other`, `else`.
fn is_rest(pattern: &str) -> bool {
    let word = pattern.split(" if ").next().unwrap_or(pattern).trim();
    word == "else"
        || word.starts_with('_')
        || word.starts_with(char::is_lowercase) && word.chars().all(|c| c.is_alphanumeric() || c == '_')
        || pattern.contains("...")
        || pattern.contains('…')
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_branches() {
        let text = "let n = match kind {\n    Kind::A | Kind::B(_) => { f(1, 2) }\n    Kind::C { x } => 3,\n    other => 4,\n};";
        let (start, body) = block(text, text.find("Kind::C").unwrap_or(0), "match").unwrap_or_default();
        assert_eq!(start, 8);
        assert_eq!(patterns(body, "=>"), ["Kind::A | Kind::B(_)", "Kind::C { x }", "other"]);
        assert!(is_rest("other") && is_rest("_") && is_rest("else") && !is_rest("Kind::A"));
        let when = "when (kind) {\n  Kind.A -> 1\n  Kind.B, Kind.C -> { 2 }\n  else -> 3\n}";
        let (_, body) = block(when, 16, "when").unwrap_or_default();
        assert_eq!(patterns(body, "->"), ["Kind.A", "Kind.B, Kind.C", "else"]);
    }
}
