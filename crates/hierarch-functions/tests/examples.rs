//! Every example of every function gives what it says, and every function says something.

use hierarch_eval::Evaluator;
use hierarch_eval::function::{Example, Function};
use hierarch_functions::{FAMILIES, STDLIB_FAMILIES, environment};
use hierarch_source::Source;

/// Runs code in a fresh evaluator.
fn run(code: &str) -> hierarch_source::Result<String> {
    let environment = environment().assuming_module("stdlib");
    let mut evaluator = Evaluator::new(&environment);
    evaluator.evaluate(&Source::unnamed(code)).map(|value| value.program_text())
}

fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().chain(STDLIB_FAMILIES).flat_map(|family| family.iter().copied())
}

fn problem(example: &Example) -> Option<String> {
    match *example {
        Example::Gives(code, expected) => match run(code) {
            Ok(got) if got == expected => None,
            Ok(got) => Some(format!("{code}\n  expected: {expected}\n  got:      {got}")),
            Err(error) => Some(format!("{code}\n  expected: {expected}\n  failed:   {error}")),
        },
        Example::Fails(code, words) => match run(code) {
            Err(error) if error.message.contains(words) => None,
            Err(error) => Some(format!("{code}\n  expected: {words}\n  failed:   {}", error.message)),
            Ok(got) => Some(format!("{code}\n  expected: {words}\n  got:      {got}")),
        },
    }
}

#[test]
fn every_example_holds() {
    let all = functions().flat_map(|function| function.examples);
    let problems: Vec<String> = all.filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_function_has_a_name_of_its_own_a_doc_and_an_example() {
    let mut names: Vec<&str> = Vec::new();
    for function in functions() {
        assert!(!function.doc.is_empty() && !function.examples.is_empty(), "{}", function.name);
        assert!(!names.contains(&function.name), "{} is there twice", function.name);
        names.push(function.name);
    }
}
