//! `fact`: a fact by its path.

use crate::prelude::*;
use crate::ruby::read_integer;
use issues::stdlib::{fact_in_array, fact_in_scalar};

/// The function `fact`.
pub(super) static FACT: Function = Function {
    name: "fact",
    doc: "Returns the fact at a path such as `os.family`, or `undef`. A part with a point in it is written in double quotes.",
    dispatches: &[on(&["String fact_name"], fact)],
    examples: &[
        Gives("fact('nope.nothing')", "undef"),
        Fails("fact(1)", "'fact' parameter 'fact_name' expects a String value, got Integer"),
    ],
};

fn fact(call: &mut Call) -> Result<Value> {
    let name = call.str(0).to_owned();
    let mut value = call.variable("facts").unwrap_or_default();
    let mut walked: Vec<String> = Vec::new();
    for key in parts(&name) {
        value = match &value {
            Value::Undef => return Ok(Value::Undef),
            Value::Hash(hash) => hash.get_str(&key).cloned().unwrap_or_default(),
            Value::Array(elements) => read_integer(&key).map_or_else(
                || {
                    call.warn(fact_in_array(&name, &walked.join("."), &key));
                    Value::Undef
                },
                |index| element(elements, index),
            ),
            _ => {
                call.warn(fact_in_scalar(&name, &walked.join("."), &key));
                Value::Undef
            }
        };
        walked.push(if key.contains('.') { format!("\"{key}\"") } else { key });
    }
    Ok(value)
}

/// Cuts a path at its points, those between quotes left alone.
fn parts(path: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let quoted =
            rest[first.len_utf8()..].split_once('"').filter(|(inside, _)| first == '"' && !inside.is_empty());
        if let Some((inside, after)) = quoted {
            parts.push(inside.to_owned());
            rest = after;
        } else if matches!(first, '.' | '"') {
            rest = &rest[1..];
        } else {
            let (part, after) = rest.split_at(rest.find(['.', '"']).unwrap_or(rest.len()));
            parts.push(part.to_owned());
            rest = after;
        }
    }
    parts
}

/// Returns the element at an index; negative ones count from the end.
fn element(elements: &[Value], index: i128) -> Value {
    let index = if index < 0 { index + elements.len() as i128 } else { index };
    usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut_at_points_outside_quotes() {
        for (path, expected) in [
            ("os.family", &["os", "family"] as &[&str]),
            ("mountpoints.\"/a.b\".size", &["mountpoints", "/a.b", "size"]),
            ("a..b", &["a", "b"]),
            ("é.ü", &["é", "ü"]),
            ("\"a", &["a"]),
            ("", &[]),
        ] {
            assert_eq!(parts(path), expected, "{path}");
        }
    }
}
