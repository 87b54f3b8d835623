//! `value[keys]`: characters, elements, entries, and parameters of types.

use hierarch_pcore::types::{Blame, Kind};
use hierarch_pcore::value::Binary;
use hierarch_pcore::{Str, Type, Value, issues as words};
use hierarch_source::{Error, nearest};
use hierarch_syntax::ast::{Expr, ExprId};

use crate::code::{Id, Instruction};
use crate::evaluator::{Evaluated, Evaluator};
use crate::scope::Frame;
use crate::{Result, Unwind, issues};

impl Evaluator<'_> {
    pub(crate) fn access(&mut self, frame: &Frame, id: Id, left: Id, keys: &[Id]) -> Evaluated {
        let value = self.eval(frame, left)?;
        // The common cases need no list of keys.
        if let [key] = keys {
            let key = self.key(frame, &value, *key)?;
            return match (&value, &key) {
                (Value::Hash(hash), key) => Ok(hash.get(key).cloned().unwrap_or_default()),
                (Value::Array(elements), Value::Integer(index)) => Ok(element(elements, *index)),
                _ => self.access_with(frame, id, &value, vec![key]),
            };
        }
        let keys = keys.iter().map(|key| self.key(frame, &value, *key)).collect::<Result<Vec<_>>>()?;
        self.access_with(frame, id, &value, keys)
    }

    /// Evaluates a key; a name in `Class[Name]` need not be that of a known type.
    fn key(&mut self, frame: &Frame, left: &Value, key: Id) -> Evaluated {
        if let (Value::Type(type_), Instruction::TypeName { name, .. }) = (left, frame.code.node(key))
            && matches!(type_.kind(), Kind::Class(_))
        {
            return Ok(Type::find(name, self.definitions())?.into());
        }
        self.eval(frame, key)
    }

    fn access_with(&mut self, frame: &Frame, id: Id, left: &Value, keys: Vec<Value>) -> Evaluated {
        match left {
            Value::String(text) => substring(frame, id, text, &flattened(keys)),
            Value::Array(elements) => self.sub_array(frame, id, elements, &flattened(keys)),
            Value::Hash(hash) => {
                let found = keys.iter().filter_map(|key| hash.get(key)).filter(|value| !value.is_undef());
                Ok(Value::array(found.cloned().collect()))
            }
            Value::Binary(bytes) => sub_binary(frame, id, bytes, &flattened(keys)),
            Value::Type(type_) => match self.attributes_of(type_, &keys) {
                Ok(Some(value)) => Ok(value),
                Ok(None) => parametrize(frame, id, type_, &keys),
                Err(Unwind::Error(error)) if error.place.is_none() => Err(at_left(frame, id, error).into()),
                Err(other) => Err(other),
            },
            other => {
                let error = issues::not_applicable("[]", other);
                let error = if other.is_undef() { self.hint_key(error, frame, id) } else { error };
                Err(at_left(frame, id, error).into())
            }
        }
    }

    /// Adds the keys that look like the one that is not there, where what is undefined was taken out of a hash: in
    /// `$facts['oss']['family']`, those of `$facts`. Only what can be evaluated again without effect is.
    fn hint_key(&mut self, error: Error, frame: &Frame, id: Id) -> Error {
        let Instruction::Access { left, .. } = frame.code.node(id) else { return error };
        let Instruction::Access { left: hash, keys } = frame.code.node(*left) else { return error };
        let ([key], true) = (&keys[..], is_plain(frame, *hash)) else { return error };
        if !is_plain(frame, *key) {
            return error;
        }
        let (Ok(Value::Hash(hash)), Ok(Value::String(key))) =
            (self.eval(frame, *hash), self.eval(frame, *key))
        else {
            return error;
        };
        let near = nearest(&key, hash.keys().filter_map(Value::as_str));
        if near.is_empty() { error } else { error.note(issues::did_you_mean("", &near)) }
    }

    fn sub_array(&mut self, frame: &Frame, id: Id, elements: &[Value], keys: &[Value]) -> Evaluated {
        if !(1..=2).contains(&keys.len()) {
            return Err(at_left(frame, id, issues::array_slice_arity(keys.len())).into());
        }
        // All keys must be numbers before any is found to be no integer.
        let mut given = [Value::Undef, Value::Undef];
        for (index, key) in keys.iter().enumerate() {
            given[index] = match self.numeric(frame, key.clone(), key_origin(frame, id, index)) {
                Err(Unwind::Error(_)) if !is_written(frame, id, index) => {
                    return Err(issues::nowhere(issues::not_numeric(key)).into());
                }
                number => number?,
            };
        }
        let mut numbers = [0, 0];
        for (index, key) in given.iter().enumerate().take(keys.len()) {
            match key {
                Value::Integer(number) => numbers[index] = *number,
                other => return Err(at_key(frame, id, index, issues::array_key(other)).into()),
            }
        }
        if keys.len() == 1 {
            return Ok(element(elements, numbers[0]));
        }
        let range = slice(elements.len(), (numbers[0], Some(numbers[1])));
        let (start, count) = range.unwrap_or((0, 0));
        Ok(Value::array(elements.iter().skip(start).take(count).cloned().collect()))
    }
}

