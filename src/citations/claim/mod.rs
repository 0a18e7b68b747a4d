//! What a citation claims (`design.md` section 7). Each rule is one file; this one tries them in order and keeps the reason
//! where none applies, so that `explain` can say why nothing was reported.

mod arguments;
mod branches;
mod complete;
mod example;
mod existence;
mod literal;
mod members;
mod no_arguments;
mod parameters;
mod passed_on;
mod spelled;
mod superseded;
mod value;
mod version;
mod window;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::Tables;
use crate::model::{ChangeOp, ChangeSet, Citation, Claim, Document, FactKind, RegionKind, RepoPath};

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
    /// The name is still declared or accepted somewhere at head.
    StillAccepted,
    /// What it says is still true of another fact of that name.
    TrueOfAnother,
    /// The same words are reported for a fact that they name more exactly.
    SaidOfAnother,
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
            Self::StillAccepted => "the name is still declared or accepted at head",
            Self::TrueOfAnother => "what it says is still true of another fact of that name",
            Self::SaidOfAnother => "the same words are reported for a fact that they name more exactly",
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

/// What judging a document needs besides the document and the changes.
#[derive(Clone, Copy)]
pub struct Background<'a> {
    /// Whether a line of the document was written in this change.
    pub is_new: &'a dyn Fn(&str) -> bool,
    /// Names of the project itself, lower case.
    pub own_names: &'a BTreeSet<String>,
    /// The settings tables of the changed files.
    pub tables: &'a Tables,
}

