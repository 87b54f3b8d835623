//! `Hash.new`: from pairs, from a flat list, or from the paths and values of a tree.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::Host;
use super::array::elements;
use super::constructor::{Constructor, type_cannot};
use crate::value::extent::DEEPEST;
use crate::{Hash, Type, Value, issues};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_hash",
    locals: &[
        ("KeyValueArray", "Array[Tuple[Any,Any],1]"),
        ("TreeArray", "Array[Tuple[Array,Any],1]"),
        ("NewHashOption", "Enum[tree, hash_tree]"),
    ],
    dispatches: &[
        (&["TreeArray from", "?NewHashOption build_option"], from_tree),
        (&["KeyValueArray from"], from_pairs),
        (&["Any from"], from_any),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn from_pairs(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let pair = |entry: &Value| match entry.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    };
    Ok(arguments[0].as_array().unwrap_or_default().iter().filter_map(pair).collect::<Hash>().into())
}

fn from_any(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    match &arguments[0] {
        Value::Hash(_) => Ok(arguments[0].clone()),
        value @ Value::Array(_) => from_list(&elements(value, host.largest())?),
        value if Type::iterable().has(value) => from_list(&elements(value, host.largest())?),
        other => Err(issues::converted_mismatch(&type_cannot(other, "Hash"))),
    }
}

fn from_list(list: &[Value]) -> Result<Value> {
    if !list.len().is_multiple_of(2) {
        return Err(issues::odd_hash());
    }
    Ok(list.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect::<Hash>().into())
}

fn from_tree(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    let Some(option) = arguments.get(1).and_then(Value::as_str) else { return from_pairs(arguments, host) };
    let mut root = Value::from(Hash::new());
    for entry in arguments[0].as_array().unwrap_or_default() {
        let Some([Value::Array(path), value]) = entry.as_array() else { continue };
        let value = if option == "hash_tree" { as_hashes(value) } else { value.clone() };
        root = match &path[..] {
            [] => merged(root, value),
            path => put(root, path, value)?,
        };
    }
    Ok(root)
}

/// Turns arrays into hashes by index, at any depth of arrays.
fn as_hashes(value: &Value) -> Value {
    let Value::Array(elements) = value else { return value.clone() };
    elements
        .iter()
        .enumerate()
        .map(|(index, element)| (Value::from(index), as_hashes(element)))
        .collect::<Hash>()
        .into()
}

/// Puts the entries of a value into the root, an array's by index.
fn merged(root: Value, value: Value) -> Value {
    let Value::Hash(root) = root else { return root };
    let mut root = Arc::unwrap_or_clone(root);
    match value {
        Value::Array(elements) => {
            root.extend(
                elements.iter().enumerate().map(|(index, element)| (Value::from(index), element.clone())),
            );
        }
        Value::Hash(hash) => root.extend(hash.iter().map(|(key, value)| (key.clone(), value.clone()))),
        _ => {}
    }
    root.into()
}

/// Returns the tree with a value at the end of a path; hashes are made on the way where nothing is.
fn put(place: Value, path: &[Value], value: Value) -> Result<Value> {
    let Some((step, rest)) = path.split_first() else { return Ok(value) };
    if path.len() > DEEPEST as usize {
        return Err(issues::nested_too_deep(DEEPEST));
    }
    match place {
        Value::Hash(hash) => {
            let mut hash = Arc::unwrap_or_clone(hash);
            let old = hash.take(step).unwrap_or_else(|| Hash::new().into());
            hash.insert(step.clone(), put(old, rest, value)?);
            Ok(hash.into())
        }
        Value::Array(elements) => {
            let mut elements = Arc::unwrap_or_clone(elements).into_vec();
            let index = step.as_integer().and_then(|index| usize::try_from(index).ok());
            let index = index.ok_or_else(|| issues::bad_tree_path(step))?;
            // Setting beyond the end fills the gap; the path of a tree never goes far beyond.
            let end = if rest.is_empty() { elements.len() + 1001 } else { elements.len() };
            if index >= end {
                return Err(issues::bad_tree_path(step));
            }
            if index >= elements.len() {
                elements.resize(index + 1, Value::Undef);
            }
            elements[index] = put(std::mem::take(&mut elements[index]), rest, value)?;
            Ok(elements.into())
        }
        _ => Err(issues::bad_tree_path(step)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn pairs_lists_and_trees_become_hashes() {
        for (code, expected) in [
            ("Hash({a=>1})", "{'a' => 1}"),
            ("Hash([[a,1],[b,2]])", "{'a' => 1, 'b' => 2}"),
            ("Hash([a,1,b,2])", "{'a' => 1, 'b' => 2}"),
            ("Hash([a,1,b])", "odd number of arguments for Hash"),
            ("Hash([])", "{}"),
            ("Hash([[a]])", "odd number of arguments for Hash"),
            ("Hash('a')", "odd number of arguments for Hash"),
            ("Hash(1)", "odd number of arguments for Hash"),
            ("Hash(undef)", "Value of type Undef cannot be converted to Hash"),
        ] {
            check_prints(code, expected);
        }
    }
}
