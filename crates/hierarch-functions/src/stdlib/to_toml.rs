//! `stdlib::to_toml`: data in TOML.

use crate::prelude::*;
use crate::ruby::inspected;

/// The function `stdlib::to_toml`.
pub(super) static TO_TOML: Function = Function {
    name: "stdlib::to_toml",
    doc: "Returns a Hash as TOML: keys in order, tables after the values beside them.",
    dispatches: &[on(&["Hash data"], to_toml).returns("String")],
    examples: &[
        Gives("stdlib::to_toml({b => {c => 'x'}, a => 1})", "\"a = 1\\n[b]\\nc = \\\"x\\\"\\n\""),
        Gives("stdlib::to_toml({a => [{b => 1}]})", "\"[[a]]\\nb = 1\\n\""),
        Fails("stdlib::to_toml(1)", "parameter 'data' expects a Hash value, got Integer"),
    ],
};

fn to_toml(call: &mut Call) -> Result<Value> {
    let mut out = String::new();
    write(call.hash(0), &[], &mut out)?;
    Ok(out.into())
}

/// Writes a table with its name, which is left out where nothing but tables stands below it.
fn write(table: &Hash, path: &[String], out: &mut String) -> Result<()> {
    let has_values = table.values().any(|value| Kind::of(value) == Kind::Simple);
    if !path.is_empty() && (has_values || table.is_empty()) {
        out.push_str(&format!("[{}]\n", path.join(".")));
    }
    write_pairs(table, path, out)
}

fn write_pairs(table: &Hash, path: &[String], out: &mut String) -> Result<()> {
    let pairs = sorted(table)?;
    let of = |kind: Kind| pairs.iter().filter(move |(_, value)| Kind::of(value) == kind);
    for (key, value) in of(Kind::Simple) {
        out.push_str(&format!("{} = {}\n", key_text(key), scalar(value)));
    }
    for (key, value) in of(Kind::Table) {
        let path = [path, &[key_text(key)]].concat();
        value.as_hash().map_or(Ok(()), |table| write(table, &path, out))?;
    }
    for (key, value) in of(Kind::Tables) {
        let path = [path, &[key_text(key)]].concat();
        for element in value.as_array().unwrap_or_default() {
            let table = element.as_hash().ok_or_else(|| issues::stdlib::no_method("keys", element))?;
            out.push_str(&format!("[[{}]]\n", path.join(".")));
            write_pairs(table, &path, out)?;
        }
    }
    Ok(())
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Simple,
    Table,
    Tables,
}

impl Kind {
    fn of(value: &Value) -> Self {
        match value {
            Value::Hash(_) => Self::Table,
            Value::Array(elements) if matches!(elements.first(), Some(Value::Hash(_))) => Self::Tables,
            _ => Self::Simple,
        }
    }
}

fn sorted(table: &Hash) -> Result<Vec<(&Value, &Value)>> {
    let mut pairs: Vec<_> = table.iter().collect();
    for window in pairs.windows(2) {
        if std::mem::discriminant(window[0].0) != std::mem::discriminant(window[1].0) {
            return Err(issues::no_comparison(window[0].0, window[1].0).into());
        }
    }
    pairs.sort_by(|(a, _), (b, _)| match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        _ => ruby_text(a).cmp(&ruby_text(b)),
    });
    Ok(pairs)
}

fn key_text(key: &Value) -> String {
    let text = ruby_text(key);
    let is_bare = |line: &str| line.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if text.split('\n').any(is_bare) { text } else { format!("\"{}\"", text.replace('"', "\\\"")) }
}

fn scalar(value: &Value) -> String {
    let shown = inspected(value);
    match value {
        // Only Ruby takes `#{` for something special.
        Value::String(_) => shown.replace("\\#{", "#{").replace("\\#$", "#$").replace("\\#@", "#@"),
        Value::Regexp(regexp) => inspected(&regexp.with_slashes().into()),
        _ => shown,
    }
}
