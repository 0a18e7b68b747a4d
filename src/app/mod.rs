//! The composition root: the only place that sees two stages. One file per command, and the analysis they share.

#[cfg(feature = "github")]
mod action;
mod analysis;
mod change_set;
mod check;
mod classification;
mod containers;
mod demo;
mod documents;
mod error;
mod explain_sidecar;
mod inspect;
mod places;
mod presence;
mod project;
#[cfg(feature = "github")]
mod publish;
#[cfg(feature = "github")]
mod ranges;
mod replay;
mod run;
mod runtimes;
mod sidecar;
mod sources;
mod suppressions;
mod validate;

#[cfg(feature = "github")]
pub use action::action;
pub use analysis::{Analysis, AnalysisOptions, DocumentAnalysis, analyze};
pub use check::{CheckOptions, Outcome, check, load_config};
pub use demo::demo;
pub use error::Error;
pub use explain_sidecar::explain_sidecar;
pub use inspect::{explain, inspect_citations, inspect_facts};
#[cfg(feature = "github")]
pub use publish::publish;
pub use replay::{Replay, ReplayOptions, Replayed, replay, replay_markdown, replay_text};
pub use run::{print_error, run, start_log};
pub use suppressions::{BaselineChoice, baseline};
pub use validate::validate;
