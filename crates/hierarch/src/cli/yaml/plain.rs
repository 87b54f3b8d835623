//! `--plain`: documents in which every key is data, at any place of a stream, whatever stands at their top.

use std::path::Path;
use std::sync::Arc;

use hierarch_compose::{Choice, Notations, Selector, segments};
use hierarch_source::{Error, Source};
use hierarch_yaml::{
    Content, Data, Dialect, DocumentLimits, Fidelity, Kind, NodeId, Scalar, SpelledValue, Style, Tree, edit,
    edit_toward, find_at, read,
};

use super::super::foreign::Notation;
use super::input::Input;
use super::wish::{Wish, dressed_places};
use super::{Plain, Reach, Stop};
use crate::cli::issues;

/// Returns the text of a file.
pub(super) fn text(input: &Input) -> std::result::Result<String, Stop> {
    Ok(Source::from_bytes(input.path.display().to_string(), input.bytes()?)?.text().to_owned())
}

/// A value, and how it is spelled.
pub(super) struct Found {
    pub(super) data: Data,
    pub(super) spelled: SpelledValue<'static>,
}

/// Returns the value at a JSON pointer, aliases and merge keys followed.
pub(super) fn get(
    input: &Input,
    plain: &Plain,
    reach: &Reach,
    pointer: &str,
) -> std::result::Result<Found, Stop> {
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
    let direct = find_at(&tree, root, &path).ok();
    if let Some(node) = direct.or_else(|| path.iter().try_fold(root, |node, key| child(&tree, node, key))) {
        // The data are within the limits, and so are the words.
        let data = tree.data(node, DocumentLimits::default())?;
        return Ok(Found { data, spelled: spelled(&tree, node) });
    }
    refuse_selector(&tree, root, pointer)?;
    Err(missing(&tree, root, &path).into())
}

/// The entries of a map, those of merge keys included.
fn entries(tree: &Tree, map: NodeId) -> Vec<(NodeId, NodeId)> {
    match tree.view(map) {
        Ok(entries) if tree.has_merge_key(map) => entries.to_vec(),
        _ => tree.entries(map).collect(),
    }
}

/// What stands at a key or a position, aliases and merge keys followed.
fn child(tree: &Tree, node: NodeId, segment: &str) -> Option<NodeId> {
    let node = tree.target(node);
    if tree.kind(node) == Kind::List {
        return tree.children(node).get(segment.parse::<usize>().ok()?).copied();
    }
    let is_it = |&(key, _): &(NodeId, NodeId)| tree.text(tree.target(key)) == segment;
    entries(tree, node).into_iter().find(is_it).map(|(_, value)| value)
}

/// A value in which numbers and truth values are as they are spelled, with its tags.
fn spelled(tree: &Tree, node: NodeId) -> SpelledValue<'static> {
    let node = tree.target(node);
    let content = match tree.kind(node) {
        Kind::Map => {
            let entry = |(key, value)| (spelled(tree, key), spelled(tree, value));
            Content::Map(entries(tree, node).into_iter().map(entry).collect())
        }
        Kind::List => Content::List(tree.children(node).iter().map(|&item| spelled(tree, item)).collect()),
        _ => words(tree, node),
    };
    SpelledValue { content, tag: tree.own_tag(node).map(str::to_owned), ..SpelledValue::default() }
}

fn words(tree: &Tree, node: NodeId) -> Content<'static> {
    let scalar = tree.scalar(node).map_or(Scalar::Str(tree.text(node).to_owned().into()), Scalar::into_owned);
    match (&scalar, tree.spelling(node)) {
        (Scalar::Str(_) | Scalar::Symbol(_) | Scalar::Binary(_) | Scalar::Null, _) | (_, None) => {
            Content::Scalar(scalar, None)
        }
        (_, Some(_)) if tree.tag(node).is_some() && tree.own_tag(node).is_none() => {
            Content::Scalar(scalar, None)
        }
        (_, Some(words)) => Content::Words(words.to_owned().into()),
    }
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
        let fidelity = fidelity(&tree, root, &path);
        text = dressed_places(text, position_of(&tree, root), [(place.pointer.as_str(), place)], fidelity)?;
    }
    Ok(text)
}

/// Only quotes that stood at a place may stay.
fn fidelity(tree: &Tree, root: NodeId, path: &[&str]) -> Fidelity {
    let style = find_at(tree, root, path).ok().map(|node| tree.style(node));
    if matches!(style, Some(Style::Single | Style::Double)) { Fidelity::Loose } else { Fidelity::Fresh }
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
