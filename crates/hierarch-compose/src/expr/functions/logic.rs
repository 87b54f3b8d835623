//! Choices: `if`, `and`, `or`, `not`, `eq`, `q`, `foreach`, `is_function_defined`.

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::{Call, Function, Matches, function, is_function};
use crate::expr::{issues, looping, python};

pub(super) static FUNCTIONS: &[Function] = &[
    function("if", choose),
    function("and", and),
    function("or", or),
    function("not", |call| Ok(Value::from(!is_true(&call.evaluate(call.argument)?)).into())),
    function("eq", |call| {
        let pair = call.list(2..=2)?;
        Ok(Value::from(python::equal(&pair[0], &pair[1])).into())
    }),
    function("q", |call| Ok(call.argument.clone().into())).alone(),
    function("foreach", |call| looping::single(call.scope, call.scope.current.clone(), call.argument)),
    function(
        "is_function_defined",
        |call| Ok(Value::from(is_function(&python::text(&call.value()?))).into()),
    ),
];

fn is_true(found: &Matches) -> bool {
    found.all.first().is_some_and(python::is_true)
}

/// The branches are expressions, or values with `map_value`.
fn choose(call: &Call) -> Result<Matches> {
    let values = call.named("map_value")?.is_some_and(|value| python::is_true(&value));
    let evaluate = |form: &Value| {
        if values { call.resolve(form).map(Matches::from) } else { call.evaluate(form) }
    };
    let truth = is_true(&evaluate(call.argument)?);
    match call.named.get_str(if truth { "then" } else { "else" }) {
        Some(branch) => evaluate(branch),
        None => Ok(Value::from(truth).into()),
    }
}

fn and(call: &Call) -> Result<Matches> {
    let mut last = Value::Undef;
    for item in operands(call)? {
        last = call.evaluate(&item)?.one();
        if !python::is_true(&last) {
            break;
        }
    }
    Ok(last.into())
}

fn or(call: &Call) -> Result<Matches> {
    for item in operands(call)? {
        let value = call.evaluate(&item)?.one();
        if python::is_true(&value) {
            return Ok(value.into());
        }
    }
    Ok(Value::from(false).into())
}

/// Returns what stands in the list, each still to be evaluated.
fn operands(call: &Call) -> Result<Vec<Value>> {
    match call.argument {
        Value::Array(items) if !items.is_empty() => Ok(items.to_vec()),
        other => Err(issues::wrong_shape(&python::repr(other))),
    }
}
