//! Words about nodes, questions over many of them, their stores and their workers.

use std::path::Path;

use super::did_you_mean;
use crate::cli::failure::Failure;
use crate::cli::fleet::form::{counted, number};

/// Nothing names a node, and nothing is known of this machine.
pub(crate) fn this_machine_without_facts(name: &str) -> String {
    format!(
        "no node is named: answered for {name}, this machine, of which no facts are known; --node names another, --nodes many"
    )
}

/// A key would be written into a new file for this machine, because nothing names a node.
pub(crate) fn set_for_nobody(name: &str, path: &Path) -> Failure {
    Failure::new(format!(
        "no node is named, and {} would be a new file for {name}, this machine; name a node with --node, or the place with --level or --into; nothing was written",
        path.display()
    ))
}

/// A file that was written is read for several nodes.
pub(crate) fn nodes_read(count: usize, all: usize, path: &Path) -> String {
    format!("{count} of {all} nodes read {}", path.display())
}

/// Nothing says which nodes there are.
pub(crate) fn no_sources() -> Failure {
    Failure::new(
        "no nodes were found: say where they are with --nodes (a folder of fact files, a list, or PuppetDB's answer in a \
         file), with the variable HIERARCH_NODES, with `hierarch nodes import` into .hierarch/nodes.db, or in the \
         repository's folder facts",
    )
}

/// The sources have no node that is wanted.
pub(crate) fn no_nodes() -> Failure {
    Failure::new("there is no node to ask: the sources are empty, or --only and --where leave none")
}

/// No node matches a pattern.
pub(crate) fn no_such_node(glob: &str, near: &[&str]) -> Failure {
    Failure::new(format!("no node is called {glob}{}", did_you_mean(near)))
}

/// No node has a value for a key.
pub(crate) fn no_value_anywhere(key: &str, near: &[&str]) -> String {
    if near.first().is_some_and(|near| *near == key) {
        return super::dotted_key(key);
    }
    format!("no node has a value for {key}{}", did_you_mean(near))
}

/// No node has a fact.
pub(crate) fn fact_of_no_node(fact: &str, near: &[&str]) -> String {
    format!("no node has the fact {fact}{}", did_you_mean(near))
}

/// The last line of an answer that lacks some nodes.
pub(crate) fn could_not_be_asked(count: usize, asked: usize) -> String {
    format!("{} of {} could not be asked\n", number(count), counted(asked, "node"))
}

/// Ctrl-C came before all nodes were asked.
pub(crate) fn stopped(count: usize, asked: usize) -> String {
    format!(
        "stopped: {} of {} were not asked, this answer is incomplete\n",
        number(count),
        counted(asked, "node")
    )
}

/// Ctrl-C ends the program without a partial answer.
#[cfg(unix)]
pub(crate) const INTERRUPTS_NOT_WATCHED: &str =
    "signals cannot be watched: Ctrl-C will end the program at once";

/// A proof needs all nodes.
pub(crate) fn stopped_proof() -> Failure {
    Failure::new("stopped: what is unused is proved over all nodes, so nothing is told")
}

/// A source holds no catalog inputs.
pub(crate) fn bad_inputs(source: &str, why: &str) -> Failure {
    Failure::new(format!("{source}: {why}"))
}

/// Tables hold whole keys.
#[cfg(feature = "parquet")]
pub(crate) fn whole_keys_alone(key: &str) -> Failure {
    Failure::new(format!("{key} digs: tables hold whole keys, and their table `leaves` every part of them"))
}

/// Ctrl-C ended a history.
#[cfg(feature = "git")]
pub(crate) fn stopped_history(seen: usize, count: usize) -> String {
    format!(
        "stopped: {} of {} were looked at, this answer is incomplete",
        number(seen),
        counted(count, "commit")
    )
}

/// No commit has a value.
#[cfg(feature = "git")]
pub(crate) fn never_a_value(key: &str, node: &str, near: &[&str]) -> Failure {
    Failure::new(format!("{node} has a value for {key} in no commit{}", did_you_mean(near)))
}

/// Modules are read from the disk on both sides of a comparison.
#[cfg(feature = "git")]
pub(crate) fn untracked_modules(folder: &str) -> String {
    format!("{folder} is not tracked by git; its modules are read from the working tree on both sides")
}

