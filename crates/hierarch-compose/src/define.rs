//! Changing a value where it is defined instead of where it is used.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_source::{Files, Overlay, Result, Source};
use hierarch_yaml::{
    Change, Data, EntryChange, Fidelity, GivenValue, Item, Kind, MapChange, NodeId, Tree, dressed,
    split_documents,
};

use crate::document::Document;
use crate::edit::{Edit, segments};
use crate::forest::Val;
use crate::include::{Access, Location};
use crate::issues;
use crate::stream::Stream;

/// The text of a file before and after edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextChange {
    /// What it was.
    pub old: String,
    /// What it becomes.
    pub new: String,
}

/// An edit of the definition of a value.
#[derive(Clone, Debug)]
pub struct Definition<'g> {
    /// Where the value is in the expansion.
    pub pointer: String,
    /// What becomes of it.
    pub edit: Edit,
    /// The new value as it was given, with its tags and spellings.
    pub given: Option<(&'g Tree, NodeId)>,
}

/// Makes edits where the values of a document are defined, one after the other, each on what the one before left. The document
/// is a file's only one, or the one at a place of a stream. Nothing is written: what becomes of the files is returned. An edit that
/// does not show in the document is an error.
pub fn define_all<'g>(
    files: &Overlay,
    (file, place): (&Path, Option<usize>),
    access: &Access,
    edits: impl IntoIterator<Item = Definition<'g>>,
) -> Result<BTreeMap<PathBuf, TextChange>> {
    let mut overlay = files.clone();
    let mut changed: BTreeMap<PathBuf, TextChange> = BTreeMap::new();
    for Definition { pointer: path, edit, given } in edits {
        let mut current = open(&overlay, (file, place), access)?;
        let (location, part, text) = current.define(&path, edit.clone(), given)?;
        let Location::File(target) = location else { return Err(issues::defined_at_a_url(&path)) };
        let wanted = current.with(&path, edit)?;
        let wanted = current.around(wanted, &path)?;
        drop(current);
        let before = overlay.read(&target);
        let before =
            before.map_err(|error| issues::unreadable(&target.display().to_string(), &error.to_string()))?;
        let before = String::from_utf8_lossy(&before).into_owned();
        let text = within(&before, &part, &text).ok_or_else(|| issues::no_such_place(&path))?;
        let change =
            changed.entry(target.clone()).or_insert_with(|| TextChange { old: before, new: String::new() });
        change.new.clone_from(&text);
        overlay.insert(target, text);
        let mut again = open(&overlay, (file, place), access)?;
        let found = again.around(again.value(), &path)?;
        let (found, wanted) = (again.grow(&found)?, again.grow(&wanted)?);
        if !again.forest().same(found, wanted) {
            return Err(issues::hidden_definition(&path));
        }
    }
    Ok(changed)
}

/// Opens a file's only document, or the one at a place of a stream.
fn open<'a>(
    files: &'a Overlay,
    (file, place): (&Path, Option<usize>),
    access: &'a Access<'a>,
) -> Result<Document<'a>> {
    match place {
        Some(place) => Stream::open(files, file, access)?.document(files, access, place),
        None => Stream::open(files, file, access)?.document(files, access, 0),
    }
}

/// Puts the new text of a document into the file that it is a part of, which may have others before and behind it.
fn within(whole: &str, part: &Source, new: &str) -> Option<String> {
    let lines_before = part.position(0).line.saturating_sub(1) as usize;
    let is_part = |range: &Range<usize>| {
        let before = whole[..range.start].bytes().filter(|&byte| byte == b'\n').count();
        before == lines_before && whole[range.clone()] == *part.text()
    };
    if whole.strip_prefix('\u{feff}').unwrap_or(whole) == part.text() {
        return Some(new.to_owned());
    }
    let range = split_documents(whole).into_iter().find(is_part)?;
    Some([&whole[..range.start], new, &whole[range.end..]].concat())
}

