//! Facts from files: the shapes in which they are usually kept.

use std::path::Path;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Result};

use crate::backend::json;
use crate::document::read_yaml;
use crate::issues;

/// The facts that say who a node is. Who gives one must give all.
const TRUSTED: [&str; 4] = ["hostname", "domain", "fqdn", "clientcert"];

/// Reads a file of facts: a map in JSON or YAML, the output of `puppet facts`, or an answer of PuppetDB.
pub fn read(files: &dyn Files, path: &str) -> Result<Hash> {
    let bytes = files.read(Path::new(path)).map_err(|error| issues::unreadable(path, &error))?;
    let value = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("json") => from_json(&bytes),
        Some("yaml" | "yml") => from_yaml(path, bytes),
        _ => from_json(&bytes).or_else(|| from_yaml(path, bytes)),
    };
    let Some(Value::Hash(given)) = value.map(unwrapped) else { return Err(issues::bad_facts(path)) };
    let count = TRUSTED.iter().filter(|name| given.contains_str(name)).count();
    if count > 0 && count < TRUSTED.len() {
        return Err(issues::incomplete_trusted_facts(&TRUSTED.join(","), path));
    }
    Ok((*given).clone())
}

/// Reads a list, in JSON or YAML: of nodes, for instance.
pub fn read_list(files: &dyn Files, path: &str) -> Result<Vec<Value>> {
    let bytes = files.read(Path::new(path)).map_err(|error| issues::unreadable(path, &error))?;
    let value = match from_json(&bytes) {
        Some(value) => Some(value),
        None => read_yaml(path, bytes).ok().and_then(|document| document.whole().ok()),
    };
    match value {
        Some(Value::Array(items)) => Ok(items.to_vec()),
        _ => Err(issues::no_list(path)),
    }
}

/// Refuses a node of which nothing is known.
pub fn check_known(facts: &Hash, node: &str) -> Result<()> {
    if facts.is_empty() { Err(issues::no_facts(node)) } else { Ok(()) }
}

fn from_json(bytes: &[u8]) -> Option<Value> {
    json::parse(std::str::from_utf8(bytes).ok()?).ok()
}

fn from_yaml(path: &str, bytes: Vec<u8>) -> Option<Value> {
    Some(Value::hash(read_yaml(path, bytes).ok()?.to_hash().ok()?))
}

/// Takes facts out of what `puppet facts` and PuppetDB wrap them in.
fn unwrapped(value: Value) -> Value {
    match &value {
        Value::Hash(hash) => match (hash.get_str("name"), hash.get_str("values")) {
            (Some(_), Some(Value::Hash(facts))) => Value::Hash(facts.clone()),
            _ => value,
        },
        Value::Array(items) => from_puppetdb(items).unwrap_or(value),
        _ => value,
    }
}

/// PuppetDB answers with a list of `{certname, name, value}`, or of one `{certname, facts: {data: …}}`.
fn from_puppetdb(items: &[Value]) -> Option<Value> {
    let mut facts = Hash::new();
    for item in items {
        let item = item.as_hash()?;
        if let Some(Value::Hash(inner)) = item.get_str("facts") {
            match inner.get_str("data") {
                Some(Value::Array(data)) => return from_puppetdb(data),
                _ => return Some(Value::Hash(inner.clone())),
            }
        }
        facts.insert(item.get_str("name")?.clone(), item.get_str("value")?.clone());
    }
    (!facts.is_empty()).then(|| Value::hash(facts))
}
