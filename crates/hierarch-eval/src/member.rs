//! Members of objects that are called as methods: attributes, parts of URIs, and functions that a type declares.

use hierarch_pcore::mismatch::{Signature, describe_signatures};
use hierarch_pcore::types::{CallableType, Kind};
use hierarch_pcore::value::Object;
use hierarch_pcore::value::uri::PARTS;
use hierarch_pcore::{Type, Value, infer};
use hierarch_source::{Error, Result};

use crate::issues;

/// What a method call means that is not a call of a function.
pub(crate) enum Member {
    /// An attribute of an object, by the words that messages call it by.
    Attribute(String, Value),
    /// An attribute whose value some code would have to find out; nothing implements it.
    Derived(String),
    /// A part of a URI, whatever it is called with.
    Part(Value),
    /// A value that Ruby code gives, which complains in Ruby's words.
    Built(Value),
    /// A function that a type declares; nothing implements it.
    Function(String, CallableType),
}

impl Member {
    /// Finds the member that a name stands for, if the receiver has one.
    pub(crate) fn of(receiver: &Value, name: &str) -> Option<Self> {
        match receiver {
            Value::Object(object) => Self::of_object(object, name),
            Value::Uri(uri) => PARTS.contains(&name).then(|| Self::Part(uri.part(name).unwrap_or_default())),
            _ => None,
        }
    }

    fn of_object(object: &Object, name: &str) -> Option<Self> {
        if let Some(value) = object.get(name) {
            let attribute = object.object_type().and_then(|type_| type_.attribute(name));
            let label = attribute.map_or_else(|| name.to_owned(), |attribute| attribute.label());
            return Some(Self::Attribute(label, value));
        }
        if let Some(attribute) = object.object_type().and_then(|type_| type_.attribute(name)) {
            return Some(Self::Derived(attribute.label()));
        }
        // The one method that is built in.
        if name == "message" && object.type_name() == "Error" {
            return Some(Self::Built(object.get("msg").unwrap_or_default()));
        }
        let function = object.object_type()?.function(name)?;
        let callable = match function.type_().kind() {
            Kind::Callable(callable) => callable.clone(),
            _ => CallableType::default(),
        };
        Some(Self::Function(function.label("function"), callable))
    }

    /// Calls it with arguments, of which attributes take none.
    pub(crate) fn call(self, arguments: &[Value], block: Option<&Type>) -> Result<Value> {
        match self {
            Self::Attribute(label, _) | Self::Derived(label) if !arguments.is_empty() => {
                Err(issues::attribute_arguments(&label, arguments.len()))
            }
            Self::Derived(label) => Err(hierarch_pcore::issues::no_method(&format!("derived {label}"))),
            Self::Attribute(label, _) if block.is_some() => Err(issues::attribute_block(&label)),
            Self::Built(_) if !arguments.is_empty() => {
                Err(hierarch_pcore::issues::ruby_argument_count(arguments.len(), 0, 0))
            }
            Self::Attribute(_, value) | Self::Built(value) | Self::Part(value) => Ok(value),
            Self::Function(label, callable) => Err(unimplemented(&label, callable, arguments)),
        }
    }
}

/// Says that the arguments do not fit, or else that there is nothing to call.
fn unimplemented(label: &str, callable: CallableType, arguments: &[Value]) -> Error {
    if callable.takes(arguments, None) {
        return hierarch_pcore::issues::no_method(label);
    }
    let types: Vec<Type> = arguments.iter().map(infer::detailed).collect();
    let signature = Signature { callable, names: Vec::new(), block: None };
    issues::argument(&describe_signatures(label, &[signature], &types))
}
