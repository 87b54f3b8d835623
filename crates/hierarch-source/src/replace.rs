//! Replacing a file in one step: whoever looks sees the old one or the new one, never a part.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file was not replaced.
#[derive(Debug)]
pub enum NotReplaced {
    /// Somebody else changed it since it was read.
    Changed,
    /// The system said no.
    Failed(io::Error),
}

impl From<io::Error> for NotReplaced {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// A new content, written beside the file and waiting to take its place.
#[derive(Debug)]
pub struct Replacement {
    file: PathBuf,
    beside: PathBuf,
    done: bool,
}

impl Replacement {
    /// Writes the new content beside the file: same folder, same permissions, safe on the disk. A link is
    /// followed, so that what it points at is replaced and not the link.
    pub fn prepare(file: &Path, new: &[u8]) -> io::Result<Self> {
        let file = fs::canonicalize(file)?;
        remove_leftovers(&file);
        let beside = beside(&file, std::process::id());
        let mut output = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        let replacement = Self { file, beside, done: false };
        output.write_all(new)?;
        output.set_permissions(fs::metadata(&replacement.file)?.permissions())?;
        keep_owner(&replacement.file, &replacement.beside);
        output.sync_all()?;
        Ok(replacement)
    }

    /// Tells whether the file still is what it was.
    pub fn is_current(&self, old: &[u8]) -> io::Result<bool> {
        Ok(fs::read(&self.file)? == old)
    }

    /// Puts the new content in place, unless the file is no longer what it was.
    pub fn commit(mut self, old: &[u8]) -> Result<(), NotReplaced> {
        if !self.is_current(old)? {
            return Err(NotReplaced::Changed);
        }
        fs::rename(&self.beside, &self.file)?;
        self.done = true;
        // The name is on the disk once the folder is.
        if let Some(folder) = self.file.parent()
            && let Ok(folder) = File::open(folder)
        {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Replaces one file.
pub fn replace_file(file: &Path, old: &[u8], new: &[u8]) -> Result<(), NotReplaced> {
    Replacement::prepare(file, new)?.commit(old)
}

const ENDING: &str = ".hierarch~";

fn beside(file: &Path, process: u32) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{process}{ENDING}"))
}

/// Removes what a process that was killed in the middle of a save has left.
fn remove_leftovers(file: &Path) {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some(folder) = file.parent() else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let process = found.strip_prefix(&format!(".{name}.")).and_then(|rest| rest.strip_suffix(ENDING));
        if let Some(process) = process.and_then(|text| text.parse().ok())
            && !is_running(process)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_running(process: u32) -> bool {
    process != std::process::id()
        && (!Path::new("/proc/self").exists() || Path::new(&format!("/proc/{process}")).exists())
}

#[cfg(unix)]
fn keep_owner(from: &Path, to: &Path) {
    use std::os::unix::fs::{MetadataExt, chown};
    // Only root may give files away; everybody else keeps what they write.
    if let (Ok(old), Ok(new)) = (fs::metadata(from), fs::metadata(to))
        && (old.uid(), old.gid()) != (new.uid(), new.gid())
    {
        let _ = chown(to, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &Path) {}
