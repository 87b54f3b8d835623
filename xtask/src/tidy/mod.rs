//! The house rules that a program can check: one function per rule, each returning what it found.

pub mod documents;
pub mod manifests;
pub mod merges;
pub mod scan;
pub mod sources;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use scan::Scanned;

/// A breach of a rule: where, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The file, relative to the repository.
    pub file: String,
    /// The line, or 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// One source file of ours.
#[derive(Clone, Debug)]
pub struct RustFile {
    /// Its path, relative to the repository.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its text taken apart.
    pub scanned: Scanned,
}

impl RustFile {
    /// Takes a text apart.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let scanned = scan::scan(&text);
        Self { path: path.into(), text, scanned }
    }

    fn complaint(&self, line: usize, what: impl Into<String>) -> Complaint {
        Complaint { file: self.path.clone(), line, what: what.into() }
    }
}

/// Returns the folder of the repository.
pub fn repository() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Reads all Rust files of the repository.
pub fn rust_files(root: &Path) -> io::Result<Vec<RustFile>> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz", "examples"] {
        collect(&root.join(folder), root, &mut files)?;
    }
    Ok(files)
}

fn collect(folder: &Path, root: &Path, files: &mut Vec<RustFile>) -> io::Result<()> {
    if !folder.is_dir() || folder.ends_with("target") {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, root, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            files.push(RustFile::new(name, fs::read_to_string(&path)?));
        }
    }
    Ok(())
}
