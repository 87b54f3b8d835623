//! Types that cannot be made or read.

use hierarch_source::Error;

use super::labels::{capitalized, key_type_name, rules_text, with_article};
use super::{TYPE_EXPRESSION, runtime};
use crate::Value;
use crate::types::Rules;

/// A range ends before it starts. The missing parenthesis is the reference's.
pub fn range_order(from: &str, to: &str) -> Error {
    runtime(format!("'from' must be less or equal to 'to'. Got ({from}, {to}"))
}

/// The parameter of a URI type is not absolute. The pattern is Ruby's.
pub fn uri_parameter(text: &str) -> Error {
    let pattern = include_str!("uri_pattern.txt");
    runtime(format!(
        "URI-Type parameter has wrong type, expects a match for Pattern[/{pattern}/], got '{text}'"
    ))
}

/// A runtime type has an empty name.
pub fn runtime_name() -> Error {
    runtime(
        "Runtime 'name_or_pattern' has wrong type, expects a value of type String[1] or Tuple[Regexp, String[1]], got String",
    )
}

/// A type takes no parameters.
pub fn access_not_applicable(name: &str) -> Error {
    let label = format!("{name}-Type");
    Error::new(
        "OPERATOR_NOT_APPLICABLE",
        format!("Operator '[]' is not applicable to {}.", with_article(&label)),
    )
}

/// `Integer[]` or `Float[]` has too many or too few bounds.
pub fn integer_slice_arity(name: &str, actual: usize) -> Error {
    Error::new(
        "BAD_INTEGER_SLICE_ARITY",
        format!("{name}-Type supports [] with one or two arguments (from, to). Got {actual}"),
    )
}

/// A bound of an integer range is not an integer.
pub fn integer_slice_type(actual: &str) -> Error {
    let message = format!("Integer-Type [] requires all arguments to be integers (or default). Got {actual}");
    Error::new("BAD_INTEGER_SLICE_TYPE", message)
}

/// A bound of a float range is not a number.
pub fn float_slice_type(actual: &str) -> Error {
    let message =
        format!("Float-Type [] requires all arguments to be floats, or integers (or default). Got {actual}");
    Error::new("BAD_INTEGER_SLICE_TYPE", message)
}

/// `String[]` has too many or too few sizes.
pub fn string_slice_arity(actual: usize) -> Error {
    Error::new(
        "BAD_STRING_SLICE_ARITY",
        format!("String supports [] with one or two arguments. Got {actual}"),
    )
}

/// A size is not an integer.
pub fn size_slice_type(actual: &str) -> Error {
    // The class of a type is shown as the type that it stands for.
    let class = actual.strip_prefix("Puppet::Pops::Types::P").and_then(|class| class.strip_suffix("Type"));
    let message = format!(
        "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {}",
        with_article(&class.map_or_else(|| actual.to_owned(), |class| format!("{class}-Type")))
    );
    Error::new("BAD_COLLECTION_SLICE_TYPE", message)
}

/// A parameter should be a type.
pub fn type_slice_type(label: &str, actual: &str) -> Error {
    Error::new("BAD_TYPE_SLICE_TYPE", format!("{label}[] arguments must be types. Got {actual}"))
}

/// The parameter of `NotUndef` is neither a type nor a string.
pub fn not_undef_slice_type(actual: &str) -> Error {
    let message = format!("NotUndef-Type[] argument must be a Type or a String. Got {actual}");
    Error::new("BAD_NOT_UNDEF_SLICE_TYPE", message)
}

/// A type has too many or too few parameters; no `max` means just `min`.
pub fn type_slice_arity(label: &str, min: usize, max: Option<usize>, actual: usize) -> Error {
    let count = match max {
        Some(max) if max != min => format!("{min} to {max} arguments"),
        _ => format!("{min} argument{}", if min == 1 { "" } else { "s" }),
    };
    Error::new("BAD_TYPE_SLICE_ARITY", format!("{label}[] accepts {count}. Got {actual}"))
}

/// A type has too many or too few parameters; no `max` means any number from one.
pub fn open_type_slice_arity(label: &str, max: Option<usize>, actual: usize) -> Error {
    match max {
        Some(max) => type_slice_arity(label, 1, Some(max), actual),
        None => {
            Error::new("BAD_TYPE_SLICE_ARITY", format!("{label}[] accepts 1 or more arguments. Got {actual}"))
        }
    }
}

/// A parameter is of a wrong kind.
pub fn type_specialization(rules: &dyn Rules, key: &Value, expected: &str) -> Error {
    let message = format!("Cannot use {} where {expected} is expected", key_type_name(key));
    specialization(&format!("{}-Type", rules_text(rules)), &message)
}

