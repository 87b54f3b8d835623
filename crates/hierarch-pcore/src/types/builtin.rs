//! The names of the types that every program knows.

use std::collections::HashMap;
use std::sync::LazyLock;

use hierarch_source::Result;

use super::{
    AliasType, CallableType, Element, IntegerType, Kind, ObjectType, ReferenceType, ResourceType, StructType,
    TupleType, Type, VariantType, pcore,
};
use crate::regex::Regexp;
use crate::{Hash, Value};

/// Where types are looked up that not every program knows: aliases, objects, resource types.
pub trait Definitions {
    /// Finds a type by its name in lower case, fully qualified.
    fn type_named(&self, name: &str) -> Result<Option<Type>>;
}

/// No definitions but the built-in ones.
pub struct NoDefinitions;

impl Definitions for NoDefinitions {
    fn type_named(&self, _: &str) -> Result<Option<Type>> {
        Ok(None)
    }
}

/// The resource types that come with the reference.
pub const BUILTIN_RESOURCES: [&str; 15] = [
    "Component",
    "Exec",
    "File",
    "Filebucket",
    "Group",
    "Node",
    "Notify",
    "Package",
    "Resources",
    "Schedule",
    "Service",
    "Stage",
    "Tidy",
    "User",
    "Whit",
];

impl Type {
    /// Finds a built-in type by name, whose case after the first letter does not matter.
    pub fn builtin(name: &str) -> Option<Type> {
        let lower = name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase();
        bare(&lower).or_else(|| composed(&lower)).or_else(|| resource(&lower))
    }

    /// `Data`: what JSON can hold.
    pub fn data() -> Type {
        static DATA: LazyLock<Type> = LazyLock::new(|| {
            recursive("Data", Some(is_data), |own| {
                vec![
                    Type::scalar_data(),
                    Type::undef(),
                    Type::hash_of(Type::string(), own.clone()),
                    Type::array_of(own.clone()),
                ]
            })
        });
        DATA.clone()
    }

    /// `RichDataKey`: keys of hashes of rich data.
    pub fn rich_data_key() -> Type {
        static KEY: LazyLock<Type> =
            LazyLock::new(|| alias("RichDataKey", &Type::variant_of(vec![Type::string(), Type::numeric()])));
        KEY.clone()
    }

    /// `RichData`: what can be serialized.
    pub fn rich_data() -> Type {
        static RICH: LazyLock<Type> = LazyLock::new(|| {
            recursive("RichData", None, |own| {
                vec![
                    Type::scalar(),
                    Type::sem_ver_range(),
                    Type::binary(),
                    Type::sensitive(),
                    Type::type_type(),
                    Type::type_set(),
                    Type::uri(),
                    Type::object(),
                    Type::undef(),
                    Type::default_value(),
                    Type::hash_of(Type::rich_data_key(), own.clone()),
                    Type::array_of(own.clone()),
                ]
            })
        });
        RICH.clone()
    }

