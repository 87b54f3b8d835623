//! `Array.new`: what can be walked over, walked over.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::{Constructor, type_cannot};
use crate::types::Kind;
use crate::{Value, issues};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_array",
    locals: &[],
    dispatches: &[
        (&["Variant[Array,Hash,Binary,Iterable] from", "?Boolean[false] wrap"], convert),
        (&["Any from", "Boolean[true] wrap"], wrapped),
    ],
    complaints: &[(&["Any from", "?Boolean wrap"], complain)],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    elements(&arguments[0], host.largest()).map(Value::from)
}

/// Walks over a value; of numbers, ranges and enums too.
pub(super) fn elements(value: &Value, most: usize) -> Result<Vec<Value>> {
    let range = |from: i64, to: i64| {
        if usize::try_from(to.saturating_sub(from)).is_ok_and(|count| count >= most) {
            return Err(issues::too_large(most));
        }
        Ok((from..=to).map(Value::from).collect())
    };
    match value {
        Value::Array(elements) => Ok(elements.to_vec()),
        Value::Hash(hash) => {
            Ok(hash.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect())
        }
        Value::Binary(bytes) => Ok(bytes.bytes().iter().map(|byte| Value::from(i64::from(*byte))).collect()),
        Value::String(text) => Ok(text.chars().map(|c| Value::from(c.to_string())).collect()),
        Value::Integer(count) => range(0, count - 1),
        Value::Foreign(foreign) => match foreign.elements() {
            Some(elements) => {
                let elements: Vec<Value> = elements.take(most.saturating_add(1)).collect::<Result<_>>()?;
                if elements.len() > most { Err(issues::too_large(most)) } else { Ok(elements) }
            }
            None => Ok(Vec::new()),
        },
        Value::Type(type_) => match type_.resolved().kind() {
            Kind::Enum(list) => Ok(list.values().iter().cloned().map(Value::from).collect()),
            Kind::Integer(bounds) => match (bounds.min, bounds.max) {
                (Some(min), Some(max)) => range(min, max),
                _ => Ok(Vec::new()),
            },
            _ => Ok(Vec::new()),
        },
        _ => Ok(Vec::new()),
    }
}

fn wrapped(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    Ok(match &arguments[0] {
        value @ Value::Array(_) => value.clone(),
        other => Value::array(vec![other.clone()]),
    })
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(type_cannot(&arguments[0], "Array"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn what_can_be_walked_over_becomes_an_array() {
        for (code, expected) in [
            ("Array([1])", "[1]"),
            ("Array({a=>1})", "[['a', 1]]"),
            ("Array('abc')", "['a', 'b', 'c']"),
            ("Array(1)", "[0]"),
            ("Array(3,true)", "[3]"),
            ("Array(3)", "[0, 1, 2]"),
            ("Array(undef)", "'new_array' Value of type Undef cannot be converted to Array"),
            ("Array({a=>1},true)", "[{'a' => 1}]"),
            ("Array([1],true)", "[1]"),
        ] {
            check_prints(code, expected);
        }
    }
}
