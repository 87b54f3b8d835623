//! Selectors: JSON pointers that may lead to several places.
//!
//! ```text
//! /spec/containers/[name=app]/image     items or entries for which something holds
//! /**/image                             at any depth
//! /list/-1   /list/1:3   /map/*         the last item, a slice, every child
//! ```
//! A pointer that leads somewhere as it stands leads there and nowhere else; `~2` is a literal `*`, `~3` a `[`.

mod condition;
mod parse;

use hierarch_source::Result;
use hierarch_source::pointer::below;
use hierarch_yaml::{Data, Kind};
use rustc_hash::FxHashSet;

pub(crate) use condition::all_hold;
pub use condition::{Condition, conditions};
pub(crate) use parse::unescape;

use crate::forest::{Forest, Val};
use crate::issues;

/// A pointer that may lead to several places.
#[derive(Clone, Debug)]
pub struct Selector {
    text: String,
    segments: Vec<Segment>,
    /// What it says as a JSON pointer, if it is one.
    pointer: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
enum Segment {
    /// A key, or a position.
    Key(String),
    /// The place behind the last item.
    End,
    /// An item counted from the end, 1 for the last.
    Back(usize),
    /// Items from one position up to another, counted from the end if negative.
    Slice(Option<i64>, Option<i64>),
    /// Every child.
    Every,
    /// Every descendant, and the value itself.
    Descendants,
    /// The children for which all of it holds.
    Where(Vec<Condition>),
    /// The children for which an expression is true.
    Expression(String),
}

/// Says whether an expression holds for a value.
pub type Holds<'h> = dyn FnMut(&str, &Data) -> Result<bool> + 'h;

/// One place that a selector leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedPlace {
    /// The JSON pointer to it.
    pub pointer: String,
    /// What stands there; nothing behind the last item of a list and under a key that is not there yet.
    pub value: Option<Val>,
}

/// More places than this are an error: a selector with several `**` grows fast.
const MOST_PLACES: usize = 10_000_000;

impl Selector {
    /// Takes a selector apart.
    pub fn parse(text: &str) -> Result<Self> {
        let pointer = crate::edit::segments(text).ok();
        Ok(Self { text: text.to_owned(), segments: parse::segments(text)?, pointer })
    }

    /// Tells whether it is a JSON pointer and nothing more.
    pub fn is_plain(&self) -> bool {
        self.segments.iter().all(|segment| matches!(segment, Segment::Key(_)))
    }

    /// Tells whether it leads to any depth, so that it names no place that is not there yet.
    pub fn is_of_any_depth(&self) -> bool {
        self.segments.iter().any(|segment| matches!(segment, Segment::Descendants))
    }

    /// Finds all places in the order of the document. With `new`, the last segment may name a key that is not
    /// there yet, or the place behind a list's end.
    pub fn select(
        &self,
        forest: &Forest,
        top: Val,
        new: bool,
        holds: &mut Holds,
    ) -> Result<Vec<SelectedPlace>> {
        if let Some(found) = self.literal(forest, top, new) {
            return Ok(vec![found]);
        }
        // A search at any depth finds only places that exist.
        let new = new && !self.is_of_any_depth();
        let mut places = vec![SelectedPlace { pointer: String::new(), value: Some(top) }];
        for (index, segment) in self.segments.iter().enumerate() {
            let last = new && index + 1 == self.segments.len();
            let mut next = Vec::new();
            for place in &places {
                let Some(value) = place.value else { continue };
                Step { forest, place, value, last }.take(segment, &mut next, holds)?;
                if next.len() > MOST_PLACES {
                    return Err(issues::too_many_places(&self.text, MOST_PLACES));
                }
            }
            // Behind `**` two ways can lead to one place, and keys such as 1 and '1' have one name.
            if next.len() > 1 {
                let mut known = FxHashSet::default();
                next.retain(|place| known.insert(place.pointer.clone()));
            }
            places = next;
        }
        Ok(places)
    }

