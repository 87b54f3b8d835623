//! Answers of PuppetDB: lists of whole inventories, of fact sets, or of single facts.

use std::collections::BTreeMap;

use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;

use crate::issues;

/// Reads a page of PuppetDB's answer to `inventory`; fails with what is wrong.
pub fn inventory(json: &str) -> Result<Vec<(String, NodeFacts)>, String> {
    let Value::Array(items) = hierarch_hiera::read::json(json)? else {
        return Err(issues::no_list());
    };
    let mut answer = Answer::default();
    for (index, item) in items.iter().enumerate() {
        let taken = item.as_hash().and_then(|item| answer.add(item));
        taken.ok_or_else(|| issues::bad_item(index + 1))?;
    }
    Ok(answer.nodes.into_iter().collect())
}

/// Nodes that are being put together from an answer.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) nodes: BTreeMap<String, NodeFacts>,
}

impl Answer {
    /// Takes one item of an answer; nothing if it has none of PuppetDB's shapes.
    pub(crate) fn add(&mut self, item: &Hash) -> Option<()> {
        let name = item.get_str("certname")?.as_str().filter(|name| is_name(name))?;
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

/// Tells whether a text can be the name of a node: it is printed, and becomes part of paths. Puppet has no such names either.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains('/') && !text.chars().any(char::is_control)
}

/// Reads `{name, value}`.
fn single(item: &Value) -> Option<(Value, Value)> {
    let item = item.as_hash()?;
    Some((item.get_str("name")?.clone(), item.get_str("value")?.clone()))
}
