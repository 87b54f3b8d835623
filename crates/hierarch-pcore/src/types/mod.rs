//! The types of the Puppet world: one file per type, and one line per type here.
//!
//! A [`Type`] is a shared pointer to its [`Kind`]; the struct in a kind answers the questions of [`Rules`].
//! What concerns the right-hand side of an assignment alike for all types stands in [`crate::assign`].

mod alias;
mod any;
mod array;
mod binary;
mod boolean;
mod build;
mod builtin;
mod callable;
mod catalog_entry;
mod class;
mod collection;
mod default;
mod enumeration;
mod float;
mod guard;
pub mod guide;
mod hash;
mod init;
mod integer;
mod iterable;
mod iterator;
mod not_undef;
mod numeric;
mod object;
mod object_extension;
mod optional;
mod parse;
mod pattern;
mod pcore;
mod plain;
mod print;
mod reference;
mod regexp;
mod resource;
mod runtime;
mod scalar;
mod scalar_data;
mod sem_ver;
mod sem_ver_range;
mod sensitive;
mod string;
mod structure;
mod time_range;
mod timespan;
mod timestamp;
mod tuple;
mod type_set;
mod type_type;
mod undef;
mod unit;
mod uri;
mod variant;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use hierarch_source::Error;

use crate::Value;
use crate::convert::Constructor;

pub(crate) use crate::ruby_class;
pub use alias::AliasType;
pub use any::AnyType;
pub use array::ArrayType;
pub use binary::BinaryType;
pub use boolean::BooleanType;
pub use build::{Arity, Blame, KeyError, Keyed};
pub use builtin::{BUILTIN_RESOURCES, Definitions, NoDefinitions};
pub use callable::CallableType;
pub use catalog_entry::CatalogEntryType;
pub use class::ClassType;
pub use collection::CollectionType;
pub use default::DefaultType;
pub use enumeration::EnumType;
pub use float::FloatType;
pub use guard::Guard;
pub use guide::Guide;
pub use hash::HashType;
pub use init::InitType;
pub use integer::IntegerType;
pub use iterable::IterableType;
pub use iterator::IteratorType;
pub use not_undef::NotUndefType;
pub use numeric::NumericType;
pub use object::{Attribute, AttributeKind, Member, ObjectType};
pub use object_extension::ObjectExtensionType;
pub use optional::OptionalType;
pub use parse::literal;
pub use pattern::PatternType;
pub use print::Printer;
pub use reference::ReferenceType;
pub use regexp::RegexpType;
pub use resource::{ResourceType, capitalized};
pub use runtime::RuntimeType;
pub use scalar::ScalarType;
pub use scalar_data::ScalarDataType;
pub use sem_ver::SemVerType;
pub use sem_ver_range::SemVerRangeType;
pub use sensitive::SensitiveType;
pub use string::StringType;
pub use structure::{Element, StructType};
pub use time_range::TimeRange;
pub use timespan::TimespanType;
pub use timestamp::TimestampType;
pub use tuple::TupleType;
pub use type_set::TypeSetType;
pub use type_type::TypeType;
pub use undef::UndefType;
pub(crate) use unit::CONSTRUCTOR as UNIT;
pub use unit::UnitType;
pub use uri::UriType;
pub use variant::VariantType;
pub(crate) use variant::listed;

/// A type. Cloning raises a reference count; two types are equal when they describe the same in the same way.
#[derive(Clone)]
pub struct Type(Arc<Content>);

struct Content {
    kind: Kind,
    /// How deep types nest in it. What walks over a type needs that much stack.
    depth: u16,
    /// How many types it is made of, shared ones counted each time. What walks over a type needs that much time.
    size: u32,
}

/// How deep a program may nest types.
const DEEPEST: u16 = 500;

/// How many types a type may be made of.
const LARGEST: u32 = 1_000_000;

/// What a type has to say. Its file answers all of it; nothing about that type stands elsewhere.
pub trait Rules {
    /// Returns the bare name, such as `Integer`.
    fn name(&self) -> &str;

