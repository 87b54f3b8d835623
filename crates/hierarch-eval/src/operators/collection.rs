//! `+ - <<` on arrays, hashes, URIs and binaries.

use std::hash::BuildHasher;
use std::sync::Arc;

use hierarch_pcore::value::time::{NANOS, in_seconds};
use hierarch_pcore::value::{Binary, Uri};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;
use hierarch_syntax::ast::BinaryOp;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use super::arithmetic::operand_origins;
use crate::code::Id;
use crate::evaluator::{Evaluated, Evaluator};
use crate::expr::{owned, pairs};
use crate::issues;
use crate::scope::Frame;

/// Tells whether an operator on this left operand is one of collections.
pub(super) fn applies(op: BinaryOp, left: &Value) -> bool {
    match left {
        Value::Array(_) | Value::Hash(_) => {
            matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ShiftLeft)
        }
        Value::Uri(_) | Value::Binary(_) => op == BinaryOp::Add,
        _ => false,
    }
}

impl Evaluator<'_> {
    pub(super) fn collection_operator(
        &mut self,
        frame: &Frame,
        id: Id,
        op: BinaryOp,
        left: Value,
        right: Value,
    ) -> Evaluated {
        self.budget.work(right.extent().size)?;
        let result = match (op, left) {
            (BinaryOp::Add, left) => concatenated(left, right)?,
            (BinaryOp::Subtract, Value::Array(elements)) => {
                let unwanted = Unwanted::new(right);
                self.budget.work((elements.len() as u64).saturating_mul(1 + unwanted.timed.len() as u64))?;
                let mut elements = owned(elements).into_vec();
                elements.retain(|element| !unwanted.has(element));
                Value::array(elements)
            }
            (BinaryOp::Subtract, left) => without(left, right),
            (_, Value::Array(elements)) => {
                let mut elements = owned(elements);
                elements.push(right);
                elements.into()
            }
            (op, left) => {
                let error = issues::not_applicable(op.symbol(), &left);
                return Err(issues::at(error, &frame.code.ast, operand_origins(frame, id).0).into());
            }
        };
        self.budget.check_extent(&result)?;
        Ok(result)
    }
}

fn concatenated(left: Value, right: Value) -> Result<Value> {
    match left {
        Value::Array(elements) => {
            let mut elements = owned(elements);
            match right {
                Value::Array(more) => elements.extend(more.iter().cloned()),
                Value::Hash(more) => elements.extend(pairs(&more)),
                other => elements.push(other),
            }
            Ok(elements.into())
        }
        Value::Hash(hash) => {
            let more = hash_of(right)?;
            Ok(Value::hash(Hash::sum(hash, &more)))
        }
        Value::Uri(uri) => match right {
            Value::Uri(reference) => Ok(Value::Uri(uri.join(&reference).into())),
            Value::String(reference) => Ok(Value::Uri(uri.join(&Uri::parse(&reference)?).into())),
            _ => Err(issues::only_uri_to_uri()),
        },
        Value::Binary(bytes) => match right {
            Value::Binary(more) => {
                Ok(Value::Binary(Binary::new([bytes.bytes(), more.bytes()].concat()).into()))
            }
            _ => Err(issues::only_binary_to_binary()),
        },
        other => Ok(other),
    }
}

/// Makes a hash of what is added to one: a hash, pairs, or keys and values in turn.
fn hash_of(value: Value) -> Result<Arc<Hash>> {
    match value {
        Value::Hash(hash) => Ok(hash),
        Value::Array(elements)
            if !elements.is_empty() && elements.iter().all(|e| matches!(e, Value::Array(_))) =>
        {
            let mut hash = Hash::with_capacity(elements.len());
            for (index, element) in elements.iter().enumerate() {
                match element.as_array().unwrap_or_default() {
                    [key, value] => hash.insert(key.clone(), value.clone()),
                    pair => return Err(issues::no_pair(index, pair.len())),
                };
            }
            Ok(Arc::new(hash))
        }
        Value::Array(elements) if elements.len() % 2 == 0 => {
            Ok(Arc::new(elements.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()))
        }
        Value::Array(_) => Err(issues::odd_hash()),
        _ => Err(issues::only_collections_to_hash()),
    }
}

