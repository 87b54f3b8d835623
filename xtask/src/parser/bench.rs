//! How fast parse + validate is: warm, on one thread, files read from disk as Puppet reads them.

use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hierarch_source::Source;

use super::{files, ours};
use crate::measure;

/// A measurement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// Bytes read.
    pub bytes: u64,
    /// Files read.
    pub files: usize,
    /// CPU time of the best of some rounds.
    pub time: Duration,
}

/// Measures over all manifests and templates below a folder.
pub fn bench(folder: &Path) -> io::Result<Speed> {
    const ROUNDS: usize = 5;
    let paths = files::files(folder)?;
    let mut best: Option<Speed> = None;
    for _ in 0..=ROUNDS {
        let speed = round(&paths)?;
        best = best.filter(|best| best.time <= speed.time).or(Some(speed));
    }
    best.ok_or_else(|| io::Error::other("nothing was measured"))
}

fn round(paths: &[PathBuf]) -> io::Result<Speed> {
    let start = measure::thread_time()?;
    let mut bytes = 0;
    for path in paths {
        let content = fs::read(path)?;
        bytes += content.len() as u64;
        if let Ok(source) = Source::from_bytes(path.display().to_string(), content) {
            black_box(ours::check_named(&source));
        }
    }
    Ok(Speed { bytes, files: paths.len(), time: measure::thread_time()?.saturating_sub(start) })
}
