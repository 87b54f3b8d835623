//! `hierarch yaml`: what an edit does not concern stays to the word, also where it has to be written elsewhere: spellings,
//! tags of maps and lists, comments, aliases; and what is given is written as it was given.

mod common;

use std::fs;

use common::{folder_of, hierarch};

/// Runs an edit of `f.yaml`; returns the exit code, the text afterwards and what was said.
fn edited(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = folder_of(&[("f.yaml", text)]);
    let mut words = vec!["yaml", arguments[0], "f.yaml"];
    words.extend(&arguments[1..]);
    let run = hierarch(folder.path(), &words, "");
    (run.code, fs::read_to_string(folder.path().join("f.yaml")).expect("a file"), run.err)
}

fn check(text: &str, arguments: &[&str], expected: &str) {
    let (code, after, err) = edited(text, arguments);
    assert_eq!((code, after.as_str()), (0, expected), "{arguments:?} {err}");
}

/// Merges two files.
fn merged(low: &str, up: &str, more: &[&str]) -> String {
    let folder = folder_of(&[("p.yaml", low), ("q.yaml", up)]);
    let run = hierarch(folder.path(), &[&["yaml", "merge", "p.yaml", "q.yaml"], more].concat(), "");
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn what_is_written_out_has_the_words_that_it_had() {
    let words = "  d: 2024-01-02\n  t: !!timestamp 2024-01-02\n  h: 0xFF\n  n: 1_000\n  f: >-\n    x\n    y\n  l: |\n    a\n      b\n  q: \"x\"\n  e: ~\n  s: !!str 5\n  r: !!float 5\n  b: True\n  p: +1\n";
    let base = format!("a: &a\n{words}  z: 1\n");
    check(&format!("{base}b: *a\n"), &["set", "/b/z", "2"], &format!("{base}b:\n{words}  z: 2\n"));
    check(&format!("{base}b: *a\n"), &["delete", "/a"], &format!("b:\n{words}  z: 1\n"));
    // What brackets have no place for is written as they can hold it.
    check(
        "a: &a\n  f: >-\n    x,\n    y\n  h: 0xFF\nb: [*a]\n",
        &["set", "/b/0/n", "1"],
        "a: &a\n  f: >-\n    x,\n    y\n  h: 0xFF\nb: [{f: 'x, y', h: 0xFF, n: 1}]\n",
    );
}

#[test]
fn maps_and_lists_that_are_written_out_keep_their_tags() {
    let map = "a: &x !T {k: 1, l: 2}\nb: *x\n";
    check(map, &["set", "/b/k", "2"], "a: &x !T {k: 1, l: 2}\nb: !T\n  k: 2\n  l: 2\n");
    check(map, &["delete", "/b/k"], "a: &x !T {k: 1, l: 2}\nb: !T\n  l: 2\n");
    check("a: &x !T [1]\nb: *x\n", &["insert", "/b/-", "3"], "a: &x !T [1]\nb: !T\n- 1\n- 3\n");
    check(
        "o: &o\n  a: !T {k: 1, l: !U [1]}\nb:\n  <<: *o\n",
        &["set", "/b/a/l/0", "3"],
        "o: &o\n  a: !T {k: 1, l: !U [1]}\nb:\n  <<: *o\n  a: !T\n    k: 1\n    l: !U\n    - 3\n",
    );
    check("a: !T\n  k: 1\n", &["delete", "/a/k"], "a: !T {}\n");
    check("a: !T\n- 1\n", &["delete", "/a/0"], "a: !T []\n");
    check(
        "o: {k: 1, l: !U [1, 2]}\nb:\n  +/o:\n",
        &["set", "/b/l/0", "4"],
        "o: {k: 1, l: !U [1, 2]}\nb:\n  +/o:\n  l: !U\n  - +%: replace\n  - 4\n  - 2\n",
    );
}

#[test]
fn new_values_are_written_as_they_were_given() {
    let given = "[0644, 1.10, 0x1F, {a: yes}, ~, null, 2024-01-01, 1e3, TRUE]";
    let written = "k:\n- 0644\n- 1.10\n- 0x1F\n- a: 'yes'\n- ~\n- null\n- 2024-01-01\n- 1e3\n- TRUE\n";
    for more in [&[][..], &["--plain"]] {
        let arguments = [&["set", "/k", given], more].concat();
        check("a: 1\n", &arguments, &format!("a: 1\n{written}"));
        check("# nothing yet\n", &arguments, &format!("# nothing yet\n{written}"));
    }
    check("d: 2024-01-01\n", &["set", "/d", "2025-01-01"], "d: 2025-01-01\n");
    check("d: '2024-01-01'\n", &["set", "/d", "2025-01-01"], "d: '2025-01-01'\n");
    check("m: 0644 # m\n", &["set", "/m", "0755"], "m: 0755 # m\n");
    let used = "o: &o {k: 5}\nb: *o\n";
    for words in ["02", "0x1F", "1_000", "TRUE"] {
        check(used, &["set", "/b/k", words, "--into"], &used.replace('5', words));
    }
    let older = "o: &o\n  flag: yes\n  mode: 0644\nb: *o\n";
    let set = ["set", "/b/flag", "no", "/b/mode", "0755", "--schema", "1.1", "--into"];
    check(older, &set, &older.replace("yes", "no").replace("0644", "0755"));
}

#[test]
fn plain_edits_and_questions_keep_spellings() {
    let text = "base: &b\n  mode: 0644\n  v: 1.10\nuse: *b\nmore: {<<: *b, w: !T 0x1F}\n";
    check(text, &["set", "/base/mode", "0755", "--plain"], &text.replace("0644", "0755"));
    check(text, &["set", "/x/y", "0755", "--parents", "--plain"], &format!("{text}x:\n  y: 0755\n"));
    let folder = folder_of(&[("f.yaml", text)]);
    for (pointer, form, expected) in [
        ("/base/v", "yaml", "1.10\n"),
        ("/use/mode", "s", "0644\n"),
        ("/more/v", "yaml", "1.10\n"),
        ("/more", "yaml", "mode: 0644\nv: 1.10\nw: !T 0x1F\n"),
        ("/use/v", "json", "1.1\n"),
    ] {
        let run =
            hierarch(folder.path(), &["yaml", "get", "f.yaml", pointer, "--plain", "--render-as", form], "");
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!((run.code, sorted(&run.out)), (0, sorted(expected)), "{pointer} {}", run.err);
    }
}

#[test]
fn aliases_follow_items_that_move() {
    check("b:\n- a: &x 1\n- c: *x\n", &["insert", "/b/0", "5"], "b:\n- 5\n- a: &x 1\n- c: *x\n");
    check(
        "b:\n- q\n- &x {a: 1}\nd:\n  <<: *x # why\n",
        &["delete", "/b/0"],
        "b:\n- &x {a: 1}\nd:\n  <<: *x # why\n",
    );
    check("b:\n- q\n- &x {a: 1}\nd:\n  +*x:\n", &["delete", "/b/0"], "b:\n- &x {a: 1}\nd:\n  +*x:\n");
    let jobs = "- &base\n  image: a\n  script: [x]\n- <<: *base\n  name: b\n";
    check(
        &format!("jobs:\n{jobs}"),
        &["insert", "/jobs/0", "{name: zero}"],
        &format!("jobs:\n- name: zero\n{jobs}"),
    );
    // What lacks a new key of the map that it uses is told.
    let (code, after, err) = edited("r: &x {a: 1}\nd:\n  <<: *x\n", &["set", "/r/n", "5"]);
    assert_eq!((code, after.as_str()), (0, "r: &x {a: 1, n: 5}\nd:\n  a: 1\n"), "{err}");
    assert!(err.contains("1 user keeps the old value"), "{err}");
}

#[test]
fn lists_at_the_top_may_have_merge_keys_and_directives() {
    let text = "- &a {x: 1} # first\n- <<: *a\n  y: 2\n- +/0:\n  z: 3\n";
    let folder = folder_of(&[("f.yaml", text)]);
    let run = hierarch(folder.path(), &["yaml", "expand", "f.yaml"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "- x: 1\n- y: 2\n  x: 1\n- z: 3\n  x: 1\n"), "{}", run.err);
    check(text, &["set", "/2/z", "4"], &text.replace("z: 3", "z: 4"));
    check(text, &["set", "/1/x", "5"], &text.replace("  y: 2\n", "  y: 2\n  x: 5\n"));
    check(text, &["delete", "/1"], "- &a {x: 1} # first\n- +/0:\n  z: 3\n");
}

#[test]
fn blanks_at_the_end_of_a_text_are_its_own() {
    let text = "a: 1 # one\nt: |\n  text\n\n   \n";
    check(text, &["set", "/a", "5"], &text.replace("a: 1", "a: 5"));
    check(text, &["set", "/c", "5"], &format!("{text}c: 5\n"));
    check(text, &["set", "/t", "new"], "a: 1 # one\nt: |-\n  new\n");
    check(text, &["delete", "/t"], "a: 1 # one\n");
    check("a: 1 # one\nt: |\n  text\n   ", &["set", "/b", "2"], "a: 1 # one\nt: |\n  text\n   \nb: 2");
}

#[test]
fn comments_stay_with_what_they_are_about() {
    let keep = "a: | # keep me\n  text\nb: 1\n";
    check(keep, &["set", "/a", "17"], "a: 17 # keep me\nb: 1\n");
    check(keep, &["set", "/a", "{x: 1}"], "a: # keep me\n  x: 1\nb: 1\n");
    check(keep, &["set", "/a", "\"p\\nq\\n\""], "a: | # keep me\n  p\n  q\nb: 1\n");
    check("a: >- # keep me\n  text\n", &["set", "/a", "other"], "a: >- # keep me\n  other\n");
    check("h: |+\n  x\n# about i\ni: 1\na: 2\n", &["delete", "/i"], "h: |+\n  x\na: 2\n");
    check(
        "m: {\n  a: 1, # about a\n  b: 2 # about b\n}\n",
        &["set", "/m/c", "3"],
        "m: {\n  a: 1, # about a\n  b: 2, # about b\n  c: 3\n}\n",
    );
    let list = "l: [\n  # above a\n  a, # about a\n  b, # about b\n]\n";
    check(list, &["insert", "/l/1", "new"], &list.replace("# about a\n", "# about a\n  new,\n"));
    check(list, &["insert", "/l/-", "new"], &list.replace("# about b\n", "# about b\n  new,\n"));
    check(list, &["insert", "/l/0", "new"], &list.replace("  # above a\n", "  new,\n  # above a\n"));
}

#[test]
fn a_merge_keeps_the_comments_of_both_files() {
    let low = "l:\n# about a\n- name: a # sa\n  # about v\n  v: 1\n# about b\n- name: b\n  w: 1\n";
    let by_name = &["--match", "l=name"];
    assert_eq!(merged(low, "l:\n- name: a\n  v: 2\n- name: b\n", by_name), low.replace("v: 1", "v: 2"));
    assert_eq!(merged("z: 1\n# above\na: 1\n", "a: 2 # side\n", &[]), "z: 1\n# above\na: 2 # side\n");
    let both = merged("d: {e: 1} # low\n", "d: {f: 1} # up\n", &["--strategy", "replace"]);
    assert_eq!(both, "d: # up\n  e: 1\n  f: 1\n");
    assert_eq!(merged("d: {e: 1} # low\n", "d: {f: 1}\n", &[]), "d: # low\n  e: 1\n  f: 1\n");
    assert_eq!(merged("d: [1] # low\n", "d: [2] # up\n", &["--match", "kubernetes"]), "d: [2] # up\n");
    assert_eq!(merged("f: | # low\n  a\n", "y: 1\n", &[]), "f: | # low\n  a\ny: 1\n");
    assert_eq!(merged("z: 1\na: 1 # side\n", "a: 1\n", &[]), "z: 1\na: 1 # side\n");
    // The comment beside a value that is another one now told of the old one.
    assert_eq!(merged("a: 1 # one\n", "a: 2\n", &[]), "a: 2\n");
    let items =
        merged("l:\n- {name: a, x: 1} # beside\n- {name: b} # b\n", "l:\n- {name: a, y: 2}\n", by_name);
    assert_eq!(items, "l:\n- # beside\n  name: a\n  x: 1\n  y: 2\n- {name: b} # b\n");
    // What came through an alias does not bring the comments of the place it stands at.
    assert_eq!(merged("a: &x 1 # c\nb: *x\n", "y: 1\n", &[]), "a: 1 # c\nb: 1\ny: 1\n");
}

#[test]
fn differences_are_told_as_yaml() {
    let folder = folder_of(&[
        ("a.yaml", "m: 0644\nl: [1, 2]\nt: !T x\ngone: 1\n"),
        ("b.yaml", "m: 0755\nl: [1, 3]\nt: !U x\n"),
    ]);
    let run = hierarch(folder.path(), &["yaml", "diff", "a.yaml", "b.yaml", "--render-as", "yaml"], "");
    let expected = "- path: /m\n  old: 0644\n  new: 0755\n- path: /l/1\n  old: 2\n  new: 3\n- path: /gone\n  old: 1\n- path: /t\n  old: !T x\n  new: !U x\n";
    let read = |text: &str| {
        let source = hierarch_source::Source::unnamed(text);
        let dialect = hierarch_yaml::Dialect::Core;
        hierarch_yaml::read(&source, dialect, hierarch_yaml::DocumentLimits::default()).is_ok()
    };
    assert!(run.code == 2 && read(&run.out), "{}{}", run.out, run.err);
    assert_eq!(run.out, expected);
    let same = hierarch(folder.path(), &["yaml", "diff", "a.yaml", "a.yaml", "--render-as", "yaml"], "");
    assert_eq!((same.code, same.out.as_str()), (0, "[]\n"));
}

#[test]
fn into_changes_what_several_files_use_once() {
    let files = [
        ("f1.yaml", "+include: i.yaml\n"),
        ("f2.yaml", "u:\n  +include: i.yaml\ns: 7 # own\n"),
        ("f3.yaml", "+include: i.yaml\nown: 1\n"),
        ("i.yaml", "s: 1 # shared\nl: [a]\n"),
    ];
    let run = |arguments: &[&str]| {
        let folder = folder_of(&files);
        let run =
            hierarch(folder.path(), &[&["yaml", arguments[0], "f*.yaml"], &arguments[1..]].concat(), "");
        let texts = files.map(|(name, _)| fs::read_to_string(folder.path().join(name)).expect("a file"));
        (run.code, texts, run.err)
    };
    let (code, texts, err) = run(&["set", "/s", "2", "--into"]);
    assert_eq!((code, texts[3].as_str()), (0, "s: 2 # shared\nl: [a]\n"), "{err}");
    assert_eq!((texts[0].as_str(), texts[1].as_str()), (files[0].1, "u:\n  +include: i.yaml\ns: 2 # own\n"));
    // Inserted once, though two files lead there, and the one that has no such list is left out.
    let (code, texts, err) = run(&["insert", "/l/-", "b", "--into"]);
    assert_eq!((code, texts[3].as_str()), (0, "s: 1 # shared\nl: [a, b]\n"), "{err}");
    let (code, texts, err) = run(&["delete", "/s", "--into"]);
    assert_eq!((code, texts[3].as_str()), (0, "l: [a]\n"), "{err}");
    assert_eq!(texts[1], "u:\n  +include: i.yaml\n");
    let (code, texts, _) = run(&["set", "/nowhere/deep", "1", "--into"]);
    assert_eq!((code, texts.each_ref().map(String::as_str)), (2, files.map(|(_, text)| text)));
}

#[test]
fn a_tag_that_is_gone_is_taken_from_what_a_directive_brings() {
    let files = [
        ("f.yaml", "+include: i.yaml\ny: 1\n"),
        ("i.yaml", "x: !T a\n"),
        ("to.yaml", "x: a\ny: 1\n"),
        ("m.yaml", "+include: j.yaml\ny: 1\n"),
        ("j.yaml", "x: !T {k: a}\n"),
        ("map.yaml", "x: {k: a}\ny: 1\n"),
    ];
    let folder = folder_of(&files);
    let run = hierarch(folder.path(), &["yaml", "update", "f.yaml", "--to", "to.yaml"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let text = fs::read_to_string(folder.path().join("f.yaml")).expect("a file");
    assert_eq!(text, "+include: i.yaml\ny: 1\nx: a\n");
    // That of a map cannot be said here, and is not passed over.
    let run = hierarch(folder.path(), &["yaml", "update", "m.yaml", "--to", "map.yaml"], "");
    assert!(run.code == 1 && run.err.contains("cannot be written at /x"), "{}", run.err);
}

#[test]
fn a_text_that_ends_in_line_breaks_is_written_at_the_end_of_a_file_without_one() {
    check("a: 1", &["set", "/b", "\"x\\n\\n\""], "a: 1\nb: |+\n  x\n\n");
    let text = "a: &x\n  k: 1\n  u: |+\n    f1\n\nb: *x";
    let (code, after, err) = edited(text, &["set", "/b/k", "2"]);
    assert_eq!(code, 0, "{err}");
    let (code, ..) = edited(&after, &["set", "/b/u", "new"]);
    assert!(code == 0 && after.contains("k: 2") && after.contains("|+"), "{after}");
}

#[test]
fn a_byte_order_mark_is_no_column() {
    check(
        "\u{feff}a: &x {k: 1, l: 2}\nb: *x\n",
        &["set", "/b/k", "2"],
        "\u{feff}a: &x {k: 1, l: 2}\nb:\n  k: 2\n  l: 2\n",
    );
}

#[test]
fn lint_tells_dates_and_what_stands_beside_repeated_keys() {
    let folder = folder_of(&[("f.yaml", "d: 2024-01-01\nmode: 0644\ny: {a: 1, a: 2}\n+inclde: x\n")]);
    let run = hierarch(folder.path(), &["yaml", "lint", "f.yaml"], "");
    let told = format!("{}{}", run.out, run.err);
    for words in ["2024-01-01 is a date in YAML 1.1", "0644 is 420", "+inclde", "the key 'a' stands twice"] {
        assert!(run.code == 2 && told.contains(words), "{words}: {told}");
    }
    let run = hierarch(folder.path(), &["yaml", "get", "f.yaml", "/y/[?a > 1]", "--plain"], "");
    assert_ne!(run.code, 0);
}

#[test]
fn a_comparison_in_a_selector_is_explained() {
    let folder = folder_of(&[("f.yaml", "p: [{name: b, port: 443}]\n")]);
    let run = hierarch(folder.path(), &["yaml", "get", "f.yaml", "/p/[?port > 100]/name"], "");
    assert!(run.code == 2 && run.err.contains("[?{{ port > 80 }}]"), "{}", run.err);
}

#[test]
fn a_template_goes_to_standard_output_where_a_dash_says_so() {
    let folder = folder_of(&[("t.j2", "x {{ 1 + 1 }}\n")]);
    let run = hierarch(folder.path(), &["template", "t.j2", "-o", "-"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "x 2\n"), "{}", run.err);
    assert!(!folder.path().join("-").exists());
}

#[test]
fn documents_without_content_and_of_one_scalar_are_documents() {
    for (text, expected) in [("# nothing yet\n", "null\n"), ("", "null\n"), ("just words\n", "just words\n")]
    {
        let folder = folder_of(&[("f.yaml", text)]);
        let run = hierarch(folder.path(), &["yaml", "expand", "f.yaml"], "");
        assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.err);
        let run = hierarch(folder.path(), &["yaml", "update", "f.yaml", "--to", "-"], &run.out);
        assert_eq!(
            (run.code, fs::read_to_string(folder.path().join("f.yaml")).expect("a file").as_str()),
            (0, text)
        );
    }
}
