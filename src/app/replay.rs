//! `refdrift replay`: what each of the last merges would have reported, so that a maintainer can decide on adoption.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::analysis::analyze_with;
use super::sources::FactCache;
use super::{AnalysisOptions, CheckOptions, Error, load_config};
use crate::config::FailOn;
use crate::findings::DEFAULT_MIN_CONFIDENCE;
use crate::git::{FirstParents, Range, Repository};
use crate::value::{clean, summary};

/// What `replay` is told besides the options of `check`.
#[derive(Clone, Copy, Debug)]
pub struct ReplayOptions {
    /// Most changes that are replayed.
    pub last: usize,
    /// Only changes committed at or after this second of the epoch.
    pub since: Option<i64>,
}

/// One replayed change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replayed {
    /// The commit.
    pub commit: String,
    /// Its first line.
    pub subject: String,
    /// Visible findings.
    pub findings: usize,
    /// Facts that the findings speak of.
    pub facts: Vec<String>,
    /// Why it could not be analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// Always `replay`.
    #[serde(rename = "type")]
    pub record_type: &'static str,
    /// Always 1.
    pub schema_version: u32,
    /// Changes, newest first.
    pub changes: Vec<Replayed>,
    /// Visible claiming places by rule.
    pub rules: BTreeMap<String, usize>,
    /// The facts with the most claiming places, most first; ten at most.
    pub noisiest: Vec<(String, usize)>,
    /// Findings per change.
    pub mean: f64,
    /// Half of the changes have at most this many.
    pub median: usize,
    /// Nine of ten changes have at most this many.
    pub p90: usize,
    /// The most of one change.
    pub max: usize,
}

/// Replays first-parent history. `progress` is told how many of how many are done.
///
/// # Errors
/// The repository or the configuration cannot be read. A change that cannot be analysed is listed with its error.
pub fn replay(options: &CheckOptions, wanted: ReplayOptions, progress: &mut dyn FnMut(usize, usize)) -> Result<Replay, Error> {
    let repository = Repository::open(&options.repository)?;
    let head = repository.commit(options.range.head.as_deref().unwrap_or("HEAD"))?;
    let config = load_config(options.config.as_deref(), &repository, head)?;
    let history: Vec<FirstParents> = repository.first_parents(head, wanted.last, wanted.since)?;
    let (suppressions, notices) = super::suppressions::load(&config, options, &repository, head)?;
    let settings = AnalysisOptions {
        min_confidence: options.min_confidence.or(config.min_confidence).unwrap_or(DEFAULT_MIN_CONFIDENCE),
        fail_on: FailOn::Never,
        policy: !options.no_policy,
        repository: None,
        suppressions,
        notices,
    };
    let cache = FactCache::default();
    let mut changes = Vec::new();
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    let mut facts: BTreeMap<String, usize> = BTreeMap::new();
    let total = history.len();
    for (done, step) in history.into_iter().enumerate() {
        let range = Range { base: step.parent, head: step.commit };
        let mut replayed = Replayed {
            commit: step.commit.to_string(),
            subject: summary::clip(&step.subject, 100),
            findings: 0,
            facts: Vec::new(),
            error: None,
        };
        match analyze_with(&repository, &range, &config, &settings, &cache) {
            Ok(analysis) => {
                let sidecar = analysis.sidecar;
                replayed.findings = sidecar.findings.len();
                for fact in &sidecar.changed_facts {
                    let shown = fact.places.iter().filter(|p| sidecar.findings.iter().any(|f| f.id == p.finding));
                    let mut count = 0;
                    for place in shown {
                        *rules.entry(place.rule.as_str().to_owned()).or_default() += 1;
                        count += 1;
                    }
                    if count > 0 {
                        *facts.entry(format!("{} {}", fact.kind.as_str(), fact.name)).or_default() += count;
                        replayed.facts.push(format!("{}: {}", fact.name, fact.summary));
                    }
                }
            }
            Err(error) => replayed.error = Some(error.to_string()),
        }
        changes.push(replayed);
        progress(done + 1, total);
    }
    let mut counts: Vec<usize> = changes.iter().map(|c| c.findings).collect();
    counts.sort_unstable();
    let at = |share: usize| counts.get((counts.len() * share / 100).min(counts.len().saturating_sub(1))).copied().unwrap_or(0);
    let mut noisiest: Vec<(String, usize)> = facts.into_iter().collect();
    noisiest.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    noisiest.truncate(10);
    #[expect(clippy::cast_precision_loss, reason = "counts of findings are small")]
    let mean = if counts.is_empty() { 0.0 } else { counts.iter().sum::<usize>() as f64 / counts.len() as f64 };
    Ok(Replay {
        record_type: "replay",
        schema_version: 1,
        rules,
        noisiest,
        mean: (mean * 1000.0).round() / 1000.0,
        median: at(50),
        p90: at(90),
        max: counts.last().copied().unwrap_or(0),
        changes,
    })
}

