//! `deep_merge`: hashes merged at every level.

use crate::prelude::*;
use issues::stdlib::{only_hashes, says};

/// The function `deep_merge`.
pub(super) static DEEP_MERGE: Function = Function {
    name: "deep_merge",
    doc: "Returns Hashes merged into one, later ones winning; where both have a Hash, these are merged. Empty texts are passed over.",
    dispatches: &[legacy(-1, deep_merge)],
    examples: &[
        Gives("deep_merge({a => {b => 1}}, {a => {c => 2}})", "{'a' => {'b' => 1, 'c' => 2}}"),
        Fails("deep_merge({})", "deep_merge(): wrong number of arguments (1; must be at least 2)"),
        Fails(
            "deep_merge({}, 1)",
            "deep_merge: unexpected argument type Integer, only expects hash arguments",
        ),
    ],
};

fn deep_merge(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        let words = format!("wrong number of arguments ({}; must be at least 2)", call.count());
        return Err(says("deep_merge", words).into());
    }
    let mut merged = Hash::new();
    for value in call.arguments() {
        match value {
            Value::String(text) if text.is_empty() => {}
            Value::Hash(hash) => merge_into(&mut merged, hash),
            other => return Err(only_hashes("deep_merge", other).into()),
        }
    }
    Ok(merged.into())
}

fn merge_into(merged: &mut Hash, hash: &Hash) {
    for (key, value) in hash {
        let value = match (merged.take(key), value) {
            (Some(Value::Hash(old)), Value::Hash(new)) => {
                let mut old = Arc::unwrap_or_clone(old);
                merge_into(&mut old, new);
                old.into()
            }
            _ => value.clone(),
        };
        merged.insert(key.clone(), value);
    }
}
