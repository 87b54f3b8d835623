//! The text of a value: as interpolation writes it, and as a program would.

use std::fmt::{self, Write};

use super::redact::REDACTED;
use super::{Foreign, Value, number::float_text, quoted};

/// The text that interpolation and logging give: `undef` is empty, strings are bare at any depth.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undef => Ok(()),
            Self::String(text) => f.write_str(text),
            Self::Array(elements) => {
                write_list(f, '[', elements.iter(), ']', |f, element| write!(f, "{element}"))
            }
            Self::Hash(hash) => {
                write_list(f, '{', hash.iter(), '}', |f, (key, value)| write!(f, "{key} => {value}"))
            }
            Self::Type(type_) => match type_.entry_text() {
                Some(text) => f.write_str(&text),
                None => self.fmt_single(f),
            },
            other => other.fmt_single(f),
        }
    }
}

impl Value {
    /// Returns the value as program text: the `%p` format.
    pub fn program_text(&self) -> String {
        let mut out = String::new();
        self.write_program(&mut out).expect("a string takes all text");
        out
    }

    fn write_program(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::Undef => out.write_str("undef"),
            Self::String(text) => out.write_str(&quoted(text)),
            Self::Array(elements) => {
                write_list(out, '[', elements.iter(), ']', |out, element| element.write_program(out))
            }
            Self::Hash(hash) => write_list(out, '{', hash.iter(), '}', |out, (key, value)| {
                key.write_program(out)?;
                out.write_str(" => ")?;
                value.write_program(out)
            }),
            Self::Sensitive(_) => write!(out, "#<{REDACTED}>"),
            Self::Binary(binary) => write!(out, "Binary(\"{}\")", binary.base64()),
            Self::SemVerRange(range) => out.write_str(&range.normalized()),
            Self::Timestamp(time) => write!(out, "Timestamp('{time}')"),
            Self::Timespan(time) => write!(out, "Timespan('{time}')"),
            Self::Uri(uri) => write!(out, "URI({})", quoted(&uri.to_string())),
            Self::Foreign(foreign) => match shown_elements(foreign.as_ref()) {
                Some(elements) => {
                    write_list(out, '[', elements.iter(), ']', |out, element| element.write_program(out))
                }
                None if matches!(foreign.inferred().kind(), crate::types::Kind::Runtime(_)) => {
                    out.write_str(&quoted(&foreign.text()))
                }
                None => out.write_str(&foreign.text()),
            },
            other => write!(out, "{other}"),
        }
    }

    fn fmt_single(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Boolean(truth) => write!(f, "{truth}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(number) => f.write_str(&float_text(*number)),
            Self::Regexp(regexp) => f.write_str(&regexp.with_slashes()),
            Self::Type(type_) => write!(f, "{type_}"),
            Self::Sensitive(_) => f.write_str(REDACTED),
            Self::Binary(binary) => f.write_str(&binary.base64()),
            Self::SemVer(version) => write!(f, "{version}"),
            Self::SemVerRange(range) => write!(f, "{range}"),
            Self::Timestamp(time) => write!(f, "{time}"),
            Self::Timespan(time) => write!(f, "{time}"),
            Self::Uri(uri) => write!(f, "{uri}"),
            Self::Object(object) => write!(f, "{object}"),
            Self::Foreign(foreign) => f.write_str(&foreign.text()),
            Self::Undef | Self::String(_) | Self::Array(_) | Self::Hash(_) => Ok(()),
        }
    }
}

/// Returns the elements of something lazy, unless it has more than is ever read.
fn shown_elements(foreign: &dyn Foreign) -> Option<Vec<Value>> {
    const MOST: usize = 5_000_000;
    let elements: Vec<Value> = foreign.elements()?.flatten().take(MOST + 1).collect();
    (elements.len() <= MOST).then_some(elements)
}

/// Writes items between delimiters, separated by a comma and a blank.
fn write_list<W: Write + ?Sized, I: Iterator>(
    out: &mut W,
    open: char,
    items: I,
    close: char,
    mut write: impl FnMut(&mut W, I::Item) -> fmt::Result,
) -> fmt::Result {
    out.write_char(open)?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    out.write_char(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    #[test]
    fn interpolation_writes_strings_bare_and_undef_as_nothing() {
        let hash: Hash = [("a", Value::Undef), ("b", Value::from(1.5))].into_iter().collect();
        let value = Value::array(vec![Value::from("x y"), Value::from(hash), Value::Default]);
        assert_eq!(value.to_string(), "[x y, {a => , b => 1.5}, default]");
    }

    #[test]
    fn program_text_quotes_strings() {
        let hash: Hash = [("a", Value::Undef)].into_iter().collect();
        let value = Value::array(vec![Value::from("it's"), Value::from(hash), Value::from(true)]);
        assert_eq!(value.program_text(), r"['it\'s', {'a' => undef}, true]");
    }
}
