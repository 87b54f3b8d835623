//! What commands say about sites, manifests, templates of Puppet and catalogs.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use hierarch_source::Error;

use crate::cli::failure::Failure;

/// A file or folder that a command line names is not there.
pub(crate) fn does_not_exist(path: &Path) -> Failure {
    Failure::new(format!("{} does not exist", path.display()))
}

/// Files that Puppet would parse are not there.
pub(crate) fn files_do_not_exist(missing: &[PathBuf]) -> String {
    let names: Vec<String> = missing.iter().map(|path| format!("   {}", path.display())).collect();
    format!("One or more file(s) specified did not exist:\n{}", names.join("\n"))
}

/// A file cannot be read; it is named as it was given.
pub(crate) fn unreadable_file(name: &str, error: &io::Error) -> Error {
    Error::new("UNREADABLE_FILE", format!("Could not read {name}: {error}"))
}

/// What is wrong with a file, behind its name.
pub(crate) fn in_file(path: &Path, why: &str) -> Failure {
    Failure::new(format!("{}: {why}", path.display()))
}

/// What is wrong with a node, behind its name.
pub(crate) fn of_node(node: &str, why: &str) -> Failure {
    Failure::new(format!("{node}: {why}"))
}

/// A file of names and values holds something else.
pub(crate) fn not_a_map(path: &Path) -> Failure {
    Failure::new(format!("{} must hold a map of names and values", path.display()))
}

/// Why the catalog of a node was not compiled; the words behind the reason are Puppet's.
pub(crate) fn on_node(why: &Error, node: &str) -> String {
    format!("{why} on node {node}")
}

/// A command that Puppet has too could not run; the words before the colon are Puppet's.
pub(crate) fn could_not_run(why: &dyn Display) -> Failure {
    Failure::new(format!("Could not run: {why}"))
}

/// There is no thread to work on.
pub(crate) fn no_thread(error: &io::Error) -> Failure {
    Failure::new(format!("Could not start a thread: {error}"))
}

/// There are no threads to parse with.
pub(crate) fn no_threads(error: &dyn Display) -> Failure {
    Failure::new(format!("Could not start threads: {error}"))
}

/// The evaluator ended in a panic.
pub(crate) fn evaluation_broke() -> Failure {
    Failure::new("the evaluation ended in a bug of hierarch; please report it")
}

/// `--environment` names a folder that is not there.
pub(crate) fn no_environment(name: &str, folder: &str) -> Failure {
    Failure::new(format!(
        "Could not find a directory environment named '{name}' anywhere in the path: {folder}. Does the directory exist?"
    ))
}

/// The current folder is one of a module, whose hiera.yaml is not that of the site.
pub(crate) fn inside_module(module: &str, folder: &str) -> String {
    format!(
        "the hiera.yaml of {module} is that of a module; the control repository around it is asked: {folder}"
    )
}

/// `hierarch` alone was run above control repositories.
pub(crate) fn repositories_below(first: &str, count: usize) -> String {
    let others = if count > 1 { format!(" ({count} of them)") } else { String::new() };
    format!("\nThere are control repositories below this folder{others}; try: hierarch -C {first}")
}

/// A folder was named, and no control repository is around it.
pub(crate) fn in_no_repository(folder: &Path) -> Failure {
    Failure::new(format!("{} is in no control repository", folder.display()))
}

/// Why a revision cannot be compared: the current folder has no repository.
#[cfg(feature = "git")]
pub(crate) const NO_REPOSITORY_AROUND: &str = "there is no control repository around the current folder";

/// Why a revision cannot be compared: this build reads no repositories.
#[cfg(not(feature = "git"))]
pub(crate) const BUILT_WITHOUT_GIT: &str = "this program was built without the feature git";

/// A file of a revision cannot be read.
#[cfg(feature = "git")]
pub(crate) fn unreadable_in_git(error: &dyn Display) -> Error {
    Error::new("GIT_UNREADABLE", error.to_string())
}

