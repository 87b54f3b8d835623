//! Levels with everything filled in: which files and URIs a hierarchy means for one node.

use std::sync::{Arc, OnceLock};

use hierarch_pcore::ruby_class;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{FileKind, Files, Result};

use crate::config::{Config, FunctionKind, Level, Locations};
use crate::data::Data;
use crate::document::Document;
use crate::glob::glob;
use crate::hiera::Hiera;
use crate::issues;
use crate::lookup::{Mode, VariableRead, Walk};
use crate::path;

/// A hierarchy for one node, and the variables that it depends on.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) normal: Vec<Arc<PlacedLevel>>,
    pub(crate) defaults: Vec<Arc<PlacedLevel>>,
    pub(crate) reads: Vec<VariableRead>,
}

/// A level whose locations are known.
#[derive(Debug)]
pub(crate) struct PlacedLevel {
    pub(crate) level: Arc<Level>,
    pub(crate) options: Hash,
    /// Where to look; one place without a location for a function that needs none.
    pub(crate) places: Vec<Place>,
}

/// One place to look at.
#[derive(Debug)]
pub(crate) struct Place {
    /// What functions remember here is kept under this number.
    pub(crate) id: u64,
    pub(crate) location: Option<Location>,
    /// The data, once they are read.
    pub(crate) document: OnceLock<Arc<Document>>,
}

/// A file or URI.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) original: Str,
    pub(crate) text: Str,
    pub(crate) is_path: bool,
    pub(crate) exists: bool,
}

impl Place {
    /// Tells whether there is anything to look at.
    pub(crate) fn exists(&self) -> bool {
        self.location.as_ref().is_none_or(|location| location.exists)
    }
}

impl PlacedLevel {
    /// Returns what the function is told about a place.
    pub(crate) fn options_at(&self, place: &Place) -> Hash {
        let mut options = self.options.clone();
        if let Some(location) = &place.location {
            options.insert(if location.is_path { "path" } else { "uri" }, location.text.clone());
        }
        options
    }

    /// Returns what messages call the function.
    pub(crate) fn function_label(&self) -> String {
        match self.level.kind {
            FunctionKind::Legacy => format!("deprecated API function '{}'", self.level.function),
            kind => format!("{} function '{}'", kind.tag(), self.level.function),
        }
    }

    /// Returns what explanations call the level.
    pub(crate) fn label(&self) -> String {
        match self.level.kind {
            FunctionKind::Legacy => format!("Deprecated API function \"{}\"", self.level.function),
            _ => format!("Hierarchy entry \"{}\"", self.level.name),
        }
    }
}

/// Fills in a configuration for the node of a walk.
pub(crate) fn levels_of(walk: &mut Walk, config: &Config) -> Result<Levels> {
    let mut locator = Locator { walk, config };
    let normal = locator.place_all(&config.hierarchy)?;
    let defaults = match &config.default_hierarchy {
        Some(levels) => locator.place_all(levels)?,
        None => Vec::new(),
    };
    let reads = locator.walk.take_reads();
    Ok(Levels { normal, defaults, reads })
}

/// Places paths that a caller wants besides those of a level. They end in the name of the backend.
pub(crate) fn extra_places(walk: &mut Walk, level: &Level, paths: &[String]) -> Result<Vec<Place>> {
    let datadir = walk.fill_config(&level.datadir, Mode::Config)?.to_string();
    let mut places = Vec::new();
    for original in paths {
        let filled = walk.fill_config(&Data::new(Value::from(original.as_str())), Mode::Config)?;
        let end = format!(".{}", level.name);
        let path = with_end(filled.to_string(), Some(&end));
        let location = location(walk.hiera, original, path::join(&datadir, &path));
        places.push(Place { id: walk.new_place(), location: Some(location), document: OnceLock::new() });
    }
    Ok(places)
}

fn with_end(mut path: String, end: Option<&String>) -> String {
    if let Some(end) = end.filter(|end| !path.ends_with(end.as_str())) {
        path.push_str(end);
    }
    path
}

/// Tells whether anything is there. Pipes and devices are, though they are not read: to pass over them would be silent.
pub(crate) fn is_there(files: &dyn Files, path: &str) -> bool {
    files.is_file(path.as_ref())
        || matches!(kind_of_target(files, path), Some(FileKind::Folder | FileKind::Other))
}

/// Tells whether anything but a folder is there.
pub(crate) fn is_file_there(files: &dyn Files, path: &str) -> bool {
    files.is_file(path.as_ref()) || kind_of_target(files, path) == Some(FileKind::Other)
}

