//! All the words a user can read, one small function per issue.

mod catalog;
mod guard;
mod operators;

use std::path::Path;

/// A lookup context that a program made explains nothing.
pub(crate) const NOTHING_TO_EXPLAIN: &str = "there is no lookup that this context could explain";

use hierarch_hiera::issues::{Class, class_of};
use hierarch_pcore::{Value, infer, issues as words};
use hierarch_source::{Error, Place};
use hierarch_syntax::ast::{Ast, ExprId};
use hierarch_syntax::{label, with_article};

pub use catalog::*;
pub use guard::{refused_function, refused_secret, refused_variable, stopped};
pub use operators::*;

/// The code of errors that the reference raises without one.
pub const RUNTIME_ERROR: &str = words::RUNTIME_ERROR;

const PREFIX: &str = "Evaluation Error: ";

/// The detail of an error that says already that it arose while evaluating.
const EVALUATED: &str = "evaluated";
/// The innermost expression that failed was looked at for what may be misspelt.
pub(crate) const INNERMOST: &str = "innermost";

/// The detail of an error about what a function returned: its name.
pub(crate) const RETURNED_FROM: &str = "returned from";

/// The detail of an error about a Ruby file that cannot be loaded.
pub const MISSING_FEATURE: &str = "missing feature";

/// The detail of an error about parameters: the class or resource that has them.
pub const PARAMETERS_OF: &str = "parameters of";

/// The detail of an error about parameters: one that has no value, and needs one.
pub const MISSING_PARAMETER: &str = "missing parameter";

/// The detail of an error about parameters: one whose value does not fit.
pub const WRONG_PARAMETER: &str = "wrong parameter";

/// The code of exceptions of Ruby's that go out as they are.
pub const RUBY_EXCEPTION: &str = "RUBY_EXCEPTION";

fn runtime(message: impl Into<String>) -> Error {
    Error::new(RUNTIME_ERROR, message)
}

/// What defines an object type or a type set is an expression of a class, and no hash.
pub(crate) fn no_initializer(label: &str, class: &str) -> Error {
    runtime(format!("{label} initializer has wrong type, expects a Struct value, got Puppet::AST::{class}"))
}

/// Gives an issue the place of an expression, and says that it arose while evaluating.
pub(crate) fn at(error: Error, ast: &Ast, id: ExprId) -> Error {
    let mut diagnostic = error.into_diagnostic();
    if diagnostic.place.is_none() {
        diagnostic.message.insert_str(0, PREFIX);
    }
    Error::from(diagnostic).at(ast.source(), ast.span(id))
}

/// Says that an issue arose while evaluating, at a place that the reference does not know.
pub(crate) fn nowhere(error: Error) -> Error {
    let mut diagnostic = error.into_diagnostic();
    diagnostic.message.insert_str(0, PREFIX);
    Error::from(diagnostic).detail(EVALUATED, "")
}

/// Tells whether an error needs no more words or places.
pub(crate) fn is_complete(error: &Error) -> bool {
    error.place.is_some()
        || error.code == OF_THE_CALL
        || error.code == RUBY_EXCEPTION
        || error.has_detail(EVALUATED)
        || matches!(class_of(error), Class::Lookup { .. })
}

/// Makes an error about a parameter one of the call.
pub(crate) fn of_the_call(error: Error) -> Error {
    if error.code != OF_THE_CALL {
        return error;
    }
    let mut diagnostic = error.into_diagnostic();
    diagnostic.code = RUNTIME_ERROR;
    diagnostic.into()
}

/// Makes an error without a place the failure of an expression. One that is not an issue of the language's own is
/// wrapped in words that name the expression.
pub(crate) fn failed(error: Error, ast: &Ast, id: ExprId) -> Error {
    if !error.code.is_empty() && error.code != RUNTIME_ERROR {
        return at(error, ast, id);
    }
    let mut diagnostic = error.into_diagnostic();
    diagnostic.code = RUNTIME_ERROR;
    diagnostic.message =
        format!("Error while evaluating {}, {}", with_article(&label(ast, id)), diagnostic.message);
    at(diagnostic.into(), ast, id)
}

/// Returns the words that messages call a value by.
fn value_label(value: &Value) -> String {
    match value {
        // Its label as a value is that of any object; only as an expression it has one of its own.
        Value::Default | Value::Foreign(_) => "Object".to_owned(),
        other => words::value_label(other),
    }
}

fn a_value(value: &Value) -> String {
    with_article(&value_label(value))
}

fn capital_value(value: &Value) -> String {
    words::capitalized(&a_value(value))
}

/// Returns Ruby's text of a value.
fn ruby_text(value: &Value) -> String {
    match value {
        Value::Regexp(regexp) => regexp.as_group(),
        other => other.to_plain(),
    }
}

