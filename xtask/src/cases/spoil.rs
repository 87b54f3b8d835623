//! Spoiled cases: the same question with a wrong answer on record, to see that the runner can fail.

use serde_json::{Value as Json, json};

use super::Case;

/// A case whose record was spoiled, and how.
#[derive(Clone, Debug)]
pub struct Spoiled {
    /// What was done to it, such as `error.line changed`.
    pub how: String,
    /// The case.
    pub case: Case,
}

/// Spoils each of the decisive parts of a case in every way: changed, missing, or there though it should not be.
pub fn spoil(case: &Case, decisive: &[&str]) -> Vec<Spoiled> {
    let mut all = Vec::new();
    for part in decisive {
        let with = |value: Option<Json>, how: String| {
            let mut case = case.clone();
            match value {
                Some(value) => case.fields.insert((*part).to_owned(), value),
                None => case.fields.remove(*part),
            };
            Spoiled { how, case }
        };
        match case.fields.get(*part) {
            Some(value) => {
                all.extend(changes(value, part).into_iter().map(|(value, how)| with(Some(value), how)));
                // Where two fields say the same, either may be missing; and an explanation is there only if asked for.
                let is_alone = case.fields.values().filter(|other| *other == value).count() == 1;
                if is_alone && *part != "explain" {
                    all.push(with(None, format!("{part} missing")));
                }
            }
            None => all.push(with(Some(json!("spoiled")), format!("{part} added"))),
        }
    }
    all
}

/// Returns all values that differ from one in a single place.
fn changes(value: &Json, name: &str) -> Vec<(Json, String)> {
    match value {
        Json::Object(map) => {
            // The class of an error says how to compare, and is not part of what is compared.
            let inner =
                map.iter().filter(|(key, _)| name != "error" || *key != "class").flat_map(|(key, inner)| {
                    let changed = changes(inner, &format!("{name}.{key}")).into_iter().map(|(inner, how)| {
                        let mut map = map.clone();
                        map.insert(key.clone(), inner);
                        (Json::Object(map), how)
                    });
                    let mut without = map.clone();
                    without.remove(key);
                    changed.chain([(Json::Object(without), format!("{name}.{key} missing"))])
                });
            inner.collect()
        }
        Json::Array(list) => {
            let longer = list.iter().cloned().chain([json!("spoiled")]).collect();
            let mut all = vec![(Json::Array(longer), format!("{name} longer"))];
            for (index, inner) in list.iter().enumerate() {
                all.extend(changes(inner, &format!("{name}.{index}")).into_iter().map(|(inner, how)| {
                    let mut list = list.clone();
                    list[index] = inner;
                    (Json::Array(list), how)
                }));
            }
            all
        }
        scalar => vec![(other_scalar(scalar), format!("{name} changed"))],
    }
}

fn other_scalar(value: &Json) -> Json {
    match value {
        Json::Bool(value) => json!(!value),
        Json::String(text) => json!(format!("{text}≠")),
        Json::Number(number) => {
            number.as_i64().map_or(json!("spoiled"), |number| json!(number.wrapping_add(1)))
        }
        _ => json!("spoiled"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_changed_in_every_place() {
        let hows: Vec<String> =
            changes(&json!({"a": [1, "x"], "b": null}), "v").into_iter().map(|c| c.1).collect();
        assert_eq!(
            hows,
            ["v.a longer", "v.a.0 changed", "v.a.1 changed", "v.a missing", "v.b changed", "v.b missing"]
        );
        assert!(changes(&json!({"a": true}), "v").iter().all(|(value, _)| *value != json!({"a": true})));
    }
}
