//! All the words a user can read, one small function per issue: those of lookups here, those of hiera.yaml, of files and of
//! backends in files of their own.
//!
//! The reference has three classes of failure, and what happens to an error depends on its class: *lookup
//! errors* (with or without an issue code), *Puppet errors*, which become lookup errors on their way out of a
//! layer, and *Ruby errors*, which nothing changes. [`class_of`] tells them apart by their code.

mod backends;
pub(crate) mod config;
mod files;

use hierarch_source::Error;

pub use backends::*;
pub(crate) use files::*;

/// The code of a lookup error that has no issue code in the reference.
pub const LOOKUP_ERROR: &str = "LOOKUP_ERROR";

const PUPPET_ERROR: &str = "PUPPET_ERROR";
const ARGUMENT_ERROR: &str = "ARGUMENT_ERROR";
const UNDEFINED_VARIABLE: &str = "UNDEFINED_VARIABLE";

/// The detail of an error about a variable: its name.
const VARIABLE: &str = "variable";

/// The detail of an error about a value that cannot be decrypted: the key that it belongs to.
pub const ENCRYPTED_KEY: &str = "encrypted key";

/// The code of the error about an `alias` with text around it.
pub const ALIAS_NOT_ALONE: &str = "HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING";

/// The code of the error that says that nothing was found.
pub const NOT_FOUND: &str = "LOOKUP_NOT_FOUND";

/// What kind of exception the reference raises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A lookup error; `puppet lookup` ends without a word.
    Lookup {
        /// It has an issue code, and the global layer passes it on as it is.
        has_issue: bool,
    },
    /// Another error of Puppet's.
    Puppet,
    /// An error of Ruby's.
    Ruby,
}

/// Tells the class of an error.
pub fn class_of(error: &Error) -> Class {
    match error.code {
        LOOKUP_ERROR | NOT_FOUND => Class::Lookup { has_issue: false },
        ARGUMENT_ERROR | UNDEFINED_VARIABLE => Class::Ruby,
        code if code.starts_with("HIERA_") => Class::Lookup { has_issue: true },
        _ => Class::Puppet,
    }
}

/// Turns a Puppet error into a lookup error, as happens where a layer ends.
pub(crate) fn into_lookup_error(error: Error) -> Error {
    if class_of(&error) == Class::Puppet { lookup(error.to_string()) } else { error }
}

/// A backend says that the lookup failed.
pub fn lookup_failed(message: impl Into<String>) -> Error {
    lookup(message)
}

fn lookup(message: impl Into<String>) -> Error {
    Error::new(LOOKUP_ERROR, message)
}

fn puppet(message: impl Into<String>) -> Error {
    Error::new(PUPPET_ERROR, message)
}

/// An error of Ruby's, which no layer changes.
pub fn ruby(message: impl Into<String>) -> Error {
    Error::new(ARGUMENT_ERROR, message)
}

// Keys and digging.

/// A key cannot be split.
pub(crate) fn key_syntax(key: &str) -> Error {
    lookup(format!("Syntax error in key: '{key}'"))
}

/// The first part of a key is a number.
pub(crate) fn integer_root_key(key: &str) -> Error {
    ruby(format!("the first part of the key '{key}' is a number; quote it to look up a key of that name"))
}

/// A sub key asks for an entry of something that has none.
pub(crate) fn not_hash_like(class: &str, segment: &str, key: &str) -> Error {
    lookup(format!(
        "Data Provider type mismatch: Got {class} when a hash-like object was expected to access value using '{segment}' from key '{key}'"
    ))
}

/// A sub key asks for an entry of a number, on which the reference breaks down.
pub(crate) fn no_entries(segment: &str, key: &str) -> Error {
    ruby(format!("an Integer has no entries to access using '{segment}' from key '{key}'"))
}

// The search.

/// Nothing was found for a name, or for any of several.
pub fn not_found(names: &[String]) -> Error {
    let message = if let [name] = names {
        format!("Function lookup() did not find a value for the name '{name}'")
    } else {
        let list: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        format!("Function lookup() did not find a value for any of the names [{}]", list.join(", "))
    };
    Error::new(NOT_FOUND, message)
}

/// A key leads back to itself.
pub(crate) fn recursive(stack: &[impl AsRef<str>]) -> Error {
    let names: Vec<&str> = stack.iter().map(AsRef::as_ref).collect();
    lookup(format!("Recursive lookup detected in [{}]", names.join(", ")))
}

