//! Kind `validate`: what is wrong with a manifest, all of it.

use hierarch_source::Source;

use super::{Answer, Case, Judge, Verdict, lang};
use crate::parser::ours;

/// Judges cases of kind `validate`.
pub(super) struct Validate;

impl Judge for Validate {
    fn kind(&self) -> &'static str {
        "validate"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        let code = case.text("code").unwrap_or_default();
        let mut answer = Answer::new();
        let checked = ours::check_named(&Source::unnamed(code));
        let logged = ours::logged(&checked);
        lang::add_messages(&mut answer, "warnings", logged.warnings);
        lang::add_messages(&mut answer, "errors", logged.errors);
        match checked.failure() {
            None => answer.insert("valid".to_owned(), true.into()),
            Some(error) => answer.insert("error".to_owned(), lang::error_of(&error)),
        };
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}
