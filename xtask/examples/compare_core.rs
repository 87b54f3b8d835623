//! Compares the core dialect with values recorded from ruamel: `compare_core RECORDED.jsonl`, lines of `file` with `value`
//! or `error` (as `scripts/yaml-ruamel.py` writes them).

use std::io::{self, Write};

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, json, read};
use serde_json::Value;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let (mut same, mut different, mut both_refused) = (0, 0, 0);
    for line in std::fs::read_to_string(path)?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let file = case["file"].as_str().unwrap_or_default();
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let found =
            read(&Source::new(file, text), Dialect::Core, DocumentLimits::default()).and_then(|tree| {
                match tree.roots() {
                    [] => Ok("null".to_owned()),
                    [root] => Ok(json(&tree.data(*root, DocumentLimits::default())?, false)),
                    [_, second, ..] => Err(hierarch_source::Error::new("", "several documents")
                        .at(tree.source(), tree.span(*second))),
                }
            });
        match (found, case.get("value")) {
            (Err(_), None) => both_refused += 1,
            (Ok(found), Some(expected)) if same_values(&serde_json::from_str(&found)?, expected) => same += 1,
            (found, expected) => {
                different += 1;
                let found = found.unwrap_or_else(|error| format!("error {error}"));
                let expected = expected.map_or_else(|| case["error"].to_string(), Value::to_string);
                writeln!(io::stdout(), "{file}\n  ours   {found:.300}\n  ruamel {expected:.300}")?;
            }
        }
    }
    writeln!(io::stdout(), "{same} same, {both_refused} refused by both, {different} different")
}

/// Dates are text to us; everything else must be equal.
fn same_values(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same_values(value, other)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_values(a, b))
        }
        (Value::String(_), Value::Object(date)) => date.contains_key("date") || date.contains_key("bytes"),
        (a, b) => a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a.to_bits() == b.to_bits()),
    }
}
