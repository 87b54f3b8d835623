//! Ansible's filters for other notations: JSON, YAML, base64, checksums.

use hierarch_pcore::data::from_json as from_json_value;
use hierarch_pcore::{Hash, Value};
use hierarch_source::Source;
use hierarch_yaml::{Data, Dialect, Limits, Scalar, read};
use md5::Md5;
use minijinja::value::{Kwargs, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::engine::Engine;
use super::failure::to_jinja_error;
use super::issues;
use super::texts::{check_length, text_of as text};
use super::value::{finished, from_jinja};
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("to_json", to_json);
    engine.add_filter("tojson", tojson);
    engine.add_filter("to_nice_json", to_nice_json);
    engine.add_filter("from_json", from_json);
    engine.add_filter("to_yaml", |value: JinjaValue, named: Kwargs| to_yaml(&value, &named, 2, true));
    engine.add_filter("to_nice_yaml", |value: JinjaValue, named: Kwargs| to_yaml(&value, &named, 4, false));
    engine.add_filter("from_yaml", from_yaml);
    engine.add_filter("from_yaml_all", from_yaml_all);
    engine.add_filter("to_uuid", to_uuid);
    engine.add_filter("b64encode", |value: JinjaValue| Ok::<_, JinjaError>(base64(text(&value)?.as_bytes())));
    engine.add_filter("b64decode", b64decode);
    engine.add_filter("hash", |value: JinjaValue, kind: Option<String>| {
        checksum(&value, kind.as_deref().unwrap_or("sha1"))
    });
    engine.add_filter("checksum", |value: JinjaValue| checksum(&value, "sha1"));
    engine.add_filter("md5", |value: JinjaValue| checksum(&value, "md5"));
    engine.add_filter("sha1", |value: JinjaValue| checksum(&value, "sha1"));
}

/// Writes JSON as Python does: a blank after commas and colons.
fn to_json(state: &mut State, value: JinjaValue, named: Kwargs) -> Made {
    let mut layout = JsonLayout { ascii: true, sorted: false, indent: None };
    layout.ascii = named.get::<Option<bool>>("ensure_ascii")?.unwrap_or(true);
    layout.sorted = named.get::<Option<bool>>("sort_keys")?.unwrap_or(false);
    layout.indent = named.get::<Option<usize>>("indent")?;
    Ok(JinjaValue::from_safe_string(layout.checked_text(state, &from_jinja(&value)?)?))
}

/// Jinja2's own: keys in order, and nothing in it that HTML would take for more than text.
fn tojson(state: &mut State, value: JinjaValue, indent: Option<usize>, named: Kwargs) -> Made {
    let indent = indent.or(named.get("indent")?);
    let text = JsonLayout { ascii: true, sorted: true, indent }.checked_text(state, &from_jinja(&value)?)?;
    let marks = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\'', "\\u0027")];
    Ok(marks.iter().fold(text, |text, (letter, mark)| text.replace(*letter, mark)).into())
}

fn to_nice_json(state: &mut State, value: JinjaValue, named: Kwargs) -> Made {
    let indent = named.get::<Option<usize>>("indent")?.unwrap_or(4);
    let sorted = named.get::<Option<bool>>("sort_keys")?.unwrap_or(true);
    let ascii = named.get::<Option<bool>>("ensure_ascii")?.unwrap_or(true);
    let layout = JsonLayout { ascii, sorted, indent: Some(indent) };
    Ok(JinjaValue::from_safe_string(layout.checked_text(state, &from_jinja(&value)?)?))
}

/// Writes JSON with an indentation of two, keys in their order.
pub(crate) fn pretty_json(value: &Value) -> String {
    JsonLayout { ascii: true, sorted: false, indent: Some(2) }.text(value)
}

struct JsonLayout {
    ascii: bool,
    sorted: bool,
    indent: Option<usize>,
}

impl JsonLayout {
    /// Writes a value, unless the blanks in front of its lines alone are too many.
    fn checked_text(&self, state: &State, value: &Value) -> Result<String, JinjaError> {
        check_length(state, margins(value, self.indent.unwrap_or(0), 1))?;
        Ok(self.text(value))
    }

    fn text(&self, value: &Value) -> String {
        let mut out = String::new();
        self.write(value, 0, &mut out);
        out
    }

