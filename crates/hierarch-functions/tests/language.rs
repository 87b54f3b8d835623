//! Facts about the running language that no single function or operator can show.

use hierarch_eval::{Evaluator, ProgramLimits, ProgramSettings, Strict};
use hierarch_functions::environment;
use hierarch_source::{Result, Source};

fn run(code: &str) -> Result<String> {
    run_with(code, ProgramLimits::default(), ProgramSettings::default())
}

fn run_with(code: &str, limits: ProgramLimits, settings: ProgramSettings) -> Result<String> {
    let environment = environment();
    let mut evaluator = Evaluator::new(&environment).with_limits(limits).with_settings(settings);
    evaluator.evaluate(&Source::unnamed(code)).map(|value| value.program_text())
}

fn check(code: &str, expected: &str) {
    match run(code) {
        Ok(got) => assert_eq!(got, expected, "{code}"),
        Err(error) => panic!("{code}\n  {error}"),
    }
}

fn check_error(code: &str, expected: &str) {
    match run(code) {
        Ok(got) => panic!("{code} gives {got}"),
        Err(error) => assert_eq!(error.to_string(), expected, "{code}"),
    }
}

#[test]
fn a_lambda_sees_what_is_around_it_until_it_sets_its_own() {
    check("$x = 1 [1].map |$i| { $y = $x $x = 2 [$y, $x] }", "[[1, 2]]");
    check("$x = 1 [1].each |$i| { $x = 2 } $x", "1");
    check("[1].map |$a| { [2].map |$b| { [3].map |$c| { [$a, $b, $c] } } }", "[[[[1, 2, 3]]]]");
    check("function f($p) { $l = $p + 1 [1].map |$i| { $l + $i } } f(1)", "[3]");
}

#[test]
fn a_function_sees_its_own_variables_and_the_top_scope() {
    check("$x = 1 function f() { $y = $x $x = 5 [$y, $x] } f()", "[1, 5]");
    check_error(
        "function f() { $z } [1].map |$z| { f() }",
        "Evaluation Error: Unknown variable: 'z'. (line: 1, column: 16)",
    );
}

#[test]
fn conditionals_keep_their_match_variables_to_themselves() {
    check("if 'ab' =~ /(a)/ { $x = $1 } [$x, $1]", "['a', undef]");
    check("$m = 'ab' =~ /(b)/ [$m, $0, $1, $2]", "[true, 'b', 'b', undef]");
    check("$m = 'ab' =~ /(b)/ $n = 'x' =~ /y/ $1", "'b'");
    check("$m = 'ab' =~ /(b)/ [1].map |$i| { $1 }", "['b']");
    check("$m = 'ab' =~ /(b)/ function f() { $1 } f()", "undef");
    check("case 'abc' { /b(.)/: { $1 } }", "'c'");
}

#[test]
fn defaults_see_the_parameters_before_them() {
    check("function f($a, $b = $a + 1) { $b } f(1)", "2");
    check_error(
        "function f($a = $b, $b = 1) { $a } f()",
        "Evaluation Error: Error while evaluating a Function Call, f: default expression for $a tries to illegally \
         access not yet evaluated $b (line: 1, column: 36)",
    );
    check("function f(*$rest) { $rest } f(1, 2)", "[1, 2]");
    check("function f($a, *$rest) { $rest } f(1)", "[]");
}

#[test]
fn jumps_leave_what_they_are_meant_to_leave() {
    check("function f() { [1, 2].each |$x| { if $x == 2 { return('r') } } 'end' } f()", "'r'");
    check("[1, 2, 3].map |$x| { if $x == 2 { next() } $x }", "[1, undef, 3]");
    check("[1, 2, 3].filter |$x| { if $x == 3 { break() } true }", "[1, 2]");
    check_error("return(1)", "return() from context where this is illegal (line: 1)");
}

#[test]
fn an_error_names_the_innermost_place_and_the_calls_around_it() {
    let error = run("function f($x) { $x + 'a' }\nfunction g($x) { f($x) }\ng(1)").expect_err("no number");
    assert_eq!(
        error.to_string(),
        "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 23)"
    );
    let calls: Vec<&str> = error.stack.iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(calls, ["f", "g"]);
}

#[test]
fn strictness_can_be_turned_down() {
    let off = ProgramSettings { strict: Strict::Off, strict_variables: false, ..ProgramSettings::default() };
    let lax = |code| run_with(code, ProgramLimits::default(), off.clone()).expect("it runs");
    assert_eq!(lax("'1' + 1"), "2");
    assert_eq!(lax("[$nope]"), "[undef]");
}

