//! `validate_legacy`: a value against a type, in place of older functions.

use hierarch_pcore::mismatch::describe_value;

use super::deprecation::strictly_deprecated;
use crate::prelude::*;
use issues::stdlib::VALIDATE_LEGACY;

/// The function `validate_legacy`.
pub(super) static VALIDATE_LEGACY_FUNCTION: Function = Function {
    name: "validate_legacy",
    doc: "Fails if a value is not of a type. That it is deprecated is an error too, unless the setting `strict` is less than that.",
    dispatches: &[
        on(&["Type target_type", "String function_name", "Any value", "*Any args"], validate),
        on(&["String type_string", "String function_name", "Any value", "*Any args"], validate),
    ],
    examples: &[Fails(
        "validate_legacy(String, 'validate_string', 'x')",
        "deprecation. validate_legacy. This method is deprecated, please use Puppet data types to validate parameters",
    )],
};

fn validate(call: &mut Call) -> Result<Value> {
    let type_ = match call.take(0) {
        Value::Type(type_) => type_,
        other => call.type_from_text(other.as_str().unwrap_or_default())?,
    };
    // Before release 9 a value is also judged by the older function that this one stands for.
    if call.module_release("stdlib").is_some_and(|release| release < 9) {
        return validate_by_both(call, &type_);
    }
    strictly_deprecated(call, "validate_legacy", VALIDATE_LEGACY)?;
    let value = call.value(2);
    if type_.has(value) {
        return Ok(Value::Undef);
    }
    Err(issues::failed(&describe_value(&format!("validate_legacy({type_}, ...)"), &type_, value)).into())
}

/// What the older function still takes is deprecated; what neither takes is an error.
fn validate_by_both(call: &mut Call, type_: &Type) -> Result<Value> {
    let value = call.value(2).clone();
    if type_.has(&value) {
        return Ok(Value::Undef);
    }
    let older = call.str(1).to_owned();
    let words = describe_value(&format!("validate_legacy({older})"), type_, &value);
    let arguments = call.arguments()[2..].to_vec();
    if call.call_function(&older, arguments, false).is_err() {
        return Err(issues::failed(&words).into());
    }
    strictly_deprecated(call, "validate_legacy", &words)?;
    Ok(Value::Undef)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_that_must_be_of_a_type() {
        check_calls(&[
            (
                "validate_legacy(String, 'validate_string', 'a')",
                r#"Evaluation Error: Error while evaluating a Function Call, deprecation. validate_legacy. This method is deprecated, please use Puppet data types to validate parameters at ["unknown", 1]:["unknown", 0] (line: 1, column: 1)"#,
            ),
            (
                "validate_legacy(Integer, 'validate_integer', 'a')",
                r#"Evaluation Error: Error while evaluating a Function Call, deprecation. validate_legacy. This method is deprecated, please use Puppet data types to validate parameters at ["unknown", 1]:["unknown", 0] (line: 1, column: 1)"#,
            ),
            (
                "validate_legacy('Integer', 'validate_integer', 5)",
                r#"Evaluation Error: Error while evaluating a Function Call, deprecation. validate_legacy. This method is deprecated, please use Puppet data types to validate parameters at ["unknown", 1]:["unknown", 0] (line: 1, column: 1)"#,
            ),
            (
                "validate_slength('abc', 2)",
                "Evaluation Error: Unknown function: 'validate_slength'. (line: 1, column: 1)",
            ),
            (
                "validate_slength('abc', 5)",
                "Evaluation Error: Unknown function: 'validate_slength'. (line: 1, column: 1)",
            ),
            (
                "validate_slength(['ab', 'abcd'], 3)",
                "Evaluation Error: Unknown function: 'validate_slength'. (line: 1, column: 1)",
            ),
            (
                "validate_slength('abc', 5, 4)",
                "Evaluation Error: Unknown function: 'validate_slength'. (line: 1, column: 1)",
            ),
            (
                "validate_slength('abc', 'x')",
                "Evaluation Error: Unknown function: 'validate_slength'. (line: 1, column: 1)",
            ),
        ]);
    }
}
