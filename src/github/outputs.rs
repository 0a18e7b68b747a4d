//! What a step leaves behind: outputs and the job summary, as text for the files that the runner names.

use std::fmt::Write;

use super::checks::Conclusion;
use super::escape::clip_lines;
use crate::model::Sidecar;
use crate::value::canonical;

/// The runner takes 1 MiB of summary and drops a longer one whole.
pub(super) const MAX_SUMMARY: usize = 900 * 1024;

/// The values of the outputs.
#[derive(Clone, Debug)]
pub struct Outputs<'a> {
    /// The result; without one every count is 0.
    pub sidecar: Option<&'a Sidecar>,
    /// How the run ended.
    pub conclusion: Conclusion,
    /// Where the sidecar is.
    pub sidecar_path: &'a str,
    /// Where the SARIF file is.
    pub sarif_path: &'a str,
    /// Where the run is shown.
    pub report_url: &'a str,
}

impl Outputs<'_> {
    /// The lines for `GITHUB_OUTPUT`. Each delimiter is a hash of the value, which no value can contain.
    pub fn text(&self) -> String {
        let counts = self.sidecar.map(|s| s.policy.counts).unwrap_or_default();
        let values = [
            ("findings", self.sidecar.map_or(0, |s| s.findings.len()).to_string()),
            ("proposed", counts.proposed.to_string()),
            ("routed-to-l2", counts.routed_to_l2.to_string()),
            ("excluded", counts.excluded.to_string()),
            ("pending-version", counts.pending_version.to_string()),
            ("conclusion", self.conclusion.as_str().to_owned()),
            ("sidecar", self.sidecar_path.to_owned()),
            ("sarif", self.sarif_path.to_owned()),
            ("report-url", self.report_url.to_owned()),
        ];
        values.iter().fold(String::new(), |mut out, (name, value)| {
            let delimiter = format!("end-{}", canonical::sha256_hex(value.as_bytes()));
            let _ = writeln!(out, "{name}<<{delimiter}\n{value}\n{delimiter}");
            out
        })
    }
}

/// The job summary, cut at a line where it is too long, with what is to be said about delivery at its end.
pub fn summary(report: &str, notes: &[String]) -> String {
    let closing = if notes.is_empty() { String::new() } else { format!("\n\n{}\n", notes.join("\n")) };
    let closing = clip_lines(&closing, MAX_SUMMARY / 10, "");
    let report = clip_lines(report, MAX_SUMMARY - closing.len() - 1, "The rest is in the sidecar.");
    format!("{}{closing}\n", report.trim_end())
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn outputs_cannot_be_forged() {
        let sidecar = sample::sidecar(&[("a.js", "timeout", &[("README.md", 3)])]);
        let outputs = Outputs {
            sidecar: Some(&sidecar),
            conclusion: Conclusion::Neutral,
            sidecar_path: "x\nfindings=0",
            sarif_path: "",
            report_url: "https://github.com/o/r/actions/runs/1",
        };
        let text = outputs.text();
        assert!(text.starts_with("findings<<end-"), "{text}");
        let mut lines = text.lines();
        let mut read = Vec::new();
        while let Some((name, end)) = lines.next().and_then(|l| l.split_once("<<")) {
            let value: Vec<&str> = lines.by_ref().take_while(|l| *l != end).collect();
            read.push((name, value.join("\n")));
        }
        assert_eq!(read.len(), 9);
        assert_eq!(read[0], ("findings", "1".to_owned()));
        assert_eq!(read[2], ("routed-to-l2", "1".to_owned()));
        assert_eq!(read[6], ("sidecar", "x\nfindings=0".to_owned()));
    }

    #[test]
    fn a_summary_is_bounded_in_bytes() {
        let long = "é line\n".repeat(300_000);
        let text = summary(&long, &["note".to_owned()]);
        assert!(text.len() <= MAX_SUMMARY && text.contains("The rest is in the sidecar.") && text.ends_with("note\n\n"));
        assert_eq!(summary("short\n", &[]), "short\n");
    }
}
