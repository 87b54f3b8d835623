//! The documents: every command line in a block marked `console`, in README and `docs/`, is run and gives what is printed below it.
//!
//! ```text
//! $ hierarch lookup domain --node web01.berlin.example.com     a command; those of one page run in one copy of the example
//! example.com                                                  its output, both streams; `…` stands for any lines
//! [exit 2]                                                     its exit code, unless it is 0
//! ```
//!
//! Blocks marked `console jobs` are run by a build with the feature `jobs`. A block with a second word, as in `yaml site.yaml`, is a file of that name. `UPDATE_DOCS=1 cargo test -p hierarch --test documents` writes the
//! outputs anew. Blocks marked `sh` need what no test has (a remote
//! history, certificates, a network): of them the flags are checked.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::copy_folder;

/// One command of a document with the output that stands below it.
struct Example {
    /// The number of its line, from 0.
    line: usize,
    command: String,
    printed: Vec<String>,
}

/// Returns the examples in a document.
fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (line, words) in text.lines().enumerate() {
        if words.starts_with("```") {
            // A build without the feature has no such command.
            let is_run = words == "```console" || cfg!(feature = "jobs") && words == "```console jobs";
            inside = !inside && is_run;
        } else if !inside {
        } else if let Some(command) = words.strip_prefix("$ ") {
            found.push(Example { line, command: command.to_owned(), printed: Vec::new() });
        } else if let Some(example) = found.last_mut() {
            example.printed.push(words.to_owned());
        }
    }
    found
}

/// Writes the files that a document shows.
fn write_files(text: &str, folder: &Path) {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let words = line.strip_prefix("```").filter(|words| !words.starts_with("console"));
        let name = words.and_then(|words| words.split_once(' ')).map(|(_, name)| name);
        if line.starts_with("```") {
            let content: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            if let Some(name) = name {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
                fs::write(path, content.join("\n") + "\n").expect("a file");
            }
        }
    }
}

/// Runs a command as a shell would, the program's name standing for the one under test.
fn run(folder: &Path, command: &str) -> Vec<String> {
    let command = command.replace("cargo run --release -p hierarch -- ", "hierarch ");
    let script =
        format!("hierarch() {{ {:?} \"$@\"; }}; {{ {command}\n}} 2>&1", env!("CARGO_BIN_EXE_hierarch"));
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("HOME", folder)
        .env("GIT_AUTHOR_DATE", "2026-11-01T12:00:00Z")
        .env("GIT_COMMITTER_DATE", "2026-11-01T12:00:00Z")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).replace(&*folder.to_string_lossy(), "/control-repo");
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    match output.status.code() {
        Some(0) => {}
        code => lines.push(format!("[exit {}]", code.unwrap_or(-1))),
    }
    lines
}

/// Tells whether an output is the printed one, in which `…` stands for any lines.
fn fits(printed: &[String], output: &[String]) -> bool {
    match printed {
        [] => output.is_empty(),
        [first, rest @ ..] if first == "…" => {
            (0..=output.len()).any(|skipped| fits(rest, &output[skipped..]))
        }
        [first, rest @ ..] => output.first() == Some(first) && fits(rest, &output[1..]),
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns README and all pages of the guide.
fn documents() -> Vec<PathBuf> {
    let root = repository();
    let mut all = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("docs")).expect("there is a guide") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// Runs the examples of one document; returns its text with the present outputs, and what differed.
fn check(path: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(path).expect("it can be read");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut differences = Vec::new();
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy_folder(&repository().join("examples"), &folder.path().join("examples"));
    let start = if path.ends_with("README.md") {
        folder.path().into()
    } else {
        folder.path().join("examples/control-repo")
    };
    write_files(&text, &start);
    let mut outputs = Vec::new();
    for example in examples(&text) {
        let output = run(&start, &example.command);
        if !fits(&example.printed, &output) {
            differences.push(format!(
                "{}:{}: $ {}\nprinted:\n{}\nnow:\n{}\n",
                path.display(),
                example.line + 1,
                example.command,
                example.printed.join("\n"),
                output.join("\n"),
            ));
            outputs.push((example, output));
        }
    }
    for (example, output) in outputs.into_iter().rev() {
        let start = example.line + 1;
        lines.splice(start..start + example.printed.len(), output);
    }
    (lines.join("\n") + "\n", differences)
}

#[test]
fn every_command_in_the_documents_gives_what_they_print() {
    let mut all = Vec::new();
    for path in documents() {
        let (text, differences) = check(&path);
        if std::env::var_os("UPDATE_DOCS").is_some() && !differences.is_empty() {
            fs::write(&path, text).expect("it can be written");
        } else {
            all.extend(differences);
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Returns the lines of blocks marked `sh` that call the program.
fn commands_not_run(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside && line == "```sh";
        } else if inside && line.starts_with("hierarch ") {
            found.push(line);
        }
    }
    found
}

/// Returns the flags of a command that its help does not name; none of a command that is not there: all of them.
fn unknown_flags(command: &str) -> Vec<String> {
    let words: Vec<&str> =
        command.split_whitespace().skip(1).take_while(|word| !word.starts_with('>')).collect();
    let names: Vec<&str> = words.iter().copied().take_while(|word| !word.starts_with('-')).collect();
    let help = (1..=names.len().min(2)).rev().find_map(|count| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        let output = program.args(&names[..count]).arg("--help").output().expect("it starts");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    });
    let help = help.unwrap_or_default();
    let flags = words.iter().filter(|word| word.starts_with("--"));
    let unknown = flags.filter(|flag| !help.split([' ', ',', '=', '\n']).any(|word| word == **flag));
    let unknown: Vec<String> = unknown.map(|flag| (*flag).to_owned()).collect();
    if help.is_empty() { vec![names.join(" ")] } else { unknown }
}

#[test]
fn commands_that_are_not_run_have_flags_that_there_are() {
    let mut checked = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("it can be read");
        // A build without the feature has no such command.
        let is_built = |command: &&str| cfg!(feature = "jobs") || !command.starts_with("hierarch fleet ");
        for command in commands_not_run(&text).into_iter().filter(is_built) {
            assert_eq!(unknown_flags(command), Vec::<String>::new(), "{}: {command}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 3, "the documents have some such commands");
    assert_eq!(unknown_flags("hierarch lookup x --no-such-flag"), ["--no-such-flag"]);
    assert_eq!(unknown_flags("hierarch nothing"), ["nothing"]);
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    let mut broken = Vec::new();
    let others =
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "COMPATIBILITY.md"].map(|name| repository().join(name));
    for path in documents().into_iter().chain(others) {
        let text = fs::read_to_string(&path).expect("it can be read");
        for piece in text.split("](").skip(1) {
            let target = piece.split([')', '#']).next().unwrap_or_default();
            let outside = target.is_empty() || target.contains("://");
            if !outside && !path.parent().expect("it has one").join(target).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
