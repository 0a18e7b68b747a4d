//! `agent-finding-ndjson`: the records of `agent-finding`, one a line. No finding is no line.

use std::io::{self, Write};

use super::{ReportOptions, Reporter, agent_finding};
use crate::model::Sidecar;
use crate::value::clean;

/// For readers that take one record after the other.
pub(super) struct AgentFindingLines;

impl Reporter for AgentFindingLines {
    fn name(&self) -> &'static str {
        "agent-finding-ndjson"
    }

    fn about(&self) -> &'static str {
        "agent.finding@1 records, one a line (NDJSON)"
    }

    fn render(&self, sidecar: &Sidecar, _options: ReportOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
        for record in agent_finding::records(sidecar) {
            writeln!(out, "{}", clean::json(&record.to_string()))?;
        }
        Ok(())
    }
}
