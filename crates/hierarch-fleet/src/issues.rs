//! The words of this crate.

use hierarch_source::Error;

use crate::unused::{DeadEntry, DeadKind, Doubt, Evidence};

/// A source of nodes is neither a folder nor a file.
pub(crate) fn no_source(path: &str) -> Error {
    Error::new("FLEET_NO_SOURCE", format!("{path} is neither a folder of fact files nor a file"))
}

/// A source of nodes cannot be read.
pub(crate) fn unreadable(path: &str, why: &str) -> Error {
    Error::new("FLEET_UNREADABLE", format!("Could not read {path}: {why}"))
}

/// An entry of a list of nodes has an unknown shape.
pub(crate) fn bad_entry(path: &str, number: usize) -> Error {
    Error::new(
        "FLEET_BAD_ENTRY",
        format!(
            "{path}: entry {number} is neither {{node, facts | facts_file, environment?, trusted?}} nor part of PuppetDB's \
             answer to inventory, facts or factsets"
        ),
    )
}

/// A flag that overrides a fact is malformed.
pub(crate) fn bad_fact(text: &str) -> Error {
    Error::new(
        "FLEET_BAD_FACT",
        format!("'{text}' is no NAME=VALUE; write for instance --fact os.family=Debian"),
    )
}

/// Why a node was not asked when the program was stopped.
pub const STOPPED: &str = "stopped before it was asked";

/// The facts of a node cannot be read.
pub(crate) fn no_facts(why: &str) -> String {
    format!("its facts can't be read: {why}")
}

/// A condition of someone who may not see all that manifests know.
pub(crate) fn condition_of_manifests() -> String {
    "variables of manifests may hold secrets and facts: where catalogs are compiled, conditions need the roles 'secrets' and 'facts'"
        .to_owned()
}

/// A condition is neither true nor false.
pub(crate) fn no_boolean(type_name: &str) -> String {
    let article = if type_name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("the expression is {article} {type_name}, neither true nor false")
}

/// Causes were left open because too many states would have to be tried.
pub(crate) fn gave_up(most: usize) -> String {
    format!(
        "some causes were not looked for: more than {most} undone states would have to be tried; raise --max-proofs"
    )
}

/// Not each of the edits that are named as a cause is known to be needed.
pub(crate) fn not_reduced(most: usize) -> String {
    format!(
        "some causes may name more edits than are needed: to leave out each of them would take more than {most} undone states; \
         raise --max-proofs"
    )
}

/// HC101: a value does not fit, if the class is included at all.
pub(crate) fn if_included(message: &str) -> String {
    format!("{message}, if the class is included")
}

/// HC106: a catalog does not compile.
pub(crate) fn no_catalog(why: &str) -> String {
    format!("the catalog does not compile: {why}")
}

/// A finding with how many nodes it concerns.
pub(crate) fn on_nodes(message: &str, count: usize) -> String {
    format!("{message} ({count} {})", if count == 1 { "node" } else { "nodes" })
}

/// HC102: a class has no such parameter.
pub(crate) fn no_parameter(class: &str, parameter: &str, near: &[&str]) -> String {
    format!("class {class} has no parameter {parameter}{}", did_you_mean(near))
}

/// HC103: there is no such class.
pub(crate) fn no_class(class: &str, near: &[&str]) -> String {
    format!("there is no class {class} in the modulepath{}", did_you_mean(near))
}

fn did_you_mean(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) }
}

/// HC201: a key stands twice.
pub(crate) fn duplicate_key(key: &str) -> String {
    format!("the key {key} stands in this map before; the last one counts")
}

/// HC202: a document that is not read.
pub(crate) fn second_document() -> String {
    "a second document, which is not read".to_owned()
}

/// HC203: an empty file.
pub(crate) fn empty_file() -> String {
    "the file is empty".to_owned()
}

/// HC203: a file that holds something else.
pub(crate) fn no_hash() -> String {
    "the file holds no hash, so that no key of it is found".to_owned()
}

/// HC204: a variable in a path that no node has.
pub(crate) fn undefined_in_path(name: &str, nodes: usize) -> String {
    format!("'%{{{name}}}' is a variable of none of {nodes} nodes; if a manifest sets it, use --compile")
}

/// A variable in a path that no node has.
pub(crate) fn unset_in_path(place: &str, name: &str, nodes: usize) -> String {
    format!("{place}: '%{{{name}}}' is no fact of any of {nodes} nodes; if a manifest sets it, use --compile")
}

/// HC205: a variable in data that no node has.
pub(crate) fn undefined_token(name: &str, nodes: usize) -> String {
    format!("'%{{{name}}}' is a variable of none of {nodes} nodes")
}

