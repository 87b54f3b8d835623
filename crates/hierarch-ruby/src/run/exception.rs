//! Exceptions: how they are made, what they hold.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::{Flow, Res, Vm};
use crate::value::meter::Share;
use crate::value::{ClassRef, Object, Payload, Value, names};

/// So many lines a backtrace has at most.
const MOST_PLACES: usize = 100;

/// What a line of a backtrace takes, its label included.
const BYTES_PER_PLACE: usize = size_of::<Place>() + 32;

/// A line of a backtrace.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// What runs there.
    pub label: String,
}

impl Place {
    /// Returns it as a line of a backtrace.
    pub fn shown(&self) -> String {
        format!("{}:{}:in `{}'", self.file, self.line, self.label)
    }
}

/// What an exception holds.
#[derive(Default)]
pub struct ExceptionData {
    /// What it was made with; nil means the class's name.
    pub message: RefCell<Value>,
    /// Where it was raised, the innermost first.
    pub places: RefCell<Vec<Place>>,
    /// How deep the run was when it was raised.
    pub depth: std::cell::Cell<u32>,
    /// A backtrace that a script set.
    pub backtrace: RefCell<Value>,
    /// `$!` when it was raised, or what `raise` was given.
    pub cause: RefCell<Value>,
    /// Whether `raise` was given a cause, nil too.
    pub has_cause: std::cell::Cell<bool>,
    /// What its places count as.
    pub share: RefCell<Option<Share>>,
    /// What some classes keep beside: the key of a KeyError, the name of a NameError.
    pub extra: RefCell<Vec<(&'static str, Value)>>,
}

impl Payload for ExceptionData {
    fn take(&self) -> Vec<Value> {
        [&self.message, &self.backtrace, &self.cause].into_iter().map(RefCell::take).collect()
    }
}

impl Vm<'_> {
    /// Makes an exception of a class by its name.
    pub fn exception(&mut self, class: &'static str, message: impl Into<ecow::EcoString>) -> Value {
        let class = self.class(class);
        self.exception_of(class, message)
    }

    /// Makes an exception of a class.
    pub fn exception_of(&mut self, class: ClassRef, message: impl Into<ecow::EcoString>) -> Value {
        let data = ExceptionData::default();
        *data.message.borrow_mut() = self.str(message);
        Value::Object(Rc::new(Object::with(class, data)))
    }

    /// Raises an exception of a class by its name.
    #[cold]
    pub fn raise(&mut self, class: &'static str, message: impl Into<ecow::EcoString>) -> Box<Flow> {
        let exception = self.exception(class, message);
        self.raised(exception)
    }

    /// Raises one that keeps something beside its message.
    #[cold]
    pub fn raise_with(
        &mut self,
        class: &'static str,
        message: impl Into<ecow::EcoString>,
        extra: Vec<(&'static str, Value)>,
    ) -> Box<Flow> {
        let exception = self.exception(class, message);
        if let Some(data) = exception.payload::<ExceptionData>() {
            *data.extra.borrow_mut() = extra;
        }
        self.raised(exception)
    }

    /// Raises an exception: it learns where it is, and what was being handled.
    pub fn raised(&mut self, exception: Value) -> Box<Flow> {
        if let Some(data) = exception.payload::<ExceptionData>() {
            if data.places.borrow().is_empty() {
                let places = self.places();
                // Exceptions that hold each other as causes would otherwise fill the memory unseen.
                *data.share.borrow_mut() = Some(Share::new(&self.meter, places.len() * BYTES_PER_PLACE));
                *data.places.borrow_mut() = places;
                data.depth.set(self.depth);
            }
            let is_own = self.current_error.is_same(&exception);
            if !data.has_cause.get() && data.cause.borrow().is_nil() && !is_own {
                *data.cause.borrow_mut() = self.current_error.clone();
            }
        }
        Box::new(Flow::Raise(exception))
    }

    /// Returns where the run is, the innermost place first.
    pub fn places(&self) -> Vec<Place> {
        let is_shown =
            |frame: &&super::Frame| !frame.context.file.starts_with(crate::library::bundled::INTERNAL);
        let frames = self.frames.iter().rev().filter(is_shown).take(MOST_PLACES);
        frames
            .map(|frame| Place {
                file: Arc::clone(&frame.context.file),
                line: frame.line,
                label: frame
                    .context
                    .method
                    .as_ref()
                    .map_or_else(|| "<main>".to_owned(), |method| method.name.text().to_owned()),
            })
            .collect()
    }

    /// Returns the message of an exception.
    pub fn message_of(&mut self, exception: &Value) -> Res<ecow::EcoString> {
        let message = self.send(exception, names::MESSAGE, &[])?;
        self.to_s(&message)
    }

    /// Tells whether a value is an instance of a class by its name.
    pub fn is_a(&mut self, value: &Value, class: &'static str) -> bool {
        let class = self.class(class);
        self.is_instance(value, &class)
    }

    /// Returns where an exception was raised: the innermost place.
    pub fn raised_at(&self, exception: &Value) -> Option<Place> {
        let data = exception.payload::<ExceptionData>()?;
        let places = data.places.borrow();
        places.first().cloned()
    }
}
