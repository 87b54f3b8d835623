//! `range`: numbers or texts from one to another.

use crate::prelude::*;
use crate::ruby::leading_integer;
use hierarch_bits::successor;
use issues::stdlib::{STEP_SIZE, count, no_method, no_range, says};

/// No range is longer.
const LONGEST: usize = 1_000_000;

/// The function `range`.
pub(super) static RANGE: Function = Function {
    name: "range",
    doc: "Returns the Integers, or the texts as letters and digits count on, from the first to the last; a third argument takes only every so many. A single text such as `a..c`, `1-3` or `1...3` (without the last) does as well.",
    dispatches: &[legacy(-1, range)],
    examples: &[
        Gives("range(1, 7, 3)", "[1, 4, 7]"),
        Gives("range('host09', 'host11')", "['host09', 'host10', 'host11']"),
        Gives("range('1...3')", "[1, 2]"),
        Fails("range()", "range(): Wrong number of arguments given (0 for 1)"),
        Fails("range(1, 2, 0)", "range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)"),
        Fails("range('x')", "range(): Unable to compute range from the value: x"),
    ],
};

fn range(call: &mut Call) -> Result<Value> {
    let (start, stop, excludes_last, step) = match call.arguments() {
        [] => return Err(count("range", 0, "1").into()),
        [value] => {
            let (start, stop, excludes_last) = bounds(value)?;
            (Value::from(start), Value::from(stop), excludes_last, 1)
        }
        [start, stop, ..] => (start.clone(), stop.clone(), false, step(call)?),
    };
    let text = ruby_text(&start);
    let found = if text.lines().any(is_digits) {
        let last = whole(&stop)? - i64::from(excludes_last);
        numbers(whole(&start)?, last, step)
    } else {
        texts(&text, &ruby_text(&stop), excludes_last, step)
    };
    call.check_size(found.len())?;
    Ok(Value::array(found))
}

fn step(call: &Call) -> Result<usize> {
    let step = if call.count() > 2 { whole(call.value(2))? } else { 1 };
    match usize::try_from(step.unsigned_abs()) {
        Ok(step) if step > 0 => Ok(step),
        _ => Err(says("range", STEP_SIZE).into()),
    }
}

/// Reads a range that is written as one text.
fn bounds(value: &Value) -> Result<(String, String, bool)> {
    let text = value.as_str().ok_or_else(|| no_method("match", value))?;
    let is_word =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    for line in text.lines() {
        for separator in ["...", "..", "-"] {
            if let Some((start, stop)) = line.split_once(separator)
                && is_word(start)
                && is_word(stop)
            {
                return Ok((start.to_owned(), stop.to_owned(), separator == "..."));
            }
        }
    }
    Err(no_range(text).into())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn whole(value: &Value) -> Result<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Float(number) => Ok(*number as i64),
        Value::String(text) => Ok(leading_integer(text)),
        other => Err(no_method("to_i", other).into()),
    }
}

fn numbers(start: i64, stop: i64, step: usize) -> Vec<Value> {
    (start..=stop).step_by(step).take(LONGEST).map(Value::from).collect()
}

fn texts(start: &str, stop: &str, excludes_last: bool, step: usize) -> Vec<Value> {
    let all = TextRange::new(start, stop, excludes_last);
    all.step_by(step).take(LONGEST).map(Value::from).collect()
}

/// Texts from one to another, as Ruby's `upto` counts them.
struct TextRange {
    next: Option<String>,
    stop: String,
    after: String,
    excludes_last: bool,
}

impl TextRange {
    fn new(start: &str, stop: &str, excludes_last: bool) -> Self {
        // Single characters are counted by their codes, whatever stands between.
        let is_before = start < stop || (start == stop && !excludes_last);
        let next = is_before.then(|| start.to_owned());
        Self { next, stop: stop.to_owned(), after: successor(stop), excludes_last }
    }

    fn following(&self, text: &str) -> Option<String> {
        if text == self.stop {
            return None;
        }
        let next = match (text.as_bytes(), self.stop.as_bytes()) {
            ([code], [_]) => char::from(code + 1).to_string(),
            _ => successor(text),
        };
        let is_last = next == self.stop && self.excludes_last;
        let is_beyond = next.len() > self.stop.len() || next == self.after;
        (!is_last && !is_beyond).then_some(next)
    }
}

impl Iterator for TextRange {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let text = self.next.take()?;
        self.next = self.following(&text);
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn numbers_letters_and_steps() {
        check_calls(&[
            ("range(1, 3)", "[1, 2, 3]"),
            ("range('1', '3')", "[1, 2, 3]"),
            ("range(3, 1)", "[]"),
            ("range(1, 10, 3)", "[1, 4, 7, 10]"),
            ("range('a', 'd')", "['a', 'b', 'c', 'd']"),
            ("range('a1', 'a3')", "['a1', 'a2', 'a3']"),
            (
                "range('a1', 'b3')",
                "['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'b0', 'b1', 'b2', 'b3']",
            ),
            ("range('1..3')", "[1, 2, 3]"),
            ("range('1...3')", "[1, 2]"),
            ("range('1-3')", "[1, 2, 3]"),
            ("range('a..c')", "['a', 'b', 'c']"),
            ("range('host01', 'host03')", "['host01', 'host02', 'host03']"),
            (
                "range(1, 3, 0)",
                "Evaluation Error: Error while evaluating a Function Call, range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1) (line: 1, column: 1)",
            ),
            ("range(1, 3, -1)", "[1, 2, 3]"),
            ("range(1, 'a')", "[]"),
            (
                "range('')",
                "Evaluation Error: Error while evaluating a Function Call, range(): Unknown range format:  (line: 1, column: 1)",
            ),
            ("range(1.5, 3)", "['1.5']"),
            (
                "range(1)",
                "Evaluation Error: Error while evaluating a Function Call, undefined method `match' for an instance of Integer (line: 1, column: 1)",
            ),
            (
                "range()",
                "Evaluation Error: Error while evaluating a Function Call, range(): Wrong number of arguments given (0 for 1) (line: 1, column: 1)",
            ),
        ]);
    }
}
