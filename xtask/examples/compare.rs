//! Compares the reader with answers recorded from Psych: `compare RECORDED.jsonl`, lines of `in` (or `file`) with
//! `events`, `value`, `syntax_error` or `error` beside it.
#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::io::{self, Write as _};

use hierarch_source::Source;
use hierarch_yaml::{Data, Dialect, DocumentLimits, Kind, NodeId, Scalar, Style, Tree, read};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let (mut same, mut different) = (0, 0);
    for line in std::fs::read_to_string(path)?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let Some(text) = text_of(&case) else { continue };
        match compare(&text, &case) {
            None => same += 1,
            Some(how) => {
                different += 1;
                let name = case["id"].as_str().or(case["file"].as_str()).unwrap_or("?");
                writeln!(io::stdout(), "{name}: {how}")?;
            }
        }
    }
    writeln!(io::stdout(), "{same} same, {different} different")
}

fn text_of(case: &Value) -> Option<String> {
    match case["in"].as_str() {
        Some(text) => Some(text.to_owned()),
        None => std::fs::read_to_string(case["file"].as_str()?).ok(),
    }
}

fn compare(text: &str, case: &Value) -> Option<String> {
    let limits = DocumentLimits::default();
    match (read(&Source::unnamed(text), Dialect::Psych, limits), &case["syntax_error"]) {
        (Err(error), Value::Null) => {
            if case["error"].is_string() && case["value"].is_null() {
                None
            } else {
                Some(format!("refused: {error}"))
            }
        }
        (Err(error), expected) => {
            let (line, column) = error.position().unwrap_or((0, None));
            let found = json!({"line": line, "column": column, "problem": error.message});
            (found != *expected).then(|| format!("error {found} instead of {expected}"))
        }
        (Ok(_), Value::Object(expected)) => Some(format!("accepted, should be {expected:?}")),
        (Ok(tree), _) => compare_tree(&tree, case, limits),
    }
}

fn compare_tree(tree: &Tree, case: &Value, limits: DocumentLimits) -> Option<String> {
    let mut events = Vec::new();
    tree.roots().iter().for_each(|&root| list(tree, root, &mut events));
    let expected: Vec<&str> = case["events"].as_array()?.iter().filter_map(Value::as_str).collect();
    let expected: Vec<&str> = expected
        .into_iter()
        .filter(|e| e[1..].len() != 3 || !e.ends_with("STR"))
        .filter(|e| !e.contains("DOC") || e.starts_with('='))
        .collect();
    if events != expected {
        return Some(format!("events {events:?} instead of {expected:?}"));
    }
    let value = match tree.root() {
        Some(root) => tree.data(root, limits),
        None => Ok(Data::Scalar(Scalar::Bool(false))),
    };
    match (value, case.get("value")) {
        (Err(_), None) => None,
        (Err(error), Some(expected)) => Some(format!("refused {error}, should be {expected}")),
        (Ok(found), None) => Some(format!("gave {found:?} instead of {}", case["error"])),
        (Ok(found), Some(expected)) => {
            let found = plain(&found);
            let found = if found.is_null() { Value::Bool(false) } else { found };
            (found != *expected).then(|| format!("value {found} instead of {expected}"))
        }
    }
}

fn list(tree: &Tree, id: NodeId, events: &mut Vec<String>) {
    let mut props = String::new();
    if let Some(anchor) = tree.anchor(id) {
        let _ = write!(props, " &{anchor}");
    }
    if let Some(tag) = tree.tag(id) {
        let _ = write!(props, " <{tag}>");
    }
    let flow = tree.style(id) == Style::Flow;
    match tree.kind(id) {
        Kind::Alias => events.push(format!("=ALI *{}", tree.text(id))),
        Kind::Scalar => {
            let sign = match tree.style(id) {
                Style::Single => '\'',
                Style::Double => '"',
                Style::Literal => '|',
                Style::Folded => '>',
                _ => ':',
            };
            events.push(format!("=VAL{props} {sign}{}", tree.text(id)));
        }
        Kind::List => {
            events.push(format!("+SEQ{}{props}", if flow { " []" } else { "" }));
            tree.children(id).iter().for_each(|&child| list(tree, child, events));
            events.push("-SEQ".into());
        }
        Kind::Map => {
            events.push(format!("+MAP{}{props}", if flow { " {}" } else { "" }));
            tree.children(id).iter().for_each(|&child| list(tree, child, events));
            events.push("-MAP".into());
        }
    }
}

fn plain(data: &Data) -> Value {
    match data {
        Data::Scalar(scalar) => match scalar {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => json!(value),
            Scalar::Int(value) => json!(value),
            Scalar::Big(digits) => serde_json::from_str(digits).unwrap_or_default(),
            Scalar::Float(value) if value.is_finite() => json!(value),
            Scalar::Float(value) if value.is_nan() => json!({"ruby": "NaN"}),
            Scalar::Float(value) => json!({"ruby": if *value > 0.0 { "Infinity" } else { "-Infinity" }}),
            Scalar::Str(text) => json!(text),
            Scalar::Symbol(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                json!({"ruby": format!(":{name}")})
            }
            Scalar::Symbol(name) => json!({"ruby": format!(":{name:?}")}),
            // What is not UTF-8 was recorded as question marks.
            Scalar::Binary(bytes) => json!(String::from_utf8_lossy(bytes).replace('\u{fffd}', "?")),
        },
        Data::List(items) => items.iter().map(plain).collect(),
        Data::Map(entries) if entries.iter().all(|(key, _)| key.as_str().is_some()) => Value::Object(
            entries.iter().map(|(k, v)| (k.as_str().unwrap_or_default().to_owned(), plain(v))).collect(),
        ),
        Data::Map(entries) => {
            let pairs: Vec<Value> = entries.iter().map(|(k, v)| json!([plain(k), plain(v)])).collect();
            json!({"pairs": pairs})
        }
    }
}
