//! Selectors in edits of what is included, and edits of many files: what has the place is meant, never a key that looks like a selector.

mod common;

use std::fs;

use common::{folder_of, hierarch};

/// Files, a command, and what the files hold afterwards.
type Row = (
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

const INCLUDED: &[(&str, &str)] =
    &[("c.yaml", "m:\n  x: {name: app, v: 1}\n  y: {name: db, v: 2}\n"), ("t.yaml", "+include: c.yaml\n")];

const LISTED: &[(&str, &str)] = &[
    (
        "c.yaml",
        "containers:\n- name: app\n  env:\n  - {name: A, value: 1}\n  - {name: B, value: 2}\n- name: side\n",
    ),
    ("t.yaml", "+include: c.yaml\n"),
];

const ROWS: &[Row] = &[
    (
        INCLUDED,
        &["set", "t.yaml", "/m/[name=app]/v", "5", "--into"],
        &[
            ("c.yaml", "m:\n  x: {name: app, v: 5}\n  y: {name: db, v: 2}\n"),
            ("t.yaml", "+include: c.yaml\n"),
        ],
    ),
    (
        INCLUDED,
        &["set", "t.yaml", "/m/*/v", "6", "--into", "--parents"],
        &[("c.yaml", "m:\n  x: {name: app, v: 6}\n  y: {name: db, v: 6}\n")],
    ),
    (
        INCLUDED,
        &["set", "t.yaml", "/m/[name=db]/w", "7", "--into"],
        &[("c.yaml", "m:\n  x: {name: app, v: 1}\n  y: {name: db, v: 2, w: 7}\n")],
    ),
    (
        INCLUDED,
        &["delete", "t.yaml", "/m/[name=db]", "--into"],
        &[("c.yaml", "m:\n  x: {name: app, v: 1}\n")],
    ),
    (
        LISTED,
        &["set", "t.yaml", "/containers/[name=app]/env/[name=A]/value", "9", "--into"],
        &[(
            "c.yaml",
            "containers:\n- name: app\n  env:\n  - {name: A, value: 9}\n  - {name: B, value: 2}\n- name: side\n",
        )],
    ),
    (
        LISTED,
        &["delete", "t.yaml", "/containers/[name=app]/env/*", "--into"],
        &[("c.yaml", "containers:\n- name: app\n  env: []\n- name: side\n")],
    ),
    // Of many files those that have the place are meant.
    (
        &[("k/1.yaml", "image: a\n"), ("k/o.yaml", "other: 1\n")],
        &["set", "k/*.yaml", "/image", "new:1"],
        &[("k/1.yaml", "image: new:1\n"), ("k/o.yaml", "other: 1\n")],
    ),
    // Where none has it, it is new in all of them; so it is where the command says so.
    (
        &[("k/1.yaml", "a: 1\n"), ("k/o.yaml", "other: 1\n")],
        &["set", "k/*.yaml", "/image", "x"],
        &[("k/1.yaml", "a: 1\nimage: x\n"), ("k/o.yaml", "other: 1\nimage: x\n")],
    ),
    (
        &[("k/1.yaml", "image: a\n"), ("k/o.yaml", "other: 1\n")],
        &["set", "k/*.yaml", "/image", "x", "--parents"],
        &[("k/1.yaml", "image: x\n"), ("k/o.yaml", "other: 1\nimage: x\n")],
    ),
];

#[test]
fn edits_go_where_a_selector_leads() {
    for (files, command, expected) in ROWS {
        let folder = folder_of(files);
        let run = hierarch(folder.path(), &[&["yaml"], *command].concat(), "");
        assert_eq!(run.code, 0, "{command:?}: {}{}", run.out, run.err);
        for (file, text) in *expected {
            assert_eq!(fs::read_to_string(folder.path().join(file)).expect("read"), *text, "{command:?}");
        }
    }
}

#[test]
fn a_selector_that_leads_nowhere_writes_nothing() {
    for arguments in [
        &["set", "t.yaml", "/m/[name=web]/v", "5", "--into"][..],
        &["set", "t.yaml", "/m/[name=web]/v", "5", "--into", "--parents"],
        &["delete", "t.yaml", "/m/[name=web]", "--into"],
    ] {
        let folder = folder_of(INCLUDED);
        let run = hierarch(folder.path(), &[&["yaml"], arguments].concat(), "");
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.err.contains("there is nothing at /m/[name=web]"), "{}", run.err);
        for (file, text) in INCLUDED {
            assert_eq!(fs::read_to_string(folder.path().join(file)).expect("read"), *text);
        }
    }
}
