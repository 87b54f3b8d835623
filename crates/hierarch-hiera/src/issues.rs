//! All the words a user can read, one small function per issue.
//!
//! The reference has three classes of failure, and what happens to an error depends on its class: *lookup
//! errors* (with or without an issue code), *Puppet errors*, which become lookup errors on their way out of a
//! layer, and *Ruby errors*, which nothing changes. [`class_of`] tells them apart by their code.

pub(crate) mod config;

use std::sync::Arc;

use hierarch_pcore::{Type, mismatch};
use hierarch_source::{Error, Place, Source, Span};

use crate::document::Malformed;

/// The code of a lookup error that has no issue code in the reference.
pub const LOOKUP_ERROR: &str = "LOOKUP_ERROR";

const PUPPET_ERROR: &str = "PUPPET_ERROR";
const ARGUMENT_ERROR: &str = "ARGUMENT_ERROR";
const UNDEFINED_VARIABLE: &str = "UNDEFINED_VARIABLE";

/// The detail of an error about a variable: its name.
const VARIABLE: &str = "variable";

/// The detail of an error about a value that cannot be decrypted: the key that it belongs to.
pub const ENCRYPTED_KEY: &str = "encrypted key";

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

/// A conversion failed.
pub(crate) fn conversion_failed(key: &str, problem: &str) -> Error {
    lookup(format!("The convert_to lookup_option for key '{key}' raised error: {problem}"))
}

// Interpolation.

