//! Delivery on GitHub. A pure plan (`plan`) is made from the sidecar and what is already there, and carried out by a small
//! applier (`apply`). The only user of octocrab, and the only place with asynchronous code: [`deliver`] waits for all of it.
//! It analyses nothing and reads no repository.

mod apply;
mod artifact;
mod body;
mod checks;
mod client;
mod commands;
mod comments;
mod error;
mod escape;
mod event;
#[cfg(test)]
mod fake;
mod hunks;
mod outputs;
pub mod plan;
mod request;
#[cfg(test)]
mod sample;
mod state;
#[cfg(test)]
mod tests;

pub use apply::{CheckRunMode, Delivered, Job};
pub use artifact::{claim, read as read_artifact};
pub use checks::Conclusion;
pub use client::{Clock, Endpoint, SystemClock};
pub use commands::{Level, message, stop_token};
pub use comments::{Anchor, Asked, Wanted};
pub use error::Error;
pub use event::{Environment, Event, PullEvent, Token};
pub use hunks::Side;
pub use outputs::{Outputs, summary};

/// Delivers a result, and waits until it is done or its time is used up.
///
/// # Errors
/// There is no runtime to be had.
pub fn deliver(endpoint: Endpoint, job: &Job<'_>) -> std::io::Result<Delivered> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(apply::deliver(endpoint, Box::new(SystemClock::default()), job)))
}
