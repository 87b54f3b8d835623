//! Where an expression stands: the current value, the variables it sees, how strict it is.

use std::sync::{Arc, OnceLock};

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Error, Result};

use super::active::is_active;
use super::item::{Item, Raw};
use super::tree::Instance;
use super::world::{Place, Reference, World};

/// The surroundings of an expression. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Scope {
    pub(crate) world: Arc<World>,
    /// What paths start from: an instance, or an item of a loop.
    pub(crate) current: Value,
    /// The instance around it, which `$start` and folders refer to.
    pub(crate) instance: u32,
    pub(crate) frame: Arc<Frame>,
    /// Undefined names in templates are errors.
    pub(crate) strict: bool,
    /// Paths that begin with a name look into the ancestors, too.
    pub(crate) searches: bool,
    /// The value of the tree that is being evaluated.
    pub(crate) place: Option<Place>,
}

/// Variables, and those around them.
pub(crate) struct Frame {
    variables: Vec<(Str, Variable)>,
    current: Value,
    instance: u32,
    searches: bool,
    outer: Option<Arc<Frame>>,
}

enum Variable {
    Ready(Value),
    /// Data that may hold expressions, and its value if it is one.
    Raw(Value, OnceLock<Value>, Option<Place>),
}

impl Scope {
    /// Makes the outermost scope, at an instance.
    pub(crate) fn new(world: &Arc<World>, instance: u32, variables: &Hash, strict: bool) -> Self {
        let current = world.tree.node(instance).value.clone();
        let frame = Frame {
            variables: raw(variables, None),
            current: current.clone(),
            instance,
            searches: true,
            outer: None,
        };
        Self {
            world: Arc::clone(world),
            current,
            instance,
            frame: Arc::new(frame),
            strict,
            searches: true,
            place: None,
        }
    }

    /// Returns the scope of what stands in an instance's attributes: the same whoever asks, so that it can be
    /// evaluated once. Variables of who asks are not seen, but for those that everyone sees.
    pub(crate) fn owner(&self, instance: u32) -> Self {
        Self::new(&self.world, instance, &self.world.globals, self.strict)
    }

    /// Returns a scope with further variables, evaluated on first use.
    pub(crate) fn with_raw(&self, variables: &Hash) -> Self {
        self.with_frame(raw(variables, self.place))
    }

    /// Returns a scope with further variables that have their values.
    pub(crate) fn with_ready(&self, variables: impl IntoIterator<Item = (Str, Value)>) -> Self {
        let ready = variables.into_iter().map(|(name, value)| (name, Variable::Ready(value)));
        self.with_frame(ready.collect())
    }

    fn with_frame(&self, variables: Vec<(Str, Variable)>) -> Self {
        if variables.is_empty() {
            return self.clone();
        }
        let frame = Frame {
            variables,
            current: self.current.clone(),
            instance: self.instance,
            searches: self.searches,
            outer: Some(Arc::clone(&self.frame)),
        };
        Self { frame: Arc::new(frame), ..self.clone() }
    }

    /// Returns a scope at another value; at an instance, its ancestors are looked into.
    pub(crate) fn at(&self, current: Value) -> Self {
        let instance = Instance::of(&current).map_or(self.instance, |instance| instance.id);
        let searches = Instance::of(&current).is_some();
        Self { current, instance, searches, ..self.clone() }
    }

    /// Returns a scope at an item of a loop, whose ancestors are not looked into.
    pub(crate) fn at_item(&self, item: Value) -> Self {
        Self { searches: false, ..self.at(item) }
    }

    /// Returns the scope of an expression that stands at a place.
    pub(crate) fn placed(&self, place: Option<Place>) -> Self {
        Self { place: place.or(self.place), ..self.clone() }
    }

    /// Gives an error the place of the part of the tree that failed, if it is one.
    pub(crate) fn located(&self, value: &Value, error: Error) -> Error {
        match self.place {
            Some(place) => self.world.located_part(place.part(value), value, error),
            None => error,
        }
    }

    /// Returns a variable's value, as far as it is known.
    pub(crate) fn variable(&self, name: &str) -> Result<Option<Item>> {
        let mut frame = Some(&self.frame);
        while let Some(here) = frame {
            if let Some((name, variable)) = here.variables.iter().find(|(known, _)| known == name) {
                return self.value_of(here, name, variable).map(Some);
            }
            frame = here.outer.as_ref();
        }
        Ok(match name {
            "true" => Some(Item::Done(true.into())),
            "false" => Some(Item::Done(false.into())),
            "null" => Some(Item::Done(Value::Undef)),
            "start" => Some(Item::Done(self.world.tree.node(self.instance).value.clone())),
            _ => None,
        })
    }

    fn value_of(&self, frame: &Arc<Frame>, name: &Str, variable: &Variable) -> Result<Item> {
        let (value, ready, place) = match variable {
            Variable::Ready(value) => return Ok(Item::Done(value.clone())),
            Variable::Raw(value, ready, place) => (value, ready, *place),
        };
        let raw = Raw { value: value.clone(), scope: self.of_frame(frame), place: None };
        if !is_active(value) {
            return Ok(Item::Raw(raw));
        }
        if let Some(ready) = ready.get() {
            return Ok(Item::Done(ready.clone()));
        }
        let reference = Reference::Variable(name.clone(), Arc::as_ptr(frame) as usize, place);
        let found = self.world.guarded(reference, || raw.resolve())?;
        Ok(Item::Done(ready.get_or_init(|| found).clone()))
    }

    /// Returns the scope in which a frame's variables are evaluated: they see each other.
    fn of_frame(&self, frame: &Arc<Frame>) -> Self {
        Self {
            current: frame.current.clone(),
            instance: frame.instance,
            searches: frame.searches,
            frame: Arc::clone(frame),
            ..self.clone()
        }
    }

    /// Returns the names of all variables, inner ones first.
    pub(crate) fn names(&self) -> Vec<Str> {
        let frames = std::iter::successors(Some(&self.frame), |frame| frame.outer.as_ref());
        frames.flat_map(|frame| frame.variables.iter().map(|(name, _)| name.clone())).collect()
    }
}

fn raw(variables: &Hash, place: Option<Place>) -> Vec<(Str, Variable)> {
    let named = |(name, value): (&Value, &Value)| {
        let place = place.map(|place| place.part(value));
        (Str::from(name.to_string()), Variable::Raw(value.clone(), OnceLock::new(), place))
    };
    variables.iter().map(named).collect()
}
