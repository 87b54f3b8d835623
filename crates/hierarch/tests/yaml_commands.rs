//! `hierarch yaml` as a user meets it: text, exit codes, what is written and what is not.

mod common;

use std::path::Path;
use std::process::Command;

use common::hierarch;

/// A folder with a document and a file that it includes.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder, "main.yaml", MAIN);
    write(&folder, "part.yaml", "port: 80\nhosts: [a, b]\n");
    folder
}

const MAIN: &str = "base: {x: 1}\nuse:\n  +/base:\n  y: 2  # own\nweb:\n  +include: part.yaml\n  name: www\nlist:\n- one\n- two\n";

fn write(folder: &tempfile::TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).expect("written");
}

fn read(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("readable")
}

/// Runs a command line, words apart by blanks; returns exit code, output and errors.
fn yaml(folder: &Path, line: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .arg("yaml")
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Runs a command that must succeed without a word on standard error; returns its output.
fn done(folder: &tempfile::TempDir, line: &str) -> String {
    let (code, out, err) = yaml(folder.path(), line);
    assert_eq!((code, err.as_str()), (0, ""), "{line}: {out}");
    out
}

/// Runs a command that must fail; returns what it says.
fn refused(folder: &tempfile::TempDir, line: &str) -> String {
    let (code, out, err) = yaml(folder.path(), line);
    assert_eq!((code, out.as_str()), (1, ""), "{line}: {err}");
    err
}

/// Runs a command whose place is not there; returns what it says.
fn nowhere(folder: &tempfile::TempDir, line: &str) -> String {
    let (code, out, err) = yaml(folder.path(), line);
    assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
    err
}

#[test]
fn a_document_is_expanded_asked_and_explained() {
    let folder = folder();
    assert_eq!(done(&folder, "get main.yaml /use --render-as json"), "{\n  \"y\": 2,\n  \"x\": 1\n}\n");
    assert_eq!(done(&folder, "get main.yaml /web/hosts/1 --render-as s"), "b\n");
    assert!(done(&folder, "expand main.yaml").contains("web:\n  name: www\n  port: 80\n"));
    let explained = done(&folder, "expand main.yaml --explain");
    let part = folder.path().canonicalize().expect("a path").join("part.yaml");
    let origin = format!("/web/port: 80\n  {}:1:7\n  through +include (main.yaml:6:3)\n", part.display());
    assert!(explained.contains(&origin), "{explained}");
}

#[test]
fn edits_change_their_lines_and_nothing_else() {
    for (line, old, new) in [
        ("set main.yaml /use/y 3", "  y: 2  # own\n", "  y: 3  # own\n"),
        ("set main.yaml /use/x 9", "  y: 2  # own\n", "  y: 2  # own\n  x: 9\n"),
        // What used the old value keeps it; `--into` lets it follow.
        (
            "set main.yaml /base/x 5",
            "{x: 1}\nuse:\n  +/base:\n  y: 2  # own\n",
            "{x: 5}\nuse:\n  +/base:\n  y: 2  # own\n  x: 1\n",
        ),
        ("set main.yaml /list/- three", "- two\n", "- two\n- three\n"),
        ("insert main.yaml /list/0 zero", "- one\n", "- zero\n- one\n"),
        ("insert main.yaml /use/z 3", "  y: 2  # own\n", "  y: 2  # own\n  z: 3\n"),
        ("rename main.yaml /use/y why", "  y: 2  # own\n", "  why: 2  # own\n"),
        ("rename main.yaml /list items", "list:\n", "items:\n"),
        ("delete main.yaml /list/0", "- one\n", ""),
        ("delete main.yaml /web/port", "  name: www\n", "  name: www\n  port:\n    +%: whiteout\n"),
        ("set main.yaml /use/y 3 /list/0 1", "  y: 2  # own\n", "  y: 3  # own\n"),
    ] {
        let folder = folder();
        let (code, out, err) = yaml(folder.path(), line);
        assert_eq!((code, out.as_str()), (0, ""), "{line}: {err}");
        let note = "Note: 1 user keeps the old value; see --into\n";
        assert_eq!(err, if line.contains("/base/x") { note } else { "" }, "{line}");
        let mut expected = MAIN.replace(old, new);
        if line.contains("/list/0 1") {
            expected = expected.replace("- one", "- 1");
        }
        assert_eq!(read(&folder, "main.yaml"), expected, "{line}");
        assert_eq!(read(&folder, "part.yaml"), "port: 80\nhosts: [a, b]\n");
    }
}

#[test]
fn plain_documents_may_be_anything_and_several() {
    let folder = folder();
    write(&folder, "many.yaml", "- +/x: 1 # first\n---\na: {b: 1}\n");
    assert_eq!(done(&folder, "get many.yaml /0 --plain --render-as json"), "{\n  \"+/x\": 1\n}\n");
    done(&folder, "set many.yaml /0/+~1x 2 /1 new --plain");
    done(&folder, "set many.yaml /a/b 5 /a/c 6 --plain --document 1");
    done(&folder, "rename many.yaml /a z --plain --document 1");
    assert_eq!(read(&folder, "many.yaml"), "- +/x: 2 # first\n- new\n---\nz: {b: 5, c: 6}\n");
    assert!(refused(&folder, "get many.yaml /a --plain --document 2").contains("has 2 documents"));
}

#[test]
fn standard_input_is_a_document_like_any_other() {
    let folder = folder();
    let run = |line: &str, input: &str| {
        let line: Vec<&str> = std::iter::once("yaml").chain(line.split(' ')).collect();
        let run = hierarch(folder.path(), &line, input);
        (run.code, run.out)
    };
    assert_eq!(run("get - /use/x --render-as s", MAIN), (0, "1\n".to_owned()));
    assert_eq!(run("get - /web/port", MAIN), (0, "80\n".to_owned()));
    assert_eq!(run("get - /b --plain", "b: 1"), (0, "1\n".to_owned()));
    assert_eq!(run("expand - --render-as json", "a: 1"), (0, "{\n  \"a\": 1\n}\n".to_owned()));
    assert_eq!(run("set - /use/y 3", MAIN), (0, MAIN.replace("y: 2", "y: 3")));
    assert_eq!(run("set - /a 2 --plain", "a: 1"), (0, "a: 2".to_owned()));
    assert_eq!(run("set - /a 2", ""), (0, "a: 2\n".to_owned()));
    assert_eq!(run("rename - /list items", MAIN), (0, MAIN.replace("list:", "items:")));
    assert_eq!(run("delete - /list/0", MAIN), (0, MAIN.replace("- one\n", "")));
    assert_eq!(run("diff - main.yaml", MAIN), (0, String::new()));
    assert_eq!(run("diff main.yaml -", "a: 1").0, 2);
    assert_eq!(run("update main.yaml --to - --dry-run", "a: 1\n"), (0, "a: 1\n".to_owned()));
    assert_eq!(read(&folder, "main.yaml"), MAIN);
}

#[test]
fn values_can_be_given_as_they_stand() {
    let folder = folder();
    write(&folder, "text.txt", "[not, yaml\n");
    done(&folder, "set main.yaml /use/y 3 --string");
    done(&folder, "insert main.yaml /use/z text.txt --from-file");
    done(&folder, "set main.yaml /list/0 0755 --string --plain");
    assert_eq!(done(&folder, "get main.yaml /use/y --render-as json"), "\"3\"\n");
    assert_eq!(done(&folder, "get main.yaml /use/z --render-as json"), "\"[not, yaml\\n\"\n");
    assert_eq!(done(&folder, "get main.yaml /list/0 --render-as json"), "\"0755\"\n");
}

#[test]
fn missing_parents_are_made_when_asked_for() {
    for plain in ["", " --plain"] {
        let folder = folder();
        assert!(
            nowhere(&folder, &format!("set main.yaml /new/a/b 1{plain}")).contains("nothing at /new/a/b")
        );
        done(&folder, &format!("set main.yaml /new/a/b 1 /new/a/c 2 --parents{plain}"));
        done(&folder, &format!("insert main.yaml /use/deep/x [] --parents{plain}"));
        let expected = MAIN.replace("y: 2  # own\n", "y: 2  # own\n  deep:\n    x: []\n");
        assert_eq!(read(&folder, "main.yaml"), expected + "new:\n  a:\n    b: 1\n    c: 2\n");
        assert!(
            nowhere(&folder, &format!("set main.yaml /use/y/z 1 --parents{plain}")).contains("nothing at")
        );
    }
    let folder = folder();
    write(&folder, "main.yaml", "a:\nb: 1\n");
    done(&folder, "set main.yaml /a/x 1 --parents");
    assert_eq!(read(&folder, "main.yaml"), "a:\n  x: 1\nb: 1\n");
}

#[test]
fn no_match_is_not_a_failure() {
    let folder = folder();
    for (line, code) in [
        ("get main.yaml /bise/x", 2),
        ("get main.yaml /bise/x --plain", 2),
        ("get main.yaml /use/z", 2),
        ("get main.yaml /list/7", 2),
        ("get none.yaml /x", 1),
        ("set main.yaml /bise/x 1", 2),
        ("set main.yaml /bise/x 1 --plain", 2),
        ("set main.yaml /bise/x 1 --dry-run", 2),
        ("set main.yaml /bise/x 1 --diff", 2),
        ("set main.yaml /bise/[a=1]/x 1 --diff", 2),
        ("insert main.yaml /bise/x 1", 2),
        ("rename main.yaml /bise x", 2),
        ("rename main.yaml /bise x --plain", 2),
        ("delete main.yaml /bise", 2),
        ("delete main.yaml /bise --plain", 2),
        ("delete main.yaml /bise --into", 2),
        ("rename main.yaml /use base", 1),
        ("get main.yaml x", 1),
    ] {
        let (found, out, err) = yaml(folder.path(), line);
        assert_eq!((found, out.as_str()), (code, ""), "{line}: {err}");
    }
    let (_, _, err) = yaml(folder.path(), "set main.yaml /bise/x 1");
    assert!(err.contains("there is nothing at /bise/x (file: main.yaml, line: 1, column: 1)"), "{err}");
    assert!(err.contains("did you mean /base?"), "{err}");
    let (_, _, err) = yaml(folder.path(), "set main.yaml /use/y/z 1 --plain");
    assert!(err.contains("there is nothing at /use/y/z (file: main.yaml, line: 4, column: 6)"), "{err}");
    for command in ["expand", "get", "set", "insert", "rename", "delete", "update", "diff"] {
        assert!(done(&folder, &format!("{command} --help")).contains("Exit codes:\n  0"), "{command}");
    }
}

#[test]
fn an_update_writes_what_differs_and_nothing_else() {
    let old = "# top\na:   0x1F\n200:   [ 1,2 ]\nb: &b {x: 1}\nuse: {<<: *b}\nc: yes # beside";
    for (new, expected) in [
        (r#"{"a":31,"200":[1,2],"b":{"x":1},"use":{"x":1},"c":"yes"}"#, old.to_owned()),
        (r#"{"c":"yes","use":{"x":1},"a":31,"b":{"x":1},"200":[1,2]}"#, old.to_owned()),
        (r#"{"a":31,"200":[1,3],"b":{"x":1},"use":{"x":1},"c":"yes"}"#, old.replace("1,2", "1,3")),
    ] {
        for plain in [" --plain", ""] {
            let folder = folder();
            write(&folder, "main.yaml", old);
            write(&folder, "new.json", new);
            done(&folder, &format!("update main.yaml --to new.json{plain}"));
            assert_eq!(read(&folder, "main.yaml"), expected, "{new}{plain}");
        }
    }
}

#[test]
fn merge_keys_are_seen_through_by_get() {
    let folder = folder();
    write(&folder, "m.yaml", "base: &b {p: 1, q: {r: [7]}}\nx: {<<: *b}\ny: *b\n");
    for (path, value) in [("/x/p", "1\n"), ("/x/q/r/0", "7\n"), ("/y/q/r/0", "7\n"), ("/x/q", "r:\n- 7\n")] {
        assert_eq!(done(&folder, &format!("get m.yaml {path} --plain")), value);
    }
}

#[test]
fn a_file_without_a_last_newline_stays_one() {
    for (old, line, new) in [
        ("a: 1", "set main.yaml /a 2", "a: 2"),
        ("a: 1", "set main.yaml /a \"x\\ny\\n\"", "a: |\n  x\n  y\n"),
        ("a: 1", "set main.yaml /a \"x\\ny\"", "a: |-\n  x\n  y"),
        ("b: m  \n", "set main.yaml /b \"x\\ny\\n\"", "b: |\n  x\n  y\n"),
        ("b: m  \n", "set main.yaml /b [1]", "b:\n- 1\n"),
        ("b: m  \n\nc: 1\n", "set main.yaml /b \"x\\ny\\n\"", "b: |\n  x\n  y\n\nc: 1\n"),
        ("- m  \n\n- 1\n", "set main.yaml /0 \"x\\ny\\n\"", "- |\n  x\n  y\n\n- 1\n"),
        ("a:\n  b: m", "set main.yaml /a/b \"x\\ny\\n\"", "a:\n  b: |\n    x\n    y\n"),
    ] {
        for plain in ["", " --plain"] {
            if plain.is_empty() && old.starts_with('-') {
                continue;
            }
            let folder = folder();
            write(&folder, "main.yaml", old);
            assert_eq!(done(&folder, &format!("{line}{plain} --dry-run")), new, "{old} {line}{plain}");
            done(&folder, &format!("{line}{plain}"));
            assert_eq!(read(&folder, "main.yaml"), new, "{old} {line}{plain}");
        }
    }
}

#[test]
fn what_is_in_the_way_is_pointed_at() {
    let folder = folder();
    write(&folder, "main.yaml", "spec:\n  replicas: 1\n  template:\n    x: 1\n");
    for line in ["rename main.yaml /spec/replicas template", "insert main.yaml /spec/template 1"] {
        let err = refused(&folder, line);
        assert!(err.contains("(file: main.yaml, line: 3, column: 3)"), "{line}: {err}");
    }
}

#[test]
fn thousands_of_places_are_edited_in_one_go() {
    let folder = folder();
    let list = format!("l: [{}]\n", vec!["{b: 1}"; 20_000].join(", "));
    write(&folder, "main.yaml", &list);
    assert_eq!(done(&folder, "set main.yaml /l/*/b 2 --dry-run"), list.replace("b: 1", "b: 2"));
    assert_eq!(done(&folder, "rename main.yaml /l/*/b c --dry-run"), list.replace("b: 1", "c: 1"));
    assert_eq!(done(&folder, "delete main.yaml /l/*/b --dry-run"), list.replace("{b: 1}", "{}"));
    assert_eq!(done(&folder, "delete main.yaml /l/* --dry-run"), "l: []\n");
    let map: String = (0..20_000).map(|number| format!("k{number}: {{b: 1}}\n")).collect();
    write(&folder, "main.yaml", &map);
    assert_eq!(done(&folder, "set main.yaml /*/b 2 --dry-run"), map.replace("b: 1", "b: 2"));
    assert_eq!(done(&folder, "rename main.yaml /*/b c --dry-run"), map.replace("b: 1", "c: 1"));
}

#[test]
fn places_inside_each_other_are_edited_from_within() {
    let folder = folder();
    for (line, old, new) in [
        ("rename main.yaml /**/a b", "a: {a: {x: 1}}\n", "b: {b: {x: 1}}\n"),
        ("delete main.yaml /**/a", "a: {a: 1}\nc: {a: 1}\n", "c: {}\n"),
        ("set main.yaml /**/a 2", "a: {a: 1}\nc: [{a: 1}, 7]\n", "a: 2\nc: [{a: 2}, 7]\n"),
        ("insert main.yaml /l/* 0", "l: [1, 2]\n", "l: [0, 1, 0, 2]\n"),
        ("delete main.yaml /l/1:3", "l: [0, 1, 2, 3]\n", "l: [0, 3]\n"),
    ] {
        write(&folder, "main.yaml", old);
        assert_eq!(done(&folder, &format!("{line} --dry-run")), new, "{line}");
    }
}

#[test]
fn what_is_not_there_is_told_as_what_it_is() {
    let folder = folder();
    write(&folder, "p.yaml", "ports: [{name: web, port: 80}, {name: x}]\n");
    let found = done(&folder, "get p.yaml /ports/[?{{port>79}}]");
    assert!(found.contains("name: web") && !found.contains("name: x"), "{found}");
    assert!(
        nowhere(&folder, "set p.yaml /a 1 --document kind=Nope").contains("p.yaml has no document kind=Nope")
    );
    assert!(nowhere(&folder, "set p.yaml /ports/5 1").contains("a list grows at its end"));
    write(&folder, "u.yaml", "d: &d {cpu: 1}\na:\n  <<: *d\nb: *d\n");
    for flag in ["--diff", "--dry-run"] {
        let (code, _, err) = yaml(folder.path(), &format!("set u.yaml /d/cpu 9 {flag}"));
        assert!(code == 0 && err.contains("users keep the old value"), "{flag}: {err}");
    }
}

#[test]
fn several_edits_are_all_made_or_none() {
    let folder = folder();
    assert!(nowhere(&folder, "set main.yaml /use/y 3 /no/where 4").contains("there is nothing at /no/where"));
    assert!(nowhere(&folder, "delete main.yaml /list/0 /list/7").contains("there is nothing at /list/7"));
    assert!(refused(&folder, "insert main.yaml /use/y 3").contains("there is something at /use/y already"));
    assert!(refused(&folder, "rename main.yaml /use/y x").contains("there is something at x already"));
    assert_eq!(read(&folder, "main.yaml"), MAIN);
}

#[test]
fn into_changes_the_file_that_defines_the_value() {
    let folder = self::folder();
    done(&folder, "set main.yaml /use/x 2 --into");
    assert_eq!(read(&folder, "main.yaml"), MAIN.replace("{x: 1}", "{x: 2}"));
    for (line, new) in [
        ("set main.yaml /web/port 8080 --into", "port: 8080\nhosts: [a, b]\n"),
        ("delete main.yaml /web/hosts/0 --into", "port: 80\nhosts: [b]\n"),
        ("insert main.yaml /web/hosts/1 c --into", "port: 80\nhosts: [a, c, b]\n"),
        ("rename main.yaml /web/port listen --into", "listen: 80\nhosts: [a, b]\n"),
    ] {
        let folder = self::folder();
        done(&folder, line);
        assert_eq!(
            (read(&folder, "main.yaml").as_str(), read(&folder, "part.yaml").as_str()),
            (MAIN, new),
            "{line}"
        );
    }
}

#[test]
fn update_restores_the_directives() {
    let folder = folder();
    let expanded = done(&folder, "expand main.yaml --render-as json").replace("80", "81");
    write(&folder, "new.json", &expanded);
    done(&folder, "update main.yaml --to new.json");
    assert_eq!(read(&folder, "main.yaml"), MAIN.replace("  name: www\n", "  name: www\n  port: 81\n"));
    write(&folder, "main.yaml", MAIN);
    done(&folder, "update main.yaml --to new.json --into");
    assert_eq!(read(&folder, "part.yaml"), "port: 81\nhosts: [a, b]\n");
}

#[test]
fn a_dry_run_shows_and_does_not_write() {
    let folder = folder();
    assert_eq!(done(&folder, "set main.yaml /use/y 3 --dry-run"), MAIN.replace("y: 2", "y: 3"));
    assert_eq!(read(&folder, "main.yaml"), MAIN);
}

#[test]
fn differences_are_those_of_the_expansions() {
    let folder = folder();
    write(&folder, "other.yaml", &MAIN.replace("x: 1", "x: 2").replace("- two\n", ""));
    let (code, out, _) = yaml(folder.path(), "diff main.yaml other.yaml");
    assert_eq!(
        (code, out.as_str()),
        (2, "~ /base/x: 1 -> 2\n~ /use/x: 1 -> 2\n~ /list: [one, two] -> [one]\n")
    );
    assert_eq!(done(&folder, "diff main.yaml main.yaml"), "");
}

#[test]
fn layout_line_ends_and_the_byte_order_mark_stay() {
    for (old, line, new) in [
        ("a: 1\r\nb: 2\r\n", "set main.yaml /c 3", "a: 1\r\nb: 2\r\nc: 3\r\n"),
        ("a: 1\r\nb: 2\r\n", "set main.yaml /a x", "a: x\r\nb: 2\r\n"),
        ("\u{feff}a: 1\n", "set main.yaml /a 2", "\u{feff}a: 2\n"),
        (
            "{\n    \"a\": [1,2],\n    \"b\": {\"c\":null}\n}",
            "set main.yaml /a/- 3",
            "{\n    \"a\": [1,2,3],\n    \"b\": {\"c\":null}\n}",
        ),
        (
            "{\n  \"a\": 1\n}\n",
            "set main.yaml /b {x: [yes]}",
            "{\n  \"a\": 1,\n  \"b\": {\"x\": [\"yes\"]}\n}\n",
        ),
    ] {
        let folder = folder();
        write(&folder, "main.yaml", old);
        let line: Vec<&str> = line.splitn(4, ' ').collect();
        let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
            .arg("yaml")
            .args(&line)
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(read(&folder, "main.yaml"), new, "{line:?}");
    }
}

#[cfg(unix)]
#[test]
fn mode_and_link_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let file = folder.path().join("main.yaml");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("a mode");
    symlink("main.yaml", folder.path().join("link.yaml")).expect("a link");
    done(&folder, "set link.yaml /use/y 3");
    assert!(folder.path().join("link.yaml").is_symlink());
    let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!((mode & 0o777, read(&folder, "main.yaml")), (0o640, MAIN.replace("y: 2", "y: 3")));
}

#[test]
fn includes_stay_below_the_root_unless_allowed() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    write(&folder, "sub/main.yaml", "a: {+include: ../part.yaml}\n");
    let inner = folder.path().join("sub");
    let (code, _, err) = yaml(&inner, "expand main.yaml");
    assert_eq!(code, 1);
    assert!(err.contains("it lies outside") && err.contains("--root DIR or --allow DIR"), "{err}");
    for flag in ["--root ..", "--allow .."] {
        assert_eq!(yaml(&inner, &format!("get main.yaml /a/port {flag}")).1, "80\n");
    }
    write(&folder, "main.yaml", "a: {+include: 'http://127.0.0.1:1/x'}\n");
    assert!(refused(&folder, "expand main.yaml").contains("allow it with --allow-remote"));
}

#[test]
fn limits_can_be_set() {
    let folder = folder();
    assert!(refused(&folder, "expand main.yaml --max-values 5").contains("more than 5 values"));
    assert!(refused(&folder, "expand main.yaml --max-bytes 10").contains("large"));
}

#[test]
fn an_error_shows_its_line_and_the_way_to_it() {
    let folder = folder();
    write(&folder, "part.yaml", "deep:\n  +/nowhere:\n");
    let err = refused(&folder, "expand main.yaml");
    for part in [
        "missing includes: ['+/nowhere:']",
        "part.yaml, line: 2, column: 3",
        "+/nowhere:\n",
        "used through +include (main.yaml:6:3)",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
}

#[test]
fn what_is_set_in_a_file_without_content_is_written_behind_its_comments() {
    let folder = folder();
    let filled = [
        ("", "a:\n  b: 1\nc: 2\n"),
        ("# why\r\n", "# why\r\na:\r\n  b: 1\r\nc: 2\r\n"),
        ("---\n# why", "---\n# why\na:\n  b: 1\nc: 2\n"),
    ];
    for (old, new) in filled {
        for option in ["", " --plain"] {
            write(&folder, "blank.yaml", old);
            done(&folder, &format!("set{option} blank.yaml /a {{b:1}} /c 2").replace("b:1", "\"b\":1"));
            assert_eq!(read(&folder, "blank.yaml"), new, "{old:?}{option}");
        }
    }
    write(&folder, "blank.json", "");
    done(&folder, "set blank.json /a 1");
    assert_eq!(read(&folder, "blank.json"), "{\n  \"a\": 1\n}\n");
    write(&folder, "blank.yaml", "# why\n");
    assert!(nowhere(&folder, "delete blank.yaml /a").contains("there is nothing at /a"));
    assert!(refused(&folder, "set blank.yaml /+include x").contains("directives"));
    assert!(refused(&folder, "get blank.yaml /a").contains("the document is empty"));
}
