//! Clones of git repositories that URLs name, kept beside each other in the user's cache.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use hierarch_git::without_password;

use super::failure::{Failure, Stop};
use crate::cli::issues;

/// How much fetching a repository may take.
#[derive(Args, Clone, Copy)]
pub(crate) struct FetchArguments {
    /// How many bytes a server may send for one repository
    #[arg(long, value_name = "BYTES", default_value = "1073741824")]
    max_fetch: u64,
    /// How long fetching one repository may take
    #[arg(long, value_name = "SECONDS", default_value = "600")]
    max_fetch_time: f64,
}

/// Returns the folder of a repository's clone that has a revision; it is fetched if that is allowed.
pub(crate) fn clone(url: &str, revision: &str, allowed: Option<FetchArguments>) -> Result<PathBuf, Stop> {
    let folder = cache()?.join(file_name(&without_password(url)));
    let has_it =
        || hierarch_git::Repository::open(&folder).and_then(|clone| clone.revision(revision)).is_ok();
    // A commit is what it is; a branch may have moved since the last time.
    let is_commit = revision.len() == 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_commit && has_it() {
        return Ok(folder);
    }
    if let Some(limits) = allowed {
        fetch(url, &folder, limits)?;
        // The revision is asked for again, for a message that knows the names that are near.
        let revision = hierarch_git::Repository::open(&folder)?.revision(revision);
        return Ok(revision.map(|_| folder)?);
    }
    if has_it() {
        return Ok(folder);
    }
    Err(issues::not_cloned(&without_password(url), revision, &folder).into())
}

#[cfg(not(feature = "clone"))]
fn fetch(url: &str, folder: &std::path::Path, limits: FetchArguments) -> Result<(), Stop> {
    let _ = (limits.time(), limits.max_fetch);
    Err(issues::without_clone(&without_password(url), folder).into())
}

#[cfg(feature = "clone")]
fn fetch(url: &str, folder: &std::path::Path, limits: FetchArguments) -> Result<(), Stop> {
    let limits = hierarch_git::FetchLimits { time: limits.time(), size: limits.max_fetch };
    Ok(hierarch_git::fetch(url, folder, limits)?)
}

impl FetchArguments {
    /// An invalid length of time, such as a negative one, gives the server none.
    fn time(self) -> Duration {
        Duration::try_from_secs_f64(self.max_fetch_time).unwrap_or_default()
    }
}

/// The folder of all clones.
fn cache() -> Result<PathBuf, Failure> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let cache = cache.ok_or_else(issues::no_cache)?;
    Ok(cache.join("hierarch/repositories"))
}

/// Returns a name for a URL that no other URL has.
fn file_name(url: &str) -> String {
    let mut name = String::new();
    for byte in url.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_'
                if !name.is_empty() || byte != b'.' =>
            {
                name.push(byte.into());
            }
            _ => name.push_str(&format!("%{byte:02X}")),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_names_of_their_own() {
        assert_eq!(file_name("https://h/a-b.git"), "https%3A%2F%2Fh%2Fa-b.git");
        assert_eq!(file_name("../x"), "%2E.%2Fx");
        assert_ne!(file_name("h:a/b"), file_name("h:a-b"));
    }
}
