//! A value that knows its origins as a piece of data: what lookups and merges do with it.

use std::sync::Arc;

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Result;

use super::read::{Reader, placed};
use super::{FilledToken, Parts, TracedMap, TracedValue, whole_file};
use crate::document::{Document, Entry};
use crate::locate::Location;
use crate::lookup::{Opening, Walk};
use crate::merge::{Merge, Rules};
use crate::piece::{Entries, Piece, View};
use crate::secrets::Secrets;

impl Piece for TracedValue {
    const IS_TRACED: bool = true;
    type Map = TracedMap;

    fn merging(rules: &dyn Rules) -> &dyn Merge<Self> {
        rules
    }

    fn view(&self) -> View<'_, Self> {
        match &self.parts {
            Parts::None => View::Scalar(&self.value),
            Parts::List(items) => View::List(items),
            Parts::Map(map) => View::Map(&**map),
        }
    }

    fn of(value: Value) -> Self {
        match &value {
            Value::Array(items) => Self::list(items.iter().cloned().map(Self::of).collect()),
            Value::Hash(hash) => Self::map(TracedMap(
                hash.iter().map(|(key, value)| (key.clone(), Self::of(value.clone()))).collect(),
            )),
            _ => Self::made(value, Parts::None),
        }
    }

    fn from_entry(
        walk: &mut Walk,
        document: &Document,
        entry: &Entry,
        at: Option<&Location>,
    ) -> Result<Self> {
        let data = document.data(entry)?;
        if let (Some(tree), Some(node)) = (document.tree(), entry.node()) {
            return Reader { walk, tree }.read(data, node);
        }
        let file = whole_file(at, document.function());
        let files = walk.files();
        let traced = walk.fill::<Self>(data)?;
        let mut traced = if document.is_secret() { traced.secret() } else { traced };
        let Some(marks) = document.marks(files) else { return Ok(traced.standing(&file)) };
        let root = document.name_of(entry).map(Value::String);
        traced.mark(document, root.iter().fold(marks.top(), |top, root| top.below(root)), &file);
        Ok(traced)
    }

    fn at_entry(value: Value, document: &Document, entry: &Entry, at: Option<&Location>) -> Self {
        match (document.tree(), entry.node()) {
            (Some(tree), Some(node)) => placed(tree, &value, node),
            _ => Self::of(value).standing(&whole_file(at, None)),
        }
    }

    fn made_by(function: &Str, value: Value, at: Option<&Location>) -> Self {
        Self::of(value).standing(&whole_file(at, Some(function)))
    }

    fn list(items: Vec<Self>) -> Self {
        let value = Value::array(items.iter().map(|item| item.value.clone()).collect());
        Self::made(value, Parts::List(Arc::new(items)))
    }

    fn map(map: TracedMap) -> Self {
        let value: Hash = map.0.iter().map(|(key, part)| (key.clone(), part.value.clone())).collect();
        Self::made(Value::hash(value), Parts::Map(Arc::new(map)))
    }

    fn into_entries(self) -> TracedMap {
        match self.parts {
            Parts::Map(map) => Arc::unwrap_or_clone(map),
            _ => TracedMap::default(),
        }
    }

    fn value(&self) -> Value {
        self.value.clone()
    }

    fn hiding(mut self, hidden: &Self) -> Self {
        // A new entry of a deep merge is merged with a copy of itself.
        let is_itself = self.origin.is_some() && self.origin == hidden.origin;
        if !is_itself {
            let below = hidden.hides().to_vec();
            let hides = &mut self.notes().hides;
            hides.push(hidden.other());
            hides.extend(below);
        }
        self
    }

    fn filled_with(mut self, filled: Vec<FilledToken>) -> Self {
        if !filled.is_empty() {
            self.notes().filled.extend(filled);
        }
        self
    }

    fn as_filling(&self, expression: String) -> FilledToken {
        let (value, shown) = (self.value.clone(), self.without_secrets());
        FilledToken { expression, value, shown, is_secret: self.has_secrets, origins: self.shared_origins() }
    }

    fn opened(walk: &mut Walk, document: &Document, entry: &Entry, opening: &Opening) -> Result<Self> {
        let raw = document.raw(entry)?;
        match (document.tree(), entry.node()) {
            (Some(tree), Some(node)) => Reader { walk, tree }.open(&raw, node, opening),
            _ => walk.decrypted(raw, opening).map(|value| Self::of(value).secret()),
        }
    }

    fn secret(mut self) -> Self {
        self.mark_secret();
        self
    }

    fn is_secret(&self) -> bool {
        self.is_secret
    }

    fn shown(&self, _: &Secrets) -> Value {
        self.without_secrets()
    }

    /// What the other hid and lost, this one hides and has lost. A value that becomes sensitive was it all the time.
    fn converted(made: Value, from: Self) -> Self {
        let is_sensitive = matches!(made, Value::Sensitive(_));
        let is_partly = has_sensitive(&made);
        let is_secret = from.has_secrets;
        let mut piece = Self::of(made).placed_like(&from);
        piece.notes = from.notes;
        if is_partly {
            let notes = piece.notes.iter_mut();
            notes.for_each(|notes| notes.hide());
        }
        if is_secret && !is_sensitive {
            piece.mark_secret();
        }
        piece
    }

    fn without(mut self, removed: &Self, by: &Self) -> Self {
        self.notes().removed.push((removed.other(), by.origin.clone()));
        self
    }
}

/// Tells whether something in a value is `Sensitive`.
fn has_sensitive(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Array(items) => items.iter().any(has_sensitive),
        Value::Hash(hash) => hash.values().any(has_sensitive),
        _ => false,
    }
}

impl Entries<TracedValue> for TracedMap {
    fn entry(&self, key: &Value) -> Option<&TracedValue> {
        self.0.get(key)
    }

    fn put(&mut self, key: Value, value: TracedValue) {
        self.0.insert(key, value);
    }

    fn pairs<'a>(&'a self) -> impl Iterator<Item = (&'a Value, &'a TracedValue)>
    where
        TracedValue: 'a,
    {
        self.0.iter()
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}
