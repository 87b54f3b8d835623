//! What edits of documents leave alone: the other documents of a stream, JSON as JSON, the order of keys, every character of a value.

mod common;

use std::fs;

use common::{folder_of, hierarch};

const THREE: &str = "kind: A\nx: 1\n---\nkind: B # two\nx: 2\nm: {y: 1}\n---\nkind: C\nx: 3\n";

/// Runs a command on some files; returns its exit code, output and errors, and a file afterwards.
fn run(files: &[(&str, &str)], arguments: &[&str], then: &str) -> (i32, String, String, String) {
    let folder = folder_of(files);
    let mut words = vec!["yaml"];
    words.extend(arguments);
    let run = hierarch(folder.path(), &words, "");
    let text = fs::read_to_string(folder.path().join(then)).unwrap_or_default();
    (run.code, run.out, run.err, text)
}

#[test]
fn a_definition_in_a_stream_is_edited_among_the_others() {
    for (top, arguments, changed) in [
        (
            "p:\n  +include: 'base.yaml#[kind=B]'\n",
            &["set", "top.yaml", "/p/x", "9", "--into"][..],
            ("x: 2", "x: 9"),
        ),
        ("p:\n  +include: 'base.yaml#[kind=B]'\n", &["delete", "top.yaml", "/p/x", "--into"], ("x: 2\n", "")),
        (
            "p:\n  +include: 'base.yaml#[kind=B]'\n",
            &["insert", "top.yaml", "/p/z", "1", "--into"],
            ("m: {y: 1}\n", "m: {y: 1}\nz: 1\n"),
        ),
        (
            "p:\n  +include: 'base.yaml#[kind=B]/m'\n",
            &["set", "top.yaml", "/p/y", "9", "--into"],
            ("m: {y: 1}", "m: {y: 9}"),
        ),
        (
            "p:\n  +include: 'base.yaml#[kind=A]'\nq:\n  +include: 'base.yaml#[kind=C]'\n",
            &["set", "top.yaml", "/q/x", "9", "/p/x", "8", "--into"],
            ("", ""),
        ),
    ] {
        let (code, _, err, base) = run(&[("base.yaml", THREE), ("top.yaml", top)], arguments, "base.yaml");
        assert_eq!(code, 0, "{arguments:?}: {err}");
        let wanted = if changed.0.is_empty() {
            THREE.replace("x: 1\n", "x: 8\n").replace("x: 3\n", "x: 9\n")
        } else {
            THREE.replacen(changed.0, changed.1, 1)
        };
        assert_eq!(base, wanted, "{arguments:?}");
    }
}

#[test]
fn one_document_of_a_stream_can_be_edited_at_its_definitions() {
    let stream = "a: {x: 1}\nb:\n  +/a:\n---\nc: 3\n";
    let (code, _, err, text) =
        run(&[("s.yaml", stream)], &["set", "s.yaml", "/b/x", "5", "--into", "--document", "0"], "s.yaml");
    assert_eq!((code, text.as_str()), (0, "a: {x: 5}\nb:\n  +/a:\n---\nc: 3\n"), "{err}");
    let (code, _, err, text) =
        run(&[("s.yaml", stream)], &["set", "s.yaml", "/c", "5", "--into", "--document", "*"], "s.yaml");
    assert_eq!((code, text.as_str()), (1, stream));
    assert!(err.contains("--into takes one document"), "{err}");
}

#[test]
fn one_new_content_does_not_stand_for_several_documents() {
    let files = [("s.yaml", THREE), ("to.yaml", "kind: A\nx: 5\n")];
    let (code, _, err, text) = run(&files, &["update", "s.yaml", "--to", "to.yaml"], "s.yaml");
    assert_eq!((code, text.as_str()), (1, THREE));
    assert!(err.contains("3 documents") && err.contains("--document"), "{err}");
    let chosen = ["update", "s.yaml", "--to", "to.yaml", "--document", "0"];
    let (code, _, err, text) = run(&files, &chosen, "s.yaml");
    assert_eq!((code, text), (0, THREE.replace("x: 1", "x: 5")), "{err}");
}

