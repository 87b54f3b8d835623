//! Edits of an expansion at the place that a JSON pointer names; saving brings them into the text.

use hierarch_source::Result;
use hierarch_yaml::{Data, Kind};

use crate::directive::parse_pointer;
use crate::document::Document;
use crate::forest::Val;
use crate::issues;
use crate::restore::Renamed;

/// What shall become of a place.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// It gets this value, whether or not it has one; `-` in a list is the place behind its end.
    Set(Data),
    /// It is new: a key that is not there yet, or a place in a list, from which on the items move up.
    Insert(Data),
    /// It goes.
    Delete,
    /// It gets another key, in the same place.
    Rename(String),
}

/// An edit whose data is in the forest already.
#[derive(Clone, Copy)]
enum Step {
    Set(Val),
    Insert(Val),
    Delete,
    Rename(Val),
}

/// Where an edit happens.
struct Target<'p> {
    pointer: &'p str,
    step: Step,
}

impl Document<'_> {
    /// Returns the expanded document with one place edited.
    pub fn with(&mut self, pointer: &str, edit: Edit) -> Result<Val> {
        let segments = segments(pointer)?;
        let forest = &mut self.expander.forest;
        let step = match edit {
            Edit::Set(data) => Step::Set(forest.grow(&data)?),
            Edit::Insert(data) => Step::Insert(forest.grow(&data)?),
            Edit::Delete => Step::Delete,
            Edit::Rename(name) => {
                self.renamed.push(Renamed { path: segments.clone(), name: name.clone() });
                Step::Rename(forest.grow(&Data::text(name))?)
            }
        };
        let start = self.edited.unwrap_or(self.value);
        self.edited_at(start, &segments, &Target { pointer, step }).map_err(|error| match error.code {
            "DIRECTIVE_NO_SUCH_PLACE" => self.missing(start, pointer, &segments),
            _ => error,
        })
    }

    fn edited_at(&mut self, at: Val, path: &[String], target: &Target) -> Result<Val> {
        let missing = || issues::no_such_place(target.pointer);
        let Some((segment, rest)) = path.split_first() else {
            return match target.step {
                Step::Set(value) => Ok(value),
                _ => Err(missing()),
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
        match (place, target.step) {
            (Some(place), _) if !rest.is_empty() => {
                entries[place].1 = self.edited_at(entries[place].1, rest, target)?;
            }
            (Some(place), Step::Set(value)) => entries[place].1 = value,
            (Some(place), Step::Delete) => {
                entries.remove(place);
            }
            (Some(place), Step::Rename(name)) => {
                if self.forest().position(map, name).is_some_and(|other| other != place) {
                    return Err(issues::already_there(&self.forest().text(name)));
                }
                entries[place].0 = name;
            }
            (Some(_), Step::Insert(_)) => return Err(issues::already_there(target.pointer)),
            (None, Step::Set(value) | Step::Insert(value)) if rest.is_empty() => {
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
        match (place < items.len(), target.step) {
            (true, _) if !rest.is_empty() => items[place] = self.edited_at(items[place], rest, target)?,
            (true, Step::Set(value)) => items[place] = value,
            (true, Step::Delete) => {
                items.remove(place);
            }
            (_, Step::Set(value) | Step::Insert(value)) if rest.is_empty() && place <= items.len() => {
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
        Some(rest) => parse_pointer(rest),
        None if pointer.is_empty() => Ok(Vec::new()),
        None => Err(issues::not_a_pointer(pointer)),
    }
}
