//! The worked examples of layered documents: every command in their pages is run and gives what is printed below it.
//!
//! `UPDATE_DOCS=1 cargo test -p hierarch --test worked_examples` writes the outputs anew.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{copy_folder, folder_of};

/// Runs a command as a shell would; the program's name stands for the one under test.
fn run(folder: &Path, command: &str) -> Vec<String> {
    let script =
        format!("hierarch() {{ {:?} \"$@\"; }}; {{ {command}\n}} 2>&1", env!("CARGO_BIN_EXE_hierarch"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder).stdin(Stdio::null());
    let output = shell.output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    if !output.status.success() {
        lines.push(format!("[exit {}]", output.status.code().unwrap_or(-1)));
    }
    lines
}

/// Returns a page with the outputs of its commands as they are now, and how many commands it has.
fn renewed(page: &str, folder: &Path) -> (String, usize) {
    let (mut text, mut count, mut inside) = (String::new(), 0, false);
    for line in page.lines() {
        let is_command = inside && line.starts_with("$ ");
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        } else if inside && !is_command {
            continue;
        }
        text.push_str(line);
        text.push('\n');
        if is_command {
            count += 1;
            run(folder, &line[2..]).iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
    }
    (text, count)
}

fn check(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let folder = folder_of(&[]);
    copy_folder(&source, folder.path());
    let page = fs::read_to_string(source.join("README.md")).expect("a page");
    let (text, count) = renewed(&page, folder.path());
    assert!(count > 2, "{name} has {count} commands");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(source.join("README.md"), text).expect("a page");
    } else {
        assert_eq!(text, page, "{name}");
    }
}

#[test]
fn kubernetes_overlays_without_kustomize() {
    check("kubernetes");
}

#[test]
fn compose_per_environment() {
    check("compose-environments");
}

#[test]
fn openapi_split_and_joined() {
    check("openapi");
}
