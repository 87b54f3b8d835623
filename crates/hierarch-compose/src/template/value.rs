//! What templates calculate with: Python's values, of which lists and maps change in place.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use hierarch_pcore::{Str, Value};
use hierarch_source::Error;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::fault::{Fault, FaultKind};
use super::object::Object;
use super::tree::{Const, Range};
use crate::expr::budget::{Budget, NODE};
use crate::expr::item::Item;

/// A value of a template. Cheap to clone.
#[derive(Clone)]
pub(super) enum Val {
    Undefined(Rc<Missing>),
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(Text),
    List(Rc<List>),
    Tuple(Rc<List>),
    Dict(Rc<Dict>),
    /// What `range` gives, and views of maps: walked like a list, and a list once it is printed.
    Rolled(Rc<LazyItems>),
    /// Data of the document, of which only what is needed gets evaluated.
    Branch(Rc<Branch>),
    Object(Rc<dyn Object>),
}

/// A text, and for as long as it is long, the bytes that it takes of the budget.
#[derive(Clone)]
pub(super) struct Text {
    pub(super) text: Str,
    pub(super) flavor: Flavor,
    charge: Option<Rc<Charge>>,
}

/// What a text is beyond its letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flavor {
    Plain,
    /// Escaped for HTML.
    Markup,
    /// A text that stays one, even if it looks like a number or a list.
    Stays,
}

/// Bytes of the budget, given back when nobody holds them any more.
pub(super) struct Charge {
    budget: Arc<Budget>,
    bytes: Cell<usize>,
}

/// Texts up to this are counted with the collection that holds them.
const SHORT: usize = 256;

/// What is not there: used for anything but asking whether it is there, it is an error.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) kind: FaultKind,
    /// The name, or what to say.
    pub(super) message: Str,
    pub(super) range: Option<Range>,
    /// Why a variable has no value.
    pub(super) own: Option<Error>,
}

/// A list or a tuple.
pub(super) struct List {
    pub(super) items: RefCell<Vec<Val>>,
    charge: Charge,
    depth: Cell<u32>,
}

pub(super) type Pairs = IndexMap<Key, (Val, Val), FxBuildHasher>;

/// A map: of each entry its key as it was given, and its value.
pub(super) struct Dict {
    pub(super) pairs: RefCell<Pairs>,
    charge: Charge,
    depth: Cell<u32>,
}

/// What keys are compared by: `1`, `1.0` and `True` are one key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    None,
    Int(i128),
    Float(u64),
    Text(Str),
    Tuple(Vec<Key>),
    /// Ranges with the same items are one key: the first item, the step, how many; what makes no difference is 0.
    Range(i128, i128, usize),
    /// An object is its own key.
    Address(usize),
}

/// The types of the views of a map.
pub(super) const VALUES: &str = "dict_values";
pub(super) const ENTRIES: &str = "dict_items";

pub(super) enum LazyItems {
    Range {
        start: i128,
        stop: i128,
        step: i128,
    },
    /// The name of a view's type, and what it shows.
    View(&'static str, Val),
}

pub(super) struct Branch {
    pub(super) item: Item,
    /// The same as a list or map of its own, once something has changed it or looked at all of it.
    pub(super) owned: OnceCell<Val>,
    /// What a filter has made is counted.
    _charge: Option<Charge>,
}

impl Charge {
    /// Takes bytes of the budget.
    pub(super) fn new(budget: &Arc<Budget>, bytes: usize) -> Result<Self, Error> {
        budget.take(bytes)?;
        Ok(Self { budget: Arc::clone(budget), bytes: Cell::new(bytes) })
    }

    /// Takes more for something that has grown.
    pub(super) fn grow(&self, bytes: usize) -> Result<(), Error> {
        self.budget.fits(self.bytes.get().saturating_add(bytes))?;
        self.budget.take(bytes)?;
        self.bytes.set(self.bytes.get() + bytes);
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes.get());
    }
}

