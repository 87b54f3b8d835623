//! Kind `epp`: the text of a template.

use hierarch_eval::Value;
use hierarch_source::Result;

use super::{Answer, Case, Judge, Verdict, lang, session};

/// Judges cases of kind `epp`.
pub(super) struct Epp;

impl Judge for Epp {
    fn kind(&self) -> &'static str {
        "epp"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        let mut answer = Answer::new();
        match render(case, &mut answer) {
            Ok(text) => drop(answer.insert("text".to_owned(), text.to_string().into())),
            Err(error) => session::add_error(&mut answer, &error),
        }
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}

fn render(case: &Case, answer: &mut Answer) -> Result<Value> {
    let environment = session::environment(case);
    let mut evaluator = session::evaluator(case, &environment);
    session::run(&mut evaluator, case.text("setup").unwrap_or("undef"), answer)?;
    let parameters = match case.text("params") {
        Some(code) => Some(session::run(&mut evaluator, code, answer)?),
        None => None,
    };
    let template = case.text("template").unwrap_or_default();
    let result = evaluator.render_epp(template, parameters.as_ref().and_then(Value::as_hash));
    session::add_logs(answer, &evaluator.take_logs(), result.is_err());
    result
}
