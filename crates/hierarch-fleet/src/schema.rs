//! `schema`: what editors need to know about data files, as JSON Schema draft-07.
//!
//! A type that JSON Schema cannot say becomes a weaker one, never a stronger one: what lookups and `check` accept, the
//! schema accepts. Every value may also be a text with tokens, or an encrypted one.

use std::collections::BTreeMap;

use hierarch_pcore::types::{IntegerType, Kind};
use hierarch_pcore::{Hash, Type, Value};
use hierarch_site::{Node, NodeFacts};

use crate::ask::Fleet;
use crate::classes::Parameter;
use crate::ground::{Ground, written_type};
use crate::option_name::OptionName;

/// The schema of hiera.yaml.
pub const OF_HIERA: &str = include_str!("hiera.schema.json");

/// The dialect that editors understand.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";
/// A text that is filled in or decrypted later.
const LATER: &str = r"%\{|ENC\[";
/// Types deeper than this are not looked into: aliases may contain themselves.
const DEEPEST: usize = 20;

/// Returns the schema of the data files of a site's environment.
pub fn schema(fleet: &Fleet) -> Value {
    let ground = Ground::new(fleet.site.environment());
    let node = fleet.site.node_with("", NodeFacts::default());
    let listed = options(&ground);
    let options: Vec<WrittenOption> =
        listed.iter().map(|(name, values)| (OptionName::new(name), values.as_slice())).collect();
    let mut properties = Hash::new();
    for (name, class) in &ground.code.classes {
        for (parameter, known) in &class.parameters {
            let key = format!("{name}::{parameter}");
            properties.insert(key.as_str(), Value::hash(property(&node, &key, known, &options)));
        }
    }
    properties.insert("lookup_options", lookup_options());
    object([
        ("$schema", Value::from(DRAFT)),
        ("title", Value::from("Hiera data")),
        ("type", Value::from("object")),
        ("properties", Value::hash(properties)),
    ])
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::hash(fields.into_iter().collect())
}

/// Lists all entries of `lookup_options`.
fn options(ground: &Ground) -> BTreeMap<String, Vec<Value>> {
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let entries =
        ground.files.iter().flat_map(|file| file.entries()).filter(|(key, _)| *key == "lookup_options");
    for (name, value) in entries.filter_map(|(_, value)| value.as_hash()).flat_map(|hash| hash.iter()) {
        found.entry(name.to_string()).or_default().push(value.clone());
    }
    found
}

/// An entry of `lookup_options`, and what stands there, once for each file.
type WrittenOption<'o> = (OptionName<'o>, &'o [Value]);

fn property(node: &Node, key: &str, known: &Parameter, options: &[WrittenOption]) -> Hash {
    let type_ = known.type_text.as_deref().and_then(|text| written_type(node, text));
    let mut schema = type_.map_or_else(Hash::new, |type_| of_type(&type_, DEEPEST));
    let mine = options.iter().filter(|(name, _)| name.matches(key)).flat_map(|(_, values)| *values);
    mine.for_each(|value| schema = loosened(&schema, value));
    let mut property = later(schema);
    if let Some(text) = &known.documentation {
        property.insert("description", text.as_str());
        if text.to_lowercase().contains("deprecated") {
            property.insert("deprecated", true);
        }
    }
    // A default that reads variables is another one for each node.
    if let Some(text) = known.default.as_deref().filter(|text| !text.contains('$'))
        && let Ok(value) = node.evaluate(&hierarch_source::Source::unnamed(text))
        && is_data(&value)
    {
        property.insert("default", value);
    }
    property
}

fn is_data(value: &Value) -> bool {
    match value {
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_data),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_data(value)),
        _ => false,
    }
}

