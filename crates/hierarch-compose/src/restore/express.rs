//! The smallest text that makes one value from another by merging.

use hierarch_yaml::{Data, Kind};

use super::PlanFailure;
use super::keyed::Trail;
use crate::directive::{Directive, NAME, STRATEGY};
use crate::forest::{Forest, Val};
use crate::keyed::POSITION;

/// A map that says only how it is to be merged.
pub(crate) fn mark(word: &str) -> Data {
    Data::Map(vec![(Data::text(STRATEGY), Data::text(word))])
}

impl Forest {
    /// Writes a value out, unless it has keys that would be read as directives.
    pub(crate) fn written_out(&self, val: Val) -> Result<Data, PlanFailure> {
        match self.kind(val) {
            Kind::Scalar | Kind::Alias => Ok(self.scalar(val).into()),
            Kind::List => {
                let items = self.items(val).map(|item| self.written_out(item));
                Ok(Data::List(items.collect::<Result<_, _>>()?))
            }
            Kind::Map => {
                let mut entries = Vec::with_capacity(self.len(val));
                for (key, value) in self.entries(val) {
                    self.check_key(key)?;
                    entries.push((self.data(key), self.written_out(value)?));
                }
                Ok(Data::Map(entries))
            }
        }
    }

    /// A key that means something to an expansion cannot be written as data.
    pub(crate) fn check_key(&self, key: Val) -> Result<(), PlanFailure> {
        match self.plus_key(key) {
            Some(text) if text == STRATEGY || text == NAME => Err(PlanFailure::Inexpressible),
            Some(text) if !matches!(Directive::parse(&text), Ok(None)) => Err(PlanFailure::Inexpressible),
            _ => Ok(()),
        }
    }

    /// Finds the smallest data that, merged over `below`, gives `wanted`.
    pub(crate) fn express(
        &self,
        below: Option<Val>,
        wanted: Val,
        trail: &mut Trail,
    ) -> Result<Data, PlanFailure> {
        let Some(below) = below else { return self.written_out(wanted) };
        match (self.kind(below), self.kind(wanted)) {
            (Kind::Map, Kind::Map) => match self.express_map(below, wanted, trail) {
                // What cannot be merged can still replace.
                Err(PlanFailure::Here) => self.replacing(wanted),
                other => other.map(Data::Map),
            },
            (Kind::Map, Kind::Scalar) if self.is_null(wanted) => Ok(mark("nullout")),
            (Kind::List, Kind::List) => self.express_whole_list(below, wanted, trail).map(Data::List),
            _ => self.written_out(wanted),
        }
    }

    /// A map that takes the place of whatever is below it.
    pub(crate) fn replacing(&self, wanted: Val) -> Result<Data, PlanFailure> {
        let Data::Map(mut entries) = self.written_out(wanted)? else { return Err(PlanFailure::Here) };
        entries.insert(0, (Data::text(STRATEGY), Data::text("replace")));
        Ok(Data::Map(entries))
    }

    /// The entries that turn one map into another: changes in the order of `below`, then what is new.
    pub(crate) fn express_map(
        &self,
        below: Val,
        wanted: Val,
        trail: &mut Trail,
    ) -> Result<Vec<(Data, Data)>, PlanFailure> {
        let mut entries = Vec::new();
        for (key, old) in self.entries(below) {
            match self.find(wanted, key) {
                Some(new) if self.same(old, new) => {}
                // A key that looks like a directive came through `raw` and cannot be written.
                _ if self.check_key(key).is_err() => return Err(PlanFailure::Here),
                None => entries.push((self.data(key), mark("whiteout"))),
                Some(new) => {
                    let data = trail.inside(&self.text(key), |trail| self.express(Some(old), new, trail))?;
                    entries.push((self.data(key), data));
                }
            }
        }
        for (key, new) in self.entries(wanted) {
            if self.position(below, key).is_none() {
                self.check_key(key)?;
                entries.push((self.data(key), self.written_out(new)?));
            }
        }
        Ok(entries)
    }

    /// The items that turn one list into another by merging: it can only append, and change maps of one key.
    pub(crate) fn express_list(
        &self,
        below: Val,
        wanted: Val,
        trail: &mut Trail,
    ) -> Result<Vec<Piece>, PlanFailure> {
        let count = self.len(below);
        if self.len(wanted) < count {
            return Err(PlanFailure::Here);
        }
        let mut pieces = Vec::new();
        for index in 0..count {
            let (old, new) = (self.item(below, index), self.item(wanted, index));
            if !self.same(old, new) {
                pieces.push(self.express_seat(below, index, (old, new), trail)?);
            }
        }
        for index in count..self.len(wanted) {
            let item = self.item(wanted, index);
            let clashes = (0..index).any(|earlier| {
                let earlier = self.item(wanted, earlier);
                self.same(earlier, item) || self.same_only_key(earlier, item)
            });
            if clashes {
                return Err(PlanFailure::Here);
            }
            pieces.push(Piece::Value(item));
        }
        Ok(pieces)
    }

    fn express_seat(
        &self,
        below: Val,
        index: usize,
        (old, new): (Val, Val),
        trail: &mut Trail,
    ) -> Result<Piece, PlanFailure> {
        let first = (0..index).all(|earlier| !self.same_only_key(self.item(below, earlier), old));
        if !first || !self.same_only_key(old, new) {
            return Err(PlanFailure::Here);
        }
        let (key, value) = self.entry(new, 0);
        let under = self.entry(old, 0).1;
        let inner = trail.inside(POSITION, |trail| {
            trail.inside(&self.text(key), |trail| self.express(Some(under), value, trail))
        })?;
        Ok(Piece::Data(Data::Map(vec![(self.data(key), inner)])))
    }

    /// Tells whether both are maps of one key, the same.
    fn same_only_key(&self, a: Val, b: Val) -> bool {
        let single = |val| self.is_map(val) && self.len(val) == 1;
        single(a) && single(b) && self.same_key(self.entry(a, 0).0, self.entry(b, 0).0)
    }
}

/// An item that is to be written.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// A value as it shall be.
    Value(Val),
    /// Text that becomes it by merging.
    Data(Data),
}