    /// Returns what people are told about the type.
    fn guide(&self) -> Option<Guide> {
        None
    }

    /// Returns how many parameters the type takes where it is written as a text.
    fn arity(&self) -> Option<Arity> {
        None
    }

    /// Returns what makes values of the type.
    fn constructor(&self) -> Option<&'static Constructor> {
        None
    }

    /// Returns the parameters as they are printed; none for the bare type.
    fn params(&self) -> Vec<Value> {
        Vec::new()
    }

    /// Writes the type.
    fn write(&self, printer: &mut Printer) {
        printer.parametrized(self.name(), &self.params());
    }

    /// Tells whether a value belongs to the type: `value =~ type`.
    fn has(&self, value: &Value, guard: &mut Guard) -> bool;

    /// Tells whether a type may be used where this one is wanted, aliases and variants already taken apart.
    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool;

    /// Returns the type without what is specific to a value; none where that is the type itself.
    fn generalized(&self) -> Option<Type> {
        None
    }

    /// Returns the type in its simplest form; none where that is the type itself.
    fn normalized(&self) -> Option<Type> {
        None
    }

    /// Returns the type of the elements if values of the type can be iterated.
    fn element(&self) -> Option<Type> {
        None
    }

    /// Calls `visit` with every type that this one is made of.
    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        let _ = visit;
    }

    /// Makes the parametrized type, or what else `Type[keys]` gives.
    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let _ = keys;
        Err(KeyError::left(crate::issues::access_not_applicable(self.name())))
    }
}

/// Makes the enum of kinds, its dispatch, the way from each struct to a [`Type`], and the bare types by name.
macro_rules! types {
    ($($kind:ident($rules:ident) $(: $bare:ident = $make:expr)?,)*) => {
        /// All kinds of types.
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(#[doc = concat!("What [`", stringify!($rules), "`] says.")] $kind($rules),)*
        }

        impl Kind {
            /// Returns who answers for this kind.
            pub fn rules(&self) -> &dyn Rules {
                match self { $(Self::$kind(rules) => rules,)* }
            }

            /// Returns the name of Ruby's class for most kinds: that of the kind with a mark before and behind it.
            pub(crate) fn usual_ruby_class(&self) -> &'static str {
                match self { $(Self::$kind(_) => concat!("Puppet::Pops::Types::P", stringify!($kind), "Type"),)* }
            }
        }

        impl Type {
            $($(#[doc = concat!("The bare type `", stringify!($kind), "`, made once and shared.")]
            pub fn $bare() -> Type {
                static TYPE: LazyLock<Type> = LazyLock::new(|| Type::from($make));
                TYPE.clone()
            })?)*
        }

        /// The bare types that programs know by name.
        const BARE: &[fn() -> Type] = &[$($(Type::$bare,)?)*];

        $(impl From<$rules> for Type {
            fn from(rules: $rules) -> Self {
                let (mut depth, mut size) = (0, 1_u32);
                rules.visit(&mut |inner| {
                    depth = inner.0.depth.max(depth);
                    size = inner.0.size.saturating_add(size);
                });
                Self(Arc::new(Content { kind: Kind::$kind(rules), depth: depth.saturating_add(1), size }))
            }
        })*
    };
}

