//! The type of a value, at three levels of detail, and the common type of two.
//!
//! For `[1, 'a']` the *detailed* type is `Tuple[Integer[1, 1], String]`, the *reduced* one
//! `Array[ScalarData, 2, 2]`, the *generic* one `Array[ScalarData]`.

use std::sync::Arc;

use crate::types::{
    ArrayType, BooleanType, Element, EnumType, FloatType, HashType, IntegerType, Kind, ObjectExtensionType,
    PatternType, RegexpType, ResourceType, SensitiveType, StringType, StructType, TimespanType,
    TimestampType, UriType, VariantType,
};
use crate::value::SemVerRange;
use crate::{Hash, Str, Type, Value};

/// Returns the type of a value with everything that is known about it: what `type(value)` gives.
pub fn detailed(value: &Value) -> Type {
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            Type::tuple_of(elements.iter().map(detailed).collect())
        }
        Value::Hash(hash) if !hash.is_empty() => detailed_hash(hash),
        Value::SemVer(version) => {
            let range = SemVerRange::between((**version).clone(), (**version).clone(), false);
            crate::types::SemVerType::new(vec![Arc::new(range)]).into()
        }
        other => reduced(other),
    }
}

/// Returns the type of a value with collections reduced to the common type of their elements.
pub fn reduced(value: &Value) -> Type {
    match value {
        Value::Undef => Type::undef(),
        Value::Default => Type::default_value(),
        Value::Boolean(truth) => BooleanType { value: Some(*truth) }.into(),
        Value::Integer(number) => Type::integer_range(Some(*number), Some(*number)),
        Value::Float(number) => FloatType::from_to(*number, *number).into(),
        Value::String(text) => StringType::exact(text.clone()).into(),
        Value::Array(elements) => reduced_array(elements),
        Value::Hash(hash) => reduced_hash(hash),
        Value::Regexp(regexp) => RegexpType::new(Arc::clone(regexp)).into(),
        Value::Type(type_) => Type::type_of(type_.clone()),
        Value::Sensitive(inner) => SensitiveType::new(&reduced(inner)).into(),
        other => reduced_rare(other),
    }
}

/// Returns the type of values like this one: `Integer` for `1`.
pub fn generic(value: &Value) -> Type {
    reduced(value).generalized()
}

fn reduced_rare(value: &Value) -> Type {
    match value {
        Value::Binary(_) => Type::binary(),
        Value::SemVer(_) => Type::sem_ver(),
        Value::SemVerRange(_) => Type::sem_ver_range(),
        Value::Timestamp(time) => TimestampType { range: crate::types::TimeRange::exactly(time.0) }.into(),
        Value::Timespan(time) => TimespanType { range: crate::types::TimeRange::exactly(time.0) }.into(),
        Value::Uri(uri) => UriType::of(uri).into(),
        Value::Object(object) => {
            let narrowed = object.object_type().and_then(|type_| {
                let values = type_
                    .type_parameters()
                    .keys()
                    .map(|name| object.get(name).unwrap_or_default())
                    .collect::<Vec<_>>();
                ObjectExtensionType::new(type_.clone(), &values).ok()
            });
            narrowed.map_or_else(|| object.type_().clone(), Type::from)
        }
        Value::Foreign(foreign) => foreign.inferred(),
        _ => Type::any(),
    }
}

fn detailed_hash(hash: &Hash) -> Type {
    if hash.keys().all(|key| key.as_str().is_some_and(|key| !key.is_empty())) {
        let element = |(key, value): (&Value, &Value)| {
            Element::required(key.as_str().unwrap_or_default(), detailed(value))
        };
        return StructType::new(hash.iter().map(element).collect()).into();
    }
    let key = VariantType::of(hash.keys().map(detailed).collect());
    let value = VariantType::of(hash.values().map(detailed).collect());
    HashType::new(key, value, Some(IntegerType::exactly(hash.len()))).into()
}

fn reduced_array(elements: &[Value]) -> Type {
    if elements.is_empty() {
        return Type::empty_array();
    }
    ArrayType::new(common_of(elements.iter()), Some(IntegerType::exactly(elements.len()))).into()
}

fn reduced_hash(hash: &Hash) -> Type {
    if hash.is_empty() {
        return Type::empty_hash();
    }
    HashType::new(common_of(hash.keys()), common_of(hash.values()), Some(IntegerType::exactly(hash.len())))
        .into()
}

