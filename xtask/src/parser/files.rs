//! The manifests and templates below a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::mutate::{Random, mutate};

/// Returns all `.pp` and `.epp` files below a folder, sorted.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // A link may lead back up; whatever it leads to is found at its own place.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&path, found)?;
        } else if kind.is_file() && is_source(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pp" || extension == "epp")
}

/// Writes damaged pieces of the files below a folder into another, as food for a comparison.
pub fn write_mutants(folder: &Path, out: &Path, count: usize, seed: u64) -> io::Result<()> {
    const LONGEST: usize = 1_500;
    let files = files(folder)?;
    if files.is_empty() {
        return Err(io::Error::other(format!("no .pp or .epp files below {}", folder.display())));
    }
    fs::create_dir_all(out)?;
    let mut random = Random::new(seed);
    for number in 0..count {
        let file = random.pick(&files);
        let text = fs::read_to_string(file)?;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let start = random.below(lines.len());
        let piece: String = lines[start.min(lines.len())..].concat().chars().take(LONGEST).collect();
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("pp");
        // Half of them begin at the start of a file, where more of the text is sound.
        let whole: String = text.chars().take(LONGEST).collect();
        let source = if number % 2 == 0 { whole } else { piece };
        fs::write(out.join(format!("{number:06}.{extension}")), mutate(&source, &mut random))?;
    }
    Ok(())
}
