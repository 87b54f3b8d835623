//! What commands say about the network: fetches, repositories, and the server.

use std::io;
use std::net::SocketAddr;

use hierarch_source::Error;

use crate::cli::failure::Failure;

/// This build has no client.
#[cfg(not(feature = "fetch"))]
pub(crate) fn without_fetch() -> String {
    "this build fetches nothing: it was made without the feature `fetch`".to_owned()
}

/// A server answers with a number that is not a success; the words are those of Python's client.
#[cfg(feature = "fetch")]
pub(crate) fn http_status(status: u16) -> String {
    format!("HTTP Error {status}")
}

/// This build reads no repositories.
#[cfg(not(feature = "git"))]
pub(crate) fn without_git(url: &str) -> Failure {
    Failure::new(format!(
        "{url}: this build reads no git repositories: it was made without the feature `git`"
    ))
}

/// A repository is not here, and nothing allows to fetch it.
#[cfg(feature = "git")]
pub(crate) fn not_cloned(url: &str, revision: &str, folder: &std::path::Path) -> Failure {
    Failure::new(format!(
        "{url} at {revision} is not in {}: fetch it with --allow-remote, or clone it and name its folder",
        folder.display()
    ))
}

/// This build fetches no repositories.
#[cfg(all(feature = "git", not(feature = "clone")))]
pub(crate) fn without_clone(url: &str, folder: &std::path::Path) -> Failure {
    let folder = folder.display();
    Failure::new(format!(
        "{url}: this build fetches no repositories: it was made without the feature `clone`; \
         `git clone --mirror {url} {folder}` does it as well"
    ))
}

/// There is no place for clones.
#[cfg(feature = "git")]
pub(crate) fn no_cache() -> Failure {
    Failure::new("set XDG_CACHE_HOME or HOME: clones are kept below it")
}

/// A file where a lock file should be.
pub(crate) fn not_a_lock_file(name: &str, why: &str) -> Error {
    Error::new(
        "YAML_LOCK",
        format!("{name} is not a lock file: {why}; remove it, or write it anew with --relock"),
    )
}

/// A newer program has written the lock file.
pub(crate) fn newer_lock_file(name: &str, theirs: i64, ours: i64) -> Error {
    Error::new(
        "YAML_LOCK_NEWER",
        format!(
            "{name} has format {theirs}, and this program knows formats up to {ours}: use a newer hierarch"
        ),
    )
}

/// `--listen` is not an address.
pub(crate) fn bad_address(text: &str) -> Failure {
    Failure::new(format!("--listen {text}: expected is ADDRESS:PORT, as in 127.0.0.1:8480, or unix:PATH"))
}

/// An address cannot be listened on.
pub(crate) fn cannot_listen(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::new(format!("Could not listen on {address}: {error}"))
}

/// Another program listens already; `by` names it where it is known.
pub(crate) fn address_in_use(address: SocketAddr, by: &str) -> Failure {
    Failure::new(format!("{address} is in use{by}; --listen names another address"))
}

/// A token is given a name that could not be read back.
pub(crate) fn bad_token_name(name: &str) -> Failure {
    Failure::new(format!("'{name}' cannot be the name of a token: it is one word"))
}

/// A new token: only its hash is kept.
pub(crate) fn token_shown_once(name: &str, token: &str) -> String {
    format!("the token of {name}, which is shown only once: {token}")
}

/// The server ended.
pub(crate) fn cannot_serve(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("Could not serve: {error}"))
}

/// The server would not end when it is told to.
#[cfg(unix)]
pub(crate) fn cannot_watch_signals(error: &io::Error) -> Failure {
    Failure::new(format!("Could not watch signals: {error}"))
}
