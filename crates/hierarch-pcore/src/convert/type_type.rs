//! `Type.new`: a type from its text.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::types::{Definitions, NoDefinitions};
use crate::{Type, Value};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_type",
    locals: &[],
    dispatches: &[(&["String[1] type_string"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

/// Hands the definitions of a host on.
struct OfHost<'a>(&'a dyn Host);

impl Definitions for OfHost<'_> {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        match self.0.type_named(name)? {
            Some(type_) => Ok(Some(type_)),
            None => NoDefinitions.type_named(name),
        }
    }
}

fn convert(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    Type::parse(arguments[0].as_str().unwrap_or_default(), &OfHost(host)).map(Value::from)
}
