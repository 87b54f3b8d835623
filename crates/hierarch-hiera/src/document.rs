//! A data file: read once, shared, its values built on demand.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use foldhash::fast::{FixedState, RandomState};
use hierarch_pcore::data::{Rules, from_data};
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Diagnostic, Error, Files, Place, Result, Source, Span};
use hierarch_yaml::issues::{DISALLOWED_CLASS, EXPECTED_TOKEN};
use hierarch_yaml::{DocumentLimits, Kind, NodeId, Scalar, Style, Tree};
use indexmap::IndexMap;

use crate::data::Data;
use crate::issues;
use crate::marks::Marks;

/// The data of one location.
#[derive(Debug)]
pub(crate) struct Document {
    read: OnceLock<Nodes>,
    /// What is known of a text before it is read.
    outline: Option<Outline>,
    content: Content,
    /// The text of a document without a tree, and how to find the places of its values.
    marked: Option<MarkedText>,
    /// The function that made it up.
    function: Option<Str>,
    /// Something was decrypted while it was made.
    is_secret: bool,
}

/// What was read: the nodes of a text, and where its top-level keys are among them.
#[derive(Debug, Default)]
struct Nodes {
    tree: Option<Tree>,
    entries: Index,
}

type Index = IndexMap<Str, Entry, RandomState>;

/// A text that can be read, and its top-level keys.
#[derive(Debug)]
struct Outline {
    source: Arc<Source>,
    keys: Vec<Span>,
    /// How often a key was asked for that the text does not have.
    misses: AtomicU32,
}

/// A text that is asked for more keys in vain is read, because then they are found faster.
const FEW_MISSES: u32 = 4;

impl Outline {
    fn of(source: &Arc<Source>) -> Option<Self> {
        let keys = hierarch_yaml::outline(source.text())?;
        Some(Self { source: Arc::clone(source), keys, misses: AtomicU32::new(0) })
    }

    /// Tells whether it need not be read to know that a key is not there.
    fn surely_lacks(&self, key: &str) -> bool {
        let text = self.source.text().as_bytes();
        let is_key = |known: &Span| &text[known.range()] == key.as_bytes();
        self.misses.fetch_add(1, Ordering::Relaxed) < FEW_MISSES && !self.keys.iter().any(is_key)
    }
}

/// A text whose values can be found when their places are asked for.
struct MarkedText {
    source: Arc<Source>,
    find: Find,
    marks: OnceLock<Marks>,
}

/// Finds the places of the values in a text that is well-formed, or in files that it includes.
pub(crate) type Find = Box<dyn Fn(&str, &dyn Files) -> Marks + Send + Sync>;

impl fmt::Debug for MarkedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Marked").field("source", &self.source).finish_non_exhaustive()
    }
}

/// What the top of a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// A hash: usable.
    Hash,
    /// Nothing, or what counts as nothing.
    Nothing,
    /// Something that is not a hash.
    Other,
}

/// A top-level key with its value, which is built at its first use.
#[derive(Debug)]
pub(crate) struct Entry {
    node: Option<NodeId>,
    data: OnceLock<Result<Data>>,
}

impl Entry {
    /// Returns the node of the value, if the document has nodes.
    pub(crate) fn node(&self) -> Option<NodeId> {
        self.node
    }
}

impl Document {
    /// Makes a document of a hash that was made otherwise.
    pub(crate) fn of_hash(hash: &Hash) -> Self {
        let text = |key: &Value| key.as_str().map(Str::from);
        let entries = hash.iter().filter_map(|(key, value)| {
            let data = OnceLock::from(Ok(Data::new(value.clone())));
            Some((text(key)?, Entry { node: None, data }))
        });
        Self::of_nodes(Nodes { tree: None, entries: entries.collect() }, Content::Hash)
    }

    fn of_nodes(nodes: Nodes, content: Content) -> Self {
        let read = OnceLock::from(nodes);
        Self { read, outline: None, content, marked: None, function: None, is_secret: false }
    }

