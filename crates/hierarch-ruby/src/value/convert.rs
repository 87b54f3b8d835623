//! Values of Puppet become Ruby's, and go back.

use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::{Type, Value as Puppet};

use super::{Hash, Key, Payload, Regex, Text, Value};
use crate::run::{Res, Vm};

/// A value of Puppet that Ruby has no class of its own for: types, Sensitive, timestamps, versions.
pub struct Foreign(pub Puppet);

impl Payload for Foreign {}

/// An object of Ruby as Puppet has it: `Runtime[ruby, 'Symbol']` and the like.
struct RubyObject {
    class: String,
    text: String,
}

impl RubyObject {
    fn value(class: &str, text: String) -> Puppet {
        Puppet::Foreign(Arc::new(Self { class: class.to_owned(), text }))
    }
}

impl hierarch_pcore::value::Foreign for RubyObject {
    fn inferred(&self) -> Type {
        RuntimeType::ruby(self.class.as_str()).into()
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An integer beyond 64 bits.
struct BigInteger(String);

/// Makes a value of an integer beyond 64 bits, written in decimal digits.
pub fn big_integer(digits: &str) -> Puppet {
    Puppet::Foreign(Arc::new(BigInteger(digits.to_owned())))
}

/// Returns the digits of such a value.
pub fn big_digits(value: &Puppet) -> Option<&str> {
    match value {
        Puppet::Foreign(foreign) => {
            foreign.as_any().downcast_ref::<BigInteger>().map(|number| number.0.as_str())
        }
        _ => None,
    }
}

impl hierarch_pcore::value::Foreign for BigInteger {
    fn inferred(&self) -> Type {
        let is_negative = self.0.starts_with('-');
        let (least, most) = if is_negative { (None, Some(i64::MIN)) } else { (Some(i64::MAX), None) };
        Type::integer_range(least, most)
    }

    fn text(&self) -> String {
        self.0.clone()
    }

    fn json(&self) -> Option<String> {
        Some(self.0.clone())
    }

    fn yaml(&self) -> Option<String> {
        Some(self.0.clone())
    }

    fn digits(&self) -> Option<&str> {
        Some(&self.0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Vm<'_> {
    /// Makes a value of Ruby of one of Puppet, by copy.
    pub fn from_puppet(&mut self, value: &Puppet) -> Res {
        Ok(match value {
            Puppet::Undef => Value::Nil,
            Puppet::Default => Value::symbol("default"),
            Puppet::Boolean(truth) => Value::Bool(*truth),
            Puppet::Integer(number) => Value::Int(*number),
            Puppet::Float(number) => Value::Float(*number),
            Puppet::String(text) => self.text(Text::Utf8(text.clone())),
            Puppet::Array(items) => {
                let items = items.iter().map(|item| self.from_puppet(item)).collect::<Res<Vec<_>>>()?;
                self.array(items)
            }
            Puppet::Hash(hash) => {
                let mut entries = super::hash::Entries::default();
                entries.reserve(hash.len());
                for (key, value) in hash.iter() {
                    let (key, value) = (self.key_from_puppet(key)?, self.from_puppet(value)?);
                    entries.insert(key, value);
                }
                self.hash_of(entries)
            }
            Puppet::Regexp(regexp) => match Regex::new(regexp.source(), 0) {
                Ok(regexp) => Value::Regexp(Rc::new(regexp)),
                Err(_) => Value::Nil,
            },
            Puppet::Uri(uri) => {
                let object = Value::Class(self.class("Object"));
                let class = self.send(&object, super::Sym::of("const_get"), &[Value::symbol("URI")])?;
                let text = self.str(uri.to_string());
                self.send(&class, super::Sym::of("parse"), &[text])?
            }
            Puppet::Foreign(foreign) => match self.from_runtime(&**foreign)? {
                Some(value) => value,
                None => self.foreign(value)?,
            },
            other => self.foreign(other)?,
        })
    }

    /// Makes a key of a hash; a text is frozen, as Ruby has them.
    fn key_from_puppet(&mut self, key: &Puppet) -> Res<Key> {
        let key = self.from_puppet(key)?;
        if let Value::Str(text) = &key {
            text.frozen.set(true);
        }
        self.key(&key)
    }

    /// Makes a value of one that came from Ruby, or from YAML as Ruby reads it.
    fn from_runtime(&mut self, foreign: &dyn hierarch_pcore::value::Foreign) -> Res<Option<Value>> {
        if let Some(digits) = foreign.digits() {
            let digits = self.str(digits);
            return self.send(&digits, super::Sym::of("to_i"), &[]).map(Some);
        }
        let is_symbol = foreign.inferred() == RuntimeType::ruby("Symbol").into();
        if is_symbol { Ok(Some(Value::Sym(self.intern(&foreign.text())?))) } else { Ok(None) }
    }

    /// Makes a value of Puppet of one of Ruby, by copy; of what Puppet has no type for the class and the text remain.
    pub fn to_puppet(&mut self, value: &Value) -> Res<Puppet> {
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        Ok(match value {
            Value::Nil => Puppet::Undef,
            Value::Bool(truth) => Puppet::Boolean(*truth),
            Value::Int(number) => Puppet::Integer(*number),
            Value::Float(number) => Puppet::Float(*number),
            Value::Sym(name) => match name.text() {
                "undef" => Puppet::Undef,
                "default" => Puppet::Default,
                text => RubyObject::value("Symbol", text.to_owned()),
            },
            Value::Big(number) => big_integer(&self.digits_of(number, 10)?),
            Value::Str(text) => Puppet::String(text.lossy()),
            Value::Array(items) => {
                let mut list = Vec::new();
                for item in items.to_vec() {
                    self.step()?;
                    list.push(self.to_puppet(&item)?);
                }
                Puppet::array(list)
            }
            Value::Hash(hash) => self.hash_to_puppet(hash)?,
            Value::Regexp(regexp) => {
                let source =
                    if regexp.options & 7 < 1 { regexp.source.to_string() } else { regexp.as_group() };
                match hierarch_regex::Regexp::new(source) {
                    Ok(regexp) => Puppet::from(regexp),
                    Err(_) => Puppet::String(regexp.source.clone()),
                }
            }
            other => match other.payload::<Foreign>() {
                Some(foreign) => foreign.0.clone(),
                None => {
                    let (class, text) = (self.class_name(other), self.to_s(other)?);
                    match hierarch_pcore::value::Uri::parse(&text) {
                        Ok(uri) if class.starts_with("URI::") => Puppet::Uri(uri.into()),
                        _ => RubyObject::value(&class, text.to_string()),
                    }
                }
            },
        })
    }

    fn hash_to_puppet(&mut self, hash: &Rc<Hash>) -> Res<Puppet> {
        let mut result = hierarch_pcore::Hash::new();
        for (key, value) in hash.pairs() {
            self.step()?;
            let (key, value) = (self.to_puppet(&key)?, self.to_puppet(&value)?);
            result.insert(key, value);
        }
        Ok(Puppet::hash(result))
    }
}
