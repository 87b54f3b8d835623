//! `--repository NAME=…`: folders and git revisions that includes name, and the lock file that pins the revisions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hierarch_source::{DiskFiles, Error, Files, ResolvedFolders, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Layout, Scalar, document, read};

use super::failure::{Failure, Stop};
use super::saving::{self, ChangedFiles, Retry};
use crate::cli::issues;

/// The repositories that includes may name.
#[derive(Args, Clone)]
pub(crate) struct RepositoryArguments {
    /// Where a repository that includes name is: a folder, or a git repository at a revision: NAME=DIR,
    /// NAME=DIR@REV, NAME=https://host/base.git@REV; URLs are fetched only with --allow-remote
    #[arg(long, value_name = "NAME=WHERE", value_parser = Repository::parse)]
    repository: Vec<Repository>,
    /// The file that pins revisions to commits: what it names is taken from there, what it does not is added
    /// [default: hierarch.lock, if it is there]
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,
    /// Find the commits of all revisions anew, and write the lock file
    #[arg(long)]
    relock: bool,
    #[cfg(feature = "git")]
    #[command(flatten)]
    fetch: super::clones::FetchArguments,
}

/// One repository, as it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    name: String,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Folder(PathBuf),
    /// A git repository by its folder or URL, at a revision.
    Git {
        url: String,
        revision: String,
    },
}

/// Where the files of a repository are.
pub(crate) enum Origin {
    /// In a folder of the disk.
    Folder(PathBuf),
    /// In a git revision, as if they stood in this folder.
    Revision(PathBuf),
}

/// Repositories that can be read.
pub(crate) struct OpenRepositories {
    /// The disk, and the revisions.
    pub(crate) files: Arc<dyn Files>,
    pub(crate) origins: BTreeMap<String, Origin>,
}

/// The lock file that is used without being named.
const LOCK: &str = "hierarch.lock";
/// The form of lock files that is known; it is not written as long as there is only one.
const LOCK_FORMAT: i64 = 1;

impl Repository {
    /// Reads `NAME=DIR`, `NAME=DIR@REV` or `NAME=URL@REV`; without a revision of a URL its HEAD is meant.
    fn parse(text: &str) -> Result<Self, String> {
        let usage = || "write NAME=DIR, NAME=DIR@REV or NAME=URL@REV".to_owned();
        let (name, place) = text.split_once('=').ok_or_else(usage)?;
        if name.is_empty() || place.is_empty() {
            return Err(usage());
        }
        let name = name.to_owned();
        let path_start = if is_url(place) { url_path(place) } else { 0 };
        let at = place.rfind('@').filter(|&at| at >= path_start && at > 0);
        let git =
            |url: &str, revision: &str| Place::Git { url: url.to_owned(), revision: revision.to_owned() };
        let place = match at {
            Some(at) if is_url(place) || !Path::new(place).exists() => {
                let (url, revision) = (&place[..at], &place[at + 1..]);
                if revision.is_empty() {
                    return Err(usage());
                }
                git(url, revision)
            }
            None if is_url(place) => git(place, "HEAD"),
            _ => Place::Folder(place.into()),
        };
        Ok(Self { name, place })
    }
}

/// `https://…`, `ssh://…`, `file://…` or `git@host:path`.
fn is_url(text: &str) -> bool {
    text.contains("://") || text.starts_with("git@")
}

/// Returns where the path of a URL begins: before it, an `@` ends the name of a user.
fn url_path(url: &str) -> usize {
    match url.find("://") {
        Some(at) => url[at + 3..].find('/').map_or(url.len(), |slash| at + 3 + slash),
        None => url.find(':').unwrap_or(url.len()),
    }
}

impl RepositoryArguments {
    /// Finds all repositories, and pins what is not pinned yet.
    pub(crate) fn open(&self, allow_remote: bool) -> Result<OpenRepositories, Stop> {
        let files = Arc::new(ResolvedFolders::new(DiskFiles));
        let mut opened = OpenRepositories { files, origins: BTreeMap::new() };
        let mut lock = Lock::read(self.lock.as_deref())?;
        for repository in &self.repository {
            let origin = match &repository.place {
                Place::Folder(folder) => Origin::Folder(folder.clone()),
                Place::Git { url, revision } => {
                    let pinned =
                        lock.pinned(&repository.name, &shown(url), revision).filter(|_| !self.relock);
                    let wanted = WantedRevision { url, revision, pinned, allow_remote };
                    let found = self.revision_files(&wanted, Arc::clone(&opened.files))?;
                    opened.files = found.files;
                    let pin = Pin { url: shown(url), revision: revision.clone(), commit: found.commit };
                    lock.pins.insert(repository.name.clone(), pin);
                    Origin::Revision(found.root)
                }
            };
            opened.origins.insert(repository.name.clone(), origin);
        }
        lock.write()?;
        Ok(opened)
    }
}