/// Judges every citation of one document.
pub fn claims(document: &Document, citations: &[Citation], changes: &ChangeSet, background: Background<'_>) -> Vec<Judgement> {
    let written = RefCell::default();
    citations
        .iter()
        .map(|citation| {
            let verdict = changes.changes.get(citation.change).map_or(Verdict::Mention, |change| {
                let subject = Subject { document, citation, change, background, all: citations, changes, written: &written };
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
    pub(super) background: Background<'a>,
    pub(super) all: &'a [Citation],
    pub(super) changes: &'a ChangeSet,
    /// Whether the document writes a definition itself, by change: asked once however often it is cited.
    pub(super) written: &'a RefCell<BTreeMap<usize, bool>>,
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
    if tells_a_release(subject) {
        return Verdict::Past;
    }
    if change.removes_name() {
        return existence::judge(subject);
    }
    if change.op == ChangeOp::Added && super::may_be_namesake(change) {
        return ambiguous(subject);
    }
    if change.op != ChangeOp::Changed {
        return Verdict::Mention;
    }
    if let Some(verdict) = members::judge_listed(subject) {
        return verdict;
    }
    let verdicts = match change.kind() {
        FactKind::Package => vec![version::judge(subject)],
        FactKind::Task => vec![passed_on::judge(subject), existence::judge_spelling(subject)],
        FactKind::Signature => {
            vec![
                spelled::judge(subject),
                example::judge(subject),
                literal::judge(subject),
                branches::judge(subject),
                no_arguments::judge(subject),
                value::judge(subject),
                members::judge(subject),
                parameters::judge(subject),
                complete::judge(subject),
            ]
        }
        _ => vec![existence::judge_spelling(subject), value::judge(subject), members::judge(subject), complete::judge(subject)],
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

/// Whether the place tells what one release changed. The code of a page about upgrading shows what there was before; its
/// commands and links are for today, but for those that have a section of their own.
fn tells_a_release(subject: &Subject<'_>) -> bool {
    if subject.change.kind().is_path() {
        return false;
    }
    let document = subject.document;
    let scope = subject.region().scope.items.iter().filter_map(|&i| document.regions.get(i));
    let in_remark = scope.chain([subject.region()]).any(|region| {
        matches!(&region.kind, RegionKind::Directive { name, .. }
            if matches!(name.as_str(), "versionadded" | "versionchanged" | "versionremoved"))
    });
    let code = matches!(
        subject.change.kind(),
        FactKind::Symbol
            | FactKind::Signature
            | FactKind::Constant
            | FactKind::ConfigKey
            | FactKind::ActionInput
            | FactKind::Package
    );
    in_remark || is_guide(&document.path) && (code || is_headed(subject))
}

/// Whether the place is a heading, or stands under one that names the same thing: a section on what became of it.
fn is_headed(subject: &Subject<'_>) -> bool {
    let document = subject.document;
    let own = subject.of(subject.citation.span);
    let names = |region: &crate::model::Region| {
        document
            .region_text(region)
            .split(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | ',' | '/'))
            .any(|word| word == own)
    };
    let above = subject.region().scope.headings.iter().filter_map(|&h| document.regions.get(h));
    matches!(subject.region().kind, RegionKind::Heading { .. }) || above.into_iter().any(names)
}

/// Whether a page tells how to get from one version to another.
fn is_guide(path: &RepoPath) -> bool {
    // `v3-to-v4.md`
    static STEP: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^v?\d+(?:\.\d+)*[-_]to[-_]v?\d+(?:\.\d+)*$").expect("valid pattern"));
    let stem = path.stem().to_lowercase();
    if STEP.is_match(&stem) {
        return true;
    }
    let folder = path.directory().to_lowercase();
    ["upgrad", "migrat", "deprecat"].iter().any(|w| stem.contains(w))
        || stem == "updating"
        || folder.split('/').any(|s| {
            s.contains("upgrad")
                || s == "deprecations"
                || s.contains("migrat") && s.contains("guide")
                || s.split(['-', '_']).any(|word| word == "migrating")
                || matches!(s, "migrate" | "migration")
        })
}

/// A bare name, in a line that was there before: if another definition has it too, neither is meant alone.
fn ambiguous(subject: &Subject<'_>) -> Verdict {
    let text = &subject.document.text;
    let qualified = text[..subject.citation.span.start].ends_with(['.', ':', '#', '/']);
    let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
    if qualified || (subject.background.is_new)(subject.of(line)) {
        return Verdict::Mention;
    }
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: crate::model::ClaimRule::Ambiguous,
        strength: crate::model::Strength::Weak,
        stale: subject.citation.span,
        aspect: None,
    }])
}

/// Whether a claimed old value is what a namesake of the fact still has: then the sentence is true of that one. A citation
/// that names our owner is about ours.
pub fn is_true_of_another(
    document: &Document,
    claim: &Claim,
    change: &crate::model::Change,
    rivals: &[crate::model::Fact],
) -> bool {
    if matches!(claim.rule, crate::model::ClaimRule::Existence | crate::model::ClaimRule::Ambiguous) {
        return false;
    }
    let Some(aspect) = &claim.aspect else { return false };
    if claim.rule == crate::model::ClaimRule::Incomplete {
        return rivals.iter().any(|rival| complete::is_set_of(change, &rival.value));
    }
    let qualifier = qualifier(document, claim);
    if qualifier.is_some_and(|q| contains(change.cited(), q)) {
        return false;
    }
    if matches!(claim.rule, crate::model::ClaimRule::SpelledOut | crate::model::ClaimRule::Example)
        && aspect.pointer.starts_with("/parameters")
    {
        // Another definition of the name still takes what the document shows.
        let names = |value: &serde_json::Value| {
            spelled::parameters(value).map(|list| list.iter().map(|p| p.name.to_owned()).collect::<Vec<_>>())
        };
        let Some(old) = change.before.as_ref().and_then(|f| names(&f.value)) else { return false };
        // A call is another's if that one takes it; a signature, if that one has it.
        return rivals.iter().any(|rival| {
            if claim.rule == crate::model::ClaimRule::Example {
                example::accepts(document, claim, &rival.value)
            } else {
                names(&rival.value).is_some_and(|other| other == old)
            }
        });
    }
    let Some(before) = &aspect.before else { return false };
    let qualified = document.text[..claim.citation.span.start].ends_with(['.', ':', '#']);
    if qualified && claim.citation.exact || stands_under_command(document, claim, change) {
        return false;
    }
    rivals.iter().any(|rival| {
        rival.value.pointer(&aspect.pointer).is_some_and(|v| v == before)
            || named(&rival.value, &aspect.segments()).is_some_and(|v| v == before)
    })
}

/// What stands in front of a cited name: `reply` of `reply.then`.
fn qualifier<'d>(document: &'d Document, claim: &Claim) -> Option<&'d str> {
    let before = document.text.get(..claim.citation.span.start)?.strip_suffix(['.', ':', '#'])?.trim_end_matches(':');
    let start = before.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric() || *c == '_').last()?.0;
    before.get(start..)
}

