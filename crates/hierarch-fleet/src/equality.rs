//! When two answers are one: types kept, the order of hash keys ignored, lists in order.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use hierarch_pcore::Value;

/// Returns a number that equal values share, and different ones hardly ever.
pub(crate) fn fingerprint(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value {
        Value::Hash(hash) => {
            // Entries are added up, so that their order plays no part.
            let sum = hash.iter().fold(0u64, |sum, (key, value)| {
                let mut entry = DefaultHasher::new();
                (fingerprint(key), fingerprint(value)).hash(&mut entry);
                sum.wrapping_add(entry.finish())
            });
            (1u8, sum).hash(&mut hasher);
        }
        Value::Array(items) => {
            2u8.hash(&mut hasher);
            items.iter().for_each(|item| fingerprint(item).hash(&mut hasher));
        }
        Value::Sensitive(inner) => (3u8, fingerprint(inner)).hash(&mut hasher),
        other => (4u8, other).hash(&mut hasher),
    }
    hasher.finish()
}

/// Tells whether the keys of equal values stand in the same order everywhere: templates and loops show it.
pub(crate) fn same_order(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Hash(a), Value::Hash(b)) => {
            a.iter().zip(b.iter()).all(|(a, b)| a.0 == b.0 && same_order(a.1, b.1))
        }
        (Value::Array(a), Value::Array(b)) => a.iter().zip(b.iter()).all(|(a, b)| same_order(a, b)),
        (Value::Sensitive(a), Value::Sensitive(b)) => same_order(a, b),
        _ => true,
    }
}

/// Values that are told apart, each with something of its own, in the order they came.
pub(crate) struct DistinctValues<T> {
    numbers: HashMap<u64, Vec<usize>>,
    pub(crate) list: Vec<(Value, T)>,
}

impl<T: Default> DistinctValues<T> {
    pub(crate) fn new() -> Self {
        Self { numbers: HashMap::new(), list: Vec::new() }
    }

    /// Returns what belongs to a value.
    pub(crate) fn of(&mut self, value: &Value) -> &mut T {
        let numbers = self.numbers.entry(fingerprint(value)).or_default();
        let known = numbers.iter().copied().find(|number| self.list[*number].0 == *value);
        let number = known.unwrap_or_else(|| {
            numbers.push(self.list.len());
            self.list.push((value.clone(), T::default()));
            self.list.len() - 1
        });
        &mut self.list[number].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        let rules = hierarch_hiera::read::Yaml { aliases: false, symbols: false };
        hierarch_hiera::read::yaml(text, rules).expect("well-formed")
    }

    #[test]
    fn types_count_and_the_order_of_keys_does_not() {
        for (a, b, same) in [
            ("80", "80", true),
            ("80", "'80'", false),
            ("1", "1.0", false),
            ("{a: 1, b: [2, {c: 3, d: 4}]}", "{b: [2, {d: 4, c: 3}], a: 1}", true),
            ("[1, 2]", "[2, 1]", false),
            ("{a: ~}", "{}", false),
            ("{a: b}", "{b: a}", false),
        ] {
            let mut distinct: DistinctValues<usize> = DistinctValues::new();
            *distinct.of(&json(a)) += 1;
            *distinct.of(&json(b)) += 1;
            assert_eq!(distinct.list.len() == 1, same, "{a} {b}");
        }
    }
}
