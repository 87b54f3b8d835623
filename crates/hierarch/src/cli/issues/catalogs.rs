//! Words about catalogs: Ruby that runs, that needs a flag, or that a placeholder stands for.

use std::path::Path;

use hierarch_source::Error;

use crate::cli::failure::Failure;
use crate::cli::fleet::form::counted;

/// A folder of functions that go before others has none.
pub(crate) fn empty_overlay(folder: &Path) -> Failure {
    Failure::new(format!(
        "{0} has no functions: --overlay takes {0}/functions/NAME.pp and {0}/MODULE/functions/NAME.pp",
        folder.display()
    ))
}

/// Nothing of a catalog can be shown.
pub(crate) fn all_hidden(nodes: usize, why: &str) -> String {
    format!(
        "titles and values of {} are hidden: the catalog does not compile with what stands for secrets, so that anything in it may be \
         made of them; --show-secrets shows all ({why})",
        counted(nodes, "node")
    )
}

/// A node that is compiled has no facts, and others have.
pub(crate) fn no_facts_of(name: &str, near: Option<&str>) -> String {
    let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("no facts are known of {name}, so it is compiled without any{near}")
}

/// What a node exports is not kept, because placeholders may be in it.
pub(crate) fn stubs_not_kept(store: &str) -> String {
    format!("{store} keeps what was there: what the node exports may hold placeholders")
}

/// A command asks states that a real Ruby would not see.
pub(crate) fn no_ruby_command(command: &str) -> Failure {
    Failure::new(format!(
        "{command} does not take --ruby-command: it asks states that are not checked out, and that Ruby would read the \
         files that stand there now"
    ))
}

/// A real Ruby is to run what is not checked out.
#[cfg(feature = "git")]
pub(crate) fn ruby_command_at(revision: &str) -> Failure {
    Failure::new(format!(
        "--ruby-command does not go with --at {revision}: that Ruby would require and read the files of the working tree; \
         check the revision out (git worktree) and ask there"
    ))
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

/// What stands for a name in the file of --ruby-dns is not a record.
pub(crate) fn bad_record(name: &str, kind: &str, value: &str, expected: &str) -> Failure {
    Failure::new(format!("--ruby-dns: {name} has {kind} {value}, which is not {expected}"))
}

/// A kind of records that --ruby-dns does not know.
pub(crate) fn bad_record_kind(name: &str, kind: &str, known: &[&str]) -> Failure {
    Failure::new(format!("--ruby-dns: {name} has records of the kind {kind}; known are {}", known.join(", ")))
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

/// What helps with what does not run here; the last lines of a report.
pub(crate) const WAYS_OUT: &str = "\nfor what does not run here: --ruby-command hands it to a real Ruby, --answers gives results of calls, --overlay replaces \
     functions, and `catalog compile --stub-missing` goes on without them";

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
