//! Walking over values, and their lengths.

use std::rc::Rc;

use super::fault::Checked;
use super::issues;
use super::renderer::Renderer;
use super::show::type_name;
use super::value::{LazyItems, Val, range_length};
use crate::expr::budget::NODE;

/// The items of something, of a range made one by one.
pub(super) enum Walk {
    Items(std::vec::IntoIter<Val>),
    Range { next: i128, left: usize, step: i128 },
}

impl Iterator for Walk {
    type Item = Val;

    fn next(&mut self) -> Option<Val> {
        match self {
            Self::Items(items) => items.next(),
            Self::Range { next, left, step } => {
                *left = left.checked_sub(1)?;
                let number = *next;
                *next = next.saturating_add(*step);
                Some(Val::Int(number))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self {
            Self::Items(items) => items.len(),
            Self::Range { left, .. } => *left,
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for Walk {}

impl Renderer {
    /// Walks over a value.
    pub(super) fn walk(&mut self, value: &Val) -> Checked<Walk> {
        match value {
            Val::Rolled(rolled) => match &**rolled {
                LazyItems::Range { start, stop, step } => {
                    Ok(Walk::Range { next: *start, left: range_length(*start, *stop, *step), step: *step })
                }
                LazyItems::View(_, inner) => self.walk(inner),
            },
            other => Ok(Walk::Items(self.items(other)?.into_iter())),
        }
    }

    /// Returns the items of a value: of a map its keys, of a text its letters.
    pub(super) fn items(&mut self, value: &Val) -> Checked<Vec<Val>> {
        let items = match value {
            Val::List(list) | Val::Tuple(list) => list.items.borrow().clone(),
            Val::Dict(dict) => dict.pairs.borrow().values().map(|(key, _)| key.clone()).collect(),
            Val::Text(text) => {
                self.fits(text.text.len().saturating_mul(NODE))?;
                text.text.chars().map(|c| Val::text(c.encode_utf8(&mut [0; 4]) as &str)).collect()
            }
            Val::Branch(_) => {
                let plain = self.plain(value)?;
                return self.items(&plain);
            }
            Val::Rolled(rolled) => match &**rolled {
                LazyItems::Range { start, stop, step } => {
                    let length = range_length(*start, *stop, *step);
                    self.fits(length.saturating_mul(NODE))?;
                    Walk::Range { next: *start, left: length, step: *step }.collect()
                }
                LazyItems::View(_, inner) => return self.items(inner),
            },
            Val::Undefined(missing) if self.strict() && !missing.is_soft() => return Err(missing.fault()),
            Val::Undefined(_) => Vec::new(),
            Val::Object(object) if object.sequence().is_some() => {
                let plain = self.plain(value)?;
                return self.items(&plain);
            }
            other => return Err(issues::not_iterable(type_name(other))),
        };
        self.go_through(items.len().saturating_mul(NODE))?;
        Ok(items)
    }

    /// Returns the entries of a map; none if it is something else.
    pub(super) fn pairs(&mut self, value: &Val) -> Checked<Option<Vec<(Val, Val)>>> {
        let plain = self.plain(value)?;
        let Val::Dict(dict) = &plain else { return Ok(None) };
        let pairs: Vec<(Val, Val)> = dict.pairs.borrow().values().cloned().collect();
        self.go_through(pairs.len().saturating_mul(NODE))?;
        Ok(Some(pairs))
    }

    /// Returns how many items something has; none if it has no length.
    pub(super) fn length(&mut self, value: &Val) -> Checked<Option<usize>> {
        Ok(Some(match value {
            Val::Text(text) => {
                self.go_through(text.text.len())?;
                text.text.chars().count()
            }
            Val::List(list) | Val::Tuple(list) => list.items.borrow().len(),
            Val::Dict(dict) => dict.pairs.borrow().len(),
            Val::Branch(node) => match node.owned.get() {
                Some(owned) => return self.length(&owned.clone()),
                None => node.len(self),
            },
            Val::Rolled(rolled) => match &**rolled {
                LazyItems::Range { start, stop, step } => range_length(*start, *stop, *step),
                LazyItems::View(_, inner) => return self.length(inner),
            },
            Val::Undefined(missing) => return Err(missing.fault()),
            Val::Object(object) => match object.sequence() {
                Some(sequence) => return self.length(&sequence.clone()),
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    /// Returns data of the document as a list or map, and ranges and views as lists; anything else as it is.
    pub(super) fn plain(&mut self, value: &Val) -> Checked<Val> {
        match value {
            Val::Branch(node) => Rc::clone(node).owned(self),
            Val::Rolled(_) => {
                let items = self.items(value)?;
                self.list(items)
            }
            Val::Object(object) => Ok(object.sequence().unwrap_or(value).clone()),
            other => Ok(other.clone()),
        }
    }

    /// Returns data of the document as a list or map; anything else as it is.
    pub(super) fn plain_data(&mut self, value: &Val) -> Checked<Val> {
        match value {
            Val::Branch(node) => Rc::clone(node).owned(self),
            other => Ok(other.clone()),
        }
    }

    /// Makes a list of what is walked over lazily in Python, as Ansible does with what filters give.
    pub(super) fn unrolled(&mut self, value: Val) -> Checked<Val> {
        match &value {
            Val::Rolled(_) => self.plain(&value),
            _ => Ok(value),
        }
    }
}
