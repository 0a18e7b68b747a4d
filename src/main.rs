//! The `refdrift` program: parse, start the log, run, map the outcome to an exit code.

use std::process::ExitCode;

use clap::Parser;
use refdrift::cli::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    refdrift::app::start_log(cli.verbose);
    match refdrift::app::run(&cli) {
        Ok(refdrift::app::Outcome::Passed) => ExitCode::SUCCESS,
        Ok(refdrift::app::Outcome::Failed) => ExitCode::from(1),
        Err(error) => {
            refdrift::app::print_error(&error);
            ExitCode::from(2)
        }
    }
}
