//! Values as JSON, to a real Ruby and back. What JSON has no form for says what it is under `__ptype`.

use hierarch_eval::Result;
use hierarch_eval::function::Call;
use hierarch_pcore::value::Binary;
use hierarch_pcore::{Hash, Value};
use hierarch_ruby::value::convert::{big_digits, big_integer};
use serde_json::{Map, Value as Json, json};

use crate::ruby::class_name;
use crate::script::{keep_session, take_session};

const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";

/// Makes JSON of a value.
pub(super) fn encode(call: &mut Call, value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => (*truth).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => Json::String(text.to_string()),
        Value::Array(items) => items.iter().map(|item| encode(call, item)).collect(),
        Value::Hash(hash) => encode_hash(call, hash),
        Value::Default => json!({ TYPE: "Default" }),
        Value::Regexp(regexp) => json!({ TYPE: "Regexp", VALUE: regexp.source() }),
        Value::Sensitive(secret) => json!({ TYPE: "Sensitive", VALUE: encode(call, secret) }),
        Value::Binary(bytes) => json!({ TYPE: "Binary", VALUE: bytes.base64() }),
        other => match big_digits(other) {
            Some(digits) => json!({ TYPE: "Integer", VALUE: digits }),
            None => encode_opaque(call, other),
        },
    }
}

/// A hash whose keys are all texts is an object; another is a list of keys and values.
fn encode_hash(call: &mut Call, hash: &Hash) -> Json {
    if hash.keys().all(|key| key.as_str().is_some_and(|key| key != TYPE)) {
        let mut object = Map::new();
        for (key, value) in hash {
            object.insert(key.as_str().unwrap_or_default().to_owned(), encode(call, value));
        }
        return Json::Object(object);
    }
    let list: Vec<Json> =
        hash.iter().flat_map(|(key, value)| [encode(call, key), encode(call, value)]).collect();
    json!({ TYPE: "Hash", VALUE: list })
}

/// A value that only its text is known of is kept here and named by its number.
fn encode_opaque(call: &mut Call, value: &Value) -> Json {
    let mut session = take_session(call);
    let kept = &mut session.helper.opaque;
    let number = kept.len();
    kept.push(value.clone());
    keep_session(call, session);
    let Some(context) = call.lookup_context(value) else {
        return json!({ TYPE: "Opaque", VALUE: [number, value.to_string(), class_name(value)] });
    };
    let context = context.context();
    let module = context.module_name().map(ToString::to_string);
    json!({ TYPE: "Context", VALUE: [number, context.place(), module, context.explains()] })
}

/// Makes a value of JSON.
pub(super) fn decode(call: &mut Call, json: &Json) -> Result<Value> {
    Ok(match json {
        Json::Array(items) => {
            let items: Result<Vec<Value>> = items.iter().map(|item| decode(call, item)).collect();
            Value::array(items?)
        }
        Json::Object(object) => {
            if let Some(kind) = object.get(TYPE).and_then(Json::as_str) {
                return decode_typed(call, kind, object.get(VALUE).unwrap_or(&Json::Null));
            }
            let mut hash = Hash::new();
            for (key, value) in object {
                hash.insert(key.as_str(), decode(call, value)?);
            }
            hash.into()
        }
        plain => hierarch_pcore::data::from_json(plain),
    })
}

fn decode_typed(call: &mut Call, kind: &str, inner: &Json) -> Result<Value> {
    let text = inner.as_str().unwrap_or_default();
    Ok(match kind {
        "Default" => Value::Default,
        "Integer" => big_integer(text),
        "Regexp" => Value::Regexp(call.pattern(text)?),
        "Sensitive" => Value::Sensitive(decode(call, inner)?.into()),
        "Binary" => Value::Binary(Binary::from_base64_lenient(text).into()),
        "Hash" => {
            let mut hash = Hash::new();
            for pair in inner.as_array().map(Vec::as_slice).unwrap_or_default().chunks_exact(2) {
                let key = decode(call, &pair[0])?;
                hash.insert(key, decode(call, &pair[1])?);
            }
            hash.into()
        }
        _ => {
            let session = take_session(call);
            let number = inner.as_u64().and_then(|number| usize::try_from(number).ok());
            let known = number.and_then(|number| session.helper.opaque.get(number)).cloned();
            keep_session(call, session);
            known.unwrap_or_default()
        }
    })
}

/// Returns a value that was handed out, by its number.
pub(super) fn opaque(call: &mut Call, number: &Value) -> Value {
    let number = number.as_integer().unwrap_or(-1);
    decode_typed(call, "Opaque", &number.into()).unwrap_or_default()
}
