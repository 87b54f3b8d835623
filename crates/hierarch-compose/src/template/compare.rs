//! Which values are equal, which comes first, and what keys of maps are compared by.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use super::fault::Checked;
use super::issues;
use super::renderer::Renderer;
use super::show::type_name;
use super::tree::Comparison;
use super::value::{ENTRIES, Key, LazyItems, VALUES, Val, range_length};
use crate::expr::budget::NODE;

impl Renderer {
    /// Tells whether two values are equal: `1`, `1.0` and `True` are.
    pub(super) fn equal(&mut self, a: &Val, b: &Val) -> Checked<bool> {
        self.equal_at(a, b, 0)
    }

    fn equal_at(&mut self, a: &Val, b: &Val, depth: usize) -> Checked<bool> {
        self.budget.fits_depth(depth)?;
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            return Ok(same_number(a, b));
        }
        Ok(match (a, b) {
            (Val::Undefined(missing), _) | (_, Val::Undefined(missing))
                if self.strict() && !missing.is_soft() =>
            {
                return Err(missing.fault());
            }
            (Val::Text(a), Val::Text(b)) => {
                self.go_through(a.text.len().min(b.text.len()))?;
                a.text == b.text
            }
            (Val::Rolled(first), Val::Rolled(second)) => match (&**first, &**second) {
                (LazyItems::Range { .. }, LazyItems::Range { .. }) => self.key_of(a)? == self.key_of(b)?,
                (LazyItems::View(VALUES, _), _) | (_, LazyItems::View(VALUES, _)) => a.is_same(b),
                (LazyItems::View(ENTRIES, a), LazyItems::View(ENTRIES, b)) => {
                    self.equal_sets(a, b, entry_of, depth)?
                }
                (LazyItems::View(_, a), LazyItems::View(_, b)) => {
                    self.equal_sets(a, b, |key| (key.clone(), None), depth)?
                }
                _ => false,
            },
            (Val::Branch(_), _) if is_collection(b) => {
                let plain = self.plain(a)?;
                return self.equal_at(&plain, b, depth + 1);
            }
            (_, Val::Branch(_)) if is_collection(a) => {
                let plain = self.plain(b)?;
                return self.equal_at(a, &plain, depth + 1);
            }
            (Val::List(a), Val::List(b)) | (Val::Tuple(a), Val::Tuple(b)) => {
                let (a, b) = (a.items.borrow().clone(), b.items.borrow().clone());
                self.equal_items(&a, &b, depth)?
            }
            (Val::Dict(a), Val::Dict(b)) => {
                if Rc::ptr_eq(a, b) {
                    return Ok(true);
                }
                let (a, b) = (a.pairs.borrow().clone(), b.pairs.borrow().clone());
                self.go_through(a.len().saturating_mul(NODE))?;
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (key, (_, value)) in &a {
                    let Some((_, other)) = b.get(key) else { return Ok(false) };
                    if !self.equal_at(value, other, depth + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Val::Object(first), Val::Object(second)) => match super::dates::compared(&**first, &**second) {
                Some(order) => order == Ordering::Equal,
                None => a.is_same(b),
            },
            _ => a.is_same(b),
        })
    }

    /// Views of keys and of entries are sets: their order does not count.
    fn equal_sets(
        &mut self,
        a: &Val,
        b: &Val,
        entry: fn(&Val) -> (Val, Option<Val>),
        depth: usize,
    ) -> Checked<bool> {
        let (a, b) = (self.items(a)?, self.items(b)?);
        if a.len() != b.len() {
            return Ok(false);
        }
        let mut known = HashMap::with_capacity(b.len());
        for item in &b {
            let (key, value) = entry(item);
            known.insert(self.key_of(&key)?, value);
        }
        for item in &a {
            let (key, value) = entry(item);
            let is_there = match (known.get(&self.key_of(&key)?), &value) {
                (Some(Some(other)), Some(value)) => self.equal_at(value, other, depth + 1)?,
                (Some(None), None) => true,
                _ => false,
            };
            if !is_there {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_items(&mut self, a: &[Val], b: &[Val], depth: usize) -> Checked<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        self.go_through(a.len().saturating_mul(NODE))?;
        for (a, b) in a.iter().zip(b) {
            if !self.equal_at(a, b, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Says which value comes first.
    pub(super) fn order(&mut self, a: &Val, b: &Val, sign: &str) -> Checked<Ordering> {
        self.order_at(a, b, sign, 0)
    }

    fn order_at(&mut self, a: &Val, b: &Val, sign: &str, depth: usize) -> Checked<Ordering> {
        self.budget.fits_depth(depth)?;
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            return Ok(number_order(a, b));
        }
        match (a, b) {
            (Val::Undefined(missing), _) | (_, Val::Undefined(missing)) => Err(missing.fault()),
            (Val::Text(a), Val::Text(b)) => {
                self.go_through(a.text.len().min(b.text.len()))?;
                Ok(a.text.chars().cmp(b.text.chars()))
            }
            (Val::Branch(node), _) if node.is_list() => {
                let plain = self.plain(a)?;
                self.order_at(&plain, b, sign, depth + 1)
            }
            (_, Val::Branch(node)) if node.is_list() => {
                let plain = self.plain(b)?;
                self.order_at(a, &plain, sign, depth + 1)
            }
            (Val::List(first), Val::List(second)) | (Val::Tuple(first), Val::Tuple(second)) => {
                let (first, second) = (first.items.borrow().clone(), second.items.borrow().clone());
                for (a, b) in first.iter().zip(&second) {
                    if !self.equal_at(a, b, depth + 1)? {
                        return self.order_at(a, b, sign, depth + 1);
                    }
                }
                Ok(first.len().cmp(&second.len()))
            }
            (Val::Object(first), Val::Object(second)) => super::dates::compared(&**first, &**second)
                .ok_or_else(|| issues::not_ordered(sign, type_name(a), type_name(b))),
            _ => Err(issues::not_ordered(sign, type_name(a), type_name(b))),
        }
    }

    pub(super) fn compared(&mut self, operator: Comparison, a: &Val, b: &Val) -> Checked<bool> {
        if is_nan(a) || is_nan(b) {
            return Ok(operator == Comparison::Unequal);
        }
        Ok(match operator {
            Comparison::Equal => self.equal(a, b)?,
            Comparison::Unequal => !self.equal(a, b)?,
            Comparison::Less => self.order(a, b, "<")?.is_lt(),
            Comparison::LessOrEqual => self.order(a, b, "<=")?.is_le(),
            Comparison::Greater => self.order(a, b, ">")?.is_gt(),
            Comparison::GreaterOrEqual => self.order(a, b, ">=")?.is_ge(),
            Comparison::In => self.contains(b, a)?,
            Comparison::NotIn => !self.contains(b, a)?,
        })
    }

    /// Tells whether something is in a text, list or map.
    pub(super) fn contains(&mut self, whole: &Val, part: &Val) -> Checked<bool> {
        match whole {
            Val::Text(text) => match part {
                Val::Text(part) => {
                    self.go_through(text.text.len())?;
                    Ok(text.text.contains(part.text.as_str()))
                }
                Val::Undefined(missing) => Err(missing.fault()),
                other => Err(issues::text_contains_texts(type_name(other))),
            },
            Val::Dict(dict) => {
                let key = self.key_of(part)?;
                Ok(dict.pairs.borrow().contains_key(&key))
            }
            Val::Branch(node) if !node.is_list() && node.owned.get().is_none() => match part {
                Val::Text(key) => Ok(node.entry(self, &key.text)?.is_some()),
                other => {
                    let plain = self.plain(whole)?;
                    self.contains(&plain, other)
                }
            },
            Val::Undefined(missing) => Err(missing.fault()),
            Val::None | Val::Bool(_) | Val::Int(_) | Val::Float(_) | Val::Object(_) => {
                Err(issues::not_a_container(type_name(whole)))
            }
            _ => {
                if let Val::Rolled(rolled) = whole
                    && let LazyItems::View("dict_keys", _) = &**rolled
                {
                    self.key_of(part)?;
                }
                for item in self.items(whole)? {
                    if item.is_same(part) || self.equal(&item, part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Returns what a value is compared by as a key.
    pub(super) fn key_of(&mut self, value: &Val) -> Checked<Key> {
        Ok(match value {
            Val::None => Key::None,
            Val::Bool(truth) => Key::Int(i128::from(*truth)),
            Val::Int(number) => Key::Int(*number),
            #[expect(clippy::float_cmp, reason = "exactly a whole number is meant")]
            Val::Float(number) if number.trunc() == *number && number.abs() < 1e30 => {
                Key::Int(*number as i128)
            }
            Val::Float(number) => Key::Float(number.to_bits()),
            Val::Text(text) => Key::Text(text.text.clone()),
            Val::Tuple(list) => {
                self.step()?;
                let items = list.items.borrow().clone();
                Key::Tuple(items.iter().map(|item| self.key_of(item)).collect::<Checked<_>>()?)
            }
            Val::Object(object) => Key::Address(Rc::as_ptr(object).cast::<()>() as usize),
            Val::Rolled(rolled) => match &**rolled {
                LazyItems::Range { start, stop, step } => range_key(*start, *stop, *step),
                // Values are not compared with each other, so that each view of them is its own key.
                LazyItems::View(VALUES, _) => Key::Address(Rc::as_ptr(rolled).cast::<()>() as usize),
                LazyItems::View(name, _) => return Err(issues::unhashable(name)),
            },
            Val::Undefined(missing) => return Err(missing.fault()),
            other => return Err(issues::unhashable(type_name(other))),
        })
    }
}

/// Returns the key of an entry, and its value.
fn entry_of(item: &Val) -> (Val, Option<Val>) {
    match item {
        Val::Tuple(pair) => match pair.items.borrow().as_slice() {
            [key, value] => (key.clone(), Some(value.clone())),
            _ => (item.clone(), None),
        },
        key => (key.clone(), None),
    }
}

fn range_key(start: i128, stop: i128, step: i128) -> Key {
    match range_length(start, stop, step) {
        0 => Key::Range(0, 0, 0),
        1 => Key::Range(start, 0, 1),
        length => Key::Range(start, step, length),
    }
}

#[derive(Clone, Copy)]
enum Number {
    Int(i128),
    Float(f64),
}

fn number(value: &Val) -> Option<Number> {
    match value {
        Val::Bool(truth) => Some(Number::Int(i128::from(*truth))),
        Val::Int(number) => Some(Number::Int(*number)),
        Val::Float(number) => Some(Number::Float(*number)),
        _ => None,
    }
}

fn is_nan(value: &Val) -> bool {
    matches!(value, Val::Float(number) if number.is_nan())
}

fn is_collection(value: &Val) -> bool {
    matches!(value, Val::List(_) | Val::Tuple(_) | Val::Dict(_) | Val::Branch(_))
}

fn same_number(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Float(a), _) if a.is_nan() => false,
        (_, Number::Float(b)) if b.is_nan() => false,
        (a, b) => number_order(a, b).is_eq(),
    }
}

fn number_order(a: Number, b: Number) -> Ordering {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(&b),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Greater),
        (Number::Int(a), Number::Float(b)) => mixed_order(a, b),
        (Number::Float(a), Number::Int(b)) if a.is_nan() => mixed_order(b, a),
        (Number::Float(a), Number::Int(b)) => mixed_order(b, a).reverse(),
    }
}

/// Compares exactly: not every integer is a float.
fn mixed_order(integer: i128, float: f64) -> Ordering {
    // Both are powers of two, and so exact.
    let bound = 2_f64.powi(127);
    if float.is_nan() || float < -bound {
        return Ordering::Greater;
    }
    if float >= bound {
        return Ordering::Less;
    }
    let floor = float.floor();
    let rest = if float > floor { Ordering::Less } else { Ordering::Equal };
    integer.cmp(&(floor as i128)).then(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        for (integer, float, order) in [
            (1, 1.0, Ordering::Equal),
            (1, 1.5, Ordering::Less),
            (2, 1.5, Ordering::Greater),
            (-1, -1.5, Ordering::Greater),
            (-2, -1.5, Ordering::Less),
            (0, -0.0, Ordering::Equal),
            (9_007_199_254_740_993, 9_007_199_254_740_992.0, Ordering::Greater),
            (9_007_199_254_740_992, 9_007_199_254_740_992.0, Ordering::Equal),
            (i128::MAX, 2_f64.powi(127), Ordering::Less),
            (i128::MIN, -(2_f64.powi(127)), Ordering::Equal),
            (i128::MIN, f64::NEG_INFINITY, Ordering::Greater),
            (i128::MAX, f64::INFINITY, Ordering::Less),
        ] {
            assert_eq!(mixed_order(integer, float), order, "{integer} {float}");
            let (a, b) = (Number::Float(float), Number::Int(integer));
            assert_eq!(number_order(a, b), order.reverse(), "{float} {integer}");
        }
        assert!(!same_number(Number::Int(1), Number::Float(f64::NAN)));
    }
}
