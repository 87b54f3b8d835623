//! What goes wrong in a template, before it is known which words and which place a user gets to see.

use std::sync::Arc;

use hierarch_source::{Error, Place, Source, Span};

use super::tree::Range;
use crate::expr::issues;

pub(super) type Checked<T> = Result<T, Fault>;

/// A failure, one machine word wide.
#[derive(Debug)]
pub(super) struct Fault(Box<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) kind: FaultKind,
    pub(super) message: String,
    /// Where in the template.
    pub(super) range: Option<Range>,
    /// Where in another template that this one uses.
    pub(super) place: Option<Place>,
    /// What a function of expressions or a limit says.
    pub(super) own: Option<Error>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FaultKind {
    Syntax,
    /// A variable that is not there; the message is its name.
    UndefinedVariable,
    /// A key or attribute that is not there; the message is its name.
    UndefinedPart,
    /// Something else that is undefined; the message says what.
    Undefined,
    /// What `if` without `else` gives, which prints as nothing and counts as false.
    NoElse,
    /// The message is the name of a filter.
    UnknownFilter,
    /// The message is the name of a test.
    UnknownTest,
    /// A template that includes, imports or extends another one that is not there.
    NotFound,
    Wrong,
    Own,
}

impl Fault {
    fn new(kind: FaultKind, message: impl Into<String>, range: Option<Range>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), range, place: None, own: None }))
    }

    pub(super) fn syntax(message: String, range: Range) -> Self {
        Self::new(FaultKind::Syntax, message, Some(range))
    }

    pub(super) fn wrong(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Wrong, message, None)
    }

    pub(super) fn not_found(message: String) -> Self {
        Self::new(FaultKind::NotFound, message, None)
    }

    pub(super) fn unknown_filter(name: &str, range: Range) -> Self {
        Self::new(FaultKind::UnknownFilter, name, Some(range))
    }

    pub(super) fn unknown_test(name: &str, range: Range) -> Self {
        Self::new(FaultKind::UnknownTest, name, Some(range))
    }

    pub(super) fn undefined(
        kind: FaultKind,
        message: &str,
        range: Option<Range>,
        own: Option<Error>,
    ) -> Self {
        let mut fault = Self::new(kind, message, range);
        fault.0.own = own;
        fault
    }

    /// Says where it happened, unless that is known.
    pub(super) fn at(mut self, range: Range) -> Self {
        self.0.range.get_or_insert(range);
        self
    }

    /// Says in which template it happened, unless that is known.
    pub(super) fn within(mut self, source: &Arc<Source>, offset: usize) -> Self {
        if self.0.place.is_none() {
            let range = self.0.range.unwrap_or_default();
            let shift = |at: u32| (offset + at as usize) as u32;
            self.0.place = Some(Place::new(source, Span::new(shift(range.start), shift(range.end))));
        }
        self
    }

    /// Takes out the words that may tell the secret it failed on; names in the template itself and limits tell none.
    pub(super) fn hidden(mut self) -> Self {
        use FaultKind::{NoElse, Syntax, UndefinedVariable, UnknownFilter, UnknownTest};
        if matches!(self.0.kind, NoElse | Syntax | UndefinedVariable | UnknownFilter | UnknownTest) {
            return self;
        }
        if self.is_final() {
            self.0.own = self.0.own.map(|own| issues::failed_on_secret("the template", own));
            return self;
        }
        self.0.kind = if self.is_undefined() { FaultKind::Undefined } else { FaultKind::Wrong };
        let own_place = self.0.own.take().and_then(|own| own.place.clone());
        self.0.place = self.0.place.or(own_place);
        issues::HIDDEN_REASON.clone_into(&mut self.0.message);
        self
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(super) fn is_undefined(&self) -> bool {
        use FaultKind::{NoElse, Undefined, UndefinedPart, UndefinedVariable};
        matches!(self.0.kind, NoElse | Undefined | UndefinedPart | UndefinedVariable)
    }

    /// Tells whether a limit was reached or something was forbidden, which nothing may swallow.
    pub(super) fn is_final(&self) -> bool {
        self.0.own.as_ref().is_some_and(super::failure::is_final)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let mut fault = Self::new(FaultKind::Own, error.message.clone(), None);
        fault.0.own = Some(error);
        fault
    }
}
