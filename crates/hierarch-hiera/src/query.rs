//! What is asked for, besides the key.

use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::Result;

use crate::merge::type_mismatch;

/// What is asked for: everything that the function `lookup` accepts.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The names; the first that is found counts.
    pub names: Vec<String>,
    /// The type that a value must have.
    pub value_type: Option<Type>,
    /// How values are merged; none: as the options say.
    pub merge: Option<Value>,
    /// What is returned when nothing is found.
    pub default: Option<Value>,
    /// Values that win over all data.
    pub overrides: Hash,
    /// Values that are used when data have none.
    pub default_values: Hash,
    /// Only the global layer is asked.
    pub global_only: bool,
    /// The question comes from one of the functions that were there before `lookup`.
    pub old_call: Option<OldCall>,
}

/// What the functions that were there before `lookup` say besides. It matters to a hiera.yaml of version 3.
#[derive(Clone, Debug, Default)]
pub struct OldCall {
    /// Paths that are looked into before all others.
    pub extra_paths: Vec<String>,
}

impl Query {
    /// Asks for the first of some names.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Returns a value if it is of the type that is wanted.
    pub fn checked(&self, subject: &str, value: Value) -> Result<Value> {
        let Some(wanted) = &self.value_type else { return Ok(value) };
        let fits = match &value {
            // Nobody but data has integers beyond 64 bits.
            Value::Foreign(foreign) if foreign.digits().is_some() => wanted.accepts(&foreign.inferred()),
            value => wanted.has(value),
        };
        if fits { Ok(value) } else { Err(type_mismatch(subject, wanted, &value)) }
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.overrides.is_empty()
            && self.default_values.is_empty()
            && !self.global_only
            && self.old_call.is_none()
    }
}
