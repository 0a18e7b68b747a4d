//! A citation of something that is gone claims its existence, unless its line speaks of the past or was written in this change.

use std::sync::LazyLock;

use regex::Regex;

use super::super::past::speaks_of_past;
use super::{Subject, Verdict, window};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, Document, FactKind, MarkKind, RegionKind, Strength};
use crate::value::name;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    match subject.change.kind() {
        // A version that is no longer pinned is a matter of the manifest, not of a name.
        FactKind::Package
            if subject.change.cited().value.get("minimum").is_some() || subject.change.cited().value.get("version").is_some() =>
        {
            Verdict::Mention
        }
        // What a class no longer overrides, it still has from what it is built on.
        FactKind::Signature if subject.change.cited().value.get("overrides").is_some() => Verdict::Mention,
        _ => gone(subject, None),
    }
}

/// A spelling of a flag, command or key that is accepted no more although the fact itself stays.
pub(super) fn judge_spelling(subject: &Subject<'_>) -> Verdict {
    let own = subject.of(subject.citation.span);
    let qualified = qualified(subject);
    let cited = if subject.change.aspects.iter().any(|a| a.segments().get(1).is_some_and(|s| s == subject.of(qualified))) {
        subject.of(qualified)
    } else {
        own
    };
    let dropped = subject
        .change
        .aspects
        .iter()
        .find(|a| a.segments().first().is_some_and(|s| s == "spellings") && a.segments().get(1).is_some_and(|s| s == cited));
    dropped.map_or(Verdict::Mention, |aspect| gone(subject, Some(aspect.clone())))
}

/// Whether a code block defines the name itself and uses it: then the name is the example's own.
fn declared_by_example(subject: &Subject<'_>) -> bool {
    let RegionKind::CodeBlock { content, .. } = subject.region().kind else { return false };
    let text = subject.of(content);
    let name = subject.of(subject.citation.span);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let uses: Vec<usize> = text
        .match_indices(name)
        .filter(|(at, _)| {
            !text[..*at].chars().next_back().is_some_and(is_word) && !text[at + name.len()..].chars().next().is_some_and(is_word)
        })
        .map(|(at, _)| at)
        .collect();
    let declares = |at: &usize| {
        let before = text[..*at].rsplit('\n').next().unwrap_or("");
        let behind = text[at + name.len()..].trim_start();
        // A member without its object, or with a type in front of it, is a variable of the example.
        let local = before.trim().is_empty() && subject.change.cited().name.contains('.');
        let assigned = behind.starts_with('=')
            && !behind.starts_with("==")
            && (local || before.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, '>' | ']')));
        assigned
            || super::arguments::declares(before)
            || matches!(before.split_whitespace().last(), Some("const" | "let" | "var" | "val"))
    };
    // `const later = () => …` writes no signature, it makes a function of its own.
    let makes = |at: &usize| {
        let before = text[..*at].rsplit('\n').next().unwrap_or("");
        let behind = text[at + name.len()..].trim_start();
        matches!(before.split_whitespace().last(), Some("const" | "let" | "var"))
            && behind.strip_prefix('=').is_some_and(|rest| rest.lines().next().unwrap_or("").contains("=>"))
    };
    uses.len() >= 2 && uses.iter().any(declares) || uses.iter().any(makes)
}

/// Whether the place is an item of a list that a sentence opens which says that what follows is gone: `These functions are
/// removed:`.
fn is_listed_as_gone(subject: &Subject<'_>) -> bool {
    /// Items of a list that are looked back over.
    const BACK: usize = 60;
    static GONE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:following|these|below)\b[^.]*\b(?:removed|deleted|dropped|gone|no longer|renamed|replaced|deprecated)\b|\b(?:have|has|had) been (?:removed|deleted|dropped|renamed|replaced)\b[^.]*[:.]\s*$")
            .expect("valid pattern")
    });
    let document = subject.document;
    let is_item = |r: &&crate::model::Region| matches!(r.kind, RegionKind::ListItem);
    let within = subject.region().scope.items.first().copied().unwrap_or(subject.citation.region);
    if !document.regions.get(within).as_ref().is_some_and(is_item) {
        return false;
    }
    let before = document.regions.iter().take(within).rev().take(BACK);
    let lead = before.into_iter().find(|r| !is_item(r));
    lead.is_some_and(|r| {
        matches!(r.kind, RegionKind::Paragraph) && r.span.len() < 1_000 && GONE.is_match(document.region_text(r).trim_end())
    })
}

