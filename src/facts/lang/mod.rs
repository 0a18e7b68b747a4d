//! Definitions by language: symbols, signatures, constants, field defaults, environment variables.

pub mod rust;
