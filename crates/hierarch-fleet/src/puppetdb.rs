//! Answers of PuppetDB: lists of whole inventories, of fact sets, or of single facts.

use std::collections::BTreeMap;

use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;

/// Nodes that are being put together from an answer.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) nodes: BTreeMap<String, NodeFacts>,
}

impl Answer {
    /// Takes one item of an answer; nothing if it has none of PuppetDB's shapes.
    pub(crate) fn add(&mut self, item: &Hash) -> Option<()> {
        let name = item.get_str("certname")?.as_str()?;
        let environment = item.get_str("environment").and_then(Value::as_str).map(str::to_owned);
        match (item.get_str("facts"), item.get_str("name"), item.get_str("value")) {
            (Some(Value::Hash(facts)), _, _) => {
                let facts = match facts.get_str("data") {
                    Some(Value::Array(data)) => data.iter().map(single).collect::<Option<Hash>>()?,
                    _ => (**facts).clone(),
                };
                let trusted = item.get_str("trusted").and_then(Value::as_hash).cloned();
                self.nodes.insert(name.to_owned(), NodeFacts { facts, trusted, environment });
            }
            (None, Some(Value::String(fact)), Some(value)) => {
                let node = self.nodes.entry(name.to_owned()).or_default();
                node.facts.insert(fact.clone(), value.clone());
                node.environment = node.environment.take().or(environment);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Reads `{name, value}`.
fn single(item: &Value) -> Option<(Value, Value)> {
    let item = item.as_hash()?;
    Some((item.get_str("name")?.clone(), item.get_str("value")?.clone()))
}
