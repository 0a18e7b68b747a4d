//! `text`: for people at a terminal. Findings grouped by changed fact, the stale words underlined, a closing count that says
//! what was kept back and why.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use super::{ReportOptions, Reporter};
use crate::model::{ChangeOp, ChangedFact, CitedPlace, ClaimRule, CodeLocation, Finding, Routing, Sidecar};
use crate::value::summary;

/// For people.
pub(super) struct Text;

/// The styles of the report; all plain without colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextStyle {
    strong: Style,
    stale: Style,
    faint: Style,
    fact: Style,
}

impl TextStyle {
    /// With or without colours.
    pub fn new(color: bool) -> Self {
        if !color {
            return Self::default();
        }
        Self {
            strong: Style::new().bold(),
            stale: Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
            faint: Style::new().dimmed(),
            fact: Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
        }
    }
}

/// Narrowest layout; a narrower terminal wraps by itself.
const MIN_WIDTH: usize = 40;
/// Width where none is known.
const DEFAULT_WIDTH: usize = 100;
/// Most notices that are told one by one.
const MAX_NOTICES: usize = 5;

impl Reporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "for people, grouped by changed fact"
    }

    fn render(&self, sidecar: &Sidecar, options: ReportOptions, out: &mut dyn Write) -> io::Result<()> {
        let style = TextStyle::new(options.color);
        let width = options.width.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH);
        let findings: BTreeMap<&str, &Finding> = sidecar.findings.iter().map(|f| (f.id.as_str(), f)).collect();
        let mut groups: Vec<(&ChangedFact, Vec<&CitedPlace>)> = sidecar
            .changed_facts
            .iter()
            .map(|fact| (fact, fact.places.iter().filter(|p| findings.contains_key(p.finding.as_str())).collect::<Vec<_>>()))
            .filter(|(_, places)| !places.is_empty())
            .collect();
        let sure = |places: &[&CitedPlace]| places.iter().map(|p| p.confidence).fold(0.0, f64::max);
        groups.sort_by(|a, b| sure(&b.1).total_cmp(&sure(&a.1)).then(a.0.cause.cmp(&b.0.cause)).then(a.0.id.cmp(&b.0.id)));
        for (fact, places) in &groups {
            heading(fact, style, out)?;
            for place in places {
                let finding = findings.get(place.finding.as_str());
                cited(fact, place, finding.copied(), style, width, out)?;
            }
            writeln!(out)?;
        }
        closing(sidecar, groups.len(), style, out)
    }
}

/// Removes what a terminal would obey: control characters, and marks that reorder text.
fn safe(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => '\u{fffd}',
            c => c,
        })
        .collect()
}

fn heading(fact: &ChangedFact, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let TextStyle { fact: s, faint, .. } = style;
    let told = match (fact.op, &fact.renamed_to) {
        (ChangeOp::Changed, _) => format!("{}: {}", summary::kind(fact.kind), fact.summary),
        _ => format!("{} {}", summary::kind(fact.kind), fact.summary),
    };
    writeln!(out, "{s}{}{s:#}  {}", safe(&fact.name), safe(&told))?;
    let shown = |l: &CodeLocation| format!("{}:{}", safe(&l.path), l.line_start);
    let place = match (&fact.before, &fact.after) {
        _ if fact.kind.is_path() => None,
        (Some(b), Some(a)) if b == a => Some(shown(a)),
        (Some(b), Some(a)) => Some(format!("{} -> {}", shown(b), shown(a))),
        (Some(b), None) => Some(format!("was at {}", shown(b))),
        (None, Some(a)) => Some(shown(a)),
        (None, None) => None,
    };
    if let Some(place) = place {
        writeln!(out, "  {faint}{place}{faint:#}")?;
    }
    if fact.renamed_to.is_none() && !fact.candidates.is_empty() {
        writeln!(out, "  {faint}perhaps now: {}{faint:#}", safe(&fact.candidates.join(", ")))?;
    }
    Ok(())
}

fn cited(
    fact: &ChangedFact,
    place: &CitedPlace,
    finding: Option<&Finding>,
    style: TextStyle,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let TextStyle { strong, stale, faint, .. } = style;
    let update = finding.is_some_and(|f| f.documentation_update.is_some());
    let person = finding.is_some_and(|f| f.category == "broken-reference" && f.routing == Routing::RoutedToL2);
    let mut notes = Vec::new();
    if update {
        notes.push("edited in this change");
    }
    if person {
        notes.push("migration context");
    }
    let note = if notes.is_empty() { String::new() } else { format!("  {faint}({}){faint:#}", notes.join(", ")) };
    writeln!(out, "  {strong}{}:{}:{}{strong:#}{note}", safe(&place.document), place.line, place.column_start)?;
    let (line, start, length) = snippet(place, width.saturating_sub(6));
    writeln!(out, "    {faint}|{faint:#} {line}")?;
    writeln!(
        out,
        "    {faint}|{faint:#} {}{stale}{}{stale:#} {}",
        " ".repeat(start),
        "^".repeat(length.max(1)),
        says(fact, place)
    )
}

