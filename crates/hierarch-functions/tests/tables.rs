//! What is true of every function in the tables, whatever it does: signatures that can be read, errors that name it and the
//! place of the call, no panic, no secret told, nothing left behind.

mod common;

use std::collections::BTreeSet;

use common::{LIMITS, functions};
use hierarch_bits::dice::Dice;
use hierarch_eval::function::{Dispatch, Example, Function};
use hierarch_eval::{Codebase, Evaluator, Value};
use hierarch_functions::environment;
use hierarch_pcore::Type;
use hierarch_pcore::types::NoDefinitions;
use hierarch_source::{Error, Source};

fn call(environment: &Codebase, code: &str) -> (Result<Value, Error>, Vec<String>) {
    let mut evaluator = Evaluator::new(environment).with_limits(LIMITS);
    let result = evaluator.evaluate(&Source::new("call.pp", code));
    let logs = evaluator.take_logs().into_iter().map(|log| log.message).collect();
    (result, logs)
}

/// A parameter as it is written: `?Integer limit`, `*Any rest`, `&Callable block`.
struct Parameter {
    mark: Option<char>,
    type_: &'static str,
    name: &'static str,
}

fn parameters(dispatch: &Dispatch) -> Vec<Parameter> {
    let one = |text: &&'static str| {
        // A block may be left out, too: `?&Callable block`.
        let marks = text.chars().take_while(|mark| !mark.is_ascii_alphabetic());
        let mark = marks.last();
        let rest = text.trim_start_matches(|character: char| !character.is_ascii_alphabetic());
        let (type_, name) = rest.rsplit_once(' ').unwrap_or_else(|| panic!("{text} has no name"));
        Parameter { mark, type_, name }
    };
    dispatch.params().iter().map(one).collect()
}

#[test]
fn signatures_can_be_read_and_are_in_order() {
    for function in functions() {
        assert!(!function.dispatches.is_empty(), "{} cannot be called", function.name);
        for dispatch in function.dispatches {
            let mut names = BTreeSet::new();
            // What is needed comes first, then what may be left out, then any number, then the block.
            let order = |parameter: &Parameter| match parameter.mark {
                _ if parameter.type_.starts_with("Callable") || parameter.mark == Some('&') => 3,
                None => 0,
                Some('?') => 1,
                Some('*' | '+') => 2,
                Some(_) => 3,
            };
            let mut last = 0;
            for parameter in parameters(dispatch) {
                let at = order(&parameter);
                assert!(at >= last, "{}: {} stands too early", function.name, parameter.name);
                last = at;
                assert!(names.insert(parameter.name), "{}: {} is there twice", function.name, parameter.name);
                let type_ = Type::parse(parameter.type_, &NoDefinitions);
                assert!(type_.is_ok(), "{}: {}: {type_:?}", function.name, parameter.type_);
            }
            if let Some(returned) = dispatch.return_type() {
                assert!(Type::parse(returned, &NoDefinitions).is_ok(), "{}: {returned}", function.name);
            }
        }
    }
}

#[test]
fn too_many_arguments_are_refused_in_the_name_of_the_function() {
    let environment = environment().assuming_module("stdlib");
    let mut asked = 0;
    for function in functions() {
        let takes_any = |dispatch: &Dispatch| {
            dispatch.is_legacy() || parameters(dispatch).iter().any(|one| matches!(one.mark, Some('*' | '+')))
        };
        if function.dispatches.iter().any(takes_any) {
            continue;
        }
        let arguments = vec!["'x'"; 20].join(", ");
        let (result, _) = call(&environment, &format!("\n$x = {}({arguments})", function.name));
        let error = result.map(|value| value.to_string()).expect_err(function.name);
        assert!(error.message.contains(function.name), "{}: {error}", function.name);
        assert_eq!(error.position().map(|(line, _)| line), Some(2), "{}: {error}", function.name);
        asked += 1;
    }
    assert!(asked > 80, "{asked}");
}

/// What functions are called with that was not made for them.
const ODD: &[&str] = &[
    "undef",
    "default",
    "''",
    "'a'",
    "' '",
    "'%'",
    "'%s %d %<a>s'",
    "'../../etc/passwd'",
    "'é😀'",
    "'[a-'",
    "'(?<x>'",
    "0",
    "-1",
    "1",
    "9223372036854775807",
    "-9223372036854775807",
    "1.5",
    "-0.0",
    "1.0e300",
    "true",
    "[]",
    "[[]]",
    "['a', 1, undef]",
    "{}",
    "{'a' => {'b' => []}}",
    "{1 => undef}",
    "Integer",
    "Integer[0, 3]",
    "/a(b)?/",
    "Sensitive('x')",
    "Notify['a']",
    "SemVer('1.2.3')",
    "Timespan(5)",
    "Timestamp(0)",
    "Binary('YQ==')",
    "Type[String]",
    "Deferred('f', [])",
];

const BLOCKS: &[&str] =
    &["", "", " |$x| { $x }", " |$x, $y| { [$x, $y] }", " |*$x| { undef }", " || { 'b' }"];

/// Functions that declare resources: a resource that does not fit stays in the catalog, and is told of when that is finished.
const DECLARING: &[&str] = &[
    "create_resources",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "stdlib::ensure_packages",
];

fn odd_call(dice: &mut Dice, function: &Function) -> String {
    let arguments: Vec<&str> = (0..dice.below(5)).map(|_| *dice.pick(ODD)).collect();
    format!("$r = {}({}){}", function.name, arguments.join(", "), dice.pick(BLOCKS))
}

