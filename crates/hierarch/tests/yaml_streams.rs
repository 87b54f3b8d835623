//! `hierarch yaml` with streams, selectors and many files: what is printed, written, and how it ends.

mod common;

use std::fs;

use common::{folder_of, hierarch};

const STREAM: &str = "\
# the service
kind: Service
metadata: {name: web}
spec:
  ports: [{port: 80}] # plain
---
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  containers:
  - {name: app, image: 'app:1'}
  - {name: side, image: 'side:1'}
";

/// Runs a command in a folder with some files and returns its exit code, output and errors.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String, tempfile::TempDir) {
    let folder = folder_of(files);
    let mut words = vec!["yaml"];
    words.extend(arguments);
    let run = hierarch(folder.path(), &words, "");
    (run.code, run.out, run.err, folder)
}

#[test]
fn expand_shows_all_documents_or_the_one_that_is_chosen() {
    let (code, out, ..) =
        run(&[("s.yaml", "a: 0644\n---\n- 1.10\n---\nb: {+/c: }\nc: {x: yes}\n")], &["expand", "s.yaml"]);
    assert_eq!((code, out.as_str()), (0, "a: 0644\n---\n- 1.10\n---\nb:\n  x: yes\nc:\n  x: yes\n"));
    let (code, out, ..) = run(
        &[("s.yaml", STREAM)],
        &["expand", "s.yaml", "--document", "kind=Deployment", "--render-as", "json"],
    );
    assert_eq!(code, 0);
    assert!(out.starts_with("{\n") && out.contains("\"replicas\": 1"), "{out}");
    let (code, _, err, _) = run(&[("s.yaml", STREAM)], &["expand", "s.yaml", "--document", "7"]);
    assert_eq!(code, 1);
    assert!(err.contains("there is no document 7"), "{err}");
}

#[test]
fn get_follows_selectors_through_all_documents() {
    for (arguments, expected) in [
        (vec!["get", "s.yaml", "/**/image"], "- app:1\n- side:1\n"),
        (vec!["get", "s.yaml", "/spec/containers/[name=app]/image", "--render-as", "s"], "app:1\n"),
        (vec!["get", "s.yaml", "/kind"], "- Service\n- Deployment\n"),
        (vec!["get", "s.yaml", "/kind", "--document", "-1"], "Deployment\n"),
        (vec!["get", "s.yaml", "/spec/containers/[?{{ name == 'side' }}]/image"], "- side:1\n"),
    ] {
        let (code, out, err, _) = run(&[("s.yaml", STREAM)], &arguments);
        assert_eq!((code, out.as_str()), (0, expected), "{arguments:?}: {err}");
    }
    let (code, ..) = run(&[("s.yaml", STREAM)], &["get", "s.yaml", "/nowhere/*"]);
    assert_eq!(code, 2);
}

#[test]
fn a_write_must_know_its_document() {
    let (code, _, err, folder) = run(&[("s.yaml", STREAM)], &["set", "s.yaml", "/metadata/name", "x"]);
    assert_eq!(code, 1);
    assert!(err.contains("several documents of s.yaml: 0, 1"), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("s.yaml")).expect("a file"), STREAM);

    let (code, out, err, folder) = run(&[("s.yaml", STREAM)], &["set", "s.yaml", "/spec/replicas", "3"]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    let new = fs::read_to_string(folder.path().join("s.yaml")).expect("a file");
    assert_eq!(new, STREAM.replace("replicas: 1", "replicas: 3"));

    let (code, out, _, folder) =
        run(&[("s.yaml", STREAM)], &["set", "s.yaml", "/metadata/labels", "{a: 1}", "--document", "*"]);
    assert_eq!((code, out.as_str()), (0, "s.yaml[0]: /metadata/labels\ns.yaml[1]: /metadata/labels\n"));
    let new = fs::read_to_string(folder.path().join("s.yaml")).expect("a file");
    assert_eq!(new, STREAM.replace("{name: web}", "{name: web, labels: {a: 1}}"));
}

