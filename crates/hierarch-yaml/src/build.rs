//! From events to the tree: the one place where nodes are made, whatever grammar reads the text.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use hierarch_source::{Result, Source, Span};
use rustc_hash::{FxHashMap, FxHasher};

use crate::limits::DocumentLimits;
use crate::node::*;
use crate::view::KnownViews;
use crate::{issues, schema};

/// Anchor and tag of a node that is about to be added.
#[derive(Default)]
pub(crate) struct Properties<'t> {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) anchor: Option<&'t str>,
    pub(crate) tag: Option<&'t str>,
}

pub(crate) struct Builder {
    tree: Tree,
    limits: DocumentLimits,
    open: Vec<OpenCollection>,
    pending: Vec<NodeId>,
    anchors: FxHashMap<Box<str>, NodeId>,
    /// How deep anchored collections are, aliases followed.
    heights: FxHashMap<NodeId, usize>,
    /// False when the whole text has no `%{`, so that no scalar need be searched.
    may_have_tokens: bool,
}

/// What a node hangs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// Nothing: it is the top of a document.
    Top,
    /// The dash of a block list.
    Dash,
    /// The colon behind a key.
    Colon,
    /// It is a key, or an item between brackets.
    Other,
}

struct OpenCollection {
    node: NodeId,
    pending: usize,
    /// How many collections stand inside each other below this one, aliases followed.
    height: usize,
}

/// Maps with at most this many keys are searched for repeated keys pair by pair.
const FEW_KEYS: usize = 8;

impl Builder {
    pub(crate) fn new(source: &Arc<Source>, dialect: Dialect, limits: DocumentLimits) -> Result<Self> {
        let text = source.text();
        if text.len() > limits.bytes {
            return Err(issues::too_many_bytes(limits.bytes).at(source, Span::point(0)));
        }
        // Real data has a node every fifteen bytes.
        let guess = text.len() / 12;
        let tree = Tree {
            source: Arc::clone(source),
            dialect,
            nodes: Vec::with_capacity(guess),
            links: Vec::with_capacity(guess),
            cooked: String::new(),
            props: Vec::new(),
            roots: Vec::new(),
            warnings: Vec::new(),
            merging: Vec::new(),
            repeats: Vec::new(),
            is_foreign: false,
            has_signs: OnceLock::new(),
            views: KnownViews::default(),
        };
        Ok(Self {
            tree,
            limits,
            open: Vec::with_capacity(16),
            pending: Vec::with_capacity(64),
            anchors: FxHashMap::default(),
            heights: FxHashMap::default(),
            may_have_tokens: has_token(text),
        })
    }

    pub(crate) fn document_start(&mut self) {
        self.anchors.clear();
    }

    pub(crate) fn document_end(&mut self) {
        // An empty document has one empty scalar, so there is always a root.
        self.tree.roots.append(&mut self.pending);
    }

    pub(crate) fn finish(mut self) -> Tree {
        self.tree.nodes.shrink_to_fit();
        self.tree.links.shrink_to_fit();
        self.tree
    }

    /// Tells what the next node hangs on.
    pub(crate) fn slot(&self) -> Slot {
        let Some(open) = self.open.last() else { return Slot::Top };
        let parent = self.tree.node(open.node);
        match parent.kind {
            Kind::List if parent.style == Style::Block => Slot::Dash,
            Kind::Map if !(self.pending.len() - open.pending).is_multiple_of(2) => Slot::Colon,
            _ => Slot::Other,
        }
    }

    /// Adds a scalar whose text, `value`, may or may not stand in the source as it is.
    pub(crate) fn scalar(&mut self, value: &str, span: Span, style: Style, props: &Properties) -> Result<()> {
        let inner = match style {
            Style::Single | Style::Double if span.len() >= 2 => Span::new(span.start + 1, span.end - 1),
            _ => span,
        };
        let flags = self.token_flag(value);
        let (first, last, flags) = if self.tree.source.slice(inner) == value {
            (inner.start, inner.end, flags)
        } else {
            let start = self.tree.cooked.len() as u32;
            self.tree.cooked.push_str(value);
            (start, self.tree.cooked.len() as u32, flags | COOKED)
        };
        self.add(Node { span, first, last, props: NO_PROPS, kind: Kind::Scalar, style, flags }, props)?;
        Ok(())
    }

