//! Allowed values, enum members and types written out next to their owner.

use serde_json::Value;

use super::super::form::member;
use super::super::past::speaks_of_past;
use super::existence;
use super::window::{self, Window};
use super::{Subject, Verdict};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, RegionKind, Strength};
use crate::value::literal::Forms;
use crate::value::name;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let mut claims = Vec::new();
    for aspect in &subject.change.aspects {
        let segments = aspect.segments();
        match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["variants" | "choices", _] if aspect.after.is_none() => claims.extend(removed_member(subject, aspect)),
            ["type"] => claims.extend(old_type(subject, aspect)),
            _ => {}
        }
    }
    if claims.is_empty() { Verdict::Mention } else { Verdict::Claims(claims) }
}

/// A lost value that the document names among the others of its list; `None` where the citation is of the owner's name.
pub(super) fn judge_listed(subject: &Subject<'_>) -> Option<Verdict> {
    let (gone, _) = member::lost(subject.change)?;
    let cited = subject.of(subject.citation.span);
    if subject.citation.exact || !gone.contains(&cited) || subject.change.cited().leaf() == cited {
        return None;
    }
    let aspect = subject.change.aspects.iter().find(|a| a.before.as_ref().and_then(Value::as_str) == Some(cited))?;
    let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
    if (subject.background.is_new)(subject.of(line)) {
        return Some(Verdict::WrittenNow);
    }
    let sentence = window::sentence(subject.document, subject.citation);
    // The value itself says nothing: `legacy` is a value like others.
    let words = existence::without(subject.of(sentence), sentence, existence::own_words(subject));
    if speaks_of_past(&words, subject.citation.span.start.saturating_sub(sentence.start)) {
        return Some(Verdict::Past);
    }
    Some(Verdict::Claims(vec![claim(subject, subject.citation.span, aspect)]))
}

/// All members of one side of a list aspect.
fn members<'a>(value: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = pointer.split('/').nth(1).and_then(|key| value.get(key)).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|v| v.as_str().or_else(|| v.get("name")?.as_str())).collect()
}

fn claim(subject: &Subject<'_>, stale: ByteSpan, aspect: &Aspect) -> Claim {
    Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::SpelledOut,
        strength: Strength::Strong,
        stale,
        aspect: Some(aspect.clone()),
    }
}

/// The removed member as code or in quotes, or bare among the others, where the owner is spoken of.
fn removed_member(subject: &Subject<'_>, aspect: &Aspect) -> Option<Claim> {
    let (before, after) = (subject.change.before.as_ref()?, subject.change.after.as_ref()?);
    let gone = aspect.before.as_ref()?.as_str()?;
    if members(&after.value, &aspect.pointer).iter().any(|m| name::fold(m) == name::fold(gone)) {
        return None;
    }
    let forms = Forms::new(aspect.before.as_ref()?, "")?;
    let others: Vec<&str> = members(&before.value, &aspect.pointer).into_iter().filter(|m| *m != gone).collect();
    let states = |window: ByteSpan| -> Option<ByteSpan> {
        let text = subject.of(window);
        let lists = others.iter().filter(|o| contains_word(text, o)).count();
        let found = forms
            .find(text, true)
            .into_iter()
            .find(|s| (s.marked && (lists > 0 || others.is_empty())) || lists >= 2.min(others.len()) && lists > 0)?;
        Some(ByteSpan::new(found.span.start + window.start, found.span.end + window.start))
    };
    if let RegionKind::CodeBlock { content, .. } = subject.region().kind {
        let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
        let line = ByteSpan::new(line.start.max(content.start), line.end.min(content.end));
        return states(line).map(|stale| claim(subject, stale, aspect));
    }
    let windows = window::windows(subject.document, subject.citation);
    let next: Vec<Window> = windows;
    next.iter().find_map(|w| states(w.span)).map(|stale| claim(subject, stale, aspect))
}

fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next())
    })
}

/// The old type as code on a line that speaks of the type.
fn old_type(subject: &Subject<'_>, aspect: &Aspect) -> Option<Claim> {
    let old = aspect.before.as_ref()?.as_str()?;
    let new = aspect.after.as_ref()?.as_str()?;
    let fold = |t: &str| t.split_whitespace().collect::<String>();
    let (old_folded, new_folded) = (fold(old), fold(new));
    // A name for what any object may be says no more than the name it takes the place of.
    let general = matches!(old, "object" | "Object" | "any" | "dict" | "list" | "array" | "Array" | "function" | "Function");
    let named = new.starts_with(char::is_uppercase) && new.chars().all(char::is_alphanumeric);
    if old_folded.len() < 3 || old_folded == new_folded || general && named {
        return None;
    }
    let windows = window::windows(subject.document, subject.citation);
    windows.iter().find_map(|w| {
        let region = subject.document.region_at(w.span.start).and_then(|i| subject.document.regions.get(i))?;
        let says_type = subject.of(w.span).to_lowercase().contains("type") || matches!(region.kind, RegionKind::TableRow { .. });
        if !says_type || !w.owned {
            return None;
        }
        let marks = region.marks.iter().filter(|m| matches!(m.kind, crate::model::MarkKind::Code) && w.span.contains(m.span));
        let stale = marks.map(|m| m.span).find(|s| fold(subject.of(*s)) == old_folded)?;
        (!is_part_of_union(&subject.document.text, stale)).then(|| claim(subject, stale, aspect))
    })
}

/// Whether a type set as code is one of several: `` `boolean`\|`string` ``, `` `string` [`URL`](…) ``.
fn is_part_of_union(text: &str, own: ByteSpan) -> bool {
    let line = text.get(own.end..).unwrap_or("").lines().next().unwrap_or("");
    let next = line.trim_start_matches('`').trim_start_matches([' ', ',', '/']);
    if line.trim_start_matches('`').starts_with([' ', ',', '/']) && (next.starts_with('`') || next.starts_with("[`")) {
        return true;
    }
    let before = text.get(..own.start).unwrap_or("").trim_end_matches(['`', ' ']);
    let behind = text.get(own.end..).unwrap_or("").trim_start_matches(['`', ' ']);
    before.ends_with("\\|") || before.ends_with(" or") || behind.starts_with("\\|") || behind.starts_with("or `")
}
