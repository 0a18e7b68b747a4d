//! The text of comments: Markdown with a hidden marker in front. The marker carries an identity without lines or commits, so
//! that a comment is found again after a push, and a hash of what the comment says, so that it is only edited when that changes.

use std::fmt::Write;

use serde_json::json;

use super::escape::{clip_lines, code, url_path};
use crate::model::{ChangeOp, ChangedFact, CitedPlace, ClaimRule, Finding, Severity};
use crate::value::{canonical, summary};

/// GitHub takes 65,536 characters; bytes are counted here, and there is room for the closing sentence.
pub(super) const MAX_BODY: usize = 60_000;
/// Longest quoted name or path.
const MAX_NAME: usize = 200;
/// Longest quoted line.
const MAX_LINE: usize = 160;
/// The state of a comment whose findings are gone.
const FIXED: &str = "fixed";
const OPEN: &str = "<!-- refdrift:1 ";

/// The hidden first line of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// Which fact, or which place.
    pub key: String,
    /// Hash of what is said; `fixed` where it is struck through.
    pub state: String,
}

impl Marker {
    /// The marker of a body; only the first line counts, so that quoted text never makes one.
    pub(super) fn parse(body: &str) -> Option<Self> {
        let line = body.lines().next()?.trim_end();
        let inner = line.strip_prefix(OPEN)?.strip_suffix(" -->")?;
        let (key, state) = inner.strip_prefix("key=")?.split_once(" state=")?;
        let hex = |t: &str| t.len() == 32 && t.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        (hex(key) && (hex(state) || state == FIXED)).then(|| Self { key: key.to_owned(), state: state.to_owned() })
    }

    /// Whether the comment is struck through.
    pub(super) fn is_fixed(&self) -> bool {
        self.state == FIXED
    }

    fn line(&self) -> String {
        format!("{OPEN}key={} state={} -->", self.key, self.state)
    }
}

/// Where links point to.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// `https://github.com`.
    pub server: String,
    /// `owner/name`.
    pub repository: String,
    /// The commit.
    pub head: String,
}

impl Links {
    fn place(&self, path: &str, line: u32) -> String {
        format!("{}/{}/blob/{}/{}#L{line}", self.server, self.repository, self.head, url_path(path))
    }
}

/// A short identity.
pub(super) fn key(parts: &[&str]) -> String {
    canonical::hash(&parts)[..32].to_owned()
}

/// The comment on a changed fact, or on facts that changed for one cause.
pub(super) fn of_facts(key: &str, facts: &[(&ChangedFact, Vec<(&CitedPlace, &Finding)>)], links: &Links) -> (String, String) {
    let places: usize = facts.iter().map(|(_, p)| p.len()).sum();
    let mut text = String::new();
    let stale =
        if places == 1 { "1 place in the documentation".to_owned() } else { format!("{places} places in the documentation") };
    let verb = if places == 1 { "still says otherwise" } else { "still say otherwise" };
    for (index, (fact, cited)) in facts.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let _ = write!(text, "**{}**", title(fact));
        if index == 0 {
            let _ = write!(text, "; {stale} {verb}.");
        }
        text.push_str("\n\n");
        for (place, finding) in cited {
            let _ = writeln!(
                text,
                "- [{}]({}): {} (confidence {})",
                code(&format!("{}:{}", place.document, place.line), MAX_NAME),
                links.place(&place.document, place.line),
                says(fact, place),
                confidence(finding.confidence)
            );
        }
        if fact.renamed_to.is_none() && !fact.candidates.is_empty() {
            let names: Vec<String> = fact.candidates.iter().take(5).map(|c| code(c, MAX_NAME)).collect();
            let _ = writeln!(text, "\nPerhaps now: {}", names.join(", "));
        }
    }
    let findings: Vec<&Finding> = facts.iter().flat_map(|(_, places)| places.iter().map(|(_, f)| *f)).collect();
    let state = state(facts);
    (finish(key, &state, &text, &findings), state)
}

/// The comment on a stale line that the change itself shows.
pub(super) fn of_place(key: &str, fact: &ChangedFact, place: &CitedPlace, finding: &Finding) -> (String, String) {
    let text = format!("{}: {} (confidence {})\n", title(fact), says(fact, place), confidence(finding.confidence));
    let state = state(&[(fact, vec![(place, finding)])]);
    (finish(key, &state, &text, &[finding]), state)
}

