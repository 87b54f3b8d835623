//! Fact sets: their JSON, and the hash by which equal ones are known.

use hierarch_pcore::{Hash, Value};
use sha2::{Digest, Sha256};

/// The facts that change all the time and are left out of the hash, unless told otherwise.
pub const VOLATILE: &str = "uptime*,memory*,load*,system_uptime,swapfree*,memoryfree*";

/// Returns the hash of facts; the order of keys and volatile facts play no part.
pub(crate) fn hash_of(facts: &Hash, volatile: &[String]) -> Vec<u8> {
    let mut digest = Sha256::new();
    let is_volatile = |name: &str| volatile.iter().any(|pattern| matches(pattern, name));
    let mut entries: Vec<(String, &Value)> = facts
        .iter()
        .map(|(key, value)| (key.to_string(), value))
        .filter(|(key, _)| !is_volatile(key))
        .collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (key, value) in entries {
        digest.update(Value::from(key).to_json());
        update(&mut digest, value);
    }
    digest.finalize().to_vec()
}

fn update(digest: &mut Sha256, value: &Value) {
    match value {
        Value::Hash(hash) => {
            let mut entries: Vec<(String, &Value)> =
                hash.iter().map(|(key, value)| (key.to_json(), value)).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            digest.update("{");
            for (key, value) in entries {
                digest.update(key);
                update(digest, value);
            }
            digest.update("}");
        }
        Value::Array(items) => {
            digest.update("[");
            items.iter().for_each(|item| {
                update(digest, item);
                digest.update(",");
            });
            digest.update("]");
        }
        other => digest.update(other.to_json()),
    }
}

/// Tells whether a name matches a pattern in which `*` stands for anything at the end.
fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Hash {
        match hierarch_hiera::read::json(text) {
            Ok(Value::Hash(hash)) => (*hash).clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn equal_facts_have_one_hash() {
        let volatile: Vec<String> = VOLATILE.split(',').map(str::to_owned).collect();
        let hash = |text: &str| hash_of(&facts(text), &volatile);
        let one = hash(r#"{"a": {"x": 1, "y": [1, 2]}, "uptime_days": 3}"#);
        assert_eq!(one, hash(r#"{"uptime_days": 4, "a": {"y": [1, 2], "x": 1}}"#));
        for other in [
            r#"{"a": {"x": 1, "y": [2, 1]}}"#,
            r#"{"a": {"x": "1", "y": [1, 2]}}"#,
            r#"{"a": {"x": 1, "y": [1, 2]}, "b": 1}"#,
        ] {
            assert_ne!(one, hash(other), "{other}");
        }
    }
}
