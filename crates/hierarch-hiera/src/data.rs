//! Values as they stand in data: what needs no work is shared, texts with tokens are compiled.

use hierarch_pcore::Value;

use crate::template::{Template, has_tokens};

/// A value whose tokens are not filled in yet.
#[derive(Clone, Debug)]
pub enum Data {
    /// There is no token in it.
    Plain(Value),
    /// A text with tokens.
    Text(Box<Template>),
    /// A list with tokens somewhere in it.
    List(Vec<Data>),
    /// A hash with tokens somewhere in it, possibly in its keys.
    Map(Vec<(Data, Data)>),
}

impl Data {
    /// Compiles a value.
    pub fn new(value: Value) -> Self {
        match &value {
            Value::String(text) if has_tokens(text) => Self::Text(Box::new(Template::new(text))),
            Value::Array(items) if items.iter().any(needs_work) => {
                Self::List(items.iter().cloned().map(Self::new).collect())
            }
            Value::Hash(hash) if needs_work(&value) => {
                let entries =
                    hash.iter().map(|(key, value)| (Self::new(key.clone()), Self::new(value.clone())));
                Self::Map(entries.collect())
            }
            _ => Self::Plain(value),
        }
    }
}

fn needs_work(value: &Value) -> bool {
    match value {
        Value::String(text) => has_tokens(text),
        Value::Array(items) => items.iter().any(needs_work),
        Value::Hash(hash) => hash.iter().any(|(key, value)| needs_work(key) || needs_work(value)),
        _ => false,
    }
}
