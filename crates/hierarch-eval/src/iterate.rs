//! Walking over whatever can be iterated, lazily: nothing is made that is not asked for.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::{IntegerType, IteratorType, Kind, RuntimeType, StringType, TupleType};
use hierarch_pcore::value::foreign::Elements;
use hierarch_pcore::value::{Array, Foreign};
use hierarch_pcore::{Hash, Str, Type, Value, infer};

use crate::Result;
use crate::limits::Budget;

/// The elements of an iterable value, one at a time.
pub struct Items(Walk);

enum Walk {
    Nothing,
    Array { elements: Arc<Array>, next: usize },
    Hash { hash: Arc<Hash>, next: usize },
    Chars { text: Str, next: usize },
    Range(Range),
    Step { inner: Box<Items>, step: usize },
    Owned(std::vec::IntoIter<Value>),
}

/// Integers from one end to the other, by steps of either sign.
#[derive(Clone, Copy)]
struct Range {
    next: i64,
    last: i64,
    step: i64,
    is_done: bool,
}

impl Range {
    fn new(from: i64, to: i64, step: i64) -> Self {
        let is_done = if step < 0 { from < to } else { from > to };
        Self { next: from, last: to, step, is_done }
    }

    fn take(&mut self) -> Option<i64> {
        if self.is_done {
            return None;
        }
        let number = self.next;
        match number.checked_add(self.step) {
            Some(next) if (self.step > 0 && next <= self.last) || (self.step < 0 && next >= self.last) => {
                self.next = next;
            }
            _ => self.is_done = true,
        }
        Some(number)
    }
}

impl Items {
    /// Makes the walk over a value; what cannot be iterated has no elements.
    pub fn of(value: Value) -> Self {
        Self(match value {
            Value::Array(elements) => Walk::Array { elements, next: 0 },
            Value::Hash(hash) => Walk::Hash { hash, next: 0 },
            Value::String(text) => Walk::Chars { text, next: 0 },
            Value::Integer(count) => Walk::Range(Range::new(0, count.saturating_sub(1), 1)),
            Value::Type(type_) => walk_of_type(&type_),
            Value::Foreign(foreign) => match foreign.as_any().downcast_ref::<Lazy>() {
                Some(lazy) => return lazy.items(),
                None => Walk::Nothing,
            },
            _ => Walk::Nothing,
        })
    }

    /// Tells whether the elements are pairs of a hash.
    pub fn has_pairs(&self) -> bool {
        matches!(self.0, Walk::Hash { .. })
    }

    /// Tells how many elements there are at least, as far as that is known without walking.
    fn known_count(&self) -> usize {
        match &self.0 {
            Walk::Array { elements, next } => elements.len().saturating_sub(*next),
            Walk::Hash { hash, next } => hash.len().saturating_sub(*next),
            Walk::Range(range) if range.step == 1 && !range.is_done => {
                usize::try_from(range.last.abs_diff(range.next))
                    .map_or(usize::MAX, |more| more.saturating_add(1))
            }
            _ => 0,
        }
    }

    /// Tells for how many results of a value's elements room is worth making at once.
    pub(crate) fn room_for(value: &Value) -> usize {
        const MOST: usize = 1 << 16;
        match value {
            // Whoever walks over iterators that are made while they are walked over changes them.
            Value::Foreign(_) => 0,
            value => Self::of(value.clone()).known_count().min(MOST),
        }
    }

    /// Collects all that is left, counting each against the limits.
    pub(crate) fn collect_all(self, budget: &Budget) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        for value in self {
            all.push(value);
            budget.check_size(all.len())?;
        }
        Ok(all)
    }

    /// Returns the same elements from last to first.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self.0 {
            Walk::Range(range) if !range.is_done => {
                let span = i128::from(range.last) - i128::from(range.next);
                let last = i128::from(range.next) + span / i128::from(range.step) * i128::from(range.step);
                let last = i64::try_from(last).unwrap_or(range.last);
                Self(Walk::Range(Range::new(last, range.next, range.step.saturating_neg())))
            }
            walk => {
                let mut all: Vec<Value> = Self(walk).collect();
                all.reverse();
                Self(Walk::Owned(all.into_iter()))
            }
        }
    }

    /// Returns every `step`th element, the first included.
    #[must_use]
    pub fn stepped(self, step: i64) -> Self {
        match self.0 {
            Walk::Range(range) => match range.step.checked_mul(step) {
                Some(step) => Self(Walk::Range(Range { step, ..range })),
                None => Self(Walk::Range(Range::new(range.next, range.next, 1))),
            },
            walk => {
                Self(Walk::Step { inner: Box::new(Self(walk)), step: usize::try_from(step).unwrap_or(1) })
            }
        }
    }
}

