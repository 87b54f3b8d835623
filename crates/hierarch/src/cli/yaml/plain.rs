//! `--plain`: documents in which every key is data, at any place of a stream, whatever stands at their top.

use std::path::Path;
use std::sync::Arc;

use hierarch_compose::{Choice, Notations, Selector, segments};
use hierarch_source::{Error, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, NodeId, Tree, edit, edit_toward, find_at, read};

use super::super::foreign::Notation;
use super::input::Input;
use super::wish::{Wish, dressed_places};
use super::{Plain, Reach, Stop};
use crate::cli::issues;

/// Returns the text of a file.
pub(super) fn text(input: &Input) -> std::result::Result<String, Stop> {
    Ok(Source::from_bytes(input.path.display().to_string(), input.bytes()?)?.text().to_owned())
}

/// Returns the value at a JSON pointer, aliases and merge keys followed.
pub(super) fn get(
    input: &Input,
    plain: &Plain,
    reach: &Reach,
    pointer: &str,
) -> std::result::Result<Data, Stop> {
    let foreign = reach.foreign();
    let (tree, root) = if input.notation() == Notation::Yaml {
        open(&input.path, plain, text(input)?)?
    } else {
        let source = Source::new(input.path.display().to_string(), text(input)?);
        let tree = foreign.read(&source, reach.limits())?;
        let root = tree.root().ok_or_else(|| issues::nothing_at(pointer))?;
        (tree, root)
    };
    let path = segments(pointer)?;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    if let Ok(node) = find_at(&tree, root, &path) {
        return Ok(tree.data(node, DocumentLimits::default())?);
    }
    let data = tree.data(root, DocumentLimits::default())?;
    let found = path.iter().try_fold(&data, |data, segment| data.child(segment));
    if let Some(found) = found {
        return Ok(found.clone());
    }
    refuse_selector(&tree, root, pointer)?;
    Err(missing(&tree, root, &path).into())
}

/// Makes edits, each on what the one before left, and returns the new text.
pub(super) fn edited(
    file: &Path,
    plain: &Plain,
    text: &str,
    wish: &Wish,
) -> std::result::Result<String, Stop> {
    let places = match wish {
        Wish::Places(places) => places,
        Wish::Whole(whole) => {
            let (tree, root) = open(file, plain, text.to_owned())?;
            let data = whole.data(&tree.data(root, DocumentLimits::default())?);
            let text = edit_toward(&tree, root, &data)?;
            return whole.dressed(0, text, position_of(&tree, root));
        }
    };
    let mut text = text.to_owned();
    for place in places {
        let (tree, root) = open(file, plain, text)?;
        refuse_selector(&tree, root, &place.pointer)?;
        let (pointer, wish) = place.edit(|pointer| is_parent(&tree, root, pointer))?;
        let path = segments(&pointer)?;
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        text = edit(&tree, root, &wish.at(&tree, root, &path)?)?;
        text = dressed_places(text, position_of(&tree, root), [(place.pointer.as_str(), place)])?;
    }
    Ok(text)
}

/// A selector is not the name of a new key; one that stands there is what it is.
fn refuse_selector(tree: &Tree, root: NodeId, pointer: &str) -> std::result::Result<(), Stop> {
    let path = segments(pointer)?;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let parents = pointer.strip_suffix("/-").unwrap_or(pointer);
    let is_plain = Selector::parse(parents).is_ok_and(|selector| selector.is_plain());
    if is_plain || find_at(tree, root, &path).is_ok() {
        return Ok(());
    }
    Err(issues::selector_with_plain(pointer).into())
}

fn position_of(tree: &Tree, root: NodeId) -> usize {
    tree.roots().iter().position(|&known| known == root).unwrap_or(0)
}

fn is_parent(tree: &Tree, root: NodeId, pointer: &str) -> bool {
    let Ok(path) = segments(pointer) else { return false };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let found = find_at(tree, root, &path).and_then(|node| tree.data(node, DocumentLimits::default()));
    found.is_ok_and(|data| data != Data::NULL)
}

/// Nothing is at a path; said where its deepest part is that does exist.
fn missing(tree: &Tree, root: NodeId, path: &[&str]) -> Error {
    find_at(tree, root, path).err().unwrap_or_else(issues::nothing_at_plain_place)
}

fn open(file: &Path, plain: &Plain, text: String) -> std::result::Result<(Tree, NodeId), Stop> {
    let source: Arc<Source> = Source::new(file.display().to_string(), text);
    let tree = read(&source, Dialect::Core, DocumentLimits::default())?;
    let (file, count) = (file.display(), tree.roots().len());
    let number = match plain.choice()? {
        None => Some(0),
        Some(Choice::Position(position)) if position < 0 => {
            count.checked_sub(position.unsigned_abs() as usize)
        }
        Some(Choice::Position(position)) => usize::try_from(position).ok(),
        Some(_) => {
            return Err(issues::plain_by_position().into());
        }
    };
    if let Some(&root) = number.and_then(|number| tree.roots().get(number)) {
        return Ok((tree, root));
    }
    let number = plain.document.as_deref().unwrap_or("0");
    Err(issues::no_document_of(&file, count, number).into())
}
