//! Text that claims to be complete about a set of values, and lacks one that the set has gained: a list, a table or a union that
//! holds every value of base, or a declaration that is written out in full. A text that gives examples claims nothing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{Subject, Verdict, arguments, superseded, window};
use crate::model::{Aspect, ByteSpan, Change, ChangeOp, Claim, ClaimRule, LineNumber, MarkKind, Region, RegionKind, Strength};
use crate::syntax::Grammar;
use crate::value::name;

/// Fewest values of a set whose list may be taken for complete.
const LEAST: usize = 3;
/// Fewest members of a declaration that is written out.
const LEAST_DECLARED: usize = 2;
/// Most rows or items of a list.
const MAX_ITEMS: usize = 80;
/// Most lines below a name in a code block that still describe it.
const MAX_LINES: usize = 12;
/// Longest stretch of running text that may enumerate.
const MAX_TEXT: usize = 2_000;

static CLAIMS_ALL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:one of|either)\b|\b(?:possible|allowed|valid|accepted|permitted|recogni[sz]ed|available|supported|legal|known) ",
        r"(?:\w+ )?(?:values?|options?|choices?|modes?|formats?|types?|levels?|names?|kinds?|styles?|settings?)\b",
        r"|\b(?:values?|options?|choices?|modes?|formats?|types?|levels?|kinds?|styles?) (?:are|can be|may be|must be|include only)\b",
        r"|\bthe (?:options|choices|values|modes|formats|levels|kinds|types|variants|following) are\b",
        r"|\bsupports? (?:only )?the following\b|\bthe following \w+(?: \w+)? are (?:supported|available|allowed|valid|accepted|possible)\b",
        r"|\b(?:must|may|can) (?:only )?be(?: set to)? (?:either|any of)\b|\bchoose (?:from|between|among)\b|\ball (?:of )?the (?:values|options|choices|modes)\b",
        r"|\bchoices\b|\bpossible values\b",
    ))
    .expect("valid pattern")
});
static GIVES_EXAMPLES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\be\.g\b|\bfor (?:example|instance)\b|\bexamples?\b|\bsuch as\b|\binclud(?:e|es|ing)\b|\bincl\.|\betc\b|\bamong(?:st)? others\b",
        r"|\band (?:more|others|so on)\b|\bsome of\b|\bcommon(?:ly)?\b|\bpopular\b|\btypical(?:ly)?\b|\bmost (?:used|useful|important)\b|\blike\b|\.\.\.|…",
        r"|\b(?:a few|several|many|recommended|preferred|except|excluding|other than|unless|if|when|only (?:for|on|in))\b",
    ))
    .expect("valid pattern")
});

/// What a set has gained.
struct Gain<'a> {
    base: Vec<&'a str>,
    added: Vec<&'a str>,
    aspect: &'a Aspect,
}

/// The values or members that a change adds to a set that loses none.
fn gained<'a>(change: &'a Change, keys: &[&str], least: usize) -> Option<Gain<'a>> {
    let before = &change.before.as_ref().filter(|_| change.op == ChangeOp::Changed)?.value;
    let key = keys.iter().find(|key| before.get(**key).is_some())?;
    let prefix = format!("/{key}/");
    let own = || change.aspects.iter().filter(|a| a.pointer.starts_with(&prefix) && a.segments().len() == 2);
    if own().any(|a| a.after.is_none()) {
        return None;
    }
    let base: Vec<&str> = before.get(*key)?.as_array()?.iter().map(spelling).collect::<Option<_>>()?;
    let folded: BTreeSet<String> = base.iter().map(|b| name::fold(b)).collect();
    let mut added = Vec::new();
    let mut first = None;
    for aspect in own().filter(|a| a.before.is_none()) {
        let Some(fresh) = aspect.after.as_ref().and_then(spelling) else { continue };
        // A member that nothing may be is there to forbid it.
        if aspect.after.as_ref().and_then(|v| v.get("type")).is_some_and(|t| t == "never" || t == "undefined") {
            continue;
        }
        // Another spelling is no other value.
        if !is_unsettled(fresh) && !name::fold(fresh).is_empty() && !folded.contains(&name::fold(fresh)) {
            added.push(fresh);
            first = first.or(Some(aspect));
        }
    }
    let plain = folded.len() == base.len() && !folded.contains("");
    (plain && base.len() >= least && added.len() <= base.len()).then_some(Gain { base, added, aspect: first? })
}

