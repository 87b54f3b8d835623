//! `Array[T, min, max]`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, KeyError, Keyed, flattened, size_of_keys};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost, type_cannot};
use crate::{Value, issues, ruby_class};

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

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Array", parameters: "T[, min[, max]]", what: "Sequences of values" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 3, words: "1 to 3" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
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

/// `Array.new`: what can be walked over, walked over.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_array",
    locals: &[],
    dispatches: &[
        (&["Variant[Array,Hash,Binary,Iterable] from", "?Boolean[false] wrap"], convert),
        (&["Any from", "Boolean[true] wrap"], wrapped),
    ],
    complaints: &[(&["Any from", "?Boolean wrap"], complain)],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    elements(&arguments[0], host.largest()).map(Value::from)
}

/// Walks over a value; of numbers, ranges and enums too.
pub(super) fn elements(value: &Value, most: usize) -> Result<Vec<Value>> {
    let range = |from: i64, to: i64| {
        if usize::try_from(to.saturating_sub(from)).is_ok_and(|count| count >= most) {
            return Err(issues::too_large(most));
        }
        Ok((from..=to).map(Value::from).collect())
    };
    match value {
        Value::Array(elements) => Ok(elements.to_vec()),
        Value::Hash(hash) => {
            Ok(hash.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect())
        }
        Value::Binary(bytes) => Ok(bytes.bytes().iter().map(|byte| Value::from(i64::from(*byte))).collect()),
        Value::String(text) => Ok(text.chars().map(|c| Value::from(c.to_string())).collect()),
        Value::Integer(count) => range(0, count - 1),
        Value::Foreign(foreign) => match foreign.elements() {
            Some(elements) => {
                let elements: Vec<Value> = elements.take(most.saturating_add(1)).collect::<Result<_>>()?;
                if elements.len() > most { Err(issues::too_large(most)) } else { Ok(elements) }
            }
            None => Ok(Vec::new()),
        },
        Value::Type(type_) => match type_.resolved().kind() {
            Kind::Enum(list) => Ok(list.values().iter().cloned().map(Value::from).collect()),
            Kind::Integer(bounds) => match (bounds.min, bounds.max) {
                (Some(min), Some(max)) => range(min, max),
                _ => Ok(Vec::new()),
            },
            _ => Ok(Vec::new()),
        },
        _ => Ok(Vec::new()),
    }
}

fn wrapped(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Ok(match &arguments[0] {
        value @ Value::Array(_) => value.clone(),
        other => Value::array(vec![other.clone()]),
    })
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(type_cannot(&arguments[0], "Array"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
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

    #[test]
    fn what_can_be_walked_over_becomes_an_array() {
        for (code, expected) in [
            ("Array([1])", "[1]"),
            ("Array({a=>1})", "[['a', 1]]"),
            ("Array('abc')", "['a', 'b', 'c']"),
            ("Array(1)", "[0]"),
            ("Array(3,true)", "[3]"),
            ("Array(3)", "[0, 1, 2]"),
            ("Array(undef)", "'new_array' Value of type Undef cannot be converted to Array"),
            ("Array({a=>1},true)", "[{'a' => 1}]"),
            ("Array([1],true)", "[1]"),
        ] {
            check_prints(code, expected);
        }
    }

    #[test]
    fn lists_are_made_of_values() {
        check_facts(&[
            ("Array(1)", "[0]"),
            ("Array([1, 2])", "[1, 2]"),
            ("Array({a => 1, b => 2})", "[['a', 1], ['b', 2]]"),
            ("Array({})", "[]"),
            ("Array('abc')", "['a', 'b', 'c']"),
            ("Array('')", "[]"),
            ("Array(undef)", "'new_array' Value of type Undef cannot be converted to Array"),
            ("Array(undef, true)", "[undef]"),
            ("Array([1], true)", "[1]"),
            ("Array(1, true)", "[1]"),
            ("Array({a => 1}, true)", "[{'a' => 1}]"),
            ("Array(Integer[1, 3])", "[1, 2, 3]"),
            ("Array(Integer[1])", "'new_array' Value of type Type[Integer] cannot be converted to Array"),
            ("Array(Binary('YWI='))", "[97, 98]"),
            ("Array(true)", "'new_array' Value of type Boolean cannot be converted to Array"),
            ("Array(1.5)", "'new_array' Value of type Float cannot be converted to Array"),
            ("Array(/a/)", "'new_array' Value of type Regexp[/a/] cannot be converted to Array"),
            (
                "Array[Integer].new(['a'])",
                "Converted value from Array[Integer].new() has wrong type, index 0 expects an Integer value, got String",
            ),
            (
                "Array[Integer].new('a')",
                "Converted value from Array[Integer].new() has wrong type, index 0 expects an Integer value, got String",
            ),
            (
                "Array[Integer, 3].new([1])",
                "Converted value from Array[Integer, 3].new() has wrong type, expects size to be at least 3, got 1",
            ),
        ]);
    }

    #[test]
    fn sizes_and_elements_are_named_in_their_place() {
        check_facts(&[
            ("Array[Integer]", "Array[Integer]"),
            ("Array[Integer, 1]", "Array[Integer, 1]"),
            ("Array[Integer, 1, 2]", "Array[Integer, 1, 2]"),
            ("Array[Integer, 0]", "Array[Integer, 0]"),
            ("Array[Integer, default, 2]", "Array[Integer, 0, 2]"),
            ("Array[1, 2]", "Array[Any, 1, 2]"),
            ("Array[1]", "Array-Type[] arguments must be types. Got Integer"),
            (
                "Array[Integer, 'a']",
                "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got a String",
            ),
            ("Array[Integer, 2, 1]", "'from' must be less or equal to 'to'. Got (2, 1"),
            ("Array[Integer, 1, 2, 3]", "Array-Type[] accepts 1 to 3 arguments. Got 4"),
            ("Array[Integer, Integer[1, 2]]", "Array[Integer, 1, 2]"),
            ("Array[0, 0]", "Array[0, 0]"),
            ("Array[Integer, 0, 0]", "Array[0, 0]"),
            ("Array[Integer, -1]", "Array[Integer, 0]"),
            ("Array['Integer']", "Array-Type[] arguments must be types. Got String"),
            ("Array[[Integer]]", "Array[Integer]"),
        ]);
    }
}
