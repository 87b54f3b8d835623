//! Documents as values: what the data of a YAML or JSON file are to the language.

use hierarch_yaml::{Data, Scalar};

use crate::value::Binary;
use crate::{Hash, Value};

/// Makes a value of data. Symbols and integers beyond 64 bits, which the language does not have, are texts.
///
/// ```
/// use hierarch_pcore::{Value, data::from_data};
/// use hierarch_source::Source;
/// use hierarch_yaml::{Dialect, Limits, read};
///
/// let tree = read(&Source::unnamed("a: [1, ~]\nb: :name"), Dialect::Psych, Limits::default())?;
/// let data = tree.data(tree.root().unwrap(), Limits::default())?;
/// assert_eq!(from_data(data).to_json(), r#"{"a":[1,null],"b":"name"}"#);
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn from_data(data: Data) -> Value {
    match data {
        Data::Scalar(scalar) => from_scalar(scalar),
        Data::List(items) => Value::array(items.into_iter().map(from_data).collect()),
        Data::Map(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (from_data(key), from_data(value)));
            entries.collect::<Hash>().into()
        }
    }
}

/// Makes a value of JSON. A number that 64 bits do not hold is the nearest float.
pub fn from_json(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Undef,
        serde_json::Value::Bool(truth) => (*truth).into(),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(items) => Value::array(items.iter().map(from_json).collect()),
        serde_json::Value::Object(object) => hash_from_json(object).into(),
    }
}

/// Makes a hash of an object in JSON.
pub fn hash_from_json(object: &serde_json::Map<String, serde_json::Value>) -> Hash {
    object.iter().map(|(key, value)| (key.as_str(), from_json(value))).collect()
}

fn from_scalar(scalar: Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Undef,
        Scalar::Bool(truth) => truth.into(),
        Scalar::Int(number) => number.into(),
        Scalar::Big(digits) => Value::from(digits),
        Scalar::Float(number) => number.into(),
        Scalar::Str(text) | Scalar::Symbol(text) => Value::from(text.as_ref()),
        Scalar::Binary(bytes) => Value::Binary(Binary::new(bytes).into()),
    }
}
