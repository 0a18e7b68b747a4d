//! Definitions by language: symbols, signatures, constants, field defaults, environment variables.

mod compose;
pub mod go;
pub mod rust;
