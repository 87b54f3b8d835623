//! Arrays: elements in order.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use super::Value;
use super::dismantle::{dismantle, may_hold};
use super::meter::{Meter, Share};
use super::object::Meta;

/// An array: it can change, it has an identity.
pub struct Array {
    items: RefCell<Vec<Value>>,
    share: Share,
    /// Whether it may change.
    pub frozen: Cell<bool>,
    /// A class of its own, instance variables; nearly never there.
    pub meta: RefCell<Option<Box<Meta>>>,
}

impl Array {
    /// Makes an array.
    #[inline]
    pub fn new(meter: &Rc<Meter>, items: Vec<Value>) -> Self {
        let share = Share::new(meter, size(&items));
        Self { items: RefCell::new(items), share, frozen: Cell::new(false), meta: RefCell::new(None) }
    }

    /// Returns its elements. Nothing that runs Ruby may be called while this is held.
    #[inline]
    pub fn items(&self) -> Ref<'_, Vec<Value>> {
        self.items.borrow()
    }

    /// Returns a copy of its elements.
    pub fn to_vec(&self) -> Vec<Value> {
        self.items.borrow().clone()
    }

    /// Returns an element.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Value> {
        self.items.borrow().get(index).cloned()
    }

    /// Tells how many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes its elements. Nothing that runs Ruby may be called inside.
    #[inline]
    pub fn change<T>(&self, change: impl FnOnce(&mut Vec<Value>) -> T) -> T {
        let mut items = self.items.borrow_mut();
        let result = change(&mut items);
        self.share.set(size(&items));
        result
    }

    /// Adds an element at the end.
    pub fn push(&self, value: Value) {
        self.change(|items| items.push(value));
    }

    /// Replaces all elements.
    pub fn set(&self, items: Vec<Value>) {
        // What was in it is let go after the borrow has ended.
        let old = self.change(|old| std::mem::replace(old, items));
        drop(old);
    }

    /// Tells whether nothing in it holds other values, as far as can be seen; so that it can go without being taken apart.
    pub(super) fn is_flat(&self) -> bool {
        self.items.try_borrow().is_ok_and(|items| !items.iter().any(may_hold))
    }

    pub(super) fn take(&self) -> Vec<Value> {
        self.items.try_borrow_mut().map(|mut items| std::mem::take(&mut *items)).unwrap_or_default()
    }
}

fn size(items: &Vec<Value>) -> usize {
    size_of::<Array>() + items.capacity() * size_of::<Value>()
}

impl Drop for Array {
    fn drop(&mut self) {
        dismantle(std::mem::take(self.items.get_mut()));
    }
}
