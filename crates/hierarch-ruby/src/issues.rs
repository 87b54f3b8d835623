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
    Error::new("RUBY_SYMBOLS", format!("The Ruby code makes more than {most} symbols of texts (--max-size)"))
}

/// A construct or method that Ruby has and Hierarch does not.
pub fn unsupported(what: &str, file: &str, line: u32) -> Error {
    Error::new(
        "RUBY_UNSUPPORTED",
        format!("Ruby's {what} is not known to Hierarch (file {file}, line {line})"),
    )
}

/// Something that never runs here.
pub fn refused(what: &str, file: &str, line: u32) -> Error {
    let message = format!("Ruby's {what} is not allowed in Hierarch (file {file}, line {line})");
    Error::new("RUBY_REFUSED", message)
}

/// A file that may not be read.
pub fn reading_refused(path: &str) -> Error {
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
    let shown = if why.is_empty() && name.contains("::") { format!("::{name}") } else { name.to_owned() };
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
