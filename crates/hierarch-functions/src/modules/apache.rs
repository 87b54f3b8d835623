//! `apache::bool2httpd`: `On` and `Off` for what stands for a boolean.

use crate::prelude::*;

/// The function `apache::bool2httpd`.
pub(super) static BOOL2HTTPD: Function = Function {
    name: "apache::bool2httpd",
    doc: "Returns `Off` for false, `undef` and a text with `false` in it, `On` for true and a text with `true` in it, and anything else as text.",
    dispatches: &[on(&["Any arg"], bool2httpd)],
    examples: &[
        Gives("apache::bool2httpd(true)", "'On'"),
        Gives("apache::bool2httpd(undef)", "'Off'"),
        Gives("apache::bool2httpd('mail')", "'mail'"),
        Fails("apache::bool2httpd()", "'apache::bool2httpd' expects 1 argument, got none"),
    ],
};

fn bool2httpd(call: &mut Call) -> Result<Value> {
    let value = call.value(0);
    let says = |word: &str| value.as_str().is_some_and(|text| text.to_ascii_lowercase().contains(word));
    Ok(match value {
        Value::Undef | Value::Boolean(false) => "Off".into(),
        _ if says("false") => "Off".into(),
        Value::Boolean(true) => "On".into(),
        _ if says("true") => "On".into(),
        other => ruby_text(other).into(),
    })
}
