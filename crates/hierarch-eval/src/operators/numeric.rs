//! Numbers as arithmetic takes them: a text that looks like one is converted, which strictness may forbid.

use hierarch_pcore::Value;
use hierarch_pcore::value::number::{Number, read_number};
use hierarch_syntax::ast::ExprId;

use crate::Level;
use crate::Strict;
use crate::evaluator::{Evaluated, Evaluator};
use crate::issues;
use crate::log::Log;
use crate::scope::Frame;

impl Evaluator<'_> {
    /// Returns an operand of arithmetic; times and versions are left for the operator to judge.
    pub(crate) fn numeric(&mut self, frame: &Frame, value: Value, blamed: ExprId) -> Evaluated {
        match &value {
            Value::Integer(_) | Value::Float(_) => Ok(value),
            Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) => Ok(value),
            Value::String(text) => match read_number(text) {
                Some(Number::TooLarge) if self.settings.strict == Strict::Error => {
                    let error = issues::coercion(text, &decimal(text));
                    Err(issues::at(error, &frame.code.ast, blamed).into())
                }
                Some(number) if number != Number::TooLarge => {
                    self.coerced(frame, text, number.into(), blamed)
                }
                _ => Err(issues::at(issues::not_numeric(&value), &frame.code.ast, blamed).into()),
            },
            _ => Err(issues::at(issues::not_numeric(&value), &frame.code.ast, blamed).into()),
        }
    }

    fn coerced(&mut self, frame: &Frame, text: &str, number: Value, blamed: ExprId) -> Evaluated {
        let error = issues::at(issues::coercion(text, &number.to_string()), &frame.code.ast, blamed);
        match self.settings.strict {
            Strict::Error => return Err(error.into()),
            Strict::Warning => {
                let place = error.place.clone();
                let message = issues::coercion(text, &number.to_string()).to_string();
                self.output.log(Log { level: Level::Warning, message, place, scope: None, excerpt: None });
            }
            Strict::Off => {}
        }
        Ok(number)
    }
}

/// Writes an integer of any size in tens, as the reference does: `0xff` is 255, `017` is 15.
fn decimal(text: &str) -> String {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    format!("{sign}{}", hierarch_syntax::in_radix(digits.trim_start_matches('+').trim_start(), 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_written_in_tens() {
        for (text, expected) in [
            ("99999999999999999999", "99999999999999999999"),
            ("0xffffffffffffffffffff", "1208925819614629174706175"),
            ("-0777777777777777777777777", "-4722366482869645213695"),
            (" 100000000000000000000 ", "100000000000000000000"),
        ] {
            assert_eq!(decimal(text), expected, "{text}");
        }
    }
}