/// Tells what stands at a path, links followed; what is not there takes one question.
fn kind_of_target(files: &dyn Files, path: &str) -> Option<FileKind> {
    match files.kind(path.as_ref())? {
        FileKind::Link => files.kind(&files.resolve(path.as_ref()).ok()?),
        kind => Some(kind),
    }
}

fn location(hiera: &Hiera, original: &str, path: String) -> Location {
    let exists = hiera.has_location(&path);
    Location { original: original.into(), text: path.into(), is_path: true, exists }
}

struct Locator<'a, 'w> {
    walk: &'a mut Walk<'w>,
    config: &'a Config,
}

impl Locator<'_, '_> {
    fn place_all(&mut self, levels: &[Arc<Level>]) -> Result<Vec<Arc<PlacedLevel>>> {
        let mut placed = Vec::with_capacity(levels.len());
        for level in levels {
            let level = self.place(level)?;
            // The built-in configuration leaves out levels without files.
            if self.config.path.is_some() || !level.places.is_empty() {
                placed.push(Arc::new(level));
            }
        }
        Ok(placed)
    }

    fn place(&mut self, level: &Arc<Level>) -> Result<PlacedLevel> {
        let datadir = self.walk.fill_config(&level.datadir, Mode::Config)?.to_string();
        let locations = match &level.locations {
            None => vec![None],
            Some(locations) => self.locations(level, locations, &datadir)?.into_iter().map(Some).collect(),
        };
        if level.kind == FunctionKind::Hiera3 {
            return Err(issues::no_hiera3());
        }
        let options = match self.walk.fill_config(&level.options, Mode::Config)? {
            Value::Hash(options) => Arc::unwrap_or_clone(options),
            _ => Hash::new(),
        };
        let places = locations.into_iter().map(|location| Place {
            id: self.walk.new_place(),
            location,
            document: OnceLock::new(),
        });
        Ok(PlacedLevel { level: Arc::clone(level), options, places: places.collect() })
    }

    fn locations(&mut self, level: &Level, locations: &Locations, datadir: &str) -> Result<Vec<Location>> {
        let mut found = Vec::new();
        match locations {
            Locations::Paths(paths) => {
                for data in paths {
                    let path = self.walk.fill_config(data, Mode::Location)?.to_string();
                    let path = with_end(path, level.extension.as_ref());
                    let location = self.path(&data.original(), path::join(datadir, &path));
                    if self.config.path.is_some() || location.exists {
                        found.push(location);
                    }
                }
            }
            Locations::Globs(globs) => {
                for data in globs {
                    let pattern =
                        path::join(datadir, &self.walk.fill_config(data, Mode::Location)?.to_string());
                    let files = self.walk.files();
                    let matches = self.walk.budget.count_steps(|left| glob(files, &pattern, left))?;
                    found.extend(matches.into_iter().map(|path| Location {
                        original: pattern.as_str().into(),
                        text: path.into(),
                        is_path: true,
                        exists: true,
                    }));
                }
            }
            Locations::Uris(uris) => {
                for data in uris {
                    let text = self.walk.fill_config(data, Mode::Location)?.to_string();
                    check_uri(&text)?;
                    let original = data.original().into();
                    found.push(Location { original, text: text.into(), is_path: false, exists: true });
                }
            }
            Locations::Mapped { variable, name, template } => {
                for value in mapped(self.walk.read_config_variable(variable, "mapped_path[0]")?)? {
                    let path = self.walk.fill_with_local(name, &value, template)?.to_string();
                    found.push(self.path(&template.original(), path::join(datadir, &path)));
                }
            }
        }
        Ok(found)
    }

    fn path(&self, original: &str, path: String) -> Location {
        location(self.walk.hiera, original, path)
    }
}

/// Returns the values that paths are made of: a hash gives pairs.
fn mapped(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::Undef => Ok(Vec::new()),
        Value::String(text) if text.is_empty() => Ok(Vec::new()),
        Value::String(_) => Ok(vec![value]),
        Value::Array(items) => Ok(items.to_vec()),
        Value::Hash(hash) => {
            Ok(hash.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect())
        }
        other => Err(issues::unmappable(ruby_class(&other))),
    }
}

/// Refuses what Ruby's URI library refuses: characters that must be escaped, and escapes that are none.
fn check_uri(text: &str) -> Result<()> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    let escapes_hold = text.match_indices('%').all(|(at, _)| {
        let digits = text.as_bytes().get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    if text.chars().all(is_allowed) && escapes_hold { Ok(()) } else { Err(issues::bad_uri(text)) }
}
