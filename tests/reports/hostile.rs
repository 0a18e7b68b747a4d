//! Whatever stands in names, values, lines and messages, every report keeps the rules of its format.

use std::sync::LazyLock;

use proptest::prelude::*;
use refdrift::model::{Notice, NoticeCode, Severity, Sidecar};

use crate::{oracle, samples};

static SAMPLE: LazyLock<Sidecar> = LazyLock::new(|| samples::all().remove(0).1);

/// Pieces that start or end something in one of the formats, and arbitrary text.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "`",
            "```",
            "@team",
            "&#64;",
            "&lt;",
            "<b>",
            "</details>",
            "<!--",
            "-->",
            "<summary>",
            "]]>",
            "](http://x)",
            "[",
            "|",
            "\n",
            "\r",
            "\n\n",
            "\n::error::x",
            "::warning file=a::b",
            "%0A",
            "%",
            ":",
            ",",
            "##[error]",
            "##[",
            "\u{1b}[31m",
            "\u{0}",
            "\u{202e}",
            "\u{2028}",
            "\u{200b}",
            "\u{feff}",
            "\u{2066}",
            "\u{e0041}",
            "\u{9b}31m",
            "\u{85}",
            "\\",
            "$x$",
            "~~",
            "# ",
            "- ",
            "1. ",
            "---",
            "\n---\n",
            "http://e.x",
            "#1",
            "GH-1",
            " ",
            "\t",
            "é",
            "😀",
            "İ",
            "\"",
            "'",
            "{{",
            "{/*",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hostile_text_stays_text(name in text(), path in text(), words in text(), summary in text(), reason in text(), level in 0..4_u8) {
        let mut sidecar = SAMPLE.clone();
        // Git's paths have no empty segments and never climb.
        let path = path.split('/').filter(|s| !s.trim().is_empty() && !s.contains("..")).collect::<Vec<_>>().join("/");
        let path = if path.is_empty() { "x".to_owned() } else { path };
        let name = if name.trim().is_empty() { "x".to_owned() } else { name };
        for fact in &mut sidecar.changed_facts {
            fact.name.clone_from(&name);
            fact.summary.clone_from(&summary);
            fact.renamed_to = fact.renamed_to.as_ref().map(|_| words.clone());
            fact.candidates = vec![words.clone(), name.clone()];
            for place in [&mut fact.before, &mut fact.after].into_iter().flatten() {
                place.path.clone_from(&path);
            }
            for aspect in &mut fact.aspects {
                aspect.after = Some(serde_json::Value::String(words.clone()));
            }
            for (index, place) in fact.places.iter_mut().enumerate() {
                place.document.clone_from(&path);
                place.text = format!("{words} {summary}");
                place.stale.clone_from(&words);
                place.column_start = 1;
                place.column_end = u32::try_from(words.chars().count().max(1) + 1).unwrap_or(2);
                place.line = u32::try_from(index + 1).unwrap_or(1);
            }
        }
        let severity = [Severity::Off, Severity::Info, Severity::Warn, Severity::Error][usize::from(level)];
        for finding in sidecar.findings.iter_mut().chain(&mut sidecar.policy.findings) {
            finding.severity = severity;
            finding.assertion.key.clone_from(&name);
            finding.assertion.document.clone_from(&path);
            for coverage in &mut finding.coverage {
                coverage.reason = Some(reason.clone());
                coverage.scope.clone_from(&path);
            }
            for evidence in &mut finding.evidence {
                evidence.path.clone_from(&path);
                evidence.context = Some(reason.clone());
            }
        }
        sidecar.coverage = sidecar.policy.findings.iter().flat_map(|f| f.coverage.clone()).collect();
        for coverage in &mut sidecar.coverage {
            coverage.status = refdrift::model::CoverageStatus::Partial;
        }
        sidecar.notices = vec![Notice { code: NoticeCode::SyntaxError, path: Some(path), message: reason }];
        oracle::check(&sidecar, "hostile");
    }
}
