//! Many files changed at once, some of which include others: law 8, the order of the files does not matter, and law 2 for
//! each of them.

mod common;

use std::path::Path;

use common::{folder_of, hierarch};

/// Files of which each includes those before it.
const FILES: [(&str, &str); 4] = [
    ("a.yaml", "x: 1\nl: [a]\nm: {k: 1, o: {p: q}}\nc: [{name: u, v: 1}, {name: w, v: 2}]\n"),
    ("b.yaml", "+include: a.yaml\nl: [b] # own\nm: {j: 2}\n"),
    ("c.yaml", "part:\n  +include: b.yaml\nx: 3\nl: []\nm: {}\nc: []\n"),
    ("d.yaml", "+include: c.yaml#/part\nc:\n- +%: {match: name}\n- {name: w, v: 7}\n"),
];

/// Edits that are made in all files.
const EDITS: [&[&str]; 8] = [
    &["set", "/l/-", "new"],
    &["set", "/x", "9"],
    &["delete", "/m/k"],
    &["set", "/**/v", "5"],
    &["rename", "/m/o", "renamed"],
    &["set", "/m", "{only: this}"],
    &["insert", "/l/0", "first"],
    &["delete", "/c/[name=w]"],
];

fn texts(folder: &Path) -> Vec<String> {
    FILES.iter().map(|(name, _)| std::fs::read_to_string(folder.join(name)).expect("a file")).collect()
}

/// Makes an edit in files in an order, and returns the code and what the files are afterwards.
fn edited(order: &[&str], edit: &[&str]) -> (i32, Vec<String>, tempfile::TempDir) {
    let folder = folder_of(&FILES);
    let mut words = vec!["yaml", edit[0], order[0]];
    words.extend(&edit[1..]);
    for file in &order[1..] {
        words.extend(["--also", file]);
    }
    let run = hierarch(folder.path(), &words, "");
    (run.code, texts(folder.path()), folder)
}

fn expanded(folder: &Path, file: &str) -> String {
    let run = hierarch(folder, &["yaml", "expand", file, "--render-as", "json"], "");
    assert_eq!(run.code, 0, "{file}: {}", run.err);
    run.out
}

#[test]
fn the_order_of_files_does_not_matter() {
    let orders: [[&str; 4]; 3] = [
        ["a.yaml", "b.yaml", "c.yaml", "d.yaml"],
        ["d.yaml", "c.yaml", "b.yaml", "a.yaml"],
        ["b.yaml", "d.yaml", "a.yaml", "c.yaml"],
    ];
    for edit in EDITS {
        let (code, first, _folder) = edited(&orders[0], edit);
        for order in &orders[1..] {
            let (other, texts, _folder) = edited(order, edit);
            assert_eq!((other, &texts), (code, &first), "{edit:?} {order:?}");
        }
    }
}

#[test]
fn every_file_says_what_was_asked_for_it() {
    for edit in EDITS {
        let (code, texts, folder) = edited(&["a.yaml", "b.yaml", "c.yaml", "d.yaml"], edit);
        if code != 0 {
            continue;
        }
        for (name, _) in FILES {
            // The same edit in this file alone.
            let (alone, _, other) = edited(&[name], edit);
            if alone == 0 {
                let (here, there) = (expanded(folder.path(), name), expanded(other.path(), name));
                assert_eq!(sorted(&here), sorted(&there), "{edit:?} {name}\n{texts:#?}");
            }
        }
    }
}

/// JSON with its keys in order, for a comparison.
fn sorted(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    fn ordered(value: serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Object(map) => {
                let sorted: std::collections::BTreeMap<_, _> =
                    map.into_iter().map(|(key, value)| (key, ordered(value))).collect();
                serde_json::to_value(sorted).expect("JSON")
            }
            serde_json::Value::Array(items) => items.into_iter().map(ordered).collect(),
            other => other,
        }
    }
    ordered(value).to_string()
}

#[test]
fn a_file_that_is_named_twice_is_changed_once() {
    let folder = folder_of(&FILES);
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.yaml", folder.path().join("link.yaml")).expect("a link");
    let run = hierarch(
        folder.path(),
        &["yaml", "set", "a.yaml", "/l/-", "n", "--also", "./a.yaml", "--also", "link.yaml"],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(texts(folder.path())[0].contains("l: [a, n]\n"));
}
