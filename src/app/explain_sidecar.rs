//! `refdrift explain --sidecar`: the steps to a verdict as far as the record of a run holds them. The record may come from
//! anywhere: it is validated before a word of it is shown, what is shown is bounded, and what it does not hold is said.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::Error;
use super::inspect::Target;
use super::validate::read;
use crate::contracts::{self, RecordKind};
use crate::model::{ChangedFact, CitedPlace, CodeLocation, CoverageStatus, Finding, LineEdit, Severity, Sidecar};
use crate::report::log_lines;
use crate::value::summary;

/// Most findings that are told.
const MAX_FINDINGS: usize = 50;
/// Most entries of a list below a finding.
const MAX_ENTRIES: usize = 20;
/// Characters of one text.
const MAX_TEXT: usize = 200;

/// The steps to the verdicts at `PATH:LINE`, or of a finding, from a file.
///
/// # Errors
/// The file cannot be read, is no valid sidecar, or holds no such finding.
pub fn explain_sidecar(path: &Path, target: &str) -> Result<String, Error> {
    let target = Target::parse(target)?;
    let sidecar = load(path)?;
    let out = match &target {
        Target::Finding(id) => by_id(&sidecar, id)?,
        Target::Place(document, line) => at_place(&sidecar, document, *line),
    };
    Ok(log_lines(&out))
}

/// A sidecar of a file, validated as `refdrift validate` does.
fn load(path: &Path) -> Result<Sidecar, Error> {
    let text = read(path)?;
    let shown = path.display();
    let refused = |why: String| Error::Invalid {
        message: format!("{shown} is no valid sidecar: {why}"),
        help: Some(format!("`refdrift validate --kind sidecar {shown}` lists everything that is wrong")),
    };
    let report = contracts::validate(&text, Some(RecordKind::Sidecar));
    if let Some(first) = report.violations.first() {
        return Err(refused(summary::clip(&first.to_string(), 400)));
    }
    // An array of none would be valid, too.
    if report.records.len() != 1 {
        return Err(refused(format!("{} records where one is wanted", report.records.len())));
    }
    serde_json::from_str(&text).map_err(|e| refused(e.to_string()))
}

fn by_id(sidecar: &Sidecar, id: &str) -> Result<String, Error> {
    let found: Vec<&Finding> = sidecar.policy.findings.iter().filter(|f| f.id.starts_with(id)).collect();
    match found.as_slice() {
        [] => Err(Error::Invalid {
            message: format!("the sidecar holds no finding `{id}`"),
            help: Some("its findings stand under policy.findings, shown or not; `PATH:LINE` asks for a place".to_owned()),
        }),
        [one] => {
            let mut out = String::new();
            finding(&mut out, sidecar, one, None);
            Ok(out)
        }
        several => {
            let mut out = format!("{} findings begin with `{id}`:\n", several.len());
            for one in several.iter().take(MAX_FINDINGS) {
                let _ = writeln!(out, "  {}  {} in {}", one.id, clip(&one.assertion.key), clip(&one.assertion.document));
            }
            Ok(out)
        }
    }
}

fn at_place(sidecar: &Sidecar, document: &str, line: u32) -> String {
    let is_here = |place: &CitedPlace| place.document == document && (place.line == line || place.name_line == Some(line));
    let named_in_evidence = |f: &Finding| {
        f.evidence.iter().any(|e| {
            let is_head = e.context.as_deref().is_some_and(|c| c.starts_with("Head citation"));
            let lines = (e.line_start.unwrap_or(0), e.line_end.or(e.line_start).unwrap_or(0));
            is_head && e.path == document && lines.0 <= line && line <= lines.1
        })
    };
    let places = |f: &Finding| places_of(sidecar, f).any(is_here);
    let found: Vec<&Finding> = sidecar.policy.findings.iter().filter(|f| places(f) || named_in_evidence(f)).collect();
    let mut out = String::new();
    for one in found.iter().take(MAX_FINDINGS) {
        finding(&mut out, sidecar, one, Some(line));
        out.push('\n');
    }
    if found.len() > MAX_FINDINGS {
        let _ = writeln!(out, "And {} more findings at this line.\n", found.len() - MAX_FINDINGS);
    }
    if found.is_empty() {
        let _ = writeln!(out, "{document}:{line} has no finding in this sidecar, shown or not.");
        page(&mut out, sidecar, document);
    }
    not_held(&mut out, sidecar, document, line);
    out
}

