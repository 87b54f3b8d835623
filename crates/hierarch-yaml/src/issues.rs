//! Everything the YAML layer can say to a user.

use hierarch_source::{Diagnostic, Error, Severity};

/// The code of a value of a class that data must not have.
pub const DISALLOWED_CLASS: &str = "YAML_DISALLOWED_CLASS";

/// The detail of a syntax error that says which token was expected, and is not there.
pub const EXPECTED_TOKEN: &str = "expected token";

/// The detail of a text that only the full parser of Psych can read.
pub(crate) const QUOTED_LINES: &str = "lines of a quoted scalar";

/// The detail of a scalar that needs a class of Ruby's: its name.
pub const RUBY_CLASS: &str = "Ruby class";

/// The detail of a syntax error: what is wrong, without where the reader was.
pub const PROBLEM: &str = "problem";

/// libyaml did not find what has to follow. Its words are all that tells its problems apart.
pub(crate) fn of_libyaml(problem: &str, context: &str) -> Error {
    let error = syntax(problem, context);
    match problem.strip_prefix("did not find expected ") {
        Some(token) => error.detail(EXPECTED_TOKEN, token),
        None => error,
    }
}

/// The text is not YAML; the words are the parser's.
pub(crate) fn syntax(problem: &str, context: &str) -> Error {
    let gap = if context.is_empty() { "" } else { " " };
    Error::new("YAML_SYNTAX", format!("{problem}{gap}{context}")).detail(PROBLEM, problem)
}

/// An alias names an anchor that was not seen before it.
pub(crate) fn unknown_anchor(name: &str) -> Error {
    Error::new("YAML_UNKNOWN_ANCHOR", format!("An alias referenced an unknown anchor: {name}"))
}

/// An alias stands inside the node it names.
pub(crate) fn alias_in_itself(name: &str) -> Error {
    Error::new("YAML_RECURSIVE_ALIAS", format!("the alias '*{name}' stands inside the value it names"))
        .note("a value that contains itself has no end; remove the alias")
}

/// A map has the same key twice where that is refused.
pub(crate) fn duplicate_key(key: &str, first_line: u32) -> Error {
    Error::new("YAML_DUPLICATE_KEY", format!("found duplicate key \"{key}\""))
        .note(format!("it stands first in line {first_line}"))
}

/// A map has the same key twice where the last one silently wins.
pub(crate) fn repeated_key(key: &str, first_line: u32) -> Diagnostic {
    let text = format!("the key '{key}' stands twice; the last value counts");
    Diagnostic::new(Severity::Warning, "YAML_REPEATED_KEY", text)
        .note(format!("it stands first in line {first_line}"))
}

/// `<<` has a value that cannot be merged.
pub(crate) fn bad_merge_key() -> Error {
    Error::new("YAML_BAD_MERGE", "expected a mapping or list of mappings for merging")
}

/// More collections inside collections than allowed.
pub(crate) fn too_deep(limit: usize) -> Error {
    Error::new("YAML_TOO_DEEP", format!("more than {limit} collections stand inside each other"))
}

/// More nodes than allowed.
pub(crate) fn too_many_nodes(limit: usize) -> Error {
    Error::new("YAML_TOO_LARGE", format!("the document has more than {limit} values"))
}

/// More bytes than allowed.
pub(crate) fn too_many_bytes(limit: usize) -> Error {
    Error::new("YAML_TOO_LARGE", format!("the document is larger than {limit} bytes"))
}

/// Following the aliases gives more values than allowed.
pub(crate) fn too_much_expansion(limit: usize) -> Error {
    Error::new(
        "YAML_ALIAS_BUDGET",
        format!("with its aliases followed the value has more than {limit} parts"),
    )
    .note("a few aliases of aliases grow without bound; this looks like such a document")
}

/// A scalar needs a Ruby class that data may not have.
pub(crate) fn disallowed_class(class: &str) -> Error {
    Error::new(DISALLOWED_CLASS, format!("Tried to load unspecified class: {class}"))
        .detail(RUBY_CLASS, class)
}

/// A map stands for a Ruby object that has variables of its own, which no data of today have.
pub(crate) fn ruby_object_as_map(tag: &str) -> Error {
    Error::new(
        "RUBY_OBJECT",
        format!("a map with the tag {tag} is a Ruby object with variables, which is not read"),
    )
    .note("write the text or the hash itself, without the tag")
}

/// A scalar's text does not fit its tag.
pub(crate) fn bad_tagged_value(tag: &str, text: &str) -> Error {
    Error::new("YAML_BAD_TAGGED_VALUE", format!("'{text}' is no value of type {tag}"))
}

/// A `!vault` value, which nobody can read without its password.
pub(crate) fn vault_without_password() -> Error {
    Error::new("YAML_VAULT", "found !vault but no vault password provided")
        .note("--tags keeps such values as they are")
}

/// An edit named a place that is not there.
pub(crate) fn no_such_place(path: &str) -> Error {
    Error::new("YAML_NO_SUCH_PLACE", format!("there is nothing at {path}"))
}

/// What stands behind an alias belongs to its anchor.
pub(crate) const BEHIND_AN_ALIAS: &str =
    "this is an alias: change what carries its anchor, or set the whole value";

/// A tag cannot stand where its value is written.
pub(crate) fn tag_not_written(tag: &str, path: &str) -> Error {
    let path = if path.is_empty() { "the top" } else { path };
    Error::new("YAML_TAG_NOT_WRITTEN", format!("the tag {tag} cannot be written at {path}")).note(
        "nothing was written; a value that a directive or an alias brings has its tag where it is defined",
    )
}

/// An edit would have changed something else as well.
pub(crate) fn edit_would_spill() -> Error {
    Error::new("YAML_EDIT_SPILLS", "the change cannot be written here without changing something else")
        .note("nothing was written")
}
