//! What expressions may reach beyond the document: files, the environment, the clock. Nothing unless a host gives it.

use std::io;
use std::path::{Path, PathBuf};

use hierarch_pcore::Value;
use hierarch_source::{Place, Result};

use super::issues;

/// The world around a document. What a host does not offer is refused.
pub trait ExpressionHost: Send + Sync {
    /// Returns the folder of the main document.
    fn base(&self) -> PathBuf {
        PathBuf::from(".")
    }

    /// Returns the root folder of the project.
    fn project(&self) -> PathBuf {
        self.base()
    }

    /// Returns an environment variable.
    fn variable(&self, _name: &str) -> Result<Option<String>> {
        Err(issues::forbidden("reading environment variables", "--allow-env"))
    }

    /// Returns all environment variables.
    fn variables(&self) -> Result<Vec<(String, String)>> {
        Err(issues::forbidden("reading environment variables", "--allow-env"))
    }

    /// Returns the folders in which templates are looked for that others include, import or extend.
    fn template_folders(&self) -> Vec<PathBuf> {
        vec![self.base()]
    }

    /// Reads a file.
    fn read(&self, _path: &Path) -> io::Result<Vec<u8>> {
        Err(refused("files are not read"))
    }

    /// Writes a file, with the folders it lies in.
    fn write(&self, _path: &Path, _bytes: &[u8]) -> io::Result<()> {
        Err(refused("files are not written; allow it with --allow-write"))
    }

    /// Makes a folder.
    fn make_folder(&self, _path: &Path) -> io::Result<()> {
        Err(refused("folders are not made; allow it with --allow-write"))
    }

    /// Returns a folder for temporary files.
    fn temporary_folder(&self) -> io::Result<PathBuf> {
        Err(refused("temporary files are not written; allow it with --allow-write"))
    }

    /// Tells whether a path is a program.
    fn is_program(&self, _path: &Path) -> bool {
        false
    }

    /// Returns the seconds since 1970.
    fn now(&self) -> Option<f64> {
        None
    }

    /// Returns bytes nobody can guess.
    fn random(&self, _bytes: &mut [u8]) -> Result<()> {
        Err(issues::unavailable("source of random numbers"))
    }

    /// Looks a key up in layered data, merged as asked for.
    fn hiera(&self, _key: &str, _merge: Option<&str>) -> Result<Option<Value>> {
        Err(issues::unavailable("Hiera data").note("name a control repository with --hiera DIR"))
    }

    /// Returns where in a file the value at a JSON pointer of the document is written.
    fn place(&self, _pointer: &str) -> Option<Place> {
        None
    }

    /// Returns the folder of the file in which the value at a JSON pointer of the document is written.
    fn folder(&self, _pointer: &str) -> Option<PathBuf> {
        None
    }

    /// Is told what an expression with `trace` gave.
    fn trace(&self, _message: &str) {}
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// A host that offers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosedHost;

impl ExpressionHost for ClosedHost {}