/// What the record says of a page besides findings at a line.
fn page(out: &mut String, sidecar: &Sidecar, document: &str) {
    let impact = &sidecar.impact;
    for (list, told) in [
        (&impact.documents_to_review, "was not edited, and cites"),
        (&impact.changed_documentation, "was edited in the change; reason listed"),
    ] {
        if let Some(entry) = list.iter().find(|d| d.path == document) {
            let _ = writeln!(out, "  the page {told}: {}", clip(&entry.because));
        }
    }
    let of_page = sidecar.policy.findings.iter().filter(|f| f.assertion.document == document);
    let elsewhere: BTreeSet<u32> = of_page.flat_map(|f| places_of(sidecar, f).map(|p| p.line)).collect();
    if !elsewhere.is_empty() {
        let more = elsewhere.len().saturating_sub(MAX_ENTRIES);
        let lines: Vec<String> = elsewhere.iter().take(MAX_ENTRIES).map(u32::to_string).collect();
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(out, "  findings of the page stand at line {}{tail}", lines.join(", "));
    }
    for notice in sidecar.notices.iter().filter(|n| n.path.as_deref() == Some(document)).take(MAX_ENTRIES) {
        let _ = writeln!(out, "  notice: {}", clip(&notice.message));
    }
    let partial = sidecar.coverage.iter().filter(|c| c.scope == document && c.status != CoverageStatus::Complete);
    for entry in partial.take(MAX_ENTRIES) {
        let _ = writeln!(out, "  not wholly analysed: {}", clip(entry.reason.as_deref().unwrap_or("no reason given")));
    }
}

/// What a sidecar never holds, and how it is found out.
fn not_held(out: &mut String, sidecar: &Sidecar, document: &str, line: u32) {
    let target =
        shlex::try_quote(&format!("{document}:{line}")).map_or_else(|_| "PATH:LINE".to_owned(), std::borrow::Cow::into_owned);
    let _ = writeln!(
        out,
        "A sidecar holds claims only. Places that merely name a changed fact, that already say the new value or speak of the\n\
         past, and pages that cite nothing are not in it; in a clone this tells them, too:\n  \
         refdrift explain --base {} --head {} -- {target}",
        clip(&sidecar.revisions.base),
        clip(&sidecar.revisions.head),
    );
}

fn places_of<'s>(sidecar: &'s Sidecar, finding: &'s Finding) -> impl Iterator<Item = &'s CitedPlace> {
    sidecar.changed_facts.iter().flat_map(|f| &f.places).filter(move |p| p.finding == finding.id)
}

fn clip(text: &str) -> String {
    summary::clip(text, MAX_TEXT)
}

/// Every step of one finding; of its places only those of a line, where one is given.
fn finding(out: &mut String, sidecar: &Sidecar, finding: &Finding, line: Option<u32>) {
    let _ = writeln!(out, "{} in {}: {}", finding.category, clip(&finding.assertion.document), clip(&finding.assertion.key));
    let fact = sidecar.changed_facts.iter().find(|f| f.places.iter().any(|p| p.finding == finding.id));
    match fact {
        Some(fact) => change(out, sidecar, fact),
        None => out.push_str("  change: not in this sidecar\n"),
    }
    citations(out, sidecar, finding, line);
    for item in finding.evidence.iter().take(MAX_ENTRIES) {
        let lines = item.line_start.map(|l| format!(":{l}")).unwrap_or_default();
        let _ = writeln!(out, "  evidence: {}{lines}  {}", clip(&item.path), clip(item.context.as_deref().unwrap_or("")));
    }
    if finding.evidence.len() > MAX_ENTRIES {
        let _ = writeln!(out, "  evidence: and {} more", finding.evidence.len() - MAX_ENTRIES);
    }
    let _ = writeln!(
        out,
        "  verdict: {} ({}), confidence {}, severity {}",
        word(&finding.status),
        finding.id,
        finding.confidence,
        finding.severity.as_str()
    );
    if finding.documentation_update.is_some() {
        out.push_str("  the citing region was edited in the same change, and still claims the old fact\n");
    }
    routing(out, sidecar, finding);
}

fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The changed lines, the fact and what happened to it.
fn change(out: &mut String, sidecar: &Sidecar, fact: &ChangedFact) {
    let at = |place: &Option<CodeLocation>| match place {
        Some(at) if fact.kind.is_path() => clip(&at.path),
        Some(at) if at.line_end > at.line_start => format!("{}:{}-{}", clip(&at.path), at.line_start, at.line_end),
        Some(at) => format!("{}:{}", clip(&at.path), at.line_start),
        None => "-".to_owned(),
    };
    let _ = writeln!(out, "  code: {} -> {}", at(&fact.before), at(&fact.after));
    for (path, edit) in edits(sidecar, fact).into_iter().take(MAX_ENTRIES) {
        let side = |start: u32, lines: u32| match lines {
            0 => format!("nothing before line {start}"),
            1 => format!("line {start}"),
            _ => format!("lines {start}-{}", start.saturating_add(lines - 1)),
        };
        let (before, after) = (side(edit.before_start, edit.before_lines), side(edit.after_start, edit.after_lines));
        let _ = writeln!(out, "  changed lines: {}  {before} -> {after}", clip(path));
    }
    let _ = writeln!(out, "  fact: {}\n  change: {} ({})", clip(&fact.id), clip(&fact.summary), word(&fact.op));
    for aspect in fact.aspects.iter().take(MAX_ENTRIES) {
        let value = |v: &Option<serde_json::Value>| v.as_ref().map_or_else(|| "-".to_owned(), summary::value);
        let _ = writeln!(out, "    {}  {} -> {}", clip(&aspect.pointer), value(&aspect.before), value(&aspect.after));
    }
    if let (Some(to), Some(proof)) = (&fact.renamed_to, &fact.proof) {
        let _ = writeln!(out, "    renamed to {}, proven by {}", clip(to), word(proof));
    }
    if !fact.candidates.is_empty() {
        let names: Vec<String> = fact.candidates.iter().take(5).map(|c| clip(c)).collect();
        let _ = writeln!(out, "    perhaps now {}", names.join(", "));
    }
}

/// The edits of the pull request's diff that touch the fact, where the record has one.
fn edits<'s>(sidecar: &'s Sidecar, fact: &ChangedFact) -> Vec<(&'s str, &'s LineEdit)> {
    let Some(pull) = &sidecar.pull_request else { return Vec::new() };
    let touches = |place: &Option<CodeLocation>, start: u32, lines: u32| {
        place.as_ref().is_some_and(|at| lines > 0 && start <= at.line_end && at.line_start < start.saturating_add(lines))
    };
    let of = |place: &Option<CodeLocation>, path: &str| place.as_ref().is_some_and(|at| at.path == path);
    pull.diffs
        .iter()
        .flat_map(|diff| diff.edits.iter().map(move |edit| (diff, edit)))
        .filter(|(diff, edit)| {
            let before = diff.previous_path.as_deref().unwrap_or(&diff.path);
            of(&fact.before, before) && touches(&fact.before, edit.before_start, edit.before_lines)
                || of(&fact.after, &diff.path) && touches(&fact.after, edit.after_start, edit.after_lines)
        })
        .map(|(diff, edit)| (diff.path.as_str(), edit))
        .collect()
}

fn citations(out: &mut String, sidecar: &Sidecar, finding: &Finding, line: Option<u32>) {
    let places: Vec<&CitedPlace> =
        places_of(sidecar, finding).filter(|p| line.is_none_or(|l| p.line == l || p.name_line == Some(l))).collect();
    if places.is_empty() {
        out.push_str("  citation: the sidecar lists no claiming place here; a comment may allow it\n");
    }
    for place in places.iter().take(MAX_ENTRIES) {
        let named = place.name_line.map(|l| format!(", named at line {l}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "  citation: {}:{}:{}  `{}` as {}{named}",
            clip(&place.document),
            place.line,
            place.column_start,
            clip(&place.stale),
            place.form.as_str()
        );
        let _ = writeln!(out, "    | {}", clip(&place.text));
        let _ = writeln!(out, "    claim: by rule {}, confidence {}", place.rule.as_str(), place.confidence);
    }
    if places.len() > MAX_ENTRIES {
        let _ = writeln!(out, "  citation: and {} more places", places.len() - MAX_ENTRIES);
    }
}

/// Where it went, and why it is shown or not.
fn routing(out: &mut String, sidecar: &Sidecar, finding: &Finding) {
    if !sidecar.policy.enabled {
        out.push_str("  routing: none; the run had no policy\n");
    }
    for reason in finding.coverage.iter().filter_map(|c| c.reason.as_deref()).take(MAX_ENTRIES) {
        let _ = writeln!(out, "  routing: {}", clip(reason));
    }
    let suppression = sidecar.suppressions.iter().find(|s| s.finding == finding.id);
    let hidden = if let Some(by) = suppression {
        format!("suppressed by {}: {}", by.source, clip(&by.reason))
    } else if let Some(generator) = &finding.generator {
        format!("the text is written by {}", clip(generator))
    } else if !finding.routing.is_visible() {
        let last = finding.coverage.iter().rev().find_map(|c| c.reason.as_deref());
        clip(last.unwrap_or("the sidecar gives no reason"))
    } else if finding.severity == Severity::Off {
        "the configuration switches the category off".to_owned()
    } else {
        let _ = writeln!(out, "  shown: yes, {}", finding.routing.as_str());
        return;
    };
    let _ = writeln!(out, "  shown: no, {}: {hidden}", finding.routing.as_str());
    if finding.confidence < sidecar.configuration.min_confidence {
        let _ = writeln!(out, "    its confidence {} is below {}", finding.confidence, sidecar.configuration.min_confidence);
    }
}
