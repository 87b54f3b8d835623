//! `call`: a function by a name that is only known when the program runs.

use hierarch_pcore::value::Object;

use crate::prelude::*;

/// The function `call`.
pub(super) static CALL: Function = Function {
    name: "call",
    doc: "Calls the function of a name with arguments and a block and returns what it gives, or does what a Deferred stands for.",
    dispatches: &[
        on(&["String function_name", "*Any arguments", "?&Callable block"], by_name),
        on(&["Deferred deferred"], deferred),
    ],
    examples: &[
        Gives("call('abs', -3)", "3"),
        Gives("call('with', 1) |$x| { $x + 1 }", "2"),
        Gives("call(Deferred('join', [['a', Deferred('upcase', ['b'])], '-']))", "'a-B'"),
        Gives("call(Deferred('unwrap', [Sensitive(Deferred('upcase', ['b']))]))", "'B'"),
        Fails("call('nope')", "Unknown function 'nope'"),
    ],
};

fn by_name(call: &mut Call) -> Result<Value> {
    let mut arguments = call.take_all().into_iter();
    let name = arguments.next().unwrap_or_default();
    function(call, name.as_str().unwrap_or_default(), arguments.collect(), true)
}

fn function(call: &mut Call, name: &str, arguments: Vec<Value>, with_block: bool) -> Result<Value> {
    call.call_function(name, arguments, with_block).map_err(|unwind| match unwind {
        Unwind::Error(error) if error.code == "UNKNOWN_FUNCTION" && error.place.is_none() => {
            issues::unknown_function(name).into()
        }
        other => other,
    })
}

fn deferred(call: &mut Call) -> Result<Value> {
    let value = call.take(0);
    resolved(call, value)
}

/// Returns a value with all that is deferred in it done.
fn resolved(call: &mut Call, value: Value) -> Result<Value> {
    match value {
        Value::Object(object) if object.type_name() == "Deferred" => done(call, &object),
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| resolved(call, element.clone()));
            Ok(Value::array(elements.collect::<Result<_>>()?))
        }
        Value::Hash(hash) => {
            let mut entries = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                entries.insert(key.clone(), resolved(call, value.clone())?);
            }
            Ok(entries.into())
        }
        Value::Sensitive(secret) => Ok(Value::sensitive(resolved(call, (*secret).clone())?)),
        // Bytes that are a text are one to whatever is called.   case: lang/campaign_third
        Value::Binary(ref binary) => {
            Ok(std::str::from_utf8(binary.bytes()).map_or_else(|_| value.clone(), Value::from))
        }
        other => Ok(other),
    }
}

fn done(call: &mut Call, deferred: &Object) -> Result<Value> {
    let name = deferred.get("name").unwrap_or_default();
    let name = name.as_str().unwrap_or_default();
    let arguments = resolved(call, deferred.get("arguments").unwrap_or_default())?;
    let mut arguments = arguments.as_array().unwrap_or_default().to_vec();
    let Some(variable) = name.strip_prefix('$') else { return function(call, name, arguments, false) };
    let value = deferred_variable(call, variable)?;
    // Arguments of a variable lead into its value.
    arguments.insert(0, value);
    call.call_function("dig", arguments, false)
}

/// Reads a variable; one that is not there is treated as `strict` says, whatever `strict_variables` says.
fn deferred_variable(call: &mut Call, name: &str) -> Result<Value> {
    if let Some(value) = call.variable(name) {
        return Ok(value);
    }
    let reason = match name.rsplit_once("::") {
        Some((class, _)) if !class.is_empty() => issues::class_not_found(class),
        _ => String::new(),
    };
    let error = issues::undefined_variable(name, &reason);
    match call.settings().strict {
        hierarch_eval::Strict::Error => return Err(error.into()),
        hierarch_eval::Strict::Warning => call.warn_once(issues::without_place(&error.message)),
        hierarch_eval::Strict::Off => {}
    }
    Ok(Value::Undef)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn functions_by_name() {
        check_calls(&[
            ("call('length', 'abc')", "3"),
            ("call('map', [1, 2]) |$x| { $x + 1 }", "[2, 3]"),
            (
                "call('nope', 1)",
                "Evaluation Error: Error while evaluating a Function Call, Unknown function 'nope' (line: 1, column: 1)",
            ),
            (
                "call('length')",
                "Evaluation Error: Error while evaluating a Function Call, 'length' expects 1 argument, got none (line: 1, column: 1)",
            ),
            ("call('::length', 'a')", "1"),
            (
                "call(1)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'call' was called with arguments it does not accept. It expects one of:\n  (String function_name, Any arguments*, Callable block?)\n    rejected: parameter 'function_name' expects a String value, got Integer\n  (Object[{name => 'Deferred', attributes => {'name' => Pattern[/\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z/], 'arguments' => {type => Optional[Array], value => undef}}}] deferred)\n    rejected: parameter 'deferred' expects a Deferred value, got Integer (line: 1, column: 1)",
            ),
            (
                "call()",
                "Evaluation Error: Error while evaluating a Function Call, 'call' expects at least 1 argument, got none (line: 1, column: 1)",
            ),
            ("function f($x) { $x } call('f', 3)", "3"),
            ("call(Deferred('length', ['abc']))", "3"),
            (
                "call(Deferred('nope', []))",
                "Evaluation Error: Error while evaluating a Function Call, Unknown function 'nope' (line: 1, column: 1)",
            ),
            (
                "$x = 5 call(Deferred('$x', []))",
                "Evaluation Error: Error while evaluating a Function Call, 'dig' parameter 'data' expects a value of type Undef or Collection, got Integer (line: 1, column: 8)",
            ),
            (
                "call(Deferred('$nope', []))",
                "Evaluation Error: Error while evaluating a Function Call, Undefined variable 'nope';  (line: 1, column: 1)",
            ),
        ]);
    }
}