/// HC205: a token that asks for a key which is nowhere.
pub(crate) fn asks_for_nothing(token: &str, asked: &str, near: &[&str]) -> String {
    format!("'%{{{token}}}' is empty everywhere: no data file has {asked}{}", did_you_mean(near))
}

/// HC205: a token without its end.
pub(crate) fn open_token(key: &str) -> String {
    format!("{key}: '%{{' without its '}}' is taken as it stands")
}

/// HC205: an alias inside of a longer text.
pub(crate) fn misplaced_alias(key: &str) -> String {
    format!("{key}: an alias must be the whole text; use lookup inside of a longer one")
}

/// HC208: an option that does not exist.
pub(crate) fn unknown_option(name: &str, option: &str, near: &[&str]) -> String {
    format!("the options of {name} have no {option}, which is passed over{}", did_you_mean(near))
}

/// HC208: an option that matches nothing.
pub(crate) fn dead_option(name: &str) -> String {
    format!("the options of {name} match no key that any node sees")
}

/// HC001: a comment that silences nothing.
pub(crate) fn idle_ignore(code: &str) -> String {
    format!("this comment ignores {code}, which was not found here")
}

/// HC104: a required parameter has no value.
pub(crate) fn no_required_value(class: &str, parameter: &str) -> String {
    format!("{class}::{parameter} is required and has no value")
}

/// HC105: a lookup fails.
pub(crate) fn lookup_fails(key: &str, why: &str, may_be_set: bool) -> String {
    let advice = if may_be_set { "; if a manifest sets it, use --compile" } else { "" };
    format!("the lookup of {key} fails: {why}{advice}")
}

/// HC206: collections at several levels of which one is used.
pub(crate) fn hides_collections(key: &str, merge: &str) -> String {
    format!(
        "{key}: lower levels have values, too, which are hidden; to merge them, add lookup_options: {{{key}: {{merge: {merge}}}}}"
    )
}

/// HC207: two patterns that contradict each other.
pub(crate) fn two_patterns(first: &str, second: &str, key: &str) -> String {
    format!("{second} and {first} both match {key} and say different things; the one that comes first counts")
}

/// HC209: a plain scalar that is not a text.
pub(crate) fn surprising(key: &str, text: &str, means: &str) -> String {
    format!("{key} wants a text here, and {text} without quotes is {means}")
}

/// HC210: an encrypted value where nothing is decrypted.
pub(crate) fn not_decrypted(key: &str) -> String {
    format!(
        "{key} is encrypted, and the level of this file does not decrypt: it needs lookup_key: eyaml_lookup_key"
    )
}

/// HC210: an encrypted value that cannot be opened.
pub(crate) fn no_key_opens(key: &str) -> String {
    format!("{key} is encrypted, and the configured keys do not open it")
}

/// Something that may be deleted.
pub(crate) fn dead(dead: &DeadEntry) -> String {
    let name = dead.path.join(".");
    let nodes = format!("{} {}", dead.nodes, if dead.nodes == 1 { "node" } else { "nodes" });
    let text = match dead.kind {
        DeadKind::UnloadedFile if dead.evidence == Evidence::Fleet => {
            format!("none of {nodes} loads this file")
        }
        DeadKind::UnloadedFile => "no level of a hierarchy can name this file".to_owned(),
        DeadKind::UnknownParameter => {
            format!("{name}: the class has no such parameter, and nothing asks for the key")
        }
        DeadKind::UnusedKey if dead.evidence == Evidence::Compiled => {
            format!("{name}: no catalog of {nodes} asks for it")
        }
        DeadKind::UnusedKey => format!("{name}: no code and no token asks for it"),
        DeadKind::Shadowed => format!("{name}: other levels decide on all of {nodes}, it has no effect"),
        DeadKind::Redundant => {
            format!("{name}: without it all answers of {nodes} are the same, lower levels say the same")
        }
        DeadKind::DeadOption => format!("{name} matches no key"),
        DeadKind::DeadKnockout => format!("{name} removes nothing on any of {nodes}"),
        DeadKind::DeadLevel if dead.evidence == Evidence::Fleet => {
            format!("level '{name}': none of {nodes} finds a file for it")
        }
        DeadKind::DeadLevel => format!("level '{name}': there is no file for it"),
    };
    let why = match &dead.doubt {
        None => return text,
        Some(Doubt::OpenCode) => "some code may ask for anything".to_owned(),
        Some(Doubt::MissingModule(name)) => format!("the module {name} is not in the modulepath"),
        Some(Doubt::UnknownCatalogs) => "not every node's catalog is known".to_owned(),
        Some(Doubt::OpenCatalogs) => {
            "code asks for it, and a classifier or collected resources may bring that code into a catalog; PuppetDB's --inputs would tell"
                .to_owned()
        }
        Some(Doubt::Linked(other)) => format!("the file is also read as {other}"),
        Some(Doubt::ReadByCode) => {
            "code reads files of this name, or of names that it puts together".to_owned()
        }
        Some(Doubt::UnaskedNodes) => "not every node could be asked".to_owned(),
        Some(Doubt::UnknownVariable(name)) => {
            format!("a path reads %{{{name}}}, which may be another in a catalog")
        }
    };
    format!("{text}; not certain, because {why}")
}