/// What is wrong with the underlined words.
fn says(fact: &ChangedFact, place: &CitedPlace) -> String {
    let to = fact.renamed_to.as_deref().map(|n| format!("; it is `{}` now", safe(n))).unwrap_or_default();
    let now = || {
        fact.aspects
            .iter()
            .find(|a| a.before.as_ref().is_some_and(|b| safe(&place.stale).contains(summary::value(b).trim_matches('"'))))
            .or(fact.aspects.first())
            .and_then(|a| a.after.as_ref())
            .map_or_else(|| "otherwise now".to_owned(), |v| format!("`{}` now", safe(&summary::value(v))))
    };
    match place.rule {
        ClaimRule::Existence if fact.kind.is_path() => format!("no longer there{to}"),
        ClaimRule::Existence => format!("no longer exists{to}"),
        ClaimRule::OldValue | ClaimRule::MinimumVersion | ClaimRule::VersionPin => now(),
        ClaimRule::SpelledOut | ClaimRule::Example => format!("the code says otherwise: {}", safe(&fact.summary)),
        ClaimRule::AspectInWords => format!("check this: {}", safe(&fact.summary)),
        ClaimRule::Ambiguous => "several definitions have this name now".to_owned(),
    }
}

/// The line, cut around the stale words to a width, with where the words start and how wide they are.
fn snippet(place: &CitedPlace, width: usize) -> (String, usize, usize) {
    let text = safe(&place.text);
    let stale = safe(&place.stale);
    let column = place.column_start as usize - 1;
    let chars: Vec<char> = text.chars().collect();
    // A long line was cut in the record; then the words are found in what is left.
    let fits = |at: usize| chars.get(at..at + stale.chars().count()).is_some_and(|s| s.iter().collect::<String>() == stale);
    let start =
        if fits(column) { column } else { text.find(&stale).map_or(column.min(chars.len()), |at| text[..at].chars().count()) };
    let length = (place.column_end.saturating_sub(place.column_start) as usize).min(chars.len().saturating_sub(start)).max(1);
    let columns = |range: &[char]| range.iter().map(|c| c.width().unwrap_or(0)).sum::<usize>();
    let mut from = 0;
    while from < start && columns(&chars[from..(start + length).min(chars.len())]) > width.saturating_sub(2) {
        from += 1;
    }
    // Leading blanks carry nothing.
    while from < start && chars[from].is_whitespace() {
        from += 1;
    }
    let mut to = from;
    let mut used = usize::from(from > 0 && chars[..from].iter().any(|c| !c.is_whitespace()));
    let lead = if used == 1 { "…" } else { "" };
    while to < chars.len() && used + chars[to].width().unwrap_or(0) < width {
        used += chars[to].width().unwrap_or(0);
        to += 1;
    }
    let tail = if to < chars.len() { "…" } else { "" };
    let line: String = chars[from..to].iter().collect();
    let offset = columns(&chars[from..start.min(to)]) + lead.chars().count();
    let under = columns(&chars[start.min(to)..(start + length).min(to)]).max(1);
    (format!("{lead}{}{tail}", line.trim_end()), offset, under)
}

fn plural(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

fn closing(sidecar: &Sidecar, facts: usize, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let TextStyle { strong, faint, .. } = style;
    let counts = &sidecar.policy.counts;
    let shown = sidecar.findings.len();
    if shown == 0 {
        writeln!(out, "{strong}No stale reference found.{strong:#}")?;
    } else {
        writeln!(out, "{strong}{} of {}{strong:#}", plural(shown, "stale reference"), plural(facts, "changed fact"))?;
    }
    let mut kept = Vec::new();
    for (n, why) in [
        (counts.historical, "in historical documents"),
        (counts.generator, "in generated text"),
        (counts.pending_version, "for released versions"),
        (counts.suppressed, "suppressed"),
        (counts.below_min_confidence, "below the least confidence"),
    ] {
        if n > 0 {
            kept.push(format!("{n} {why}"));
        }
    }
    if !kept.is_empty() {
        writeln!(out, "{faint}Not shown: {}.{faint:#}", kept.join(", "))?;
    }
    let unread = sidecar.notices.len() + sidecar.coverage.len();
    if unread > 0 {
        writeln!(out, "{faint}Not, or not wholly, analysed: {}.{faint:#}", plural(unread, "item"))?;
        for notice in sidecar.notices.iter().take(MAX_NOTICES) {
            let path = notice.path.as_deref().map(|p| format!("{}: ", safe(p))).unwrap_or_default();
            writeln!(out, "{faint}  {path}{}{faint:#}", safe(&notice.message))?;
        }
    }
    Ok(())
}
