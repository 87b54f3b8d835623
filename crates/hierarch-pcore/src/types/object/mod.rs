//! `Object[{…}]`: types with attributes and functions, made by programs.

mod define;
mod member;

use super::guide::Guide;
use std::hash::{Hash as StdHash, Hasher};
use std::sync::{Arc, OnceLock};

use hierarch_source::Result;
use indexmap::IndexMap;

use super::build::{KeyError, Keyed, flattened};
use super::builtin::as_object;
use super::{Element, Guard, Kind, ObjectExtensionType, Printer, Rules, StructType, Type};
use crate::value::Object;
use crate::{Hash, Str, Value, infer, issues};

pub(super) use define::{annotations_type, assert_value, init_type};
pub use member::{Attribute, AttributeKind, Member};

/// An object type. It is declared first and defined after, so that its attributes may have its own type.
#[derive(Clone)]
pub struct ObjectType(Arc<DeclaredMembers>);

struct DeclaredMembers {
    name: Option<Str>,
    body: OnceLock<Body>,
}

/// What an object type is made of.
#[derive(Clone, PartialEq, Default)]
struct Body {
    parent: Option<Type>,
    type_parameters: IndexMap<Str, Attribute>,
    attributes: IndexMap<Str, Attribute>,
    functions: IndexMap<Str, Member>,
    equality: Option<Vec<Str>>,
    ignores_type: bool,
    checks: Option<Value>,
    annotations: Option<Value>,
}

impl Default for ObjectType {
    /// The bare `Object`, which all object types fit.
    fn default() -> Self {
        let body = OnceLock::new();
        let _ = body.set(Body::default());
        Self(Arc::new(DeclaredMembers { name: None, body }))
    }
}

impl ObjectType {
    /// Declares an object type that is not defined yet.
    pub fn declare(name: impl Into<Str>) -> Self {
        Self(Arc::new(DeclaredMembers { name: Some(name.into()), body: OnceLock::new() }))
    }

    /// Makes a named object type of its initializer.
    pub fn named(name: impl Into<Str>, init: &Hash) -> Result<Self> {
        let object = Self::declare(name);
        object.define(init)?;
        Ok(object)
    }

    /// Makes an object type of which nothing but the name is known.
    pub(in crate::types) fn empty(name: impl Into<Str>) -> Self {
        let object = Self::declare(name);
        let _ = object.0.body.set(Body::default());
        object
    }

    /// Makes an object type of an initializer that may name it.
    pub fn of_hash(init: &Hash) -> Result<Self> {
        if init.is_empty() {
            return Ok(Self::default());
        }
        let name = init.get_str("name").and_then(Value::as_str).map(Str::from);
        let object = Self(Arc::new(DeclaredMembers { name, body: OnceLock::new() }));
        object.define(init)?;
        Ok(object)
    }

    /// Defines the type by its initializer.
    pub fn define(&self, init: &Hash) -> Result<()> {
        let body = define::body(self, init)?;
        let _ = self.0.body.set(body);
        Ok(())
    }

    /// Returns the full name; an unnamed type has none.
    pub fn full_name(&self) -> Option<&Str> {
        self.0.name.as_ref()
    }

    /// Returns the name, or the word `Object`.
    pub fn label(&self) -> &str {
        self.0.name.as_deref().unwrap_or("Object")
    }

    /// Returns the type it inherits from.
    pub fn parent(&self) -> Option<&Type> {
        self.body().and_then(|body| body.parent.as_ref())
    }

    /// Returns the attributes, inherited ones first.
    pub fn attributes(&self) -> IndexMap<Str, Attribute> {
        self.collected(|body| &body.attributes)
    }

    /// Returns the functions, inherited ones first.
    pub fn functions(&self) -> IndexMap<Str, Member> {
        self.collected(|body| &body.functions)
    }

    /// Returns the type parameters, inherited ones first.
    pub fn type_parameters(&self) -> IndexMap<Str, Attribute> {
        self.collected(|body| &body.type_parameters)
    }

