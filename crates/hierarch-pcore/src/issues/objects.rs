//! Object types that cannot be what they say.

use hierarch_source::Error;

use super::runtime;

/// An object declares a function or a derived attribute, but nobody wrote it.
pub fn no_method(label: &str) -> Error {
    runtime(format!("no method is implemented for {label}"))
}

/// What makes an object or a type set is not of the type it must be.
pub fn object_initializer(mismatch: &str) -> Error {
    runtime(mismatch)
}

/// A type inherits from an unknown one.
pub fn unresolved_parent(name: &str) -> Error {
    runtime(format!("reference to unresolved type '{name}'"))
}

/// A type inherits from itself.
pub fn inherits_itself(name: &str) -> Error {
    runtime(format!("The Object type '{name}' inherits from itself"))
}

/// A name is used for a constant and an attribute.
pub fn constant_and_attribute(label: &str, name: &str) -> Error {
    runtime(format!("attribute {label}[{name}] is defined as both a constant and an attribute"))
}

/// A name is used for a function and an attribute.
pub fn function_and_attribute(function: &str) -> Error {
    runtime(format!("{function} conflicts with attribute with the same name"))
}

/// The name of an attribute is reserved.
pub fn reserved_attribute(name: &str) -> Error {
    runtime(format!("The attribute '{name}' is reserved and cannot be used"))
}

/// A constant may be overridden.
pub fn unfinal_constant(attribute: &str) -> Error {
    runtime(format!("{attribute} of kind 'constant' cannot be combined with final => false"))
}

/// A constant has no value.
pub fn constant_without_value(attribute: &str) -> Error {
    runtime(format!("{attribute} of kind 'constant' requires a value"))
}

/// A derived attribute has a value.
pub fn derived_with_value(attribute: &str, kind: &str) -> Error {
    runtime(format!("{attribute} of kind '{kind}' cannot be combined with an attribute value"))
}

/// A member overrides one of another kind.
pub fn overrides(member: &str, inherited: &str) -> Error {
    runtime(format!("{member} attempts to override {inherited}"))
}

/// A member says that it overrides, but there is nothing.
pub fn overrides_nothing(member: &str, feature: &str) -> Error {
    runtime(format!("expected {member} to override an inherited {feature}, but no such {feature} was found"))
}

/// A member overrides one that must not be.
pub fn overrides_final(member: &str, inherited: &str) -> Error {
    runtime(format!("{member} attempts to override final {inherited}"))
}

/// A member overrides one without saying so.
pub fn overrides_silently(member: &str, inherited: &str) -> Error {
    runtime(format!("{member} attempts to override {inherited} without having override => true"))
}

/// A member overrides one with a type that does not fit.
pub fn overrides_with_other_type(member: &str, inherited: &str) -> Error {
    runtime(format!("{member} attempts to override {inherited} with a type that does not match"))
}

/// Equality names attributes but leaves the type out.
pub fn equality_without_type() -> Error {
    runtime("equality_include_type = false cannot be combined with non empty equality specification")
}

/// Equality names an attribute that the parent's names already.
pub fn equality_of_parent(label: &str, attribute: &str, parent: &str) -> Error {
    runtime(format!("{label} equality is referencing {attribute} which is included in equality of {parent}"))
}

/// Equality names a constant.
pub fn equality_of_constant(label: &str, attribute: &str) -> Error {
    runtime(format!(
        "{label} equality is referencing constant {attribute}. Reference to constant is not allowed in equality"
    ))
}

/// Equality names a function.
pub fn equality_of_function(label: &str, function: &str) -> Error {
    runtime(format!("{label} equality is referencing {function}. Only attribute references are allowed"))
}

/// Equality names nothing that there is.
pub fn equality_of_nothing(label: &str, name: &str) -> Error {
    runtime(format!("{label} equality is referencing non existent attribute '{name}'"))
}

/// An object type has no type parameters.
pub fn not_parametrized(label: &str) -> Error {
    runtime(format!("The {label}-Type cannot be parameterized using []"))
}

/// An object type is parametrized by nothing.
pub fn empty_parameters(label: &str) -> Error {
    runtime(format!("The {label}-Type cannot be parameterized using an empty parameter list"))
}

/// An object type has no such type parameter.
pub fn unknown_type_parameter(name: &str, label: &str) -> Error {
    runtime(format!("'{name}' is not a known type parameter for {label}-Type"))
}

/// A type set is of an unknown version of Pcore.
pub fn pcore_version(name: &str, version: &str) -> Error {
    runtime(format!(
        "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range 1.x, got {version}"
    ))
}
