//! `hierarch parser` and `hierarch epp` as a user meets them: text, exit codes, formats.

mod common;

use serde_json::{Value as Json, json};

use common::{folder_of, hierarch};

/// A folder with good, bad and odd manifests.
fn folder() -> tempfile::TempDir {
    folder_of(&[
        ("good.pp", "notice(1)\n"),
        ("end.pp", "class {\n"),
        ("two.pp", "1 2\n$1 = 3\n"),
        ("odd.pp", "notice(\"a\\q\")\n"),
        ("below/deep.pp", "class a { 1 }\n"),
        ("good.epp", "a<%= $x %>b"),
        ("bad.epp", "<%= $x }"),
    ])
}

/// Checks a run; `FOLDER` in what is expected stands for the folder it runs in.
fn check(arguments: &[&str], input: &str, code: i32, out: &str, err: &str) {
    let folder = folder();
    let run = hierarch(folder.path(), arguments, input);
    let whole = folder.path().canonicalize().expect("it is there");
    let err = err.replace("FOLDER", whole.to_str().expect("a plain path"));
    assert_eq!((run.code, run.out.as_str(), run.err), (code, out, err), "{arguments:?}");
}

#[test]
fn a_good_manifest_says_nothing() {
    check(&["parser", "validate", "good.pp"], "", 0, "", "");
    check(&["parser", "validate", "-e", "notice(1)"], "", 0, "", "");
    check(&["parser", "validate"], "notice(1)", 0, "", "");
}

#[test]
fn errors_are_puppets_lines_and_exit_code() {
    let end = "Error: Could not parse for environment production: Syntax error at end of input (file: FOLDER/end.pp)\nNote: the text ends on line 1; '{' of line 1, column 7 is not closed\n";
    check(&["parser", "validate", "end.pp"], "", 1, "", end);
    let unnamed =
        "Error: Could not parse for environment production: Syntax error at '}' (line: 1, column: 1)\n";
    check(&["parser", "validate"], "}", 1, "", unnamed);
}

#[test]
fn several_errors_are_logged_and_counted_and_warnings_do_not_fail() {
    let two = "Error: This Literal Integer has no effect. A value was produced and then forgotten (one or more \
               preceding expressions may have the wrong form) (file: FOLDER/two.pp, line: 1, column: 1)\n\
               Error: Illegal attempt to assign to the numeric match result variable '$1'. Numeric variables are not \
               assignable (file: FOLDER/two.pp, line: 2, column: 1)\n\
               Error: Language validation logged 2 errors. Giving up\n";
    check(&["parser", "validate", "two.pp"], "", 1, "", two);
    let odd = "Warning: Unrecognized escape sequence '\\q' (file: FOLDER/odd.pp, line: 1, column: 13)\n";
    check(&["parser", "validate", "odd.pp"], "", 0, "", odd);
}

#[test]
fn folders_are_walked_and_all_their_files_are_reported() {
    let run = hierarch(folder().path(), &["parser", "validate", "."], "");
    assert_eq!(run.code, 1);
    for part in ["/end.pp", "/two.pp", "/odd.pp", "/below/deep.pp"] {
        assert!(run.err.contains(part), "{part} in {}", run.err);
    }
    assert!(!run.err.contains("epp"), "templates are not manifests");
}

#[test]
fn a_missing_file_fails_and_the_others_are_still_checked() {
    let run = hierarch(folder().path(), &["parser", "validate", "nope.pp", "end.pp"], "");
    assert_eq!(run.code, 1);
    assert!(
        run.err.ends_with("Error: One or more file(s) specified did not exist:\n   nope.pp\n"),
        "{}",
        run.err
    );
    assert!(run.err.contains("end.pp"));
}

#[test]
fn full_format_shows_the_line_with_a_mark() {
    let run = hierarch(folder().path(), &["parser", "validate", "--format", "full", "below"], "");
    assert!(run.err.contains("1 | class a { 1 }\n  |           ^\n"), "{}", run.err);
}

#[test]
fn machines_get_every_problem_once() {
    let folder = folder();
    let run = hierarch(folder.path(), &["parser", "validate", "--format", "json", "two.pp", "end.pp"], "");
    let list: Json = serde_json::from_str(&run.out).expect("JSON");
    let brief: Vec<_> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|problem| (&problem["code"], &problem["file"], &problem["line"], &problem["column"]))
        .collect();
    assert_eq!(
        brief,
        [
            (&json!("IDEM_EXPRESSION_NOT_LAST"), &json!("two.pp"), &json!(1), &json!(1)),
            (&json!("ILLEGAL_NUMERIC_ASSIGNMENT"), &json!("two.pp"), &json!(2), &json!(1)),
            (&json!("SYNTAX_ERROR"), &json!("end.pp"), &Json::Null, &Json::Null),
        ]
    );
    let run = hierarch(folder.path(), &["parser", "validate", "--format", "github", "below"], "");
    assert!(
        run.out.starts_with("::error file=below/deep.pp,line=1,col=11,title=IDEM_NOT_ALLOWED_LAST::"),
        "{}",
        run.out
    );
    let run = hierarch(folder.path(), &["parser", "validate", "--format", "sarif", "good.pp"], "");
    let log: Json = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.code, &log["version"], &log["runs"][0]["results"]), (0, &json!("2.1.0"), &json!([])));
}

