//! Where included documents come from, and what may be included at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_source::{Error, Files, Result, Source, Span};
use hierarch_yaml::{Dialect, DocumentLimits, Kind, NodeId, Tree, read, split_documents};

use crate::issues;

/// Gets the content of a URL, within limits of time and size that are its own.
pub trait Fetch: Send + Sync {
    /// Returns the bytes behind an `http:` or `https:` URL.
    fn fetch(&self, url: &str) -> std::result::Result<Vec<u8>, FetchFailure>;
}

/// Why a URL gave nothing.
#[derive(Clone, Debug)]
pub enum FetchFailure {
    /// The server says that there is no such thing.
    Absent(String),
    /// Anything else.
    Failed(String),
}

/// Returns the value of an environment variable.
pub type VariableSource<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// How many includes an expansion follows unless something else is said: far more than documents have, and far fewer than
/// a few files that include each other several times ask for.
pub const MOST_INCLUDES: usize = 100_000;

/// What includes may reach, and how much.
#[derive(Clone, Default)]
pub struct Access<'a> {
    /// Folders that files may be included from; none means everywhere.
    pub roots: Vec<PathBuf>,
    /// Who fetches URLs; without it they are refused.
    pub remote: Option<&'a dyn Fetch>,
    /// Environment variables that `when` asks for.
    pub environment: Option<&'a VariableSource<'a>>,
    /// Bounds on every document.
    pub limits: DocumentLimits,
    /// How documents are read.
    pub reading: Reading,
    /// Folders by the names of repositories that includes use.
    pub repositories: BTreeMap<String, PathBuf>,
    /// How many includes may be followed; [`MOST_INCLUDES`] unless something else is said.
    pub most_includes: Option<usize>,
    /// How many values may be made to find directives that do nothing; [`MOST_TRIED`](crate::MOST_TRIED) unless something else
    /// is said.
    pub most_tried: Option<usize>,
    /// Who reads texts that are not YAML.
    pub notations: Option<&'a dyn Notations>,
}

/// Other notations than YAML, which a text is known to be in by its name.
pub trait Notations: Send + Sync {
    /// Tells whether a file of this name is in another notation.
    fn knows(&self, name: &str) -> bool;

    /// Reads a text in that notation.
    fn read(&self, source: &Arc<Source>, limits: DocumentLimits) -> Result<Tree>;
}

/// How documents are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Plain scalars mean what YAML 1.1 says.
    pub older: bool,
    /// Tags are kept as they are: values that only a key could open are not errors.
    pub tags: bool,
}

impl Reading {
    /// Returns what plain scalars mean.
    pub fn dialect(self) -> Dialect {
        if self.older { Dialect::Older } else { Dialect::Core }
    }
}

/// The one place a document came from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// A URL.
    Url(String),
}

impl Location {
    /// Returns what messages call it.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Url(url) => url.clone(),
        }
    }

    fn folder(&self) -> String {
        match self {
            Self::File(path) => path.parent().unwrap_or(Path::new("")).display().to_string(),
            Self::Url(url) => url.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
        }
    }
}

/// Why an include gave nothing.
pub(crate) enum LoadFailure {
    /// It is not there, which an optional include may be.
    Absent(Error),
    /// It is there but unusable.
    Failed(Error),
}

