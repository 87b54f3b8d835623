//! For tests of the evaluator beside its code: what programs give, or how they fail and where. There are no functions but
//! those that a program has itself.

use hierarch_source::Source;

use crate::{Codebase, Evaluator};

/// Checks what each of these programs gives, or the whole text of its error, and tells of all that differ at once. The
/// answers are Puppet's. A program that gives a value is compiled as well, so that what is wrong with its catalog is told.
#[track_caller]
pub(crate) fn check_programs(facts: &[(&str, &str)]) {
    let environment = Codebase::default();
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let source = Source::unnamed(*code);
        let value = Evaluator::new(&environment).evaluate(&source);
        let outcome = value.and_then(|value| {
            Evaluator::new(&environment).compile(std::slice::from_ref(&source)).map(|_| value)
        });
        let found = match outcome {
            Ok(value) => value.program_text(),
            Err(error) => error.to_string(),
        };
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
