//! Case files as JSON values: YAML and JSON read with every number, key and order kept.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json, json};

/// Reads one YAML document.
///
/// Keys that are no strings become their JSON text, as the recorders write them.
pub fn from_yaml(text: &str) -> Result<Json, String> {
    let reader = serde_yaml_ng::Deserializer::from_str(text);
    Any::deserialize(reader).map(|any| any.0).map_err(|error| error.to_string())
}

/// Returns the form of an integer that JSON values of this program cannot hold: its digits, marked as a number.
pub fn big_integer(digits: &str) -> Json {
    json!({ "integer": digits })
}

struct Any(Json);

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        AnyVisitor.deserialize(reader).map(Self)
    }
}

struct AnyVisitor;

impl<'de> DeserializeSeed<'de> for AnyVisitor {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Json, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("data")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Json, E> {
        Ok(big_integer(&value.to_string()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Json, E> {
        Ok(big_integer(&value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        // JSON has no word for infinity and for what is no number; the text of it at least differs from null.
        Ok(serde_json::Number::from_f64(value).map_or_else(|| value.to_string().into(), Json::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(Any(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut map = Map::new();
        while let Some((Any(key), Any(value))) = entries.next_entry()? {
            let key = match key {
                Json::String(text) => text,
                other => other.to_string(),
            };
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} stands twice in one map")));
            }
            map.insert(key, value);
        }
        Ok(Json::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(yaml: &str, expected: &Json) {
        assert_eq!(&from_yaml(yaml).expect("readable"), expected, "{yaml}");
    }

    #[test]
    fn scalars_are_read_as_the_recorders_wrote_them() {
        check(
            "[1, -1, 1.5, true, yes, ~, '1', 18446744073709551615]",
            &json!([1, -1, 1.5, true, "yes", null, "1", 18_446_744_073_709_551_615_u64]),
        );
    }

    #[test]
    fn integers_beyond_64_bits_keep_their_digits() {
        check("123456789012345678901234567890", &big_integer("123456789012345678901234567890"));
        check("-123456789012345678901234567890", &big_integer("-123456789012345678901234567890"));
    }

    #[test]
    fn keys_become_text_and_keep_their_order() {
        check("{z: 1, 5: 2, true: 3, ~: 4}", &json!({"z": 1, "5": 2, "true": 3, "null": 4}));
        assert_eq!(
            from_yaml("{z: 1, a: 2}").expect("readable").to_string(),
            r#"{"z":1,"a":2}"#,
            "order is meaning"
        );
    }

    #[test]
    fn aliases_block_texts_and_carriage_returns_are_read() {
        check("a: &x |\r\n  one\r\n  two\r\nb: *x\r\n", &json!({"a": "one\ntwo\n", "b": "one\ntwo\n"}));
    }

    #[test]
    fn a_key_that_stands_twice_is_refused() {
        assert!(from_yaml("{a: 1, a: 2}").is_err());
    }
}
