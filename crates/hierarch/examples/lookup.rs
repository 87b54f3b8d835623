//! Looks a key up in a control repository: `cargo run --example lookup -- FOLDER NODE KEY [FACTS]`.
//!
//! With the repository in `examples`: `… -- examples/control-repo web01.berlin.example.com profile::web::port
//! examples/control-repo/facts`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints")]

use std::env;
use std::process::ExitCode;

use hierarch::{DiskFiles, FactsFolder, Result, Root, Site, Value};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, node, key, facts @ ..] = arguments.as_slice() else {
        eprintln!("lookup FOLDER NODE KEY [FACTS]");
        return ExitCode::FAILURE;
    };
    match lookup(folder, node, key, facts.first()) {
        Ok(value) => println!("{}", value.to_yaml()),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn lookup(folder: &str, node: &str, key: &str, facts: Option<&String>) -> Result<Value> {
    let site = Site::on(DiskFiles).with_root(Root::Repository(folder.to_owned()));
    let site = match facts {
        Some(facts) => site.with_nodes(FactsFolder(facts.into())),
        None => site,
    };
    Ok(site.build().node(node)?.lookup(key)?.value)
}