impl Document<'_> {
    /// Makes an edit in the document that defines what stands at a pointer; returns the file, the document's own text and its new
    /// one. Whatever else uses the definition changes with it.
    fn define(
        &self,
        pointer: &str,
        edit: Edit,
        given: Option<(&Tree, NodeId)>,
    ) -> Result<(Location, Arc<Source>, String)> {
        let segments = segments(pointer)?;
        let missing = || issues::no_such_place(pointer);
        let found = self.expander.follow(self.value, &segments);
        let path = self.path_of_definition(found, &segments).filter(|_| !matches!(edit, Edit::Insert(_)));
        let (doc, change, root) = match (found, edit) {
            (Some(found), Edit::Set(data)) => self.at_definition(found, Change::Set(data), pointer)?,
            (Some(found), Edit::Delete) => self.at_entry(found, EntryChange::Delete, pointer)?,
            (Some(found), Edit::Rename(name)) => {
                self.at_entry(found, EntryChange::Rename(Data::text(name)), pointer)?
            }
            (None, Edit::Set(data)) | (_, Edit::Insert(data)) => {
                self.new_definition(&segments, data, pointer)?
            }
            (None, _) => return Err(missing()),
        };
        let tree = self.forest().tree(doc);
        let location = self.expander.location(doc).ok_or_else(missing)?;
        let text = hierarch_yaml::edit(tree, root, &change)?;
        let text = match (given, path) {
            (Some((tree, node)), Some(path)) => {
                dressed(&text, 0, &[GivenValue { path, tree, node }], Fidelity::Loose)?
            }
            _ => text,
        };
        Ok((location, Arc::clone(tree.source()), text))
    }

    /// Returns where in its document a value stands, or a new one will.
    fn path_of_definition(&self, found: Option<Val>, segments: &[String]) -> Option<Vec<String>> {
        if let Some((doc, node)) = found.and_then(Val::node) {
            return Some(path_to(self.forest().tree(doc), node));
        }
        let (last, around) = segments.split_last()?;
        let (doc, node) = self.expander.follow(self.value, around)?.node()?;
        let mut path = path_to(self.forest().tree(doc), node);
        path.push(last.clone());
        Some(path)
    }

    /// Returns the collection in which a place lies: an edit there must show in it.
    fn around(&self, value: Val, path: &str) -> Result<Data> {
        let around = path.rsplit_once('/').map_or("", |(around, _)| around);
        Ok(self.forest().data(self.within(value, around)?))
    }

    fn at_definition(&self, found: Val, change: Change, pointer: &str) -> Result<(u32, Change, NodeId)> {
        let (doc, node) = found.node().ok_or_else(|| issues::defined_in_parts(pointer))?;
        let tree = self.forest().tree(doc);
        let root = tree.root().ok_or_else(|| issues::no_such_place(pointer))?;
        let change = wrap(tree, root, node, change).ok_or_else(|| issues::no_such_place(pointer))?;
        Ok((doc, change, root))
    }

    /// Deletes or renames the entry that a value stands in.
    fn at_entry(&self, found: Val, entry: EntryChange, pointer: &str) -> Result<(u32, Change, NodeId)> {
        let missing = || issues::no_such_place(pointer);
        let (doc, node) = found.node().ok_or_else(|| issues::defined_in_parts(pointer))?;
        let tree = self.forest().tree(doc);
        let root = tree.root().ok_or_else(missing)?;
        let (parent, slot) = parent_of(tree, node).ok_or_else(missing)?;
        let change = match (tree.kind(parent), entry) {
            (Kind::Map, entry) => {
                Change::Map(MapChange { entries: vec![(slot / 2, entry)], added: Vec::new() })
            }
            (_, EntryChange::Delete) => {
                let mut items = all_items(tree, parent);
                items.remove(slot);
                Change::List(items)
            }
            _ => return Err(missing()),
        };
        let change = wrap(tree, root, parent, change).ok_or_else(missing)?;
        Ok((doc, change, root))
    }

    /// A key that is not there yet is defined in the map it shall be in.
    fn new_definition(
        &self,
        segments: &[String],
        data: Data,
        pointer: &str,
    ) -> Result<(u32, Change, NodeId)> {
        let (last, around) = segments.split_last().ok_or_else(|| issues::no_such_place(pointer))?;
        let parent =
            self.expander.follow(self.value, around).ok_or_else(|| issues::no_such_place(pointer))?;
        let change = match self.forest().kind(parent) {
            Kind::Map => {
                Change::Map(MapChange { entries: Vec::new(), added: vec![(Data::text(last), data)] })
            }
            Kind::List => {
                let (doc, node) = parent.node().ok_or_else(|| issues::defined_in_parts(pointer))?;
                let mut items = all_items(self.forest().tree(doc), node);
                let place = if last == "-" { Some(items.len()) } else { last.parse().ok() };
                let place = place.filter(|&place| place <= items.len());
                items.insert(place.ok_or_else(|| issues::no_such_place(pointer))?, Item::New(data));
                Change::List(items)
            }
            _ => return Err(issues::no_such_place(pointer)),
        };
        self.at_definition(parent, change, pointer)
    }
}

