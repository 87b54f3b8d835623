//! `hierarch yaml`: tags and quotes that are given are written, or the edit is refused.

mod common;

use std::fs;

use common::{folder_of, hierarch};

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
    // An edit that was made already changes nothing.
    if arguments[0] == "set" && !arguments[1].ends_with('-') {
        assert_eq!(edited(&after, arguments).1, expected, "again {arguments:?}");
    }
}

#[test]
fn set_writes_the_tag_that_is_given() {
    let flow = "a: !Ref x\nl: [!Ref x, !Ref y]\nf: !T {k: 1}\n";
    for (path, value, expected) in [
        ("/a", "!GetAtt z", flow.replace("!Ref x\nl", "!GetAtt z\nl")),
        ("/a", "!GetAtt x", flow.replace("!Ref x\nl", "!GetAtt x\nl")),
        ("/new", "!GetAtt y", format!("{flow}new: !GetAtt y\n")),
        ("/l/0", "!GetAtt x", flow.replace("[!Ref x", "[!GetAtt x")),
        ("/l", "[!GetAtt x, !Ref y]", flow.replace("[!Ref x", "[!GetAtt x")),
        ("/f", "!U {k: 1}", flow.replace("!T", "!U")),
        ("/f/k", "!X 1", flow.replace("k: 1", "k: !X 1")),
        ("/a", "!<tag:e.com,2000:foo> x", flow.replace("!Ref x\nl", "!<tag:e.com,2000:foo> x\nl")),
    ] {
        check(flow, &["set", path, value], &expected);
        if !value.starts_with('[') && !value.ends_with('}') {
            check(flow, &["set", path, value, "--plain"], &expected);
        }
    }
    let block = "m: # why\n  k: 1\nl:\n- a: 1\n  b: 2\n- x\nt: &n v\n";
    for (path, value, expected) in [
        ("/m", "!T {k: 1}", block.replace("m: #", "m: !T #")),
        ("/l/0", "!T {a: 1, b: 2}", block.replace("- a: 1", "- !T\n  a: 1")),
        ("/l", "!T [{a: 1, b: 2}, x]", block.replace("l:\n", "l: !T\n")),
        ("/t", "!T v", block.replace("&n v", "&n !T v")),
        ("/l/-", "!Ref z", block.replace("- x\n", "- x\n- !Ref z\n")),
    ] {
        check(block, &["set", path, value], &expected);
    }
}

#[test]
fn insert_and_update_write_tags() {
    check(
        "a: 1\n",
        &["insert", "/n", "!reference [.base, script]"],
        "a: 1\nn: !reference\n- .base\n- script\n",
    );
    for (old, new, expected) in [
        ("s: !Sub \"a ${b}\"\n", "s: !Sub \"a ${c}\"\n", "s: !Sub \"a ${c}\"\n"),
        ("a: !Ref x # c\n", "a: !GetAtt x\n", "a: !GetAtt x # c\n"),
        ("a: !Ref x # c\n", "a: x\n", "a: x # c\n"),
        ("a: 0644\n", "a: 644\n", "a: 644\n"),
        ("tag: 1.1 # v\n", "tag: 1.10\n", "tag: 1.10 # v\n"),
        ("a: yes\n", "a: \"yes\"\n", "a: \"yes\"\n"),
        ("a: \"yes\"\n", "a: yes\n", "a: yes\n"),
        ("a: 'x' # same\n", "a: x\n", "a: 'x' # same\n"),
        ("a: !Ref x # c\n", "{\"a\": \"x\"}\n", "a: !Ref x # c\n"),
    ] {
        let folder = folder_of(&[("f.yaml", old), ("to.yaml", new)]);
        let run = hierarch(folder.path(), &["yaml", "update", "f.yaml", "--to", "to.yaml"], "");
        let after = fs::read_to_string(folder.path().join("f.yaml")).expect("a file");
        assert_eq!((run.code, after.as_str()), (0, expected), "{old} {new} {}", run.err);
    }
}

#[test]
fn set_writes_quotes_that_matter() {
    check("b: yes # c\n", &["set", "/b", "\"yes\""], "b: \"yes\" # c\n");
    check("b: yes # c\n", &["set", "/b", "yes", "--string"], "b: 'yes' # c\n");
    check("b: yes\n", &["set", "/b", "!!str yes"], "b: 'yes'\n");
    check("b: on\n", &["set", "/b", "'on'"], "b: 'on'\n");
    check("b: word\n", &["set", "/b", "\"word\""], "b: word\n");
}