/// What is taken out of an array, found in a time that does not grow with its number but for times in collections.
struct Unwanted {
    /// Everything but numbers and collections is equal to itself alone.
    plain: Hash,
    /// Numbers are equal by value, an integer may be equal to a float, and a time to the number of its seconds.
    numbers: FxHashMap<u64, Vec<Value>>,
    /// Collections, by a number that those which are equal have in common.
    nested: FxHashMap<u64, Vec<Value>>,
    /// Collections with times in them, which may be equal to others with numbers.
    timed: Vec<Value>,
}

impl Unwanted {
    fn new(right: Value) -> Self {
        let all = match right {
            Value::Array(unwanted) => owned(unwanted).into_vec(),
            Value::Hash(hash) => pairs(&hash),
            other => vec![other],
        };
        let mut unwanted = Self {
            plain: Hash::new(),
            numbers: FxHashMap::default(),
            nested: FxHashMap::default(),
            timed: Vec::new(),
        };
        for one in all {
            let bits = number_bits(&one);
            match one {
                Value::Array(_) | Value::Hash(_) => match loose_hash(&one) {
                    Some(hash) => unwanted.nested.entry(hash).or_default().push(one),
                    None => unwanted.timed.push(one),
                },
                _ if bits.is_empty() => drop(unwanted.plain.insert(one, true)),
                _ => bits
                    .into_iter()
                    .for_each(|bits| unwanted.numbers.entry(bits).or_default().push(one.clone())),
            }
        }
        unwanted
    }

    fn has(&self, element: &Value) -> bool {
        let is_same = |one: &Value| element.is_same_in_ruby(one);
        let bits = number_bits(element);
        match element {
            Value::Array(_) | Value::Hash(_) => {
                self.timed.iter().any(is_same)
                    || match loose_hash(element) {
                        Some(hash) => self.nested.get(&hash).into_iter().flatten().any(is_same),
                        None => self.nested.values().flatten().any(is_same),
                    }
            }
            _ if bits.is_empty() => self.plain.contains_key(element),
            _ => bits.iter().filter_map(|bits| self.numbers.get(bits)).flatten().any(is_same),
        }
    }
}

/// Returns a number that collections have in common if they are the same, numbers in them by value; nothing if there is a
/// time in them, which has more than one number that it is equal to.
fn loose_hash(value: &Value) -> Option<u64> {
    match value {
        Value::Timestamp(_) | Value::Timespan(_) => None,
        Value::Array(elements) => {
            elements.iter().try_fold(1, |sum: u64, element| Some(FX.hash_one((sum, loose_hash(element)?))))
        }
        Value::Hash(hash) => hash.iter().try_fold(2, |sum: u64, (key, value)| {
            Some(sum.wrapping_add(FX.hash_one((key, loose_hash(value)?))))
        }),
        other => match number_bits(other).first() {
            Some(bits) => Some(FX.hash_one(bits)),
            None => Some(FX.hash_one(other)),
        },
    }
}

const FX: FxBuildHasher = FxBuildHasher;

/// Returns bits of which numbers and times that are equal have some in common; nothing for all other values.
fn number_bits(value: &Value) -> SmallVec<[u64; 2]> {
    match value {
        Value::Integer(number) => smallvec![(*number as f64).to_bits()],
        // Zero has two forms, which are equal.
        Value::Float(number) => smallvec![(*number + 0.0).to_bits()],
        Value::Timestamp(time) => time_bits(time.0),
        Value::Timespan(time) => time_bits(time.0),
        _ => SmallVec::new(),
    }
}

/// An integer is equal to a time of as many whole seconds, a float to one of exactly as many.
fn time_bits(nanos: i128) -> SmallVec<[u64; 2]> {
    smallvec![(nanos.div_euclid(NANOS) as f64).to_bits(), (in_seconds(nanos) + 0.0).to_bits()]
}

