//! What several reporters show: visible findings grouped by changed fact and ranked, and sentences whose repository text is
//! kept apart from our own words until a reporter escapes it.

use std::collections::{BTreeMap, BTreeSet};

use super::Links;
use super::escape;
use crate::model::{
    ChangeOp, ChangedFact, CitedPlace, ClaimRule, CodeLocation, Finding, Notice, NoticeCode, Routing, Severity, Sidecar,
};
use crate::value::summary;

/// One claiming place with its finding.
#[derive(Clone, Copy)]
pub(super) struct Cited<'a> {
    pub(super) place: &'a CitedPlace,
    pub(super) finding: &'a Finding,
}

/// A changed fact with the places of its visible findings.
pub(super) struct Group<'a> {
    pub(super) fact: &'a ChangedFact,
    /// Most confident first, then in reading order.
    pub(super) cited: Vec<Cited<'a>>,
}

/// The findings that reports show: the visible ones, unless the configuration switches their category off.
pub(super) fn shown(sidecar: &Sidecar) -> impl Iterator<Item = &Finding> {
    sidecar.findings.iter().filter(|f| f.severity != Severity::Off)
}

/// The shown findings by changed fact, most confident first.
pub(super) fn groups(sidecar: &Sidecar) -> Vec<Group<'_>> {
    let findings: BTreeMap<&str, &Finding> = shown(sidecar).map(|f| (f.id.as_str(), f)).collect();
    let mut out: Vec<Group<'_>> = sidecar
        .changed_facts
        .iter()
        .filter_map(|fact| {
            let mut cited: Vec<Cited<'_>> = fact
                .places
                .iter()
                .filter_map(|place| findings.get(place.finding.as_str()).map(|finding| Cited { place, finding }))
                .collect();
            cited.sort_by(|a, b| rank(a).cmp(&rank(b)));
            (!cited.is_empty()).then_some(Group { fact, cited })
        })
        .collect();
    // What has one cause stays together, where its surest finding stands.
    let mut surest: BTreeMap<&str, f64> = BTreeMap::new();
    for group in &out {
        let sure = surest.entry(&group.fact.cause).or_default();
        *sure = sure.max(group.cited.first().map_or(0.0, |c| c.place.confidence));
    }
    let sure = |g: &Group<'_>| surest.get(g.fact.cause.as_str()).copied().unwrap_or_default();
    out.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then(a.fact.cause.cmp(&b.fact.cause)).then(a.fact.id.cmp(&b.fact.id)));
    out
}

/// `9 stale references of 4 changed facts`, and of how many causes where several facts have one.
pub(super) fn total(shown: usize, groups: &[Group<'_>]) -> (String, String) {
    let causes = groups.iter().map(|g| g.fact.cause.as_str()).collect::<BTreeSet<_>>().len();
    let facts = plural(groups.len(), "changed fact");
    let of = if causes < groups.len() { format!("{facts}, {}", plural(causes, "cause")) } else { facts };
    (plural(shown, "stale reference"), of)
}

/// Sorts by confidence, falling, then by place. Confidences lie between 0 and 1, where bits and values have one order.
fn rank<'a>(cited: &Cited<'a>) -> (std::cmp::Reverse<u64>, &'a str, u32, u32) {
    let place = cited.place;
    (std::cmp::Reverse(place.confidence.max(0.0).to_bits()), place.document.as_str(), place.line, place.column_start)
}

/// A finding with its fact and its places, whether shown or not.
pub(super) struct Case<'a> {
    pub(super) finding: &'a Finding,
    pub(super) fact: Option<&'a ChangedFact>,
    /// Most confident first, then in reading order.
    pub(super) places: Vec<&'a CitedPlace>,
}

