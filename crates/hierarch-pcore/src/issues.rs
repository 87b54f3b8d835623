//! All the words a user can read, one small function per issue.

use hierarch_source::Error;

use crate::Value;
use crate::types::Rules;

/// The code of errors that the reference raises without one.
pub const RUNTIME_ERROR: &str = "RUNTIME_ERROR";

fn runtime(message: impl Into<String>) -> Error {
    Error::new(RUNTIME_ERROR, message)
}

// Versions.

/// A text is no semantic version.
pub fn bad_version(text: &str) -> Error {
    runtime(format!("Unable to parse '{text}' as a semantic version identifier"))
}

/// A number in a prerelease has leading zeros.
pub fn padded_prerelease() -> Error {
    runtime("Numeric pre-release identifiers MUST NOT contain leading zeroes")
}

/// A text is no range of versions.
pub fn bad_version_range(text: &str) -> Error {
    runtime(format!("Unparsable version range: \"{text}\""))
}

// Time.

/// A zone is unknown.
pub fn bad_timezone(zone: &str) -> Error {
    runtime(format!("Illegal timezone '{zone}'"))
}

/// A text does not have the format.
pub fn bad_time(text: &str, format: &str) -> Error {
    runtime(format!("Unable to parse '{text}' using format '{format}'"))
}

/// A text has none of the formats.
pub fn bad_time_formats(text: &str, formats: &str) -> Error {
    runtime(format!("Unable to parse '{text}' using any of the formats {formats}"))
}

/// A zone is given both in the text and apart.
pub fn zone_given_twice() -> Error {
    runtime(
        "Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
    )
}

/// A text names no year.
pub fn time_without_year() -> Error {
    runtime("can't convert nil into an exact number")
}

/// A field of a time is outside of what it can be.
pub fn time_out_of_range() -> Error {
    runtime("argument out of range")
}

/// A format of a span has an unknown directive.
pub fn bad_span_format(expression: &str, format: &str, position: usize) -> Error {
    runtime(format!("Bad format specifier '{expression}' in '{format}', at position {position}"))
}

/// A format has only fractions of a second.
pub fn fraction_without_whole() -> Error {
    runtime(
        "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
    )
}

// Identifiers of resources.

/// A text is no URI.
pub fn bad_uri(text: &str) -> Error {
    runtime(format!("bad URI(is not URI?): {text:?}"))
}

/// A URI has characters that must be escaped.
pub fn non_ascii_uri(text: &str) -> Error {
    let escaped: String = text
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\u{:04X}", u32::from(c)) })
        .collect();
    runtime(format!("URI must be ascii only \"{escaped}\""))
}

// Order.

/// A string is compared with something else.
pub fn string_order() -> Error {
    runtime("A String is not comparable to a non String")
}

/// A number is compared with something else.
pub fn number_order() -> Error {
    runtime("A Numeric is not comparable to non Numeric")
}

/// A span is compared with neither a span nor a number.
pub fn timespan_order() -> Error {
    runtime("Timespans are only comparable to Timespans, Integers, and Floats")
}

/// A point in time is compared with neither another nor a number.
pub fn timestamp_order() -> Error {
    runtime("Timestamps are only comparable to Timestamps, Integers, and Floats")
}

/// A version is compared with something else.
pub fn version_order() -> Error {
    runtime("Versions not comparable to non Versions")
}

/// A value has no order at all.
pub fn no_order() -> Error {
    runtime("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable")
}

// Making types.

