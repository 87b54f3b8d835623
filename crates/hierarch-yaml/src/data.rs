//! Data: what a document means, without its places.

use hierarch_source::Result;

use crate::emit::scalar_text;
use crate::issues;
use crate::keyed::KeyedEntries;
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
                let mut others = KeyedEntries::new(b);
                a.len() == b.len()
                    && a.iter().all(|(key, value)| others.find(key).is_some_and(|other| value.means(other)))
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

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::node::Dialect;
    use crate::scan::read;

    fn data(text: &str) -> Data {
        limited(text, DocumentLimits::default()).expect(text)
    }

    fn limited(text: &str, limits: DocumentLimits) -> Result<Data> {
        let tree = read(&Source::unnamed(text), Dialect::Core, limits)?;
        tree.root().map_or(Ok(Data::NULL), |root| tree.data(root, limits))
    }

    #[test]
    fn the_order_of_keys_means_nothing_and_that_of_items_something() {
        let same =
            [("{a: 1, b: 2}", "{b: 2, a: 1}"), ("[{a: 1, b: 2}]", "[{b: 2, a: 1}]"), ("1", "1.0"), ("", "~")];
        for (one, other) in same {
            assert!(data(one).means(&data(other)), "{one} {other}");
        }
        let different = [
            ("[1, 2]", "[2, 1]"),
            ("{a: 1}", "{a: 1, b: 1}"),
            ("{a: 1}", "{b: 1}"),
            ("1", "'1'"),
            ("1", "true"),
        ];
        for (one, other) in different {
            assert!(!data(one).means(&data(other)), "{one} {other}");
            assert!(!data(other).means(&data(one)), "{other} {one}");
        }
    }

    #[test]
    fn a_segment_leads_to_a_key_by_its_text_or_to_an_item_by_its_number() {
        let value = data("{1: one, '1': text, true: yes, list: [a, {b: c}]}");
        // A key that is a text goes before one that only looks like it.
        assert_eq!(value.child("1").and_then(Datum::as_str), Some("text"));
        assert_eq!(value.child("true").and_then(Datum::as_str), Some("yes"));
        let list = value.child("list").expect("a list");
        assert_eq!(list.child("0").and_then(Datum::as_str), Some("a"));
        assert_eq!(list.child("1").and_then(|item| item.child("b")).and_then(Datum::as_str), Some("c"));
        for missing in ["2", "-1", "a", ""] {
            assert_eq!(list.child(missing), None, "{missing}");
        }
        assert_eq!(list.child("0").and_then(|text| text.child("0")), None);
        assert_eq!(value.get("list").map(|list| list.get("0")), Some(None));
    }

    #[test]
    fn aliases_are_followed_within_the_budget() {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        assert_eq!(
            data(bomb).get("c").map(|c| matches!(c, Data::List(items) if items.len() == 2)),
            Some(true)
        );
        let small = DocumentLimits { expanded: 12, ..DocumentLimits::default() };
        assert_eq!(limited(bomb, small).expect_err("too much").code, "YAML_ALIAS_BUDGET");
    }

    #[test]
    fn what_a_text_may_ask_for_is_bounded() {
        let usual = DocumentLimits::default();
        let bounds = [
            ("[[[1]]]", DocumentLimits { depth: 2, ..usual }, "YAML_TOO_DEEP"),
            ("[1, 2, 3]", DocumentLimits { nodes: 3, ..usual }, "YAML_TOO_LARGE"),
            ("a long text", DocumentLimits { bytes: 4, ..usual }, "YAML_TOO_LARGE"),
        ];
        for (text, limits, code) in bounds {
            assert_eq!(limited(text, limits).expect_err(text).code, code, "{text}");
            assert!(limited(text, usual).is_ok(), "{text}");
        }
    }
}
