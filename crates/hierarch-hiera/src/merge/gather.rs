//! Merging many values: what was found so far takes a value of lower priority at the cost of that value alone.
//!
//! Merged two at a time, a thousand files that add one entry each would cost a million entries, because the result of two
//! begins with the entries of the lower one. What is gathered is put in order once, when all of it is there.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hierarch_pcore::Value;
use hierarch_source::Result;

use super::unique::without_duplicates;
use crate::piece::{Entries, Piece, View};

/// Values that are merged from the highest priority down.
pub(crate) trait Gather<P> {
    /// Merges a value of lower priority than all before.
    fn add(&mut self, low: P) -> Result<()>;

    /// Returns what all of them give.
    fn merged(self: Box<Self>) -> Result<P>;
}

/// What deep merging does with two values that are neither two hashes nor two lists, and with a value alone.
pub(super) trait Pairwise<P> {
    /// Merges two values.
    fn pair(&self, high: P, low: P) -> Result<P>;

    /// Returns what is left of a value that nothing is merged with.
    fn settled(&self, value: P) -> Result<P>;
}

/// Values merged deep, lists joined, hashes entry by entry.
pub(super) struct DeepGathering<P, R> {
    pub(super) rules: R,
    pub(super) parts: Gathered<P>,
}

impl<P: Piece, R: Pairwise<P>> Gather<P> for DeepGathering<P, R> {
    fn add(&mut self, low: P) -> Result<()> {
        self.parts.add(low, &self.rules)
    }

    fn merged(self: Box<Self>) -> Result<P> {
        self.parts.merged(&self.rules)
    }
}

/// What is known of a place in the result.
pub(super) enum Gathered<P> {
    /// A value.
    One(P),
    /// Lists, the highest first, that will be one.
    Lists(Vec<P>),
    /// Hashes that will be one.
    Maps(Maps<P>),
}

/// The entries of several hashes.
pub(super) struct Maps<P> {
    /// The hashes, the highest first: they say in which order entries stand.
    all: Vec<P>,
    entries: HashMap<Value, Part<P>, RandomState>,
    /// How many hashes were merged, those that had nothing to say here included.
    steps: usize,
}

struct Part<P> {
    gathered: Gathered<P>,
    /// The number of hashes when it was last merged: an entry that one of them lacks is merged with itself.
    seen: usize,
}

impl<P: Piece> Gathered<P> {
    fn add(&mut self, low: P, rules: &dyn Pairwise<P>) -> Result<()> {
        if let (Self::One(high), true) = (&*self, is_collection(&low)) {
            match (high.view(), low.view()) {
                (View::List(_), View::List(_)) => *self = Self::Lists(vec![high.clone()]),
                (View::Map(_), View::Map(_)) => *self = Self::Maps(Maps::of(high.clone())),
                _ => {}
            }
        }
        match (&mut *self, low.view()) {
            (Self::Lists(lists), View::List(_)) => lists.push(low),
            (Self::Maps(maps), View::Map(_)) => maps.add(low, rules)?,
            _ => {
                let high = std::mem::replace(self, Self::Lists(Vec::new())).merged(rules)?;
                *self = Self::One(rules.pair(high, low)?);
            }
        }
        Ok(())
    }

    /// Merges it with itself, as far as that is seen.
    fn settle(&mut self, rules: &dyn Pairwise<P>) -> Result<()> {
        match self {
            Self::One(value) => *value = rules.settled(value.clone())?,
            // Several are joined without duplicates anyway.
            Self::Lists(_) => {}
            Self::Maps(maps) => maps.steps += 1,
        }
        Ok(())
    }

    fn merged(self, rules: &dyn Pairwise<P>) -> Result<P> {
        match self {
            Self::One(value) => Ok(value),
            Self::Lists(lists) => {
                let items = lists.iter().rev().flat_map(|list| match list.view() {
                    View::List(items) => items,
                    _ => &[],
                });
                Ok(P::list(without_duplicates(items.cloned().collect())))
            }
            Self::Maps(maps) => maps.merged(rules),
        }
    }
}

impl<P: Piece> Maps<P> {
    fn of(first: P) -> Self {
        let mut maps = Self { all: Vec::new(), entries: HashMap::default(), steps: 1 };
        if let View::Map(map) = first.view() {
            let part = |value: &P| Part { gathered: Gathered::One(value.clone()), seen: 1 };
            maps.entries = map.pairs().map(|(key, value)| (key.clone(), part(value))).collect();
        }
        maps.all.push(first);
        maps
    }

    fn add(&mut self, low: P, rules: &dyn Pairwise<P>) -> Result<()> {
        let before = self.steps;
        self.steps += 1;
        if let View::Map(map) = low.view() {
            for (key, value) in map.pairs() {
                let Some(part) = self.entries.get_mut(key) else {
                    let part = Part { gathered: Gathered::One(value.clone()), seen: self.steps };
                    self.entries.insert(key.clone(), part);
                    continue;
                };
                if part.seen < before {
                    part.gathered.settle(rules)?;
                }
                part.seen = self.steps;
                match value.view() {
                    View::Scalar(Value::Undef | Value::Boolean(false)) => part.gathered.settle(rules)?,
                    _ => part.gathered.add(value.clone(), rules)?,
                }
            }
        }
        self.all.push(low);
        Ok(())
    }

    fn merged(mut self, rules: &dyn Pairwise<P>) -> Result<P> {
        let mut merged = P::Map::default();
        for source in self.all.iter().rev() {
            let View::Map(map) = source.view() else { continue };
            for (key, _) in map.pairs() {
                let Some(mut part) = self.entries.remove(key) else { continue };
                if part.seen < self.steps {
                    part.gathered.settle(rules)?;
                }
                merged.put_of(map, key, part.gathered.merged(rules)?);
            }
        }
        Ok(P::map(merged))
    }
}

