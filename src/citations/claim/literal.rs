//! Values and markup in examples that were complete at base and lack what head requires: a literal or a constructor call of a type
//! without a newly required member, an element without a newly required attribute.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Subject, Verdict, arguments};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, RegionKind, Strength};
use crate::syntax::Grammar;

/// Longest literal or tag that is read, in bytes.
const MAX_LENGTH: usize = 4_000;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let RegionKind::CodeBlock { content, .. } = subject.region().kind else { return Verdict::Mention };
    let change = subject.change;
    let Some(before) = change.before.as_ref().filter(|_| change.after.is_some()) else { return Verdict::Mention };
    let Some(grammar) = Grammar::for_path(&before.path) else { return Verdict::Mention };
    let text = &subject.document.text;
    let head = text.get(content.start..subject.citation.span.start).unwrap_or("");
    let tail = text.get(subject.citation.span.end..content.end).unwrap_or("");
    if let Some(verdict) = unnamed(subject, grammar, tail) {
        return verdict;
    }
    let constructed = before.value.get("constructor").and_then(Value::as_str) == Some("members");
    let (key, found) = match grammar {
        Grammar::Python if constructed => ("members", call(subject, &before.value)),
        Grammar::TypeScript | Grammar::Tsx if head.ends_with('<') => ("parameters", attributes(tail)),
        Grammar::TypeScript | Grammar::Tsx => ("members", typed_literal(head, tail)),
        Grammar::Rust => ("members", struct_literal(head, tail)),
        _ => return Verdict::Mention,
    };
    let Some((names, length)) = found else { return Verdict::Mention };
    let list = |value: &Value| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let old = list(&before.value);
    let missing = |list: &[Value]| list.iter().any(|m| requires(m, grammar, key) && !has(&names, m));
    // What lacked something at base is an excerpt.
    if old.is_empty() || missing(&old) || !names.iter().any(|n| old.iter().any(|m| name(m) == n)) {
        return Verdict::Mention;
    }
    let lacks = |aspect: &&Aspect| {
        let segments = aspect.segments();
        let newly = match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [part, _] => *part == key && aspect.before.is_none(),
            _ => false,
        };
        newly && aspect.after.as_ref().is_some_and(|m| requires(m, grammar, key) && !has(&names, m))
    };
    let Some(aspect) = change.aspects.iter().find(lacks) else { return Verdict::Mention };
    claim(subject, length, aspect)
}

/// A call of a class whose fields are its constructor's parameters: the fields it gives, by place or by name.
fn call(subject: &Subject<'_>, value: &Value) -> Option<(BTreeSet<String>, usize)> {
    let list = arguments::after(&subject.document.text, subject.citation.span.end)?;
    let mut fields = value.get("members").and_then(Value::as_array)?.iter().map(name);
    if list.elided || list.items.iter().any(|a| a.spread) {
        return None;
    }
    let mut given = BTreeSet::new();
    for item in &list.items {
        match (&item.name, item.value) {
            (Some(keyword), Some(_)) => given.insert(keyword.clone()),
            _ => given.insert(fields.next()?.to_owned()),
        };
    }
    Some((given, list.span.end - subject.citation.span.end))
}

/// `plan.Kind{2, 3}` of Go: without names a literal gives every field.
fn unnamed(subject: &Subject<'_>, grammar: Grammar, tail: &str) -> Option<Verdict> {
    if grammar != Grammar::Go || !tail.starts_with('{') {
        return None;
    }
    let (values, length) = items(tail, '{', '}')?;
    let count = |fact: Option<&crate::model::Fact>| Some(fact?.value.get("members")?.as_array()?.len());
    let given = values.iter().filter(|v| !v.trim().is_empty()).count();
    let named = values.iter().any(|v| v.contains(':') || v.contains("..."));
    let (old, new) = (count(subject.change.before.as_ref())?, count(subject.change.after.as_ref())?);
    if named || given == 0 || given != old || new <= old {
        return None;
    }
    let aspect = subject.change.aspects.iter().find(|a| a.pointer.starts_with("/members/") && a.before.is_none())?;
    Some(claim(subject, length, aspect))
}

fn claim(subject: &Subject<'_>, length: usize, aspect: &Aspect) -> Verdict {
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::Example,
        strength: Strength::Strong,
        stale: ByteSpan::new(subject.citation.span.start, subject.citation.span.end + length),
        aspect: Some(aspect.clone()),
    }])
}

fn name(member: &Value) -> &str {
    member.get("name").and_then(Value::as_str).unwrap_or("")
}

fn has(names: &BTreeSet<String>, member: &Value) -> bool {
    names.contains(name(member))
}