impl Access<'_> {
    /// Reads the document that a whole load starts from.
    pub(crate) fn open(&self, files: &dyn Files, path: &Path) -> Result<(Location, Arc<Tree>)> {
        let (location, source) = self.open_text(files, path)?;
        let tree = parse(&source, self)?;
        if let [_, second, ..] = tree.roots() {
            return Err(issues::several_documents().at(tree.source(), tree.span(*second)));
        }
        Ok((location, Arc::new(tree)))
    }

    /// Reads the text that a whole load starts from.
    pub(crate) fn open_text(&self, files: &dyn Files, path: &Path) -> Result<(Location, Arc<Source>)> {
        let name = path.display().to_string();
        let unreadable = |error: std::io::Error| issues::unreadable(&name, &reason(&error));
        let bytes = files.read_at_most(path, self.limits.bytes as u64).map_err(unreadable)?;
        let location = Location::File(files.resolve(path).map_err(unreadable)?);
        Ok((location, Source::from_bytes(name, bytes)?))
    }

    /// Finds out where a name in a document at `from` leads.
    pub(crate) fn locate(
        &self,
        files: &dyn Files,
        name: &str,
        from: &Location,
    ) -> std::result::Result<Location, LoadFailure> {
        if is_url(name) {
            return self.remote_allowed(name);
        }
        let name = name.strip_prefix("file://").unwrap_or(name);
        let path = match from {
            // A name in a fetched document belongs to where that came from.
            Location::Url(base) => return self.remote_allowed(&join_url(base, name)),
            Location::File(from) => from.parent().unwrap_or(Path::new("")).join(name),
        };
        self.local(files, &path, name, from)
    }

    fn remote_allowed(&self, url: &str) -> std::result::Result<Location, LoadFailure> {
        match self.remote {
            Some(_) => Ok(Location::Url(url.to_owned())),
            None => Err(LoadFailure::Failed(issues::remote_forbidden(url))),
        }
    }

    fn local(
        &self,
        files: &dyn Files,
        path: &Path,
        name: &str,
        from: &Location,
    ) -> std::result::Result<Location, LoadFailure> {
        let unloadable = |error: &std::io::Error| {
            let problem = issues::unloadable(name, &from.folder(), &reason(error));
            match error.kind() {
                std::io::ErrorKind::NotFound => LoadFailure::Absent(problem),
                _ => LoadFailure::Failed(problem),
            }
        };
        let path = files.resolve(path).map_err(|error| unloadable(&error))?;
        let mut allowed = self.roots.iter().chain(self.repositories.values());
        let allowed = self.roots.is_empty() || allowed.any(|root| path.starts_with(root));
        if !allowed {
            let root = self.roots[0].display().to_string();
            return Err(LoadFailure::Failed(issues::outside_root(name, &root)));
        }
        Ok(Location::File(path))
    }

    /// Reads an included document.
    pub(crate) fn load(
        &self,
        files: &dyn Files,
        location: &Location,
        name: &str,
        from: &Location,
    ) -> std::result::Result<Arc<Tree>, LoadFailure> {
        let source = self.source(files, location, name, from)?;
        let tree = parse(&source, self).map_err(|error| broken(error, name, from))?;
        if tree.roots().len() > 1 {
            let error = issues::several_documents().note(issues::CHOOSE).at(&source, Span::point(0));
            return Err(broken(error, name, from));
        }
        Ok(Arc::new(tree))
    }

    /// Reads all documents of an included file.
    pub(crate) fn load_stream(
        &self,
        files: &dyn Files,
        location: &Location,
        name: &str,
        from: &Location,
    ) -> std::result::Result<Vec<Arc<Tree>>, LoadFailure> {
        let source = self.source(files, location, name, from)?;
        let parts = parts(&source, self).into_iter();
        let trees = parts.map(|part| parse(&part, self).map(Arc::new)).collect::<Result<_>>();
        trees.map_err(|error| broken(error, name, from))
    }

    fn source(
        &self,
        files: &dyn Files,
        location: &Location,
        name: &str,
        from: &Location,
    ) -> std::result::Result<Arc<Source>, LoadFailure> {
        let problem = |reason: &str| issues::unloadable(name, &from.folder(), reason);
        let bytes = match location {
            Location::File(path) => self.read_file(files, path, &problem)?,
            Location::Url(url) => self.fetch(url, &problem)?,
        };
        Source::from_bytes(location.name(), bytes).map_err(|error| broken(error, name, from))
    }

    fn read_file(
        &self,
        files: &dyn Files,
        path: &Path,
        problem: &dyn Fn(&str) -> Error,
    ) -> std::result::Result<Vec<u8>, LoadFailure> {
        files.read_at_most(path, self.limits.bytes as u64).map_err(|error| {
            let told = problem(&reason(&error));
            let absent = error.kind() == std::io::ErrorKind::NotFound && !files.is_folder(path);
            if absent { LoadFailure::Absent(told) } else { LoadFailure::Failed(told) }
        })
    }

    fn fetch(&self, url: &str, problem: &dyn Fn(&str) -> Error) -> std::result::Result<Vec<u8>, LoadFailure> {
        let Some(remote) = self.remote else {
            return Err(LoadFailure::Failed(issues::remote_forbidden(url)));
        };
        remote.fetch(url).map_err(|error| match error {
            FetchFailure::Absent(reason) => LoadFailure::Absent(problem(&reason)),
            FetchFailure::Failed(reason) => LoadFailure::Failed(problem(&reason)),
        })
    }

    /// Tells whether an environment variable is set and not empty.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.environment.and_then(|ask| ask(name)).is_some_and(|value| !value.is_empty())
    }
}