/// `catalog diff` must compile, and nothing says for whom.
pub(crate) fn no_node_to_compile() -> Failure {
    Failure::new("say whose catalogs to compile: --node NAME, or --facts FOLDER for all nodes in it")
}

/// `catalog diff` was given folders without catalogs.
pub(crate) fn no_catalogs() -> Failure {
    Failure::new("there is no catalog (NODE.json) in these folders")
}

/// A file of a catalog is not JSON.
pub(crate) fn not_json(name: &str, error: &serde_json::Error) -> Failure {
    Failure::new(format!("{name} is no JSON: {error}"))
}

/// A catalog that was compiled here cannot be read back.
pub(crate) fn broken_catalog(error: &serde_json::Error) -> Failure {
    Failure::new(format!("the catalog is no JSON: {error}; please report it"))
}

/// JSON that is compared as a catalog lists no resources.
pub(crate) const NO_RESOURCES: &str = "is no catalog: it has no list of resources";

/// JSON that is compared as a catalog lists something that is not a resource.
pub(crate) const RESOURCE_WITHOUT_NAME: &str = "is no catalog: a resource has no type or no title";

/// One of two sides is not a catalog.
pub(crate) fn not_comparable(side: &str, why: &str) -> String {
    format!("the {side} {why}")
}

/// The REPL cannot use the terminal.
pub(crate) fn no_terminal(error: &dyn Display) -> Failure {
    Failure::new(format!("Could not use the terminal: {error}"))
}

/// The REPL cannot read a line.
pub(crate) fn not_readable(error: &dyn Display) -> Failure {
    Failure::new(format!("Could not read: {error}"))
}

/// The last line of `epp validate`, where something is wrong.
pub(crate) const EPP_NOT_VALID: &str = "Errors while validating epp";

/// The last line of `epp render`, where something is wrong.
pub(crate) fn epp_not_rendered() -> Failure {
    Failure::new("error while rendering epp")
}

/// `epp render` has nothing to render.
pub(crate) fn no_epp_input() -> Failure {
    Failure::new("No input to process given on command line or stdin")
}

/// `--values_file` has another ending than the two that it takes.
pub(crate) fn bad_values_file() -> Failure {
    Failure::new("Only .yaml or .pp can be used as a --values_file")
}

/// `--values` gives something else than names and values.
pub(crate) fn not_a_hash(option: &str, got: &str) -> Failure {
    Failure::new(format!("{option} option must evaluate to a Hash or undef, got: '{got}'"))
}

/// `eval` has nothing to evaluate.
pub(crate) fn no_manifest() -> Failure {
    Failure::new("No manifest given: name a file, or use -e")
}

/// `parser validate` or `dump` has nothing to parse.
pub(crate) fn nothing_to_parse() -> Failure {
    Failure::new("No input to parse given on command line or stdin")
}

/// `dump --keys-from` names a file without keys.
pub(crate) fn no_key_in(path: &Path) -> Failure {
    Failure::new(format!("{} holds no key", path.display()))
}

/// A level answers from a function, which does not list its keys.
pub(crate) fn unlisted_keys(level: &str, function: &str) -> String {
    format!(
        "the keys of level '{level}' are known to its function {function} alone: name those that you want"
    )
}

/// What was asked for is no key of any node.
pub(crate) fn fits_no_key(glob: &str, near: &[&str]) -> String {
    format!("no node has a key {glob}{}", super::did_you_mean(near))
}

/// No level has a key: where it was looked for.
pub(crate) fn nothing_found_for(keys: &str, levels: &[String], files: usize, near: &[&str]) -> String {
    let searched = match (levels, files) {
        ([], _) => format!("nothing found for {keys}: there is no hiera.yaml with levels here"),
        (levels, 1) => format!("nothing found for {keys} in one file of the levels {}", levels.join(", ")),
        (levels, files) => {
            format!("nothing found for {keys} in {files} files of the levels {}", levels.join(", "))
        }
    };
    searched + &super::did_you_mean(near)
}

/// A command for programs reports a failure of the system in their format.
pub(crate) fn failure(failure: &Failure) -> Error {
    Error::new("FAILURE", failure.to_string())
}
