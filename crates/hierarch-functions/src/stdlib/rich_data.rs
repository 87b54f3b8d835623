//! Values as plain data: what JSON has no form for becomes a hash with the name of its type and its text.

use crate::prelude::*;

/// Returns plain data for a value.
pub(super) fn rich_data(value: &Value) -> Value {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
            value.clone()
        }
        Value::Array(elements) => Value::array(elements.iter().map(rich_data).collect()),
        Value::Hash(hash) if hash.keys().all(|key| key.as_str().is_some()) => {
            let entries = hash.iter().map(|(key, value)| (key.clone(), rich_data(value)));
            entries.collect::<Hash>().into()
        }
        Value::Hash(hash) => {
            let all = hash.iter().flat_map(|(key, value)| [rich_data(key), rich_data(value)]);
            typed("Hash", Some(Value::array(all.collect())))
        }
        Value::Default => typed("Default", None),
        Value::Regexp(regexp) => typed("Regexp", Some(regexp.source().into())),
        Value::Sensitive(inner) => typed("Sensitive", Some(rich_data(inner))),
        Value::Binary(bytes) => typed("Binary", Some(bytes.base64().into())),
        Value::SemVer(_) => typed("SemVer", Some(value.to_string().into())),
        Value::SemVerRange(_) => typed("SemVerRange", Some(value.to_string().into())),
        Value::Timestamp(_) => typed("Timestamp", Some(value.to_string().into())),
        Value::Timespan(_) => typed("Timespan", Some(value.to_string().into())),
        Value::Uri(_) => typed("URI", Some(value.to_string().into())),
        Value::Type(_) => typed("Pcore::TypeReference", Some(value.to_string().into())),
        other => other.to_string().into(),
    }
}

fn typed(name: &str, value: Option<Value>) -> Value {
    let mut hash = Hash::new();
    hash.insert("__ptype", name);
    if let Some(value) = value {
        hash.insert("__pvalue", value);
    }
    hash.into()
}