    /// Adds a scalar whose text is exactly `text` of the source.
    pub(crate) fn verbatim(
        &mut self,
        text: Span,
        span: Span,
        style: Style,
        props: &Properties,
    ) -> Result<()> {
        let flags = self.token_flag(&self.tree.source.text()[text.range()]);
        let node = Node {
            span,
            first: text.start,
            last: text.end,
            props: NO_PROPS,
            kind: Kind::Scalar,
            style,
            flags,
        };
        self.add(node, props)?;
        Ok(())
    }

    fn token_flag(&self, value: &str) -> u8 {
        let found = self.may_have_tokens && has_token(value);
        if found { TOKENS } else { 0 }
    }

    pub(crate) fn alias(&mut self, name: &str, span: Span) -> Result<()> {
        let source = Arc::clone(&self.tree.source);
        let Some(&target) = self.anchors.get(name) else {
            return Err(issues::unknown_anchor(name).at(&source, span));
        };
        let inherited = self.tree.node(target).flags;
        if inherited & OPEN != 0 {
            return Err(issues::alias_in_itself(name).at(&source, span));
        }
        self.follow(target).map_err(|error| error.at(&source, span))?;
        let flags = inherited & (ACTIVE | TOKENS);
        let node = Node {
            span,
            first: target.0,
            last: 0,
            props: NO_PROPS,
            kind: Kind::Alias,
            style: Style::Plain,
            flags,
        };
        self.add(node, &Properties::default())?;
        Ok(())
    }

    /// Counts what an alias stands for, so that no chain of aliases is too deep or too large to be followed.
    fn follow(&mut self, target: NodeId) -> Result<()> {
        let height = self.heights.get(&target).copied().unwrap_or(0);
        if self.open.len() + height > self.limits.depth {
            return Err(issues::too_deep(self.limits.depth));
        }
        if let Some(open) = self.open.last_mut() {
            open.height = open.height.max(height);
        }
        let weight = self.tree.repeated() + self.tree.weight(target);
        if weight > self.limits.expanded {
            return Err(issues::too_much_expansion(self.limits.expanded));
        }
        self.tree.repeats.push((NodeId::from_index(self.tree.nodes.len()), weight));
        Ok(())
    }

    pub(crate) fn begin(&mut self, kind: Kind, style: Style, start: u32, props: &Properties) -> Result<()> {
        let span = Span::point(start);
        if self.open.len() >= self.limits.depth {
            return Err(issues::too_deep(self.limits.depth).at(&self.tree.source, span));
        }
        let node =
            self.add(Node { span, first: 0, last: 0, props: NO_PROPS, kind, style, flags: OPEN }, props)?;
        self.open.push(OpenCollection { node, pending: self.pending.len(), height: 0 });
        Ok(())
    }

    /// Ends the innermost collection; `end` is after the bracket of a flow collection.
    pub(crate) fn end(&mut self, end: u32) -> Result<()> {
        let Some(OpenCollection { node: id, pending, height }) = self.open.pop() else { return Ok(()) };
        self.note_height(id, height + 1);
        let first = self.tree.links.len() as u32;
        self.tree.links.extend_from_slice(&self.pending[pending..]);
        self.pending.truncate(pending);
        let last = self.tree.links.len() as u32;
        let mut flags = 0;
        let mut inner_end = end;
        for &child in &self.tree.links[first as usize..] {
            let child = self.tree.node(child);
            flags |= child.flags & (ACTIVE | TOKENS);
            inner_end = child.span.end;
        }
        let node = &mut self.tree.nodes[id.index()];
        // Where a block collection ends the parsers do not agree; what its last child ends with, they do.
        node.span.end = if node.style == Style::Block { inner_end.max(node.span.start) } else { end };
        (node.first, node.last, node.flags) = (first, last, flags);
        if node.kind == Kind::Map { self.finish_map(id) } else { Ok(()) }
    }

