//! `stdlib::start_with` and `stdlib::end_with`: how a text begins and ends.

use crate::prelude::*;

/// The function `stdlib::start_with`.
pub(super) static START_WITH: Function = Function {
    name: "stdlib::start_with",
    doc: "Tells whether a text begins with another, or with any of several.",
    dispatches: &[on(
        &["String test_string", "Variant[String[1], Array[String[1], 1]] prefixes"],
        start_with,
    )
    .returns("Boolean")],
    examples: &[
        Gives("stdlib::start_with('foobar', ['x', 'foo'])", "true"),
        Gives("stdlib::start_with('foobar', 'bar')", "false"),
        Fails(
            "stdlib::start_with('foo', [])",
            "parameter 'prefixes' variant 0 expects a String value, got Array",
        ),
    ],
};

/// The function `stdlib::end_with`.
pub(super) static END_WITH: Function = Function {
    name: "stdlib::end_with",
    doc: "Tells whether a text ends with another, or with any of several.",
    dispatches: &[on(&["String test_string", "Variant[String[1], Array[String[1], 1]] suffixes"], end_with)
        .returns("Boolean")],
    examples: &[
        Gives("stdlib::end_with('foobar', ['x', 'bar'])", "true"),
        Gives("stdlib::end_with('foobar', 'foo')", "false"),
        Fails("stdlib::end_with(1, 'x')", "parameter 'test_string' expects a String value, got Integer"),
    ],
};

fn start_with(call: &mut Call) -> Result<Value> {
    any(call, |text, part| text.starts_with(part))
}

fn end_with(call: &mut Call) -> Result<Value> {
    any(call, |text, part| text.ends_with(part))
}

fn any(call: &Call, has: fn(&str, &str) -> bool) -> Result<Value> {
    let parts = call.value(1).as_array().unwrap_or(&call.arguments()[1..]);
    Ok(parts.iter().filter_map(Value::as_str).any(|part| has(call.str(0), part)).into())
}
