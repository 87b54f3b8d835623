//! This machine as expressions and templates may use it: what flags allow, and the documents that were read.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_compose::expr::{ClosedHost, ExpressionHost, forbidden};
use hierarch_compose::{Access, Stream};
use hierarch_pcore::Value;
use hierarch_site::{Node, Question};
use hierarch_source::{DiskFiles, Error, Files, Overlay, Place};

use super::failure::Failure;
use super::foreign::Foreign;
use super::issues;
use super::report::{note_line, warning_line};

/// What expressions may reach. Files in the document's folder can be read, nothing else is within reach.
#[derive(Args, Clone)]
pub(crate) struct ExpressionPermissions {
    /// Environment variables may be read
    #[arg(long)]
    allow_env: bool,
    /// Files may be read from this folder, too
    #[arg(long, value_name = "DIR")]
    allow_read: Vec<PathBuf>,
    /// Files may be written into this folder
    #[arg(long, value_name = "DIR")]
    allow_write: Vec<PathBuf>,
    /// Only functions that reach nothing beyond the document
    #[arg(long)]
    pub(crate) safe: bool,
}

/// A document that was read: to say where in it something stands.
pub(crate) struct OpenDocument {
    pub(crate) path: PathBuf,
    pub(crate) files: Overlay,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) foreign: Foreign,
    pub(crate) number: usize,
}

impl OpenDocument {
    /// Finds where something stands.
    fn place(&self, pointer: &str) -> Option<Place> {
        let notations = Some(&self.foreign as &dyn hierarch_compose::Notations);
        let access = Access { roots: self.roots.clone(), notations, ..Access::default() };
        let stream = Stream::open(&self.files, &self.path, &access).ok()?;
        let document = stream.document(&self.files, &access, self.number).ok()?;
        document.forest().place(document.at(pointer).ok()?)
    }
}

/// Where files come from.
pub(crate) struct Places {
    pub(crate) base: PathBuf,
    /// The folders in which templates lie, the nearest first.
    pub(crate) templates: Vec<PathBuf>,
    /// The documents, and where their includes may come from.
    pub(crate) read: Vec<OpenDocument>,
}

/// This machine, as far as it may be used.
pub(crate) struct Machine {
    base: PathBuf,
    environment: bool,
    readable: Vec<PathBuf>,
    writable: Vec<PathBuf>,
    /// The folders in which templates lie.
    templates: Vec<PathBuf>,
    /// The documents, to say where in them something stands.
    read: Vec<OpenDocument>,
    layers: Option<Layers>,
}

/// Layered data, and the node that asks.
pub(crate) struct Layers {
    pub(crate) node: Node,
}

impl Layers {
    /// Looks a key up. What was decrypted on the way is a secret.
    fn lookup(&self, key: &str, merge: Option<&str>) -> Result<Option<Value>, Error> {
        let found = self.node.lookup(Question { merge: merge.map(Value::from), ..key.into() });
        for warning in self.node.environment().take_warnings() {
            warning_line(&warning);
        }
        match found {
            Ok(answer) if answer.is_secret => Ok(Some(Value::sensitive(answer.value))),
            Ok(answer) => Ok(Some(answer.value)),
            Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => Ok(None),
            Err(error) => Err(issues::lookup_in_expression(&error)),
        }
    }
}

impl Machine {
    pub(crate) fn new(
        places: Places,
        permissions: &ExpressionPermissions,
        layers: Option<Layers>,
    ) -> Result<Self, Failure> {
        let Places { base, templates, read } = places;
        let resolve =
            |path: &PathBuf| std::fs::canonicalize(path).map_err(|error| Failure::io("find", path, &error));
        let mut templates: Vec<PathBuf> = templates.iter().map(resolve).collect::<Result<_, _>>()?;
        templates.push(base.clone());
        templates.dedup();
        let mut readable = templates.clone();
        for folder in permissions.allow_read.iter().chain(&permissions.allow_write) {
            readable.push(resolve(folder)?);
        }
        let writable = permissions.allow_write.iter().map(resolve).collect::<Result<_, _>>()?;
        let environment = permissions.allow_env;
        Ok(Self { base, environment, readable, writable, templates, read, layers })
    }

    fn check_environment(&self) -> Result<(), Error> {
        if self.environment {
            return Ok(());
        }
        Err(forbidden("reading environment variables", "--allow-env"))
    }

    /// Checks that a path, links followed, lies in one of some folders. What does not exist yet is judged by the
    /// nearest folder that does.
    fn check(path: &Path, folders: &[PathBuf], flag: &str) -> io::Result<()> {
        let existing = path.ancestors().find_map(|path| std::fs::canonicalize(path).ok());
        let dotted = path.components().any(|part| part == std::path::Component::ParentDir);
        if !dotted && existing.is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder))) {
            return Ok(());
        }
        Err(issues::outside_of_allowed(flag))
    }
}

impl ExpressionHost for Machine {
    fn base(&self) -> PathBuf {
        self.base.clone()
    }

    fn template_folders(&self) -> Vec<PathBuf> {
        self.templates.clone()
    }

    fn variable(&self, name: &str) -> Result<Option<String>, Error> {
        self.check_environment()?;
        Ok(std::env::var(name).ok())
    }

    fn variables(&self) -> Result<Vec<(String, String)>, Error> {
        self.check_environment()?;
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Ok(std::env::vars_os().filter_map(text).collect())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Self::check(path, &self.readable, "--allow-read")?;
        DiskFiles.read_at_most(path, 64 << 20)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        Self::check(path, &self.writable, "--allow-write")?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, bytes)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        Self::check(path, &self.writable, "--allow-write")?;
        std::fs::create_dir_all(path)
    }

    fn temporary_folder(&self) -> io::Result<PathBuf> {
        match self.writable.first() {
            Some(folder) => Ok(folder.join("tmp")),
            None => Err(issues::may_not_write()),
        }
    }

    fn is_program(&self, path: &Path) -> bool {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    }

    fn now(&self) -> Option<f64> {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.ok().map(|since| since.as_secs_f64())
    }

    fn hiera(&self, key: &str, merge: Option<&str>) -> Result<Option<Value>, Error> {
        match &self.layers {
            Some(layers) => layers.lookup(key, merge),
            None => ClosedHost.hiera(key, merge),
        }
    }

    /// The document is read once more: only who has made a mistake, or asks for a folder, waits for that.
    fn place(&self, pointer: &str) -> Option<Place> {
        self.read.iter().rev().find_map(|read| read.place(pointer))
    }

    fn folder(&self, pointer: &str) -> Option<PathBuf> {
        let place = self.place(pointer)?;
        folder_of(Path::new(place.source.name()?)).ok()
    }

    fn trace(&self, message: &str) {
        note_line(message);
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), Error> {
        use std::io::Read;
        let mut source = std::fs::File::open("/dev/urandom").map_err(|error| issues::no_random(&error))?;
        source.read_exact(bytes).map_err(|error| issues::no_random(&error))
    }
}

/// Returns the folder of a file, links followed.
pub(crate) fn folder_of(file: &Path) -> Result<PathBuf, Failure> {
    let whole = std::fs::canonicalize(file).map_err(|error| Failure::io("read", file, &error))?;
    Ok(whole.parent().unwrap_or(Path::new("/")).to_owned())
}
