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

#[cfg(test)]
mod tests {
    use hierarch_pcore::types::NoDefinitions;

    use super::*;

    #[test]
    fn a_value_must_be_of_the_type_that_is_wanted() {
        let query = |type_: &str| Query {
            value_type: Some(Type::parse(type_, &NoDefinitions).expect(type_)),
            ..Query::new(["k"])
        };
        assert_eq!(query("Integer").checked("Found value", 1.into()).ok(), Some(1.into()));
        let error = query("Integer").checked("Found value", "x".into()).expect_err("a text");
        assert!(error.message.starts_with("Found value has wrong type"), "{}", error.message);
        assert!(Query::new(["k"]).checked("Found value", "x".into()).is_ok());
    }

    #[test]
    fn only_a_question_without_extras_is_plain() {
        let with = |change: fn(&mut Query)| {
            let mut query = Query::new(["k"]);
            change(&mut query);
            query.is_plain()
        };
        assert!(with(|_| {}));
        assert!(with(|query| query.default = Some(1.into())));
        assert!(with(|query| query.merge = Some("deep".into())));
        let one = || [("k", 1)].into_iter().collect::<Hash>();
        assert!(!Query { overrides: one(), ..Query::new(["k"]) }.is_plain());
        assert!(!Query { default_values: one(), ..Query::new(["k"]) }.is_plain());
        assert!(!with(|query| query.global_only = true));
        assert!(!with(|query| query.old_call = Some(OldCall::default())));
    }
}
