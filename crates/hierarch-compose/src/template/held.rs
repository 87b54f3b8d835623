//! Collections that a template makes, with their sizes: none is larger, deeper or more than the budget allows.
//!
//! Whatever gives a new value in a template (an operator, a list in brackets, a filter, a call) hands it to [`hold`]. So
//! every value is of bounded size, and what the engine makes of two of them is, too, until it is held in turn.

use std::sync::Arc;

use minijinja::value::{DynObject, Enumerator, Object, ObjectRepr, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};

use super::failure::to_jinja_error;
use super::series::Cycler;
use super::value::{Node, from_jinja};
use crate::expr::budget::{Budget, NODE};
use crate::expr::issues as expressions;

type Made = Result<JinjaValue, JinjaError>;

/// A collection with its size. It looks like what it holds.
pub(super) struct Held {
    inner: DynObject,
    measure: Measure,
    /// What it takes itself, without the collections in it.
    taken: usize,
    budget: Arc<Budget>,
}

/// How large a value is, with everything in it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Measure {
    bytes: usize,
    depth: usize,
    /// It holds a part of the document, which may evaluate to something larger.
    open: bool,
    /// It holds a namespace, which may grow.
    namespace: bool,
}

impl Measure {
    fn of_text(length: usize) -> Self {
        Self { bytes: NODE + length, ..Self::default() }
    }

    /// Returns the measure of two lists put together.
    fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes).saturating_sub(NODE),
            depth: self.depth.max(other.depth),
            open: self.open || other.open,
            namespace: self.namespace || other.namespace,
        }
    }

    /// Counts a part, and refuses what gets too large.
    fn add(&mut self, part: Self, budget: &Budget) -> Result<(), JinjaError> {
        self.bytes = self.bytes.saturating_add(part.bytes);
        self.depth = self.depth.max(part.depth + 1);
        self.open |= part.open;
        self.namespace |= part.namespace;
        budget.fits(self.bytes).and_then(|()| budget.fits_depth(self.depth)).map_err(to_jinja_error)
    }
}

/// Counts what something that works on a value goes through.
pub(super) fn go_through(budget: &Budget, value: &JinjaValue) -> Result<(), JinjaError> {
    let held = value.downcast_object_ref::<Held>().map(|held| held.measure.bytes);
    let bytes = held.or_else(|| value.as_str().map(str::len)).unwrap_or(NODE);
    budget.go_through(bytes).map_err(to_jinja_error)
}

/// Takes a value that was just made into the budget.
pub(super) fn hold(budget: &Arc<Budget>, value: JinjaValue) -> Made {
    let Some(object) = value.as_object() else { return held_text(budget, value) };
    if object.downcast_ref::<Held>().is_some() || object.downcast_ref::<Node>().is_some() {
        return Ok(value);
    }
    match object.repr() {
        ObjectRepr::Map if is_namespace(object) || value.is_kwargs() => {
            measure(budget, &value, 0)?;
            Ok(value)
        }
        ObjectRepr::Map => held_map(budget, object),
        ObjectRepr::Seq | ObjectRepr::Iterable if value.is_tuple() => {
            measure(budget, &value, 0)?;
            Ok(value)
        }
        ObjectRepr::Seq | ObjectRepr::Iterable => held_list(budget, &value, object),
        _ => {
            measure(budget, &value, 0)?;
            Ok(value)
        }
    }
}

/// Refuses to keep a namespace in a namespace: it could hold itself.
pub(super) fn keep(budget: &Budget, value: JinjaValue) -> Made {
    if measure(budget, &value, 0)?.namespace {
        return Err(to_jinja_error(expressions::nested_namespace()));
    }
    Ok(value)
}

fn held_text(budget: &Budget, value: JinjaValue) -> Made {
    if value.as_str().is_some_and(|text| text.len() > NODE)
        && let Some(text) = value.to_str()
    {
        budget.hold_text(&text).map_err(to_jinja_error)?;
    }
    Ok(value)
}

fn held_list(budget: &Arc<Budget>, value: &JinjaValue, object: &DynObject) -> Made {
    let mut building = Building::new(budget);
    let mut items = Vec::new();
    for item in value.try_iter()?.checked() {
        items.push(building.part(item?)?);
    }
    let inner = if is_more_than_a_list(object) { object.clone() } else { DynObject::new(Arc::new(items)) };
    Ok(building.finished(inner))
}

/// Puts two lists together, neither of which is measured again.
pub(super) fn joined(budget: &Arc<Budget>, a: &JinjaValue, b: &JinjaValue) -> Made {
    let (a, b) = (hold(budget, a.clone())?, hold(budget, b.clone())?);
    let held = |value: &JinjaValue| value.downcast_object::<Held>();
    let items = |held: &Held| held.inner.downcast::<Vec<JinjaValue>>();
    let (Some(a_held), Some(b_held)) = (held(&a), held(&b)) else { return chained(&a, &b) };
    let (Some(a_items), Some(b_items)) = (items(&a_held), items(&b_held)) else { return chained(&a, &b) };
    let mut building = Building::new(budget);
    building.measure = a_held.measure.and(b_held.measure);
    budget.fits(building.measure.bytes).map_err(to_jinja_error)?;
    let taken = a_held.taken.saturating_add(b_held.taken);
    budget.go_through(taken).map_err(to_jinja_error)?;
    budget.take(taken).map_err(to_jinja_error)?;
    building.taken = taken;
    let all = [a_items.as_slice(), b_items.as_slice()].concat();
    Ok(building.finished(DynObject::new(Arc::new(all))))
}