fn walk_of_type(type_: &Type) -> Walk {
    match type_.resolved().kind() {
        Kind::Integer(IntegerType { min: Some(min), max: Some(max) }) => {
            Walk::Range(Range::new(*min, *max, 1))
        }
        Kind::Enum(texts) => Walk::Owned(
            texts.values().iter().map(|text| Value::from(text.clone())).collect::<Vec<_>>().into_iter(),
        ),
        _ => Walk::Nothing,
    }
}

impl Iterator for Items {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match &mut self.0 {
            Walk::Nothing => None,
            Walk::Array { elements, next } => {
                let value = elements.get(*next)?.clone();
                *next += 1;
                Some(value)
            }
            Walk::Hash { hash, next } => {
                let (key, value) = hash.at(*next)?;
                *next += 1;
                Some(Value::pair(key.clone(), value.clone()))
            }
            Walk::Chars { text, next } => {
                let character = text[*next..].chars().next()?;
                *next += character.len_utf8();
                Some(Value::from(character.encode_utf8(&mut [0; 4]) as &str))
            }
            Walk::Range(range) => range.take().map(Value::from),
            Walk::Step { inner, step } => {
                let value = inner.next()?;
                for _ in 1..*step {
                    if inner.next().is_none() {
                        break;
                    }
                }
                Some(value)
            }
            Walk::Owned(values) => values.next(),
        }
    }
}

/// An iterator as a value: what `step`, `reverse_each` and `tree_each` give without a block.
#[derive(Clone)]
pub struct Lazy {
    source: Value,
    kind: LazyKind,
    element: Type,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LazyKind {
    Reversed,
    Stepped(i64),
    Plain,
    Tree { is_breadth_first: bool },
    Spent,
}

impl Lazy {
    /// Returns the iterator over the elements of a value from last to first.
    pub fn reversed(source: Value) -> Value {
        Self::value(source, LazyKind::Reversed)
    }

    /// Returns the iterator over every `step`th element of a value.
    pub fn stepped(source: Value, step: i64) -> Value {
        let element = stepped_range(&source, step).unwrap_or_else(|| element_type(&source));
        Value::Foreign(Arc::new(Self { source, kind: LazyKind::Stepped(step), element }))
    }

    /// Returns an iterator over what a walk through a tree met.
    pub fn tree(values: Vec<Value>, is_breadth_first: bool) -> Value {
        let kind = LazyKind::Tree { is_breadth_first };
        Value::Foreign(Arc::new(Self { source: Value::array(values), kind, element: Type::any() }))
    }

    /// Tells whether it is something that only the runtime knows: the reference's types know nothing of trees.
    pub(crate) fn is_tree(value: &Value) -> bool {
        let Value::Foreign(foreign) = value else { return false };
        let lazy = foreign.as_any().downcast_ref::<Lazy>();
        lazy.is_some_and(|lazy| matches!(lazy.kind, LazyKind::Tree { .. }))
    }

    /// Returns an iterator over the entries of a hash.
    pub fn entries(hash: Hash) -> Value {
        Self::value(hash.into(), LazyKind::Plain)
    }

    /// Returns what a value is after a function walked over it and gives it back.
    ///
    /// The reference's iterators over steps and ranges are used up then. Here a value never changes, so what comes back
    /// is another one without elements.
    pub fn walked(value: Value) -> Value {
        let Value::Foreign(foreign) = &value else { return value };
        match foreign.as_any().downcast_ref::<Lazy>() {
            Some(lazy) if lazy.is_used_up_by_walking() => Value::Foreign(Arc::new(Self {
                source: Value::Undef,
                kind: LazyKind::Spent,
                element: lazy.element.clone(),
            })),
            _ => value,
        }
    }

    /// Tells whether a value is made while it is walked over: numbers, ranges, and steps over them.
    pub fn is_made_by_walking(value: &Value) -> bool {
        match value {
            Value::Integer(_) => true,
            Value::Type(type_) => matches!(type_.resolved().kind(), Kind::Integer(_)),
            Value::Foreign(foreign) => {
                foreign.as_any().downcast_ref::<Lazy>().is_some_and(Self::is_used_up_by_walking)
            }
            _ => false,
        }
    }