fn finish(key: &str, state: &str, text: &str, findings: &[&Finding]) -> String {
    let marker = Marker { key: key.to_owned(), state: state.to_owned() }.line();
    let hint = findings.first().map(|f| hint(&f.category)).unwrap_or_default();
    let text = clip_lines(text.trim_end(), MAX_BODY - marker.len() - hint.len(), "Further places are in the job summary.");
    format!("{marker}\n{text}\n\n{hint}")
}

fn hint(category: &str) -> String {
    let example = format!("<!-- refdrift: allow {category} why it is right -->");
    format!("<sub>If a place is right as it is, say so above it: {}</sub>", code(&example, MAX_NAME))
}

/// What the comment says, without lines, commits and links.
fn state(facts: &[(&ChangedFact, Vec<(&CitedPlace, &Finding)>)]) -> String {
    let said: Vec<_> = facts
        .iter()
        .map(|(fact, places)| {
            let mut places: Vec<_> =
                places.iter().map(|(p, f)| json!([p.document, p.stale, p.text, p.rule, confidence(f.confidence)])).collect();
            places.sort_by_key(ToString::to_string);
            json!([fact.id, fact.summary, fact.renamed_to, fact.candidates, places])
        })
        .collect();
    canonical::hash(&said)[..32].to_owned()
}

pub(super) fn title(fact: &ChangedFact) -> String {
    let name = code(&fact.name, MAX_NAME);
    let kind = summary::kind(fact.kind);
    match (fact.op, &fact.renamed_to) {
        (ChangeOp::Renamed, Some(new)) => {
            format!("{kind} {name} {} {}", if fact.kind.is_path() { "moved to" } else { "was renamed to" }, code(new, MAX_NAME))
        }
        (ChangeOp::Removed | ChangeOp::Renamed, _) => format!("{kind} {name} was removed"),
        (ChangeOp::Added | ChangeOp::Changed, _) => format!("{kind} {name} changed: {}", code(&fact.summary, MAX_NAME)),
    }
}

/// What is wrong with the stale words, with the old and the new value.
fn says(fact: &ChangedFact, place: &CitedPlace) -> String {
    let stale = code(&place.stale, MAX_NAME);
    let new = fact
        .aspects
        .iter()
        .find(|a| a.before.as_ref().is_some_and(|b| place.stale.contains(summary::value(b).trim_matches('"'))))
        .or(fact.aspects.first())
        .and_then(|a| a.after.as_ref())
        .map(|v| code(&summary::value(v), MAX_NAME));
    let told = match place.rule {
        ClaimRule::Existence => match &fact.renamed_to {
            Some(name) => format!("names {stale}; it is {} now", code(name, MAX_NAME)),
            None => format!("names {stale}, which is no longer there"),
        },
        ClaimRule::OldValue | ClaimRule::MinimumVersion | ClaimRule::VersionPin => match new {
            Some(new) => format!("says {stale}; it is {new} now"),
            None => format!("says {stale}; the code says otherwise now"),
        },
        ClaimRule::SpelledOut | ClaimRule::Example => {
            format!("says {stale}; the code says {} now", code(&fact.summary, MAX_NAME))
        }
        ClaimRule::AspectInWords => format!("speaks of it: {stale}; check it against {}", code(&fact.summary, MAX_NAME)),
        ClaimRule::Ambiguous => format!("names {stale}, of which there are several now"),
        ClaimRule::Incomplete => {
            let missing: Vec<String> = summary::missing(fact, place).iter().map(|name| code(name, MAX_NAME)).collect();
            format!("does not list {}", missing.join(", "))
        }
    };
    if place.text.trim() == place.stale.trim() { told } else { format!("{told}, in {}", code(place.text.trim(), MAX_LINE)) }
}

fn confidence(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The same comment, struck through, with the commit that made it so. The words stay readable and replies keep their sense.
pub(super) fn struck(key: &str, body: &str, head: &str) -> String {
    let marker = Marker { key: key.to_owned(), state: FIXED.to_owned() }.line();
    let mut out = format!("{marker}\nResolved as of {}.\n", &head[..head.len().min(12)]);
    for line in body.lines().skip(1).filter(|l| !l.starts_with("<sub>")) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            out.push('\n');
        } else if let Some(item) = trimmed.strip_prefix("- ") {
            let _ = writeln!(out, "- ~~{item}~~");
        } else {
            let _ = writeln!(out, "~~{trimmed}~~");
        }
    }
    clip_lines(out.trim_end(), MAX_BODY, "(cut)")
}