/// What begins with an underscore is nobody's to document, and what says that it is not settled not yet.
fn is_unsettled(name: &str) -> bool {
    let name = name.to_lowercase();
    name.starts_with('_') || ["unstable", "experimental", "unsafe_", "internal_"].iter().any(|w| name.starts_with(w))
}

fn spelling(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("name")?.as_str())
}

/// Whether a namesake has exactly the values that the changed one had at base.
pub(super) fn is_set_of(change: &Change, rival: &Value) -> bool {
    let Some(gain) = gained(change, &["variants", "choices"], LEAST) else { return false };
    let set = |list: &[&str]| list.iter().map(|b| name::fold(b)).collect::<BTreeSet<_>>();
    ["variants", "choices"].iter().any(|key| {
        let list = rival.get(*key).and_then(Value::as_array);
        list.and_then(|l| l.iter().map(spelling).collect::<Option<Vec<_>>>()).is_some_and(|l| set(&l) == set(&gain.base))
    })
}

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
    if let RegionKind::CodeBlock { content, .. } = subject.region().kind {
        let before = ByteSpan::new(line.start.max(content.start), subject.citation.span.start);
        if arguments::declares(subject.of(before)) {
            let gain = gained(subject.change, &["variants", "choices", "members"], LEAST_DECLARED);
            return gain.map_or(Verdict::Mention, |gain| declared(subject, content, &gain));
        }
        let gain = gained(subject.change, &["variants", "choices"], LEAST);
        return gain.map_or(Verdict::Mention, |gain| in_code(subject, content, line, &gain));
    }
    if let Some(gain) = gained(subject.change, &["variants", "choices"], LEAST) {
        return in_text(subject, &gain);
    }
    // A table of all members lacks one that now must be given.
    let gain = gained(subject.change, &["members"], LEAST).filter(|gain| requires(subject, gain));
    gain.and_then(|gain| listed(subject, &gain, true)).unwrap_or(Verdict::Mention)
}

/// Whether what a type has gained must be given.
fn requires(subject: &Subject<'_>, gain: &Gain<'_>) -> bool {
    let grammar = subject.change.before.as_ref().and_then(|f| Grammar::for_path(&f.path));
    let asked = matches!(grammar, Some(Grammar::TypeScript | Grammar::Tsx | Grammar::Python | Grammar::Rust));
    asked && gain.aspect.after.as_ref().is_some_and(|m| m.get("type").is_some() && m.get("optional").is_none())
}

fn claim(subject: &Subject<'_>, stale: ByteSpan, gain: &Gain<'_>, strong: bool) -> Verdict {
    let line = subject.document.lines.span_of(subject.document.lines.line(stale.start));
    if (subject.background.is_new)(subject.of(line)) {
        return Verdict::WrittenNow;
    }
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::Incomplete,
        strength: if strong { Strength::Strong } else { Strength::Weak },
        stale,
        aspect: Some(gain.aspect.clone()),
    }])
}

/// Whether a text names a value that was added.
fn names_any(text: &str, values: &[&str]) -> bool {
    tokens(text).any(|(at, len)| values.iter().any(|v| name::fold(v) == name::fold(&text[at..at + len])))
}

/// A declaration in a code block that has every member of base.
fn declared(subject: &Subject<'_>, content: ByteSpan, gain: &Gain<'_>) -> Verdict {
    let start = subject.citation.span.end;
    let Some(body) = body(subject.document.text.get(start..content.end).unwrap_or("")) else { return Verdict::Mention };
    if body.contains("...") || body.contains('…') {
        return Verdict::Mention;
    }
    let words: BTreeSet<&str> = tokens(body).map(|(at, len)| body[at..at + len].trim_end_matches('?')).collect();
    if gain.added.iter().any(|a| words.contains(a)) {
        return Verdict::Current;
    }
    if !gain.base.iter().all(|b| words.contains(b)) {
        return Verdict::Mention;
    }
    claim(subject, subject.citation.span, gain, true)
}

