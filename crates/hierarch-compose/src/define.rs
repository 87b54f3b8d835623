//! Changing a value where it is defined instead of where it is used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hierarch_source::{Files, Overlay, Result};
use hierarch_yaml::{Change, Data, EntryChange, Item, Kind, MapChange, NodeId, Tree};

use crate::document::Document;
use crate::edit::{Edit, segments};
use crate::forest::Val;
use crate::include::{Access, Location};
use crate::issues;

/// The text of a file before and after edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextChange {
    /// What it was.
    pub old: String,
    /// What it becomes.
    pub new: String,
}

/// Makes edits where the values of a document are defined, one after the other, each on what the one before left. Nothing
/// is written: what becomes of the files is returned. An edit that does not show in the document is an error.
pub fn define_all(
    files: &Overlay,
    file: &Path,
    access: &Access,
    edits: impl IntoIterator<Item = (String, Edit)>,
) -> Result<BTreeMap<PathBuf, TextChange>> {
    let mut overlay = files.clone();
    let mut changed: BTreeMap<PathBuf, TextChange> = BTreeMap::new();
    for (path, edit) in edits {
        let mut current = Document::open(&overlay, file, access)?;
        let (location, text) = current.define(&path, edit.clone())?;
        let Location::File(target) = location else { return Err(issues::defined_at_a_url(&path)) };
        let wanted = current.with(&path, edit)?;
        let wanted = current.around(wanted, &path)?;
        drop(current);
        let before = overlay.read(&target);
        let before =
            before.map_err(|error| issues::unreadable(&target.display().to_string(), &error.to_string()))?;
        let change = changed.entry(target.clone()).or_insert_with(|| TextChange {
            old: String::from_utf8_lossy(&before).into_owned(),
            new: String::new(),
        });
        change.new.clone_from(&text);
        overlay.insert(target, text);
        let mut again = Document::open(&overlay, file, access)?;
        let found = again.around(again.value(), &path)?;
        let (found, wanted) = (again.grow(&found)?, again.grow(&wanted)?);
        if !again.forest().same(found, wanted) {
            return Err(issues::hidden_definition(&path));
        }
    }
    Ok(changed)
}

impl Document<'_> {
    /// Makes an edit in the document that defines what stands at a pointer; returns that document's place and
    /// its new text. Whatever else uses the definition changes with it.
    pub fn define(&self, pointer: &str, edit: Edit) -> Result<(Location, String)> {
        let segments = segments(pointer)?;
        let missing = || issues::no_such_place(pointer);
        let found = self.expander.follow(self.value, &segments);
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
        Ok((location, hierarch_yaml::edit(tree, root, &change)?))
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
