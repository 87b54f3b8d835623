//! Instances of object types.

use std::fmt;
use std::hash::{Hash as StdHash, Hasher};

use super::Value;
use crate::types::{AttributeKind, Kind, ObjectType, Printer};
use crate::{Hash, Type};

/// An instance: its type, and a value for every attribute that is given or has a default.
#[derive(Clone)]
pub struct Object {
    type_: Type,
    values: Hash,
}

impl Object {
    /// Makes an instance of values that were checked against the type; what is missing gets its default.
    pub fn new(type_: &ObjectType, given: &Hash) -> Self {
        let mut values = Hash::new();
        for attribute in type_.constructor() {
            let value = given.get_str(attribute.name()).or(attribute.value()).cloned();
            values.insert(attribute.name().clone(), value);
        }
        Self { type_: type_.clone().into(), values }
    }

    /// Returns the type.
    pub fn type_(&self) -> &Type {
        &self.type_
    }

    /// Returns the type as an object type.
    pub fn object_type(&self) -> Option<&ObjectType> {
        match self.type_.kind() {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the full name of the type.
    pub fn type_name(&self) -> &str {
        self.object_type().map_or("Object", ObjectType::label)
    }

    /// Returns the value of an attribute, constants included; derived ones have none here.
    pub fn get(&self, name: &str) -> Option<Value> {
        let given = self.values.get_str(name).cloned();
        given.or_else(|| {
            let attribute = self.object_type()?.attribute(name)?;
            (attribute.kind() == Some(AttributeKind::Constant)).then(|| attribute.value().cloned()).flatten()
        })
    }

    /// Returns the values that the constructor takes.
    pub fn values(&self) -> &Hash {
        &self.values
    }

    /// Returns what the constructor would have to be given: the values that differ from the defaults, in the order of the attributes.
    pub fn init_hash(&self) -> Hash {
        let Some(type_) = self.object_type() else { return self.values.clone() };
        let attributes = type_.attributes();
        let given = attributes.values().filter_map(|attribute| {
            let value = self.values.get_str(attribute.name())?;
            (attribute.value() != Some(value)).then(|| (attribute.name().clone(), value.clone()))
        });
        // What no attribute stands for comes last.
        let is_own = |name: &Value| name.as_str().is_some_and(|name| attributes.contains_key(name));
        let others = self.values.iter().filter(|(name, _)| !is_own(name));
        let mut hash: Hash = given.collect();
        others.for_each(|(name, value)| {
            hash.insert(name.clone(), value.clone());
        });
        hash
    }

    fn equality(&self) -> Vec<Option<Value>> {
        let names = self.object_type().map_or_else(Vec::new, ObjectType::equality_attributes);
        names.iter().map(|name| self.get(name)).collect()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        let ignores_type = self.object_type().is_some_and(ObjectType::equality_ignores_type);
        (ignores_type || self.type_ == other.type_) && self.equality() == other.equality()
    }
}

impl Eq for Object {}

impl StdHash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.equality().hash(state);
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.type_name(), Printer::value_text(&self.init_hash().into(), None))
    }
}