/// The versions of modules differ between both sides, which nobody has checked out.
#[cfg(feature = "git")]
pub(crate) fn puppetfile_differs() -> String {
    "Puppetfile differs between the sides; versions of modules were not compared".to_owned()
}

/// `--at` makes no sense for a command.
#[cfg(feature = "git")]
pub(crate) fn not_at_a_revision(command: &str) -> Failure {
    Failure::new(format!("{command} works on the files that stand there now; leave --at away"))
}

/// A side of a comparison is nothing that is known.
pub(crate) fn no_side(name: &str, why: &str) -> Failure {
    Failure::new(format!("{name} is no file, no folder, and no revision of a git repository here: {why}"))
}

/// A node has no facts in any source.
#[cfg(feature = "git")]
pub(crate) fn unknown_node(name: &str, near: &[&str]) -> Failure {
    Failure::new(format!("no source knows the node {name}{}", did_you_mean(near)))
}

/// `--since` is neither a span of time nor a date nor a revision.
#[cfg(feature = "git")]
pub(crate) fn bad_since(text: &str, why: &Failure) -> Failure {
    Failure::new(format!(
        "--since takes 90d, 12w, a date such as 2026-01-31, or a revision; '{text}' is none: {why}"
    ))
}

/// What history says about its facts.
#[cfg(feature = "git")]
pub(crate) fn facts_of_now(key: &str, node: &str) -> String {
    format!("{key} of {node}, with the facts of now for all commits")
}

/// A flag names a code that there is not.
pub(crate) fn no_such_code(code: &str, near: &[&str]) -> Failure {
    Failure::new(format!("there is no code {code}{}", did_you_mean(near)))
}

/// Some checks did not run.
pub(crate) fn needs_nodes(codes: &str) -> String {
    format!("not checked, because no nodes were given (--nodes): {codes}\n")
}

/// Nothing was found.
pub(crate) fn nothing_found(asked: usize) -> String {
    if asked == 0 {
        "nothing found\n".to_owned()
    } else {
        format!("nothing found on {}\n", counted(asked, "node"))
    }
}

/// A call of which nobody knows what it asks for.
pub(crate) fn asks_for_anything(file: &str, line: u32) -> String {
    format!("{file}:{line}: asks for a key whose name is computed\n")
}

/// Nothing was asked of nodes.
pub(crate) fn without_nodes() -> String {
    "no nodes were given (--nodes): shadowed and redundant entries were not looked for\n".to_owned()
}

/// What was or would be removed.
pub(crate) fn removed(count: usize, is_dry: bool) -> String {
    let what = if is_dry { "would be removed" } else { "removed" };
    format!("{} {what}", counted(count, "finding"))
}

/// The name of a node cannot be that of a file.
#[cfg(feature = "store")]
pub(crate) fn no_file_name(name: &str) -> Failure {
    Failure::new(format!("the node {name:?} cannot have a file of its name; export into one list, FILE.json"))
}

/// A flag names no store.
pub(crate) fn bad_store(text: &str) -> Failure {
    Failure::new(format!("'{text}' is not a store; write sqlite:FILE or postgres://HOST/DATABASE"))
}

/// A source that this build cannot read.
#[cfg(any(feature = "jobs", not(all(feature = "store", feature = "fetch"))))]
pub(crate) fn without_feature(source: &str, feature: &str) -> Failure {
    Failure::new(format!("{source} needs a build with the feature {feature}, which the released program has"))
}

/// A query reads `changes`, and nothing says between which states.
#[cfg(all(feature = "store", feature = "git"))]
pub(crate) fn changes_need_impact() -> Failure {
    Failure::new("the table changes needs --impact: a revision, A..B or A...B")
}

/// A folder for tables has something in it.
#[cfg(any(feature = "jobs", feature = "parquet"))]
pub(crate) fn folder_not_empty(folder: &std::path::Path) -> Failure {
    Failure::new(format!(
        "{} is not empty: engines would read what is in it together with the new files; name another folder",
        folder.display()
    ))
}

/// An address is not that of a queue.
#[cfg(feature = "jobs")]
pub(crate) fn bad_queue(text: &str) -> Failure {
    Failure::new(format!("'{text}' is not the address of a queue: name a PostgreSQL server, postgres://…"))
}