    /// Returns an attribute by name, inherited ones included.
    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        let own = self.body()?.attributes.get(name).cloned();
        own.or_else(|| self.parent_object()?.attribute(name))
    }

    /// Returns a function by name, inherited ones included.
    pub fn function(&self, name: &str) -> Option<Member> {
        let own = self.body()?.functions.get(name).cloned();
        own.or_else(|| self.parent_object()?.function(name))
    }

    /// Returns the names of the attributes by which instances compare.
    pub fn equality_attributes(&self) -> Vec<Str> {
        let mut names = self.parent_object().map_or_else(Vec::new, |parent| parent.equality_attributes());
        let Some(body) = self.body() else { return names };
        match &body.equality {
            Some(own) => names.extend(own.iter().cloned()),
            None => {
                names.extend(body.attributes.values().filter(|a| !a.is_constant()).map(|a| a.name().clone()));
            }
        }
        names
    }

    /// Tells whether instances of other types may be equal.
    pub fn equality_ignores_type(&self) -> bool {
        self.body().is_some_and(|body| body.ignores_type)
    }

    /// Returns the struct that the initializer of an instance must be.
    pub fn init_struct(&self) -> StructType {
        let element = |attribute: &Attribute| {
            if attribute.may_be_left_out() {
                Element::optional(attribute.name().clone(), attribute.type_().clone())
            } else {
                Element::required(attribute.name().clone(), attribute.type_().clone())
            }
        };
        StructType::new(
            self.attributes().values().filter(|attribute| attribute.is_given()).map(element).collect(),
        )
    }

    /// Returns the attributes in the order in which the constructor takes them: those that must be given first.
    pub fn constructor(&self) -> Vec<Attribute> {
        let given = self.attributes().into_values().filter(Attribute::is_given);
        let (optional, required): (Vec<_>, Vec<_>) = given.partition(|attribute| attribute.value().is_some());
        required.into_iter().chain(optional).collect()
    }

    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    fn body(&self) -> Option<&Body> {
        self.0.body.get()
    }

    fn parent_object(&self) -> Option<ObjectType> {
        as_object(self.parent()?)
    }

    fn is_bare(&self) -> bool {
        self.0.name.is_none() && self.body() == Some(&Body::default())
    }

    fn collected<T: Clone>(&self, own: fn(&Body) -> &IndexMap<Str, T>) -> IndexMap<Str, T> {
        let mut all = self.parent_object().map_or_else(IndexMap::new, |parent| parent.collected(own));
        if let Some(body) = self.body() {
            all.extend(own(body).iter().map(|(name, member)| (name.clone(), member.clone())));
        }
        all
    }

    /// Returns what the definition says about the type itself, by types of annotations.
    pub fn annotations(&self) -> Option<&Value> {
        self.body()?.annotations.as_ref()
    }

    /// Returns the initializer that would make this type again.
    pub fn init_hash(&self) -> Hash {
        let mut hash = Hash::new();
        let Some(body) = self.body() else { return hash };
        if let Some(annotations) = &body.annotations {
            hash.insert("annotations", annotations.clone());
        }
        if let Some(name) = &self.0.name {
            hash.insert("name", name.clone());
        }
        if let Some(parent) = &body.parent {
            hash.insert("parent", parent.clone());
        }
        if !body.type_parameters.is_empty() {
            hash.insert(
                "type_parameters",
                members(body.type_parameters.values().map(Attribute::parameter_init)),
            );
        }
        let is_plain = |attribute: &&Attribute| {
            let value = attribute.value().unwrap_or(&Value::Undef);
            attribute.is_constant() && *attribute.type_() == infer::generic(value)
        };
        let (constants, others): (Vec<_>, Vec<_>) = body.attributes.values().partition(is_plain);
        if !others.is_empty() {
            hash.insert("attributes", members(others.into_iter().map(Attribute::init)));
        }
        if !constants.is_empty() {
            let value = |attribute: &Attribute| {
                (attribute.name().clone(), attribute.value().cloned().unwrap_or_default())
            };
            hash.insert("constants", constants.into_iter().map(value).collect::<Hash>());
        }
        if !body.functions.is_empty() {
            hash.insert("functions", members(body.functions.values().map(Member::init)));
        }
        if let Some(equality) = &body.equality {
            hash.insert("equality", Value::array(equality.iter().cloned().map(Value::from).collect()));
        }
        if let Some(checks) = &body.checks {
            hash.insert("checks", checks.clone());
        }
        hash
    }
}

/// Makes a hash of members; one of which only the type is known is that type.
fn members(all: impl Iterator<Item = (Str, Hash)>) -> Hash {
    all.map(|(name, init)| match init.get_str("type") {
        Some(type_) if init.len() == 1 => (name, type_.clone()),
        _ => (name, init.into()),
    })
    .collect()
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.name == other.0.name && self.0.name.is_some())
            || (self.0.name == other.0.name && self.body() == other.body())
    }
}

