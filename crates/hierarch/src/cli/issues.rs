//! All words of the command line that a user can read about what is wrong.

use std::path::Path;

use hierarch_hiera::issues::ruby;
use hierarch_source::Error;

use super::failure::Failure;
use super::fleet::form::{counted, number};

pub(crate) use documents::*;
pub(crate) use network::*;
pub(crate) use programs::*;

mod documents;
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
    format!("no node has a value for {key}{}", did_you_mean(near))
}

/// What makes the maps that are missing around a new value.
pub(crate) fn parents_are_made() -> &'static str {
    "--parents makes the maps that are missing on the way"
}

/// There is nothing that `doctor` could look at.
pub(crate) fn no_repository_to_examine() -> Failure {
    Failure::new(
        "there is no control repository here: neither this folder nor one above it has a hiera.yaml or an environment.conf; \
         go there, use -C DIR, or name files and folders to look at",
    )
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

/// A flag that a command does not take.
pub(crate) fn not_with(command: &str, flag: &str) -> Failure {
    Failure::new(format!("{command} does not take {flag}"))
}

/// The name of a node cannot be that of a file.
#[cfg(feature = "store")]
pub(crate) fn no_file_name(name: &str) -> Failure {
    Failure::new(format!("the node {name:?} cannot have a file of its name; export into one list, FILE.json"))
}

/// A flag names no store.
pub(crate) fn bad_store(text: &str) -> Failure {
    Failure::new(format!("'{text}' is no store; write sqlite:FILE or postgres://HOST/DATABASE"))
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
    Failure::new(format!("'{text}' is no address of a queue: name a PostgreSQL server, postgres://…"))
}

/// An address names no object store that this build knows.
#[cfg(feature = "jobs")]
pub(crate) fn no_object_store(address: &str, is_cloud: bool) -> Failure {
    if is_cloud {
        return without_feature(address, "cloud");
    }
    Failure::new(format!(
        "{address} is no address of an object store: file:FOLDER, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX"
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

/// A folder of functions that go before others has none.
pub(crate) fn empty_overlay(folder: &Path) -> Failure {
    Failure::new(format!(
        "{0} has no functions: --overlay takes {0}/functions/NAME.pp and {0}/MODULE/functions/NAME.pp",
        folder.display()
    ))
}

/// A node that is compiled has no facts, and others have.
pub(crate) fn no_facts_of(name: &str, near: Option<&str>) -> String {
    let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("no facts are known of {name}, so it is compiled without any{near}")
}

/// A real Ruby ran something.
pub(crate) fn helped(help: &hierarch_eval::substitute::Help) -> String {
    let calls = if help.calls == 1 { "once".to_owned() } else { format!("{} times", help.calls) };
    format!("{} was run {calls} by --ruby-command: {}", help.what, help.reason)
}

/// The program of `--ruby-command` cannot be started.
pub(crate) fn ruby_command_start(path: &std::path::Path, error: &std::io::Error) -> Error {
    ruby_command(format!("{} cannot be started: {error}; --ruby-command wants a Ruby", path.display()))
}

/// The program of `--ruby-command` ended in the middle of a job.
pub(crate) fn ruby_command_ended(path: &std::path::Path) -> Error {
    ruby_command(format!("{} ended without an answer; --ruby-command wants a Ruby", path.display()))
}

/// The program of `--ruby-command` takes too long.
pub(crate) fn ruby_command_time(path: &std::path::Path, time: std::time::Duration) -> Error {
    let seconds = time.as_secs_f64();
    ruby_command(format!("{} gave no answer in {seconds} seconds (--max-ruby-time)", path.display()))
}

/// The program of `--ruby-command` answers too much.
pub(crate) fn ruby_command_size(path: &std::path::Path, most: usize) -> Error {
    ruby_command(format!("{} gave an answer of more than {most} bytes", path.display()))
}

fn ruby_command(message: String) -> Error {
    Error::new("RUBY_COMMAND", message)
}

/// Ruby asks for a page that it does not get.
pub(crate) fn no_pages(is_open: bool) -> String {
    let why = if is_open {
        "this build fetches nothing: it was made without the feature `fetch`"
    } else {
        "pages are asked for with --ruby-net alone"
    };
    why.to_owned()
}

/// Ruby asks for a kind of record that is not known.
pub(crate) fn unknown_record(kind: &str) -> String {
    format!("records of kind {kind} are not known; give them with --ruby-dns FILE")
}

/// There is no name server to ask.
pub(crate) fn no_name_server() -> String {
    "/etc/resolv.conf names no name server; give the records with --ruby-dns FILE".to_owned()
}

/// A name server does not answer.
pub(crate) fn name_server_failed(server: std::net::IpAddr, error: &std::io::Error) -> String {
    format!("the name server {server} gave no answer: {error}")
}

/// A placeholder stands in a catalog.
pub(crate) fn stub(stub: &hierarch_eval::substitute::Stub) -> String {
    let place = stub.place.as_ref().map(|place| {
        let line = place.position().0;
        place
            .source
            .name()
            .map_or_else(|| format!(" (line: {line})"), |file| format!(" (file: {file}, line: {line})"))
    });
    format!("{}() did not run: {}{}", stub.function, stub.reason.trim_end(), place.unwrap_or_default())
}

/// A placeholder stands in a catalog, at a place that is said elsewhere.
pub(crate) fn stub_without_place(stub: &hierarch_eval::substitute::Stub) -> String {
    format!("{}() did not run: {}", stub.function, stub.reason.trim_end())
}

/// There are no nodes whose catalogs could be compiled.
pub(crate) fn no_nodes_to_examine() -> Failure {
    Failure::new(
        "no nodes are known here: name a folder with a file of facts per node with --facts, or a list with HIERARCH_NODES",
    )
}

/// The nodes that need something.
pub(crate) fn needed_by(shown: &str, count: usize, most: usize) -> String {
    if count > most {
        format!("needed by {shown} and {} more", count - most)
    } else {
        format!("needed by {shown}")
    }
}

/// How many nodes get a catalog.
pub(crate) fn nodes_share(all: usize, whole: usize, with_stubs: usize, none: usize) -> String {
    let nodes = if all == 1 { "1 node".to_owned() } else { format!("{all} nodes") };
    format!(
        "{nodes}; {}",
        share(&[
            (whole, "compile", "compiles"),
            (with_stubs, "need placeholders", "needs placeholders"),
            (none, "do not compile", "does not compile")
        ])
    )
}

/// How many templates, functions or backends run.
pub(crate) fn ruby_share(what: &str, native: usize, flag: usize, cannot: usize) -> String {
    let counts = [
        (native, "run natively", "runs natively"),
        (flag, "need a flag", "needs a flag"),
        (cannot, "cannot run", "cannot run"),
    ];
    format!("{what}: {}; {}", native + flag + cannot, share(&counts))
}

/// Says what happens to how many; where it is the same for all, that.
fn share(counts: &[(usize, &str, &str)]) -> String {
    let all: usize = counts.iter().map(|(count, ..)| count).sum();
    let some = counts.iter().filter(|(count, ..)| *count > 0);
    let words = some.map(|&(count, plural, singular)| match count {
        1 => format!("1 {singular}"),
        count if count == all => format!("all {plural}"),
        count => format!("{count} {plural}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Ruby asks for something that a flag allows.
pub(crate) fn ruby_needs_flag(what: &str, flag: &str) -> String {
    match flag {
        "--ruby-net" => {
            format!("{what} asks the network: --ruby-net, or give the results with --answers FILE")
        }
        flag => format!("{what} needs {flag}"),
    }
}

/// Ruby would do what never happens here.
pub(crate) fn ruby_never_runs(what: &str) -> String {
    format!("{what} never runs here")
}

/// Ruby names what the tables do not have.
pub(crate) fn ruby_is_unknown(what: &str) -> String {
    format!("{what} is not known to Hierarch")
}

/// A template is not Ruby.
pub(crate) fn template_unreadable(message: &str) -> String {
    format!("the template cannot be read: {message}")
}

/// How many placeholders stand in a catalog.
pub(crate) fn stubs(count: usize) -> String {
    let them = if count == 1 { "it" } else { "them" };
    let calls = counted(count, "call");
    format!("a placeholder stands for the result of {calls}; \"stubs\" in the catalog lists {them}")
}

/// `dump --keys` names a file, not keys.
pub(crate) fn glob_for_a_file_of_keys(glob: &str) -> Failure {
    Failure::new(format!(
        "--keys names a file with a key or a glob a line, and there is no file {glob}; without the flag, hierarch dump '{glob}', it stands for keys"
    ))
}

/// What names a document among others.
const MEETING: &str = "documents meet by apiVersion, kind, metadata.namespace and metadata.name where all of them have a kind, else by position";

/// Two documents would be merged because of their position, and are different things.
pub(crate) fn different_documents(first: &str, other: &str) -> Error {
    let text =
        format!("{first} and {other} would become one document, because they stand at the same position");
    Error::new("YAML_UNCLEAR_MERGE", text)
        .note(MEETING)
        .note("give every document a kind, and the documents of one file different names")
}

/// Two files are to be merged document by document, and have not as many.
pub(crate) fn unclear_meeting((first, count): (&str, usize), (other, others): (&str, usize)) -> Error {
    let documents =
        |count: usize| if count == 1 { "1 document".to_owned() } else { format!("{count} documents") };
    let text = format!(
        "{first} has {} and {other} {}: which of them meet is not clear",
        documents(count),
        documents(others)
    );
    Error::new("YAML_UNCLEAR_MERGE", text)
        .note(MEETING)
        .note("give every document a kind, or every file as many documents")
}

/// What `--match` is given is nothing that it takes.
pub(crate) fn no_such_match(word: &str, why: &str) -> Failure {
    Failure::new(format!(
        "--match {word} is neither PATH=KEY (containers=name), nor kubernetes or compose, nor a table of keys that can be read ({why})"
    ))
}

/// What templates make would lie among them, and be templates the next time.
pub(crate) fn output_among_templates(output: &Path, folder: &Path) -> Failure {
    let (output, folder) = (output.display(), folder.display());
    Failure::new(format!(
        "{output} lies in {folder}, the folder of the templates; nothing was written; name a folder outside of it"
    ))
}

/// A command wants documents and got a folder.
pub(crate) fn folder_of_documents(folder: &str) -> Failure {
    let folder = folder.trim_end_matches('/');
    Failure::new(format!("{folder} is a folder; name its files with a pattern: '{folder}/**/*.yaml'"))
}