#[test]
fn render_as_json_is_puppets_object() {
    let folder = folder();
    let run = hierarch(folder.path(), &["parser", "validate", "--render-as", "json", "end.pp", "two.pp"], "");
    let file = folder.path().canonicalize().expect("it is there").join("end.pp").display().to_string();
    let object: Json = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        object["end.pp"],
        json!({
            "issue_code": "SYNTAX_ERROR",
            "message": "Syntax error at end of input",
            "full_message": format!("Could not parse for environment production: Syntax error at end of input (file: {file})"),
            "file": file,
            "line": null,
            "pos": null,
        })
    );
    assert_eq!(object["two.pp"]["message"], "Language validation logged 2 errors. Giving up");
}

#[test]
fn a_module_file_holds_only_what_belongs_there() {
    let folder = folder();
    let manifests = folder.path().join("modules/web/manifests");
    std::fs::create_dir_all(&manifests).expect("folders");
    std::fs::write(manifests.join("vhost.pp"), "class web::site { }\nnotice(1)\n").expect("a file");
    let file = manifests.join("vhost.pp");
    let file = file.to_str().expect("a plain path");
    let modules = folder.path().join("modules");
    let arguments = ["parser", "validate", "--modulepath", modules.to_str().expect("a plain path"), file];
    let run = hierarch(folder.path(), &arguments, "");
    let expected = format!(
        "Error: This Function Call is unacceptable as a top level construct in this location (file: {file}, line: 2, \
         column: 1)\n\
         Error: Unacceptable location. The name 'web::site' is unacceptable in file '{file}' (file: {file}, line: 1, \
         column: 1)\n\
         Error: Language validation logged 2 errors. Giving up\n"
    );
    assert_eq!(run.err, expected);
}

#[test]
fn dump_shows_trees_and_reports_errors_without_failing() {
    check(&["parser", "dump", "-e", "1 + 1"], "", 0, "(+ 1 1)\n", "");
    check(&["parser", "dump", "--format", "json"], "1 + 1", 0, "{\"^\":[\"+\",1,1]}\n", "");
    let call = "--- good.pp\n(invoke {:functor (qn \"notice\") :args [1]})\n";
    check(&["parser", "dump", "good.pp"], "", 0, call, "");
    check(
        &["parser", "dump", "end.pp"],
        "",
        0,
        "",
        "Error: --- end.pp\nError: Syntax error at end of input\nNote: the text ends on line 1; '{' of line 1, column 7 is not closed\n",
    );
    check(
        &["parser", "dump", "--validate", "end.pp"],
        "",
        0,
        "",
        "Error: --- end.pp\nError: Syntax error at end of input (file: end.pp)\nNote: the text ends on line 1; '{' of line 1, column 7 is not closed\n",
    );
    check(&["parser", "dump", "-e", "1 2"], "", 0, "(block 1 2)\n", "");
    let run = hierarch(folder().path(), &["parser", "dump", "--validate", "-e", "1 2"], "");
    assert!(
        run.out.is_empty() && run.err.starts_with("Error: This Literal Integer has no effect."),
        "{}",
        run.err
    );
}

#[test]
fn templates_have_the_same_commands() {
    let tree = "(lambda {:body [(epp (render-s \"a\") (render (var \"x\")) (render-s \"b\"))]})\n";
    check(&["epp", "dump", "-e", "a<%= $x %>b"], "", 0, tree, "");
    check(&["epp", "validate", "good.epp"], "", 0, "", "");
    let bad = "Error: Syntax error at '}' (file: ./bad.epp, line: 1, column: 8)\nError: Errors while validating epp\n";
    check(&["epp", "validate", "."], "", 1, "", bad);
}

#[test]
fn another_folder_can_be_worked_in() {
    check(&["-C", "below", "parser", "dump", "-e", "1"], "", 0, "1\n", "");
    let run = hierarch(folder().path(), &["parser", "-C", "below", "validate", "deep.pp"], "");
    assert_eq!(run.code, 1);
    let run = hierarch(folder().path(), &["-C", "nowhere", "parser", "validate"], "");
    assert!(run.code == 1 && run.err.starts_with("Error: Could not enter nowhere: "), "{}", run.err);
}

#[test]
fn text_that_is_not_utf8_is_located() {
    let folder = folder();
    std::fs::write(folder.path().join("latin.pp"), b"notice(1)\n# caf\xE9\n").expect("a file");
    let run = hierarch(folder.path(), &["parser", "validate", "latin.pp"], "");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("0xE9") && run.err.contains("line: 2, column: 6"), "{}", run.err);
}
