//! How large and how deep values are, known without walking over them.
//!
//! Collections share their parts, so a few lines of a program can make a value that would take years to print: each
//! collection therefore carries its measures, counted as if nothing were shared, and whoever runs programs refuses
//! what is too large before it is walked over.

use super::Value;

/// How deep values may nest: everything that walks over them needs stack.
pub const DEEPEST: u32 = 500;

/// The measures of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extent {
    /// How many bytes of texts and how many other values.
    pub size: u64,
    /// How many collections are one inside the other.
    pub depth: u32,
}

impl Extent {
    /// Counts a further part of a collection.
    #[inline]
    pub(super) fn add(&mut self, part: &Value) {
        self.add_measured(part.extent());
    }

    /// Counts a further part whose measures are known.
    #[inline]
    pub(super) fn add_measured(&mut self, part: Extent) {
        self.size = self.size.saturating_add(part.size);
        self.depth = self.depth.max(part.depth + 1);
    }

    /// Takes a part off again. The depth stays: another part may have it as well.
    pub(super) fn subtract(&mut self, part: &Value) {
        self.size = self.size.saturating_sub(part.extent().size);
    }

    /// Returns the measures of a collection of these parts.
    #[inline]
    pub(super) fn of_parts<'v>(parts: impl IntoIterator<Item = &'v Value>) -> Self {
        let mut extent = Self { size: 1, depth: 1 };
        parts.into_iter().for_each(|part| extent.add(part));
        extent
    }

    fn around(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl Value {
    /// Returns how large and how deep the value is.
    ///
    /// ```
    /// use hierarch_pcore::Value;
    ///
    /// let pair = Value::from(vec![Value::from("abc"), Value::from(1)]);
    /// assert_eq!(pair.extent().size, 6);
    /// assert_eq!(Value::from(vec![pair]).extent().depth, 2);
    /// ```
    #[inline]
    pub fn extent(&self) -> Extent {
        match self {
            Self::String(text) => Extent { size: text.len() as u64 + 1, depth: 0 },
            Self::Array(elements) => elements.extent(),
            Self::Hash(hash) => hash.extent(),
            Self::Sensitive(inner) => inner.extent().around(),
            Self::Object(object) => object.values().extent().around(),
            Self::Type(type_) => Extent { size: type_.size().into(), depth: 0 },
            Self::Binary(binary) => Extent { size: binary.bytes().len() as u64 + 1, depth: 0 },
            _ => Extent { size: 1, depth: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    #[test]
    fn what_is_shared_counts_each_time() {
        let mut value = Value::from("ab");
        for _ in 0..100 {
            value = Value::from(vec![value.clone(), value]);
        }
        assert_eq!(value.extent(), Extent { size: u64::MAX, depth: 100 });
    }

    #[test]
    fn a_hash_counts_keys_and_values_and_forgets_what_left() {
        let mut hash: Hash = [("a", Value::from("xyz")), ("b", Value::from(vec![]))].into_iter().collect();
        assert_eq!(hash.extent(), Extent { size: 1 + 2 + 4 + 2 + 1, depth: 2 });
        hash.insert("a", 1);
        hash.remove(&Value::from("b"));
        assert_eq!(hash.extent().size, 1 + 2 + 1);
    }
}
