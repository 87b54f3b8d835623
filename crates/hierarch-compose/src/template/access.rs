//! Keys, attributes, positions and slices of values.

use std::rc::Rc;

use hierarch_pcore::Str;

use super::fault::{Checked, FaultKind};
use super::issues;
use super::methods;
use super::renderer::Renderer;
use super::show::type_name;
use super::tree::Range;
use super::value::{Flavor, LazyItems, Missing, Val};

impl Renderer {
    /// Returns `value.name`: an attribute, else what has that key.
    pub(super) fn attribute(&mut self, value: &Val, name: &Str, range: Range) -> Checked<Val> {
        if value.is_undefined() {
            return Ok(value.clone());
        }
        if let Some(found) = self.own_attribute(value, name)? {
            return Ok(found);
        }
        let found = self.entry(value, &Val::text(name.clone()))?;
        Ok(found.unwrap_or_else(|| no_part(value, name, range)))
    }

    /// Returns `value[key]`: what has that key, else an attribute.
    pub(super) fn item(&mut self, value: &Val, key: &Val, range: Range) -> Checked<Val> {
        if value.is_undefined() {
            return Ok(value.clone());
        }
        if let Val::Undefined(missing) = key {
            return Err(missing.fault());
        }
        if let Some(found) = self.entry(value, key)? {
            return Ok(found);
        }
        match key {
            Val::Text(text) => {
                let name = text.text.clone();
                let found = self.own_attribute(value, &name)?;
                Ok(found.unwrap_or_else(|| no_part(value, &name, range)))
            }
            other => {
                let shown = self.shown(other)?;
                let message = issues::no_element(type_name(value), &shown);
                let kind = FaultKind::Undefined;
                Ok(Val::Undefined(Rc::new(Missing {
                    kind,
                    message: message.into(),
                    range: Some(range),
                    own: None,
                })))
            }
        }
    }

    /// Returns a method, or what an object has.
    pub(super) fn own_attribute(&mut self, value: &Val, name: &str) -> Checked<Option<Val>> {
        if let Val::Object(object) = value {
            return Rc::clone(object).attribute(self, name);
        }
        Ok(methods::property(value, name).or_else(|| methods::bound(value, name)))
    }

