//! Which comments the findings ask for: one for each changed fact (or each cause of several), on the changed line of code, and
//! one on each stale line that the diff itself shows.

use std::collections::BTreeMap;

use super::body::{self, Links};
use super::hunks::{Hunks, Side};
use crate::model::{ChangeOp, ChangedFact, CitedPlace, CodeLocation, Finding, Sidecar};

/// Where a comment stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchor {
    /// On a line of the diff.
    Line {
        /// The path it is posted under.
        path: String,
        /// Which side.
        side: Side,
        /// Which line.
        line: u32,
    },
    /// On a file of the diff as a whole.
    File {
        /// The path it is posted under.
        path: String,
    },
}

impl Anchor {
    /// The path it is posted under.
    pub fn path(&self) -> &str {
        match self {
            Self::Line { path, .. } | Self::File { path } => path,
        }
    }
}

/// A comment that should be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its identity.
    pub key: String,
    /// Hash of what it says.
    pub state: String,
    /// The text, with its marker.
    pub body: String,
    /// Where it stands; without one it is kept where it already is, and not newly made.
    pub anchor: Option<Anchor>,
    /// How many stale places it tells of.
    pub places: usize,
}

/// Everything that is asked for, most important first.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The comments.
    pub comments: Vec<Wanted>,
    /// How many groups of changed facts have visible findings.
    pub groups: usize,
    /// How many places they tell of.
    pub places: usize,
    /// How many groups have no place in the diff to comment on.
    pub unplaced: usize,
}

/// A changed fact with its visible places.
pub(super) type Shown<'a> = (&'a ChangedFact, Vec<(&'a CitedPlace, &'a Finding)>);

/// The facts with visible findings, grouped by cause, surest and most severe first.
pub(super) fn groups(sidecar: &Sidecar) -> Vec<(&str, Vec<Shown<'_>>)> {
    let findings: BTreeMap<&str, &Finding> = sidecar.findings.iter().map(|f| (f.id.as_str(), f)).collect();
    let mut by_cause: BTreeMap<&str, Vec<Shown<'_>>> = BTreeMap::new();
    for fact in &sidecar.changed_facts {
        let places: Vec<_> = fact.places.iter().filter_map(|p| findings.get(p.finding.as_str()).map(|f| (p, *f))).collect();
        if !places.is_empty() {
            by_cause.entry(&fact.cause).or_default().push((fact, places));
        }
    }
    let mut out: Vec<_> = by_cause.into_iter().collect();
    let weight = |facts: &[Shown<'_>]| {
        facts.iter().flat_map(|(_, places)| places).fold((crate::model::Severity::Off, 0.0f64), |(severity, sure), (_, f)| {
            (severity.max(f.severity), sure.max(f.confidence))
        })
    };
    out.sort_by(|a, b| {
        let (x, y) = (weight(&a.1), weight(&b.1));
        y.0.cmp(&x.0).then(y.1.total_cmp(&x.1)).then(a.0.cmp(b.0))
    });
    out
}

/// What the findings of a run ask for.
pub(super) fn wanted(sidecar: &Sidecar, hunks: &Hunks, links: &Links) -> Asked {
    let mut out = Asked::default();
    for (cause, facts) in groups(sidecar) {
        out.groups += 1;
        let in_diff = |place: &CitedPlace| hunks.takes(Side::Right, &place.document, place.line);
        let all: Vec<(&ChangedFact, &CitedPlace, &Finding)> =
            facts.iter().flat_map(|(fact, places)| places.iter().map(|(p, f)| (*fact, *p, *f))).collect();
        out.places += all.len();
        let covered = all.iter().all(|(_, place, _)| in_diff(place));
        let anchor = facts.iter().find_map(|(fact, _)| anchor(fact, hunks));
        if anchor.is_none() && !all.iter().any(|(_, place, _)| in_diff(place)) {
            out.unplaced += 1;
        }
        let key = body::key(&["fact", cause]);
        let (text, state) = body::of_facts(&key, &facts, links);
        let anchor = if covered { None } else { anchor };
        out.comments.push(Wanted { key, state, body: text, anchor, places: all.len() });
        let mut seen = Vec::new();
        let (shown, hidden): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, place, _)| in_diff(place));
        for (fact, place, finding) in shown.into_iter().chain(hidden) {
            let key = body::key(&["place", &fact.id, &place.document, &place.stale]);
            // The same words of one document twice: one comment is enough.
            if seen.contains(&key) {
                continue;
            }
            seen.push(key.clone());
            let (text, state) = body::of_place(&key, fact, place, finding);
            let anchor = in_diff(place)
                .then(|| hunks.posted_path(Side::Right, &place.document))
                .flatten()
                .map(|path| Anchor::Line { path: path.to_owned(), side: Side::Right, line: place.line });
            out.comments.push(Wanted { key, state, body: text, anchor, places: 1 });
        }
    }
    out
}

