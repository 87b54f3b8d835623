//! All words of the command line that a user can read about what is wrong.

use hierarch_hiera::issues::ruby;
use hierarch_source::Error;

use super::failure::Failure;

pub(crate) use catalogs::*;
pub(crate) use documents::*;
pub(crate) use fleet::*;
pub(crate) use network::*;
pub(crate) use programs::*;

mod catalogs;
mod documents;
mod fleet;
mod network;
mod programs;

/// The shell closed standard output: `>&-`.
pub(crate) fn closed_output() -> Failure {
    Failure::new("standard output is closed, so nothing was done; to throw the output away, use >/dev/null")
}

/// `set` was given the value that stands there already.
pub(crate) fn nothing_to_set(place: &str) -> String {
    format!("{place} has this value already; nothing was written")
}

/// There is nothing to look up.
pub(crate) fn no_keys() -> Error {
    ruby("No keys were given to lookup.")
}

/// A program stands where the name of a file is expected.
pub(crate) fn code_as_file(code: &str) -> Failure {
    Failure::new(format!(
        "there is no file '{code}'; to run it as a program, write `hierarch eval -e {}`",
        quoted_for_shell(code)
    ))
}

fn quoted_for_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A setting of Puppet that means nothing here.
pub(crate) fn setting_without_effect(name: &str) -> String {
    format!("--{name} is a setting of Puppet that has no effect here; it is passed over")
}

/// A setting of Puppet lacks its value.
pub(crate) fn setting_without_value(name: &str) -> Failure {
    Failure::new(format!("--{name} needs a value"))
}

/// `--log_level` has a value it does not accept.
pub(crate) fn bad_log_level(given: &str) -> Failure {
    Failure::new(format!(
        "--log_level takes debug, info, notice, warning, err, alert, emerg or crit, not '{given}'"
    ))
}

/// `--merge` has a value it does not accept.
pub(crate) fn bad_merge_flag() -> Error {
    ruby(
        "The --merge option only accepts 'first', 'hash', 'unique', or 'deep'\nRun 'puppet lookup --help' for more details",
    )
}

/// Flags are given that only a deep merge understands.
pub(crate) fn only_with_deep() -> Error {
    ruby(
        "The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with '--merge deep'\nRun 'puppet lookup --help' for more details",
    )
}

/// A key that data have is taken for a way into another.
pub(crate) fn dotted_key(key: &str) -> String {
    format!(
        "nothing found for {key}: a dot leads into the value of a key; to look up the key that is called so, put it in quotes: '\"{key}\"'"
    )
}

/// `lookup_options` cannot be looked up.
pub(crate) fn lookup_options_are_reserved() -> String {
    "lookup_options is reserved: it says how other keys are looked up; `--explain-options` shows what it says about a key"
        .to_owned()
}

/// A position that a list does not have is to be set.
pub(crate) fn lists_grow_at_their_end() -> &'static str {
    "a list grows at its end: - in place of the position, as in /list/-"
}

/// Maps are missing on the way to a place.
pub(crate) fn parents_are_made() -> &'static str {
    "--parents makes the maps that are missing on the way"
}

/// Why a folder cannot be asked: no control repository is in it or around it.
const NO_REPOSITORY: &str = "there is no control repository here: neither this folder nor one above it has a hiera.yaml or an environment.conf";

/// There is nothing that `doctor` could look at.
pub(crate) fn no_repository_to_examine() -> Failure {
    Failure::new(format!("{NO_REPOSITORY}; go there, use -C DIR, or name files and folders to look at"))
}

/// A node has no facts where there is no control repository that could have some.
pub(crate) fn no_facts_without_repository(error: &Error) -> Failure {
    let first = error.message.lines().next().unwrap_or_default();
    Failure::new(format!("{first}\n{NO_REPOSITORY}; go there, use -C DIR, or say --facts FILE"))
}

/// Nothing has a name that is to be explained.
pub(crate) fn nothing_to_explain(name: &str, near: &[&str]) -> Failure {
    Failure::new(format!(
        "there is no function, type, setting, directive or filter '{name}', nor does this repository define it{}",
        did_you_mean(near)
    ))
}

fn did_you_mean(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) }
}

/// Nothing can be proved dead by what variables are at the end of a catalog.
pub(super) fn unused_compiled() -> Failure {
    let message = "unused does not take --compile: a lookup sees the variables of the class that makes it, not those at the end";
    Failure::new(format!("{message}; --proof compiled counts what catalogs ask for"))
}

/// A flag that a command does not take.
pub(crate) fn not_with(command: &str, flag: &str) -> Failure {
    Failure::new(format!("{command} does not take {flag}"))
}
