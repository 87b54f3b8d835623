//! The object store: a folder that machines share, or a bucket of a cloud.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use hierarch_jobs::{Objects, issues as words};
use hierarch_source::{Error, Result};

use super::super::failure::Failure;
use super::super::issues;

/// Opens an object store by its address.
pub(super) fn open(address: &str) -> std::result::Result<Box<dyn Objects>, Failure> {
    #[cfg(feature = "cloud")]
    if let Some(cloud) = super::cloud::open(address).map_err(Failure::from)? {
        return Ok(cloud);
    }
    if let Some(folder) = address.strip_prefix("file:") {
        let folder = folder.strip_prefix("//").unwrap_or(folder);
        return Ok(Box::new(Folder(folder.into())));
    }
    match address.split_once("://") {
        None => Ok(Box::new(Folder(address.into()))),
        Some((scheme, _)) => Err(issues::no_object_store(address, CLOUDS.contains(&scheme))),
    }
}

/// The clouds whose object stores are known.
const CLOUDS: [&str; 3] = ["s3", "gs", "az"];

/// A folder. Objects are files of their names, for their owner alone: facts are sensitive.
struct Folder(PathBuf);

impl Folder {
    fn failed(&self, what: &str, name: &str, error: &io::Error) -> Error {
        words::objects(&format!("file:{}", self.0.display()), &format!("{what} {name}"), &error.to_string())
    }
}

impl Objects for Folder {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match std::fs::read(self.0.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("read", name, &error)),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write_whole(&self.0.join(name), bytes).map_err(|error| self.failed("write", name, &error))
    }

    fn has(&self, name: &str) -> Result<bool> {
        Ok(self.0.join(name).is_file())
    }
}

/// Writes a file beside its place and moves it there, so that nobody reads half of it.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}-{number}.draft", std::process::id()));
    let done = private(Path::new(&draft))
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&draft, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    done
}

fn private(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