fn is_collection<P: Piece>(piece: &P) -> bool {
    !matches!(piece.view(), View::Scalar(_))
}

#[cfg(test)]
mod tests {
    use hierarch_bits::dice::Dice;

    use super::super::Strategy;
    use super::*;
    use crate::marked::MarkedValue;
    use crate::origin::{Origin, Other, TracedValue};

    fn some_value(dice: &mut Dice, depth: usize) -> Value {
        match dice.below(if depth == 0 { 5 } else { 11 }) {
            0 => Value::Undef,
            1 => Value::from(false),
            2 => Value::from(1),
            3 | 4 => Value::from(*dice.pick(&["x", "y"])),
            5 | 6 => Value::array((0..dice.below(5)).map(|_| some_value(dice, depth - 1)).collect()),
            _ => some_hash(dice, depth - 1),
        }
    }

    fn some_hash(dice: &mut Dice, depth: usize) -> Value {
        let entries =
            (0..dice.below(4)).map(|_| (*dice.pick(&["a", "b", "c", "d"]), some_value(dice, depth)));
        Value::hash(entries.collect())
    }

    /// Merges two at a time, and all at once. What fails is told by its words.
    fn both_ways<P: Piece>(
        strategy: &Strategy,
        values: &[Value],
        made: fn(usize, Value) -> P,
        told: fn(&P) -> String,
    ) -> Option<[String; 2]> {
        let rules = strategy.rules::<P>();
        let mut pieces = values.iter().cloned().enumerate().map(|(file, value)| made(file, value));
        let first = pieces.next()?;
        let mut gathered = rules.gather(&first)?;
        let rest: Vec<P> = pieces.collect();
        let folded = rest.iter().try_fold(rules.convert(first), |high, low| rules.merge(high, low.clone()));
        let all = rest.into_iter().try_for_each(|low| gathered.add(low)).and_then(|()| gathered.merged());
        Some([folded, all].map(|end| end.map_or_else(|error| error.message.clone(), |end| told(&end))))
    }

    fn check<P: Piece>(merge: &str, made: fn(usize, Value) -> P, told: fn(&P) -> String) {
        let strategy = Strategy::new(&Value::from(merge)).expect("it is known");
        let mut dice = Dice::new(12);
        for round in 0..500 {
            let count = 2 + dice.below(5);
            let values: Vec<Value> = (0..count)
                .map(|_| if dice.once_in(6) { some_value(&mut dice, 2) } else { some_hash(&mut dice, 3) })
                .collect();
            let [folded, all] = both_ways::<P>(&strategy, &values, made, told).expect("it is gathered");
            assert_eq!(all, folded, "round {round}, {merge} of {values:?}");
        }
    }

    #[test]
    fn all_at_once_is_what_two_at_a_time_give() {
        for merge in ["deep", "hash", "unique"] {
            check::<Value>(merge, |_, value| value, Value::to_string);
            check::<MarkedValue>(merge, |_, value| Piece::of(value), |end| end.value().to_string());
        }
    }

    /// Gives every part of a value a place of its own.
    fn placed(file: usize, value: Value) -> TracedValue {
        fn part(file: usize, line: &mut u32, value: &Value) -> TracedValue {
            *line += 1;
            let origin = Origin {
                file: format!("{file}").into(),
                function: None,
                line: Some(*line),
                column: None,
                range: None,
            };
            let piece = match value {
                Value::Array(items) => {
                    TracedValue::of_items(items.iter().map(|item| part(file, line, item)).collect())
                }
                Value::Hash(hash) => TracedValue::of_entries(
                    hash.iter()
                        .map(|(key, value)| (key.clone(), part(file, line, value)))
                        .collect::<Vec<_>>(),
                ),
                scalar => return TracedValue::leaf(scalar.clone(), origin),
            };
            piece.standing_at(origin)
        }
        part(file, &mut 0, &value)
    }

    /// Tells the value, and of every leaf and collection what it hides.
    fn with_origins(end: &TracedValue) -> String {
        let at = |origin: Option<&Origin>| origin.map(|at| format!("{}:{:?}", at.file, at.line));
        let hidden = |hides: &[Other]| {
            let told = hides.iter().map(|other| format!("{} {:?}", other.value, at(other.origin.as_deref())));
            told.collect::<Vec<_>>()
        };
        let leaves = end
            .leaves()
            .iter()
            .map(|leaf| format!("{:?} {:?} {:?}", leaf.path, at(leaf.origin), hidden(leaf.hides)))
            .collect::<Vec<_>>();
        let around = end
            .collections()
            .iter()
            .map(|whole| format!("{:?} {:?}", whole.path, hidden(whole.hides)))
            .collect::<Vec<_>>();
        format!("{}\n{leaves:#?}\n{around:#?}", end.plain())
    }

    #[test]
    fn origins_are_gathered_as_they_are_noted_two_at_a_time() {
        for merge in ["deep", "hash", "unique"] {
            check::<TracedValue>(merge, placed, with_origins);
        }
    }

    #[test]
    fn options_that_look_at_pairs_are_merged_pair_by_pair() {
        for (option, value) in [
            ("knockout_prefix", Value::from("--")),
            ("sort_merged_arrays", Value::from(true)),
            ("merge_hash_arrays", Value::from(true)),
        ] {
            let options =
                Value::hash([("strategy", Value::from("deep")), (option, value)].into_iter().collect());
            let strategy = Strategy::new(&options).expect("it is known");
            assert!(strategy.rules::<Value>().gather(&Value::from("x")).is_none(), "{option}");
        }
    }
}