types! {
    Any(AnyType): any = AnyType,
    Undef(UndefType): undef = UndefType,
    Unit(UnitType),
    Default(DefaultType): default_value = DefaultType,
    Scalar(ScalarType): scalar = ScalarType,
    ScalarData(ScalarDataType): scalar_data = ScalarDataType,
    Numeric(NumericType): numeric = NumericType,
    Integer(IntegerType): integer = IntegerType::UNBOUNDED,
    Float(FloatType): float = FloatType::UNBOUNDED,
    Boolean(BooleanType): boolean = BooleanType::default(),
    String(StringType): string = StringType::default(),
    Enum(EnumType): enumeration = EnumType::default(),
    Pattern(PatternType): pattern = PatternType::default(),
    Regexp(RegexpType): regexp = RegexpType::default(),
    Collection(CollectionType): collection = CollectionType::default(),
    Array(ArrayType): array = ArrayType::new(Type::any(), None),
    Tuple(TupleType): tuple = TupleType::default(),
    Hash(HashType): hash = HashType::new(Type::any(), Type::any(), None),
    Struct(StructType): structure = StructType::default(),
    Iterable(IterableType): iterable = IterableType::new(None),
    Iterator(IteratorType): iterator = IteratorType::new(None),
    Type(TypeType): type_type = TypeType::new(None),
    NotUndef(NotUndefType): not_undef = NotUndefType::new(None),
    Optional(OptionalType): optional = OptionalType::new(None),
    Variant(VariantType): variant = VariantType::default(),
    Sensitive(SensitiveType): sensitive = SensitiveType::new(&Type::any()),
    Binary(BinaryType): binary = BinaryType,
    SemVer(SemVerType): sem_ver = SemVerType::default(),
    SemVerRange(SemVerRangeType): sem_ver_range = SemVerRangeType,
    Timestamp(TimestampType): timestamp = TimestampType::default(),
    Timespan(TimespanType): timespan = TimespanType::default(),
    Uri(UriType): uri = UriType::default(),
    Callable(CallableType): callable = CallableType::default(),
    CatalogEntry(CatalogEntryType): catalog_entry = CatalogEntryType,
    Class(ClassType): class = ClassType::default(),
    Resource(ResourceType): resource = ResourceType::default(),
    Runtime(RuntimeType): runtime = RuntimeType::default(),
    Init(InitType): init = InitType::default(),
    Object(ObjectType): object = ObjectType::default(),
    ObjectExtension(ObjectExtensionType),
    TypeSet(TypeSetType): type_set = TypeSetType::default(),
    Reference(ReferenceType),
    Alias(AliasType),
}

impl Type {
    /// Returns a reference to a resource or class as an attribute hands it on; none for another type.
    pub fn as_entry(&self) -> Option<Self> {
        match self.kind() {
            Kind::Resource(resource) if resource.title().is_some() => Some(resource.as_entry().into()),
            Kind::Class(class) if class.class().is_some() => Some(class.as_entry().into()),
            _ => None,
        }
    }

    /// Returns what texts call a reference that an attribute handed on: `File[/x]`.
    pub(crate) fn entry_text(&self) -> Option<String> {
        match self.kind() {
            Kind::Resource(resource) => resource.entry_text(),
            Kind::Class(class) => class.entry_text(),
            _ => None,
        }
    }

    /// Returns what kind of type it is.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// Returns the bare name, such as `Integer`; of an alias or object its own name.
    pub fn name(&self) -> &str {
        self.kind().rules().name()
    }

    /// Tells whether a value belongs to the type.
    ///
    /// ```
    /// use hierarch_pcore::{Type, Value};
    ///
    /// assert!(Type::data().has(&Value::from(vec![Value::from("a"), Value::Undef])));
    /// assert!(!Type::data().has(&Value::Default));
    /// ```
    pub fn has(&self, value: &Value) -> bool {
        self.has_guarded(value, &mut Guard::new())
    }

    /// Like [`Type::has`], inside of a test that already follows aliases.
    pub fn has_guarded(&self, value: &Value, guard: &mut Guard) -> bool {
        self.kind().rules().has(value, guard)
    }

    /// Tells whether a type may be used where this one is wanted.
    ///
    /// ```
    /// use hierarch_pcore::Type;
    ///
    /// assert!(Type::scalar().accepts(&Type::integer()));
    /// assert!(!Type::float().accepts(&Type::integer()));
    /// ```
    pub fn accepts(&self, other: &Type) -> bool {
        crate::assign::assignable(self, other, &mut Guard::new())
    }

    /// Like [`Type::accepts`], inside of a test that already follows aliases.
    pub fn accepts_guarded(&self, other: &Type, guard: &mut Guard) -> bool {
        crate::assign::assignable(self, other, guard)
    }

