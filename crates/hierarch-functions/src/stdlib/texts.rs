//! `regexpescape`, `swapcase` and `uriescape`: a text, or every text of an array, changed.

use hierarch_pcore::regex::Regexp;

use crate::prelude::*;
use issues::stdlib::{ARRAY_OR_STRING, URIESCAPE, count, requires};

/// The function `regexpescape`.
pub(super) static REGEXPESCAPE: Function = Function {
    name: "regexpescape",
    doc: "Returns a text, or an Array of them, as patterns that match exactly these.",
    dispatches: &[legacy(-1, regexpescape)],
    examples: &[
        Gives("regexpescape('a.b')", "'a\\.b'"),
        Gives("regexpescape(['*', 1])", "['\\*', 1]"),
        Fails("regexpescape(1)", "regexpescape(): Requires either array or string to work with"),
    ],
};

/// The function `swapcase`.
pub(super) static SWAPCASE: Function = Function {
    name: "swapcase",
    doc: "Returns a text, or an Array of them, with capitals and small letters exchanged.",
    dispatches: &[legacy(-1, swapcase)],
    examples: &[
        Gives("swapcase('aBc')", "'AbC'"),
        Gives("swapcase(['a', 1])", "['A', 1]"),
        Fails("swapcase(1)", "swapcase(): Requires either array or string to work with"),
    ],
};

/// The function `uriescape`.
pub(super) static URIESCAPE_FUNCTION: Function = Function {
    name: "uriescape",
    doc: "Fails: what it did in Ruby is not there any more.",
    dispatches: &[legacy(-1, uriescape)],
    examples: &[Fails("uriescape('a b')", URIESCAPE)],
};

fn regexpescape(call: &mut Call) -> Result<Value> {
    changed(call, |text| Ok(Regexp::escaped(text)?.source().to_owned()))
}

fn swapcase(call: &mut Call) -> Result<Value> {
    changed(call, |text| Ok(text.chars().flat_map(swapped).collect()))
}

fn uriescape(_: &mut Call) -> Result<Value> {
    Err(issues::argument(URIESCAPE).into())
}

fn swapped(c: char) -> Vec<char> {
    if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
}

fn changed(call: &Call, change: fn(&str) -> Result<String>) -> Result<Value> {
    let of_element = |value: &Value| match value {
        Value::String(text) => change(text).map(Value::from),
        other => Ok(other.clone()),
    };
    match call.arguments().first() {
        None => Err(count(call.name(), 0, "1").into()),
        Some(Value::String(text)) => Ok(change(text)?.into()),
        Some(Value::Array(elements)) => {
            Ok(Value::array(elements.iter().map(of_element).collect::<Result<_>>()?))
        }
        Some(_) => Err(requires(call.name(), ARRAY_OR_STRING).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn texts_changed_whole() {
        check_calls(&[
            ("swapcase('aBc')", "'AbC'"),
            ("swapcase(['a', 'B'])", "['A', 'b']"),
            (
                "swapcase(1)",
                "Evaluation Error: Error while evaluating a Function Call, swapcase(): Requires either array or string to work with (line: 1, column: 1)",
            ),
            ("reverse('abc')", "'cba'"),
            ("reverse([1, 2])", "[2, 1]"),
            (
                "reverse(1)",
                "Evaluation Error: Error while evaluating a Function Call, reverse(): Requires either array or string to work with (line: 1, column: 1)",
            ),
            (
                "uriescape('a b?&é')",
                "Evaluation Error: Error while evaluating a Function Call, Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of Ruby 3+. (line: 1, column: 1)",
            ),
            (
                "uriescape(['a b'])",
                "Evaluation Error: Error while evaluating a Function Call, Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of Ruby 3+. (line: 1, column: 1)",
            ),
            (
                "uriescape(1)",
                "Evaluation Error: Error while evaluating a Function Call, Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of Ruby 3+. (line: 1, column: 1)",
            ),
            ("squeeze('aabbcc')", "'abc'"),
            ("squeeze('aabbcc', 'a-b')", "'abcc'"),
            ("squeeze(['aa'])", "['a']"),
            (
                "squeeze(1)",
                "Evaluation Error: Error while evaluating a Function Call, undefined method `squeeze' for an instance of Integer (line: 1, column: 1)",
            ),
        ]);
    }
}
