//! Values: canonical JSON and hashes, names modulo case style, literals and their equal forms.

pub mod canonical;
pub mod date;
pub mod literal;
pub mod name;
pub mod summary;
pub mod version;
