//! Chance: `random` and `shuffle`; with a seed, the numbers that Python's generator gives for it.

use hierarch_bits::Twister;
use hierarch_pcore::Value;
use sha2::{Digest, Sha512};

use super::super::call::{BoundArguments, Function, function, int};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::show::type_name;
use super::super::value::{LazyItems, Val};
use crate::expr::python;

pub(super) static FILTERS: &[Function] = &[
    function("random", &["end", "start?", "step?", "seed?"], random),
    function("shuffle", &["mylist", "seed?"], shuffle),
];

fn random(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let mut chance = Chance::new(renderer, given.get(3))?;
    let option = |at: usize| given.get(at).filter(|value| !matches!(value, Val::None));
    if let Val::Int(_) | Val::Bool(_) = given.value(0) {
        let (start, end) = (option(1).map_or(Ok(0), int)?, int(given.value(0))?);
        let step = option(2).map_or(Ok(1), int)?;
        let step = if step == 0 { 1 } else { step };
        let choices = super::super::value::range_length(start, end, step) as u128;
        if choices == 0 {
            return Err(issues::empty_range());
        }
        return Ok(Val::Int(start + step * chance.below(renderer, choices)? as i128));
    }
    if option(1).is_some() || option(2).is_some() {
        return Err(issues::random_start_of_list());
    }
    if let Val::Rolled(rolled) = given.value(0)
        && let LazyItems::View(name, _) = &**rolled
    {
        return Err(issues::not_subscriptable(name));
    }
    let items = renderer.items(given.value(0))?;
    if items.is_empty() {
        return Err(issues::nothing_to_choose());
    }
    let at = chance.below(renderer, items.len() as u128)? as usize;
    if type_name(given.value(0)) == "dict" {
        return numbered_entry(renderer, given.value(0), at);
    }
    Ok(items[at].clone())
}

/// Python takes a map for a list: what was drawn is a key, which is rarely there.
fn numbered_entry(renderer: &mut Renderer, map: &Val, at: usize) -> Checked<Val> {
    let found = renderer.entry(map, &Val::Int(at as i128))?;
    found.ok_or_else(|| issues::no_such_key(&at.to_string()))
}

fn shuffle(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let seed = match given.get(1) {
        Some(seed) if renderer.truth(seed)? => Some(seed),
        _ => None,
    };
    let mut chance = Chance::new(renderer, seed)?;
    let mut items = match renderer.items(given.value(0)) {
        Ok(items) => items,
        Err(fault) if fault.is_final() || fault.is_undefined() => return Err(fault),
        Err(_) => return Ok(given.value(0).clone()),
    };
    for last in (1..items.len()).rev() {
        items.swap(last, chance.below(renderer, last as u128 + 1)? as usize);
    }
    renderer.list(items)
}

/// Where numbers come from.
pub(in crate::template) enum Chance {
    /// The machine, which nobody can guess.
    Machine,
    Seeded(Twister),
}

impl Chance {
    pub(in crate::template) fn new(renderer: &mut Renderer, seed: Option<&Val>) -> Checked<Self> {
        Ok(match seed {
            None | Some(Val::None) => Self::Machine,
            Some(Val::Int(number)) => Self::Seeded(seeded_by_number(&number.unsigned_abs().to_be_bytes())),
            Some(Val::Bool(truth)) => Self::Seeded(seeded_by_number(&[u8::from(*truth)])),
            Some(Val::Text(text)) => Self::Seeded(seeded_by_text(&text.text)),
            Some(other) => {
                renderer.present(other)?;
                return Err(issues::bad_seed(super::super::show::type_name(other)));
            }
        })
    }

    /// Returns a number below a bound, by trying numbers with as many bits.
    pub(in crate::template) fn below(&mut self, renderer: &Renderer, bound: u128) -> Checked<u128> {
        let bits = 128 - bound.leading_zeros();
        loop {
            renderer.go_through(64)?;
            let number = self.bits(renderer, bits)?;
            if number < bound {
                return Ok(number);
            }
        }
    }

    fn bits(&mut self, renderer: &Renderer, bits: u32) -> Checked<u128> {
        match self {
            Self::Machine => {
                let mut bytes = [0; 16];
                renderer.scope.world.host.random(&mut bytes)?;
                Ok(if bits == 0 { 0 } else { u128::from_le_bytes(bytes) >> (128 - bits) })
            }
            Self::Seeded(twister) => {
                let (mut number, mut have) = (0_u128, 0);
                while have < bits {
                    let take = (bits - have).min(32);
                    number |= u128::from(twister.word() >> (32 - take)) << have;
                    have += take;
                }
                Ok(number)
            }
        }
    }
}

/// Seeds a generator with a number, or with the text of anything else.
pub(crate) fn seeded(seed: &Value) -> Twister {
    match seed {
        Value::Integer(number) => seeded_by_number(&number.unsigned_abs().to_be_bytes()),
        Value::Boolean(truth) => seeded_by_number(&[u8::from(*truth)]),
        other => seeded_by_text(&python::text(other)),
    }
}

/// Seeds a generator with a text, as Python does: with its bytes and their checksum as one number.
fn seeded_by_text(text: &str) -> Twister {
    let mut bytes = text.as_bytes().to_vec();
    bytes.extend(Sha512::digest(text.as_bytes()));
    seeded_by_number(&bytes)
}

/// Seeds a generator with a number given by its bytes, the highest first.
fn seeded_by_number(bytes: &[u8]) -> Twister {
    let word = |chunk: &[u8]| chunk.iter().fold(0, |word, byte| (word << 8) | u32::from(*byte));
    let mut words: Vec<u32> = bytes.rchunks(4).map(word).collect();
    while words.len() > 1 && words.last() == Some(&0) {
        words.pop();
    }
    Twister::of_words(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_pythons() {
        // random.Random(42).getrandbits(32), random.Random('x').getrandbits(32)
        assert_eq!(seeded_by_number(&[42]).word(), 2_746_317_213);
        let mut text = seeded_by_text("x");
        assert_ne!(text.word(), text.word());
    }
}
