//! Every example in the tables of methods gives what it says.

use hierarch_ruby::ScriptLimits;
use hierarch_ruby::run::outcome;

/// Returns what is wrong with an example.
fn problem(example: &str) -> Option<String> {
    let (code, expected) = match (example.rsplit_once(" !! "), example.rsplit_once(" => ")) {
        (Some((code, error)), _) => (code, Err(error.to_owned())),
        (None, Some((code, shown))) => (code, Ok(shown.to_owned())),
        (None, None) => return Some(format!("{example}: neither ` => ` nor ` !! `")),
    };
    let got = outcome(code, ScriptLimits::default()).map_err(|failure| failure.to_string());
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
