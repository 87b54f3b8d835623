//! Choices: `if`, `and`, `or`, `not`, `eq`, `q`, `foreach`, `is_function_defined`.

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function, is_function};
use crate::expr::{issues, looping, python};

pub(super) static FUNCTIONS: &[Function] = &[
    function(
        "if",
        "Evaluates `then` if the first match of the expression counts as true, else `else`; without them, gives that truth. \
         With `map_value: true` all three are values instead of expressions.",
        choose,
    )
    .examples(&[
        Gives("{if: '::web::port', then: '::web::host', else: title}", "'w1'"),
        Gives("{if: missing, then: {q: yes}, else: {q: no}}", "'no'"),
        Gives("{if: port}", "True"),
    ]),
    function("and", "Gives the first of the expressions that counts as false, or the last.", and)
        .examples(&[Gives("{and: [port, title]}", "'Demo'"), Fails("{and: []}", "Wrong shape")]),
    function("or", "Gives the first of the expressions that counts as true, or false.", or)
        .examples(&[Gives("{or: [missing, title]}", "'Demo'"), Gives("{or: [missing, gone]}", "False")]),
    function("not", "Tells whether the expression counts as false.", |call| {
        Ok(Value::from(!is_true(&call.evaluate(call.argument)?)).into())
    })
    .examples(&[Gives("{not: missing}", "True")]),
    function("eq", "Tells whether two values are equal; texts and numbers never are.", |call| {
        let pair = call.list(2..=2)?;
        Ok(Value::from(python::equal(&pair[0], &pair[1])).into())
    })
    .examples(&[Gives("{eq: [{eval: port}, 80]}", "True"), Fails("{eq: [1]}", "Wrong shape")]),
    function("q", "Gives its argument untouched: nothing in it is evaluated.", |call| Ok(call.argument.clone().into()))
        .alone()
        .examples(&[Gives("{q: {eval: port}}", "{'eval': 'port'}"), Gives("{q: '{{ x }}'}", "'{{ x }}'")]),
    function(
        "foreach",
        "Evaluates a form for the current value. Beside `eval` it is a clause and does so for each match.",
        |call| looping::single(call.scope, call.scope.current.clone(), call.argument),
    )
    .examples(&[
        Gives("{foreach: port}", "80"),
        Gives("{eval: tags, foreach: {eval: {concat: [x, {eval: $item}]}}}", "['xa', 'xb']"),
    ]),
    function("is_function_defined", "Tells whether there is a function of that name.", |call| {
        Ok(Value::from(is_function(&python::text(&call.value()?))).into())
    })
    .examples(&[Gives("{is_function_defined: concat}", "True"), Gives("{is_function_defined: python}", "False")]),
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
