//! Which file a key is written to.

use std::path::Path;

use hierarch_hiera::DataPlace;
use hierarch_source::{Files, Result};

use super::KeyEdit;
use crate::issues;

/// The function of levels with encrypted values.
pub(crate) const EYAML: &str = "eyaml_lookup_key";

/// The functions whose files can be written.
const WRITABLE: &[&str] = &["yaml_data", "json_data", EYAML];

/// Chooses the file that decides now, or else the first level; the user may name another.
pub(super) fn place<'p>(files: &dyn Files, places: &'p [DataPlace], edit: &KeyEdit) -> Result<&'p DataPlace> {
    let place = if let Some(file) = &edit.into {
        let same = |place: &&DataPlace| is_same_file(files, &place.path, file);
        places.iter().find(same).ok_or_else(|| issues::not_a_file_of_the_node(file, places))?
    } else if let Some(level) = &edit.level {
        of_level(places, level)?
    } else {
        by_priority(places, edit)?
    };
    match &place.incomplete {
        Some(declared) => Err(issues::incomplete_path(&place.level, declared)),
        None if !is_writable(place) => Err(issues::not_writable(place, places)),
        None => Ok(place),
    }
}

fn of_level<'p>(places: &'p [DataPlace], level: &str) -> Result<&'p DataPlace> {
    let mut of_level: Vec<&DataPlace> = places.iter().filter(|place| place.level == level).collect();
    of_level.sort_by_key(|place| (!place.has_key, place.incomplete.is_some(), !place.exists));
    of_level.first().copied().ok_or_else(|| issues::no_such_level(level, places))
}

fn by_priority<'p>(places: &'p [DataPlace], edit: &KeyEdit) -> Result<&'p DataPlace> {
    if let Some(place) = places.iter().find(|place| place.has_key) {
        return Ok(place);
    }
    // What is not asked to be encrypted does not belong among secrets, nor the other way round.
    let is_kind = |place: &&DataPlace| (place.function == EYAML) == edit.encrypts;
    let usable = |place: &&DataPlace| place.incomplete.is_none() && is_writable(place);
    places
        .iter()
        .filter(is_kind)
        .find(usable)
        .ok_or_else(|| issues::no_place(&edit.key, edit.encrypts, places))
}

/// Tells whether a file is of a kind that can be written.
pub(crate) fn is_writable(place: &DataPlace) -> bool {
    WRITABLE.contains(&place.function.as_str())
}

/// Tells whether two paths lead to one file; one that is not there yet is known by its text.
fn is_same_file(files: &dyn Files, known: &str, given: &Path) -> bool {
    let known = Path::new(known);
    known == given
        || matches!((files.resolve(known), files.resolve(given)), (Ok(known), Ok(given)) if known == given)
}