#[test]
fn a_tag_that_cannot_be_written_is_refused() {
    let (code, after, err) = edited("{\"a\": 1}\n", &["set", "/a", "!Ref x"]);
    assert_eq!((code, after.as_str()), (1, "{\"a\": 1}\n"), "{err}");
    assert!(err.contains("JSON has no tags"), "{err}");
    let text = "base: {x: {y: 1}}\nuse: {+/base: }\n";
    let (code, after, err) = edited(text, &["set", "/use/x", "!T {y: 1}"]);
    assert_eq!((code, after.as_str()), (1, text), "{err}");
    assert!(err.contains("the tag !T cannot be written at /use/x"), "{err}");
}

#[test]
fn a_tag_of_what_a_directive_brings_is_written_over_it_or_where_it_is_defined() {
    let text = "base: {x: 1}\nuse: {+/base: }\n";
    check(text, &["set", "/use/x", "!T 1"], "base: {x: 1}\nuse: {+/base: , x: !T 1}\n");
    check(text, &["set", "/use/x", "!T 1", "--into"], "base: {x: !T 1}\nuse: {+/base: }\n");
    check(text, &["set", "/use/x", "!T 2", "--into"], "base: {x: !T 2}\nuse: {+/base: }\n");
}

#[test]
fn tags_in_full_stay_tags() {
    for (text, expected) in [
        ("%TAG !e! tag:e.com,2000:\n---\na: !e!foo bar\n", "a: !<tag:e.com,2000:foo> bar\n"),
        ("a: !<tag:e.com,2000:foo> bar\n", "a: !<tag:e.com,2000:foo> bar\n"),
        ("m: !<tag:x:y> {k: 1}\n", "m: !<tag:x:y>\n  k: 1\n"),
    ] {
        let folder = folder_of(&[("f.yaml", text)]);
        let run = hierarch(folder.path(), &["yaml", "expand", "f.yaml"], "");
        assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.err);
        let again = hierarch(folder.path(), &["yaml", "expand", "-"], &run.out);
        assert_eq!(again.out, expected, "{}", again.err);
    }
}

#[test]
fn diff_tells_tags_and_spellings_that_other_readers_tell_apart() {
    let long = "x".repeat(80);
    for (old, new, told) in [
        ("a: !Ref x\n", "a: !GetAtt x\n", "~ /a: !Ref x -> !GetAtt x\n"),
        ("a: !x 1\n", "a: 1\n", "~ /a: !x 1 -> 1\n"),
        ("a: 0644\n", "a: 644\n", "~ /a: 0644 -> 644\n"),
        ("tag: 1.10\n", "tag: 1.1\n", "~ /tag: 1.10 -> 1.1\n"),
        ("a: yes\n", "a: \"yes\"\n", "~ /a: yes -> \"yes\"\n"),
        ("l: [1, !Ref x]\n", "l: [1, !Ref x]\n", ""),
        ("l: [1, !Ref x]\n", "l: [1, !Sub x]\n", "~ /l/1: !Ref x -> !Sub x\n"),
        ("a: 1\nb: word\n", "b: 'word'\na: 0x1\n", ""),
        (&format!("a: {long}1\n"), &format!("a: {long}2\n"), &format!("~ /a: \"{long}1\" -> \"{long}2\"\n")),
    ] {
        let folder = folder_of(&[("1.yaml", old), ("2.yaml", new)]);
        let run = hierarch(folder.path(), &["yaml", "diff", "1.yaml", "2.yaml"], "");
        let code = if told.is_empty() { 0 } else { 2 };
        assert_eq!((run.code, run.out.as_str()), (code, told), "{old} {new} {}", run.err);
    }
    let folder = folder_of(&[("1.yaml", "a: 0644\n"), ("2.yaml", "a: 644\n")]);
    let run = hierarch(folder.path(), &["yaml", "diff", "1.yaml", "2.yaml", "--render-as", "json"], "");
    let told: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let wanted = serde_json::json!([{"path": "/a", "old_spelling": "0644", "new_spelling": "644"}]);
    assert_eq!(told, wanted);
}
