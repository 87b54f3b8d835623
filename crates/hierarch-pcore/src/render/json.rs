//! JSON as Ruby's generator writes it.

use std::fmt::Write;

use super::inspect::plain;
use crate::Value;
use crate::value::number::float_text;

/// Returns compact JSON.
pub(super) fn render(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out, None);
    out
}

/// Returns JSON over several lines.
pub(super) fn render_pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out, Some(0));
    out
}

/// Writes a value; `level` is the depth when lines are broken.
fn write(value: &Value, out: &mut String, level: Option<usize>) {
    match value {
        Value::Undef => out.push_str("null"),
        Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Integer(number) => write!(out, "{number}").expect("a string takes all text"),
        Value::Float(number) => out.push_str(&float_text(*number)),
        Value::String(text) => write_str(text, out),
        Value::Array(elements) => {
            write_items(elements.iter(), ['[', ']'], out, level, |element, out, level| {
                write(element, out, level);
            });
        }
        Value::Hash(hash) => write_items(hash.iter(), ['{', '}'], out, level, |(key, value), out, level| {
            write_str(&plain(key), out);
            out.push_str(if level.is_some() { ": " } else { ":" });
            write(value, out, level);
        }),
        Value::Foreign(foreign) => match foreign.json() {
            Some(literal) => out.push_str(&literal),
            None => write_str(&foreign.text(), out),
        },
        other => write_str(&other.to_string(), out),
    }
}

fn write_items<I: ExactSizeIterator>(
    items: I,
    [open, close]: [char; 2],
    out: &mut String,
    level: Option<usize>,
    mut write_item: impl FnMut(I::Item, &mut String, Option<usize>),
) {
    out.push(open);
    let inner = level.map(|level| level + 1);
    let is_empty = items.len() == 0;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        break_line(out, inner);
        write_item(item, out, inner);
    }
    if !is_empty {
        break_line(out, level);
    }
    out.push(close);
}

fn break_line(out: &mut String, level: Option<usize>) {
    if let Some(level) = level {
        out.push('\n');
        out.push_str(&"  ".repeat(level));
    }
}

fn write_str(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if u32::from(c) < 0x20 => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("a string takes all text");
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    #[test]
    fn keys_become_texts() {
        let hash: Hash = [(Value::from(1), 2), (Value::Undef, 3), (Value::array(vec![Value::from(1)]), 4)]
            .into_iter()
            .collect();
        assert_eq!(render(&Value::from(hash)), r#"{"1":2,"":3,"[1]":4}"#);
    }

    #[test]
    fn pretty_json_breaks_lines() {
        let hash: Hash =
            [("a", Value::array(vec![Value::from(1)])), ("b", Value::array(vec![]))].into_iter().collect();
        assert_eq!(render_pretty(&Value::from(hash)), "{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}");
    }
}
