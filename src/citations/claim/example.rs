//! A call in a code block that was right at base and is wrong at head: a newly required parameter is missing, a removed or
//! renamed one is passed, or there are more arguments than the definition takes.

use super::arguments::{self, Arguments};
use super::spelled::{Parameter, signatures};
use super::{Subject, Verdict};
use crate::model::{ByteSpan, Claim, ClaimRule, RegionKind, Strength};
use crate::syntax::Grammar;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let RegionKind::CodeBlock { content, .. } = subject.region().kind else { return Verdict::Mention };
    let (Some(before), Some(after)) = (&subject.change.before, &subject.change.after) else { return Verdict::Mention };
    let (old, new) = (signatures(&before.value), signatures(&after.value));
    if old.is_empty() || new.is_empty() {
        return Verdict::Mention;
    }
    let text = &subject.document.text;
    let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
    let in_front = ByteSpan::new(line.start.max(content.start), subject.citation.span.start);
    if arguments::declares(subject.of(in_front)) {
        return Verdict::Mention;
    }
    // `class PourError extends Error {}` above: the example's own.
    if is_declared_in(subject.of(content), subject.of(subject.citation.span)) {
        return Verdict::Mention;
    }
    let Some(call) = arguments::after(text, subject.citation.span.end) else { return Verdict::Mention };
    // `add()` in a comment is how a function is named.
    if call.items.is_empty() && is_comment(subject.of(in_front)) {
        return Verdict::Mention;
    }
    if call.elided || call.span.end > content.end || call.items.iter().any(|a| a.spread) {
        return Verdict::Mention;
    }
    // `postProcess(a): Tea {` of a script is a method that the example writes.
    let scripted = matches!(Grammar::for_path(&before.path), Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    let behind = text.get(call.span.end..content.end).and_then(|t| t.lines().next()).unwrap_or("").trim();
    if scripted && behind.ends_with('{') && behind.starts_with(['{', ':']) {
        return Verdict::Mention;
    }
    // Types make it a declaration. A function of JavaScript takes any number of arguments.
    let typed = call.items.iter().any(|a| a.plain && a.value.is_none() && subject.of(a.span).contains(':'));
    if typed || Grammar::for_path(&before.path) == Some(Grammar::JavaScript) {
        return Verdict::Mention;
    }
    // One object that is taken apart has as many names as it has members, and is one argument.
    if scripted && old.iter().chain(&new).flatten().any(|p| p.kind == "keyword") {
        return Verdict::Mention;
    }
    // What took any arguments takes them still, whatever overloads now say of it.
    let takes_any = old.iter().flatten().any(|p| matches!(p.kind, "variadic" | "keywords"));
    if takes_any && new.len() > 1 && old.len() == 1 {
        return Verdict::Mention;
    }
    if first_fault(&call, &old).is_some() {
        return Verdict::Mention;
    }
    match first_fault(&call, &new) {
        None => Verdict::Mention,
        Some(name) => {
            let aspect = subject
                .change
                .aspects
                .iter()
                .find(|a| a.segments().get(1).is_some_and(|s| *s == name))
                .or_else(|| subject.change.aspects.iter().find(|a| a.pointer.starts_with("/parameters")));
            Verdict::Claims(vec![Claim {
                citation: subject.citation.clone(),
                rule: ClaimRule::Example,
                strength: Strength::Strong,
                stale: ByteSpan::new(subject.citation.span.start, call.span.end),
                aspect: aspect.cloned(),
            }])
        }
    }
}

/// Whether a block declares a name in any of its lines.
fn is_declared_in(block: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    block.match_indices(name).any(|(at, _)| {
        let whole = !block[at + name.len()..].chars().next().is_some_and(is_word);
        whole && arguments::declares(block[..at].rsplit('\n').next().unwrap_or(""))
    })
}

/// Whether a comment has begun where a line's text ends.
fn is_comment(before: &str) -> bool {
    let start = before.trim_start();
    ["//", "#", "--", "/*", "*", ";"].iter().any(|mark| start.starts_with(mark))
        || before.contains(" // ")
        || before.contains(" # ")
}

/// Whether a definition takes the call that a claim is about.
pub(super) fn accepts(document: &crate::model::Document, claim: &Claim, value: &serde_json::Value) -> bool {
    let call = arguments::after(&document.text, claim.citation.span.end);
    let all = signatures(value);
    call.is_some_and(|call| !all.is_empty() && first_fault(&call, &all).is_none())
}

/// What makes a call wrong for every signature of a definition, told of the first; `None` where one takes it.
fn first_fault(call: &Arguments, signatures: &[Vec<Parameter<'_>>]) -> Option<String> {
    let faults: Option<Vec<String>> = signatures.iter().map(|one| fault(call, one)).collect();
    faults?.into_iter().next()
}

/// The parameter that makes a call wrong; `None` for a call that fits.
fn fault(call: &Arguments, signature: &[Parameter<'_>]) -> Option<String> {
    let (mut positional, mut keywords) = (0usize, Vec::new());
    for argument in &call.items {
        match (&argument.name, argument.value) {
            (Some(name), Some(_)) => keywords.push(name.as_str()),
            _ => positional += 1,
        }
    }
    let takes_any = signature.iter().any(|p| p.kind == "variadic");
    let takes_keywords = signature.iter().any(|p| p.kind == "keywords");
    let slots: Vec<&Parameter<'_>> = signature.iter().filter(|p| p.kind == "positional").collect();
    if positional > slots.len() && !takes_any {
        return Some(slots.last().map_or("", |p| p.name).to_owned());
    }
    if let Some(unknown) = keywords.iter().find(|k| !takes_keywords && !signature.iter().any(|p| p.name == **k)) {
        return Some((*unknown).to_owned());
    }
    let filled: Vec<&str> = slots.iter().take(positional).map(|p| p.name).collect();
    signature.iter().find(|p| p.required && !filled.contains(&p.name) && !keywords.contains(&p.name)).map(|p| p.name.to_owned())
}
