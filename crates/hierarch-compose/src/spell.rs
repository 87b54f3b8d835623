//! Values as they are spelled where they stand: what `expand` and `merge` print.

use std::collections::HashMap;

use hierarch_source::{Place, pointer};
use hierarch_yaml::{
    Content, Data, Kind, Layout, NodeId, Scalar, SpelledValue, Style, line, spelled_document,
    spelled_otherwise, tag_words,
};

use crate::forest::{Forest, Val};

/// What is written besides the values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spelling {
    /// The comments that belong to leaves, keys and items, and collections in brackets as they stand.
    pub comments: bool,
}

impl Forest {
    /// Writes a value as a document, its scalars as they are spelled, tags that are not YAML's own kept.
    pub fn spelled_text(&self, val: Val, spelling: Spelling) -> String {
        spelled_document(&self.spelled(val, spelling), &Layout::default())
    }

    /// Returns a value with how its parts are spelled.
    pub fn spelled(&self, val: Val, spelling: Spelling) -> SpelledValue<'_> {
        let brackets = if spelling.comments { self.brackets(val) } else { None };
        let content = match (brackets, self.kind(val)) {
            (Some(words), _) => Content::Words(words.into()),
            (None, Kind::Map) => Content::Map(
                self.entries(val).map(|(key, value)| self.spelled_entry(key, value, spelling)).collect(),
            ),
            (None, Kind::List) => {
                Content::List(self.items(val).map(|item| self.spelled_item(item, spelling)).collect())
            }
            _ => self.words(val),
        };
        SpelledValue { content, tag: self.own_tag(val), ..SpelledValue::default() }
    }

    /// Returns a value in one line, its numbers and truth values as they are spelled, with its tags.
    pub fn line(&self, val: Val) -> String {
        let inner = match self.kind(val) {
            Kind::Map => {
                let entry = |(key, value)| format!("{}: {}", self.line(key), self.line(value));
                format!("{{{}}}", self.entries(val).map(entry).collect::<Vec<_>>().join(", "))
            }
            Kind::List => {
                format!("[{}]", self.items(val).map(|item| self.line(item)).collect::<Vec<_>>().join(", "))
            }
            _ => match self.number(val) {
                Content::Words(words) => words.into_owned(),
                _ => line(&self.data(val)),
            },
        };
        match self.tag(val) {
            Some(tag) => format!("{} {inner}", tag_words(tag)),
            None => inner,
        }
    }

    /// Returns a value in which only numbers and truth values are as they are spelled, and tags only where they are wanted:
    /// `1.10` stays `1.10`, whatever stood around it.
    pub fn with_spelled_numbers(&self, val: Val, tags: bool) -> SpelledValue<'_> {
        let content = match self.kind(val) {
            Kind::Map => {
                let name = |key| self.with_spelled_numbers(key, false);
                let entries = self.entries(val);
                Content::Map(entries.map(|(k, v)| (name(k), self.with_spelled_numbers(v, tags))).collect())
            }
            Kind::List => {
                Content::List(self.items(val).map(|item| self.with_spelled_numbers(item, tags)).collect())
            }
            // What only a key could open is the text that stands there.
            _ if tags && self.own_tag(val).is_some() => self.words(val),
            _ => self.number(val),
        };
        SpelledValue { content, tag: self.own_tag(val).filter(|_| tags), ..SpelledValue::default() }
    }

    fn number(&self, val: Val) -> Content<'_> {
        use Scalar::{Big, Bool, Float, Int};
        match (self.scalar(val), self.words(val)) {
            (Int(_) | Big(_) | Float(_) | Bool(_), words @ Content::Words(_)) => words,
            (scalar, _) => Content::Scalar(scalar.into_owned(), None),
        }
    }

    /// Returns a value as data in which what has a tag of its own is a map of that tag and the value.
    pub fn tagged_data(&self, val: Val) -> Data {
        let inner = match self.kind(val) {
            Kind::Map => {
                Data::Map(self.entries(val).map(|(k, v)| (self.data(k), self.tagged_data(v))).collect())
            }
            Kind::List => Data::List(self.items(val).map(|item| self.tagged_data(item)).collect()),
            _ => self.data(val),
        };
        let Some(tag) = self.own_tag(val) else { return inner };
        let inner = match (inner, val.node()) {
            // What only a key could open is the text that stands there.
            (Data::Scalar(_), Some((doc, node))) if tag.starts_with("!vault") => {
                Data::text(self.tree(doc).text(node))
            }
            (inner, _) => inner,
        };
        Data::Map(vec![(Data::text(tag), inner)])
    }

    /// Returns a value as data without what only a key could open, and where that stands.
    pub fn open_data(&self, val: Val) -> (Data, Vec<Place>) {
        let mut closed = Vec::new();
        let data = self.opened(val, &mut closed);
        (data.unwrap_or(Data::NULL), closed)
    }

    fn opened(&self, val: Val, closed: &mut Vec<Place>) -> Option<Data> {
        match self.kind(val) {
            Kind::Map => {
                let entries = self.entries(val);
                let entry = |(key, value)| Some((self.data(key), self.opened(value, closed)?));
                Some(Data::Map(entries.filter_map(entry).collect()))
            }
            // Items keep their positions.
            Kind::List => {
                let item = |item| self.opened(item, closed).unwrap_or(Data::NULL);
                Some(Data::List(self.items(val).map(item).collect()))
            }
            _ if self.tag(val).is_some_and(|tag| tag.starts_with("!vault")) => {
                closed.extend(self.place(val));
                None
            }
            _ => Some(self.data(val)),
        }
    }

    /// Finds the first tag that is not YAML's own, and where it stands.
    pub fn first_tag(&self, val: Val) -> Option<(String, Option<Place>)> {
        if let Some(tag) = self.own_tag(val) {
            return Some((tag, self.place(val)));
        }
        match self.kind(val) {
            Kind::Map => self.entries(val).find_map(|(_, value)| self.first_tag(value)),
            Kind::List => self.items(val).find_map(|item| self.first_tag(item)),
            _ => None,
        }
    }

    /// Returns the tag of a value that is not YAML's own.
    pub fn own_tag(&self, val: Val) -> Option<String> {
        self.tag(val).map(str::to_owned)
    }

    /// A collection in brackets as it stands, if it takes one line and means the same elsewhere.
    pub(crate) fn brackets(&self, val: Val) -> Option<&str> {
        let (doc, node) = self.written_as(val)?;
        let tree = self.tree(doc);
        if tree.style(node) != Style::Flow || tree.is_active(node) || !self.is_spelled(doc, node) {
            return None;
        }
        if !self.is_as_written(val, (doc, node)) {
            return None;
        }
        let text = tree.source().slice(tree.span(node));
        // Anchors and aliases, or what looks like them, may belong to another place.
        (text.starts_with(['[', '{']) && !text.contains(['&', '*', '\n'])).then_some(text)
    }

    /// Tells whether a value is a node of a document, or was made from it without a change.
    fn is_as_written(&self, val: Val, (doc, node): (u32, NodeId)) -> bool {
        if let Some(own) = val.node() {
            return own == (doc, node);
        }
        let parts: Vec<Val> = match self.kind(val) {
            Kind::Map => self.entries(val).flat_map(|(key, value)| [key, value]).collect(),
            Kind::List => self.items(val).collect(),
            _ => return false,
        };
        let children = self.tree(doc).children(node);
        let mut both = parts.iter().zip(children);
        self.kind(val) == self.tree(doc).kind(node)
            && parts.len() == children.len()
            && both.all(|(&part, &child)| self.is_as_written(part, (doc, child)))
    }

    /// Tells whether a collection is spelled in YAML: its first scalar is.
    fn is_spelled(&self, doc: u32, node: NodeId) -> bool {
        let tree = self.tree(doc);
        match tree.children(node).first() {
            Some(&child) if tree.kind(child) == Kind::Scalar => tree.spelling(child).is_some(),
            Some(&child) => self.is_spelled(doc, child),
            None => false,
        }
    }

    fn words(&self, val: Val) -> Content<'_> {
        let scalar = || Content::Scalar(self.scalar(val).into_owned(), None);
        let Some((doc, node)) = val.node() else { return scalar() };
        let tree = self.tree(doc);
        // A scalar whose own tag says what it is cannot do without it.
        if tree.tag(node).is_some_and(|tag| tree.own_tag(node).is_none() && tag != "!") {
            return scalar();
        }
        if let Some((sign, lines)) = tree.block_spelling(node) {
            return Content::Block(sign, lines);
        }
        match tree.spelling(node) {
            Some(words) => Content::Words(words.into()),
            None if tree.own_tag(node).is_some() => {
                Content::Scalar(Scalar::Str(tree.text(node).to_owned().into()), Some(Style::Literal))
            }
            None => match tree.style(node) {
                style @ (Style::Literal | Style::Folded) => {
                    Content::Scalar(self.scalar(val).into_owned(), Some(style))
                }
                _ => scalar(),
            },
        }
    }

    fn spelled_item(&self, item: Val, spelling: Spelling) -> SpelledValue<'_> {
        let mut spelled = self.spelled(item, spelling);
        if spelling.comments {
            (spelled.above, spelled.beside) = self.item_comments(item);
        }
        // The comment above an item is above its first key, too, and stands once, before the dash.
        if let Content::Map(entries) = &mut spelled.content
            && let Some((first, _)) = entries.first_mut()
        {
            let above = std::mem::take(&mut first.above);
            spelled.above = if spelled.above.is_empty() { above } else { spelled.above };
        }
        spelled
    }

    fn spelled_entry(
        &self,
        key: Val,
        value: Val,
        spelling: Spelling,
    ) -> (SpelledValue<'_>, SpelledValue<'_>) {
        let (mut name, mut spelled) = (self.spelled(key, spelling), self.spelled(value, spelling));
        if let Content::Block(..) = name.content {
            name.content = Content::Scalar(self.scalar(key).into_owned(), None);
        }
        if spelling.comments {
            (name.above, spelled.beside) = self.entry_comments(key, value);
        }
        (name, spelled)
    }

    /// The comments above and beside an entry: those of the file that gives its value, else those where its key was named first.
    fn entry_comments(&self, key: Val, value: Val) -> (Vec<String>, Option<String>) {
        let first = key.node().map(|(doc, node)| (self.comments_of_key(doc, node), (doc, node)));
        let own = self.named_by(key, value).filter(|own| Some(*own) != key.node());
        let (Some((doc, node)), Some(((above, beside), named))) = (own, &first) else {
            return own.map_or_else(
                || first.map(|(comments, _)| comments).unwrap_or_default(),
                |(doc, node)| self.comments_of_key(doc, node),
            );
        };
        let own = self.comments_of_key(doc, node);
        let says_the_same = || {
            let old = self.tree(named.0).value_of(named.1).map(|node| self.val(named.0, node));
            old.is_some_and(|old| self.kind(value) != Kind::Scalar || self.same(old, value))
        };
        let beside = own.1.or_else(|| beside.clone().filter(|_| says_the_same()));
        (if own.0.is_empty() { above.clone() } else { own.0 }, beside)
    }

    /// The comments above a key and beside its value, or beside the key where the value stands below it.
    fn comments_of_key(&self, doc: u32, key: NodeId) -> (Vec<String>, Option<String>) {
        let tree = self.tree(doc);
        let value = tree.value_of(key).filter(|&value| tree.kind(value) != Kind::Alias);
        let end = value.and_then(|value| tree.first_line_end(value));
        tree.comments(key, end.unwrap_or(tree.span(key).end + 1))
    }

    /// The comments above and beside an item; of a merged one those of the highest layer that has some.
    fn item_comments(&self, item: Val) -> (Vec<String>, Option<String>) {
        let (mut above, mut beside) = (Vec::new(), None);
        let mut layer = Some(item);
        while let Some(val) = layer {
            if let Some((doc, node)) = self.written_as(val) {
                let tree = self.tree(doc);
                let end = tree.first_line_end(node);
                let (over, at_end) = tree.comments(node, end.unwrap_or(tree.span(node).start));
                above = if above.is_empty() { over } else { above };
                beside = beside.or(at_end.filter(|_| end.is_some()));
            }
            layer = self.below(val);
        }
        (above, beside)
    }

    /// What a merged map was laid over.
    fn below(&self, val: Val) -> Option<Val> {
        let mut val = val;
        while val.node().is_none() {
            if let Some(&below) = self.laid_over.get(&val.id) {
                return Some(below);
            }
            val = self.made_from(val)?;
        }
        None
    }

    /// The key whose comments come along: the one in the file that gives the value.
    fn named_by(&self, key: Val, value: Val) -> Option<(u32, NodeId)> {
        if let Some((doc, node)) = self.written_as(value)
            && let Some((parent, slot)) = self.tree(doc).parent(node)
            && self.tree(doc).kind(parent) == Kind::Map
            && slot % 2 == 1
        {
            let named = self.tree(doc).children(parent)[slot - 1];
            // What came through an alias has the comments of another place.
            return Some((doc, named)).filter(|_| self.same_key(self.val(doc, named), key)).or(key.node());
        }
        key.node()
    }
}
/// A value that means the same in two documents and is not written so that every reader takes it for the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpellingDifference {
    /// Where it stands.
    pub path: String,
    /// Its words in the old document, with its tag.
    pub old: String,
    /// Its words in the new one.
    pub new: String,
}

