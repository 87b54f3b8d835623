//! Every example in the tables of methods gives what it says.

use hierarch_ruby::run::{Flow, NoHost};
use hierarch_ruby::{Ruby, ScriptLimits, Vm};

/// Runs code and shows what it gives, or the error.
fn outcome(code: &str) -> Result<String, String> {
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(ScriptLimits::default())), &mut host);
    let result = vm
        .program(code, "example.rb")
        .and_then(|program| vm.run(&program))
        .and_then(|value| vm.inspect(&value));
    match result {
        Ok(shown) => Ok(shown.to_string()),
        Err(flow) => Err(match *flow {
            Flow::Raise(error) => {
                let message = vm.message_of(&error).map(|text| text.to_string()).unwrap_or_default();
                format!("{}: {message}", vm.class_name(&error))
            }
            Flow::Stop(error) => format!("{}: {}", error.code, error.message),
            _ => "a jump out of nothing".to_owned(),
        }),
    }
}

/// Returns what is wrong with an example.
fn problem(example: &str) -> Option<String> {
    let (code, expected) = match (example.rsplit_once(" !! "), example.rsplit_once(" => ")) {
        (Some((code, error)), _) => (code, Err(error.to_owned())),
        (None, Some((code, shown))) => (code, Ok(shown.to_owned())),
        (None, None) => return Some(format!("{example}: neither ` => ` nor ` !! `")),
    };
    let got = outcome(code);
    (got != expected).then(|| format!("{code}\n  expected: {expected:?}\n  got:      {got:?}"))
}

#[test]
fn examples_of_methods_hold() {
    let mut problems = Vec::new();
    let mut count = 0;
    for spec in hierarch_ruby::core::specs() {
        for table in spec.methods.iter().chain(spec.singleton) {
            for method in *table {
                count += method.examples.len();
                let wrong = method.examples.iter().filter_map(|example| problem(example));
                problems.extend(wrong.map(|problem| format!("{}: {}: {problem}", spec.name, method.name)));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{} of {count} examples do not hold:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(count > 400, "{count} examples are too few to be all");
}
