//! JSON as Ruby's generator writes it.

use std::fmt::Write;

use super::inspect::plain;
use crate::Value;
use crate::value::number::{float_text, push_integer};

/// Returns compact JSON.
pub(super) fn render(value: &Value) -> String {
    let mut json = JsonWriter::compact();
    json.value(value);
    json.out
}

/// Returns JSON over several lines.
pub(super) fn render_pretty(value: &Value) -> String {
    let mut json = JsonWriter::pretty();
    json.value(value);
    json.out
}

/// JSON that is written piece by piece, so that what is large need not be there as a value.
///
/// ```
/// use hierarch_pcore::render::JsonWriter;
///
/// let mut json = JsonWriter::compact();
/// json.begin_map();
/// json.key("list");
/// json.begin_list();
/// for number in 1..3 {
///     json.item();
///     json.value(&number.into());
/// }
/// json.end_list();
/// json.end_map();
/// assert_eq!(json.written(), r#"{"list":[1,2]}"#);
/// ```
#[derive(Debug)]
pub struct JsonWriter {
    out: String,
    /// The depth, when lines are broken.
    level: Option<usize>,
    /// Nothing stands in the list or map that was begun last.
    is_empty: bool,
}

impl JsonWriter {
    /// Writes JSON in one line.
    pub fn compact() -> Self {
        Self { out: String::new(), level: None, is_empty: true }
    }

    /// Writes JSON over several lines, two blanks per level.
    pub fn pretty() -> Self {
        Self { level: Some(0), ..Self::compact() }
    }

    /// Returns what was written since it was last cleared.
    pub fn written(&self) -> &str {
        &self.out
    }

    /// Forgets what was written; what follows goes on behind it.
    pub fn clear(&mut self) {
        self.out.clear();
    }

    /// Begins a list.
    pub fn begin_list(&mut self) {
        self.begin('[');
    }

    /// Begins a map.
    pub fn begin_map(&mut self) {
        self.begin('{');
    }

    /// Begins an item of the list.
    pub fn item(&mut self) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        self.break_line();
    }

    /// Begins an entry of the map.
    pub fn key(&mut self, name: &str) {
        self.item();
        self.text(name);
        self.out.push_str(if self.level.is_some() { ": " } else { ":" });
    }

    /// Ends the list.
    pub fn end_list(&mut self) {
        self.end(']');
    }

    /// Ends the map.
    pub fn end_map(&mut self) {
        self.end('}');
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        write_str(text, &mut self.out);
    }

    /// Writes what is JSON in one line already.
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// Writes a value.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Undef => self.raw("null"),
            Value::Boolean(truth) => self.raw(if *truth { "true" } else { "false" }),
            Value::Integer(number) => push_integer(&mut self.out, *number),
            Value::Float(number) => self.raw(&float_text(*number)),
            Value::String(text) => self.text(text),
            Value::Array(elements) => {
                self.begin_list();
                for element in elements.iter() {
                    self.item();
                    self.value(element);
                }
                self.end_list();
            }
            Value::Hash(hash) => {
                self.begin_map();
                for (key, value) in hash.iter() {
                    match key {
                        Value::String(key) => self.key(key),
                        key => self.key(&plain(key)),
                    }
                    self.value(value);
                }
                self.end_map();
            }
            Value::Foreign(foreign) => match foreign.json() {
                Some(literal) => self.raw(&literal),
                None => self.text(&foreign.text()),
            },
            other => self.text(&other.to_string()),
        }
    }

    fn begin(&mut self, bracket: char) {
        self.out.push(bracket);
        self.level = self.level.map(|level| level + 1);
        self.is_empty = true;
    }

    fn end(&mut self, bracket: char) {
        self.level = self.level.map(|level| level - 1);
        if !self.is_empty {
            self.break_line();
        }
        self.is_empty = false;
        self.out.push(bracket);
    }

    fn break_line(&mut self) {
        if let Some(level) = self.level {
            self.out.push('\n');
            (0..level).for_each(|_| self.out.push_str("  "));
        }
    }
}

/// What cannot stand in a text as it is; all of it is ASCII.
const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

fn write_str(text: &str, out: &mut String) {
    // At once, because texts are short: growing in small steps costs more than what is written.
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| IS_ESCAPED[usize::from(byte)]) {
        out.push_str(&rest[..at]);
        write_escape(rest.as_bytes()[at], out);
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

fn write_escape(byte: u8, out: &mut String) {
    let letter = match byte {
        b'\n' => 'n',
        b'\t' => 't',
        b'\r' => 'r',
        0x8 => 'b',
        0xc => 'f',
        b'"' | b'\\' => char::from(byte),
        _ => return write!(out, "\\u{byte:04x}").expect("a string takes all text"),
    };
    out.extend(['\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    #[test]
    fn texts_are_escaped_where_they_must_be() {
        let text = "\u{0}a\u{1f}\"\\/\n\t\r\u{8}\u{c}\u{7f}é\u{2028}😀\n";
        let json = r#""\u0000a\u001f\"\\/\n\t\r\b\f"#.to_owned() + "\u{7f}é\u{2028}😀\\n\"";
        assert_eq!(render(&Value::from(text)), json);
        assert_eq!(render(&Value::from("")), "\"\"");
    }

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
        let empty = Value::array(vec![Value::array(vec![]), Value::from(Hash::new())]);
        assert_eq!(render_pretty(&empty), "[\n  [],\n  {}\n]");
        assert_eq!(render(&empty), "[[],{}]");
    }
}