    fn note_height(&mut self, id: NodeId, height: usize) {
        if let Some(outer) = self.open.last_mut() {
            outer.height = outer.height.max(height);
        }
        if self.tree.node(id).props != NO_PROPS {
            self.heights.insert(id, height);
        }
    }

    fn finish_map(&mut self, id: NodeId) -> Result<()> {
        let mut flags = 0;
        for (key, _) in self.tree.entries(id) {
            let key = self.tree.target(key);
            match self.tree.text_bytes(key).first() {
                Some(b'+') => flags |= ACTIVE,
                Some(b'<') if schema::is_merge_key(&self.tree, key) => flags |= ACTIVE | MERGE,
                _ => {}
            }
        }
        self.tree.nodes[id.index()].flags |= flags;
        if flags & MERGE != 0 {
            self.tree.merging.push(id);
        }
        self.check_repeated_keys(id)
    }

    fn check_repeated_keys(&mut self, id: NodeId) -> Result<()> {
        let count = self.tree.children(id).len() / 2;
        if count <= FEW_KEYS { self.compare_few_keys(id, count) } else { self.compare_many_keys(id, count) }
    }

    fn compare_few_keys(&mut self, id: NodeId, count: usize) -> Result<()> {
        for later in 1..count {
            let key = self.tree.children(id)[later * 2];
            let earlier = (0..later)
                .map(|index| self.tree.children(id)[index * 2])
                .find(|&other| schema::same_key(&self.tree, other, key));
            if let Some(other) = earlier {
                self.repeated(other, key)?;
            }
        }
        Ok(())
    }

    fn compare_many_keys(&mut self, id: NodeId, count: usize) -> Result<()> {
        let mut seen: FxHashMap<u64, NodeId> = FxHashMap::default();
        seen.reserve(count);
        for index in 0..count {
            let key = self.tree.children(id)[index * 2];
            let mut hasher = FxHasher::default();
            schema::hash_key(&self.tree, key, &mut hasher);
            let hash = hasher.finish();
            match seen.get(&hash) {
                Some(&other) if schema::same_key(&self.tree, other, key) => self.repeated(other, key)?,
                // Two different keys with one hash: the second is not remembered, which costs a warning at most.
                Some(_) => {}
                None => {
                    seen.insert(hash, key);
                }
            }
        }
        Ok(())
    }

    fn repeated(&mut self, first: NodeId, second: NodeId) -> Result<()> {
        let tree = &self.tree;
        // Several `<<` in one map are not a repeated key: each is merged.
        if schema::is_merge_key(tree, tree.target(second)) && tree.dialect == Dialect::Psych {
            return Ok(());
        }
        let key = tree.text(tree.target(second)).to_owned();
        let line = tree.source.position(tree.span(first).start).line;
        let span = tree.span(second);
        match tree.dialect {
            Dialect::Core | Dialect::Older => Err(issues::duplicate_key(&key, line).at(&tree.source, span)),
            Dialect::Psych => {
                let warning = issues::repeated_key(&key, line).at(&tree.source, span);
                self.tree.warnings.push(warning);
                Ok(())
            }
        }
    }

    fn add(&mut self, mut node: Node, props: &Properties) -> Result<NodeId> {
        if self.tree.nodes.len() >= self.limits.nodes {
            return Err(issues::too_many_nodes(self.limits.nodes).at(&self.tree.source, node.span));
        }
        let id = NodeId(self.tree.nodes.len() as u32);
        if props.anchor.is_some() || props.tag.is_some() {
            node.props = self.tree.props.len() as u32;
            self.tree.props.push(Props {
                span: Span::new(props.start, props.end),
                anchor: props.anchor.map(Into::into),
                tag: props.tag.map(Into::into),
            });
            if let Some(name) = props.anchor {
                self.anchors.insert(name.into(), id);
            }
        }
        self.tree.nodes.push(node);
        self.pending.push(id);
        Ok(id)
    }
}

/// Tells whether `%{` stands in a text; most have not even the first sign of it.
fn has_token(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).any(|at| bytes.get(at + 1) == Some(&b'{'))
}

/// Hashes a text the way keys are hashed.
pub(crate) fn hash_text(text: &str, state: &mut FxHasher) {
    text.hash(state);
}