/// Every finding, in the order of the record.
pub(super) fn cases(sidecar: &Sidecar) -> Vec<Case<'_>> {
    let mut by_finding: BTreeMap<&str, (&ChangedFact, Vec<&CitedPlace>)> = BTreeMap::new();
    for fact in &sidecar.changed_facts {
        for place in &fact.places {
            by_finding.entry(place.finding.as_str()).or_insert_with(|| (fact, Vec::new())).1.push(place);
        }
    }
    sidecar
        .policy
        .findings
        .iter()
        .map(|finding| {
            let (fact, mut places) =
                by_finding.remove(finding.id.as_str()).map_or((None, Vec::new()), |(fact, places)| (Some(fact), places));
            places.sort_by(|a, b| rank(&Cited { place: a, finding }).cmp(&rank(&Cited { place: b, finding })));
            Case { finding, fact, places }
        })
        .collect()
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Our own words.
    Words(String),
    /// Text of the repository: a name, a value, a line.
    Code(String),
    /// Text of the repository that our own words surround already: a summary of a change.
    Told(String),
}

/// A sentence; repository text is raw until rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sentence(pub(super) Vec<Piece>);

impl Sentence {
    pub(super) fn words(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Words(text.into()));
        self
    }

    pub(super) fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Code(text.into()));
        self
    }

    pub(super) fn told(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Told(text.into()));
        self
    }

    pub(super) fn then(mut self, other: Sentence) -> Self {
        self.0.extend(other.0);
        self
    }

    /// For places without markup: names in backticks, control characters replaced, on one line.
    pub(super) fn plain(&self) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Words(text) => text.clone(),
                Piece::Code(text) => format!("`{}`", escape::clean(text)),
                Piece::Told(text) => escape::clean(text),
            })
            .collect()
    }

    /// For Markdown: everything of the repository in code spans.
    pub(super) fn markdown(&self) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Words(text) => text.clone(),
                Piece::Code(text) | Piece::Told(text) => escape::code_span(text),
            })
            .collect()
    }
}

/// What happened to a fact: its kind and the change, without its name.
pub(super) fn change(fact: &ChangedFact) -> Sentence {
    let kind = summary::kind(fact.kind);
    match (fact.op, &fact.renamed_to) {
        (ChangeOp::Changed, _) => Sentence::default().words(format!("{kind}: ")).told(&fact.summary),
        (ChangeOp::Renamed, Some(to)) => {
            let moved = if fact.kind.is_path() { "moved to" } else { "renamed to" };
            Sentence::default().words(format!("{kind} {moved} ")).told(to)
        }
        (ChangeOp::Removed | ChangeOp::Renamed, _) => Sentence::default().words(format!("{kind} removed")),
        (ChangeOp::Added, _) => Sentence::default().words(format!("{kind} added")),
    }
}

/// What is wrong with the stale words of a place.
pub(super) fn says(fact: &ChangedFact, place: &CitedPlace) -> Sentence {
    let s = Sentence::default();
    let renamed = |s: Sentence| match &fact.renamed_to {
        Some(name) => s.words("; it is ").code(name).words(" now"),
        None => s,
    };
    let now = |s: Sentence| {
        let stale = escape::clean(&place.stale);
        let value = fact
            .aspects
            .iter()
            .find(|a| a.before.as_ref().is_some_and(|b| stale.contains(summary::value(b).trim_matches('"'))))
            .or(fact.aspects.first())
            .and_then(|a| a.after.as_ref());
        match value {
            Some(value) => s.code(summary::value(value)).words(" now"),
            None => s.words("otherwise now"),
        }
    };
    match place.rule {
        ClaimRule::Existence if fact.kind.is_path() => renamed(s.words("no longer there")),
        ClaimRule::Existence => renamed(s.words("no longer exists")),
        ClaimRule::OldValue | ClaimRule::MinimumVersion | ClaimRule::VersionPin => now(s),
        ClaimRule::SpelledOut | ClaimRule::Example => s.words("the code says otherwise: ").told(&fact.summary),
        ClaimRule::AspectInWords => s.words("check this: ").told(&fact.summary),
        ClaimRule::Ambiguous => s.words("several definitions have this name now"),
        ClaimRule::Incomplete => {
            summary::missing(fact, place).into_iter().enumerate().fold(s.words("does not list "), |s, (i, name)| {
                let s = if i > 0 { s.words(", ") } else { s };
                s.code(name)
            })
        }
    }
}

