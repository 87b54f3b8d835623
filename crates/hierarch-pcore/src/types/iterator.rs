//! `Iterator[T]`: lazy results of `step`, `reverse_each` and their kin.

use super::build::Arity;
use super::build::{Keyed, single_type};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// Lazy sequences.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IteratorType(Option<Type>);

impl IteratorType {
    /// Makes the type; without an element type any elements do.
    pub fn new(element: Option<Type>) -> Self {
        Self(element)
    }

    /// Returns the type of the elements.
    pub fn contained(&self) -> Option<&Type> {
        self.0.as_ref()
    }
}

impl Rules for IteratorType {
    fn name(&self) -> &'static str {
        "Iterator"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Iterator",
            parameters: "T",
            what: "What step, reverse_each and tree_each give without a block",
        })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn params(&self) -> Vec<Value> {
        self.0.clone().map(Value::from).into_iter().collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Foreign(foreign) = value else { return false };
        match foreign.inferred().kind() {
            // Its type knows nothing of what it gives.
            Kind::Runtime(_) => foreign.elements().is_some() && self.0.is_none(),
            _ => self.accepts(&foreign.inferred(), guard),
        }
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let Kind::Iterator(other) = other.kind() else { return false };
        match (&self.0, &other.0) {
            (None, _) => true,
            (Some(wanted), Some(given)) => wanted.accepts_guarded(given, guard),
            (Some(_), None) => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::generalized)).into())
    }

    fn normalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::normalized)).into())
    }

    fn element(&self) -> Option<Type> {
        Some(self.0.clone().unwrap_or_else(Type::any))
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        Ok(Type::from(Self(Some(single_type("Iterator-Type", keys)?))).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn a_walk_has_elements() {
        check_facts(&[
            ("Iterator[Integer]", "Iterator[Integer]"),
            ("Iterator[1]", "Iterator-Type[] arguments must be types. Got Integer"),
            ("Iterator[Integer, String]", "Iterator-Type[] accepts 1 argument. Got 2"),
            ("Iterator(1)", "Creation of new instance of type 'Iterator' is not supported"),
        ]);
    }
}
