//! INI files as the tools of Python write them: sections, keys, values over several lines.

use super::package::lines;
use crate::model::ByteSpan;

/// A key of a section.
pub(super) struct Setting {
    pub(super) section: String,
    pub(super) key: String,
    /// The value's lines, trimmed, comments and empty lines left out.
    pub(super) lines: Vec<String>,
    pub(super) span: ByteSpan,
}

impl Setting {
    /// The value on one line.
    pub(super) fn value(&self) -> String {
        self.lines.join(" ")
    }
}

/// The settings of a file in order; a section without keys gives one with an empty key.
pub(super) fn read(text: &str) -> Vec<Setting> {
    let mut out: Vec<Setting> = Vec::new();
    let mut section = String::new();
    for (span, line) in lines(text) {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.split(']').next()) {
            name.trim().clone_into(&mut section);
            out.push(Setting { section: section.clone(), key: String::new(), lines: Vec::new(), span });
            continue;
        }
        if line.starts_with([' ', '\t']) {
            if let Some(last) = out.last_mut().filter(|s| !s.key.is_empty()) {
                last.lines.push(without_comment(trimmed));
                last.span = ByteSpan::new(last.span.start, span.end);
            }
            continue;
        }
        if let Some((key, value)) = line.split_once(['=', ':']) {
            let value = without_comment(value.trim());
            let lines = if value.is_empty() { Vec::new() } else { vec![value] };
            out.push(Setting { section: section.clone(), key: key.trim().to_owned(), lines, span });
        }
    }
    out
}

fn without_comment(text: &str) -> String {
    text.split(" #").next().unwrap_or(text).trim_end().to_owned()
}
