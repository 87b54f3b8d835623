//! Making types from names and parameters, as the access operator does.

use crate::ruby_class;
use hierarch_source::{Error, Result};

use super::builtin::{Definitions, NoDefinitions};
use super::{IntegerType, Kind, ReferenceType, Rules, Type};
use crate::{Value, issues};

/// How many parameters a type takes where it is written as a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arity {
    /// At least.
    pub least: usize,
    /// At most.
    pub most: usize,
    /// Both in words, as messages say them.
    pub words: &'static str,
}

/// What parametrizing gives: mostly a type.
pub type Keyed = std::result::Result<Value, KeyError>;

/// A failure, and which part of `Type[keys]` is to blame for it.
#[derive(Debug)]
pub struct KeyError {
    /// What is wrong.
    pub error: Error,
    /// Where the error belongs.
    pub blame: Blame,
}

/// A part of an access expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The expression as a whole.
    Whole,
    /// What stands before the bracket.
    Left,
    /// A key, counted from 0.
    Key(usize),
}

impl KeyError {
    pub(super) fn whole(error: Error) -> Self {
        Self { error, blame: Blame::Whole }
    }

    pub(super) fn left(error: Error) -> Self {
        Self { error, blame: Blame::Left }
    }

    pub(super) fn key(index: usize, error: Error) -> Self {
        Self { error, blame: Blame::Key(index) }
    }
}

impl From<Error> for KeyError {
    fn from(error: Error) -> Self {
        Self::whole(error)
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        error.error
    }
}

impl Type {
    /// Makes a type from its name and parameters; a name without brackets has none.
    ///
    /// Only the types that every program knows are found; an unknown name is an error.
    pub fn build(name: &str, keys: &[Value]) -> Result<Type> {
        Self::build_with(name, keys, &NoDefinitions)
    }

    /// Like [`Type::build`], with further definitions to look a name up in.
    pub fn build_with(name: &str, keys: &[Value], definitions: &dyn Definitions) -> Result<Type> {
        let type_ = Self::find(name, definitions)?;
        if keys.is_empty() {
            return match type_.kind() {
                Kind::Reference(reference) => Err(issues::unknown_type(reference.text())),
                _ => Ok(type_),
            };
        }
        match type_.parametrize(keys)? {
            Value::Type(type_) => Ok(type_),
            other => Err(issues::not_a_type(&other.program_text())),
        }
    }

    /// Finds a bare type by name; an unknown one becomes a reference.
    pub fn find(name: &str, definitions: &dyn Definitions) -> Result<Type> {
        if let Some(type_) = Self::builtin(name) {
            return Ok(type_);
        }
        Ok(definitions.type_named(name)?.unwrap_or_else(|| ReferenceType::new(name).into()))
    }
}

/// What a key of a type may be.
#[derive(Clone, Copy)]
pub(super) enum KeyKind {
    Type,
    String,
    Regexp,
    True,
    False,
    Hash,
    PatternType,
    RegexpType,
    SemVerRange,
}

impl KeyKind {
    fn is_met_by(self, key: &Value) -> bool {
        match (self, key) {
            (Self::Type, Value::Type(_))
            | (Self::String, Value::String(_))
            | (Self::Regexp, Value::Regexp(_))
            | (Self::True, Value::Boolean(true))
            | (Self::False, Value::Boolean(false))
            | (Self::Hash, Value::Hash(_))
            | (Self::SemVerRange, Value::SemVerRange(_)) => true,
            (Self::PatternType, Value::Type(type_)) => matches!(type_.kind(), Kind::Pattern(_)),
            (Self::RegexpType, Value::Type(type_)) => matches!(type_.kind(), Kind::Regexp(_)),
            _ => false,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Type => "Any-Type",
            Self::String => "String",
            Self::Regexp => "Regexp",
            Self::True => "TrueClass",
            Self::False => "FalseClass",
            Self::Hash => "Hash",
            Self::PatternType => "Pattern-Type",
            Self::RegexpType => "Regexp-Type",
            Self::SemVerRange => "SemanticPuppet::VersionRange",
        }
    }
}

/// Checks how many keys there are and what each is.
pub(super) fn check_keys(
    rules: &dyn Rules,
    keys: &[Value],
    min: usize,
    max: Option<usize>,
    wanted: &[KeyKind],
) -> std::result::Result<(), KeyError> {
    if keys.len() < min || max.is_some_and(|max| keys.len() > max) {
        // The reference names one as the least, whatever it is.
        return Err(KeyError::whole(issues::open_type_slice_arity(
            &issues::type_label(rules),
            max,
            keys.len(),
        )));
    }
    for (index, key) in keys.iter().enumerate() {
        if !wanted.iter().any(|wanted| wanted.is_met_by(key)) {
            let expected = wanted.iter().map(|wanted| wanted.label()).collect::<Vec<_>>().join(" or ");
            return Err(KeyError::key(index, issues::type_specialization(rules, key, &expected)));
        }
    }
    Ok(())
}

/// Returns the keys with arrays in them spread out.
pub(super) fn flattened(keys: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(keys.len());
    for key in keys {
        match key {
            Value::Array(elements) => flat.extend(flattened(elements)),
            other => flat.push(other.clone()),
        }
    }
    flat
}

/// Tells whether keys ask for a list of references rather than one.
pub(super) fn is_list(keys: &[Value]) -> bool {
    keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)))
}

/// Makes a size of one or two keys; `start` is the place of the first of them.
pub(super) fn size_of_keys(start: usize, keys: &[Value]) -> std::result::Result<IntegerType, KeyError> {
    if let [Value::Type(type_)] = keys
        && let Kind::Integer(size) = type_.kind()
    {
        return Ok(*size);
    }
    for (index, key) in keys.iter().enumerate() {
        if !matches!(key, Value::Integer(_) | Value::Default) {
            return Err(KeyError::key(start + index, issues::size_slice_type(ruby_class(key))));
        }
    }
    Ok(IntegerType::of_bounds(&keys[0], keys.get(1))?)
}

/// Splits one or two sizes off the end of keys.
pub(super) fn split_size(keys: &[Value]) -> std::result::Result<(&[Value], Option<IntegerType>), KeyError> {
    let is_size =
        |key: &Value| matches!(key, Value::Integer(_) | Value::Default) || key.as_str() == Some("default");
    Ok(match keys {
        [rest @ .., min, max] if is_size(min) && is_size(max) => {
            (rest, Some(IntegerType::of_bounds(min, Some(max))?))
        }
        [rest @ .., min] if is_size(min) => (rest, Some(IntegerType::of_bounds(min, None)?)),
        _ => (keys, None),
    })
}

/// Returns the one type that keys consist of.
pub(super) fn single_type(label: &str, keys: &[Value]) -> std::result::Result<Type, KeyError> {
    match &flattened(keys)[..] {
        [Value::Type(type_)] => Ok(type_.clone()),
        [other] => Err(KeyError::key(0, issues::type_slice_type(label, ruby_class(other)))),
        keys => Err(KeyError::whole(issues::type_slice_arity(label, 1, None, keys.len()))),
    }
}
