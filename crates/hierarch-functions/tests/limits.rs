//! Programs made to hurt end at a limit that is named, on the stack of an ordinary thread. Without limits they would run
//! for years.

use hierarch_eval::{Evaluator, ProgramLimits, ProgramSettings};
use hierarch_functions::environment;
use hierarch_source::{Error, Source};

const SMALL: ProgramLimits = ProgramLimits {
    steps: 20_000,
    depth: 100,
    size: 100_000,
    resources: 1_000,
    memory: 1 << 30,
    stack: 1_200_000,
};

/// Runs a program and shows its value in every way there is.
fn run(code: &str, limits: ProgramLimits) -> Result<String, Error> {
    let environment = environment();
    let mut evaluator =
        Evaluator::new(&environment).with_limits(limits).with_settings(ProgramSettings::default());
    evaluator.evaluate(&Source::unnamed(code)).map(|value| {
        value.to_json();
        value.to_yaml();
        hierarch_pcore::infer::detailed(&value).to_string();
        value.program_text()
    })
}

/// Checks that all programs end at one of these limits, and that the flag that raises it is named.
#[track_caller]
fn check_ends<C: AsRef<str>>(codes: &[C], limits: &[&str]) {
    let problem = |code: &C| {
        let code = code.as_ref();
        match run(code, SMALL) {
            Ok(value) => Some(format!("{code}: {}", value.chars().take(50).collect::<String>())),
            Err(error) if !limits.contains(&error.code) => Some(format!("{code}: {error}")),
            Err(error) => (!names_flag(&error)).then(|| format!("{code}: no flag: {error}")),
        }
    };
    let problems: Vec<String> = codes.iter().filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// How deep values nest is the one limit that no flag raises: it keeps the stack whole.
fn names_flag(error: &Error) -> bool {
    error.code == "NESTING_LIMIT"
        || (error.message.contains("; --max-") && error.message.contains(" raises the limit"))
}

#[test]
fn endless_loops() {
    let codes = [
        "Integer[0, 9223372036854775807].each |$x| { }",
        "Integer[0, 9223372036854775807].map |$x| { $x }",
        "Integer[0, 9223372036854775807].filter |$x| { false }",
        "Integer[0, 9223372036854775807].reduce |$m, $x| { $m }",
        "Integer[0, 9223372036854775807].all |$x| { true }",
        "Integer[0, 9223372036854775807].any |$x| { false }",
        "Integer[0, 9223372036854775807].index |$x| { false }",
        "Integer[0, 9223372036854775807].slice(2) |$x| { }",
        "Integer[0, 9223372036854775807].step(3) |$x| { }",
        "Integer[0, 9223372036854775807].reverse_each |$x| { }",
        "Integer[0, 9223372036854775807].step(3).each |$x| { }",
        "9223372036854775807.each |$x| { }",
        "Integer[0, 9223372036854775807].index(-1)",
        "Integer[0, 9223372036854775807].each |$x| { Integer[0, 9223372036854775807].each |$y| { } }",
    ];
    check_ends(&codes, &["STEP_LIMIT"]);
}

#[test]
fn endless_recursion() {
    let codes = [
        "function f() { f() } f()",
        "function f($x) { [1].map |$y| { f($x) } } f(0)",
        "function f() { with(1) |$x| { f() } } f()",
        "function f() { g() } function g() { f() } f()",
        "function f($x = f()) { 1 } f()",
        "function f() { inline_epp('<%= f() %>') } f()",
        "function f() { \"${f()}\" } f()",
        "function f() { call('f') } f()",
        "function f() { [f(), {a => f()}] } f()",
    ];
    check_ends(&codes, &["DEPTH_LIMIT"]);
}

/// However many calls are allowed, the stack of the thread is not used up.
#[test]
fn recursion_ends_before_the_stack_does() {
    let limits = ProgramLimits { depth: u32::MAX, ..ProgramLimits::default() };
    for code in ["function f($x) { [1].map |$y| { f($x) } } f(0)", "function f() { \"${f()}\" } f()"] {
        assert_eq!(run(code, limits).expect_err(code).code, "DEPTH_LIMIT", "{code}");
    }
}

#[test]
fn gigantic_texts() {
    let codes = [
        "Integer[1, 100].reduce('ab') |$m, $x| { \"${m}${m}\" }",
        "Integer[1, 100].reduce('ab') |$m, $x| { \"${[$m, $m]}\" }",
        "Integer[1, 100].reduce('ab') |$m, $x| { join([$m, $m]) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { sprintf('%s%s', $m, $m) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { regsubst($m, 'a|b', $m, 'G') }",
        "Integer[1, 100].reduce('ab') |$m, $x| { String([$m, $m]) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { inline_epp('<%= $m %><%= $m %>') }",
        "Integer[1, 100].reduce('ab') |$m, $x| { String($m, \"%${x}000000s\") }",
        "String(Array(Integer[1, 1000]), {Array => {format => '%a', string_formats => {Integer => '%1000d'}}})",
        "String(Array(Integer[1, 1000]), {Array => {format => '%a', separator => sprintf('%1000s', '')}})",
        "String({a => 1}, {Hash => {format => '%h', string_formats => {Any => '%60000s'}}})",
        "regsubst(sprintf('%10000s', ''), ' ', sprintf('%10000s', ''), 'G')",
        "sprintf('%1000000000s', 'a')",
        "sprintf('%01000000000d', 1)",
        "sprintf('%.1000000000f', 1.0)",
    ];
    check_ends(&codes, &["SIZE_LIMIT"]);
}

#[test]
fn gigantic_collections() {
    let codes = [
        "Integer[1, 100].reduce([1]) |$m, $x| { $m + $m }",
        "Integer[1, 100].reduce([1]) |$m, $x| { flatten($m, $m) }",
        "Integer[1, 100].reduce([1]) |$m, $x| { [$m, $m] }",
        "Integer[1, 100].reduce([1]) |$m, $x| { {a => $m, b => $m} }",
        "Integer[1, 100].reduce([1]) |$m, $x| { $m << $m }",
        "Integer[1, 100].reduce([1]) |$m, $x| { [$m, $m].map |$y| { $y } }",
        "Integer[1, 100].reduce([1]) |$m, $x| { Array([$m, $m], true) }",
        "Integer[1, 100].reduce([1]) |$m, $x| { [Sensitive($m), Sensitive($m)] }",
        "Integer[1, 100].reduce({}) |$m, $x| { $m + {$x => $m} }",
        "Array(Integer[0, 9223372036854775807])",
        "Array(9223372036854775807)",
        "Array(Integer[0, 9223372036854775807].step(1))",
        "[*Integer[0, 9223372036854775807].step(1)]",
        "Integer[0, 9223372036854775807].slice(9223372036854775807)",
        "Integer[0, 9223372036854775807].convert_to(Array)",
        "Hash(Integer[0, 9223372036854775807])",
        "unique(Integer[0, 9223372036854775807])",
    ];
    check_ends(&codes, &["SIZE_LIMIT", "STEP_LIMIT"]);
}

#[test]
fn values_and_types_that_nest_without_end() {
    let codes = [
        "Integer[1, 10000].reduce([]) |$m, $x| { [$m] }",
        "Integer[1, 10000].reduce({}) |$m, $x| { {a => $m} }",
        "Integer[1, 10000].reduce({}) |$m, $x| { {$m => 1} }",
        "Integer[1, 10000].reduce([]) |$m, $x| { [0, 0, 0, 0, 0, 0, 0, 0, 0, $m, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }",
        "Integer[1, 10000].reduce([]) |$m, $x| { [[1], [[1]], $m, [[1]], [1]] }",
        "Integer[1, 10000].reduce([]) |$m, $x| { [1] << $m }",
        "Integer[1, 10000].reduce([]) |$m, $x| { [1].map |$y| { $m } }",
        "Integer[1, 10000].reduce([]) |$m, $x| { Array([$m]) }",
        "Integer[1, 10000].reduce([]) |$m, $x| { [$m].slice(1) }",
        "Integer[1, 10000].reduce([]) |$m, $x| { {a => $m}.map |$k, $v| { $v } }",
        "Hash([[Array(Integer[1, 10000]), 1]], 'tree')",
    ];
    check_ends(&codes, &["NESTING_LIMIT"]);
    for code in [
        "Integer[1, 10000].reduce(Any) |$m, $x| { Array[$m] }",
        "Integer[1, 10000].reduce(Any) |$m, $x| { Struct[{a => $m}] }",
        "Integer[1, 10000].reduce(Any) |$m, $x| { Tuple[$m, $m] }",
        "Integer[1, 10000].reduce(Any) |$m, $x| { Variant[$m, Array[$m]] }",
        "Integer[1, 10000].reduce(Any) |$m, $x| { Callable[$m, $m] }",
        "Integer[1, 10000].reduce(Any) |$m, $x| { Type[$m] }",
    ] {
        let error = run(code, SMALL).expect_err(code);
        assert!(error.message.contains("nested too deep") || error.message.contains("too large"), "{error}");
    }
}

/// A call is one step, but what goes through a text letter by letter counts the letters, too.
#[test]
fn slow_work_on_large_texts() {
    let text = "$a = Integer[1, 1000].map |$i| { 'abcdexghij' }.join $l = Integer[1, 1000].map |$i| { 'abcdexghij' }";
    let calls = [
        "md5($a)",
        "sha1($a)",
        "sha256($a)",
        "split($a, 'x')",
        "split($a, /[x-z]/)",
        "regsubst($a, 'x', 'y', 'G')",
        "regsubst($a, /x/, 'y', 'G')",
        "regsubst($l, 'x', 'y')",
        "String($l)",
        "$l.convert_to(String)",
    ];
    let codes = calls.map(|call| format!("{text} Integer[1, 100].each |$i| {{ {call} }}"));
    check_ends(&codes, &["STEP_LIMIT"]);
    // Some of them are none too many.
    let few = calls.map(|call| format!("{text} Integer[1, 5].each |$i| {{ {call} }}"));
    for code in few {
        run(&code, SMALL).unwrap_or_else(|error| panic!("{code}: {error}"));
    }
}

#[test]
fn hostile_patterns() {
    let text = "a".repeat(60);
    let codes = [
        format!("'{text}b' =~ /^(a|aa)+(?!b)\\1?$/"),
        format!("regsubst('{text}b', '^(a|aa)+(?!b)\\1?$', '')"),
        format!("'{text}b'.match(/^(a|aa)+(?!b)\\1?$/)"),
        format!("split('{text}b', /(?:a|aa)+(?!b)c/)"),
        format!("case '{text}b' {{ /^(a|aa)+(?!b)\\1?$/: {{ 1 }} }}"),
        format!("'{text}b' ? {{ /^(a|aa)+(?!b)\\1?$/ => 1 }}"),
    ];
    check_ends(&codes, &["REGEXP_LIMIT"]);
    // What the engine can do without going back takes no steps at all.
    assert_eq!(run(&format!("'{text}b' =~ /^(a+)+$/"), SMALL).expect("no limit"), "false");
    run("'a' =~ /((((((((((a{1,99}){1,99}){1,99}){1,99}){1,99}){1,99}){1,99}){1,99}){1,99}){1,99})/", SMALL)
        .expect_err("a pattern that would be compiled to something gigantic");
}

#[test]
fn numbers_at_the_edges() {
    for code in [
        "-9223372036854775807 - 2",
        "9223372036854775807 * 9223372036854775807",
        "1 << 9223372036854775807",
        "1 >> -9223372036854775807",
        "(-9223372036854775807 - 1) / -1",
        "(-9223372036854775807 - 1) % -1",
        "abs(-9223372036854775807 - 1)",
        "-(-9223372036854775807 - 1)",
        "[1][9223372036854775807, 9223372036854775807]",
        "'a'[-9223372036854775807, 9223372036854775807]",
        "Integer[-9223372036854775807, 9223372036854775807].step(9223372036854775807).each |$x| { $x }",
        "Timespan(9223372036854775807) * 9223372036854775807",
        "Timestamp(1e300)",
        "1e308 * 1e308",
        "Integer('9' * 1000)",
        "fqdn_rand(9223372036854775807)",
        "round(1e300)",
    ] {
        // An answer or an error; what must not happen is a panic.
        let _ = run(code, SMALL);
    }
}

#[test]
fn a_define_that_declares_itself_twice_ends_at_the_number_of_resources() {
    let code = "define d() { d { \"${title}a\": } d { \"${title}b\": } }\nd { 'x': }";
    let error = run(code, SMALL).expect_err("endless");
    assert!(error.message.contains("more than 1000 resources; --max-resources raises the limit"), "{error}");
}

#[test]
fn what_is_collected_is_measured_while_it_grows() {
    let limits = ProgramLimits { size: 1_000, ..ProgramLimits::default() };
    for function in ["map", "filter", "unique"] {
        let code = format!("Integer[1, 1000000000].{function} |$x| {{ $x }}");
        let error = run(&code, limits).expect_err(function);
        assert!(error.message.contains("--max-size"), "{function}: {error}");
    }
}

#[test]
fn a_program_that_holds_too_much_is_stopped() {
    let environment = environment().with_memory(|| Some(2 << 30));
    let limits = ProgramLimits { memory: 1 << 30, ..ProgramLimits::default() };
    let mut evaluator = Evaluator::new(&environment).with_limits(limits);
    let error = evaluator.evaluate(&Source::unnamed("Integer[1, 100000].each |$x| { $x }"));
    assert!(error.is_err_and(|error| error.code == "MEMORY_LIMIT" && names_flag(&error)));
}
