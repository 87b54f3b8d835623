//! `Collection[min, max]`: arrays and hashes by size.

use super::build::Arity;
use super::build::{KeyError, Keyed, flattened, size_of_keys};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Rules, Type};
use crate::{Value, issues};

/// Arrays and hashes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CollectionType {
    size: Option<IntegerType>,
}

impl CollectionType {
    /// Makes the type of collections of certain sizes.
    pub fn new(size: Option<IntegerType>) -> Self {
        Self { size: size.map(IntegerType::as_size) }
    }

    /// Returns the sizes, where they are limited.
    pub fn size(&self) -> Option<IntegerType> {
        self.size
    }
}

impl Rules for CollectionType {
    fn name(&self) -> &'static str {
        "Collection"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Collection", parameters: "min[, max]", what: "Arrays and hashes" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 2, words: "1 to 2" })
    }

    fn params(&self) -> Vec<Value> {
        self.size.map_or_else(Vec::new, IntegerType::bounds)
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        let count = match value {
            Value::Array(elements) => elements.len(),
            Value::Hash(hash) => hash.len(),
            _ => return false,
        };
        self.size.is_none_or(|size| size.contains_size(count))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        let size = match other.kind() {
            Kind::Collection(other) => other.size,
            Kind::Array(other) => other.size(),
            Kind::Hash(other) => other.size(),
            Kind::Tuple(other) => Some(other.size().unwrap_or(IntegerType::exactly(other.types().len()))),
            Kind::Struct(other) => Some(IntegerType::exactly(other.elements().len())),
            _ => return false,
        };
        self.size.unwrap_or(IntegerType::ANY_SIZE).covers(size.unwrap_or(IntegerType::ANY_SIZE))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::collection())
    }

    fn normalized(&self) -> Option<Type> {
        Some(Type::collection())
    }

    fn element(&self) -> Option<Type> {
        Some(Type::any())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if !(1..=2).contains(&keys.len()) {
            return Err(KeyError::whole(issues::type_slice_arity("Collection-Type", 1, Some(2), keys.len())));
        }
        Ok(Type::from(Self::new(Some(size_of_keys(0, &keys)?))).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn a_collection_has_a_size_alone() {
        check_facts(&[
            ("Collection[1]", "Collection[1]"),
            ("Collection[1, 2]", "Collection[1, 2]"),
            ("Collection[0, 0]", "Collection[0, 0]"),
            ("Collection[2, 1]", "'from' must be less or equal to 'to'. Got (2, 1"),
            ("Collection[Integer]", "Collection[0]"),
            ("Collection[1, 2, 3]", "Collection-Type[] accepts 1 to 2 arguments. Got 3"),
            ("Collection(1)", "Creation of new instance of type 'Collection' is not supported"),
        ]);
    }
}
