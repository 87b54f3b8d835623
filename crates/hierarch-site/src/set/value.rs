//! The new value, as it was typed and as it is meant.

use hierarch_source::{Result, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Style, read as read_yaml, scalar_text};

use super::KeyEdit;
use crate::issues;

/// A value to write.
#[derive(Clone, Debug)]
pub(super) struct NewValue {
    pub(super) data: Data,
    /// How it was written, where that says more than the value: `0755`, `1e3`, `~`.
    pub(super) spelling: Option<String>,
}

/// Makes a text.
pub(super) fn verbatim(text: &str) -> NewValue {
    NewValue { data: Data::text(text), spelling: None }
}

/// Reads a value as YAML, as a data file would be read.
pub(super) fn read(edit: &KeyEdit) -> Result<NewValue> {
    if edit.is_verbatim { Ok(verbatim(&edit.value)) } else { read_text(&edit.value) }
}

/// Reads a value as it is typed.
pub(super) fn read_text(text: &str) -> Result<NewValue> {
    // YAML has no values that begin so, and data are full of them.
    if text.trim_start().starts_with("%{") {
        return Ok(verbatim(text));
    }
    let source = Source::new("the new value", text);
    let tree =
        read_yaml(&source, Dialect::Psych, DocumentLimits::default()).map_err(issues::value_is_not_yaml)?;
    let Some(root) = tree.root() else { return Ok(NewValue { data: Data::NULL, spelling: None }) };
    let is_plain =
        tree.style(root) == Style::Plain && tree.tag(root).is_none() && tree.anchor(root).is_none();
    match tree.data(root, DocumentLimits::default()) {
        Ok(data) => Ok(NewValue { data, spelling: is_plain.then(|| text.trim().to_owned()) }),
        // A date is not data to Hiera unless it is a text.
        Err(_) if is_plain => Ok(verbatim(text.trim())),
        Err(error) => Err(issues::value_is_not_yaml(error)),
    }
}

impl NewValue {
    /// Returns the text of a value that is not a collection.
    pub(super) fn text(&self) -> Option<String> {
        match &self.data {
            Data::Scalar(scalar) => Some(self.spelling.clone().unwrap_or_else(|| scalar_text(scalar))),
            _ => None,
        }
    }

    /// Tells whether it was encrypted before it came here.
    pub(super) fn is_encrypted(&self) -> bool {
        has_secret(&self.data)
    }
}

/// Tells whether something in a value is encrypted.
pub(super) fn has_secret(data: &Data) -> bool {
    match data {
        Data::Scalar(_) => data.as_str().is_some_and(|text| text.contains("ENC[")),
        Data::List(items) => items.iter().any(has_secret),
        Data::Map(entries) => entries.iter().any(|(_, value)| has_secret(value)),
    }
}
