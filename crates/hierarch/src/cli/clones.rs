//! Clones of git repositories that URLs name, kept beside each other in the user's cache.

use std::path::PathBuf;

use super::failure::{Failure, Stop};

/// Returns the folder of a repository's clone that has a revision; it is fetched if that is allowed.
pub(crate) fn clone(url: &str, revision: &str, allow_remote: bool) -> Result<PathBuf, Stop> {
    let folder = cache()?.join(file_name(url));
    let has_it =
        || hierarch_git::Repository::open(&folder).and_then(|clone| clone.revision(revision)).is_ok();
    // A commit is what it is; a branch may have moved since the last time.
    let is_commit = revision.len() == 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_commit && has_it() {
        return Ok(folder);
    }
    if allow_remote {
        fetch(url, &folder)?;
    }
    if has_it() {
        return Ok(folder);
    }
    let text = if allow_remote {
        format!("{url} has no revision {revision}")
    } else {
        format!(
            "{url} at {revision} is not in {}: fetch it with --allow-remote, or clone it and name its folder",
            folder.display()
        )
    };
    Err(Failure::new(text).into())
}

#[cfg(not(feature = "clone"))]
fn fetch(url: &str, folder: &std::path::Path) -> Result<(), Stop> {
    Err(Failure::new(format!(
        "{url}: this build fetches no repositories: it was made without the feature `clone`; \
         `git clone --bare {url} {}` does it as well",
        folder.display()
    ))
    .into())
}

#[cfg(feature = "clone")]
fn fetch(url: &str, folder: &std::path::Path) -> Result<(), Stop> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    Ok(hierarch_git::fetch(url, folder, MOST_TIME)?)
}

/// How long fetching a repository may take.
#[cfg(feature = "clone")]
const MOST_TIME: std::time::Duration = std::time::Duration::from_secs(600);

/// The folder of all clones.
fn cache() -> Result<PathBuf, Failure> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let cache = cache.ok_or_else(|| Failure::new("set XDG_CACHE_HOME or HOME: clones are kept below it"))?;
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
