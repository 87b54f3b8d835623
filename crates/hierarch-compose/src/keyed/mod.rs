//! Lists whose items meet by a key: what a list's header and the marks of its items say.
//!
//! The first item of an overriding list may be a map that holds only `+%`: `{match: name}` lets the items meet
//! those of the list below by the value at `name`, `replace` puts the list in the place of the one below.

mod merge;
mod misfit;
mod pairs;
mod table;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hierarch_source::Result;
use hierarch_yaml::{Data, Kind, Scalar};
use rustc_hash::FxHasher;

pub use misfit::Misfit;
pub(crate) use table::is_name as is_table_name;
pub use table::{KeyTable, built_in_table};

use crate::directive::STRATEGY;
use crate::forest::{Forest, Val};
use crate::issues;
use crate::merge::Strategy;

/// What stands for a position in the path of a list that a table is asked about: no key is written so.
pub(crate) const POSITION: &str = "\u{0}";

/// What the first item of a list says about the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// The list stands in the place of the one below.
    Replace,
    /// Items meet by a key.
    Match(Arc<Match>),
    /// Items meet by the key that a table has for the list.
    Table(String),
}

/// The key by which items meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) parts: Vec<KeyPart>,
    /// Items without the key are left alone.
    pub(crate) loose: bool,
    /// Where items that are texts have their key; only tables can say it.
    pub(crate) text: Option<TextKey>,
}

/// Where an item that is a text has its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextKey {
    /// Before this sign: `LOG` in `LOG=debug`.
    Before(String),
    /// In the second of the parts that this sign separates, or in the only one: `/data` in `./files:/data:ro`.
    Second(String),
}

impl TextKey {
    fn of<'t>(&self, text: &'t str) -> &'t str {
        match self {
            Self::Before(sign) => text.split_once(sign.as_str()).map_or(text, |(key, _)| key),
            Self::Second(sign) => text.split(sign.as_str()).nth(1).unwrap_or(text),
        }
    }
}

/// One part of a key: where in an item its value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyPart {
    /// The name as written, dots and all.
    pub(crate) name: String,
    /// What an item without it is taken to have.
    pub(crate) default: Option<String>,
}

/// The value of an item's key, to be compared as lists compare values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key(Vec<Option<Scalar<'static>>>);

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut hasher = FxHasher::default();
        self.0.iter().flatten().for_each(|scalar| scalar.hash_into(&mut hasher));
        state.write_u64(hasher.finish());
    }
}

impl Key {
    /// Returns the value that names it in `before` and `after`.
    pub(crate) fn data(&self) -> Data {
        let mut parts =
            self.0.iter().map(|part| part.clone().map_or(Data::NULL, Data::Scalar)).collect::<Vec<_>>();
        if parts.len() == 1 { parts.remove(0) } else { Data::List(parts) }
    }
}

impl Match {
    /// Reads `name`, `metadata.name`, `[containerPort, protocol=TCP]`.
    pub(crate) fn new(names: &[String], loose: bool) -> Self {
        let parts = names.iter().map(|name| match name.split_once('=') {
            Some((name, default)) => KeyPart { name: name.into(), default: Some(default.into()) },
            None => KeyPart { name: name.clone(), default: None },
        });
        Self { parts: parts.collect(), loose, text: None }
    }

    /// Returns the key as a header writes it.
    pub(crate) fn data(&self) -> Data {
        let name = |part: &KeyPart| match &part.default {
            Some(default) => Data::text(format!("{}={default}", part.name)),
            None => Data::text(part.name.clone()),
        };
        match &self.parts[..] {
            [part] => name(part),
            parts => Data::List(parts.iter().map(name).collect()),
        }
    }

    /// Returns the names for messages.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
        names.join(", ")
    }
}

/// Where an item is to stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    First,
    Last,
    Before(Key),
    After(Key),
}

