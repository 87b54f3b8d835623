//! Everything expressions and templates can say to a user, and the kind of each.

use std::io;
use std::path::Path;

use hierarch_source::{Error, Place};

/// Returns the kind of a failure, as the recorded cases name it.
pub fn expression_kind(error: &Error) -> &'static str {
    match error.code {
        "EXPR_SHAPE" => "TypeError",
        "EXPR_INDEX" => "IndexError",
        "EXPR_PORT" => "ValueError",
        "EXPR_PORT_RANGE" => "RangeValueError",
        "EXPR_PORTS" => "ValidationError",
        "EXPR_FUNCTION" | "EXPR_MISPLACED" => "UnfurlEvalError",
        "EXPR_SPECIAL" => "AttributeError",
        "EXPR_NO_FILE" => "FileNotFoundError",
        _ => "UnfurlError",
    }
}

/// Why something failed that a secret went into.
pub(crate) const HIDDEN_REASON: &str = "it fails on a secret, and the reason may tell it; --reveal shows it";

/// What failed had a secret; limits and cycles tell none, and are said.
pub(crate) fn failed_on_secret(what: &str, error: Error) -> Error {
    if matches!(error.code, "EXPR_LIMIT" | "EXPR_CYCLE") {
        return error;
    }
    let hidden = Error::new(error.code, format!("{what}: {HIDDEN_REASON}"));
    match error.place.clone() {
        Some(place) => hidden.at(&place.source, place.span),
        None => hidden,
    }
}

pub(crate) fn name_in_use(name: &str) -> Error {
    Error::new("EXPR_NAME", format!("can not create node instance \"{name}\", its name is already in use"))
}

pub(crate) fn instance_is_no_map(name: &str) -> Error {
    Error::new("EXPR_INSTANCE", format!("the instance \"{name}\" must be a map of attributes"))
}

pub(crate) fn no_such_instance(name: &str) -> Error {
    Error::new("EXPR_INSTANCE", format!("there is no instance \"{name}\""))
}

pub(crate) fn unknown_special(key: &str) -> Error {
    Error::new("EXPR_SPECIAL", format!("unknown key {key}")).note(
        "the keys are . .. .name .root .parents .ancestors .instances .descendants .all .key and .names",
    )
}

pub(crate) fn orchestration(what: &str) -> Error {
    Error::new(
        "EXPR_ORCHESTRATION",
        format!("{what} belongs to Unfurl's deployments; Hierarch has documents only"),
    )
}

pub(crate) fn path_syntax(path: &str, what: &str) -> Error {
    Error::new("EXPR_PATH", format!("{what} in the path expression \"{path}\""))
}

pub(crate) fn path_too_long(limit: usize) -> Error {
    Error::new("EXPR_LIMIT", format!("a path expression has more than {limit} steps"))
        .note("--max-path raises the limit")
}

pub(crate) fn function_missing(map: &str, near: &[&str]) -> Error {
    let error = Error::new("EXPR_FUNCTION", format!("Function missing in {map}"));
    let error = if near.is_empty() { error } else { error.note(did_you_mean(near)) };
    error.note(LISTED)
}

/// Where everything stands that expressions and templates have.
pub(crate) const LISTED: &str = "hierarch doc --expressions lists what there is";

/// A name is not a variable of the template but an attribute of the document.
pub(crate) fn of_self(name: &str) -> String {
    format!("{name} is an attribute of the document here: SELF.{name}")
}

pub(crate) fn did_you_mean(near: &[&str]) -> String {
    format!("did you mean {}?", near.join(" or "))
}

pub(crate) fn function_unsafe(name: &str) -> Error {
    Error::new("EXPR_FUNCTION", format!("function unsafe or missing in {name}"))
        .note("safe mode reaches no files and no environment")
}

pub(crate) fn misplaced(key: &str) -> Error {
    Error::new("EXPR_MISPLACED", format!("unexpected '{key}' found, did you intend it for the parent?"))
}

