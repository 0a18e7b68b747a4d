//! `refdrift validate`: records of others and our own, with the place of every fault.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use serde_json::json;

use super::{Error, Outcome, run};
use crate::cli::{CONFIG, Validate};
use crate::config::{self, Config};
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
        let shown = path.display().to_string();
        let is = |endings: &[&str]| path.extension().is_some_and(|e| endings.iter().any(|ending| e.eq_ignore_ascii_case(ending)));
        if arguments.kind.as_deref() == Some(CONFIG) || arguments.kind.is_none() && is(&["yml", "yaml"]) {
            records += 1;
            let fault = Config::parse(&text, path.clone()).err();
            if let Some(error) = &fault {
                wrong += 1;
                let right = error.suggestion.as_ref().map(|s| format!("; {s}")).unwrap_or_default();
                let _ = writeln!(out, "{error}{right}");
            }
            let violations: Vec<_> = fault.iter().map(config_violation).collect();
            listed.push(json!({"file": shown, "report": {"records": [CONFIG], "violations": violations, "isCut": false}}));
            continue;
        }
        let is_lines = is(&["ndjson", "jsonl"]);
        let report = if is_lines { contracts::validate_lines(&text, kind) } else { contracts::validate(&text, kind) };
        records += report.records.len();
        wrong += report.violations.len();
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

/// A fault of a configuration in the form of the others. YAML has no pointers.
fn config_violation(error: &config::Error) -> serde_json::Value {
    json!({
        "kind": "schema", "pointer": "", "line": error.line.unwrap_or(1), "column": error.column.unwrap_or(1),
        "wrong": error.message, "right": error.suggestion.clone().unwrap_or_default(),
    })
}

/// The text of a file, not read where it is larger than the limit.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Io { action: "read", path: path.to_owned(), source };
    let too_large = || Error::Invalid {
        message: format!("{} is larger than {MAX_BYTES} bytes", path.display()),
        help: Some("split it into several files".to_owned()),
    };
    let mut bytes = Vec::new();
    // One byte more than the limit tells that there are more, also of what has no size: a pipe, a device.
    let most = MAX_BYTES as u64 + 1;
    if path == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = std::fs::File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() > MAX_BYTES as u64 {
            return Err(too_large());
        }
        file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|_| Error::Invalid { message: format!("{} is not UTF-8", path.display()), help: None })
}
