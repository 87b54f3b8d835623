//! What ends an expression early.

use hierarch_source::Error;

use crate::value::Value;

/// A value, or why there is none.
pub type Res<T = Value> = Result<T, Box<Flow>>;

/// What ends an expression early.
pub enum Flow {
    /// An exception.
    Raise(Value),
    /// `break` out of a block: the number of the call it was given to.
    Break(u64, Value),
    /// `next` in a block.
    Next(Value),
    /// `redo` in a block.
    Redo,
    /// `return` out of a method or lambda: the number of its run.
    Return(u64, Value),
    /// `break` out of a loop.
    LoopBreak(Value),
    /// `next` in a loop.
    LoopNext,
    /// `redo` in a loop.
    LoopRedo,
    /// `retry`
    Retry,
    /// `throw`
    Throw(Value, Value),
    /// A walk over something has seen enough: its number.
    Enough(u64),
    /// A jump of Puppet's passes through.
    Puppet(crate::puppet::Jump),
    /// A limit, a refusal, something that is not known: no script can rescue it.
    Stop(Box<Error>),
}

impl Flow {
    /// Ends the run, whatever the script rescues.
    pub fn stop(error: Error) -> Box<Self> {
        Box::new(Self::Stop(Box::new(error)))
    }

    /// Returns the value if this is a `return` from a run.
    pub(crate) fn returned(self: Box<Self>, home: u64) -> Res {
        match *self {
            Self::Return(number, value) if number == home => Ok(value),
            other => Err(Box::new(other)),
        }
    }
}

impl From<Error> for Box<Flow> {
    fn from(error: Error) -> Self {
        Flow::stop(error)
    }
}