pub(crate) fn wrong_shape(found: &str) -> Error {
    Error::new("EXPR_SHAPE", format!("Wrong shape: {found} isn't a list of the right length"))
}

pub(crate) fn wrong_argument(function: &str, wanted: &str, found: &str) -> Error {
    Error::new("EXPR_SHAPE", format!("{function} expects {wanted}, got {found}"))
}

pub(crate) fn index_out_of_range() -> Error {
    Error::new("EXPR_INDEX", "list index out of range")
}

pub(crate) fn division_by_zero() -> Error {
    Error::new("EXPR_ZERO", "division by zero")
}

pub(crate) fn number_too_large() -> Error {
    Error::new("EXPR_NUMBER", "the number is outside of the range of 64 bit integers")
}

pub(crate) fn must_return_results(expression: &str) -> Error {
    Error::new("EXPR_REQUIRED", format!("Expression {expression} must return results"))
}

pub(crate) fn must_not_be_null(expression: &str) -> Error {
    Error::new("EXPR_REQUIRED", format!("Expression {expression} must not be null"))
}

pub(crate) fn undefined_input(name: &str) -> Error {
    Error::new("EXPR_INPUT", format!("undefined input '{name}'"))
}

pub(crate) fn unknown_folder(name: &str) -> Error {
    Error::new("EXPR_FOLDER", format!("Named directory or repository \"{name}\" not found"))
        .note("the folders are . src project artifacts secrets local tasks and tmp")
}

pub(crate) fn unknown_lookup(name: &str) -> Error {
    Error::new("EXPR_NO_LOOKUP", format!("lookup plugin ({name}) not found"))
        .note(format!("the plugins are {}", super::functions::PLUGINS.join(", ")))
}

pub(crate) fn cycle(chain: &[String]) -> Error {
    Error::new("EXPR_CYCLE", format!("these values refer to each other: {}", chain.join(" -> ")))
}

/// Says where something is written: `file:line:column`.
pub(crate) fn position(place: &Place) -> String {
    let (line, column) = place.position();
    format!("{}:{line}:{}", place.source.name().unwrap_or("-"), column.unwrap_or(1))
}

pub(crate) fn in_template(place: &Place) -> String {
    let (line, column) = place.position();
    format!("in line {line}, column {} of the template", column.unwrap_or(1))
}

pub(crate) fn traced(expression: &str, found: &[String]) -> String {
    match found {
        [] => format!("{expression} has no match"),
        found => format!("{expression} gives {}", found.join(", ")),
    }
}

pub(crate) fn key_not_found(key: &str) -> Error {
    Error::new("EXPR_KEY", format!("lookup() did not find a value for the name '{key}'"))
        .note("a default can be given: lookup('hiera', 'key', default='value')")
}

pub(crate) fn wrong_lookup(plugin: &str, what: &str) -> Error {
    Error::new("EXPR_LOOKUP", format!("the lookup plugin {plugin} {what}"))
}

pub(crate) fn too_deep(limit: usize) -> Error {
    limit_reached(format!("expressions are nested more than {limit} levels deep"), "depth")
}

pub(crate) fn too_many_steps(limit: u64) -> Error {
    limit_reached(format!("the evaluation takes more than {limit} steps"), "steps")
}

pub(crate) fn too_much_output(limit: usize) -> Error {
    limit_reached(format!("a template writes more than {limit} bytes"), "size")
}

pub(crate) fn too_large(limit: usize) -> Error {
    limit_reached(format!("a value takes more than {limit} bytes"), "size")
}

pub(crate) fn too_much(limit: usize) -> Error {
    limit_reached(format!("the values take more than {limit} bytes together"), "size")
}

pub(crate) fn too_deep_a_value(limit: usize) -> Error {
    limit_reached(format!("a value is nested more than {limit} levels deep"), "depth")
}

