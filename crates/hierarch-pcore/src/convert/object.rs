//! `new` of object types: attributes by position, or by name in one hash.

use hierarch_source::Result;

use crate::mismatch::{Signature, describe_signatures};
use crate::types::{Attribute, IntegerType, ObjectExtensionType, ObjectType, TupleType};
use crate::value::Object;
use crate::{Hash, Type, Value, infer, issues};

/// Makes an instance.
pub(super) fn create(type_: &ObjectType, arguments: &[Value]) -> Result<Value> {
    let signatures = signatures(type_);
    if type_.label() == LOOKUP_CONTEXT {
        return create_context(type_, arguments, &signatures[1]);
    }
    if let [Value::Hash(hash)] = arguments
        && signatures[0].callable.takes(arguments, None)
    {
        return made(type_, hash);
    }
    if signatures[1].callable.takes(arguments, None) {
        let attributes = type_.constructor();
        check_count(&attributes, arguments.len())?;
        let names = attributes.into_iter().map(|attribute| Value::from(attribute.name().clone()));
        let given: Hash = names.zip(arguments.iter().cloned()).collect();
        return made(type_, &given);
    }
    let types: Vec<Type> = arguments.iter().map(infer::detailed).collect();
    Err(issues::converted_mismatch(&describe_signatures(
        &format!("new_{}", type_.label()),
        &signatures,
        &types,
    )))
}

/// Makes an instance whose attributes fit the parameters of its type, too: it is of the type that they narrow.
fn made(type_: &ObjectType, given: &Hash) -> Result<Value> {
    let object = Object::new(type_, given);
    for (name, parameter) in type_.type_parameters() {
        // The value that would narrow the type is asked of the object.
        if let Some(attribute) = type_.attribute(&name).filter(Attribute::is_derived) {
            return Err(issues::no_method(&format!("derived {}", attribute.label())));
        }
        ObjectExtensionType::check_parameter(type_, &parameter, &object.get(&name).unwrap_or_default())?;
    }
    Ok(object.into())
}

/// The type that is made otherwise than all others.
const LOOKUP_CONTEXT: &str = "Puppet::LookupContext";

/// Makes the context of a lookup: the name of a module may be left out, says the reference, and then wants it.
fn create_context(type_: &ObjectType, arguments: &[Value], by_position: &Signature) -> Result<Value> {
    let attributes = type_.constructor();
    let parameters: Vec<(&str, Type)> =
        attributes.iter().map(|attribute| (attribute.name().as_str(), attribute.type_().clone())).collect();
    if by_position.callable.takes(arguments, None) {
        check_count(&attributes, arguments.len())?;
        let names = attributes.iter().map(|attribute| Value::from(attribute.name().clone()));
        let given: Hash = names.zip(arguments.iter().cloned()).collect();
        return Ok(Object::new(type_, &given).into());
    }
    let least = usize::from(arguments.is_empty());
    let types: Vec<Type> = arguments.iter().map(infer::detailed).collect();
    let signature = Signature::new(&parameters, least);
    Err(issues::converted_mismatch(&describe_signatures(
        &format!("new_{}", type_.label()),
        &[signature],
        &types,
    )))
}

/// The ways to call the constructor: with a hash, then by position.
fn signatures(type_: &ObjectType) -> [Signature; 2] {
    let attributes = type_.constructor();
    let required = attributes.iter().filter(|attribute| !attribute.may_be_left_out()).count();
    let by_position: Vec<(&str, Type)> =
        attributes.iter().map(|attribute| (attribute.name().as_str(), attribute.type_().clone())).collect();
    [Signature::new(&[("hash", type_.init_struct().into())], 1), Signature::new(&by_position, required)]
}

/// By position only what has a value of its own may be left out, though the signature takes less.
fn check_count(attributes: &[Attribute], given: usize) -> Result<()> {
    let least = attributes.iter().filter(|attribute| attribute.value().is_none()).count();
    if given >= least {
        return Ok(());
    }
    Err(issues::ruby_argument_count(given, least, attributes.len()))
}

/// Returns the parameters of both ways.
pub(super) fn parameters(type_: &ObjectType) -> Vec<TupleType> {
    let tuple = |signature: &Signature| signature.callable.parameters().cloned();
    let found = signatures(type_).iter().filter_map(tuple).collect::<Vec<_>>();
    if found.is_empty() { vec![TupleType::new(Vec::new(), Some(IntegerType::exactly(0)))] } else { found }
}
