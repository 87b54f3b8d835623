//! What messages call types and values.

use crate::Value;
use crate::types::{Kind, Rules};

/// Returns a text with its indefinite article, by its first letter.
pub fn with_article(text: &str) -> String {
    let bare = text.strip_prefix(['\'', '"']).unwrap_or(text);
    let article =
        if bare.starts_with(|c: char| "aeiouy".contains(c.to_ascii_lowercase())) { "an" } else { "a" };
    format!("{article} {text}")
}

/// Returns a text with its first letter in upper case.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

pub(super) fn rules_text(rules: &dyn Rules) -> String {
    let mut printer = crate::types::Printer::default();
    rules.write(&mut printer);
    printer.finish()
}

/// Returns the label of a type as a value, such as `A Boolean-Type`.
pub fn type_label(rules: &dyn Rules) -> String {
    capitalized(&with_article(&format!("{}-Type", rules_text(rules))))
}

/// Returns the words that messages call a value by.
pub fn value_label(value: &Value) -> String {
    match value {
        Value::Undef => "Undef Value".into(),
        Value::Default => "'default' expression".into(),
        Value::Boolean(_) => "Boolean".into(),
        Value::Integer(_) => "Integer".into(),
        Value::Float(_) => "Float".into(),
        Value::String(_) => "String".into(),
        Value::Array(_) => "Array".into(),
        Value::Hash(_) => "Hash".into(),
        Value::Regexp(_) => "Regexp".into(),
        Value::Sensitive(_) => "Sensitive".into(),
        Value::Binary(_) => "Binary".into(),
        Value::SemVer(_) => "Semver".into(),
        Value::SemVerRange(_) => "SemverRange".into(),
        Value::Timestamp(_) => "Timestamp".into(),
        Value::Timespan(_) => "Timespan".into(),
        Value::Uri(_) | Value::Object(_) => "Object".into(),
        Value::Type(type_) => match type_.kind() {
            Kind::Resource(resource) if resource.title().is_some() => format!("{type_} Resource-Reference"),
            _ => format!("{type_}-Type"),
        },
        Value::Foreign(foreign) => format!("{}-Value", foreign.inferred()),
    }
}

/// Returns the name of the type of a key that is of a wrong kind.
pub fn key_type_name(key: &Value) -> String {
    match key {
        Value::Undef => "Undef".into(),
        Value::Default => "Default".into(),
        other => crate::infer::generic(other).to_string(),
    }
}
