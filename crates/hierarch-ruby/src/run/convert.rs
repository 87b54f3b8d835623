//! Conversions that Ruby makes by itself.

use std::rc::Rc;

use ecow::EcoString;
use num_traits::ToPrimitive;

use super::{Res, Vm};
use crate::value::{Hash, Sym, Text, Value, names};

impl Vm<'_> {
    /// Returns the text of a value, as `#{}` does.
    pub fn to_s(&mut self, value: &Value) -> Res<EcoString> {
        Ok(match self.to_s_text(value)? {
            Text::Utf8(text) => text,
            other => other.lossy().into(),
        })
    }

    /// Returns the text of a value in whatever encoding it has.
    pub fn to_s_text(&mut self, value: &Value) -> Res<Text> {
        match value {
            Value::Str(text) => Ok(text.get()),
            Value::Int(number) => Ok(Text::Utf8(ecow::eco_format!("{number}"))),
            Value::Nil => Ok(Text::Utf8(EcoString::new())),
            Value::Sym(name) => Ok(Text::Utf8(name.text().into())),
            Value::Bool(truth) => Ok(Text::Utf8(if *truth { "true" } else { "false" }.into())),
            other => match self.send(other, names::TO_S, &[])? {
                Value::Str(text) => Ok(text.get()),
                _ => Ok(Text::Utf8(self.any_to_s(other))),
            },
        }
    }

    /// Returns how an object shows itself when nothing better is known.
    pub fn any_to_s(&mut self, value: &Value) -> EcoString {
        let class = self.class_name(value);
        format!("#<{class}>").into()
    }

    /// Names a value as errors about conversions do.
    pub(crate) fn kind_of(&mut self, value: &Value) -> EcoString {
        match value {
            Value::Nil => "nil".into(),
            Value::Bool(true) => "true".into(),
            Value::Bool(false) => "false".into(),
            other => self.class_name(other),
        }
    }

    /// Names a value as errors about missing methods do.
    pub(crate) fn described(&mut self, value: &Value) -> EcoString {
        match value {
            Value::Nil => "nil".into(),
            Value::Bool(true) => "true".into(),
            Value::Bool(false) => "false".into(),
            Value::Class(class) => {
                let kind = if class.is_module { "module" } else { "class" };
                format!("{kind} {}", class.shown()).into()
            }
            other if other.is_same(&self.main) => "main".into(),
            other => format!("an instance of {}", self.class_name(other)).into(),
        }
    }

    /// Fails because a value does not become another by itself.
    #[cold]
    pub fn no_implicit(&mut self, value: &Value, into: &str) -> Box<super::Flow> {
        let kind = match value {
            Value::Int(_) | Value::Big(_) if into == "Integer" => EcoString::from("Integer"),
            other => self.kind_of(other),
        };
        let from = if into == "Integer" && value.is_nil() {
            "from nil to integer".to_owned()
        } else {
            format!("of {kind} into {into}")
        };
        self.raise("TypeError", format!("no implicit conversion {from}"))
    }

    /// Converts by a method such as `to_str`, if the value has it.
    fn by_method(&mut self, value: &Value, name: Sym) -> Res<Option<Value>> {
        if !matches!(value, Value::Object(_)) || !self.responds(value, name)? {
            return Ok(None);
        }
        self.send(value, name, &[]).map(Some)
    }

    /// Returns a text, by `to_str` at most.
    pub fn to_text(&mut self, value: &Value) -> Res<EcoString> {
        Ok(match self.to_str(value)? {
            Text::Utf8(text) => text,
            other => other.chars().into(),
        })
    }

    /// Returns a text in whatever encoding it has, by `to_str` at most.
    pub fn to_str(&mut self, value: &Value) -> Res<Text> {
        if let Value::Str(text) = value {
            return Ok(text.get());
        }
        match self.by_method(value, names::TO_STR)? {
            Some(Value::Str(text)) => Ok(text.get()),
            _ => Err(self.no_implicit(value, "String")),
        }
    }

    /// Returns an integer, by `to_int` at most.
    pub fn to_int(&mut self, value: &Value) -> Res<i64> {
        match value {
            Value::Int(number) => Ok(*number),
            Value::Float(number) => self.float_to_int(*number),
            Value::Big(_) => Err(self.raise("RangeError", "bignum too big to convert into `long'")),
            other => match self.by_method(other, names::TO_INT)? {
                Some(Value::Int(number)) => Ok(number),
                _ => Err(self.no_implicit(other, "Integer")),
            },
        }
    }

    fn float_to_int(&mut self, number: f64) -> Res<i64> {
        match number.trunc().to_i64() {
            Some(whole) => Ok(whole),
            None if number.is_finite() => {
                let shown = hierarch_pcore::format::sprintf::float(
                    &hierarch_pcore::format::sprintf::Spec {
                        precision: Some(10),
                        ..hierarch_pcore::format::sprintf::Spec::default()
                    },
                    'g',
                    number,
                );
                Err(self.raise("RangeError", format!("float {shown} out of range of integer")))
            }
            None => Err(self.raise("FloatDomainError", hierarch_pcore::value::number::float_text(number))),
        }
    }

    /// Returns a float of a number.
    pub fn to_float(&mut self, value: &Value) -> Res<f64> {
        match value {
            Value::Int(number) => Ok(*number as f64),
            Value::Float(number) => Ok(*number),
            Value::Big(number) => Ok(number.to_f64().unwrap_or(f64::INFINITY)),
            Value::Object(_) if self.is_a(value, "Numeric") => {
                let float = self.send(value, names::TO_F, &[])?;
                self.to_float(&float)
            }
            Value::Nil => Err(self.raise("TypeError", "can't convert nil into Float")),
            Value::Bool(truth) => Err(self.raise("TypeError", format!("can't convert {truth} into Float"))),
            other => {
                let class = self.class_name(other);
                Err(self.raise("TypeError", format!("can't convert {class} into Float")))
            }
        }
    }

    /// Returns the elements of an array, by `to_ary` at most; nothing if the value is something else.
    pub fn to_ary(&mut self, value: &Value) -> Res<Option<Vec<Value>>> {
        if let Value::Array(array) = value {
            return Ok(Some(array.to_vec()));
        }
        match self.by_method(value, names::TO_ARY)? {
            Some(Value::Array(array)) => Ok(Some(array.to_vec())),
            _ => Ok(None),
        }
    }

    /// Returns the elements of an array, or fails.
    pub fn to_array(&mut self, value: &Value) -> Res<Vec<Value>> {
        match self.to_ary(value)? {
            Some(list) => Ok(list),
            None => Err(self.no_implicit(value, "Array")),
        }
    }

    /// Returns a hash, by `to_hash` at most.
    pub fn to_hash(&mut self, value: &Value) -> Res<Rc<Hash>> {
        if let Value::Hash(hash) = value {
            return Ok(Rc::clone(hash));
        }
        match self.by_method(value, names::TO_HASH)? {
            Some(Value::Hash(hash)) => Ok(hash),
            _ => Err(self.no_implicit(value, "Hash")),
        }
    }

    /// Returns the name that a symbol or string gives.
    pub fn to_name(&mut self, value: &Value) -> Res<Sym> {
        match value {
            Value::Sym(name) => Ok(*name),
            Value::Str(text) => {
                let text = text.lossy();
                self.intern(&text)
            }
            other => {
                let shown = self.inspect(other)?;
                Err(self.raise("TypeError", format!("{shown} is not a symbol nor a string")))
            }
        }
    }
}
