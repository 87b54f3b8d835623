//! Hashes: keys in the order they came, compared by `eql?`.

use std::cell::{Cell, Ref, RefCell};
use std::hash::{BuildHasher, Hash as StdHash, Hasher};
use std::rc::Rc;

use indexmap::IndexMap;
use num_bigint::BigInt;

use super::dismantle::{dismantle, may_hold};
use super::meter::{Meter, Share};
use super::object::Meta;
use super::{Sym, Value};

/// What makes two keys the same. Values of core classes are compared by what they hold, objects by what their
/// `hash` gave, everything else by identity.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Identity {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// Integers that fit.
    Int(i64),
    /// And those that do not.
    Big(Rc<BigInt>),
    /// The bits of a float.
    Float(u64),
    /// A symbol.
    Sym(Sym),
    /// The bytes of a string.
    Bytes(Box<[u8]>),
    /// A short string, which most keys are.
    Text(ecow::EcoString),
    /// The identities of several, after what kind of thing they are in.
    Many(u8, Box<[Identity]>),
    /// Where an object lives.
    Address(usize),
    /// What an object's own `hash` gave, with its class.
    Custom(usize, i64),
}

/// A key: the value and what it is compared by.
#[derive(Clone)]
pub struct Key {
    /// What a program gets to see.
    pub value: Value,
    /// What it is compared by.
    pub identity: Identity,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for Key {}

impl StdHash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity.hash(state);
    }
}

impl indexmap::Equivalent<Key> for Identity {
    fn equivalent(&self, key: &Key) -> bool {
        *self == key.identity
    }
}

impl Identity {
    /// Returns a number that is the same for the same identity.
    pub fn number(&self) -> i64 {
        let state = foldhash::fast::FixedState::with_seed(7);
        state.hash_one(self) as i64 >> 2
    }
}

/// Keys and values in order.
pub type Entries = IndexMap<Key, Value, foldhash::fast::RandomState>;

/// A hash: it can change, it has an identity.
pub struct Hash {
    entries: RefCell<Entries>,
    share: Share,
    /// What a missing key gives.
    pub default: RefCell<Value>,
    /// What makes the value of a missing key.
    pub default_block: RefCell<Value>,
    /// Whether it may change.
    pub frozen: Cell<bool>,
    /// How many are walking over it.
    pub walkers: Cell<u32>,
    /// Whether keys are compared by identity.
    pub by_identity: Cell<bool>,
    /// A class of its own, instance variables; nearly never there.
    pub meta: RefCell<Option<Box<Meta>>>,
}

impl Hash {
    /// Makes a hash.
    pub fn new(meter: &Rc<Meter>, entries: Entries) -> Self {
        let share = Share::new(meter, size(&entries));
        Self {
            entries: RefCell::new(entries),
            share,
            default: RefCell::default(),
            default_block: RefCell::default(),
            frozen: Cell::new(false),
            walkers: Cell::new(0),
            by_identity: Cell::new(false),
            meta: RefCell::new(None),
        }
    }

    /// Returns its entries. Nothing that runs Ruby may be called while this is held.
    #[inline]
    pub fn entries(&self) -> Ref<'_, Entries> {
        self.entries.borrow()
    }

    /// Changes its entries. Nothing that runs Ruby may be called inside.
    pub fn change<T>(&self, change: impl FnOnce(&mut Entries) -> T) -> T {
        let mut entries = self.entries.borrow_mut();
        let result = change(&mut entries);
        self.share.set(size(&entries));
        result
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get(&self, identity: &Identity) -> Option<Value> {
        self.entries.borrow().get(identity).cloned()
    }

    /// Returns the value of a symbol, as options have them.
    pub fn get_sym(&self, name: &str) -> Option<Value> {
        self.get(&Identity::Sym(Sym::of(name)))
    }

    /// Returns the value of a text.
    pub fn get_text(&self, name: &str) -> Option<Value> {
        self.get(&Identity::Text(name.into()))
    }

    /// Returns an entry by its place.
    #[inline]
    pub fn at(&self, index: usize) -> Option<(Value, Value)> {
        let entries = self.entries.borrow();
        entries.get_index(index).map(|(key, value)| (key.value.clone(), value.clone()))
    }

    /// Returns a copy of keys and values.
    pub fn pairs(&self) -> Vec<(Value, Value)> {
        self.entries.borrow().iter().map(|(key, value)| (key.value.clone(), value.clone())).collect()
    }

    /// Tells how many entries there are.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the value of a key.
    pub fn insert(&self, key: Key, value: Value) {
        let old = self.change(|entries| entries.insert(key, value));
        drop(old);
    }

    /// Takes an entry out.
    pub fn remove(&self, identity: &Identity) -> Option<Value> {
        self.change(|entries| entries.shift_remove(identity))
    }

    /// Tells whether nothing in it holds other values, as far as can be seen; so that it can go without being taken apart.
    pub(super) fn is_flat(&self) -> bool {
        let holds = |value: &RefCell<Value>| value.try_borrow().map_or(true, |value| may_hold(&value));
        let Ok(entries) = self.entries.try_borrow() else { return false };
        let is_leaf = |(key, value): (&Key, &Value)| !may_hold(&key.value) && !may_hold(value);
        !holds(&self.default) && !holds(&self.default_block) && entries.iter().all(is_leaf)
    }

    pub(super) fn take(&self) -> Vec<Value> {
        let Ok(mut entries) = self.entries.try_borrow_mut() else { return Vec::new() };
        let mut values: Vec<Value> =
            std::mem::take(&mut *entries).into_iter().flat_map(|(key, value)| [key.value, value]).collect();
        values.push(self.default.take());
        values.push(self.default_block.take());
        values
    }
}

fn size(entries: &Entries) -> usize {
    size_of::<Hash>() + entries.len() * (size_of::<Key>() + size_of::<Value>() + 24)
}

impl Drop for Hash {
    fn drop(&mut self) {
        if !self.is_flat() {
            dismantle(self.take());
        }
    }
}
