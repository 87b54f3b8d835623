//! `upcase` and `downcase`: texts in capitals or without, in collections too.

use crate::prelude::*;

/// The function `upcase`.
pub(super) static UPCASE: Function = Function {
    name: "upcase",
    doc: "Returns a String in upper case; of an Array or Hash, all its texts. Numbers stay as they are.",
    dispatches: &[
        on(&["Numeric arg"], same),
        on(&["String arg"], upcase),
        on(&["Array[StringData] arg"], upcase),
        on(&["Hash[StringData, StringData] arg"], upcase),
    ],
    examples: &[
        Gives("upcase('grüße')", "'GRÜSSE'"),
        Gives("upcase(['a', 1])", "['A', 1]"),
        Fails("upcase(true)", "expects"),
    ],
};

/// The function `downcase`.
pub(super) static DOWNCASE: Function = Function {
    name: "downcase",
    doc: "Returns a String in lower case; of an Array or Hash, all its texts. Numbers stay as they are.",
    dispatches: &[
        on(&["Numeric arg"], same),
        on(&["String arg"], downcase),
        on(&["Array[StringData] arg"], downcase),
        on(&["Hash[StringData, StringData] arg"], downcase),
    ],
    examples: &[
        Gives("downcase('ABC')", "'abc'"),
        Gives("downcase({'A' => 'B'})", "{'a' => 'b'}"),
        Fails("downcase(undef)", "expects"),
    ],
};

fn same(call: &mut Call) -> Result<Value> {
    Ok(call.take(0))
}

fn upcase(call: &mut Call) -> Result<Value> {
    Ok(mapped(call.value(0), &|text| text.to_uppercase()))
}

fn downcase(call: &mut Call) -> Result<Value> {
    // One character at a time: Ruby knows no final sigma.
    Ok(mapped(call.value(0), &|text| text.chars().flat_map(char::to_lowercase).collect()))
}

/// Changes all texts of a value.
fn mapped(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(text).into(),
        Value::Array(elements) => {
            Value::array(elements.iter().map(|element| mapped(element, change)).collect())
        }
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, value)| (mapped(key, change), mapped(value, change)));
            entries.collect::<Hash>().into()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn letters_change_their_case() {
        check_calls(&[
            ("upcase('aé')", "'AÉ'"),
            ("downcase('AÉ')", "'aé'"),
            ("upcase('ß')", "'SS'"),
            ("upcase(['a', 'b'])", "['A', 'B']"),
            ("upcase([['a']])", "[['A']]"),
            ("upcase({a => b})", "{'A' => 'B'}"),
            ("upcase(1)", "1"),
            (
                "upcase(undef)",
                "Evaluation Error: Error while evaluating a Function Call, 'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Undef (line: 1, column: 1)",
            ),
            ("upcase(['a', 1])", "['A', 1]"),
            (
                "upcase(true)",
                "Evaluation Error: Error while evaluating a Function Call, 'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Boolean (line: 1, column: 1)",
            ),
            ("downcase('ΑΣ')", "'ασ'"),
        ]);
    }
}
