//! The YAML and JSON files that other programs read from this repository: hooks, the Action, templates, examples.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, read};

use super::Complaint;

/// Where they lie; the cases below `tests` are broken on purpose.
const FOLDERS: &[&str] = &["docs", "examples", "packaging", "scripts", ".github", ".cargo"];

/// Returns all of them, those of the top folder included.
pub fn documents(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(root, false, &mut found)?;
    for folder in FOLDERS {
        collect(&root.join(folder), true, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, descends: bool, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() && descends {
            collect(&path, descends, found)?;
        } else if ["yaml", "yml", "eyaml", "json"].contains(&ending) && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// Complains of a document that cannot be read.
pub fn can_be_read(path: &str, text: &str) -> Option<Complaint> {
    let complaint = |line: usize, what: String| Some(Complaint { file: path.to_owned(), line, what });
    if path.ends_with(".json") {
        let error = serde_json::from_str::<serde_json::Value>(text).err()?;
        return complaint(error.line(), error.to_string());
    }
    let source = Source::new(path, text);
    let error = read(&source, Dialect::Psych, DocumentLimits::default()).err()?;
    complaint(0, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_in_a_plain_scalar_is_found() {
        assert_eq!(can_be_read("a.yaml", "- id: x\n  description: \"Refuses: this\"\n"), None);
        assert!(can_be_read("a.yaml", "- id: x\n  description: Refuses secrets: this\n").is_some());
        assert!(can_be_read("a.json", "{\"a\": }").is_some());
    }

    #[test]
    fn hooks_and_the_action_are_among_them() {
        let found = documents(&super::super::repository()).expect("the repository is readable");
        for name in [".pre-commit-hooks.yaml", "action.yml", "hierarch.yml", "openapi.json"] {
            assert!(found.iter().any(|path| path.ends_with(name)), "{name}");
        }
    }
}
