//! `refdrift validate`: records of others and our own, with the place of every fault.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use serde_json::json;

use super::{Error, Outcome, run};
use crate::cli::Validate;
use crate::contracts::{self, MAX_BYTES, RecordKind};
use crate::report;

/// Validates each file; prints every violation and one closing line.
///
/// # Errors
/// A file cannot be read or is larger than the limit.
pub fn validate(arguments: &Validate) -> Result<Outcome, Error> {
    let kind = arguments.kind.as_deref().and_then(RecordKind::from_name);
    let mut out = String::new();
    let mut listed = Vec::new();
    let (mut records, mut wrong) = (0, 0);
    for path in &arguments.files {
        let text = read(path)?;
        let is_lines = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ndjson") || e.eq_ignore_ascii_case("jsonl"));
        let report = if is_lines { contracts::validate_lines(&text, kind) } else { contracts::validate(&text, kind) };
        records += report.records.len();
        wrong += report.violations.len();
        let shown = path.display().to_string();
        for violation in &report.violations {
            let _ = writeln!(out, "{shown}:{violation}");
        }
        if report.is_cut {
            let _ = writeln!(out, "{shown}: more violations are not listed");
        }
        listed.push(json!({"file": shown, "report": report}));
    }
    if arguments.json {
        run::print(&report::json_text(&listed).map_err(Error::Report)?)?;
    } else {
        let _ = writeln!(
            out,
            "{records} record{} checked, {wrong} violation{}",
            if records == 1 { "" } else { "s" },
            if wrong == 1 { "" } else { "s" }
        );
        run::print(&report::log_lines(&out))?;
    }
    Ok(if wrong == 0 { Outcome::Passed } else { Outcome::Failed })
}

/// The text of a file, not read where it is larger than the limit.
#[expect(clippy::disallowed_methods, reason = "the caller's own files are read here")]
pub(super) fn read(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Io { action: "read", path: path.to_owned(), source };
    let too_large = || Error::Invalid {
        message: format!("{} is larger than {MAX_BYTES} bytes", path.display()),
        help: Some("split it into several files".to_owned()),
    };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > MAX_BYTES {
            return Err(too_large());
        }
    } else {
        if std::fs::metadata(path).map_err(failed)?.len() > MAX_BYTES as u64 {
            return Err(too_large());
        }
        bytes = std::fs::read(path).map_err(failed)?;
    }
    String::from_utf8(bytes).map_err(|_| Error::Invalid { message: format!("{} is not UTF-8", path.display()), help: None })
}
