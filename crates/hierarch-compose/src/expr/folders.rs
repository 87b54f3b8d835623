//! Named folders, and paths made absolute: what `abspath` and `get_dir` answer.

use std::path::{Path, PathBuf};

use hierarch_source::{Result, without_dots};

use super::issues;
use super::scope::Scope;

/// Returns a path made absolute, from the folder of a location.
pub(crate) fn absolute(scope: &Scope, path: &str, location: Option<&str>, make: bool) -> Result<PathBuf> {
    let given = Path::new(path);
    let whole = if given.is_absolute() {
        without_dots(given)
    } else {
        without_dots(&folder(scope, location)?.join(given))
    };
    if make && let Some(parent) = whole.parent() {
        make_folder(scope, parent)?;
    }
    Ok(whole)
}

/// Returns the folder of a location.
pub(crate) fn named(scope: &Scope, location: &str, make: bool) -> Result<PathBuf> {
    let folder =
        if location.starts_with('/') { PathBuf::from(location) } else { folder(scope, Some(location))? };
    let folder = without_dots(&folder);
    if make {
        make_folder(scope, &folder)?;
    }
    Ok(folder)
}

fn make_folder(scope: &Scope, folder: &Path) -> Result<()> {
    scope.world.host.make_folder(folder).map_err(|error| issues::file_error(folder, &error))
}

fn folder(scope: &Scope, location: Option<&str>) -> Result<PathBuf> {
    let host = &scope.world.host;
    let instance = || scope.world.tree.node(scope.instance).name.to_string();
    match location {
        None | Some("." | "") => Ok(host.base()),
        // What is included stands in a folder of its own.
        Some("src") => {
            Ok(scope.place.and_then(|place| scope.world.folder(place)).unwrap_or_else(|| host.base()))
        }
        Some("project") => Ok(host.project()),
        Some(location @ ("artifacts" | "secrets" | "local")) => {
            Ok(host.base().join(location).join(instance()))
        }
        Some("tasks") => Ok(host.base().join("planned/tasks").join(instance())),
        Some("tmp") => host.temporary_folder().map_err(|error| issues::file_error(Path::new("tmp"), &error)),
        Some(location @ ("operation" | "workflow" | "unfurl.home")) => {
            Err(issues::orchestration(&format!("the folder {location}")))
        }
        Some(location) => Err(issues::unknown_folder(location)),
    }
}
