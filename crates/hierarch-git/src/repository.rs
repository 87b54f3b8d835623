//! A git repository: where it is, what its revisions are called.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::ByteSlice;
use hierarch_source::{Result, nearest};

use crate::files::GitFiles;
use crate::issues;
use crate::table::Table;

/// Where a fetch puts the branch that a server shows first.
const FETCHED_HEAD: &str = "refs/hierarch/HEAD";

/// A git repository. It may be used by many threads.
pub struct Repository {
    inner: gix::ThreadSafeRepository,
}

/// A commit under the name that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// The name, as the user wrote it.
    pub name: String,
    /// The commit's full id.
    pub commit: String,
    pub(crate) id: gix::ObjectId,
    pub(crate) tree: gix::ObjectId,
}

/// What a comparison is asked to span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// One revision, against whatever the caller compares with.
    From(String),
    /// `A..B`.
    Between(String, String),
    /// `A...B`: from the merge base of both to the second.
    Since(String, String),
}

impl Range {
    /// Reads `REV`, `A..B` or `A...B`; an empty side means `HEAD`.
    ///
    /// ```
    /// use hierarch_git::Range;
    /// assert_eq!(Range::parse("main...x"), Range::Since("main".into(), "x".into()));
    /// assert_eq!(Range::parse("v1.."), Range::Between("v1".into(), "HEAD".into()));
    /// assert_eq!(Range::parse("HEAD~1"), Range::From("HEAD~1".into()));
    /// ```
    pub fn parse(text: &str) -> Self {
        let side = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        if let Some((a, b)) = text.split_once("...") {
            return Self::Since(side(a), side(b));
        }
        match text.split_once("..") {
            Some((a, b)) => Self::Between(side(a), side(b)),
            None => Self::From(text.to_owned()),
        }
    }
}

/// Tells whether the repository around a folder says that its objects are named by SHA-256.
fn has_sha256_objects(folder: &Path) -> bool {
    let around = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut configs = around.ancestors().map(|folder| folder.join(".git/config"));
    let first = configs.find_map(|config| std::fs::read_to_string(config).ok());
    first.is_some_and(|text| {
        let words = text.to_lowercase().replace([' ', '\t'], "");
        words.lines().any(|line| line == "objectformat=sha256")
    })
}

impl Repository {
    /// Finds the repository that a folder lies in.
    pub fn discover(folder: &Path) -> Result<Self> {
        let shown = folder.display().to_string();
        let inner = gix::ThreadSafeRepository::discover(folder).map_err(|error| {
            if has_sha256_objects(folder) {
                issues::sha256_objects(&shown)
            } else {
                issues::no_repository(&shown, &error.to_string())
            }
        })?;
        Ok(Self { inner })
    }

    /// Opens the repository that a folder is: one with a `.git`, or a bare one.
    pub fn open(folder: &Path) -> Result<Self> {
        let shown = folder.display().to_string();
        let inner = gix::ThreadSafeRepository::open(folder)
            .map_err(|error| issues::no_repository(&shown, &error.to_string()))?;
        Ok(Self { inner })
    }

    pub(crate) fn local(&self) -> gix::Repository {
        self.inner.to_thread_local()
    }

    pub(crate) fn shared(&self) -> &gix::ThreadSafeRepository {
        &self.inner
    }

    /// Returns the folder of the files beside the repository, without symbolic links.
    pub fn workdir(&self) -> Result<PathBuf> {
        let local = self.local();
        let folder = local.workdir().ok_or_else(|| issues::bare(&local.path().display().to_string()))?;
        let resolved = std::fs::canonicalize(folder);
        resolved.map_err(|error| issues::unreadable(&folder.display().to_string(), &error.to_string()))
    }

