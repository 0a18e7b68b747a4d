//! Values: canonical JSON and hashes, names modulo case style, literals and their equal forms, text that does not act.

pub mod canonical;
pub mod clean;
pub mod date;
pub mod fingerprint;
pub mod go_type;
pub mod literal;
pub mod name;
pub mod summary;
pub mod version;
pub mod widened;
