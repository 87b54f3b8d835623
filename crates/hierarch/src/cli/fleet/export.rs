//! Tables written as Parquet, for DuckDB, Spark and their like: a folder per table and environment, or one file; on the disk or in an
//! object store.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hierarch_fleet::{Table, TableNode};
use hierarch_source::{DiskFiles, Error, FileChange, Files};
use hierarch_sql::rows::{self, Row};
use hierarch_sql::{ANSWERS, Change, FACTS, KnownNode, LEAVES, Shape, part};

use super::super::failure::Failure;
use super::super::issues;
use super::super::saving::save_files;

/// How the name of a single file ends.
const END: &str = "parquet";

fn failed(error: Error) -> Failure {
    Failure::from(error)
}

/// Writes all answers: into a folder with their leaves and the facts, or alone into one file.
pub(crate) fn answers(target: &Path, answers: &Table, nodes: &[KnownNode]) -> Result<usize, Failure> {
    let (target, name) = Target::of(target)?;
    if let Some(name) = name {
        return one(&target, &name, &ANSWERS, &mut rows::answers(answers));
    }
    target.check_empty(&[ANSWERS.name, LEAVES.name, FACTS.name])?;
    let environments: BTreeSet<&str> = answers.nodes.iter().map(|node| node.environment.as_str()).collect();
    let mut count = 0;
    for environment in environments {
        let is_here = |node: &TableNode| node.environment == environment;
        let some = || answers.by_key().filter(move |(node, _, _)| is_here(node));
        let folder = |shape: &Shape| format!("{}/environment={environment}", shape.name);
        let mut values = some().map(|(node, key, entry)| rows::answer(node, key, entry));
        count += parts(&target, &folder(&ANSWERS), &ANSWERS, &mut values)?;
        let mut leaves = some()
            .flat_map(|(node, key, entry)| entry.leaves.iter().map(move |leaf| rows::leaf(node, key, leaf)));
        parts(&target, &folder(&LEAVES), &LEAVES, &mut leaves)?;
        let names: BTreeSet<&str> =
            answers.nodes.iter().filter(|node| is_here(node)).map(|node| node.name.as_str()).collect();
        let known = nodes.iter().filter(|node| names.contains(node.name.as_str()));
        parts(&target, &folder(&FACTS), &FACTS, &mut rows::facts(known))?;
    }
    Ok(count)
}

/// Writes changes: into a folder, or into one file.
#[cfg(feature = "git")]
pub(crate) fn changes(target: &Path, changes: &[Change]) -> Result<usize, Failure> {
    use hierarch_sql::CHANGES;
    let (target, name) = Target::of(target)?;
    if let Some(name) = name {
        return one(&target, &name, &CHANGES, &mut rows::changes(changes));
    }
    target.check_empty(&[CHANGES.name])?;
    parts(&target, CHANGES.name, &CHANGES, &mut rows::changes(changes))
}

/// Where tables go.
enum Target {
    Folder(PathBuf),
    #[cfg(feature = "jobs")]
    Objects(String, Box<dyn hierarch_jobs::Objects>),
}

impl Target {
    /// Understands what `-o` says: where tables go, and the name of the one file, if it is one.
    fn of(output: &Path) -> Result<(Self, Option<String>), Failure> {
        let is_file = output.extension().is_some_and(|end| end == END);
        let name = output.file_name().filter(|_| is_file).map(|name| name.to_string_lossy().into_owned());
        let folder = if is_file { output.parent().unwrap_or(output) } else { output };
        #[cfg(feature = "jobs")]
        if let Some(address) = folder.to_str().filter(|text| text.contains(":/") && !folder.exists()) {
            // A path has lost a slash where it was taken apart.
            let whole = output.to_str().unwrap_or_default();
            let address = if is_file { whole.rsplit_once('/').map_or(address, |(up, _)| up) } else { whole };
            return Ok((Self::Objects(address.to_owned(), super::objects::open(address)?), name));
        }
        Ok((Self::Folder(folder.to_owned()), name))
    }

    /// Parts of two runs must not stand side by side: engines would read both.
    fn check_empty(&self, tables: &[&str]) -> Result<(), Failure> {
        let is_used = match self {
            Self::Folder(folder) => {
                std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
            }
            #[cfg(feature = "jobs")]
            Self::Objects(_, objects) => {
                let has = |table: &&str| objects.has(&format!("{table}/{MARK}"));
                tables.iter().map(has).collect::<Result<Vec<bool>, _>>().map_err(failed)?.contains(&true)
            }
        };
        #[cfg(feature = "jobs")]
        if let (Self::Objects(_, objects), false) = (self, is_used) {
            for table in tables {
                objects.put(&format!("{table}/{MARK}"), b"").map_err(failed)?;
            }
        }
        let _ = tables;
        if is_used { Err(issues::folder_not_empty(Path::new(&self.shown()))) } else { Ok(()) }
    }

    fn shown(&self) -> String {
        match self {
            Self::Folder(folder) => folder.display().to_string(),
            #[cfg(feature = "jobs")]
            Self::Objects(address, _) => address.clone(),
        }
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                let above = path.parent().unwrap_or(folder);
                std::fs::create_dir_all(above).map_err(|error| Failure::io("make", above, &error))?;
                save(&path, bytes)
            }
            #[cfg(feature = "jobs")]
            Self::Objects(_, objects) => objects.put(name, bytes).map_err(failed),
        }
    }
}

/// An object that says that a table was written: object stores are not asked for lists. Engines pass over names with `_`.
#[cfg(feature = "jobs")]
const MARK: &str = "_written";

/// Writes one file with all rows.
fn one<'r>(
    target: &Target,
    name: &str,
    shape: &Shape,
    rows: &mut dyn Iterator<Item = Row<'r>>,
) -> Result<usize, Failure> {
    let mut counted = CountedItems { rows, count: 0 };
    let bytes = hierarch_sql::whole(shape, &mut counted).map_err(failed)?;
    target.save(name, &bytes)?;
    Ok(counted.count)
}

/// Writes files of about a million rows each.
fn parts<'r>(
    target: &Target,
    folder: &str,
    shape: &Shape,
    rows: &mut dyn Iterator<Item = Row<'r>>,
) -> Result<usize, Failure> {
    let mut counted = CountedItems { rows, count: 0 };
    let mut number = 0;
    while let Some(bytes) = part(shape, &mut counted).map_err(failed)? {
        target.save(&format!("{folder}/part-{number:05}.{END}"), &bytes)?;
        number += 1;
    }
    Ok(counted.count)
}

/// Rows that are counted as they go.
struct CountedItems<'i, 'r> {
    rows: &'i mut dyn Iterator<Item = Row<'r>>,
    count: usize,
}

impl<'r> Iterator for CountedItems<'_, 'r> {
    type Item = Row<'r>;

    fn next(&mut self) -> Option<Row<'r>> {
        let row = self.rows.next()?;
        self.count += 1;
        Some(row)
    }
}

/// Facts and values may be sensitive: the file is for its owner alone.
fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let old = DiskFiles.read(path).ok();
    let path = PathBuf::from(path);
    let change = match &old {
        Some(old) => FileChange::replace(&path, old, bytes),
        None => FileChange::create(&path, bytes),
    };
    save_files(&[change.private()]).map_err(|reason| failed(Error::from(reason)))
}
