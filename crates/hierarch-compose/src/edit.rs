//! Edits of an expansion at the place that a JSON pointer names; saving brings them into the text.

use std::collections::BTreeMap;

use hierarch_source::{Error, Result};
use hierarch_yaml::{Data, Kind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::Document;
use crate::forest::Val;
use crate::issues;
use crate::restore::KeyRename;
use crate::select;

pub use hierarch_yaml::Edit;

/// A place and what is wanted there.
struct Target<'p> {
    pointer: &'p str,
    /// The way there, escapes undone.
    path: Vec<String>,
    /// What is wanted, its data and keys already in the forest.
    edit: Edit<Val, Val>,
}

/// The targets at one place of a map or list, and those below it.
#[derive(Default)]
struct Here<'t> {
    own: Vec<&'t Target<'t>>,
    below: Vec<&'t Target<'t>>,
}

impl Document<'_> {
    /// Returns the expanded document with one place edited.
    pub fn with(&mut self, pointer: &str, edit: Edit) -> Result<Val> {
        self.with_all(&[(pointer.to_owned(), edit)])
    }

    /// Returns the expanded document with several places edited, all named as they were before, so that the work grows
    /// with the places and with the collections around them alone. What is inside another place is edited first.
    pub fn with_all(&mut self, edits: &[(String, Edit)]) -> Result<Val> {
        let targets =
            edits.iter().map(|(pointer, edit)| self.target(pointer, edit)).collect::<Result<Vec<_>>>()?;
        let start = self.edited.unwrap_or(self.value);
        self.edited_at(start, 0, &targets.iter().collect::<Vec<_>>())
    }

    fn target<'p>(&mut self, pointer: &'p str, edit: &Edit) -> Result<Target<'p>> {
        let path = segments(pointer)?;
        let forest = &mut self.expander.forest;
        let edit = match edit {
            Edit::Set(data) => Edit::Set(forest.grow(data)?),
            Edit::Insert(data) => Edit::Insert(forest.grow(data)?),
            Edit::Delete => Edit::Delete,
            Edit::Rename(name) => {
                self.renamed.push(KeyRename { path: path.clone(), name: name.clone() });
                Edit::Rename(forest.grow(&Data::text(name.as_str()))?)
            }
        };
        Ok(Target { pointer, path, edit })
    }

    /// Nothing is where a target wants to be.
    fn no_place(&self, target: &Target) -> Error {
        self.missing(self.edited.unwrap_or(self.value), target.pointer, &target.path)
    }

    fn edited_at(&mut self, at: Val, depth: usize, targets: &[&Target]) -> Result<Val> {
        let (own, below): (Vec<&Target>, Vec<&Target>) =
            targets.iter().partition(|target| target.path.len() == depth);
        let edited = match (below.first(), self.forest().kind(at)) {
            (None, _) => at,
            (Some(_), Kind::Map) => self.edited_map(at, depth, &below)?,
            (Some(_), Kind::List) => self.edited_list(at, depth, &below)?,
            (Some(target), _) => return Err(self.no_place(target)),
        };
        match own.first().map(|target| target.edit) {
            None => Ok(edited),
            Some(Edit::Set(value)) => Ok(value),
            Some(_) => Err(issues::whole_document()),
        }
    }

    fn edited_map(&mut self, map: Val, depth: usize, targets: &[&Target]) -> Result<Val> {
        let mut entries: Vec<(Val, Val)> = self.forest().entries(map).collect();
        let mut deleted = FxHashSet::default();
        for (segment, here) in grouped(depth, targets) {
            let Some(place) = self.forest().position_text(map, segment) else {
                entries.push(self.new_entry(segment, &here)?);
                continue;
            };
            if !here.below.is_empty() {
                entries[place].1 = self.edited_at(entries[place].1, depth + 1, &here.below)?;
            }
            for target in here.own {
                match target.edit {
                    Edit::Set(value) => entries[place].1 = value,
                    Edit::Delete => {
                        deleted.insert(place);
                    }
                    Edit::Rename(name) => {
                        self.refuse_repetition(&entries, place, name)?;
                        entries[place].0 = name;
                    }
                    Edit::Insert(_) => {
                        let error = issues::already_there(target.pointer);
                        return Err(self.forest().place_error(error, entries[place].0));
                    }
                }
            }
        }
        let mut place = 0..;
        entries.retain(|_| place.next().is_none_or(|place| !deleted.contains(&place)));
        // What is edited keeps its tag.
        self.expander.forest.map(entries, Some(map))
    }

    /// A key that is not there yet.
    fn new_entry(&mut self, segment: &str, here: &Here) -> Result<(Val, Val)> {
        match (here.own.last().map(|target| (target, target.edit)), here.below.first()) {
            (Some((_, Edit::Set(value) | Edit::Insert(value))), None) => {
                Ok((self.expander.forest.grow(&Data::text(segment))?, value))
            }
            (_, Some(target)) | (Some((target, _)), _) => Err(self.no_place(target)),
            (None, None) => Err(issues::no_such_place(segment)),
        }
    }

    /// A new name must not be that of another entry.
    fn refuse_repetition(&self, entries: &[(Val, Val)], place: usize, name: Val) -> Result<()> {
        let forest = self.forest();
        let is_other =
            |&(index, (key, _)): &(usize, &(Val, Val))| index != place && forest.same_key(*key, name);
        match entries.iter().enumerate().find(is_other) {
            Some((_, &(key, _))) => Err(forest.place_error(issues::already_there(&forest.text(name)), key)),
            None => Ok(()),
        }
    }

    fn edited_list(&mut self, list: Val, depth: usize, targets: &[&Target]) -> Result<Val> {
        let old: Vec<Val> = self.forest().items(list).collect();
        let mut here: BTreeMap<usize, Here> = BTreeMap::new();
        for (segment, found) in grouped(depth, targets) {
            let place = if segment == "-" { Some(old.len()) } else { segment.parse().ok() };
            let Some(place) = place.filter(|&place| place <= old.len()) else {
                let target = found.own.first().or(found.below.first());
                return Err(
                    target.map_or_else(|| issues::no_such_place(segment), |target| self.no_place(target))
                );
            };
            let known = here.entry(place).or_default();
            known.own.extend(found.own);
            known.below.extend(found.below);
        }
        let mut items = Vec::with_capacity(old.len() + here.len());
        for (place, &item) in old.iter().enumerate() {
            match here.remove(&place) {
                None => items.push(item),
                Some(here) => self.edited_item(item, depth, &here, &mut items)?,
            }
        }
        for here in here.into_values() {
            self.new_items(&here, &mut items)?;
        }
        self.expander.forest.list(items, Some(list))
    }

    /// An item with what is to be before it, in its place, or nothing.
    fn edited_item(&mut self, item: Val, depth: usize, here: &Here, items: &mut Vec<Val>) -> Result<()> {
        let mut item = Some(item);
        if let (Some(old), false) = (item, here.below.is_empty()) {
            item = Some(self.edited_at(old, depth + 1, &here.below)?);
        }
        for target in &here.own {
            match target.edit {
                Edit::Set(value) => item = Some(value),
                Edit::Insert(value) => items.push(value),
                Edit::Delete => item = None,
                Edit::Rename(_) => return Err(self.no_place(target)),
            }
        }
        items.extend(item);
        Ok(())
    }

    /// What comes behind the last item.
    fn new_items(&mut self, here: &Here, items: &mut Vec<Val>) -> Result<()> {
        for target in here.own.iter().chain(&here.below) {
            match target.edit {
                Edit::Set(value) | Edit::Insert(value) if here.below.is_empty() => items.push(value),
                _ => return Err(self.no_place(target)),
            }
        }
        Ok(())
    }
}

/// Groups targets by the segment that leads on, in the order in which they come.
fn grouped<'t>(depth: usize, targets: &[&'t Target<'t>]) -> Vec<(&'t str, Here<'t>)> {
    let mut groups: Vec<(&str, Here)> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    for &target in targets {
        let Some(segment) = target.path.get(depth).map(String::as_str) else { continue };
        let group = *known.entry(segment).or_insert_with(|| {
            groups.push((segment, Here::default()));
            groups.len() - 1
        });
        let here = &mut groups[group].1;
        if target.path.len() == depth + 1 { here.own.push(target) } else { here.below.push(target) }
    }
    groups
}

/// Splits a JSON pointer into its segments, escapes undone.
pub fn segments(pointer: &str) -> Result<Vec<String>> {
    match pointer.strip_prefix('/') {
        Some(rest) => rest.split('/').map(|segment| select::unescape(segment, pointer)).collect(),
        None if pointer.is_empty() => Ok(Vec::new()),
        None => Err(issues::not_a_pointer(pointer)),
    }
}
