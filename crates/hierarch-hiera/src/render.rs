//! The forms in which the command line prints values: what `--render-as` accepts.

use hierarch_pcore::ruby_class;
use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use crate::issues;

/// A form of printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Ruby's `to_s`.
    Text,
    /// JSON in one line.
    Json,
    /// YAML.
    Yaml,
    /// A table of a hash, a line per item of a list.
    Console,
    /// `a.b.0=x`, one leaf a line.
    Flat,
    /// A form that the reference knows by name and can make of no value.
    Unmade {
        /// What a value would have to do.
        method: &'static str,
        /// What the form is called on the wire.
        mime: &'static str,
    },
}

impl Format {
    /// Finds a form by its name, upper and lower case alike.
    pub fn parse(name: &str) -> Result<Self> {
        match name.to_lowercase().as_str() {
            "s" => Ok(Self::Text),
            "json" | "rich_data_json" => Ok(Self::Json),
            "yaml" => Ok(Self::Yaml),
            "console" => Ok(Self::Console),
            "flat" => Ok(Self::Flat),
            "binary" => Ok(Self::Unmade { method: "to_binary", mime: "application/octet-stream" }),
            "msgpack" => Ok(Self::Unmade { method: "to_msgpack", mime: "application/x-msgpack" }),
            "rich_data_msgpack" => {
                Ok(Self::Unmade { method: "to_msgpack", mime: "application/vnd.puppet.rich+msgpack" })
            }
            "pson" => Ok(Self::Unmade { method: "to_pson", mime: "text/pson" }),
            "dot" => Ok(Self::Unmade { method: "to_dot", mime: "text/dot" }),
            other => Err(issues::unknown_format(other)),
        }
    }

    /// Prints a value, a newline at the end.
    pub fn render(self, value: &Value) -> Result<String> {
        let mut text = match self {
            // Alone, a pattern is shown as Ruby puts it into another.
            Self::Text => match value {
                Value::Regexp(regexp) => regexp.as_group(),
                value => value.to_plain(),
            },
            Self::Json => json(value)?,
            Self::Yaml => value.to_yaml(),
            Self::Console => console(value)?,
            Self::Flat => flat(value),
            Self::Unmade { method, mime } => return Err(issues::unmade(ruby_class(value), method, mime)),
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(text)
    }
}

fn json(value: &Value) -> Result<String> {
    match odd_float(value) {
        Some(word) => Err(issues::not_in_json(word)),
        None => Ok(as_json(value).to_json()),
    }
}

/// JSON knows no patterns: Ruby writes them as it puts them into others.
fn as_json(value: &Value) -> Value {
    match value {
        Value::Regexp(regexp) => Value::from(regexp.as_group()),
        Value::Array(items) if items.iter().any(has_pattern) => {
            Value::array(items.iter().map(as_json).collect())
        }
        Value::Hash(hash) if has_pattern(value) => {
            Value::hash(hash.iter().map(|(key, value)| (key.clone(), as_json(value))).collect())
        }
        other => other.clone(),
    }
}

fn has_pattern(value: &Value) -> bool {
    match value {
        Value::Regexp(_) => true,
        Value::Array(items) => items.iter().any(has_pattern),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_pattern(value)),
        _ => false,
    }
}

fn odd_float(value: &Value) -> Option<&'static str> {
    match value {
        Value::Float(number) if number.is_nan() => Some("NaN"),
        Value::Float(number) if number.is_infinite() => {
            Some(if *number > 0.0 { "Infinity" } else { "-Infinity" })
        }
        Value::Array(items) => items.iter().find_map(odd_float),
        Value::Hash(hash) => hash.iter().find_map(|(key, value)| odd_float(key).or_else(|| odd_float(value))),
        _ => None,
    }
}

fn console(value: &Value) -> Result<String> {
    match value {
        Value::String(_) | Value::Integer(_) | Value::Float(_) => Ok(value.to_plain()),
        Value::Hash(hash) => table(hash),
        Value::Array(items) => Ok(items.iter().map(|item| item.to_plain() + "\n").collect()),
        other => Ok(other.to_pretty_json()),
    }
}

fn table(hash: &Hash) -> Result<String> {
    let mut rows: Vec<(String, &Value)> = hash.iter().map(|(key, value)| (key.to_string(), value)).collect();
    rows.sort_by(|(a, _), (b, _)| a.cmp(b));
    let width = rows.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0) + 2;
    rows.iter().map(|(key, value)| Ok(format!("{key:width$}{}\n", json(value)?))).collect()
}

fn flat(value: &Value) -> String {
    let mut lines = Hash::new();
    match value {
        Value::Hash(_) | Value::Array(_) => flatten(&Value::Undef, value, true, &mut lines),
        Value::String(_) | Value::Integer(_) | Value::Float(_) => return value.to_plain(),
        other => return other.to_pretty_json(),
    }
    lines.iter().map(|(path, text)| format!("{path}={text}\n")).collect()
}

/// Lists inside of lists stay as they are. Paths that read the same share a line, but 1 and '1' are two at the top.
fn flatten(path: &Value, value: &Value, opens_lists: bool, lines: &mut Hash) {
    let below =
        |key: &Value| if path.is_undef() { key.clone() } else { Value::from(format!("{path}.{key}")) };
    match value {
        Value::Hash(hash) => hash.iter().for_each(|(key, value)| flatten(&below(key), value, true, lines)),
        Value::Array(items) if opens_lists => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| flatten(&below(&Value::from(index)), item, false, lines));
        }
        other => {
            lines.insert(path.clone(), other.to_plain());
        }
    }
}
