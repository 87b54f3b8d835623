//! All words of our own, and those of Ruby that many methods share.

use hierarch_source::Error;

/// A text is too long to be read.
pub fn source_too_long(most: usize) -> String {
    format!("the text is longer than {most} bytes, the most that is read as Ruby")
}

/// The parser could not be run.
pub fn no_parse_thread() -> String {
    "the parser of Ruby could not be run".to_owned()
}

/// A text nests too deep.
pub fn nested_too_deep(most: u32) -> String {
    format!("nesting too deep (more than {most} levels)")
}

/// A script ran too long.
pub fn too_many_steps(most: u64) -> Error {
    Error::new("RUBY_STEPS", format!("The Ruby code takes more than {most} steps (--max-steps)"))
}

/// A script holds too much.
pub fn too_much_memory(most: usize) -> Error {
    Error::new("RUBY_MEMORY", format!("The Ruby code holds more than {most} bytes (--max-memory)"))
}

/// A script makes something too large.
pub fn too_large(most: usize) -> Error {
    Error::new("RUBY_SIZE", format!("The Ruby code makes a value larger than {most} (--max-size)"))
}

/// A script makes too many symbols.
pub fn too_many_symbols(most: u32) -> Error {
    Error::new("RUBY_SYMBOLS", format!("The Ruby code makes more than {most} symbols of texts"))
}

/// A construct or method that Ruby has and Hierarch does not.
pub fn unsupported(what: &str, file: &str, line: u32) -> Error {
    Error::new(
        "RUBY_UNSUPPORTED",
        format!("Ruby's {what} is not known to Hierarch (file {file}, line {line})"),
    )
    .note(WAYS_OUT)
}

/// What a site can do about Ruby that does not run here.
const WAYS_OUT: &str = "--ruby-command PATH hands it to a real Ruby; `catalog compile` also takes a function of yours \
     (--overlay), its result (--answers) or a placeholder (--stub-missing)";

/// Something that never runs here.
pub fn refused(what: &str, file: &str, line: u32) -> Error {
    let message = format!("Ruby's {what} is not allowed in Hierarch (file {file}, line {line})");
    Error::new("RUBY_REFUSED", message).note(WAYS_OUT)
}

/// The network is not asked.
pub fn network_refused(what: &str, file: &str, line: u32) -> Error {
    let instead = "--ruby-net, or give the results of the function that asks with --answers FILE";
    let message =
        format!("Ruby's {what} asks the network, which is not allowed: {instead} (file {file}, line {line})");
    Error::new("RUBY_REFUSED", message)
}

/// A file that may not be read.
pub fn reading_refused(path: &str) -> Error {
    let path = if path.is_empty() { "." } else { path };
    Error::new("RUBY_READ", format!("reading {path} is not allowed (--ruby-read DIR)"))
}

/// A regular expression took too long.
pub fn regexp_failed(error: &Error) -> Error {
    Error::new("RUBY_REGEXP", error.message.clone())
}

/// What Ruby says of a wrong number of arguments.
pub fn wrong_number(given: usize, least: usize, most: Option<usize>) -> String {
    let expected = match most {
        Some(most) if most == least => format!("{least}"),
        Some(most) => format!("{least}..{most}"),
        None => format!("{least}+"),
    };
    format!("wrong number of arguments (given {given}, expected {expected})")
}

/// What Ruby says of keywords that a method does not have.
pub fn unknown_keywords(names: &[ecow::EcoString]) -> String {
    let plural = if names.len() > 1 { "s" } else { "" };
    format!("unknown keyword{plural}: {}", names.join(", "))
}

/// A variable that a template asks for is not known.
pub fn undefined_variable(name: &str, why: &str) -> String {
    let bare = name.strip_prefix("::").unwrap_or(name);
    let shown = if why.is_empty() && name.contains("::") { format!("::{bare}") } else { bare.to_owned() };
    format!("Undefined variable '{shown}'; {why}")
}

/// A function that a script calls by name is not known.
pub fn unknown_function(name: &str) -> String {
    format!("Unknown function '{name}'")
}

/// A function of the old interface is called with a wrong number of arguments.
pub fn old_arity(name: &str, given: usize, expected: usize) -> String {
    format!("{name}(): Wrong number of arguments given ({given} for {expected})")
}

/// A function that only the new interface can call.
pub fn new_function_only(name: &str) -> String {
    format!("{name}() can only be called using the 4.x function API. See Scope#call_function")
}

/// A function that the old interface does not know.
pub fn no_old_function(method: &str, scope: &str) -> String {
    format!("undefined method `{method}' for {scope}")
}

/// Old functions take one list.
pub fn arguments_in_a_list() -> String {
    "custom functions must be called with a single array that contains the arguments. For example, function_example([1]) instead of function_example(1)".to_owned()
}

/// A file of a function gives something else.
pub fn not_a_function(file: &str, class: &str) -> String {
    format!("The code loaded from {file} did not produce a Function class when evaluated. Got '{class}'")
}

/// A file has another function than its name says.
pub fn other_function(file: &str, expected: &str, got: &str) -> String {
    format!("The code loaded from {file} produced mis-matched name, expected '{expected}', got {got}")
}

/// A file of an old function gives something else.
pub fn not_an_old_function(file: &str, class: &str) -> String {
    format!(
        "Illegal legacy function definition! The code loaded from {file} did not return the result of calling 'newfunction'. Got '{class}'"
    )
}

/// A file has another old function than its name says.
pub fn other_old_function(file: &str, expected: &str, got: &str) -> String {
    format!(
        "The code loaded from {file} produced mis-matched name, expected 'function_{expected}', got '{got}'"
    )
}

/// A file of an old function defines a method.
pub fn illegal_definition(method: crate::value::Sym, file: &str, line: u32) -> String {
    format!(
        "Illegal method definition of method '{method}' in source {file} on line {line} in legacy function. See https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html for more information"
    )
}

/// An old function got a wrong number of arguments.
pub fn wrong_count_of_old(name: &str, given: i64, arity: i64) -> String {
    let wanted = if arity < 0 { format!("minimum {}", -arity - 1) } else { arity.to_string() };
    format!("{name}(): Wrong number of arguments given ({given} for {wanted})")
}

/// A function calls one that is not there.
pub fn unknown_function_in(caller: &str, name: &str) -> String {
    format!("Function {caller}(): Unknown function: '{name}'")
}

/// A function asks for something that a plain compilation does not have.
pub fn no_binding(name: &str) -> String {
    format!("Unable to lookup '{name}'")
}

/// A resource is asked for without a title.
pub fn no_title(text: &str) -> String {
    format!("No title provided and \"{text}\" is not a valid resource reference")
}

/// A function that has a newer interface is called through the scope.
pub fn through_the_scope(name: &str) -> String {
    format!(
        "Calling function_{name} via the Scope class is deprecated. Use Scope#call_function instead\n   (file & line not available)"
    )
}
