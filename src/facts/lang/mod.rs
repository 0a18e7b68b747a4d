//! Definitions by language: symbols, signatures, constants, field defaults, environment variables.

pub mod c;
pub mod ecmascript;
pub mod java;
pub mod kotlin;
pub mod python;
pub mod ruby;
pub mod shell;
