//! `refdrift facts`, `citations` and `explain`: what is seen, and each step from a change to a verdict.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::sources::{MAX_SOURCE_BYTES, read_text};
use super::{Analysis, CheckOptions, Error, check, load_config};
use crate::citations::Verdict;
use crate::git::{FileEntry, Repository};
use crate::model::{Change, RepoPath, Visibility};
use crate::report::{json_text, log_lines};
use crate::value::summary;
use crate::{docs, facts};

/// A file by its path with an optional revision: `src/a.rs@v1.0`. A path may itself hold an `@`.
fn read(repository: &Repository, target: &str) -> Result<(FileEntry, String), Error> {
    let find = |path: &str, revision: &str| -> Result<Option<FileEntry>, Error> {
        let files = repository.files(repository.commit(revision)?)?.files;
        Ok(files.into_iter().find(|f| f.path.as_str() == path))
    };
    let target = target.trim_start_matches("./");
    let (path, revision) = target.rsplit_once('@').unwrap_or((target, "HEAD"));
    let whole = if target.contains('@') { find(target, "HEAD")? } else { None };
    let (wanted, file) = match whole {
        Some(file) => (target, Some(file)),
        None => (path, find(path, revision)?),
    };
    let file = file.ok_or_else(|| Error::Invalid {
        message: format!("no file `{wanted}` at {revision}"),
        help: Some("name a file by its path from the repository's root, with @REV for another revision".to_owned()),
    })?;
    let text = read_text(&repository.local(), &file, MAX_SOURCE_BYTES)
        .map_err(|notice| Error::Invalid { message: format!("{wanted}: {}", notice.message), help: None })?;
    Ok((file, text))
}

/// The facts of one file.
///
/// # Errors
/// There is no such file.
pub fn inspect_facts(directory: &Path, target: &str, as_json: bool) -> Result<String, Error> {
    let repository = Repository::open(directory)?;
    let (file, text) = read(&repository, target)?;
    let extraction = facts::extract(&file.path, &text);
    if as_json {
        let list: Vec<Value> = extraction
            .facts
            .iter()
            .map(|f| {
                json!({"id": f.id(), "kind": f.kind, "owner": f.owner, "name": f.name, "value": f.value, "aliases": f.aliases,
                    "public": f.visibility == Visibility::Public, "lineStart": f.lines.start, "lineEnd": f.lines.end,
                    "byteStart": f.span.start, "byteEnd": f.span.end})
            })
            .collect();
        return json_text(&json!({"path": file.path, "facts": list, "notices": extraction.notices})).map_err(Error::Report);
    }
    let mut out = String::new();
    for fact in &extraction.facts {
        let internal = if fact.visibility == Visibility::Internal { " (internal)" } else { "" };
        let aliases = if fact.aliases.is_empty() { String::new() } else { format!("  also {}", fact.aliases.join(", ")) };
        let _ = writeln!(
            out,
            "{}:{}  {} {}  {}{aliases}{internal}",
            file.path,
            fact.lines.start.get(),
            fact.kind.as_str(),
            fact.name,
            summary::clip(&fact.value.to_string(), 160)
        );
    }
    for notice in &extraction.notices {
        let _ = writeln!(out, "note: {}", notice.message);
    }
    Ok(log_lines(&out))
}