/// Tells whether an expression is a literal, a variable, or taken out of one: evaluating it again changes nothing.
pub(crate) fn is_plain(frame: &Frame, id: Id) -> bool {
    match frame.code.node(id) {
        Instruction::Literal(_)
        | Instruction::Parameter { .. }
        | Instruction::Variable(_)
        | Instruction::Global(_)
        | Instruction::Outer(_) => true,
        Instruction::Access { left, keys } => {
            is_plain(frame, *left) && keys.iter().all(|key| is_plain(frame, *key))
        }
        _ => false,
    }
}

fn parametrize(frame: &Frame, id: Id, type_: &Type, keys: &[Value]) -> Evaluated {
    // Resource[File] is File.
    if let (Kind::Resource(resource), [Value::Type(key)]) = (type_.kind(), keys)
        && resource.type_name().is_none()
        && matches!(key.kind(), Kind::Resource(_))
    {
        return Ok(key.clone().into());
    }
    type_.parametrize(keys).map_err(|failure| {
        let error = failure.error;
        if error.code == words::RUNTIME_ERROR {
            return error.into();
        }
        match failure.blame {
            Blame::Whole => error.into(),
            Blame::Left => at_left(frame, id, error).into(),
            Blame::Key(index) => at_key(frame, id, index, error).into(),
        }
    })
}

fn substring(frame: &Frame, id: Id, text: &Str, keys: &[Value]) -> Evaluated {
    let numbers = string_keys(frame, id, keys)?;
    let length = text.chars().count();
    let Some((start, count)) = slice(length, numbers) else { return Ok(Value::from("")) };
    Ok(text.chars().skip(start).take(count).collect::<String>().into())
}

fn element(elements: &[Value], index: i64) -> Value {
    let index = if index < 0 { index + elements.len() as i64 } else { index };
    usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or_default()
}

/// Returns the keys with arrays in them spread out, however deep.
fn flattened(keys: Vec<Value>) -> Vec<Value> {
    let mut flat = Vec::with_capacity(keys.len());
    for key in keys {
        match key {
            Value::Array(elements) => flat.extend(flattened(elements.to_vec())),
            other => flat.push(other),
        }
    }
    flat
}

/// Returns where a piece starts and how long it is; nothing if it is outside.
///
/// One number is a position; of two, a negative second one is a position from the end.
fn slice(length: usize, (from, count): (i64, Option<i64>)) -> Option<(usize, usize)> {
    let length = length as i128;
    let mut start = if from < 0 { length + i128::from(from) } else { from.into() };
    let mut size = match count {
        None if start < 0 => return None,
        None => 1,
        Some(count) if count < 0 => length - start + i128::from(count) + 1,
        Some(count) => count.into(),
    };
    if start < 0 {
        size += start;
        start = 0;
    }
    if start > length || size < 0 {
        return None;
    }
    Some((usize::try_from(start).ok()?, usize::try_from(size).ok()?))
}

fn string_keys(frame: &Frame, id: Id, keys: &[Value]) -> Result<(i64, Option<i64>)> {
    if !(1..=2).contains(&keys.len()) {
        return Err(at_left(frame, id, issues::string_slice_arity(keys.len())).into());
    }
    let mut numbers = [0, 0];
    for (index, key) in keys.iter().enumerate() {
        match as_number(key) {
            Value::Integer(number) => numbers[index] = number,
            other => return Err(at_key(frame, id, index, issues::substring_key(&other)).into()),
        }
    }
    Ok((numbers[0], keys.get(1).map(|_| numbers[1])))
}

/// Texts that look like numbers count as such here, whatever the strictness.
fn as_number(key: &Value) -> Value {
    match key {
        Value::String(text) => match hierarch_pcore::value::number::read_number(text) {
            Some(number) => number.into(),
            None => key.clone(),
        },
        other => other.clone(),
    }
}

fn sub_binary(frame: &Frame, id: Id, bytes: &Binary, keys: &[Value]) -> Evaluated {
    let numbers = string_keys(frame, id, keys)?;
    let bytes = bytes.bytes();
    let (start, count) = slice(bytes.len(), numbers).unwrap_or((0, 0));
    let piece: Vec<u8> = bytes.iter().skip(start).take(count).copied().collect();
    Ok(Value::Binary(Binary::new(piece).into()))
}

fn at_left(frame: &Frame, id: Id, error: Error) -> Error {
    let origin = frame.code.origin(id);
    let left = match frame.code.ast.expr(origin) {
        Expr::Access { left, .. } => left,
        _ => origin,
    };
    issues::at(error, &frame.code.ast, left)
}

fn key_origin(frame: &Frame, id: Id, index: usize) -> ExprId {
    let origin = frame.code.origin(id);
    match frame.code.ast.expr(origin) {
        Expr::Access { keys, .. } => frame.code.ast.list(keys).get(index).copied().unwrap_or(origin),
        _ => origin,
    }
}