/// A data function returned something else than it declares.
pub(crate) fn wrong_answer(message: &str) -> Error {
    Error::new("TYPE_ASSERTION", message)
}

/// An argument, or something else that a function was given, will not do.
pub fn argument(message: &str) -> Error {
    runtime(message)
}

// Variables.

/// A variable was read that no scope defines.
pub fn unknown_variable(name: &str) -> Error {
    Error::new("UNKNOWN_VARIABLE", format!("Unknown variable: '{name}'."))
}

/// A variable is set that has a value already.
pub fn reassigned(name: &str) -> Error {
    match name {
        "facts" | "trusted" | "server_facts" => Error::new(
            "ILLEGAL_RESERVED_ASSIGNMENT",
            format!("Attempt to assign to a reserved variable name: '${name}'"),
        ),
        "name" | "title" => Error::new(
            "ILLEGAL_REASSIGNMENT",
            format!("Cannot reassign built in (or already assigned) variable '${name}'"),
        ),
        _ => Error::new("ILLEGAL_REASSIGNMENT", format!("Cannot reassign variable '${name}'")),
    }
}

/// As many variables as values are needed.
pub fn assignment_size(expected: usize, actual: usize) -> Error {
    Error::new(
        "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
        format!("Mismatched number of assignable entries and values, expected {expected}, got {actual}"),
    )
}

/// A hash has no value for a variable.
pub fn missing_key(key: &Value) -> Error {
    let key = key.to_plain();
    Error::new(
        "MISSING_MULTI_ASSIGNMENT_KEY",
        format!("No value for required key '{key}' in assignment to variables from hash"),
    )
}

// Parameters.

/// A parameter has neither a value nor a default.
pub fn parameter_required(name: &str) -> Error {
    Error::new("MISSING_REQUIRED_PARAMETER", format!("Parameter ${name} is required but no value was given"))
}

/// A required parameter follows optional ones.
pub fn required_after_optional(name: &str) -> Error {
    Error::new(
        "REQUIRED_PARAMETER_AFTER_OPTIONAL",
        format!("Parameter ${name} is required but appears after optional parameters"),
    )
}

/// The code of errors that concern the call and not the expression that raised them.
pub(crate) const OF_THE_CALL: &str = "PARAMETER_ORDER";

/// A default needs a parameter that was not given.
pub fn parameter_expected(callee: &str, to: &str) -> Error {
    Error::new(OF_THE_CALL, format!("{callee}: expects a value for parameter ${to}"))
}

/// A default reads a parameter that comes later.
pub fn parameter_not_evaluated(callee: &str, from: &str, to: &str) -> Error {
    let problem = format!("default expression for ${from} tries to illegally access not yet evaluated ${to}");
    Error::new(OF_THE_CALL, format!("{callee}: {problem}"))
}

/// The type of a parameter is not a type.
pub fn type_expected(value: &Value) -> Error {
    Error::new("TYPE_MISMATCH", format!("Expected value of type Type, got {}", infer::generic(value)))
}

// Operators.

/// A name is that of no type.
pub fn unknown_type(name: &str) -> Error {
    Error::new("UNKNOWN_RESOURCE_TYPE", format!("Resource type not found: {name}"))
}

// Conditionals.

/// No option of a selector matches.
pub fn unmatched_selector(value: &Value) -> Error {
    let shown = ruby_text(value);
    Error::new("UNMATCHED_SELECTOR", format!("No matching entry for selector parameter with value '{shown}'"))
}

// Functions.

/// A function is called that a module has in Ruby, and the program was put together without Ruby.
pub fn ruby_function(name: &str, file: &Path) -> Error {
    let words =
        format!("The function '{name}' is written in Ruby, which is not run here: {}", file.display());
    Error::new("RUBY_FUNCTION", words)
}

/// A function is called that does not exist.
pub fn unknown_function(name: &str) -> Error {
    Error::new("UNKNOWN_FUNCTION", format!("Unknown function: '{name}'."))
}

/// Names that look like the one that is not there.
pub fn did_you_mean(sign: &str, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{sign}{name}")).collect();
    format!("did you mean {}?", names.join(" or "))
}

/// A function comes with a module that is not there.
pub fn function_of_module(name: &str, module: &str) -> String {
    format!(
        "{name} is a function of the module {module}, which is not on the modulepath; install it or pass --modulepath"
    )
}

/// A signature explains in words of its own what is wrong.
pub fn mismatch_in_own_words(name: &str, words: &str) -> Error {
    runtime(format!("'{name}' {words}"))
}

/// A file of a module that should define something has nothing in it.
pub(crate) fn empty_definition(path: &str, what: &str, name: &str) -> Error {
    runtime(format!("The code loaded from {path} does not define the {what} '{name}' - it is empty."))
}

/// What declares a function of another language is wrong.
pub fn not_loaded(name: &str, why: &str) -> Error {
    runtime(format!("Function Load Error for function '{name}': {why}"))
}

