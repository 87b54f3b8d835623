//! The words of this crate.

use hierarch_source::Error;

/// A folder lies in no git repository.
pub(crate) fn no_repository(folder: &str, why: &str) -> Error {
    Error::new("GIT_NO_REPOSITORY", format!("{folder} is in no git repository: {why}"))
}

/// A repository has objects of a kind that is not read.
pub(crate) fn sha256_objects(folder: &str) -> Error {
    Error::new(
        "GIT_SHA256",
        format!("{folder} is in a git repository with SHA-256 objects, which are not read yet"),
    )
}

/// A repository could not be fetched.
#[cfg(feature = "network")]
pub(crate) fn unfetched(url: &str, why: &str) -> Error {
    Error::new("GIT_UNFETCHED", format!("{url} could not be fetched: {why}"))
}

/// A revision does not exist; with the names that are near.
pub(crate) fn no_revision(name: &str, near: &[&str]) -> Error {
    let near: Vec<&str> = near.iter().copied().filter(|known| *known != name).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    Error::new("GIT_NO_REVISION", format!("{name} is no revision of this repository{hint}"))
}

/// A revision would lie before the first commit, or beside it.
pub(crate) fn no_ancestor(name: &str, base: &str) -> Error {
    let text = format!("{name} is no revision of this repository: {base} has no such ancestor");
    Error::new("GIT_NO_REVISION", text)
}

/// There is nothing to compare with yet.
pub(crate) fn no_commits(name: &str) -> Error {
    Error::new("GIT_NO_COMMITS", format!("{name} cannot be found: this repository has no commit yet"))
}

/// A revision may exist, but the clone is cut off before it.
pub(crate) fn cut_off(name: &str, commits: usize) -> Error {
    let word = if commits == 1 { "commit" } else { "commits" };
    Error::new(
        "GIT_SHALLOW",
        format!(
            "{name} is not in this clone, which has only {commits} {word}; fetch more (fetch-depth: 0 in GitHub's checkout)"
        ),
    )
}

/// Two revisions have no common ancestor.
pub(crate) fn no_merge_base(a: &str, b: &str) -> Error {
    Error::new(
        "GIT_NO_MERGE_BASE",
        format!("{a} and {b} have no common ancestor; compare them with {a}..{b}"),
    )
}

/// An object or the index cannot be read.
pub(crate) fn unreadable(what: &str, why: &str) -> Error {
    Error::new("GIT_UNREADABLE", format!("git: {what} can't be read: {why}"))
}

/// An object of a file cannot be read.
pub(crate) fn broken_object(id: &str, why: &str) -> String {
    format!("git object {id} can't be read: {why}")
}

/// Objects of a revision cannot be read.
pub(crate) fn broken_objects(messages: &[String]) -> Error {
    let first = messages.first().map_or("", String::as_str);
    let more = if messages.len() > 1 { format!(" (and {} more)", messages.len() - 1) } else { String::new() };
    Error::new("GIT_BROKEN_OBJECT", format!("{first}{more}"))
        .note("git fsck tells what is damaged; fetch the repository again")
}

/// A path is in conflict, so the index holds several versions of it.
pub(crate) fn conflict(path: &str) -> Error {
    Error::new("GIT_CONFLICT", format!("{path} is in conflict in the index; resolve it and add it first"))
}

/// A repository has no folder of files beside it.
pub(crate) fn bare(folder: &str) -> Error {
    Error::new("GIT_BARE", format!("{folder} is a bare repository, which has no working tree"))
}

/// A file is only a pointer to content that is kept elsewhere.
pub(crate) fn lfs_pointer(path: &str) -> String {
    format!("{path} is a Git LFS pointer; its content is not in git, so it can't be read at a revision")
}

/// A submodule's objects are not there.
pub(crate) fn no_submodule(path: &str, commit: &str) -> String {
    format!("submodule {path} is not here at commit {commit}; run: git submodule update --init {path}")
}

/// A link leads out of the tree.
pub(crate) fn link_leaves(path: &str, target: &str) -> String {
    format!("the link {path} leads out of the repository, to {target}; it counts as missing")
}

/// Links lead in a ring.
pub(crate) fn links_in_a_ring(path: &str) -> String {
    format!("the links at {path} lead in a ring; they count as missing")
}
