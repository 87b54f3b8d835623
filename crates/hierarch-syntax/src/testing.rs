//! For tests of the grammar beside its code: the trees of texts, and the words about those that are not programs. The
//! answers are Puppet's.

use hierarch_source::Source;

use crate::{DumpFormat, ValidateOptions, check, dump, parse};

/// Checks the tree of each text, or the whole text of its error, and tells of all that differ at once.
#[track_caller]
pub(crate) fn check_trees(facts: &[(&str, &str)]) {
    compare(facts, |code| match parse(&Source::unnamed(code)).program {
        Ok(program) => dump(&program, DumpFormat::Pn),
        Err(error) => error.to_string(),
    });
}

/// Checks what is wrong with each text, and where; `valid` is one with which nothing is.
#[track_caller]
pub(crate) fn check_words(facts: &[(&str, &str)]) {
    compare(facts, |code| {
        let checked = check(&Source::unnamed(code), &ValidateOptions::default());
        checked.failure().map_or_else(|| "valid".to_owned(), |error| error.to_string())
    });
}

#[track_caller]
fn compare(facts: &[(&str, &str)], found: impl Fn(&str) -> String) {
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let found = found(code);
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
