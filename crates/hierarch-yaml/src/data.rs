//! Owned data: what a document means, without its text.

use crate::schema::Scalar;

/// A value with everything followed and resolved. Maps keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// A scalar.
    Scalar(Scalar<'static>),
    /// Items.
    List(Vec<Data>),
    /// Keys and values in order.
    Map(Vec<(Data, Data)>),
}

impl Data {
    /// The null value.
    pub const NULL: Data = Data::Scalar(Scalar::Null);

    /// Makes a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Scalar(Scalar::Str(text.into().into()))
    }

    /// Returns the value behind a text key.
    pub fn get(&self, key: &str) -> Option<&Data> {
        match self {
            Self::Map(entries) => {
                entries.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns the text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Scalar(scalar) => scalar.as_str(),
            _ => None,
        }
    }
}

impl From<Scalar<'_>> for Data {
    fn from(scalar: Scalar<'_>) -> Self {
        Self::Scalar(scalar.into_owned())
    }
}