/// The regions of a document and the names set apart in them.
///
/// # Errors
/// There is no such document.
pub fn inspect_citations(directory: &Path, target: &str, as_json: bool) -> Result<String, Error> {
    let repository = Repository::open(directory)?;
    let (file, text) = read(&repository, target)?;
    let parsed = docs::parse(&file.path, &text).ok_or_else(|| Error::Invalid {
        message: format!("{} is no document refdrift reads", file.path),
        help: Some("Markdown, MDX, reStructuredText, AsciiDoc or a plain README".to_owned()),
    })?;
    let document = &parsed.document;
    let mut list = Vec::new();
    let mut out = String::new();
    for region in &document.regions {
        let lines = document.lines_of(region.span);
        let kind = format!("{:?}", region.kind);
        let kind = kind.split([' ', '{']).next().unwrap_or_default().to_owned();
        let marks: Vec<Value> = region
            .marks
            .iter()
            .map(|m| json!({"kind": format!("{:?}", m.kind).split([' ', '{']).next(), "text": m.span.of(&document.text), "line": document.lines.line(m.span.start),
                    "column": document.lines.column(m.span.start) + 1, "byteStart": m.span.start, "byteEnd": m.span.end}))
            .collect();
        let _ =
            writeln!(out, "{}:{}  {kind}  {}", file.path, lines.start.get(), summary::clip(document.region_text(region), 100));
        for mark in &region.marks {
            let _ = writeln!(
                out,
                "    {}:{}  {:?}",
                document.lines.line(mark.span.start).get(),
                document.lines.column(mark.span.start) + 1,
                summary::clip(mark.span.of(&document.text), 80)
            );
        }
        list.push(json!({"kind": kind, "lineStart": lines.start, "lineEnd": lines.end, "byteStart": region.span.start,
            "byteEnd": region.span.end, "marks": marks}));
    }
    if as_json {
        let generated: Vec<_> = document.generated.iter().map(|g| &g.generator).collect();
        let whole = json!({"path": file.path, "regions": list, "generated": generated, "notices": parsed.notices});
        return json_text(&whole).map_err(Error::Report);
    }
    Ok(log_lines(&out))
}

/// Each step to the verdicts at `PATH:LINE`, or of a finding's id.
///
/// # Errors
/// The analysis fails, or nothing is known of the target.
pub fn explain(options: &CheckOptions, target: &str) -> Result<String, Error> {
    let target = Target::parse(target)?;
    let (analysis, _) = check(options)?;
    let (path, line) = match &target {
        Target::Finding(id) => return explain_finding(&analysis, id).map(|out| log_lines(&out)),
        Target::Place(path, line) => (path.as_str(), *line),
    };
    let mut out = String::new();
    let document = analysis.documents.iter().find(|d| d.document.path.as_str() == path);
    let Some(document) = document else {
        let _ = writeln!(out, "{path} {}.", not_looked_at(options, path)?);
        for notice in analysis.sidecar.notices.iter().filter(|n| n.path.as_deref() == Some(path)) {
            let _ = writeln!(out, "  notice: {}", notice.message);
        }
        return Ok(log_lines(&out));
    };
    let lines = document.document.text.lines().count();
    if line == 0 || line as usize > lines {
        return Err(Error::Invalid {
            message: format!("{path} has {lines} lines, not {line}"),
            help: Some("name a line of the document at head".to_owned()),
        });
    }
    let mut any = false;
    for judgement in &document.judgements {
        let at = |span| document.document.lines.line(span).get();
        let here = at(judgement.citation.span.start) == line
            || matches!(&judgement.verdict, Verdict::Claims(claims) if claims.iter().any(|c| at(c.stale.start) == line));
        if !here {
            continue;
        }
        any = true;
        let change = &analysis.changes.changes[judgement.citation.change];
        let _ = writeln!(
            out,
            "{path}:{}  names `{}` as {}",
            at(judgement.citation.span.start),
            judgement.citation.span.of(&document.document.text),
            judgement.citation.form.as_str()
        );
        describe_change(&mut out, change);
        let _ = writeln!(out, "  verdict: {}", judgement.verdict.reason());
        if let Verdict::Claims(claims) = &judgement.verdict {
            for claim in claims {
                let _ = writeln!(
                    out,
                    "    rule {}: `{}` at line {}",
                    claim.rule.as_str(),
                    summary::clip(claim.stale.of(&document.document.text), 120),
                    at(claim.stale.start)
                );
            }
            let finding = analysis.sidecar.policy.findings.iter().find(|f| {
                f.assertion.document == path && f.entities.get(1).is_some_and(|e| change.cited().id().starts_with(e.as_str()))
            });
            if let Some(finding) = finding {
                let reasons: Vec<&str> = finding.coverage.iter().filter_map(|c| c.reason.as_deref()).collect();
                let _ = writeln!(
                    out,
                    "    finding {}\n    confidence {}, routing {}: {}",
                    finding.id,
                    finding.confidence,
                    finding.routing.as_str(),
                    reasons.join("; ")
                );
            }
        }
        out.push('\n');
    }
    if !any {
        let _ = writeln!(out, "{path}:{line} names no fact that the change altered or removed.");
    }
    Ok(log_lines(&out))
}

