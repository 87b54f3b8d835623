//! Checks the texts of an environment without running them.

use std::path::{Path, PathBuf};

use hierarch_source::{Diagnostic, Files};
use hierarch_syntax::{ValidateOptions, check, check_epp};

use crate::environment::{Environment, read_source};

/// The folders of an environment and of its modules that hold manifests, and templates.
const FOLDERS: [&str; 4] = ["manifests", "functions", "types", "templates"];

impl Environment {
    /// Checks all manifests and EPP templates of the environment and its modules, and returns what is wrong.
    pub fn validate(&self) -> Vec<Diagnostic> {
        let files = self.hiera().files();
        let owners = self.folder().map(Path::to_owned).into_iter();
        let owners = owners.chain(self.modules().into_iter().map(|(_, folder)| folder.into()));
        let mut texts = Vec::new();
        for owner in owners {
            FOLDERS.iter().for_each(|folder| collect(files, &owner.join(folder), &mut texts));
        }
        let options =
            ValidateOptions { modulepath: self.modulepath().to_vec(), ..ValidateOptions::default() };
        texts.iter().flat_map(|path| look(files, path, &options)).collect()
    }
}

fn look(files: &dyn Files, path: &Path, options: &ValidateOptions) -> Vec<Diagnostic> {
    let source = match read_source(files, path) {
        Ok(source) => source,
        Err(error) => return vec![error.into_diagnostic()],
    };
    let is_template = path.extension().is_some_and(|end| end == "epp");
    (if is_template { check_epp } else { check })(&source, options).diagnostics
}

fn collect(files: &dyn Files, folder: &Path, found: &mut Vec<PathBuf>) {
    for name in files.list(folder).unwrap_or_default() {
        let path = folder.join(&name);
        if files.is_folder(&path) {
            collect(files, &path, found);
        } else if name.ends_with(".pp") || name.ends_with(".epp") {
            found.push(path);
        }
    }
}
