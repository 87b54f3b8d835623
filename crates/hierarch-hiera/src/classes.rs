//! The classes that modules have, listed when a message first needs to know.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use hierarch_source::Files;

use crate::layers::EnvironmentFolder;

/// The classes of an environment's modules.
pub(crate) struct Classes {
    files: Arc<dyn Files>,
    environment: EnvironmentFolder,
    names: OnceLock<Vec<String>>,
}

impl Classes {
    pub(crate) fn new(files: Arc<dyn Files>, environment: EnvironmentFolder) -> Self {
        Self { files, environment, names: OnceLock::new() }
    }

    /// Tells whether some module has a class.
    pub(crate) fn has(&self, class: &str) -> bool {
        self.names.get_or_init(|| self.list()).iter().any(|name| name == class)
    }

    fn list(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (module, path) in self.environment.modules(&*self.files) {
            collect(&*self.files, &Path::new(&path).join("manifests"), &module, &mut names);
        }
        names
    }
}

impl std::fmt::Debug for Classes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Classes").field(&self.names).finish()
    }
}

fn collect(files: &dyn Files, folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for name in files.list(folder).unwrap_or_default() {
        let path = folder.join(&name);
        match name.strip_suffix(".pp") {
            Some("init") => names.push(prefix.to_owned()),
            Some(stem) => names.push(format!("{prefix}::{stem}")),
            None if files.is_folder(&path) => collect(files, &path, &format!("{prefix}::{name}"), names),
            None => {}
        }
    }
}
