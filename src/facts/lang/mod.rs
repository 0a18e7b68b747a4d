//! Definitions by language: symbols, signatures, constants, field defaults, environment variables.

pub mod c;
mod compose;
pub mod ecmascript;
pub mod go;
pub mod java;
pub mod kotlin;
pub mod lists;
pub mod python;
pub mod ruby;
pub mod rust;
pub mod setting_reads;
pub mod shell;
