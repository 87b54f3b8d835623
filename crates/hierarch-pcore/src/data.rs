//! The one way from documents to values: what the data of a YAML or JSON text are to the language.

use hierarch_yaml::{Datum, Scalar};

use crate::value::Binary;
use crate::value::symbol::{BigInteger, Symbol};
use crate::{Hash, Value};

/// What becomes of data for which the language has no literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// As Ruby keeps them: symbols (texts where they are keys), integers of any size, bytes that are not a text.
    Ruby,
    /// All of them are texts.
    Text,
}

/// Makes a value of data.
///
/// ```
/// use hierarch_pcore::{Value, data::{Rules, from_data}};
/// use hierarch_source::Source;
/// use hierarch_yaml::{Dialect, DocumentLimits, read};
///
/// let tree = read(&Source::unnamed("a: [1, ~]\nb: :name"), Dialect::Psych, DocumentLimits::default())?;
/// let data = tree.data(tree.root().unwrap(), DocumentLimits::default())?;
/// assert_eq!(from_data(&data, Rules::Text).to_json(), r#"{"a":[1,null],"b":"name"}"#);
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn from_data(data: &Datum, rules: Rules) -> Value {
    match data {
        Datum::Scalar(scalar) => from_scalar(scalar, rules),
        Datum::List(items) => Value::array(items.iter().map(|item| from_data(item, rules)).collect()),
        Datum::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| (key_from(key, rules), from_data(value, rules)));
            Value::hash(entries.collect())
        }
    }
}

/// A symbol is a text where it is a key.
fn key_from(data: &Datum, rules: Rules) -> Value {
    match data {
        Datum::Scalar(Scalar::Symbol(name)) => Value::from(name.as_ref()),
        other => from_data(other, rules),
    }
}

fn from_scalar(scalar: &Scalar, rules: Rules) -> Value {
    match (scalar, rules) {
        (Scalar::Null, _) => Value::Undef,
        (Scalar::Bool(truth), _) => Value::Boolean(*truth),
        (Scalar::Int(number), _) => Value::Integer(*number),
        (Scalar::Float(number), _) => Value::Float(*number),
        (Scalar::Str(text), _) | (Scalar::Symbol(text), Rules::Text) => Value::from(text.as_ref()),
        (Scalar::Symbol(name), Rules::Ruby) => Symbol::value(name),
        (Scalar::Big(digits), Rules::Ruby) => BigInteger::value(digits.clone()),
        (Scalar::Big(digits), Rules::Text) => Value::from(digits.as_str()),
        (Scalar::Binary(bytes), _) => match (std::str::from_utf8(bytes), rules) {
            (Ok(text), _) => Value::from(text),
            (Err(_), Rules::Ruby) => Value::Binary(Binary::new(bytes.clone()).into()),
            (Err(_), Rules::Text) => Value::from(String::from_utf8_lossy(bytes).as_ref()),
        },
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

/// Tells whether a value is plain data: numbers of any size, texts, and collections of them.
pub fn is_data(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_data),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_data(value)),
        Value::Foreign(foreign) => foreign.digits().is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;
    use hierarch_yaml::{Dialect, DocumentLimits, read};

    use super::*;

    fn value(text: &str, rules: Rules) -> Value {
        let tree = read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).expect("YAML");
        let root = tree.root().expect("a document");
        from_data(&tree.data(root, DocumentLimits::default()).expect("small data"), rules)
    }

    #[test]
    fn what_the_language_does_not_have_follows_the_rules() {
        for (text, ruby, plain) in [
            ("12345678901234567890", "--- 12345678901234567890\n", "--- '12345678901234567890'\n"),
            (":name", "--- :name\n", "--- name\n"),
            (":a: 1", "---\na: 1\n", "---\na: 1\n"),
            ("!!binary YWI=", "--- ab\n", "--- ab\n"),
            ("!!binary /w==", "--- !binary |-\n  /w==\n", "--- \"\u{fffd}\"\n"),
        ] {
            assert_eq!(value(text, Rules::Ruby).to_yaml(), ruby, "{text}");
            assert_eq!(value(text, Rules::Text).to_yaml(), plain, "{text}");
        }
    }

    #[test]
    fn data_are_numbers_of_any_size_texts_and_collections_of_them() {
        for (text, expected) in
            [("[1, 2.5, a, ~]", true), ("12345678901234567890", true), ("- :a", false), ("{1: a}", false)]
        {
            assert_eq!(is_data(&value(text, Rules::Ruby)), expected, "{text}");
        }
    }

    #[test]
    fn json_becomes_values() {
        let json = serde_json::json!({"a": [1, 1.5, null, true, "x"], "b": u64::MAX});
        assert_eq!(from_json(&json).to_json(), r#"{"a":[1,1.5,null,true,"x"],"b":1.8446744073709552e+19}"#);
    }
}
