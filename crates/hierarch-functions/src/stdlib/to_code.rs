//! `stdlib::to_python` and `stdlib::to_ruby`: data as those languages write it.

use super::rich_data::rich_data;
use crate::prelude::*;
use crate::ruby::inspected;

/// The function `stdlib::to_python`.
pub(super) static TO_PYTHON: Function = Function {
    name: "stdlib::to_python",
    doc: "Returns a value as Python writes it.",
    dispatches: &[on(&["Any object"], to_python)],
    examples: &[
        Gives("stdlib::to_python({a => [true, undef]})", "'{\"a\": [True, None]}'"),
        Fails("stdlib::to_python()", "'stdlib::to_python' expects 1 argument, got none"),
    ],
};

/// The function `stdlib::to_ruby`.
pub(super) static TO_RUBY: Function = Function {
    name: "stdlib::to_ruby",
    doc: "Returns a value as Ruby writes it.",
    dispatches: &[on(&["Any object"], to_ruby)],
    examples: &[
        Gives("stdlib::to_ruby({a => [true, undef]})", "'{\"a\" => [true, nil]}'"),
        Fails("stdlib::to_ruby()", "'stdlib::to_ruby' expects 1 argument, got none"),
    ],
};

fn to_python(call: &mut Call) -> Result<Value> {
    Ok(written(&rich_data(call.value(0)), ": ", python_scalar).into())
}

fn to_ruby(call: &mut Call) -> Result<Value> {
    Ok(written(&rich_data(call.value(0)), " => ", inspected).into())
}

fn python_scalar(value: &Value) -> String {
    match value {
        Value::Undef => "None".to_owned(),
        Value::Boolean(true) => "True".to_owned(),
        Value::Boolean(false) => "False".to_owned(),
        other => inspected(other),
    }
}

fn written(value: &Value, arrow: &str, scalar: fn(&Value) -> String) -> String {
    match value {
        Value::Array(elements) => {
            let all: Vec<String> = elements.iter().map(|element| written(element, arrow, scalar)).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Hash(hash) => {
            let pair = |(key, value): (&Value, &Value)| {
                format!("{}{arrow}{}", written(key, arrow, scalar), written(value, arrow, scalar))
            };
            format!("{{{}}}", hash.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        other => scalar(other),
    }
}