    /// Returns what has a key, or stands at a position.
    pub(super) fn entry(&mut self, value: &Val, key: &Val) -> Checked<Option<Val>> {
        match value {
            Val::Branch(node) => match (node.owned.get(), key) {
                (Some(owned), _) => self.entry(&owned.clone(), key),
                (None, Val::Text(text)) if !node.is_list() => Rc::clone(node).entry(self, &text.text),
                (None, Val::Int(number)) if node.is_list() => {
                    let length = node.len(self);
                    match position(*number, length) {
                        Some(at) => Rc::clone(node).item_at(self, at),
                        None => Ok(None),
                    }
                }
                _ => {
                    let plain = self.plain(value)?;
                    self.entry(&plain, key)
                }
            },
            Val::Dict(dict) => match key {
                Val::List(_) | Val::Dict(_) | Val::Branch(_) => Ok(None),
                _ => {
                    let key = self.key_of(key)?;
                    Ok(dict.pairs.borrow().get(&key).map(|(_, value)| value.clone()))
                }
            },
            Val::List(list) | Val::Tuple(list) => {
                let items = list.items.borrow();
                Ok(index(key).and_then(|number| position(number, items.len())).map(|at| items[at].clone()))
            }
            Val::Text(text) => {
                let Some(number) = index(key) else { return Ok(None) };
                self.go_through(text.text.len())?;
                let length = text.text.chars().count();
                let letter = position(number, length).and_then(|at| text.text.chars().nth(at));
                Ok(letter.map(|c| Val::text(c.encode_utf8(&mut [0; 4]) as &str)))
            }
            Val::Rolled(rolled) => match &**rolled {
                LazyItems::View(..) => Ok(None),
                LazyItems::Range { .. } => {
                    let plain = self.plain(value)?;
                    self.entry(&plain, key)
                }
            },
            Val::Object(object) => match object.sequence() {
                Some(sequence) => self.entry(&sequence.clone(), key),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Returns `value[start:stop:step]`.
    pub(super) fn sliced(&mut self, value: &Val, bounds: [Option<i128>; 3]) -> Checked<Val> {
        if let Val::Undefined(_) = value {
            return Ok(value.clone());
        }
        if bounds[2] == Some(0) {
            return Err(issues::slice_step_zero());
        }
        if let Val::Rolled(rolled) = value
            && let LazyItems::View(name, _) = &**rolled
        {
            return Err(issues::not_subscriptable(name));
        }
        match self.plain(value)? {
            Val::Text(text) => {
                self.go_through(text.text.len())?;
                let letters: Vec<char> = text.text.chars().collect();
                let flavor = if text.flavor == Flavor::Markup { Flavor::Markup } else { Flavor::Plain };
                let picked: String = picks(letters.len(), bounds).map(|at| letters[at]).collect();
                self.flavored(picked, flavor)
            }
            Val::List(list) => {
                let items = list.items.borrow().clone();
                self.list(picks(items.len(), bounds).map(|at| items[at].clone()).collect())
            }
            Val::Tuple(list) => {
                let items = list.items.borrow().clone();
                self.tuple(picks(items.len(), bounds).map(|at| items[at].clone()).collect())
            }
            other => Err(issues::not_subscriptable(type_name(&other))),
        }
    }
}

fn no_part(value: &Val, name: &str, range: Range) -> Val {
    let kind = if matches!(value, Val::None) { FaultKind::Undefined } else { FaultKind::UndefinedPart };
    let message = match kind {
        FaultKind::Undefined => Str::from(issues::no_attribute_of_none(name)),
        _ => Str::from(name),
    };
    Val::Undefined(Rc::new(Missing { kind, message, range: Some(range), own: None }))
}

fn index(key: &Val) -> Option<i128> {
    match key {
        Val::Int(number) => Some(*number),
        Val::Bool(truth) => Some(i128::from(*truth)),
        _ => None,
    }
}

/// Returns where a position is that may count from the end.
pub(super) fn position(number: i128, length: usize) -> Option<usize> {
    let length = length as i128;
    let at = if number < 0 { number + length } else { number };
    (0..length).contains(&at).then_some(at as usize)
}

/// Returns the positions that a slice picks.
fn picks(length: usize, [start, stop, step]: [Option<i128>; 3]) -> impl Iterator<Item = usize> {
    let step = step.unwrap_or(1);
    let length = length as i128;
    let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |given: Option<i128>, default: i128| match given {
        None => default,
        Some(number) if number < 0 => number.saturating_add(length).clamp(low, high),
        Some(number) => number.clamp(low, high),
    };
    let (first, last) = if step > 0 { (0, length) } else { (length - 1, -1) };
    let (from, to) = (bound(start, first), bound(stop, last));
    std::iter::successors(Some(from), move |at| at.checked_add(step))
        .take_while(move |at| if step > 0 { *at < to } else { *at > to })
        .map(|at| at as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_pick_what_pythons_do() {
        let check = |bounds, wanted: &[usize]| {
            assert_eq!(picks(5, bounds).collect::<Vec<_>>(), wanted, "{bounds:?}");
        };
        check([None, None, None], &[0, 1, 2, 3, 4]);
        check([Some(-2), None, None], &[3, 4]);
        check([None, None, Some(-1)], &[4, 3, 2, 1, 0]);
        check([Some(9), Some(-9), Some(-2)], &[4, 2, 0]);
        check([Some(3), Some(1), None], &[]);
        check([Some(i128::MIN), Some(i128::MAX), Some(i128::MAX)], &[0]);
    }
}