/// An old function got a wrong number of arguments.
pub fn legacy_arity(name: &str, given: i32, arity: i32) -> Error {
    let wanted = if arity < 0 { format!("minimum {}", -arity - 1) } else { arity.to_string() };
    runtime(format!("{name}(): Wrong number of arguments given ({given} for {wanted})"))
        .detail(words::ARGUMENT_COUNT, given.to_string())
}

/// An old function cannot take an iterator.
pub fn no_iterator_here() -> Error {
    runtime("Use of an Iterator is not supported here")
}

/// Code of another language ended something that it was not called from.
pub fn foreign_jump() -> Error {
    runtime("unexpected return")
}

/// A jump went further out than it may.
pub fn illegal_jump(word: &str) -> Error {
    Error::new("", format!("{word}() from context where this is illegal"))
}

/// An attribute is called with arguments.
pub fn attribute_arguments(label: &str, given: usize) -> Error {
    runtime(format!("'{label}' expects no arguments, got {given}"))
}

/// An attribute is called with a block.
pub fn attribute_block(label: &str) -> Error {
    runtime(format!("'{label}' does not expect a block"))
}

/// Something is defined a second time.
pub fn redefined(kind: &str, name: &str, first: &Place) -> Error {
    redefined_entity(kind, name, &format!("Originally set at {}.", url_of(first)))
}

/// A type gets the name of one that every program knows.
pub fn redefined_builtin(name: &str, is_static: bool) -> Error {
    let origin = if is_static {
        "Originally set by Puppet-Type-System/Static-Loader."
    } else {
        "Set at unknown location"
    };
    redefined_entity("type", name, origin)
}

fn redefined_entity(kind: &str, name: &str, origin: &str) -> Error {
    let url = format!("http://puppet.com/2016.1/runtime/{kind}/{name}");
    Error::new("", format!("Attempt to redefine entity '{url}'. {origin}"))
}

/// Returns a place as the reference writes it in addresses.
fn url_of(place: &Place) -> String {
    let (line, column) = place.position();
    let source = place.source.name().map_or_else(|| "string:".to_owned(), |name| format!("file:{name}"));
    format!("{source}?line={line}&pos={}", column.unwrap_or(1))
}

/// A defined type has the name of a resource type of the agent's.
pub fn redefined_type(name: &str, first: &Place) -> Error {
    runtime(format!("Could not autoload puppet/type/{name}: {}", redefined("type", name, first).message))
}

/// The text of a built-in's signature is malformed, which a test of the table finds.
pub fn bad_signature(text: &str) -> Error {
    runtime(format!("malformed signature '{text}'"))
}

/// What is asked for needs a part of Hierarch that is not there yet.
pub fn not_available(function: &str, what: &str) -> Error {
    runtime(format!("the function '{function}' needs {what}, which is not available here"))
}

// Lookups.

/// A lookup context is used where no lookup is under way.
pub(crate) fn not_found_nowhere() -> Error {
    runtime("uncaught throw :no_such_key")
}

/// A file that a data function wants is not there, or cannot be read.
pub(crate) fn no_such_file(path: &str, error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            runtime(format!("No such file or directory @ rb_file_s_stat - {path}"))
        }
        _ => unreadable(path, &error.to_string()),
    }
}

// Templates and files.

/// A template is malformed.
pub fn invalid_epp(function: &str, error: &Error, file: Option<&str>) -> Error {
    let file = file.map_or_else(String::new, |file| format!(" (file: {file})"));
    runtime(format!("{function}(): Invalid EPP: {error}{file}"))
}

/// There is no such template.
pub fn template_not_found(file: &str) -> Error {
    runtime(format!("Could not find template '{file}'"))
}

/// A file cannot be read.
pub fn unreadable(file: &str, problem: &str) -> Error {
    runtime(format!("Could not read {file}: {problem}"))
}

// Limits.

/// A program took too many steps.
pub fn too_many_steps(limit: u64) -> Error {
    Error::new(
        "STEP_LIMIT",
        format!("the program took more than {limit} steps; --max-steps raises the limit"),
    )
}

/// A catalog has too many resources.
pub fn too_many_resources(limit: usize) -> Error {
    Error::new(
        "RESOURCE_LIMIT",
        format!("the catalog has more than {limit} resources; --max-resources raises the limit"),
    )
}

/// A program holds too much at once.
pub fn too_much_memory(limit: u64) -> Error {
    Error::new(
        "MEMORY_LIMIT",
        format!("the program uses more than {} MiB of memory; --max-memory raises the limit", limit >> 20),
    )
}

/// Calls are nested too deep.
pub fn too_deep(depth: u32) -> Error {
    let depth = depth.saturating_sub(1);
    Error::new(
        "DEPTH_LIMIT",
        format!("calls are nested more than {depth} deep; --max-depth raises the limit"),
    )
}
