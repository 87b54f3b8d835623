//! `TypeReference['Name']`: a type that nobody has defined.

use super::build::{KeyError, Keyed};
use super::{Guard, Kind, Rules, Type};
use crate::{Str, Value, issues};

/// The name of a type that could not be found.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ReferenceType(Str);

impl ReferenceType {
    /// Makes a reference from the text of a type expression.
    pub fn new(text: impl Into<Str>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Rules for ReferenceType {
    fn name(&self) -> &'static str {
        "TypeReference"
    }

    fn params(&self) -> Vec<Value> {
        vec![self.0.clone().into()]
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Reference(other) if self == other)
    }

    fn parametrize(&self, _: &[Value]) -> Keyed {
        Err(KeyError::whole(issues::unknown_type(&self.0)))
    }
}