/// Returns the common type of values.
fn common_of<'a>(values: impl Iterator<Item = &'a Value>) -> Type {
    let mut common: Option<Type> = None;
    // Strings at the front are gathered first: joining them one by one would sort the enum each time.
    let mut strings: Vec<Str> = Vec::new();
    for value in values.filter(|value| !value.is_undef()) {
        match (value, &common) {
            (Value::String(text), None) => strings.push(text.clone()),
            (_, Some(known)) if is_settled(known) && known.has(value) => {}
            _ => {
                let known = common.take().or_else(|| of_strings(std::mem::take(&mut strings)));
                let next = reduced(value);
                common = Some(known.map_or_else(|| next.clone(), |known| common_type(&known, &next)));
            }
        }
    }
    common.or_else(|| of_strings(strings)).unwrap_or_else(Type::undef)
}

/// Returns the type of strings: exactly one, or an enum.
fn of_strings(mut strings: Vec<Str>) -> Option<Type> {
    strings.sort();
    strings.dedup();
    match strings.len() {
        0 => None,
        1 => strings.pop().map(Type::exact_string),
        _ => Some(EnumType::new(strings, false).into()),
    }
}

/// Tells whether meeting an instance cannot change the type: nothing in it has a size that could grow.
fn is_settled(type_: &Type) -> bool {
    matches!(
        type_.kind(),
        Kind::Integer(_)
            | Kind::Float(_)
            | Kind::ScalarData(_)
            | Kind::Scalar(_)
            | Kind::Numeric(_)
            | Kind::Enum(_)
    )
}

/// Returns the narrowest type that has the values of both.
///
/// `undef` joins with anything as that thing, as it does in the reference.
pub fn common_type(a: &Type, b: &Type) -> Type {
    match (a.kind(), b.kind()) {
        (Kind::Undef(_) | Kind::Unit(_), _) => b.clone(),
        (_, Kind::Undef(_) | Kind::Unit(_)) => a.clone(),
        _ if a.accepts(b) => a.clone(),
        _ if b.accepts(a) => b.clone(),
        _ => common_of_kinds(a, b).unwrap_or_else(|| common_abstract(a, b)),
    }
}

fn common_of_kinds(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a.kind(), b.kind()) {
        (Kind::Array(a), Kind::Array(b)) => Type::array_of(common_type(a.of(), b.of())),
        (Kind::Hash(a), Kind::Hash(b)) => {
            Type::hash_of(common_type(a.key(), b.key()), common_type(a.value(), b.value()))
        }
        (Kind::Class(_), Kind::Class(_)) => Type::class(),
        (Kind::Resource(a), Kind::Resource(b)) => match (a.type_name(), b.type_name()) {
            (Some(name), Some(other)) if name == other => ResourceType::named(name).into(),
            _ => Type::resource(),
        },
        (Kind::Integer(a), Kind::Integer(b)) => a.hull(*b).into(),
        (Kind::Float(a), Kind::Float(b)) => a.hull(*b).into(),
        (Kind::String(_), Kind::String(_) | Kind::Enum(_)) => common_string(a, b),
        (Kind::Pattern(a), Kind::Pattern(b)) => {
            PatternType::new(a.patterns().iter().chain(b.patterns()).cloned()).into()
        }
        (Kind::Enum(_), Kind::String(_) | Kind::Enum(_)) => common_enum(a, b),
        (Kind::Variant(a), Kind::Variant(b)) => VariantType::of([a.types(), b.types()].concat()),
        (Kind::Regexp(_), Kind::Regexp(_)) => Type::regexp(),
        (Kind::Callable(_), Kind::Callable(_)) => Type::callable(),
        _ => return None,
    })
}

fn listed(a: &Type, b: &Type) -> Type {
    EnumType::new([a, b].into_iter().flat_map(crate::types::listed), false).into()
}

fn common_string(a: &Type, b: &Type) -> Type {
    let Kind::String(string) = a.kind() else { return Type::string() };
    match b.kind() {
        Kind::Enum(_) => {
            if string.value().is_some() {
                listed(a, b)
            } else {
                Type::enumeration()
            }
        }
        Kind::String(other) => match (string.size(), other.size()) {
            (Some(one), Some(two)) => StringType::sized(one.hull(two)).into(),
            _ if string.value().is_some() && other.value().is_some() => listed(a, b),
            _ => Type::string(),
        },
        _ => Type::string(),
    }
}