fn without(left: Value, right: Value) -> Value {
    match left {
        Value::Hash(hash) => {
            let unwanted = match right {
                Value::Hash(other) => other,
                Value::Array(keys) => Arc::new(keys.iter().map(|key| (key.clone(), true)).collect()),
                key => Arc::new(Hash::from_iter([(key, true)])),
            };
            if !unwanted.keys().any(|key| hash.contains_key(key)) {
                return Value::Hash(hash);
            }
            let kept = hash.iter().filter(|(key, _)| !unwanted.contains_key(key));
            Value::hash(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;
    use hierarch_pcore::value::{Timespan, Timestamp};

    use super::*;

    /// What was meant is found whatever it is, and in the way that `is_same_in_ruby` says.
    #[test]
    fn unwanted_elements_are_those_that_are_the_same() {
        let list = |items: Vec<Value>| Value::array(items);
        let values = [
            Value::from(1_i64),
            Value::from(1.0),
            Value::from(0.0),
            Value::from(-0.0),
            Value::from(0_i64),
            Value::from(i64::MAX),
            Value::from(i64::MAX as f64),
            Value::from(f64::NAN),
            Value::from("1"),
            Value::from("a"),
            Value::from("A"),
            Value::Undef,
            Value::from(true),
            list(vec![Value::from(1_i64)]),
            list(vec![Value::from(1.0)]),
            Value::hash([("k", Value::from(1_i64))].into_iter().collect()),
            Value::hash([("k", Value::from(1.0))].into_iter().collect()),
            Value::Timestamp(Timestamp(NANOS).into()),
            Value::Timestamp(Timestamp(NANOS * 3 / 2).into()),
            Value::Timespan(Timespan(NANOS).into()),
            Value::Timespan(Timespan(0).into()),
            Value::from(1.5),
            list(vec![Value::Timespan(Timespan(NANOS).into())]),
        ];
        for one in &values {
            let unwanted = Unwanted::new(list(vec![one.clone()]));
            for element in &values {
                assert_eq!(unwanted.has(element), element.is_same_in_ruby(one), "{element} - {one}");
            }
        }
    }

    #[test]
    fn lists_hashes_and_texts_together() {
        check_programs(&[
            ("[1] + 2", "[1, 2]"),
            ("[1] + [2, [3]]", "[1, 2, [3]]"),
            ("[1] + {a => 1}", "[1, ['a', 1]]"),
            ("[1] + [[2, 3]]", "[1, [2, 3]]"),
            ("{a => 1} + {a => 2, b => 3}", "{'a' => 2, 'b' => 3}"),
            ("{a => 1} + [[b, 2]]", "{'a' => 1, 'b' => 2}"),
            ("{a => 1} + [b, 2]", "{'a' => 1, 'b' => 2}"),
            (
                "{a => 1} + [b]",
                "Evaluation Error: Error while evaluating a '+' expression, odd number of arguments for Hash (line: 1, column: 10)",
            ),
            (
                "{a => 1} + 1",
                "Evaluation Error: Error while evaluating a '+' expression, Can only append Array or Hash to a Hash (line: 1, column: 10)",
            ),
            ("[1, 2, 1] - 1", "[2]"),
            ("[1, 2, 1] - [1]", "[2]"),
            ("[1, 2] - {a => 1}", "[1, 2]"),
            ("[[a, 1], 2] - {a => 1}", "[2]"),
            ("{a => 1, b => 2} - a", "{'b' => 2}"),
            ("{a => 1, b => 2} - [a, b]", "{}"),
            ("{a => 1, b => 2} - {a => 5}", "{'b' => 2}"),
            ("[1] << 2", "[1, 2]"),
            ("[1] << [2]", "[1, [2]]"),
            ("[1] << {a => 1}", "[1, {'a' => 1}]"),
            (
                "{a => 1} << 1",
                "Evaluation Error: Operator '<<' is not applicable to a Hash. (line: 1, column: 1)",
            ),
            (
                "'a' + 'b'",
                "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 1)",
            ),
            (
                "'a' << 'b'",
                "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 1)",
            ),
            ("[*[1, 2], 3]", "[1, 2, 3]"),
            ("[*{a => 1}]", "[['a', 1]]"),
            ("[*undef]", "[]"),
            ("[*1]", "[1]"),
            ("[*'a']", "['a']"),
            ("*[1]", "[1]"),
        ]);
    }
}
