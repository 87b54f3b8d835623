//! From the initializer of an object type to its members, with all that can be wrong about it.

use hierarch_source::Result;
use indexmap::IndexMap;

use super::{Attribute, AttributeKind, Body, Member, ObjectType};
pub(super) use crate::types::builtin::type_name;
use crate::types::builtin::{member_name, struct_of};
use crate::types::{EnumType, HashType, Kind, Type, VariantType};
use crate::{Hash, Str, Value, infer, issues, mismatch};

/// Returns the type that an initializer must have.
pub(super) fn init_type() -> Type {
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
fn annotations_type() -> Type {
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