/// An answer of PuppetDB that is not a list.
pub(crate) fn no_list() -> String {
    "the answer is no list".to_owned()
}

/// An item of an answer of PuppetDB that does not describe a node.
pub(crate) fn bad_item(number: usize) -> String {
    format!("item {number} of the answer is no node with facts")
}

/// A source does not know a node any more that it has listed.
pub(crate) fn lost_node(name: &str) -> Error {
    Error::new("FLEET_LOST_NODE", format!("{name} is not there any more"))
}

/// Code merges the levels of an edited key in a way of its own.
pub(crate) fn merged_by_code(key: &str, file: &str, line: u32) -> String {
    format!(
        "{file}:{line} merges the levels of {key} in a way of its own, which is not compared here; --catalogs does"
    )
}

/// Nothing tells what the catalog of a node asks for.
pub(crate) fn no_inputs() -> String {
    "the inputs of its catalog are not given".to_owned()
}

/// Why an assignment stands in a condition.
pub(crate) const EQUALS_ASSIGNS: &str = "= assigns; == compares";

/// A text that cannot be read as an expression.
pub(crate) fn no_condition(text: &str) -> Error {
    Error::new("FLEET_NO_CONDITION", format!("{text} is no expression"))
}

/// An answer differs by the order of its hashes alone.
pub(crate) fn reordered(key: &str, nodes: usize) -> String {
    let word = if nodes == 1 { "node" } else { "nodes" };
    format!(
        "{key}: the entries of a hash are in another order on {nodes} {word}, which templates and loops show"
    )
}

/// A node is in an environment that is not there.
pub(crate) fn no_environment(name: &str) -> String {
    format!("its environment '{name}' is not there")
}

/// Code differs, which lookups do not show.
pub(crate) fn code_differs(count: usize) -> String {
    let what = if count == 1 {
        "1 file of code differs".to_owned()
    } else {
        format!("{count} files of code differ")
    };
    format!("{what}{NOT_COMPARED}")
}

/// How a note about code ends.
const NOT_COMPARED: &str = ", which is not compared here; --catalogs does";

/// Tells whether a note says that code is not compared.
pub fn is_about_code(note: &str) -> bool {
    note.ends_with(NOT_COMPARED)
}

/// More data files differ that no node loads.
pub(crate) fn more_lost(count: usize) -> String {
    format!("{count} more files differ that no node loads")
}

/// A data file differs that no node loads.
pub(crate) fn loaded_by_nobody(file: &str) -> String {
    format!("{file} differs, and no node loads it")
}

/// A file holds no catalog inputs.
pub(crate) fn not_catalog_inputs() -> String {
    "it is no list of {certname, inputs: [[\"hiera\", KEY], …]}, as PuppetDB answers to catalog-inputs"
        .to_owned()
}

/// An entry of a list is not the inputs of a catalog.
pub(crate) fn bad_catalog_inputs(number: usize) -> String {
    format!("entry {number} is not {{certname, inputs: [[\"hiera\", KEY], …]}}")
}

/// Nodes whose facts only the new state has.
pub(crate) fn nodes_added(names: &[String]) -> String {
    format!("not compared, because the old state has no readable facts of them: {}", some(names))
}

/// Nodes whose facts only the old state has.
pub(crate) fn nodes_gone(names: &[String]) -> String {
    format!("not compared, because the new state has no facts of them: {}", some(names))
}

fn some(names: &[String]) -> String {
    const MOST: usize = 10;
    let list = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{list}, +{} more", names.len() - MOST) } else { list }
}

/// What stands for lines that are not shown.
pub(crate) const HIDDEN_LINES: &str = "[hidden]";
/// What stands for lines that are not shown, and differ from what was there before.
pub(crate) const OTHER_HIDDEN_LINES: &str = "[another value, hidden]";