/// Whether an example writes a class of the name that the code has for an interface or a type: it is one that has that shape.
fn is_class_of_shape(subject: &Subject<'_>) -> bool {
    let shape = subject.change.cited().value.get("declared").is_some_and(|d| d == "interface" || d == "type");
    let name = subject.citation.span;
    let line = subject.document.lines.span_of(subject.document.lines.line(name.start));
    let lead = subject.document.text.get(line.start..name.start).unwrap_or("");
    shape && matches!(subject.region().kind, RegionKind::CodeBlock { .. }) && lead.split_whitespace().next_back() == Some("class")
}

/// Whether an example defines a function of a member's name that is no member of anything: `fn with_header() -> Reply {`.
fn is_free_function(subject: &Subject<'_>) -> bool {
    static FREE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:export |pub |async |static |inline )*(?:fn|function|def|func|fun) $").expect("valid pattern")
    });
    let document = subject.document;
    let name = subject.citation.span;
    let line = document.lines.span_of(document.lines.line(name.start));
    let behind = document.text.get(name.end..line.end).unwrap_or("");
    matches!(subject.region().kind, RegionKind::CodeBlock { .. })
        && subject.change.cited().name.contains('.')
        && FREE.is_match(document.text.get(line.start..name.start).unwrap_or(""))
        && !["self", "this"].iter().any(|receiver| behind.contains(receiver))
}

/// Whether an example defines a method of the name in a class of its own that has nothing of the owner: neither its name nor
/// what it is built on shares a word with it.
fn is_method_of_another(subject: &Subject<'_>) -> bool {
    /// Lines that are looked back over for the class.
    const BACK: usize = 200;
    static CLASS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*(?:export |public |abstract |open |final )*class\s+(.*)$").expect("valid pattern"));
    let RegionKind::CodeBlock { content, .. } = subject.region().kind else { return false };
    let Some((container, _)) = subject.change.cited().name.rsplit_once('.') else { return false };
    let document = subject.document;
    let name_at = subject.citation.span;
    let line = document.lines.span_of(document.lines.line(name_at.start));
    let lead = document.text.get(line.start..name_at.start).unwrap_or("");
    if !super::arguments::declares(lead) {
        return false;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(line.of(&document.text));
    let before = document.text.get(content.start..line.start).unwrap_or("");
    let class = before.lines().rev().take(BACK).find(|l| !l.trim().is_empty() && indent(l) < own);
    let Some(heritage) = class.and_then(|l| CLASS.captures(l)) else { return false };
    let words = name::words(container);
    !name::words(&heritage[1]).iter().any(|w| w.len() > 2 && words.contains(w))
}

/// Whether the document writes the cited function out with its body, as its example's own. A method may be one that the
/// reader overrides.
fn written_by_document(subject: &Subject<'_>) -> bool {
    let fact = subject.change.cited();
    if !matches!(fact.kind, FactKind::Symbol | FactKind::Signature) {
        return false;
    }
    let made = fact.value.get("declared").is_some_and(|d| d == "function" || d == "method");
    *subject.written.borrow_mut().entry(subject.citation.change).or_insert_with(|| {
        !fact.name.contains('.') && super::spelled::is_defined_in(subject.document, fact.leaf())
            || made && is_variable_of(subject.document, fact.leaf())
    })
}

/// Whether a code block of the document has a variable of the name: `val potFunctor = Pot.functor()`.
fn is_variable_of(document: &Document, name: &str) -> bool {
    let blocks = document.regions.iter().filter_map(|r| match r.kind {
        RegionKind::CodeBlock { content, .. } => Some(content.of(&document.text)),
        _ => None,
    });
    blocks.flat_map(str::lines).any(|line| {
        let mut words = line.split_whitespace();
        matches!(words.next(), Some("val" | "var" | "let" | "const"))
            && words.next().is_some_and(|w| w.trim_end_matches(':') == name)
            && line.contains('=')
    })
}

/// Whether a sentence sets the project beside a package instead of saying that it uses it.
fn compares_packages(subject: &Subject<'_>, sentence: ByteSpan) -> bool {
    static COMPARES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:compar\w+|replacement|alternatives?|instead|unlike|similar\w*|inspired|versus|vs|than|faster|slower|port of|fork of|successor)\b",
        )
        .expect("valid pattern")
    });
    subject.change.kind() == FactKind::Package && COMPARES.is_match(subject.of(sentence))
}

