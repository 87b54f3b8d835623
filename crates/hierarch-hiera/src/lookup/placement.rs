//! What was found out about a node, for data that differ in the contents of files only: where its levels are, and its options.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use hierarch_pcore::Str;

use super::{Found, LevelsInPlace, Memory};
use crate::locate::{Levels, Place, PlacedLevel};
use crate::options::Options;

/// What a session knows about its node. It holds wherever the same files are there, `lookup_options` say the same, and no
/// variable changes.
#[derive(Clone, Default)]
pub struct Placement {
    levels: Vec<(usize, u64, Arc<Levels>)>,
    options: HashMap<Option<Str>, Arc<Options>>,
    module_defaults: HashMap<Str, Arc<Options>>,
    global_options: Option<Found>,
    environment_options: Option<Found>,
}

impl Placement {
    /// Lists the files that lookups so far would have read, had they gone down to the last level.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let levels =
            self.levels.iter().flat_map(|(_, _, levels)| levels.normal.iter().chain(&levels.defaults));
        let places = levels.flat_map(|level| &level.places);
        let locations = places.filter_map(|place| place.location.as_ref());
        locations.filter(|location| location.exists).map(|location| location.text.as_str())
    }
}

impl Memory {
    pub(crate) fn placement(&self) -> Placement {
        let level =
            |(id, placed): (&usize, &LevelsInPlace)| (*id, placed.version, Arc::clone(&placed.levels));
        Placement {
            levels: self.levels.iter().map(level).collect(),
            options: self.options.clone(),
            module_defaults: self.module_defaults.clone(),
            global_options: self.global_options.clone(),
            environment_options: self.environment_options.clone(),
        }
    }

    pub(crate) fn at(placement: &Placement) -> Self {
        let placed = |(id, version, levels): &(usize, u64, Arc<Levels>)| {
            (*id, LevelsInPlace { levels: Arc::new(unread(levels)), version: *version })
        };
        Self {
            levels: placement.levels.iter().map(placed).collect(),
            options: placement.options.clone(),
            module_defaults: placement.module_defaults.clone(),
            global_options: placement.global_options.clone(),
            environment_options: placement.environment_options.clone(),
            ..Self::default()
        }
    }
}

/// Returns levels at the same places, what stands there not read.
fn unread(levels: &Levels) -> Levels {
    let place =
        |place: &Place| Place { id: place.id, location: place.location.clone(), document: OnceLock::new() };
    let level = |level: &Arc<PlacedLevel>| {
        Arc::new(PlacedLevel {
            level: Arc::clone(&level.level),
            options: level.options.clone(),
            places: level.places.iter().map(place).collect(),
        })
    };
    Levels {
        normal: levels.normal.iter().map(level).collect(),
        defaults: levels.defaults.iter().map(level).collect(),
        reads: levels.reads.clone(),
    }
}
