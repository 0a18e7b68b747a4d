//! Definitions by language: symbols, signatures, constants, field defaults, environment variables.

pub mod ecmascript;
pub mod java;
pub mod python;
pub mod ruby;