/// Whether a literal or an element must have a member. A struct of Rust needs every field; of an attribute it is known only
/// where its type stands with the parameter.
fn requires(member: &Value, grammar: Grammar, key: &str) -> bool {
    let optional = member.get("optional").and_then(Value::as_bool).unwrap_or(false);
    let kind = member.get("type").and_then(Value::as_str).unwrap_or("");
    let keyword = key != "parameters" || member.get("kind").and_then(Value::as_str) == Some("keyword");
    keyword && !kind.is_empty() && (grammar == Grammar::Rust || !optional && !kind.contains("undefined"))
}

/// `: Name = { … }`, `{ … } as Name` is not read: what stands in front of the name is another matter.
fn typed_literal(head: &str, tail: &str) -> Option<(BTreeSet<String>, usize)> {
    if !head.trim_end().ends_with(':') {
        return None;
    }
    let rest = tail.trim_start().strip_prefix('=')?.trim_start();
    if !rest.starts_with('{') {
        return None;
    }
    keys(rest).map(|(names, length)| (names, tail.len() - rest.len() + length))
}

/// `Name { … }` where it is an expression.
fn struct_literal(head: &str, tail: &str) -> Option<(BTreeSet<String>, usize)> {
    let rest = tail.trim_start_matches(' ');
    let line = head.rsplit('\n').next().unwrap_or("");
    let before = line.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')).trim_end();
    let declares = ["struct", "enum", "union", "impl", "for", "trait", "->", "mod", "let", "if let", "match", "while let"];
    let pattern = line.contains("let ") && !before.ends_with('=') || tail.contains("} =>") && line.trim().is_empty();
    if !rest.starts_with('{') || pattern || declares.iter().any(|d| before == *d || before.ends_with(&format!(" {d}"))) {
        return None;
    }
    keys(rest).map(|(names, length)| (names, tail.len() - rest.len() + length))
}

/// The keys of a literal in braces and its length; `None` where something is spread, computed or left out.
fn keys(text: &str) -> Option<(BTreeSet<String>, usize)> {
    let items = items(text, '{', '}')?;
    let mut names = BTreeSet::new();
    for item in &items.0 {
        let item = item.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let item = item.trim();
        if item.is_empty() {
            continue;
        }
        if item.contains("...") || item.contains('…') || item.starts_with("..") || item.contains("/*") {
            return None;
        }
        let key = item.split(':').next().unwrap_or("").trim().trim_matches(['"', '\'']);
        if key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-')) {
            return None;
        }
        names.insert(key.to_owned());
    }
    text.get(..items.1).filter(|t| !t.contains("// .") && !t.contains("# .")).map(|_| (names, items.1))
}

/// The top-level items of a bracketed list, and the length up to its end.
fn items(text: &str, open: char, close: char) -> Option<(Vec<String>, usize)> {
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut out = vec![String::new()];
    for (at, c) in text.char_indices().take(MAX_LENGTH) {
        if let Some(q) = quote {
            quote = (c != q).then_some(q);
        } else if matches!(c, '"' | '\'' | '`') {
            quote = Some(c);
        } else if matches!(c, '(' | '[' | '{') || c == open {
            depth += 1;
            if depth == 1 {
                continue;
            }
        } else if matches!(c, ')' | ']' | '}') || c == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some((out, at + c.len_utf8()));
            }
        } else if c == ',' && depth == 1 {
            out.push(String::new());
            continue;
        }
        out.last_mut()?.push(c);
    }
    None
}

/// The attributes of an element whose name has just ended; `None` where some are spread.
fn attributes(text: &str) -> Option<(BTreeSet<String>, usize)> {
    let mut names = BTreeSet::new();
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut word = String::new();
    if text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '<')) {
        return None;
    }
    for (at, c) in text.char_indices().take(MAX_LENGTH) {
        if let Some(q) = quote {
            quote = (c != q).then_some(q);
            continue;
        }
        match c {
            '"' | '\'' | '`' => quote = Some(c),
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            '.' if depth > 0 && text[at..].starts_with("...") && text[..at].trim_end().ends_with('{') => return None,
            '>' if depth == 0 => {
                if !word.is_empty() {
                    names.insert(word);
                }
                let closed = text[..at].ends_with('/');
                if !closed {
                    names.insert("children".to_owned());
                }
                return (!text[..at].contains('…')).then_some((names, at + 1));
            }
            _ if depth > 0 => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '-' | ':') => word.push(c),
            _ => {
                if !word.is_empty() {
                    names.insert(std::mem::take(&mut word));
                }
            }
        }
    }
    None
}
