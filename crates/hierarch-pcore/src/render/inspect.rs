//! Ruby's own text of a value: `to_s` at the top, `inspect` inside collections.

use std::fmt::Write;

use crate::Value;
use crate::value::Uri;

/// Returns Ruby's `to_s`.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Hash(_) => inspect(value),
        other => other.to_string(),
    }
}

/// Returns Ruby's `inspect`.
fn inspect(value: &Value) -> String {
    match value {
        Value::Undef => "nil".into(),
        Value::Default => ":default".into(),
        Value::String(text) => inspect_str(text),
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(inspect).collect::<Vec<_>>().join(", "))
        }
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, value)| format!("{}=>{}", inspect(key), inspect(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Sensitive(_) => format!("#<{value}>"),
        Value::Timespan(_) => format!("Timespan('{value}')"),
        Value::Timestamp(_) => format!("Timestamp('{value}')"),
        Value::SemVerRange(range) => range.normalized(),
        Value::Uri(uri) => format!("#<URI::{} {value}>", uri_class(uri)),
        other => other.to_string(),
    }
}

/// Returns the class that Ruby's library has for the scheme of a URI.
fn uri_class(uri: &Uri) -> &'static str {
    let scheme = uri.part("scheme").map(|scheme| scheme.to_string().to_lowercase()).unwrap_or_default();
    match scheme.as_str() {
        "file" => "File",
        "ftp" => "FTP",
        "http" => "HTTP",
        "https" => "HTTPS",
        "ldap" => "LDAP",
        "ldaps" => "LDAPS",
        "mailto" => "MailTo",
        "ws" => "WS",
        "wss" => "WSS",
        _ => "Generic",
    }
}

fn inspect_str(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                write!(out, "\\u{:04X}", u32::from(c)).expect("a string takes all text");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    #[test]
    fn collections_are_shown_as_ruby_shows_them() {
        let hash: Hash = [("a", Value::Undef), ("b", Value::from("x\"\n#{y}"))].into_iter().collect();
        assert_eq!(plain(&Value::from(hash)), "{\"a\"=>nil, \"b\"=>\"x\\\"\\n\\#{y}\"}");
        assert_eq!(plain(&Value::from("x\"y")), "x\"y");
    }
}
