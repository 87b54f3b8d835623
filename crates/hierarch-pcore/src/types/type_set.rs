//! `TypeSet[{…}]`: a versioned set of named types.

use super::guide::Guide;
use std::sync::Arc;

use hierarch_source::Result;

use super::build::{KeyError, Keyed, flattened};
use super::builtin::{NOT_EMPTY, simple_name, struct_of, type_name, uri_text};
use super::object::{self, assert_value};
use super::{AliasType, Guard, HashType, Kind, ObjectType, Printer, Rules, Type};
use crate::value::{SemVer, SemVerRange};
use crate::{Hash, Str, Value, issues, mismatch};

/// A set of types under one name and version.
#[derive(Clone)]
pub struct TypeSetType(Arc<Definition>);

struct Definition {
    authority: Option<String>,
    name: Option<Str>,
    version: Option<String>,
    pcore_version: String,
    pcore_uri: Option<String>,
    types: Hash,
    references: Hash,
}

/// Who names the types that manifests define.
const AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

impl Default for TypeSetType {
    /// The bare `TypeSet`.
    fn default() -> Self {
        Self(Arc::new(Definition {
            authority: Some(AUTHORITY.into()),
            name: Some("DefaultTypeSet".into()),
            version: Some("0.0.0".into()),
            pcore_version: "1.0.0".into(),
            pcore_uri: Some("http://puppet.com/2016.1/pcore".into()),
            types: Hash::new(),
            references: Hash::new(),
        }))
    }
}

fn init_type() -> Type {
    let version = Type::variant_of(vec![Type::non_empty_string(), Type::sem_ver()]);
    let range = Type::variant_of(vec![Type::non_empty_string(), Type::sem_ver_range()]);
    let reference = struct_of(&[
        ("name", type_name(), false),
        ("version_range", range, false),
        ("name_authority", uri_text(), true),
        ("annotations", object::annotations_type(), true),
    ]);
    let member = Type::variant_of(vec![Type::type_type(), object::init_type()]);
    struct_of(&[
        ("pcore_uri", uri_text(), true),
        ("pcore_version", version.clone(), false),
        ("name_authority", uri_text(), true),
        ("name", type_name(), true),
        ("version", version, true),
        ("types", HashType::new(simple_name(), member, Some(NOT_EMPTY)).into(), true),
        ("references", HashType::new(simple_name(), reference, Some(NOT_EMPTY)).into(), true),
        ("annotations", object::annotations_type(), true),
    ])
}

impl TypeSetType {
    /// Makes the type set that an alias defines, of an initializer whose types are made already.
    pub fn of_members(name: Str, init: &Hash) -> Result<Self> {
        let mut definition = Self::checked(Some(name), init, |init| {
            Ok(init.get_str("types").and_then(Value::as_hash).cloned().unwrap_or_default())
        })?;
        definition.authority = Some(AUTHORITY.to_owned());
        Ok(Self(Arc::new(definition)))
    }

    /// Makes a type set of its initializer; `name` is that of the alias it is defined by.
    pub fn of_hash(name: Option<Str>, init: &Hash) -> Result<Self> {
        let label = name.clone().or_else(|| init.get_str("name").map(|name| name.to_string().into()));
        Self::checked(name, init, |init| types(&label.unwrap_or_default(), init))
            .map(|definition| Self(Arc::new(definition)))
    }

    /// Makes a type set that has a name and nothing else, not even a version of Pcore.
    fn of_name(name: &Value) -> Self {
        Self(Arc::new(Definition {
            authority: None,
            name: Some(name.to_string().into()),
            version: None,
            pcore_version: String::new(),
            pcore_uri: None,
            types: Hash::new(),
            references: Hash::new(),
        }))
    }

    fn checked(
        name: Option<Str>,
        init: &Hash,
        types: impl FnOnce(&Hash) -> Result<Hash>,
    ) -> Result<Definition> {
        let value = Value::from(init.clone());
        if !init_type().has(&value) {
            let text = mismatch::describe_value("TypeSet initializer has wrong type,", &init_type(), &value);
            return Err(issues::object_initializer(&text));
        }
        let text = |key: &str| init.get_str(key).map(Value::to_string);
        let name = name.or_else(|| text("name").map(Str::from));
        let label = name.clone().unwrap_or_default();
        let pcore_version = text("pcore_version").unwrap_or_default();
        if !SemVerRange::parse("1.x")?.includes(&SemVer::parse(&pcore_version)?) {
            return Err(issues::pcore_version(&label, &pcore_version));
        }
        let version = text("version").map(|version| SemVer::parse(&version)).transpose()?;
        Ok(Definition {
            authority: text("name_authority"),
            version: version.map(|version| version.to_string()),
            pcore_version,
            pcore_uri: text("pcore_uri"),
            types: types(init)?,
            references: init.get_str("references").and_then(Value::as_hash).cloned().unwrap_or_default(),
            name,
        })
    }

    /// Returns the name of the set.
    pub fn full_name(&self) -> Option<&Str> {
        self.0.name.as_ref()
    }

    /// Finds a type of the set by its simple name, whose case does not matter.
    pub fn get(&self, name: &str) -> Option<&Type> {
        let is_named = |key: &Value| key.as_str().is_some_and(|key| key.eq_ignore_ascii_case(name));
        self.0.types.iter().find(|(key, _)| is_named(key)).and_then(|(_, type_)| type_.as_type())
    }