impl Forest {
    /// Reads the first item of a list as a header; `None` if it is an item like any other.
    pub(crate) fn written_header(&self, list: Val) -> Result<Option<Header>> {
        if !self.is_active(list) || self.kind(list) != Kind::List || self.len(list) == 0 {
            return Ok(None);
        }
        let first = self.item(list, 0);
        if !self.is_map(first) || self.len(first) != 1 {
            return Ok(None);
        }
        let Some(value) = self.find_text(first, STRATEGY) else { return Ok(None) };
        match self.strategy(first)? {
            Some(Strategy::Keys) => self.declared(value).map(Some),
            Some(Strategy::Replace) => Ok(Some(Header::Replace)),
            _ => Ok(None),
        }
    }

    /// Reads `{match: …, loose: …}`.
    pub(crate) fn declared(&self, value: Val) -> Result<Header> {
        let wrong = || self.place_error(issues::bad_match(), value);
        let named = self.find_text(value, "match").ok_or_else(wrong)?;
        let loose = match self.find_text(value, "loose") {
            None => false,
            Some(loose) if self.kind(loose) == Kind::Scalar => match self.scalar(loose) {
                Scalar::Bool(loose) => loose,
                _ => return Err(wrong()),
            },
            Some(_) => return Err(wrong()),
        };
        let names = match self.kind(named) {
            Kind::List => self.items(named).map(|item| self.name_of(item)).collect::<Option<Vec<_>>>(),
            Kind::Scalar => self.name_of(named).map(|name| vec![name]),
            _ => None,
        };
        match names {
            Some(names) if matches!(&names[..], [name] if table::is_name(name)) => {
                Ok(Header::Table(names.concat()))
            }
            Some(names) if !names.is_empty() => Ok(Header::Match(Match::new(&names, loose).into())),
            _ => Err(wrong()),
        }
    }

    fn name_of(&self, val: Val) -> Option<String> {
        (self.kind(val) == Kind::Scalar && !self.is_null(val)).then(|| self.text(val).into_owned())
    }

    /// Returns the value of an item's key; `None` if it has none.
    pub(crate) fn key_of(&self, item: Val, by: &Match) -> Option<Key> {
        if !self.is_map(item) {
            return self.key_of_text(item, by.text.as_ref()?);
        }
        let parts: Vec<Option<Scalar>> = by.parts.iter().map(|part| self.part_of(item, part)).collect();
        parts.first()?.as_ref()?;
        Some(Key(parts))
    }

    fn key_of_text(&self, item: Val, by: &TextKey) -> Option<Key> {
        let is_scalar = self.kind(item) == Kind::Scalar;
        let text =
            if is_scalar { self.scalar(item).as_str().map(|text| by.of(text).to_owned()) } else { None };
        text.map(|text| Key(vec![Some(Scalar::Str(text.into()))]))
    }

    fn part_of(&self, item: Val, part: &KeyPart) -> Option<Scalar<'static>> {
        let whole = self.find_text(item, &part.name);
        let found = whole.or_else(|| {
            part.name
                .split('.')
                .try_fold(item, |val, name| if self.is_map(val) { self.find_text(val, name) } else { None })
        });
        match found {
            Some(found) if self.kind(found) == Kind::Scalar && !self.is_null(found) => {
                Some(self.scalar(found).into_owned())
            }
            _ => part.default.clone().map(|text| Scalar::Str(text.into())),
        }
    }

    /// Returns where an item asks to be placed.
    pub(crate) fn placement(&self, item: Val) -> Result<Option<Placement>> {
        Ok(match self.strategy(item)? {
            Some(Strategy::First) => Some(Placement::First),
            Some(Strategy::Last) => Some(Placement::Last),
            Some(Strategy::Before) => self.beside(item, "before").map(Placement::Before),
            Some(Strategy::After) => self.beside(item, "after").map(Placement::After),
            _ => None,
        })
    }

    fn beside(&self, item: Val, word: &str) -> Option<Key> {
        let named = self.find_text(self.find_text(item, STRATEGY)?, word)?;
        let scalar = |val: Val| (!self.is_null(val)).then(|| self.scalar(val).into_owned());
        Some(Key(match self.kind(named) {
            Kind::List => self.items(named).map(scalar).collect(),
            _ => vec![scalar(named)],
        }))
    }
}
