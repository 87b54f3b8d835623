//! What a v4 request has to be, and the words of Puppet Server for one that is not: all that is wrong, as a map.

use serde_json::{Map, Value as Json};

/// What a field may hold.
enum Kind {
    Text,
    Flag,
    /// Any object.
    Any,
    /// One of some words.
    OneOf(&'static [&'static str]),
    Fields(&'static [Field]),
}

struct Field {
    name: &'static str,
    is_required: bool,
    kind: Kind,
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, is_required: true, kind }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field { name, is_required: false, kind }
}

const VALUES: &[Field] = &[required("values", Kind::Any)];

const REQUEST: &[Field] = &[
    required("certname", Kind::Text),
    required("persistence", Kind::Fields(&[required("facts", Kind::Flag), required("catalog", Kind::Flag)])),
    required("environment", Kind::Text),
    optional("facts", Kind::Fields(VALUES)),
    optional("trusted_facts", Kind::Fields(VALUES)),
    optional("transaction_uuid", Kind::Text),
    optional("job_id", Kind::Text),
    optional(
        "options",
        Kind::Fields(&[
            optional("prefer_requested_environment", Kind::Flag),
            optional("capture_logs", Kind::Flag),
            optional("log_level", Kind::OneOf(&["warning", "err", "info", "debug"])),
        ]),
    ),
];

/// Tells what is wrong with a request; nothing if it is right.
pub(super) fn complaint(request: &Map<String, Json>) -> Option<String> {
    wrong(request, REQUEST).map(|wrong| format!("Invalid input: {wrong}"))
}

fn wrong(object: &Map<String, Json>, fields: &[Field]) -> Option<String> {
    let of_fields = fields.iter().filter_map(|field| {
        let wrong = match object.get(field.name) {
            None if field.is_required => Some("missing-required-key".to_owned()),
            None => None,
            Some(value) => field.kind.complaint(value),
        };
        wrong.map(|wrong| format!("\"{}\" {wrong}", field.name))
    });
    let unknown = object.keys().filter(|name| !fields.iter().any(|field| field.name == name.as_str()));
    let all: Vec<String> = of_fields
        .chain(unknown.map(|name| format!("{} disallowed-key", Json::from(name.as_str()))))
        .collect();
    (!all.is_empty()).then(|| format!("{{{}}}", all.join(", ")))
}

impl Kind {
    fn complaint(&self, value: &Json) -> Option<String> {
        match (self, value) {
            (Self::Text, Json::String(_)) | (Self::Flag, Json::Bool(_)) | (Self::Any, Json::Object(_)) => {
                None
            }
            (Self::OneOf(words), Json::String(word)) if words.contains(&word.as_str()) => None,
            (Self::Fields(fields), Json::Object(object)) => wrong(object, fields),
            (Self::Text, value) => Some(format!("(not (instance? java.lang.String {value}))")),
            (Self::Flag, value) => Some(format!("(not (instance? java.lang.Boolean {value}))")),
            (Self::Any | Self::Fields(_), value) => Some(format!("(not (map? {value}))")),
            (Self::OneOf(words), value) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                Some(format!("(not (#{{{}}} {value}))", words.join(" ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_wrong_is_named() {
        for (request, words) in [
            (
                "{}",
                Some(
                    r#"{"certname" missing-required-key, "persistence" missing-required-key, "environment" missing-required-key}"#,
                ),
            ),
            (
                r#"{"certname":1,"environment":"e","persistence":{"facts":"no"},"x":1}"#,
                Some(
                    r#"{"certname" (not (instance? java.lang.String 1)), "persistence" {"facts" (not (instance? java.lang.Boolean "no")), "catalog" missing-required-key}, "x" disallowed-key}"#,
                ),
            ),
            (r#"{"certname":"a","environment":"e","persistence":{"facts":false,"catalog":false}}"#, None),
        ] {
            let Ok(Json::Object(object)) = serde_json::from_str(request) else { panic!("{request}") };
            assert_eq!(complaint(&object), words.map(|words| format!("Invalid input: {words}")), "{request}");
        }
    }
}
