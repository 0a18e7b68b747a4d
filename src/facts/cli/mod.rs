//! Command lines by framework: commands and flags, read from their declarations.

pub mod annotated;
pub mod argparse;
pub mod autoconf;
pub mod c_options;
pub mod cac;
pub mod click;
pub mod commander;
pub mod compared;
pub(crate) mod declared;
mod fluent;
pub mod nox;
pub mod option_parser;
pub mod options_table;
pub mod parse_args;
pub mod typer;
pub mod yargs;
