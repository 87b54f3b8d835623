//! `hiera`, `hiera_array`, `hiera_hash`, `hiera_include`: lookups as they were before `lookup`, each with a merge of its
//! own. They see only the global layer unless the environment has data of version 5.

use hierarch_eval::Strict;
use hierarch_eval::function::Dispatch;
use hierarch_eval::hiera::raised;
use hierarch_hiera::{OldCall, Query};

use super::lookup::looked_up;
use crate::prelude::*;

/// The function `hiera`.
pub(super) static HIERA: Function = Function {
    name: "hiera",
    doc: "Looks a key up in the data of the node; the first value counts. Deprecated: use lookup.",
    dispatches: &dispatches(first),
    examples: &[
        Gives("hiera('nope', 'd')", "'d'"),
        Gives("hiera('nope') |$key| { \"no ${key}\" }", "'no nope'"),
    ],
};

/// The function `hiera_array`.
pub(super) static HIERA_ARRAY: Function = Function {
    name: "hiera_array",
    doc: "Looks a key up in the data of the node and puts all its values into one array without duplicates. Deprecated: use lookup.",
    dispatches: &dispatches(unique),
    examples: &[Gives("hiera_array('nope', [])", "[]")],
};

/// The function `hiera_hash`.
pub(super) static HIERA_HASH: Function = Function {
    name: "hiera_hash",
    doc: "Looks a key up in the data of the node and merges all its values into one hash. Deprecated: use lookup.",
    dispatches: &dispatches(hash),
    examples: &[Gives("hiera_hash('nope', {})", "{}")],
};

/// The function `hiera_include`.
pub(super) static HIERA_INCLUDE: Function = Function {
    name: "hiera_include",
    doc: "Looks a key up in the data of the node and declares all classes that it names. Deprecated: use lookup and include.",
    dispatches: &dispatches(include),
    examples: &[Fails("hiera_include('nope')", "Function lookup() did not find a value for the name 'nope'")],
};

/// What all of them can be called with: an array of all arguments, or a key and what comes after it.
const fn dispatches(body: fn(&mut Call) -> Result<Value>) -> [Dispatch; 5] {
    [
        on(&["Tuple[String, Any, Any, 1, 3] args"], body),
        on(&["String key"], body),
        on(&["String key", "Any default", "?Any override"], body),
        on(&["String key", "&Callable[1, 1] default_block"], body),
        on(&["String key", "Any override", "&Callable[1, 1] default_block"], body),
    ]
}

fn first(call: &mut Call) -> Result<Value> {
    old_lookup(call, "first")
}

fn unique(call: &mut Call) -> Result<Value> {
    old_lookup(call, "unique")
}

fn hash(call: &mut Call) -> Result<Value> {
    old_lookup(call, "hash")
}

fn include(call: &mut Call) -> Result<Value> {
    let key = call.str(0).to_owned();
    let classes = old_lookup(call, "unique")?;
    match &classes {
        Value::Undef => Err(issues::no_data_item(&key).into()),
        Value::Array(names) if names.is_empty() => Ok(Value::Undef),
        Value::Hash(names) if names.is_empty() => Ok(Value::Undef),
        Value::String(name) if name.is_empty() => Ok(Value::Undef),
        _ => call.call_function("include", vec![classes], false),
    }
}

fn old_lookup(call: &mut Call, merge: &str) -> Result<Value> {
    if call.settings().strict != Strict::Off {
        let warning = issues::old_lookup_function(call.name());
        deprecated(call, &warning);
    }
    let arguments = match call.value(0) {
        Value::Array(all) => all.to_vec(),
        _ => call.arguments().to_vec(),
    };
    // With a block there is no default, and what follows the key is the override.
    let (default, given) = if call.has_block() {
        (None, arguments.get(1))
    } else {
        (arguments.get(1).cloned(), arguments.get(2))
    };
    let mut extra_paths = Vec::new();
    add_paths(given.unwrap_or(&Value::Undef), &mut extra_paths)?;
    let global_only = !call.hiera().has_environment_data().map_err(raised)?;
    let old_call = Some(OldCall { extra_paths });
    let query = Query { merge: Some(merge.into()), default, global_only, old_call, ..Query::default() };
    looked_up(call, arguments.into_iter().next().unwrap_or_default(), query)
}

/// Adds the paths that an override names: one, or several in lists.
fn add_paths(given: &Value, paths: &mut Vec<String>) -> Result<()> {
    match given {
        Value::Undef => Ok(()),
        Value::String(path) => {
            paths.push(path.to_string());
            Ok(())
        }
        Value::Array(items) => items.iter().try_for_each(|item| add_paths(item, paths)),
        other => Err(issues::no_level(other).into()),
    }
}
