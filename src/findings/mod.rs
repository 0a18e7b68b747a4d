//! From claims to `FindingV1` records: one finding per document and fact, with identity, evidence and confidence.

mod confidence;
mod identity;

use std::collections::{BTreeMap, BTreeSet};

pub use confidence::{DEFAULT_MIN_CONFIDENCE, confidence};
pub use identity::{Relevant, evidence_hash, finding_id};

pub use crate::model::CATEGORIES;

use crate::model::{
    Assertion, Change, ChangeSet, CitedPlace, Claim, ClaimRule, Document, Evidence, EvidenceSource, Fact, FactKind, Finding,
    Layer, Provenance, RepoPath, Routing, Severity, Status,
};
use crate::value::{canonical, summary};

/// Most head citations in the evidence of one finding; the record holds 64 items in all.
const MAX_HEAD_CITATIONS: usize = 40;
/// Most base citations in the evidence of one finding.
const MAX_BASE_CITATIONS: usize = 8;

/// How far the absence of a name is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absence {
    /// Declared and accepted nowhere in non-test code at head.
    Proven,
    /// Declared nowhere, but the word still stands in code.
    Unproven,
}

/// What is proven of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How far the absence of the name is proven.
    pub absence: Absence,
    /// The file that held the fact is gone from the head, and was not moved.
    pub file_gone: bool,
    /// What is gone may be another package's now, and be as it was to readers.
    pub may_have_moved: bool,
}

/// What findings need to know of the run.
pub struct Context<'a> {
    /// Which analysis.
    pub provenance: Provenance,
    /// Severity by category.
    pub severity: &'a dyn Fn(&str) -> Severity,
    /// Hash of a code file's text, at base (`true`) or head.
    pub code_hash: &'a dyn Fn(bool, &str) -> Option<String>,
    /// The line at base that says the same as a line of a document at head.
    pub base_line: &'a dyn Fn(&Document, u32) -> Option<u32>,
    /// Whether the absence of a removed name is proven, by index of the change.
    pub absence: &'a dyn Fn(usize) -> Absence,
    /// Files that the change takes away.
    pub gone: &'a BTreeSet<RepoPath>,
    /// Whether a definition may be another package's now: it went with its file where a dependency comes in, or its file
    /// begins to take what is called so from another package.
    pub may_have_moved: &'a dyn Fn(&Fact) -> bool,
}

/// A finding before routing, with the places for people.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The record; its routing is `proposed`.
    pub finding: Finding,
    /// Index of the change.
    pub change: usize,
    /// The claiming places, most telling first.
    pub places: Vec<CitedPlace>,
    /// Byte spans of the stale words, in the order of `places`.
    pub spans: Vec<crate::model::ByteSpan>,
    /// Regions of the places, in the order of `places`.
    pub regions: Vec<usize>,
}

impl Draft {
    /// Leaves places out, by index. The finding is as sure as the surest that remains; its identity and evidence stay.
    pub fn keep_places(&mut self, keep: impl Fn(usize) -> bool) {
        fn kept<T>(list: &mut Vec<T>, keep: &impl Fn(usize) -> bool) {
            let mut index = 0;
            list.retain(|_| {
                index += 1;
                keep(index - 1)
            });
        }
        kept(&mut self.places, &keep);
        kept(&mut self.spans, &keep);
        kept(&mut self.regions, &keep);
        self.finding.confidence = self.places.iter().map(|p| p.confidence).fold(0.0, f64::max);
    }
}

/// The findings of one document. Claims of one change become one finding.
pub fn diagnose(document: &Document, claims: &[Claim], changes: &ChangeSet, context: &Context<'_>) -> Vec<Draft> {
    let mut by_change: BTreeMap<usize, Vec<&Claim>> = BTreeMap::new();
    for claim in claims {
        by_change.entry(claim.citation.change).or_default().push(claim);
    }
    by_change
        .into_iter()
        .filter_map(|(index, claims)| {
            let change = changes.changes.get(index)?;
            let proof = Proof {
                absence: (context.absence)(index),
                file_gone: context.gone.contains(&change.cited().path),
                may_have_moved: (context.may_have_moved)(change.cited()),
            };
            Some(draft(document, index, change, claims, proof, context))
        })
        .collect()
}

fn category(claims: &[&Claim]) -> &'static str {
    if claims.iter().any(|c| c.rule == ClaimRule::Existence) {
        "broken-reference"
    } else if claims.iter().all(|c| c.rule == ClaimRule::Ambiguous) {
        "ambiguous-reference"
    } else {
        "changed-reference"
    }
}

