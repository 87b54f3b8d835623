//! `hierarch yaml`: edits leave the words of every other value as they are, and write those of new ones as they were given.

mod common;

use std::fs;

use common::{folder_of, hierarch};

/// Runs an edit of `f.yaml`; returns the exit code, the text afterwards and what was said.
fn edited(files: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let folder = folder_of(files);
    let mut words = vec!["yaml", arguments[0], "f.yaml"];
    words.extend(&arguments[1..]);
    let run = hierarch(folder.path(), &words, "");
    (run.code, fs::read_to_string(folder.path().join("f.yaml")).expect("a file"), run.err)
}

fn check(text: &str, arguments: &[&str], expected: &str) {
    let (code, after, err) = edited(&[("f.yaml", text)], arguments);
    assert_eq!((code, after.as_str()), (0, expected), "{arguments:?} {err}");
}

const ANCHORED: &str =
    "base: &b\n  mode: 0644 # oct\n  ver: 1.10\n  on: yes\n  t: !Ref x\n  m: !M {a: 1}\n  k: 1\n";

#[test]
fn what_is_written_out_keeps_tags_and_spellings() {
    let written = "  mode: 0644\n  ver: 1.10\n  on: yes\n  t: !Ref x\n  m: !M\n    a: 1\n";
    let alias = format!("{ANCHORED}use: *b\n");
    check(&alias, &["set", "/use/k", "2"], &format!("{ANCHORED}use:\n{written}  k: 2\n"));
    check(&alias, &["delete", "/base"], &format!("use:\n{written}  k: 1\n"));
    let merged = format!("{ANCHORED}use:\n  <<: *b\n  own: 1\n");
    let (code, after, err) = edited(&[("f.yaml", &merged)], &["delete", "/use/k"]);
    assert_eq!(code, 0, "{err}");
    for (words, count) in [
        ("mode: 0644", 2),
        ("ver: 1.10\n", 2),
        ("on: yes\n", 2),
        ("t: !Ref x\n", 2),
        ("m: !M", 2),
        ("own: 1\n", 1),
    ] {
        assert_eq!(after.matches(words).count(), count, "{words} in {after}");
    }
}

#[test]
fn a_secret_that_only_a_key_could_open_is_copied_as_it_stands() {
    let secret = "  p: !vault |\n    $ANSIBLE_VAULT;1.1;AES256\n    6231\n";
    let text = format!("base: &b\n{secret}  k: 1\nuse: *b\n");
    check(&text, &["set", "/use/k", "2"], &format!("base: &b\n{secret}  k: 1\nuse:\n{secret}  k: 2\n"));
    check(&text, &["delete", "/base"], &format!("use:\n{secret}  k: 1\n"));
    let (code, after, err) =
        edited(&[("f.yaml", &format!("base: &b\n{secret}  k: 1\nuse:\n  <<: *b\n"))], &["delete", "/use/k"]);
    assert_eq!((code, after.matches("6231").count()), (0, 2), "{after} {err}");
}

#[test]
fn users_of_a_value_keep_its_old_words() {
    let text = "d: {mode: 0644, l: [a, 0644]}\nx:\n  +/d:\n  own: 1\n";
    check(
        text,
        &["set", "/d/mode", "0600"],
        "d: {mode: 0600, l: [a, 0644]}\nx:\n  +/d:\n  own: 1\n  mode: 0644\n",
    );
    check(text, &["set", "/x/l/0", "b"], &format!("{text}  l:\n  - +%: replace\n  - b\n  - 0644\n"));
    check(text, &["set", "/x/l/1", "0600"], &format!("{text}  l:\n  - +%: replace\n  - a\n  - 0600\n"));
    // The value is the same, its words are not: whoever uses it keeps the old ones.
    check(
        text,
        &["set", "/d/mode", "644"],
        "d: {mode: 644, l: [a, 0644]}\nx:\n  +/d:\n  own: 1\n  mode: 0644\n",
    );
}

