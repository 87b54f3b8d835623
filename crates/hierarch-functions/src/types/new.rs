//! `new` and `convert_to`: a value of a type, made from others.

use hierarch_pcore::convert;

use crate::prelude::*;

/// The function `new`.
pub(super) static NEW: Function = Function {
    name: "new",
    doc: "Creates a value of a type from the arguments; `Type(…)` means the same. A block is called with the value, and its result is returned.",
    dispatches: &[on(&["Type type", "*Any args", "?&Callable block"], new)],
    examples: &[
        Gives("Integer.new('0x1F')", "31"),
        Gives("String(255, '%#x')", "'0xff'"),
        Gives("new(Integer, '3') |$x| { $x * 2 }", "6"),
        Fails("Integer('x')", "The string 'x' cannot be converted to Integer"),
    ],
};

/// The function `convert_to`.
pub(super) static CONVERT_TO: Function = Function {
    name: "convert_to",
    doc: "Converts a value to a type, as `Type.new(value, args…)` does.",
    dispatches: &[on(&["Any value", "Type type", "*Any args", "?&Callable[1, 1] block"], convert_to)],
    examples: &[
        Gives("'5'.convert_to(Integer)", "5"),
        Fails("convert_to(1)", "'convert_to' expects at least 2 arguments, got 1"),
    ],
};

fn new(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    let arguments = call.take_all();
    let Some((Value::Type(type_), arguments)) = arguments.split_first() else { return Ok(Value::Undef) };
    made(call, type_, arguments)
}

fn convert_to(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    let mut arguments = call.take_all().into_vec();
    if arguments.len() < 2 {
        return Ok(Value::Undef);
    }
    let Value::Type(type_) = arguments.remove(1) else { return Ok(Value::Undef) };
    made(call, &type_, &arguments)
}

fn made(call: &mut Call, type_: &Type, arguments: &[Value]) -> Result<Value> {
    let value = call.as_lookup_context(convert::new(type_, arguments, call.host())?);
    if call.has_block() { call.yield_values([value]) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_of_types() {
        check_calls(&[
            ("new(Integer, '5')", "5"),
            (
                "new('Integer', '5')",
                "Evaluation Error: Error while evaluating a Function Call, 'new' parameter 'type' expects a Type value, got String (line: 1, column: 1)",
            ),
            (
                "Integer.new('x')",
                "Evaluation Error: Error while evaluating a Method call, 'new' The string 'x' cannot be converted to Integer (line: 1, column: 12)",
            ),
            ("String.new(5, '%x')", "'5'"),
            (
                "new(5)",
                "Evaluation Error: Error while evaluating a Function Call, 'new' parameter 'type' expects a Type value, got Integer (line: 1, column: 1)",
            ),
            (
                "new('nope')",
                "Evaluation Error: Error while evaluating a Function Call, 'new' parameter 'type' expects a Type value, got String (line: 1, column: 1)",
            ),
            (
                "Boolean.new('maybe')",
                "Evaluation Error: Error while evaluating a Method call, 'new_boolean' The string 'maybe' cannot be converted to Boolean (line: 1, column: 12)",
            ),
            ("new(Integer, '5') |$x| { $x + 1 }", "6"),
            (
                "Array.new(undef) |$x| { $x }",
                "Evaluation Error: Error while evaluating a Method call, 'new_array' Value of type Undef cannot be converted to Array (line: 1, column: 10)",
            ),
        ]);
    }
}
