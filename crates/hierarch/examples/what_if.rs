//! Asks what a change would do before it is made: an overlay over the files of a site. `cargo run --example what_if`.
#![allow(clippy::print_stdout, reason = "a program prints")]

use hierarch::{Files, MemoryFiles, Overlay, Result, Site, Value};

fn main() -> Result<()> {
    let files = MemoryFiles::from([
        ("hiera.yaml", "version: 5"),
        ("data/common.yaml", "port: 80\nurl: 'http://localhost:%{lookup(\"port\")}/'\n"),
    ]);
    let mut changed = Overlay::new(files.clone());
    changed.insert("data/common.yaml", "port: 8080\nurl: 'http://localhost:%{lookup(\"port\")}/'\n");
    println!("now:  {}", url(files)?);
    println!("then: {}", url(changed)?);
    Ok(())
}

fn url(files: impl Files + 'static) -> Result<Value> {
    Ok(Site::on(files).build().node("localhost")?.lookup("url")?.value)
}