/// The keys and positions that lead to a node.
fn path_to(tree: &Tree, node: NodeId) -> Vec<String> {
    let mut path = Vec::new();
    let mut at = node;
    while let Some((parent, slot)) = tree.parent(at) {
        path.push(match tree.kind(parent) {
            Kind::Map => tree.text(tree.target(tree.children(parent)[slot - slot % 2])).to_owned(),
            _ => slot.to_string(),
        });
        at = parent;
    }
    path.reverse();
    path
}

fn all_items(tree: &Tree, list: NodeId) -> Vec<Item> {
    (0..tree.children(list).len()).map(|index| Item::Old(index, Change::Keep)).collect()
}

fn parent_of(tree: &Tree, node: NodeId) -> Option<(NodeId, usize)> {
    // A parent stands before its children in the text.
    (0..node.index()).rev().map(NodeId::from_index).find_map(|parent| {
        let slot = tree.children(parent).iter().position(|&child| child == node)?;
        Some((parent, slot))
    })
}

/// Wraps a change of a node into changes of everything around it.
fn wrap(tree: &Tree, root: NodeId, node: NodeId, change: Change) -> Option<Change> {
    if node == root {
        return Some(change);
    }
    let (parent, slot) = parent_of(tree, node)?;
    let outer = if tree.kind(parent) == Kind::Map {
        Change::Map(MapChange { entries: vec![(slot / 2, EntryChange::Value(change))], added: Vec::new() })
    } else {
        let mut items = all_items(tree, parent);
        items[slot] = Item::Old(slot, change);
        Change::List(items)
    };
    wrap(tree, root, parent, outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_documents_of_a_stream_stay() {
        let whole = "kind: A\nx: 1\n---\nkind: B\nx: 2\n---\nkind: B\nx: 2\n";
        let parts = split_documents(whole);
        for (place, range) in parts.iter().enumerate() {
            let lines = whole[..range.start].lines().count() as u32;
            let part = Source::part("f", &whole[range.clone()], lines);
            let new = within(whole, &part, "---\nnew\n").expect("a part");
            let mut wanted: Vec<&str> = parts.iter().map(|range| &whole[range.clone()]).collect();
            wanted[place] = "---\nnew\n";
            assert_eq!(new, wanted.concat(), "{place}");
        }
        assert_eq!(within(whole, &Source::part("f", "kind: C\n", 0), ""), None);
        assert_eq!(within("\u{feff}a: 1\n", &Source::unnamed("a: 1\n"), "b").as_deref(), Some("b"));
    }
}
