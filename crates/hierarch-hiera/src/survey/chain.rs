//! Which files of a hierarchy hold a key, as a number: equal numbers, equal files.
//!
//! The files that a node has are a chain, lowest priority first. Nodes with the same files at the low end share that
//! part of the chain, and with it what is known about it: most nodes differ only in the file of their own, at the top.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use foldhash::fast::RandomState;
use hierarch_pcore::Str;

use crate::document::Document;

/// The files of a node up to one of them.
#[derive(Debug)]
pub(crate) struct Link {
    id: u32,
    below: Option<Arc<Link>>,
    element: u32,
    held: HeldKeys,
    nodes: AtomicU32,
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
    fn has(&self, key: &str) -> bool {
        match self {
            Self::Keys(document) => document.entry(key).is_some(),
            Self::Anything => true,
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
            Arc::new(Link { id, below, element, held: held.clone(), nodes: AtomicU32::new(0) })
        });
        link.nodes.fetch_add(1, Ordering::Relaxed);
        Arc::clone(link)
    }
}

/// How many nodes must have a chain for it to be remembered by each key. What fewer have is found out again: a look into
/// one more file costs less than a table that is too large for the processor's cache.
const SHARED: u32 = 16;

/// A key, with the lists of files that hold it.
#[derive(Debug)]
pub(crate) struct Root {
    name: Str,
    lists: RwLock<Lists>,
}

#[derive(Debug, Default)]
struct Lists {
    /// The list of a chain.
    of_chain: HashMap<u32, u32, RandomState>,
    /// The number of a list: a file in front of another list. The empty list is 0.
    numbers: HashMap<(u32, u32), u32, RandomState>,
}

impl Root {
    pub(crate) fn new(name: Str) -> Self {
        Self { name, lists: RwLock::default() }
    }

    /// Returns the number of the list of files in a chain that hold the key.
    pub(crate) fn files(&self, chain: Option<&Arc<Link>>) -> u32 {
        let Some(link) = chain else { return 0 };
        let is_shared = link.nodes.load(Ordering::Relaxed) >= SHARED;
        if is_shared && let Some(known) = self.read().of_chain.get(&link.id) {
            return *known;
        }
        let below = self.files(link.below.as_ref());
        let has_key = link.held.has(&self.name);
        let list = if has_key { self.put(below, link.element) } else { below };
        if is_shared {
            self.write().of_chain.insert(link.id, list);
        }
        list
    }

    /// Returns the number of a list that is another with a file in front of it.
    fn put(&self, below: u32, element: u32) -> u32 {
        let known = self.read().numbers.get(&(below, element)).copied();
        known.unwrap_or_else(|| self.write().put(below, element))
    }

    fn read(&self) -> RwLockReadGuard<'_, Lists> {
        self.lists.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Lists> {
        self.lists.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lists {
    fn put(&mut self, below: u32, element: u32) -> u32 {
        let next = number(self.numbers.len()) + 1;
        *self.numbers.entry((below, element)).or_insert(next)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX - 1)
}
