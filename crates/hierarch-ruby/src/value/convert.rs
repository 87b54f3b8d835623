//! Values of Puppet become Ruby's, and go back.

use std::rc::Rc;

use hierarch_pcore::Value as Puppet;

use super::{Hash, Payload, Regex, Text, Value};
use crate::run::{Res, Vm};

/// A value of Puppet that Ruby has no class of its own for: types, Sensitive, timestamps, versions.
pub struct Foreign(pub Puppet);

impl Payload for Foreign {}

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
                for (key, value) in hash.iter() {
                    let (key, value) = (self.from_puppet(key)?, self.from_puppet(value)?);
                    entries.insert(self.key(&key)?, value);
                }
                self.hash_of(entries)
            }
            Puppet::Regexp(regexp) => match Regex::new(regexp.source(), 0) {
                Ok(regexp) => Value::Regexp(Rc::new(regexp)),
                Err(_) => Value::Nil,
            },
            other => self.foreign(other)?,
        })
    }

    /// Makes a value of Puppet of one of Ruby, by copy: symbols become texts, other objects their `to_s`.
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
                text => Puppet::from(text),
            },
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
                None => Puppet::String(self.to_s(other)?),
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