/// Whether the section says that what it describes is another package's: `Defined in [x](https://…)`.
fn lives_elsewhere(subject: &Subject<'_>) -> bool {
    static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\W*(?:is |are |this is )?(?:defined|provided|implemented|maintained|available|hosted) (?:in|by|from|at|as) (?:the |a )?(?:separate )?\[")
            .expect("valid pattern")
    });
    let document = subject.document;
    let Some(&heading) = subject.region().scope.headings.last() else { return false };
    let section = document.regions.iter().skip(heading + 1).take_while(|r| !matches!(r.kind, RegionKind::Heading { .. })).take(4);
    section.filter(|r| r.span.start <= subject.citation.span.start).any(|region| {
        let elsewhere = region.marks.iter().any(|m| {
            matches!(&m.kind, MarkKind::Link { target } if target.contains("://")
                && !subject.background.own_names.iter().any(|n| target.to_lowercase().ends_with(&format!("/{n}"))))
        });
        elsewhere && DEFINED.is_match(document.region_text(region))
    })
}

/// The cited name with its qualifiers: a package or module path in front of it.
fn qualified(subject: &Subject<'_>) -> ByteSpan {
    let text = &subject.document.text;
    let end = subject.citation.span.end;
    let start = text[..subject.citation.span.start]
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
        .last()
        .map_or(subject.citation.span.start, |(i, _)| i);
    ByteSpan::new(start, end)
}

/// The cited name with the inline code or link around it.
pub(super) fn own_words(subject: &Subject<'_>) -> ByteSpan {
    let name = subject.citation.span;
    let marks = subject.region().marks.iter().filter(|m| matches!(m.kind, MarkKind::Code | MarkKind::Link { .. }));
    marks.map(|m| m.span).filter(|s| s.contains(name)).max_by_key(ByteSpan::len).unwrap_or(name)
}

/// A text with a span of the document blanked out, byte for byte.
pub(super) fn without(text: &str, at: ByteSpan, span: ByteSpan) -> String {
    let start = span.start.saturating_sub(at.start).min(text.len());
    let end = span.end.saturating_sub(at.start).min(text.len());
    match (text.get(..start), text.get(end..)) {
        (Some(before), Some(after)) => format!("{before}{}{after}", "x".repeat(end - start)),
        _ => text.to_owned(),
    }
}

fn gone(subject: &Subject<'_>, aspect: Option<Aspect>) -> Verdict {
    let sentence = window::sentence(subject.document, subject.citation);
    let at = subject.citation.span.start.saturating_sub(sentence.start);
    // In running text and tables the sentence speaks; code has no sentences, but a comment on the line may. The name itself
    // says nothing: `src/legacy/` is no word about the past.
    if speaks_of_past(&without(subject.of(sentence), sentence, own_words(subject)), at) {
        return Verdict::Past;
    }
    if super::superseded::is_former(subject) || is_listed_as_gone(subject) {
        return Verdict::Past;
    }
    if declared_by_example(subject)
        || is_free_function(subject)
        || is_method_of_another(subject)
        || is_class_of_shape(subject)
        || written_by_document(subject)
        || lives_elsewhere(subject)
        || compares_packages(subject, sentence)
    {
        return Verdict::Mention;
    }
    let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
    if (subject.background.is_new)(subject.of(line)) {
        return Verdict::WrittenNow;
    }
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::Existence,
        strength: Strength::Strong,
        stale: subject.citation.span,
        aspect,
    }])
}
