//! `query`, `template` and `yaml expand --evaluate`, run as a person runs them.

use std::path::Path;
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn hierarch(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
    command
        .current_dir(folder)
        .args(arguments)
        .env("HIERARCH_TEST", "seen")
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The flags that name the data of the example control repository for one node.
const NODE: [&str; 6] = [
    "--hiera",
    "examples/control-repo",
    "--node",
    "web01.berlin.example.com",
    "--facts",
    "examples/control-repo/facts",
];

/// Runs a command of the example and compares with what is kept.
fn check_example(arguments: &[&str], file: &str) {
    let output = hierarch(root(), &[arguments, &NODE].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let path = root().join("examples/compose/expected").join(file);
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text(&output.stdout), wanted, "{arguments:?}");
}

#[test]
fn the_worked_example_gives_what_its_page_says() {
    check_example(&["yaml", "expand", "examples/compose/site.yaml", "--evaluate"], "site.yaml");
    let template = ["template", "examples/compose/haproxy.cfg.j2", "--data", "examples/compose/site.yaml"];
    check_example(&template, "haproxy.cfg");
    check_example(&["query", "::web::hosts::0", "--data", "examples/compose/site.yaml"], "query.txt");
}

#[test]
fn the_commands_of_the_example_stand_in_its_page() {
    let page = std::fs::read_to_string(root().join("examples/compose/README.md")).expect("there");
    let flags = NODE.join(" ");
    for command in [
        "yaml expand examples/compose/site.yaml --evaluate",
        "template examples/compose/haproxy.cfg.j2",
        "query '::web::hosts::0'",
    ] {
        let line = page.lines().find(|line| line.contains(command)).expect(command);
        assert!(line.ends_with(&flags), "{line}");
    }
}

/// Writes files into a folder of their own.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn check_failure(files: &[(&str, &str)], arguments: &[&str], wanted: &[&str]) {
    let folder = folder(files);
    let output = hierarch(folder.path(), arguments);
    assert!(!output.status.success(), "{}", text(&output.stdout));
    let words = text(&output.stderr);
    for wanted in wanted {
        assert!(words.contains(wanted), "{wanted} in {words}");
    }
}

#[test]
fn a_ring_is_shown_with_the_places_of_its_links() {
    let files = [
        ("main.yaml", "+include: part.yaml\na: {eval: b}\n"),
        ("part.yaml", "b: '{{ \"c\" | eval }}'\nc:\n  d:\n    - {eval: a}\n"),
    ];
    let ring = ["::root::a (main.yaml:2:4)", "::root::b (", "part.yaml:1:4)", "part.yaml:4:7)"];
    check_failure(&files, &["query", "a", "--data", "main.yaml"], &ring);
    let files = [("m.yaml", "x: {eval: $v, vars: {v: {eval: $w}, w: {eval: $v}}}\n")];
    check_failure(&files, &["query", "x", "--data", "m.yaml"], &["$v (m.yaml:1:25)", "$w (m.yaml:1:40)"]);
}

#[test]
fn errors_of_templates_say_where_in_the_file_that_holds_them() {
    let files = [("m.yaml", "a: 1\nb: 'x {{ nope }}'\nc: |\n  one\n  two {{ gone.x }}\n")];
    let at = ["missing variable: \"nope\"", "m.yaml, line: 2, column: 10"];
    check_failure(&files, &["query", "b", "--data", "m.yaml"], &at);
    let at = ["m.yaml, line: 5, column: 10"];
    check_failure(&files, &["yaml", "expand", "--evaluate", "m.yaml", "--var", "nope=1"], &at);
    check_failure(&files, &["query", "c", "--data", "m.yaml"], &at);
    let files = [("t.j2", "one\n{{ nope }}\n"), ("m.yaml", "a: {eval: {nofunc: 1}}\n")];
    check_failure(&files, &["template", "t.j2"], &["t.j2, line: 2, column: 4"]);
    check_failure(
        &files,
        &["query", "a", "--data", "m.yaml"],
        &["Function missing", "m.yaml, line: 1, column: 11"],
    );
}

#[test]
fn only_what_flags_allow_is_reached() {
    let outside = folder(&[("secret", "s3cret")]);
    let outside = outside.path().display().to_string();
    let secret = format!("{{{{ lookup('file', '{outside}/secret') }}}}");
    let inside = folder(&[("m.yaml", "a: {get_env: HIERARCH_TEST}\n"), ("note", "fine")]);
    let run = |arguments: &[&str]| hierarch(inside.path(), arguments);
    let refused = |output: Output, words: &str| {
        assert!(!output.status.success() && text(&output.stderr).contains(words), "{}", text(&output.stderr));
    };
    refused(run(&["query", "a", "--data", "m.yaml"]), "environment variables is not allowed");
    assert_eq!(text(&run(&["query", "a", "--data", "m.yaml", "--allow-env"]).stdout), "seen\n");
    refused(run(&["query", "a", "--data", "m.yaml", "--allow-env", "--safe"]), "unsafe");
    refused(run(&["template", "-e", &secret]), "--allow-read");
    assert_eq!(text(&run(&["template", "-e", &secret, "--allow-read", &outside]).stdout), "s3cret\n");
    refused(run(&["template", "-e", "{{ lookup('file', '../../etc/passwd') }}"]), "--allow-read");
    assert_eq!(text(&run(&["template", "-e", "{{ lookup('file', 'note') }}"]).stdout), "fine\n");
    let write = "{{ {'file': 'new', 'contents': 'x'} | eval }}";
    refused(run(&["template", "-e", write]), "--allow-write");
    assert!(!inside.path().join("new").exists());
    assert!(run(&["template", "-e", write, "--allow-write", "."]).status.success());
    assert!(inside.path().join("new").exists());
    refused(run(&["template", "-e", "{{ lookup('hiera', 'x') }}"]), "no Hiera data");
    refused(run(&["template", "-e", "{{ lookup('pipe', 'id') }}"]), "not found");
}