/// Tells whether a key stands in the program; one that came out of an array has no place of its own.
fn is_written(frame: &Frame, id: Id, index: usize) -> bool {
    match frame.code.ast.expr(frame.code.origin(id)) {
        Expr::Access { keys, .. } => index < keys.len(),
        _ => true,
    }
}

fn at_key(frame: &Frame, id: Id, index: usize, error: Error) -> Error {
    if is_written(frame, id, index) {
        issues::at(error, &frame.code.ast, key_origin(frame, id, index))
    } else {
        issues::nowhere(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_programs;

    #[test]
    fn pieces_are_counted_from_both_ends() {
        for (from, count, expected) in [
            (0, None, Some((0, 1))),
            (-1, None, Some((4, 1))),
            (-6, None, None),
            (1, Some(2), Some((1, 2))),
            (1, Some(-1), Some((1, 4))),
            (-10, Some(7), Some((0, 2))),
            (5, Some(1), Some((5, 1))),
            (6, Some(1), None),
        ] {
            assert_eq!(slice(5, (from, count)), expected, "[{from}, {count:?}]");
        }
    }

    /// Programs, and what Puppet makes of them.
    const BRACKETS_TAKE_PARTS: &[(&str, &str)] = &[
        ("[1, 2, 3][0]", "1"),
        ("[1, 2, 3][-1]", "3"),
        ("[1, 2, 3][5]", "undef"),
        ("[1, 2, 3][1, 2]", "[2, 3]"),
        ("[1, 2, 3][1, -1]", "[2, 3]"),
        ("[1, 2, 3][-2, -1]", "[2, 3]"),
        ("[1, 2, 3][5, 1]", "[]"),
        ("[1, 2, 3][3, 1]", "[]"),
        ("[1, 2, 3][1, 0]", "[]"),
        ("[1, 2, 3][-5, 2]", "[]"),
        (
            "[1, 2, 3]['a']",
            "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 11)",
        ),
        (
            "[1, 2, 3]['1']",
            "Evaluation Error: The string '1' was automatically coerced to the numerical value 1 (line: 1, column: 11)",
        ),
        (
            "[1, 2, 3][1.0]",
            "Evaluation Error: An Array[] cannot use Float where Integer is expected (line: 1, column: 11)",
        ),
        ("[1, 2, 3][]", "Syntax error at ']' (line: 1, column: 11)"),
        (
            "[1, 2, 3][1, 2, 3]",
            "Evaluation Error: Array supports [] with one or two arguments. Got 3 (line: 1, column: 1)",
        ),
        ("'abc'[0]", "'a'"),
        ("'abc'[-1]", "'c'"),
        ("'abc'[5]", "''"),
        ("'abc'[1, 1]", "'b'"),
        ("'abc'[1, -1]", "'bc'"),
        ("'abc'[-5, 3]", "'a'"),
        ("'grüße'[2, 2]", "'üß'"),
        (
            "'abc'['a']",
            "Evaluation Error: A substring operation does not accept a String as a character index. Expected an Integer (line: 1, column: 7)",
        ),
        (
            "'abc'[1, 2, 3]",
            "Evaluation Error: String supports [] with one or two arguments. Got 3 (line: 1, column: 1)",
        ),
        ("{a => 1}['a']", "1"),
        ("{a => 1}['x']", "undef"),
        ("{a => 1, b => 2}[a, b]", "[1, 2]"),
        ("{a => 1, b => 2}[a, x]", "[1]"),
        ("{1 => a}['1']", "undef"),
        ("{a => 1}[]", "Syntax error at ']' (line: 1, column: 10)"),
        (
            "undef['a']",
            "Evaluation Error: Operator '[]' is not applicable to an Undef Value. (line: 1, column: 1)",
        ),
        ("5[0]", "Evaluation Error: Operator '[]' is not applicable to an Integer. (line: 1, column: 1)"),
        ("true[0]", "Evaluation Error: Operator '[]' is not applicable to a Boolean. (line: 1, column: 1)"),
        ("/a/[0]", "Evaluation Error: Operator '[]' is not applicable to a Regexp. (line: 1, column: 1)"),
        ("Integer[1][2]", "Integer[2]"),
        ("Integer[1, 2][1]", "Integer[1]"),
        ("$x = {a => [1]} $x['a'][0]", "1"),
        (
            "$x = {a => [1]} $x['b'][0]",
            "Evaluation Error: Operator '[]' is not applicable to an Undef Value. (line: 1, column: 17)",
        ),
        (
            "default[1]",
            "Evaluation Error: Operator '[]' is not applicable to an Object. (line: 1, column: 1)",
        ),
        ("1.5[0]", "Evaluation Error: Operator '[]' is not applicable to a Float. (line: 1, column: 1)"),
    ];

    #[test]
    fn brackets_take_parts() {
        check_programs(BRACKETS_TAKE_PARTS);
    }
}
