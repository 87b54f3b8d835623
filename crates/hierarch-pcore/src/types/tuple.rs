//! `Tuple[A, B, …, min, max]`: arrays by position; the last type repeats.

use super::build::{KeyKind, Keyed, check_keys, flattened, split_size};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Rules, Type, VariantType};
use crate::Value;
use crate::convert::Constructor;

/// Arrays by the type at each position.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct TupleType {
    types: Vec<Type>,
    size: Option<IntegerType>,
}

impl TupleType {
    /// Makes a tuple; without sizes it has exactly as many elements as types.
    pub fn new(types: Vec<Type>, size: Option<IntegerType>) -> Self {
        Self { types, size: size.map(IntegerType::as_size) }
    }

    /// Returns the types by position.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Returns the sizes, where they are given.
    pub fn size(&self) -> Option<IntegerType> {
        self.size
    }

    /// Returns the sizes, those that follow from the types included.
    pub fn size_range(&self) -> IntegerType {
        self.size.unwrap_or(match self.types.len() {
            0 => IntegerType::ANY_SIZE,
            count => IntegerType::exactly(count),
        })
    }

    /// Returns the type at a position.
    pub fn at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or_else(|| self.types.last())
    }

    /// Tells whether values, such as the arguments of a call, fit.
    pub fn has_all(&self, values: &[Value], guard: &mut Guard) -> bool {
        let size_fits = match self.size {
            Some(size) => size.contains_size(values.len()),
            None => self.types.is_empty() || self.types.len() == values.len(),
        };
        let fits = |(index, value)| self.at(index).is_none_or(|type_| type_.has_guarded(value, guard));
        size_fits && values.iter().enumerate().all(fits)
    }

    fn accepts_tuple(&self, other: &Self, guard: &mut Guard) -> bool {
        let size = self.size_range();
        if !size.covers(other.size_range()) {
            return false;
        }
        if self.types.is_empty() {
            return true;
        }
        if other.types.is_empty() {
            return size.min == Some(0);
        }
        other
            .types
            .iter()
            .enumerate()
            .all(|(index, type_)| self.at(index).is_none_or(|wanted| wanted.accepts_guarded(type_, guard)))
    }
}

impl Rules for TupleType {
    fn name(&self) -> &'static str {
        "Tuple"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Tuple",
            parameters: "T, …[, min[, max]]",
            what: "Arrays by the type at each place",
        })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&super::array::CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        if self.types.is_empty() {
            return Vec::new();
        }
        let bounds = self.size.map_or_else(Vec::new, IntegerType::bounds);
        self.types.iter().cloned().map(Value::from).chain(bounds).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        matches!(value, Value::Array(elements) if self.has_all(elements, guard))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        match other.kind() {
            Kind::Tuple(other) => self == other || self.accepts_tuple(other, guard),
            Kind::Array(other) => {
                let size = other.size().unwrap_or(IntegerType::ANY_SIZE);
                let most = size.max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
                self.size_range().covers(size)
                    && self.types.iter().take(most).all(|type_| type_.accepts_guarded(other.of(), guard))
            }
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self::new(self.types.iter().map(Type::generalized).collect(), self.size).into())
    }

    fn normalized(&self) -> Option<Type> {
        Some(Self::new(self.types.iter().map(Type::normalized).collect(), self.size).into())
    }

    fn element(&self) -> Option<Type> {
        Some(VariantType::of(self.types.clone()))
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.types.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        let (keys, size) = split_size(&keys)?;
        check_keys(self, keys, 1, None, &[KeyKind::Type])?;
        let types = keys.iter().filter_map(|key| key.as_type().cloned()).collect();
        Ok(Type::from(Self::new(types, size)).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn the_last_type_repeats_where_sizes_allow() {
        check_has("Tuple[Integer, String]", &["[1, 'a']"], &["[1]", "[1, 'a', 'b']", "['a', 1]"]);
        check_has("Tuple[Integer, String, 1, 3]", &["[1]", "[1, 'a', 'b']"], &["[]", "[1, 'a', 'b', 'c']"]);
        check_accepts(
            "Tuple[Integer, 0, 3]",
            &["Array[Integer, 0, 2]", "Tuple[Integer]"],
            &["Array[Integer]"],
        );
    }

    #[test]
    fn sizes_alone_make_no_tuple() {
        check_prints("Tuple[Integer, 2]", "Tuple[Integer, 2]");
        check_prints("Tuple[1]", "A Tuple-Type[] accepts 1 or more arguments. Got 0");
    }

    #[test]
    fn tuples_are_made_of_types_and_a_size() {
        check_facts(&[
            ("Tuple[Integer, String]", "Tuple[Integer, String]"),
            ("Tuple[Integer, 1]", "Tuple[Integer, 1]"),
            ("Tuple[Integer, 1, 3]", "Tuple[Integer, 1, 3]"),
            ("Tuple[Integer, String, 1]", "Tuple[Integer, String, 1]"),
            ("Tuple[Integer, String, 2, 2]", "Tuple[Integer, String, 2, 2]"),
            ("Tuple[Integer, String, 0, 0]", "Tuple[Integer, String, 0, 0]"),
            ("Tuple[Integer, String, 0, default]", "Tuple[Integer, String, 0]"),
            ("Tuple[Integer, 3, 1]", "'from' must be less or equal to 'to'. Got (3, 1"),
            ("Tuple[1]", "A Tuple-Type[] accepts 1 or more arguments. Got 0"),
            (
                "Tuple['a']",
                "Error creating type specialization of a Tuple-Type, Cannot use String where Any-Type is expected",
            ),
            (
                "Tuple[Integer, 'a']",
                "Error creating type specialization of a Tuple-Type, Cannot use String where Any-Type is expected",
            ),
            ("Tuple[[Integer, String]]", "Tuple[Integer, String]"),
            (
                "Tuple[Integer, 1, 2, 3]",
                "Error creating type specialization of a Tuple-Type, Cannot use Integer where Any-Type is expected",
            ),
            ("Tuple(1)", "[0]"),
            (
                "Tuple[Integer, String].new(['1', 2])",
                " Converted value from Tuple[Integer, String].new() has wrong type, index 0 expects an Integer value, got String\n  Converted value from Tuple[Integer, String].new() has wrong type, index 1 expects a String value, got Integer",
            ),
            ("Tuple[Integer, String].new([1, 'a'])", "[1, 'a']"),
            (
                "Tuple[String, String].new({a => b})",
                "Converted value from Tuple[String, String].new() has wrong type, expects size to be 2, got 1",
            ),
        ]);
    }
}