/// Loosens what is merged or converted: a file then holds a part of the value, or something else.
fn loosened(schema: &Hash, options: &Value) -> Hash {
    let part =
        |name: &str| options.as_hash().and_then(|hash| hash.get_str(name)).filter(|value| !value.is_undef());
    if part("convert_to").is_some() {
        return Hash::new();
    }
    let Some(merge) = part("merge") else { return schema.clone() };
    let strategy = merge.as_hash().and_then(|hash| hash.get_str("strategy")).unwrap_or(merge);
    match strategy.as_str() {
        Some("first") => schema.clone(),
        Some("hash" | "deep") if schema.get_str("type").and_then(Value::as_str) == Some("object") => {
            of("object")
        }
        _ => Hash::new(),
    }
}

fn of(name: &str) -> Hash {
    [("type", name)].into_iter().collect()
}

/// Allows texts that become a value later.
fn later(schema: Hash) -> Hash {
    if schema.is_empty() {
        return schema;
    }
    let text = object([("type", Value::from("string")), ("pattern", Value::from(LATER))]);
    let mut any = Hash::new();
    any.insert("anyOf", Value::array(vec![Value::hash(schema), text]));
    any
}

fn nested(type_: &Type, depth: usize) -> Value {
    Value::hash(later(of_type(type_, depth)))
}

fn any_of(schemas: Vec<Hash>) -> Hash {
    if schemas.iter().any(Hash::is_empty) {
        return Hash::new();
    }
    let mut any = Hash::new();
    any.insert("anyOf", Value::array(schemas.into_iter().map(Value::hash).collect()));
    any
}

/// Returns the schema of a type; an empty one accepts anything.
fn of_type(type_: &Type, depth: usize) -> Hash {
    if depth == 0 {
        return Hash::new();
    }
    let inner = |type_: &Type| of_type(type_, depth - 1);
    match type_.kind() {
        Kind::Alias(alias) => {
            alias.resolved().filter(|_| !alias.is_recursive()).map_or_else(Hash::new, inner)
        }
        Kind::Optional(optional) => {
            optional.contained().map_or_else(Hash::new, |type_| any_of(vec![inner(type_), of("null")]))
        }
        Kind::NotUndef(wanted) => wanted.contained().map_or_else(Hash::new, inner),
        Kind::Sensitive(secret) => inner(secret.contained()),
        Kind::Variant(variant) if !variant.types().is_empty() => {
            any_of(variant.types().iter().map(inner).collect())
        }
        Kind::Integer(range) => with_range(of("integer"), ["minimum", "maximum"], Some(*range)),
        Kind::Float(_) | Kind::Numeric(_) => of("number"),
        Kind::Boolean(_) => of("boolean"),
        Kind::Undef(_) => of("null"),
        Kind::Pattern(_) => of("string"),
        Kind::String(text) => match text.value() {
            Some(value) => listed([Value::from(value.as_str())]),
            None => with_range(of("string"), ["minLength", "maxLength"], text.size()),
        },
        Kind::Enum(words) if words.ignores_case() || words.values().is_empty() => of("string"),
        Kind::Enum(words) => listed(words.values().iter().map(|word| Value::from(word.as_str()))),
        Kind::Array(list) => {
            let mut schema = with_range(of("array"), ["minItems", "maxItems"], list.size());
            schema.insert("items", nested(list.of(), depth - 1));
            schema
        }
        Kind::Tuple(tuple) => {
            let mut schema = with_range(of("array"), ["minItems", "maxItems"], Some(tuple.size_range()));
            let items: Vec<Value> = tuple.types().iter().map(|type_| nested(type_, depth - 1)).collect();
            if let Some(last) = items.last().cloned() {
                schema.insert("items", Value::array(items));
                schema.insert("additionalItems", last);
            }
            schema
        }
        Kind::Hash(hash) => {
            let mut schema = with_range(of("object"), ["minProperties", "maxProperties"], hash.size());
            schema.insert("additionalProperties", nested(hash.value(), depth - 1));
            schema
        }
        Kind::Struct(fields) => of_struct(fields, depth - 1),
        Kind::Collection(_) => any_of(vec![of("array"), of("object")]),
        _ => Hash::new(),
    }
}

