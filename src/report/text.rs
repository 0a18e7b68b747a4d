//! `text`: for people at a terminal. Findings grouped by changed fact, the stale words underlined, a closing count that says
//! what was kept back and why.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use super::escape::for_log as safe;
use super::view::{self, Cited, Whereabouts};
use super::{ReportOptions, Reporter};
use crate::model::{ChangedFact, CitedPlace, CodeLocation, Notice, Sidecar};

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
/// Most places with the same line that are named.
const MAX_COPIES: usize = 3;
/// Most notices that are told one by one.
const MAX_NOTICES: usize = 5;

impl Reporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "for people, grouped by changed fact"
    }

    fn render(&self, sidecar: &Sidecar, options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        let style = TextStyle::new(options.color);
        let width = options.width.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH);
        let groups = view::groups(sidecar);
        for group in &groups {
            heading(group.fact, style, out)?;
            // Readers go through a document from top to bottom.
            let mut places = group.cited.clone();
            places.sort_by_key(|c| (c.place.document.as_str(), c.place.line, c.place.column_start));
            for (place, copies) in folded(&places) {
                cited(group.fact, place, style, width, out)?;
                repeated(&copies, style, out)?;
            }
            writeln!(out)?;
        }
        closing(sidecar, &groups, style, out)
    }
}

fn heading(fact: &ChangedFact, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let TextStyle { fact: s, faint, .. } = style;
    writeln!(out, "{s}{}{s:#}  {}", safe(&fact.name), safe(&view::change(fact).plain()))?;
    let shown = |l: &CodeLocation| safe(&format!("{}:{}", l.path, l.line_start));
    let place = view::whereabouts(fact).map(|at| match at {
        Whereabouts::Here(at) => shown(at),
        Whereabouts::Was(at) => format!("was at {}", shown(at)),
        Whereabouts::Moved(before, after) => format!("{} -> {}", shown(before), shown(after)),
    });
    if let Some(place) = place {
        writeln!(out, "  {faint}{place}{faint:#}")?;
    }
    if fact.renamed_to.is_none() && !fact.candidates.is_empty() {
        writeln!(out, "  {faint}perhaps now: {}{faint:#}", safe(&fact.candidates.join(", ")))?;
    }
    Ok(())
}

/// Places in order, each with those of other documents whose line is the same: translations, copies.
fn folded<'p, 's>(places: &'p [Cited<'s>]) -> Vec<(Cited<'s>, Vec<&'p CitedPlace>)> {
    let mut out: Vec<(Cited<'s>, Vec<&'p CitedPlace>)> = Vec::new();
    let mut first: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for cited in places {
        let key = (cited.place.stale.as_str(), cited.place.text.trim());
        match first.get(&key).and_then(|at| out.get_mut(*at)) {
            Some((one, copies)) if one.place.document != cited.place.document => copies.push(cited.place),
            _ => {
                first.entry(key).or_insert(out.len());
                out.push((*cited, Vec::new()));
            }
        }
    }
    out
}

fn repeated(copies: &[&CitedPlace], style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    if copies.is_empty() {
        return Ok(());
    }
    let faint = style.faint;
    let named: Vec<String> = copies.iter().take(MAX_COPIES).map(|p| safe(&format!("{}:{}", p.document, p.line))).collect();
    let rest = copies.len().saturating_sub(named.len());
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    writeln!(out, "    {faint}the same line: {}{rest}{faint:#}", named.join(", "))
}

fn cited(fact: &ChangedFact, cited: Cited<'_>, style: TextStyle, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let TextStyle { strong, stale, faint, .. } = style;
    let place = cited.place;
    let notes = view::notes(cited.finding);
    let note = if notes.is_empty() { String::new() } else { format!("  {faint}({}){faint:#}", notes.join(", ")) };
    writeln!(out, "  {strong}{}{strong:#}{note}", safe(&format!("{}:{}:{}", place.document, place.line, place.column_start)))?;
    let (line, start, length) = snippet(place, width.saturating_sub(6));
    writeln!(out, "    {faint}|{faint:#} {line}")?;
    writeln!(
        out,
        "    {faint}|{faint:#} {}{stale}{}{stale:#} {}",
        " ".repeat(start),
        "^".repeat(length.max(1)),
        safe(&view::says(fact, place).plain())
    )
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

fn closing(sidecar: &Sidecar, groups: &[view::Group<'_>], style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let TextStyle { strong, faint, .. } = style;
    let shown = view::shown(sidecar).count();
    if shown == 0 {
        writeln!(out, "{strong}No stale reference found.{strong:#}")?;
        let revision = |key: &str| sidecar.change_set.get(key).and_then(serde_json::Value::as_str);
        if revision("baseRevision").is_some() && revision("baseRevision") == revision("headRevision") {
            writeln!(out, "Base and head are one commit: name an older one with --base. What is not committed is not read.")?;
        }
    } else {
        let (references, of) = view::total(shown, groups);
        writeln!(out, "{strong}{references} of {of}{strong:#}")?;
    }
    let kept: Vec<String> = view::kept_back(sidecar).iter().map(|(n, why)| format!("{n} {why}")).collect();
    if !kept.is_empty() {
        writeln!(out, "{faint}Not shown: {}.{faint:#}", kept.join(", "))?;
    }
    let (suppressions, unread): (Vec<&Notice>, Vec<&Notice>) =
        sidecar.notices.iter().partition(|n| view::is_about_suppression(n));
    let told = |notices: &[&Notice], out: &mut dyn Write| {
        notices.iter().take(MAX_NOTICES).try_for_each(|notice| {
            let path = notice.path.as_deref().map(|p| format!("{p}: ")).unwrap_or_default();
            writeln!(out, "{faint}  {}{faint:#}", safe(&format!("{path}{}", notice.message)))
        })
    };
    if !suppressions.is_empty() {
        writeln!(out, "{faint}Suppressions to look at: {}.{faint:#}", suppressions.len())?;
        told(&suppressions, out)?;
    }
    if unread.len() + sidecar.coverage.len() > 0 {
        let items = view::plural(unread.len() + sidecar.coverage.len(), "item");
        writeln!(out, "{faint}Not, or not wholly, analysed: {items}.{faint:#}")?;
        told(&unread, out)?;
    }
    Ok(())
}