/// An address names no object store that this build knows.
#[cfg(feature = "jobs")]
pub(crate) fn no_object_store(address: &str, is_cloud: bool) -> Failure {
    if is_cloud {
        return without_feature(address, "cloud");
    }
    Failure::new(format!(
        "{address} is not the address of an object store: file:FOLDER, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX"
    ))
}

/// Ctrl-C ends the waiting for a run, not the run.
#[cfg(feature = "jobs")]
pub(crate) fn run_goes_on(id: &str, objects: &str) -> String {
    format!(
        "workers go on with the run; join its answers later: hierarch fleet run --objects {objects} --collect {id}"
    )
}

/// There is no one repository to send to workers.
#[cfg(feature = "jobs")]
pub(crate) fn fleet_needs_a_repository() -> Failure {
    Failure::new(
        "fleet run sends one control repository to workers: run it inside of one, without --environmentpath",
    )
}

/// A run waits for workers that are told their share.
#[cfg(feature = "jobs")]
pub(crate) fn run_made(id: &str, chunks: usize, nodes: usize) -> String {
    format!(
        "run {id}\n{}, {}\nwork:    hierarch fleet work --objects URL --run {id} --index I --of N\n\
         collect: hierarch fleet run --objects URL --collect {id}\n",
        counted(nodes, "node"),
        counted(chunks, "chunk")
    )
}

/// A run is over.
#[cfg(feature = "jobs")]
pub(crate) fn run_done(nodes: usize, found: usize, made: usize) -> String {
    format!("{}: {} found, {} made", counted(nodes, "node"), number(found), number(made))
}

/// A worker is done.
#[cfg(feature = "jobs")]
pub(crate) fn worked(found: usize, made: usize) -> String {
    format!("{}: {} found, {} made\n", counted(found + made, "node"), number(found), number(made))
}

/// Nobody takes work.
#[cfg(feature = "jobs")]
pub(crate) fn no_workers(objects: &str) -> String {
    format!(
        "no worker has taken a chunk yet; start some: hierarch fleet work --objects {objects} --queue postgres://…"
    )
}

/// A worker does not know which it is.
#[cfg(feature = "jobs")]
pub(crate) fn no_index() -> Failure {
    Failure::new("--index is missing, and $JOB_COMPLETION_INDEX is no number")
}

/// A worker has a number that no worker has.
#[cfg(feature = "jobs")]
pub(crate) fn index_too_great(index: usize, of: usize) -> Failure {
    Failure::new(format!("--index {index} is not below --of {of}: indexes begin with 0"))
}

/// A chunk could not be worked on.
#[cfg(feature = "jobs")]
pub(crate) fn chunk_failed(number: usize, why: &str) -> String {
    format!("chunk {number} failed and is tried again, here or elsewhere: {why}")
}

/// This build hands out no work.
#[cfg(not(feature = "jobs"))]
pub(crate) fn without_jobs() -> Failure {
    Failure::new(
        "hierarch fleet needs a build with the feature jobs, which hierarch-full has (cargo build --release -p hierarch --features full)",
    )
}

/// This build writes no Parquet.
#[cfg(not(feature = "parquet"))]
pub(crate) fn without_parquet() -> Failure {
    Failure::new("--render-as parquet needs a build with the feature parquet, which hierarch-full has")
}

/// Parquet is not text.
pub(crate) fn parquet_needs_output() -> Failure {
    Failure::new("--render-as parquet needs -o: a folder, or a file that ends in .parquet")
}

/// A file is named for what is printed as text.
pub(crate) fn output_needs_parquet() -> Failure {
    Failure::new("-o is for --render-as parquet; send other forms to a file with >")
}

/// Tables hold many nodes.
pub(crate) fn parquet_needs_nodes() -> Failure {
    Failure::new("--render-as parquet needs --nodes, the source of the nodes")
}

/// `--facts-at-revisions`, and facts that git does not track.
#[cfg(feature = "git")]
pub(crate) fn facts_not_tracked(source: &str) -> Failure {
    Failure::new(format!(
        "git has no past of {source}: --facts-at-revisions takes folders and lists of facts that the repository tracks"
    ))
}

