//! Where every value of an expansion comes from, and how two expansions differ.

use hierarch_source::Place;
use hierarch_source::pointer::escape;
use hierarch_yaml::Kind;

use crate::document::Document;
use crate::forest::{Forest, Val};

/// A value that is not a collection, or an empty one, with its history.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The JSON pointer to it in the expansion.
    pub path: String,
    /// The value.
    pub value: Val,
    /// Where it is written.
    pub place: Option<Place>,
    /// The directives it came through, the last one first: the key, and where that stands.
    pub through: Vec<(String, Option<Place>)>,
}

/// One difference between two expansions.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The JSON pointer to it.
    pub path: String,
    /// What was there.
    pub old: Option<Val>,
    /// What is there.
    pub new: Option<Val>,
}

impl Document<'_> {
    /// Returns every leaf of the expansion with its place and, if the document was opened traced, its directives.
    pub fn origins(&self) -> Vec<Origin> {
        let mut origins = Vec::new();
        self.forest().collect_origins(self.value(), &mut String::new(), &mut origins);
        origins
    }
}

impl Forest {
    fn collect_origins(&self, val: Val, path: &mut String, origins: &mut Vec<Origin>) {
        let length = path.len();
        match self.kind(val) {
            Kind::Map if self.len(val) > 0 => {
                for (key, value) in self.entries(val) {
                    path.push('/');
                    path.push_str(&escape(&self.text(key)));
                    self.collect_origins(value, path, origins);
                    path.truncate(length);
                }
            }
            Kind::List if self.len(val) > 0 => {
                for (index, item) in self.items(val).enumerate() {
                    path.push('/');
                    path.push_str(&index.to_string());
                    self.collect_origins(item, path, origins);
                    path.truncate(length);
                }
            }
            _ => origins.push(self.origin(val, path)),
        }
    }

    fn origin(&self, val: Val, path: &str) -> Origin {
        let through =
            self.directives(val).map(|key| (self.text(key).into_owned(), self.place(key))).collect();
        Origin { path: path.to_owned(), value: val, place: self.place(val), through }
    }

    /// Lists what differs between two values, the smallest parts that do.
    pub fn differences(&self, old: Val, new: Val) -> Vec<Difference> {
        let mut found = Vec::new();
        self.compare(Some(old), Some(new), &mut String::new(), &mut found);
        found
    }

    fn compare(&self, old: Option<Val>, new: Option<Val>, path: &mut String, found: &mut Vec<Difference>) {
        let length = path.len();
        if let (Some(a), Some(b)) = (old, new) {
            if self.same(a, b) {
                return;
            }
            if self.is_map(a) && self.is_map(b) {
                let added = self.entries(b).filter(|&(key, _)| self.find(a, key).is_none());
                let known = self.entries(a).map(|(key, value)| (key, Some(value), self.find(b, key)));
                for (key, old, new) in known.chain(added.map(|(key, value)| (key, None, Some(value)))) {
                    path.push('/');
                    path.push_str(&escape(&self.text(key)));
                    self.compare(old, new, path, found);
                    path.truncate(length);
                }
                return;
            }
            if self.kind(a) == Kind::List && self.kind(b) == Kind::List && self.len(a) == self.len(b) {
                for index in 0..self.len(a) {
                    path.push('/');
                    path.push_str(&index.to_string());
                    self.compare(Some(self.item(a, index)), Some(self.item(b, index)), path, found);
                    path.truncate(length);
                }
                return;
            }
        }
        if old.is_some() || new.is_some() {
            found.push(Difference { path: path.clone(), old, new });
        }
    }
}
