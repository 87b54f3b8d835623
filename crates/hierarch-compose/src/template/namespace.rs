//! `namespace()`, `cycler()`, `joiner()`, and the functions that templates call by name.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hierarch_pcore::Str;

use super::call::{BoundArguments, Function, function, int};
use super::fault::Checked;
use super::issues;
use super::methods;
use super::object::{CallArguments, Object};
use super::renderer::Renderer;
use super::show::type_name;
use super::value::{LazyItems, Pairs, Val};
use crate::expr::budget::NODE;
use crate::expr::issues as limits;

/// The functions.
pub(super) static GLOBALS: &[Function] = &[
    function("range", &["start", "stop?", "step?"], range),
    function("dict", &["mapping?", "**named"], dict),
    function("namespace", &["mapping?", "**named"], namespace).with_undefined(),
    function("cycler", &["*items"], |renderer, given| {
        if given.rest.is_empty() {
            return Err(issues::nothing_to_cycle());
        }
        cycler(renderer, given)
    })
    .with_undefined(),
    function("joiner", &["sep?"], |renderer, given| {
        let between = given.text_or(renderer, 0, ", ")?;
        Ok(Val::Object(Rc::new(Joiner { between: between.into(), used: Cell::new(false) })))
    }),
    function("lipsum", &["n?", "html?", "min?", "max?"], super::lipsum::lipsum),
    function("lookup", &["plugin", "*terms", "**options"], |renderer, given| {
        super::unfurl::look_up(renderer, given, false)
    }),
    function("query", &["plugin", "*terms", "**options"], |renderer, given| {
        super::unfurl::look_up(renderer, given, true)
    }),
    function("q", &["plugin", "*terms", "**options"], |renderer, given| {
        super::unfurl::look_up(renderer, given, true)
    }),
    function("now", &["utc?", "fmt?"], super::dates::now),
    function("undef", &["hint?"], |renderer, given| {
        let hint = given.text_or(renderer, 0, "")?;
        let default = issues::MANDATORY_HINT;
        Ok(Val::undefined(if hint.is_empty() { default.to_owned() } else { hint }))
    }),
];

fn range(_: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let first = int(given.value(0))?;
    let (start, stop) = match given.get(1) {
        Some(stop) => (first, int(stop)?),
        None => (0, first),
    };
    let step = given.int(2, 1)?;
    if step == 0 {
        return Err(issues::range_step_zero());
    }
    Ok(Val::Rolled(Rc::new(LazyItems::Range { start, stop, step })))
}

fn dict(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let mut pairs = Pairs::default();
    if let Some(mapping) = given.get(0) {
        let entries = if let Some(entries) = renderer.pairs(mapping)? {
            entries
        } else {
            let items = renderer.items(mapping)?;
            items.iter().map(|pair| methods::of_pair(renderer, pair)).collect::<Checked<_>>()?
        };
        for (key, value) in entries {
            pairs.insert(renderer.key_of(&key)?, (key, value));
        }
    }
    for (name, value) in &given.named {
        pairs.insert(super::value::Key::Text(name.clone()), (Val::text(name.clone()), value.clone()));
    }
    renderer.dict(pairs)
}

fn namespace(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let space = Val::Object(Rc::new(Namespace::default()));
    if let Some(mapping) = given.get(0) {
        for (key, value) in renderer.pairs(mapping)?.unwrap_or_default() {
            let name = renderer.printed(&key)?;
            set(renderer, &space, &name.into(), value)?;
        }
    }
    for (name, value) in &given.named {
        set(renderer, &space, name, value.clone())?;
    }
    Ok(space)
}

