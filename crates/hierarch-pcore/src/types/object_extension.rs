//! `Name[params]`: an object type narrowed by its type parameters.

use super::uri::part_fits;
use super::{Attribute, Guard, Kind, ObjectType, Printer, Rules, Type};
use crate::{Hash, Value, issues, mismatch};
use hierarch_source::Result;

/// Instances of an object type whose attributes fit parameters.
#[derive(Clone, PartialEq, Eq)]
pub struct ObjectExtensionType {
    base: ObjectType,
    parameters: Hash,
}

impl std::hash::Hash for ObjectExtensionType {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.base.hash(state);
    }
}

impl ObjectExtensionType {
    /// Makes the type of parameters by position, or by name in one hash.
    pub fn new(base: ObjectType, keys: &[Value]) -> Result<Self> {
        let known = base.type_parameters();
        let Some(first) = known.values().next() else { return Err(issues::not_parametrized(base.label())) };
        let mut parameters = Hash::new();
        let mut put = |name: &str, value: &Value| -> Result<()> {
            let attribute =
                known.get(name).ok_or_else(|| issues::unknown_type_parameter(name, base.label()))?;
            if matches!(value, Value::Default) {
                return Ok(());
            }
            Self::check_parameter(&base, attribute, value)?;
            parameters.insert(name, value.clone());
            Ok(())
        };
        match keys {
            [by_name @ Value::Hash(hash)] if !first.type_().has(by_name) => {
                hash.iter().try_for_each(|(name, value)| put(&name.to_string(), value))?;
            }
            _ => known.keys().zip(keys).try_for_each(|(name, value)| put(name, value))?,
        }
        if parameters.is_empty() {
            return Err(issues::empty_parameters(base.label()));
        }
        Ok(Self { base, parameters })
    }

    /// Fails if a type cannot be narrowed by a value.
    pub(crate) fn check_parameter(base: &ObjectType, parameter: &Attribute, value: &Value) -> Result<()> {
        if matches!(value, Value::Default) || parameter.type_().has(value) {
            return Ok(());
        }
        let subject = format!("type_parameter {}[{}] has wrong type,", base.label(), parameter.name());
        let words = mismatch::describe_value(&subject, parameter.type_(), value);
        Err(issues::object_initializer(&words))
    }

    /// Returns the type that is narrowed.
    pub fn base(&self) -> &ObjectType {
        &self.base
    }

    fn fits(&self, given: impl Fn(&Value) -> Option<Value>) -> bool {
        self.parameters
            .iter()
            .all(|(name, wanted)| given(name).is_some_and(|given| part_fits(&given, wanted)))
    }
}

impl Rules for ObjectExtensionType {
    fn name(&self) -> &str {
        self.base.name()
    }

    fn params(&self) -> Vec<Value> {
        let known = self.base.type_parameters();
        if known.len() > 2 {
            return vec![self.parameters.clone().into()];
        }
        let value = |name: &ecow::EcoString| self.parameters.get_str(name).cloned().unwrap_or(Value::Default);
        let mut values: Vec<Value> = known.keys().map(value).collect();
        while matches!(values.last(), Some(Value::Default)) {
            values.pop();
        }
        values
    }

    fn write(&self, printer: &mut Printer) {
        printer.parametrized(self.base.label(), &self.params());
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Object(object) = value else { return false };
        self.base.has(value, guard) && self.fits(|name| name.as_str().and_then(|name| object.get(name)))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        match other.kind() {
            Kind::ObjectExtension(extension) => {
                self.base.accepts(&extension.base.clone().into(), guard)
                    && self.fits(|name| extension.parameters.get(name).cloned())
            }
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        Some(self.base.clone().into())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        visit(&self.base.clone().into());
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// Parameters are given by position or by name, and those that are left out are not told.
    #[test]
    fn parameters_narrow_an_object_type() {
        check_facts(&[
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA[1]",
                "A[1]",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA[1, 'x']",
                "A[1, 'x']",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA[default, 'x']",
                "A[default, 'x']",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA[{q => 'x'}]",
                "A[default, 'x']",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA['x']",
                "type_parameter A[p] has wrong type, expects a value of type Undef or Integer, got String",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA[{r => 1}]",
                "'r' is not a known type parameter for A-Type",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String}, attributes => {p => Integer, q => String}}]\nA[default]",
                "The A-Type cannot be parameterized using an empty parameter list",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String, r => Integer}, attributes => {p => Integer}}]\nA[1, 'x', 3]",
                "A[{'p' => 1, 'q' => 'x', 'r' => 3}]",
            ),
            (
                "type A = Object[{type_parameters => {p => Integer, q => String, r => Integer}, attributes => {p => Integer}}]\nA[{r => 3}]",
                "A[{'r' => 3}]",
            ),
            (
                "type A = Object[{attributes => {p => Integer}}]\nA[1]",
                "The A-Type cannot be parameterized using []",
            ),
            ("Error['kind', 'code']", "Error['kind', 'code']"),
            ("Error[/^k/]", "Error[/^k/]"),
            (
                "Error[1]",
                "type_parameter Error[kind] has wrong type, expects a value of type Undef, String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], or Type[Undef], got Integer",
            ),
        ]);
    }
}
