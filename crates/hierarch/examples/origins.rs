//! Shows where each part of a merged value stands, without a disk: `cargo run --example origins`.
#![allow(clippy::print_stdout, reason = "a program prints")]

use hierarch::{KnownNodes, MemoryFiles, Result, Site};

const HIERARCHY: &str = "version: 5
hierarchy:
  - {name: role, path: 'roles/%{role}.yaml'}
  - {name: all, path: common.yaml}
";
const WEB: &str = "vhosts:\n  www: {port: 443}\n";
const COMMON: &str = "lookup_options:\n  vhosts: {merge: deep}\nvhosts:\n  www: {port: 80, root: /srv/www}\n";

fn main() -> Result<()> {
    let files = MemoryFiles::from([
        ("hiera.yaml", HIERARCHY),
        ("data/roles/web.yaml", WEB),
        ("data/common.yaml", COMMON),
    ]);
    let site = Site::on(files).with_nodes(KnownNodes::from([("web01", [("role", "web")])])).build();
    let answer = site.node("web01")?.trace("vhosts")?;
    for leaf in answer.leaves() {
        let path: Vec<String> = leaf.path.iter().map(ToString::to_string).collect();
        let origin = leaf.origin.map_or_else(|| "nowhere".to_owned(), ToString::to_string);
        println!("{} = {} from {origin}", path.join("."), leaf.value);
        for hidden in leaf.hides {
            println!("    hides {}", hidden.value);
        }
    }
    Ok(())
}