#[test]
fn a_parameter_that_is_read_once_is_still_seen_by_whoever_may_ask_for_it() {
    check("[1, 2].reduce([]) |$m, $x| { $m + [$x] }", "[1, 2]");
    check("[1].map |$x| { [2].map |$y| { $x + $y } }", "[[3]]");
    check("[1].map |$x| { $x ? { Integer => inline_epp('<%= $x %>') } }", "['1']");
    check("[1, 2].reduce({}) |$m, $x| { if $x == 2 { break() } $m + {a => $x} }", "{'a' => 1}");
    check(
        "function f() { break() } [1, 2, 3].reduce([]) |$m, $x| { if $x == 3 { f() } $m + [$x] }",
        "[1, 2]",
    );
    check("function f($x, $y = [$x, $x]) { [$x, $y] } f(1)", "[1, [1, 1]]");
}

#[test]
fn recursive_aliases_work() {
    check(
        "type Tree = Array[Variant[Integer, Tree]] [[1, [2, [3]]] =~ Tree, [1, ['a']] =~ Tree]",
        "[true, false]",
    );
}

#[test]
fn a_template_sees_the_scope_of_its_call() {
    check("[1].map |$x| { inline_epp('<%= $x %>') }", "['1']");
    check("$t = 'top' inline_epp('<% [1, 2].each |$i| { %><%= $t %><%= $i %> <% } %>')", "'top1 top2 '");
    check("inline_epp('<%- |$a, $b = $a| -%><%= $a %><%= $b %>', {a => 1})", "'11'");
}

#[test]
fn deprecated_uses_are_warned_of_once_per_key() {
    // Recorded with puppetlabs-stdlib 9.4.1: the key counts, not what is said.
    let environment = environment().assuming_module("stdlib");
    let settings = ProgramSettings { strict: Strict::Warning, ..ProgramSettings::default() };
    let mut evaluator = Evaluator::new(&environment).with_settings(settings);
    let code = "deprecation('k', 'one', false)\ndeprecation('k', 'two', false)\ndeprecation('l', 'one', false)\n\
        deprecation('m', 'three')\ndeprecation('m', 'four')";
    evaluator.evaluate(&Source::unnamed(code)).expect("warnings are not errors");
    let warned: Vec<String> = evaluator.take_logs().into_iter().map(|log| log.message).collect();
    let words: Vec<&str> = warned.iter().filter_map(|text| text.split(' ').next()).collect();
    assert_eq!(words, ["one", "one", "three"], "{warned:?}");
}

