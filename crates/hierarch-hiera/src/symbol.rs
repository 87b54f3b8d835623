//! Values that YAML can hold and Puppet has no type for: Ruby's symbols, and integers beyond 64 bits.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::value::Foreign;
use hierarch_pcore::{Type, Value};

/// A Ruby symbol. It is refused where its key is looked up.
pub(crate) struct Symbol(String);

impl Symbol {
    pub(crate) fn value(name: &str) -> Value {
        Value::Foreign(Arc::new(Self(name.to_owned())))
    }
}

impl Foreign for Symbol {
    fn inferred(&self) -> Type {
        RuntimeType::ruby("Symbol").into()
    }

    fn text(&self) -> String {
        self.0.clone()
    }

    fn yaml(&self) -> Option<String> {
        Some(format!(":{}", self.0))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Tells whether a value is plain data: numbers of any size, texts, and collections of them.
pub(crate) fn is_data(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_data),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_data(value)),
        Value::Foreign(foreign) => foreign.digits().is_some(),
        _ => false,
    }
}

/// An integer with more digits than fit 64 bits.
pub(crate) struct BigInteger(String);

impl BigInteger {
    pub(crate) fn new(digits: String) -> Self {
        Self(digits)
    }
}

impl Foreign for BigInteger {
    fn inferred(&self) -> Type {
        let is_negative = self.0.starts_with('-');
        if is_negative {
            Type::integer_range(None, Some(i64::MIN))
        } else {
            Type::integer_range(Some(i64::MAX), None)
        }
    }

    fn text(&self) -> String {
        self.0.clone()
    }

    fn digits(&self) -> Option<&str> {
        Some(&self.0)
    }

    fn json(&self) -> Option<String> {
        Some(self.0.clone())
    }

    fn yaml(&self) -> Option<String> {
        Some(self.0.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
