//! The variables that a node's data may use when nothing is compiled: facts, trusted and server facts.

use hierarch_pcore::{Hash, Value};

use crate::host::Scope;
use crate::log::Log;

/// A node as a lookup sees it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its facts.
    pub facts: Hash,
    /// The environment it is in.
    pub environment: String,
    /// What the server says about itself: `serverversion`, `servername`, `serverip`.
    pub server_facts: Hash,
    /// Trusted facts, where they are known otherwise than by the fact `clientcert`.
    pub trusted: Option<Hash>,
}

impl Node {
    /// Makes the scope that a lookup for this node sees.
    pub fn scope(&self, log: &Log) -> Scope {
        let mut scope = Scope::new();
        let facts: Hash = self.facts.iter().map(|(name, value)| (name.clone(), sanitized(value))).collect();
        for (name, value) in &facts {
            match name.as_str() {
                Some("environment") => self.warn_of_parameter(log, "environment", &self.environment, value),
                Some(name) => scope.set(name, value.clone()),
                None => {}
            }
        }
        for (name, value) in &self.server_facts {
            let Some(name) = name.as_str() else { continue };
            match facts.get_str(name) {
                Some(known) => self.warn_of_parameter(log, name, &known.to_string(), value),
                None => scope.set(name, value.clone()),
            }
        }
        let mut server_facts = self.server_facts.clone();
        server_facts.insert("environment", self.environment.as_str());
        scope.set("environment", self.environment.as_str());
        scope.set("trusted", self.trusted.clone().unwrap_or_else(|| trusted_of(&facts)));
        scope.set("server_facts", server_facts);
        scope.set("facts", facts);
        scope.set("title", "main");
        scope.set("name", "main");
        // The top scope belongs to a module without a name.
        scope.set("module_name", "");
        scope
    }

    fn warn_of_parameter(&self, log: &Log, parameter: &str, known: &str, wanted: &Value) {
        log.warn(format!(
            "The node parameter '{parameter}' for node '{}' was already set to '{known}'. It could not be set to '{}'",
            self.name,
            wanted.to_plain()
        ));
    }
}

/// The name in a local lookup is that of the fact `clientcert`, not that of the node.
fn trusted_of(facts: &Hash) -> Hash {
    let certname = facts.get_str("clientcert").cloned().unwrap_or_default();
    let (hostname, domain) = match certname.as_str() {
        Some(name) => match name.split_once('.') {
            Some((host, domain)) => (Value::from(host), Value::from(domain)),
            None => (Value::from(name), Value::Undef),
        },
        None => (Value::Undef, Value::Undef),
    };
    [
        ("authenticated", Value::from("local")),
        ("certname", certname),
        ("extensions", Value::hash(Hash::new())),
        ("hostname", hostname),
        ("domain", domain),
        ("external", Value::hash(Hash::new())),
    ]
    .into_iter()
    .collect()
}

/// Facts are texts, numbers, booleans and collections of them; all else becomes text, null an empty one.
fn sanitized(value: &Value) -> Value {
    match value {
        Value::Hash(hash) => {
            Value::hash(hash.iter().map(|(key, value)| (sanitized(key), sanitized(value))).collect())
        }
        Value::Array(items) => Value::array(items.iter().map(sanitized).collect()),
        Value::Undef => Value::from(""),
        other => other.clone(),
    }
}
