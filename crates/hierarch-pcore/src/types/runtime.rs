//! `Runtime[ruby, 'Name']`: objects of a host language. There is none here, so names only compare.

use super::build::Arity;
use super::guide::Guide;
use std::sync::Arc;

use super::build::{KeyKind, Keyed, check_keys, flattened};
use super::{Guard, Kind, Printer, Rules, Type};
use crate::regex::Regexp;
use crate::{Str, Value, issues};

/// Objects of a host language by class name, or names by pattern and replacement.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct RuntimeType {
    runtime: Option<Str>,
    name: Option<Name>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Name {
    Exact(Str),
    Pattern(Arc<Regexp>, Str),
}

impl RuntimeType {
    /// Makes the type of objects of a Ruby class.
    pub fn ruby(class: impl Into<Str>) -> Self {
        Self { runtime: Some("ruby".into()), name: Some(Name::Exact(class.into())) }
    }

    /// Makes the type of names by pattern and replacement, which only specifications of types can say.
    pub(super) fn of_pattern(keys: &[Value]) -> Option<Type> {
        let [Value::String(runtime), Value::Array(pair)] = keys else { return None };
        let [Value::Regexp(pattern), Value::String(text)] = &pair[..] else { return None };
        let name = Some(Name::Pattern(Arc::clone(pattern), text.clone()));
        Some(Self { runtime: Some(runtime.clone()), name }.into())
    }

    /// Returns the runtime, such as `ruby`.
    pub fn runtime(&self) -> Option<&str> {
        self.runtime.as_deref()
    }

    /// Returns the name of the class.
    pub fn class(&self) -> Option<&str> {
        if let Some(Name::Exact(name)) = &self.name { Some(name) } else { None }
    }
}

impl Rules for RuntimeType {
    fn name(&self) -> &'static str {
        "Runtime"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Runtime",
            parameters: "runtime, 'name'",
            what: "Values that only the runtime knows",
        })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 2, most: 2, words: "2" })
    }

    /// The runtime is printed without quotes.
    fn write(&self, printer: &mut Printer) {
        printer.push("Runtime");
        if self.runtime.is_none() && self.name.is_none() {
            return;
        }
        printer.push(&format!("[{}, ", self.runtime.as_deref().unwrap_or("undef")));
        printer.value(&match &self.name {
            None => Value::Undef,
            Some(Name::Exact(name)) => name.clone().into(),
            Some(Name::Pattern(pattern, text)) => {
                Value::array(vec![Value::Regexp(Arc::clone(pattern)), text.clone().into()])
            }
        });
        printer.push("]");
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        matches!(value, Value::Foreign(foreign) if self.accepts(&foreign.inferred(), guard))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        let Kind::Runtime(other) = other.kind() else { return false };
        (self.runtime.is_none() || self.runtime == other.runtime)
            && (self.name.is_none() || self.name == other.name)
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        check_keys(self, &keys, 2, Some(2), &[KeyKind::String, KeyKind::String])?;
        let text = |index: usize| keys.get(index).and_then(Value::as_str).map(Str::from);
        if text(1).is_some_and(|name| name.is_empty()) {
            return Err(issues::runtime_name().into());
        }
        Ok(Type::from(Self { runtime: text(0), name: text(1).map(Name::Exact) }).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn names_of_another_runtime() {
        check_facts(&[
            ("Runtime['ruby', 'Symbol']", "Runtime[ruby, 'Symbol']"),
            ("Runtime['ruby', 'A::B']", "Runtime[ruby, 'A::B']"),
            ("Runtime['ruby']", "A Runtime-Type[] accepts 1 to 2 arguments. Got 1"),
            ("Runtime['go', 'int']", "Runtime[go, 'int']"),
            (
                "Runtime['go', /a/]",
                "Error creating type specialization of a Runtime-Type, Cannot use Regexp[/a/] where String or String is expected",
            ),
            ("Runtime['go', [/a/, 'b']]", "A Runtime-Type[] accepts 1 to 2 arguments. Got 3"),
            (
                "Runtime[1, 2]",
                "Error creating type specialization of a Runtime-Type, Cannot use Integer where String or String is expected",
            ),
            (
                "Runtime['ruby', 1]",
                "Error creating type specialization of a Runtime-Type, Cannot use Integer where String or String is expected",
            ),
            ("Runtime[a, b, c]", "A Runtime-Type[] accepts 1 to 2 arguments. Got 3"),
            ("Runtime(1)", "Creation of new instance of type 'Runtime' is not supported"),
        ]);
    }
}
