//! From the initializer of an object type to its members, with all that can be wrong about it.

use hierarch_source::Result;
use indexmap::IndexMap;

use super::{Attribute, AttributeKind, Body, Member, ObjectType};
pub(super) use crate::types::builtin::type_name;
use crate::types::builtin::{member_name, struct_of};
use crate::types::{EnumType, HashType, Kind, Type, VariantType};
use crate::{Hash, Str, Value, infer, issues, mismatch};

/// Returns the type that an initializer must have.
pub(in crate::types) fn init_type() -> Type {
    let named = |value: Type| Type::from(HashType::new(member_name(), value, None));
    let functions = Type::from(HashType::new(
        VariantType::of(vec![member_name(), Type::exact_string("[]")]),
        Type::not_undef(),
        None,
    ));
    let equality = VariantType::of(vec![member_name(), Type::array_of(member_name())]);
    struct_of(&[
        ("name", type_name(), true),
        ("parent", Type::type_type(), true),
        ("type_parameters", named(Type::not_undef()), true),
        ("attributes", named(Type::not_undef()), true),
        ("constants", named(Type::any()), true),
        ("functions", functions, true),
        ("equality", equality, true),
        ("equality_include_type", Type::boolean(), true),
        ("checks", Type::any(), true),
        ("annotations", annotations_type(), true),
    ])
}

/// What annotations are: initializers by the types of annotations.
pub(in crate::types) fn annotations_type() -> Type {
    // Not looked up by name: every definition would ask for the definition of annotations.
    let annotation = Type::from(ObjectType::empty("Annotation"));
    let members = Type::from(HashType::new(member_name(), Type::any(), None));
    Type::optional_of(HashType::new(Type::type_of(annotation), members, None).into())
}

fn attribute_type() -> Type {
    let kinds = ["constant", "derived", "given_or_derived", "reference"].map(Str::from);
    struct_of(&[
        ("type", Type::type_type(), false),
        ("final", Type::boolean(), true),
        ("override", Type::boolean(), true),
        ("kind", EnumType::new(kinds, false).into(), true),
        ("value", Type::any(), true),
        ("annotations", annotations_type(), true),
    ])
}

fn function_type() -> Type {
    struct_of(&[
        ("type", Type::type_of(Type::callable()), false),
        ("final", Type::boolean(), true),
        ("override", Type::boolean(), true),
        ("annotations", annotations_type(), true),
    ])
}

/// Makes what an object type consists of.
pub(super) fn body(object: &ObjectType, init: &Hash) -> Result<Body> {
    assert_value("object initializer", &init_type(), &init.clone().into())?;
    let label = object.label().to_owned();
    let parent = init.get_str("parent").and_then(Value::as_type).cloned();
    let ancestor = parent_of(object, parent.as_ref())?;
    let type_parameters = type_parameters(&label, init)?;
    let attributes = attributes(&label, init, ancestor.as_ref())?;
    let functions = functions(&label, init, &attributes, ancestor.as_ref())?;
    let ignores_type = init.get_str("equality_include_type").and_then(Value::as_boolean) == Some(false);
    let mut body = Body {
        parent,
        type_parameters,
        attributes,
        functions,
        ignores_type,
        equality: None,
        checks: init.get_str("checks").cloned(),
        annotations: init.get_str("annotations").cloned(),
    };
    body.equality = equality(&label, init, &body, ancestor.as_ref())?;
    Ok(body)
}

pub(in crate::types) fn assert_value(subject: &str, wanted: &Type, value: &Value) -> Result<()> {
    if wanted.has(value) {
        return Ok(());
    }
    Err(issues::object_initializer(&mismatch::describe_value(
        &format!("{subject} has wrong type,"),
        wanted,
        value,
    )))
}

