//! The object types of types themselves: `Integer` is an instance of `Pcore::IntegerType`.
//!
//! They can be named, compared and matched against; types are made with brackets, not with `new`.

use std::sync::LazyLock;

use indexmap::IndexMap;

use super::{Definitions, Kind, ObjectType, Type};
use crate::Hash;

/// Names without the namespace, parents, and attributes in the language's own notation.
const TABLE: &[(&str, &str, &str)] = &[
    ("AnyType", "Any", ""),
    ("ArrayType", "CollectionType", "{'element_type' => {type => Optional[Type], value => Any}}"),
    ("BinaryType", "AnyType", ""),
    ("BooleanType", "ScalarDataType", ""),
    (
        "CallableType",
        "AnyType",
        "{'param_types' => {type => Optional[Type[Tuple]], value => undef}, 'block_type' => {type => Optional[Type[Callable]], value => undef}, 'return_type' => {type => Optional[Type], value => Any}}",
    ),
    ("CatalogEntryType", "AnyType", ""),
    ("ClassType", "CatalogEntryType", "{'class_name' => {type => Optional[String[1]], value => undef}}"),
    ("CollectionType", "AnyType", "{'size_type' => {type => Optional[Type[Integer]], value => undef}}"),
    ("DefaultType", "AnyType", ""),
    (
        "EnumType",
        "ScalarDataType",
        "{'values' => Array[String[1]], 'case_insensitive' => {type => Boolean, value => false}}",
    ),
    ("FloatType", "NumericType", ""),
    (
        "HashType",
        "CollectionType",
        "{'key_type' => {type => Optional[Type], value => Any}, 'value_type' => {type => Optional[Type], value => Any}}",
    ),
    (
        "InitType",
        "AnyType",
        "{'type' => {type => Optional[Type], value => undef}, 'init_args' => {type => Array, value => []}}",
    ),
    ("IntegerType", "NumericType", ""),
    ("IterableType", "AnyType", "{'type' => {type => Optional[Type], value => undef}}"),
    ("IteratorType", "AnyType", "{'type' => {type => Optional[Type], value => undef}}"),
    ("NotUndefType", "AnyType", "{'type' => {type => Optional[Type], value => undef}}"),
    (
        "NumericType",
        "ScalarDataType",
        "{'from' => {type => Optional[Numeric], value => undef}, 'to' => {type => Optional[Numeric], value => undef}}",
    ),
    ("ObjectType", "AnyType", ""),
    ("OptionalType", "AnyType", "{'type' => {type => Optional[Type], value => undef}}"),
    ("PatternType", "ScalarDataType", "{'patterns' => Array[Regexp]}"),
    ("RegexpType", "ScalarType", "{'pattern' => {type => Variant[Undef, String, Regexp], value => undef}}"),
    (
        "ResourceType",
        "CatalogEntryType",
        "{'type_name' => {type => Optional[String[1]], value => undef}, 'title' => {type => Optional[String[1]], value => undef}}",
    ),
    (
        "RuntimeType",
        "AnyType",
        "{'runtime' => {type => Optional[String[1]], value => undef}, 'name_or_pattern' => {type => Optional[Variant[String[1], Tuple[Regexp, String[1]]]], value => undef}}",
    ),
    ("ScalarDataType", "ScalarType", ""),
    ("ScalarType", "AnyType", ""),
    ("SemVerRangeType", "AnyType", ""),
    (
        "SemVerType",
        "ScalarType",
        "{'ranges' => {type => Array[Variant[SemVerRange, String[1]]], value => []}}",
    ),
    ("SensitiveType", "AnyType", ""),
    (
        "StringType",
        "ScalarDataType",
        "{'size_type_or_value' => {type => Optional[Variant[String, Type[Integer]]], value => undef}}",
    ),
    ("StructElement", "", "{'key_type' => Type, 'value_type' => Type}"),
    ("StructType", "AnyType", "{'elements' => Array[StructElement]}"),
    (
        "TimespanType",
        "ScalarType",
        "{'from' => {type => Optional[Timespan], value => undef}, 'to' => {type => Optional[Timespan], value => undef}}",
    ),
    (
        "TimestampType",
        "ScalarType",
        "{'from' => {type => Optional[Timestamp], value => undef}, 'to' => {type => Optional[Timestamp], value => undef}}",
    ),
    (
        "TupleType",
        "AnyType",
        "{'types' => Array[Type], 'size_type' => {type => Optional[Type[Integer]], value => undef}}",
    ),
    (
        "TypeAliasType",
        "AnyType",
        "{'name' => String[1], 'type_expr' => Any, 'resolved_type' => {type => Optional[Type], value => undef}}",
    ),
    ("TypeReferenceType", "AnyType", "{'type_string' => String[1]}"),
    ("TypeSetType", "AnyType", ""),
    ("TypeType", "AnyType", "{'type' => {type => Optional[Type], value => undef}}"),
    ("URIType", "AnyType", ""),
    ("UndefType", "AnyType", ""),
    ("UnitType", "AnyType", ""),
    ("VariantType", "AnyType", "{'types' => Array[Type]}"),
];