/// A revision that is wanted.
struct WantedRevision<'a> {
    url: &'a str,
    revision: &'a str,
    /// The commit that the lock file names.
    pinned: Option<&'a str>,
    allow_remote: bool,
}

/// A revision that was found.
struct FoundRevision {
    files: Arc<dyn Files>,
    root: PathBuf,
    commit: String,
}

/// Returns a URL as lock files and messages have it.
fn shown(url: &str) -> String {
    #[cfg(feature = "git")]
    return hierarch_git::without_password(url);
    #[cfg(not(feature = "git"))]
    return url.to_owned();
}

impl RepositoryArguments {
    #[cfg(not(feature = "git"))]
    fn revision_files(&self, wanted: &WantedRevision, _: Arc<dyn Files>) -> Result<FoundRevision, Stop> {
        let _ = (wanted.revision, wanted.pinned, wanted.allow_remote);
        let url = wanted.url;
        Err(issues::without_git(&url).into())
    }

    #[cfg(feature = "git")]
    fn revision_files(
        &self,
        wanted: &WantedRevision,
        outside: Arc<dyn Files>,
    ) -> Result<FoundRevision, Stop> {
        let folder = match wanted.url.strip_prefix("file://") {
            Some(path) => PathBuf::from(path),
            None if is_url(wanted.url) => {
                let allowed = wanted.allow_remote.then_some(self.fetch);
                super::clones::clone(wanted.url, wanted.name(), allowed)?
            }
            None => PathBuf::from(wanted.url),
        };
        let folder = std::fs::canonicalize(&folder).map_err(|error| Failure::io("find", &folder, &error))?;
        let repository = hierarch_git::Repository::open(&folder)?;
        let revision = repository.revision(wanted.name())?;
        // No folder of the disk has this name: what includes see there is the revision, and messages tell which one.
        let short = revision.commit.get(..12).unwrap_or(&revision.commit);
        let root = PathBuf::from(format!("{}@{short}", folder.display()));
        let files = repository.files(&revision, &root)?.with_outside(outside);
        Ok(FoundRevision { files: Arc::new(files), root, commit: revision.commit })
    }
}

impl WantedRevision<'_> {
    /// The commit if it is pinned, else the revision.
    #[cfg(feature = "git")]
    fn name(&self) -> &str {
        self.pinned.unwrap_or(self.revision)
    }
}

/// What the lock file says.
struct Lock {
    path: PathBuf,
    /// Its text; none if it is not there.
    text: Option<String>,
    pins: BTreeMap<String, Pin>,
    /// Nothing is written where no lock file was named and none is there.
    is_wanted: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct Pin {
    url: String,
    revision: String,
    commit: String,
}

impl Lock {
    fn read(named: Option<&Path>) -> Result<Self, Stop> {
        let path = named.map_or_else(|| PathBuf::from(LOCK), Path::to_owned);
        let text = match DiskFiles.read_at_most(&path, 1 << 20) {
            Ok(bytes) => Some(Source::from_bytes(path.display().to_string(), bytes)?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::io("read", &path, &error).into()),
        };
        let pins = text.as_ref().map(pins_of).transpose()?.unwrap_or_default();
        let is_wanted = named.is_some() || text.is_some();
        Ok(Self { path, text: text.map(|source| source.text().to_owned()), pins, is_wanted })
    }

    /// Returns the commit of a repository, if it is pinned for the same URL and revision.
    fn pinned(&self, name: &str, url: &str, revision: &str) -> Option<&str> {
        let pin = self.pins.get(name).filter(|pin| pin.url == url && pin.revision == revision)?;
        Some(&pin.commit)
    }

