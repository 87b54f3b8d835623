//! Types as rich data: objects of the type system, with the attributes that they are made of.
//!
//! ```text
//! String[1]        {"__ptype":"Pcore::StringType","size_type_or_value":{"__ptype":"Pcore::IntegerType","from":1}}
//! Optional[Any]    {"__ptype":"Pcore::OptionalType","type":{"__ptype":"Pcore::AnyType"}}
//! ```

use hierarch_pcore::types::{Element, IntegerType, Kind, TimeRange, TupleType};
use hierarch_pcore::value::{Timespan, Timestamp};
use hierarch_pcore::{Hash, Type, Value};

use super::json::{TYPE, rich};

/// An attribute with its value, and the value that it has without being told.
type Attribute = (&'static str, Value, Value);

/// Returns a type as data. What holds code or refers to itself is given as text.
pub(super) fn rich_type(type_: &Type) -> Value {
    let attributes = match type_.kind() {
        Kind::Object(_) | Kind::TypeSet(_) | Kind::Reference(_) | Kind::ObjectExtension(_) | Kind::Uri(_) => {
            return plain(type_);
        }
        Kind::Alias(alias) => match alias.resolved() {
            Some(resolved) if !alias.is_recursive() => vec![
                always("name", type_.name().into()),
                always("type_expr", Value::Undef),
                always("resolved_type", rich_type(resolved)),
            ],
            _ => return plain(type_),
        },
        kind => attributes(kind),
    };
    let name = if matches!(type_.kind(), Kind::Alias(_)) { "TypeAlias" } else { type_.name() };
    object(&format!("Pcore::{name}Type"), attributes)
}

fn attributes(kind: &Kind) -> Vec<Attribute> {
    match kind {
        Kind::Integer(range) => bounds(range.min.into(), range.max.into()),
        Kind::Float(range) => {
            let bound = |number: f64| if number.is_finite() { number.into() } else { Value::Undef };
            bounds(bound(range.min), bound(range.max))
        }
        Kind::String(own) => {
            let value = own.value().map(|value| Value::from(value.clone()));
            vec![usually("size_type_or_value", value.unwrap_or_else(|| size(own.size())))]
        }
        Kind::Enum(own) => {
            let values = own.values().iter().map(|value| Value::from(value.clone())).collect();
            let ignores_case = ("case_insensitive", own.ignores_case().into(), false.into());
            vec![always("values", Value::array(values)), ignores_case]
        }
        Kind::Pattern(own) => {
            let patterns = own.patterns().iter().map(|pattern| regexp_type(pattern.source())).collect();
            vec![always("patterns", Value::array(patterns))]
        }
        Kind::Regexp(own) => {
            vec![usually("pattern", own.regexp().map(|regexp| Value::from(regexp.source())).into())]
        }
        Kind::Collection(own) => vec![usually("size_type", size(own.size()))],
        Kind::Array(own) => vec![element("element_type", own.of()), usually("size_type", size(own.size()))],
        Kind::Hash(own) => vec![
            element("key_type", own.key()),
            element("value_type", own.value()),
            usually("size_type", size(own.size())),
        ],
        Kind::Tuple(own) => tuple(own),
        Kind::Struct(own) => {
            vec![always("elements", Value::array(own.elements().iter().map(struct_element).collect()))]
        }
        Kind::Variant(own) => vec![always("types", types(own.types()))],
        Kind::Iterable(own) => vec![contained(own.contained())],
        Kind::Iterator(own) => vec![contained(own.contained())],
        Kind::Type(own) => vec![contained(own.contained())],
        Kind::NotUndef(own) => vec![contained(own.contained())],
        Kind::Optional(own) => vec![contained(own.contained())],
        Kind::Init(own) => {
            let arguments = Value::array(own.arguments().iter().map(rich).collect());
            vec![contained(own.contained()), ("init_args", arguments, Value::array(Vec::new()))]
        }
        Kind::Callable(own) => vec![
            always("param_types", own.parameters().map(|own| object("Pcore::TupleType", tuple(own))).into()),
            always("block_type", own.block().map(rich_type).into()),
            always("return_type", own.returns().map(rich_type).into()),
        ],
        Kind::SemVer(own) => {
            let ranges = own.ranges().iter().map(|range| rich(&Value::SemVerRange(range.clone()))).collect();
            vec![("ranges", Value::array(ranges), Value::array(Vec::new()))]
        }
        Kind::Timestamp(own) => times(own.range, |nanos| Value::Timestamp(Timestamp(nanos).into())),
        Kind::Timespan(own) => times(own.range, |nanos| Value::Timespan(Timespan(nanos).into())),
        Kind::Runtime(own) => vec![
            usually("runtime", own.runtime().map(Value::from).into()),
            usually("name_or_pattern", own.class().map(Value::from).into()),
        ],
        _ => Vec::new(),
    }
}

/// Makes an object. Attributes at the end that have their usual value are left out.
fn object(name: &str, mut attributes: Vec<Attribute>) -> Value {
    while attributes.last().is_some_and(|(_, value, usual)| value == usual) {
        attributes.pop();
    }
    let mut data = Hash::new();
    data.insert(TYPE, name);
    for (name, value, _) in attributes {
        data.insert(name, value);
    }
    data.into()
}

/// An attribute that is told in any case: its usual value is none that it can have.
fn always(name: &'static str, value: Value) -> Attribute {
    (name, value, Value::Default)
}

fn usually(name: &'static str, value: Value) -> Attribute {
    (name, value, Value::Undef)
}

fn bounds(from: Value, to: Value) -> Vec<Attribute> {
    vec![usually("from", from), usually("to", to)]
}

fn times(range: TimeRange, value: impl Fn(i128) -> Value) -> Vec<Attribute> {
    let bound = |nanos: Option<i128>| Value::from(nanos.map(|nanos| rich(&value(nanos))));
    bounds(bound(range.min), bound(range.max))
}

fn size(size: Option<IntegerType>) -> Value {
    size.map(|size| rich_type(&size.into())).into()
}

fn element(name: &'static str, type_: &Type) -> Attribute {
    (name, rich_type(type_), rich_type(&Type::any()))
}

fn contained(type_: Option<&Type>) -> Attribute {
    usually("type", type_.map(rich_type).into())
}

fn types(types: &[Type]) -> Value {
    Value::array(types.iter().map(rich_type).collect())
}

fn tuple(own: &TupleType) -> Vec<Attribute> {
    vec![always("types", types(own.types())), usually("size_type", size(own.size()))]
}

fn struct_element(element: &Element) -> Value {
    let attributes =
        vec![always("key_type", rich_type(&element.key())), always("value_type", rich_type(element.value()))];
    object("Pcore::StructElement", attributes)
}

fn regexp_type(source: &str) -> Value {
    object("Pcore::RegexpType", vec![always("pattern", source.into())])
}

fn plain(type_: &Type) -> Value {
    let text = type_.to_string();
    if text == "URI" { object("Pcore::URIType", Vec::new()) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;
    impl hierarch_pcore::types::Definitions for Nobody {
        fn type_named(&self, _: &str) -> hierarch_source::Result<Option<Type>> {
            Ok(None)
        }
    }

    fn check(text: &str, expected: &str) {
        let type_ = Type::parse(text, &Nobody).expect(text);
        let data = rich_type(&type_).to_json();
        assert_eq!(data.replace("\"__ptype\":\"Pcore::", "\"").replace("Type\"", "\""), expected, "{text}");
    }

    // Recorded from Puppet 8.10, its `"__ptype":"Pcore::` and `Type"` shortened.
    #[test]
    fn types_are_objects_with_their_attributes() {
        check("Integer[default, 3]", r#"{"Integer","from":null,"to":3}"#);
        check("Float[1.5]", r#"{"Float","from":1.5}"#);
        check("String[1, 5]", r#"{"String","size_type_or_value":{"Integer","from":1,"to":5}}"#);
        check("Enum[a, true]", r#"{"Enum","values":["a"],"case_insensitive":true}"#);
        check("Array", r#"{"Array"}"#);
        check("Array[1, 2]", r#"{"Array","element_type":{"Any"},"size_type":{"Integer","from":1,"to":2}}"#);
        check("Hash[String, Integer]", r#"{"Hash","key_type":{"String"},"value_type":{"Integer"}}"#);
        check("Variant[Integer, Undef]", r#"{"Variant","types":[{"Integer"},{"Undef"}]}"#);
        check("Pattern[/a/]", r#"{"Pattern","patterns":[{"Regexp","pattern":"a"}]}"#);
        check("Sensitive[Integer]", r#"{"Sensitive"}"#);
        check(
            "Struct[a => Integer]",
            r#"{"Struct","elements":[{"StructElement","key_type":{"String","size_type_or_value":"a"},"value_type":{"Integer"}}]}"#,
        );
        check(
            "Callable[Integer]",
            r#"{"Callable","param_types":{"Tuple","types":[{"Integer"}]},"block_type":null,"return_type":null}"#,
        );
        check(
            "Timespan[1, 2]",
            r#"{"Timespan","from":{"__ptype":"Timespan","__pvalue":"0-00:00:01.0"},"to":{"__ptype":"Timespan","__pvalue":"0-00:00:02.0"}}"#,
        );
    }
}
