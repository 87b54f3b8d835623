//! What every table of methods needs.

pub(crate) use std::rc::Rc;

pub(crate) use ecow::EcoString;

pub(crate) use super::{Builtin, ClassSpec, m};
pub(crate) use crate::run::{Args, Flow, Res, Vm};
pub(crate) use crate::value::hash::{Entries, Identity};
pub(crate) use crate::value::{
    Array, ClassRef, Encoding, Hash, Object, Payload, Proc, Range, Regex, Str, Sym, Text, Value, names,
};
