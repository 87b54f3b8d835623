//! Numbers as arithmetic takes them: a text that looks like one is converted, which strictness may forbid.

use hierarch_pcore::Value;
use hierarch_pcore::value::number::{Number, read_number};
use hierarch_syntax::ast::ExprId;

use crate::Strict;
use crate::evaluator::{Evaluated, Evaluator};
use crate::issues;
use crate::log::{Level, Log};
use crate::scope::Frame;

impl Evaluator<'_> {
    /// Returns an operand of arithmetic; times and versions are left for the operator to judge.
    pub(crate) fn numeric(&mut self, frame: &Frame, value: Value, blamed: ExprId) -> Evaluated {
        match &value {
            Value::Integer(_) | Value::Float(_) => Ok(value),
            Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) => Ok(value),
            Value::String(text) => match read_number(text) {
                Some(number) if number != Number::TooLarge => {
                    self.coerced(frame, text, number.into(), blamed)
                }
                _ => Err(issues::at(issues::not_numeric(&value), &frame.code.ast, blamed).into()),
            },
            _ => Err(issues::at(issues::not_numeric(&value), &frame.code.ast, blamed).into()),
        }
    }

    fn coerced(&mut self, frame: &Frame, text: &str, number: Value, blamed: ExprId) -> Evaluated {
        let error = issues::at(issues::coercion(text, &number), &frame.code.ast, blamed);
        match self.settings.strict {
            Strict::Error => return Err(error.into()),
            Strict::Warning => {
                let place = error.place.clone();
                let message = issues::coercion(text, &number).to_string();
                self.output.log(Log { level: Level::Warning, message, place, scope: None });
            }
            Strict::Off => {}
        }
        Ok(number)
    }
}
