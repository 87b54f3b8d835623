//! What a method is called with.

use std::rc::Rc;

use ecow::EcoString;
use smallvec::SmallVec;

use super::{Res, Vm};
use crate::issues;
use crate::value::{Hash, Proc, Value};

/// What a method is called with.
#[derive(Clone, Default)]
pub struct Args {
    /// The values. Keywords are the last, as a hash.
    pub list: SmallVec<[Value; 3]>,
    /// Whether the last is keywords.
    pub has_keywords: bool,
    /// The block.
    pub block: Option<Rc<Proc>>,
}

impl Args {
    /// Makes arguments of values.
    pub fn of(values: &[Value]) -> Self {
        Self { list: values.iter().cloned().collect(), has_keywords: false, block: None }
    }

    /// Makes arguments of values and a block.
    pub fn with_block(values: &[Value], block: Option<Rc<Proc>>) -> Self {
        Self { block, ..Self::of(values) }
    }

    /// Tells how many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns one, nil if it is not there.
    #[inline]
    pub fn at(&self, index: usize) -> Value {
        self.list.get(index).cloned().unwrap_or_default()
    }

    /// Returns one if it is there.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Value> {
        self.list.get(index)
    }

    /// Returns the block, or fails as `yield` without one does.
    pub fn block(&self, vm: &mut Vm<'_>) -> Res<Rc<Proc>> {
        match &self.block {
            Some(block) => Ok(Rc::clone(block)),
            None => Err(vm.raise("LocalJumpError", "no block given (yield)")),
        }
    }

    /// Returns an argument as an integer, by implicit conversion.
    pub fn int(&self, vm: &mut Vm<'_>, index: usize) -> Res<i64> {
        vm.to_int(&self.at(index))
    }

    /// Returns an argument as text, by implicit conversion.
    pub fn text(&self, vm: &mut Vm<'_>, index: usize) -> Res<EcoString> {
        vm.to_text(&self.at(index))
    }

    /// Returns the keywords.
    pub fn keywords(&self) -> Option<&Rc<Hash>> {
        self.list.last().filter(|_| self.has_keywords).and_then(Value::as_hash)
    }

    /// Returns a keyword.
    pub fn keyword(&self, name: &str) -> Option<Value> {
        self.keywords()?.get_sym(name)
    }

    /// Returns the values without keywords.
    pub fn positional(&self) -> &[Value] {
        let end = self.list.len() - usize::from(self.has_keywords && !self.list.is_empty());
        &self.list[..end]
    }

    /// Fails unless the number of arguments is right.
    pub fn check(&self, vm: &mut Vm<'_>, least: usize, most: Option<usize>) -> Res<()> {
        let given = self.list.len();
        if given < least || most.is_some_and(|most| given > most) {
            return Err(vm.raise("ArgumentError", issues::wrong_number(given, least, most)));
        }
        Ok(())
    }
}