/// Sets an attribute of a namespace.
pub(super) fn set(renderer: &mut Renderer, space: &Val, name: &Str, value: Val) -> Checked<()> {
    let Val::Object(object) = space else {
        renderer.present(space)?;
        return Err(issues::no_namespace(type_name(space)));
    };
    let Some(namespace) = object.as_any().downcast_ref::<Namespace>() else {
        return Err(issues::no_namespace(object.type_name()));
    };
    if value.may_hold() && methods::holds(renderer, &value, space)? {
        return Err(limits::nested_namespace().into());
    }
    let mut names = namespace.names.borrow_mut();
    let old = if let Some((_, old)) = names.iter_mut().find(|(known, _)| known == name) {
        Some(std::mem::replace(old, value))
    } else {
        renderer.budget.take(NODE + name.len())?;
        names.push((name.clone(), value));
        None
    };
    drop(names);
    drop(old);
    Ok(())
}

/// What loops and blocks share with what is around them.
#[derive(Default)]
struct Namespace {
    names: RefCell<Vec<(Str, Val)>>,
}

impl Object for Namespace {
    fn type_name(&self) -> &'static str {
        "Namespace"
    }

    fn shown(&self, renderer: &mut Renderer) -> Checked<String> {
        let names = self.names.borrow().clone();
        let dict = renderer.dict_of(names)?;
        Ok(format!("<Namespace {}>", renderer.shown(&dict)?))
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(self.names.borrow().iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()))
    }

    fn parts(&mut self) -> Vec<Val> {
        std::mem::take(self.names.get_mut()).into_iter().map(|(_, value)| value).collect()
    }

    fn held(&self) -> Vec<Val> {
        self.names.borrow().iter().map(|(_, value)| value.clone()).collect()
    }

    fn depth(&self) -> u32 {
        1 + self.names.borrow().iter().map(|(_, value)| value.depth()).max().unwrap_or(0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn cycler(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let items = renderer.tuple(given.rest.clone())?;
    Ok(Val::Object(Rc::new(Cycler { items, length: given.rest.len(), next: Cell::new(0) })))
}

/// Gives its items in turn.
struct Cycler {
    /// A tuple.
    items: Val,
    length: usize,
    next: Cell<usize>,
}

impl Cycler {
    fn item(&self, renderer: &mut Renderer) -> Checked<Option<Val>> {
        renderer.entry(&self.items, &self.next.get().into())
    }
}

impl Object for Cycler {
    fn type_name(&self) -> &'static str {
        "Cycler"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        Ok("<Cycler>".into())
    }

    fn attribute(&self, renderer: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(match name {
            "current" => self.item(renderer)?,
            "pos" => Some(self.next.get().into()),
            "items" => Some(self.items.clone()),
            _ => None,
        })
    }

    fn method(&self, renderer: &mut Renderer, name: &str, given: CallArguments) -> Option<Checked<Val>> {
        match name {
            "next" => {
                let item = self.item(renderer);
                self.next.set((self.next.get() + 1) % self.length);
                Some(item.map(|item| item.unwrap_or(Val::None)))
            }
            "reset" => {
                self.next.set(0);
                Some(Ok(Val::None))
            }
            _ => match self.attribute(renderer, name) {
                Ok(Some(value)) => Some(renderer.call_value(&value, given)),
                Ok(None) => None,
                Err(fault) => Some(Err(fault)),
            },
        }
    }

    fn parts(&mut self) -> Vec<Val> {
        vec![std::mem::replace(&mut self.items, Val::None)]
    }

    fn held(&self) -> Vec<Val> {
        vec![self.items.clone()]
    }

    fn depth(&self) -> u32 {
        self.items.depth()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Nothing when it is first called, then always the same text.
struct Joiner {
    between: Str,
    used: Cell<bool>,
}

impl Object for Joiner {
    fn type_name(&self) -> &'static str {
        "Joiner"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        Ok("<Joiner>".into())
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, _: &mut Renderer, _: CallArguments) -> Checked<Val> {
        Ok(if self.used.replace(true) { Val::text(self.between.clone()) } else { Val::text("") })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A function that has a name.
pub(super) struct Global(pub(super) &'static Function);

impl Object for Global {
    fn type_name(&self) -> &'static str {
        "function"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        Ok(format!("<function {}>", self.0.name))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, renderer: &mut Renderer, given: CallArguments) -> Checked<Val> {
        let bound = self.0.bind(renderer, given)?;
        (self.0.run)(renderer, &bound)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
