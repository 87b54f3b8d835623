//! Expands the merge directives of a document: `cargo run --example expand`.
#![allow(clippy::print_stdout, reason = "a program prints")]

use std::path::Path;

use hierarch::compose::{Access, Document};
use hierarch::yaml::{Dialect, Layout, document};
use hierarch::{MemoryFiles, Result};

fn main() -> Result<()> {
    let files = MemoryFiles::from([
        (
            "main.yaml",
            "defaults: &d {port: 80, tls: false}\nweb:\n  +*d:\n  tls: true\n+include: more.yaml\n",
        ),
        ("more.yaml", "db: {port: 5432}\n"),
    ]);
    let access = Access::default();
    let expanded = Document::open(&files, Path::new("main.yaml"), &access)?.data();
    print!("{}", document(&expanded, &Layout { dialect: Dialect::Core, ..Layout::default() }));
    Ok(())
}