    /// Finds the commit that a name stands for: a branch, a tag, an id, `HEAD~2`.
    pub fn revision(&self, name: &str) -> Result<Revision> {
        let local = self.local();
        // What a server shows first is kept apart: a bare clone has a HEAD of its own.
        let fetched = (name == "HEAD").then(|| commit_of(&local, FETCHED_HEAD).ok()).flatten();
        let commit = fetched.map_or_else(|| commit_of(&local, name), Ok);
        let commit = commit.map_err(|_| no_revision(&local, name))?;
        let tree = commit.tree_id().map_err(|error| issues::unreadable(name, &error.to_string()))?;
        Ok(Revision {
            name: name.to_owned(),
            commit: commit.id.to_string(),
            id: commit.id,
            tree: tree.detach(),
        })
    }

    /// Tells whether the history is cut off: only the last commits were fetched.
    pub fn is_shallow(&self) -> bool {
        self.local().is_shallow().unwrap_or(false)
    }

    /// Lists the branches and tags, and HEAD.
    pub fn names(&self) -> Vec<String> {
        names(&self.local())
    }

    /// Finds the best common ancestor of two revisions.
    pub fn merge_base(&self, a: &Revision, b: &Revision) -> Result<Revision> {
        let local = self.local();
        let base = local.merge_base(a.id, b.id).ok().flatten();
        match base {
            Some(base) => self.revision(&base.to_string()),
            None if local.is_shallow().unwrap_or(false) => Err(issues::cut_off(
                &format!("the common ancestor of {} and {}", a.name, b.name),
                count(&local),
            )),
            None => Err(issues::no_merge_base(&a.name, &b.name)),
        }
    }

    /// Opens the files of a revision as if they stood in a folder, which is usually the working tree's.
    pub fn files(&self, revision: &Revision, root: &Path) -> Result<GitFiles> {
        let table = Table::of_tree(self, revision.tree)?;
        Ok(GitFiles::new(table, root.to_owned()))
    }

    /// Opens the files of the index: what a commit would hold now.
    pub fn index(&self, root: &Path) -> Result<GitFiles> {
        let table = Table::of_index(self)?;
        Ok(GitFiles::new(table, root.to_owned()))
    }
}

fn no_revision(local: &gix::Repository, name: &str) -> hierarch_source::Error {
    if local.head().is_ok_and(|head| head.is_unborn()) && names(local).iter().all(|known| known == "HEAD") {
        return issues::no_commits(name);
    }
    if local.is_shallow().unwrap_or(false) {
        return issues::cut_off(name, count(local));
    }
    // `HEAD~3`, `main^`: what they count from may be there.
    let base = name.split(['~', '^']).next().filter(|base| *base != name);
    if let Some(base) = base.filter(|base| commit_of(local, base).is_ok()) {
        return issues::no_ancestor(name, base);
    }
    issues::no_revision(name, &nearest(name, names(local).iter().map(String::as_str)))
}

/// Resolves a name to a commit; tags are followed.
fn commit_of<'r>(local: &'r gix::Repository, name: &str) -> gix::Result<gix::Commit<'r>> {
    local.rev_parse_single(name.as_bytes().as_bstr())?.object()?.peel_to_commit()
}

/// Counts the commits that can be reached from where the clone stands.
fn count(local: &gix::Repository) -> usize {
    let Ok(head) = local.head_id() else { return 0 };
    local.rev_walk([head.detach()]).all().map_or(0, |walk| walk.map_while(std::result::Result::ok).count())
}

/// Lists branches and tags.
fn names(local: &gix::Repository) -> Vec<String> {
    let Ok(platform) = local.references() else { return Vec::new() };
    let Ok(all) = platform.all() else { return Vec::new() };
    let mut names: Vec<String> = all
        .filter_map(std::result::Result::ok)
        .map(|reference| reference.name().shorten().to_string())
        .collect();
    names.push("HEAD".to_owned());
    names.sort();
    names.dedup();
    names
}

/// A repository that several tables share: handles are made per thread.
pub(crate) type SharedRepository = Arc<gix::ThreadSafeRepository>;
