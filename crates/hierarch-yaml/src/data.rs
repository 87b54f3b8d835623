//! Data: what a document means, without its places.

use hierarch_source::Result;

use crate::emit::scalar_text;
use crate::issues;
use crate::limits::DocumentLimits;
use crate::node::{Kind, NodeId, Tree};
use crate::schema::{self, Scalar};

/// A value with everything followed and resolved. Maps keep their order. Texts may be those of a [`Tree`].
#[derive(Clone, Debug, PartialEq)]
pub enum Datum<'t> {
    /// A scalar.
    Scalar(Scalar<'t>),
    /// Items.
    List(Vec<Datum<'t>>),
    /// Keys and values in order.
    Map(Vec<(Datum<'t>, Datum<'t>)>),
}

/// Data that owns its texts.
pub type Data = Datum<'static>;

impl Data {
    /// The null value.
    pub const NULL: Data = Data::Scalar(Scalar::Null);

    /// Makes a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Scalar(Scalar::Str(text.into().into()))
    }
}

impl Datum<'_> {
    /// Returns the value behind a text key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => {
                entries.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns what a segment of a JSON pointer leads to: the value of a key with this text, or an item.
    pub fn child(&self, segment: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => {
                let is_text = |key: &Self| matches!(key, Self::Scalar(key) if scalar_text(key) == segment);
                self.get(segment).or_else(|| Some(&entries.iter().find(|(key, _)| is_text(key))?.1))
            }
            Self::List(items) => items.get(segment.parse::<usize>().ok()?),
            Self::Scalar(_) => None,
        }
    }

    /// Tells whether two values mean the same: the order of keys does not count.
    pub fn means(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Map(a), Self::Map(b)) => {
                let find = |key| b.iter().find(|(other, _)| other == key);
                let in_place = a.iter().zip(b).all(|((key, _), (other, _))| key == other);
                a.len() == b.len()
                    && if in_place {
                        a.iter().zip(b).all(|((_, value), (_, other))| value.means(other))
                    } else {
                        a.iter().all(|(key, value)| find(key).is_some_and(|(_, other)| value.means(other)))
                    }
            }
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.means(b)),
            (a, b) => a == b,
        }
    }

    /// Returns the text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Scalar(scalar) => scalar.as_str(),
            _ => None,
        }
    }
}

impl From<Scalar<'_>> for Data {
    fn from(scalar: Scalar<'_>) -> Self {
        Self::Scalar(scalar.into_owned())
    }
}

impl Tree {
    /// Returns a node's data, aliases followed, within a budget.
    pub fn data(&self, id: NodeId, limits: DocumentLimits) -> Result<Data> {
        self.collect(id, limits, Scalar::into_owned)
    }

    /// Returns a node's data like [`Tree::data`], but with the texts that the tree has: for who makes
    /// something else of it at once.
    pub fn borrowed_data(&self, id: NodeId, limits: DocumentLimits) -> Result<Datum<'_>> {
        self.collect(id, limits, |scalar| scalar)
    }

    fn collect<'t, 'd>(
        &'t self,
        id: NodeId,
        limits: DocumentLimits,
        make: impl Fn(Scalar<'t>) -> Scalar<'d>,
    ) -> Result<Datum<'d>> {
        Collector { tree: self, left: limits.expanded, limit: limits.expanded, make }.datum(id)
    }
}

/// One walk over a tree that makes data.
struct Collector<'t, F> {
    tree: &'t Tree,
    /// How many nodes may still be visited, and how many in all.
    left: usize,
    limit: usize,
    make: F,
}

impl<'t, 'd, F: Fn(Scalar<'t>) -> Scalar<'d>> Collector<'t, F> {
    fn datum(&mut self, id: NodeId) -> Result<Datum<'d>> {
        let tree = self.tree;
        let Some(left) = self.left.checked_sub(1) else {
            return Err(issues::too_much_expansion(self.limit).at(&tree.source, tree.span(id)));
        };
        self.left = left;
        let id = tree.target(id);
        if matches!(tree.kind(id), Kind::Scalar | Kind::Alias) {
            return Ok(Datum::Scalar((self.make)(tree.scalar(id)?)));
        }
        schema::check_collection(tree, id)?;
        let children = tree.children(id);
        match tree.kind(id) {
            Kind::Map if tree.means_what_it_shows(id) => self.pairs(children.len() / 2, tree.entries(id)),
            Kind::Map => {
                let entries = tree.view(id)?;
                self.pairs(entries.len(), entries.iter().copied())
            }
            _ if schema::is_ordered_map(tree, id) => {
                let pairs = children.iter().map(|&item| tree.children(tree.target(item)));
                self.pairs(children.len(), pairs.map(|pair| (pair[0], pair[1])))
            }
            _ => {
                let mut items = Vec::with_capacity(children.len());
                for &item in children {
                    items.push(self.datum(item)?);
                }
                Ok(Datum::List(items))
            }
        }
    }

    fn pairs(&mut self, count: usize, pairs: impl Iterator<Item = (NodeId, NodeId)>) -> Result<Datum<'d>> {
        let mut entries = Vec::with_capacity(count);
        for (key, value) in pairs {
            entries.push((self.datum(key)?, self.datum(value)?));
        }
        Ok(Datum::Map(entries))
    }
}