#[test]
fn words_go_to_where_a_value_is_defined() {
    let text = "d: {mode: 0644, l: [a, 0644]}\nx:\n  +/d:\n";
    for (path, value, expected) in [
        ("/x/mode", "0600", text.replacen("0644", "0600", 1)),
        ("/x/mode", "1.10", text.replacen("0644", "1.10", 1)),
        ("/x/l/1", "0600", text.replace("a, 0644", "a, 0600")),
        ("/x/l/-", "1.10", text.replace("0644]", "0644, 1.10]")),
        ("/x/l/0", "!Ref b", text.replace("[a", "[!Ref b")),
        ("/x/mode", "\"yes\"", text.replacen("0644", "'yes'", 1)),
    ] {
        check(text, &["set", path, value, "--into"], &expected);
    }
}

#[test]
fn what_an_include_brings_is_given_other_words() {
    let base = "v: 1.1\nw: yes\nt: !Ref a\nl: [!Ref a, b]\n";
    for (arguments, expected) in [
        (&["set", "/v", "1.10"][..], "+include: b.yaml\nv: 1.10\n"),
        (&["set", "/w", "\"yes\""], "+include: b.yaml\nw: \"yes\"\n"),
        (&["set", "/t", "!GetAtt a"], "+include: b.yaml\nt: !GetAtt a\n"),
        (&["set", "/v", "1.1"], "+include: b.yaml\n"),
        (&["set", "/t", "a"], "+include: b.yaml\n"),
    ] {
        let (code, after, err) = edited(&[("f.yaml", "+include: b.yaml\n"), ("b.yaml", base)], arguments);
        assert_eq!((code, after.as_str()), (0, expected), "{arguments:?} {err}");
    }
    for (to, expected) in [
        (base.replace("!Ref a\n", "!GetAtt a\n"), "+include: b.yaml\nt: !GetAtt a\n"),
        (base.replace("t: !Ref a\n", "t: a\n"), "+include: b.yaml\nt: a\n"),
        (base.replace("1.1", "1.10"), "+include: b.yaml\nv: 1.10\n"),
        (base.to_owned(), "+include: b.yaml\n"),
        (
            "{\"v\": 1.1, \"w\": \"yes\", \"t\": \"a\", \"l\": [\"a\", \"b\"]}\n".to_owned(),
            "+include: b.yaml\n",
        ),
    ] {
        let files = [("f.yaml", "+include: b.yaml\n"), ("b.yaml", base), ("to.yaml", to.as_str())];
        let (code, after, err) = edited(&files, &["update", "--to", "to.yaml"]);
        assert_eq!((code, after.as_str()), (0, expected), "{to} {err}");
    }
}

#[test]
fn what_expand_shows_is_no_change() {
    let base = "f: !T {k: 1}\nl: !L [a]\nv: 1.10\np: |\n  x  \n";
    let own = "+include: b.yaml\nf: {m: 2}\nl: [b]\n";
    let folder = folder_of(&[("f.yaml", own), ("b.yaml", base)]);
    let shown = hierarch(folder.path(), &["yaml", "expand", "f.yaml"], "");
    assert_eq!(shown.out, "f: !T\n  m: 2\n  k: 1\nl: !L\n- a\n- b\nv: 1.10\np: |\n  x  \n", "{}", shown.err);
    let run = hierarch(folder.path(), &["yaml", "update", "f.yaml", "--to", "-"], &shown.out);
    assert_eq!(
        (run.code, fs::read_to_string(folder.path().join("f.yaml")).expect("a file").as_str()),
        (0, own)
    );
}

#[test]
fn appended_items_are_spelled_as_they_were_given() {
    check(
        "l: [a]\nb:\n  - a\nm: {}\n",
        &["set", "/l/-", "3.10", "/b/-", "0644", "/b/-", "1.10", "/m/x", "1.10", "/n", "0644"],
        "l: [a, 3.10]\nb:\n  - a\n  - 0644\n  - 1.10\nm: {x: 1.10}\nn: 0644\n",
    );
    check("b:\n  - a\n", &["insert", "/b/-", "1.10"], "b:\n  - a\n  - 1.10\n");
    check("b:\n  - a\n", &["insert", "/b/0", "0x1F"], "b:\n  - 0x1F\n  - a\n");
    check("a: {}\n", &["set", "/a/b/-", "1.10", "--parents"], "a: {b: [1.10]}\n");
}

