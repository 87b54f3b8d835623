//! Values that others are held against, found by a sign of what they hold, so that few pairs are compared.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::fault::Checked;
use super::renderer::Renderer;
use super::value::Val;
use crate::expr::budget::NODE;

/// A comparison of two collections counts as much as so many letters.
const COMPARISON: usize = 64;

/// The members of a list, without their order.
#[derive(Default)]
pub(super) struct Members {
    signed: FxHashMap<u64, Vec<Val>>,
    /// Those that have no sign are compared with everything.
    odd: Vec<Val>,
}

impl Members {
    /// Takes the items of a list.
    pub(super) fn of(renderer: &mut Renderer, items: &[Val]) -> Checked<Self> {
        let mut members = Self::default();
        for item in items {
            let sign = renderer.sign_of(item, 0)?;
            members.add(sign, item.clone());
        }
        Ok(members)
    }

    /// Tells whether one of them equals a value.
    pub(super) fn has(&self, renderer: &mut Renderer, item: &Val) -> Checked<bool> {
        let sign = renderer.sign_of(item, 0)?;
        self.has_signed(renderer, sign, item)
    }

    /// Takes a value unless one of them equals it; tells whether it was taken.
    pub(super) fn insert(&mut self, renderer: &mut Renderer, item: Val) -> Checked<bool> {
        let sign = renderer.sign_of(&item, 0)?;
        let is_new = !self.has_signed(renderer, sign, &item)?;
        if is_new {
            self.add(sign, item);
        }
        Ok(is_new)
    }

    fn add(&mut self, sign: Option<u64>, item: Val) {
        match sign {
            Some(sign) => self.signed.entry(sign).or_default().push(item),
            None => self.odd.push(item),
        }
    }

    fn has_signed(&self, renderer: &mut Renderer, sign: Option<u64>, item: &Val) -> Checked<bool> {
        let found = match sign {
            Some(sign) => is_among(renderer, item, self.signed.get(&sign).map_or(&[], Vec::as_slice))?,
            None => self.signed.values().try_fold(false, |found, group| {
                if found { Ok(true) } else { is_among(renderer, item, group) }
            })?,
        };
        Ok(found || is_among(renderer, item, &self.odd)?)
    }
}

fn is_among(renderer: &mut Renderer, item: &Val, others: &[Val]) -> Checked<bool> {
    renderer.go_through(others.len().saturating_mul(COMPARISON))?;
    for other in others {
        if renderer.equal(item, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Renderer {
    /// Returns a number that is the same for all values that equal this one. None where that cannot be told.
    fn sign_of(&mut self, value: &Val, depth: usize) -> Checked<Option<u64>> {
        self.budget.fits_depth(depth)?;
        Ok(match value {
            Val::None => Some(sign('n', ())),
            Val::Bool(truth) => Some(number_sign(f64::from(*truth))),
            Val::Int(number) => Some(number_sign(*number as f64)),
            Val::Float(number) => Some(number_sign(*number)),
            Val::Text(text) => {
                self.go_through(text.text.len())?;
                Some(sign('t', text.text.as_str()))
            }
            Val::Branch(_) => {
                let plain = self.plain(value)?;
                self.sign_of(&plain, depth + 1)?
            }
            Val::List(list) | Val::Tuple(list) => {
                let items = list.items.borrow().clone();
                self.go_through(items.len().saturating_mul(NODE))?;
                let mut signs = Some(FxHasher::default());
                for item in &items {
                    let part = self.sign_of(item, depth + 1)?;
                    signs = signs.zip(part).map(|(mut signs, part)| {
                        signs.write_u64(part);
                        signs
                    });
                }
                signs.map(|signs| sign('l', signs.finish()))
            }
            Val::Dict(dict) => {
                let pairs = dict.pairs.borrow().clone();
                self.go_through(pairs.len().saturating_mul(NODE))?;
                // The order of entries does not count.
                let mut sum = Some(0_u64);
                for (key, (_, value)) in &pairs {
                    let part = self.sign_of(value, depth + 1)?;
                    sum = sum.zip(part).map(|(sum, part)| sum.wrapping_add(sign('e', (key, part))));
                }
                sum.map(|sum| sign('d', sum))
            }
            _ => None,
        })
    }
}

fn sign(kind: char, part: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (kind, part).hash(&mut hasher);
    hasher.finish()
}

/// Numbers are equal across their kinds, and both zeros are one.
fn number_sign(number: f64) -> u64 {
    sign('f', (number + 0.0).to_bits())
}
