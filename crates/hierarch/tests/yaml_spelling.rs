//! `hierarch yaml`: spellings, tags and schemas stay what they are, and lint says what is odd.

mod common;

use std::fs;

use common::{folder_of, hierarch};

fn run(text: &str, arguments: &[&str]) -> (i32, String, String, String) {
    let folder = folder_of(&[("f.yaml", text), ("base.yaml", "mode: 0644\nref: !Ref Other\n")]);
    let mut words = vec!["yaml"];
    words.extend(arguments);
    let run = hierarch(folder.path(), &words, "");
    let after = fs::read_to_string(folder.path().join("f.yaml")).expect("a file");
    (run.code, run.out, run.err, after)
}

#[test]
fn expand_keeps_spellings_and_tags() {
    let text = "+include: base.yaml\nv: 1.10\nx: 0x1F\ny: yes\nq: 'a'\nd: \"b\"\nt: !Sub |\n  ${A}\n  two\nn: ~\nl: !Set [1, 2]\n";
    let (code, out, err, _) = run(text, &["expand", "f.yaml"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out,
        "v: 1.10\nx: 0x1F\ny: yes\nq: 'a'\nd: \"b\"\nt: !Sub |\n  ${A}\n  two\nn: ~\nl: !Set\n- 1\n- 2\nmode: 0644\nref: !Ref Other\n"
    );
}

#[test]
fn json_has_tags_where_they_are_asked_for() {
    let text = "a: !Ref X\nb: 1\nc: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  61\n";
    let (code, out, err, _) = run(text, &["expand", "f.yaml", "--render-as", "json", "--tags"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out,
        "{\n  \"a\": {\n    \"!Ref\": \"X\"\n  },\n  \"b\": 1,\n  \"c\": {\n    \"!vault\": \"$ANSIBLE_VAULT;1.1;AES256\\n61\\n\"\n  }\n}\n"
    );
    let (code, out, err, _) = run("a: !Ref X\n", &["expand", "f.yaml", "--render-as", "json"]);
    assert_eq!((code, out.as_str()), (0, "{\n  \"a\": \"X\"\n}\n"));
    assert!(err.contains("!Ref at f.yaml:1:9 is left out"), "{err}");
    let (code, _, err, _) = run(text, &["expand", "f.yaml"]);
    assert_eq!(code, 1);
    assert!(err.contains("vault"), "{err}");
}

#[test]
fn the_schema_says_what_plain_scalars_mean() {
    let text = "a: yes\nb: 0644\nc: 1:30\nd: 'no'\n";
    let (_, out, err, _) = run(text, &["expand", "f.yaml", "--render-as", "json", "--schema", "1.1"]);
    assert_eq!(out, "{\n  \"a\": true,\n  \"b\": 420,\n  \"c\": 90,\n  \"d\": \"no\"\n}\n", "{err}");
    let (_, out, ..) = run(text, &["expand", "f.yaml", "--render-as", "json"]);
    assert_eq!(out, "{\n  \"a\": \"yes\",\n  \"b\": 644,\n  \"c\": \"1:30\",\n  \"d\": \"no\"\n}\n");
}

#[test]
fn set_writes_what_was_typed_and_leaves_the_rest() {
    let text = "mode: 600 # octal\nother: 1.10\t# tab\nhex: 0x1F\n";
    let (code, _, err, after) = run(text, &["set", "f.yaml", "/mode", "0644"]);
    assert_eq!((code, after.as_str()), (0, "mode: 0644 # octal\nother: 1.10\t# tab\nhex: 0x1F\n"), "{err}");
    let (_, _, _, after) = run(text, &["set", "f.yaml", "/mode", "0644", "--string"]);
    assert_eq!(after, text.replace("600", "'0644'"));
    let (_, _, _, after) = run(text, &["set", "f.yaml", "/new", "1.10"]);
    assert_eq!(after, format!("{text}new: 1.10\n"));
    let (_, _, _, after) = run("l: [{n: a, v: 1}]\n", &["set", "f.yaml", "/l/[n=a]/v", "0x1F"]);
    assert_eq!(after, "l: [{n: a, v: 0x1F}]\n");
}

#[test]
fn lint_finds_what_is_odd() {
    let text = "a: {+inclde: base.yaml}\nb: {+/a: yes}\nmode: 0644\nmode: 1\non: 1\n";
    let (code, _, err, _) = run(text, &["lint", "f.yaml"]);
    assert_eq!(code, 2);
    assert!(err.contains("the key 'mode' stands twice"), "{err}");
    let text = "a: {+inclde: base.yaml}\nb: {+/a: yes}\nmode: 0644\non: 1\nc: {+/nowhere: }\n";
    let (code, _, err, _) = run(text, &["lint", "f.yaml"]);
    assert_eq!(code, 2);
    for words in [
        "+inclde looks like a directive and is an ordinary key (file: f.yaml, line: 1, column: 5)",
        "the value yes of +/a is not looked at (file: f.yaml, line: 2, column: 10)",
        "0644 is 420 in YAML 1.1 and 644 in YAML 1.2 (file: f.yaml, line: 3, column: 7)",
        "on is true in YAML 1.1 and the text on in YAML 1.2 (file: f.yaml, line: 4, column: 1)",
        "missing includes: ['+/nowhere:'] (file: f.yaml, line: 5, column: 5)",
    ] {
        assert!(err.contains(words), "{words}\n{err}");
    }
    let (code, out, ..) = run(text, &["lint", "f.yaml", "--format", "json", "--allow-surprises"]);
    assert_eq!(code, 2);
    assert!(out.contains("DIRECTIVE_MISSPELT") && !out.contains("YAML_SURPRISING_SCALAR"), "{out}");
    assert!(out.contains("did you mean +include?"), "{out}");
    let (_, _, err, _) = run("l: [1, {+%: {match: n}}]\n", &["lint", "f.yaml"]);
    assert!(err.contains("a header counts only as the first item"), "{err}");
    let (code, out, err, _) = run("a: 1\n---\n- 2\n", &["lint", "f.yaml", "--format", "sarif"]);
    assert_eq!(code, 0, "{out}{err}");
}