#[test]
fn an_item_beside_a_whiteout_changes_where_it_stands() {
    let text = "c:\n# the app\n- name: app # n\n  image: \"r:1\" # pinned\n  mode: 0644\n  tag: !Ref x\n# none\n- name: debug\n  +%: whiteout\nz: 1\n";
    check(text, &["set", "/c/0/image", "r:9"], &text.replace("r:1", "r:9"));
    check(text, &["delete", "/c/0/mode"], &text.replace("  mode: 0644\n", ""));
    check(text, &["insert", "/c/-", "{name: q}"], &text.replace("z: 1", "- name: q\nz: 1"));
    let (_, after, _) = edited(&[("f.yaml", text)], &["delete", "/c/0"]);
    assert_eq!(after, "c:\n# none\n- name: debug\n  +%: whiteout\nz: 1\n");
}

#[test]
fn new_values_mean_what_the_schema_says() {
    check("a: yes\n", &["set", "/a", "no", "--schema", "1.1"], "a: no\n");
    check("a: yes\n", &["insert", "/c", "0644", "--schema", "1.1"], "a: yes\nc: 0644\n");
    check("a: yes\n", &["set", "/a", "no", "--string", "--schema", "1.1"], "a: 'no'\n");
    check("a: yes\n", &["set", "/a", "no"], "a: 'no'\n");
}

#[test]
fn a_new_first_item_stands_above_the_comment_of_the_next() {
    let text = "c:\n# the app\n- name: app\n# side\n- name: side\n";
    check(text, &["insert", "/c/0", "{name: q}"], &text.replace("# the app", "- name: q\n# the app"));
    check(text, &["insert", "/c/1", "{name: q}"], &text.replace("# side", "- name: q\n# side"));
    // What stands at the top of a file is the file's.
    check("# file\n- a\n", &["insert", "/0", "z"], "# file\n- z\n- a\n");
}

#[test]
fn a_document_without_directives_may_be_a_list() {
    let text = "- hosts: all\n  tasks:\n  - name: x\n    become: true # yes\n";
    check(text, &["set", "/0/tasks/[name=x]/become", "false"], &text.replace("true #", "false #"));
    check(text, &["delete", "/0/tasks/0/become"], "- hosts: all\n  tasks:\n  - name: x\n");
    let folder = folder_of(&[("f.yaml", text), ("g.yaml", "- hosts: web\n")]);
    let run = |arguments: &[&str]| hierarch(folder.path(), arguments, "");
    assert_eq!(run(&["yaml", "get", "f.yaml", "/0/hosts"]).out, "all\n");
    assert_eq!(run(&["yaml", "get", "f.yaml", "/**/name"]).out, "- x\n");
    assert_eq!(run(&["yaml", "expand", "g.yaml"]).out, "- hosts: web\n");
    let told = run(&["yaml", "diff", "f.yaml", "g.yaml"]);
    assert_eq!((told.code, told.out.lines().count()), (2, 2), "{}", told.out);
    // With directives the top is a map, as in Unfurl.
    let (code, _, err) = edited(&[("f.yaml", "- +include: g.yaml\n")], &["set", "/0", "1"]);
    assert_eq!(code, 1, "{err}");
}

#[test]
fn a_selector_is_never_the_name_of_a_key() {
    let text = "a:\n  x: {name: x}\n  '*': 1\n";
    for pointer in ["/a/[name=x]", "/a/**/name", "/b/*"] {
        let (code, after, err) = edited(&[("f.yaml", text)], &["set", pointer, "1", "--plain", "--parents"]);
        assert_eq!((code, after.as_str()), (1, text), "{pointer}");
        assert!(err.contains("is a selector"), "{err}");
    }
    check(text, &["set", "/a/*", "2", "--plain"], &text.replace("'*': 1", "'*': 2"));
    check(text, &["set", "/a/~2~2", "2", "--plain"], &format!("{text}  '**': 2\n"));
}

