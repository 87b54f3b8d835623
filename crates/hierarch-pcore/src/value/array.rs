//! Arrays: values in order.

use std::ops::Deref;

use super::Value;
use super::extent::Extent;

/// A sequence of values, which is read as the slice it is.
#[derive(Clone, Debug)]
pub struct Array {
    elements: Elements,
    extent: Extent,
}

/// Hashes are walked over pair by pair and made of pairs: those need no memory of their own.
#[derive(Clone, Debug)]
enum Elements {
    Pair([Value; 2]),
    Many(Vec<Value>),
}

impl Elements {
    #[inline]
    fn as_slice(&self) -> &[Value] {
        match self {
            Self::Pair(pair) => pair,
            Self::Many(elements) => elements,
        }
    }

    /// Returns the elements to be changed.
    fn many(&mut self) -> &mut Vec<Value> {
        if let Self::Pair(pair) = self {
            *self = Self::Many(std::mem::take(pair).into());
        }
        match self {
            Self::Many(elements) => elements,
            Self::Pair(_) => unreachable!("a pair was just made many"),
        }
    }

    fn into_vec(self) -> Vec<Value> {
        match self {
            Self::Pair(pair) => pair.into(),
            Self::Many(elements) => elements,
        }
    }
}

impl Array {
    /// Returns how large and how deep it is.
    #[inline]
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the elements.
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        self.elements.as_slice()
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: Value) {
        self.extent.add(&element);
        self.elements.many().push(element);
    }

    /// Keeps the elements for which `keep` is true.
    pub fn retain(&mut self, keep: impl FnMut(&Value) -> bool) {
        self.elements.many().retain(keep);
        self.extent = Extent::of_parts(self.as_slice());
    }

    /// Gives the elements back.
    pub fn into_vec(self) -> Vec<Value> {
        self.elements.into_vec()
    }
}

impl Default for Array {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Self {
        let extent = Extent::of_parts(&elements);
        Self { elements: Elements::Many(elements), extent }
    }
}

impl From<[Value; 2]> for Array {
    #[inline]
    fn from(pair: [Value; 2]) -> Self {
        let extent = Extent::of_parts(&pair);
        Self { elements: Elements::Pair(pair), extent }
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<Vec<_>>())
    }
}

impl Extend<Value> for Array {
    fn extend<I: IntoIterator<Item = Value>>(&mut self, elements: I) {
        let own = self.elements.many();
        let before = own.len();
        own.extend(elements);
        own[before..].iter().for_each(|element| self.extent.add(element));
    }
}

impl Deref for Array {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        self.as_slice()
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Array {}

impl std::hash::Hash for Array {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl IntoIterator for Array {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_an_array_like_any_other() {
        let values = || [Value::from("a"), Value::from(1)];
        let (pair, plain) = (Array::from(values()), Array::from(Vec::from(values())));
        assert_eq!(pair, plain);
        assert_eq!(pair.extent(), plain.extent());
        assert_eq!(pair.clone().into_vec(), plain.clone().into_vec());
        let longer = |mut array: Array| {
            array.push(Value::from(2));
            array.extend([Value::from("b")]);
            array.retain(|value| value.as_integer() != Some(1));
            array
        };
        assert_eq!(longer(pair.clone()).extent(), longer(plain.clone()).extent());
        assert_eq!(longer(pair), longer(plain));
    }

    #[test]
    fn a_pair_makes_no_array_much_larger() {
        assert!(size_of::<Array>() <= 64);
    }
}
