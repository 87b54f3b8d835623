//! `base64`: texts in base 64, and back.

use hierarch_pcore::value::Binary;

use crate::prelude::*;
use issues::stdlib::says;

/// The function `base64`.
pub(super) static BASE64: Function = Function {
    name: "base64",
    doc: "Encodes a text in base 64 (`encode`) or decodes one (`decode`). The third argument chooses the form: `default` with line breaks, `strict` without, `urlsafe` with `-` and `_`.",
    dispatches: &[legacy(-1, base64)],
    examples: &[
        Gives("base64('encode', 'hello')", "\"aGVsbG8=\\n\""),
        Gives("base64('encode', 'hello', 'strict')", "'aGVsbG8='"),
        Gives("base64('decode', 'aGVsbG8=')", "'hello'"),
        Fails("base64('x', 'y')", "base64(): the first argument must be one of 'encode' or 'decode'"),
        Fails("base64('decode', '*', 'strict')", "invalid base64"),
    ],
};

fn base64(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        let words = format!("Wrong number of arguments ({}; must be >= 2)", call.count());
        return Err(says("base64", words).into());
    }
    let action = call.value(0).as_str().filter(|action| matches!(*action, "encode" | "decode"));
    let action =
        action.ok_or_else(|| says("base64", "the first argument must be one of 'encode' or 'decode'"))?;
    let text = call.value(1).as_str();
    let text = text.ok_or_else(|| says("base64", "the second argument must be a string to base64"))?;
    let method = if call.count() > 2 { call.value(2).as_str() } else { Some("default") };
    let method = method.filter(|method| matches!(*method, "default" | "strict" | "urlsafe"));
    let method = method.ok_or_else(|| {
        says("base64", "the third argument must be one of 'default', 'strict', or 'urlsafe'")
    })?;
    if action == "encode" { Ok(encoded(text, method).into()) } else { decoded(text, method) }
}

fn encoded(text: &str, method: &str) -> String {
    let bytes = Binary::new(text.as_bytes());
    match method {
        "strict" => bytes.base64(),
        "urlsafe" => bytes.base64_url(),
        _ => bytes.base64_lines(),
    }
}

fn decoded(text: &str, method: &str) -> Result<Value> {
    let bytes = match method {
        "strict" => Binary::from_base64_strict(text),
        "urlsafe" => Binary::from_base64_url(text),
        _ => Some(Binary::from_base64_lenient(text)),
    };
    let bytes = bytes.ok_or_else(|| issues::argument("invalid base64"))?;
    Ok(match std::str::from_utf8(bytes.bytes()) {
        Ok(text) => text.into(),
        Err(_) => Value::Binary(Arc::new(bytes)),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn bytes_as_text() {
        check_calls(&[
            ("base64('encode', 'hello')", r#""aGVsbG8=\n""#),
            ("base64('decode', 'aGVsbG8=')", "'hello'"),
            ("base64('encode', 'a', 'strict')", "'YQ=='"),
            ("base64('encode', 'a>?', 'urlsafe')", "'YT4_'"),
            (
                "base64('decode', '!!', 'strict')",
                "Evaluation Error: Error while evaluating a Function Call, invalid base64 (line: 1, column: 1)",
            ),
            ("base64('decode', '!!')", "''"),
            (
                "base64('odd', 'a')",
                "Evaluation Error: Error while evaluating a Function Call, base64(): the first argument must be one of 'encode' or 'decode' (line: 1, column: 1)",
            ),
            (
                "base64('encode', 'a', 'odd')",
                "Evaluation Error: Error while evaluating a Function Call, base64(): the third argument must be one of 'default', 'strict', or 'urlsafe' (line: 1, column: 1)",
            ),
            (
                "base64('encode')",
                "Evaluation Error: Error while evaluating a Function Call, base64(): Wrong number of arguments (1; must be >= 2) (line: 1, column: 1)",
            ),
            (
                "base64('encode', 1)",
                "Evaluation Error: Error while evaluating a Function Call, base64(): the second argument must be a string to base64 (line: 1, column: 1)",
            ),
        ]);
    }
}
