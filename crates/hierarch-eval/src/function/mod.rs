//! Built-in functions as the evaluator sees them: a static table each, with signatures in Puppet's own notation.
//!
//! ```
//! use hierarch_eval::function::{Call, Example::*, Function, on};
//! use hierarch_eval::{Result, Value};
//!
//! pub static TWICE: Function = Function {
//!     name: "twice",
//!     doc: "Returns a text two times over.",
//!     dispatches: &[on(&["String text"], twice)],
//!     examples: &[Gives("twice('ab')", "'abab'")],
//! };
//!
//! fn twice(call: &mut Call) -> Result<Value> {
//!     Ok(call.str(0).repeat(2).into())
//! }
//! ```
//!
//! A parameter is written `Type name`; a mark in front says what is special about it:
//!
//! | mark | the parameter |
//! | --- | --- |
//! | `?` | may be left out |
//! | `*` | stands for any number of arguments, none included |
//! | `+` | stands for one or more arguments |
//! | `&` | is the block; `?&` a block that may be left out |
//!
//! Signatures are tried in order and the first that takes the arguments is called, so a body may take what its
//! signature promises for granted.

mod call;
mod catalog;
mod declared;
mod dispatch;
mod foreign;
mod growing;
mod language;
mod registry;
mod signature;

use hierarch_pcore::Value;

use crate::Result;

pub(crate) use call::BlockBody;
pub use call::{Arguments, Block, Call};
pub(crate) use foreign::FunctionState;
pub use foreign::{ForeignState, GivenBlock};
pub use growing::GrowingList;
pub(crate) use language::ForeignFunction;
pub use language::{ForeignBlock, ForeignInterface, ForeignSignature, ForeignSource, Language};
pub(crate) use registry::CompiledFunction;
pub use registry::Registry;
pub(crate) use signature::{Signature, is_any};

/// A built-in function.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence or a few.
    pub doc: &'static str,
    /// Its signatures with the code behind each, in the order in which they are tried.
    pub dispatches: &'static [Dispatch],
    /// What calls give; a test runs them all, and so does the recorder with Puppet.
    pub examples: &'static [Example],
}

/// The code of a signature.
pub type Body = fn(&mut Call) -> Result<Value>;

/// One way to call a function.
pub struct Dispatch {
    pub(crate) params: &'static [&'static str],
    pub(crate) returns: Option<&'static str>,
    pub(crate) body: Body,
    pub(crate) kind: Kind,
}

/// How a signature is applied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As it stands.
    Typed,
    /// It is there to fail in words of its own, and is not listed among what a function expects.
    Mismatch,
    /// As functions were before types: an arity alone, `undef` given as an empty text. A negative arity -n means
    /// n - 1 or more arguments.
    Legacy(i32),
}

/// A call and what comes of it.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// A call and its value, as program text.
    Gives(&'static str, &'static str),
    /// A call and the words of its error; those around the function's own may be left out.
    Fails(&'static str, &'static str),
}

/// Makes a signature.
pub const fn on(params: &'static [&'static str], body: Body) -> Dispatch {
    Dispatch { params, returns: None, body, kind: Kind::Typed }
}

/// Makes a signature whose body only says in words of its own why the arguments will not do: it returns the words,
/// and the call fails with them, the function's name in front.
pub const fn mismatch(params: &'static [&'static str], body: Body) -> Dispatch {
    Dispatch { params, returns: None, body, kind: Kind::Mismatch }
}

/// Makes a signature of the old kind. An arity of -2 means one argument or more.
pub const fn legacy(arity: i32, body: Body) -> Dispatch {
    Dispatch { params: &[], returns: None, body, kind: Kind::Legacy(arity) }
}

impl Dispatch {
    /// Declares the type of what it returns, where the reference does so.
    #[must_use]
    pub const fn returns(self, type_: &'static str) -> Self {
        Self { returns: Some(type_), ..self }
    }

    /// Returns the parameters as they are written.
    pub fn params(&self) -> &'static [&'static str] {
        self.params
    }

    /// Returns the declared type of the result.
    pub fn return_type(&self) -> Option<&'static str> {
        self.returns
    }

    /// Tells whether it takes arguments as functions did before types.
    pub fn is_legacy(&self) -> bool {
        matches!(self.kind, Kind::Legacy(_))
    }

    /// Tells whether it is there only to fail in words of its own.
    pub fn is_mismatch(&self) -> bool {
        self.kind == Kind::Mismatch
    }
}