    /// Walks over the types of the set by simple name.
    pub fn types(&self) -> impl Iterator<Item = (&str, &Type)> {
        self.0.types.iter().filter_map(|(name, type_)| Some((name.as_str()?, type_.as_type()?)))
    }

    fn init_hash(&self) -> Hash {
        let mut hash = Hash::new();
        let definition = &self.0;
        let mut put = |key: &str, value: Option<Value>| value.map(|value| hash.insert(key, value));
        put("pcore_uri", definition.pcore_uri.clone().map(Value::from));
        put("pcore_version", Some(definition.pcore_version.clone().into()));
        put("name_authority", definition.authority.clone().map(Value::from));
        put("name", Some(definition.name.clone().into()));
        put("version", definition.version.clone().map(Value::from));
        put("types", Some(&definition.types).filter(|types| !types.is_empty()).cloned().map(Value::from));
        put(
            "references",
            Some(&definition.references).filter(|types| !types.is_empty()).cloned().map(Value::from),
        );
        hash
    }

    fn is_bare(&self) -> bool {
        self.0.name.as_deref() == Some("DefaultTypeSet")
    }

    fn identity(&self) -> (&Option<String>, &Option<Str>, &Option<String>) {
        (&self.0.authority, &self.0.name, &self.0.version)
    }
}

/// Makes the types of a set: a hash is the initializer of an object type, a type gets an alias.
fn types(set: &str, init: &Hash) -> Result<Hash> {
    let mut types = Hash::new();
    for (name, spec) in init.get_str("types").and_then(Value::as_hash).into_iter().flatten() {
        let full = format!("{set}::{name}");
        let type_: Type = match spec {
            Value::Hash(init) => ObjectType::named(full, init)?.into(),
            Value::Type(type_) => AliasType::of(full, type_)?,
            other => {
                let text = mismatch::describe_value(
                    "TypeSet initializer has wrong type,",
                    &Type::type_type(),
                    other,
                );
                return Err(issues::object_initializer(&text));
            }
        };
        types.insert(name.clone(), type_);
    }
    Ok(types)
}

impl PartialEq for TypeSetType {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for TypeSetType {}

impl std::hash::Hash for TypeSetType {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl Rules for TypeSetType {
    fn name(&self) -> &str {
        self.0.name.as_deref().unwrap_or("TypeSet")
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "TypeSet",
            parameters: "{ … }",
            what: "Types that belong together, with a version",
        })
    }

    fn write(&self, printer: &mut Printer) {
        printer.type_set(self.name(), &self.init_hash());
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Type(type_) if matches!(type_.kind(), Kind::TypeSet(_)))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::TypeSet(other) if self.is_bare() || self == other)
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.types().for_each(|(_, type_)| visit(type_));
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        match &flattened(keys)[..] {
            [key] if is_nothing(key) => Ok(Type::from(Self::default()).into()),
            [Value::Hash(init)] => Ok(Type::from(Self::of_hash(None, init)?).into()),
            [name] => {
                assert_value("TypeSet name", &type_name(), name)?;
                Ok(Type::from(Self::of_name(name)).into())
            }
            keys => Err(KeyError::whole(issues::type_slice_arity("TypeSet-Type", 1, None, keys.len()))),
        }
    }
}

/// Tells whether a key says nothing, so that the bare type is meant.
fn is_nothing(key: &Value) -> bool {
    match key {
        Value::Undef => true,
        Value::String(name) => name.is_empty(),
        Value::Hash(init) => init.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn a_type_set_says_what_is_wrong_with_it() {
        check_facts(&[
            (
                "TypeSet[{}]",
                "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]",
            ),
            ("TypeSet[{pcore_version => '1.0.0'}]", "TypeSet[{pcore_version => '1.0.0', name => undef}]"),
            (
                "TypeSet[{pcore_version => '2.0.0', name => 'A'}]",
                "The pcore version for TypeSet 'A' is not understood by this runtime. Expected range 1.x, got 2.0.0",
            ),
            (
                "TypeSet[{pcore_version => 'x', name => 'A'}]",
                "Unable to parse 'x' as a semantic version identifier",
            ),
            (
                "TypeSet[{pcore_version => '1.0.0', name => 'a'}]",
                r"TypeSet initializer has wrong type, entry 'name' expects a match for Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/], got 'a'",
            ),
            (
                "TypeSet[{pcore_version => '1.0.0', version => '1'}]",
                "Unable to parse '1' as a semantic version identifier",
            ),
            (
                "TypeSet[{pcore_version => '1.0.0', types => {}}]",
                "TypeSet initializer has wrong type, entry 'types' expects size to be at least 1, got 0",
            ),
            (
                "TypeSet[{pcore_version => '1.0.0', types => {low => Integer}}]",
                r"TypeSet initializer has wrong type, entry 'types' key of entry 'low' expects a match for Pattern[/\A[A-Z]\w*\z/], got 'low'",
            ),
            (
                "TypeSet[{pcore_version => '1.0.0', name => 'A', types => {'B' => 1}}]",
                "TypeSet initializer has wrong type, entry 'types' entry 'B' expects a value of type Type or Struct, got Integer",
            ),
            (
                "TypeSet[{pcore_version => '1.0.0', more => 1}]",
                "TypeSet initializer has wrong type, unrecognized key 'more'",
            ),
        ]);
    }
}
