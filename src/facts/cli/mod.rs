//! Command lines by framework: commands and flags, read from their declarations.

pub mod argparse;
pub mod click;
pub(crate) mod declared;
pub mod nox;
pub mod typer;