/// Returns the object type inherited from; an unknown one, or the type itself, is an error.
fn parent_of(object: &ObjectType, parent: Option<&Type>) -> Result<Option<ObjectType>> {
    let Some(parent) = parent else { return Ok(None) };
    let resolved = parent.resolved();
    match resolved.kind() {
        Kind::Reference(reference) => Err(issues::unresolved_parent(reference.text())),
        Kind::Object(ancestor) => {
            let mut next = Some(ancestor.clone());
            while let Some(current) = next {
                if current.address() == object.address() {
                    return Err(issues::inherits_itself(object.label()));
                }
                next = current.parent_object();
            }
            Ok(Some(ancestor.clone()))
        }
        _ => Ok(None),
    }
}

fn type_parameters(label: &str, init: &Hash) -> Result<IndexMap<Str, Attribute>> {
    let mut parameters = IndexMap::new();
    for (name, spec) in hash_at(init, "type_parameters") {
        let (type_, value) = match spec {
            Value::Hash(spec) => {
                (spec.get_str("type").and_then(Value::as_type).cloned(), spec.get_str("value").cloned())
            }
            other => (other.as_type().cloned(), None),
        };
        let subject = format!("type_parameter {label}[{name}]");
        let type_ = type_.ok_or_else(|| {
            issues::object_initializer(&mismatch::describe_value(
                &format!("{subject} has wrong type,"),
                &Type::type_type(),
                spec,
            ))
        })?;
        let type_ = if matches!(type_.kind(), Kind::Optional(_)) { type_ } else { Type::optional_of(type_) };
        let name = key_text(name);
        let member =
            Member { name: name.clone(), container: label.into(), type_, overrides: false, is_final: false };
        parameters.insert(name, Attribute { member, kind: None, value });
    }
    Ok(parameters)
}

fn attributes(label: &str, init: &Hash, ancestor: Option<&ObjectType>) -> Result<IndexMap<Str, Attribute>> {
    let mut attributes = IndexMap::new();
    for (name, spec) in hash_at(init, "attributes") {
        let name = key_text(name);
        let spec = attribute_spec(label, &name, spec)?;
        attributes.insert(name.clone(), checked(attribute(label, &name, &spec)?, ancestor)?);
    }
    for (name, value) in hash_at(init, "constants") {
        let name = key_text(name);
        if attributes.contains_key(&name) {
            return Err(issues::constant_and_attribute(label, &name));
        }
        let overrides = ancestor
            .is_some_and(|parent| parent.attribute(&name).is_some() || parent.function(&name).is_some());
        let mut spec: Hash =
            [("type", Value::from(infer::generic(value))), ("value", value.clone())].into_iter().collect();
        spec.insert("kind", "constant");
        spec.insert("override", overrides);
        attributes.insert(name.clone(), checked(attribute(label, &name, &spec)?, ancestor)?);
    }
    Ok(attributes)
}

/// Returns the specification of an attribute; a type alone is one, and if optional has `undef` as value.
fn attribute_spec(label: &str, name: &str, spec: &Value) -> Result<Hash> {
    if let Value::Hash(spec) = spec {
        return Ok((**spec).clone());
    }
    assert_value(&format!("attribute {label}[{name}]"), &Type::type_type(), spec)?;
    let mut hash: Hash = [("type", spec.clone())].into_iter().collect();
    if spec.as_type().is_some_and(|type_| matches!(type_.kind(), Kind::Optional(_))) {
        hash.insert("value", Value::Undef);
    }
    Ok(hash)
}

