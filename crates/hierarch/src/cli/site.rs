//! The manifests of an environment, from which its catalogs are compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_hiera::Environment;
use hierarch_hiera::environment::setting;
use hierarch_source::Source;

use super::failure::Failure;
use super::input;

/// Reads the manifests of an environment: the file or folder that its environment.conf names, or `manifests`.
pub(crate) fn manifests(environment: &Environment) -> Result<Vec<Arc<Source>>, Failure> {
    let Some(folder) = environment.path.as_deref().map(Path::new) else { return Ok(Vec::new()) };
    let config = std::fs::read_to_string(folder.join("environment.conf")).unwrap_or_default();
    let manifest = setting(&config, "manifest").unwrap_or_else(|| "manifests".to_owned());
    let mut files = Vec::new();
    collect(&folder.join(manifest), &mut files)?;
    files.sort();
    let read = |file: &PathBuf| input::read(file).source.map_err(|error| Failure::new(error.to_string()));
    files.iter().map(read).collect()
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        files.extend(path.is_file().then(|| path.to_owned()));
        return Ok(());
    }
    let failure = |error: &std::io::Error| Failure::io("read", path, error);
    for entry in std::fs::read_dir(path).map_err(|error| failure(&error))? {
        let entry = entry.map_err(|error| failure(&error))?.path();
        if entry.is_dir() || entry.extension().is_some_and(|end| end == "pp") {
            collect(&entry, files)?;
        }
    }
    Ok(())
}
