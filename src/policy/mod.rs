//! Classification and routing of findings (reference, section 4). Evidence first: routing never changes knowledge status, and
//! what is not shown is kept and counted.

mod classify;
mod route;
mod target;

pub use classify::{Classified, Lifecycle, classify};
pub use route::{RouteOptions, Routed, counts, route};
