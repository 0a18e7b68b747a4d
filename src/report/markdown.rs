//! `markdown`: the job summary. Findings grouped by changed fact, most confident first; what is kept back, what was not
//! analysed and what was noticed is folded away. A summary that is too large is lost as a whole, so the text is bounded in
//! bytes and cut between groups. Repository text stands in code spans only, where nothing of it counts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::view::{self, Case, Cited, Group, Whereabouts};
use super::{Links, ReportOptions, Reporter, escape};
use crate::model::{CodeLocation, Coverage, CoverageStatus, Severity, Sidecar};
use crate::value::summary;

/// Bytes of the whole text. A runner takes one MiB, counted in bytes, and fails at exactly that.
pub(super) const MAX_BYTES: usize = 900 * 1024;
/// Bytes of one group; the rest of its places is counted.
const MAX_GROUP_BYTES: usize = 64 * 1024;
/// Entries of one folded list.
const MAX_FOLDED: usize = 100;
/// Bytes of one folded list.
const MAX_FOLDED_BYTES: usize = 64 * 1024;
/// Characters of a line, a value or a message.
const MAX_TEXT: usize = 200;

/// For job summaries.
pub(super) struct Markdown;

impl Reporter for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn about(&self) -> &'static str {
        "a summary for people, bounded for a job summary"
    }

    fn render(&self, sidecar: &Sidecar, options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(text(sidecar, options.links, MAX_BYTES).as_bytes())
    }
}

/// The report within a number of bytes.
fn text(sidecar: &Sidecar, links: Option<Links<'_>>, max: usize) -> String {
    let groups = view::groups(sidecar);
    let total = view::shown(sidecar).count();
    let mut out = if total == 0 {
        "## No stale reference found\n\n".to_owned()
    } else {
        let (references, of) = view::total(total, &groups);
        format!("## {references} of {of}\n\n")
    };
    let tail = folded(sidecar);
    // The line about the cut is short; its room is always kept.
    let room = max.saturating_sub(tail.len() + 256);
    let mut shown = BTreeSet::new();
    for group in &groups {
        let block = group_text(sidecar, links, group);
        if out.len() + block.len() > room {
            break;
        }
        out.push_str(&block);
        shown.extend(group.cited.iter().map(|c| c.finding.id.as_str()));
    }
    if shown.len() < total {
        let _ = write!(out, "**{} of {total} shown.** The policy sidecar has all of them.\n\n", shown.len());
    }
    out.push_str(&tail);
    format!("{}\n", out.trim_end())
}

