//! `lookup`: the value of a name in the data of the node.

use hierarch_eval::hiera::raised;
use hierarch_hiera::issues::not_found;
use hierarch_hiera::{Found, Query};

use crate::prelude::*;

/// The function `lookup`.
pub(super) static LOOKUP: Function = Function {
    name: "lookup",
    doc: "Looks a name up in the data of the node: in overrides, in the global layer, the environment and the module, then in default values. Of several names the first that has a value counts. What is found must be of the given type, and is merged as asked, or as its lookup options say. Without a value the block, or the default value, has the last word; without either it is an error.",
    dispatches: &[
        on(&["NameType name", "?ValueType value_type", "?MergeType merge"], by_name),
        on(
            &[
                "NameType name",
                "Optional[ValueType] value_type",
                "Optional[MergeType] merge",
                "DefaultValueType default_value",
            ],
            by_name,
        ),
        on(&["NameType name", "?ValueType value_type", "?MergeType merge", "&BlockType block"], by_name),
        on(&["OptionsWithName options_hash", "?&BlockType block"], by_options),
        on(
            &["Variant[String, Array[String]] name", "OptionsWithoutName options_hash", "?&BlockType block"],
            by_name_and_options,
        ),
    ],
    examples: &[
        Gives("lookup('nope', Integer, 'first', 7)", "7"),
        Gives("lookup('nope') |$name| { \"no ${name}\" }", "'no nope'"),
        Gives("lookup(['a', 'b'], {'default_values_hash' => {'b' => 2}})", "2"),
        Fails("lookup('nope')", "Function lookup() did not find a value for the name 'nope'"),
        Fails(
            "lookup('nope', Integer, undef, 'seven')",
            "Default value has wrong type, expects an Integer value, got String",
        ),
    ],
};

fn by_name(call: &mut Call) -> Result<Value> {
    let name = call.value(0).clone();
    let query = Query {
        value_type: type_of(call.value(1)),
        merge: given(call.value(2)),
        default: (call.count() > 3).then(|| call.value(3).clone()),
        ..Query::default()
    };
    looked_up(call, name, query)
}

fn by_options(call: &mut Call) -> Result<Value> {
    let name = call.hash(0).get_str("name").cloned().unwrap_or_default();
    let query = query_of(call.hash(0));
    looked_up(call, name, query)
}

fn by_name_and_options(call: &mut Call) -> Result<Value> {
    let name = call.value(0).clone();
    let query = query_of(call.hash(1));
    looked_up(call, name, query)
}

fn query_of(options: &Hash) -> Query {
    let hash = |name| options.get_str(name).and_then(Value::as_hash).cloned().unwrap_or_default();
    Query {
        value_type: options.get_str("value_type").and_then(type_of),
        merge: options.get_str("merge").and_then(given),
        default: options.get_str("default_value").cloned(),
        overrides: hash("override"),
        default_values: hash("default_values_hash"),
        ..Query::default()
    }
}

fn type_of(value: &Value) -> Option<Type> {
    match value {
        Value::Type(type_) => Some(type_.clone()),
        _ => None,
    }
}

fn given(value: &Value) -> Option<Value> {
    (!value.is_undef()).then(|| value.clone())
}

/// Looks a name, or the first of several, up. A block wins over a default.
pub(super) fn looked_up(call: &mut Call, name: Value, mut query: Query) -> Result<Value> {
    query.names = match &name {
        Value::Array(names) => names.iter().map(ToString::to_string).collect(),
        name => vec![name.to_string()],
    };
    if let Found::Value(value) = call.search(&query)? {
        return Ok(value);
    }
    let (subject, value) = if call.has_block() {
        ("Value returned from default block", call.yield_values([name])?)
    } else if let Some(default) = query.default.take() {
        ("Default value", default)
    } else {
        return Err(not_found(&query.names).into());
    };
    Ok(query.checked(subject, value).map_err(raised)?)
}