#[test]
fn what_is_in_the_way_is_named() {
    for arguments in [&["set", "/port/x", "1"][..], &["set", "/port/x", "1", "--parents"]] {
        let (code, _, err) = edited(&[("f.yaml", "port: 80\n")], arguments);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("/port is 80, neither a map nor a list") && !err.contains("--parents"), "{err}");
    }
    let (code, _, err) = edited(&[("f.yaml", "a: 1\n---\nb: 1\n")], &["set", "/a", "1", "--document", "7"]);
    assert_eq!(code, 2, "{err}");
}

#[test]
fn get_keeps_tags_and_says_what_json_loses() {
    let folder = folder_of(&[("f.yaml", "a: !Ref x\nl: [!GetAtt b.c, !Sub \"${x}\"]\nn: 1\n")]);
    let get = |arguments: &[&str]| {
        let mut words = vec!["yaml", "get", "f.yaml"];
        words.extend(arguments);
        let run = hierarch(folder.path(), &words, "");
        (run.out, run.err)
    };
    assert_eq!(get(&["/l"]).0, "- !GetAtt b.c\n- !Sub \"${x}\"\n");
    assert_eq!(get(&["/a"]).0, "!Ref x\n");
    assert_eq!(get(&["/a", "--render-as", "s"]).0, "x\n");
    assert_eq!(get(&["/*/0"]).0, "- !GetAtt b.c\n");
    let (out, err) = get(&["/l", "--render-as", "json"]);
    assert_eq!(out, "[\n  \"b.c\",\n  \"${x}\"\n]\n");
    assert!(err.contains("JSON has no tags; !GetAtt"), "{err}");
    assert_eq!(get(&["/n", "--render-as", "json"]).1, "");
    assert_eq!(
        get(&["/a", "--render-as", "json", "--tags"]),
        ("{\n  \"!Ref\": \"x\"\n}\n".into(), String::new())
    );
}

#[test]
fn differences_are_told_in_their_words() {
    for (old, new, told) in [
        ("l: [1.10, 2]\n", "l: [1.1, 2, 3]\n", "~ /l: [1.10, 2] -> [1.1, 2, 3]\n"),
        ("l: [!Ref x]\n", "l: []\n", "~ /l: [!Ref x] -> []\n"),
        ("a: !Ref x\n", "a: !GetAtt y\n", "~ /a: !Ref x -> !GetAtt y\n"),
        ("a: 0644\n", "a: 0600\n", "~ /a: 0644 -> 0600\n"),
        ("a: {b: 1.10}\n", "c: 1\n", "- /a: {b: 1.10}\n+ /c: 1\n"),
    ] {
        let folder = folder_of(&[("1.yaml", old), ("2.yaml", new)]);
        let run = hierarch(folder.path(), &["yaml", "diff", "1.yaml", "2.yaml"], "");
        assert_eq!((run.code, run.out.as_str()), (2, told), "{old} {}", run.err);
    }
    let folder = folder_of(&[("1.yaml", "l: [1.10]\n"), ("2.yaml", "l: [1, 2]\n")]);
    let run = hierarch(folder.path(), &["yaml", "diff", "1.yaml", "2.yaml", "--render-as", "json"], "");
    let told: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let wanted = serde_json::json!([{"path": "/l", "old": [1.1], "old_spelling": "[1.10]", "new": [1, 2]}]);
    assert_eq!(told, wanted);
}

#[test]
fn a_text_at_the_end_of_a_file_without_a_last_line_break_stays_the_same_text() {
    for (text, shown) in [
        ("a: |\n  x\n  y", "a: |-\n  x\n  y\n"),
        ("a: >\n  x", "a: >-\n  x\n"),
        ("a: |\n  x\n", "a: |\n  x\n"),
    ] {
        let folder = folder_of(&[("f.yaml", text)]);
        let run = hierarch(folder.path(), &["yaml", "expand", "f.yaml"], "");
        assert_eq!((run.code, run.out.as_str()), (0, shown), "{}", run.err);
        let told = hierarch(folder.path(), &["yaml", "diff", "f.yaml", "-"], &run.out);
        assert_eq!((told.code, told.out.as_str()), (0, ""), "{text:?}");
    }
}
