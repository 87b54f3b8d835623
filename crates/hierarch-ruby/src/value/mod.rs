//! Ruby's values: mutable, with identity, and owned by one run.
//!
//! They are never shared between threads. What comes from Puppet and goes back is turned over by [`convert`].

pub mod array;
pub mod class;
pub mod convert;
mod dismantle;
pub mod hash;
pub mod meter;
pub mod number;
pub mod object;
pub mod procs;
pub mod range;
pub mod regexp;
pub mod string;
pub mod symbol;

use std::rc::Rc;

use num_bigint::BigInt;

pub use array::Array;
pub use class::{Class, ClassRef};
pub use hash::{Hash, Key};
pub use meter::Meter;
pub use object::{Meta, Object, Payload};
pub use procs::{Env, Proc};
pub use range::Range;
pub use regexp::Regex;
pub use string::{Encoding, Str, Text};
pub use symbol::{Sym, names};

/// Any value of Ruby.
///
/// The tag takes eight bytes, so that every payload begins at the same place: a copy is two words. Otherwise it is put
/// together of bytes, and a processor waits each time for what it has just stored.
#[derive(Clone, Default)]
#[repr(u64)]
pub enum Value {
    /// `nil`
    #[default]
    Nil,
    /// `true` and `false`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// One that does not.
    Big(Rc<BigInt>),
    /// A double.
    Float(f64),
    /// `:name`
    Sym(Sym),
    /// A string.
    Str(Rc<Str>),
    /// An array.
    Array(Rc<Array>),
    /// A hash.
    Hash(Rc<Hash>),
    /// `a..b`
    Range(Rc<Range>),
    /// `/x/`
    Regexp(Rc<Regex>),
    /// A block, lambda or method as a value.
    Proc(Rc<Proc>),
    /// A class or module.
    Class(ClassRef),
    /// Everything else, see [`Object`].
    Object(Rc<Object>),
}

impl Value {
    /// Tells whether it counts as true.
    #[inline]
    pub fn truthy(&self) -> bool {
        !matches!(self, Self::Nil | Self::Bool(false))
    }

    /// Tells whether it is `nil`.
    #[inline]
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Nil)
    }

    /// Makes a symbol.
    pub fn symbol(text: &str) -> Self {
        Self::Sym(Sym::of(text))
    }

    /// Tells whether two are one and the same, as `equal?` does.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Nil, Self::Nil) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Sym(a), Self::Sym(b)) => a == b,
            (Self::Big(a), Self::Big(b)) => a == b,
            _ => self.address().is_some_and(|address| Some(address) == other.address()),
        }
    }

    /// Returns where it lives, if it has an identity.
    pub fn address(&self) -> Option<usize> {
        fn at<T: ?Sized>(rc: &Rc<T>) -> usize {
            Rc::as_ptr(rc).cast::<u8>() as usize
        }
        Some(match self {
            Self::Str(rc) => at(rc),
            Self::Array(rc) => at(rc),
            Self::Hash(rc) => at(rc),
            Self::Range(rc) => at(rc),
            Self::Regexp(rc) => at(rc),
            Self::Proc(rc) => at(rc),
            Self::Class(rc) => at(rc),
            Self::Object(rc) => at(rc),
            _ => return None,
        })
    }

    /// Returns the string that it is.
    #[inline]
    pub fn as_str(&self) -> Option<&Rc<Str>> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the array that it is.
    #[inline]
    pub fn as_array(&self) -> Option<&Rc<Array>> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Returns the hash that it is.
    #[inline]
    pub fn as_hash(&self) -> Option<&Rc<Hash>> {
        match self {
            Self::Hash(hash) => Some(hash),
            _ => None,
        }
    }

    /// Returns the object that it is.
    #[inline]
    pub fn as_object(&self) -> Option<&Rc<Object>> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the class or module that it is.
    #[inline]
    pub fn as_class(&self) -> Option<&ClassRef> {
        match self {
            Self::Class(class) => Some(class),
            _ => None,
        }
    }

    /// Returns what a library keeps in an object of its own class.
    pub fn payload<T: Payload>(&self) -> Option<Rc<T>> {
        self.as_object()?.payload::<T>()
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<Sym> for Value {
    fn from(name: Sym) -> Self {
        Self::Sym(name)
    }
}

impl From<BigInt> for Value {
    fn from(number: BigInt) -> Self {
        match i64::try_from(&number) {
            Ok(small) => Self::Int(small),
            Err(_) => Self::Big(Rc::new(number)),
        }
    }
}

impl From<i128> for Value {
    fn from(number: i128) -> Self {
        match i64::try_from(number) {
            Ok(small) => Self::Int(small),
            Err(_) => Self::Big(Rc::new(number.into())),
        }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Self {
        option.map_or(Self::Nil, Into::into)
    }
}