/// Names the limit as `ExpressionLimits` and the command line do.
fn limit_reached(what: String, limit: &str) -> Error {
    Error::new("EXPR_LIMIT", what).note(format!("the limit can be raised with --max-{limit}"))
}

pub(crate) fn nested_namespace() -> Error {
    Error::new("EXPR_NAMESPACE", "a namespace can not be kept in a namespace, since it could hold itself")
}

pub(crate) fn pattern_too_long(limit: usize) -> Error {
    Error::new("EXPR_LIMIT", format!("a regular expression has more than {limit} bytes"))
}

/// Something outside the document is not to be reached.
pub fn forbidden(what: &str, flag: &str) -> Error {
    Error::new("EXPR_FORBIDDEN", format!("{what} is not allowed")).note(format!("allow it with {flag}"))
}

pub(crate) fn unavailable(what: &str) -> Error {
    Error::new("EXPR_UNAVAILABLE", format!("there is no {what} here"))
}

pub(crate) fn file_error(path: &Path, error: &io::Error) -> Error {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => {
            Error::new("EXPR_NO_FILE", format!("[Errno 2] No such file or directory: '{path}'"))
        }
        io::ErrorKind::PermissionDenied => {
            Error::new("EXPR_FORBIDDEN", format!("{path} can not be used: {error}"))
        }
        _ => Error::new("EXPR_FILE", format!("{path} can not be used: {error}")),
    }
}

pub(crate) fn bad_schema(what: &str) -> Error {
    Error::new("EXPR_SCHEMA", format!("the JSON schema can not be used: {what}"))
}

/// The detail of a template that failed: why, in words that are not about a template.
pub(crate) const BARE_WORDS: &str = "bare words";

pub(crate) fn template(message: &str) -> Error {
    Error::new("TEMPLATE", format!("<<Error rendering template: {message}>>")).detail(BARE_WORDS, message)
}

/// A template that is rendered by itself failed.
pub(crate) fn template_file(message: &str) -> Error {
    Error::new("TEMPLATE", message)
}

/// The code of templates that use what is not there.
pub(crate) const UNDEFINED: &str = "TEMPLATE_UNDEFINED";

/// Marks a failure as one of something that is not there: asking whether it is there is no failure.
pub(crate) fn as_undefined(error: Error) -> Error {
    let mut diagnostic = error.into_diagnostic();
    diagnostic.code = UNDEFINED;
    diagnostic.into()
}

/// What `portspec` gets does not describe ports.
pub(crate) fn invalid_ports(value: &str) -> Error {
    wrong_ports(format!("Invalid PortSpec: \"{value}\" "))
}

/// A description of ports names none.
pub(crate) fn empty_ports(value: &str) -> Error {
    wrong_ports(format!("PortSpec {value} is empty"))
}

/// A port is not an integer.
pub(crate) fn no_integer(value: &str) -> Error {
    Error::new("EXPR_PORT", format!("\"{value}\" is not an integer."))
}

/// An end of a range is not a number.
pub(crate) fn no_number(value: &str) -> Error {
    Error::new("EXPR_PORT", format!("\"{value}\" is not a numeric."))
}

/// A range has not two ends, or ends before it begins.
pub(crate) fn invalid_range(value: &str) -> Error {
    Error::new("EXPR_PORT", format!("\"{value}\" is not a valid range."))
}

/// A port lies outside of what it may be.
pub(crate) fn port_out_of_range(value: &str, name: &str, least: f64, most: f64) -> Error {
    Error::new(
        "EXPR_PORT_RANGE",
        format!(
            "The value \"{value}\" of property \"{name}\" is out of range \"(min:{least}, max:{most})\"."
        ),
    )
}

/// A protocol is none of those that there are.
pub(crate) fn unknown_protocol(value: &str, known: &str) -> Error {
    wrong_ports(format!(
        "The value \"{value}\" of property \"protocol\" is not valid. Expected a value from \"[{known}]\"."
    ))
}

fn wrong_ports(message: String) -> Error {
    Error::new("EXPR_PORTS", message)
}