/// Why nothing was judged in a document.
fn not_looked_at(options: &CheckOptions, path: &str) -> Result<&'static str, Error> {
    let repository = Repository::open(&options.repository)?;
    let head = repository.range(&options.range)?.head;
    let wanted = RepoPath::new(path);
    Ok(if !repository.files(head)?.files.iter().any(|f| f.path == wanted) {
        "is no file at head"
    } else if docs::parse(&wanted, "").is_none() {
        "is no document that refdrift reads"
    } else if !load_config(options.config.as_deref(), &repository, head)?.includes_document(&wanted) {
        "is a document that the configuration leaves out"
    } else {
        "names no fact that the change altered or removed"
    })
}

/// What is to be explained.
pub(super) enum Target {
    /// A finding, by its id or the beginning of one.
    Finding(String),
    /// A line of a document.
    Place(String, u32),
}

impl Target {
    /// Reads an id or its hexadecimal part, six digits or more, or `PATH:LINE`.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let hash = text.strip_prefix("finding:").unwrap_or(text);
        if text.starts_with("finding:") || hash.len() >= 6 && hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(Self::Finding(format!("finding:{hash}")));
        }
        let place = text.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<u32>().ok()?)));
        let (path, line) = place.ok_or_else(|| Error::Invalid {
            message: format!("`{text}` is neither a finding's id nor PATH:LINE"),
            help: Some("for example `docs/guide.md:12`".to_owned()),
        })?;
        Ok(Self::Place(path.trim_start_matches("./").to_owned(), line))
    }
}

fn describe_change(out: &mut String, change: &Change) {
    let fact = change.cited();
    let place = |f: &crate::model::Fact| {
        if f.kind.is_path() { f.path.to_string() } else { format!("{}:{}", f.path, f.lines.start.get()) }
    };
    let _ = writeln!(out, "  fact: {}", fact.id());
    let from = change.before.as_ref().map_or_else(|| "-".to_owned(), place);
    let to = change.after.as_ref().map_or_else(|| "-".to_owned(), place);
    let _ = writeln!(out, "  change: {} ({from} -> {to})", summary::change(change));
}

fn explain_finding(analysis: &Analysis, id: &str) -> Result<String, Error> {
    let finding = analysis.sidecar.policy.findings.iter().find(|f| f.id.starts_with(id)).ok_or_else(|| Error::Invalid {
        message: format!("no finding `{id}` in this range"),
        help: Some("`refdrift check --format json` lists the ids under policy.findings".to_owned()),
    })?;
    let mut out = String::new();
    let _ = writeln!(out, "{} in {}: {}", finding.category, finding.assertion.document, finding.assertion.key);
    if let Some(fact) = analysis.sidecar.changed_facts.iter().find(|f| f.places.iter().any(|p| p.finding == finding.id)) {
        let _ = writeln!(out, "  fact: {}\n  change: {}", fact.id, fact.summary);
        for place in fact.places.iter().filter(|p| p.finding == finding.id) {
            let _ = writeln!(
                out,
                "  line {}: `{}` by rule {} ({})",
                place.line,
                place.stale,
                place.rule.as_str(),
                place.form.as_str()
            );
        }
    }
    for item in &finding.evidence {
        let lines = item.line_start.map(|l| format!(":{l}")).unwrap_or_default();
        let _ = writeln!(out, "  evidence {}{lines}  {}", item.path, item.context.as_deref().unwrap_or(""));
    }
    for item in &finding.coverage {
        let _ = writeln!(out, "  routing {}: {}", finding.routing.as_str(), item.reason.as_deref().unwrap_or(""));
    }
    Ok(out)
}