#[test]
fn json_stays_json() {
    let json = "{\"a\": 1}\n";
    for (value, wanted) in [
        ("0x1F", "31"),
        ("~", "null"),
        ("True", "true"),
        ("+1", "1"),
        (".5", "0.5"),
        ("yes", "\"yes\""),
        ("[1, {a: 0x10}]", "[1, {\"a\": 16}]"),
    ] {
        let (code, _, err, text) = run(&[("t.json", json)], &["set", "t.json", "/k", value], "t.json");
        assert_eq!((code, text), (0, format!("{{\"a\": 1, \"k\": {wanted}}}\n")), "{value}: {err}");
    }
    for value in ["0644", "-01", ".inf", ".nan", "{1: 2}", "!!binary aGk=", "{? [a] : 1}"] {
        for more in [&[][..], &["--plain"]] {
            let arguments = [&["set", "t.json", "/k", value][..], more].concat();
            let (code, _, err, text) = run(&[("t.json", json)], &arguments, "t.json");
            assert_eq!((code, text.as_str()), (1, json), "{arguments:?}: {err}");
            assert!(err.contains("JSON") || err.contains("binary"), "{arguments:?}: {err}");
        }
    }
    let (code, ..) = run(&[("t.json", json)], &["set", "t.json", "/k", "0644", "--string"], "t.json");
    assert_eq!(code, 0);
}

#[test]
fn numbers_that_json_cannot_say_are_not_left_out() {
    for arguments in [
        &["expand", "b.yaml", "--render-as", "json"][..],
        &["merge", "b.yaml", "b.yaml", "--render-as", "json"],
    ] {
        let (code, out, err, _) = run(&[("b.yaml", "a: 1\nc: [-.inf]\n")], arguments, "b.yaml");
        assert_eq!((code, out.as_str()), (1, ""), "{arguments:?}");
        assert!(err.contains("-.inf"), "{err}");
    }
}

#[test]
fn a_value_loses_nothing_to_a_comment() {
    let (code, _, err, text) = run(&[("a.yaml", "k: 1\n")], &["set", "a.yaml", "/k", "a # b"], "a.yaml");
    assert_eq!((code, text.as_str()), (1, "k: 1\n"));
    assert!(err.contains("--string"), "{err}");
    let (code, _, err, text) =
        run(&[("a.yaml", "k: 1\n")], &["set", "a.yaml", "/k", "a # b", "--string"], "a.yaml");
    assert_eq!((code, text.as_str()), (0, "k: 'a # b'\n"), "{err}");
}

#[test]
fn a_patch_that_leaves_its_version_out_meets_the_only_one_it_fits() {
    let base = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n";
    let patch = "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n---\nkind: ConfigMap\nmetadata: {name: cfg}\n";
    let (code, out, err, _) = run(
        &[("base.yaml", base), ("prod.yaml", patch)],
        &["merge", "base.yaml", "prod.yaml", "--match", "kubernetes"],
        "",
    );
    assert_eq!(code, 0, "{err}");
    assert_eq!(out.matches("kind: Deployment").count(), 1, "{out}");
    assert!(out.contains("replicas: 5") && out.contains("kind: ConfigMap"), "{out}");
    // Two that it could mean: it meets neither.
    let two = format!("{base}---\napiVersion: extensions/v1\nkind: Deployment\nmetadata: {{name: web}}\n");
    let (_, out, ..) = run(
        &[("base.yaml", &two), ("prod.yaml", patch)],
        &["merge", "base.yaml", "prod.yaml", "--match", "kubernetes"],
        "",
    );
    assert_eq!(out.matches("kind: Deployment").count(), 3, "{out}");
}

#[test]
fn items_that_meet_keep_the_order_and_comments_of_the_base() {
    let base = "l:\n- n: p\n  x: 1 # one\n  y: 2\n  # about z\n  z: 3\n- n: q\n  deep:\n    b: 1\n    a: 2\n";
    let patch = "l:\n- {n: p, z: 9}\n- deep: {a: 3}\n  n: q\n";
    let (code, out, err, _) =
        run(&[("a.yaml", base), ("b.yaml", patch)], &["merge", "a.yaml", "b.yaml", "--match", "l=n"], "");
    assert_eq!(code, 0, "{err}");
    assert_eq!(out, base.replace("z: 3", "z: 9").replace("a: 2", "a: 3"), "{out}");
}

/// A text of several lines is what was typed: YAML would make one line of it.
#[test]
fn lines_of_a_value_stay_lines() {
    let check = |value: &str, read: &str| {
        let (code, _, err, text) =
            run(&[("a.yaml", "k: 1\nz: 2\n")], &["set", "a.yaml", "/k", value], "a.yaml");
        assert_eq!(code, 0, "{err}");
        let (_, out, ..) =
            run(&[("a.yaml", &text)], &["get", "a.yaml", "/k", "--render-as", "json"], "a.yaml");
        assert_eq!(out.trim_end(), read, "{text}");
        assert!(text.ends_with("z: 2\n"), "{text}");
    };
    check("l1\nl2\n", r#""l1\nl2\n""#);
    check("l1\n\n  l2", r#""l1\n\n  l2""#);
    check("|\n  l1\n  l2\n", r#""l1\nl2\n""#);
    check("'l1\n\n  l2'", r#""l1\nl2""#);
    check("x\n", r#""x""#);
}
