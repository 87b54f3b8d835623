//! All words of this crate that a user can read.

use std::io;
use std::path::Path;

use hierarch_hiera::DataPlace;
use hierarch_source::Error;

use crate::set::choose::{EYAML, is_writable};

/// The code of the error that says that nothing is known of a node.
pub const UNKNOWN_NODE: &str = "SITE_UNKNOWN_NODE";

/// The code of the error that says that an entry of a list of nodes is malformed.
pub const BAD_NODE: &str = "SITE_BAD_NODE";

/// There is no control repository.
pub(crate) fn no_repository(folder: &Path) -> Error {
    let folder = folder.display();
    Error::new(
        "SITE_NO_REPOSITORY",
        format!(
            "{folder} is in no control repository: neither it nor a folder above has a hiera.yaml or an environment.conf"
        ),
    )
}

/// The failure of a catalog that compiles with what stands for secrets.
pub(crate) const SECRET_FAILURE: &str =
    "It fails because of a value that is secret; 'check --compile --show-secrets' says how";

/// The failure of a catalog that fails otherwise with what stands for secrets.
pub(crate) const HIDDEN_FAILURE: &str =
    "The reason is hidden, because it may tell of a secret; 'check --compile --show-secrets' says it";

/// With what stands for secrets a catalog fails, too, but otherwise.
pub(crate) fn fails_otherwise(why: &str) -> String {
    format!("with what stands for secrets it fails otherwise: {why}")
}

/// A file or folder cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new("UNREADABLE_FILE", format!("Could not read {}: {error}", path.display()))
}

/// The source of nodes does not know one.
pub(crate) fn unknown_node(node: &str) -> Error {
    Error::new(UNKNOWN_NODE, format!("there is no node {node}"))
}

/// No source has facts of a node: Puppet's words, and the ways to give some.
pub(crate) fn no_facts(node: &str, near: &[&str]) -> Error {
    let near = if near.is_empty() { String::new() } else { format!("Did you mean {}?\n", near.join(" or ")) };
    Error::new(
        UNKNOWN_NODE,
        format!(
            "Could not run: No facts available for target node: {node}\n\
             {near}Say where they are: --facts FILE, the variable HIERARCH_NODES (a folder of fact files or a list of nodes), \
             or a folder 'facts' in the control repository with {node}.yaml or {node}.json"
        ),
    )
}

/// A folder of facts has no file for a node.
pub(crate) fn no_facts_in(node: &str, folder: &str) -> Error {
    Error::new(
        UNKNOWN_NODE,
        format!("there are no facts of {node} in {folder}: neither {node}.yaml nor {node}.json"),
    )
}

/// An entry of a list of nodes is malformed.
pub(crate) fn bad_entry(list: &str, number: usize) -> Error {
    let shape = "{node, facts | facts_file, environment?, trusted?}";
    Error::new(BAD_NODE, format!("{list}: entry {number} is no {shape}"))
}

/// A value cannot be read.
pub(crate) fn value_is_not_yaml(error: Error) -> Error {
    error.note("to write the text as it stands, add --string")
}

/// YAML would pass over a part of a value.
pub(crate) fn lost_in_value(value: &str, what: &str) -> Error {
    Error::new("SET_LOST", format!("{}: {what}, and would be lost", value.trim()))
        .note("quote the text, or say --string to write it as it stands")
}

/// A level is not there.
pub(crate) fn no_such_level(level: &str, places: &[DataPlace]) -> Error {
    Error::new(
        "SET_NO_LEVEL",
        format!("there is no level {level}; levels with files are: {}", levels(places)),
    )
}

/// A variable in the path of a level has no value.
pub(crate) fn incomplete_path(level: &str, declared: &str) -> Error {
    Error::new(
        "SET_INCOMPLETE_PATH",
        format!("level {level} has no file for this node: a variable in its path {declared} has no value"),
    )
    .note("give the node's facts with --facts, or choose another level with --level")
}