fn of_struct(fields: &hierarch_pcore::types::StructType, depth: usize) -> Hash {
    let (mut properties, mut required) = (Hash::new(), Vec::new());
    for element in fields.elements() {
        properties.insert(element.name().as_str(), nested(element.value(), depth));
        if !element.is_optional() && !element.value().has(&Value::Undef) {
            required.push(Value::from(element.name().as_str()));
        }
    }
    let mut schema = of("object");
    schema.insert("properties", Value::hash(properties));
    schema.insert("additionalProperties", false);
    if !required.is_empty() {
        schema.insert("required", Value::array(required));
    }
    schema
}

fn listed(values: impl IntoIterator<Item = Value>) -> Hash {
    let mut schema = Hash::new();
    schema.insert("enum", Value::array(values.into_iter().collect()));
    schema
}

/// Adds the bounds of a range under two names; a range without an end has none.
fn with_range(mut schema: Hash, names: [&str; 2], range: Option<IntegerType>) -> Hash {
    let Some(range) = range else { return schema };
    for (name, bound) in names.into_iter().zip([range.min, range.max]) {
        if let Some(bound) =
            bound.filter(|bound| *bound != 0 || !name.starts_with("min") || name == "minimum")
        {
            schema.insert(name, bound);
        }
    }
    schema
}

fn lookup_options() -> Value {
    let strategy = Value::hash(listed(["first", "unique", "hash", "deep"].map(Value::from)));
    let merge = any_of(vec![
        listed(["first", "unique", "hash", "deep"].map(Value::from)),
        [
            ("type", Value::from("object")),
            ("properties", object([("strategy", strategy)])),
            ("required", Value::array(vec![Value::from("strategy")])),
        ]
        .into_iter()
        .collect(),
    ]);
    let convert =
        object([("description", Value::from("The type that the value is converted to, and arguments."))]);
    let entry = object([
        ("type", Value::array(vec![Value::from("object"), Value::from("string")])),
        ("properties", object([("merge", Value::hash(merge)), ("convert_to", convert)])),
    ]);
    let words = "How keys are merged and converted: by name, or by a pattern that starts with ^.";
    object([
        ("type", Value::from("object")),
        ("description", Value::from(words)),
        ("additionalProperties", entry),
    ])
}

#[cfg(test)]
mod tests {
    use hierarch_pcore::types::NoDefinitions;
    use proptest::prelude::*;

    use super::*;

