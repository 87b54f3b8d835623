//! `dig`, `get` and `getvar`: values deep inside others, by keys or by a text with points.

use hierarch_pcore::infer;
use hierarch_pcore::types::Kind;
use hierarch_pcore::value::Object;
use hierarch_source::Error;

use super::navigation;
use crate::prelude::*;

/// The function `dig`.
pub(super) static DIG: Function = Function {
    name: "dig",
    doc: "Returns the value inside a collection that a sequence of keys and indexes leads to; `undef` where there is none.",
    dispatches: &[on(&["Optional[Collection] data", "*Any arg"], dig)],
    examples: &[
        Gives("{a => {b => [1, 2]}}.dig('a', 'b', 1)", "2"),
        Gives("{a => 1}.dig('x', 'y')", "undef"),
        Fails(
            "{a => 1}.dig('a', 'b')",
            "The given data does not contain a Collection at [\"a\"], got 'Integer[1, 1]'",
        ),
        Fails("[1].dig('a')", "The given data requires an Integer index at [\"a\"], got 'String'"),
    ],
};

/// The function `get`.
pub(super) static GET: Function = Function {
    name: "get",
    doc: "Returns the value inside a value that a text such as `a.0.b` leads to, or a default if there is none. A block is given an Error instead of failing where something on the way is no collection.",
    dispatches: &[on(
        &["Any value", "String dotted_string", "?Any default_value", "?&Callable[1, 1] block"],
        get,
    )],
    examples: &[
        Gives("get({a => {b => [5]}}, 'a.b.0')", "5"),
        Gives("get({'a.b' => 1}, '\"a.b\"')", "1"),
        Gives("get({a => 1}, 'x', 'nothing')", "'nothing'"),
        Gives("get({a => 1}, 'a.b') |$error| { $error.kind }", "'SLICE_ERROR'"),
        Fails("get({a => 1}, 'a..b')", "Syntax error in dotted-navigation string"),
    ],
};

/// The function `getvar`.
pub(super) static GETVAR: Function = Function {
    name: "getvar",
    doc: "Returns the value of a variable, or what a text such as `name.a.0` leads to inside it, or a default if there is none.",
    dispatches: &[
        on(
            &[
                "Pattern[/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*(?:\\.|\\Z)/] get_string",
                "?Any default_value",
                "?&Callable[1, 1] block",
            ],
            getvar,
        ),
        mismatch(&["String get_string", "?Any default_value", "?&Callable block"], no_variable_name),
    ],
    examples: &[
        Gives("$x = {a => [1, 2]} getvar('x.a.1')", "2"),
        Gives("getvar('nope')", "undef"),
        Gives("getvar('nope.a', 'nothing')", "'nothing'"),
        Fails("getvar('$x')", "'getvar' The given string does not start with a valid variable name"),
    ],
};

fn dig(call: &mut Call) -> Result<Value> {
    let mut arguments = call.take_all().into_iter();
    let data = arguments.next().unwrap_or_default();
    let keys: Vec<Value> = arguments.collect();
    Ok(walk(data, &keys).map_err(|failure| failure.error())?)
}

/// A step that could not be made.
struct Failure {
    walked: Vec<Value>,
    message: String,
    detail: &'static str,
    type_: Type,
    issue: &'static str,
}

impl Failure {
    fn no_collection(walked: &[Value], value: &Value) -> Self {
        let (walked, type_) = (walked.to_vec(), infer::reduced(value));
        let message = issues::no_collection_at(&walked, &type_);
        Self { walked, message, detail: "value_type", type_, issue: "EXPECTED_COLLECTION" }
    }

    fn no_index(walked: &[Value], key: &Value) -> Self {
        let (walked, type_) = (walked.to_vec(), infer::reduced(key));
        let message = issues::no_index_at(&walked, &type_);
        Self { walked, message, detail: "index_type", type_, issue: "EXPECTED_INTEGER_INDEX" }
    }

    fn error(self) -> Error {
        issues::argument(self.message)
    }

