//! For tests of functions beside their code: what calls give, or how they fail and where.

use hierarch_eval::Evaluator;
use hierarch_source::Source;

/// Checks what each of these programs gives, or the whole text of its error, and tells of all that differ at once. The
/// answers are Puppet's.
#[track_caller]
pub(crate) fn check_calls(facts: &[(&str, &str)]) {
    let environment = crate::environment().assuming_module("stdlib");
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let found = match Evaluator::new(&environment).evaluate(&Source::unnamed(*code)) {
            Ok(value) => value.program_text(),
            Err(error) => error.to_string(),
        };
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
