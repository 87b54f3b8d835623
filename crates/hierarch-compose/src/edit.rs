//! Edits of an expansion at the place that a JSON pointer names; saving brings them into the text.

use hierarch_source::Result;
use hierarch_yaml::{Data, Kind};

use crate::document::Document;
use crate::forest::Val;
use crate::issues;
use crate::restore::KeyRename;
use crate::select;

pub use hierarch_yaml::Edit;

/// Where an edit happens.
struct Target<'p> {
    pointer: &'p str,
    /// What is wanted, its data and keys already in the forest.
    edit: Edit<Val, Val>,
}

impl Document<'_> {
    /// Returns the expanded document with one place edited.
    pub fn with(&mut self, pointer: &str, edit: Edit) -> Result<Val> {
        let segments = segments(pointer)?;
        let forest = &mut self.expander.forest;
        let edit = match edit {
            Edit::Set(data) => Edit::Set(forest.grow(&data)?),
            Edit::Insert(data) => Edit::Insert(forest.grow(&data)?),
            Edit::Delete => Edit::Delete,
            Edit::Rename(name) => {
                self.renamed.push(KeyRename { path: segments.clone(), name: name.clone() });
                Edit::Rename(forest.grow(&Data::text(name))?)
            }
        };
        let start = self.edited.unwrap_or(self.value);
        self.edited_at(start, &segments, &Target { pointer, edit }).map_err(|error| match error.code {
            "DIRECTIVE_NO_SUCH_PLACE" => self.missing(start, pointer, &segments),
            _ => error,
        })
    }

    fn edited_at(&mut self, at: Val, path: &[String], target: &Target) -> Result<Val> {
        let missing = || issues::no_such_place(target.pointer);
        let Some((segment, rest)) = path.split_first() else {
            return match target.edit {
                Edit::Set(value) => Ok(value),
                _ => Err(issues::whole_document()),
            };
        };
        match self.forest().kind(at) {
            Kind::Map => self.edited_map(at, segment, rest, target),
            Kind::List => self.edited_list(at, segment, rest, target),
            _ => Err(missing()),
        }
    }

    fn edited_map(&mut self, map: Val, segment: &str, rest: &[String], target: &Target) -> Result<Val> {
        let mut entries: Vec<(Val, Val)> = self.forest().entries(map).collect();
        let place = self.forest().position_text(map, segment);
        match (place, target.edit) {
            (Some(place), _) if !rest.is_empty() => {
                entries[place].1 = self.edited_at(entries[place].1, rest, target)?;
            }
            (Some(place), Edit::Set(value)) => entries[place].1 = value,
            (Some(place), Edit::Delete) => {
                entries.remove(place);
            }
            (Some(place), Edit::Rename(name)) => {
                if let Some(other) = self.forest().position(map, name).filter(|&other| other != place) {
                    let error = issues::already_there(&self.forest().text(name));
                    return Err(self.forest().place_error(error, entries[other].1));
                }
                entries[place].0 = name;
            }
            (Some(place), Edit::Insert(_)) => {
                let error = issues::already_there(target.pointer);
                return Err(self.forest().place_error(error, entries[place].1));
            }
            (None, Edit::Set(value) | Edit::Insert(value)) if rest.is_empty() => {
                let key = self.expander.forest.grow(&Data::text(segment))?;
                entries.push((key, value));
            }
            (None, _) => return Err(issues::no_such_place(target.pointer)),
        }
        self.expander.forest.map(entries, None)
    }

    fn edited_list(&mut self, list: Val, segment: &str, rest: &[String], target: &Target) -> Result<Val> {
        let mut items: Vec<Val> = self.forest().items(list).collect();
        let missing = || issues::no_such_place(target.pointer);
        let place = if segment == "-" { items.len() } else { segment.parse().map_err(|_| missing())? };
        match (place < items.len(), target.edit) {
            (true, _) if !rest.is_empty() => items[place] = self.edited_at(items[place], rest, target)?,
            (true, Edit::Set(value)) => items[place] = value,
            (true, Edit::Delete) => {
                items.remove(place);
            }
            (_, Edit::Set(value) | Edit::Insert(value)) if rest.is_empty() && place <= items.len() => {
                items.insert(place, value);
            }
            _ => return Err(missing()),
        }
        self.expander.forest.list(items, None)
    }
}

/// Splits a JSON pointer into its segments, escapes undone.
pub fn segments(pointer: &str) -> Result<Vec<String>> {
    match pointer.strip_prefix('/') {
        Some(rest) => rest.split('/').map(|segment| select::unescape(segment, pointer)).collect(),
        None if pointer.is_empty() => Ok(Vec::new()),
        None => Err(issues::not_a_pointer(pointer)),
    }
}
