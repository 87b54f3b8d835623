//! Constructors: signatures as text, dispatch by them, and what is said when none fits.

use std::sync::OnceLock;

use hierarch_source::{Error, Result};

use super::ConversionHost;
use crate::mismatch::{Signature, describe_signatures};
use crate::types::{AliasType, CallableType, Definitions, IntegerType, TupleType};
use crate::{Type, Value, infer, issues};

/// Makes a value of arguments that fit a signature.
pub(crate) type Body = fn(&[Value], &dyn ConversionHost) -> Result<Value>;

/// Says what is wrong with arguments that fit no signature, or fails in its own way.
pub(crate) type Complaint = fn(&[Value]) -> Result<String>;

/// A constructor as it is written down.
pub struct Constructor {
    /// The name that messages call it by.
    pub(crate) name: &'static str,
    /// Types that only its signatures know, later ones made of earlier ones.
    pub(crate) locals: &'static [(&'static str, &'static str)],
    /// How it may be called: `"Type name"`, with a `?` in front where it may be left out.
    pub(crate) dispatches: &'static [(&'static [&'static str], Body)],
    /// Messages for calls that fit none of these.
    pub(crate) complaints: &'static [(&'static [&'static str], Complaint)],
    /// The signatures, once read.
    pub(crate) read: OnceLock<ReadSignatures>,
}

/// Signatures that were read.
pub(crate) struct ReadSignatures {
    dispatches: Vec<Signature>,
    complaints: Vec<Signature>,
    locals: Locals,
}

/// The types that only one constructor knows.
struct Locals(Vec<(String, Type)>);

impl Definitions for Locals {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        Ok(found.map(|(_, type_)| type_.clone()))
    }
}

impl Constructor {
    pub(crate) fn call(&self, arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
        let read = self.read();
        for (signature, (_, body)) in read.dispatches.iter().zip(self.dispatches) {
            if signature.callable.takes(arguments, None) {
                return body(arguments, host);
            }
        }
        for (signature, (_, complaint)) in read.complaints.iter().zip(self.complaints) {
            if signature.callable.takes(arguments, None) {
                return Err(issues::complaint(self.name, &complaint(arguments)?));
            }
        }
        Err(self.mismatch(self.name, arguments))
    }

    /// Describes why the arguments fit no signature.
    pub(crate) fn mismatch(&self, name: &str, arguments: &[Value]) -> Error {
        let types: Vec<Type> = arguments.iter().map(infer::detailed).collect();
        issues::converted_mismatch(&describe_signatures(name, &self.read().dispatches, &types))
    }

    pub(crate) fn parameters(&self) -> Vec<TupleType> {
        let parameters = |signature: &Signature| signature.callable.parameters().cloned();
        self.read().dispatches.iter().filter_map(parameters).collect()
    }

    /// Returns a type that only this constructor knows.
    pub(crate) fn local(&self, name: &str) -> Type {
        let found = self.read().locals.type_named(name).ok().flatten();
        found.unwrap_or_else(Type::any)
    }

    fn read(&self) -> &ReadSignatures {
        self.read.get_or_init(|| {
            let mut locals = Locals(Vec::new());
            for (name, text) in self.locals {
                let type_ = built_in(text, &locals);
                let alias = AliasType::of(*name, &type_).expect("a built-in alias is made of real types");
                locals.0.push(((*name).to_owned(), alias));
            }
            let signature = |parameters: &&[&str]| signature(parameters, &locals);
            ReadSignatures {
                dispatches: self.dispatches.iter().map(|(parameters, _)| signature(parameters)).collect(),
                complaints: self.complaints.iter().map(|(parameters, _)| signature(parameters)).collect(),
                locals,
            }
        })
    }
}

fn built_in(text: &str, locals: &dyn Definitions) -> Type {
    Type::parse(text, locals).expect("a built-in type is well-formed")
}

/// Reads parameters such as `"?Boolean abs"`.
fn signature(parameters: &[&str], locals: &dyn Definitions) -> Signature {
    let mut names = Vec::new();
    let mut types = Vec::new();
    let mut required = 0;
    for parameter in parameters {
        let (text, is_optional) =
            parameter.strip_prefix('?').map_or((*parameter, false), |text| (text, true));
        let (type_, name) = text.rsplit_once(' ').unwrap_or(("Any", text));
        names.push(name.to_owned());
        types.push(built_in(type_, locals));
        required += usize::from(!is_optional);
    }
    let size =
        IntegerType { min: IntegerType::exactly(required).min, max: IntegerType::exactly(types.len()).max };
    let callable = CallableType::new(Some(TupleType::new(types, Some(size))), None, None);
    Signature { callable, names, block: None }
}

/// Returns the general type of a value that cannot be converted, for messages.
pub(crate) fn cannot(value: &Value, wanted: &str) -> String {
    match value {
        Value::String(text) => format!("The string '{text}' cannot be converted to {wanted}"),
        other => type_cannot(other, wanted),
    }
}

/// Like [`cannot`], strings by their type too.
pub(crate) fn type_cannot(value: &Value, wanted: &str) -> String {
    format!("Value of type {} cannot be converted to {wanted}", infer::generic(value))
}

/// Checks that the built-in signatures can all be read.
#[cfg(test)]
pub(crate) fn check(constructor: &Constructor) {
    assert!(!constructor.read().dispatches.is_empty());
}