    /// Tells whether a schema of the kind made here accepts a value.
    fn accepts(schema: &Hash, value: &Value) -> bool {
        let list = |name: &str| schema.get_str(name).and_then(Value::as_array);
        let number = |name: &str| match schema.get_str(name) {
            Some(Value::Integer(number)) => Some(*number),
            _ => None,
        };
        let is_within = |count: i64, least: &str, most: &str| {
            number(least).is_none_or(|least| count >= least) && number(most).is_none_or(|most| count <= most)
        };
        let sub = |schema: &Value, value: &Value| match schema {
            Value::Hash(schema) => accepts(schema, value),
            Value::Boolean(truth) => *truth,
            _ => false,
        };
        let kind = match value {
            Value::Undef => "null",
            Value::Boolean(_) => "boolean",
            Value::Integer(_) => "integer",
            Value::Float(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Hash(_) => "object",
            _ => "other",
        };
        let is_kind = |name: &Value| {
            name.as_str() == Some(kind) || (name.as_str() == Some("number") && kind == "integer")
        };
        let is_typed = match schema.get_str("type") {
            None => true,
            Some(Value::Array(names)) => names.iter().any(is_kind),
            Some(name) => is_kind(name),
        };
        let in_list = list("enum").is_none_or(|words| words.iter().any(|word| word == value));
        let any = list("anyOf").is_none_or(|some| some.iter().any(|schema| sub(schema, value)));
        let inside = match value {
            Value::Integer(value) => is_within(*value, "minimum", "maximum"),
            Value::String(text) => {
                let is_later =
                    schema.get_str("pattern").is_none_or(|_| text.contains("%{") || text.contains("ENC["));
                is_later && is_within(text.chars().count() as i64, "minLength", "maxLength")
            }
            Value::Array(items) => {
                let each = items.iter().enumerate().all(|(index, item)| match schema.get_str("items") {
                    None => true,
                    Some(Value::Array(list)) => match list.get(index) {
                        Some(schema) => sub(schema, item),
                        None => schema.get_str("additionalItems").is_none_or(|schema| sub(schema, item)),
                    },
                    Some(schema) => sub(schema, item),
                });
                each && is_within(items.len() as i64, "minItems", "maxItems")
            }
            Value::Hash(hash) => {
                let properties = schema.get_str("properties").and_then(Value::as_hash);
                let each = hash.iter().all(|(key, value)| {
                    let own = properties.and_then(|known| known.get(key));
                    own.or(schema.get_str("additionalProperties")).is_none_or(|schema| sub(schema, value))
                });
                let required =
                    list("required").is_none_or(|names| names.iter().all(|name| hash.get(name).is_some()));
                each && required && is_within(hash.len() as i64, "minProperties", "maxProperties")
            }
            _ => true,
        };
        is_typed && in_list && any && inside
    }

    const TYPES: [&str; 22] = [
        "Integer[1, 10]",
        "Integer",
        "Integer[default, 5]",
        "Float[0.0, 1.0]",
        "Numeric",
        "String[1, 3]",
        "String",
        "Boolean",
        "Enum['a', 'bb']",
        "Pattern[/^a/]",
        "Array[Integer, 1, 2]",
        "Array[String[1]]",
        "Tuple[String, Integer, 1, 3]",
        "Hash[String, Integer]",
        "Hash[String, Array[Boolean], 1]",
        "Struct[{a => Integer, Optional[b] => String, c => Optional[Boolean]}]",
        "Optional[String[2]]",
        "Variant[Integer[0, 3], Enum['a'], Undef]",
        "NotUndef",
        "Data",
        "Collection[1]",
        "ScalarData",
    ];

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Undef),
            any::<bool>().prop_map(Value::Boolean),
            (-2i64..12).prop_map(Value::Integer),
            (-1.0f64..2.0).prop_map(Value::Float),
            "[ab]{0,4}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::array),
                prop::collection::vec(("[abc]", inner), 0..4).prop_map(|pairs| Value::hash(
                    pairs.into_iter().map(|(key, value)| (Value::from(key), value)).collect()
                )),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn what_a_type_accepts_its_schema_accepts(number in 0..TYPES.len(), value in value()) {
            let type_ = Type::parse(TYPES[number], &NoDefinitions).expect("a type");
            if type_.has(&value) {
                let schema = later(of_type(&type_, DEEPEST));
                prop_assert!(accepts(&schema, &value), "{} {} {}", TYPES[number], value.to_json(), Value::hash(schema).to_json());
            }
        }
    }

    #[test]
    fn what_a_type_refuses_its_schema_often_refuses() {
        for (type_, value) in [
            ("Integer[1, 10]", Value::Integer(11)),
            ("Enum['a']", "b".into()),
            ("Array[Integer]", Value::array(vec!["x".into()])),
        ] {
            let schema = of_type(&Type::parse(type_, &NoDefinitions).expect("a type"), DEEPEST);
            assert!(!accepts(&later(schema), &value), "{type_}");
        }
        let schema = of_type(&Type::parse("Integer", &NoDefinitions).expect("a type"), DEEPEST);
        assert!(accepts(&later(schema), &"%{facts.port}".into()));
    }
}
