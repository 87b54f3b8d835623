//! Data as JSON text.

use std::fmt::Write;

use crate::data::Data;
use crate::emit::scalar_text;
use crate::schema::Scalar;

/// Writes data as JSON: on one line, or with an indentation of two and a line for every member.
///
/// JSON has keys of text only; other keys are written as their text. It has no infinities: they become null.
///
/// ```
/// use hierarch_yaml::{Data, json};
///
/// let data = Data::Map(vec![(Data::text("a"), Data::List(vec![Data::NULL, Data::text("é\n")]))]);
/// assert_eq!(json(&data, false), r#"{"a":[null,"é\n"]}"#);
/// ```
pub fn json(data: &Data, pretty: bool) -> String {
    let mut text = String::new();
    write(data, pretty.then_some(0), &mut text);
    text
}

fn write(data: &Data, indent: Option<usize>, text: &mut String) {
    match data {
        Data::Scalar(scalar) => write_scalar(scalar, text),
        Data::List(items) => {
            members(items, ['[', ']'], indent, text, write);
        }
        Data::Map(entries) => members(entries, ['{', '}'], indent, text, |(key, value), inner, text| {
            quote(&key_text(key), text);
            text.push_str(if indent.is_some() { ": " } else { ":" });
            write(value, inner, text);
        }),
    }
}

fn members<T>(
    members: &[T],
    [open, close]: [char; 2],
    indent: Option<usize>,
    text: &mut String,
    write: impl Fn(&T, Option<usize>, &mut String),
) {
    text.push(open);
    let inner = indent.map(|indent| indent + 2);
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        new_line(inner, text);
        write(member, inner, text);
    }
    if !members.is_empty() {
        new_line(indent, text);
    }
    text.push(close);
}

fn new_line(indent: Option<usize>, text: &mut String) {
    if let Some(indent) = indent {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent));
    }
}

fn write_scalar(scalar: &Scalar, text: &mut String) {
    match scalar {
        Scalar::Float(value) if !value.is_finite() => text.push_str("null"),
        Scalar::Float(value) => drop(write!(text, "{value:?}")),
        Scalar::Str(_) | Scalar::Symbol(_) | Scalar::Binary(_) => quote(&scalar_text(scalar), text),
        other => text.push_str(&scalar_text(other)),
    }
}

/// The text of a key, whatever its type.
fn key_text(key: &Data) -> String {
    match key {
        Data::Scalar(scalar) => scalar_text(scalar),
        other => json(other, false),
    }
}

fn quote(value: &str, text: &mut String) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if u32::from(c) < 0x20 => drop(write!(text, "\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pretty_json_has_a_line_for_every_member() {
        let data = Data::Map(vec![
            (Data::text("a"), Data::List(vec![Data::Scalar(Scalar::Int(1))])),
            (Data::Scalar(Scalar::Bool(true)), Data::Map(Vec::new())),
        ]);
        assert_eq!(json(&data, true), "{\n  \"a\": [\n    1\n  ],\n  \"true\": {}\n}");
        assert_eq!(json(&data, false), r#"{"a":[1],"true":{}}"#);
    }
}
