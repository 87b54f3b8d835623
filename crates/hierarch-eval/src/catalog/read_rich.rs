//! Rich data read back: `{"__ptype":"Deferred","name":"f"}` is the call that it was written for. See `json.rs`.

use std::sync::Arc;

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::Kind;
use hierarch_pcore::value::time::Formats;
use hierarch_pcore::value::{Binary, Object, SemVer, SemVerRange, Timespan, Timestamp, Uri};
use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::Result;

use super::json::{TYPE, VALUE};
use crate::issues;

/// Returns the value that plain data were made of. Types and objects other than `Deferred` are not read back, which is said.
pub fn from_rich(data: &Value) -> Result<Value> {
    match data {
        Value::Array(items) => Ok(Value::array(items.iter().map(from_rich).collect::<Result<_>>()?)),
        Value::Hash(hash) => match hash.get_str(TYPE) {
            Some(name) => typed(&name.to_string(), hash),
            None => Ok(Value::hash(entries(hash)?)),
        },
        plain => Ok(plain.clone()),
    }
}

fn entries(hash: &Hash) -> Result<Hash> {
    let entries = hash.iter().filter(|(key, _)| key.as_str() != Some(TYPE));
    entries.map(|(key, value)| Ok((key.clone(), from_rich(value)?))).collect()
}

fn typed(name: &str, hash: &Hash) -> Result<Value> {
    let inner = hash.get_str(VALUE).unwrap_or(&Value::Undef);
    let text = inner.to_string();
    Ok(match name {
        "Default" => Value::Default,
        "Sensitive" => Value::sensitive(from_rich(inner)?),
        "Hash" => Value::hash(pairs(inner)?),
        "Deferred" => deferred(&entries(hash)?)?,
        "Regexp" => Value::Regexp(Arc::new(Regexp::new(text)?)),
        "Binary" => Value::Binary(Binary::from_base64_lenient(&text).into()),
        "SemVer" => Value::SemVer(SemVer::parse(&text)?.into()),
        "SemVerRange" => Value::SemVerRange(SemVerRange::parse(&text)?.into()),
        "Timespan" => Value::Timespan(Timespan::parse(&text, &Formats::Default)?.into()),
        "Timestamp" => Value::Timestamp(Timestamp::parse(&text, &Formats::Default, None)?.into()),
        "URI" => Value::Uri(Uri::parse(&text)?.into()),
        other => return Err(issues::unread_rich_data(other)),
    })
}

/// A hash whose keys are not all texts is a list of keys and values in turn.
fn pairs(list: &Value) -> Result<Hash> {
    let list = list.as_array().unwrap_or_default();
    list.chunks_exact(2).map(|pair| Ok((from_rich(&pair[0])?, from_rich(&pair[1])?))).collect()
}

fn deferred(given: &Hash) -> Result<Value> {
    match Type::deferred().resolved().kind() {
        Kind::Object(type_) if given.get_str("name").is_some() => Ok(Object::new(type_, given).into()),
        _ => Err(issues::unread_rich_data("Deferred")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rich;
    use super::*;

    fn check(value: &Value) {
        let data = rich(value);
        let read = from_rich(&data).expect("rich data");
        assert_eq!(rich(&read).to_json(), data.to_json(), "{value}");
        assert_eq!(&read, value);
    }

    #[test]
    fn what_was_written_is_read_back() {
        let call: Hash = [("name", Value::from("f")), ("arguments", Value::array(vec![Value::from(1)]))]
            .into_iter()
            .collect();
        let secret = Value::sensitive("s".into());
        let values = [
            Value::Default,
            Value::Undef,
            Value::from("text"),
            secret.clone(),
            Value::hash([("a", secret.clone())].into_iter().collect()),
            Value::array(vec![secret, Value::from(1.5)]),
            Value::hash(
                [(Value::from(1), Value::from("a")), (Value::Undef, Value::Default)].into_iter().collect(),
            ),
            Value::hash([(TYPE, "a key as any other")].into_iter().collect()),
            Value::Binary(Binary::new(*b"hi").into()),
            Value::Regexp(Arc::new(Regexp::new("a.b").expect("a pattern"))),
            Value::SemVer(SemVer::parse("1.2.3-x").expect("a version").into()),
            Value::SemVerRange(SemVerRange::parse(">=1.0.0 <2.0.0").expect("a range").into()),
            Value::Timestamp(Timestamp(1_500_000_000).into()),
            Value::Timespan(Timespan(-90_000_000_000).into()),
            Value::Uri(Uri::parse("http://a/b?c").expect("an address").into()),
            deferred(&call).expect("a call"),
        ];
        values.iter().for_each(check);
    }

    #[test]
    fn what_cannot_be_read_back_is_said() {
        for name in ["Pcore::StringType", "My::Object", ""] {
            let data = Value::hash([(TYPE, name)].into_iter().collect());
            let error = from_rich(&data).expect_err("nobody knows it");
            assert!(error.message.contains(&format!("'{name}'")), "{}", error.message);
        }
    }
}