/// What belongs to a declaration whose name has just ended: its braces, its union, its indented block.
fn body(rest: &str) -> Option<&str> {
    let head = rest.split('\n').next().unwrap_or(rest);
    if head.contains('{') {
        let mut depth = 0usize;
        for (at, c) in rest.char_indices().take(MAX_TEXT * 2) {
            match c {
                '{' => depth += 1,
                '}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return rest.get(..at);
                    }
                }
                _ => {}
            }
        }
        return None;
    }
    let mut end = head.len();
    for line in rest.split('\n').skip(1) {
        if !line.starts_with([' ', '\t', '|']) && !line.trim().is_empty() {
            break;
        }
        end += line.len() + 1;
    }
    rest.get(..end)
}

/// Help output, a configuration example, a typed field: the values behind the name, or in the comment above it.
fn in_code(subject: &Subject<'_>, content: ByteSpan, line: ByteSpan, gain: &Gain<'_>) -> Verdict {
    let document = subject.document;
    let text = &document.text;
    let indent = |span: ByteSpan| {
        let line = span.of(text);
        line.len() - line.trim_start().len()
    };
    let own = indent(line);
    let first = document.lines.line(line.start).get() as usize;
    let mut end = line.end.min(content.end);
    for row in first..first + MAX_LINES {
        let next = document.lines.span_of(LineNumber::from_row(row));
        let words = next.of(text).trim();
        let goes_on = next.start < content.end && next.end > end && !words.is_empty() && !words.starts_with("--");
        if !goes_on || indent(next) <= own && !words.starts_with('|') || words.starts_with('-') && indent(next) <= own + 2 {
            break;
        }
        end = next.end.min(content.end);
    }
    let mut start = subject.citation.span.end;
    if let Some(found) = enumerated(subject, ByteSpan::new(start, end.max(start)), gain, true) {
        return found;
    }
    end = line.start;
    for row in (0..first.saturating_sub(1)).rev().take(MAX_LINES) {
        let above = document.lines.span_of(LineNumber::from_row(row));
        if above.start < content.start || !above.of(text).trim_start().starts_with(['#', '/', ';', '*']) {
            break;
        }
        start = above.start;
    }
    if start < end {
        return enumerated(subject, ByteSpan::new(start, end), gain, true).unwrap_or(Verdict::Mention);
    }
    Verdict::Mention
}

/// Sentences, cells, items and rows that speak of the owner.
fn in_text(subject: &Subject<'_>, gain: &Gain<'_>) -> Verdict {
    let document = subject.document;
    for window in window::windows(document, subject.citation) {
        if window.span.len() > MAX_TEXT {
            continue;
        }
        if let Some(found) = enumerated(subject, window.span, gain, window.owned) {
            return found;
        }
    }
    listed(subject, gain, false).unwrap_or(Verdict::Mention)
}

/// All values of base in one stretch of text. `None` where it is no enumeration of them.
fn enumerated(subject: &Subject<'_>, within: ByteSpan, gain: &Gain<'_>, owned: bool) -> Option<Verdict> {
    let text = subject.of(within);
    let Some(found) = run(text, &gain.base) else {
        // The whole set as it is now, or part of it.
        let known: Vec<&str> = gain.base.iter().chain(&gain.added).copied().collect();
        return run(text, &known).map(|_| Verdict::Current);
    };
    let stale = ByteSpan::new(within.start + found.start, within.start + found.end);
    // Another name stands nearer to the list than ours.
    if !owned && other_name_between(subject, stale) {
        return Some(Verdict::Mention);
    }
    if names_any(text, &gain.added) {
        return Some(Verdict::Current);
    }
    let around = text.get(found.start.saturating_sub(120)..).or_else(|| text.get(found.start..)).unwrap_or(text);
    let sentence = around.split('\n').take(MAX_LINES).collect::<Vec<_>>().join(" ");
    if GIVES_EXAMPLES.is_match(&sentence) {
        return Some(Verdict::Mention);
    }
    let union = text.get(found.start..found.end).unwrap_or("").contains('|');
    let braced = text.get(..found.start).unwrap_or("").ends_with('{') && text.get(found.end..).unwrap_or("").starts_with('}');
    Some(claim(
        subject,
        stale,
        gain,
        union
            || braced
            || CLAIMS_ALL.is_match(text)
            || superseded::columns(subject, stale).is_some_and(|(own, _)| CLAIMS_ALL.is_match(own)),
    ))
}

