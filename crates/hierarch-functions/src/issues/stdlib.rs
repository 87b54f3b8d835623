//! The words of puppetlabs-stdlib.

use std::fmt::Display;

use hierarch_pcore::Value;
use hierarch_pcore::issues::ARGUMENT_COUNT;
use hierarch_source::Error;

use super::argument;
use crate::ruby::{class_name, inspected};

/// A function says something in its own words.
pub fn says(function: &str, words: impl Display) -> Error {
    argument(format!("{function}(): {words}"))
}

/// A function is given more or fewer arguments than it takes.
pub fn count(function: &str, given: usize, wanted: &str) -> Error {
    says(function, format!("Wrong number of arguments given ({given} for {wanted})"))
        .detail(ARGUMENT_COUNT, given.to_string())
}

/// The same, where the reference writes no parentheses.
pub fn bare_count(function: &str, given: usize, wanted: &str) -> Error {
    says(function, format!("Wrong number of arguments given {given} for {wanted}"))
        .detail(ARGUMENT_COUNT, given.to_string())
}

/// The same, in the words of a few functions.
pub fn odd_count(function: &str, given: usize, words: &str) -> Error {
    says(function, format!("Wrong number of arguments given ({given}{words}"))
        .detail(ARGUMENT_COUNT, given.to_string())
}

/// The same, in other words.
pub fn lower_count(function: &str, given: usize, wanted: &str) -> Error {
    says(function, format!("wrong number of arguments ({given}; must be {wanted})"))
}

/// A function needs something else.
pub fn requires(function: &str, what: &str) -> Error {
    says(function, format!("Requires {what}"))
}

/// What `requires` asks for most often.
pub const ARRAY: &str = "array to work with";
/// An array or a text.
pub const ARRAY_OR_STRING: &str = "either array or string to work with";

/// A method of Ruby's is called on what does not have it.
pub fn no_method(method: &str, value: &Value) -> Error {
    let receiver = match value {
        Value::Undef => "nil".to_owned(),
        Value::Boolean(truth) => truth.to_string(),
        other => format!("an instance of {}", class_name(other)),
    };
    argument(format!("undefined method `{method}' for {receiver}"))
}

/// An argument is of the wrong class.
pub fn wrong_class(function: &str, which: &str, wanted: &str, value: &Value) -> Error {
    let class = class_name(value);
    says(function, format!("{which} argument must be {wanted}. Given an argument of class {class}."))
}

/// A function that merges is given something else than a hash.
pub fn only_hashes(function: &str, value: &Value) -> Error {
    argument(format!(
        "{function}: unexpected argument type {}, only expects hash arguments",
        class_name(value)
    ))
}

/// `prefix` and `suffix` of something else than a collection, or with something else than a text.
pub fn expected(function: &str, which: &str, wanted: &str, value: &Value) -> Error {
    says(function, format!("expected {which} argument to be {wanted}, got {}", inspected(value)))
}

/// `clamp` of a text that is not a number.
pub fn clamp_text(text: &str) -> Error {
    says("clamp", format!("Required explicit numeric ({text}:String)"))
}

/// `clamp` of a hash.
pub fn clamp_hash(value: &Value) -> Error {
    says("clamp", format!("The Hash type is not allowed ({})", value.to_plain()))
}

/// A base or a number is neither a text nor an integer.
pub fn convert_base_kind(which: &str) -> Error {
    says("convert_base", format!("{which} argument must be either a string or an integer"))
}

/// What is to be converted is not a number; the reference names the first argument for both.
pub const CONVERT_BASE_DIGITS: &str =
    "First argument must be an integer or a string corresponding to an integer in base 10";

/// A base is out of range.
pub const CONVERT_BASE_RANGE: &str = "base must be at least 2 and must not be greater than 36";

/// What is to be removed from a text is neither a text nor a pattern.
pub fn not_a_regexp(value: &Value) -> Error {
    argument(format!("wrong argument type {} (expected Regexp)", class_name(value)))
}

/// `delete_undef_values` of something else than a collection.
pub fn no_collection(value: &Value) -> Error {
    let shown = value.to_plain();
    says(
        "delete_undef_values",
        format!("expected an array or hash, got {shown} type  {} ", class_name(value)),
    )
}

