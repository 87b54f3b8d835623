//! What a user of the library has to build: without default features nothing of the command line and of the network.

use std::collections::BTreeSet;
use std::process::Command;

/// What the library alone must not need, with the feature that brings it.
const BANNED: &[(&str, &str)] = &[
    ("clap", "cli"),
    ("anstream", "cli"),
    ("rustyline", "cli"),
    ("rayon", "cli"),
    ("ureq", "fetch"),
    ("rustls", "fetch"),
    ("ring", "fetch"),
    ("cms", "eyaml"),
    ("aes", "eyaml"),
    ("gix", "git"),
    ("tokio", "serve"),
    ("axum", "serve"),
    ("hyper", "serve"),
    ("rusqlite", "sql"),
    ("libsqlite3-sys", "sql"),
    ("postgres", "sql"),
];

/// Lists the crates that `hierarch` is built of.
fn crates(flags: &[&str]) -> BTreeSet<String> {
    let root = xtask::tidy::repository();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "tree",
        "--offline",
        "--locked",
        "--package",
        "hierarch",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]);
    let output = cargo.args(flags).current_dir(root).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo prints UTF-8");
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_library_alone_needs_neither_a_command_line_nor_a_network() {
    let needed = crates(&["--no-default-features"]);
    assert!(needed.contains("hierarch-site"), "the list is not that of the library: {needed:?}");
    let found: Vec<_> = BANNED.iter().filter(|(name, _)| needed.contains(*name)).collect();
    assert!(found.is_empty(), "these belong behind a feature: {found:?}");
}

#[test]
fn each_feature_brings_what_it_is_for_and_nothing_else() {
    for feature in ["cli", "fetch", "eyaml", "git"] {
        let needed = crates(&["--no-default-features", "--features", feature]);
        for (name, owner) in
            BANNED.iter().filter(|(_, owner)| ["cli", "fetch", "eyaml", "git"].contains(owner))
        {
            assert_eq!(needed.contains(*name), *owner == feature, "{name} with the feature {feature}");
        }
    }
}
