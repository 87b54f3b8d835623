//! Arguments and results that do not fit, in the reference's words.

use hierarch_pcore::mismatch::{Signature as Described, describe_signatures, describe_value};
use hierarch_pcore::types::CallableType;
use hierarch_pcore::{Type, Value, infer};
use hierarch_source::Error;

use crate::code::{Callable, Unit};
use crate::function::Signature;
use crate::issues;

/// None of a function's signatures takes the arguments.
pub(crate) fn of_call(
    name: &str,
    signatures: &[&Signature],
    arguments: &[Value],
    block: Option<&Type>,
) -> Error {
    let described: Vec<Described> = signatures.iter().map(|signature| describe(signature)).collect();
    issues::argument(&describe_signatures(name, &described, &types(arguments, block)))
}

/// A function or lambda written in the language does not take the arguments.
pub(crate) fn of_unit(
    name: &str,
    unit: &Unit,
    callable: &Callable,
    arguments: &[Value],
    block: Option<&Type>,
) -> Error {
    let described = Described {
        callable: match callable.type_.kind() {
            hierarch_pcore::types::Kind::Callable(callable) => callable.clone(),
            _ => CallableType::default(),
        },
        names: unit.parameters.iter().map(|parameter| parameter.name.to_string()).collect(),
        block: None,
    };
    issues::argument(&describe_signatures(name, &[described], &types(arguments, block)))
}

/// A function returned something else than it declares.
pub(crate) fn wrong_result(name: &str, expected: &Type, value: &Value) -> Error {
    let subject = format!("value returned from {name} has wrong type,");
    issues::argument(&describe_value(&subject, expected, value)).detail(issues::RETURNED_FROM, name)
}

fn describe(signature: &Signature) -> Described {
    Described {
        callable: signature.callable(),
        names: signature.names.iter().map(|name| name.to_string()).collect(),
        block: signature.block.as_ref().map(|block| block.name.to_string()),
    }
}

fn types(arguments: &[Value], block: Option<&Type>) -> Vec<Type> {
    arguments.iter().map(infer::detailed).chain(block.cloned()).collect()
}