/// Whether a qualifier is the container of a member.
fn contains(fact: &crate::model::Fact, qualifier: &str) -> bool {
    fact.name.rsplit_once('.').is_some_and(|(container, _)| {
        crate::value::name::fold(container.rsplit('.').next().unwrap_or(container)) == crate::value::name::fold(qualifier)
    })
}

/// Whether a heading or item above a flag names the very command that has it.
fn stands_under_command(document: &Document, claim: &Claim, change: &crate::model::Change) -> bool {
    let Some(command) = change.cited().owner.strip_prefix("command:").and_then(|o| o.split_whitespace().last()) else {
        return false;
    };
    let Some(region) = document.regions.get(claim.citation.region) else { return false };
    let scope = region.scope.headings.iter().chain(&region.scope.items).filter_map(|&i| document.regions.get(i));
    let mut words = scope.flat_map(|r| document.region_text(r).split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')));
    words.any(|word| word == command)
}

/// The part of a projection that a pointer with names for array items addresses.
fn named<'v>(value: &'v serde_json::Value, segments: &[String]) -> Option<&'v serde_json::Value> {
    segments.iter().try_fold(value, |at, segment| match at {
        serde_json::Value::Array(list) => list
            .iter()
            .find(|v| v.get("name").and_then(serde_json::Value::as_str) == Some(segment) || v.as_str() == Some(segment)),
        other => other.get(segment),
    })
}

/// Where several changed facts are claimed by the same words, the one that is named most exactly keeps the claim.
pub fn keep_most_exact(judgements: &mut [Judgement], changes: &ChangeSet) {
    use std::collections::BTreeMap;
    type Rank = (bool, bool, bool, std::cmp::Reverse<usize>, std::cmp::Reverse<FactKind>, std::cmp::Reverse<String>);
    let rank = |judgement: &Judgement| -> Option<Rank> {
        let fact = changes.changes.get(judgement.citation.change)?.cited();
        let reexport = fact.value.get("declared").and_then(|d| d.as_str()) == Some("reexport");
        Some((
            judgement.citation.exact,
            !reexport,
            fact.visibility == crate::model::Visibility::Public,
            std::cmp::Reverse(fact.name.len()),
            std::cmp::Reverse(fact.kind),
            std::cmp::Reverse(fact.id()),
        ))
    };
    let mut best: BTreeMap<crate::model::ByteSpan, (Rank, usize)> = BTreeMap::new();
    for judgement in judgements.iter() {
        let (Verdict::Claims(claims), Some(rank)) = (&judgement.verdict, rank(judgement)) else { continue };
        for claim in claims {
            let entry = best.entry(claim.stale).or_insert_with(|| (rank.clone(), judgement.citation.change));
            if rank > entry.0 {
                *entry = (rank.clone(), judgement.citation.change);
            }
        }
    }
    for judgement in judgements.iter_mut() {
        let change = judgement.citation.change;
        let Verdict::Claims(claims) = &mut judgement.verdict else { continue };
        claims.retain(|c| best.get(&c.stale).is_none_or(|(_, winner)| *winner == change));
        if claims.is_empty() {
            judgement.verdict = Verdict::SaidOfAnother;
        }
    }
}
