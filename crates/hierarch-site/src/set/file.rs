//! Edits of data files by place: which file, which path in it, and the value, or that it goes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hierarch_hiera::Segment;
use hierarch_source::{Result, Source};

use super::text;
use super::value::{self, NewValue};
use crate::issues;
use crate::site::Site;

/// One edit of a data file.
#[derive(Clone, Debug)]
pub struct FileEdit {
    /// The file.
    pub file: PathBuf,
    /// The way to the value, from the key on.
    pub path: Vec<Segment>,
    /// The new value, as YAML or JSON; none: what is there goes.
    pub value: Option<String>,
}

/// A file that edits change, proved to differ in nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilePlan {
    /// The file.
    pub path: PathBuf,
    /// What was read; none if there is no such file.
    pub old: Option<String>,
    /// What shall be there.
    pub new: String,
}

impl Site {
    /// Plans edits of data files, one after the other. Nothing is written.
    pub fn plan_edits(&self, edits: &[FileEdit]) -> Result<Vec<FilePlan>> {
        let mut plans: BTreeMap<&Path, FilePlan> = BTreeMap::new();
        for edit in edits {
            let path = edit.file.as_path();
            let mut plan = match plans.remove(path) {
                Some(plan) => plan,
                None => self.unchanged(path)?,
            };
            plan.new = changed(edit, &plan.new)?;
            plans.insert(path, plan);
        }
        Ok(plans.into_values().collect())
    }

    fn unchanged(&self, path: &Path) -> Result<FilePlan> {
        let old = if self.files().is_file(path) {
            let bytes = self.files().read(path).map_err(|error| issues::unreadable(path, &error))?;
            Some(Source::from_bytes(path.display().to_string(), bytes)?.text().to_owned())
        } else {
            None
        };
        Ok(FilePlan { path: path.to_owned(), new: old.clone().unwrap_or_default(), old })
    }
}

fn changed(edit: &FileEdit, old: &str) -> Result<String> {
    let new = edit.value.as_deref().map(value::read_text).transpose()?;
    let hides = new.as_ref().is_some_and(NewValue::is_encrypted);
    if new.is_some() && !hides && text::is_encrypted_at(&edit.file, old, &edit.path)? {
        return Err(issues::would_show_secret(&shown(&edit.path), &edit.file));
    }
    text::changed_at(&edit.file, old, &edit.path, new.as_ref())
}

/// Writes a path as users write keys.
pub(super) fn shown(path: &[Segment]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}
