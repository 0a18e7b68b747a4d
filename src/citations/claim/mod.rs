//! What a citation claims (`design.md` section 7). Each rule is one file; this one tries them in order and keeps the reason
//! where none applies, so that `explain` can say why nothing was reported.

mod arguments;
mod example;
mod existence;
mod members;
mod spelled;
mod value;
mod version;
mod window;

use crate::model::{ChangeOp, ChangeSet, Citation, Claim, Document, FactKind};

/// Why a citation is or is not reported.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It claims something that is no longer so.
    Claims(Vec<Claim>),
    /// It only names the fact.
    Mention,
    /// It states the new value or form.
    Current,
    /// The line says itself that it speaks of the past.
    Past,
    /// The line was written in this very change.
    WrittenNow,
    /// It passes its own value; that is no claim about a default.
    ExplicitArgument,
    /// Every old use is still right.
    Compatible,
}

impl Verdict {
    /// A sentence for `explain`.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Claims(_) => "claims something that the change made untrue",
            Self::Mention => "only names it; says nothing about what changed",
            Self::Current => "already states the new value",
            Self::Past => "the line says itself that this is about the past",
            Self::WrittenNow => "the line was written in this change",
            Self::ExplicitArgument => "passes its own value, which is no claim about the default",
            Self::Compatible => "the change is compatible and the place does not claim to be complete",
        }
    }
}

/// A citation with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The citation.
    pub citation: Citation,
    /// What it claims, or why nothing.
    pub verdict: Verdict,
}

/// Judges every citation of one document. `is_new` tells whether a line of the document was written in this change.
pub fn claims(document: &Document, citations: &[Citation], changes: &ChangeSet, is_new: &dyn Fn(&str) -> bool) -> Vec<Judgement> {
    citations
        .iter()
        .map(|citation| {
            let verdict = changes.changes.get(citation.change).map_or(Verdict::Mention, |change| {
                let subject = Subject { document, citation, change, is_new, all: citations, changes };
                judge(&subject)
            });
            Judgement { citation: citation.clone(), verdict }
        })
        .collect()
}

/// One citation under judgement, with what the rules may look at.
pub(super) struct Subject<'a> {
    pub(super) document: &'a Document,
    pub(super) citation: &'a Citation,
    pub(super) change: &'a crate::model::Change,
    pub(super) is_new: &'a dyn Fn(&str) -> bool,
    pub(super) all: &'a [Citation],
    pub(super) changes: &'a ChangeSet,
}

impl<'a> Subject<'a> {
    pub(super) fn region(&self) -> &'a crate::model::Region {
        &self.document.regions[self.citation.region]
    }

    pub(super) fn of(&self, span: crate::model::ByteSpan) -> &'a str {
        span.of(&self.document.text)
    }
}

fn judge(subject: &Subject<'_>) -> Verdict {
    let change = subject.change;
    if change.removes_name() {
        return existence::judge(subject);
    }
    if change.op != ChangeOp::Changed {
        return Verdict::Mention;
    }
    let verdicts = match change.kind() {
        FactKind::Package => vec![version::judge(subject)],
        FactKind::Signature => vec![spelled::judge(subject), example::judge(subject), value::judge(subject), members::judge(subject)],
        _ => vec![existence::judge_spelling(subject), value::judge(subject), members::judge(subject)],
    };
    let mut claims = Vec::new();
    let mut rest = Verdict::Mention;
    for verdict in verdicts {
        match verdict {
            Verdict::Claims(found) => claims.extend(found),
            Verdict::Mention => {}
            other if rest == Verdict::Mention => rest = other,
            _ => {}
        }
    }
    if !claims.is_empty() {
        return Verdict::Claims(claims);
    }
    if rest == Verdict::Mention && change.compatible { Verdict::Compatible } else { rest }
}