/// `enclose_ipv6` of something else than addresses.
pub fn no_addresses(value: &Value) -> Error {
    says("enclose_ipv6", format!("Wrong argument type given {} expected String or Array", class_name(value)))
}

/// `enclose_ipv6` of something that is not an address.
pub fn no_address(value: &Value) -> Error {
    says("enclose_ipv6", format!("Wrong argument given {} is not an ip address.", value.to_plain()))
}

/// A text is not an address. The reference forgets to say which.
pub fn invalid_address() -> Error {
    argument("invalid address: ")
}

/// A network has more bits in common than its addresses have.
pub fn invalid_length(address: u128) -> Error {
    argument(format!("invalid length: {address}"))
}

/// A mask has holes.
pub fn invalid_mask(mask: &str, address: u128) -> Error {
    argument(format!("invalid mask {mask}: {address}"))
}

/// A number may be octal or not.
pub const ZERO_FILLED: &str = "zero-filled number in IPv4 address is ambiguous: ";

/// The same, where bits are counted.
pub const LEADING_ZEROS: &str = "leading zeros in prefix";

/// A number is given where an address is wanted.
pub const NO_FAMILY: &str = "address family must be specified";

/// A module is not there.
pub fn no_module(name: &str, environment: &str) -> Error {
    argument(format!("Could not find module {name} in environment {environment}"))
}

/// A module has no metadata.
pub fn no_metadata(module: &str) -> Error {
    says("load_module_metadata", format!("No metadata.json file for module {module}"))
}

/// A function that parses is given nothing.
pub const PARSE_COUNT: &str = "Wrong number of arguments. 1 or 2 arguments should be provided.";

/// A file that is to be loaded is not there.
pub fn cannot_load(path: &str) -> String {
    format!("Can't load '{path}' File does not exist!")
}

/// Loading from the network is not done.
pub fn no_network(function: &str, url: &str) -> Error {
    says(function, format!("loading {url} is refused, because reaching the network was not allowed"))
}

/// `intersection` of something else than arrays.
pub fn two_arrays(a: &Value, b: &Value) -> Error {
    requires("intersection", &format!("2 arrays, got {} and {}", class_name(a), class_name(b)))
}

/// `join_keys_to_values` is given something of the wrong class.
pub fn join_kind(which: &str, wanted: &str, value: &Value) -> Error {
    let class = class_name(value);
    says("join_keys_to_values", format!("The {which} argument must be a {wanted}, but a {class} was given."))
}

/// A text does not look like a number.
pub fn not_a_number(text: &str) -> Error {
    let shown = inspected(&text.into());
    says("num2bool", format!("'{text}' does not look like a number: invalid value for Float(): {shown}"))
}

/// A text is not a range.
pub fn no_range(text: &str) -> Error {
    if text.is_empty() {
        return says("range", "Unknown range format: ");
    }
    says("range", format!("Unable to compute range from the value: {text}"))
}

/// A range takes no steps.
pub const STEP_SIZE: &str = "3rd arg (step size) must be a non zero integer (e.g. 1 or -1)";

/// `to_bytes` knows no such unit.
pub fn unknown_unit(unit: &str) -> Error {
    says("to_bytes", format!("Unknown prefix {unit}"))
}

/// `uriescape` is gone.
pub const URIESCAPE: &str =
    "Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of Ruby 3+.";

/// `shell_join` of something else than an array.
pub fn no_words(value: &Value) -> Error {
    argument(format!("First argument is not an Array: {}", inspected(value)))
}

/// A quote is opened and not closed.
pub fn unmatched_quote(text: &str) -> Error {
    argument(format!("Unmatched quote: {}", inspected(&text.into())))
}

/// A function of an old name is called.
pub fn renamed(name: &str) -> String {
    format!("This function is deprecated, please use stdlib::{name} instead.")
}

/// A deprecated use is an error.
pub fn deprecation(key: &str, message: &str) -> Error {
    argument(format!("deprecation. {key}. {message}"))
}

/// Where a deprecated use stands, as the reference shows its stack.
pub fn deprecated_at(message: &str, file: &str, line: usize) -> String {
    format!("{message} at [{0}, {line}]:[{0}, 0]", inspected(&file.into()))
}