fn draft(
    document: &Document,
    index: usize,
    change: &Change,
    mut claims: Vec<&Claim>,
    proof: Proof,
    context: &Context<'_>,
) -> Draft {
    let sure = |c: &Claim| confidence(c, change, proof, c.citation.span.of(&document.text));
    claims.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then(a.stale.cmp(&b.stale)).then(a.rule.cmp(&b.rule)));
    claims.dedup_by(|a, b| a.stale == b.stale);
    let category = category(&claims);
    let fact = change.cited();
    let key = assertion_key(fact);
    let assertion = Assertion { document: bounded(document.path.as_str(), 512), key };
    let relevant = match category {
        "broken-reference" => Relevant::Removed { target: fact.id() },
        "ambiguous-reference" => Relevant::Ambiguous { candidates: change.candidates.clone() },
        _ => Relevant::Changed {
            target: fact.id(),
            before: value_hash(change.before.as_ref()),
            after: value_hash(change.after.as_ref()),
        },
    };
    let id = finding_id(category, &assertion, &relevant);
    let confidence = claims.iter().map(|c| sure(c)).fold(0.0, f64::max);
    let status = match category {
        "broken-reference" if proof.absence == Absence::Proven => Status::Conflict,
        "ambiguous-reference" => Status::Unresolved,
        _ => Status::StaleOrUnverified,
    };
    let places: Vec<CitedPlace> = claims.iter().map(|c| place(document, c, &id, sure(c))).collect();
    let finding = Finding {
        record_type: "finding".to_owned(),
        schema_version: 1,
        id,
        category: category.to_owned(),
        evidence_hash: evidence_hash(&relevant),
        status,
        layer: Layer::L0,
        confidence,
        severity: (context.severity)(category),
        entities: vec![bounded(&format!("document:{}", document.path), 256), bounded(&fact.id(), 256)],
        evidence: evidence(document, change, &claims, &places, context),
        routing: Routing::Proposed,
        documentation_update: None,
        priority: None,
        changed_descendant_paths: None,
        generator: None,
        coverage: Vec::new(),
        provenance: context.provenance.clone(),
        assertion,
    };
    Draft {
        finding,
        change: index,
        spans: claims.iter().map(|c| c.stale).collect(),
        regions: claims.iter().map(|c| document.region_at(c.stale.start).unwrap_or(c.citation.region)).collect(),
        places,
    }
}

/// The name readers know the fact by.
fn assertion_key(fact: &Fact) -> String {
    bounded(&fact.name, 512)
}

fn bounded(text: &str, max: usize) -> String {
    let clean: String = text.chars().take(max).collect();
    let mut units = 0;
    let cut: String = clean
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units <= max
        })
        .collect();
    if cut.is_empty() { "-".to_owned() } else { cut }
}

/// Hash of a fact's projection, with the further spellings it is accepted under; of `null` where a side is missing.
pub fn value_hash(fact: Option<&Fact>) -> String {
    let Some(fact) = fact else { return canonical::hash(&serde_json::Value::Null) };
    if fact.aliases.is_empty() {
        return canonical::hash(&fact.value);
    }
    let mut aliases: Vec<&str> = fact.aliases.iter().map(String::as_str).collect();
    aliases.sort_unstable();
    canonical::hash(&serde_json::json!({"value": fact.value, "aliases": aliases}))
}

fn place(document: &Document, claim: &Claim, finding: &str, confidence: f64) -> CitedPlace {
    let lines = document.lines_of(claim.stale);
    let line_span = document.lines.span_of(lines.start);
    let line = line_span.of(&document.text).trim_end();
    let stale_end = claim.stale.end.min(line_span.start + line.len()).max(claim.stale.start);
    let stale = crate::model::ByteSpan::new(claim.stale.start, stale_end);
    let column = |at: usize| {
        u32::try_from(document.text.get(line_span.start..at).map_or(0, |t| t.chars().count()) + 1).unwrap_or(u32::MAX)
    };
    let name_line = document.lines_of(claim.citation.span).start;
    let (text, shift) = excerpt(line, stale.start - line_span.start, stale.end - line_span.start);
    let _ = shift;
    let words = stale.of(&document.text);
    CitedPlace {
        finding: finding.to_owned(),
        document: bounded(document.path.as_str(), 512),
        line: lines.start.get(),
        column_start: column(stale.start),
        column_end: column(stale.end).max(column(stale.start) + 1),
        text,
        stale: summary::clip(if words.trim().is_empty() { claim.citation.span.of(&document.text) } else { words }, 200),
        name_line: (name_line != lines.start).then(|| name_line.get()),
        rule: claim.rule,
        form: claim.citation.form,
        confidence,
    }
}

