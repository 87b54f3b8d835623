//! What `--origin` prints: each leaf with its file, line and column, what it hides, and what was removed.

use std::fmt::Write;

use hierarch_pcore::{Hash, Value};

use crate::origin::{Origin, Other, Traced};

/// Returns the view for people: a leaf a line, its place below it.
pub(crate) fn text(key: &str, traced: &Traced, hide: &dyn Fn(&Value) -> Value) -> String {
    let mut out = String::new();
    for leaf in traced.leaves() {
        let value = hide(leaf.value).to_json();
        let _ = writeln!(out, "{} = {value}", name(key, &leaf.path));
        let _ = writeln!(out, "    {}", place(leaf.origin));
        for other in leaf.hides {
            let _ = writeln!(
                out,
                "    hides {} {}",
                hide(&other.value).to_json(),
                place(other.origin.as_deref())
            );
        }
    }
    for removal in traced.removals() {
        let what = hide(&removal.what.value).to_json();
        let _ = writeln!(
            out,
            "{} lost {what}\n    {}\n    removed by {}",
            name(key, &removal.path),
            place(removal.what.origin.as_deref()),
            place(removal.by)
        );
    }
    out
}

fn name(key: &str, path: &[Value]) -> String {
    path.iter().fold(key.to_owned(), |name, part| format!("{name}.{part}"))
}

fn place(origin: Option<&Origin>) -> String {
    match origin {
        Some(Origin { file, line: Some(line), column: Some(column) }) => format!("{file}:{line}:{column}"),
        Some(origin) => origin.file.to_string(),
        None => "(no file)".to_owned(),
    }
}

/// Returns the view for tools.
pub(crate) fn data(key: &str, traced: &Traced, hide: &dyn Fn(&Value) -> Value) -> Value {
    let leaves = traced.leaves();
    let leaves = leaves.iter().map(|leaf| {
        let mut hash: Hash =
            [("path", Value::array(leaf.path.clone())), ("value", hide(leaf.value))].into_iter().collect();
        hash.insert("origin", origin_data(leaf.origin));
        hash.insert("hides", Value::array(leaf.hides.iter().map(|other| other_data(other, hide)).collect()));
        Value::hash(hash)
    });
    let removals = traced.removals();
    let removed = removals.iter().map(|removal| {
        let mut hash: Hash = [("path", Value::array(removal.path.clone()))].into_iter().collect();
        hash.insert("removed", other_data(removal.what, hide));
        hash.insert("by", origin_data(removal.by));
        Value::hash(hash)
    });
    let mut hash: Hash = [("key", Value::from(key)), ("value", hide(traced.plain()))].into_iter().collect();
    hash.insert("leaves", Value::array(leaves.collect()));
    hash.insert("removed", Value::array(removed.collect()));
    Value::hash(hash)
}

fn other_data(other: &Other, hide: &dyn Fn(&Value) -> Value) -> Value {
    let mut hash: Hash = [("value", hide(&other.value))].into_iter().collect();
    hash.insert("origin", origin_data(other.origin.as_deref()));
    Value::hash(hash)
}

fn origin_data(origin: Option<&Origin>) -> Value {
    let Some(origin) = origin else { return Value::Undef };
    let mut hash: Hash = [("file", Value::String(origin.file.clone()))].into_iter().collect();
    for (name, number) in [("line", origin.line), ("column", origin.column)] {
        hash.insert(name, number.map(i64::from));
    }
    Value::hash(hash)
}
