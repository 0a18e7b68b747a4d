//! Data files and manifests: configuration keys with values, tasks, packages, action inputs.

pub mod action;
pub mod cargo;
mod json;
pub mod keys;
pub mod npm;
mod package;
pub mod python_project;
mod schema;
mod toml;
mod tree;
pub mod workflow;
mod yaml;
