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
    /// `Any`
    any = AnyType;
    /// `Undef`
    undef = UndefType;
    /// The type that stands for whatever it meets.
    unit = UnitType;
    /// `Default`
    default_value = DefaultType;
    /// `Scalar`
    scalar = ScalarType;
    /// `ScalarData`
    scalar_data = ScalarDataType;
    /// `Numeric`
    numeric = NumericType;
    /// `Integer`
    integer = IntegerType::UNBOUNDED;
    /// `Float`
    float = FloatType::UNBOUNDED;
    /// `Boolean`
    boolean = BooleanType::default();
    /// `String`
    string = StringType::default();
    /// `String[1]`
    non_empty_string = StringType::sized(IntegerType::from_to(Some(1), None));
    /// `Enum`
    enumeration = EnumType::default();
    /// `Pattern`
    pattern = PatternType::default();
    /// `Regexp`
    regexp = RegexpType::default();
    /// `Collection`
    collection = CollectionType::default();
    /// `Array`
    array = ArrayType::new(Type::any(), None);
    /// `Array[0, 0]`, the type of `[]`
    empty_array = ArrayType::new(Type::unit(), Some(IntegerType::from_to(Some(0), Some(0))));
    /// `Tuple`
    tuple = TupleType::default();
    /// `Hash`
    hash = HashType::new(Type::any(), Type::any(), None);
    /// `Hash[0, 0]`, the type of `{}`
    empty_hash = HashType::new(Type::unit(), Type::unit(), Some(IntegerType::from_to(Some(0), Some(0))));
    /// `Struct`
    structure = StructType::default();
    /// `Iterable`
    iterable = IterableType::new(None);
    /// `Iterator`
    iterator = IteratorType::new(None);
    /// `Type`
    type_type = TypeType::new(None);
    /// `NotUndef`
    not_undef = NotUndefType::new(None);
    /// `Optional`
    optional = OptionalType::new(None);
    /// `Variant`
    variant = VariantType::default();
    /// `Sensitive`
    sensitive = SensitiveType::new(&Type::any());
    /// `Binary`
    binary = BinaryType;
    /// `SemVer`
    sem_ver = SemVerType::default();
    /// `SemVerRange`
    sem_ver_range = SemVerRangeType;
    /// `Timestamp`
    timestamp = TimestampType::default();
    /// `Timespan`
    timespan = TimespanType::default();
    /// `URI`
    uri = UriType::default();
    /// `Callable`
    callable = CallableType::default();
    /// `CatalogEntry`
    catalog_entry = CatalogEntryType;
    /// `Class`
    class = ClassType::default();
    /// `Resource`
    resource = ResourceType::default();
    /// `Runtime`
    runtime = RuntimeType::default();
    /// `Init`
    init = InitType::default();
    /// `Object`
    object = ObjectType::default();
    /// `TypeSet`
    type_set = TypeSetType::default();
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
