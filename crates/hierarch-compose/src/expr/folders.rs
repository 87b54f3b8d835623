//! Named folders, and paths made absolute: what `abspath` and `get_dir` answer.

use std::path::{Component, Path, PathBuf};

use hierarch_source::Result;

use super::issues;
use super::scope::Scope;

/// Returns a path made absolute, from the folder of a location.
pub(crate) fn absolute(scope: &Scope, path: &str, location: Option<&str>, make: bool) -> Result<PathBuf> {
    let given = Path::new(path);
    let whole =
        if given.is_absolute() { normal(given) } else { normal(&folder(scope, location)?.join(given)) };
    if make && let Some(parent) = whole.parent() {
        make_folder(scope, parent)?;
    }
    Ok(whole)
}

/// Returns the folder of a location.
pub(crate) fn named(scope: &Scope, location: &str, make: bool) -> Result<PathBuf> {
    let folder =
        if location.starts_with('/') { PathBuf::from(location) } else { folder(scope, Some(location))? };
    let folder = normal(&folder);
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

/// Takes `.` and `..` out of a path.
fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            Component::ParentDir if result.has_root() => {}
            part => result.push(part),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_their_dots() {
        for (given, wanted) in [("/a/../b", "/b"), ("/a/./b/", "/a/b"), ("/../a", "/a"), ("../a", "../a")] {
            assert_eq!(normal(Path::new(given)), Path::new(wanted));
        }
    }
}
