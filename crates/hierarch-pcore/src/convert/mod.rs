//! Making values of a type from others: `new`, also written `Type(…)`.
//!
//! A constructor is a function with signatures in Puppet's own types; they check the arguments, and messages
//! quote them. They are read when a constructor is first used.

#![allow(
    clippy::unnecessary_wraps,
    reason = "the functions of a table have one form, whether or not they can fail"
)]

mod constructor;
mod object;

use hierarch_source::Result;

use crate::types::{Definitions, Kind, NoDefinitions, TupleType, UNIT};
use crate::value::Timestamp;
use crate::{Type, Value, issues, mismatch};

pub use constructor::Constructor;
pub(crate) use constructor::{cannot, type_cannot};

/// What constructors ask of their surroundings.
pub trait ConversionHost: Definitions {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Returns how large a text or collection may get.
    fn largest(&self) -> usize {
        100_000_000
    }
}

impl ConversionHost for NoDefinitions {
    /// Without a host the clock stands still.
    fn now(&self) -> Timestamp {
        Timestamp(0)
    }
}

/// Makes a value of a type: `type.new(arguments)`.
///
/// ```
/// use hierarch_pcore::types::NoDefinitions;
/// use hierarch_pcore::{Type, Value, convert};
///
/// let number = convert::new(&Type::integer(), &[Value::from("0x1F")], &NoDefinitions)?;
/// assert_eq!(number, Value::from(31));
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn new(type_: &Type, arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    if let [value] = arguments
        && !matches!(type_.kind(), Kind::Init(_))
        && type_.has(value)
    {
        return Ok(value.clone());
    }
    if let Some(value) = of_big_integer(type_, arguments) {
        return Ok(value);
    }
    let value = create(type_, arguments, host)?;
    if type_.has(&value) {
        return Ok(value);
    }
    let subject = format!("Converted value from {type_}.new() has wrong type,");
    Err(issues::converted_mismatch(&mismatch::describe_value(&subject, type_, &value)))
}

/// An integer beyond 64 bits, which only data hold, stays what it is or becomes what is near.   case: hiera/big_integers
fn of_big_integer(type_: &Type, arguments: &[Value]) -> Option<Value> {
    let [value @ Value::Foreign(foreign)] = arguments else { return None };
    foreign.digits()?;
    match type_.kind() {
        Kind::Integer(_) | Kind::Numeric(_) if type_.accepts(&foreign.inferred()) => Some(value.clone()),
        Kind::Float(_) => value.as_number().map(Value::from),
        Kind::Boolean(_) => Some(true.into()),
        _ => None,
    }
}

fn create(type_: &Type, arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    match type_.kind() {
        Kind::Init(init) => match init.contained() {
            Some(_) if let Some(error) = init.complaint() => Err(error),
            Some(target) => match arguments {
                [value @ Value::Array(elements)] if init.spreads(value) => new(target, elements, host),
                [value] => {
                    let all: Vec<Value> = std::iter::once(value).chain(init.arguments()).cloned().collect();
                    new(target, &all, host)
                }
                _ => Err(UNIT.mismatch("new_Init", arguments)),
            },
            None => Err(issues::not_creatable(&type_.to_string())),
        },
        Kind::Object(object) if object.label().starts_with("Pcore::") => {
            Err(issues::type_with_brackets(object.label()))
        }
        Kind::Object(object) => object::create(object, arguments),
        Kind::ObjectExtension(extension) => object::create(extension.base(), arguments),
        // What is optional is made as what it contains, and fails in its name.
        Kind::Optional(optional)
            if optional.contained().is_some_and(|inner| constructor_of(inner).is_none()) =>
        {
            optional.contained().map_or(Ok(Value::Undef), |inner| create(inner, arguments, host))
        }
        Kind::Alias(alias) => match alias.resolved() {
            Some(resolved) => create(resolved, arguments, host),
            None => Err(issues::not_creatable(&type_.to_string())),
        },
        _ => match constructor_of(type_) {
            Some(constructor) => constructor.call(arguments, host),
            None => Err(issues::not_creatable(&type_.to_string())),
        },
    }
}

/// Finds the constructor of a type that is not an object.
fn constructor_of(type_: &Type) -> Option<&'static Constructor> {
    type_.kind().rules().constructor()
}

/// Tells whether values of a type can be made at all. What is optional or an alias has no constructor of its own.
pub(crate) fn is_creatable(type_: &Type) -> bool {
    match type_.kind() {
        Kind::Object(_) | Kind::ObjectExtension(_) => true,
        Kind::Init(init) => init.contained().is_some(),
        Kind::Optional(_) | Kind::NotUndef(_) => false,
        Kind::Alias(alias) => alias.resolved().is_some_and(is_creatable),
        _ => constructor_of(type_).is_some(),
    }
}

/// Returns the parameters of the constructors of a type, if it has any.
pub(crate) fn parameters(type_: &Type) -> Option<Vec<TupleType>> {
    if let Kind::Object(object) = type_.resolved().kind() {
        return Some(object::parameters(object));
    }
    constructor_of(type_).map(Constructor::parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CONSTRUCTED, check_facts};

    #[test]
    fn all_signatures_can_be_read() {
        for name in CONSTRUCTED {
            let type_ = Type::builtin(name).expect(name);
            constructor::check(constructor_of(&type_).expect(name));
        }
    }

    #[test]
    fn what_has_no_constructor_says_so() {
        check_facts(&[
            ("Any(1)", "1"),
            ("Scalar(1)", "1"),
            ("ScalarData(1)", "1"),
            ("Undef(undef)", "undef"),
            ("Default(1)", "Creation of new instance of type 'Default' is not supported"),
            ("Data(1)", "1"),
            ("RichData(1)", "1"),
            ("Callable(1)", "Creation of new instance of type 'Callable' is not supported"),
            ("CatalogEntry(1)", "Creation of new instance of type 'CatalogEntry' is not supported"),
            ("File('a')", "Creation of new instance of type 'File' is not supported"),
            ("Class('a')", "Creation of new instance of type 'Class' is not supported"),
            ("Nope(1)", "Resource type not found: Nope"),
            ("Integer()", "'new' expects between 1 and 3 arguments, got none"),
            ("Integer(1, 2, 3, 4)", "'new' expects between 1 and 3 arguments, got 4"),
            ("String()", "'new_string' expects between 1 and 2 arguments, got none"),
            ("Array()", "'new_array' expects between 1 and 2 arguments, got none"),
            ("Hash()", "'new_hash' expects between 1 and 2 arguments, got none"),
            ("type T = Integer[1, 5]\nT('3')", "3"),
            (
                "type T = Integer[1, 5]\nT('7')",
                "Converted value from T = Integer[1, 5].new() has wrong type, expects a T = Integer[1, 5] value, got Integer[7, 7]",
            ),
            (
                "type T = Variant[Integer, Boolean]\nT('3')",
                "Creation of new instance of type 'Variant[Integer, Boolean]' is not supported",
            ),
        ]);
    }
}
