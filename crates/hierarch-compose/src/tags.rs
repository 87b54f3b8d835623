//! Tags that are not YAML's own, on what merges make: a map or list of several layers has the tag of the highest that has one.

use hierarch_source::Result;
use hierarch_yaml::Kind;

use crate::forest::{Forest, Val};

impl Forest {
    /// Returns the tag of a value that is not YAML's own.
    pub(crate) fn tag(&self, val: Val) -> Option<&str> {
        let mut val = val;
        loop {
            if let Some((doc, node)) = val.node() {
                return self.tree(doc).own_tag(node);
            }
            val = match self.tagged_by.get(&val.id) {
                Some(&from) => from,
                None => self.made_from(val)?,
            };
        }
    }

    /// Tells whether two keys are the same.
    pub(crate) fn same_key(&self, a: Val, b: Val) -> bool {
        self.same(a, b)
    }

    /// Gives a built collection the tag of the first of those that it was made of which has one.
    pub(crate) fn tagged(&mut self, built: Val, parts: &[Val]) -> Val {
        let first = parts.iter().copied().find(|&part| self.tag(part).is_some());
        if let Some(first) = first.filter(|&first| self.tag(first) != self.tag(built)) {
            self.tagged_by.insert(built.id, first);
        }
        built
    }

    /// Gives a collection that was made of those of several layers, the highest first, its tag.
    pub(crate) fn tagged_as(&mut self, value: Val, layers: &[Val]) -> Result<Val> {
        let kind = self.kind(value);
        let first = layers.iter().copied().find(|&layer| self.tag(layer).is_some());
        let Some(first) = first.filter(|&first| self.tag(first) != self.tag(value)) else {
            return Ok(value);
        };
        // What stands in a document has its tag there: the tag of another one needs a copy.
        let built = match (value.node(), kind) {
            (None, _) => value,
            (Some(_), Kind::Scalar | Kind::Alias) => return Ok(value),
            (Some(_), Kind::Map) => {
                let entries = self.entries(value).collect();
                self.map(entries, Some(value))?
            }
            (Some(_), Kind::List) => {
                let items = self.items(value).collect();
                self.list(items, Some(value))?
            }
        };
        self.tagged_by.insert(built.id, first);
        Ok(built)
    }

    /// Tells whether two equal values have the same tags.
    pub(crate) fn same_tags(&self, a: Val, b: Val) -> bool {
        if self.tag(a) != self.tag(b) {
            return false;
        }
        match self.kind(a) {
            Kind::Map => self
                .entries(a)
                .all(|(key, value)| self.find(b, key).is_none_or(|other| self.same_tags(value, other))),
            Kind::List => self.items(a).zip(self.items(b)).all(|(a, b)| self.same_tags(a, b)),
            _ => true,
        }
    }
}
