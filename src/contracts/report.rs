//! What a validation found: every violation with its place in the text, what is wrong and what would be right.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{RecordKind, json};
use crate::model::LineIndex;

/// Most violations of one record that are listed.
const MAX_VIOLATIONS: usize = 200;

/// Which kind of rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The text is larger than the limit.
    Size,
    /// The text is no JSON.
    Syntax,
    /// A key stands twice in one object.
    DuplicateKey,
    /// The record is of no known kind.
    Kind,
    /// The schema says otherwise.
    Schema,
    /// An id is not the one its content gives.
    Identity,
    /// A hash is not the one its content gives.
    Hash,
    /// A list is not in canonical order, or holds something twice.
    Order,
    /// Numbers or lists do not add up.
    Count,
    /// Two fields contradict each other.
    Consistency,
}

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// Which kind of rule is broken.
    pub kind: Rule,
    /// JSON pointer in the record's text; in NDJSON, in the line's record.
    pub pointer: String,
    /// Line of the text, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub wrong: String,
    /// What would be right.
    pub right: String,
}

/// The outcome for one text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The kind of each record, in order.
    pub records: Vec<RecordKind>,
    /// What is wrong, in the order of the text.
    pub violations: Vec<Violation>,
    /// Whether more violations were found than are listed.
    pub is_cut: bool,
    /// Bytes of text that were walked to find places.
    walked: usize,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether enough is wrong: the rest is not looked at, and the report says that it was cut.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.violations.len() >= MAX_PLACED || self.walked >= MAX_WALKED;
        self.is_cut |= full;
        full
    }
}

/// Most violations of one text that are listed with their places.
const MAX_PLACED: usize = 500;
/// Most bytes that are walked to find places: one walk over a large text, many over small ones.
const MAX_WALKED: usize = 8 * 1024 * 1024;

/// Collects the violations of one record before their places are known.
#[derive(Debug)]
pub(super) struct Checks {
    found: Vec<(Rule, String, String, String)>,
    /// Pointer of what is being looked at.
    base: String,
    is_cut: bool,
}

impl Checks {
    /// For a record at a pointer.
    pub(super) fn new(base: &str) -> Self {
        Self { found: Vec::new(), base: base.to_owned(), is_cut: false }
    }

    /// Adds a violation; `pointer` continues the current base.
    pub(super) fn add(&mut self, kind: Rule, pointer: &str, wrong: impl Into<String>, right: impl Into<String>) {
        if self.found.len() >= MAX_VIOLATIONS {
            self.is_cut = true;
            return;
        }
        self.found.push((kind, format!("{}{pointer}", self.base), wrong.into(), right.into()));
    }

    /// Adds a violation unless a condition holds.
    pub(super) fn demand(&mut self, holds: bool, kind: Rule, pointer: &str, wrong: impl Into<String>, right: impl Into<String>) {
        if !holds {
            self.add(kind, pointer, wrong, right);
        }
    }

    /// Looks at something beneath the current place.
    pub(super) fn within(&mut self, pointer: &str, look: impl FnOnce(&mut Self)) {
        let length = self.base.len();
        self.base.push_str(pointer);
        look(self);
        self.base.truncate(length);
    }

    /// Whether nothing was found yet.
    pub(super) fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// Moves what was found into a report, with its places in the value that begins at `start`.
    pub(super) fn place(self, text: &str, lines: &LineIndex, start: usize, report: &mut Report) {
        report.is_cut |= self.is_cut;
        // Looking for places walks the text: a record without a fault costs nothing, and after enough faults the rest is counted out.
        if self.found.is_empty() {
            return;
        }
        if report.is_full() {
            return;
        }
        report.walked += text.len() - start.min(text.len());
        let mut wanted = BTreeSet::new();
        for (_, pointer, ..) in &self.found {
            // A missing value has no place: the nearest one above it has.
            let mut rest = pointer.as_str();
            wanted.insert(rest.to_owned());
            while let Some(cut) = rest.rfind('/') {
                rest = &rest[..cut];
                wanted.insert(rest.to_owned());
            }
        }
        let places = json::locate(text, start, &wanted);
        let mut placed: Vec<(usize, Violation)> = self
            .found
            .into_iter()
            .map(|(kind, pointer, wrong, right)| {
                let mut above = pointer.as_str();
                let at = loop {
                    if let Some(at) = places.get(above) {
                        break *at;
                    }
                    match above.rfind('/') {
                        Some(cut) => above = &above[..cut],
                        None => break start,
                    }
                };
                (at, violation(text, lines, at, kind, (pointer, wrong, right)))
            })
            .collect();
        placed.sort_by(|a, b| (a.0, a.1.kind, &a.1.pointer).cmp(&(b.0, b.1.kind, &b.1.pointer)));
        report.violations.extend(placed.into_iter().map(|(_, violation)| violation));
    }
}

/// A violation at a byte of the text.
pub(super) fn violation(
    text: &str,
    lines: &LineIndex,
    at: usize,
    kind: Rule,
    (pointer, wrong, right): (String, String, String),
) -> Violation {
    let line = lines.line(at);
    let before = text.get(lines.span_of(line).start..at).unwrap_or("");
    let column = u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX);
    Violation { kind, pointer, line: line.get(), column, wrong, right }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.pointer.is_empty() { "the record" } else { &self.pointer };
        write!(f, "{}:{}: {place}: {}", self.line, self.column, self.wrong)?;
        if !self.right.is_empty() {
            f.write_str("; expected ")?;
            f.write_str(&self.right)?;
        }
        Ok(())
    }
}