/// Whether a name set as code stands between the citation and a list.
fn other_name_between(subject: &Subject<'_>, list: ByteSpan) -> bool {
    let own = subject.citation.span;
    let marks = subject.region().marks.iter().filter(|m| matches!(m.kind, MarkKind::Code | MarkKind::Role { .. }));
    let (from, to) = if own.start < list.start { (own.end, list.start) } else { (list.end, own.start) };
    marks
        .map(|m| m.span)
        .any(|s| s.start >= from && s.end <= to && !s.contains(own) && window::is_name(s.of(&subject.document.text)))
        || own.start > list.start
}

/// The list or table that explains the owner: beneath a heading or item that is its name, or behind a paragraph that ends in
/// a colon. Its items begin with the values.
fn listed(subject: &Subject<'_>, gain: &Gain<'_>, required: bool) -> Option<Verdict> {
    let document = subject.document;
    let own = subject.citation.region;
    let region = subject.region();
    let heading = matches!(region.kind, RegionKind::Heading { .. });
    let item = matches!(region.kind, RegionKind::ListItem);
    let opens = matches!(region.kind, RegionKind::Paragraph | RegionKind::ListItem)
        && subject.of(region.span).trim_end().ends_with([':', '：']);
    if !heading && !item && !opens {
        return None;
    }
    let mut lead = if heading { "" } else { subject.of(region.span) };
    let mut header = "";
    let mut leads: Vec<ByteSpan> = Vec::new();
    for (index, region) in document.regions.iter().enumerate().skip(own + 1).take(MAX_ITEMS) {
        let nested = region.scope.items.contains(&own);
        match &region.kind {
            RegionKind::Heading { .. } => break,
            _ if item && !opens && !nested => break,
            RegionKind::TableHeader { .. } if leads.is_empty() => header = document.region_text(region),
            RegionKind::TableRow { .. } | RegionKind::ListItem => leads.push(leading(subject, region)?),
            RegionKind::Paragraph if heading && leads.is_empty() => lead = document.region_text(&document.regions[index]),
            // What an item says further, not the end of its list.
            _ if !region.scope.items.is_empty() && !leads.is_empty() => {}
            _ if !leads.is_empty() => break,
            RegionKind::Paragraph if heading => {}
            _ => return None,
        }
    }
    let named: Vec<String> = leads.iter().map(|s| name::fold(subject.of(*s))).collect();
    let base: BTreeSet<String> = gain.base.iter().map(|b| name::fold(b)).collect();
    // A list with other things in it is another list.
    if !base.iter().all(|b| named.contains(b)) || named.iter().collect::<BTreeSet<_>>().len() != base.len() {
        let added = gain.added.iter().any(|a| named.contains(&name::fold(a)));
        return Some(if added { Verdict::Current } else { Verdict::Mention });
    }
    if GIVES_EXAMPLES.is_match(lead.rsplit(". ").next().unwrap_or(lead)) {
        return Some(Verdict::Mention);
    }
    let stale = *leads.last()?;
    Some(claim(subject, stale, gain, required || CLAIMS_ALL.is_match(lead) || CLAIMS_ALL.is_match(header)))
}

/// The code at the head of an item or in the first cell of a row, without quotes.
fn leading(subject: &Subject<'_>, region: &Region) -> Option<ByteSpan> {
    let code = region.marks.iter().find(|m| matches!(m.kind, MarkKind::Code))?.span;
    let before = ByteSpan::new(region.span.start, code.start);
    subject.of(before).chars().all(|c| !c.is_alphanumeric()).then_some(code)
}

fn is_token(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '?')
}