    /// The object type `Deferred`: a call that is made later.
    pub fn deferred() -> Type {
        static DEFERRED: LazyLock<Type> = LazyLock::new(|| {
            let name = pattern(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z");
            object(
                "Deferred",
                &[("name", name, false), ("arguments", Type::optional_of(Type::array()), true)],
                &[],
                &[],
            )
        });
        DEFERRED.clone()
    }

    /// The object type `Puppet::LookupContext`: what data functions of Hiera are given.
    pub fn lookup_context() -> Type {
        static CONTEXT: LazyLock<Type> = LazyLock::new(|| {
            let read = |text: &str| {
                Type::parse(text, &NoDefinitions).expect("the type of a built-in function is well-formed")
            };
            let functions = LOOKUP_CONTEXT.map(|(name, text)| (name, read(text)));
            let environment: Hash =
                [("type", Value::from(Type::non_empty_string())), ("kind", "derived".into())]
                    .into_iter()
                    .collect();
            let module = Type::variant_of(vec![Type::non_empty_string(), Type::undef()]);
            let attributes: Hash =
                [("environment_name", Value::from(environment)), ("module_name", module.into())]
                    .into_iter()
                    .collect();
            let mut init: Hash = [("attributes", attributes), ("functions", functions.into_iter().collect())]
                .into_iter()
                .collect();
            init.insert("parent", Type::any());
            ObjectType::named("Puppet::LookupContext", &init)
                .expect("a built-in object type is well-formed")
                .into()
        });
        CONTEXT.clone()
    }

    /// The object type `Error`: a failure as a value.
    pub fn error() -> Type {
        static ERROR: LazyLock<Type> = LazyLock::new(|| {
            let text = Type::optional_of(Type::non_empty_string());
            let details = Type::optional_of(Type::hash_of(Type::non_empty_string(), Type::data()));
            let attributes = [
                ("msg", Type::non_empty_string(), false),
                ("kind", text.clone(), true),
                ("details", details, true),
                ("issue_code", text, true),
            ];
            let of_text = Type::optional_of(Type::variant_of(vec![
                Type::string(),
                Type::regexp(),
                Type::type_of(Type::enumeration()),
                Type::type_of(Type::pattern()),
                Type::type_of(Type::not_undef()),
                Type::type_of(Type::undef()),
            ]));
            let no_parameters = TupleType::new(Vec::new(), Some(IntegerType::exactly(0)));
            let message = CallableType::new(Some(no_parameters), None, Some(Type::non_empty_string()));
            let parameters = [("kind", of_text.clone()), ("issue_code", of_text)];
            object("Error", &attributes, &parameters, &[("message", message.into())])
        });
        ERROR.clone()
    }
}

/// Finds a type by the name that its own file gives it.
fn bare(name: &str) -> Option<Type> {
    static BARE: LazyLock<HashMap<String, Type>> = LazyLock::new(|| {
        let named = |type_: Type| Some((type_.kind().rules().guide()?.name.to_ascii_lowercase(), type_));
        super::BARE.iter().filter_map(|bare| named(bare())).collect()
    });
    BARE.get(name).cloned()
}

fn composed(name: &str) -> Option<Type> {
    Some(match name {
        "typealias" => alias("UnresolvedAlias", &ReferenceType::new("UnresolvedReference").into()),
        "typereference" => ReferenceType::new("UnresolvedReference").into(),
        "data" => Type::data(),
        "richdata" => Type::rich_data(),
        "richdatakey" => Type::rich_data_key(),
        "puppet::lookupkey" => alias("Puppet::LookupKey", &Type::rich_data_key()),
        "puppet::lookupvalue" => alias("Puppet::LookupValue", &Type::rich_data()),
        "pcore::simpletypename" => alias("Pcore::SimpleTypeName", &pattern(r"\A[A-Z]\w*\z")),
        "pcore::membername" => alias("Pcore::MemberName", &pattern(r"\A[a-z_]\w*\z")),
        "pcore::typename" => alias("Pcore::TypeName", &pattern(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")),
        "pcore::qref" => alias("Pcore::QRef", &pattern(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")),
        "pcore" => object("Pcore", &[], &[], &[]),
        "annotation" => ObjectType::empty("Annotation").into(),
        "rubymethod" => ruby_method(),
        "puppet::lookupcontext" => Type::lookup_context(),
        "deferred" => Type::deferred(),
        "error" => Type::error(),
        "pcore::uri" => alias("Pcore::URI", &Type::uri()),
        _ if name.starts_with("pcore::") => return pcore::find(name),
        _ => return None,
    })
}

/// The annotation that gives a function of an object type its body in Ruby.
fn ruby_method() -> Type {
    let text = "Object[{name => 'RubyMethod', parent => Annotation, attributes => \
                {'body' => String, 'parameters' => {type => Optional[String[1]], value => undef}}}]";
    Type::parse(text, &NoDefinitions).expect("a built-in object type is well-formed")
}

/// The functions of a lookup context. A block of `cached_file_data` is to take lists of integers: a slip of the
/// reference's, which refuses blocks whose parameter is typed otherwise.
const LOOKUP_CONTEXT: [(&str, &str); 9] = [
    ("not_found", "Callable[[0, 0], Undef]"),
    ("explain", "Callable[[0, 0, Callable[0, 0]], Undef]"),
    ("interpolate", "Callable[1, 1]"),
    ("cache", "Callable[Optional[Scalar], Any]"),
    ("cache_all", "Callable[[Hash[Optional[Scalar], Any]], Undef]"),
    ("cache_has_key", "Callable[[Optional[Scalar]], Boolean]"),
    ("cached_value", "Callable[Optional[Scalar]]"),
    (
        "cached_entries",
        "Variant[Callable[[0, 0, Callable[1, 1]], Undef], Callable[[0, 0, Callable[2, 2]], Undef], Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]]",
    ),
    ("cached_file_data", "Callable[String, Optional[Callable[Array[Integer]]]]"),
];

fn resource(name: &str) -> Option<Type> {
    let known = BUILTIN_RESOURCES.iter().find(|known| known.eq_ignore_ascii_case(name))?;
    Some(ResourceType::named(known).into())
}

fn alias(name: &str, type_: &Type) -> Type {
    AliasType::of(name, type_).expect("a built-in alias is made of real types")
}

/// Tells whether a value is one of `Data`.
fn is_data(value: &Value) -> bool {
    match value {
        Value::Undef | Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => true,
        Value::Array(elements) => elements.iter().all(is_data),
        Value::Hash(hash) => {
            hash.iter().all(|(key, value)| matches!(key, Value::String(_)) && is_data(value))
        }
        _ => false,
    }
}

fn recursive(
    name: &str,
    quick: Option<fn(&Value) -> bool>,
    members: impl FnOnce(&Type) -> Vec<Type>,
) -> Type {
    let alias = AliasType::declare_quick(name, quick);
    let own: Type = alias.clone().into();
    alias.define_exactly(&VariantType::of(members(&own))).expect("a built-in alias is made of real types");
    own
}

fn pattern(source: &str) -> Type {
    let regexp = Regexp::new(source).expect("a built-in pattern is well-formed");
    super::PatternType::new([std::sync::Arc::new(regexp)]).into()
}

/// Makes an object type of attributes (name, type, whether it may be left out), type parameters and functions.
fn object(
    name: &str,
    attributes: &[(&str, Type, bool)],
    parameters: &[(&str, Type)],
    functions: &[(&str, Type)],
) -> Type {
    let spec = |(name, type_, optional): &(&str, Type, bool)| {
        let mut spec: Hash = [("type", Value::from(type_.clone()))].into_iter().collect();
        if *optional {
            spec.insert("value", Value::Undef);
        }
        (Value::from(*name), Value::from(spec))
    };
    let typed = |members: &[(&str, Type)]| -> Hash {
        members.iter().map(|(name, type_)| (*name, type_.clone())).collect()
    };
    let mut init = Hash::new();
    let mut put = |key: &str, members: Hash| (!members.is_empty()).then(|| init.insert(key, members));
    put("type_parameters", typed(parameters));
    put("attributes", attributes.iter().map(spec).collect());
    put("functions", typed(functions));
    ObjectType::named(name, &init).expect("a built-in object type is well-formed").into()
}

/// The types of the predefined initializers of objects, type sets and URIs.
pub(super) fn struct_of(elements: &[(&str, Type, bool)]) -> Type {
    let element = |(name, type_, optional): &(&str, Type, bool)| {
        if *optional {
            Element::optional(*name, type_.clone())
        } else {
            Element::required(*name, type_.clone())
        }
    };
    StructType::new(elements.iter().map(element).collect()).into()
}

/// The type of names of members of objects.
pub(super) fn member_name() -> Type {
    pattern(r"\A[a-z_]\w*\z")
}

/// The type of the names of types in a type set.
pub(super) fn simple_name() -> Type {
    pattern(r"\A[A-Z]\w*\z")
}

/// The type of texts with a URI in them: the pattern is that of RFC 2396 as Ruby's library writes it, which messages quote.
pub(super) fn uri_text() -> Type {
    pattern(include_str!("../issues/uri_pattern.txt"))
}

/// The type of names of types.
pub(super) fn type_name() -> Type {
    pattern(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")
}

/// Tells whether an alias is one of those that are printed by name only.
pub(super) fn is_builtin_alias(name: &str) -> bool {
    matches!(name, "Data" | "RichDataKey" | "RichData" | "Puppet::LookupKey" | "Puppet::LookupValue")
}

/// Tells whether a hash is not empty, as a size.
pub(super) const NOT_EMPTY: IntegerType = IntegerType::from_to(Some(1), None);

/// Returns the object type behind aliases.
pub(super) fn as_object(type_: &Type) -> Option<ObjectType> {
    match type_.resolved().kind() {
        Kind::Object(object) => Some(object.clone()),
        _ => None,
    }
}
