//! Equality, order, and what makes hash keys the same.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;

use super::{Res, Vm};
use crate::value::class::Callable;
use crate::value::hash::Identity;
use crate::value::{Array, Key, Str, Text, Value, names};

impl Vm<'_> {
    /// Tells whether two values are equal by `==`.
    pub fn equal(&mut self, a: &Value, b: &Value) -> Res<bool> {
        match (a, b) {
            (Value::Str(a), Value::Str(b)) => Ok(same_text(a, b)),
            (Value::Int(a), Value::Int(b)) => Ok(a == b),
            (Value::Sym(a), Value::Sym(b)) => Ok(a == b),
            (Value::Nil, Value::Nil) => Ok(true),
            // What is the same object is equal inside of collections, and `NaN` is nearly always the constant.
            (Value::Float(a), Value::Float(b)) if a.is_nan() && b.is_nan() => Ok(true),
            (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
            (Value::Nil | Value::Bool(_) | Value::Sym(_), _) => Ok(a.is_same(b)),
            (Value::Array(_), Value::Array(_)) | (Value::Hash(_), Value::Hash(_)) => {
                self.equal_collections(a, b)
            }
            _ => Ok(self.send(a, names::EQ, &[b.clone()])?.truthy()),
        }
    }

    /// Compares collections; rings end because what is being compared already counts as equal.
    pub(crate) fn equal_collections(&mut self, a: &Value, b: &Value) -> Res<bool> {
        if a.is_same(b) {
            return Ok(true);
        }
        let Some(address) = a.address() else { return Ok(false) };
        if self.busy.contains(&address) {
            return Ok(true);
        }
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        self.busy.push(address);
        let result = match (a, b) {
            (Value::Array(a), Value::Array(b)) => {
                let (a, b) = (a.to_vec(), b.to_vec());
                self.equal_lists(&a, &b)
            }
            (Value::Hash(a), Value::Hash(b)) => self.equal_hashes(&Rc::clone(a), &Rc::clone(b)),
            _ => Ok(false),
        };
        self.busy.pop();
        result
    }

    fn equal_lists(&mut self, a: &[Value], b: &[Value]) -> Res<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            self.step()?;
            // What is the same object is equal, even `Float::NAN`.
            if !a.is_same(b) && !self.equal(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_hashes(&mut self, a: &Rc<crate::value::Hash>, b: &Rc<crate::value::Hash>) -> Res<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        let entries: Vec<(Identity, Value)> =
            a.entries().iter().map(|(key, value)| (key.identity.clone(), value.clone())).collect();
        for (identity, value) in entries {
            self.step()?;
            let Some(other) = b.get(&identity) else { return Ok(false) };
            if !value.is_same(&other) && !self.equal(&value, &other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares by `<=>`; nothing if the two cannot be compared.
    pub fn try_compare(&mut self, a: &Value, b: &Value) -> Res<Option<Ordering>> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => return Ok(Some(a.cmp(b))),
            (Value::Str(a), Value::Str(b)) => return Ok(Some(a.text().bytes().cmp(b.text().bytes()))),
            (Value::Float(a), Value::Float(b)) => return Ok(a.partial_cmp(b)),
            (Value::Array(a), Value::Array(b)) if a.meta.borrow().is_none() => {
                if let Some(order) = plain_order(a, b) {
                    return Ok(Some(order));
                }
            }
            _ => {}
        }
        let class = self.class_of(a);
        if self.find_method(&class, names::CMP).is_none() {
            return Ok(None);
        }
        let order = self.send(a, names::CMP, &[b.clone()])?;
        self.ordering(&order)
    }

    /// Reads what `<=>` gave.
    pub fn ordering(&mut self, order: &Value) -> Res<Option<Ordering>> {
        Ok(match order {
            Value::Nil => None,
            Value::Int(number) => Some(number.cmp(&0)),
            Value::Float(number) => number.partial_cmp(&0.0),
            Value::Big(number) => Some((**number).cmp(&BigInt::from(0))),
            other => {
                // Whatever it is, it is asked whether it is above or below zero.
                let zero = super::Args::of(&[Value::Int(0)]);
                if self.send_public(other, names::GT, zero.clone())?.truthy() {
                    Some(Ordering::Greater)
                } else if self.send_public(other, names::LT, zero)?.truthy() {
                    Some(Ordering::Less)
                } else {
                    Some(Ordering::Equal)
                }
            }
        })
    }

    /// Compares by `<=>`, or fails.
    pub fn compare(&mut self, a: &Value, b: &Value) -> Res<Ordering> {
        match self.try_compare(a, b)? {
            Some(order) => Ok(order),
            None => Err(self.not_comparable(a, b)?),
        }
    }

    /// Returns the error of two values that cannot be compared.
    pub fn not_comparable(&mut self, a: &Value, b: &Value) -> Res<Box<super::Flow>> {
        let class = self.class_name(a);
        let other = match b {
            // Ruby keeps those that take more than 62 bits as objects, and shows only their class.
            Value::Int(number) if !(-(1 << 62)..1 << 62).contains(number) => self.class_name(b),
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Sym(_) => {
                self.inspect(b)?
            }
            other => self.class_name(other),
        };
        Ok(self.raise("ArgumentError", format!("comparison of {class} with {other} failed")))
    }

    /// Sorts by `<=>`.
    pub fn sort(&mut self, list: Vec<Value>) -> Res<Vec<Value>> {
        self.sort_by_key(list, |item| item)
    }

    /// Sorts by `<=>` of keys that were made before.
    pub fn sort_by_key<T: Clone>(&mut self, mut list: Vec<T>, key: fn(&T) -> &Value) -> Res<Vec<T>> {
        if let Some(order) = plain_keys(list.iter().map(key)) {
            self.work(list.len() as u64 * u64::from(list.len().max(1).ilog2() + 1))?;
            list.sort_by(|a, b| order(key(a), key(b)));
            let is_decided = |pair: &[T]| order(key(&pair[0]), key(&pair[1])).is_ne();
            let is_whole = !matches!(list.first().map(key), Some(Value::Array(_)));
            if is_whole || list.windows(2).all(is_decided) {
                return Ok(list);
            }
        }
        self.sort_with(list, |vm, a, b| vm.compare(key(a), key(b)))
    }

    /// Sorts by a comparison that may fail; stable, in bounded steps.
    ///
    /// Blocks see which pairs are compared, and in which order, and errors name the first pair that cannot be: halves are
    /// sorted, the left one first and smaller, then merged, as the C library does it that Ruby sorts with.
    pub fn sort_with<T: Clone>(
        &mut self,
        list: Vec<T>,
        mut compare: impl FnMut(&mut Vm<'_>, &T, &T) -> Res<Ordering>,
    ) -> Res<Vec<T>> {
        self.sort_halves(list, &mut compare)
    }

    fn sort_halves<T: Clone>(
        &mut self,
        mut list: Vec<T>,
        compare: &mut impl FnMut(&mut Vm<'_>, &T, &T) -> Res<Ordering>,
    ) -> Res<Vec<T>> {
        if list.len() < 2 {
            return Ok(list);
        }
        let right = list.split_off(list.len() / 2);
        let left = self.sort_halves(list, compare)?;
        let right = self.sort_halves(right, compare)?;
        let mut merged = Vec::with_capacity(left.len() + right.len());
        self.merge(&left, &right, &mut merged, compare)?;
        Ok(merged)
    }

    fn merge<T: Clone>(
        &mut self,
        left: &[T],
        right: &[T],
        into: &mut Vec<T>,
        compare: &mut impl FnMut(&mut Vm<'_>, &T, &T) -> Res<Ordering>,
    ) -> Res<()> {
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            self.step()?;
            if compare(self, &left[i], &right[j])?.is_le() {
                into.push(left[i].clone());
                i += 1;
            } else {
                into.push(right[j].clone());
                j += 1;
            }
        }
        into.extend_from_slice(&left[i..]);
        into.extend_from_slice(&right[j..]);
        Ok(())
    }

    /// Makes a key. A string is copied and frozen, as Ruby does.
    pub fn key(&mut self, value: &Value) -> Res<Key> {
        let identity = self.identity(value)?;
        let value = match value {
            Value::Str(text) if !text.frozen.get() => {
                let copy = Str::new(&self.meter, text.get());
                copy.frozen.set(true);
                Value::Str(Rc::new(copy))
            }
            other => other.clone(),
        };
        Ok(Key { value, identity })
    }

    /// Returns what a key is compared by.
    pub fn identity(&mut self, value: &Value) -> Res<Identity> {
        Ok(match value {
            Value::Str(text) => match &*text.text() {
                Text::Utf8(text) => Identity::Text(text.clone()),
                Text::Bytes(bytes, _) if bytes.is_ascii() => {
                    Identity::Text(String::from_utf8_lossy(bytes).as_ref().into())
                }
                Text::Bytes(bytes, _) => Identity::Bytes(bytes.as_slice().into()),
            },
            Value::Sym(name) => Identity::Sym(*name),
            Value::Int(number) => Identity::Int(*number),
            Value::Nil => Identity::Nil,
            Value::Bool(truth) => Identity::Bool(*truth),
            Value::Float(number) => Identity::Float((number + 0.0).to_bits()),
            Value::Big(number) => {
                self.count_pass(number)?;
                Identity::Big(Rc::clone(number))
            }
            Value::Array(array) => {
                let items = array.to_vec();
                self.identities(0, value, &items)?
            }
            Value::Hash(hash) => {
                let pairs = hash.pairs().into_iter();
                let pairs: Vec<Value> = pairs.map(|(key, value)| self.pair(key, value)).collect();
                let mut identity = self.identities(1, value, &pairs)?;
                // Entries may stand in any order.
                if let Identity::Many(_, entries) = &mut identity {
                    let mut sorted = entries.to_vec();
                    sorted.sort_by_cached_key(Identity::number);
                    *entries = sorted.into();
                }
                identity
            }
            Value::Range(range) => {
                let items = [range.from.clone(), range.to.clone(), Value::Bool(range.exclusive)];
                self.identities(2, value, &items)?
            }
            Value::Regexp(regexp) => Identity::Many(
                3,
                [Identity::Text(regexp.source.clone()), Identity::Int(regexp.options.into())].into(),
            ),
            Value::Object(_) => self.object_identity(value)?,
            other => Identity::Address(other.address().unwrap_or_default()),
        })
    }

    fn identities(&mut self, kind: u8, of: &Value, items: &[Value]) -> Res<Identity> {
        let address = of.address().unwrap_or_default();
        if self.busy.contains(&address) {
            return Ok(Identity::Nil);
        }
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        self.busy.push(address);
        let list: Res<Vec<_>> = items
            .iter()
            .map(|item| {
                self.step()?;
                self.identity(item)
            })
            .collect();
        self.busy.pop();
        Ok(Identity::Many(kind, list?.into()))
    }

    /// An object is itself, unless its class says otherwise by `hash`.
    fn object_identity(&mut self, value: &Value) -> Res<Identity> {
        let class = self.class_of(value);
        let own = self.find_method(&class, names::HASH);
        let is_plain = own.is_none_or(|method| {
            matches!(&method.body, Callable::Builtin(_))
                && method.owner.name.borrow().as_deref() == Some("Kernel")
        });
        if is_plain {
            return Ok(Identity::Address(value.address().unwrap_or_default()));
        }
        let number = match self.send(value, names::HASH, &[])? {
            Value::Int(number) => number,
            Value::Big(number) => number.iter_u64_digits().next().unwrap_or_default() as i64,
            other => self.to_int(&other)?,
        };
        let class = self.plain_class_of(value);
        Ok(Identity::Custom(Rc::as_ptr(&class) as usize, number))
    }
}

/// Tells whether two strings are equal: by bytes, and beyond ASCII by encoding.
pub(crate) fn same_text(a: &Str, b: &Str) -> bool {
    let (a, b) = (a.text(), b.text());
    a.bytes() == b.bytes() && (a.encoding() == b.encoding() || a.bytes().is_ascii())
}
/// Returns how keys are compared that no method has to be asked for: all of them are texts, or small numbers, or lists that
/// begin so. Lists are compared by their first elements alone.
fn plain_keys<'k>(mut keys: impl Iterator<Item = &'k Value>) -> Option<fn(&Value, &Value) -> Ordering> {
    fn leaf(a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Str(a), Value::Str(b)) => a.text().bytes().cmp(b.text().bytes()),
            _ => Ordering::Equal,
        }
    }
    fn lists(a: &Value, b: &Value) -> Ordering {
        let (Value::Array(a), Value::Array(b)) = (a, b) else { return Ordering::Equal };
        match (a.items().first(), b.items().first()) {
            (Some(a), Some(b)) => leaf(a, b),
            _ => Ordering::Equal,
        }
    }
    let text = |value: &Value| matches!(value, Value::Str(_));
    let number = |value: &Value| matches!(value, Value::Int(_));
    let begins = |value: &Value, is: fn(&Value) -> bool| match value {
        Value::Array(array) => array.meta.borrow().is_none() && array.items().first().is_some_and(is),
        _ => false,
    };
    let first = keys.next()?;
    match first {
        Value::Str(_) => keys.all(text).then_some(leaf),
        Value::Int(_) => keys.all(number).then_some(leaf),
        Value::Array(_) if begins(first, text) => keys.all(|key| begins(key, text)).then_some(lists),
        Value::Array(_) if begins(first, number) => keys.all(|key| begins(key, number)).then_some(lists),
        _ => None,
    }
}

/// Compares lists whose first different elements are plain texts or small numbers, as pairs of hashes are when they are
/// sorted; nothing where a method has to be asked.
fn plain_order(a: &Array, b: &Array) -> Option<Ordering> {
    let (a, b) = (a.items(), b.items());
    for pair in a.iter().zip(b.iter()) {
        let order = match pair {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Str(a), Value::Str(b)) => a.text().bytes().cmp(b.text().bytes()),
            _ => return None,
        };
        if order.is_ne() {
            return Some(order);
        }
    }
    Some(a.len().cmp(&b.len()))
}
