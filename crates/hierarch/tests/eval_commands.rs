//! `hierarch eval`, `epp render`, `doc` and `repl` as a user meets them: text, exit codes, formats.

mod common;

use serde_json::{Value as Json, json};

use common::{folder_of, hierarch};

/// A folder with a manifest, facts, variables and a module.
fn folder() -> tempfile::TempDir {
    folder_of(&[
        ("site.pp", "notice('hello')\n$x = 20\n$x * 2\n"),
        ("facts.yaml", "os: {family: Debian}\n"),
        ("vars.json", "{\"n\": [1, 2]}"),
        ("values.yaml", "b: 2\n"),
        ("t.epp", "<%- |$a, $b| -%><%= $a %>-<%= $b %>\n"),
        ("modules/m/functions/twice.pp", "function m::twice(Integer $x) >> Integer { $x * 2 }\n"),
        ("modules/m/types/port.pp", "type M::Port = Integer[1, 65535]\n"),
        ("modules/m/templates/t.epp", "<%= $n %>!\n"),
    ])
}

fn check(arguments: &[&str], input: &str, code: i32, out: &str, err: &str) {
    let run = hierarch(folder().path(), arguments, input);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (code, out, err), "{arguments:?}");
}

#[test]
fn the_last_value_is_printed_and_logs_go_to_standard_error() {
    let log = "Notice: Scope(Class[main]): hello\n";
    check(&["eval", "site.pp"], "", 0, "40\n", log);
    check(&["eval", "-"], "'a'", 0, "'a'\n", "");
    check(&["eval", "-e", "[1, {a => undef}]"], "", 0, "[1, {'a' => undef}]\n", "");
    check(&["eval", "--render-as", "json", "-e", "[1, {a => undef}]"], "", 0, "[1,{\"a\":null}]\n", "");
}

#[test]
fn a_failure_is_said_in_puppets_words() {
    let error = "Error: Evaluation Error: Unknown variable: 'x'. (line: 1, column: 1)\n";
    check(&["eval", "-e", "$x"], "", 1, "", error);
    check(&["eval", "--strict_variables=false", "-e", "$x"], "", 1, "", error);
    check(
        &["eval", "--strict_variables=false", "--strict=warning", "-e", "$x"],
        "",
        0,
        "undef\n",
        "Warning: Unknown variable: 'x'. (line: 1, column: 1)\n",
    );
}

#[test]
fn facts_variables_and_modules_come_from_files() {
    check(
        &["eval", "--facts", "facts.yaml", "-e", "[$facts['os'], $os['family']]"],
        "",
        0,
        "[{'family' => 'Debian'}, 'Debian']\n",
        "",
    );
    check(&["eval", "--vars", "vars.json", "-e", "$n"], "", 0, "[1, 2]\n", "");
    check(
        &["eval", "--modulepath", "modules", "-e", "[m::twice(4), 80 =~ M::Port, 0 =~ M::Port]"],
        "",
        0,
        "[8, true, false]\n",
        "",
    );
    check(
        &["eval", "--modulepath", "modules", "--vars", "vars.json", "-e", "epp('m/t')"],
        "",
        0,
        "\"[1, 2]!\\n\"\n",
        "",
    );
}

#[test]
fn one_object_says_everything() {
    let run = hierarch(folder().path(), &["eval", "--json", "-e", "warning('w') 1 + 1"], "");
    let answer: Json = serde_json::from_str(&run.out).expect("an object");
    let expected =
        json!({"value": "2", "type": "Integer[2, 2]", "logs": [{"level": "warning", "message": "w"}]});
    assert_eq!(answer, expected);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn a_batch_answers_line_by_line() {
    let input = "{\"code\": \"$x + 1\", \"vars\": {\"x\": 4}}\n{\"code\": \"1 / 0\"}\nnonsense\n";
    let run = hierarch(folder().path(), &["eval", "--batch"], input);
    let answers: Vec<Json> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(answers[0]["value"], "5");
    assert_eq!(answers[1]["error"]["code"], "DIV_BY_ZERO");
    assert!(answers[2]["error"]["message"].as_str().expect("words").contains("no JSON"));
    assert_eq!((answers.len(), run.code), (3, 0));
}

#[test]
fn endless_programs_end_and_name_the_flag() {
    for (code, flag) in [
        ("function f($x) { f($x) } f(0)", "--max-depth"),
        ("Integer[0, 9000000000].each |$x| { }", "--max-steps"),
        ("Integer[0, 90].reduce('ab') |$m, $x| { \"${m}${m}\" }", "--max-size"),
    ] {
        let run = hierarch(folder().path(), &["eval", "--max-steps", "1000000", "-e", code], "");
        assert!(run.code == 1 && run.err.contains(flag), "{code}: {}", run.err);
    }
}

#[test]
fn templates_are_rendered_with_values_from_both_places() {
    let values = ["epp", "render", "t.epp", "--values_file", "values.yaml", "--values", "{a => 1}"];
    check(&values, "", 0, "1-2\n", "");
    check(&["epp", "render", "-e", "<%= 1 + 1 %>"], "", 0, "2", "");
    let run = hierarch(folder().path(), &["epp", "render", "-e", "<%= $nope %>"], "");
    assert!(run.code == 1 && run.err.contains("Unknown variable: 'nope'."), "{}", run.err);
}

#[test]
fn functions_are_explained() {
    let run = hierarch(folder().path(), &["doc", "length"], "");
    assert!(run.code == 0 && run.out.contains("length(Collection arg)"), "{}", run.out);
    let run = hierarch(folder().path(), &["doc", "no_such_function"], "");
    assert!(run.code == 1 && run.err.contains("there is no function, type"), "{}", run.err);
}

#[test]
fn a_session_keeps_its_variables() {
    let run = hierarch(folder().path(), &["repl"], "$x = 5\n$x + 1\n:type $x\n:quit\n");
    assert_eq!((run.code, run.out.as_str()), (0, "=> 5\n=> 6\nInteger[5, 5]\n"), "{}", run.err);
}

#[test]
fn work_inside_built_ins_counts() {
    let list = "$a = Integer[1, 20000].map |$i| { $i };";
    let run = hierarch(folder().path(), &["eval", "-e", &format!("{list} ($a - $a).size")], "");
    assert_eq!((run.code, run.out.trim()), (0, "0"), "{}", run.err);
    for work in ["-1 in $a", "$a == $a", "\"${a}\"", "max($a)", "$a + $a", "$a - [[1]]"] {
        let program = format!("{list} Integer[1, 10000].each |$x| {{ $y = ({work}) }}");
        let run = hierarch(folder().path(), &["eval", "--max-steps", "60000", "-e", &program], "");
        assert_eq!(run.code, 1, "{work}: {}", run.out);
        assert!(run.err.contains("--max-steps"), "{work}: {}", run.err);
    }
}
