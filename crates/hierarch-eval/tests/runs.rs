//! One evaluator and many programs: what stays, what is forgotten after an error, what runs share, and where they end.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::{failure, value};
use hierarch_bits::dice::Dice;
use hierarch_eval::{Codebase, Evaluator, Hash, ProgramLimits, ProgramSettings, Strict, Value};
use hierarch_source::{Error, MemoryFiles, Source};

fn ask(evaluator: &mut Evaluator, code: &str) -> Result<String, Error> {
    evaluator.evaluate(&Source::unnamed(code)).map(|value| value.program_text())
}

#[track_caller]
fn check(evaluator: &mut Evaluator, code: &str, expected: &str) {
    match ask(evaluator, code) {
        Ok(got) => assert_eq!(got, expected, "{code}"),
        Err(error) => panic!("{code}: {error}"),
    }
}

#[test]
fn variables_and_definitions_stay_for_the_next_program() {
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    check(&mut evaluator, "$x = 1\nfunction f($y) { $y + $x }\ntype Small = Integer[0, 3]\n$x", "1");
    check(&mut evaluator, "[f(2), 3 =~ Small, 4 =~ Small]", "[3, true, false]");
    assert_eq!(ask(&mut evaluator, "$x = 2").expect_err("set before").code, "ILLEGAL_REASSIGNMENT");
    check(&mut evaluator, "$z = f($x)\n$z", "2");
}

/// Programs that end badly in every way there is: none of them leaves anything behind that a later one could see.
#[test]
fn an_error_leaves_no_trace() {
    const BAD: &[&str] = &[
        "1 / 0",
        "function g($a) { $inner = $a 1 / 0 } g(5)",
        "function h($a) { if $a > 50 { 1 / 0 } else { h($a + 1) } } h(0)",
        "if 'abc' =~ /(b)(c)/ { 1 / 0 }",
        "\"${[1, \"${1 / 0}\"]}\"",
        "case 'xyz' { /(y)/: { $nope } }",
        "{ 'a' => [1, { 'b' => 1 / 0 }] }",
        "return(1)",
        "next()",
        "'abc' ? { /(b)/ => $undefined }",
        "function k() { notify { 'n': message => 1 / 0 } } k()",
        "nope(1)",
        "(((",
        "$1 = 3",
    ];
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    check(&mut evaluator, "$kept = [1]\nfunction own($a) { [$a, $0] }\n1", "1");
    for bad in BAD {
        assert!(ask(&mut evaluator, bad).is_err(), "{bad}");
        // The match variables are those of the program under way, and no variable of a function is seen.
        check(&mut evaluator, "[$kept, own(2), $0, $1]", "[[1], [2, undef], undef, undef]");
        let error = ask(&mut evaluator, "$inner").expect_err("a variable of a function");
        assert_eq!(error.code, "UNKNOWN_VARIABLE", "after {bad}: {error}");
    }
}

#[test]
fn match_variables_belong_to_the_innermost_match() {
    for (code, expected) in [
        ("if 'abc' =~ /(b)/ { $1 }", "b"),
        ("if 'abc' =~ /(b)/ { if 'xyz' =~ /(z)/ { $1 } }", "z"),
        ("if 'abc' =~ /(b)/ { if 'xyz' =~ /(z)/ { 1 } $1 }", "b"),
        ("if 'abc' =~ /(b)/ { if 'xyz' =~ /nope/ { 1 } else { $1 } }", "b"),
        ("if 'abc' =~ /b(.)/ { \"${0}${1}\" }", "bcc"),
        ("case 'abc' { /x(.)/: { 'no' } /b(.)/: { $1 } }", "c"),
        ("'abc' ? { /x/ => 1, /a(.)/ => $1 }", "b"),
        ("if 'a' =~ /a/ { } 'after'", "after"),
    ] {
        assert_eq!(value(code).to_string(), expected, "{code}");
    }
}

/// What is lowered once may run in any number of evaluators, also at the same time.
#[test]
fn code_is_shared_between_runs_and_threads() {
    let environment = Codebase::default();
    let source = Source::unnamed(
        "function fib(Integer $n) { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } }\nfib($facts['n'])",
    );
    let code = Evaluator::new(&environment).load_manifest(&source).expect("it loads");
    let run = |n: i64| {
        let mut evaluator = Evaluator::new(&environment);
        evaluator.set_facts(Hash::from_iter([("n", n)]));
        evaluator.load_manifest(&source).expect("its functions are its own");
        evaluator.run(&code).map(|value| value.to_string())
    };
    assert_eq!(run(10).expect("a number"), "55");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..6).map(|n| (n, scope.spawn(move || run(n)))).collect();
        for (n, thread) in threads {
            let expected = [0, 1, 1, 2, 3, 5][n as usize];
            assert_eq!(thread.join().expect("no panic").expect("a number"), expected.to_string());
        }
    });
}