    fn write(&self, value: &Value, level: usize, out: &mut String) {
        match value {
            Value::Undef => out.push_str("null"),
            Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Value::Array(items) => {
                self.members(out, level, ['[', ']'], items.iter(), |item, out| {
                    self.write(item, level + 1, out);
                });
            }
            Value::Hash(map) => {
                let mut pairs: Vec<(String, &Value)> =
                    map.iter().map(|(key, value)| (key_text(key), value)).collect();
                if self.sorted {
                    pairs.sort_by(|a, b| a.0.cmp(&b.0));
                }
                self.members(out, level, ['{', '}'], pairs.iter(), |(key, value), out| {
                    self.quote(key, out);
                    out.push_str(": ");
                    self.write(value, level + 1, out);
                });
            }
            Value::Integer(_) | Value::Float(_) => out.push_str(&python::repr(value)),
            other => self.quote(&python::text(other), out),
        }
    }

    fn members<T>(
        &self,
        out: &mut String,
        level: usize,
        [open, close]: [char; 2],
        members: impl ExactSizeIterator<Item = T>,
        write: impl Fn(T, &mut String),
    ) {
        out.push(open);
        let any = members.len() > 0;
        for (index, member) in members.enumerate() {
            if index > 0 {
                out.push_str(if self.indent.is_some() { "," } else { ", " });
            }
            self.line(level + 1, out);
            write(member, out);
        }
        if any {
            self.line(level, out);
        }
        out.push(close);
    }