fn group_text(sidecar: &Sidecar, links: Option<Links<'_>>, group: &Group<'_>) -> String {
    let fact = group.fact;
    let name = escape::code_span(&summary::clip(&fact.name, MAX_TEXT));
    let mut out = format!("### {name}\n\n{}", view::change(fact).markdown());
    let place = |base: bool, at: &CodeLocation| linked(sidecar, links, base, &at.path, at.line_start);
    match view::whereabouts(fact) {
        Some(Whereabouts::Here(at)) => {
            let _ = write!(out, " ({})", place(false, at));
        }
        Some(Whereabouts::Was(at)) => {
            let _ = write!(out, " (was at {})", place(true, at));
        }
        Some(Whereabouts::Moved(before, after)) => {
            let _ = write!(out, " ({} -> {})", place(true, before), place(false, after));
        }
        None => {}
    }
    if fact.renamed_to.is_none() && !fact.candidates.is_empty() {
        let names: Vec<String> = fact.candidates.iter().take(5).map(|c| escape::code_span(&summary::clip(c, MAX_TEXT))).collect();
        let _ = write!(out, "; perhaps now {}", names.join(", "));
    }
    out.push_str("\n\n");
    for (index, cited) in group.cited.iter().enumerate() {
        let line = cited_text(sidecar, links, group, *cited);
        if out.len() + line.len() > MAX_GROUP_BYTES {
            let _ = writeln!(out, "- and {}", view::plural(group.cited.len() - index, "more place"));
            break;
        }
        out.push_str(&line);
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    out
}

fn cited_text(sidecar: &Sidecar, links: Option<Links<'_>>, group: &Group<'_>, cited: Cited<'_>) -> String {
    let place = cited.place;
    let notes = view::notes(cited.finding);
    let notes = if notes.is_empty() { String::new() } else { format!(" *({})*", notes.join(", ")) };
    let mut out = format!(
        "- {} says {}: {}{notes}\n",
        linked(sidecar, links, false, &place.document, place.line),
        escape::code_span(&summary::clip(&place.stale, MAX_TEXT)),
        view::says(group.fact, place).markdown(),
    );
    let line = summary::clip(&place.text, MAX_TEXT);
    if line.trim() != place.stale.trim() {
        let _ = write!(out, "\n  > {}\n\n", escape::code_span(&line));
    }
    out
}

/// `path:line`, as a link where the repository can be browsed.
fn linked(sidecar: &Sidecar, links: Option<Links<'_>>, base: bool, path: &str, line: u32) -> String {
    let shown = escape::code_span(&format!("{path}:{line}"));
    match view::link(links, sidecar, base, path, Some(line)) {
        Some(url) => format!("[{shown}]({url})"),
        None => shown,
    }
}

/// What stands behind the findings, folded.
fn folded(sidecar: &Sidecar) -> String {
    let mut out = String::new();
    let hidden: Vec<String> = view::cases(sidecar)
        .iter()
        .filter(|case| !case.finding.routing.is_visible() || case.finding.severity == Severity::Off)
        .map(|case| hidden_text(sidecar, case))
        .collect();
    let told: Vec<String> = view::kept_back(sidecar).iter().map(|(n, why)| format!("{n} {why}")).collect();
    let title = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
    fold(&mut out, &format!("Not shown{title}"), &hidden);
    let partial: Vec<String> =
        sidecar.coverage.iter().filter(|c| c.status != CoverageStatus::Complete).map(coverage_text).collect();
    fold(&mut out, "Not wholly analysed", &partial);
    let notices: Vec<String> = sidecar
        .notices
        .iter()
        .map(|notice| {
            let path = notice.path.as_deref().map(|p| format!("{}: ", escape::code_span(p))).unwrap_or_default();
            format!("{path}{}", escape::code_span(&summary::clip(&notice.message, MAX_TEXT)))
        })
        .collect();
    fold(&mut out, "Notices", &notices);
    out
}

fn fold(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    // Without the empty line the list would be part of the HTML.
    let _ = write!(out, "<details>\n<summary>{title} ({})</summary>\n\n", items.len());
    let start = out.len();
    for (index, item) in items.iter().enumerate() {
        if index == MAX_FOLDED || out.len() - start + item.len() > MAX_FOLDED_BYTES {
            let _ = writeln!(out, "- and {} more", items.len() - index);
            break;
        }
        let _ = writeln!(out, "- {item}");
    }
    out.push_str("\n</details>\n\n");
}

fn hidden_text(sidecar: &Sidecar, case: &Case<'_>) -> String {
    let finding = case.finding;
    let at = match case.places.first() {
        Some(place) => format!("{}:{}", place.document, place.line),
        None => finding.assertion.document.clone(),
    };
    format!(
        "{} names {}: {}",
        escape::code_span(&at),
        escape::code_span(&summary::clip(&finding.assertion.key, MAX_TEXT)),
        escape::code_span(&summary::clip(view::reason(sidecar, finding), MAX_TEXT)),
    )
}

fn coverage_text(coverage: &Coverage) -> String {
    let status = match coverage.status {
        CoverageStatus::Complete => "complete",
        CoverageStatus::Partial => "partial",
        CoverageStatus::NotAnalyzed => "not analysed",
        CoverageStatus::NotApplicable => "not applicable",
    };
    let reason =
        coverage.reason.as_deref().map(|r| format!(" ({})", escape::code_span(&summary::clip(r, MAX_TEXT)))).unwrap_or_default();
    format!("{}: {status}{reason}", escape::code_span(&summary::clip(&coverage.scope, MAX_TEXT)))
}