fn attribute(label: &str, name: &Str, spec: &Hash) -> Result<Attribute> {
    let subject = format!("attribute {label}[{name}]");
    assert_value(&format!("initializer for {subject}"), &attribute_type(), &spec.clone().into())?;
    if matches!(&**name, "__ptype" | "__pvalue") {
        return Err(issues::reserved_attribute(name));
    }
    let mut member = member(label, name, spec);
    let kind = spec.get_str("kind").and_then(Value::as_str).and_then(AttributeKind::named);
    let value = spec.get_str("value").cloned();
    match kind {
        Some(AttributeKind::Constant) => {
            if spec.get_str("final").and_then(Value::as_boolean) == Some(false) {
                return Err(issues::unfinal_constant(&subject));
            }
            if value.is_none() {
                return Err(issues::constant_without_value(&subject));
            }
            member.is_final = true;
        }
        Some(kind @ (AttributeKind::Derived | AttributeKind::GivenOrDerived)) if value.is_some() => {
            return Err(issues::derived_with_value(&subject, kind.name()));
        }
        _ => {}
    }
    if let Some(value) = &value
        && !matches!(value, Value::Default)
    {
        assert_value(&format!("{subject} value"), &member.type_, value)?;
    }
    Ok(Attribute { member, kind, value })
}

fn member(label: &str, name: &Str, spec: &Hash) -> Member {
    let flag = |key: &str| spec.get_str(key).and_then(Value::as_boolean).unwrap_or(false);
    Member {
        name: name.clone(),
        container: label.to_owned(),
        type_: spec.get_str("type").and_then(Value::as_type).cloned().unwrap_or_else(Type::any),
        overrides: flag("override"),
        is_final: flag("final"),
    }
}

/// Checks an attribute against what it inherits.
fn checked(attribute: Attribute, ancestor: Option<&ObjectType>) -> Result<Attribute> {
    let name = attribute.name().clone();
    let inherited = ancestor.and_then(|parent| parent.attribute(&name));
    if let Some(function) = ancestor.and_then(|parent| parent.function(&name)) {
        return Err(issues::overrides(&attribute.label(), &function.label("function")));
    }
    let both_constant = inherited.as_ref().is_some_and(Attribute::is_constant) && attribute.is_constant();
    check_override(
        &attribute.member,
        inherited.as_ref().map(|inherited| &inherited.member),
        "attribute",
        both_constant,
    )?;
    Ok(attribute)
}

fn check_override(
    member: &Member,
    inherited: Option<&Member>,
    feature: &str,
    both_constant: bool,
) -> Result<()> {
    let label = member.label(feature);
    let Some(inherited) = inherited else {
        return if member.overrides { Err(issues::overrides_nothing(&label, feature)) } else { Ok(()) };
    };
    let parent = inherited.label(feature);
    if inherited.is_final && !both_constant {
        return Err(issues::overrides_final(&label, &parent));
    }
    if !member.overrides {
        return Err(issues::overrides_silently(&label, &parent));
    }
    if !inherited.type_.accepts(&member.type_) {
        return Err(issues::overrides_with_other_type(&label, &parent));
    }
    Ok(())
}

fn functions(
    label: &str,
    init: &Hash,
    attributes: &IndexMap<Str, Attribute>,
    ancestor: Option<&ObjectType>,
) -> Result<IndexMap<Str, Member>> {
    let mut functions = IndexMap::new();
    for (name, spec) in hash_at(init, "functions") {
        let name = key_text(name);
        let spec = if let Value::Hash(spec) = spec {
            (**spec).clone()
        } else {
            assert_value(&format!("function {label}[{name}]"), &Type::type_of(Type::callable()), spec)?;
            [("type", spec.clone())].into_iter().collect()
        };
        assert_value(&format!("initializer for function '{name}'"), &function_type(), &spec.clone().into())?;
        let function = member(label, &name, &spec);
        if attributes.contains_key(&name) {
            return Err(issues::function_and_attribute(&function.label("function")));
        }
        if let Some(attribute) = ancestor.and_then(|parent| parent.attribute(&name)) {
            return Err(issues::overrides(&function.label("function"), &attribute.label()));
        }
        let inherited = ancestor.and_then(|parent| parent.function(&name));
        check_override(&function, inherited.as_ref(), "function", false)?;
        functions.insert(name, function);
    }
    Ok(functions)
}

