//! A stage of a lookup: several places are asked in order, and what they hold is merged.

use hierarch_source::Result;

use super::{Found, Walk};
use crate::merge::{Gather, Merge, Strategy};
use crate::piece::Piece;
use crate::trace::{Event, LookupStep};

impl Walk<'_> {
    /// Asks places in order. `first` stops at the first that has something; others fold all that is found.
    pub(super) fn stage<P: Piece, T>(
        &mut self,
        strategy: &Strategy,
        places: &[T],
        mut ask: impl FnMut(&mut Self, &T) -> Result<Found<P>>,
    ) -> Result<Found<P>> {
        if strategy.is_first() {
            return self.first_of(places, ask);
        }
        match places {
            [] => Ok(Found::Missing),
            [place] => Ok(ask(self, place)?.map(|value| strategy.rules::<P>().single(value))),
            _ => self.within(
                || LookupStep::Merge { strategy: strategy.name(), options: strategy.options() },
                |walk| walk.fold(strategy, places, ask),
            ),
        }
    }

    fn first_of<P: Piece, T>(
        &mut self,
        places: &[T],
        mut ask: impl FnMut(&mut Self, &T) -> Result<Found<P>>,
    ) -> Result<Found<P>> {
        let mut places = places.iter();
        while let Some(place) = places.next() {
            if let Found::Value(value) = ask(self, place)? {
                return Ok(Found::Value(if P::IS_TRACED && self.looks_on {
                    self.hiding(value, places, ask)
                } else {
                    value
                }));
            }
        }
        Ok(Found::Missing)
    }

    /// Looks on, to see what the first value hides. What cannot be read there does not matter.
    fn hiding<'t, P: Piece, T: 't>(
        &mut self,
        value: P,
        places: impl Iterator<Item = &'t T>,
        mut ask: impl FnMut(&mut Self, &T) -> Result<Found<P>>,
    ) -> P {
        places.fold(value, |value, place| match ask(self, place) {
            Ok(Found::Value(hidden)) => value.hiding(&hidden),
            _ => value,
        })
    }

    /// Explanations show a value as the reference leaves it behind.
    fn tell_of_spoiling<P: Piece>(&mut self, rules: &dyn Merge<P>, high: &P, low: &P) {
        if self.listener.is_some()
            && let Some(after) = rules.spoiled(high, low)
        {
            let before = high.value();
            self.tell(|| Event::Changed { before, after });
        }
    }

    /// Merges what was found so far with a value of lower priority.
    fn merged_with<'g, P: Piece + 'g>(
        &mut self,
        rules: &'g dyn Merge<P>,
        merged: Merged<'g, P>,
        value: P,
    ) -> Result<Merged<'g, P>> {
        match merged {
            Merged::Nothing => Ok(match rules.gather(&value) {
                Some(gathered) => Merged::Many(gathered),
                None => Merged::One(rules.convert(value)),
            }),
            Merged::One(high) => {
                self.tell_of_spoiling(rules, &high, &value);
                Ok(Merged::One(rules.merge(high, value)?))
            }
            Merged::Many(mut gathered) => {
                gathered.add(value)?;
                Ok(Merged::Many(gathered))
            }
        }
    }

    fn fold<P: Piece, T>(
        &mut self,
        strategy: &Strategy,
        places: &[T],
        mut ask: impl FnMut(&mut Self, &T) -> Result<Found<P>>,
    ) -> Result<Found<P>> {
        let rules = strategy.rules::<P>();
        let mut merged = Merged::Nothing;
        for place in places {
            if let Found::Value(value) = ask(self, place)? {
                merged = self.merged_with(rules, merged, value)?;
            }
        }
        let merged = match merged {
            Merged::Nothing => return Ok(Found::Missing),
            Merged::One(value) => value,
            Merged::Many(gathered) => gathered.merged()?,
        };
        if self.listener.is_some() {
            let shown = self.shown(&merged);
            self.tell(|| Event::Result(shown));
        }
        Ok(Found::Value(merged))
    }
}

/// What the places asked so far give.
enum Merged<'g, P> {
    Nothing,
    /// A value that others are merged into two at a time.
    One(P),
    /// Values that are put together at the end.
    Many(Box<dyn Gather<P> + 'g>),
}