/// Checks what programs give, or the whole text of their errors; all of it is asked of Puppet.
#[track_caller]
fn check_facts(facts: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let found = run(code).unwrap_or_else(|error| error.to_string());
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Programs, and what Puppet makes of them.
const TIMES_ADD_AND_MULTIPLY: &[(&str, &str)] = &[
    ("Timespan(1) + Timespan(2)", "Timespan('0-00:00:03.0')"),
    ("Timespan(1) + 2", "Timespan('0-00:00:03.0')"),
    ("2 + Timespan(1)", "Timespan('0-00:00:03.0')"),
    ("Timespan(1) - Timespan(2)", "Timespan('-0-00:00:01.0')"),
    ("Timespan(2) - 1.5", "Timespan('0-00:00:00.5')"),
    ("2 - Timespan(1)", "Timespan('0-00:00:01.0')"),
    ("Timespan(2) * 3", "Timespan('0-00:00:06.0')"),
    ("3 * Timespan(2)", "Timespan('0-00:00:06.0')"),
    (
        "Timespan(2) * Timespan(2)",
        "Evaluation Error: Error while evaluating a '*' expression, A Timestamp cannot be multiplied by a Timespan (line: 1, column: 13)",
    ),
    ("Timespan(6) / Timespan(4)", "1.5"),
    ("Timespan(7) / 2", "Timespan('0-00:00:03.5')"),
    (
        "7 / Timespan(2)",
        "Evaluation Error: Operator '/' is not applicable to an Integer when right side is a Timespan. (line: 1, column: 1)",
    ),
    (
        "Timespan(7) % Timespan(2)",
        "Evaluation Error: Error while evaluating a '%' expression, Can not do modulus on a Timespan using a a Timespan (line: 1, column: 13)",
    ),
    ("Timespan(7) % 2", "1"),
    ("Timespan(7) / 0", "Evaluation Error: Division by 0 (line: 1, column: 15)"),
    ("- Timespan(7)", "Timespan('-0-00:00:07.0')"),
    ("Timestamp(5) + Timespan(2)", "Timestamp('1970-01-01T00:00:07.000000000 UTC')"),
    ("Timestamp(5) + 2", "Timestamp('1970-01-01T00:00:07.000000000 UTC')"),
    ("Timespan(2) + Timestamp(5)", "Timestamp('1970-01-01T00:00:07.000000000 UTC')"),
    (
        "Timestamp(5) + Timestamp(2)",
        "Evaluation Error: Error while evaluating a '+' expression, A Timestamp cannot be added to a Timestamp (line: 1, column: 14)",
    ),
    ("Timestamp(5) - Timestamp(2)", "Timespan('0-00:00:03.0')"),
    ("Timestamp(5) - 2.5", "Timestamp('1970-01-01T00:00:02.500000000 UTC')"),
    (
        "2 - Timestamp(5)",
        "Evaluation Error: Operator '-' is not applicable to an Integer when right side is a Timestamp. (line: 1, column: 1)",
    ),
    (
        "Timestamp(5) * 2",
        "Evaluation Error: Operator '*' is not applicable to a Timestamp. (line: 1, column: 1)",
    ),
    (
        "Timestamp(5) / 2",
        "Evaluation Error: Operator '/' is not applicable to a Timestamp. (line: 1, column: 1)",
    ),
    (
        "Timespan(1) + 'a'",
        "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 15)",
    ),
    (
        "Timestamp(5) - 'a'",
        "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 16)",
    ),
    (
        "SemVer('1.0.0') + 1",
        "Evaluation Error: Operator '+' is not applicable to a Semver. (line: 1, column: 1)",
    ),
];

#[test]
fn times_add_and_multiply() {
    check_facts(TIMES_ADD_AND_MULTIPLY);
}

#[test]
fn members_of_objects_and_calls() {
    check_facts(&[
        ("'abc'.nope", "Evaluation Error: Unknown function: 'nope'. (line: 1, column: 6)"),
        ("[1].nope(2)", "Evaluation Error: Unknown function: 'nope'. (line: 1, column: 9)"),
        ("type A = Object[{attributes => {a => Integer}}]\nA(1).a", "1"),
        (
            "type A = Object[{attributes => {a => Integer}}]\nA(1).b",
            "Evaluation Error: Unknown function: 'b'. (line: 2, column: 5)",
        ),
        (
            "type A = Object[{attributes => {a => Integer}}]\nA(1).a(2)",
            "Evaluation Error: Error while evaluating a Method call, 'attribute A[a]' expects no arguments, got 1 (line: 2, column: 7)",
        ),
        ("type A = Object[{attributes => {a => Integer}, constants => {c => 5}}]\nA(1).c", "5"),
        ("type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A}]\nB(3).a", "3"),
        (
            "type A = Object[{functions => {f => Callable}}]\nA().f",
            "Evaluation Error: Error while evaluating a Method call, no method is implemented for function A[f] (line: 2, column: 4)",
        ),
        ("Error('x').msg", "'x'"),
        ("Error('x').message", "'x'"),
        ("Error('x', 'k', {a => 1}, 'i').details", "{'a' => 1}"),
        ("Integer.nope", "Evaluation Error: Unknown function: 'nope'. (line: 1, column: 8)"),
    ]);
}

#[test]
fn versions_and_times_are_put_in_order() {
    check_facts(&[
        ("SemVer('1.0.0') < SemVer('1.0.1')", "true"),
        (
            "SemVer('1.0.0') < '2.0.0'",
            "Evaluation Error: Comparison of: Semver < String, is not possible. Caused by 'Versions not comparable to non Versions'. (line: 1, column: 17)",
        ),
        ("Timespan(1) < 2", "true"),
        (
            "Timestamp(1) < Timespan(1)",
            "Evaluation Error: Comparison of: Timestamp < Timespan, is not possible. Caused by 'Timestamps are only comparable to Timestamps, Integers, and Floats'. (line: 1, column: 14)",
        ),
    ]);
}

#[test]
fn versions_match_ranges() {
    check_facts(&[
        ("'1.2.3' =~ SemVerRange('1.x')", "true"),
        ("SemVer('1.2.3') =~ SemVerRange('1.x')", "true"),
        (
            "SemVer('1.2.3') =~ SemVer('1.2.3')",
            "Evaluation Error: Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of SemanticPuppet::Version into String'. (line: 1, column: 20)",
        ),
        (
            "'1.2.3' =~ SemVer('1.2.3')",
            "Evaluation Error: Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of SemanticPuppet::Version into String'. (line: 1, column: 12)",
        ),
    ]);
}