    /// Returns it as a value of type `Error`.
    fn into_value(self) -> Value {
        let details: Hash = [("walked_path", Value::array(self.walked)), (self.detail, self.type_.into())]
            .into_iter()
            .collect();
        let given: Hash = [
            ("msg", Value::from(self.message)),
            ("kind", "SLICE_ERROR".into()),
            ("details", details.into()),
            ("issue_code", self.issue.into()),
        ]
        .into_iter()
        .collect();
        match Type::error().kind() {
            Kind::Object(type_) => Object::new(type_, &given).into(),
            _ => given.into(),
        }
    }
}

fn walk(data: Value, keys: &[Value]) -> std::result::Result<Value, Failure> {
    let mut value = data;
    for (depth, key) in keys.iter().enumerate() {
        if value.is_undef() || key.is_undef() {
            return Ok(Value::Undef);
        }
        value = match (&value, key) {
            (Value::Hash(hash), key) => hash.get(key).cloned().unwrap_or_default(),
            (Value::Array(elements), Value::Integer(index)) => element(elements, *index),
            (Value::Array(_), key) => return Err(Failure::no_index(&keys[..=depth], key)),
            (other, _) => return Err(Failure::no_collection(&keys[..depth], other)),
        };
    }
    Ok(value)
}

fn element(elements: &[Value], index: i64) -> Value {
    let index = if index < 0 { index.saturating_add_unsigned(elements.len() as u64) } else { index };
    usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or_default()
}

fn get(call: &mut Call) -> Result<Value> {
    let (value, default) = (call.take(0), call.take(2));
    let path = call.str(1).to_owned();
    navigate(call, value, &path, default)
}

fn navigate(call: &mut Call, value: Value, path: &str, default: Value) -> Result<Value> {
    if value.is_undef() {
        return Ok(default);
    }
    if path.is_empty() {
        return Ok(value);
    }
    let keys = navigation::keys(path).ok_or_else(issues::bad_navigation)?;
    if !matches!(value, Value::Array(_) | Value::Hash(_)) {
        // The way leads through `dig`, which says in its own name that it takes collections only.
        let arguments = std::iter::once(value).chain(keys).collect();
        return call.call_function("dig", arguments, false);
    }
    match walk(value, &keys) {
        Ok(Value::Undef) => Ok(default),
        Ok(value) => Ok(value),
        Err(failure) if call.has_block() => call.yield_values([failure.into_value()]),
        Err(failure) => Err(failure.error().into()),
    }
}

fn getvar(call: &mut Call) -> Result<Value> {
    let default = call.take(1);
    let text = call.str(0).to_owned();
    let (name, path) = text.split_once('.').unwrap_or((&text, ""));
    match call.variable(name) {
        Some(value) => navigate(call, value, path, default),
        None => Ok(default),
    }
}

