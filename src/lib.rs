//! refdrift tells a pull request which sentences of the documentation it has just made untrue.
//!
//! ```text
//!  event / CLI ─> config ─> git: range, tree diff, blobs
//!                             │
//!               changed source blobs (base, head)         all documents (head)
//!                             │                                  │ prefilter: names of changed facts
//!                      facts::extract                      docs::parse (only the hits)
//!                             │                                  │
//!                      changes::ChangeSet ───────────> citations::resolve ─> claims
//!                                                                │
//!                                               findings::FindingV1 (diagnose, identify)
//!                                                                │
//!                                               policy::route ─> sidecar (envelope)
//!                                                                │
//!                                               report, github
//! ```
//!
//! A stage imports the foundations (`model`, `syntax`, `value`) and nothing else of the crate; only `app` knows the stages.

pub mod app;
pub mod changes;
pub mod citations;
pub mod cli;
pub mod config;
pub mod contracts;
pub mod docs;
pub mod facts;
pub mod findings;
pub mod git;
#[cfg(feature = "github")]
pub mod github;
pub mod model;
pub mod policy;
pub mod report;
pub mod syntax;
pub mod value;
