//! Kinds `eval` and `convert`: the value, type, logs and error of a manifest.

use hierarch_pcore::infer;

use super::{Answer, Case, Judge, Verdict, lang, session};

/// Judges cases of the kind it is named by.
pub(super) struct Eval(pub(super) &'static str);

impl Judge for Eval {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        let code = case.text("code").unwrap_or_default();
        let mut answer = Answer::new();
        let environment = session::environment(case);
        let mut evaluator = session::evaluator(case, &environment);
        match session::run(&mut evaluator, code, &mut answer) {
            Ok(value) => {
                answer.insert("result".to_owned(), value.program_text().into());
                answer.insert("result_type".to_owned(), infer::detailed(&value).to_string().into());
            }
            Err(error) => session::add_error(&mut answer, &error),
        }
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}