/// The line of code that changed the fact: deleted lines on the left, else on the right; the file where no hunk has it.
fn anchor(fact: &ChangedFact, hunks: &Hunks) -> Option<Anchor> {
    let line = |side: Side, at: Option<&CodeLocation>| {
        let at = at?;
        let line = hunks.best(side, &at.path, (at.line_start, at.line_end))?;
        Some(Anchor::Line { path: hunks.posted_path(side, &at.path)?.to_owned(), side, line })
    };
    let (left, right) = (fact.before.as_ref(), fact.after.as_ref());
    let on_line = match fact.op {
        ChangeOp::Removed => line(Side::Left, left),
        ChangeOp::Added | ChangeOp::Changed | ChangeOp::Renamed => line(Side::Right, right).or_else(|| line(Side::Left, left)),
    };
    on_line.or_else(|| {
        let sides = [(Side::Right, right), (Side::Left, left)];
        let file = sides.iter().find_map(|(side, at)| hunks.posted_path(*side, &(*at)?.path));
        let under = || sides.iter().find_map(|(_, at)| hunks.first_under(&(*at)?.path));
        file.or_else(under).map(|path| Anchor::File { path: path.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::model::{FileDiff, LineEdit};

    fn links() -> Links {
        Links { server: "https://github.com".into(), repository: "o/r".into(), head: "a".repeat(40) }
    }

    fn diff(path: &str, edit: (u32, u32, u32, u32), lines: (u32, u32)) -> FileDiff {
        let edits = vec![LineEdit { before_start: edit.0, before_lines: edit.1, after_start: edit.2, after_lines: edit.3 }];
        FileDiff { path: path.into(), previous_path: None, before_lines: lines.0, after_lines: lines.1, edits }
    }

    fn anchors(asked: &Asked) -> Vec<Option<Anchor>> {
        asked.comments.iter().map(|c| c.anchor.clone()).collect()
    }

    #[test]
    fn a_fact_gets_one_comment_on_its_changed_line() {
        let sidecar = sample::sidecar(&[("a.js", "timeout", &[("README.md", 3), ("docs/x.md", 9)])]);
        let asked = wanted(&sidecar, &Hunks::new(&[diff("a.js", (10, 1, 10, 1), (20, 20))]), &links());
        let made: Vec<_> = anchors(&asked).into_iter().flatten().collect();
        assert_eq!(made, [Anchor::Line { path: "a.js".into(), side: Side::Right, line: 10 }]);
        assert_eq!((asked.groups, asked.places, asked.unplaced), (1, 2, 0));
    }

    #[test]
    fn a_deleted_function_is_commented_on_the_left() {
        let mut sidecar = sample::sidecar(&[("a.js", "run", &[("README.md", 3)])]);
        sample::remove(&mut sidecar.changed_facts[0]);
        let asked = wanted(&sidecar, &Hunks::new(&[diff("a.js", (8, 6, 8, 0), (20, 14))]), &links());
        assert_eq!(anchors(&asked)[0], Some(Anchor::Line { path: "a.js".into(), side: Side::Left, line: 10 }));
        assert!(asked.comments[0].body.contains("was removed"));
    }

    #[test]
    fn a_stale_line_in_the_diff_is_commented_there() {
        let sidecar = sample::sidecar(&[("a.js", "timeout", &[("README.md", 3), ("docs/x.md", 9)])]);
        let diffs = [diff("a.js", (10, 1, 10, 1), (20, 20)), diff("README.md", (5, 1, 5, 1), (9, 9))];
        let made: Vec<_> = anchors(&wanted(&sidecar, &Hunks::new(&diffs), &links())).into_iter().flatten().collect();
        assert_eq!(made.len(), 2, "{made:?}");
        // All places in the diff: the comment on the code would only repeat them.
        let alone = sample::sidecar(&[("a.js", "timeout", &[("README.md", 3)])]);
        let made: Vec<_> = anchors(&wanted(&alone, &Hunks::new(&diffs), &links())).into_iter().flatten().collect();
        assert_eq!(made, [Anchor::Line { path: "README.md".into(), side: Side::Right, line: 3 }]);
    }

    #[test]
    fn a_line_outside_the_hunks_and_a_pure_rename_get_a_comment_on_the_file() {
        let sidecar = sample::sidecar(&[("a.js", "timeout", &[("README.md", 3)])]);
        let far = wanted(&sidecar, &Hunks::new(&[diff("a.js", (90, 1, 90, 1), (99, 99))]), &links());
        assert_eq!(anchors(&far)[0], Some(Anchor::File { path: "a.js".into() }));
        let renamed = FileDiff { path: "b.js".into(), previous_path: Some("a.js".into()), ..FileDiff::default() };
        assert_eq!(anchors(&wanted(&sidecar, &Hunks::new(&[renamed]), &links()))[0], Some(Anchor::File { path: "b.js".into() }));
        let elsewhere = wanted(&sidecar, &Hunks::default(), &links());
        assert_eq!((anchors(&elsewhere)[0].clone(), elsewhere.unplaced), (None, 1));
    }

    #[test]
    fn facts_of_one_cause_are_one_comment_and_the_surest_come_first() {
        let mut sidecar = sample::sidecar(&[
            ("a.js", "one", &[("README.md", 3)]),
            ("a.js", "two", &[("README.md", 4)]),
            ("b.js", "sure", &[("README.md", 5)]),
        ]);
        sidecar.changed_facts[0].cause = "moved".into();
        sidecar.changed_facts[1].cause = "moved".into();
        let sure = sidecar.changed_facts[2].places[0].finding.clone();
        sidecar.findings.iter_mut().filter(|f| f.id == sure).for_each(|f| f.confidence = 0.99);
        let asked = wanted(&sidecar, &Hunks::default(), &links());
        assert_eq!(asked.groups, 2);
        assert!(asked.comments[0].body.contains("`sure`"));
        assert!(asked.comments[2].body.contains("`one`") && asked.comments[2].body.contains("`two`"));
    }
}
