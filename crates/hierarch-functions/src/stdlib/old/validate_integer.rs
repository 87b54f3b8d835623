//! `validate_integer`: integers within bounds.

use crate::prelude::*;
use crate::ruby::{class_name, inspected, read_integer};
use issues::stdlib::says;

/// The function `validate_integer`.
pub(super) static VALIDATE_INTEGER: Function = Function {
    name: "validate_integer",
    doc: "Fails if a value, or an element of an Array, is no Integer, nor a text that is one, or more than the second argument or less than the third.",
    dispatches: &[legacy(-1, validate_integer)],
    examples: &[
        Gives("validate_integer(['1', 2], 3, 1)", "undef"),
        Fails(
            "validate_integer('x')",
            "validate_integer(): Expected first argument to be an Integer or Array, got String",
        ),
        Fails("validate_integer(4, 3)", "validate_integer(): Expected 4 to be smaller or equal to 3, got 4."),
    ],
};

fn validate_integer(call: &mut Call) -> Result<Value> {
    if !matches!(call.count(), 1..=3) {
        return Err(wrong(format!("Wrong number of arguments; must be 1, 2 or 3, got {}", call.count())));
    }
    let max = bound(call, 1, "second")?;
    let min = bound(call, 2, "third")?;
    if let (Some(max), Some(min)) = (max, min)
        && min > max
    {
        let words = format!("Expected second argument to be larger than third argument, got {max} < {min}");
        return Err(wrong(words));
    }
    let input = call.value(0);
    match input {
        Value::Array(elements) => {
            for (position, element) in elements.iter().enumerate() {
                let number = number(element).ok_or_else(|| {
                    let class = class_name(element);
                    wrong(format!(
                        "Expected element at array position {position} to be an Integer, got {class}"
                    ))
                })?;
                check(number, input, max, min)?;
            }
        }
        input => {
            let number = number(input).ok_or_else(|| {
                wrong(format!("Expected first argument to be an Integer or Array, got {}", class_name(input)))
            })?;
            // The message shows the number that a text became.
            check(number, &i64::try_from(number).map_or(input.clone(), Value::from), max, min)?;
        }
    }
    Ok(Value::Undef)
}

fn wrong(words: String) -> Unwind {
    says("validate_integer", words).into()
}

/// Reads an argument that limits; an empty one before another does not.
fn bound(call: &Call, index: usize, which: &str) -> Result<Option<i128>> {
    if call.count() <= index {
        return Ok(None);
    }
    let text = ruby_text(call.value(index));
    if index == 1 && call.count() > 2 && text.is_empty() {
        return Ok(None);
    }
    let number = read_integer(&text).map(Some);
    number.ok_or_else(|| {
        // The second is a text by then.
        let class = if index == 1 { "String".to_owned() } else { class_name(call.value(index)) };
        wrong(format!("Expected {which} argument to be unset or an Integer, got {text}:{class}"))
    })
}

fn number(value: &Value) -> Option<i128> {
    if let Value::Hash(_) = value { None } else { read_integer(&ruby_text(value)) }
}

fn check(number: i128, input: &Value, max: Option<i128>, min: Option<i128>) -> Result<()> {
    let shown = inspected(input);
    if let Some(max) = max.filter(|max| number > *max) {
        return Err(wrong(format!("Expected {shown} to be smaller or equal to {max}, got {shown}.")));
    }
    if let Some(min) = min.filter(|min| number < *min) {
        return Err(wrong(format!("Expected {shown} to be greater or equal to {min}, got {shown}.")));
    }
    Ok(())
}
