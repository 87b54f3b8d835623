//! Room for values that only the runtime knows: lazy iterators, lambdas, lookup contexts.

use std::any::Any;
use std::fmt;

use hierarch_source::Result;

use super::Value;
use crate::Type;

/// The elements of something lazy, one at a time.
pub type Elements<'a> = Box<dyn Iterator<Item = Result<Value>> + 'a>;

/// A value made by a crate above this one.
pub trait Foreign: Send + Sync {
    /// Returns its type, such as `Iterator[Integer]`, `Callable[1, 1]` or `Runtime[ruby, 'Symbol']`.
    fn inferred(&self) -> Type;

    /// Returns its text in interpolation, such as `Iterator[Integer]-Value`.
    fn text(&self) -> String;

    /// Walks over its elements, if it has any.
    fn elements(&self) -> Option<Elements<'_>> {
        None
    }

    /// Returns what JSON writes for it without quotes; none: its text in quotes.
    fn json(&self) -> Option<String> {
        None
    }

    /// Returns what YAML writes for it without quotes; none: its text as any other text.
    fn yaml(&self) -> Option<String> {
        None
    }

    /// Returns the digits of an integer beyond 64 bits. Such a value is equal to another with the same digits.
    fn digits(&self) -> Option<&str> {
        None
    }

    /// Gives the value back to the crate that made it.
    fn as_any(&self) -> &dyn Any;
}

impl fmt::Debug for dyn Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
