//! Tables written as Parquet, for DuckDB, Spark and their like: a folder per table and environment, or one file.

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
    if is_file(target) {
        return one(target, &ANSWERS, &mut rows::answers(answers));
    }
    check_empty(target)?;
    let environments: BTreeSet<&str> = answers.nodes.iter().map(|node| node.environment.as_str()).collect();
    let mut count = 0;
    for environment in environments {
        let is_here = |node: &TableNode| node.environment == environment;
        let some = || answers.by_key().filter(move |(node, _, _)| is_here(node));
        let folder = |shape: &Shape| target.join(shape.name).join(format!("environment={environment}"));
        let mut values = some().map(|(node, key, entry)| rows::answer(node, key, entry));
        count += parts(&folder(&ANSWERS), &ANSWERS, &mut values)?;
        let mut leaves = some()
            .flat_map(|(node, key, entry)| entry.leaves.iter().map(move |leaf| rows::leaf(node, key, leaf)));
        parts(&folder(&LEAVES), &LEAVES, &mut leaves)?;
        let names: BTreeSet<&str> =
            answers.nodes.iter().filter(|node| is_here(node)).map(|node| node.name.as_str()).collect();
        let known = nodes.iter().filter(|node| names.contains(node.name.as_str()));
        parts(&folder(&FACTS), &FACTS, &mut rows::facts(known))?;
    }
    Ok(count)
}

/// Writes changes: into a folder, or into one file.
#[cfg(feature = "git")]
pub(crate) fn changes(target: &Path, changes: &[Change]) -> Result<usize, Failure> {
    use hierarch_sql::CHANGES;
    if is_file(target) {
        return one(target, &CHANGES, &mut rows::changes(changes));
    }
    check_empty(target)?;
    parts(&target.join(CHANGES.name), &CHANGES, &mut rows::changes(changes))
}

fn is_file(target: &Path) -> bool {
    target.extension().is_some_and(|end| end == END)
}

/// Parts of two runs must not stand side by side: engines would read both.
fn check_empty(folder: &Path) -> Result<(), Failure> {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(issues::folder_not_empty(folder)),
        _ => Ok(()),
    }
}

/// Writes one file with all rows.
fn one<'r>(target: &Path, shape: &Shape, rows: &mut dyn Iterator<Item = Row<'r>>) -> Result<usize, Failure> {
    let mut counted = Counted { rows, count: 0 };
    let bytes = hierarch_sql::whole(shape, &mut counted).map_err(failed)?;
    save(target, &bytes)?;
    Ok(counted.count)
}

/// Writes files of about a million rows each.
fn parts<'r>(
    folder: &Path,
    shape: &Shape,
    rows: &mut dyn Iterator<Item = Row<'r>>,
) -> Result<usize, Failure> {
    let mut counted = Counted { rows, count: 0 };
    let mut number = 0;
    while let Some(bytes) = part(shape, &mut counted).map_err(failed)? {
        std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
        save(&folder.join(format!("part-{number:05}.{END}")), &bytes)?;
        number += 1;
    }
    Ok(counted.count)
}

/// Rows that are counted as they go.
struct Counted<'i, 'r> {
    rows: &'i mut dyn Iterator<Item = Row<'r>>,
    count: usize,
}

impl<'r> Iterator for Counted<'_, 'r> {
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
