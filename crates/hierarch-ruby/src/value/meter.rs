//! How many bytes are alive in strings and collections.

use std::cell::Cell;
use std::rc::Rc;

/// Counts what is alive; shared by everything that counts.
#[derive(Debug, Default)]
pub struct Meter {
    alive: Cell<usize>,
    made: Cell<u64>,
}

impl Meter {
    /// Returns how many bytes are alive.
    pub fn alive(&self) -> usize {
        self.alive.get()
    }

    /// Returns how many bytes were ever made.
    pub fn made(&self) -> u64 {
        self.made.get()
    }
}

/// What one string or collection has been counted as.
#[derive(Debug)]
pub struct Share {
    meter: Rc<Meter>,
    counted: Cell<usize>,
}

impl Share {
    /// Starts to count something of this size.
    #[inline]
    pub fn new(meter: &Rc<Meter>, size: usize) -> Self {
        meter.alive.set(meter.alive.get().saturating_add(size));
        meter.made.set(meter.made.get().saturating_add(size as u64));
        Self { meter: Rc::clone(meter), counted: Cell::new(size) }
    }

    /// Counts it anew.
    #[inline]
    pub fn set(&self, size: usize) {
        let others = self.meter.alive.get().saturating_sub(self.counted.get());
        self.meter.alive.set(others.saturating_add(size));
        self.counted.set(size);
    }
}

impl Drop for Share {
    #[inline]
    fn drop(&mut self) {
        self.meter.alive.set(self.meter.alive.get().saturating_sub(self.counted.get()));
    }
}
