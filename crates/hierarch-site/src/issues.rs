//! All words of this crate that a user can read.

use std::io;
use std::path::Path;

use hierarch_source::Error;

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

/// A file or folder cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new("UNREADABLE_FILE", format!("Could not read {}: {error}", path.display()))
}

/// The source of nodes does not know one.
pub(crate) fn unknown_node(node: &str) -> Error {
    Error::new(UNKNOWN_NODE, format!("there is no node {node}"))
}

/// No source has facts of a node: Puppet's words, and the ways to give some.
pub(crate) fn no_facts(node: &str) -> Error {
    Error::new(
        UNKNOWN_NODE,
        format!(
            "Could not run: No facts available for target node: {node}\n\
             Say where they are: --facts FILE, the variable HIERARCH_NODES (a folder of fact files or a list of nodes), \
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