fn chained(a: &JinjaValue, b: &JinjaValue) -> Made {
    let items = a.try_iter()?.chain(b.try_iter()?);
    Ok(JinjaValue::from(items.collect::<Vec<_>>()))
}

/// Tells whether something has names besides its items, such as the `grouper` of `groupby`. What is still to be worked
/// out when it is walked is a list.
fn is_more_than_a_list(object: &DynObject) -> bool {
    let is_plain = object.downcast_ref::<Vec<JinjaValue>>().is_some();
    let is_lazy = object.repr() == ObjectRepr::Iterable || object.type_name().ends_with("::MergeSeq");
    !is_plain && !is_lazy
}

fn held_map(budget: &Arc<Budget>, object: &DynObject) -> Made {
    let mut building = Building::new(budget);
    let mut pairs = Vec::new();
    for (key, value) in object.try_iter_pairs().into_iter().flatten() {
        pairs.push((building.part(key)?, building.part(value)?));
    }
    let map = JinjaValue::from_pairs(pairs);
    Ok(map.as_object().map_or_else(|| map.clone(), |object| building.finished(object.clone())))
}

/// A collection that is being taken into the budget. What it took is given back if it is never finished.
struct Building<'b> {
    budget: &'b Arc<Budget>,
    measure: Measure,
    taken: usize,
}

impl<'b> Building<'b> {
    fn new(budget: &'b Arc<Budget>) -> Self {
        Self { budget, measure: Measure::of_text(0), taken: 0 }
    }

    fn part(&mut self, part: JinjaValue) -> Made {
        let part = hold(self.budget, part)?;
        let own = NODE + part.as_str().map_or(0, |text| text.len().min(NODE * 10));
        self.budget.take(own).map_err(to_jinja_error)?;
        self.taken += own;
        let measured = measure(self.budget, &part, 0)?;
        self.measure.add(measured, self.budget)?;
        Ok(part)
    }

    fn finished(mut self, inner: DynObject) -> JinjaValue {
        let (measure, taken) = (self.measure, std::mem::take(&mut self.taken));
        JinjaValue::from_object(Held { inner, measure, taken, budget: Arc::clone(self.budget) })
    }
}

impl Drop for Building<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

/// Measures a value; of what is held already, the size is known.
fn measure(budget: &Budget, value: &JinjaValue, level: usize) -> Result<Measure, JinjaError> {
    let Some(object) = value.as_object() else {
        return Ok(Measure::of_text(value.as_str().map_or(0, str::len)));
    };
    if let Some(held) = object.downcast_ref::<Held>() {
        return Ok(held.measure);
    }
    if object.downcast_ref::<Node>().is_some() {
        return Ok(Measure { open: true, ..Measure::of_text(0) });
    }
    budget.fits_depth(level).map_err(to_jinja_error)?;
    let mut whole = Measure { namespace: is_namespace(object), ..Measure::of_text(0) };
    whole.open = whole.namespace;
    match (object.downcast_ref::<Cycler>(), object.repr()) {
        (Some(cycler), _) => {
            for item in &cycler.items {
                whole.add(measure(budget, item, level + 1)?, budget)?;
            }
        }
        (None, ObjectRepr::Plain) => {}
        (None, ObjectRepr::Map) => {
            for (key, value) in object.try_iter_pairs().into_iter().flatten() {
                whole.add(measure(budget, &key, level + 1)?, budget)?;
                whole.add(measure(budget, &value, level + 1)?, budget)?;
            }
        }
        (None, _) => {
            for item in value.try_iter()?.checked() {
                whole.add(measure(budget, &item?, level + 1)?, budget)?;
            }
        }
    }
    Ok(whole)
}

/// The engine's type is private; its name is not.
fn is_namespace(object: &DynObject) -> bool {
    object.type_name().ends_with("::Namespace")
}

impl Held {
    /// Returns what it holds.
    pub(super) fn inner(&self) -> JinjaValue {
        JinjaValue::from_dyn_object(self.inner.clone())
    }

    /// Returns the budget to check what it evaluates to, if that is not known yet.
    pub(super) fn unmeasured(&self) -> Option<&Budget> {
        self.measure.open.then_some(&*self.budget)
    }
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl Object for Held {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        match self.inner.repr() {
            ObjectRepr::Iterable => ObjectRepr::Seq,
            repr => repr,
        }
    }

    fn get_value(self: &Arc<Self>, key: &JinjaValue) -> Option<JinjaValue> {
        self.inner.get_value(key)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<JinjaValue> {
        self.inner.get_value_by_str(key)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.inner.enumerate()
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        self.inner.enumerator_len()
    }

    fn render(self: &Arc<Self>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match from_jinja(&JinjaValue::from_dyn_object(Arc::clone(self))) {
            Err(error) if self.measure.open => write!(f, "{error}"),
            _ => self.inner.render(f),
        }
    }
}

/// A filter or function whose results are held.
pub(super) fn holding(
    budget: &Arc<Budget>,
    function: JinjaValue,
) -> impl Fn(&mut State, &[JinjaValue]) -> Made + Send + Sync + 'static {
    let budget = Arc::clone(budget);
    move |state, arguments| {
        arguments.iter().try_for_each(|argument| go_through(&budget, argument))?;
        hold(&budget, function.call(state, arguments)?)
    }
}