/// Reads the names of attributes by which instances compare.
fn equality(
    label: &str,
    init: &Hash,
    body: &Body,
    ancestor: Option<&ObjectType>,
) -> Result<Option<Vec<Str>>> {
    let names: Vec<Str> = match init.get_str("equality") {
        None => return Ok(None),
        Some(Value::Array(names)) => names.iter().filter_map(|name| name.as_str().map(Str::from)).collect(),
        Some(name) => name.as_str().map(Str::from).into_iter().collect(),
    };
    if body.ignores_type && !names.is_empty() {
        return Err(issues::equality_without_type());
    }
    for name in &names {
        let inherited = ancestor.and_then(|parent| parent.attribute(name));
        if inherited.is_some() && ancestor.is_some_and(|parent| parent.equality_attributes().contains(name)) {
            let attribute = inherited.map(|attribute| attribute.label()).unwrap_or_default();
            return Err(issues::equality_of_parent(
                label,
                &attribute,
                ancestor.map_or("", ObjectType::label),
            ));
        }
        match body.attributes.get(name).cloned().or(inherited) {
            Some(attribute) if attribute.is_constant() => {
                return Err(issues::equality_of_constant(label, &attribute.label()));
            }
            Some(_) => {}
            None => match body.functions.get(name) {
                Some(function) => {
                    return Err(issues::equality_of_function(label, &function.label("function")));
                }
                None => return Err(issues::equality_of_nothing(label, name)),
            },
        }
    }
    Ok(Some(names))
}

fn hash_at<'a>(init: &'a Hash, key: &str) -> impl Iterator<Item = (&'a Value, &'a Value)> {
    init.get_str(key).and_then(Value::as_hash).into_iter().flatten()
}

