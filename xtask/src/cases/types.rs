//! Kinds `instance`, `assignable`, `infer` and `type`: questions about types and values written in the language.

use hierarch_eval::Value;
use hierarch_pcore::infer;
use serde_json::json;

use super::{Answer, Case, Judge, Verdict, lang, session};

/// Judges cases of kind `instance`.
pub(super) struct Instance;

/// Judges cases of kind `assignable`.
pub(super) struct Assignable;

/// Judges cases of kind `infer`.
pub(super) struct Infer;

/// Judges cases of kind `type`.
pub(super) struct Canonical;

/// Evaluates the expressions in some fields and hands them to `answer_with`.
fn ask(case: &Case, fields: &[&str], answer_with: impl FnOnce(&[Value], &mut Answer)) -> Answer {
    let mut answer = Answer::new();
    let expressions: Vec<String> =
        fields.iter().map(|field| format!("({})", case.text(field).unwrap_or_default())).collect();
    let code = format!("{}\n[{}]", case.text("setup").unwrap_or_default(), expressions.join(", "));
    let environment = session::environment(case);
    let mut evaluator = session::evaluator(case, &environment);
    match session::run(&mut evaluator, &code, &mut answer) {
        Ok(value) => answer_with(value.as_array().unwrap_or_default(), &mut answer),
        Err(error) => session::add_error(&mut answer, &error),
    }
    answer
}

impl Judge for Instance {
    fn kind(&self) -> &'static str {
        "instance"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        ask(case, &["type", "value"], |values, answer| {
            if let [Value::Type(type_), value] = values {
                answer.insert("instance".to_owned(), type_.has(value).into());
            }
        })
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}

impl Judge for Assignable {
    fn kind(&self) -> &'static str {
        "assignable"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        ask(case, &["a", "b"], |values, answer| {
            if let [Value::Type(a), Value::Type(b)] = values {
                answer.insert("assignable".to_owned(), a.accepts(b).into());
            }
        })
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}

impl Judge for Infer {
    fn kind(&self) -> &'static str {
        "infer"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        ask(case, &["value"], |values, answer| {
            if let [value] = values {
                let inferred = json!({
                    "detailed": infer::detailed(value).to_string(),
                    "reduced": infer::reduced(value).to_string(),
                    "generalized": infer::generic(value).to_string(),
                });
                answer.insert("inferred".to_owned(), inferred);
            }
        })
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}

impl Judge for Canonical {
    fn kind(&self) -> &'static str {
        "type"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        ask(case, &["type"], |values, answer| {
            if let [value] = values {
                answer.insert("canonical".to_owned(), value.program_text().into());
            }
        })
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}