fn common_enum(a: &Type, b: &Type) -> Type {
    match b.kind() {
        Kind::String(string) if string.value().is_none() => Type::enumeration(),
        _ => listed(a, b),
    }
}

fn common_abstract(a: &Type, b: &Type) -> Type {
    for wide in [Type::numeric(), Type::scalar_data(), Type::scalar(), Type::data()] {
        if wide.accepts(a) && wide.accepts(b) {
            return wide;
        }
    }
    if let (Kind::Type(a), Kind::Type(b)) = (a.kind(), b.kind()) {
        let (a, b) = (a.contained().cloned(), b.contained().cloned());
        return Type::type_of(common_type(&a.unwrap_or_else(Type::undef), &b.unwrap_or_else(Type::undef)));
    }
    let rich = Type::rich_data();
    if rich.accepts(a) && rich.accepts(b) { rich } else { Type::any() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::value;

    #[test]
    fn types_are_inferred_at_three_levels() {
        for (text, expected) in [
            ("undef", ["Undef", "Undef", "Undef"]),
            ("/a/", ["Regexp[/a/]", "Regexp[/a/]", "Regexp[/a/]"]),
            ("[1]", ["Tuple[Integer[1, 1]]", "Array[Integer[1, 1], 1, 1]", "Array[Integer]"]),
            ("[1,'a']", ["Tuple[Integer[1, 1], String]", "Array[ScalarData, 2, 2]", "Array[ScalarData]"]),
            ("[1,undef]", ["Tuple[Integer[1, 1], Undef]", "Array[Integer[1, 1], 2, 2]", "Array[Integer]"]),
            (
                "[[1],['a']]",
                [
                    "Tuple[Tuple[Integer[1, 1]], Tuple[String]]",
                    "Array[Array[ScalarData], 2, 2]",
                    "Array[Array[ScalarData]]",
                ],
            ),
            (
                "[true,false]",
                ["Tuple[Boolean[true], Boolean[false]]", "Array[ScalarData, 2, 2]", "Array[ScalarData]"],
            ),
            (
                "{a=>1}",
                [
                    "Struct[{'a' => Integer[1, 1]}]",
                    "Hash[String, Integer[1, 1], 1, 1]",
                    "Hash[String, Integer]",
                ],
            ),
            (
                "{a=>1,b=>'x'}",
                [
                    "Struct[{'a' => Integer[1, 1], 'b' => String}]",
                    "Hash[Enum['a', 'b'], ScalarData, 2, 2]",
                    "Hash[String[1, 1], ScalarData]",
                ],
            ),
            (
                "{1=>2,'a'=>3}",
                [
                    "Hash[Variant[Integer[1, 1], String], Variant[Integer[2, 2], Integer[3, 3]], 2, 2]",
                    "Hash[ScalarData, Integer[2, 3], 2, 2]",
                    "Hash[ScalarData, Integer]",
                ],
            ),
            (
                "{a=>{b=>1}}",
                [
                    "Struct[{'a' => Struct[{'b' => Integer[1, 1]}]}]",
                    "Hash[String, Hash[String, Integer[1, 1], 1, 1], 1, 1]",
                    "Hash[String, Hash[String, Integer]]",
                ],
            ),
            (
                "{a=>undef}",
                ["Struct[{NotUndef['a'] => Undef}]", "Hash[String, Undef, 1, 1]", "Hash[String, Undef]"],
            ),
            ("Integer", ["Type[Integer]", "Type[Integer]", "Type[Integer]"]),
            ("Type[Integer]", ["Type[Type[Integer]]", "Type[Type[Integer]]", "Type[Type[Integer]]"]),
            ("File['a']", ["Type[File['a']]", "Type[File['a']]", "Type[File['a']]"]),
            ("Class['a']", ["Type[Class[a]]", "Type[Class[a]]", "Type[Class[a]]"]),
            (
                "[Integer,String]",
                [
                    "Tuple[Type[Integer], Type[String]]",
                    "Array[Type[ScalarData], 2, 2]",
                    "Array[Type[ScalarData]]",
                ],
            ),
        ] {
            let value = value(text);
            let found = [detailed(&value), reduced(&value), generic(&value)].map(|type_| type_.to_string());
            assert_eq!(found, expected, "{text}");
        }
    }
}