fn key_text(key: &Value) -> Str {
    key.as_str().map_or_else(|| key.to_string().into(), Str::from)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// A name, a type or a hash that is not what an initializer may have.
    const AN_INITIALIZER_OF_ANOTHER_SHAPE_IS_REFUSED: &[(&str, &str)] = &[
        (
            "type A = Object[{attributes => {a => 1}}]\nA",
            "attribute A[a] has wrong type, expects a Type value, got Integer",
        ),
        (
            "type A = Object[{attributes => {a => {value => 1}}}]\nA",
            "initializer for attribute A[a] has wrong type, expects a value for key 'type'",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => odd}}}]\nA",
            "initializer for attribute A[a] has wrong type, entry 'kind' expects a match for Enum['constant', 'derived', 'given_or_derived', 'reference'], got 'odd'",
        ),
        (
            "type A = Object[{attributes => {'A' => Integer}}]\nA",
            r"object initializer has wrong type, entry 'attributes' key of entry 'A' expects a match for Pattern[/\A[a-z_]\w*\z/], got 'A'",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, more => 1}}}]\nA",
            "initializer for attribute A[a] has wrong type, unrecognized key 'more'",
        ),
        (
            "type A = Object[{attributes => Integer}]\nA",
            "object initializer has wrong type, entry 'attributes' expects a Hash value, got Type[Integer]",
        ),
        (
            "type A = Object[{nonsense => 1}]\nA",
            "object initializer has wrong type, unrecognized key 'nonsense'",
        ),
        (
            "type A = Object[{parent => 'B'}]\nA",
            "object initializer has wrong type, entry 'parent' expects a Type value, got String",
        ),
        (
            "type A = Object[{equality_include_type => 'no'}]\nA",
            "object initializer has wrong type, entry 'equality_include_type' expects a Boolean value, got String",
        ),
        (
            "type A = Object[{functions => {f => Integer}}]\nA",
            "function A[f] has wrong type, expects a Type[Callable] value, got Type[Integer]",
        ),
        (
            "type A = Object[{functions => {f => {type => Callable, final => 1}}}]\nA",
            "initializer for function 'f' has wrong type, entry 'final' expects a Boolean value, got Integer",
        ),
        (
            "type A = Object[{functions => {f => {}}}]\nA",
            "initializer for function 'f' has wrong type, expects size to be between 1 and 4, got 0",
        ),
        (
            "type A = Object[{type_parameters => {p => 1}}]\nA",
            "type_parameter A[p] has wrong type, expects a Type value, got Integer",
        ),
        (
            "Object[{name => 'a'}]",
            r"object initializer has wrong type, entry 'name' expects a match for Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/], got 'a'",
        ),
        (
            "Object['lower']",
            r"object name has wrong type, expects a match for Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/], got 'lower'",
        ),
        ("Object['A', 'B']", "Object-Type[] accepts 1 argument. Got 2"),
    ];

    #[test]
    fn an_initializer_of_another_shape_is_refused() {
        check_facts(AN_INITIALIZER_OF_ANOTHER_SHAPE_IS_REFUSED);
    }

    /// Programs, and what Puppet makes of them.
    const ATTRIBUTES_AND_THEIR_VALUES_MUST_AGREE: &[(&str, &str)] = &[
        (
            "type A = Object[{attributes => {a => {type => Integer, value => 'x'}}}]\nA",
            "attribute A[a] value has wrong type, expects an Integer value, got String",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, value => default}}}]\nA",
            "Object[{name => 'A', attributes => {'a' => {type => Integer, value => default}}}]",
        ),
        (
            "type A = Object[{attributes => {'__ptype' => Integer}}]\nA",
            "The attribute '__ptype' is reserved and cannot be used",
        ),
        (
            "type A = Object[{attributes => {'__pvalue' => Integer}}]\nA",
            "The attribute '__pvalue' is reserved and cannot be used",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => constant}}}]\nA",
            "attribute A[a] of kind 'constant' requires a value",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => constant, value => 1, final => false}}}]\nA",
            "attribute A[a] of kind 'constant' cannot be combined with final => false",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => constant, value => 1, final => true}}}]\nA",
            "Object[{name => 'A', constants => {'a' => 1}}]",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => derived, value => 1}}}]\nA",
            "attribute A[a] of kind 'derived' cannot be combined with an attribute value",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => given_or_derived, value => 1}}}]\nA",
            "attribute A[a] of kind 'given_or_derived' cannot be combined with an attribute value",
        ),
        (
            "type A = Object[{attributes => {a => {type => Integer, kind => reference, value => 1}}}]\nA",
            "Object[{name => 'A', attributes => {'a' => {type => Integer, kind => reference, value => 1}}}]",
        ),
        (
            "type A = Object[{attributes => {a => Integer}, constants => {a => 1}}]\nA",
            "attribute A[a] is defined as both a constant and an attribute",
        ),
        (
            "type A = Object[{attributes => {a => Integer}, functions => {a => Callable}}]\nA",
            "function A[a] conflicts with attribute with the same name",
        ),
        (
            "type A = Object[{constants => {a => 1, b => [1, 'x'], c => undef}}]\nA",
            "Object[{name => 'A', constants => {'a' => 1, 'b' => [1, 'x'], 'c' => undef}}]",
        ),
    ];

    #[test]
    fn attributes_and_their_values_must_agree() {
        check_facts(ATTRIBUTES_AND_THEIR_VALUES_MUST_AGREE);
    }

    #[test]
    fn what_is_inherited_is_overridden_only_on_purpose() {
        check_facts(&[
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {a => Integer}}]\nB",
                "attribute B[a] attempts to override attribute A[a] without having override => true",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {a => {type => Integer[1], override => true}}}]\nB",
                "Object[{name => 'B', parent => A, attributes => {'a' => {type => Integer[1], override => true}}}]",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {a => {type => Scalar, override => true}}}]\nB",
                "attribute B[a] attempts to override attribute A[a] with a type that does not match",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, attributes => {b => {type => Scalar, override => true}}}]\nB",
                "expected attribute B[b] to override an inherited attribute, but no such attribute was found",
            ),
            (
                "type A = Object[{attributes => {a => {type => Integer, final => true}}}]\ntype B = Object[{parent => A, attributes => {a => {type => Integer, override => true}}}]\nB",
                "attribute B[a] attempts to override final attribute A[a]",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, functions => {a => Callable}}]\nB",
                "function B[a] attempts to override attribute A[a]",
            ),
            (
                "type A = Object[{functions => {a => Callable}}]\ntype B = Object[{parent => A, attributes => {a => Integer}}]\nB",
                "attribute B[a] attempts to override function A[a]",
            ),
            (
                "type A = Object[{functions => {a => Callable[[Integer], Integer]}}]\ntype B = Object[{parent => A, functions => {a => Callable[[Integer], Integer]}}]\nB",
                "function B[a] attempts to override function A[a] without having override => true",
            ),
            (
                "type A = Object[{functions => {a => Callable[[Integer], Integer]}}]\ntype B = Object[{parent => A, functions => {a => {type => Callable[[Numeric], Integer], override => true}}}]\nB",
                "Object[{name => 'B', parent => A, functions => {'a' => {type => Callable[[Numeric], Integer], override => true}}}]",
            ),
            (
                "type A = Object[{functions => {a => Callable[[Integer], Integer]}}]\ntype B = Object[{parent => A, functions => {a => {type => Callable[[String], Integer], override => true}}}]\nB",
                "function B[a] attempts to override function A[a] with a type that does not match",
            ),
            (
                "type A = Object[{constants => {a => 1}}]\ntype B = Object[{parent => A, constants => {a => 2}}]\nB",
                "Object[{name => 'B', parent => A, constants => {'a' => 2}}]",
            ),
            (
                "type A = Object[{constants => {a => 1}}]\ntype B = Object[{parent => A, constants => {a => 'x'}}]\nB",
                "attribute B[a] attempts to override attribute A[a] with a type that does not match",
            ),
            ("type A = Object[{parent => A}]\nA", "The Object type 'A' inherits from itself"),
            ("type A = Object[{parent => Nope}]\nA", "reference to unresolved type 'Nope'"),
        ]);
    }

    #[test]
    fn equality_names_attributes_of_its_own() {
        check_facts(&[
            (
                "type A = Object[{attributes => {a => Integer}, equality => a}]\nA",
                "Object[{name => 'A', attributes => {'a' => Integer}, equality => ['a']}]",
            ),
            (
                "type A = Object[{attributes => {a => Integer}, equality => [a]}]\nA",
                "Object[{name => 'A', attributes => {'a' => Integer}, equality => ['a']}]",
            ),
            (
                "type A = Object[{attributes => {a => Integer}, equality => []}]\nA",
                "Object[{name => 'A', attributes => {'a' => Integer}, equality => []}]",
            ),
            (
                "type A = Object[{attributes => {a => Integer}, equality => [b]}]\nA",
                "A equality is referencing non existent attribute 'b'",
            ),
            (
                "type A = Object[{attributes => {a => Integer}, functions => {f => Callable}, equality => [f]}]\nA",
                "A equality is referencing function A[f]. Only attribute references are allowed",
            ),
            (
                "type A = Object[{constants => {a => 1}, equality => [a]}]\nA",
                "A equality is referencing constant attribute A[a]. Reference to constant is not allowed in equality",
            ),
            (
                "type A = Object[{attributes => {a => Integer}, equality => [a], equality_include_type => false}]\nA",
                "equality_include_type = false cannot be combined with non empty equality specification",
            ),
            (
                "type A = Object[{attributes => {a => Integer}, equality => [], equality_include_type => false}]\nA",
                "Object[{name => 'A', attributes => {'a' => Integer}, equality => []}]",
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]\ntype B = Object[{parent => A, equality => [a]}]\nB",
                "B equality is referencing attribute A[a] which is included in equality of A",
            ),
            (
                "type A = Object[{attributes => {a => Integer, b => Integer}, equality => [b]}]\ntype B = Object[{parent => A, equality => [a]}]\nB",
                "Object[{name => 'B', parent => A, equality => ['a']}]",
            ),
        ]);
    }
}