#[test]
fn missing_parents_are_made_in_every_document_that_is_chosen() {
    let stream = "kind: A\nmeta: {labels: {y: 1}}\n---\nkind: B\nmeta: {name: b}\n---\nkind: C\n";
    let all = "kind: A\nmeta: {labels: {y: 1, x: 1}}\n---\nkind: B\nmeta: {name: b, labels: {x: 1}}\n---\nkind: C\nmeta:\n  labels:\n    x: 1\n";
    for command in ["set", "insert"] {
        let words = [command, "s.yaml", "/meta/labels/x", "1", "--parents", "--dry-run", "--document"];
        let document = |which| {
            let (code, out, err, _) = run(&[("s.yaml", stream)], &[&words[..], &[which]].concat());
            assert_eq!(code, 0, "{which}: {err}");
            out
        };
        assert_eq!(document("*"), all);
        assert!(document("1").ends_with("meta: {name: b, labels: {x: 1}}\n---\nkind: C\n"));
        assert!(document("kind=C").ends_with("name: b}\n---\nkind: C\nmeta:\n  labels:\n    x: 1\n"));
    }
    // The only document that a file has, and one of several files.
    let one = [("a.yaml", "kind: A\n"), ("b.yaml", "kind: B\nmeta:\n")];
    let (_, out, err, _) =
        run(&one, &["set", "a.yaml", "/m/x", "1", "--parents", "--document", "0", "--dry-run"]);
    assert_eq!(out, "kind: A\nm:\n  x: 1\n", "{err}");
    let (_, _, err, folder) = run(&one, &["set", "*.yaml", "/meta/x", "1", "--parents"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(
        (read("a.yaml").as_str(), read("b.yaml").as_str()),
        ("kind: A\nmeta:\n  x: 1\n", "kind: B\nmeta:\n  x: 1\n"),
        "{err}"
    );
    // Behind a selector, and where a document cannot have it.
    let items = [("l.yaml", "l: [{n: 1}, {n: 2, m: {y: 1}}, 7]\n")];
    let (_, out, err, _) = run(&items, &["set", "l.yaml", "/l/*/m/x", "1", "--parents", "--dry-run"]);
    assert_eq!(out, "l: [{n: 1, m: {x: 1}}, {n: 2, m: {y: 1, x: 1}}, 7]\n", "{err}");
    let (code, _, err, _) = run(
        &[("s.yaml", "a: {b: 1}\n---\na: 1\n")],
        &["set", "s.yaml", "/a/c", "1", "--parents", "--document", "*"],
    );
    assert_eq!(code, 2);
    assert!(err.contains("there is nothing at /a/c (file: s.yaml, line: 3"), "{err}");
    let (code, _, err, _) = run(&[("s.yaml", stream)], &["set", "s.yaml", "/new/x", "1", "--parents"]);
    assert_eq!(code, 1);
    assert!(err.contains("several documents of s.yaml: 0, 1, 2;"), "{err}");
}

#[test]
fn streams_of_many_documents_take_time_that_grows_with_them() {
    let stream = "--- {a: 1}\n".repeat(50_000);
    let (code, out, err, _) =
        run(&[("s.yaml", stream.as_str())], &["set", "s.yaml", "/a", "2", "--document", "*", "--dry-run"]);
    assert_eq!((code, out == stream.replace('1', "2")), (0, true), "{err}");
    let (code, _, err, _) = run(&[("s.yaml", stream.as_str())], &["set", "s.yaml", "/a", "2"]);
    assert_eq!((code, err.len() < 300), (1, true));
    assert!(err.contains("8, 9, 49990 more"), "{err}");
}

#[test]
fn many_files_are_changed_all_or_none() {
    let files = [("a.yaml", "tag: 1 # one\n"), ("b.yaml", "x: {tag: 1}\n"), ("c.yaml", "other: 1\n")];
    let (code, out, err, folder) = run(&files, &["set", "*.yaml", "/**/tag", "2"]);
    assert_eq!(code, 0, "{err}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!((read("b.yaml").as_str(), read("c.yaml").as_str()), ("x: {tag: 2}\n", "other: 1\n"), "{out}");

    let (code, out, ..) = run(&files, &["delete", "a.yaml", "/**/tag", "--also", "b.yaml", "--diff"]);
    assert_eq!(code, 0);
    assert!(out.contains("--- a.yaml\n+++ a.yaml\n@@ -1,1 +1,1 @@\n-tag: 1 # one\n"), "{out}");

    let (code, out, ..) = run(&files, &["set", "*.yaml", "/**/tag", "2", "--check"]);
    assert_eq!((code, out.as_str()), (2, "a.yaml\nb.yaml\n"));
    let (code, ..) = run(&files, &["set", "*.yaml", "/**/tag", "1", "--check"]);
    assert_eq!(code, 0);
    let (code, ..) = run(&files, &["set", "*.yaml", "/nowhere/deep", "2"]);
    assert_eq!(code, 2);

    let broken = [("a.yaml", "tag: 1\n"), ("b.yaml", "tag: [1\n")];
    let (code, _, _, folder) = run(&broken, &["set", "*.yaml", "/tag", "2"]);
    assert_eq!(code, 1);
    assert_eq!(fs::read_to_string(folder.path().join("a.yaml")).expect("a file"), "tag: 1\n");
}

#[test]
fn places_that_move_are_edited_from_the_end() {
    let (code, _, err, folder) = run(&[("a.yaml", "l: [1, 2, 1, 1]\n")], &["delete", "a.yaml", "/l/[.=1]"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("a.yaml")).expect("a file"), "l: [2]\n");
    let (code, _, err, folder) =
        run(&[("a.yaml", "m: {a: {k: 1}, b: {k: 2}}\n")], &["rename", "a.yaml", "/m/*/k", "n"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        fs::read_to_string(folder.path().join("a.yaml")).expect("a file"),
        "m: {a: {n: 1}, b: {n: 2}}\n"
    );
}

#[test]
fn streams_are_compared_and_updated_document_by_document() {
    let new =
        "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n---\nkind: Job\nmetadata: {name: j}\n";
    let (code, out, ..) = run(&[("s.yaml", STREAM), ("n.yaml", new)], &["diff", "s.yaml", "n.yaml"]);
    assert_eq!(code, 2);
    assert!(out.contains("~ [1]/spec/replicas: 1 -> 2\n") && out.contains("- [0]: {kind: Service"), "{out}");
    let (code, _, err, folder) =
        run(&[("s.yaml", STREAM), ("n.yaml", new)], &["update", "s.yaml", "--to", "n.yaml"]);
    assert_eq!(code, 0, "{err}");
    let text = fs::read_to_string(folder.path().join("s.yaml")).expect("a file");
    assert_eq!(
        text,
        "---\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n---\nkind: Job\nmetadata:\n  name: j\n"
    );
}