impl Eq for ObjectType {}

impl StdHash for ObjectType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl Rules for ObjectType {
    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Object", parameters: "{ … }", what: "Instances of types with attributes" })
    }

    fn name(&self) -> &str {
        self.label().rsplit("::").next().unwrap_or_default()
    }

    fn write(&self, printer: &mut Printer) {
        printer.object(self);
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        match value {
            Value::Object(object) => Type::from(self.clone()).accepts_guarded(object.type_(), guard),
            // All types are objects of Pcore's own types to the reference.
            Value::Type(type_) => self.is_bare() || crate::types::pcore::is_instance(type_, self.label()),
            Value::Foreign(foreign) => self.accepts(&foreign.inferred(), guard),
            _ => false,
        }
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        match other.kind() {
            Kind::Object(other) => {
                self.is_bare()
                    || self == other
                    || other
                        .parent()
                        .is_some_and(|parent| Type::from(self.clone()).accepts_guarded(parent, guard))
            }
            Kind::ObjectExtension(other) => self.accepts(&other.base().clone().into(), guard),
            _ => false,
        }
    }

    fn element(&self) -> Option<Type> {
        self.parent()?.element()
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        let Some(body) = self.body() else { return };
        body.parent.iter().for_each(&mut *visit);
        body.attributes.values().for_each(|attribute| visit(attribute.type_()));
        body.functions.values().for_each(|function| visit(function.type_()));
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if self.0.name.is_some() {
            return Ok(Type::from(ObjectExtensionType::new(self.clone(), &keys)?).into());
        }
        match &keys[..] {
            [Value::Hash(init)] => Ok(Type::from(Self::of_hash(init)?).into()),
            [Value::Undef] => Ok(Type::from(Self::of_hash(&Hash::new())?).into()),
            [Value::String(name)] if name.is_empty() => Ok(Type::from(Self::of_hash(&Hash::new())?).into()),
            [other] => {
                define::assert_value("object name", &define::type_name(), other)?;
                let init = Hash::from_iter([(Value::from("name"), other.clone())]);
                Ok(Type::from(Self::of_hash(&init)?).into())
            }
            keys => Err(KeyError::whole(issues::type_slice_arity("Object-Type", 1, None, keys.len()))),
        }
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(Arc::new(object))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// What must be given comes first, then what has a value; constants and derived attributes are not taken.
    const A_CONSTRUCTOR_TAKES_ATTRIBUTES_IN_ITS_ORDER: &[(&str, &str)] = &[
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA('x')",
            "A({'b' => 'x'})",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA('x', 1)",
            "A({'a' => 1, 'b' => 'x'})",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA('x', 7)",
            "A({'b' => 'x'})",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA({b => 'x'})",
            "A({'b' => 'x'})",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA({a => 3, b => 'x'})",
            "A({'a' => 3, 'b' => 'x'})",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA({a => 3})",
            "The function 'new_A' was called with arguments it does not accept. It expects one of:\n  (Struct[{Optional['a'] => Integer, 'b' => String}] hash)\n    rejected: parameter 'hash' expects a value for key 'b'\n  (String b, Integer a?)\n    rejected: parameter 'b' expects a String value, got Struct",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA(3)",
            "The function 'new_A' was called with arguments it does not accept. It expects one of:\n  (Struct[{Optional['a'] => Integer, 'b' => String}] hash)\n    rejected: parameter 'hash' expects a Struct value, got Integer\n  (String b, Integer a?)\n    rejected: parameter 'b' expects a String value, got Integer",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA()",
            "'new_A' expects between 1 and 2 arguments, got none",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA('x', 1, 2)",
            "'new_A' expects between 1 and 2 arguments, got 3",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA({b => 'x', c => 1})",
            "The function 'new_A' was called with arguments it does not accept. It expects one of:\n  (Struct[{Optional['a'] => Integer, 'b' => String}] hash)\n    rejected: parameter 'hash' unrecognized key 'c'\n  (String b, Integer a?)\n    rejected: parameter 'b' expects a String value, got Struct",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 7}, b => String}}]\nA('x', undef)",
            "The function 'new_A' was called with arguments it does not accept. It expects one of:\n  (Struct[{Optional['a'] => Integer, 'b' => String}] hash)\n    rejected: expects 1 argument, got 2\n  (String b, Integer a?)\n    rejected: parameter 'a' expects an Integer value, got Undef",
        ),
        ("type A = Object[{attributes => {a => Optional[Integer]}}]\nA()", "A({})"),
        ("type A = Object[{attributes => {a => Optional[Integer]}}]\nA(undef)", "A({})"),
        ("type A = Object[{attributes => {a => Optional[Integer]}}]\nA(1)", "A({'a' => 1})"),
        (
            "type A = Object[{attributes => {a => Integer, b => {type => Integer, kind => constant, value => 1}}}]\nA(3)",
            "A({'a' => 3})",
        ),
        (
            "type A = Object[{attributes => {a => Integer, b => {type => Integer, kind => constant, value => 1}}}]\nA(3, 4)",
            "'new_A' expects 1 argument, got 2",
        ),
        ("type A = Object[{attributes => {h => Hash}}]\nA({h => {a => 1}})", "A({'h' => {'a' => 1}})"),
        ("type A = Object[{attributes => {h => Hash}}]\nA({a => 1})", "A({'h' => {'a' => 1}})"),
        ("type A = Object[{}]\nA()", "A({})"),
        ("type A = Object[{}]\nA({})", "A({})"),
    ];

    #[test]
    fn a_constructor_takes_attributes_in_its_order() {
        check_facts(A_CONSTRUCTOR_TAKES_ATTRIBUTES_IN_ITS_ORDER);
    }

    #[test]
    fn a_child_takes_what_its_parent_takes() {
        check_facts(&[
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {b => String}}]\nB(1, 'x')",
                "B({'a' => 1, 'b' => 'x'})",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {b => String}}]\nB('x', 1)",
                "The function 'new_B' was called with arguments it does not accept. It expects one of:\n  (Struct[{'a' => Integer, 'b' => String}] hash)\n    rejected: expects 1 argument, got 2\n  (Integer a, String b)\n    rejected: parameter 'a' expects an Integer value, got String",
            ),
            (
                "type A = Object[{attributes => {a => {type => Integer, value => 1}}}]\ntype B = Object[{parent => A, attributes => {b => String}}]\nB('x')",
                "B({'b' => 'x'})",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {a => {type => Integer[5], override => true}}}]\nB(4)",
                "The function 'new_B' was called with arguments it does not accept. It expects one of:\n  (Struct[{'a' => Integer[5]}] hash)\n    rejected: parameter 'hash' expects a Struct value, got Integer\n  (Integer[5] a)\n    rejected: parameter 'a' expects an Integer[5] value, got Integer[4, 4]",
            ),
        ]);
    }

    #[test]
    fn types_of_objects_are_written_with_what_they_say() {
        check_facts(&[
            ("Object", "Object[{}]"),
            ("Object[{}]", "Object[{}]"),
            ("Object['Own']", "Object[{name => 'Own'}]"),
            (
                "Object[{name => 'Own', attributes => {a => Integer}}]",
                "Object[{name => 'Own', attributes => {'a' => Integer}}]",
            ),
            (
                "Object[{attributes => {a => {type => Integer, value => 1}, b => {type => String, kind => derived}}}]",
                "Object[{attributes => {'a' => {type => Integer, value => 1}, 'b' => {type => String, kind => derived}}}]",
            ),
            (
                "Object[{attributes => {a => {type => Integer, kind => reference, final => true}}}]",
                "Object[{attributes => {'a' => {type => Integer, final => true, kind => reference}}}]",
            ),
            (
                "Object[{constants => {a => 'x'}, attributes => {b => {type => Numeric, kind => constant, value => 1}}}]",
                "Object[{attributes => {'b' => {type => Numeric, kind => constant, value => 1}}, constants => {'a' => 'x'}}]",
            ),
            (
                "Object[{type_parameters => {p => Integer, q => {type => String, value => 'x'}}, attributes => {p => Integer}}]",
                "Object[{type_parameters => {'p' => Integer, 'q' => {'type' => String, 'value' => 'x'}}, attributes => {'p' => Integer}}]",
            ),
            (
                "Object[{functions => {f => Callable[[Integer], String], '[]' => {type => Callable, final => true}}}]",
                "Object[{functions => {'f' => Callable[[Integer], String], '[]' => {type => Callable, final => true}}}]",
            ),
            (
                "Object[{equality => [], checks => {a => 1}}]",
                "Object[{equality => [], checks => {'a' => 1}}]",
            ),
            ("Array[Object[{name => 'Own', attributes => {a => Integer}}]]", "Array[Own]"),
        ]);
    }
}
