//! References to resources, written as texts or as types.

use hierarch_pcore::types::Kind;

use crate::prelude::*;
use issues::stdlib::{no_reference, not_understood};

/// A resource type, and the title of a resource or nothing.
pub(super) struct Reference {
    pub(super) type_name: String,
    pub(super) title: Option<String>,
}

impl Reference {
    /// Reads a reference.
    pub(super) fn of(value: &Value) -> Result<Self> {
        match value {
            Value::String(text) => Self::read(text),
            Value::Type(type_) => Self::of_type(type_).ok_or_else(|| not_understood(value).into()),
            other => Err(not_understood(other).into()),
        }
    }

    /// Reads a text such as `File[/tmp/a]`.
    pub(super) fn read(text: &str) -> Result<Self> {
        let parts = text.strip_suffix(']').and_then(|text| text.split_once('['));
        let good = parts.filter(|(name, title)| !name.is_empty() && !name.contains(']') && !title.is_empty());
        let (type_name, title) = good.ok_or_else(|| no_reference(text))?;
        Ok(Self { type_name: type_name.to_owned(), title: Some(title.to_owned()) })
    }

    fn of_type(type_: &Type) -> Option<Self> {
        match type_.kind() {
            Kind::Resource(resource) => Some(Self {
                type_name: resource.type_name()?.to_string(),
                title: resource.title().map(ToString::to_string),
            }),
            Kind::Class(class) => {
                Some(Self { type_name: "class".to_owned(), title: class.class().map(ToString::to_string) })
            }
            _ => None,
        }
    }
}
