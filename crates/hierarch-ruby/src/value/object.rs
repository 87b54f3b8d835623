//! Objects: instances of classes that are not core values, exceptions, and what libraries and hosts bring.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::dismantle::dismantle;
use super::meter::Share;
use super::{ClassRef, Sym, Value};

/// What a library keeps inside an object.
pub trait Payload: Any {
    /// Takes out the values it holds, when the object goes; so that long chains do not overflow the stack.
    fn take(&self) -> Vec<Value> {
        Vec::new()
    }
}

/// An object.
pub struct Object {
    /// Its class, or its singleton class if it has one.
    pub class: RefCell<ClassRef>,
    /// Its instance variables in the order they came.
    pub ivars: RefCell<Vec<(Sym, Value)>>,
    /// What a library keeps in it.
    pub data: RefCell<Option<Rc<dyn Payload>>>,
    /// Whether it may change.
    pub frozen: Cell<bool>,
    /// What it counts as.
    share: Share,
}

/// What strings, arrays and hashes have only now and then: a class of their own and instance variables.
pub struct Meta {
    /// A subclass or singleton class.
    pub class: Option<ClassRef>,
    /// Instance variables.
    pub ivars: Vec<(Sym, Value)>,
}

impl Object {
    /// Makes an object without instance variables.
    pub fn new(class: ClassRef) -> Self {
        let share = Share::new(&class.meter, size_of::<Self>());
        Self {
            share,
            class: RefCell::new(class),
            ivars: RefCell::default(),
            data: RefCell::new(None),
            frozen: Cell::new(false),
        }
    }

    /// Makes an object around what a library keeps in it.
    pub fn with<T: Payload>(class: ClassRef, data: T) -> Self {
        let object = Self::new(class);
        object.share.set(size_of::<Self>() + 2 * size_of::<T>());
        *object.data.borrow_mut() = Some(Rc::new(data));
        object
    }

    /// Returns what a library keeps in it.
    pub fn payload<T: Payload>(&self) -> Option<Rc<T>> {
        let data = self.data.borrow().clone()?;
        let data: Rc<dyn Any> = data;
        data.downcast::<T>().ok()
    }

    /// Puts what a library keeps in it.
    pub fn set_payload(&self, data: impl Payload) {
        *self.data.borrow_mut() = Some(Rc::new(data));
    }

    /// Returns an instance variable.
    #[inline]
    pub fn ivar(&self, name: Sym) -> Option<Value> {
        self.ivars.borrow().iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }

    /// Sets an instance variable.
    pub fn set_ivar(&self, name: Sym, value: Value) {
        let old = {
            let mut ivars = self.ivars.borrow_mut();
            match ivars.iter_mut().find(|(known, _)| *known == name) {
                Some((_, old)) => std::mem::replace(old, value),
                None => {
                    ivars.push((name, value));
                    Value::Nil
                }
            }
        };
        drop(old);
    }

    pub(super) fn take(&self) -> Vec<Value> {
        let mut values: Vec<Value> = match self.ivars.try_borrow_mut() {
            Ok(mut ivars) => std::mem::take(&mut *ivars).into_iter().map(|(_, value)| value).collect(),
            Err(_) => Vec::new(),
        };
        if let Ok(mut data) = self.data.try_borrow_mut()
            && let Some(data) = data.take().filter(|data| Rc::strong_count(data) == 1)
        {
            values.extend(data.take());
        }
        values
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        dismantle(self.take());
    }
}
