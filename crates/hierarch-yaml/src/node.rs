//! The tree of one YAML stream: compact nodes that know where they stand and share what they can.
//!
//! Nodes are numbers into one vector, in the order of the text; a collection's children are a range of a
//! second vector; a scalar's text is a range of the source unless escapes or folding changed it.

use std::sync::{Arc, OnceLock};

use hierarch_source::{Diagnostic, Result, Source, Span};

use crate::schema::{self, Scalar};
use crate::view::KnownViews;

/// A node of one [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Returns the number, for tables indexed by node.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Makes a node from its number.
    pub fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text, with or without quotes.
    Scalar,
    /// Keys with values.
    Map,
    /// Items.
    List,
    /// A `*name` that stands for another node.
    Alias,
}

/// How a node is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A scalar without quotes; also an alias.
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in brackets.
    Flow,
}

/// Whose rules a text is read by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Ruby's YAML, as Hiera data is read: libyaml's grammar, Psych's scalars.
    Psych,
    /// ruamel's YAML 1.2, as Unfurl documents are read.
    Core,
    /// The grammar of `Core`, but plain scalars mean what YAML 1.1 says: `yes` is true, `0644` is 420.
    Older,
}

impl Dialect {
    /// Tells whether texts are read by ruamel's grammar.
    pub(crate) fn is_core(self) -> bool {
        self != Self::Psych
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) props: u32,
    pub(crate) kind: Kind,
    pub(crate) style: Style,
    pub(crate) flags: u8,
}

/// The scalar's text stands in `cooked`, not in the source.
pub(crate) const COOKED: u8 = 1;
/// The map has a `<<` key of its own.
pub(crate) const MERGE: u8 = 2;
/// Somewhere inside is a key with a leading `+`, or a `<<`.
pub(crate) const ACTIVE: u8 = 4;
/// Somewhere inside is a `%{`.
pub(crate) const TOKENS: u8 = 8;
/// The collection is still being read.
pub(crate) const OPEN: u8 = 16;

pub(crate) const NO_PROPS: u32 = u32::MAX;

/// What stands before a node's content: `&anchor`, `!tag`.
#[derive(Clone, Debug)]
pub(crate) struct Props {
    pub(crate) span: Span,
    pub(crate) anchor: Option<Box<str>>,
    pub(crate) tag: Option<Box<str>>,
}

/// Everything one text says: its documents, and their nodes.
#[derive(Debug)]
pub struct Tree {
    pub(crate) source: Arc<Source>,
    pub(crate) dialect: Dialect,
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: Vec<NodeId>,
    pub(crate) cooked: String,
    pub(crate) props: Vec<Props>,
    pub(crate) roots: Vec<NodeId>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The maps with a `<<` key of their own, inner ones before what they stand in.
    pub(crate) merging: Vec<NodeId>,
    /// The aliases, each with how many nodes it and those before it stand for.
    pub(crate) repeats: Vec<(NodeId, usize)>,
    /// The text is in another notation: what is spelled there means nothing to YAML.
    pub(crate) is_foreign: bool,
    /// A `#` stands somewhere in the text, once that was asked: without one there are no comments.
    pub(crate) has_signs: OnceLock<bool>,
    /// What its maps with a `<<` hold.
    pub(crate) views: KnownViews,
}

// What is asked of every node of every document is marked, so that other crates need no call for it.
impl Tree {
    /// Returns the text that was read.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Tells by whose rules it was read.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the top node of the first document; none in an empty stream.
    pub fn root(&self) -> Option<NodeId> {
        self.roots.first().copied()
    }

    /// Returns the top nodes of all documents.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// Tells how many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns what is odd but no error: keys that stand twice.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Tells how many nodes the value of a node has, itself and its keys counted, aliases followed.
    pub fn weight(&self, id: NodeId) -> usize {
        let id = self.target(id);
        let last = self.last_inside(id);
        let stands_for = |end: usize| {
            let count = self.repeats.partition_point(|(alias, _)| alias.index() < end);
            count.checked_sub(1).map_or(0, |index| self.repeats[index].1)
        };
        let repeated = stands_for(last.index() + 1) - stands_for(id.index());
        (last.index() + 1 - id.index()).saturating_add(repeated)
    }

    /// Nodes are in the order of the text, so what is inside ends with the last child's last child.
    fn last_inside(&self, id: NodeId) -> NodeId {
        let mut last = id;
        while let Some(&child) = self.children(last).last() {
            last = child;
        }
        last
    }

    /// Returns what a node stands in, and as which of its children; none for the top of a document.
    pub fn parent(&self, id: NodeId) -> Option<(NodeId, usize)> {
        let holding = |nodes: &[NodeId]| nodes.partition_point(|&node| node <= id).checked_sub(1);
        let mut parent = self.roots[holding(&self.roots)?];
        loop {
            let children = self.children(parent);
            let slot = holding(children)?;
            if children[slot] == id {
                return Some((parent, slot));
            }
            parent = children[slot];
        }
    }

    /// Tells whether an alias stands in a node, or is it.
    pub fn has_alias(&self, id: NodeId) -> bool {
        let first = self.repeats.partition_point(|(alias, _)| *alias < id);
        self.repeats.get(first).is_some_and(|(alias, _)| *alias <= self.last_inside(id))
    }

