//! `--into` over several files: what each of them uses is changed where it is defined, once, though several use it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hierarch_compose::Edit;

use super::super::saving::ChangedFiles;
use super::input::Input;
use super::wish::Wish;
use super::{Stop, many};
use crate::cli::issues;

/// Plans all files; those that do not have the place are left out, unless none has it. What two of them would make of one
/// definition is one change; changes at different places of one file come one after the other.
pub(super) fn together(
    inputs: &[Input],
    wish: &Wish,
    plan: impl Fn(&Input) -> Result<ChangedFiles, Stop>,
) -> Result<ChangedFiles, Stop> {
    let mut all = ChangedFiles::new();
    let mut missing = None;
    let mut settled = 0;
    for input in inputs {
        let mut changed = match plan(input) {
            Ok(changed) => changed,
            Err(Stop::Problem(error)) if many::is_missing(&error) => {
                missing = Some(error);
                continue;
            }
            Err(stop) => return Err(stop),
        };
        settled += 1;
        changed.retain(|path, (_, new)| all.get(path).is_none_or(|(_, known)| known != new));
        let shared: BTreeSet<&PathBuf> = changed.keys().filter(|path| all.contains_key(*path)).collect();
        if let Some(path) = shared.first() {
            refuse_insertion(wish, path)?;
            changed = plan(&input.over(&all))?;
        }
        for (path, (old, new)) in changed {
            all.entry(path).or_insert((old, String::new())).1 = new;
        }
    }
    match missing {
        Some(error) if settled == 0 => Err(Stop::Problem(error)),
        _ => Ok(all),
    }
}

/// What is inserted on the way of two files into a third one at different places could be inserted twice.
fn refuse_insertion(wish: &Wish, path: &Path) -> Result<(), Stop> {
    let Wish::Places(places) = wish else { return Err(issues::into_whole(path).into()) };
    let inserts = |edit: &Edit, pointer: &str| matches!(edit, Edit::Insert(_)) || pointer.ends_with("/-");
    if places.iter().any(|place| inserts(&place.edit, &place.pointer)) {
        return Err(issues::into_inserted_twice(path).into());
    }
    Ok(())
}
