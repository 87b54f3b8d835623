//! What a case gives as JSON, as values.

use hierarch_pcore::{Hash, Value};
use serde_json::{Map, Value as Json};

/// Returns the value that JSON stands for.
pub(super) fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => (*truth).into(),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| number.as_f64().unwrap_or_default().into(), Value::from)
        }
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::array(items.iter().map(value_of).collect()),
        Json::Object(map) => hash_of(map).into(),
    }
}

/// Returns the hash that an object stands for.
pub(super) fn hash_of(object: &Map<String, Json>) -> Hash {
    object.iter().map(|(key, value)| (key.as_str(), value_of(value))).collect()
}
