//! `json`: the sidecar itself, indented, with a line feed at the end.

use std::io::{self, Write};

use super::{ReportOptions, Reporter, write_json};
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
        write_json(sidecar, out)
    }
}