    /// Returns the type without what is specific to a value: `Integer[1, 1]` gives `Integer`.
    #[must_use]
    pub fn generalized(&self) -> Type {
        self.kind().rules().generalized().unwrap_or_else(|| self.clone())
    }

    /// Returns the type in its simplest form: nested variants flattened, enums joined.
    #[must_use]
    pub fn normalized(&self) -> Type {
        self.kind().rules().normalized().unwrap_or_else(|| self.clone())
    }

    /// Returns the type of the elements if values of the type can be iterated.
    pub fn element(&self) -> Option<Type> {
        self.kind().rules().element()
    }

    /// Makes the parametrized type, or what else `Type[keys]` gives: an array of references, or `undef`.
    pub fn parametrize(&self, keys: &[Value]) -> Keyed {
        match self.kind().rules().parametrize(keys)? {
            Value::Type(type_) if type_.0.depth > DEEPEST => {
                Err(crate::issues::type_too_deep(DEEPEST).into())
            }
            Value::Type(type_) if type_.size() > LARGEST => {
                Err(crate::issues::type_too_large(LARGEST).into())
            }
            made => Ok(made),
        }
    }

    /// Tells how many types it is made of, shared ones counted each time.
    pub(crate) fn size(&self) -> u32 {
        self.0.size
    }

    /// Returns the type behind aliases.
    #[must_use]
    pub fn resolved(&self) -> Type {
        match self.kind() {
            Kind::Alias(alias) => alias.resolved().map_or_else(|| self.clone(), Type::resolved),
            _ => self.clone(),
        }
    }

    /// Returns the text with aliases written out, as messages have it.
    pub fn expanded_text(&self) -> String {
        Printer::expanded(self)
    }

    /// Tells whether it is a callable, a variant of such, or an optional one where that counts.
    pub fn is_callable(&self, optional: bool) -> bool {
        match self.kind() {
            Kind::Callable(_) => true,
            Kind::Variant(variant) => variant.types().iter().all(|type_| type_.is_callable(optional)),
            Kind::Optional(inner) => {
                optional && inner.contained().is_some_and(|type_| type_.is_callable(optional))
            }
            Kind::Alias(alias) => {
                !alias.is_recursive() && alias.resolved().is_some_and(|type_| type_.is_callable(optional))
            }
            _ => false,
        }
    }

    /// Finds an unresolved reference in the type.
    pub fn unresolved(&self) -> Option<String> {
        let mut found = None;
        self.walk(&mut Vec::new(), &mut |type_| {
            if let Kind::Reference(reference) = type_.kind() {
                found.get_or_insert_with(|| reference.text().to_owned());
            }
        });
        found
    }

    /// Tells whether values of the type, or parts of them, may be `Sensitive` because the type says so.
    pub fn may_be_sensitive(&self) -> bool {
        let mut found = false;
        self.walk(&mut Vec::new(), &mut |type_| found |= matches!(type_.kind(), Kind::Sensitive(_)));
        found
    }

    /// Visits the type and everything it is made of, aliases once.
    pub(crate) fn walk(&self, seen: &mut Vec<usize>, visit: &mut dyn FnMut(&Type)) {
        if matches!(self.kind(), Kind::Alias(_) | Kind::Object(_)) {
            if seen.contains(&self.address()) {
                return;
            }
            seen.push(self.address());
        }
        visit(self);
        self.kind().rules().visit(&mut |inner| inner.walk(seen, visit));
    }

    /// Returns why no value can be held against it: it asks for what values of a type are made of that are never made.
    pub fn complaint(&self) -> Option<Error> {
        match self.resolved().kind() {
            Kind::Init(init) => init.complaint(),
            Kind::Variant(variant) => variant.types().iter().find_map(|member| match member.kind() {
                Kind::Init(init) => init.complaint(),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Returns what tells this very type from all others while it lives.
    pub(crate) fn address(&self) -> usize {
        match self.kind() {
            Kind::Alias(alias) => alias.address(),
            Kind::Object(object) => object.address(),
            _ => Arc::as_ptr(&self.0).cast::<()>() as usize,
        }
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.kind() == other.kind()
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Printer::text(self))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
