//! What is wrong with files: data, configuration and facts that cannot be read or parsed.

use std::sync::Arc;

use hierarch_source::{Error, Place, Source, Span};

use super::{lookup, puppet, ruby};
use crate::document::MalformedText;

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
pub(crate) fn malformed_data(problem: MalformedText) -> Error {
    unparsable(&problem.words).with_more_of(problem)
}

/// What is known of a malformed text beyond the words.
trait WithMore {
    fn with_more_of(self, problem: MalformedText) -> Self;
}

impl WithMore for Error {
    fn with_more_of(self, problem: MalformedText) -> Self {
        let error = self.showing(problem.place);
        problem.hint.into_iter().fold(error, Error::note)
    }
}

/// A value that YAML takes for more than data, which is meant to be a text.
pub(crate) fn to_be_quoted_text(place: Option<&Place>) -> String {
    let at = place.map(|place| format!(" ({place})")).unwrap_or_default();
    format!("YAML takes this for a date, a time or a symbol, which data cannot hold; put it in quotes{at}")
}

/// hiera.yaml cannot be parsed.
pub(crate) fn unparsable_configuration(problem: MalformedText) -> Error {
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

/// A file of facts that a flag names holds something else.
pub(crate) fn bad_facts(path: &str) -> Error {
    ruby(format!(
        "Incorrectly formatted data in {path} given via the --facts flag (only accepts yaml and json files)"
    ))
}

/// A file of facts that a flag names cannot be parsed.
pub(crate) fn malformed_facts(problem: MalformedText) -> Error {
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

/// A file does not hold a list.
pub(crate) fn no_list(path: &str) -> Error {
    ruby(format!("{path} does not hold a list"))
}

/// A file to be converted is not of version 3.
pub(crate) fn not_version_3(path: &str, version: &str) -> Error {
    ruby(format!("{path} is of version {version}; only version 3 can be converted"))
}
