//! Entries of a map written as texts: `[LOG=debug]` where another document says `{LOG: debug}`.

use hierarch_source::Result;
use hierarch_yaml::{Kind, Scalar};

use super::{Header, TextKey};
use crate::forest::{Forest, Val};

impl Forest {
    /// Returns what lies over something else in the form of what it lies over, where a table says that a list of texts stands for a
    /// map; nothing if the two have the same form, or no table says so.
    pub(crate) fn in_form_of(&mut self, below: Val, value: Val) -> Result<Option<Val>> {
        match (self.kind(below), self.kind(value)) {
            (Kind::List, Kind::Map) => match self.sign_of(below) {
                Some((sign, header)) => self.as_texts(value, &sign, header),
                None => Ok(None),
            },
            (Kind::Map, Kind::List) => match self.sign_of(value) {
                Some((sign, _)) => self.as_entries(value, &sign),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The sign that separates keys from values in the texts of a list.
    fn sign_of(&self, list: Val) -> Option<(String, Header)> {
        let header = self.noted_header(list)?;
        let Header::Match(by) = header else { return None };
        match by.text.as_ref()? {
            TextKey::Before(sign) => Some((sign.clone(), header.clone())),
            TextKey::Second(_) => None,
        }
    }

    /// A map without collections inside as texts; a null is a key alone.
    fn as_texts(&mut self, map: Val, sign: &str, header: Header) -> Result<Option<Val>> {
        if self.is_active(map) || self.entries(map).any(|(_, value)| self.kind(value) != Kind::Scalar) {
            return Ok(None);
        }
        let mut texts = Vec::with_capacity(self.len(map));
        for (key, value) in self.entries(map).collect::<Vec<_>>() {
            let text = if self.is_null(value) {
                self.text(key).into_owned()
            } else {
                format!("{}{sign}{}", self.text(key), self.text(value))
            };
            texts.push(self.made_scalar(Scalar::Str(text.into()), Some(value))?);
        }
        self.list_under(texts, map, header).map(Some)
    }

    /// A list of texts as a map; a text without the sign is a key whose value is null.
    fn as_entries(&mut self, list: Val, sign: &str) -> Result<Option<Val>> {
        let is_text = |item: Val| self.kind(item) == Kind::Scalar && self.scalar(item).as_str().is_some();
        if self.items(list).any(|item| !is_text(item)) {
            return Ok(None);
        }
        let mut entries: Vec<(Val, Val)> = Vec::with_capacity(self.len(list));
        for item in self.items(list).collect::<Vec<_>>() {
            let text = self.text(item).into_owned();
            let (key, value) = match text.split_once(sign) {
                Some((key, value)) => (key, Scalar::Str(value.to_owned().into())),
                None => (text.as_str(), Scalar::Null),
            };
            let key = self.made_scalar(Scalar::Str(key.to_owned().into()), Some(item))?;
            let value = self.made_scalar(value, Some(item))?;
            match entries.iter_mut().find(|(known, _)| self.same_key(*known, key)) {
                Some((_, old)) => *old = value,
                None => entries.push((key, value)),
            }
        }
        self.map(entries, Some(list)).map(Some)
    }
}