/// A file cannot be written by us.
pub(crate) fn not_writable(place: &DataPlace, places: &[DataPlace]) -> Error {
    Error::new(
        "SET_NOT_WRITABLE",
        format!(
            "the key stands in {} (level {}), which {} reads; only YAML, JSON and eyaml files can be written",
            place.path, place.level, place.function
        ),
    )
    .note(format!("choose a level with --level: {}", writable_levels(places)))
}

/// No level can take a new key.
pub(crate) fn no_place(key: &str, encrypts: bool, places: &[DataPlace]) -> Error {
    let is_encrypted = |place: &DataPlace| place.function == EYAML;
    let message = if encrypts {
        format!("no eyaml level has a file for {key} and this node")
    } else if places.iter().any(is_encrypted) {
        format!(
            "{key} is new, and the levels with files for this node are eyaml levels: --encrypt encrypts it there, --level writes it in clear"
        )
    } else {
        format!("no level of YAML or JSON files has a file for {key} and this node")
    };
    Error::new("SET_NO_PLACE", message)
        .note(format!("choose a level with --level: {}", writable_levels(places)))
}

/// A file is not one that the node reads.
pub(crate) fn not_a_file_of_the_node(file: &Path, places: &[DataPlace]) -> Error {
    let files: Vec<&str> = places.iter().map(|place| place.path.as_str()).collect();
    Error::new(
        "SET_NOT_READ",
        format!("{} is not read for this node; its files are: {}", file.display(), files.join(", ")),
    )
}

/// The levels that a key can be written to.
fn writable_levels(places: &[DataPlace]) -> String {
    let can_be_written = |place: &&DataPlace| place.incomplete.is_none() && is_writable(place);
    level_names(places.iter().filter(can_be_written))
}

fn levels(places: &[DataPlace]) -> String {
    level_names(places.iter())
}