/// A range ends before it starts. The missing parenthesis is the reference's.
pub fn range_order(from: &str, to: &str) -> Error {
    runtime(format!("'from' must be less or equal to 'to'. Got ({from}, {to}"))
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

/// A bound of an integer range is no integer.
pub fn integer_slice_type(actual: &str) -> Error {
    let message = format!("Integer-Type [] requires all arguments to be integers (or default). Got {actual}");
    Error::new("BAD_INTEGER_SLICE_TYPE", message)
}

/// A bound of a float range is no number.
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

/// A size is no integer.
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

/// A title of a resource is no string.
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

/// A bound of a range of time is no time.
pub fn bad_time_bound(name: &str, actual: &str) -> Error {
    runtime(format!("Unable to create a Puppet::Pops::Time::{name} from a {actual}"))
}

/// The name of a class is no string.
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

/// The first parameter of `Resource` is no resource type.
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

// Labels.

/// Returns a text with its indefinite article, by its first letter.
pub fn with_article(text: &str) -> String {
    let bare = text.strip_prefix(['\'', '"']).unwrap_or(text);
    let article =
        if bare.starts_with(|c: char| "aeiouy".contains(c.to_ascii_lowercase())) { "an" } else { "a" };
    format!("{article} {text}")
}

/// Returns a text with its first letter in upper case.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn rules_text(rules: &dyn Rules) -> String {
    let mut printer = crate::types::Printer::default();
    rules.write(&mut printer);
    printer.finish()
}

/// Returns the label of a type as a value, such as `A Boolean-Type`.
pub fn type_label(rules: &dyn Rules) -> String {
    capitalized(&with_article(&format!("{}-Type", rules_text(rules))))
}

/// Returns the words that messages call a value by.
pub fn value_label(value: &Value) -> String {
    match value {
        Value::Undef => "Undef Value".into(),
        Value::Default => "'default' expression".into(),
        Value::Boolean(_) => "Boolean".into(),
        Value::Integer(_) => "Integer".into(),
        Value::Float(_) => "Float".into(),
        Value::String(_) => "String".into(),
        Value::Array(_) => "Array".into(),
        Value::Hash(_) => "Hash".into(),
        Value::Regexp(_) => "Regexp".into(),
        Value::Sensitive(_) => "Sensitive".into(),
        Value::Binary(_) => "Binary".into(),
        Value::SemVer(_) => "Semver".into(),
        Value::SemVerRange(_) => "SemverRange".into(),
        Value::Timestamp(_) => "Timestamp".into(),
        Value::Timespan(_) => "Timespan".into(),
        Value::Uri(_) | Value::Object(_) => "Object".into(),
        Value::Type(type_) => format!("{type_}-Type"),
        Value::Foreign(foreign) => format!("{}-Value", foreign.inferred()),
    }
}

/// Returns the name of the type of a key that is of a wrong kind.
pub fn key_type_name(key: &Value) -> String {
    match key {
        Value::Undef => "Undef".into(),
        Value::Default => "Default".into(),
        other => crate::infer::generic(other).to_string(),
    }
}

// Object types.

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

// Reading types.

/// An expression is no type.
pub fn not_a_type_expression(text: &str) -> Error {
    runtime(format!("The expression <{text}> is not a valid type specification."))
}

/// A type is given a wrong number of parameters.
pub fn type_parameter_count(name: &str, required: &str, given: usize) -> Error {
    runtime(format!(
        "Invalid number of type parameters specified: {name} requires {required}, {given} provided"
    ))
}

/// A type is given parameters but takes none.
pub fn not_parametrized_type(text: &str) -> Error {
    runtime(format!("Not a parameterized type <{text}>"))
}

// Formats.

/// A format does not have the form of one.
pub fn bad_format(text: &str) -> Error {
    runtime(format!("The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"))
}

/// A format asks for more characters than are ever made.
pub fn format_too_wide(text: &str) -> Error {
    runtime(format!("The format '{text}' is too wide; the limit is 1000000 characters"))
}

/// A flag stands twice in a format.
pub fn repeated_flag(text: &str) -> Error {
    runtime(format!("The same flag can only be used once, got '{text}'"))
}

/// A format has several delimiters.
pub fn several_delimiters(text: &str) -> Error {
    runtime(format!("Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"))
}

