//! `refdrift check`: analyse a range and report.

use std::path::{Path, PathBuf};

use super::suppressions::{self, BaselineChoice};
use super::{Analysis, AnalysisOptions, Error, analyze};
use crate::config::{self, Config, FailOn};
use crate::findings::DEFAULT_MIN_CONFIDENCE;
use crate::git::{ObjectId, Range, RangeOptions, Repository};

/// What `check` is told.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The repository's directory.
    pub repository: PathBuf,
    /// What to compare.
    pub range: RangeOptions,
    /// The configuration file; discovered without it.
    pub config: Option<PathBuf>,
    /// Overrides the configuration.
    pub fail_on: Option<FailOn>,
    /// Overrides the configuration.
    pub min_confidence: Option<f64>,
    /// Keep everything shown.
    pub no_policy: bool,
    /// Which baseline holds.
    pub baseline: BaselineChoice,
    /// The day by which suppressions expire; read from the clock without it, and only where one has a last day.
    pub today: Option<String>,
}

/// What a run ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing at or above the fail level.
    Passed,
    /// Something is.
    Failed,
}

/// Reads the configuration: the named file, else the first of the usual places in the work tree, else in the head commit (a
/// bare repository has no work tree).
///
/// # Errors
/// The named file cannot be read, or a file is not a valid configuration.
#[expect(clippy::disallowed_methods, reason = "the caller's own file is read here and nowhere else")]
pub fn load_config(named: Option<&Path>, repository: &Repository, head: ObjectId) -> Result<Config, Error> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|source| Error::Io { action: "read", path: path.to_owned(), source });
    if let Some(path) = named {
        return Ok(Config::parse(&read(path)?, path.to_owned())?);
    }
    let root = repository.work_tree();
    for name in config::NAMES {
        if let Some(path) = root.as_ref().and_then(|r| inside(r, name)) {
            return Ok(Config::parse(&read(&path)?, PathBuf::from(name))?);
        }
    }
    for name in config::NAMES {
        if let Some(bytes) = repository.file(head, name)? {
            return Ok(Config::parse(&String::from_utf8_lossy(&bytes), PathBuf::from(name))?);
        }
    }
    Ok(Config::default())
}

/// A regular file below a folder, reached without leaving it: no link on the way, no absolute or climbing path. What a pull
/// request names must not make refdrift read the machine's own files.
pub(super) fn inside(root: &Path, name: &str) -> Option<PathBuf> {
    let mut path = root.to_owned();
    for part in Path::new(name).components() {
        let std::path::Component::Normal(part) = part else { return None };
        path.push(part);
        if path.symlink_metadata().ok()?.file_type().is_symlink() {
            return None;
        }
    }
    path.is_file().then_some(path)
}

/// Runs the analysis.
///
/// # Errors
/// The repository or the configuration cannot be read.
pub fn check(options: &CheckOptions) -> Result<(Analysis, Outcome), Error> {
    let repository = Repository::open(&options.repository)?;
    let range = repository.range(&options.range)?;
    check_range(&repository, &range, options)
}

/// Runs the analysis on a range that is already known; the one of the options is not looked at.
pub(super) fn check_range(repository: &Repository, range: &Range, options: &CheckOptions) -> Result<(Analysis, Outcome), Error> {
    let config = load_config(options.config.as_deref(), repository, range.head)?;
    let fail_on = options.fail_on.unwrap_or(config.fail_on);
    let min_confidence = options.min_confidence.or(config.min_confidence).unwrap_or(DEFAULT_MIN_CONFIDENCE);
    if !(0.0..=1.0).contains(&min_confidence) {
        return Err(Error::Invalid {
            message: format!("--min-confidence is {min_confidence}"),
            help: Some("a number from 0 to 1".to_owned()),
        });
    }
    let (suppressions, notices) = suppressions::load(&config, options, repository, range.head)?;
    let settings =
        AnalysisOptions { min_confidence, fail_on, policy: !options.no_policy, repository: None, suppressions, notices };
    let analysis = analyze(repository, range, &config, &settings)?;
    let failed = analysis.sidecar.findings.iter().any(|f| fail_on.is_met_by(f.severity));
    Ok((analysis, if failed { Outcome::Failed } else { Outcome::Passed }))
}
