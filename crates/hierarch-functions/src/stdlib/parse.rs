//! `parsejson`, `parseyaml`, `stdlib::parsehocon` and `parsepson`: data from texts.

use super::deprecation::strictly_deprecated;
use crate::prelude::*;
use crate::ruby::implicit_text;
use hierarch_hiera::read::{self, Yaml};
use issues::stdlib::{PARSE_COUNT, PARSEPSON};

/// The function `parsejson`.
pub(super) static PARSEJSON: Function = Function {
    name: "parsejson",
    doc: "Returns the data that a text in JSON stands for. A second argument is returned if the text is none.",
    dispatches: &[legacy(-1, parsejson)],
    examples: &[
        Gives("parsejson('{\"a\": [1, null]}')", "{'a' => [1, undef]}"),
        Gives("parsejson('{', 'default')", "'default'"),
        Fails("parsejson('{')", "unexpected token at '{'"),
    ],
};

/// The function `parseyaml`.
pub(super) static PARSEYAML: Function = Function {
    name: "parseyaml",
    doc: "Returns the data that a text in YAML stands for. A second argument is returned if the text is none.",
    dispatches: &[legacy(-1, parseyaml)],
    examples: &[
        Gives("parseyaml('a: [1, ~]')", "{'a' => [1, undef]}"),
        Gives("parseyaml('[', 'default')", "'default'"),
        Fails("parseyaml('2001-01-01')", "Tried to load unspecified class: Date"),
    ],
};

/// The function `stdlib::parsehocon`.
pub(super) static PARSEHOCON: Function = Function {
    name: "stdlib::parsehocon",
    doc: "Returns the data that a text in HOCON stands for. A second argument is returned if the text is none.",
    dispatches: &[on(&["String hocon_string", "?Any default"], parsehocon)],
    examples: &[
        Gives("stdlib::parsehocon('a { b = 1 }')", "{'a' => {'b' => 1}}"),
        Gives("stdlib::parsehocon('{', 'default')", "'default'"),
        Fails("stdlib::parsehocon(1)", "parameter 'hocon_string' expects a String value, got Integer"),
    ],
};

/// The function `parsepson`.
pub(super) static PARSEPSON_FUNCTION: Function = Function {
    name: "parsepson",
    doc: "Returns its second argument, or fails without one: PSON is not read any more.",
    dispatches: &[on(&["String[1] pson_string", "?Any default"], parsepson)],
    examples: &[
        Gives("parsepson('{}', 1)", "1"),
        Fails("parsepson('{}')", "deprecation. parsepson. This method is deprecated."),
    ],
};

fn parsejson(call: &mut Call) -> Result<Value> {
    parse(call, read::json)
}

fn parseyaml(call: &mut Call) -> Result<Value> {
    parse(call, |text| read::yaml(text, Yaml { aliases: false, symbols: true }))
}

/// Parses the first argument. What is nothing gives the second, and what cannot be parsed too if there is a second.
fn parse(call: &Call, read: fn(&str) -> std::result::Result<Value, String>) -> Result<Value> {
    if call.count() == 0 {
        return Err(issues::argument(PARSE_COUNT).into());
    }
    let default = call.value(1);
    let parsed = implicit_text(call.value(0)).and_then(|text| read(text).map_err(issues::argument));
    or_default(parsed, default)
}

/// Returns a value that is something, else the default; a failure without a default stays one.
pub(super) fn or_default(parsed: hierarch_source::Result<Value>, default: &Value) -> Result<Value> {
    match parsed {
        Ok(value) if value.is_truthy() => Ok(value),
        Err(error) if !default.is_truthy() => Err(error.into()),
        _ => Ok(default.clone()),
    }
}

fn parsehocon(call: &mut Call) -> Result<Value> {
    match read::hocon(call.str(0)) {
        Ok(value) => Ok(value),
        Err(_) if call.count() > 1 => Ok(call.take(1)),
        Err(words) => Err(issues::argument(words).into()),
    }
}

fn parsepson(call: &mut Call) -> Result<Value> {
    match strictly_deprecated(call, "parsepson", PARSEPSON) {
        Ok(()) => Ok(Value::Undef),
        Err(_) if call.count() > 1 => Ok(call.take(1)),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn texts_that_are_data() {
        check_calls(&[
            (r#"parsejson('{"a": [1, null]}')"#, "{'a' => [1, undef]}"),
            (
                "parsejson('x')",
                "Evaluation Error: Error while evaluating a Function Call, unexpected token at 'x' (line: 1, column: 1)",
            ),
            ("parsejson('x', 'd')", "'d'"),
            ("parsejson('', 'd')", "'d'"),
            (
                "parsejson(1)",
                "Evaluation Error: Error while evaluating a Function Call, no implicit conversion of Integer into String (line: 1, column: 1)",
            ),
            (r#"parseyaml("a: [1, ~]\n")"#, "{'a' => [1, undef]}"),
            ("parseyaml('a: [', 'd')", "'d'"),
            ("parseyaml('')", "undef"),
            (
                "parseyaml(1)",
                "Evaluation Error: Error while evaluating a Function Call, no implicit conversion of Integer into String (line: 1, column: 1)",
            ),
            ("stdlib::parsehocon('a { b = 1 }')", "{'a' => {'b' => 1}}"),
            ("stdlib::parsehocon('a = {', 'd')", "'d'"),
        ]);
    }
}
