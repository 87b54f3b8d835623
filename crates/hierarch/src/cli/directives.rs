//! `directives_data`: files with merge directives as a backend of Hiera.

use std::path::Path;

use hierarch_compose::{Access, directives_data};
use hierarch_hiera::DataHash;
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Result};

use super::data;

/// The backend; what a file includes is read from where the file is.
pub(crate) struct Directives;

impl DataHash for Directives {
    fn name(&self) -> &'static str {
        "directives_data"
    }

    fn read(&self, files: &dyn Files, path: &str) -> Result<Hash> {
        match data::value_of(directives_data(files, Path::new(path), &Access::default())?) {
            Value::Hash(hash) => Ok(std::sync::Arc::unwrap_or_clone(hash)),
            _ => Ok(Hash::new()),
        }
    }
}