impl Text {
    /// Makes a text of the document, or one that is short: it counts with what holds it.
    pub(super) fn uncounted(text: Str) -> Self {
        Self { text, flavor: Flavor::Plain, charge: None }
    }

    pub(super) fn new(budget: &Arc<Budget>, text: Str, flavor: Flavor) -> Result<Self, Error> {
        budget.fits(text.len())?;
        budget.go_through(text.len())?;
        let charge = if text.len() > SHORT { Some(Rc::new(Charge::new(budget, text.len())?)) } else { None };
        Ok(Self { text, flavor, charge })
    }
}

impl List {
    pub(super) fn new(budget: &Arc<Budget>, items: Vec<Val>) -> Result<Rc<Self>, Error> {
        let bytes = items.iter().fold(NODE, |sum, item| sum.saturating_add(item.weight()));
        let depth = 1 + items.iter().map(Val::depth).max().unwrap_or(0);
        budget.fits_depth(depth as usize)?;
        budget.go_through(bytes)?;
        let charge = Charge::new(budget, bytes)?;
        Ok(Rc::new(Self { items: RefCell::new(items), charge, depth: Cell::new(depth) }))
    }

    /// Takes what a further item needs.
    pub(super) fn grow(&self, item: &Val) -> Result<(), Error> {
        self.charge.grow(item.weight())?;
        self.depth.set(self.depth.get().max(1 + item.depth()));
        self.charge.budget.fits_depth(self.depth.get() as usize)
    }
}

impl Dict {
    pub(super) fn new(budget: &Arc<Budget>, pairs: Pairs) -> Result<Rc<Self>, Error> {
        let bytes = pairs.values().fold(NODE, |sum, (key, value)| sum + key.weight() + value.weight());
        let deepest = pairs.values().map(|(_, value)| value.depth()).max().unwrap_or(0);
        budget.fits_depth(deepest as usize + 1)?;
        budget.go_through(bytes)?;
        let charge = Charge::new(budget, bytes)?;
        Ok(Rc::new(Self { pairs: RefCell::new(pairs), charge, depth: Cell::new(deepest + 1) }))
    }

    /// Takes what a further entry needs.
    pub(super) fn grow(&self, key: &Val, value: &Val) -> Result<(), Error> {
        self.charge.grow(key.weight() + value.weight())?;
        self.depth.set(self.depth.get().max(1 + value.depth()));
        self.charge.budget.fits_depth(self.depth.get() as usize)
    }
}

impl Branch {
    pub(super) fn new(item: Item) -> Rc<Self> {
        Rc::new(Self { item, owned: OnceCell::new(), _charge: None })
    }

    /// Makes a node of what a filter gave.
    pub(super) fn made(value: Value, charge: Charge) -> Rc<Self> {
        Rc::new(Self { item: Item::Done(value), owned: OnceCell::new(), _charge: Some(charge) })
    }
}

/// Collections that hold collections are taken apart one by one: as deep as they are, no stack is that deep.
impl Drop for List {
    fn drop(&mut self) {
        let items = self.items.get_mut();
        if items.iter().any(Val::has_parts) {
            dismantle(std::mem::take(items));
        }
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        let pairs = self.pairs.get_mut();
        if pairs.values().any(|(_, value)| value.has_parts()) {
            dismantle(std::mem::take(pairs).into_values().map(|(_, value)| value).collect());
        }
    }
}

fn dismantle(mut left: Vec<Val>) {
    while let Some(value) = left.pop() {
        match value {
            Val::List(list) | Val::Tuple(list) => {
                if let Some(mut list) = Rc::into_inner(list) {
                    left.append(list.items.get_mut());
                }
            }
            Val::Dict(dict) => {
                if let Some(mut dict) = Rc::into_inner(dict) {
                    let pairs = std::mem::take(dict.pairs.get_mut());
                    left.extend(pairs.into_values().map(|(_, value)| value));
                }
            }
            Val::Object(mut object) => {
                if let Some(object) = Rc::get_mut(&mut object) {
                    left.append(&mut object.parts());
                }
            }
            _ => {}
        }
    }
}