/// `hiera_hash` and `hiera_array` do not dig in data of version 3.
pub(crate) fn dotted_key(resolution: &str, key: &str) -> Error {
    lookup(format!(
        "Resolution type :{resolution} is illegal when accessing values using dotted keys. Offending key was '{key}'"
    ))
}

/// A location depends on who a node is, which its facts do not say.
pub(crate) fn nobody_trusted_text(expression: &str) -> String {
    let part = expression.trim_start_matches(':').strip_prefix("trusted.").unwrap_or_default();
    if !["certname", "hostname", "domain", "authenticated"].contains(&part) {
        return format!(
            "%{{{expression}}} in hiera.yaml is empty: what a certificate says is not among the facts of the node; give it beside \
             them, as in trusted: {{extensions: {{pp_role: web}}}}, to find the data of this node"
        );
    }
    format!(
        "%{{{expression}}} in hiera.yaml is empty: lookup takes trusted facts from the fact clientcert, as Puppet does, and \
         there is none; add clientcert, hostname, domain and fqdn to the facts to find the data of this node"
    )
}

/// A token names a fact that is not there, and others have nearly the same name.
pub(crate) fn near_names_text(expression: &str, name: &str, near: &[&str]) -> String {
    format!("%{{{expression}}} is empty: there is no '{name}'; did you mean {}?", near.join(" or "))
}

/// A token asks for a fact where none is known, because nobody says whose they would be.
pub(crate) fn no_facts_text(expression: &str) -> String {
    format!(
        "%{{{expression}}} is empty: no facts are known here; name a node with --node, or a file with --facts"
    )
}

/// There is nothing to look into.
pub(crate) fn no_levels() -> Error {
    lookup("there is no hiera.yaml with levels here")
}

/// A function without parameters provides data.
pub(crate) fn legacy_function_text(name: &str) -> String {
    format!("Using of legacy data provider function '{name}'. Please convert to a 'data_hash' function")
}

/// An entry of `lookup_options` is something in which nothing can be looked for.
pub(crate) fn options_entry(name: &str, class: &str) -> Error {
    ruby(format!("the entry '{name}' of lookup_options is no hash: it is of class {class}"))
}

/// A lookup goes through more than it may.
pub(crate) fn too_many_steps(limit: u64) -> Error {
    ruby(format!(
        "the lookup fills in more than {limit} tokens or looks at more names; --max-lookup-steps raises the limit"
    ))
}

/// Tokens make more text than is allowed.
pub(crate) fn too_much_text(limit: usize) -> Error {
    ruby(format!("the lookup makes more than {limit} bytes of text; --max-lookup-size raises the limit"))
}

/// More lookups stand inside each other than is allowed.
pub(crate) fn too_deep(limit: usize) -> Error {
    lookup(format!("more than {limit} lookups stand inside each other"))
}

/// The global layer failed.
pub(crate) fn global_failed(key: &str, detail: &str) -> Error {
    puppet(format!("Lookup of key '{key}' failed: {detail}"))
}

/// A value does not fit a type; the words are those of the type system.
pub(crate) fn wrong_type(message: String) -> Error {
    Error::new("TYPE_MISMATCH", message)
}

/// Why a variable of a class is not there: nobody wrote the class.
pub fn class_not_found(class: &str) -> String {
    format!("class {class} could not be found")
}

/// Why a variable of a class is not there: nobody included the class.
pub fn class_not_evaluated(class: &str) -> String {
    format!("class {class} has not been evaluated")
}

// Merging.

/// A merge is a hash without a strategy.
pub(crate) fn no_strategy_named() -> Error {
    ruby(
        "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
    )
}

/// There is no such strategy.
pub(crate) fn unknown_strategy(name: &str) -> Error {
    ruby(format!("Unknown merge strategy: '{name}'"))
}

/// A knockout prefix must not be empty.
pub(crate) fn empty_knockout_prefix() -> Error {
    ruby("knockout_prefix cannot be an empty string in deep_merge!")
}

/// Two options exclude each other.
pub(crate) fn knockout_keeps_unmergeable() -> Error {
    ruby("overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!")
}

/// Two items of a list have no order.
pub(crate) fn incomparable(class: &str, other: &str) -> Error {
    ruby(format!("comparison of {class} with {other} failed"))
}

