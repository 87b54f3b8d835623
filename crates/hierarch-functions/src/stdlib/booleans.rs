//! `any2bool`, `bool2num`, `bool2str`, `num2bool` and `str2bool`: booleans and what stands for them.

use crate::prelude::*;
use crate::ruby::{leading_integer, read_float};
use issues::stdlib::{count, not_a_number, requires, says};

/// The function `any2bool`.
pub(super) static ANY2BOOL: Function = Function {
    name: "any2bool",
    doc: "Returns a Boolean for anything: a number is true if it is at least one, a text if it says so (`yes`, `true`, `y`, `t`), everything else but `undef`.",
    dispatches: &[legacy(-1, any2bool)],
    examples: &[
        Gives("any2bool('yes')", "true"),
        Gives("any2bool('0.5')", "false"),
        Gives("any2bool([])", "true"),
        Fails("any2bool('x')", "str2bool(): Unknown type of boolean given"),
    ],
};

/// The function `bool2num`.
pub(super) static BOOL2NUM: Function = Function {
    name: "bool2num",
    doc: "Returns one for true or a text that says so, and zero for the opposite.",
    dispatches: &[legacy(-1, bool2num)],
    examples: &[
        Gives("bool2num(true)", "1"),
        Gives("bool2num('no')", "0"),
        Fails("bool2num()", "bool2num(): Wrong number of arguments given (0 for 1)"),
    ],
};

/// The function `bool2str`.
pub(super) static BOOL2STR: Function = Function {
    name: "bool2str",
    doc: "Returns the text of a Boolean, or the second argument for true and the third for false.",
    dispatches: &[legacy(-1, bool2str)],
    examples: &[
        Gives("bool2str(true)", "'true'"),
        Gives("bool2str(false, 'on', 'off')", "'off'"),
        Fails("bool2str('true')", "bool2str(): Requires a boolean to work with"),
    ],
};

/// The function `num2bool`.
pub(super) static NUM2BOOL: Function = Function {
    name: "num2bool",
    doc: "Tells whether a number, or a text that is one, is at least one.",
    dispatches: &[legacy(-1, num2bool)],
    examples: &[
        Gives("num2bool('1')", "true"),
        Gives("num2bool(0)", "false"),
        Fails(
            "num2bool('x')",
            "num2bool(): 'x' does not look like a number: invalid value for Float(): \"x\"",
        ),
    ],
};

/// The function `str2bool`.
pub(super) static STR2BOOL: Function = Function {
    name: "str2bool",
    doc: "Returns the Boolean that a text stands for: `1`, `t`, `y`, `true` and `yes` in any case are true; `0`, `f`, `n`, `false`, `no`, `undef` and the empty text are false.",
    dispatches: &[legacy(-1, str2bool)],
    examples: &[
        Gives("str2bool('Yes')", "true"),
        Gives("str2bool('')", "false"),
        Fails("str2bool('maybe')", "str2bool(): Unknown type of boolean given"),
    ],
};

fn any2bool(call: &mut Call) -> Result<Value> {
    let value = call.arguments().first().ok_or_else(|| count("any2bool", 0, "1"))?;
    Ok(match value {
        Value::Boolean(truth) => *truth,
        Value::Integer(_) | Value::Float(_) => is_positive(value)?,
        Value::String(text) if read_float(text).is_some() => is_positive(value)?,
        Value::String(_) => truth_of(value)?,
        _ => true,
    }
    .into())
}

fn bool2num(call: &mut Call) -> Result<Value> {
    let value = call.arguments().first().ok_or_else(|| count("bool2num", 0, "1"))?;
    Ok(i64::from(truth_of(value)?).into())
}

