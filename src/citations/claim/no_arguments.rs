//! A sentence that says of a definition that it takes no arguments, or is called with none.

use std::sync::LazyLock;

use regex::Regex;

use super::super::past::speaks_of_past;
use super::spelled::signatures;
use super::{Subject, Verdict, window};
use crate::model::{ByteSpan, Claim, ClaimRule, RegionKind, Strength};

static CALLED_WITH_NONE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:with no|without(?: any)?) (?:arguments?|parameters?)\b").expect("valid pattern"));
static TAKES_NONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:takes|accepts|requires|needs|has|expects) no (?:arguments?|parameters?)\b|\btakes (?:none|nothing)\b")
        .expect("valid pattern")
});

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let (Some(before), Some(after)) = (&subject.change.before, &subject.change.after) else { return Verdict::Mention };
    let (old, new) = (signatures(&before.value), signatures(&after.value));
    let ([old], [new]) = (old.as_slice(), new.as_slice()) else { return Verdict::Mention };
    if matches!(subject.region().kind, RegionKind::CodeBlock { .. }) {
        return Verdict::Mention;
    }
    let sentence = window::sentence(subject.document, subject.citation);
    let text = subject.of(sentence);
    let requires = |list: &[super::spelled::Parameter<'_>]| list.iter().any(|p| p.required);
    let none = (old.is_empty() && !new.is_empty()).then(|| TAKES_NONE.find(text)).flatten();
    let called = (!requires(old) && requires(new)).then(|| CALLED_WITH_NONE.find(text)).flatten();
    let Some(found) = none.or(called) else { return Verdict::Mention };
    let stale = ByteSpan::new(sentence.start + found.start(), sentence.start + found.end());
    // The words are about the name in front of them, if no other stands between.
    let own = subject.citation.span;
    let between = subject.document.text.get(own.end..stale.start).unwrap_or("");
    let line = subject.document.lines.span_of(subject.document.lines.line(stale.start));
    if own.end > stale.start
        || between.len() > 60
        || between.contains('`') && between.trim_matches(['`', '(', ')', ' ']).contains('`')
    {
        return Verdict::Mention;
    }
    if speaks_of_past(text, 0) {
        return Verdict::Past;
    }
    if (subject.background.is_new)(subject.of(line)) {
        return Verdict::WrittenNow;
    }
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::SpelledOut,
        strength: Strength::Strong,
        stale,
        aspect: subject.change.aspects.iter().find(|a| a.pointer.starts_with("/parameters")).cloned(),
    }])
}