fn no_variable_name(_: &mut Call) -> Result<Value> {
    Ok(issues::NO_VARIABLE_NAME.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    /// Programs, and what Puppet makes of them.
    const PATHS_LEAD_INTO_VALUES: &[(&str, &str)] = &[
        ("dig({a => {b => 1}}, 'a', 'b')", "1"),
        ("dig({a => [1, 2]}, 'a', 1)", "2"),
        ("dig({a => [1, 2]}, 'a', -1)", "2"),
        ("dig({a => 1}, 'x', 'y')", "undef"),
        ("dig({a => undef}, 'a', 'b')", "undef"),
        (
            "dig({a => 1}, 'a', 'b')",
            r#"Evaluation Error: Error while evaluating a Function Call, The given data does not contain a Collection at ["a"], got 'Integer[1, 1]' (line: 1, column: 1)"#,
        ),
        ("dig([1, [2, 3]], 1, 0)", "2"),
        (
            "dig([1], 'a')",
            r#"Evaluation Error: Error while evaluating a Function Call, The given data requires an Integer index at ["a"], got 'String' (line: 1, column: 1)"#,
        ),
        ("dig([1], 5)", "undef"),
        (
            "dig([1], 0, 0)",
            "Evaluation Error: Error while evaluating a Function Call, The given data does not contain a Collection at [0], got 'Integer[1, 1]' (line: 1, column: 1)",
        ),
        ("dig({1 => a}, 1)", "'a'"),
        ("dig([])", "[]"),
        (
            "dig(1, 1)",
            "Evaluation Error: Error while evaluating a Function Call, 'dig' parameter 'data' expects a value of type Undef or Collection, got Integer (line: 1, column: 1)",
        ),
        ("{a => {b => 1}}.get('a.b')", "1"),
        ("{a => {b => 1}}.get('a.x', 'd')", "'d'"),
        ("{a => {b => 1}}.get('x.y')", "undef"),
        ("{a => [1, {b => 2}]}.get('a.1.b')", "2"),
        (r#"{'a.b' => 1}.get('"a.b"')"#, "1"),
        (r#"{'a.b' => 1}.get("'a.b'")"#, "1"),
        (
            "{a => 1}.get('a.b')",
            r#"Evaluation Error: Error while evaluating a Method call, The given data does not contain a Collection at ["a"], got 'Integer[1, 1]' (line: 1, column: 13)"#,
        ),
        (
            "{a => 1}.get('a.b') |$e| { $e['issue_code'] }",
            "Evaluation Error: Operator '[]' is not applicable to an Object. (line: 1, column: 28)",
        ),
        (
            "{a => 1}.get('a.b', 'd') |$e| { $e['issue_code'] }",
            "Evaluation Error: Operator '[]' is not applicable to an Object. (line: 1, column: 33)",
        ),
        (
            "{a => 'x'}.get('a.b.c') |$e| { $e['msg'] }",
            "Evaluation Error: Operator '[]' is not applicable to an Object. (line: 1, column: 32)",
        ),
        ("[1, 2].get('0')", "1"),
        (
            "[1, 2].get('x')",
            r#"Evaluation Error: Error while evaluating a Method call, The given data requires an Integer index at ["x"], got 'String' (line: 1, column: 11)"#,
        ),
        (
            "[1, 2].get('x') |$e| { $e['msg'] }",
            "Evaluation Error: Operator '[]' is not applicable to an Object. (line: 1, column: 24)",
        ),
        ("{a => 1}.get('')", "{'a' => 1}"),
        (
            "{a => 1}.get('a..b')",
            "Evaluation Error: Error while evaluating a Method call, Syntax error in dotted-navigation string (line: 1, column: 13)",
        ),
        (
            "{a => 1}.get('a.')",
            "Evaluation Error: Error while evaluating a Method call, Syntax error in dotted-navigation string (line: 1, column: 13)",
        ),
        ("undef.get('a')", "undef"),
        ("undef.get('a', 'd')", "'d'"),
        (
            r#"{a => 1}.get('"a')"#,
            "Evaluation Error: Error while evaluating a Method call, Syntax error in dotted-navigation string (line: 1, column: 13)",
        ),
        ("getvar('x')", "undef"),
        ("getvar('x', 5)", "5"),
        ("$x = {a => [1]} getvar('x.a.0')", "1"),
        ("$x = {a => [1]} getvar('x.a.5', 'd')", "'d'"),
        (
            "$x = {a => 1} getvar('x.a.b') |$e| { $e['issue_code'] }",
            "Evaluation Error: Operator '[]' is not applicable to an Object. (line: 1, column: 38)",
        ),
        (
            "getvar('X')",
            "Evaluation Error: Error while evaluating a Function Call, 'getvar' The given string does not start with a valid variable name (line: 1, column: 1)",
        ),
        ("getvar('a::b')", "undef"),
        (
            "getvar('a b')",
            "Evaluation Error: Error while evaluating a Function Call, 'getvar' The given string does not start with a valid variable name (line: 1, column: 1)",
        ),
        (
            "getvar(1)",
            r"Evaluation Error: Error while evaluating a Function Call, 'getvar' parameter 'get_string' expects a match for Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/], got Integer (line: 1, column: 1)",
        ),
    ];

    #[test]
    fn paths_lead_into_values() {
        check_calls(PATHS_LEAD_INTO_VALUES);
    }
}
