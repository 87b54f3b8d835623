//! Which files of a hierarchy hold a key, as a number: equal numbers, equal files.
//!
//! The files that a node has are a chain, lowest priority first. Nodes with the same files at the low end share that
//! part of the chain, and with it what is known about it: most nodes differ only in the file of their own, at the top.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;
use hierarch_pcore::Str;

use crate::document::{Document, KeyFilter, KeyHash};

/// The files of a node up to one of them.
#[derive(Debug)]
pub(crate) struct Link {
    pub(super) id: u32,
    pub(super) below: Option<Arc<Link>>,
    element: u32,
    held: HeldKeys,
    /// Tells of most keys that they are not held, without a look at what is.
    filter: KeyFilter,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub(crate) enum HeldKeys {
    /// The keys of a document.
    Keys(Arc<Document>),
    /// Any key: the file cannot be read, which matters to all of them.
    Anything,
}

impl HeldKeys {
    fn filter(&self) -> KeyFilter {
        match self {
            Self::Keys(document) => document.key_filter(),
            Self::Anything => KeyFilter::anything(),
        }
    }
}

impl Link {
    /// Tells whether the topmost file holds a key.
    fn has(&self, root: &Root) -> bool {
        self.filter.may_have(root.hash)
            && match &self.held {
                HeldKeys::Keys(document) => document.entry(&root.name).is_some(),
                HeldKeys::Anything => true,
            }
    }
}

/// What makes a file count as another one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Element {
    /// The number of its level, which decides what it is merged with.
    pub(crate) level: usize,
    /// It is the only place of its level.
    pub(crate) is_alone: bool,
    /// The options of its level, as text.
    pub(crate) options: String,
    /// The document, by its address, or the path of what cannot be read.
    pub(crate) source: Source,
}

/// Where keys come from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// A document, by its address. The chain keeps it alive.
    Document(usize),
    /// A file that cannot be read.
    Broken(Str),
}

/// All chains.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    elements: HashMap<Element, u32, RandomState>,
    links: HashMap<(Option<u32>, u32), Arc<Link>, RandomState>,
}

impl Chains {
    /// Puts a file on top of a chain.
    pub(crate) fn extend(
        &mut self,
        below: Option<Arc<Link>>,
        element: Element,
        held: &HeldKeys,
    ) -> Arc<Link> {
        let next = number(self.elements.len());
        let element = *self.elements.entry(element).or_insert(next);
        let id = number(self.links.len());
        let key = (below.as_ref().map(|link| link.id), element);
        let link = self.links.entry(key).or_insert_with(|| {
            Arc::new(Link { id, below, element, held: held.clone(), filter: held.filter() })
        });
        Arc::clone(link)
    }
}

/// A key, with the lists of files that hold it.
#[derive(Debug)]
pub(crate) struct Root {
    name: Str,
    hash: KeyHash,
    /// The number of a list: a file in front of another list. The empty list is 0.
    numbers: RwLock<HashMap<(u32, u32), u32, RandomState>>,
}

impl Root {
    pub(crate) fn new(name: Str) -> Self {
        Self { hash: KeyHash::of(&name), name, numbers: RwLock::default() }
    }

    /// Returns the number of the list of files in a chain that hold the key.
    pub(crate) fn files(&self, chain: Option<&Arc<Link>>) -> u32 {
        let mut holding = Vec::new();
        let mut next = chain;
        while let Some(link) = next {
            if link.has(self) {
                holding.push(link.element);
            }
            next = link.below.as_ref();
        }
        holding.into_iter().rev().fold(0, |below, element| self.put(below, element))
    }

    /// Returns the number of the list of files in a chain that hold the key, given that of the chain below its topmost file.
    pub(super) fn files_above(&self, below: u32, link: &Link) -> u32 {
        if link.has(self) { self.put(below, link.element) } else { below }
    }

    /// Returns the number of a list that is another with a file in front of it.
    fn put(&self, below: u32, element: u32) -> u32 {
        let known = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&(below, element)) {
            return *known;
        }
        drop(known);
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        let next = number(numbers.len()) + 1;
        *numbers.entry((below, element)).or_insert(next)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX - 1)
}