/// What stands beside a place in brackets: that its region was edited, or that it speaks of a migration.
pub(super) fn notes(finding: &Finding) -> Vec<&'static str> {
    let mut out = Vec::new();
    if finding.documentation_update.is_some() {
        out.push("edited in this change");
    }
    if finding.category == "broken-reference" && finding.routing == Routing::RoutedToL2 {
        out.push("migration context");
    }
    out
}

/// `a -> b`, `was at a`, `b`: where a fact stands in the code. Nothing for facts about paths, whose name says it.
pub(super) enum Whereabouts<'a> {
    /// At both ends of the range.
    Moved(&'a CodeLocation, &'a CodeLocation),
    /// At head, and nowhere else.
    Here(&'a CodeLocation),
    /// At base only.
    Was(&'a CodeLocation),
}

/// Where a fact stands in the code.
pub(super) fn whereabouts(fact: &ChangedFact) -> Option<Whereabouts<'_>> {
    match (&fact.before, &fact.after) {
        _ if fact.kind.is_path() => None,
        (Some(b), Some(a)) if b == a => Some(Whereabouts::Here(a)),
        (Some(b), Some(a)) => Some(Whereabouts::Moved(b, a)),
        (Some(b), None) => Some(Whereabouts::Was(b)),
        (None, Some(a)) => Some(Whereabouts::Here(a)),
        (None, None) => None,
    }
}

/// How many findings are kept back, with why, in the order in which they are told.
pub(super) fn kept_back(sidecar: &Sidecar) -> Vec<(usize, &'static str)> {
    let counts = &sidecar.policy.counts;
    [
        (counts.historical, "in historical documents"),
        (counts.generator, "in generated text"),
        (counts.pending_version, "for released versions"),
        (counts.suppressed, "suppressed"),
        (counts.below_min_confidence, "below the least confidence"),
        (sidecar.findings.len() - shown(sidecar).count(), "of a category that is off"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .collect()
}

/// Why a finding is not shown: the last reason that routing gave, else the one of its suppression.
pub(super) fn reason<'a>(sidecar: &'a Sidecar, finding: &'a Finding) -> &'a str {
    if finding.routing.is_visible() && finding.severity == Severity::Off {
        return "the configuration switches the category off";
    }
    let suppressed = || sidecar.suppressions.iter().find(|s| s.finding == finding.id).map(|s| s.reason.as_str());
    let routed = finding.coverage.iter().rev().find_map(|c| c.reason.as_deref());
    routed.or_else(suppressed).filter(|r| !r.trim().is_empty()).unwrap_or("not shown by the policy")
}

/// Whether a notice is about a suppression, not about something that was not analysed.
pub(super) fn is_about_suppression(notice: &Notice) -> bool {
    matches!(notice.code, NoticeCode::UnusedSuppression | NoticeCode::ExpiredSuppression | NoticeCode::InvalidSuppression)
}

/// `1 thing`, `2 things`.
pub(super) fn plural(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// A link to a line of a file at a commit, where all three parts look right.
pub(super) fn link(links: Option<Links<'_>>, sidecar: &Sidecar, base: bool, path: &str, line: Option<u32>) -> Option<String> {
    let links = links?;
    let root = repository_url(links)?;
    let commit = if base { &sidecar.revisions.base } else { links.commit.unwrap_or(&sidecar.revisions.head) };
    // A path that climbs would lead to another repository.
    if path.split('/').any(|segment| segment == "..") || commit.len() < 7 || !commit.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    // Line anchors count in the source view only, not in the rendered page.
    let anchor = line.map(|l| format!("?plain=1#L{l}")).unwrap_or_default();
    Some(format!("{root}/blob/{commit}/{}{anchor}", escape::uri(path)))
}

/// The repository's page.
pub(super) fn repository_url(links: Links<'_>) -> Option<String> {
    let server = links.server.trim_end_matches('/');
    let host = server.strip_prefix("https://").or_else(|| server.strip_prefix("http://"))?;
    let ok = |text: &str, extra: &[u8]| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.') || extra.contains(&b))
    };
    let (owner, name) = links.repository.split_once('/')?;
    (ok(host, b":/") && ok(owner, b"") && ok(name, b"")).then(|| format!("{server}/{owner}/{name}"))
}
