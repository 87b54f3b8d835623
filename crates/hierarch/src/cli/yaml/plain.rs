//! `--plain`: documents in which every key is data, at any place of a stream, whatever stands at their top.

use std::path::Path;
use std::sync::Arc;

use hierarch_compose::{Edit, segments};
use hierarch_source::{Result, Source};
use hierarch_yaml::{
    Change, Data, Dialect, Limits, NodeId, Tree, change_at, delete_at, edit, find_at, insert_at, read,
    rename_at,
};

use super::super::failure::Failure;
use super::{Plain, Stop};

/// Returns the text of a file.
pub(super) fn text(file: &Path) -> std::result::Result<String, Stop> {
    let bytes = std::fs::read(file).map_err(|error| Failure::io("read", file, &error))?;
    Ok(Source::from_bytes(file.display().to_string(), bytes)?.text().to_owned())
}

/// Returns the value at a JSON pointer.
pub(super) fn get(file: &Path, plain: &Plain, pointer: &str) -> std::result::Result<Data, Stop> {
    let (tree, root) = open(file, plain, text(file)?)?;
    let path = segments(pointer)?;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    Ok(tree.data(find_at(&tree, root, &path)?, Limits::default())?)
}

/// Makes edits, each on what the one before left, and returns the new text.
pub(super) fn edited(
    file: &Path,
    plain: &Plain,
    text: &str,
    edits: Vec<(String, Edit)>,
) -> std::result::Result<String, Stop> {
    let mut text = text.to_owned();
    for (pointer, wish) in edits {
        let (tree, root) = open(file, plain, text)?;
        let path = segments(&pointer)?;
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        text = edit(&tree, root, &change(&tree, root, &path, wish)?)?;
    }
    Ok(text)
}

fn open(file: &Path, plain: &Plain, text: String) -> std::result::Result<(Tree, NodeId), Stop> {
    let source: Arc<Source> = Source::new(file.display().to_string(), text);
    let tree = read(&source, Dialect::Core, Limits::default())?;
    let number = plain.document.unwrap_or(0);
    if let Some(&root) = tree.roots().get(number) {
        return Ok((tree, root));
    }
    let (file, count) = (file.display(), tree.roots().len());
    Err(Failure::new(format!("{file} has {count} documents; there is no document {number}")).into())
}

fn change(tree: &Tree, root: NodeId, path: &[&str], wish: Edit) -> Result<Change> {
    match wish {
        Edit::Set(data) if path.last() != Some(&"-") && find_at(tree, root, path).is_ok() => {
            change_at(tree, root, path, Change::Set(data))
        }
        Edit::Set(data) | Edit::Insert(data) => insert_at(tree, root, path, data),
        Edit::Delete => delete_at(tree, root, path),
        Edit::Rename(name) => rename_at(tree, root, path, Data::text(name)),
    }
}