    fn is_used_up_by_walking(&self) -> bool {
        match self.kind {
            LazyKind::Stepped(_) | LazyKind::Spent => true,
            LazyKind::Plain | LazyKind::Tree { .. } => false,
            LazyKind::Reversed => Self::is_made_by_walking(&self.source),
        }
    }

    fn value(source: Value, kind: LazyKind) -> Value {
        let element = element_type(&source);
        Value::Foreign(Arc::new(Self { source, kind, element }))
    }

    fn items(&self) -> Items {
        let items = Items::of(self.source.clone());
        match self.kind {
            LazyKind::Reversed => items.reversed(),
            LazyKind::Stepped(step) => items.stepped(step),
            LazyKind::Plain | LazyKind::Tree { .. } | LazyKind::Spent => items,
        }
    }
}

/// Returns the type that the elements of a value have in common.
/// Returns the type of what is met in a range of integers at every so many of them.
fn stepped_range(source: &Value, step: i64) -> Option<Type> {
    let lazy = |value: &Value| match value {
        Value::Foreign(foreign) => foreign.as_any().downcast_ref::<Lazy>().cloned(),
        _ => None,
    };
    let (mut whole, mut source) = (step, source.clone());
    while let Some(Lazy { source: inner, kind: LazyKind::Stepped(step), .. }) = lazy(&source) {
        whole = whole.checked_mul(step)?;
        source = inner;
    }
    let (first, last) = match (&source, element_type(&source).kind()) {
        (
            Value::Integer(_) | Value::Type(_),
            Kind::Integer(IntegerType { min: Some(min), max: Some(max) }),
        ) => (*min, *max),
        _ => return None,
    };
    let reached = first.checked_add((last.checked_sub(first)? / whole).checked_mul(whole)?)?;
    Some(Type::integer_range(Some(first), Some(reached)))
}

fn element_type(value: &Value) -> Type {
    let variant = |values: Vec<Type>| if values.is_empty() { Type::unit() } else { Type::variant_of(values) };
    match value {
        Value::Array(elements) => variant(elements.iter().map(infer::detailed).collect()),
        Value::Hash(hash) => {
            let keys = variant(hash.keys().map(infer::detailed).collect());
            let values = variant(hash.values().map(infer::detailed).collect());
            TupleType::new(vec![keys, values], Some(IntegerType::exactly(2))).into()
        }
        Value::String(_) => StringType::sized(IntegerType::exactly(1)).into(),
        Value::Integer(0) => Type::unit(),
        Value::Integer(count) => Type::integer_range(Some(0), Some(count - 1)),
        Value::Type(type_) => type_.clone(),
        Value::Foreign(foreign) => match foreign.as_any().downcast_ref::<Lazy>() {
            Some(lazy) => lazy.element.clone(),
            None => Type::any(),
        },
        _ => Type::any(),
    }
}

impl Foreign for Lazy {
    fn inferred(&self) -> Type {
        if let LazyKind::Tree { is_breadth_first } = self.kind {
            let order = if is_breadth_first { "BreadthFirst" } else { "DepthFirst" };
            return RuntimeType::ruby(format!("Puppet::Pops::Types::Iterable::{order}TreeIterator")).into();
        }
        IteratorType::new(Some(self.element.clone())).into()
    }

    fn text(&self) -> String {
        format!("Iterator[{}]-Value", self.element.generalized())
    }

    fn elements(&self) -> Option<Elements<'_>> {
        Some(Box::new(self.items().map(Ok)))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(items: Items) -> Vec<String> {
        items.map(|value| value.to_string()).collect()
    }

    #[test]
    fn ranges_step_from_either_end() {
        let range = || Value::from(Type::integer_range(Some(1), Some(8)));
        assert_eq!(all(Items::of(range()).stepped(3)), ["1", "4", "7"]);
        assert_eq!(all(Items::of(range()).stepped(3).reversed()), ["7", "4", "1"]);
        assert_eq!(all(Items::of(range()).reversed().stepped(3)), ["8", "5", "2"]);
        assert_eq!(all(Items::of(Value::from(0))), [] as [&str; 0]);
    }

    #[test]
    fn a_huge_range_costs_nothing_until_it_is_walked() {
        let huge = Value::from(Type::integer_range(Some(i64::MIN), Some(i64::MAX)));
        assert_eq!(Items::of(huge.clone()).next(), Some(Value::from(i64::MIN)));
        assert_eq!(Items::of(huge).reversed().next(), Some(Value::from(i64::MAX)));
    }
}