/// Lets an error about an include keep the place in the included file.
trait AtPlaceOf {
    fn at_place_of(self, other: &Error) -> Self;
}

impl AtPlaceOf for Error {
    fn at_place_of(self, other: &Error) -> Self {
        match &other.place {
            Some(place) => self.at(&place.source, place.span),
            None => self,
        }
    }
}

/// What is wrong in an included file is said as the include's problem, at its place.
fn broken(error: Error, name: &str, from: &Location) -> LoadFailure {
    let problem = issues::unloadable(name, &from.folder(), &error.message).at_place_of(&error);
    let notes = error.into_diagnostic().notes;
    LoadFailure::Failed(notes.into_iter().fold(problem, |problem, note| problem.note(note.text)))
}

/// Returns who reads a text, if it is not YAML.
fn notation_of<'a>(source: &Source, access: &Access<'a>) -> Option<&'a dyn Notations> {
    access.notations.filter(|notations| source.name().is_some_and(|name| notations.knows(name)))
}

/// Cuts a text into its documents.
pub(crate) fn parts(source: &Arc<Source>, access: &Access) -> Vec<Arc<Source>> {
    let text = source.text();
    if notation_of(source, access).is_some() {
        return vec![Arc::clone(source)];
    }
    let ranges = split_documents(text);
    if ranges.len() == 1 {
        return vec![Arc::clone(source)];
    }
    let mut lines = 0;
    let mut part = |range: std::ops::Range<usize>| {
        let part = &text[range];
        let before = lines;
        lines += part.bytes().filter(|&byte| byte == b'\n').count() as u32;
        Source::part(source.name().unwrap_or("-"), part, before)
    };
    ranges.into_iter().map(&mut part).collect()
}

pub(crate) fn parse(source: &Arc<Source>, access: &Access) -> Result<Tree> {
    if let Some(notations) = notation_of(source, access) {
        return notations.read(source, access.limits);
    }
    let tree = read(source, access.reading.dialect(), access.limits)?;
    if !access.reading.tags {
        check_tagged(&tree)?;
    }
    Ok(tree)
}

/// Scalars with a tag are the only ones that can fail to resolve, so they are asked once, here.
fn check_tagged(tree: &Tree) -> Result<()> {
    for id in (0..tree.len()).map(NodeId::from_index) {
        if tree.kind(id) == Kind::Scalar && tree.tag(id).is_some() {
            tree.scalar(id)?;
        }
    }
    Ok(())
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".into(),
        std::io::ErrorKind::FileTooLarge => "the file is too large".into(),
        _ => error.to_string(),
    }
}

fn is_url(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

/// Joins a relative name to a URL by its text: enough for names in documents.
fn join_url(base: &str, name: &str) -> String {
    let (scheme, rest) = base.split_once("://").unwrap_or(("http", base));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let full = if name.starts_with('/') { name.to_owned() } else { format!("{folder}/{name}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    format!("{scheme}://{host}/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_fetched_documents_belong_to_the_url() {
        assert_eq!(join_url("http://h:1/a/b.yaml", "c.yaml"), "http://h:1/a/c.yaml");
        assert_eq!(join_url("http://h/a/b.yaml", "../c.yaml"), "http://h/c.yaml");
        assert_eq!(join_url("https://h/a/b.yaml", "/c.yaml"), "https://h/c.yaml");
        assert_eq!(join_url("http://h", "c.yaml"), "http://h/c.yaml");
    }
}
