//! `flatten` and `join`: nested arrays as one, or as one text.

use crate::prelude::*;

/// The function `flatten`.
pub(super) static FLATTEN: Function = Function {
    name: "flatten",
    doc: "Returns one Array of all arguments, the elements of Arrays (however deep) in the place of those.",
    dispatches: &[on(&["*Any args"], flatten)],
    examples: &[
        Gives("flatten([1, [2, [3, []]]])", "[1, 2, 3]"),
        Gives("flatten(1, [2], {a => [3]})", "[1, 2, {'a' => [3]}]"),
    ],
};

/// The function `join`.
pub(super) static JOIN: Function = Function {
    name: "join",
    doc: "Returns the texts of all elements of an Array and of the Arrays inside it, with a delimiter between them.",
    dispatches: &[on(&["Array arg", "?String delimiter"], join)],
    examples: &[
        Gives("join([1, [2, [undef]], true], '-')", "'1-2--true'"),
        Gives("join(['a', 'b'])", "'ab'"),
        Gives("join([{a => 1}])", "'{\"a\"=>1}'"),
        Fails("join('a', ',')", "'join' parameter 'arg' expects an Array value, got String"),
    ],
};

fn flatten(call: &mut Call) -> Result<Value> {
    let mut flat = Vec::new();
    let arguments = call.take_all();
    spread(arguments.into_vec(), &mut flat);
    call.check_size(flat.len())?;
    Ok(Value::array(flat))
}

/// Returns all elements, those of arrays in the place of these.
pub(crate) fn flattened(values: &[Value]) -> Vec<Value> {
    let mut flat = Vec::new();
    spread(values.to_vec(), &mut flat);
    flat
}

fn spread(values: Vec<Value>, flat: &mut Vec<Value>) {
    for value in values {
        match value {
            Value::Array(elements) => spread(Arc::unwrap_or_clone(elements).into_vec(), flat),
            other => flat.push(other),
        }
    }
}

fn join(call: &mut Call) -> Result<Value> {
    let text = joined(call.array(0), call.str(1));
    call.check_size(text.len())?;
    Ok(text.into())
}

/// An array inside is joined by itself, so that an empty one is an empty text between two delimiters.
fn joined(values: &[Value], delimiter: &str) -> String {
    let text = |value: &Value| match value {
        Value::Array(inner) => joined(inner, delimiter),
        other => ruby_text(other),
    };
    values.iter().map(text).collect::<Vec<String>>().join(delimiter)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn lists_in_lists() {
        check_calls(&[
            ("flatten([1, [2, [3, []]]])", "[1, 2, 3]"),
            ("flatten(1)", "[1]"),
            ("flatten(1, [2])", "[1, 2]"),
            ("flatten({a => [1]})", "[{'a' => [1]}]"),
            ("flatten([{a => [1]}])", "[{'a' => [1]}]"),
            ("flatten()", "[]"),
            ("flatten(undef)", "[undef]"),
            ("flatten([undef, [undef]])", "[undef, undef]"),
        ]);
    }
}