impl Missing {
    /// Tells whether it may be used where nothing is enough.
    pub(super) fn is_soft(&self) -> bool {
        self.kind == FaultKind::NoElse
    }

    pub(super) fn fault(&self) -> Fault {
        Fault::undefined(self.kind, &self.message, self.range, self.own.clone())
    }
}

impl Val {
    /// Makes a text that is short, or belongs to the program.
    pub(super) fn text(text: impl Into<Str>) -> Self {
        Self::Text(Text::uncounted(text.into()))
    }

    pub(super) fn of_const(value: &Const) -> Self {
        match value {
            Const::None => Self::None,
            Const::Bool(truth) => Self::Bool(*truth),
            Const::Int(number) => Self::Int(*number),
            Const::Float(number) => Self::Float(*number),
            Const::Text(text) => Self::text(text.clone()),
        }
    }

    /// Returns what is not there.
    pub(super) fn undefined(message: impl Into<Str>) -> Self {
        let (kind, message) = (FaultKind::Undefined, message.into());
        Self::Undefined(Rc::new(Missing { kind, message, range: None, own: None }))
    }

    pub(super) fn is_undefined(&self) -> bool {
        matches!(self, Self::Undefined(_))
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    /// What an item takes in the collection that holds it.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Text(text) if text.charge.is_none() => NODE + text.text.len().min(SHORT),
            _ => NODE,
        }
    }

    pub(super) fn depth(&self) -> u32 {
        match self {
            Self::List(list) | Self::Tuple(list) => list.depth.get(),
            Self::Dict(dict) => dict.depth.get(),
            Self::Object(object) => object.depth(),
            Self::Rolled(rolled) => match &**rolled {
                LazyItems::View(_, inner) => inner.depth(),
                LazyItems::Range { .. } => 0,
            },
            _ => 0,
        }
    }

    /// Returns what tells a value that may hold others from all others like it.
    pub(super) fn address(&self) -> Option<usize> {
        match self {
            Self::List(list) | Self::Tuple(list) => Some(Rc::as_ptr(list) as usize),
            Self::Dict(dict) => Some(Rc::as_ptr(dict) as usize),
            Self::Branch(node) => Some(Rc::as_ptr(node) as usize),
            Self::Object(object) => Some(Rc::as_ptr(object).cast::<()>() as usize),
            Self::Rolled(rolled) => Some(Rc::as_ptr(rolled) as usize),
            _ => None,
        }
    }

    /// Tells whether it may hold other values.
    pub(super) fn may_hold(&self) -> bool {
        self.has_parts() || matches!(self, Self::Branch(_) | Self::Rolled(_))
    }

    fn has_parts(&self) -> bool {
        matches!(self, Self::List(_) | Self::Tuple(_) | Self::Dict(_) | Self::Object(_))
    }

    /// Tells whether two values are one and the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Text(a), Self::Text(b)) => a.text == b.text,
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => Rc::ptr_eq(a, b),
            (Self::Dict(a), Self::Dict(b)) => Rc::ptr_eq(a, b),
            (Self::Branch(a), Self::Branch(b)) => Rc::ptr_eq(a, b),
            (Self::Rolled(a), Self::Rolled(b)) => Rc::ptr_eq(a, b),
            (Self::Undefined(a), Self::Undefined(b)) => Rc::ptr_eq(a, b),
            (Self::Object(a), Self::Object(b)) => std::ptr::addr_eq(Rc::as_ptr(a), Rc::as_ptr(b)),
            _ => false,
        }
    }
}

impl From<bool> for Val {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<usize> for Val {
    fn from(number: usize) -> Self {
        Self::Int(number as i128)
    }
}

/// Returns how many numbers a range has.
pub(super) fn range_length(start: i128, stop: i128, step: i128) -> usize {
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    if distance <= 0 || step == 0 {
        return 0;
    }
    let count = (distance - 1) / step.checked_abs().unwrap_or(i128::MAX) + 1;
    usize::try_from(count).unwrap_or(usize::MAX)
}
