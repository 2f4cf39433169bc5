//! Entry of the `udma` command.

use std::process::ExitCode;

use clap::Parser;
use udma_harness::cli::{Cli, run};

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            anstream::eprintln!("udma: {failure}");
            failure.exit_code()
        }
    }
}