    /// The one place that the selector leads to as a JSON pointer.
    fn literal(&self, forest: &Forest, top: Val, new: bool) -> Option<SelectedPlace> {
        let segments = self.pointer.as_ref()?;
        let mut value = top;
        for (index, segment) in segments.iter().enumerate() {
            match forest.child(value, segment) {
                Some(child) => value = child,
                None if new && index + 1 == segments.len() && self.is_plain() => {
                    return Some(SelectedPlace { pointer: self.text.clone(), value: None });
                }
                None => return None,
            }
        }
        Some(SelectedPlace { pointer: self.text.clone(), value: Some(value) })
    }
}

/// One step from one place.
struct Step<'s> {
    forest: &'s Forest,
    place: &'s SelectedPlace,
    value: Val,
    /// It is the last step, and may lead to what is not there yet.
    last: bool,
}

impl Step<'_> {
    fn take(&self, segment: &Segment, found: &mut Vec<SelectedPlace>, holds: &mut Holds) -> Result<()> {
        match segment {
            Segment::Key(key) => self.key(key, found),
            Segment::End if self.last && self.is_list() => found.push(self.at("-", None)),
            Segment::End => self.key("-", found),
            Segment::Back(back) if self.is_list() => {
                let place = self.forest.len(self.value).checked_sub(*back);
                found.extend(place.map(|place| self.item(place)));
            }
            Segment::Back(back) => self.key(&format!("-{back}"), found),
            Segment::Slice(from, to) if self.is_list() => {
                let count = self.forest.len(self.value);
                let (from, to) = (bound(*from, 0, count), bound(*to, count, count));
                found.extend((from..to).map(|place| self.item(place)));
            }
            Segment::Slice(from, to) => self.key(&slice_text(*from, *to), found),
            Segment::Every => found.extend(self.children()),
            Segment::Descendants => self.descend(found)?,
            Segment::Where(conditions) => {
                for child in self.children() {
                    let value = child.value.unwrap_or(self.value);
                    if condition::all_hold(conditions, self.forest, value)? {
                        found.push(child);
                    }
                }
            }
            Segment::Expression(text) => {
                for child in self.children() {
                    if holds(text, &self.forest.data(child.value.unwrap_or(self.value)))? {
                        found.push(child);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_list(&self) -> bool {
        self.forest.kind(self.value) == Kind::List
    }

    fn key(&self, key: &str, found: &mut Vec<SelectedPlace>) {
        match self.forest.child(self.value, key) {
            Some(child) => found.push(self.at(key, Some(child))),
            None if self.last && self.forest.is_map(self.value) => found.push(self.at(key, None)),
            None => {}
        }
    }

    fn at(&self, segment: &str, value: Option<Val>) -> SelectedPlace {
        SelectedPlace { pointer: below(&self.place.pointer, segment), value }
    }

    fn item(&self, place: usize) -> SelectedPlace {
        self.at(&place.to_string(), Some(self.forest.item(self.value, place)))
    }

    fn children(&self) -> Vec<SelectedPlace> {
        match self.forest.kind(self.value) {
            Kind::Map => {
                let entries = self.forest.entries(self.value);
                entries.map(|(key, value)| self.at(&self.forest.text(key), Some(value))).collect()
            }
            Kind::List => (0..self.forest.len(self.value)).map(|place| self.item(place)).collect(),
            _ => Vec::new(),
        }
    }

    fn descend(&self, found: &mut Vec<SelectedPlace>) -> Result<()> {
        found.push(self.place.clone());
        for child in self.children() {
            let Some(value) = child.value else { continue };
            if found.len() > MOST_PLACES {
                return Err(issues::too_many_places("**", MOST_PLACES));
            }
            Step { forest: self.forest, place: &child, value, last: false }.descend(found)?;
        }
        Ok(())
    }
}

/// A bound of a slice as a position.
fn bound(given: Option<i64>, default: usize, count: usize) -> usize {
    match given {
        None => default,
        Some(back) if back < 0 => count.saturating_sub(back.unsigned_abs() as usize),
        Some(position) => (position as usize).min(count),
    }
}

fn slice_text(from: Option<i64>, to: Option<i64>) -> String {
    let side = |side: Option<i64>| side.map(|side| side.to_string()).unwrap_or_default();
    format!("{}:{}", side(from), side(to))
}
