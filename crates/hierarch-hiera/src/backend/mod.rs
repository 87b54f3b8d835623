//! Backends: functions that know how data are kept. One file each, and one line in [`BACKENDS`].

mod eyaml;
pub(crate) mod hocon;
pub(crate) mod json;
mod yaml;

use std::sync::Arc;

use hierarch_pcore::Hash;
use hierarch_source::{Files, Place, Result};

use crate::config::FunctionKind;
use crate::document::Document;
use crate::issues;
use crate::locate::{Place as Location, PlacedLevel};
use crate::log::Log;
use crate::marks::{Mark, Marks};
use crate::settings::LookupSettings;

/// A way to keep data.
pub(crate) trait Backend: Sync {
    /// Returns the name that hiera.yaml uses.
    fn name(&self) -> &'static str;

    /// Tells how the function is called.
    fn kind(&self) -> FunctionKind {
        FunctionKind::DataHash
    }

    /// Reads the text of a file.
    fn read(&self, path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document>;
}

/// What a backend may ask while it reads.
pub(crate) struct Around<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) settings: &'a LookupSettings,
    pub(crate) log: &'a Log,
}

/// A way to keep data that another crate knows, used as a `data_hash` function.
///
/// See [`Hiera::with_backend`](crate::Hiera::with_backend).
pub trait DataHash: Send + Sync {
    /// Returns the name that hiera.yaml uses.
    fn name(&self) -> &'static str;

    /// Reads the data of a file. Tokens are left for the lookup to fill in.
    fn read(&self, files: &dyn Files, path: &str) -> Result<Hash>;

    /// Tells where values stand: of each the keys and positions that lead to it, as texts. Asked only on behalf of
    /// those who want origins.
    fn places(&self, _files: &dyn Files, _path: &str) -> Vec<(Vec<String>, Place)> {
        Vec::new()
    }
}

/// A backend from outside.
pub(crate) struct ExternalBackend(pub(crate) Arc<dyn DataHash>);

impl Backend for ExternalBackend {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn read(&self, path: &str, _: Vec<u8>, around: &Around) -> Result<Document> {
        let document = Document::of_hash(&self.0.read(around.files, path)?);
        let (backend, file) = (Arc::clone(&self.0), path.to_owned());
        let find = move |_: &str, files: &dyn Files| marks(backend.places(files, &file));
        Ok(document.with_text(path, String::new(), Box::new(find)))
    }
}

fn marks(places: Vec<(Vec<String>, Place)>) -> Marks {
    let mut marks = Marks::default();
    for (path, place) in places {
        let mark = Mark { start: place.span.start, end: place.span.end, source: Some(place.source) };
        marks.put_mark(path, mark);
    }
    marks
}

static BACKENDS: &[&dyn Backend] = &[&yaml::Yaml, &eyaml::Eyaml, &json::Json, &hocon::Hocon];

/// Finds a backend by the name of its function.
pub(crate) fn find(name: &str) -> Option<&'static dyn Backend> {
    BACKENDS.iter().find(|backend| backend.name() == name).copied()
}

/// Reads a file.
pub(crate) fn read(backend: &dyn Backend, path: &str, around: &Around) -> Result<Document> {
    let most = around.settings.largest_file;
    let bytes = around.files.read_at_most(path.as_ref(), most).map_err(|error| match error.kind() {
        std::io::ErrorKind::FileTooLarge => issues::too_large(path, most),
        _ if around.files.is_folder(path.as_ref()) => issues::is_a_directory(path),
        _ => issues::unreadable(path, &error),
    })?;
    backend.read(path, bytes, around)
}

/// The built-in functions want a path. Those that return whole hashes want nothing else.
pub(crate) fn check_call(backend: &dyn Backend, level: &PlacedLevel, place: &Location) -> Result<()> {
    let arguments = |kind| if kind == FunctionKind::DataHash { 2 } else { 3 };
    let (wanted, given) = (arguments(backend.kind()), arguments(level.level.kind));
    if wanted != given {
        return Err(issues::wrong_argument_count(backend.name(), wanted, given));
    }
    let has_path = place.location.as_ref().is_some_and(|location| location.is_path);
    let is_hash = backend.kind() == FunctionKind::DataHash;
    if has_path && (!is_hash || level.options.is_empty()) {
        return Ok(());
    }
    Err(issues::path_needed(backend.name(), backend.kind().tag()))
}