    /// Returns what was read, or reads it.
    fn nodes(&self) -> &Nodes {
        self.read.get_or_init(|| {
            // What has an outline can be read.
            let nodes = self.outline.as_ref().and_then(|outline| nodes_of(&outline.source).ok());
            nodes.map_or_else(Nodes::default, |(_, nodes)| nodes)
        })
    }

    /// Notes that something was decrypted while it was made.
    #[must_use]
    pub(crate) fn with_secrets(self, is_secret: bool) -> Self {
        Self { is_secret, ..self }
    }

    /// Tells whether something was decrypted while it was made.
    pub(crate) fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// Adds the name of the function that made the document up.
    #[must_use]
    pub(crate) fn made_by(self, function: &Str) -> Self {
        Self { function: Some(function.clone()), ..self }
    }

    /// Returns the name of the function that made it up.
    pub(crate) fn function(&self) -> Option<&Str> {
        self.function.as_ref()
    }

    /// Adds the text that the document was read from, and how to find the places of its values in it.
    #[must_use]
    pub(crate) fn with_text(mut self, path: &str, text: String, find: Find) -> Self {
        self.marked = Some(MarkedText { source: Source::new(path, text), find, marks: OnceLock::new() });
        self
    }

    /// Returns where the values of a document without a tree stand.
    pub(crate) fn marks(&self, files: &dyn Files) -> Option<&Marks> {
        let marked = self.marked.as_ref()?;
        Some(marked.marks.get_or_init(|| (marked.find)(marked.source.text(), files)))
    }

    /// Returns the text it was read from, with its lines.
    pub(crate) fn source(&self) -> Option<&Arc<Source>> {
        let outlined = self.outline.as_ref().map(|outline| &outline.source);
        let read = || self.tree().map(Tree::source);
        outlined.or_else(read).or_else(|| self.marked.as_ref().map(|marked| &marked.source))
    }

    /// Returns the key of an entry.
    pub(crate) fn name_of(&self, entry: &Entry) -> Option<Str> {
        self.nodes()
            .entries
            .iter()
            .find(|(_, known)| std::ptr::eq(*known, entry))
            .map(|(name, _)| name.clone())
    }

    /// Makes a document that holds nothing.
    pub(crate) fn empty() -> Self {
        Self::of_hash(&Hash::new())
    }

    /// Tells what the top of the document is.
    pub(crate) fn content(&self) -> Content {
        self.content
    }

    /// Returns the tree of nodes, if it was read from YAML.
    pub(crate) fn tree(&self) -> Option<&Tree> {
        self.nodes().tree.as_ref()
    }

    /// Returns what is wrong with a text that can be used all the same.
    pub(crate) fn warnings(&self) -> &[Diagnostic] {
        // What has an outline is not warned of.
        if self.outline.is_some() { &[] } else { self.tree().map_or(&[], Tree::warnings) }
    }

    /// Returns the text it was read from.
    pub(crate) fn text(&self) -> &str {
        self.tree().map_or("", |tree| tree.source().text())
    }

    /// Returns the top-level keys in order.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = &Str> {
        self.nodes().entries.keys()
    }

    /// Finds a top-level key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        if let (None, Some(outline)) = (self.read.get(), &self.outline)
            && outline.surely_lacks(key)
        {
            return None;
        }
        self.nodes().entries.get(key)
    }

    /// Returns what tells of most keys that are not there that they are not.
    pub(crate) fn key_filter(&self) -> KeyFilter {
        match (&self.outline, self.read.get()) {
            (Some(outline), None) => {
                let text = outline.source.text();
                KeyFilter::of(outline.keys.iter().map(|span| &text[span.range()]))
            }
            _ => KeyFilter::of(self.keys().map(Str::as_str)),
        }
    }

    /// Returns the value of an entry, tokens not filled in.
    pub(crate) fn data<'d>(&'d self, entry: &'d Entry) -> Result<&'d Data> {
        let data = entry.data.get_or_init(|| match (self.tree(), entry.node) {
            (Some(tree), Some(node)) => value_of(tree, node).map(Data::new),
            _ => Ok(Data::Plain(Value::Undef)),
        });
        data.as_ref().map_err(Error::clone)
    }

    /// Returns the value of an entry as it stands in the file.
    pub(crate) fn raw(&self, entry: &Entry) -> Result<Value> {
        match (self.tree(), entry.node) {
            (Some(tree), Some(node)) => value_of(tree, node),
            _ => Ok(Value::Undef),
        }
    }

    /// Returns the whole document, whatever it is.
    pub(crate) fn whole(&self) -> Result<Value> {
        match self.tree().and_then(|tree| Some((tree, tree.root()?))) {
            Some((tree, root)) => value_of(tree, root),
            None => Ok(Value::Undef),
        }
    }

    /// Returns everything as one hash, keys that are not a text included.
    pub(crate) fn to_hash(&self) -> Result<Hash> {
        let Some(tree) = self.tree() else { return Ok(Hash::new()) };
        match tree.root().map(|root| value_of(tree, root)).transpose()? {
            Some(Value::Hash(hash)) => Ok(Arc::unwrap_or_clone(hash)),
            _ => Ok(Hash::new()),
        }
    }
}