/// PSON is no longer parsed.
pub const PARSEPSON: &str = "This method is deprecated. From Puppet 8, PSON is no longer natively supported. Please use JSON.parse().";

/// `validate_legacy` is deprecated.
pub const VALIDATE_LEGACY: &str =
    "This method is deprecated, please use Puppet data types to validate parameters";

/// A fact is asked for inside an array by a name.
pub fn fact_in_array(name: &str, walked: &str, key: &str) -> String {
    format!("fact request for {name} returning nil: '{walked}' is an array; cannot index to '{key}'")
}

/// A fact is asked for inside something that has no inside.
pub fn fact_in_scalar(name: &str, walked: &str, key: &str) -> String {
    format!("fact request for {name} returning nil: '{walked}' is not a collection; cannot walk to '{key}'")
}

/// A salt has characters that it may not have.
pub fn salt_characters(pattern: Option<&str>) -> Error {
    let must = pattern.map_or("be in the set [a-zA-Z0-9./]".to_owned(), |text| format!("match {text}"));
    says("pw_hash", format!("characters in salt must {must}"))
}

/// Such a hash is not computed.
pub fn no_such_hash(kind: &str) -> Error {
    says("pw_hash", format!("{kind} is not a valid hash type"))
}

/// A program may not be run.
pub fn program_refused(function: &str, program: &str) -> Error {
    says(function, format!("running {program} is refused, because running programs was not allowed"))
}

/// A content does not satisfy a command.
pub fn command_failed(message: &str, detail: impl Display) -> Error {
    argument(format!("{message}\n{detail}"))
}

/// The usual words of `validate_cmd`.
pub fn failed_command(command: &Value) -> String {
    format!("validate_cmd(): failed to validate content with command {}", inspected(command))
}

/// A certificate, a key or the pair will not do.
pub fn bad_certificate(detail: &str) -> Error {
    argument(format!("Not a valid x509 certificate: {detail}"))
}

/// What OpenSSL says about a text that is not a certificate at all.
pub const NO_START: &str = "PEM_read_bio_X509: no start line (Expecting: CERTIFICATE)";

/// See [`bad_certificate`].
pub fn bad_key(detail: &str) -> Error {
    argument(format!("Not a valid RSA key: {detail}"))
}

/// The certificate is not signed by the key.
pub const KEY_MISMATCH: &str = "Certificate signature does not match supplied key";

/// A value is not a text.
pub fn not_a_string(value: &Value) -> Error {
    argument(format!("{} is not a string.", inspected(value)))
}

// Functions of older releases.

/// A value is of another class.
pub fn looks_to_be(value: &Value, what: &str) -> Error {
    argument(format!("{} is not {what}.  It looks to be a {}", inspected(value), class_name(value)))
}

/// A text matches none of the patterns.
pub fn no_match(text: &Value, patterns: &Value) -> Error {
    says("validate_re", format!("{} does not match {}", inspected(text), inspected(patterns)))
}

/// A value is not a path at all.
pub fn no_path(value: &Value) -> String {
    let class = class_name(value);
    format!(
        "Cannot check if {} is an absolute path because it is a '{class}' and not a String'",
        value.to_plain()
    )
}

/// A text is not an absolute path.
pub fn not_absolute(shown: &str) -> Error {
    argument(format!("{shown} is not an absolute path."))
}

// The catalog.

/// A class or defined type is used from outside its module.
pub fn is_private(is_class: bool, name: &str) -> Error {
    let word = if is_class { "Class" } else { "Definition" };
    argument(format!("{word} {name} is private"))
}

/// A text is not a reference to a resource.
pub fn no_reference(text: &str) -> Error {
    let shown = inspected(&text.into());
    argument(format!("No title provided and {shown} is not a valid resource reference"))
}

/// A value is not a reference to a resource.
pub fn not_understood(value: &Value) -> Error {
    argument(format!("Reference is not understood: '{}'", class_name(value)))
}

/// A resource is not declared.
pub fn no_such_resource(reference: &str) -> Error {
    let words = "this is parse order dependent and values should not be quoted";
    says("stdlib::str2resource", format!("could not find {reference}, {words}"))
}
