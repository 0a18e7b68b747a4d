//! Whose value it is: the places of a window that state a value and belong to the cited name.
//!
//! A value belongs to a name when nothing else is nearer, where a clause boundary counts as far.

use std::sync::LazyLock;

use regex::Regex;

use super::super::window::{self, Window};
use super::Target;
use crate::model::{ByteSpan, MarkKind, RegionKind};
use crate::value::literal::{Forms, Stated};

/// A value this far from its name, in bytes, is about something else.
pub(super) const MAX_DISTANCE: usize = 90;
/// What a clause boundary adds to the distance.
const CLAUSE: usize = 40;

static CONDITION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:if|when|otherwise|unless|depending|else|except)\b").expect("valid pattern"));

impl<'a> Target<'a, '_> {
    /// Places in a window that state a value and belong to the cited name.
    pub(super) fn stated(&self, forms: &Forms, window: Window, default: bool) -> Vec<ByteSpan> {
        let document = self.subject.document;
        let text = self.subject.of(window.span);
        let bare = default || window.promises_default;
        forms
            .find(text, bare)
            .into_iter()
            .map(|s| Stated {
                span: ByteSpan::new(s.span.start + window.span.start, s.span.end + window.span.start),
                marked: s.marked,
            })
            .filter(|s| !s.span.overlaps(self.subject.citation.span))
            .filter(|s| window.owned || self.belongs(s.span, window))
            // `true` and `on` in running text are ordinary words unless the sentence is about the default.
            .filter(|s| s.marked || !forms.is_truth() || default || self.in_own_code(s.span) || window.promises_default)
            .filter(|s| !forms.is_truth() || window.owned || self.truth_is_close(s.span, default))
            .filter(|s| s.marked || !self.is_preposition(s.span))
            .filter(|s| !self.is_second_choice(s.span, window) && !self.is_condition(s.span, window))
            .map(|s| s.span)
            .filter(|s| s.end <= document.text.len())
            .collect()
    }

    /// Whether a sentence gives another value first: `"idle"` if the server allows it, `false` otherwise. Then neither is the
    /// default as such.
    fn is_second_choice(&self, value: ByteSpan, window: Window) -> bool {
        let region = self.subject.document.region_at(window.span.start).and_then(|i| self.subject.document.regions.get(i));
        if region.is_none_or(|r| matches!(r.kind, RegionKind::TableRow { .. })) {
            return false;
        }
        let text = &self.subject.document.text;
        let marks = region.into_iter().flat_map(|r| &r.marks).filter(|m| matches!(m.kind, MarkKind::Code)).map(|m| m.span);
        let earlier = marks
            .filter(|m| window.span.contains(*m) && m.end <= value.start && !m.overlaps(self.subject.citation.span))
            .any(|m| {
                let code = m.of(text);
                !window::is_name(code) && !code.trim().is_empty()
            });
        earlier && CONDITION.is_match(ByteSpan::new(window.span.start, window.span.end).of(text))
    }

    /// Whether the value is what a reader would have to set for something to happen: `unless X is set to false`.
    fn is_condition(&self, value: ByteSpan, window: Window) -> bool {
        static SET: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?is)\b(?:if|when|whenever|unless|until|once|where)\b.*\b(?:set|setting|changed|switched) to\W*$")
                .expect("valid pattern")
        });
        let start = window.span.start.min(self.subject.citation.span.start);
        let sentence = window::sentence(self.subject.document, self.subject.citation);
        let start = if sentence.contains(value) { sentence.start } else { start };
        self.subject.document.text.get(start..value.start).is_some_and(|before| SET.is_match(before))
    }

    /// What stands in front of a value on its line, as far as the given number of bytes; a line may be as long as the document.
    fn lead(&self, value: ByteSpan, reach: usize) -> &'a str {
        let text: &'a str = &self.subject.document.text;
        let start = (0..=value.start.saturating_sub(reach)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let before = text.get(start..value.start).unwrap_or("");
        before.rsplit('\n').next().unwrap_or(before)
    }

    /// `work on the results`: a preposition, no switch, unless something is said to be or to be turned so.
    fn is_preposition(&self, value: ByteSpan) -> bool {
        static SWITCHED: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?i)(?:\b(?:is|are|be|was|were|stays?|turned|switched|set|to|defaults?|always|now)|[:=(|.;!?])[\s`*_]*$")
                .expect("valid pattern")
        });
        let line = self.lead(value, 80);
        // `on by default` says what is, `on the results` where.
        if self.subject.document.text.get(value.end..).is_some_and(|behind| behind.trim_start().starts_with("by default")) {
            return false;
        }
        matches!(self.subject.of(value).to_lowercase().as_str(), "on" | "off") && !line.is_empty() && !SWITCHED.is_match(line)
    }

    fn truth_is_close(&self, value: ByteSpan, default: bool) -> bool {
        self.gap(value) <= if default { MAX_DISTANCE } else { 30 }
    }

    /// Distance between the cited name and a value, in bytes, clause boundaries counted as far.
    pub(super) fn gap(&self, value: ByteSpan) -> usize {
        distance(self.subject.document.text.as_str(), self.subject.citation.span, value)
    }

    /// Whether the cited name is the nearest name to the value.
    fn belongs(&self, value: ByteSpan, window: Window) -> bool {
        let text = &self.subject.document.text;
        let own = self.gap(value);
        if own > MAX_DISTANCE + CLAUSE {
            return false;
        }
        let region = self.subject.region();
        let code = self.own_code();
        let rivals = region
            .marks
            .iter()
            .filter(|m| matches!(m.kind, MarkKind::Code | MarkKind::Role { .. }))
            .map(|m| m.span)
            .filter(|s| {
                window.span.contains(*s) && !s.contains(self.subject.citation.span) && !s.overlaps(value) && Some(*s) != code
            })
            .filter(|s| window::is_name(s.of(text)));
        let others = self
            .subject
            .all
            .iter()
            .filter(|c| {
                c.change != self.subject.citation.change
                    && !c.span.overlaps(self.subject.citation.span)
                    && window.span.contains(c.span)
            })
            .filter(|c| {
                self.subject.changes.changes.get(c.change).is_some_and(|o| o.cited().leaf() != self.subject.change.cited().leaf())
            })
            .map(|c| c.span);
        rivals.chain(others).all(|rival| distance(text, rival, value) >= own)
    }
}

pub(super) fn between(text: &str, a: ByteSpan, b: ByteSpan) -> &str {
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    text.get(first.end.min(second.start)..second.start).unwrap_or("")
}

fn distance(text: &str, a: ByteSpan, b: ByteSpan) -> usize {
    let gap = between(text, a, b);
    if gap.len() > MAX_DISTANCE + CLAUSE {
        return gap.len();
    }
    let clauses = gap.matches(';').count()
        + gap.matches(" and ").count()
        + gap.matches(" but ").count()
        + gap.matches(" while ").count()
        + gap.matches(". ").count();
    gap.len() + clauses * CLAUSE + usize::from(b.start < a.start)
}