fn bool2str(call: &mut Call) -> Result<Value> {
    if !matches!(call.count(), 1 | 3) {
        return Err(count("bool2str", call.count(), "3").into());
    }
    let Value::Boolean(truth) = *call.value(0) else {
        return Err(requires("bool2str", "a boolean to work with").into());
    };
    let text = |index: usize, usual: &str| match call.value(index) {
        Value::Undef | Value::Boolean(false) => Some(usual.to_owned()),
        other => other.as_str().map(str::to_owned),
    };
    let texts = text(1, "true").zip(text(2, "false"));
    let (yes, no) = texts.ok_or_else(|| requires("bool2str", "strings to convert to"))?;
    Ok(if truth { yes } else { no }.into())
}

fn num2bool(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("num2bool", call.count(), "1").into());
    }
    Ok(is_positive(call.value(0))?.into())
}

fn str2bool(call: &mut Call) -> Result<Value> {
    let value = call.arguments().first().ok_or_else(|| count("str2bool", 0, "1"))?;
    Ok(truth_of(value)?.into())
}

fn is_positive(value: &Value) -> Result<bool> {
    Ok(match value {
        Value::Integer(number) => *number > 0,
        Value::Float(number) => *number >= 1.0,
        Value::String(text) => read_float(text).ok_or_else(|| not_a_number(text))? >= 1.0,
        other => leading_integer(&ruby_text(other)) > 0,
    })
}

/// Returns what a boolean or a text says.
pub(super) fn truth_of(value: &Value) -> Result<bool> {
    let text = match value {
        Value::Boolean(truth) => return Ok(*truth),
        Value::String(text) => text,
        _ => return Err(requires("str2bool", "string to work with").into()),
    };
    // The patterns of the reference are matched line by line, and each kind is tried on all lines.
    let any =
        |words: &[&str]| lines(text).any(|line| words.iter().any(|word| line.eq_ignore_ascii_case(word)));
    if any(&[""]) {
        return Ok(false);
    }
    if any(&["1", "t", "y", "true", "yes"]) {
        return Ok(true);
    }
    let is_undef = |line: &str| matches!(line, "undef" | "undefined");
    if any(&["0", "f", "n", "false", "no"]) || lines(text).any(is_undef) {
        return Ok(false);
    }
    Err(says("str2bool", "Unknown type of boolean given").into())
}

/// Returns the lines of a text. After a line break at the end comes no further line.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn words_and_truths() {
        check_calls(&[
            ("bool2num(true)", "1"),
            ("bool2num('false')", "0"),
            (
                "bool2num('x')",
                "Evaluation Error: Error while evaluating a Function Call, str2bool(): Unknown type of boolean given (line: 1, column: 1)",
            ),
            ("bool2str(true)", "'true'"),
            ("bool2str(false, 'y', 'n')", "'n'"),
            (
                "bool2str(true, 'y')",
                "Evaluation Error: Error while evaluating a Function Call, bool2str(): Wrong number of arguments given (2 for 3) (line: 1, column: 1)",
            ),
            (
                "bool2str('true')",
                "Evaluation Error: Error while evaluating a Function Call, bool2str(): Requires a boolean to work with (line: 1, column: 1)",
            ),
            ("num2bool(0)", "false"),
            ("num2bool('1')", "true"),
            ("num2bool(-1)", "false"),
            (
                "num2bool('a')",
                r#"Evaluation Error: Error while evaluating a Function Call, num2bool(): 'a' does not look like a number: invalid value for Float(): "a" (line: 1, column: 1)"#,
            ),
            ("num2bool(0.5)", "false"),
            ("str2bool('yes')", "true"),
            ("str2bool('0')", "false"),
            ("str2bool('')", "false"),
            (
                "str2bool('maybe')",
                "Evaluation Error: Error while evaluating a Function Call, str2bool(): Unknown type of boolean given (line: 1, column: 1)",
            ),
            ("str2bool(true)", "true"),
            (
                "str2bool(1)",
                "Evaluation Error: Error while evaluating a Function Call, str2bool(): Requires string to work with (line: 1, column: 1)",
            ),
        ]);
    }
}
