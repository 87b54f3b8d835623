//! `Hash[K, V, min, max]`.

use super::build::{KeyError, Keyed, flattened, size_of_keys};
use super::{Guard, IntegerType, Kind, Rules, TupleType, Type};
use crate::ruby_class;
use crate::{Value, issues};

/// Hashes by the types of their keys and values and by size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HashType {
    key: Type,
    value: Type,
    size: Option<IntegerType>,
}

impl HashType {
    /// Makes a hash type; what a hash without entries holds does not matter.
    pub fn new(key: Type, value: Type, size: Option<IntegerType>) -> Self {
        let (key, value) =
            if size.is_some_and(IntegerType::is_zero) { (Type::unit(), Type::unit()) } else { (key, value) };
        Self { key, value, size: size.map(IntegerType::as_size) }
    }

    /// Returns the type of the keys.
    pub fn key(&self) -> &Type {
        &self.key
    }

    /// Returns the type of the values.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// Returns the sizes, where they are limited.
    pub fn size(&self) -> Option<IntegerType> {
        self.size
    }

    fn holds_anything(&self) -> bool {
        matches!((self.key.kind(), self.value.kind()), (Kind::Any(_), Kind::Any(_)))
    }

    fn is_bare(&self) -> bool {
        self.size.is_none() && self.holds_anything()
    }

    fn is_empty(&self) -> bool {
        self.size.is_some_and(IntegerType::is_zero)
    }
}

impl Rules for HashType {
    fn name(&self) -> &'static str {
        "Hash"
    }

    fn params(&self) -> Vec<Value> {
        if self.is_empty() {
            return vec![Value::from(0), Value::from(0)];
        }
        if self.is_bare() {
            return Vec::new();
        }
        let bounds = self.size.map_or_else(Vec::new, IntegerType::bounds);
        [self.key.clone().into(), self.value.clone().into()].into_iter().chain(bounds).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Hash(hash) = value else { return false };
        self.size.is_none_or(|size| size.contains_size(hash.len()))
            && (self.holds_anything()
                || (hash.keys().all(|key| self.key.has_guarded(key, guard))
                    && hash.values().all(|value| self.value.has_guarded(value, guard))))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let size = self.size.unwrap_or(IntegerType::ANY_SIZE);
        match other.kind() {
            Kind::Hash(other) => {
                (size.min == Some(0) && other.is_empty())
                    || (self.key.accepts_guarded(&other.key, guard)
                        && self.value.accepts_guarded(&other.value, guard)
                        && size.covers(other.size.unwrap_or(IntegerType::ANY_SIZE)))
            }
            Kind::Struct(other) => {
                size.contains_size(other.elements().len())
                    && other.elements().iter().all(|element| {
                        self.key.has_guarded(&Value::from(element.name().clone()), guard)
                            && self.value.accepts_guarded(element.value(), guard)
                    })
            }
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        if self.is_bare() || self.is_empty() {
            return None;
        }
        Some(Self::new(self.key.generalized(), self.value.generalized(), None).into())
    }

    fn normalized(&self) -> Option<Type> {
        if self.is_bare() || self.is_empty() {
            return None;
        }
        Some(Self::new(self.key.normalized(), self.value.normalized(), self.size).into())
    }

    fn element(&self) -> Option<Type> {
        let pair = if self.is_bare() || self.is_empty() {
            vec![Type::unit(), Type::unit()]
        } else {
            vec![self.key.clone(), self.value.clone()]
        };
        Some(TupleType::new(pair, Some(IntegerType::exactly(2))).into())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        visit(&self.key);
        visit(&self.value);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if let [Value::Integer(_), Value::Integer(_)] = &keys[..] {
            let size = IntegerType::of_bounds(&keys[0], keys.get(1))?;
            return Ok(Type::from(Self::new(Type::any(), Type::any(), Some(size))).into());
        }
        for (index, key) in keys.iter().take(2).enumerate() {
            if !matches!(key, Value::Type(_)) {
                return Err(KeyError::key(index, issues::type_slice_type("Hash-Type", ruby_class(key))));
            }
        }
        let (Some(Value::Type(key)), Some(Value::Type(value)), 2..=4) =
            (keys.first(), keys.get(1), keys.len())
        else {
            return Err(KeyError::whole(issues::type_slice_arity("Hash-Type", 2, Some(4), keys.len())));
        };
        let size = if keys.len() > 2 { Some(size_of_keys(2, &keys[2..])?) } else { None };
        Ok(Type::from(Self::new(key.clone(), value.clone(), size)).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn keys_values_and_sizes_are_checked() {
        check_has("Hash[String, Integer, 1]", &["{a => 1}"], &["{}", "{1 => 1}", "{a => b}", "[]"]);
        check_accepts(
            "Hash[String, Integer]",
            &["Struct[{a => Integer}]", "Hash[0, 0]", "Hash[Enum['a'], Integer[1]]"],
            &["Struct[{a => String}]", "Hash"],
        );
    }

    #[test]
    fn one_type_is_not_enough() {
        check_prints("Hash[String]", "Hash-Type[] accepts 2 to 4 arguments. Got 1");
        check_prints("Hash[1, 2]", "Hash[Any, Any, 1, 2]");
        check_prints("Hash[Any, Any]", "Hash");
    }
}
