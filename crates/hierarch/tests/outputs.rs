//! Where output goes, with every command: a reader who has seen enough ends it quietly, a standard output that is closed
//! or full is an error.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::folder_of;

/// What a shell sees of a program that a closed pipe ended.
const CLOSED_PIPE: i32 = 141;

/// Command lines that print, in the folder below.
const PRINTING: &[&str] = &[
    "lookup a --node n",
    "lookup a --node n --explain",
    "lookup a --node n --origin",
    "lookup a --node n --compile",
    "dump --node n",
    "dump --node n --render-as jsonl --origin",
    "values a",
    "where true",
    "set a 2 --node n --dry-run",
    "set a 2 --node n",
    "hiera convert old.yaml",
    "eyaml encrypt -s x",
    "eyaml decrypt -s x",
    "eyaml version",
    "parser dump -e 1",
    "parser validate -e 1+ --format json",
    "epp render -e x",
    "epp dump -e x",
    "eval -e 1",
    "eval --json -e 1",
    "doc length",
    "doc",
    "catalog compile n",
    "catalog diff one.json other.json",
    "doctor",
    "query .::a --data main.yaml",
    "template -e x",
    "yaml expand main.yaml",
    "yaml get main.yaml /a",
    "yaml diff main.yaml other.yaml",
    "yaml set main.yaml /a 2 --dry-run",
    "yaml keys kubernetes",
    "yaml lint main.yaml --format json",
    "yaml merge main.yaml other.yaml",
    "completions bash",
    "--help",
    "--version",
    "help",
];

fn repository() -> tempfile::TempDir {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\n"),
        ("old.yaml", "---\n:backends: yaml\n"),
        ("data/common.yaml", "a: 1\n"),
        ("facts/n.yaml", "role: web\n"),
        ("manifests/site.pp", "notify { 'x': }\n"),
        ("modules/m/lib/puppet/functions/m.rb", "Puppet::Functions.create_function(:m) { }\n"),
        ("main.yaml", "a: 1\nbase: {x: 1}\nuse: {+/base: }\n"),
        ("other.yaml", "a: 2\n"),
        ("one.json", "{\"resources\": [], \"edges\": [], \"classes\": []}"),
        ("other.json", "{\"resources\": [], \"edges\": [], \"classes\": [\"c\"]}"),
    ]);
    assert_eq!(
        common::hierarch(folder.path(), &["eyaml", "createkeys", "--pkcs7-keysize", "1024"], "").code,
        0
    );
    folder
}

/// Every subcommand, as the manual has a page of it, asked for its help.
fn helps(folder: &Path) -> Vec<String> {
    let pages = folder.join("pages");
    assert_eq!(common::hierarch(folder, &["manual", "pages"], "").code, 0);
    let names = std::fs::read_dir(pages).expect("pages").map(|page| page.expect("a page").file_name());
    let names = names.map(|name| name.to_string_lossy().trim_end_matches(".1").replace('-', " "));
    let mut helps: Vec<String> =
        names.filter_map(|name| Some(format!("{} --help", name.strip_prefix("hierarch ")?))).collect();
    helps.sort();
    assert!(helps.len() > 40, "{helps:?}");
    helps
}

fn every_command(folder: &Path) -> Vec<String> {
    let printing = PRINTING.iter().map(|line| (*line).to_owned());
    printing.chain(helps(folder)).collect()
}

fn run(folder: &Path, script: &str, line: &str, out: Stdio) -> Output {
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_hierarch")).args(line.split(' '));
    command.current_dir(folder).env("HOME", folder).stdin(Stdio::null()).stdout(out).stderr(Stdio::piped());
    command.spawn().expect("it starts").wait_with_output().expect("it ends")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_reader_who_has_seen_enough_ends_every_command_quietly() {
    let (folder, mut wrong) = (repository(), Vec::new());
    for line in every_command(folder.path()) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = run(folder.path(), "exec \"$0\" \"$@\"", &line, writer.into());
        let complains = ["rite", "ipe", "panicked"].iter().any(|word| said(&output).contains(word));
        if complains || output.status.code() != Some(CLOSED_PIPE) {
            wrong.push(format!("{line}: {} {}", output.status, said(&output)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_closed_standard_output_is_an_error_of_every_command() {
    let folder = repository();
    for line in every_command(folder.path()) {
        for script in
            ["exec \"$0\" \"$@\" >&-", "exec \"$0\" \"$@\" <&- >&-", "exec \"$0\" \"$@\" 1</dev/null"]
        {
            let output = run(folder.path(), script, &line, Stdio::inherit());
            assert_eq!(output.status.code(), Some(1), "{script} {line}: {}", said(&output));
            assert!(
                said(&output).contains("standard output is closed"),
                "{script} {line}: {}",
                said(&output)
            );
        }
    }
    let data = std::fs::read_to_string(folder.path().join("data/common.yaml")).expect("readable");
    assert_eq!(data, "a: 1\n", "nothing was done");
}

#[test]
fn output_that_is_thrown_away_is_no_error() {
    let folder = repository();
    for script in ["exec \"$0\" \"$@\" >/dev/null", "exec \"$0\" \"$@\" 1<>/dev/null"] {
        let output = run(folder.path(), script, "eval -e 1", Stdio::inherit());
        assert_eq!(output.status.code(), Some(0), "{script}: {}", said(&output));
    }
}

#[test]
fn a_full_standard_output_is_an_error_of_every_command() {
    if !Path::new("/dev/full").exists() {
        return; // Only Linux has it.
    }
    let (folder, mut wrong) = (repository(), Vec::new());
    for line in every_command(folder.path()) {
        let output = run(folder.path(), "exec \"$0\" \"$@\" >/dev/full", &line, Stdio::inherit());
        if output.status.code() != Some(1) || !said(&output).contains("Could not write") {
            wrong.push(format!("{line}: {} {}", output.status, said(&output)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