/// At most 400 characters of a line, around the stale words.
fn excerpt(line: &str, start: usize, end: usize) -> (String, usize) {
    const MAX: usize = 400;
    if line.chars().count() <= MAX {
        return (line.to_owned(), 0);
    }
    let from = line.get(..start).map_or(0, |t| t.char_indices().rev().nth(120).map_or(0, |(i, _)| i));
    let cut: String = line.get(from..).unwrap_or("").chars().take(MAX - 2).collect();
    let _ = end;
    (format!("{}{cut}…", if from > 0 { "…" } else { "" }), from)
}

fn source_of(kind: FactKind) -> EvidenceSource {
    match kind {
        FactKind::ConfigKey | FactKind::Package | FactKind::Task | FactKind::ActionInput => EvidenceSource::Configuration,
        FactKind::DocPath => EvidenceSource::Documentation,
        _ => EvidenceSource::Code,
    }
}

fn evidence(
    document: &Document,
    change: &Change,
    claims: &[&Claim],
    places: &[CitedPlace],
    context: &Context<'_>,
) -> Vec<Evidence> {
    let mut out: Vec<Evidence> = Vec::new();
    let mut push = |item: Evidence| {
        if out.len() < 64 && !out.contains(&item) {
            out.push(item);
        }
    };
    for place in places.iter().take(MAX_BASE_CITATIONS) {
        if let Some(line) = (context.base_line)(document, place.line) {
            push(Evidence {
                source: EvidenceSource::Documentation,
                path: place.document.clone(),
                line_start: Some(line),
                line_end: Some(line),
                content_hash: None,
                context: Some("Base citation".to_owned()),
            });
        }
    }
    for (place, claim) in places.iter().zip(claims).take(MAX_HEAD_CITATIONS) {
        let region = document.region_at(claim.stale.start).and_then(|i| document.regions.get(i));
        let note = match claim.rule {
            ClaimRule::Existence => format!("Head citation: names `{}`", place.stale),
            ClaimRule::AspectInWords => "Head citation: speaks of what changed".to_owned(),
            ClaimRule::Incomplete => "Head citation: lists what the code has, without what it gained".to_owned(),
            _ => format!("Head citation: says `{}`", place.stale),
        };
        push(Evidence {
            source: EvidenceSource::Documentation,
            path: place.document.clone(),
            line_start: Some(place.line),
            line_end: Some(document.lines_of(claim.stale).end.get().max(place.line)),
            content_hash: region.map(|r| canonical::hash(&document.region_text(r))),
            context: Some(summary::clip(&note, 1024)),
        });
    }
    if places.len() > MAX_HEAD_CITATIONS {
        push(Evidence {
            source: EvidenceSource::Derived,
            path: bounded(document.path.as_str(), 512),
            line_start: None,
            line_end: None,
            content_hash: None,
            context: Some(format!("{} further citations are not listed", places.len() - MAX_HEAD_CITATIONS)),
        });
    }
    let told = summary::change(change);
    let mut code = |fact: &Fact, base: bool, context_text: String| {
        push(Evidence {
            source: source_of(fact.kind),
            path: bounded(fact.path.as_str(), 512),
            line_start: (!fact.kind.is_path()).then(|| fact.lines.start.get()),
            line_end: (!fact.kind.is_path()).then(|| fact.lines.end.get()),
            content_hash: (context.code_hash)(base, fact.path.as_str()),
            context: Some(summary::clip(&context_text, 1024)),
        });
    };
    if let Some(before) = &change.before {
        code(before, true, format!("Base target valueHash: {} ({told})", value_hash(Some(before))));
    }
    match &change.after {
        Some(after) => {
            code(after, false, format!("Head target valueHash: {} ({told})", value_hash(Some(after))));
        }
        None => {
            if let Some(before) = &change.before {
                push(Evidence {
                    source: EvidenceSource::Derived,
                    path: bounded(before.path.as_str(), 512),
                    line_start: None,
                    line_end: None,
                    content_hash: None,
                    context: Some("Base target removed or no longer uniquely resolved".to_owned()),
                });
            }
        }
    }
    out
}
