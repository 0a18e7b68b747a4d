//! A parameter that a definition no longer takes, described next to it: in the sentence that names the definition, in the list
//! or table that explains it, or in its constructor's list of parameters.

use super::super::past::speaks_of_past;
use super::{Subject, Verdict, arguments, window};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, MarkKind, Region, RegionKind, Strength};

/// Names under which a document writes out a constructor.
const CONSTRUCTORS: [&str; 4] = ["__init__", "constructor", "new", "__new__"];
/// Most regions of a list or table that explain a definition.
const MAX_BENEATH: usize = 60;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let claims: Vec<Claim> = subject.change.aspects.iter().filter_map(|aspect| described(subject, aspect)).collect();
    if claims.is_empty() { Verdict::Mention } else { Verdict::Claims(claims) }
}

fn described(subject: &Subject<'_>, aspect: &Aspect) -> Option<Claim> {
    let segments = aspect.segments();
    let [part, name] = segments.as_slice() else { return None };
    if part != "parameters"
        || aspect.after.is_some()
        || name.len() < 2
        || takes_anything(subject)
        || is_member_still(subject, name)
    {
        return None;
    }
    let document = subject.document;
    let own = subject.citation.region;
    let sentences = window::windows(document, subject.citation).into_iter().filter_map(|w| {
        let index = document.region_at(w.span.start)?;
        // Under a heading everything is said of the definition, but a plain word in running text may be anything.
        let near = index == own || crate::value::name::is_distinctive(name);
        Some((index, w.span, near))
    });
    let stale = sentences
        .filter_map(|(index, span, near)| in_marks(subject, document.regions.get(index)?, span, name, near))
        // What a definition takes is told behind its name: `Import React and create` lists three things.
        .filter(|span| span.start > subject.citation.span.start && !is_of_another_call(subject, *span))
        .chain(beneath(subject).filter_map(|region| leading(subject, region, name)))
        .next()?;
    let sentence = document.region_at(stale.start).and_then(|i| document.regions.get(i)).map_or(stale, |r| r.span);
    let line = document.lines.span_of(document.lines.line(stale.start));
    let past = speaks_of_past(subject.of(if sentence.len() < 400 { sentence } else { line }), 0);
    (!past && !(subject.background.is_new)(subject.of(line))).then(|| Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::SpelledOut,
        strength: Strength::Strong,
        stale,
        aspect: Some(aspect.clone()),
    })
}

/// Whether a class still has a member of the parameter's name: the list may be of what it has.
fn is_member_still(subject: &Subject<'_>, name: &str) -> bool {
    let members = subject.change.after.as_ref().and_then(|f| f.value.get("members")).and_then(serde_json::Value::as_array);
    members.is_some_and(|list| list.iter().any(|m| m.get("name").is_some_and(|n| n == name)))
}

/// Whether another function, written with its brackets, stands nearer to the parameter: `` its `copy()` with `nullable` ``.
fn is_of_another_call(subject: &Subject<'_>, parameter: ByteSpan) -> bool {
    let between = ByteSpan::new(subject.citation.span.end, parameter.start);
    let codes = subject.region().marks.iter().filter(|m| matches!(m.kind, MarkKind::Code) && between.contains(m.span));
    codes.map(|m| subject.of(m.span).trim_matches(['`', ' '])).any(|code| code.ends_with("()"))
}

/// Whether the definition still takes keywords of any name, or says no more than that it takes arguments.
fn takes_anything(subject: &Subject<'_>) -> bool {
    let after = subject.change.after.as_ref();
    let list = after.and_then(|f| super::spelled::parameters(&f.value));
    list.is_none_or(|list| list.iter().any(|p| p.kind == "keywords") || super::spelled::passes_on(&list))
}

/// Inline code in a stretch of text that is the parameter, or a constructor's list with it.
fn in_marks(subject: &Subject<'_>, region: &Region, within: ByteSpan, name: &str, bare: bool) -> Option<ByteSpan> {
    let codes = region.marks.iter().filter(|m| matches!(m.kind, MarkKind::Code) && within.contains(m.span));
    codes.map(|m| m.span).filter(|s| !s.overlaps(subject.citation.span)).find(|span| {
        let text = subject.of(*span).trim_matches(['`', ' ', '*']);
        (bare && is_parameter(text, name)) || in_constructor(subject, *span, name)
    })
}

/// `name`, `name=5`, `name: int`.
fn is_parameter(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(':') && !rest.starts_with("::")
    })
}

fn in_constructor(subject: &Subject<'_>, code: ByteSpan, name: &str) -> bool {
    let text = subject.of(code);
    let Some(open) = text.find('(') else { return false };
    let callee = text[..open].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    (CONSTRUCTORS.contains(&callee) || callee == subject.change.cited().leaf())
        && arguments::after(&subject.document.text, code.start + open)
            .is_some_and(|list| list.items.iter().any(|a| a.plain && a.name.as_deref() == Some(name)))
}

/// The items and rows that explain the definition: those under a heading or term that is its name, and the list or table behind
/// a paragraph that names it and ends in a colon.
fn beneath<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = &'s Region> + 's {
    let (document, own) = (subject.document, subject.citation.region);
    let region = subject.region();
    let heading = matches!(region.kind, RegionKind::Heading { .. });
    let opens = matches!(region.kind, RegionKind::Paragraph | RegionKind::ListItem)
        && subject.of(region.span).trim_end().ends_with([':', '：']);
    document
        .regions
        .iter()
        .skip(own + 1)
        .take(if heading || opens { MAX_BENEATH } else { 0 })
        .take_while(move |r| {
            let explains = matches!(r.kind, RegionKind::ListItem | RegionKind::TableRow { .. } | RegionKind::TableHeader { .. });
            if heading { !matches!(r.kind, RegionKind::Heading { .. }) } else { explains }
        })
        .filter(|r| matches!(r.kind, RegionKind::ListItem | RegionKind::TableRow { .. }))
}

/// The parameter at the head of an item or in the first cell of a row.
fn leading(subject: &Subject<'_>, region: &Region, name: &str) -> Option<ByteSpan> {
    let first = region.marks.iter().find(|m| matches!(m.kind, MarkKind::Code))?.span;
    let before = ByteSpan::new(region.span.start, first.start);
    let leads = subject.of(before).chars().all(|c| !c.is_alphanumeric());
    (leads && is_parameter(subject.of(first).trim_matches(['`', ' ']), name)).then_some(first)
}