/// The words of a text: where each starts and how long it is; a full stop or dash at its edge is none of it.
fn tokens(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text.get(rest..)?.find(is_token)?;
        let end = text[start..].find(|c| !is_token(c)).map_or(text.len(), |at| start + at);
        rest = end;
        let word = text[start..end].trim_end_matches(['.', '-', '?']);
        Some((start, word.len()))
    })
}

/// Words that may stand between the values of an enumeration.
const CONNECTORS: &[&str] = &["and", "or", "the", "default", "a", "an", "null", "undefined", "none", "nil", "either"];

/// The stretch of a text that enumerates all values and nothing else.
fn run(text: &str, base: &[&str]) -> Option<ByteSpan> {
    let folded: BTreeSet<String> = base.iter().map(|b| name::fold(b)).collect();
    let is_gap =
        |gap: &str| gap.chars().count() <= 14 && gap.chars().all(|c| c.is_whitespace() || ",|/'\"`()[]{}<>*=\\;&:".contains(c));
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let (mut start, mut end) = (0, 0);
    let mut last = 0;
    let mut before: Option<&str> = None;
    let all: Vec<(usize, usize)> = tokens(text).collect();
    for (index, (at, len)) in all.iter().copied().enumerate() {
        let word = &text[at..at + len];
        let gap = text.get(last..at).unwrap_or("");
        let value = folded.contains(&name::fold(word)) && !name::fold(word).is_empty();
        if !seen.is_empty() && !is_gap(gap) {
            seen.clear();
        }
        if value {
            if seen.is_empty() {
                start = at;
                before = (index > 0).then_some(gap);
            }
            seen.insert(name::fold(word));
            end = at + len;
        } else if !CONNECTORS.contains(&word.to_lowercase().as_str()) {
            seen.clear();
        }
        last = at + len;
        if seen.len() == folded.len() {
            return (!goes_on_before(before) && !goes_on_behind(text, end)).then_some(ByteSpan::new(start, end));
        }
    }
    None
}

/// Whether what stands in front of the first value makes it a later item of a longer list.
fn goes_on_before(gap: Option<&str>) -> bool {
    gap.is_some_and(|gap| {
        let union = gap.contains('|') && !gap.contains(['=', ':']);
        union || gap.trim_start().starts_with(['`', '"', '\'']) && gap.contains(',') && gap.trim_end().ends_with(['`', '"', '\''])
    })
}

/// Whether a list goes on behind a value: with another value in the same style, or with dots.
fn goes_on_behind(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or("");
    let next = tokens(rest).next().map_or(rest.len(), |(at, _)| at);
    let gap = &rest[..next];
    let marked = gap.starts_with(['`', '"', '\'']) && gap.trim_end().ends_with(['`', '"', '\'']) && gap.len() > 2;
    let bare = gap.trim() == ",";
    let union = gap.contains('|') && !rest[..next].contains('\n') && next < rest.len();
    let word = rest.get(next..).unwrap_or("");
    let joined = ["or ", "and "].iter().any(|j| word.starts_with(j)) && gap.len() <= 3;
    marked && gap.contains(',')
        || bare
        || union
        || joined
        || rest.trim_start_matches(['`', '"', '\'', ',', ' ']).starts_with("..")
        || gap.contains('…')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_enumerations() {
        let base = ["auto", "always", "never"];
        for (text, expected) in [
            ("one of `auto`, `always` or `never`.", true),
            ("one of auto, always, and never", true),
            ("[possible values: auto, always, never]", true),
            ("--color {auto,always,never}", true),
            ("'auto' | 'always' | 'never'", true),
            ("type C =\n  | 'auto'\n  | 'always'\n  | 'never'", true),
            ("`auto` (the default), `always`, `never`", true),
            ("`auto`, `always`, `never`, `later`", false),
            ("`later`, `auto`, `always`, `never`", false),
            ("auto, always, never, later", false),
            ("'auto' | 'always' | 'never' | 'later'", false),
            ("`auto` and `always`", false),
            ("auto, always, never...", false),
            ("`auto` is what you always want and never regret", false),
        ] {
            assert_eq!(run(text, &base).is_some(), expected, "{text}");
        }
    }
}
