//! The `hierarch` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    hierarch::cli::main()
}