/// `dump --keys` names a file, not keys.
pub(crate) fn glob_for_a_file_of_keys(glob: &str) -> Failure {
    Failure::new(format!(
        "--keys names a file with a key or a glob a line, and there is no file {glob}; without the flag, hierarch dump '{glob}', it stands for keys"
    ))
}

/// A condition is true for no node.
pub(crate) fn nowhere_true(unanswered: usize) -> Failure {
    Failure::new(match unanswered {
        0 => "there is no node to ask: --where is true for none".to_owned(),
        count => format!(
            "there is no node to ask: --where is true for none, and {} could not be asked",
            counted(count, "node")
        ),
    })
}

/// A bare word in a condition is the name of a fact, too.
pub(crate) fn word_is_a_fact(word: &str) -> String {
    format!("{word} is a text here; $facts['{word}'] is the fact")
}

/// A bare word in a condition is the name of a key, too.
pub(crate) fn word_is_a_key(word: &str) -> String {
    format!("{word} is a text here; lookup('{word}') asks for the key")
}

/// Facts in the folder are newer than the store that is asked instead.
#[cfg(feature = "store")]
pub(crate) fn stale_store(file: &str) -> String {
    format!(
        "{file} is newer than the store .hierarch/nodes.db, which is asked instead of the folder facts; `hierarch nodes import facts` takes it in"
    )
}

/// Environments are left out.
#[cfg(feature = "store")]
pub(crate) fn environments_left_out(count: usize) -> String {
    format!(
        "{} in an environment of their own: a folder of facts does not keep that, a list FILE.json or FILE.yaml does",
        counted(count, "node")
    )
}

/// What a value is called that was there before the commits that a clone has.
#[cfg(feature = "git")]
pub(crate) const BEFORE_THIS_CLONE: &str = "before this clone begins";

/// What a value is called that was there where the look back ended.
#[cfg(feature = "git")]
pub(crate) const LOOKED_NO_FURTHER: &str = "looked no further";

/// A history is cut off.
#[cfg(feature = "git")]
pub(crate) fn shallow_history(commits: usize) -> String {
    format!(
        "this clone has only {}; since when the first value is so, it does not tell: fetch more (fetch-depth: 0 in GitHub's checkout)",
        counted(commits, "commit")
    )
}

/// An import into a store was not ended.
#[cfg(feature = "store")]
pub(crate) fn unfinished_import(store: &str, source: &str) -> String {
    format!(
        "{store} has only part of {source}: its last import broke off; `hierarch nodes import {source}` again"
    )
}

/// What is proved over all nodes cannot rest on part of them.
#[cfg(feature = "store")]
pub(crate) fn part_of_a_source(store: &str, source: &str) -> Failure {
    Failure::new(unfinished_import(store, source))
}

/// No key fits a pattern.
#[cfg(feature = "git")]
pub(crate) fn no_such_keys(glob: &str, near: &[&str]) -> Failure {
    Failure::new(format!("no key is called {glob} on either side{}", did_you_mean(near)))
}

/// What some nodes do not need, others may.
pub(crate) fn fix_of_some(flag: &str) -> Failure {
    Failure::new(format!(
        "unused --fix removes what no node needs, and with {flag} not all nodes are asked as they are; leave it out, or name \
         all that count with --nodes"
    ))
}

/// What seems unused stays.
pub(crate) const DOUBTFUL_STAYS: &str =
    "some findings are not certain, and stay; `hierarch unused` tells which, and why";

/// Nodes that could not be asked may need what seems unused.
pub(crate) fn not_all_asked() -> Failure {
    Failure::new("nothing was removed: nodes that could not be asked may need what seems unused")
}

/// Nodes belong to environments that are not at hand.
pub(crate) fn other_environments(count: usize, first: &str, own: &str) -> String {
    let (nodes, are) = if count == 1 { ("node", "is") } else { ("nodes", "are") };
    format!(
        "{count} {nodes} of environments such as '{first}' {are} asked in '{own}', the only one here; --environmentpath names the \
         folder of all environments"
    )
}

/// Not all nodes were asked as they are.
pub(crate) fn some_nodes_asked(flag: &str) -> String {
    format!("{flag} chose the nodes: others may need what was found here\n")
}
