//! What merges and interpolation work on: plain values, or values that know where each part came from.
//!
//! Merging is written once, over [`Piece`]. A lookup chooses the type: [`Value`] when nobody asks for
//! origins, [`TracedValue`](crate::origin::Traced) otherwise.

use std::sync::Arc;

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Result;

use crate::document::{Document, Entry};
use crate::locate::Location;
use crate::lookup::{Opening, Walk};
use crate::merge::{Merge, Rules};
use crate::origin::FilledToken;
use crate::secrets::Secrets;

/// A value that can be taken apart and put together again.
pub(crate) trait Piece: Clone + Sized {
    /// True where origins are asked for, so that they are worth finding out.
    const IS_TRACED: bool;

    /// What keeps the entries of a hash.
    type Map: Entries<Self>;

    /// Returns the code of a strategy that merges such pieces.
    fn merging(rules: &dyn Rules) -> &dyn Merge<Self>;

    /// Takes it apart, one level deep.
    fn view(&self) -> View<'_, Self>;

    /// Makes a piece of a value that stands in no data: a default, a variable.
    fn of(value: Value) -> Self;

    /// Makes a piece of what stands in a document, its tokens filled in.
    fn from_entry(walk: &mut Walk, document: &Document, entry: &Entry, at: Option<&Location>)
    -> Result<Self>;

    /// Makes a piece of a value that was made of what stands in a document.
    fn at_entry(value: Value, document: &Document, entry: &Entry, at: Option<&Location>) -> Self;

    /// Makes a piece of a value that a function made up.
    fn made_by(_function: &Str, value: Value, _at: Option<&Location>) -> Self {
        Self::of(value)
    }

    /// Makes a list.
    fn list(items: Vec<Self>) -> Self;

    /// Makes a hash.
    fn map(map: Self::Map) -> Self;

    /// Returns the entries of a hash; none of anything else.
    fn into_entries(self) -> Self::Map;

    /// Returns the value without anything else.
    fn value(&self) -> Value;

    /// Notes that this piece won over another.
    #[must_use]
    fn hiding(self, hidden: &Self) -> Self;

    /// Notes what its tokens were filled in with.
    #[must_use]
    fn filled_with(self, filled: Vec<FilledToken>) -> Self;

    /// Returns what a token that stands for this piece was filled in with.
    fn as_filling(&self, expression: String) -> FilledToken;

    /// Makes a piece of what stands encrypted in a document.
    fn opened(walk: &mut Walk, document: &Document, entry: &Entry, opening: &Opening) -> Result<Self>;

    /// Notes that nobody but its owner may see it.
    #[must_use]
    fn secret(self) -> Self;

    /// Tells whether all of it is secret.
    fn is_secret(&self) -> bool {
        false
    }

    /// Returns the value for those who must not see what is secret in it.
    fn shown(&self, secrets: &Secrets) -> Value;

    /// Makes a piece of what a conversion made of another.
    fn converted(made: Value, from: Self) -> Self;

    /// Notes that a knockout took `removed` out of this piece.
    #[must_use]
    fn without(self, removed: &Self, by: &Self) -> Self;
}

/// A piece, one level deep.
pub(crate) enum View<'a, P: Piece> {
    /// Neither list nor hash.
    Scalar(&'a Value),
    /// A list.
    List(&'a [P]),
    /// A hash.
    Map(&'a P::Map),
}

/// The entries of a hash, in order.
pub(crate) trait Entries<P: Clone>: Clone + Default {
    /// Returns the value of a key.
    fn entry(&self, key: &Value) -> Option<&P>;

    /// Sets the value of a key. A key that was there keeps its place.
    fn put(&mut self, key: Value, value: P);

    /// Sets the value of a key that another hash has.
    fn put_of(&mut self, _upper: &Self, key: &Value, value: P) {
        self.put(key.clone(), value);
    }

    /// Sets what another hash has to what is made of the value that is here and of the other one.
    fn update(&mut self, upper: &Self, mut make: impl FnMut(Option<P>, &P) -> Result<P>) -> Result<()> {
        for (key, value) in upper.pairs() {
            let made = make(self.entry(key).cloned(), value)?;
            self.put_of(upper, key, made);
        }
        Ok(())
    }

    /// Walks over keys and values in order.
    fn pairs<'a>(&'a self) -> impl Iterator<Item = (&'a Value, &'a P)>
    where
        P: 'a;

    /// Tells how many entries there are.
    fn count(&self) -> usize;
}

impl Piece for Value {
    const IS_TRACED: bool = false;
    type Map = Hash;

    fn merging(rules: &dyn Rules) -> &dyn Merge<Self> {
        rules
    }

    fn view(&self) -> View<'_, Self> {
        match self {
            Self::Array(items) => View::List(items),
            Self::Hash(hash) => View::Map(&**hash),
            other => View::Scalar(other),
        }
    }

    fn of(value: Value) -> Self {
        value
    }

    fn from_entry(walk: &mut Walk, document: &Document, entry: &Entry, _: Option<&Location>) -> Result<Self> {
        walk.fill(document.data(entry)?)
    }

    fn at_entry(value: Value, _: &Document, _: &Entry, _: Option<&Location>) -> Self {
        value
    }

    fn list(items: Vec<Self>) -> Self {
        Self::array(items)
    }

    fn map(map: Hash) -> Self {
        Self::hash(map)
    }

    fn into_entries(self) -> Hash {
        match self {
            Self::Hash(hash) => Arc::unwrap_or_clone(hash),
            _ => Hash::new(),
        }
    }

    fn value(&self) -> Value {
        self.clone()
    }

    fn hiding(self, _: &Self) -> Self {
        self
    }

    fn filled_with(self, _: Vec<FilledToken>) -> Self {
        self
    }

    fn as_filling(&self, expression: String) -> FilledToken {
        let value = self.clone();
        FilledToken { expression, shown: value.clone(), value, is_secret: false, origins: Vec::new() }
    }

    fn opened(walk: &mut Walk, document: &Document, entry: &Entry, opening: &Opening) -> Result<Self> {
        walk.decrypted(document.raw(entry)?, opening)
    }

    fn secret(self) -> Self {
        self
    }

    fn shown(&self, secrets: &Secrets) -> Value {
        secrets.hidden_in_value(self)
    }

    fn converted(made: Value, _: Self) -> Self {
        made
    }

    fn without(self, _: &Self, _: &Self) -> Self {
        self
    }
}

impl Entries<Value> for Hash {
    fn entry(&self, key: &Value) -> Option<&Value> {
        self.get(key)
    }

    fn put(&mut self, key: Value, value: Value) {
        self.insert(key, value);
    }

    fn pairs<'a>(&'a self) -> impl Iterator<Item = (&'a Value, &'a Value)>
    where
        Value: 'a,
    {
        self.iter()
    }

    fn count(&self) -> usize {
        self.len()
    }
}
