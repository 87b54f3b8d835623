//! `Array[T, min, max]`.

use super::build::{KeyError, Keyed, flattened, size_of_keys};
use super::{Guard, IntegerType, Kind, Rules, Type};
use crate::ruby_class;
use crate::{Value, issues};

/// Arrays by the type of their elements and by size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ArrayType {
    element: Type,
    size: Option<IntegerType>,
}

impl ArrayType {
    /// Makes an array type; what an array without elements holds does not matter.
    pub fn new(element: Type, size: Option<IntegerType>) -> Self {
        let element = if size.is_some_and(IntegerType::is_zero) { Type::unit() } else { element };
        Self { element, size: size.map(IntegerType::as_size) }
    }

    /// Returns the type of the elements.
    pub fn of(&self) -> &Type {
        &self.element
    }

    /// Returns the sizes, where they are limited.
    pub fn size(&self) -> Option<IntegerType> {
        self.size
    }

    fn holds_anything(&self) -> bool {
        matches!(self.element.kind(), Kind::Any(_))
    }
}

impl Rules for ArrayType {
    fn name(&self) -> &'static str {
        "Array"
    }

    fn params(&self) -> Vec<Value> {
        if self.size.is_some_and(IntegerType::is_zero) {
            return vec![Value::from(0), Value::from(0)];
        }
        if self.holds_anything() && self.size.is_none() {
            return Vec::new();
        }
        let bounds = self.size.map_or_else(Vec::new, IntegerType::bounds);
        std::iter::once(Value::from(self.element.clone())).chain(bounds).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Array(elements) = value else { return false };
        self.size.is_none_or(|size| size.contains_size(elements.len()))
            && (self.holds_anything()
                || elements.iter().all(|element| self.element.has_guarded(element, guard)))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let size = self.size.unwrap_or(IntegerType::ANY_SIZE);
        match other.kind() {
            Kind::Tuple(other) => {
                size.covers(other.size().unwrap_or(IntegerType::exactly(other.types().len())))
                    && other.types().iter().all(|type_| self.element.accepts_guarded(type_, guard))
            }
            Kind::Array(other) => {
                size.covers(other.size.unwrap_or(IntegerType::ANY_SIZE))
                    && self.element.accepts_guarded(&other.element, guard)
            }
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        if self.holds_anything() {
            return Some(Type::array());
        }
        Some(Self::new(self.element.generalized(), None).into())
    }

    fn normalized(&self) -> Option<Type> {
        if self.holds_anything() {
            return Some(Type::array());
        }
        Some(Self::new(self.element.normalized(), self.size).into())
    }

    fn element(&self) -> Option<Type> {
        Some(self.element.clone())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        visit(&self.element);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        let bad_type = |key: &Value| KeyError::key(0, issues::type_slice_type("Array-Type", ruby_class(key)));
        let (element, size) = match &keys[..] {
            [Value::Type(element)] => (element.clone(), None),
            [Value::Type(element), size @ ..] if size.len() <= 2 => {
                (element.clone(), Some(size_of_keys(1, size)?))
            }
            [_, _] => (Type::any(), Some(size_of_keys(0, &keys)?)),
            [first] | [first, _, _] => return Err(bad_type(first)),
            _ => return Err(KeyError::whole(issues::type_slice_arity("Array-Type", 1, Some(3), keys.len()))),
        };
        Ok(Type::from(Self::new(element, size)).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn elements_and_sizes_are_checked() {
        check_has("Array[Integer, 1, 2]", &["[1]", "[1, 2]"], &["[]", "[1, 2, 3]", "['a']", "{}"]);
        check_accepts(
            "Array[Integer]",
            &["Tuple[Integer, Integer[1]]", "Array[0, 0]"],
            &["Array", "Tuple[String]"],
        );
    }

    #[test]
    fn sizes_alone_are_sizes_of_anything() {
        for (text, expected) in [
            ("Array[1, 2]", "Array[Any, 1, 2]"),
            ("Array[0, 0]", "Array[0, 0]"),
            ("Array[Any]", "Array"),
            ("Array[Integer[1, 2], Integer[0, 3]]", "Array[Integer[1, 2], 0, 3]"),
            ("Array[1]", "Array-Type[] arguments must be types. Got Integer"),
            ("Array[Integer, 1, 2, 3]", "Array-Type[] accepts 1 to 3 arguments. Got 4"),
        ] {
            check_prints(text, expected);
        }
    }
}