    fn line(&self, level: usize, out: &mut String) {
        if let Some(indent) = self.indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent * level));
        }
    }

    fn quote(&self, text: &str, out: &mut String) {
        let quoted = serde_json::Value::from(text).to_string();
        if !self.ascii {
            out.push_str(&quoted);
            return;
        }
        for c in quoted.chars() {
            if c.is_ascii() {
                out.push(c);
            } else {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
}

/// Counts the blanks in front of the lines of what is in a value.
fn margins(value: &Value, indent: usize, level: usize) -> usize {
    let line = |part: &Value| {
        indent.saturating_mul(level).saturating_add(margins(part, indent, level.saturating_add(1)))
    };
    let lines = |sum: usize, part: &Value| sum.saturating_add(line(part));
    match value {
        Value::Array(items) => items.iter().fold(0, lines),
        Value::Hash(map) => map.values().fold(0, lines),
        _ => 0,
    }
}

fn key_text(key: &Value) -> String {
    match key {
        Value::Undef => "null".into(),
        Value::Boolean(truth) => truth.to_string(),
        other => python::text(other),
    }
}

fn from_json(value: JinjaValue) -> Made {
    let json: serde_json::Value =
        serde_json::from_str(&text(&value)?).map_err(|error| issues::no_json(&error))?;
    Ok(finished(from_json_value(&json)))
}

fn from_yaml(value: JinjaValue) -> Made {
    let source = Source::unnamed(text(&value)?);
    let limits = Limits::default();
    let tree = read(&source, Dialect::Core, limits).map_err(to_jinja_error)?;
    let Some(root) = tree.root() else { return Ok(JinjaValue::from(())) };
    Ok(finished(value_of(tree.data(root, limits).map_err(to_jinja_error)?)))
}

fn from_yaml_all(value: JinjaValue) -> Made {
    let source = Source::unnamed(text(&value)?);
    let limits = Limits::default();
    let tree = read(&source, Dialect::Core, limits).map_err(to_jinja_error)?;
    let mut documents = Vec::new();
    for &root in tree.roots() {
        documents.push(value_of(tree.data(root, limits).map_err(to_jinja_error)?));
    }
    Ok(finished(documents.into()))
}

/// Makes a value of a document's data.
pub fn value_of(data: Data) -> Value {
    match data {
        Data::List(items) => Value::array(items.into_iter().map(value_of).collect()),
        Data::Map(entries) => {
            entries.into_iter().map(|(key, value)| (value_of(key), value_of(value))).collect::<Hash>().into()
        }
        Data::Scalar(scalar) => match scalar {
            Scalar::Null => Value::Undef,
            Scalar::Bool(truth) => truth.into(),
            Scalar::Int(number) => number.into(),
            Scalar::Float(number) => number.into(),
            Scalar::Big(digits) => digits.into(),
            Scalar::Str(text) | Scalar::Symbol(text) => text.as_ref().into(),
            Scalar::Binary(bytes) => String::from_utf8_lossy(&bytes).as_ref().into(),
        },
    }
}

/// Makes a document's data of a value; with `sorted`, keys in order.
pub fn data_of(value: &Value, sorted: bool) -> Data {
    match value {
        Value::Undef => Data::NULL,
        Value::Boolean(truth) => Data::Scalar(Scalar::Bool(*truth)),
        Value::Integer(number) => Data::Scalar(Scalar::Int(*number)),
        Value::Float(number) => Data::Scalar(Scalar::Float(*number)),
        Value::Array(items) => Data::List(items.iter().map(|item| data_of(item, sorted)).collect()),
        Value::Hash(map) => {
            let mut entries: Vec<(&Value, &Value)> = map.iter().collect();
            if sorted {
                entries.sort_by_key(|(key, _)| key.to_string());
            }
            Data::Map(
                entries
                    .into_iter()
                    .map(|(key, value)| (data_of(key, sorted), data_of(value, sorted)))
                    .collect(),
            )
        }
        Value::Sensitive(_) => Data::text("<<REDACTED>>"),
        other => match crate::expr::Instance::of(other) {
            Some(instance) => {
                Data::Map(vec![(Data::text("ref"), Data::text(format!("::{}", instance.name())))])
            }
            None => Data::text(other.to_string()),
        },
    }
}

fn to_yaml(value: &JinjaValue, named: &Kwargs, indent: usize, flow_leaves: bool) -> Made {
    let layout = super::yaml_text::Layout {
        indent: named.get::<Option<usize>>("indent")?.unwrap_or(indent).clamp(2, 9),
        width: named.get::<Option<usize>>("width")?.unwrap_or(80),
        sorted: named.get::<Option<bool>>("sort_keys")?.unwrap_or(true),
        flow_leaves: named.get::<Option<bool>>("default_flow_style")?.unwrap_or(flow_leaves),
    };
    Ok(JinjaValue::from_safe_string(layout.text(&from_jinja(value)?)))
}

/// A name-based identifier in Ansible's own name space.
fn to_uuid(value: JinjaValue) -> Made {
    const ANSIBLE: [u8; 16] = 0x361E_6D51_FAEC_444A_9079_3413_86DA_8E2E_u128.to_be_bytes();
    let digest = Sha1::new().chain_update(ANSIBLE).chain_update(text(&value)?).finalize();
    let mut bytes: Vec<u8> = digest[..16].to_vec();
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hexadecimal(&bytes);
    Ok(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]).into())
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, &byte| (group << 8) | u32::from(byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = ALPHABET[(group >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

fn b64decode(value: JinjaValue) -> Made {
    let mut bytes = Vec::new();
    let (mut group, mut held) = (0_u32, 0);
    for byte in text(&value)?.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let index = ALPHABET.iter().position(|&letter| letter == byte);
        let Some(index) = index else { return Err(issues::no_base64()) };
        group = (group << 6) | index as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((group >> held) as u8);
            group &= (1 << held) - 1;
        }
    }
    String::from_utf8(bytes).map(JinjaValue::from).map_err(|_| issues::decoded_no_text())
}

fn checksum(value: &JinjaValue, kind: &str) -> Made {
    let text = text(value)?;
    Ok(JinjaValue::from(match kind {
        "md5" => hexadecimal(&Md5::digest(&text)),
        "sha1" => hexadecimal(&Sha1::digest(&text)),
        "sha224" => hexadecimal(&Sha224::digest(&text)),
        "sha256" => hexadecimal(&Sha256::digest(&text)),
        "sha384" => hexadecimal(&Sha384::digest(&text)),
        "sha512" => hexadecimal(&Sha512::digest(&text)),
        other => return Err(issues::unknown_hash(other)),
    }))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_fills_up() {
        for (text, wanted) in [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj")] {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }

    #[test]
    fn json_is_written_as_python_does() {
        let value = from_json_value(&serde_json::json!({"b": [1, true, null], "a": "é"}));
        let layout = JsonLayout { ascii: true, sorted: true, indent: None };
        assert_eq!(layout.text(&value), r#"{"a": "\u00e9", "b": [1, true, null]}"#);
        assert_eq!(pretty_json(&from_json_value(&serde_json::json!({"a": 1}))), "{\n  \"a\": 1\n}");
    }
}