/// Finds one of them by its name in lower case.
pub(super) fn find(name: &str) -> Option<Type> {
    static FOUND: LazyLock<IndexMap<String, Type>> = LazyLock::new(all);
    FOUND.get(name).cloned()
}

/// Tells whether a type is an instance of the object type of this name.
pub(super) fn is_instance(type_: &Type, name: &str) -> bool {
    let mut next = Some(name_of(type_));
    while let Some(current) = next {
        if name.strip_prefix("Pcore::") == Some(&current) {
            return true;
        }
        next = TABLE.iter().find(|(known, ..)| *known == current).map(|(_, parent, _)| (*parent).to_owned());
    }
    false
}

fn name_of(type_: &Type) -> String {
    let name = match type_.kind() {
        Kind::Resource(_) => "Resource",
        Kind::Object(_) | Kind::ObjectExtension(_) => "Object",
        Kind::Alias(_) => "TypeAlias",
        Kind::Reference(_) => "TypeReference",
        Kind::TypeSet(_) => "TypeSet",
        _ => type_.name(),
    };
    format!("{name}Type")
}

fn all() -> IndexMap<String, Type> {
    let mut known = KnownTypes::default();
    // A parent comes before its children, wherever it stands.
    while known.0.len() < TABLE.len() {
        let before = known.0.len();
        for (name, parent, attributes) in TABLE {
            let key = format!("pcore::{}", name.to_ascii_lowercase());
            if known.0.contains_key(&key) {
                continue;
            }
            if let Some(type_) = known.define(name, parent, attributes) {
                known.0.insert(key, type_);
            }
        }
        if known.0.len() == before {
            break;
        }
    }
    known.0
}

/// Those that have been read so far. They see each other by simple names: full ones would be looked up here again.
#[derive(Default)]
struct KnownTypes(IndexMap<String, Type>);

impl KnownTypes {
    fn define(&self, name: &str, parent: &str, attributes: &str) -> Option<Type> {
        let text = if attributes.is_empty() { "{}" } else { attributes };
        let unnamed = Type::parse(&format!("Object[{{attributes => {text}}}]"), self).ok()?;
        let mut init = Hash::new();
        match parent {
            "" => {}
            "Any" => {
                init.insert("parent", Type::any());
            }
            parent => {
                init.insert("parent", self.type_named(parent).ok()??);
            }
        }
        if let Kind::Object(object) = unnamed.kind() {
            let own = object.init_hash();
            own.get_str("attributes").map(|attributes| init.insert("attributes", attributes.clone()));
        }
        ObjectType::named(format!("Pcore::{name}"), &init).ok().map(Type::from)
    }
}

impl Definitions for KnownTypes {
    fn type_named(&self, name: &str) -> hierarch_source::Result<Option<Type>> {
        Ok(self.0.get(&format!("pcore::{}", name.to_ascii_lowercase())).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_definitions_can_be_read() {
        assert_eq!(all().len(), TABLE.len());
    }

    #[test]
    fn a_type_is_an_instance_of_its_own_and_of_what_that_inherits() {
        for (name, holds) in [
            ("Pcore::IntegerType", true),
            ("Pcore::NumericType", true),
            ("Pcore::AnyType", true),
            ("Pcore::StringType", false),
        ] {
            assert_eq!(is_instance(&Type::integer(), name), holds, "{name}");
        }
    }
}