/// Finds tags and spellings that differ where two values are equal: `!Ref x` and `!GetAtt x`, `0644` and `644`, `1.10` and `1.1`.
pub fn spelling_differences(old: (&Forest, Val), new: (&Forest, Val)) -> Vec<SpellingDifference> {
    let mut found = Vec::new();
    compare_spelling(old, new, String::new(), &mut found);
    found
}

fn compare_spelling(
    old: (&Forest, Val),
    new: (&Forest, Val),
    path: String,
    found: &mut Vec<SpellingDifference>,
) {
    if old.0.own_tag(old.1) != new.0.own_tag(new.1) || is_spelled_otherwise(old, new) {
        found.push(SpellingDifference { path, old: words_of(old), new: words_of(new) });
        return;
    }
    match (old.0.kind(old.1), new.0.kind(new.1)) {
        (Kind::Map, Kind::Map) => {
            let others: HashMap<String, Val> =
                new.0.entries(new.1).map(|(key, value)| (scalar_words(new.0, key), value)).collect();
            for (key, value) in old.0.entries(old.1) {
                let name = scalar_words(old.0, key);
                if let Some(other) = others.get(&name) {
                    compare_spelling((old.0, value), (new.0, *other), pointer::below(&path, &name), found);
                }
            }
        }
        // Items of lists of different lengths are told as data; which belongs to which is not known.
        (Kind::List, Kind::List) if old.0.items(old.1).count() == new.0.items(new.1).count() => {
            for (number, (item, other)) in old.0.items(old.1).zip(new.0.items(new.1)).enumerate() {
                compare_spelling((old.0, item), (new.0, other), format!("{path}/{number}"), found);
            }
        }
        _ => {}
    }
}

/// Scalars of which the data say that they are the same, and their words do not.
fn is_spelled_otherwise(old: (&Forest, Val), new: (&Forest, Val)) -> bool {
    if old.0.kind(old.1) != Kind::Scalar || new.0.kind(new.1) != Kind::Scalar {
        return false;
    }
    let (Some((doc, node)), Some((other_doc, other))) = (old.1.node(), new.1.node()) else { return false };
    old.0.scalar(old.1) == new.0.scalar(new.1)
        && spelled_otherwise((old.0.tree(doc), node), (new.0.tree(other_doc), other))
}

fn words_of((forest, val): (&Forest, Val)) -> String {
    forest.spelled_text(val, Spelling::default()).trim_end().to_owned()
}

fn scalar_words(forest: &Forest, key: Val) -> String {
    match forest.data(key) {
        Data::Scalar(scalar) => hierarch_yaml::scalar_text(&scalar),
        other => hierarch_yaml::brief(&other),
    }
}
