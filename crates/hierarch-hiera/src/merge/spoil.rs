//! What the reference makes of a value while it merges it with one of lower priority.
//!
//! Its deep merge takes knockouts out of the value itself, and an explanation printed afterwards shows what is
//! left. Explanations of ours are told, so that they say the same; `--origin` shows what was found.

use hierarch_pcore::{Hash, Value};

/// Returns what is left of a value that was merged over another, if that differs.
pub(super) fn spoiled(
    source: &Value,
    dest: &Value,
    marks: &dyn Fn(&Value) -> bool,
    by_position: bool,
) -> Option<Value> {
    let left = rest_of(source, dest, marks, by_position);
    (left != *source).then_some(left)
}

fn rest_of(source: &Value, dest: &Value, marks: &dyn Fn(&Value) -> bool, by_position: bool) -> Value {
    if !dest.is_truthy() {
        return source.clone();
    }
    match (source, dest) {
        (Value::Hash(upper), Value::Hash(lower)) => {
            let left = upper.iter().map(|(key, value)| {
                let other = lower.get(key).filter(|other| other.is_truthy()).unwrap_or(value);
                (key.clone(), rest_of(value, other, marks, by_position))
            });
            Value::hash(left.collect::<Hash>())
        }
        (Value::Array(upper), _) => {
            let kept: Vec<Value> = upper.iter().filter(|item| !marks(item)).cloned().collect();
            let others = dest.as_array().filter(|_| by_position).unwrap_or_default();
            let all_hashes = |items: &[Value]| items.iter().all(|item| matches!(item, Value::Hash(_)));
            if others.is_empty() || !all_hashes(&kept) || !all_hashes(others) {
                return Value::array(kept);
            }
            let left = kept.iter().enumerate().map(|(index, item)| match others.get(index) {
                Some(other) => rest_of(item, other, marks, by_position),
                None => item.clone(),
            });
            Value::array(left.collect())
        }
        _ => source.clone(),
    }
}
