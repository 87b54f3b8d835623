//! `validate_string`, `validate_re` and their like: arguments checked before there were types.

use super::kinds::is_absolute;
use crate::collections::flattened;
use crate::prelude::*;
use crate::ruby::{class_name, implicit_text, inspected};
use issues::stdlib::{looks_to_be, lower_count, no_match, not_absolute, says};

/// The function `validate_string`.
pub(super) static VALIDATE_STRING: Function = Function {
    name: "validate_string",
    doc: "Fails if any argument is no String.",
    dispatches: &[legacy(-1, validate_string)],
    examples: &[
        Gives("validate_string('a', undef)", "undef"),
        Fails("validate_string(1)", "1 is not a string.  It looks to be a Integer"),
    ],
};

/// The function `validate_bool`.
pub(super) static VALIDATE_BOOL: Function = Function {
    name: "validate_bool",
    doc: "Fails if any argument is no Boolean.",
    dispatches: &[legacy(-1, validate_bool)],
    examples: &[
        Gives("validate_bool(true, false)", "undef"),
        Fails("validate_bool('true')", "\"true\" is not a boolean.  It looks to be a String"),
    ],
};

/// The function `validate_array`.
pub(super) static VALIDATE_ARRAY: Function = Function {
    name: "validate_array",
    doc: "Fails if any argument is no Array.",
    dispatches: &[legacy(-1, validate_array)],
    examples: &[
        Gives("validate_array([])", "undef"),
        Fails("validate_array(1)", "1 is not an Array.  It looks to be a Integer"),
    ],
};

/// The function `validate_hash`.
pub(super) static VALIDATE_HASH: Function = Function {
    name: "validate_hash",
    doc: "Fails if any argument is no Hash.",
    dispatches: &[legacy(-1, validate_hash)],
    examples: &[
        Gives("validate_hash({})", "undef"),
        Fails("validate_hash(1)", "1 is not a Hash.  It looks to be a Integer"),
    ],
};

/// The function `validate_re`.
pub(super) static VALIDATE_RE: Function = Function {
    name: "validate_re",
    doc: "Fails if a text does not match a pattern, or any of several; a third argument is the message.",
    dispatches: &[legacy(-1, validate_re)],
    examples: &[
        Gives("validate_re('abc', ['^x', '^a'])", "undef"),
        Fails("validate_re('abc', '^x')", "validate_re(): \"abc\" does not match \"^x\""),
        Fails("validate_re('abc', '^x', 'No!')", "No!"),
    ],
};

/// The function `validate_absolute_path`.
pub(super) static VALIDATE_ABSOLUTE_PATH: Function = Function {
    name: "validate_absolute_path",
    doc: "Fails if any argument, or element of one, is no absolute path of Unix or Windows.",
    dispatches: &[legacy(-1, validate_absolute_path)],
    examples: &[
        Gives("validate_absolute_path('/a', ['C:/b'])", "undef"),
        Fails("validate_absolute_path('a')", "\"a\" is not an absolute path."),
    ],
};

fn validate_string(call: &mut Call) -> Result<Value> {
    all(call, "a string", |value| matches!(value, Value::String(_) | Value::Undef))
}

fn validate_bool(call: &mut Call) -> Result<Value> {
    all(call, "a boolean", |value| value.as_boolean().is_some())
}

fn validate_array(call: &mut Call) -> Result<Value> {
    all(call, "an Array", |value| value.as_array().is_some())
}

fn validate_hash(call: &mut Call) -> Result<Value> {
    all(call, "a Hash", |value| value.as_hash().is_some())
}

fn all(call: &Call, what: &str, is_good: fn(&Value) -> bool) -> Result<Value> {
    if call.count() == 0 {
        return Err(lower_count(call.name(), 0, "> 0").into());
    }
    match call.arguments().iter().find(|value| !is_good(value)) {
        Some(value) => Err(looks_to_be(value, what).into()),
        None => Ok(Value::Undef),
    }
}

fn validate_re(call: &mut Call) -> Result<Value> {
    if !matches!(call.count(), 2 | 3) {
        return Err(lower_count("validate_re", call.count(), "2 or 3").into());
    }
    let text = call.value(0).as_str().ok_or_else(|| {
        says("validate_re", format!("input needs to be a String, not a {}", class_name(call.value(0))))
    })?;
    for pattern in flattened(&call.arguments()[1..2]) {
        if call.pattern(implicit_text(&pattern)?)?.is_match(text)? {
            return Ok(Value::Undef);
        }
    }
    Err(match call.value(2) {
        Value::Undef => no_match(call.value(0), call.value(1)),
        message => issues::argument(ruby_text(message)),
    }
    .into())
}

fn validate_absolute_path(call: &mut Call) -> Result<Value> {
    if call.count() == 0 {
        return Err(lower_count("validate_absolute_path", 0, "> 0").into());
    }
    for value in &call.take_all() {
        for path in value.as_array().unwrap_or(std::slice::from_ref(value)) {
            if !is_absolute(call, path)? {
                return Err(not_absolute(&inspected(path)).into());
            }
        }
    }
    Ok(Value::Undef)
}
