//! What documents may be written in, streams in queries, and errors for machines.

mod common;

use common::{Run, folder_of, hierarch};
use serde_json::Value as Json;

const TOML: &str =
    "# the web\nname = 'web'\nmode = \"0644\"\n[server]\nport = 8_080 # plain\nhosts = ['a', 'b']\n";
const HOCON: &str = "name = web\nserver { port = 9090 }\nserver.hosts = [c]\n";
const STREAM: &str =
    "kind: Service\nport: 80\n---\nkind: Deployment\nreplicas: 2\n---\nkind: Service\nport: 443\n";

fn run(files: &[(&str, &str)], command: &str) -> Run {
    let folder = folder_of(files);
    hierarch(folder.path(), &words(command), "")
}

fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

#[track_caller]
fn check(files: &[(&str, &str)], command: &str, code: i32, expected: &str) {
    let run = run(files, command);
    assert_eq!((run.code, run.out.as_str()), (code, expected), "{command}: {}", run.err);
}

#[test]
fn toml_and_hocon_are_documents_like_others() {
    let files = [("a.toml", TOML), ("b.conf", HOCON), ("m.yaml", "+include: a.toml\nserver: {port: 1}\n")];
    let expanded = "name: web\nmode: '0644'\nserver:\n  port: 8080\n  hosts:\n  - a\n  - b\n";
    check(&files, "yaml expand a.toml", 0, expanded);
    check(&files, "yaml get a.toml /server/port", 0, "8080\n");
    check(&files, "yaml get a.toml /server/port --plain", 0, "8080\n");
    check(&files, "yaml get b.conf /server/hosts/0 --render-as s", 0, "c\n");
    check(
        &files,
        "yaml get m.yaml /server --render-as json",
        0,
        "{\n  \"port\": 1,\n  \"hosts\": [\n    \"a\",\n    \"b\"\n  ]\n}\n",
    );
    check(
        &files,
        "yaml diff a.toml b.conf",
        2,
        "- /mode: '0644'\n~ /server/port: 8080 -> 9090\n~ /server/hosts: [a, b] -> [c]\n",
    );
    check(&files, "query ::server::port --data a.toml", 0, "8080\n");
    check(&files, "query ::server::port --data a.toml --data b.conf", 0, "9090\n");
    check(&files, "template -e {{server.port}} --data b.conf", 0, "9090\n");
    check(
        &files,
        "yaml merge a.toml b.conf --strategy replace",
        0,
        "name: web\nmode: '0644'\nserver:\n  port: 9090\n  hosts:\n  - c\n",
    );
    check(&files, "yaml lint a.toml", 0, "");
}

#[test]
fn origins_lead_into_toml() {
    let files = [("a.toml", TOML), ("b.conf", HOCON)];
    let run = run(&files, "yaml merge a.toml b.conf --origin");
    for wanted in ["a.toml:2:8", "b.conf:2:17"] {
        assert!(run.out.contains(wanted), "{wanted} in {}", run.out);
    }
}

#[test]
fn a_flag_says_what_standard_input_is() {
    let folder = folder_of(&[("x.conf", "a: [1]\nb: yes\n")]);
    let ask = |command: &str, input: &str| hierarch(folder.path(), &words(command), input);
    assert_eq!(ask("yaml get - /a/b --input toml", "[a]\nb = 5\n").out, "5\n");
    assert_eq!(ask("yaml expand - --input hocon", "a.b = 5\n").out, "a:\n  b: 5\n");
    assert_eq!(ask("query ::a::b --data - --input toml", "[a]\nb = 5\n").out, "5\n");
    assert_eq!(ask("query a --data -", "a: 5\n").out, "5\n");
    assert_eq!(ask("yaml get x.conf /a/0 --input yaml", "").out, "1\n");
    let run = ask("yaml set x.conf /a/0 2 --input yaml", "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("x.conf")).expect("a file"), "a: [2]\nb: yes\n");
}

#[test]
fn other_notations_are_not_written() {
    let folder = folder_of(&[("a.toml", TOML), ("u.yaml", "name: old # here\n")]);
    for command in
        ["yaml set a.toml /name x", "yaml delete a.toml /name", "yaml set u.yaml /name x --also a.toml"]
    {
        let run = hierarch(folder.path(), &words(command), "");
        assert_eq!(run.code, 1, "{command}");
        assert!(run.err.contains("a.toml is TOML, which is read but not written"), "{command}: {}", run.err);
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("a.toml")).expect("a file"), TOML);
    assert_eq!(std::fs::read_to_string(folder.path().join("u.yaml")).expect("a file"), "name: old # here\n");
    let run = hierarch(folder.path(), &words("yaml update u.yaml --to a.toml"), "");
    assert_eq!(run.code, 0, "{}", run.err);
    let updated = std::fs::read_to_string(folder.path().join("u.yaml")).expect("a file");
    assert!(updated.starts_with("name: web # here\nmode: '0644'\n"), "{updated}");
}

#[test]
fn what_is_wrong_in_toml_has_its_place() {
    let files = [("a.toml", "a = 1\nb = = 2\n"), ("m.yaml", "+include: a.toml\n")];
    for command in ["yaml expand a.toml", "yaml expand m.yaml"] {
        let run = run(&files, command);
        assert_eq!(run.code, 1);
        assert!(run.err.contains("a.toml, line: 2, column: 5"), "{command}: {}", run.err);
    }
}