/// A title of a resource is not a string.
pub fn bad_title(type_: &str, title: &Value) -> Error {
    let message = format!("Cannot use {} where a resource title String is expected", key_type_name(title));
    specialization(&format!("{type_}-Type"), &message)
}

fn specialization(label: &str, message: &str) -> Error {
    let message = format!("Error creating type specialization of {}, {message}", with_article(label));
    Error::new("BAD_TYPE_SPECIALIZATION", message)
}

/// A key of a struct is empty.
pub fn empty_struct_key() -> Error {
    runtime("Struct element key cannot be an empty String")
}

/// A key of a struct is of a wrong kind.
pub fn bad_struct_key(actual: &str) -> Error {
    runtime(format!(
        "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {actual}"
    ))
}

/// A key of a struct names no single string.
pub fn unnamed_struct_key(type_: &str) -> Error {
    runtime(format!("Unable to extract a non-empty literal string from Struct member key type {type_}"))
}

/// A bound of a range of time is not a time.
pub fn bad_time_bound(name: &str, actual: &str) -> Error {
    runtime(format!("Unable to create a Puppet::Pops::Time::{name} from a {actual}"))
}

/// The name of a class is not a string.
pub fn bad_class_name(label: &str) -> Error {
    let message = format!(
        "Illegal Class name in class reference. {} cannot be used where a String is expected",
        capitalized(&with_article(label))
    );
    Error::new("ILLEGAL_HOSTCLASS_NAME", message)
}

/// A name does not have the form of one.
pub fn illegal_name(name: &str) -> Error {
    let rule = r"/^((::)?[a-z_]\w*)(::[a-z]\w*)*$/";
    Error::new(
        "ILLEGAL_NAME",
        format!("Illegal name. The given name '{name}' does not conform to the naming rule {rule}"),
    )
}

/// The name of a resource type does not have the form of one.
pub fn illegal_type_name(name: &str) -> Error {
    let message =
        format!("Illegal type reference. The given name '{name}' does not conform to the naming rule");
    Error::new("ILLEGAL_CLASSREF", message)
}

/// The first parameter of `Resource` is not a resource type.
pub fn bad_resource_type(actual: &str) -> Error {
    let message = format!("First argument to Resource[] must be a resource type or a String. Got {actual}.");
    Error::new("ILLEGAL_RESOURCE_SPECIALIZATION", message)
}

/// A type has no definition.
pub fn unknown_type(name: &str) -> Error {
    Error::new("UNKNOWN_RESOURCE_TYPE", format!("Resource type not found: {name}"))
}

/// A parameter of a resource is asked for, which only a catalog knows.
pub fn needs_catalog() -> Error {
    runtime("the parameter of a resource can only be read where there is a catalog")
}

/// A type expression gives something else.
pub fn not_a_type(text: &str) -> Error {
    runtime(format!("expected a type, got {text}"))
}

/// Types nest deeper than a program may nest them.
pub fn type_too_deep(most: u16) -> Error {
    runtime("types are nested too deep").note(format!("the limit is {most} levels"))
}

/// A type is made of more types than a program may put together.
pub fn type_too_large(most: u32) -> Error {
    runtime("a type is too large").note(format!("the limit is {most} types"))
}

/// A value contains values that contain values, and so on, too often.
pub fn nested_too_deep(most: u32) -> Error {
    Error::new("NESTING_LIMIT", format!("a value would be nested more than {most} deep"))
}

/// An alias is defined by nothing but aliases.
pub fn unreal_alias(name: &str) -> Error {
    runtime(format!("Type alias '{name}' cannot be resolved to a real type"))
}

/// An expression is not a type.
pub fn not_a_type_expression(text: &str) -> Error {
    runtime(format!("The expression <{text}> is not a valid type specification."))
        .detail(TYPE_EXPRESSION, text)
}

/// A type is given a wrong number of parameters.
pub fn type_parameter_count(name: &str, required: &str, given: usize) -> Error {
    runtime(format!(
        "Invalid number of type parameters specified: {name} requires {required}, {given} provided"
    ))
}

/// `Boolean[…]` in a type specification.
pub fn boolean_parameter() -> Error {
    runtime("Boolean parameter must be true or false")
}

/// `Enum[…]` in a type specification.
pub fn enum_parameters() -> Error {
    runtime("Enum parameters must be identifiers or strings")
}

/// `Pattern[…]` in a type specification. The reference forgets to close its quote.
pub fn pattern_parameters(class: &str) -> Error {
    runtime(format!("Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '{class}"))
}

/// `Resource[…]` in a type specification.
pub fn resource_type_name(class: &str) -> Error {
    runtime(format!("The type name cannot be a {class}"))
}

/// A type is given parameters but takes none.
pub fn not_parametrized_type(text: &str) -> Error {
    runtime(format!("Not a parameterized type <{text}>"))
}
