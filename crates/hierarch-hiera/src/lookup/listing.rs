//! What the levels of a hierarchy name, without a lookup: their files, read ahead or listed.

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::Walk;
use crate::config::Locations;
use crate::issues;
use crate::key::Key;
use crate::layers::{Layer, ModuleLayer};
use crate::locate::PlacedLevel;
use crate::session::{DataPlace, UnlistedKeys};

impl Walk<'_> {
    /// Reads the files of a module, or those that all keys share. Returns how many levels there are.
    pub(crate) fn read_all(&mut self, module: Option<&str>, unlisted: &mut Vec<UnlistedKeys>) -> usize {
        let mut count = 0;
        for layer in self.readable_layers(module, unlisted) {
            let levels = match self.levels(&layer) {
                Ok(levels) => levels,
                Err(error) => {
                    unlisted.push(UnlistedKeys::Broken(error));
                    continue;
                }
            };
            for level in levels.normal.iter().chain(&levels.defaults) {
                count += 1;
                self.read_level(&layer, level, unlisted);
            }
        }
        count
    }

    fn read_level(&mut self, layer: &Arc<Layer>, level: &PlacedLevel, unlisted: &mut Vec<UnlistedKeys>) {
        let function = &level.level.function;
        let Some(backend) = self.hiera.backend(function) else {
            unlisted.push(match self.host.function(function) {
                Ok(Some(_)) => UnlistedKeys::Function {
                    level: level.level.name.to_string(),
                    function: function.to_string(),
                },
                Ok(None) => UnlistedKeys::Broken(
                    layer
                        .config
                        .fail(issues::config::no_such_function(level.level.kind.tag(), function), None),
                ),
                Err(error) => UnlistedKeys::Broken(error),
            });
            return;
        };
        for place in level.places.iter().filter(|place| place.exists()) {
            if let Err(error) = self.hiera.document(backend, level, place) {
                unlisted.push(UnlistedKeys::Broken(error));
            }
        }
    }

    /// Returns the layer of a module, or those that all keys share; what cannot be read is told.
    fn readable_layers(&self, module: Option<&str>, unlisted: &mut Vec<UnlistedKeys>) -> Vec<Arc<Layer>> {
        let (layers, around) = (self.hiera.layers(), self.around());
        let found = match module {
            Some(module) => vec![layers.module(around, module).map(ModuleLayer::found)],
            None => vec![layers.global(around).map(Some), layers.environment(around)],
        };
        let mut readable = Vec::new();
        for layer in found {
            match layer {
                Ok(layer) => readable.extend(layer),
                Err(error) => unlisted.push(UnlistedKeys::Broken(error)),
            }
        }
        readable
    }

    /// Returns the layer of a module, or those that all keys share. What cannot be read is left out.
    pub(super) fn layers_of(&self, module: Option<&str>) -> Vec<Arc<Layer>> {
        let around = self.around();
        if let Some(module) = module {
            let found = self.hiera.layers().module(around, module);
            return found.ok().and_then(ModuleLayer::found).into_iter().collect();
        }
        let environment = self.hiera.layers().environment(around).ok().flatten();
        self.hiera.layers().global(around).ok().into_iter().chain(environment).collect()
    }

    /// Returns the names of the levels that a key is looked for in.
    pub(crate) fn level_names(&mut self, key: &Key) -> Vec<String> {
        let mut layers = self.layers_of(None);
        layers.extend(key.module().map(|module| self.layers_of(Some(module))).unwrap_or_default());
        let levels = layers.iter().filter_map(|layer| self.levels(layer).ok());
        levels
            .flat_map(|levels| {
                levels.normal.iter().map(|level| level.level.name.to_string()).collect::<Vec<_>>()
            })
            .collect()
    }

    /// Lists the data files of the environment in which a key may stand.
    pub(crate) fn data_places(&mut self, key: &Key) -> Result<Vec<DataPlace>> {
        let Some(layer) = self.hiera.layers().environment(self.around())? else { return Ok(Vec::new()) };
        let levels = self.levels(&layer)?;
        let mut places = Vec::new();
        for level in &levels.normal {
            let Some(backend) = self.hiera.backend(&level.level.function) else { continue };
            for place in &level.places {
                let Some(location) = place.location.as_ref().filter(|location| location.is_path) else {
                    continue;
                };
                let has_key = location.exists
                    && self.hiera.document(backend, level, place)?.entry(key.root()).is_some();
                places.push(DataPlace {
                    level: level.level.name.to_string(),
                    path: location.text.to_string(),
                    exists: location.exists,
                    has_key,
                    function: level.level.function.to_string(),
                    options: level.options.clone(),
                    incomplete: self
                        .has_empty_token(&location.original, mapped_name(level.level.locations.as_ref()))
                        .then(|| location.original.to_string()),
                });
            }
        }
        Ok(places)
    }

    /// Tells whether a variable in the path of a level has no value, so that other nodes would share the file. The name that
    /// mapped paths give to each value has one.
    fn has_empty_token(&mut self, path: &str, mapped: Option<&str>) -> bool {
        let tokens = path.match_indices("%{").filter_map(|(start, _)| {
            let end = path[start..].find('}')?;
            let name = path[start + 2..start + end].trim();
            let root = name.split_once('.').map_or(name, |(root, _)| root);
            (mapped != Some(root)).then(|| &path[start..=start + end])
        });
        tokens.collect::<Vec<_>>().into_iter().any(|token| {
            let filled = self.interpolate(Value::from(token));
            filled.map_or(true, |value| value.as_str().is_some_and(str::is_empty) || value == Value::Undef)
        })
    }
}

fn mapped_name(locations: Option<&Locations>) -> Option<&str> {
    match locations {
        Some(Locations::Mapped { name, .. }) => Some(name),
        _ => None,
    }
}