#[test]
fn keys_that_layered_data_lack_are_errors_unless_there_is_a_default() {
    let output =
        hierarch(root(), &[&["template", "-e", "{{ lookup('hiera', 'no::such') }}"][..], &NODE].concat());
    assert!(text(&output.stderr).contains("did not find a value for the name 'no::such'"));
    let template =
        "{{ lookup('hiera', 'no::such', default='d') }}{{ lookup('hiera', 'profile::database::password') }}";
    let output = hierarch(root(), &[&["template", "-e", template][..], &NODE].concat());
    assert!(text(&output.stderr).contains("uses secrets"), "{}", text(&output.stderr));
}

#[test]
fn a_trace_says_what_an_expression_gave() {
    let folder = folder(&[("m.yaml", "a: 5\nb: {eval: a, trace: true}\n")]);
    let output = hierarch(folder.path(), &["query", "b", "--data", "m.yaml"]);
    assert_eq!((text(&output.stdout).as_str(), text(&output.stderr).as_str()), ("5\n", "Trace: a gives 5\n"));
}

#[test]
fn errors_in_arguments_say_where_the_argument_stands() {
    let document = "a:\n  concat:\n    - x\n    - {eval: {concta: [1]}}\nb: {eval: {if: a, then: '{{ gone }}', else: '{{ gone }}'}}\n";
    let files = [("main.yaml", document)];
    let wanted = ["main.yaml, line: 4, column: 14", "did you mean concat?", "hierarch doc --expressions"];
    check_failure(&files, &["query", "a", "--data", "main.yaml"], &wanted);
    let plain = [("main.yaml", "a: 1\nb: {eval: {if: a, then: '{{ gone }}'}}\n")];
    let wanted = ["missing variable: \"gone\"", "main.yaml, line: 2, column: 29"];
    check_failure(&plain, &["query", "b", "--data", "main.yaml"], &wanted);
}

#[test]
fn a_path_that_leads_nowhere_says_so() {
    let files = [("main.yaml", "web: {port: 80}\n")];
    check_failure(&files, &["query", "::web::prot", "--data", "main.yaml"], &["::web::prot has no match"]);
    check_failure(&files, &["query", "::nope", "--data", "main.yaml"], &["::nope has no match"]);
}

#[test]
fn names_that_are_not_there_are_followed_by_those_like_them() {
    let wanted = ["there is no filter 'uper'", "did you mean upper?", "hierarch doc --expressions"];
    check_failure(&[], &["template", "-e", "{{ 1 | uper }}"], &wanted);
    check_failure(&[], &["template", "-e", "{{ 1 is odds }}"], &["did you mean odd?"]);
    check_failure(&[], &["template", "-e", "{{ __unfurl.concta('a') }}"], &["did you mean concat?"]);
}

#[test]
fn a_limit_that_is_reached_names_the_flag_that_raises_it() {
    let grows = "{% set ns = namespace(x='a') %}{% for i in range(20) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x | length }}";
    let wanted = ["a value takes more than 1000 bytes", "line: 1, column: 7", "--max-size"];
    check_failure(&[], &["template", "-e", grows, "--max-size", "1000"], &wanted);
    check_failure(&[], &["template", "-e", grows, "--max-steps", "100"], &["100 steps", "--max-steps"]);
    let output = hierarch(root(), &["template", "-e", grows]);
    assert_eq!(text(&output.stdout), "1048576\n", "{}", text(&output.stderr));
}

#[test]
fn the_folder_of_a_source_is_that_of_the_file_it_stands_in() {
    let part =
        "p: {eval: {abspath: [x, src]}}\nt: \"{{ 'x' | abspath('src') }}\"\nn: [{eval: {get_dir: src}}]\n";
    let folder = folder(&[
        ("main.yaml", "part: {+include: sub/part.yaml}\nhere: {eval: {abspath: [x, src]}}\n"),
        ("sub/part.yaml", part),
    ]);
    let base = folder.path().canonicalize().expect("a folder");
    let asked = |path: &str| {
        let output = hierarch(folder.path(), &["query", path, "--data", "main.yaml"]);
        text(&output.stdout).trim_end().to_owned()
    };
    for (path, wanted) in [("here", "x"), ("part::p", "sub/x"), ("part::t", "sub/x"), ("part::n::0", "sub")] {
        assert_eq!(asked(path), base.join(wanted).display().to_string(), "{path}");
    }
}