/// The replay for people; control characters of the repository's text are replaced.
pub fn replay_text(replay: &Replay) -> String {
    let safe = clean::clean;
    let mut out = String::new();
    for change in replay.changes.iter().filter(|c| c.findings > 0 || c.error.is_some()) {
        let _ =
            writeln!(out, "{}  {:>3}  {}", &change.commit[..10.min(change.commit.len())], change.findings, safe(&change.subject));
        for fact in change.facts.iter().take(5) {
            let _ = writeln!(out, "                 {}", safe(&summary::clip(fact, 110)));
        }
        if change.facts.len() > 5 {
            let _ = writeln!(out, "                 and {} more facts", change.facts.len() - 5);
        }
        if let Some(error) = &change.error {
            let _ = writeln!(out, "                 not analysed: {}", safe(error));
        }
    }
    let silent = replay.changes.iter().filter(|c| c.findings == 0).count();
    let _ = writeln!(
        out,
        "{}{} change{}, {silent} of them silent. Findings per change: mean {:.2}, median {}, nine of ten at most {}, most {}.",
        if out.is_empty() { "" } else { "\n" },
        replay.changes.len(),
        if replay.changes.len() == 1 { "" } else { "s" },
        replay.mean,
        replay.median,
        replay.p90,
        replay.max
    );
    if !replay.rules.is_empty() {
        let rules: Vec<String> = replay.rules.iter().map(|(rule, n)| format!("{rule} {n}")).collect();
        let _ = writeln!(out, "Places by rule: {}.", rules.join(", "));
        let _ = writeln!(out, "Most cited facts:");
        for (fact, n) in &replay.noisiest {
            let _ = writeln!(out, "  {n:>4}  {}", safe(fact));
        }
    }
    out
}

/// The replay as Markdown; repository text stands in code spans without backticks.
pub fn replay_markdown(replay: &Replay) -> String {
    let code = |text: &str| format!("`{}`", clean::clean(text).replace(['`', '|'], " "));
    let mut out = format!(
        "# refdrift replay\n\n{} changes. Findings per change: mean {:.2}, median {}, nine of ten at most {}, most {}.\n",
        replay.changes.len(),
        replay.mean,
        replay.median,
        replay.p90,
        replay.max
    );
    if replay.changes.iter().any(|c| c.findings > 0) {
        out.push_str("\n| Commit | Findings | Subject | Facts |\n| --- | ---: | --- | --- |\n");
        for change in replay.changes.iter().filter(|c| c.findings > 0) {
            let facts: Vec<String> = change.facts.iter().take(3).map(|f| code(&summary::clip(f, 80))).collect();
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                code(&change.commit[..10.min(change.commit.len())]),
                change.findings,
                code(&change.subject),
                facts.join(", ")
            );
        }
        out.push_str("\n| Rule | Places |\n| --- | ---: |\n");
        for (rule, n) in &replay.rules {
            let _ = writeln!(out, "| {rule} | {n} |");
        }
        out.push_str("\n| Most cited facts | Places |\n| --- | ---: |\n");
        for (fact, n) in &replay.noisiest {
            let _ = writeln!(out, "| {} | {n} |", code(fact));
        }
    }
    out
}