/// A limit, a program that wants more, and the flag that its error names.
type Limit = (ProgramLimits, &'static str, &'static str, &'static str);

/// A program of sixty calls, one within the other.
const DEEP: &str = "function f($n) { if $n == 0 { 0 } else { f($n - 1) } } f(60)";

fn limits() -> Vec<Limit> {
    let usual = ProgramLimits::default();
    vec![
        (ProgramLimits { steps: 50, ..usual }, DEEP, "STEP_LIMIT", "--max-steps"),
        (ProgramLimits { depth: 20, ..usual }, DEEP, "DEPTH_LIMIT", "--max-depth"),
        (
            ProgramLimits { size: 100, ..usual },
            "function f($s, $n) { if $n == 0 { $s } else { f(\"${s}${s}\", $n - 1) } } f('ab', 10)",
            "SIZE_LIMIT",
            "--max-size",
        ),
        (
            ProgramLimits { resources: 5, ..usual },
            "notify { ['a', 'b', 'c', 'd', 'e', 'f', 'g']: }",
            "RESOURCE_LIMIT",
            "--max-resources",
        ),
        (ProgramLimits { stack: 100_000, ..usual }, DEEP, "DEPTH_LIMIT", "--max-depth"),
    ]
}

#[test]
fn every_limit_ends_a_program_and_names_its_flag() {
    let environment = Codebase::default();
    for (limits, code, error_code, flag) in limits() {
        let mut evaluator = Evaluator::new(&environment).with_limits(limits);
        let error = ask(&mut evaluator, code).expect_err(code);
        assert_eq!(error.code, error_code, "{code}: {error}");
        assert!(error.message.contains(flag), "{code}: {error}");
        assert!(error.place.is_some() || error_code == "RESOURCE_LIMIT", "{code}: {error}");
        // The next program begins with the whole budget again, and the same program fits into the usual limits.
        check(&mut evaluator, "1 + 1", "2");
        assert!(ask(&mut Evaluator::new(&environment), code).is_ok(), "{code}");
    }
}

#[test]
fn a_run_ends_soon_after_it_is_told_to() {
    let environment = Codebase::default();
    let stop = Arc::new(AtomicBool::new(true));
    let mut evaluator = Evaluator::new(&environment);
    evaluator.set_stop(Arc::clone(&stop));
    let calls = "f(50) ".repeat(500);
    let long = format!(
        "function f($n) {{ if $n == 0 {{ 0 }} else {{ f($n - 1) }} }}
{calls}"
    );
    let error = ask(&mut evaluator, &long).expect_err("it is stopped");
    assert_eq!(error.code, "STOPPED", "{error}");
    stop.store(false, Ordering::Relaxed);
    check(&mut evaluator, "1", "1");
}

#[test]
fn memory_is_asked_of_whoever_knows() {
    let environment = Codebase::default().with_memory(|| Some(5 << 30));
    let wide = ProgramLimits { depth: 1_000_000, ..ProgramLimits::default() };
    let mut evaluator = Evaluator::new(&environment).with_limits(wide);
    let calls = "f() ".repeat(20_000);
    let error = ask(&mut evaluator, &format!("function f() {{ 1 }}\n{calls}")).expect_err("too much is used");
    assert_eq!(error.code, "MEMORY_LIMIT", "{error}");
    assert!(error.message.contains("--max-memory"), "{error}");
}

#[test]
fn strictness_decides_between_an_error_a_warning_and_nothing() {
    let environment = Codebase::default();
    for (strict, fails, warns) in
        [(Strict::Error, true, false), (Strict::Warning, false, true), (Strict::Off, false, false)]
    {
        let settings = ProgramSettings { strict, strict_variables: false, ..ProgramSettings::default() };
        let mut evaluator = Evaluator::new(&environment).with_settings(settings);
        let result = ask(&mut evaluator, "{'a' => 1, 'a' => 2}");
        let logs = evaluator.take_logs();
        assert_eq!((result.is_err(), !logs.is_empty()), (fails, warns), "{strict:?}: {result:?}");
        if let Ok(value) = result {
            assert_eq!(value, "{'a' => 2}", "the last one counts");
        }
        // What was told is not told again.
        assert!(evaluator.take_logs().is_empty());
    }
}

#[test]
fn an_unknown_variable_is_an_error_only_where_that_is_wanted() {
    let environment = Codebase::default();
    for strict_variables in [true, false] {
        let settings =
            ProgramSettings { strict_variables, strict: Strict::Off, ..ProgramSettings::default() };
        let mut evaluator = Evaluator::new(&environment).with_settings(settings);
        let got = ask(&mut evaluator, "[$nope, 1]");
        assert_eq!(got.is_err(), strict_variables, "{got:?}");
    }
}

/// Files of modules: found by name, read once, shared by all runs of an environment.
#[test]
fn modules_are_loaded_when_they_are_needed() {
    let files = MemoryFiles::from([
        ("m/one/functions/f.pp", "function one::f($x) { two::g($x) + 1 }"),
        ("m/two/functions/g.pp", "function two::g($x) { $x * 10 }"),
        ("m/one/types/small.pp", "type One::Small = Integer[0, 9]"),
        ("m/one/manifests/init.pp", "class one(One::Small $x = 3) { $own = one::f($x) }"),
        ("m/one/manifests/d.pp", "define one::d() { notify { \"d ${title}\": } }"),
        ("m/bad/functions/f.pp", "function bad::f( {"),
        ("m/wrong/functions/f.pp", "function other::f() { 1 }"),
    ]);
    let environment = Codebase::default().with_files(Arc::new(files)).with_modulepath(vec!["m".into()]);
    let mut evaluator = Evaluator::new(&environment);
    check(&mut evaluator, "one::f(4)", "41");
    check(&mut evaluator, "[5 =~ One::Small, 50 =~ One::Small]", "[true, false]");
    check(&mut evaluator, "class { 'one': x => 2 } $one::own", "21");
    let catalog =
        Evaluator::new(&environment).compile(&[Source::unnamed("one::d { 'x': }")]).expect("compiled");
    assert!(catalog.find("Notify", "d x").is_some());
    let broken = ask(&mut evaluator, "bad::f(1)").expect_err("a syntax error");
    assert!(broken.to_string().contains("m/bad/functions/f.pp"), "{broken}");
    let misplaced = ask(&mut evaluator, "wrong::f()").expect_err("another name");
    assert!(misplaced.to_string().contains("wrong"), "{misplaced}");
    assert_eq!(ask(&mut evaluator, "none::f()").expect_err("no such module").code, "UNKNOWN_FUNCTION");
    // After all that, what is well is still known.
    check(&mut evaluator, "one::f(1)", "11");
}

#[test]
fn parameters_are_checked_and_filled_in_their_order() {
    for (call, expected) in
        [("f(1)", "[1, 2, []]"), ("f(1, 5)", "[1, 5, []]"), ("f(1, 5, 6, 7)", "[1, 5, [6, 7]]")]
    {
        let code =
            format!("function f(Integer $a, Integer $b = $a + 1, Integer *$c) {{ [$a, $b, $c] }}\n{call}");
        assert_eq!(value(&code).program_text(), expected, "{call}");
    }
    for (call, words) in [
        ("f()", "expects"),
        ("f('x')", "parameter 'a' expects an Integer value, got String"),
        ("f(1, 'x')", "parameter 'b' expects an Integer value, got String"),
        ("f(1, 2, 'x')", "parameter 'c' expects an Integer value, got String"),
    ] {
        let code =
            format!("function f(Integer $a, Integer $b = $a + 1, Integer *$c) {{ [$a, $b, $c] }}\n{call}");
        let error = failure(&code);
        assert!(error.message.contains(words), "{call}: {error}");
        assert_eq!(error.position().map(|(line, _)| line), Some(2), "{call}: {error}");
    }
    let returned = failure("function f() >> String { 1 }\nf()");
    assert!(returned.message.contains("expects a String value, got Integer"), "{returned}");
}

/// A text with expressions in it is the texts of their values, whatever they are.
#[test]
fn interpolation_is_the_text_of_the_value() {
    const VALUES: &[&str] = &[
        "1",
        "-1",
        "1.5",
        "'a'",
        "''",
        "true",
        "undef",
        "[1, 'a', [undef]]",
        "{'a' => [1], 'b' => {}}",
        "Integer[1, 2]",
        "/a.b/",
        "default",
        "'ü\"\\\\'",
    ];
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let (mut text, mut expected) = (String::new(), String::new());
        for _ in 0..dice.below(6) {
            let literal = *dice.pick(&["a ", "é", "$ ", "{", "}", "%{x}", " "]);
            text.push_str(literal);
            expected.push_str(literal);
            let shown = *dice.pick(VALUES);
            text.push_str(&format!("${{[{shown}][0]}}"));
            expected.push_str(&value(&format!("[{shown}][0]")).to_string());
        }
        assert_eq!(value(&format!("\"{text}\"")), Value::from(&*expected), "{text}");
    }
}

/// Whatever a value is made of, its text in the language gives it back.
#[test]
fn the_text_of_a_value_is_a_program_that_gives_it() {
    fn written(dice: &mut Dice, depth: usize) -> String {
        if depth == 0 || dice.once_in(3) {
            return (*dice.pick(&[
                "1",
                "-7",
                "'a'",
                "'it\\'s'",
                "true",
                "false",
                "undef",
                "1.5",
                "''",
                "Integer[1, 3]",
                "/x/",
            ]))
            .to_owned();
        }
        let items: Vec<String> = (0..dice.below(4)).map(|_| written(dice, depth - 1)).collect();
        if dice.once_in(2) {
            return format!("[{}]", items.join(", "));
        }
        let entries: Vec<String> =
            items.iter().enumerate().map(|(at, item)| format!("'k{at}' => {item}")).collect();
        format!("{{{}}}", entries.join(", "))
    }
    for seed in 0..400 {
        let code = format!("$x = {}\n$x", written(&mut Dice::new(seed), 4));
        let first = value(&code);
        let again = value(&format!("$x = {}\n$x", first.program_text()));
        assert_eq!(again, first, "{code}");
        assert_eq!(again.program_text(), first.program_text(), "{code}");
    }
}
