//! The methods that Python's texts, lists, maps and numbers have.

mod dicts;
mod lists;
mod texts;

use std::any::Any;
use std::rc::Rc;

use super::fault::Checked;
use super::issues;
use super::object::{CallArguments, Object};
use super::renderer::Renderer;
use super::show::type_name;
use super::value::{LazyItems, Val};

pub(super) use self::dicts::of_pair;
pub(super) use self::texts::{capitalized, words_of};
/// A method: its name, its parameters, and what it does; the value it belongs to is the first argument.
pub(super) use super::call::Function as Method;

/// Returns the methods of a value.
fn methods_of(value: &Val) -> &'static [Method] {
    match value {
        Val::Text(_) => texts::METHODS,
        Val::List(_) => lists::METHODS,
        Val::Tuple(_) => lists::TUPLE_METHODS,
        Val::Dict(_) => dicts::METHODS,
        Val::Rolled(rolled) if matches!(&**rolled, LazyItems::Range { .. }) => lists::TUPLE_METHODS,
        Val::Branch(node) if node.is_list() => lists::METHODS,
        Val::Branch(_) => dicts::METHODS,
        Val::Int(_) | Val::Bool(_) => NUMBER_METHODS,
        Val::Float(_) => FLOAT_METHODS,
        _ => &[],
    }
}

fn find(value: &Val, name: &str) -> Option<&'static Method> {
    methods_of(value).iter().find(|method| method.name == name)
}

/// Tells whether a value has a method.
pub(super) fn has(value: &Val, name: &str) -> bool {
    find(value, name).is_some()
}

/// Calls a method.
pub(super) fn call(
    renderer: &mut Renderer,
    value: &Val,
    name: &str,
    mut given: CallArguments,
) -> Checked<Val> {
    let Some(method) = find(value, name) else { return Err(issues::no_method(type_name(value), name)) };
    given.positional.insert(0, value.clone());
    let bound = method.bind(renderer, given)?;
    (method.run)(renderer, &bound)
}

/// Returns a method as a value.
pub(super) fn bound(value: &Val, name: &str) -> Option<Val> {
    let method = find(value, name)?;
    Some(Val::Object(Rc::new(BoundMethod { receiver: value.clone(), name: method.name })))
}

/// Returns what a number or a range has that is not a method.
pub(super) fn property(value: &Val, name: &str) -> Option<Val> {
    match (value, name) {
        (Val::Int(_), "real" | "numerator") | (Val::Float(_), "real") => Some(value.clone()),
        (Val::Bool(truth), "real" | "numerator") => Some(Val::Int(i128::from(*truth))),
        (Val::Int(_) | Val::Bool(_), "imag") => Some(Val::Int(0)),
        (Val::Int(_) | Val::Bool(_), "denominator") => Some(Val::Int(1)),
        (Val::Float(_), "imag") => Some(Val::Float(0.0)),
        (Val::Rolled(rolled), _) => match (&**rolled, name) {
            (LazyItems::Range { start, .. }, "start") => Some(Val::Int(*start)),
            (LazyItems::Range { stop, .. }, "stop") => Some(Val::Int(*stop)),
            (LazyItems::Range { step, .. }, "step") => Some(Val::Int(*step)),
            _ => None,
        },
        _ => None,
    }
}

struct BoundMethod {
    receiver: Val,
    name: &'static str,
}

impl Object for BoundMethod {
    fn type_name(&self) -> &'static str {
        "builtin_function_or_method"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        Ok(format!("<built-in method {} of {} object>", self.name, type_name(&self.receiver)))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, renderer: &mut Renderer, given: CallArguments) -> Checked<Val> {
        call(renderer, &self.receiver, self.name, given)
    }

    fn parts(&mut self) -> Vec<Val> {
        vec![std::mem::replace(&mut self.receiver, Val::None)]
    }

    fn held(&self) -> Vec<Val> {
        vec![self.receiver.clone()]
    }

    fn depth(&self) -> u32 {
        1 + self.receiver.depth()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

use super::call::function;

static NUMBER_METHODS: &[Method] = &[
    function("bit_length", &["self"], |_, given| {
        let number = super::call::int(given.value(0))?;
        Ok(Val::Int(i128::from(128 - number.unsigned_abs().leading_zeros())))
    }),
    function("conjugate", &["self"], |_, given| Ok(given.value(0).clone())),
];

static FLOAT_METHODS: &[Method] = &[
    function("is_integer", &["self"], |_, given| {
        let number = given.float(0)?;
        Ok(Val::Bool(number.is_finite() && number.fract() == 0.0))
    }),
    function("conjugate", &["self"], |_, given| Ok(given.value(0).clone())),
];

/// Tells whether a value holds another one, however deep: what would hold itself is never let in.
pub(super) fn holds(renderer: &mut Renderer, value: &Val, target: &Val) -> Checked<bool> {
    let mut left = vec![value.clone()];
    // What is shared is looked at once.
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(value) = left.pop() {
        renderer.go_through(crate::expr::budget::NODE)?;
        if value.address().is_some_and(|address| !seen.insert(address)) {
            continue;
        }
        if value.is_same(target) && !matches!(value, Val::Text(_)) {
            return Ok(true);
        }
        match &value {
            Val::List(list) | Val::Tuple(list) => {
                left.extend(list.items.borrow().iter().filter(|item| item.may_hold()).cloned());
            }
            Val::Dict(dict) => {
                left.extend(
                    dict.pairs
                        .borrow()
                        .values()
                        .filter(|(_, item)| item.may_hold())
                        .map(|(_, item)| item.clone()),
                );
            }
            Val::Branch(node) => left.extend(node.owned.get().cloned()),
            Val::Object(object) => left.extend(object.held()),
            Val::Rolled(rolled) => {
                if let super::value::LazyItems::View(_, inner) = &**rolled {
                    left.push(inner.clone());
                }
            }
            _ => {}
        }
    }
    Ok(false)
}