/// `alias` has company.
pub(crate) fn alias_not_alone() -> Error {
    Error::new(
        "HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING",
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

/// A variable has no value. The blank at the end is the reference's.
pub(crate) fn undefined_variable(name: &str, reason: &str) -> Error {
    Error::new(UNDEFINED_VARIABLE, undefined_variable_text(name, reason)).detail(VARIABLE, name)
}

/// Returns the variable that an error says has no value, if it is such an error.
pub(crate) fn undefined_name(error: &Error) -> Option<&str> {
    error.details(VARIABLE).next().filter(|name| !name.is_empty())
}

/// The same as a warning.
pub(crate) fn undefined_variable_text(name: &str, reason: &str) -> String {
    format!("Undefined variable '{name}'; {reason}")
}

/// A variable in a location has no value, which is not an error.
pub(crate) fn undefined_in_location_text(name: &str, reason: &str) -> String {
    format!("Interpolation failed with '{name}', but compilation continuing; {reason}")
}

// Files.

/// A file cannot be read.
pub(crate) fn eyaml_scheme(scheme: &str) -> Error {
    eyaml(&format!("values cannot be encrypted with {scheme}, only with PKCS7; nothing was written"))
}

/// A value is encrypted in a way that is not known.
pub(crate) fn eyaml_no_scheme(scheme: &str) -> Error {
    eyaml(&format!("cannot load such file -- hiera/backend/eyaml/encryptors/{scheme}"))
}

pub(crate) fn eyaml_unknown_block(number: usize) -> Error {
    eyaml(&format!("the file has no value DEC({number}); new ones have no number: DEC::PKCS7[…]!"))
}

/// What is meant to be a mark is none, so that its value would be written in clear.
pub(crate) fn eyaml_unclosed_mark(mark: &str, line: usize) -> Error {
    eyaml(&format!(
        "line {line}: {mark} begins a value to encrypt and does not have its form, which is DEC::PKCS7[…]!"
    ))
}

pub(crate) fn eyaml_repeated_block(number: usize) -> Error {
    eyaml(&format!("DEC({number}) stands there twice; new ones have no number: DEC::PKCS7[…]!"))
}

pub(crate) fn too_large(path: &str, most: u64) -> Error {
    ruby(format!("{path} has more than {most} bytes; --max-file-size raises the limit"))
}

/// What Linux calls a ring of links.
const LOOP: &str = "Too many levels of symbolic links";

/// Tells whether links lead back to themselves, which has no stable name of its own yet.
pub(crate) fn is_ring(error: &std::io::Error) -> bool {
    error.to_string().starts_with(LOOP)
}

/// A pattern leads through a link that leads back to itself.
pub(crate) fn ring_of_links(path: &str) -> Error {
    ruby(format!("{LOOP} - {path}"))
}

/// A line of an environment.conf is neither a setting nor a section.
pub(crate) fn unmatched_line(line: &str, file: &Arc<Source>, span: Span) -> Error {
    lookup(format!("Could not match line {line}")).on_line_of(file, span)
}

/// A file cannot be read.
pub(crate) fn unreadable(path: &str, error: &std::io::Error) -> Error {
    let words = match error.kind() {
        std::io::ErrorKind::IsADirectory => return is_a_directory(path),
        std::io::ErrorKind::NotFound => "No such file or directory @ rb_file_s_stat".to_owned(),
        std::io::ErrorKind::PermissionDenied => "Permission denied @ rb_sysopen".to_owned(),
        _ if is_ring(error) => format!("{LOOP} @ rb_file_s_stat"),
        _ => format!("{error} @ rb_sysopen"),
    };
    ruby(format!("{words} - {path}"))
}

/// A file is a folder.
pub(crate) fn is_a_directory(path: &str) -> Error {
    ruby(format!("Is a directory @ io_fread - {path}"))
}

/// Data cannot be parsed.
pub(crate) fn unparsable(problem: &str) -> Error {
    lookup(format!("Unable to parse {problem}"))
}

/// Data cannot be parsed, and the place is known.
pub(crate) fn malformed_data(problem: Malformed) -> Error {
    unparsable(&problem.words).with_more_of(problem)
}

/// What is known of a malformed text beyond the words.
trait WithMore {
    fn with_more_of(self, problem: Malformed) -> Self;
}

impl WithMore for Error {
    fn with_more_of(self, problem: Malformed) -> Self {
        let error = self.showing(problem.place);
        problem.hint.into_iter().fold(error, Error::note)
    }
}

/// A value that YAML takes for more than data, which is meant to be a text.
pub(crate) fn to_be_quoted_text(place: Option<&Place>) -> String {
    let at = place.map(|place| format!(" ({place})")).unwrap_or_default();
    format!("YAML takes this for a date, a time or a symbol, which data cannot hold; put it in quotes{at}")
}

/// What Ruby says of a text without any JSON in it.
pub(crate) const NO_JSON_AT_ALL: &str = "JSON::ParserError";

/// JSON ends before this, in the words of Ruby's library.
pub(crate) fn unexpected_token(rest: &str) -> String {
    format!("unexpected token at '{rest}'")
}

/// A JSON text has the first half of a character.
pub(crate) fn incomplete_surrogate(rest: &str) -> String {
    format!("incomplete surrogate pair at '{rest}'")
}

/// JSON has collections inside each other without end.
pub(crate) fn json_too_deep(depth: usize) -> String {
    format!("nesting of {depth} is too deep")
}

/// hiera.yaml cannot be parsed.
pub(crate) fn unparsable_configuration(problem: Malformed) -> Error {
    puppet(problem.words.as_str()).with_more_of(problem)
}

/// A data file holds something else than a hash.
pub(crate) fn no_yaml_hash_text(path: &str) -> String {
    format!("{path}: file does not contain a valid yaml hash")
}

/// The same as an error.
pub(crate) fn no_yaml_hash(path: &str) -> Error {
    lookup(no_yaml_hash_text(path))
}

/// A deprecated setting names no way to get data.
pub(crate) fn unknown_provider(environment: &str, setting: &str, provider: &str) -> Error {
    puppet(format!("Environment '{environment}', cannot find {setting} '{provider}'"))
}

/// A URI cannot be read.
pub(crate) fn bad_uri(text: &str) -> Error {
    ruby(format!("bad URI(is not URI?): {}", ruby_quoted(text)))
}

/// The variable of mapped paths has a value that cannot be mapped.
pub(crate) fn unmappable(class: &str) -> Error {
    ruby(format!("the variable of mapped_paths must hold a String, an Array or a Hash, got {class}"))
}

fn ruby_quoted(text: &str) -> String {
    let list = hierarch_pcore::Value::array(vec![hierarch_pcore::Value::from(text)]).to_plain();
    list[1..list.len() - 1].to_owned()
}

// Backends.

/// A data function got options it does not accept.
pub fn path_needed(function: &str, kind: &str) -> Error {
    let colon = if kind == "lookup_key" { ":" } else { "" };
    ruby(format!(
        "'{function}'{colon} one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this {kind} function"
    ))
}

/// A data function is used as another kind of function.
pub(crate) fn wrong_argument_count(function: &str, expected: usize, got: usize) -> Error {
    ruby(format!("'{function}' expects {expected} arguments, got {got}"))
}

/// A backend returned something else than a hash.
pub(crate) fn not_rich_data(subject: &str, got: &str) -> Error {
    Error::new("TYPE_MISMATCH", format!("{subject} has wrong type, expects Puppet::LookupValue, got {got}"))
}

/// A data function declares that it returns something else.
pub(crate) fn wrong_return_type(kind: &str, function: &str, wanted: &Type, returned: &Type) -> Error {
    let subject = format!("Return type of '{kind}' function named '{function}' is incorrect,");
    Error::new("TYPE_MISMATCH", mismatch::describe_types(&subject, wanted, returned))
}

/// A module's data holds a key outside its namespace.
pub(crate) fn foreign_key_text(module: &str, subject: &str, key: &str) -> String {
    format!("Module '{module}': {subject} must use keys qualified with the name of the module; got {key}")
}

/// Hiera 3 backends need the Hiera 3 library.
pub(crate) fn no_hiera3() -> Error {
    lookup("Hiera 3 is not installed")
}

/// Decryption failed.
pub(crate) fn decryption_failed(text: &str, key: &str, path: &str, cause: &str) -> Error {
    lookup(format!(
        "hiera-eyaml backend error decrypting {text} when looking up {key} in {path}. Error was {cause}"
    ))
    .detail(ENCRYPTED_KEY, key)
}

// The command.

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

/// A file of facts that a flag names holds something else.
pub(crate) fn bad_facts(path: &str) -> Error {
    ruby(format!(
        "Incorrectly formatted data in {path} given via the --facts flag (only accepts yaml and json files)"
    ))
}

/// A file of facts that a flag names cannot be parsed.
pub(crate) fn malformed_facts(problem: Malformed) -> Error {
    ruby(problem.words.as_str()).with_more_of(problem)
}

/// A file of facts is not there, or cannot be opened.
pub(crate) fn unopened(path: &str, error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => ruby(format!("No such file or directory @ rb_sysopen - {path}")),
        _ => unreadable(path, error),
    }
}

/// A file was read as JSON.
pub(crate) const NOT_JSON: &str = "this is not JSON";

/// A file holds no map.
pub(crate) fn no_map(path: &str) -> Error {
    ruby(format!("{path} does not hold a map of names and values"))
}

/// A file is neither JSON nor YAML.
pub(crate) fn malformed_file(problem: &str, place: &Place) -> Error {
    ruby(problem).at(&place.source, place.span)
}

/// Some of the facts that say who a node is are missing.
pub(crate) fn incomplete_trusted_facts(names: &str, path: &str) -> Error {
    ruby(format!(
        "When overriding any of the {names} facts with {path} given via the --facts flag, they must all be overridden."
    ))
}

/// Nothing is known about a node.
pub(crate) fn no_facts(node: &str) -> Error {
    ruby(format!("No facts available for target node: {node}"))
}

/// A value cannot be encrypted.
pub(crate) fn eyaml(cause: &str) -> Error {
    ruby(cause)
}

/// A file does not hold a list.
pub(crate) fn no_list(path: &str) -> Error {
    ruby(format!("{path} does not hold a list"))
}

/// A file to be converted is not of version 3.
pub(crate) fn not_version_3(path: &str, version: &str) -> Error {
    ruby(format!("{path} is of version {version}; only version 3 can be converted"))
}

/// What is wrong with a HOCON text, in the words of the library that the reference reads it with.
pub(crate) mod hocon {
    /// An include that names nothing.
    pub(crate) const NO_NAME: &str = "include keyword is not followed by a quoted string, but by";
    /// An include that names something in an unknown way.
    pub(crate) const NO_PARAMETER: &str = "expecting include parameter to be quoted filename, file(), classpath(), \
        or url(). No spaces are allowed before the open paren. Not expecting";
    /// `file(` without a name.
    pub(crate) const NO_QUOTED_NAME: &str =
        "expecting a quoted string inside file(), classpath(), or url(), rather than";
    /// `file("x"` without its end.
    pub(crate) const NO_CLOSE_PARENTHESIS: &str = "expecting a close parentheses ')' here, not";
    /// A substitution of an included file would stand in a list.
    pub(crate) const INCLUDE_IN_LIST: &str = "Due to current limitations of the config parser, when an include \
        statement is nested inside a list value, ${} substitutions inside the included file cannot be resolved \
        correctly. Either move the include outside of the list value or remove the ${} statements from the included \
        file.";
    /// `classpath()` means Java's files.
    pub(crate) const NO_CLASSPATH: &str = "include classpath() finds nothing outside of Java; use file()";
    /// A text that is not a file includes one.
    pub(crate) const NO_FILES: &str = "includes are read in data files only";

    /// An include names a URL.
    pub(crate) fn bad_url(url: &str) -> String {
        format!("include url() specifies an invalid URL: {url}")
    }

    /// A substitution leads nowhere.
    pub(crate) fn unresolved(at: &str, trace: &[String], is_ring: bool) -> String {
        let named: Vec<String> = trace.iter().map(|path| format!("${{{path}}}")).collect();
        let last = named.last().cloned().unwrap_or_default();
        let start = format!("{at}: Could not resolve substitution to a value: {last}");
        match named.first().filter(|_| is_ring) {
            Some(first) => {
                format!(
                    "{start} was part of a cycle of substitutions involving {}, {first}",
                    named.join(", ")
                )
            }
            None => start,
        }
    }

    /// Substitutions of substitutions grow without end.
    pub(crate) fn too_many_values(most: u64) -> String {
        format!("substitutions make more than {most} values of it; --max-lookup-steps raises the limit")
    }

    /// Lists, objects and texts stand side by side.
    pub(crate) const NOT_JOINED: &str =
        "String: 1: Cannot concatenate object or list with a non-object-or-list";

    /// Collections inside collections.
    pub(crate) fn too_deep(most: usize) -> String {
        format!("more than {most} objects and lists stand inside each other; dots in keys count as well")
    }

    /// Substitutions inside substitutions.
    pub(crate) fn too_many_substitutions(most: usize) -> String {
        format!("more than {most} substitutions and objects stand inside each other")
    }

    /// Files include each other.
    pub(crate) fn too_many_files(path: &str, most: usize) -> String {
        format!("{path} would be read after more than {most} other included files")
    }

    /// Files include each other without end.
    pub(crate) fn too_many_includes(path: &str, most: usize) -> String {
        format!(
            "{path}: include statements nested more than {most} times, you probably have a cycle in your includes."
        )
    }

    /// An included file holds a list or a text.
    pub(crate) fn no_object(path: &str) -> String {
        format!("{path}: 1:  has type LIST rather than object at file root")
    }

    /// An included file cannot be read.
    pub(crate) fn unreadable(path: &str, error: &std::io::Error) -> String {
        format!("{path}: {error}")
    }
}
