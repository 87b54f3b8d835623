//! The environment: `get_env`, `has_env`, `to_env`.

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::{Call, Function, Matches, function};
use crate::expr::python;

pub(super) static FUNCTIONS: &[Function] = &[
    function("get_env", get_env).alone().reaching_out(),
    function("has_env", |call| {
        let name = python::text(&call.value()?);
        Ok(Value::from(call.scope.world.host.variable(&name)?.is_some()).into())
    })
    .alone()
    .reaching_out(),
    function("to_env", to_env).reaching_out(),
];

fn get_env(call: &Call) -> Result<Matches> {
    let host = &call.scope.world.host;
    let arguments = match call.argument {
        Value::Array(items) => items.to_vec(),
        Value::Undef => Vec::new(),
        other => vec![other.clone()],
    };
    let Some(name) = arguments.first() else {
        let all: Hash = host.variables()?.into_iter().collect();
        return Ok(Value::from(all).into());
    };
    let name = python::text(&call.resolve(name)?);
    match (host.variable(&name)?, arguments.get(1)) {
        (Some(value), _) => Ok(Value::from(value).into()),
        (None, Some(default)) => Ok(call.resolve(default)?.into()),
        (None, None) => Ok(Matches::default()),
    }
}

/// Makes variables of a map; `${NAME}` in a text is replaced by a variable made before, or by one that exists.
fn to_env(call: &Call) -> Result<Matches> {
    let value = call.value()?;
    let Some(rules) = value.as_hash() else { return Err(call.wrong("a map", &value)) };
    let mut made = Hash::new();
    for (key, value) in rules {
        let text = match value {
            Value::Undef => continue,
            Value::Boolean(true) => "true".to_owned(),
            Value::Boolean(false) => String::new(),
            other => substituted(call, &python::text(other), &made)?,
        };
        made.insert(key.to_string(), text);
    }
    Ok(Value::from(made).into())
}

/// Replaces `${NAME}` and `${A|B:default}`.
fn substituted(call: &Call, text: &str, made: &Hash) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inside, after)) = after.split_once('}') else { break };
        out.push_str(before);
        let (names, default) = inside.split_once(':').unwrap_or((inside, ""));
        let mut found = None;
        for name in names.split('|') {
            found = match made.get_str(name) {
                Some(value) => Some(value.to_string()),
                None => call.scope.world.host.variable(name)?,
            };
            if found.is_some() {
                break;
            }
        }
        out.push_str(found.as_deref().unwrap_or(default));
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
