//! `json`: the sidecar itself, indented, with a line feed at the end.

use std::io::{self, Write};

use super::{ReportOptions, Reporter};
use crate::model::Sidecar;

/// The sidecar.
pub(super) struct Json;

impl Reporter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "the policy sidecar"
    }

    fn render(&self, sidecar: &Sidecar, _options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, sidecar)?;
        out.write_all(b"\n")
    }
}
