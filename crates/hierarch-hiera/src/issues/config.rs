//! What can be wrong with a hiera.yaml. `config::Complaint` adds the place that follows these words.

const FUNCTIONS: &str = "data_hash, lookup_key, data_dig, or hiera3_backend";
const LOCATIONS: &str = "path, paths, glob, globs, uri, uris, or mapped_paths";

/// An issue code and words.
pub(crate) type Issue = (&'static str, String);

/// Says an issue with the file and the line that it is about.
pub(crate) fn located((code, words): Issue, path: Option<&str>, line: Option<usize>) -> super::Error {
    let place = match (path, line) {
        (Some(path), Some(line)) => format!(" (file: {path}, line: {line})"),
        (Some(path), None) => format!(" (file: {path})"),
        (None, _) => String::new(),
    };
    super::Error::new(code, words + &place)
}

pub(crate) fn unsupported_version(version: i64) -> Issue {
    ("HIERA_UNSUPPORTED_VERSION", format!("This runtime does not support hiera.yaml version {version}"))
}

pub(crate) fn version_3_not_global(place: &str) -> Issue {
    ("HIERA_VERSION_3_NOT_GLOBAL", format!("hiera.yaml version 3 cannot be used in {place}"))
}

pub(crate) fn version_4_in_global() -> Issue {
    ("HIERA_UNSUPPORTED_VERSION_IN_GLOBAL", "hiera.yaml version 4 cannot be used in the global layer".into())
}

pub(crate) fn undefined_variable(name: &str) -> Issue {
    ("HIERA_UNDEFINED_VARIABLE", format!("Undefined variable '{name}'"))
}

fn first_defined(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(" First defined at (line: {line})"))
}

pub(crate) fn repeated_backend(name: &str, first_line: Option<usize>) -> Issue {
    let first = first_defined(first_line);
    ("HIERA_BACKEND_MULTIPLY_DEFINED", format!("Backend '{name}' is defined more than once.{first}"))
}

pub(crate) fn repeated_name(name: &str, first_line: Option<usize>) -> Issue {
    let first = first_defined(first_line);
    (
        "HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED",
        format!("Hierarchy name '{name}' defined more than once.{first}"),
    )
}

pub(crate) fn no_provider(backend: &str) -> Issue {
    ("HIERA_NO_PROVIDER_FOR_BACKEND", format!("No data provider is registered for backend '{backend}'"))
}

pub(crate) fn hiera3_not_global() -> Issue {
    ("HIERA_V3_BACKEND_NOT_GLOBAL", "'hiera3_backend' is only allowed in the global layer".into())
}

pub(crate) fn hiera3_replaced(backend: &str) -> Issue {
    (
        "HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH",
        format!("Use \"data_hash: {backend}_data\" instead of \"hiera3_backend: {backend}\""),
    )
}

pub(crate) fn default_hierarchy_not_in_module() -> Issue {
    (
        "HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE",
        "'default_hierarchy' is only allowed in the module layer".into(),
    )
}

pub(crate) fn no_function(level: &str) -> Issue {
    (
        "HIERA_MISSING_DATA_PROVIDER_FUNCTION",
        format!("One of {FUNCTIONS} must be defined in hierarchy '{level}'"),
    )
}

pub(crate) fn several_functions(level: &str) -> Issue {
    (
        "HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS",
        format!("Only one of {FUNCTIONS} can be defined in hierarchy '{level}'"),
    )
}

pub(crate) fn several_default_functions() -> Issue {
    (
        "HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT",
        format!("Only one of {FUNCTIONS} can be defined in defaults"),
    )
}

pub(crate) fn several_locations(level: &str) -> Issue {
    (
        "HIERA_MULTIPLE_LOCATION_SPECS",
        format!("Only one of {LOCATIONS} can be defined in hierarchy '{level}'"),
    )
}

pub(crate) fn reserved_option(key: &str, level: &str) -> Issue {
    (
        "HIERA_OPTION_RESERVED_BY_PUPPET",
        format!("Option key '{key}' used in hierarchy '{level}' is reserved by Puppet"),
    )
}

pub(crate) fn reserved_default_option(key: &str) -> Issue {
    (
        "HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET",
        format!("Option key '{key}' used in defaults is reserved by Puppet"),
    )
}

pub(crate) fn ruby_function(level: &str, name: &str, file: &str) -> Issue {
    (
        "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND",
        format!(
            "The level '{level}' needs the function '{name}', which exists only in Ruby: {file}. Write it in the Puppet language to use it here"
        ),
    )
}

pub(crate) fn no_such_function(kind: &str, name: &str) -> Issue {
    ("HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND", format!("Unable to find '{kind}' function named '{name}'"))
}
