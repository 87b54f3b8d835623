//! Compiles the catalog of a node and lists its resources: `cargo run --example compile -- FOLDER NODE`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints")]

use std::env;
use std::process::ExitCode;

use hierarch::{Catalog, Result, Site};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, node] = arguments.as_slice() else {
        eprintln!("compile FOLDER NODE");
        return ExitCode::FAILURE;
    };
    match compile(folder, node) {
        Ok(catalog) => catalog.resources.iter().for_each(|resource| println!("{resource}")),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn compile(folder: &str, node: &str) -> Result<Catalog> {
    Site::open(folder)?.node(node)?.compile()
}