    fn write(&self) -> Result<(), Stop> {
        let new = self.rendered();
        if !self.is_wanted || self.pins.is_empty() || self.text.as_ref() == Some(&new) {
            return Ok(());
        }
        let changed = ChangedFiles::from([(self.path.clone(), (self.text.clone(), new))]);
        saving::write(Retry::No, || Ok(changed.clone()))?;
        Ok(())
    }

    fn rendered(&self) -> String {
        let entry = |(key, value): (&str, &str)| (Data::text(key), Data::text(value));
        let pin = |(name, pin): (&String, &Pin)| {
            let entries = [("url", &*pin.url), ("revision", &pin.revision), ("commit", &pin.commit)];
            (Data::text(name), Data::Map(entries.map(entry).into()))
        };
        let pins = Data::Map(self.pins.iter().map(pin).collect());
        let whole = Data::Map(vec![(Data::text("repositories"), pins)]);
        let head = "# Written by hierarch: the commits that revisions of repositories stand for. --relock finds them anew.\n";
        head.to_owned() + &document(&whole, &Layout::default())
    }
}

fn pins_of(source: &Arc<Source>) -> Result<BTreeMap<String, Pin>, Error> {
    let tree = read(source, Dialect::Core, DocumentLimits::default())?;
    let data = tree.root().map(|root| tree.data(root, DocumentLimits::default())).transpose()?;
    let Some(data) = data.filter(|data| *data != Data::NULL) else { return Ok(BTreeMap::new()) };
    let wrong = |what: &str| {
        let name = source.name().unwrap_or_default();
        issues::not_a_lock_file(name, what)
    };
    if let Some(Data::Scalar(Scalar::Int(theirs))) = data.get("format")
        && *theirs > LOCK_FORMAT
    {
        return Err(issues::newer_lock_file(source.name().unwrap_or_default(), *theirs, LOCK_FORMAT));
    }
    let Some(Data::Map(entries)) = data.get("repositories") else {
        return Err(wrong("it has no repositories"));
    };
    let mut pins = BTreeMap::new();
    for (name, pin) in entries {
        let text = |key: &str| pin.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        let name = name.as_str().unwrap_or_default();
        let (Some(url), Some(revision), Some(commit)) = (text("url"), text("revision"), text("commit"))
        else {
            return Err(wrong(&format!("'{name}' has no url, revision and commit")));
        };
        pins.insert(name.to_owned(), Pin { url, revision, commit });
    }
    Ok(pins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(text: &str) -> Option<(String, String)> {
        match Repository::parse(text).ok()?.place {
            Place::Git { url, revision } => Some((url, revision)),
            Place::Folder(_) => None,
        }
    }

    #[test]
    fn a_revision_stands_behind_the_last_at_of_the_path() {
        let pair = |url: &str, revision: &str| Some((url.to_owned(), revision.to_owned()));
        for (text, expected) in [
            ("a=https://h/x.git@v1", pair("https://h/x.git", "v1")),
            ("a=https://me@h/x.git@feature/y", pair("https://me@h/x.git", "feature/y")),
            ("a=https://me@h/x.git", pair("https://me@h/x.git", "HEAD")),
            ("a=git@h:x/y.git@main", pair("git@h:x/y.git", "main")),
            ("a=git@h:x/y.git", pair("git@h:x/y.git", "HEAD")),
            ("a=file:///srv/x@1a2b", pair("file:///srv/x", "1a2b")),
            ("a=../base@v1", pair("../base", "v1")),
            ("a=/tmp", None),
        ] {
            assert_eq!(git(text), expected, "{text}");
        }
        for wrong in ["a", "=x", "a=", "a=https://h/x@"] {
            assert!(Repository::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_lock_is_read_as_it_was_written() {
        let pin = Pin { url: "https://h/x".into(), revision: "1.10".into(), commit: "0123".into() };
        let pins = BTreeMap::from([("base".to_owned(), pin)]);
        let lock = Lock { path: LOCK.into(), text: None, pins: pins.clone(), is_wanted: true };
        let read = pins_of(&Source::new(LOCK, lock.rendered())).expect("a lock");
        assert!(read == pins, "{}", lock.rendered());
        assert_eq!(lock.pinned("base", "https://h/x", "1.10"), Some("0123"));
        assert_eq!(lock.pinned("base", "https://h/x", "main"), None);
        assert!(pins_of(&Source::new(LOCK, "a: 1")).is_err());
        assert!(pins_of(&Source::new(LOCK, "repositories: {a: {url: x}}")).is_err());
    }
}
