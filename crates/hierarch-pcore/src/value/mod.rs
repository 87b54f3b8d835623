//! The one value model: what the language, Hiera data and catalogs are made of.
//!
//! Cloning copies at most 24 bytes and raises a reference count. Rust's `==` on values is *identity*, what
//! makes two hash keys the same (`1` is not `1.0`, `'a'` is not `'A'`); the language's `==` is
//! [`Value::equals`](crate::compare).

mod array;
pub mod binary;
pub mod extent;
pub mod foreign;
mod hash;
mod identity;
pub mod number;
pub mod object;
mod quote;
mod redact;
pub mod semver;
pub mod symbol;
mod text;
pub mod time;
pub mod uri;

use std::sync::Arc;

use crate::Type;
use crate::regex::Regexp;

pub use array::Array;
pub use binary::Binary;
pub use extent::Extent;
pub use foreign::Foreign;
pub use hash::{Hash, Iter as HashIter};
pub use object::Object;
pub use quote::{double_quoted, quoted};
pub use semver::{SemVer, SemVerRange};
pub use time::{Timespan, Timestamp};
pub use uri::Uri;

/// The text type of values: short texts are stored inline, long ones are shared.
pub type Str = ecow::EcoString;

/// Any value of the Puppet language.
#[derive(Clone, Default)]
pub enum Value {
    /// `undef`, the absence of a value.
    #[default]
    Undef,
    /// The literal `default`.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// A 64-bit signed integer.
    Integer(i64),
    /// A double.
    Float(f64),
    /// Text, UTF-8.
    String(Str),
    /// A sequence.
    Array(Arc<Array>),
    /// Keys and values in insertion order.
    Hash(Arc<Hash>),
    /// A regular expression in Ruby's notation.
    Regexp(Arc<Regexp>),
    /// A type used as a value, references to classes and resources included.
    Type(Type),
    /// A value that is never printed.
    Sensitive(Arc<Value>),
    /// Bytes.
    Binary(Arc<Binary>),
    /// A semantic version.
    SemVer(Arc<SemVer>),
    /// A set of semantic versions.
    SemVerRange(Arc<SemVerRange>),
    /// A point in time.
    Timestamp(Arc<Timestamp>),
    /// A length of time.
    Timespan(Arc<Timespan>),
    /// A resource identifier.
    Uri(Arc<Uri>),
    /// An instance of an Object type, `Error` and `Deferred` included.
    Object(Arc<Object>),
    /// What only the runtime knows: lazy iterators, lambdas, lookup contexts.
    Foreign(Arc<dyn Foreign>),
}

impl Value {
    /// Makes a string.
    pub fn string(text: impl Into<Str>) -> Self {
        Self::String(text.into())
    }

    /// Makes an array.
    pub fn array(elements: Vec<Value>) -> Self {
        Self::Array(Arc::new(elements.into()))
    }

    /// Makes an array of two elements.
    pub fn pair(first: Value, second: Value) -> Self {
        Self::Array(Arc::new([first, second].into()))
    }

    /// Makes a hash.
    pub fn hash(hash: Hash) -> Self {
        Self::Hash(Arc::new(hash))
    }

    /// Wraps a value so that it is never printed. What is wrapped already stays as it is.
    #[must_use]
    pub fn sensitive(value: Value) -> Self {
        match value {
            Self::Sensitive(_) => value,
            other => Self::Sensitive(Arc::new(other)),
        }
    }

    /// Tells whether it counts as true: everything but `undef` and `false` does.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Self::Undef | Self::Boolean(false))
    }

    /// Tells whether it is `undef`.
    pub fn is_undef(&self) -> bool {
        matches!(self, Self::Undef)
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns an integer.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns an integer or a float as a float.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Foreign(foreign) => foreign.digits()?.parse().ok(),
            _ => None,
        }
    }

    /// Returns a boolean.
    pub fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Returns the elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns a hash.
    pub fn as_hash(&self) -> Option<&Hash> {
        match self {
            Self::Hash(hash) => Some(hash),
            _ => None,
        }
    }

    /// Returns the type that this value is.
    pub fn as_type(&self) -> Option<&Type> {
        match self {
            Self::Type(type_) => Some(type_),
            _ => None,
        }
    }

    /// Tells whether it is, or anywhere contains, a sensitive value.
    pub fn has_sensitive(&self) -> bool {
        match self {
            Self::Sensitive(_) => true,
            Self::Array(elements) => elements.iter().any(Value::has_sensitive),
            Self::Hash(hash) => hash.iter().any(|(key, value)| key.has_sensitive() || value.has_sensitive()),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Boolean(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Str> for Value {
    fn from(text: Str) -> Self {
        Self::String(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(elements: Vec<Value>) -> Self {
        Self::array(elements)
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Self::Array(Arc::new(array))
    }
}

impl From<Hash> for Value {
    fn from(hash: Hash) -> Self {
        Self::hash(hash)
    }
}

impl From<Type> for Value {
    fn from(type_: Type) -> Self {
        Self::Type(type_)
    }
}

impl From<Regexp> for Value {
    fn from(regexp: Regexp) -> Self {
        Self::Regexp(Arc::new(regexp))
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Self {
        option.map_or(Self::Undef, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_fits_in_three_words_and_crosses_threads() {
        fn crosses_threads<T: Send + Sync>() {}
        crosses_threads::<Value>();
        assert!(size_of::<Value>() <= 24);
    }

    #[test]
    fn nesting_sensitive_collapses() {
        let once = Value::sensitive(Value::from(1));
        assert_eq!(Value::sensitive(once.clone()), once);
    }
}
