//! How built-in functions of the old interface look at their arguments, where the new ones have signatures.

use crate::issues;
use crate::run::{Form, Res, Vm};
use crate::value::{Sym, Value};

/// What a function does with arguments that do not suit it.
struct Old {
    name: &'static str,
    /// How many arguments it takes.
    arity: usize,
    /// The method that it calls on each argument that it must have.
    needs: Need,
}

/// What an argument must be.
enum Need {
    /// It must have a method that only texts have.
    Method(&'static str),
    /// It must be a text, by implicit conversion.
    Text,
    /// It may be anything.
    Anything,
}

const OLD: &[Old] = &[
    Old { name: "versioncmp", arity: 2, needs: Need::Method("scan") },
    Old { name: "scanf", arity: 2, needs: Need::Anything },
    Old { name: "md5", arity: 1, needs: Need::Text },
    Old { name: "sha1", arity: 1, needs: Need::Text },
    Old { name: "sha256", arity: 1, needs: Need::Text },
    Old { name: "digest", arity: 1, needs: Need::Text },
];

/// Fails as the old function does when its arguments do not suit it.
pub(super) fn check(vm: &mut Vm<'_>, name: &str, arguments: &[Value]) -> Res<()> {
    let Some(old) = OLD.iter().find(|old| old.name == name) else { return Ok(()) };
    if arguments.len() != old.arity {
        let words = issues::old_arity(name, arguments.len(), old.arity);
        return Err(vm.raise("ArgumentError", words));
    }
    for argument in arguments {
        match old.needs {
            Need::Method(method) if !matches!(argument, Value::Str(_)) => {
                return Err(vm.no_method(argument, Sym::of(method), Form::Explicit));
            }
            Need::Text => drop(vm.to_text(argument)?),
            Need::Method(_) | Need::Anything => {}
        }
    }
    Ok(())
}
