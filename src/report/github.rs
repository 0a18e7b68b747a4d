//! `github`: workflow commands that a runner turns into annotations on the stale lines. The runner shows ten of each level
//! and drops the rest without a word, so the best ten are written and a line says how many more there are.

use std::io::{self, Write};

use super::view::{self, Cited, Group};
use super::{ReportOptions, Reporter, escape};
use crate::model::{Severity, Sidecar};
use crate::value::summary;

/// Annotations of one level that a runner shows for one step.
const MAX_PER_LEVEL: usize = 10;

/// Workflow commands.
pub(super) struct GitHub;

impl Reporter for GitHub {
    fn name(&self) -> &'static str {
        "github"
    }

    fn about(&self) -> &'static str {
        "workflow commands, for annotations by a GitHub runner"
    }

    fn render(&self, sidecar: &Sidecar, _options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        let groups = view::groups(sidecar);
        let mut all: Vec<(&Group<'_>, Cited<'_>)> = groups.iter().flat_map(|g| g.cited.iter().map(move |c| (g, *c))).collect();
        // Groups are ranked by their best place; single places are ranked again, ties keep the order of groups.
        all.sort_by(|a, b| b.1.place.confidence.total_cmp(&a.1.place.confidence));
        for (severity, level) in [(Severity::Error, "error"), (Severity::Warn, "warning"), (Severity::Info, "notice")] {
            let of_level: Vec<_> = all.iter().filter(|(_, c)| c.finding.severity == severity).collect();
            for (group, cited) in of_level.iter().take(MAX_PER_LEVEL) {
                annotation(level, group, *cited, out)?;
            }
            if of_level.len() > MAX_PER_LEVEL {
                writeln!(
                    out,
                    "refdrift: {MAX_PER_LEVEL} of {} {level}s are shown as annotations; the summary and the sidecar have all of them.",
                    of_level.len()
                )?;
            }
        }
        Ok(())
    }
}

fn annotation(level: &str, group: &Group<'_>, cited: Cited<'_>, out: &mut dyn Write) -> io::Result<()> {
    let place = cited.place;
    let title = format!("Stale reference: {}", summary::clip(&group.fact.name, 120));
    let notes = view::notes(cited.finding);
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    let message = view::Sentence::default()
        .code(summary::clip(&place.stale, 200))
        .words(": ")
        .then(view::says(group.fact, place))
        .words(format!("{notes}. Changed: "))
        .code(summary::clip(&group.fact.name, 200))
        .words(", ")
        .then(view::change(group.fact))
        .plain();
    // Columns of annotations count both ends in; the record's end lies one past the last character.
    let last = place.column_end.saturating_sub(1).max(place.column_start);
    writeln!(
        out,
        "::{level} file={},line={line},endLine={line},col={},endColumn={last},title={}::{}",
        escape::command_property(&place.document),
        place.column_start,
        escape::command_property(&title),
        escape::command_data(&message),
        line = place.line,
    )
}
