//! Many files at once, and documents that are no files: what the system lets a program have open, and what a shell hands over.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{folder_of, program};

/// Runs a line of bash in a folder, in which `hierarch` is the program; returns its exit code, output and errors.
fn bash(folder: &Path, line: &str) -> (i32, String, String) {
    let line = format!("hierarch() {{ \"$HIERARCH\" \"$@\"; }}\n{line}");
    let run =
        Command::new("bash").args(["-c", &line]).current_dir(folder).env("HIERARCH", program()).output();
    let run = run.expect("bash");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code().unwrap_or(-1), text(&run.stdout), text(&run.stderr))
}

/// A folder with so many documents, each with a container to edit.
fn documents(count: usize) -> tempfile::TempDir {
    let names: Vec<String> = (0..count).map(|number| format!("many/{number}.yaml")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "c:\n- name: app\n  image: a:1  # one\n")).collect();
    folder_of(&files)
}

#[test]
fn a_save_of_many_files_takes_the_room_that_it_needs() {
    let folder = documents(200);
    let edit = "hierarch yaml set 'many/*.yaml' '/c/[name=app]/image' a:2";
    let (code, _, err) = bash(folder.path(), &format!("ulimit -Sn 100; {edit}"));
    assert_eq!(code, 0, "{err}");
    for number in 0..200 {
        let text = fs::read_to_string(folder.path().join(format!("many/{number}.yaml"))).expect("readable");
        assert_eq!(text, "c:\n- name: app\n  image: a:2  # one\n");
    }
    assert_eq!(fs::read_dir(folder.path().join("many")).expect("a folder").count(), 200, "no draft is left");
}

#[test]
fn a_save_without_room_writes_nothing_and_says_what_to_do() {
    let folder = documents(200);
    let edit = "hierarch yaml set 'many/*.yaml' '/c/[name=app]/image' a:2";
    let (code, _, err) = bash(folder.path(), &format!("ulimit -n 100; {edit}"));
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("Too many open files") && err.contains("nothing was written"), "{err}");
    assert!(err.contains("ulimit -n"), "{err}");
    for entry in fs::read_dir(folder.path().join("many")).expect("a folder") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("readable");
        assert_eq!(text, "c:\n- name: app\n  image: a:1  # one\n");
    }
}

#[test]
fn what_a_command_prints_is_a_document() {
    let folder = folder_of(&[("f.yaml", "a: 2\nb: 1\n"), ("inc.yaml", "x: 9\n"), ("t.j2", "{{ a }}!\n")]);
    for (line, wanted) in [
        ("hierarch yaml get <(echo a: 1) /a", "1\n"),
        ("hierarch yaml get /dev/stdin /a <<<'a: 3'", "3\n"),
        ("hierarch yaml get /dev/stdin /a < f.yaml", "2\n"),
        ("hierarch yaml merge <(echo a: 1) <(echo b: 2)", "a: 1\nb: 2\n"),
        ("hierarch yaml expand <(printf 'p:\\n  +include: inc.yaml\\n')", "p:\n  x: 9\n"),
        ("hierarch yaml diff <(printf 'a: 1\\nb: 1\\n') f.yaml; test $? = 2", "~ /a: 1 -> 2\n"),
        ("hierarch yaml set <(printf 'a: 1 # one\\n') /a 2", "a: 2 # one\n"),
        ("hierarch template <(echo 'x{{ a }}') --data <(echo a: 2)", "x2\n"),
        ("hierarch template <(echo '{% include \"t.j2\" %}') --data f.yaml", "2!\n"),
        ("hierarch query '.::a' --data <(echo a: 4)", "4\n"),
        ("hierarch yaml update f.yaml --to <(printf 'a: 5\\nb: 1\\n') --dry-run", "a: 5\nb: 1\n"),
    ] {
        let (code, out, err) = bash(folder.path(), line);
        assert_eq!((code, out.as_str()), (0, wanted), "{line}: {err}");
    }
}