#[test]
fn no_function_panics_and_every_error_has_words_and_a_place() {
    let environment = environment().assuming_module("stdlib");
    let (mut values, mut errors) = (0, 0);
    for (number, function) in functions().enumerate() {
        let mut dice = Dice::new(number as u64);
        for _ in 0..25 {
            let code = odd_call(&mut dice, function);
            match call(&environment, &code).0 {
                Ok(value) => {
                    // What comes out can be shown in every way there is.
                    let _ = (value.program_text(), value.to_json(), value.to_yaml(), value.extent());
                    values += 1;
                }
                Err(error) => {
                    assert!(!error.message.trim().is_empty(), "{code}");
                    assert!(!error.message.contains("panicked"), "{code}: {error}");
                    errors += 1;
                }
            }
        }
    }
    assert!(values > 500 && errors > 3_000, "{values} values, {errors} errors");
}

/// A call that fails leaves the program around it as it was.
#[test]
fn a_function_that_fails_leaves_nothing_behind() {
    let environment = environment().assuming_module("stdlib");
    for (number, function) in functions().enumerate().filter(|(_, one)| !DECLARING.contains(&one.name)) {
        let mut dice = Dice::new(1_000 + number as u64);
        let mut evaluator = Evaluator::new(&environment).with_limits(LIMITS);
        evaluator.evaluate(&Source::unnamed("$kept = [1, {a => 2}]")).expect("it runs");
        for _ in 0..6 {
            let code = odd_call(&mut dice, function).replace("$r = ", "");
            if evaluator.evaluate(&Source::unnamed(format!("[1].map |$inner| {{ {code} }}"))).is_err() {
                let after = evaluator.evaluate(&Source::unnamed("[$kept, [3].map |$x| { $x + 1 }]"));
                assert_eq!(
                    after.map(|value| value.program_text()).ok().as_deref(),
                    Some("[[1, {'a' => 2}], [4]]"),
                    "{code}"
                );
                let inner = evaluator.evaluate(&Source::unnamed("$inner"));
                assert_eq!(inner.map_err(|error| error.code).err(), Some("UNKNOWN_VARIABLE"), "{code}");
            }
        }
    }
}

/// The secret in all that follows.
const CANARY: &str = "canary7f3a";

/// `unwrap` is there to tell it; the others write rich data, the secret included, in the reference as well.
const MAY_TELL: &[&str] = &["unwrap", "to_python", "to_ruby", "stdlib::to_python", "stdlib::to_ruby"];

#[test]
fn no_function_tells_a_secret_that_it_is_given() {
    let environment = environment().assuming_module("stdlib");
    let mut told = Vec::new();
    for (number, function) in functions().enumerate().filter(|(_, one)| !MAY_TELL.contains(&one.name)) {
        let mut dice = Dice::new(2_000 + number as u64);
        for _ in 0..12 {
            let count = 1 + dice.below(3);
            let place = dice.below(count);
            let secret = *dice.pick(&[
                "Sensitive('canary7f3a')",
                "[Sensitive('canary7f3a')]",
                "{'k' => Sensitive('canary7f3a')}",
            ]);
            let arguments: Vec<&str> =
                (0..count).map(|at| if at == place { secret } else { *dice.pick(ODD) }).collect();
            let code = format!("$r = {}({}){}", function.name, arguments.join(", "), dice.pick(BLOCKS));
            let (result, logs) = call(&environment, &code);
            let text = match result {
                Ok(value) => format!("{value} {}", value.program_text()),
                Err(error) => error.to_string(),
            };
            if text.contains(CANARY) || logs.iter().any(|log| log.contains(CANARY)) {
                told.push(format!("{code}: {text} {logs:?}"));
            }
        }
    }
    assert!(told.is_empty(), "{} calls tell:\n{}", told.len(), told.join("\n"));
}

/// Functions whose result depends on chance, on the time, or on what was called before.
const CHANGING: &[&str] = &[
    "fqdn_rand_string",
    "rand",
    "strftime",
    "time",
    "defined",
    "defined_with_params",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "shuffle",
];

#[test]
fn the_same_call_gives_the_same_result() {
    let environment = environment().assuming_module("stdlib");
    for function in functions().filter(|one| !CHANGING.contains(&one.name)) {
        for example in function.examples {
            let Example::Gives(code, expected) = *example else { continue };
            for _ in 0..2 {
                let mut evaluator = Evaluator::new(&environment);
                let value = evaluator.evaluate(&Source::unnamed(code)).map(|value| value.program_text());
                assert_eq!(value.ok().as_deref(), Some(expected), "{code}");
            }
        }
    }
}

/// What is known about a function is enough to look it up: names are in lower case, documentation ends as sentences do.
#[test]
fn every_function_can_be_read_about() {
    for function in functions() {
        let name = function.name;
        assert!(
            name.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || "_:".contains(one)),
            "{name}"
        );
        assert!(
            function.doc.starts_with(|one: char| one.is_ascii_uppercase() || one == '`'),
            "{name}: {}",
            function.doc
        );
        assert!(function.doc.trim_end().ends_with(['.', '`', ')']), "{name}: {}", function.doc);
        assert!(!function.doc.contains("TODO") && function.doc.len() > 15, "{name}: {}", function.doc);
    }
}