#[test]
fn queries_ask_every_document_of_a_stream() {
    let files = [("s.yaml", STREAM), ("d.yaml", "port: 1\nhost: h\n")];
    check(&files, "query port --data s.yaml", 0, "- 80\n- 443\n");
    check(&files, "query port --data s.yaml --document 0", 0, "80\n");
    check(&files, "query port --data s.yaml --document -1", 0, "443\n");
    check(&files, "query replicas --data s.yaml --document kind=Deployment", 0, "2\n");
    check(&files, "query port --data s.yaml --document kind=Service --all", 0, "- 80\n- 443\n");
    check(&files, "query host --data d.yaml --data s.yaml --document 0", 0, "h\n");
    check(&files, "query port --data d.yaml --data s.yaml", 0, "- 80\n- 1\n- 443\n");
    check(&files, "template -e {{kind}} --data s.yaml --document 1", 0, "Deployment\n");
    for (command, code, wanted) in [
        ("query nope --data s.yaml", 2, "nope has no match"),
        ("query port --data s.yaml --document kind=Job", 2, "no match"),
        ("query port --data s.yaml --document 9", 1, "there is no document 9"),
        ("query port --data s.yaml --data s.yaml", 1, "choose one with --document"),
        ("template -e x --data s.yaml", 1, "s.yaml has several documents; choose one with --document"),
        ("template -e x --data s.yaml --document kind=Job", 2, "s.yaml has no document kind=Job"),
    ] {
        let run = run(&files, command);
        assert_eq!(run.code, code, "{command}: {}", run.err);
        assert!(run.err.contains(wanted), "{command}: {}", run.err);
    }
}

#[test]
fn errors_of_a_stream_know_their_lines() {
    let files = [("s.yaml", "a: 1\n---\nb: 2\nc: '{{ nope }}'\n")];
    let run = run(&files, "query c --data s.yaml --document 1");
    assert!(run.err.contains("s.yaml, line: 4"), "{}", run.err);
}

/// Commands of all kinds that fail, with their exit code, what the rule is called, and the line if there is one.
const FAILURES: &[(&str, i32, &str, Option<u64>)] = &[
    ("yaml expand broken.yaml", 1, "YAML", Some(2)),
    ("yaml expand dangling.yaml", 1, "DIRECTIVE", Some(2)),
    ("yaml get good.yaml /nope", 2, "DIRECTIVE_NO_SUCH_PLACE", Some(1)),
    ("yaml get good.yaml /**/nope", 2, "DIRECTIVE_NO_SUCH_PLACE", None),
    ("yaml get broken.yaml /a --plain", 1, "YAML", Some(2)),
    ("yaml set broken.yaml /a 1", 1, "YAML", Some(2)),
    ("yaml set good.yaml /*/[x=1]/y 1", 2, "DIRECTIVE_NO_SUCH_PLACE", None),
    ("yaml insert good.yaml /a 1", 1, "DIRECTIVE", Some(1)),
    ("yaml rename good.yaml /nope x", 2, "DIRECTIVE_NO_SUCH_PLACE", Some(1)),
    ("yaml delete good.yaml /nope", 2, "DIRECTIVE_NO_SUCH_PLACE", Some(1)),
    ("yaml update broken.yaml --to good.yaml", 1, "YAML", Some(2)),
    ("yaml diff good.yaml broken.yaml", 1, "YAML", Some(2)),
    ("yaml merge good.yaml broken.yaml", 1, "YAML", Some(2)),
    ("yaml lint broken.yaml", 2, "YAML", Some(2)),
    ("yaml keys nope", 1, "FAILURE", None),
    ("yaml expand missing.yaml", 1, "", None),
    ("query nope --data good.yaml", 2, "EXPR_NO_MATCH", None),
    ("query ::nope --data good.yaml", 2, "EXPR_NO_MATCH", None),
    ("query ::a --data good.yaml", 2, "EXPR_NO_MATCH", None),
    ("query a --data broken.yaml", 1, "YAML", Some(2)),
    ("template bad.j2", 1, "", Some(2)),
];

#[test]
fn every_error_has_a_form_for_machines() {
    let files = [
        ("good.yaml", "a: 1\n"),
        ("broken.yaml", "a: 1\nb: [\n"),
        ("dangling.yaml", "a:\n  +/nowhere:\n"),
        ("bad.j2", "x\n{% nope %}\n"),
    ];
    for (command, code, rule, line) in FAILURES {
        let folder = folder_of(&files);
        let ask = |format: &str| {
            let command = format!("{command} --format {format}");
            let run = hierarch(folder.path(), &words(&command), "");
            assert_eq!(run.code, *code, "{command}: {}{}", run.out, run.err);
            assert_eq!(run.err, "", "{command}");
            run.out
        };
        let found: Json = serde_json::from_str(&ask("json")).expect(command);
        let first = &found[0];
        assert!(first["code"].as_str().is_some_and(|found| found.starts_with(rule)), "{command}: {found}");
        assert_eq!(first["line"].as_u64(), *line, "{command}: {found}");
        let github = ask("github");
        assert!(github.starts_with("::error "), "{command}: {github}");
        assert_eq!(github.contains(",line="), line.is_some(), "{command}: {github}");
        let sarif: Json = serde_json::from_str(&ask("sarif")).expect(command);
        let result = &sarif["runs"][0]["results"][0];
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{command}");
        let region = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
        assert_eq!(region.as_u64(), *line, "{command}: {sarif}");
    }
}
