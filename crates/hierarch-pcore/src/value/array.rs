//! Arrays: values in order.

use std::ops::Deref;

use super::Value;
use super::extent::Extent;

/// A sequence of values, which is read as the slice it is.
#[derive(Clone, Debug)]
pub struct Array {
    elements: Vec<Value>,
    extent: Extent,
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
        &self.elements
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: Value) {
        self.extent.add(&element);
        self.elements.push(element);
    }

    /// Keeps the elements for which `keep` is true.
    pub fn retain(&mut self, keep: impl FnMut(&Value) -> bool) {
        self.elements.retain(keep);
        self.extent = Extent::of_parts(&self.elements);
    }

    /// Gives the elements back.
    pub fn into_vec(self) -> Vec<Value> {
        self.elements
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
        Self { elements, extent }
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<Vec<_>>())
    }
}

impl Extend<Value> for Array {
    fn extend<I: IntoIterator<Item = Value>>(&mut self, elements: I) {
        let before = self.elements.len();
        self.elements.extend(elements);
        self.elements[before..].iter().for_each(|element| self.extent.add(element));
    }
}

impl Deref for Array {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        &self.elements
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.elements == other.elements
    }
}

impl Eq for Array {}

impl std::hash::Hash for Array {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.elements.hash(state);
    }
}

impl IntoIterator for Array {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}