/// A number made of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyHash(u64);

impl KeyHash {
    /// Makes the number of a key.
    pub(crate) fn of(key: &str) -> Self {
        Self(FixedState::default().hash_one(key))
    }
}

/// Bits for the keys of a document: two for each, at places that its number names.
#[derive(Debug)]
pub(crate) struct KeyFilter(Box<[u64]>);

/// As many bits for a key leave one in 50 of those that are not there undecided.
const BITS_OF_KEY: usize = 16;

impl KeyFilter {
    fn of<'k>(keys: impl ExactSizeIterator<Item = &'k str>) -> Self {
        let words = (keys.len() * BITS_OF_KEY / 64 + 1).next_power_of_two();
        let mut filter = Self(vec![0; words].into_boxed_slice());
        for key in keys {
            for (word, bit) in filter.places(KeyHash::of(key)) {
                filter.0[word] |= bit;
            }
        }
        filter
    }

    /// Makes one that may have every key.
    pub(crate) fn anything() -> Self {
        Self(vec![u64::MAX].into_boxed_slice())
    }

    /// Tells whether a key may be there.
    pub(crate) fn may_have(&self, key: KeyHash) -> bool {
        self.places(key).into_iter().all(|(word, bit)| self.0[word] & bit != 0)
    }

    /// Returns two words and a bit in each. The number of words is a power of two.
    fn places(&self, KeyHash(hash): KeyHash) -> [(usize, u64); 2] {
        let place = |hash: u64| {
            let word = (hash >> 6) & (self.0.len() as u64 - 1);
            (usize::try_from(word).unwrap_or_default(), 1 << (hash % 64))
        };
        [place(hash), place(hash >> 32)]
    }
}

/// Why a text cannot be read: in the words of the reference, and the place that they are about.
#[derive(Clone, Debug)]
pub(crate) struct MalformedText {
    pub(crate) words: String,
    pub(crate) place: Option<Place>,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

/// Reads YAML as Hiera reads it. What is wrong is told in Psych's words.
pub(crate) fn read_yaml(path: &str, bytes: Vec<u8>) -> std::result::Result<Document, MalformedText> {
    let source = match String::from_utf8(bytes) {
        Ok(text) => Source::new(path, text),
        Err(error) => {
            let words = format!("({path}): {} at line 1 column 1", bad_octet(error.as_bytes()));
            return Err(MalformedText { words, place: None, hint: None });
        }
    };
    if let Some(outline) = Outline::of(&source) {
        let document = Document::of_nodes(Nodes::default(), Content::Hash);
        return Ok(Document { read: OnceLock::new(), outline: Some(outline), ..document });
    }
    let (content, nodes) = nodes_of(&source).map_err(|error| malformed(path, &error))?;
    Ok(Document::of_nodes(nodes, content))
}

/// Says of a file what is wrong with it, in Psych's words.
pub(crate) fn malformed(path: &str, error: &Error) -> MalformedText {
    let hint = (error.code == DISALLOWED_CLASS).then(|| issues::to_be_quoted_text(error.place.as_ref()));
    MalformedText { words: psych_words(path, error), place: error.place.clone(), hint }
}

fn nodes_of(source: &Arc<Source>) -> Result<(Content, Nodes)> {
    let tree = hierarch_yaml::read_first(source, DocumentLimits::default())?;
    let (content, entries) = index(&tree)?;
    Ok((content, Nodes { tree: Some(tree), entries }))
}

/// Says what libyaml says about bytes that are not UTF-8.
fn bad_octet(bytes: &[u8]) -> &'static str {
    let Err(error) = std::str::from_utf8(bytes) else { return "" };
    let lead = bytes[error.valid_up_to()];
    let width = match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    let rest = &bytes[error.valid_up_to() + 1..];
    match rest.iter().take(width - 1).position(|byte| byte & 0xC0 != 0x80) {
        Some(_) => "invalid trailing UTF-8 octet",
        None if rest.len() < width - 1 => "incomplete UTF-8 octet sequence",
        None => "invalid Unicode character",
    }
}

