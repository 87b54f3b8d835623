//! The bare types, made once and shared.

use std::sync::LazyLock;

use super::*;

/// Writes a function that returns a type made on first use.
macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident = $make:expr;)*) => {
        impl Type {
            $($(#[$doc])* pub fn $name() -> Type {
                static TYPE: LazyLock<Type> = LazyLock::new(|| Type::from($make));
                TYPE.clone()
            })*
        }
    };
}

plain! {
    /// The type that stands for whatever it meets.
    unit = UnitType;
    /// `String[1]`
    non_empty_string = StringType::sized(IntegerType::from_to(Some(1), None));
    /// `Array[0, 0]`, the type of `[]`
    empty_array = ArrayType::new(Type::unit(), Some(IntegerType::from_to(Some(0), Some(0))));
    /// `Hash[0, 0]`, the type of `{}`
    empty_hash = HashType::new(Type::unit(), Type::unit(), Some(IntegerType::from_to(Some(0), Some(0))));
}

impl Type {
    /// Makes `Optional[T]`.
    #[must_use]
    pub fn optional_of(inner: Type) -> Type {
        OptionalType::new(Some(inner)).into()
    }

    /// Makes `Array[T]`.
    #[must_use]
    pub fn array_of(element: Type) -> Type {
        ArrayType::new(element, None).into()
    }

    /// Makes `Hash[K, V]`.
    #[must_use]
    pub fn hash_of(key: Type, value: Type) -> Type {
        HashType::new(key, value, None).into()
    }

    /// Makes `Type[T]`.
    #[must_use]
    pub fn type_of(inner: Type) -> Type {
        TypeType::new(Some(inner)).into()
    }

    /// Makes a tuple of exactly these types.
    pub fn tuple_of(types: Vec<Type>) -> Type {
        TupleType::new(types, None).into()
    }

    /// Makes `Variant[…]`, flat and without duplicates; one type alone is itself.
    pub fn variant_of(types: Vec<Type>) -> Type {
        VariantType::of(types)
    }

    /// Makes the type of exactly one string.
    pub fn exact_string(text: impl Into<crate::Str>) -> Type {
        StringType::exact(text.into()).into()
    }

    /// Makes `Integer[min, max]`.
    pub fn integer_range(min: Option<i64>, max: Option<i64>) -> Type {
        IntegerType::from_to(min, max).into()
    }
}