// Lookup options.

/// `lookup_options` is not a hash.
pub(crate) fn options_no_hash() -> Error {
    lookup("value of lookup_options must be a hash")
}

/// A module configures a key outside its namespace.
pub(crate) fn foreign_options_key(module: &str) -> Error {
    lookup(format!("all lookup_options keys must start with module name '{module}'"))
}

/// A module configures keys outside its namespace.
pub(crate) fn foreign_options_pattern(module: &str) -> Error {
    lookup(format!("all lookup_options patterns must match a key starting with module name '{module}'"))
}

/// A pattern in the options is malformed.
pub(crate) fn bad_pattern(problem: &str) -> Error {
    ruby(problem)
}

/// The type to convert to cannot be read. The reference, too, has no closing quote.
pub(crate) fn bad_conversion_type(key: &str, text: &str, problem: &str) -> Error {
    lookup(format!(
        "Invalid data type in lookup_options for key '{key}' could not parse '{text}', error: '{problem}"
    ))
}

/// Why a secret could not be converted, where what stands for it could be.
pub(crate) const SECRET_CONVERSION: &str = "the value is secret, and so is the reason";

/// A conversion failed.
pub(crate) fn conversion_failed(key: &str, problem: &str) -> Error {
    lookup(format!("The convert_to lookup_option for key '{key}' raised error: {problem}"))
}

// Interpolation.

/// `alias` has company.
pub(crate) fn alias_not_alone() -> Error {
    Error::new(
        ALIAS_NOT_ALONE,
        "'alias' interpolation is only permitted if the expression is equal to the entire string",
    )
}

/// There is no such method.
pub(crate) fn unknown_method(name: &str) -> Error {
    Error::new(
        "HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD",
        format!("Unknown interpolation method '{name}'"),
    )
}

/// A method is called in hiera.yaml.
pub(crate) fn method_not_allowed() -> Error {
    Error::new(
        "HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED",
        "Interpolation using method syntax is not allowed in this context",
    )
}

/// A variable expression cannot be split.
pub(crate) fn string_syntax(text: &str) -> Error {
    lookup(format!("Syntax error in string: {text}"))
}

/// A token that was encrypted cannot be filled in. What it asks for is part of the secret.
pub(crate) fn secret_token(key: &str) -> Error {
    Error::new(
        "SECRET_TOKEN",
        format!(
            "the decrypted value of '{key}' has a token %{{…}} that cannot be filled in; \
             for a plain %{{ encrypt %{{literal('%')}}{{"
        ),
    )
}

/// A variable that a decrypted text names has no value.
pub(crate) fn undefined_in_secret_text() -> String {
    "Undefined variable in a decrypted value".to_owned()
}

/// A variable has no value. The blank at the end is the reference's.
pub(crate) fn undefined_variable(name: &str, reason: &str) -> Error {
    Error::new(UNDEFINED_VARIABLE, undefined_variable_text(name, reason)).detail(VARIABLE, name)
}

/// Returns the variable that an error says has no value, if it is such an error.
pub fn undefined_name(error: &Error) -> Option<&str> {
    error.details(VARIABLE).next().filter(|name| !name.is_empty())
}

/// The same as a warning.
pub(crate) fn undefined_variable_text(name: &str, reason: &str) -> String {
    format!("Undefined variable '{name}'; {reason}")
}

/// A variable in a location has no value, which is not an error.
pub(crate) fn undefined_in_location_text(name: &str, reason: &str) -> String {
    // A class is named without them, a variable at the top with them.
    let name = name.strip_prefix("::").filter(|rest| rest.contains("::")).unwrap_or(name);
    format!("Interpolation failed with '{name}', but compilation continuing; {reason}")
}

// Printing.

/// `--render-as` has a value it does not accept.
pub(crate) fn unknown_format(name: &str) -> Error {
    ruby(format!("Unknown rendering format '{name}'"))
}

/// No value can be printed in a form.
pub(crate) fn unmade(class: &str, method: &str, mime: &str) -> Error {
    ruby(format!("{class} does not respond to {method}; can not render instances to {mime}"))
}

/// JSON has no such number.
pub(crate) fn not_in_json(word: &str) -> Error {
    ruby(format!("{word} not allowed in JSON"))
}
