//! `directives_data`: files with merge directives as a backend of Hiera.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use hierarch_compose::{Access, Document, directives_data};
use hierarch_hiera::DataHash;
use hierarch_pcore::data::{Rules, from_data};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Place, Result, pointer};

/// The backend; what a file includes is read from where the file is.
pub(crate) struct Directives;

impl DataHash for Directives {
    fn name(&self) -> &'static str {
        "directives_data"
    }

    fn read(&self, files: &dyn Files, path: &str) -> Result<Hash> {
        match from_data(&directives_data(files, Path::new(path), &Access::default())?, Rules::Ruby) {
            Value::Hash(hash) => Ok(Arc::unwrap_or_clone(hash)),
            _ => Ok(Hash::new()),
        }
    }

    fn places(&self, files: &dyn Files, path: &str) -> Vec<(Vec<String>, Place)> {
        let access = Access::default();
        let Ok(document) = Document::open(files, Path::new(path), &access) else {
            return Vec::new();
        };
        let origins = document.origins().into_iter();
        let keys = |pointer: &str| pointer::keys(pointer).map(Cow::into_owned).collect();
        origins.filter_map(|origin| Some((keys(&origin.path), origin.place?))).collect()
    }
}