fn level_names<'p>(places: impl Iterator<Item = &'p DataPlace>) -> String {
    let mut names: Vec<&str> = places.map(|place| place.level.as_str()).collect();
    names.dedup();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Only eyaml files have encrypted values.
pub(crate) fn not_an_eyaml_level(level: &str) -> Error {
    Error::new(
        "SET_NOT_EYAML",
        format!("level {level} is not an eyaml level; nothing in it can be encrypted"),
    )
    .note("choose an eyaml level with --level")
}

/// A collection cannot be encrypted.
pub(crate) fn only_texts_are_encrypted(key: &str) -> Error {
    Error::new("SET_ENCRYPTED", format!("{key} is encrypted, and only a text can be"))
        .note("name the value inside it, give values that hierarch eyaml encrypt made, or say --string if it is a text")
}

/// There is no key to encrypt with.
pub(crate) fn no_public_key(reason: &str) -> Error {
    Error::new("SET_NO_KEY", format!("the value must be encrypted, and there is no public key: {reason}"))
        .note("name it as pkcs7_public_key in the options of the level, or in ~/.eyaml/config.yaml")
}

/// A plain text stands among secrets.
pub(crate) fn plain_among_secrets(key: &str, level: &str) -> String {
    format!("{key} stands in plain text in the eyaml level {level}; --encrypt encrypts it")
}

/// YAML makes something else of a value than whoever typed it may think.
pub(crate) fn read_otherwise(typed: &str, meant: &str) -> String {
    format!("{typed} is {meant} in YAML as Puppet reads it; --string writes the text")
}

/// YAML makes something else of a part of a value.
pub(crate) fn part_read_otherwise(typed: &str, meant: &str) -> String {
    format!("{typed} is {meant} in YAML as Puppet reads it; in quotes it is the text")
}

/// Whoever has no private key cannot look.
pub(crate) fn unproved(key: &str) -> String {
    format!("{key} cannot be looked up here, so that nobody has seen the new value arrive")
}

/// The data would be of no use.
pub(crate) fn lookup_would_fail(key: &str, error: &Error) -> Error {
    Error::new("SET_BREAKS_LOOKUP", format!("with this value the lookup of {key} would fail: {error}"))
}

/// Another file decides.
pub(crate) fn hidden(key: &str, path: &Path, by: Option<&DataPlace>) -> String {
    let path = path.display();
    match by {
        Some(place) => {
            format!("{} (level {}) hides what stands in {path} for {key}", place.path, place.level)
        }
        None => format!("what stands in {path} is not what the lookup of {key} gives"),
    }
}

/// What is written is not all that the node gets.
pub(crate) fn merged_with_others(key: &str) -> String {
    format!("{key} is merged: the node gets what other levels hold for it as well")
}

/// The change would do nothing for the node.
pub(crate) fn no_effect(reason: &str) -> Error {
    Error::new("SET_NO_EFFECT", format!("{reason}; nothing was written"))
        .note("choose the place with --level NAME or --into FILE")
}

/// An edit would change other keys, too.
pub(crate) fn others_would_change(key: &str, path: &Path) -> Error {
    Error::new(
        "SET_CHANGES_OTHERS",
        format!(
            "{key} cannot be set in {} alone: what is written there has an anchor, and other keys would change with it",
            path.display()
        ),
    )
    .note("set the keys that use it first, or change all of them with hierarch yaml set --plain")
}

/// The top of a data file is not a map.
pub(crate) fn data_is_not_a_map(path: &Path) -> Error {
    Error::new("SET_NOT_A_MAP", format!("{} has no keys: its top is not a map", path.display()))
}

/// A path leads into something that has no such place.
pub(crate) fn does_not_lead_there(key: &str, around: &str, found: &str) -> Error {
    let around = if around.is_empty() { "the top" } else { around };
    Error::new("SET_NO_SUCH_PLACE", format!("{key} leads nowhere: {around} is {found}; nothing was written"))
}

/// A path leads to nothing that could be taken out.
pub(crate) fn nothing_to_remove(path: &str, file: &std::path::Path) -> Error {
    Error::new("SET_NOTHING_THERE", format!("{} has no {path}; nothing was written", file.display()))
}

/// A plain value would take the place of an encrypted one.
pub(crate) fn would_show_secret(path: &str, file: &std::path::Path) -> Error {
    let message = format!(
        "{path} is encrypted in {}; give the key instead of the file and the path, so that the new value is encrypted too, or a value that is; nothing was written",
        file.display()
    );
    Error::new("SET_WOULD_SHOW_SECRET", message)
}

/// What a list is, for a position in it.
pub(crate) fn list_of(items: usize) -> String {
    match items {
        0 => "not there, and a list begins with 0".to_owned(),
        items => format!("a list of {items} items, the next is {items}"),
    }
}

/// A file that is to hold what a classifier printed holds something else.
pub(crate) fn bad_classification(path: &str) -> Error {
    let shape = "{classes?, parameters?, environment?}";
    Error::new("BAD_CLASSIFICATION", format!("{path} is not the answer of a classifier: expected {shape}"))
}

/// A folder cannot be listed.
pub(crate) fn unreadable_folder(path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::new("UNREADABLE", format!("{}: {error}", path.display()))
}

/// A file with exported resources is neither of the two that it may be.
pub(crate) fn no_catalog(path: &str) -> Error {
    let wanted = "expected a catalog with its name and resources, or a list of resources";
    Error::new("BAD_EXPORTED", format!("{path}: {wanted}"))
}

/// An entry of a file with exported resources is malformed.
pub(crate) fn bad_exported(path: &str, number: usize) -> Error {
    let shape = "{certname, type, title, parameters?, tags?, exported?}";
    Error::new("BAD_EXPORTED", format!("{path}, resource {number}: expected {shape}"))
}

/// An attribute of an exported resource cannot be read.
pub(crate) fn unread_exported(path: &str, number: usize, error: &Error) -> Error {
    Error::new("BAD_EXPORTED", format!("{path}, resource {number}: {}", error.message))
}

/// An entry of a file of results is malformed.
pub(crate) fn bad_answer(path: &str, number: usize) -> Error {
    let shape = "{function, arguments?, result}";
    Error::new("BAD_ANSWER", format!("{path}, entry {number}: expected {shape}, with a list of arguments"))
}