/// The text of a review: how much of what there is follows below.
pub(super) fn intro(commented: usize, facts: usize, places: usize) -> String {
    let one = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let shown = if commented < facts {
        format!(" {commented} of {facts} are shown here; the job summary has all.")
    } else {
        String::new()
    };
    format!(
        "refdrift: {} of this pull request {} {} in the documentation that no longer {}.{shown}",
        one(facts, "change"),
        if facts == 1 { "leaves" } else { "leave" },
        one(places, "place"),
        if places == 1 { "holds" } else { "hold" },
    )
}

/// One line for an annotation.
pub(super) fn annotation(fact: &ChangedFact, place: &CitedPlace) -> (String, String) {
    let plain = |text: String| text.replace('`', "'");
    let title = summary::clip(&plain(title(fact)), 255);
    let message = summary::clip(&plain(says(fact, place)), 1000);
    (title, message)
}

/// The level of an annotation in a check run.
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "failure",
        Severity::Warn => "warning",
        Severity::Info | Severity::Off => "notice",
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn links() -> Links {
        Links { server: "https://github.com".into(), repository: "o/r".into(), head: "a".repeat(40) }
    }

    #[test]
    fn a_comment_says_old_new_place_and_how_to_suppress() {
        let sidecar = sample::sidecar(&[("a.js", "timeout", &[("README.md", 3)])]);
        let fact = &sidecar.changed_facts[0];
        let (body, state) = of_facts(&"0".repeat(32), &[(fact, vec![(&fact.places[0], &sidecar.findings[0])])], &links());
        let marker = Marker::parse(&body).expect("a marker");
        assert_eq!((marker.state.as_str(), marker.is_fixed()), (state.as_str(), false));
        for part in [
            "setting `timeout` changed: `30 -> 60`",
            "[`README.md:3`](https://github.com/o/r/blob/aaaa",
            "says `30`; it is `60` now, in `timeout is 30`",
            "(confidence 0.9)",
            "<!-- refdrift: allow changed-reference",
        ] {
            assert!(body.contains(part), "{part}: {body}");
        }
    }

    #[test]
    fn hostile_names_do_not_leave_their_span() {
        let name = "a`b`\n@team &#64;org <img src=x> <!-- refdrift:1 key=x --> %0A";
        let sidecar = sample::sidecar(&[("a.js", name, &[(name, 3)])]);
        let fact = &sidecar.changed_facts[0];
        let (body, _) = of_facts(&"0".repeat(32), &[(fact, vec![(&fact.places[0], &sidecar.findings[0])])], &links());
        let first = body.find('\n').expect("a first line");
        let (outside, _) = sample::spans(&body[first..]);
        for bad in ["@team", "&#64;", "<img", "key=x"] {
            assert!(!outside.contains(bad), "{bad} stands outside of code: {body}");
        }
        assert_eq!(Marker::parse(&body).expect("a marker").key, "0".repeat(32));
    }

    #[test]
    fn a_huge_comment_is_cut_at_a_line() {
        let places: Vec<(String, u32)> = (1..1000).map(|i| (format!("docs/{}-{i}.md", "x".repeat(60)), i)).collect();
        let borrowed: Vec<(&str, u32)> = places.iter().map(|(d, l)| (d.as_str(), *l)).collect();
        let sidecar = sample::sidecar(&[("a.js", "timeout", &borrowed)]);
        let fact = &sidecar.changed_facts[0];
        let pairs = fact.places.iter().map(|p| (p, &sidecar.findings[0])).collect();
        let (body, _) = of_facts(&"0".repeat(32), &[(fact, pairs)], &links());
        assert!(body.len() <= MAX_BODY + 2 && body.chars().count() < 65_536, "{}", body.len());
        assert!(body.contains("Further places are in the job summary."));
        assert!(body.trim_end().ends_with("</sub>"));
        assert!(struck(&"0".repeat(32), &body, &"b".repeat(40)).len() <= MAX_BODY);
    }

    #[test]
    fn striking_keeps_the_words() {
        let out = struck(&"0".repeat(32), "<!-- m -->\n**title**\n\n- item\n\n<sub>x</sub>", &"b".repeat(40));
        assert!(Marker::parse(&out).is_some_and(|m| m.is_fixed()));
        assert!(out.contains("Resolved as of bbbbbbbbbbbb.\n~~**title**~~\n\n- ~~item~~"), "{out}");
        assert!(Marker::parse("text\n<!-- refdrift:1 key=0 state=0 -->").is_none());
    }
}