/// Says what Psych says about an error.
pub(crate) fn psych_words(path: &str, error: &Error) -> String {
    match error.code {
        "YAML_UNKNOWN_ANCHOR" => error.message.clone(),
        "YAML_SYNTAX" => match error.position() {
            // What is missing at the very end is missed on the line after it.
            Some((line, _)) if is_missed_at_end(error) => {
                format!("({path}): {} at line {} column 1", error.message, line + 1)
            }
            Some((line, column)) => {
                format!("({path}): {} at line {line} column {}", error.message, column.unwrap_or(1))
            }
            None => format!("({path}): {}", error.message),
        },
        _ => format!("({path}): {}", error.message),
    }
}

fn is_missed_at_end(error: &Error) -> bool {
    let Some(place) = &error.place else { return false };
    let text = place.source.text();
    error.has_detail(EXPECTED_TOKEN)
        && place.span.start as usize >= text.len()
        && !text.is_empty()
        && !text.ends_with('\n')
}

fn index(tree: &Tree) -> Result<(Content, Index)> {
    let mut entries = Index::default();
    let Some(root) = tree.root() else { return Ok((Content::Nothing, entries)) };
    refuse_what_no_data_may_hold(tree)?;
    let root = tree.target(root);
    match tree.kind(root) {
        Kind::Map => {}
        Kind::Scalar if matches!(tree.scalar(root)?, Scalar::Null | Scalar::Bool(false)) => {
            return Ok((Content::Nothing, entries));
        }
        _ => return Ok((Content::Other, entries)),
    }
    for &(key, value) in tree.view(root)?.iter() {
        let key = tree.target(key);
        if tree.kind(key) != Kind::Scalar {
            continue;
        }
        if let Scalar::Str(text) | Scalar::Symbol(text) = tree.scalar(key)? {
            entries.insert(text.as_ref().into(), Entry { node: Some(value), data: OnceLock::new() });
        }
    }
    Ok((Content::Hash, entries))
}

/// One date, or one object of Ruby's, makes a whole file unreadable. Only scalars that begin with a digit or
/// a sign, and nodes with a tag, can be such.
fn refuse_what_no_data_may_hold(tree: &Tree) -> Result<()> {
    for node in (0..tree.len()).map(NodeId::from_index) {
        let is_suspect = match tree.kind(node) {
            Kind::Scalar => {
                tree.tag(node).is_some() || (tree.style(node) == Style::Plain && may_be_date(tree.text(node)))
            }
            Kind::Map | Kind::List => tree.tag(node).is_some(),
            Kind::Alias => false,
        };
        if is_suspect {
            tree.borrowed_data(node, DocumentLimits::default())?;
        }
    }
    Ok(())
}

fn may_be_date(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('-')
}

