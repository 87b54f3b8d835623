//! `+ - <<` on arrays, hashes, URIs and binaries.

use std::sync::Arc;

use hierarch_pcore::value::{Binary, Uri};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;
use hierarch_syntax::ast::BinaryOp;

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
        let result = match (op, left) {
            (BinaryOp::Add, left) => concatenated(left, right)?,
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

fn without(left: Value, right: Value) -> Value {
    match left {
        Value::Array(elements) => {
            let unwanted = match right {
                Value::Array(unwanted) => owned(unwanted).into_vec(),
                Value::Hash(hash) => pairs(&hash),
                other => vec![other],
            };
            let mut elements = owned(elements).into_vec();
            elements.retain(|element| !unwanted.iter().any(|unwanted| same(element, unwanted)));
            Value::array(elements)
        }
        Value::Hash(hash) => {
            let mut hash = Arc::unwrap_or_clone(hash);
            let mut remove = |key: &Value| drop(hash.remove(key));
            match &right {
                Value::Array(keys) => keys.iter().for_each(remove),
                Value::Hash(other) => other.keys().for_each(remove),
                key => remove(key),
            }
            Value::hash(hash)
        }
        other => other,
    }
}

/// Ruby's `==`: numbers by value, texts by case.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => a.equals(b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => a == b,
    }
}
