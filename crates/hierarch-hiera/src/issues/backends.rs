//! What is wrong with backends: data functions, encrypted values, JSON and HOCON texts.

use hierarch_pcore::{Type, mismatch};
use hierarch_source::Error;

use super::{ENCRYPTED_KEY, lookup, ruby};

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

// Encrypted values.

/// A value cannot be encrypted.
pub(crate) fn eyaml(cause: &str) -> Error {
    ruby(cause)
}

/// A value is to be encrypted in a way that only decrypts here.
pub(crate) fn eyaml_scheme(scheme: &str) -> Error {
    eyaml(&format!("values cannot be encrypted with {scheme}, only with PKCS7"))
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
        "line {line}: {mark} looks like a value to encrypt and does not have its form, which is DEC::PKCS7[…]!"
    ))
}

/// The file of a private key is not there; one with a relative path was looked for in a folder as well.
pub(crate) fn no_key_file_text(path: &str, folder: Option<&str>) -> String {
    match folder {
        Some(folder) => {
            format!("file {path} does not exist, neither in the current folder nor in {folder}")
        }
        None => format!("file {path} does not exist"),
    }
}

/// An encrypted value of a text cannot be opened.
pub(crate) fn eyaml_on_line(error: Error, line: usize) -> Error {
    let words = format!("line {line}: {}", error.message);
    error.with_message(words)
}

/// A number stands twice.
pub(crate) fn eyaml_repeated_block(number: usize) -> Error {
    eyaml(&format!("DEC({number}) stands there twice; new ones have no number: DEC::PKCS7[…]!"))
}

// JSON and HOCON.

/// What Ruby says of a text without any JSON in it.
pub(crate) const NO_JSON_AT_ALL: &str = "JSON::ParserError";

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