/// Builds the value of a node. Aliases are followed within a budget.
pub(crate) fn value_of(tree: &Tree, node: NodeId) -> Result<Value> {
    tree.borrowed_data(node, DocumentLimits::default()).map(|data| from_data(&data, Rules::Ruby))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        read_yaml("c.yaml", text.as_bytes().to_vec()).unwrap_or_else(|why| panic!("{text:?}: {}", why.words))
    }

    /// A lookup asks each file for keys that most do not have: those need not be read.
    #[test]
    fn a_plain_file_is_read_when_it_has_a_key_or_is_asked_often() {
        let text = document("a: 1\nb: [1, 2]\n");
        assert!(text.entry("nope").is_none() && text.read.get().is_none(), "the outline is enough");
        let entry = text.entry("b").expect("it is there");
        assert!(text.read.get().is_some());
        assert_eq!(text.raw(entry).expect("data").to_json(), "[1,2]");
        let text = document("a: 1\n");
        for miss in 0..=FEW_MISSES {
            assert!(text.read.get().is_none(), "{miss}");
            assert!(text.entry("nope").is_none());
        }
        assert!(text.read.get().is_some(), "then an index is faster");
    }

    /// What has anchors, tags, repeated keys or several documents has no outline; what it holds is the same.
    #[test]
    fn files_with_and_without_an_outline_hold_the_same() {
        for (with, without) in [
            ("a: 1\nb: x\n", "a: &n 1\nb: x\n"),
            ("a: [1, 2]\n", "a: [1,\n  2]\n"),
            ("'a': 1\n", "? a\n: 1\n"),
            ("---\na: 1\n", "---\na: 1\n...\n---\nb: 2\n"),
        ] {
            let (plain, odd) = (document(with), document(without));
            assert!(plain.outline.is_some(), "{with:?}");
            assert!(odd.outline.is_none(), "{without:?}");
            let values = |document: &Document| document.to_hash().expect("a hash");
            assert_eq!(values(&plain), values(&odd), "{with:?} and {without:?}");
            assert_eq!(plain.keys().collect::<Vec<_>>(), odd.keys().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_top_of_a_document_decides_what_it_is_good_for() {
        for (text, content) in [
            ("a: 1\n", Content::Hash),
            ("{}\n", Content::Hash),
            ("", Content::Nothing),
            ("# only words\n", Content::Nothing),
            ("~\n", Content::Nothing),
            ("false\n", Content::Nothing),
            ("true\n", Content::Other),
            ("[a]\n", Content::Other),
            ("text\n", Content::Other),
        ] {
            assert_eq!(document(text).content(), content, "{text:?}");
        }
    }

    /// What libyaml says of bytes that are not UTF-8.
    #[test]
    fn bytes_that_are_no_text_are_named() {
        for (bytes, words) in [
            (&b"a: \xff\n"[..], "invalid leading UTF-8 octet"),
            (b"a: \xc3\n", "invalid trailing UTF-8 octet"),
            (b"a: \xe2\x82", "incomplete UTF-8 octet sequence"),
            (b"a: \x80\n", "invalid leading UTF-8 octet"),
            (b"a: \xed\xa0\x80\n", "invalid trailing UTF-8 octet"),
        ] {
            let why = read_yaml("c.yaml", bytes.to_vec()).expect_err("no text");
            let told = why.words == format!("(c.yaml): {words} at line 1 column 1");
            assert!(told || why.words.contains("invalid Unicode character"), "{bytes:x?}: {}", why.words);
        }
    }

    /// What is there is never filtered out, read or not; of what is not there, most is.
    #[test]
    fn a_filter_has_all_keys_and_few_others() {
        let mut text: String = (0..300).map(|number| format!("'a::k{number}': {number}\n")).collect();
        for odd in ["", "c: &n 1\nd: *n\n"] {
            text.push_str(odd);
            let document = document(&text);
            let filter = document.key_filter();
            document.nodes();
            for filter in [filter, document.key_filter()] {
                let may_have = |key: &str| filter.may_have(KeyHash::of(key));
                assert!(document.keys().all(|key| may_have(key)));
                let others = (0..1000).filter(|number| may_have(&format!("b::k{number}"))).count();
                assert!(others < 100, "{others} of 1000");
            }
        }
        assert!(KeyFilter::anything().may_have(KeyHash::of("any")));
    }

    #[test]
    fn keys_that_are_no_texts_are_passed_over() {
        let text = document("1: a\n[x]: b\ntrue: c\nk: d\n:s: e\n");
        assert_eq!(text.keys().map(Str::as_str).collect::<Vec<_>>(), ["k", "s"]);
    }
}