/// The letter of a format means nothing for a type.
pub fn illegal_format(type_: &str, letter: char, letters: &str) -> Error {
    runtime(format!(
        "Illegal format '{letter}' specified for value of {type_} type - expected one of the characters '{letters}'"
    ))
}

/// A format means nothing to Ruby's own formatting.
pub fn malformed_format(at: char) -> Error {
    runtime(format!("malformed format string - %{at}"))
}

/// A format starts a name that does not end.
pub fn unmatched_format_name() -> Error {
    runtime("malformed name - unmatched parenthesis")
}

/// A format of a container has unknown keys.
pub fn bad_container_format(text: &str) -> Error {
    runtime(format!(
        "only 'separator', 'separator2', 'format', 'string_formats' are allowed in a container format, got {text}"
    ))
}

/// A format of a container says nothing about the container itself.
pub fn missing_container_format() -> Error {
    runtime("no implicit conversion of nil into String")
}

/// Formats are neither one, nor by type.
pub fn bad_formats(actual: &str) -> Error {
    runtime(format!(
        "string conversion expects a Default value or a Hash of type to format mappings, got a '{actual}'"
    ))
}

/// A key of formats by type is no type.
pub fn bad_format_key(actual: &str) -> Error {
    runtime(format!("top level keys in the format hash must be data types, got instance of '{actual}'"))
}

/// A number is no character.
pub fn bad_code_point() -> Error {
    runtime("pack(U): value out of range")
}

/// A float is no integer.
pub fn no_integer(text: &str) -> Error {
    runtime(text)
}

/// Bytes are no text.
pub fn not_utf8(bytes: &[u8]) -> Error {
    // Ruby names the first byte beyond ASCII, whether or not it starts a character.
    let byte = bytes.iter().find(|byte| !byte.is_ascii()).copied().unwrap_or(0);
    runtime(format!("\"\\x{byte:02X}\" from ASCII-8BIT to UTF-8"))
}

/// A value has no number.
pub fn not_convertible(class: &str, wanted: &str) -> Error {
    runtime(format!("can't convert {class} into {wanted}"))
}

// Making values.

/// Values of a type are never made.
pub fn not_creatable(type_: &str) -> Error {
    runtime(format!("Creation of new instance of type '{type_}' is not supported"))
}

/// A value is not of the type that was asked for, or arguments fit no constructor.
pub fn converted_mismatch(mismatch: &str) -> Error {
    runtime(mismatch)
}

/// A constructor's own words on arguments it cannot use.
pub fn complaint(name: &str, text: &str) -> Error {
    runtime(format!("'{name}' {text}"))
}

/// A radix that is not supported.
pub fn bad_radix(radix: i64) -> Error {
    runtime(format!("Illegal radix: {radix}, expected 2, 8, 10, 16, or default"))
}

/// A text is no integer in its radix.
pub fn invalid_integer(text: &str) -> Error {
    runtime(format!("invalid value for Integer(): {text:?}"))
}

/// A text is no float.
pub fn invalid_float(text: &str) -> Error {
    runtime(format!("invalid value for Float(): {text:?}"))
}

/// A number does not fit 64 bits.
pub fn integer_overflow() -> Error {
    runtime("the number is outside of the range of 64 bit integers")
}

/// A list of keys and values has no value for its last key.
pub fn odd_hash() -> Error {
    runtime("odd number of arguments for Hash")
}

/// A path of a tree leads nowhere.
pub fn bad_tree_path(step: &Value) -> Error {
    runtime(format!("the path of a tree cannot continue with {}", step.program_text()))
}

/// A text or collection is too large.
pub fn too_large(most: usize) -> Error {
    let problem = format!("a text or collection would be larger than {most}");
    Error::new("SIZE_LIMIT", format!("{problem}; --max-size raises the limit"))
}

/// A text is not base 64.
pub fn bad_base64() -> Error {
    runtime("invalid base64")
}
