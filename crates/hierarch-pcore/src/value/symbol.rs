//! Values that data can hold and the language has no literals for: Ruby's symbols, and integers beyond 64 bits.

use std::any::Any;
use std::sync::Arc;

use super::Foreign;
use crate::types::RuntimeType;
use crate::{Type, Value};

/// A Ruby symbol. It is refused where its key is looked up.
pub struct Symbol(String);

impl Symbol {
    /// Makes the value of a symbol.
    pub fn value(name: &str) -> Value {
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

/// An integer with more digits than fit 64 bits.
pub struct BigInteger(String);

impl BigInteger {
    /// Makes the value of an integer that is written with these digits.
    pub fn value(digits: String) -> Value {
        Value::Foreign(Arc::new(Self(digits)))
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
