//! `rdjson`: the diagnostic format of reviewdog. One diagnostic for each stale place; columns are bytes from 1, and the end
//! lies one past the last byte.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{ReportOptions, Reporter, escape, view, write_json};
use crate::model::{CitedPlace, Severity, Sidecar};
use crate::value::summary;

/// For reviewdog.
pub(super) struct RdJson;

impl Reporter for RdJson {
    fn name(&self) -> &'static str {
        "rdjson"
    }

    fn about(&self) -> &'static str {
        "diagnostics for reviewdog"
    }

    fn render(&self, sidecar: &Sidecar, _options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        let diagnostics: Vec<Value> = view::groups(sidecar)
            .iter()
            .flat_map(|group| group.cited.iter().map(move |cited| (group, cited)))
            .filter_map(|(group, cited)| {
                let severity = match cited.finding.severity {
                    Severity::Error => "ERROR",
                    Severity::Warn => "WARNING",
                    Severity::Info => "INFO",
                    Severity::Off => return None,
                };
                let message = view::Sentence::default()
                    .code(summary::clip(&cited.place.stale, 200))
                    .words(": ")
                    .then(view::says(group.fact, cited.place))
                    .words(". Changed: ")
                    .code(summary::clip(&group.fact.name, 200))
                    .words(", ")
                    .then(view::change(group.fact));
                Some(json!({
                    // Reviewdog posts messages as Markdown.
                    "message": message.markdown(),
                    "location": {"path": escape::clean(&cited.place.document), "range": range(cited.place)},
                    "severity": severity,
                    "code": {"value": cited.finding.category},
                }))
            })
            .collect();
        write_json(&json!({"source": {"name": "refdrift"}, "diagnostics": diagnostics}), out)
    }
}

/// The place in bytes. The record counts characters; a line that was cut in the record gives its number only.
fn range(place: &CitedPlace) -> Value {
    let column = |characters: u32| -> Option<usize> {
        let skipped = characters.checked_sub(1)? as usize;
        let bytes: usize = place.text.chars().take(skipped).map(char::len_utf8).sum();
        (place.text.chars().count() >= skipped).then_some(bytes + 1)
    };
    let is_cut = place.text.starts_with('…') || place.text.ends_with('…');
    match (column(place.column_start), column(place.column_end)) {
        (Some(start), Some(end)) if !is_cut => {
            json!({"start": {"line": place.line, "column": start}, "end": {"line": place.line, "column": end}})
        }
        _ => json!({"start": {"line": place.line}}),
    }
}