    /// Tells how many nodes all aliases together stand for.
    pub(crate) fn repeated(&self) -> usize {
        self.repeats.last().map_or(0, |(_, weight)| *weight)
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Tells what a node is.
    #[inline]
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// Tells how a node is written.
    #[inline]
    pub fn style(&self, id: NodeId) -> Style {
        self.node(id).style
    }

    /// Returns where the content stands, without anchor and tag.
    #[inline]
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// Returns where the node stands, anchor and tag included.
    pub fn outer_span(&self, id: NodeId) -> Span {
        match self.props(id) {
            Some(props) => props.span.to(self.span(id)),
            None => self.span(id),
        }
    }

    #[inline]
    pub(crate) fn props(&self, id: NodeId) -> Option<&Props> {
        self.props.get(self.node(id).props as usize)
    }

    /// Returns the name after `&`.
    pub fn anchor(&self, id: NodeId) -> Option<&str> {
        self.props(id)?.anchor.as_deref()
    }

    /// Returns all anchors in the order of the text, the same name possibly more than once.
    pub fn anchors(&self) -> impl Iterator<Item = (&str, NodeId)> {
        // Most documents have none.
        let nodes = if self.props.is_empty() { &[] } else { &self.nodes[..] };
        let anchored = nodes.iter().enumerate().filter(|(_, node)| node.props != NO_PROPS);
        anchored.filter_map(|(index, node)| {
            let name = self.props[node.props as usize].anchor.as_deref()?;
            Some((name, NodeId::from_index(index)))
        })
    }

    /// Returns the tag, resolved: `tag:yaml.org,2002:str`, `!local`.
    #[inline]
    pub fn tag(&self, id: NodeId) -> Option<&str> {
        self.props(id)?.tag.as_deref()
    }

    /// Returns a scalar's text with escapes undone; the name of an alias; nothing for collections.
    #[inline]
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        let range = node.first as usize..node.last as usize;
        match node.kind {
            Kind::Scalar if node.flags & COOKED != 0 => &self.cooked[range],
            Kind::Scalar => &self.source.text()[range],
            Kind::Alias => &self.source.text()[node.span.start as usize + 1..node.span.end as usize],
            Kind::Map | Kind::List => "",
        }
    }

    /// Returns the bytes of a scalar's text, for a look at some of them; nothing for anything else.
    pub(crate) fn text_bytes(&self, id: NodeId) -> &[u8] {
        let node = self.node(id);
        let range = node.first as usize..node.last as usize;
        match node.kind {
            Kind::Scalar if node.flags & COOKED != 0 => &self.cooked.as_bytes()[range],
            Kind::Scalar => &self.source.text().as_bytes()[range],
            _ => &[],
        }
    }

    /// Returns the items of a list; the keys and values of a map by turns.
    #[inline]
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        let node = self.node(id);
        match node.kind {
            Kind::Map | Kind::List => &self.links[node.first as usize..node.last as usize],
            Kind::Scalar | Kind::Alias => &[],
        }
    }

    /// Returns the keys and values of a map as written, `<<` among them.
    pub fn entries(&self, id: NodeId) -> impl ExactSizeIterator<Item = (NodeId, NodeId)> {
        self.children(id).chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// Returns the node that an alias stands for, any other node as it is.
    #[inline]
    pub fn target(&self, id: NodeId) -> NodeId {
        let node = self.node(id);
        if node.kind == Kind::Alias { NodeId(node.first) } else { id }
    }

    /// Tells whether directives or merge keys may stand in the node; if not, it means what it shows.
    #[inline]
    pub fn is_active(&self, id: NodeId) -> bool {
        self.node(id).flags & ACTIVE != 0
    }

    /// Tells whether the map has a `<<` key of its own.
    #[inline]
    pub fn has_merge_key(&self, id: NodeId) -> bool {
        self.node(id).flags & MERGE != 0
    }

    /// Returns the maps with a `<<` key of their own.
    pub fn merging_maps(&self) -> &[NodeId] {
        &self.merging
    }

    /// Tells whether a node is a text, which most are without a closer look.
    pub fn is_text(&self, id: NodeId) -> bool {
        self.kind(id) == Kind::Scalar
            && (schema::is_text_at_a_glance(self, id) || matches!(self.scalar(id), Ok(Scalar::Str(_))))
    }

    /// Returns the text of a scalar that is one without a closer look at what it may mean, as most are.
    pub fn plain_text(&self, id: NodeId) -> Option<&str> {
        (self.kind(id) == Kind::Scalar && schema::is_text_at_a_glance(self, id)).then(|| self.text(id))
    }

    /// Tells whether `%{` stands somewhere in the node.
    pub fn has_tokens(&self, id: NodeId) -> bool {
        self.node(id).flags & TOKENS != 0
    }

    /// Returns what a scalar means by the rules of the dialect.
    pub fn scalar(&self, id: NodeId) -> Result<Scalar<'_>> {
        schema::resolve(self, id).map_err(|error| error.at(&self.source, self.span(id)))
    }

    /// Returns the value node behind a text key of a map, as written: the last one, where a key stands twice.
    pub fn get(&self, map: NodeId, key: &str) -> Option<NodeId> {
        let mut found = None;
        for (k, value) in self.entries(map) {
            let k = self.target(k);
            if self.kind(k) == Kind::Scalar && self.text(k) == key {
                found = Some(value);
            }
        }
        found
    }
}
