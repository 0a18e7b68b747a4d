//! Classification and routing of findings (reference, section 4). Evidence first: routing never changes knowledge status, and
//! what is not shown is kept and counted.

mod allow;
mod classify;
mod log;
mod route;
mod suppress;
mod target;

pub use classify::{Classified, Lifecycle, classify};
pub use log::{is_log, says_that_it_is_stale};
pub use route::{RouteOptions, Routed, counts, route};
pub use suppress::{
    Accepted, Candidate, Named, Suppressed, SuppressionOptions, SuppressionRule, SuppressionSource, Suppressions, keep_back,
    note_allowed_places,
};
